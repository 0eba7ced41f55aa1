// See the header.
#include "draw/page_memory.h"

#include <unordered_map>

#include "report/memory_report.h"
#include "report/names.h"

namespace sw {

namespace {

class PageMemory {
 public:
  PageMemory(const PlanReport& report, const PageRows& rows, ScriptStrings& strings, TextSink& out)
      : report_(report),
        local_(report.local->graph),
        profile_(report.memory->profile),
        rows_(rows),
        strings_(strings),
        out_(out),
        arguments_(main_arguments(report.program.graph)) {
    for (const OpId op : rows.ops)
      if (report.program.graph.op(op).result_count > 0)
        row_at_.emplace(report.program.graph.op(op).where.begin, rows.of(report.program.graph.op(op).first_result));
  }

  void write() {
    ScriptObject memory(out_);
    memory.string("device", report_.memory->hardware.name);
    memory.number("usable", report_.memory->hardware.usable().value_or(-1));
    memory.boolean("fits", report_.memory->fits());
    memory.number("argument", profile_.argument);
    memory.number("output", profile_.output);
    memory.number("alias", profile_.alias);
    memory.number("temp", profile_.temp);
    memory.number("total", profile_.total());
    memory.number("peak", profile_.peak);
    memory.number("peakPosition", profile_.peak_position);
    write_buffers(memory.key("buffers"));
    write_curve(memory.key("curve"));
  }

 private:
  void write_buffers(TextSink& out) {
    std::vector<int64_t> what, shape, category, bytes, padding, begin, end, place, value;
    for (const MemoryBuffer& buffer : profile_.buffers) {
      const ValueId argument = argument_of(buffer);
      what.push_back(argument.valid()    ? strings_.id(display_name(report_.program.graph, argument))
                     : buffer.op.valid() ? word(buffer.op)
                                         : ScriptStrings::kNone);
      shape.push_back(shape_of(buffer));
      category.push_back(strings_.id(category_name(buffer.category)));
      bytes.push_back(buffer.bytes);
      padding.push_back(buffer.bytes - buffer.unpadded);
      begin.push_back(buffer.begin);
      end.push_back(buffer.end);
      place.push_back(place_id(buffer.op));
      value.push_back(argument.valid() ? rows_.of(argument) : row_of(buffer.op));
    }
    ScriptObject buffers(out);
    buffers.column("what", what);
    buffers.column("shape", shape);
    buffers.column("category", category);
    buffers.column("bytes", bytes);
    buffers.column("padding", padding);
    buffers.column("begin", begin);
    buffers.column("end", end);
    buffers.column("place", place);
    buffers.column("value", value);
  }

  void write_curve(TextSink& out) {
    std::vector<int64_t> position, bytes, op, place, value;
    for (const MemoryPoint& point : profile_.curve) {
      position.push_back(point.position);
      bytes.push_back(point.bytes);
      op.push_back(point.op.valid() ? word(point.op) : ScriptStrings::kNone);
      place.push_back(place_id(point.op));
      value.push_back(row_of(point.op));
    }
    ScriptObject curve(out);
    curve.column("position", position);
    curve.column("bytes", bytes);
    curve.column("op", op);
    curve.column("place", place);
    curve.column("value", value);
  }

  // The argument of main whose storage the buffer is.
  ValueId argument_of(const MemoryBuffer& buffer) const {
    if (buffer.op.valid() || !buffer.value.valid()) return {};
    const uint32_t number = local_.value(buffer.value).index;
    return number < arguments_.size() ? arguments_[number] : ValueId{};
  }

  int64_t word(OpId op) { return strings_.id(facts(local_.op(op).kind).hlo); }

  int64_t shape_of(const MemoryBuffer& buffer) {
    if (!buffer.value.valid() || !local_.type_of(buffer.value).is_array()) return ScriptStrings::kNone;
    return strings_.id(hlo_text(local_.types, local_.value(buffer.value).type, false));
  }

  int64_t place_id(OpId op) {
    return op.valid() ? strings_.id_or_none(place_of(local_, report_.sources, op)) : ScriptStrings::kNone;
  }

  // The value whose definition stands where this op of the local program comes from.
  int64_t row_of(OpId op) const {
    const SourceRange where = op.valid() ? local_.op(op).where : SourceRange{};
    const auto at = where.valid() ? row_at_.find(where.begin) : row_at_.end();
    return at == row_at_.end() ? PageRows::kNone : at->second;
  }

  const PlanReport& report_;
  const Graph& local_;
  const MemoryProfile& profile_;
  const PageRows& rows_;
  ScriptStrings& strings_;
  TextSink& out_;
  std::vector<ValueId> arguments_;
  std::unordered_map<uint32_t, int64_t> row_at_;  // by position in the file
};

}  // namespace

void write_page_memory(const PlanReport& report, const PageRows& rows, ScriptStrings& strings, TextSink& out) {
  PageMemory(report, rows, strings, out).write();
}

}  // namespace sw
