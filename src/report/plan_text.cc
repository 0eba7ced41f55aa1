// Order of the screen: what this is; what stands against trusting it (no shardings at all, operations that nothing is
// known about); sums; values to look at; arguments and results. Long tables are cut, and the cut says how to see the
// rest.
#include "report/plan_text.h"

#include <algorithm>

#include "report/collectives_text.h"
#include "report/findings.h"
#include "report/memory_report.h"
#include "report/names.h"
#include "report/table.h"
#include "sharding/text.h"

namespace sw {

namespace {

constexpr size_t kTableRows = 16;
constexpr size_t kLookAtRows = 5;
constexpr int64_t kLookAtBytes = 1 << 20;

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i > 0 ? "," : "") + (shape[i] == kDynamic ? std::string("?") : std::to_string(shape[i]));
  return text + ']';
}

std::string plural(int64_t count, std::string_view what) {
  return count_text(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

struct Sums {
  int64_t argument_bytes = 0, argument_device_bytes = 0;
  int64_t values = 0, sharded = 0, uneven = 0;
};

class PlanText {
 public:
  PlanText(const PlanReport& report, const PlanTextOptions& options, TextSink& out)
      : report_(report),
        graph_(report.program.graph),
        plan_(report.plan),
        options_(options),
        out_(out),
        texts_(report) {}

  void write() {
    sum_up();
    out_.write(plan_title(report_) + "\n\n");
    if (sums_.sharded == 0) write_no_shardings();
    write_sums();
    write_collectives_text(report_, options_.all ? SIZE_MAX : kLookAtRows, out_);
    write_findings();
    write_unsupported();
    write_whole_values();
    write_arguments();
    write_results();
    if (options_.all) write_values();
  }

 private:
  PlannedSharding sharding(ValueId value) const { return sharding_of(plan_, value); }

  std::vector<int64_t> tiles(ValueId value) const {
    return tiles_of(report_.program, sharding(value), graph_.type_of(value).rank());
  }

  bool is_sharded(ValueId value) const {
    const std::vector<int64_t> t = tiles(value);
    return std::any_of(t.begin(), t.end(), [](int64_t n) { return n > 1; });
  }

  int64_t device_bytes(ValueId value) const {
    const Type type = graph_.type_of(value);
    return type.is_array() ? array_bytes(type, device_shape(type, tiles(value))) : 0;
  }

  void sum_up() {
    for (ValueId argument : main_arguments(graph_)) {
      const Type type = graph_.type_of(argument);
      if (!type.is_array()) continue;
      sums_.argument_bytes += array_bytes(type, {type.dims.begin(), type.dims.end()});
      sums_.argument_device_bytes += device_bytes(argument);
    }
    for (size_t i = 0; i < graph_.value_count(); ++i) {
      const Type type = graph_.type_of(ValueId{i});
      if (!type.is_array()) continue;
      ++sums_.values;
      const std::vector<int64_t> t = tiles(ValueId{i});
      bool sharded = false, uneven = false;
      for (size_t d = 0; d < t.size(); ++d) {
        sharded = sharded || t[d] > 1;
        uneven = uneven || (type.dims[d] != kDynamic && type.dims[d] % t[d] != 0);
      }
      sums_.sharded += sharded ? 1 : 0;
      sums_.uneven += uneven ? 1 : 0;
    }
  }

  void write_no_shardings() {
    if (reads_no_shardings(report_)) {
      out_.write(
          "  no shardings    Shardy does not read those of this file, which are GSPMD's (`mhlo.sharding`)\n"
          "  to use them     shardwright plan " +
          shown(report_.file) + " --partitioner gspmd\n\n");
      return;
    }
    const bool no_mesh = report_.program.shardings.mesh_count() == 0;
    out_.write("  no shardings    every value is whole on every device: " +
               std::string(no_mesh ? "the file names no mesh and no sharding" : "the file gives no sharding") + "\n");
    const std::vector<ValueId> arguments = main_arguments(graph_);
    ValueId example;
    for (ValueId a : arguments)
      if (graph_.type_of(a).rank() > 0 && (!example.valid() || device_bytes(a) > device_bytes(example))) example = a;
    out_.write("  to give some    shardwright plan " + shown(report_.file) + (no_mesh ? " --mesh data=2,model=4" : ""));
    if (example.valid()) {
      const std::string axis = no_mesh ? "model" : first_axis();
      std::string spec = "P(";
      for (size_t d = 1; d < graph_.type_of(example).rank(); ++d) spec += "None, ";
      out_.write(" --shard \"" + shown(display_name(graph_, example)) + "=" + spec + "'" + axis + "')\"");
    }
    out_.write("\n\n");
  }

  std::string first_axis() const {
    for (size_t i = 0; i < report_.program.shardings.mesh_count(); ++i) {
      const Mesh& mesh = report_.program.shardings.mesh(MeshId{i}).mesh;
      if (!mesh.axes.empty()) return mesh.axes.front().name;
    }
    return "x";
  }

  void write_sums() {
    Table table({0, 0});
    table.add({"arguments", bytes_text(sums_.argument_device_bytes) + " on a device, of " +
                                bytes_text(sums_.argument_bytes) + " in " +
                                plural(static_cast<int64_t>(main_arguments(graph_).size()), "argument")});
    if (sums_.sharded > 0)
      table.add({"values", count_text(sums_.sharded) + " sharded, " + count_text(sums_.values - sums_.sharded) +
                               " whole on every device" +
                               (sums_.uneven > 0 ? ", " + count_text(sums_.uneven) + " divided unevenly" : "")});
    if (report_.memory != nullptr) table.add({"memory", memory_line(*report_.memory)});
    table.write(out_);
    out_.write('\n');
  }

  void write_findings() {
    const std::vector<Finding> findings = plan_findings(report_);
    if (findings.empty()) return;
    out_.write("  findings\n");
    write_findings_text(report_, findings, options_.all ? findings.size() : kLookAtRows, out_);
    out_.write('\n');
  }

  void write_unsupported() {
    if (plan_.unsupported.empty()) return;
    out_.write("  unsupported: nothing is known about these, so no sharding goes through them\n");
    Table table({44, 24, 0}, 4);
    const size_t rows = options_.all ? plan_.unsupported.size() : std::min(plan_.unsupported.size(), kTableRows);
    for (size_t i = 0; i < rows; ++i) {
      const Op& op = graph_.op(plan_.unsupported[i]);
      std::string name = shown(graph_.strings.text(op.name));
      const AttrId target = graph_.attr(op, "call_target_name");
      if (target.valid()) name += " @" + shown(graph_.attr_table.get(target).text);
      table.add({name, place_of(graph_, report_.sources, plan_.unsupported[i])});
    }
    table.write(out_);
    more(plan_.unsupported.size() - rows);
    out_.write('\n');
  }

  // Large results that every device holds whole, although an operand of their op is sharded: where sharding stopped.
  void write_whole_values() {
    if (sums_.sharded == 0 || plan_.by == Partitioner::none) return;
    std::vector<std::pair<int64_t, ValueId>> found;
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const Op& op = graph_.op(OpId{i});
      const auto operands = graph_.operands(op);
      if (!op.parent.valid() ||
          std::none_of(operands.begin(), operands.end(), [&](ValueId v) { return is_sharded(v); }))
        continue;
      for (uint32_t r = 0; r < op.result_count; ++r) {
        const ValueId value = graph_.result(OpId{i}, r);
        const int64_t bytes = device_bytes(value);
        if (bytes >= kLookAtBytes && !is_sharded(value)) found.emplace_back(bytes, value);
      }
    }
    if (found.empty()) return;
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    // Results of one kind from one place are one line.
    std::vector<std::vector<std::string>> lines;
    std::vector<int64_t> repeats;
    for (const auto& [bytes, value] : found) {
      const std::string place = shown(place_of(graph_, report_.sources, value));
      std::vector<std::string> line = {op_label(value), place, type_label(graph_, graph_.value(value).type),
                                       bytes_text(bytes)};
      const auto same = std::find(lines.begin(), lines.end(), line);
      if (same == lines.end()) {
        lines.push_back(std::move(line));
        repeats.push_back(1);
      } else {
        ++repeats[static_cast<size_t>(same - lines.begin())];
      }
    }
    out_.write("  whole on every device, though computed from sharded values\n");
    Table table({24, 24, 30, 0}, 4);
    const size_t rows = options_.all ? lines.size() : std::min(lines.size(), kLookAtRows);
    for (size_t i = 0; i < rows; ++i) {
      if (repeats[i] > 1) lines[i].back() += " × " + std::to_string(repeats[i]);
      table.add(std::move(lines[i]));
    }
    table.write(out_);
    more(lines.size() - rows);
    out_.write('\n');
  }

  std::string op_label(ValueId value) const {
    std::string name = shown(graph_.strings.text(graph_.op(graph_.value(value).def).name));
    const size_t dot = name.find('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
  }

  void write_arguments() {
    const std::vector<ValueId> arguments = main_arguments(graph_);
    if (arguments.empty()) return;
    Table table({40, 26, 22, 0});
    table.add({"arguments", "global", "on a device", "spec"});
    const size_t rows = options_.all || arguments.size() <= kTableRows + 4 ? arguments.size() : kTableRows;
    for (size_t i = 0; i < rows; ++i)
      table.add(row("  " + shown(display_name(graph_, arguments[i])), graph_.value(arguments[i]).type,
                    sharding(arguments[i]), texts_.of_value(arguments[i])));
    table.write(out_);
    more(arguments.size() - rows);
  }

  void write_results() {
    const std::vector<TypeId> types = output_types(graph_);
    if (types.empty()) return;
    out_.write('\n');
    Table table({40, 26, 22, 0});
    table.add({"results", "global", "on a device", "spec"});
    const size_t rows = options_.all || types.size() <= kTableRows + 4 ? types.size() : kTableRows;
    for (size_t i = 0; i < rows; ++i)
      table.add(row("  " + shown(output_name(graph_, i)), types[i], sharding_of_output(plan_, i), texts_.of_output(i)));
    table.write(out_);
    more(types.size() - rows);
  }

  std::vector<std::string> row(std::string name, TypeId id, PlannedSharding s, const ShardingText& text) const {
    const Type type = graph_.types.get(id);
    const std::string on_device =
        type.is_array() ? shape_text(device_shape(type, tiles_of(report_.program, s, type.rank()))) : "";
    return {std::move(name), type_label(graph_, id), on_device, spelling_of(text)};
  }

  void write_values() {
    out_.write('\n');
    Table table({40, 24, 26, 22, 0});
    table.add({"values", "  where", "global", "on a device", "spec"});
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      if (!graph_.op(OpId{i}).parent.valid()) continue;
      for (uint32_t r = 0; r < graph_.op(OpId{i}).result_count; ++r) {
        const ValueId value = graph_.result(OpId{i}, r);
        auto cells = row("  " + shown(spelled_name(graph_, value)) + "  " + op_label(value), graph_.value(value).type,
                         sharding(value), texts_.of_value(value));
        cells.insert(cells.begin() + 1, shown(place_of(graph_, report_.sources, value)));
        table.add(std::move(cells));
      }
    }
    table.write(out_);
  }

  void more(size_t count) {
    if (count > 0) out_.write("    …" + count_text(static_cast<int64_t>(count)) + " more (--all)\n");
  }

  const PlanReport& report_;
  const Graph& graph_;
  const Plan& plan_;
  const PlanTextOptions& options_;
  TextSink& out_;
  ShardingTexts texts_;
  Sums sums_;
};

}  // namespace

void write_plan_text(const PlanReport& report, const PlanTextOptions& options, TextSink& out) {
  PlanText(report, options, out).write();
}

std::string spelling_of(const ShardingText& text) {
  return !text.spec.empty() ? text.spec : !text.hlo.empty() ? text.hlo : !text.sdy.empty() ? text.sdy : "P()";
}

std::string seed_text(const PlanReport& report, ShardingTexts& texts, const Step& step) {
  const bool named = report.plan.by == Partitioner::shardy;
  const size_t rank = step.value.valid() ? report.program.graph.type_of(step.value).rank() : 0;
  const ShardingText& text =
      named ? texts.of_named(NamedShardingId{step.after}) : texts.of_tiled(TileShardingId{step.after}, rank);
  return !text.spec.empty() ? text.spec : named ? text.sdy : text.hlo;
}

std::string type_label(const Graph& graph, TypeId id) {
  const Type type = graph.types.get(id);
  if (type.is_token()) return "token";
  if (!type.is_tensor()) return type.kind == TypeKind::tuple ? hlo_text(graph.types, id) : mlir_text(graph.types, id);
  const std::string_view element = !type.element_text.empty() ? type.element_text
                                   : graph.is_hlo             ? hlo_spelling(type.element)
                                                              : mlir_spelling(type.element);
  return std::string(element) + shape_text({type.dims.begin(), type.dims.end()});
}

std::string program_name(const Graph& graph) {
  std::string name = graph.module_name.valid() ? shown(graph.strings.text(graph.module_name)) : "";
  if (name.starts_with("jit_")) name.erase(0, 4);
  return name;
}

std::string plan_title(const PlanReport& report) {
  const Graph& graph = report.program.graph;
  std::string title = program_name(graph);
  if (!title.empty()) title += "  ·  ";
  int64_t ops = 0;
  for (size_t i = 0; i < graph.op_count(); ++i) {
    const Op& op = graph.op(OpId{i});
    ops += op.parent.valid() && !has_trait(op.kind, kTerminator) ? 1 : 0;
  }
  title += shown(report.file) + (graph.is_hlo ? " (HLO, " : " (StableHLO, ") + plural(ops, "operation") + ")";
  if (report.plan.mesh.valid()) {
    const Mesh& mesh = report.program.shardings.mesh(report.plan.mesh).mesh;
    std::string axes;
    for (const MeshAxis& axis : mesh.axes)
      axes += (axes.empty() ? "" : " × ") + shown(axis.name) + '=' + std::to_string(axis.size);
    title +=
        "  ·  mesh " + (axes.empty() ? "of one device" : axes + " (" + plural(mesh.device_count(), "device") + ")");
  }
  return title + "  ·  " + std::string(partitioner_title(report.plan.by));
}

}  // namespace sw
