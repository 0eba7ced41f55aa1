// See the header.
#include "draw/source_path.h"

#include <algorithm>
#include <array>
#include <string>

namespace sw {

namespace {

constexpr size_t kMostParts = 10;
constexpr size_t kMostFrames = 64;
constexpr std::array<std::string_view, 3> kPasses = {"forward", "backward", "recomputed"};

// What JAX writes for its own machinery, which is no scope of anybody's.
bool is_machinery(std::string_view word) {
  constexpr std::string_view kWords[] = {"",
                                         "while",
                                         "body",
                                         "cond",
                                         "closed_call",
                                         "scan",
                                         "core_call",
                                         "checkpoint",
                                         "remat",
                                         "remat2",
                                         "jit",
                                         "pjit",
                                         "jit:",
                                         "shard_map",
                                         "custom_jvp_call",
                                         "xla_call",
                                         "xla_pmap",
                                         "custom_vjp_call",
                                         "custom_vjp_call_jaxpr",
                                         "None"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords) ||
         (word.starts_with("branch_") && word.ends_with("_fun"));
}

// The parts of `text` between slashes that are in no parentheses.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != '/' || depth > 0)) continue;
    words.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return words;
}

struct Unwrapped {
  std::string_view inner;
  bool forward = false, backward = false;
};

// "transpose(jvp(encoder))" -> encoder, backward. Transformations that leave a function what it is are taken off.
Unwrapped unwrap(std::string_view word) {
  constexpr std::string_view kWrappers[] = {"jit", "pjit", "vmap", "jvp", "transpose", "remat", "checkpoint", "pmap"};
  Unwrapped result{word};
  while (result.inner.ends_with(')')) {
    const size_t open = result.inner.find('(');
    if (open == std::string_view::npos) break;
    const std::string_view wrapper = result.inner.substr(0, open);
    if (std::find(std::begin(kWrappers), std::end(kWrappers), wrapper) == std::end(kWrappers)) break;
    result.backward |= wrapper == "transpose";
    result.forward |= wrapper == "jvp";
    result.inner = result.inner.substr(open + 1, result.inner.size() - open - 2);
  }
  return result;
}

std::string_view last_part(std::string_view path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// "train.<locals>.layer" -> layer, "adam.<locals>.<lambda>" -> adam.
std::string_view short_function(std::string_view name) {
  while (!name.empty()) {
    const size_t dot = name.find_last_of('.');
    const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
    if (!last.starts_with('<')) return last;
    if (dot == std::string_view::npos) break;
    name = name.substr(0, dot);
  }
  return name;
}

}  // namespace

SourcePaths::SourcePaths(const Graph& graph)
    : graph_(graph), paths_(graph.location_count()), known_(graph.location_count(), 0) {
  passes_ = part(kPasses.front(), 0);
  for (const std::string_view pass : kPasses) part(pass, 0);
}

uint32_t SourcePaths::part(std::string_view name, uint32_t line) {
  return keys_.intern(std::string(name) + '\n' + std::to_string(line)).raw;
}

std::string_view SourcePaths::name(uint32_t part) const {
  const std::string_view key = keys_.text(StringId{part});
  return key.substr(0, key.find_last_of('\n'));
}

// The last word is the operation's own.
void SourcePaths::add_names(std::string_view stack, std::vector<uint32_t>& path) {
  std::vector<std::string_view> words = split(stack);
  words.pop_back();
  bool forward = false, backward = false, recomputed = false;
  std::vector<std::string_view> names;
  for (size_t i = 0; i < words.size(); ++i) {
    const Unwrapped word = unwrap(words[i]);
    forward |= word.forward;
    backward |= word.backward;
    if (i == 0 && words[i].starts_with("jit(") && !word.forward && !word.backward) continue;  // the program itself
    for (const std::string_view name : split(word.inner)) {
      recomputed |= name == "rematted_computation";
      if (!is_machinery(name) && name != "rematted_computation") names.push_back(name);
    }
  }
  if (recomputed || backward || forward) path.push_back(passes_ + (recomputed ? 2U : backward ? 1U : 0U));
  for (const std::string_view name : names)
    if (path.size() < kMostParts) path.push_back(part(name, 0));
}

void SourcePaths::add_frames(LocationId loc, std::vector<uint32_t>& path) {
  std::vector<Frame> frames;  // innermost first
  std::vector<LocationId> open = {loc};
  std::string_view function;
  while (!open.empty() && frames.size() < kMostFrames) {
    const LocationId id = open.back();
    open.pop_back();
    if (!id.valid()) continue;
    const Location& l = graph_.location(id);
    if (l.kind == LocationKind::file) {
      frames.push_back({short_function(function), last_part(graph_.strings.text(l.text)), l.line});
      function = {};
    } else if (l.kind == LocationKind::name) {
      function = graph_.strings.text(l.text);
      open.push_back(l.child);
    } else if (l.kind == LocationKind::call_site) {
      open.push_back(l.caller);
      open.push_back(l.child);
    } else if (l.kind == LocationKind::fused && !l.parts.empty()) {
      open.push_back(l.parts.front());
    }
  }
  if (frames.empty()) return;
  const bool named = std::any_of(path.begin(), path.end(), [&](uint32_t p) { return !is_pass(p); });
  for (size_t i = frames.size(); i-- > 0 && !named;) {
    const uint32_t called_at = i + 1 < frames.size() ? frames[i + 1].line : 0;
    if (!frames[i].function.empty() && path.size() < kMostParts) path.push_back(part(frames[i].function, called_at));
  }
  path.push_back(part(std::string(frames.front().file) + ':' + std::to_string(frames.front().line), 0));
}

std::span<const uint32_t> SourcePaths::of(LocationId loc) {
  if (!loc.valid()) return {};
  std::vector<uint32_t>& path = paths_[loc.index()];
  if (known_[loc.index()] != 0) return path;
  known_[loc.index()] = 1;
  // The outermost name of an op's location is its stack of names; one without slashes is the name of the op alone.
  LocationId inner = loc;
  const Location& l = graph_.location(loc);
  if (l.kind == LocationKind::name) {
    add_names(graph_.strings.text(l.text), path);
    inner = l.child;
  }
  add_frames(inner, path);
  return path;
}

}  // namespace sw
