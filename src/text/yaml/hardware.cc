// See the header. The format is a table: what may stand in which section, in which unit, between which bounds. Bounds
// are wide; they catch gigabytes given as bytes and megahertz given as hertz.
#include "text/yaml/hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/edit_distance.h"
#include "base/quantity.h"
#include "source/input.h"
#include "text/yaml/document.h"
#include "text/yaml/hardware_files.h"

namespace sw {

namespace {

using enum HardwareUnit;

struct FigureRow {
  std::string_view section, key;
  HardwareUnit unit;
  double least, most;
  bool required = false;
  std::string_view words = {};  // of unit `word`, with commas
};

constexpr double kMiB = 1048576, kPiB = 1125899906842624;
constexpr FigureRow kFigures[] = {
    {"memory", "capacity", bytes, kMiB, kPiB, true},
    {"memory", "reserve", bytes, 0, kPiB},
    {"memory", "bandwidth", bytes_per_second, 1e9, 1e15, true},
    {"memory", "achievable_bandwidth", bytes_per_second, 1e9, 1e15},
    {"memory", "vmem", bytes, 1024, kPiB},
    {"memory", "pool_fraction", ratio, 0.01, 1},
    {"flops", "bf16", flops, 1e9, 1e18},
    {"flops", "fp16", flops, 1e9, 1e18},
    {"flops", "tf32", flops, 1e9, 1e18},
    {"flops", "fp8", flops, 1e9, 1e18},
    {"flops", "int8", flops, 1e9, 1e18},
    {"flops", "fp4", flops, 1e9, 1e18},
    {"fabric", "kind", word, 0, 0, true, "torus,switch,full-mesh"},
    {"fabric", "dimensions", count, 1, 8},
    {"fabric", "links", count, 1, 1024},
    {"fabric", "link_bandwidth", bytes_per_second, 1e6, 1e14, true},
    {"fabric", "hop_latency", seconds, 1e-9, 1},
    {"fabric", "wrap", word, 0, 0, false, "never,always,axis-of-16,multiples-of-4,from-4x4x4"},
    {"fabric", "largest", count, 1, 1e9},
    {"fabric", "devices", count, 1, 1e9},
    {"fabric", "reduces", word, 0, 0, false, "true,false"},
    {"fabric", "core_devices", count, 1, 64},
    {"fabric", "core_bandwidth", ratio, 0.01, 1000},
    {"host", "devices", count, 1, 1e6},
    {"network", "device_bandwidth", bytes_per_second, 1e6, 1e14},
};
constexpr FigureRow kSampleFigures[] = {
    {"", "devices", count, 2, 1e9},      {"", "bytes", bytes, 1, kPiB},
    {"", "seconds", seconds, 1e-9, 1e3}, {"", "bus_bandwidth", bytes_per_second, 1e6, 1e15},
    {"", "latency", seconds, 1e-9, 1},   {"", "extent", count, 1, 1e9},
    {"", "flops", flops, 1e6, 1e18},
};
constexpr std::string_view kSections[] = {"memory", "flops", "fabric", "host", "network"};
constexpr std::string_view kModels[] = {"gpu", "tpu-v5e", "tpu-v5p", "cpu"};

std::string_view unit_words(HardwareUnit unit) {
  switch (unit) {
    case bytes: return " bytes";
    case bytes_per_second: return " bytes a second";
    case HardwareUnit::flops: return " operations a second";
    case seconds: return " seconds";
    case count:
    case ratio:
    case word: break;
  }
  return "";
}

std::string lower(std::string text) {
  for (char& c : text) c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  Result<Hardware> read(const YamlNode& root) {
    Fields fields(root, "a hardware file", diagnostics_);
    if (const YamlNode* name = fields.word("name", true)) out_.name = name->text;
    if (const YamlNode* text = fields.word("description")) out_.description = text->text;
    const YamlNode* model = fields.word("memory_model", true);
    if (model != nullptr) read_model(*model);
    if (const YamlNode* aliases = fields.sequence("aliases")) read_aliases(*aliases);
    for (const std::string_view section : kSections) {
      const bool needed = !is_cpu() && (section == "memory" || section == "flops");
      if (const YamlNode* node = needed ? fields.required(section) : fields.optional(section))
        read_section(*node, section);
    }
    if (const YamlNode* list = fields.sequence("measured"))
      for (const YamlNode& item : list->items) read_sample(item);
    if (const YamlNode* sources = fields.optional("sources")) read_sources(*sources);
    ok_ = fields.finish() && ok_;
    if (!ok_) return reported();
    return std::move(out_);
  }

 private:
  bool is_cpu() const { return out_.memory_model == "cpu"; }
  Diagnostics::Builder fail(SourceRange where, std::string text) {
    ok_ = false;
    return diagnostics_.error(DiagnosticKind::bad_configuration, where, std::move(text));
  }

  void read_model(const YamlNode& node) {
    out_.memory_model = node.text;
    if (std::find(std::begin(kModels), std::end(kModels), node.text) != std::end(kModels)) return;
    auto error = fail(
        node.where, fmt::format("`memory_model` is `{}`, expected one of `{}`", node.text, fmt::join(kModels, "`, `")));
    if (const std::string_view near = nearest_name(node.text, kModels); !near.empty())
      error.help(fmt::format("did you mean `{}`?", near));
  }

  void read_aliases(const YamlNode& list) {
    for (const YamlNode& item : list.items) {
      if (item.kind != YamlKind::scalar) fail(item.where, fmt::format("an alias is a word, found {}", describe(item)));
      out_.aliases.push_back(item.text);
    }
  }

  void read_section(const YamlNode& node, std::string_view section) {
    const size_t before = out_.figures.size();
    const std::string what = fmt::format("`{}`", section);
    Fields fields(node, what, diagnostics_);
    for (const FigureRow& row : kFigures) {
      if (row.section != section) continue;
      const YamlNode* value = row.required && !is_cpu() ? fields.required(row.key) : fields.optional(row.key);
      if (value != nullptr) read_figure(*value, row, std::string(section) + ".", out_.figures);
    }
    ok_ = fields.finish() && ok_;
    if (section == "flops" && ok_ && out_.figures.size() == before)
      fail(node.where, "`flops` has no figure, expected one of an element type");
    if (section == "memory" && ok_) note_memory(node);
  }

  void note_memory(const YamlNode& node) {
    if (const HardwareFigure* capacity = out_.figure("memory.capacity"))
      out_.capacity = static_cast<int64_t>(capacity->value);
    if (const HardwareFigure* reserve = out_.figure("memory.reserve"))
      out_.reserve = static_cast<int64_t>(reserve->value);
    if (!out_.capacity || out_.reserve < *out_.capacity) return;
    for (size_t i = 0; i < node.entry_count(); ++i)
      if (node.key(i).text == "reserve")
        fail(node.value(i).where, fmt::format("the reserve is {} bytes of a capacity of {}, which leaves nothing",
                                              out_.reserve, *out_.capacity));
  }

  void read_figure(const YamlNode& node, const FigureRow& row, const std::string& prefix,
                   std::vector<HardwareFigure>& out) {
    const std::string key = prefix + std::string(row.key);
    if (node.kind != YamlKind::scalar) {
      fail(node.where,
           fmt::format("`{}` is {}, found {}", key, row.unit == word ? "a word" : "a number", describe(node)));
      return;
    }
    if (row.unit == word) {
      const std::string all = "," + std::string(row.words) + ",";
      if (node.text.empty() || all.find("," + node.text + ",") == std::string::npos)
        fail(node.where, fmt::format("`{}` is `{}`, expected one of {}", key, node.text, row.words));
      out.push_back({key, word, 0, node.text});
      return;
    }
    std::optional<double> value;
    if (!node.quoted || row.unit == bytes) {
      const std::optional<int64_t> amount = row.unit == bytes ? parse_bytes(node.text) : std::nullopt;
      value = amount ? std::optional(static_cast<double>(*amount)) : parse_number(node.text);
    }
    if (!value) {
      auto error = fail(node.where, fmt::format("`{}` is `{}`, expected a number{}", key, node.text,
                                                row.unit == bytes ? " of bytes" : ""));
      if (row.unit == bytes) error.help("17179869184, 1.5e9 or `16 GiB`");
      return;
    }
    const bool whole = row.unit == count || row.unit == bytes;
    if (*value < row.least || *value > row.most || (whole && *value != std::floor(*value))) {
      auto error =
          fail(node.where, fmt::format("`{}` is {}{}, expected {} from {} to {}", key, node.text, unit_words(row.unit),
                                       whole ? "a whole number" : "a number", row.least, row.most));
      if (row.unit == bytes && *value > 0 && *value < row.least)
        error.help(fmt::format("`{} GiB` has a unit", node.text));
      return;
    }
    out.push_back({key, row.unit, *value, {}});
  }

  void read_sample(const YamlNode& node) {
    Fields fields(node, "a measurement", diagnostics_);
    HardwareSample sample;
    if (const YamlNode* of = fields.word("collective")) sample.collective = of->text;
    if (const YamlNode* of = fields.word("product")) sample.product = of->text;
    if (const YamlNode* source = fields.word("source")) sample.source = source->text;
    for (const FigureRow& row : kSampleFigures)
      if (const YamlNode* value = fields.optional(row.key)) read_figure(*value, row, "", sample.figures);
    ok_ = fields.finish() && ok_;
    if (node.kind == YamlKind::mapping && sample.collective.empty() == sample.product.empty())
      fail(node.where, "a measurement is of a `collective` or of a `product`");
    out_.measured.push_back(std::move(sample));
  }

  void read_sources(const YamlNode& node) {
    if (node.kind != YamlKind::mapping) {
      fail(node.where, fmt::format("`sources` is a mapping, found {}", describe(node)));
      return;
    }
    for (size_t i = 0; i < node.entry_count(); ++i) {
      if (node.value(i).kind != YamlKind::scalar)
        fail(node.value(i).where, fmt::format("a source is a text, found {}", describe(node.value(i))));
      out_.sources.emplace_back(node.key(i).text, node.value(i).text);
    }
  }

  Diagnostics& diagnostics_;
  Hardware out_;
  bool ok_ = true;
};

Result<Hardware> read_hardware_file(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  const Result<YamlNode> root = read_yaml(file, sources, diagnostics);
  if (!root) return reported();
  return Reader(diagnostics).read(*root);
}

Result<Hardware> read_embedded(const HardwareFile& file, SourceManager& sources, Diagnostics& diagnostics) {
  return read_hardware_file(sources.add("<hardware " + std::string(file.name) + ">", std::string(file.text)), sources,
                            diagnostics);
}

bool is_called(const Hardware& hardware, const std::string& name) {
  if (lower(hardware.name) == name) return true;
  return std::any_of(hardware.aliases.begin(), hardware.aliases.end(),
                     [&](const std::string& alias) { return lower(alias) == name; });
}

}  // namespace

std::vector<Hardware> hardware_catalogue(SourceManager& sources, Diagnostics& diagnostics) {
  std::vector<Hardware> all;
  for (const HardwareFile& file : hardware_files())
    if (Result<Hardware> read = read_embedded(file, sources, diagnostics)) all.push_back(std::move(*read));
  return all;
}

Result<Hardware> find_hardware(const std::string& name, SourceRange where, SourceManager& sources,
                               Diagnostics& diagnostics) {
  if (name.ends_with(".yaml") || name.ends_with(".yml")) {
    const Result<FileId> file = load_input(name, sources, diagnostics);
    if (!file) return reported();
    return read_hardware_file(*file, sources, diagnostics);
  }
  const std::string wanted = lower(name);
  for (const HardwareFile& file : hardware_files())
    if (file.name == wanted) return read_embedded(file, sources, diagnostics);
  const std::vector<Hardware> all = hardware_catalogue(sources, diagnostics);
  std::vector<std::string_view> names;
  for (const Hardware& hardware : all) {
    if (is_called(hardware, wanted)) return hardware;
    names.push_back(hardware.name);
    names.insert(names.end(), hardware.aliases.begin(), hardware.aliases.end());
  }
  auto error = diagnostics.error(DiagnosticKind::unknown_name, where, fmt::format("unknown hardware `{}`", name));
  if (const std::string_view near = nearest_name(wanted, names); !near.empty())
    error.help(fmt::format("did you mean `{}`?", near));
  error.help("`shardwright hardware list` names what is known; a file of your own ends in `.yaml`");
  return reported();
}

}  // namespace sw
