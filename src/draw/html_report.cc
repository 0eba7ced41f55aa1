// See the header.
#include "draw/html_report.h"

#include "draw/page_plan.h"
#include "draw/report_page.h"
#include "report/diff_report.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/table.h"

namespace sw {

namespace {

class HtmlWriter {
 public:
  HtmlWriter(const HtmlReport& html, TextSink& out)
      : html_(html), graph_(html.report.program.graph), rows_(graph_), scopes_(scope_tree(html.report)), out_(out) {}

  void write() {
    out_.write(report_page_head());
    write_data();
    out_.write(report_page_tail());
  }

 private:
  void write_data() {
    ScriptObject data(out_);
    data.number("version", 1);
    data.string("title", plan_title(html_.report));
    data.string("file", html_.report.file);
    write_mesh(data.key("mesh"));
    write_page_program(html_.report, rows_, scopes_, strings_, data.key("program"));
    data.key("plans").write('[');
    write_page_plan(html_.report, html_.provenance, rows_, strings_, out_);
    if (html_.other != nullptr) {
      out_.write(",\n");
      write_page_plan(html_.other->report, html_.other->provenance, rows_, strings_, out_);
    }
    out_.write(']');
    if (html_.other != nullptr)
      write_difference(*html_.other, data.key("difference"));
    else
      data.string("whyNoOther", html_.why_no_other);
    strings_.write(data.key("strings"));  // last: everything before has added to it
  }

  void write_mesh(TextSink& out) {
    ScriptObject mesh(out);
    std::vector<int64_t> names, sizes;
    if (html_.report.plan.mesh.valid()) {
      const NamedMesh& named = html_.report.program.shardings.mesh(html_.report.plan.mesh);
      for (const MeshAxis& axis : named.mesh.axes) {
        names.push_back(strings_.id(axis.name));
        sizes.push_back(axis.size);
      }
      mesh.number("devices", named.mesh.device_count());
    }
    mesh.column("names", names);
    mesh.column("sizes", sizes);
  }

  void write_difference(const HtmlOther& other, TextSink& out) {
    std::vector<int64_t> parting, begin{0}, members;
    for (const DifferenceGroup& group : other.comparison.groups()) {
      parting.push_back(rows_.of(group.parting));
      for (const uint32_t member : group.members) members.push_back(rows_.of(other.comparison.differences()[member].a));
      begin.push_back(static_cast<int64_t>(members.size()));
    }
    const std::vector<int64_t> outputs(other.comparison.outputs().begin(), other.comparison.outputs().end());
    ScriptObject difference(out);
    difference.number("compared", static_cast<int64_t>(other.comparison.compared()));
    difference.column("parting", parting);
    difference.column("memberBegin", begin);
    difference.column("members", members);
    difference.column("outputs", outputs);
    if (other.collectives != nullptr) write_collectives(*other.collectives, difference);
    if (other.settlement != nullptr) write_settlement(*other.settlement, difference.key("settlement"));
  }

  void write_collectives(const CollectivesDiff& diff, ScriptObject& difference) {
    write_changes(diff.changes(), difference.key("changes"));
    difference.number("bytesA", diff.bytes_a());
    difference.number("bytesB", diff.bytes_b());
  }

  void write_changes(const std::vector<CollectiveChange>& changes, TextSink& out) {
    std::vector<int64_t> kind, over, place, runs_a, bytes_a, runs_b, bytes_b;
    for (const CollectiveChange& change : changes) {
      kind.push_back(strings_.id(change.kind));
      over.push_back(strings_.id(change.groups->over));
      place.push_back(strings_.id_or_none(change.place));
      runs_a.push_back(change.a.runs);
      bytes_a.push_back(change.a.bytes);
      runs_b.push_back(change.b.runs);
      bytes_b.push_back(change.b.bytes);
    }
    ScriptObject columns(out);
    columns.column("kind", kind);
    columns.column("over", over);
    columns.column("place", place);
    columns.column("runsA", runs_a);
    columns.column("bytesA", bytes_a);
    columns.column("runsB", runs_b);
    columns.column("bytesB", bytes_b);
  }

  void write_settlement(const Settlement& settlement, TextSink& out) {
    std::vector<int64_t> value, code;
    for (const Pin& pin : settlement.pins) {
      value.push_back(rows_.of(pin.value));
      code.push_back(strings_.lines(pin_code(html_.report, pin)));
    }
    ScriptObject pins(out);
    pins.number("before", static_cast<int64_t>(settlement.before));
    pins.number("after", static_cast<int64_t>(settlement.after));
    pins.column("value", value);
    pins.column("code", code);
  }

  const HtmlReport& html_;
  const Graph& graph_;
  PageRows rows_;
  ScopeTree scopes_;
  ScriptStrings strings_;
  TextSink& out_;
};

}  // namespace

void write_html_report(const HtmlReport& html, TextSink& out) { HtmlWriter(html, out).write(); }

}  // namespace sw
