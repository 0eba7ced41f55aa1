#include "text/yaml/document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <charconv>
#include <istream>
#include <streambuf>

#include "base/edit_distance.h"

namespace sw {

namespace {

constexpr size_t kMaxBytes = size_t{64} << 20;
constexpr size_t kMaxDepth = 100;
constexpr size_t kMaxNodes = 4'000'000;

// A stream over text that somebody else owns.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // only read
    setg(begin, begin, begin + text.size());
  }
};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(FileId file, const SourceManager& sources) : file_(file), sources_(sources), text_(sources.text(file)) {}

  YamlNode take() { return std::move(root_); }
  uint32_t offset(const YAML::Mark& mark) const {
    if (mark.is_null() || mark.line < 0) return 0;
    const uint32_t line = static_cast<uint32_t>(mark.line) + 1;
    if (line > sources_.line_count(file_)) return static_cast<uint32_t>(text_.size());
    uint32_t begin = 0;
    const std::string_view text = sources_.line_text(file_, line, &begin);
    return begin + static_cast<uint32_t>(std::min<size_t>(static_cast<size_t>(std::max(mark.column, 0)), text.size()));
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(mark, YamlKind::null); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw YAML::ParserException(mark, "aliases (`*name`) are not read, write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    YamlNode& node = add(mark, YamlKind::scalar);
    node.text = value;
    node.quoted = tag == "!";
    if (!node.quoted && (value.empty() || value == "~" || value == "null")) node.kind = YamlKind::null;
    const uint32_t begin = node.where.begin + (node.quoted ? 1 : 0);
    if (text_.substr(begin, value.size()) == value)
      node.where = {file_, begin, begin + static_cast<uint32_t>(value.size())};
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(mark, YamlKind::sequence);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(mark, YamlKind::mapping);
  }
  void OnMapEnd() override { close(); }

 private:
  // The node goes to its parent when it is complete, so that no pointer into a growing vector is held.
  YamlNode& add(const YAML::Mark& mark, YamlKind kind) {
    if (++count_ > kMaxNodes) throw YAML::ParserException(mark, "the file has too many values");
    YamlNode node;
    node.kind = kind;
    const uint32_t begin = offset(mark);
    node.where = {file_, begin, std::min(begin + 1, static_cast<uint32_t>(text_.size()))};
    YamlNode& to = open_.empty() ? root_ : open_.back();
    if (open_.empty()) {
      root_ = std::move(node);
      return root_;
    }
    to.items.push_back(std::move(node));
    return to.items.back();
  }
  void open(const YAML::Mark& mark, YamlKind kind) {
    if (open_.size() >= kMaxDepth) throw YAML::ParserException(mark, "the values are nested too deeply");
    YamlNode node;
    node.kind = kind;
    const uint32_t begin = offset(mark);
    node.where = {file_, begin, std::min(begin + 1, static_cast<uint32_t>(text_.size()))};
    open_.push_back(std::move(node));
  }
  void close() {
    YamlNode node = std::move(open_.back());
    open_.pop_back();
    if (open_.empty()) {
      root_ = std::move(node);
    } else {
      open_.back().items.push_back(std::move(node));
    }
  }

  FileId file_;
  const SourceManager& sources_;
  std::string_view text_;
  YamlNode root_;
  std::vector<YamlNode> open_;
  size_t count_ = 0;
};

// Keys are words and unlike one another; recursion is bounded by kMaxDepth.
bool check_keys(const YamlNode& node, Diagnostics& diagnostics) {
  bool ok = true;
  if (node.kind == YamlKind::mapping) {
    std::vector<std::pair<std::string_view, SourceRange>> keys;
    for (size_t i = 0; i < node.entry_count(); ++i) {
      const YamlNode& key = node.key(i);
      if (key.kind != YamlKind::scalar) {
        diagnostics.error(DiagnosticKind::bad_configuration, key.where,
                          fmt::format("the key of this mapping is {}, expected a word", describe(key)));
        return false;
      }
      keys.emplace_back(key.text, key.where);
    }
    std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 1; i < keys.size(); ++i) {
      if (keys[i].first != keys[i - 1].first) continue;
      diagnostics
          .error(DiagnosticKind::bad_configuration, keys[i].second,
                 fmt::format("key `{}` is given twice", keys[i].first))
          .note(keys[i - 1].second, "first given here");
      ok = false;
    }
  }
  for (const YamlNode& item : node.items) ok = check_keys(item, diagnostics) && ok;
  return ok;
}

std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

}  // namespace

std::string_view describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlKind::null: return "nothing";
    case YamlKind::scalar: return "a word";
    case YamlKind::sequence: return "a list";
    case YamlKind::mapping: return "a mapping";
  }
  return "";
}

Result<YamlNode> read_yaml(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  const std::string_view text = sources.text(file);
  if (text.size() > kMaxBytes) {
    diagnostics.error(DiagnosticKind::bad_configuration, {file, 0, 0},
                      fmt::format("the file has {} bytes, expected at most {}", text.size(), kMaxBytes));
    return reported();
  }
  TreeBuilder builder(file, sources);
  try {
    ViewBuffer buffer(text);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      diagnostics.error(DiagnosticKind::bad_configuration, {file, 0, 0}, "the file is empty");
      return reported();
    }
    YamlNode root = builder.take();
    TreeBuilder second(file, sources);
    if (parser.HandleNextDocument(second)) {
      diagnostics.error(DiagnosticKind::bad_configuration, second.take().where,
                        "a second document begins here, expected one");
      return reported();
    }
    if (!check_keys(root, diagnostics)) return reported();
    return root;
  } catch (const YAML::Exception& error) {
    const uint32_t at = builder.offset(error.mark);
    diagnostics.error(DiagnosticKind::bad_configuration, {file, at, at},
                      fmt::format("not valid YAML: {}", lower_first(error.msg)));
  } catch (const std::exception& error) {
    diagnostics.error(DiagnosticKind::bad_configuration, {file, 0, 0},
                      fmt::format("not valid YAML: {}", lower_first(error.what())));
  }
  return reported();
}

std::optional<int64_t> yaml_integer(const YamlNode& node) {
  if (node.kind != YamlKind::scalar || node.quoted) return std::nullopt;
  int64_t value = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [at, error] = std::from_chars(node.text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

Fields::Fields(const YamlNode& node, std::string_view what, Diagnostics& diagnostics)
    : node_(node), what_(what), diagnostics_(diagnostics), asked_(node.entry_count(), false) {
  if (node.kind == YamlKind::mapping) return;
  asked_.clear();
  fail(node.where, fmt::format("{} is a mapping, found {}", what, describe(node)));
}

bool Fields::fail(SourceRange where, std::string message) {
  diagnostics_.error(DiagnosticKind::bad_configuration, where, std::move(message));
  ok_ = false;
  return false;
}

const YamlNode* Fields::optional(std::string_view key) {
  known_.push_back(key);
  for (size_t i = 0; i < asked_.size(); ++i) {
    if (node_.key(i).text != key) continue;
    asked_[i] = true;
    return &node_.value(i);
  }
  return nullptr;
}

const YamlNode* Fields::required(std::string_view key) {
  const YamlNode* value = optional(key);
  if (value == nullptr && node_.kind == YamlKind::mapping)
    fail(node_.where, fmt::format("{} has no key `{}`", what_, key));
  return value;
}

const YamlNode* Fields::word(std::string_view key, bool is_required) {
  const YamlNode* value = is_required ? required(key) : optional(key);
  if (value == nullptr || value->kind == YamlKind::scalar) return value;
  fail(value->where, fmt::format("`{}` is a word, found {}", key, describe(*value)));
  return nullptr;
}

const YamlNode* Fields::sequence(std::string_view key, bool is_required) {
  const YamlNode* value = is_required ? required(key) : optional(key);
  if (value == nullptr || value->kind == YamlKind::sequence) return value;
  fail(value->where, fmt::format("`{}` is a list, found {}", key, describe(*value)));
  return nullptr;
}

bool Fields::finish() {
  for (size_t i = 0; i < asked_.size(); ++i) {
    if (asked_[i]) continue;
    const YamlNode& key = node_.key(i);
    auto report = diagnostics_.error(DiagnosticKind::bad_configuration, key.where,
                                     fmt::format("{} has no key `{}`", what_, key.text));
    ok_ = false;
    const std::string_view nearest = nearest_name(key.text, known_);
    if (!nearest.empty()) {
      report.help(fmt::format("did you mean `{}`?", nearest));
    } else {
      report.help(fmt::format("its keys are `{}`", fmt::join(known_, "`, `")));
    }
  }
  return ok_;
}

}  // namespace sw
