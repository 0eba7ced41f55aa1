// See the header.
#include "report/hardware_report.h"

#include <fmt/format.h>

#include "report/json_writer.h"
#include "report/table.h"

namespace sw {

namespace {

// Four digits and the largest prefix that keeps the number above 1.
std::string scaled(double value, std::string_view unit) {
  struct Prefix {
    double factor;
    std::string_view text;
  };
  constexpr Prefix kPrefixes[] = {{1e15, "P"}, {1e12, "T"}, {1e9, "G"},  {1e6, "M"},
                                  {1e3, "k"},  {1, ""},     {1e-3, "m"}, {1e-6, "µ"}};
  for (const Prefix& prefix : kPrefixes)
    if (value >= prefix.factor) return fmt::format("{:.4g} {}{}", value / prefix.factor, prefix.text, unit);
  return fmt::format("{:.4g} {}", value, unit);
}

std::string alias_text(const Hardware& hardware) { return fmt::format("{}", fmt::join(hardware.aliases, ", ")); }

// "3.35 TB/s", "989 Tflop/s", "10.6 us", "79.1 GiB".
std::string figure_text(const HardwareFigure& f) {
  switch (f.unit) {
    case HardwareUnit::bytes: return bytes_text(static_cast<int64_t>(f.value));
    case HardwareUnit::bytes_per_second: return scaled(f.value, "B/s");
    case HardwareUnit::flops: return scaled(f.value, "flop/s");
    case HardwareUnit::seconds: return scaled(f.value, "s");
    case HardwareUnit::count: return count_text(static_cast<int64_t>(f.value));
    case HardwareUnit::ratio: return fmt::format("{:g}", f.value);
    case HardwareUnit::word: return f.word;
  }
  return {};
}

std::string text_of(const Hardware& hardware, std::string_view key) {
  const HardwareFigure* f = hardware.figure(key);
  return f == nullptr ? "-" : figure_text(*f);
}

void write_figures_json(std::span<const HardwareFigure> figures, JsonWriter& json) {
  for (const HardwareFigure& f : figures) {
    json.key(f.key);
    if (f.unit == HardwareUnit::word)
      json.string(f.word);
    else
      json.raw(fmt::format("{}", f.value));
  }
}

}  // namespace

void write_hardware_list(std::span<const Hardware> all, TextSink& out) {
  Table table({0, 0, 0, 0, 0, 0}, 0);
  table.add({"name", "memory", "usable", "bandwidth", "bf16", "what it is"});
  for (const Hardware& h : all)
    table.add({h.name, text_of(h, "memory.capacity"), h.usable() ? bytes_text(*h.usable()) : "-",
               text_of(h, "memory.bandwidth"), text_of(h, "flops.bf16"), h.description});
  table.write(out);
}

void write_hardware_text(const Hardware& hardware, TextSink& out) {
  out.write(hardware.name + "  ·  " + shown(hardware.description) +
            (hardware.aliases.empty() ? "" : "  ·  also " + shown(alias_text(hardware))) + "\n\n");
  Table table({0, 0}, 2);
  for (const HardwareFigure& f : hardware.figures) table.add({f.key, figure_text(f)});
  if (const auto usable = hardware.usable()) table.add({"memory.usable", bytes_text(*usable)});
  table.add({"memory_model", hardware.memory_model});
  table.write(out);
  if (!hardware.measured.empty()) out.write("\n  measured\n");
  Table samples({0, 0, 0}, 4);
  for (const HardwareSample& sample : hardware.measured) {
    std::string figures;
    for (const HardwareFigure& f : sample.figures)
      figures += (figures.empty() ? "" : "  ") + f.key + " " + figure_text(f);
    samples.add({shown(sample.collective.empty() ? "product of " + sample.product : sample.collective), figures,
                 shown(sample.source)});
  }
  samples.write(out);
  if (!hardware.sources.empty()) out.write("\n  sources\n");
  Table sources({0, 0}, 4);
  for (const auto& [key, text] : hardware.sources) sources.add({shown(key), shown(text)});
  sources.write(out);
}

void write_hardware_json(std::span<const Hardware> all, TextSink& out) {
  JsonWriter json(out, 3);
  json.begin_array();
  for (const Hardware& h : all) {
    json.begin_object();
    json.key("name").string(h.name);
    json.key("description").string(h.description);
    json.key("aliases").begin_array();
    for (const std::string& alias : h.aliases) json.string(alias);
    json.end();
    json.key("memory_model").string(h.memory_model);
    json.key("capacity").number_or_null(h.capacity);
    json.key("reserve").number(h.reserve);
    json.key("usable").number_or_null(h.usable());
    json.key("figures").begin_object();
    write_figures_json(h.figures, json);
    json.end();
    json.key("measured").begin_array();
    for (const HardwareSample& sample : h.measured) {
      json.begin_object();
      if (!sample.collective.empty()) json.key("collective").string(sample.collective);
      if (!sample.product.empty()) json.key("product").string(sample.product);
      write_figures_json(sample.figures, json);
      json.key("source").string_or_null(sample.source);
      json.end();
    }
    json.end();
    json.key("sources").begin_object();
    for (const auto& [key, text] : h.sources) json.key(key).string(text);
    json.end();
    json.end();
  }
  json.end();
}

}  // namespace sw
