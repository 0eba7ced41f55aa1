// lay_out() and render_dot() with Graphviz. Its messages become diagnostics; it writes nothing to standard error.
#include <gvc.h>

#include <memory>

#include "draw/layout.h"

// Graphviz gives back most of what it takes, and not all: under AddressSanitizer only our own leaks shall be found.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>

// Of fonts, which PNG and PDF need, another thread takes care.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif

namespace sw {

namespace {

#ifdef __SANITIZE_ADDRESS__
using NotOurs = __lsan::ScopedDisabler;
#else
struct NotOurs {};
#endif

std::string& messages() {
  static std::string text;
  return text;
}

int take_message(char* text) {
  messages() += text;
  return 0;
}

// One graph through one layout, and everything freed.
class Drawing {
 public:
  explicit Drawing(const std::string& dot) : context_(gvContext()) {
    messages().clear();
    agseterrf(take_message);
    agseterr(AGERR);
    graph_ = agmemread(dot.c_str());
    laid_out_ = graph_ != nullptr && gvLayout(context_, graph_, "dot") == 0;
  }
  ~Drawing() {
    if (laid_out_) gvFreeLayout(context_, graph_);
    if (graph_ != nullptr) agclose(graph_);
    gvFreeContext(context_);
  }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  bool ok() const { return laid_out_; }
  GVC_t* context() const { return context_; }
  Agraph_t* graph() const { return graph_; }

 private:
  [[maybe_unused]] NotOurs not_ours_;  // before everything that is made with it
  GVC_t* context_;
  Agraph_t* graph_ = nullptr;
  bool laid_out_ = false;
};

tl::unexpected<Reported> failed(Diagnostics& diagnostics, const std::string& what) {
  std::string text = messages();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  diagnostics
      .error(DiagnosticKind::unsupported, {}, what + (text.empty() ? "" : ": " + text.substr(0, text.find('\n'))))
      .help("`--format dot` writes the graph for another tool to lay out");
  return reported();
}

Point down(const pointf& p, double height) { return {p.x, height - p.y}; }

Curve curve_of(Agedge_t* edge, double height) {
  Curve curve;
  const splines* spline = ED_spl(edge);
  if (spline == nullptr || spline->size == 0) return curve;
  const bezier& b = spline->list[0];
  for (int i = 0; i < static_cast<int>(b.size); ++i) curve.points.push_back(down(b.list[i], height));
  curve.arrow = b.eflag != 0;
  if (curve.arrow) curve.tip = down(b.ep, height);
  return curve;
}

void add_clusters(Agraph_t* graph, double height, GraphLayout& layout) {
  for (int i = 1; i <= GD_n_cluster(graph); ++i) {
    Agraph_t* cluster = GD_clust(graph)[i];
    const boxf box = GD_bb(cluster);
    layout.clusters[agnameof(cluster)] = {{box.LL.x, height - box.UR.y}, {box.UR.x, height - box.LL.y}};
    add_clusters(cluster, height, layout);
  }
}

}  // namespace

bool has_graphviz() { return true; }

Result<GraphLayout> lay_out(const std::string& dot, Diagnostics& diagnostics) {
  const Drawing drawing(dot);
  if (!drawing.ok()) return failed(diagnostics, "Graphviz cannot lay out this graph");
  Agraph_t* graph = drawing.graph();
  GraphLayout layout;
  const boxf box = GD_bb(graph);
  layout.width = box.UR.x - box.LL.x;
  layout.height = box.UR.y - box.LL.y;
  const double height = box.UR.y;
  char id[] = "id";
  for (Agnode_t* node = agfstnode(graph); node != nullptr; node = agnxtnode(graph, node)) {
    layout.nodes[agnameof(node)] = down(ND_coord(node), height);
    for (Agedge_t* edge = agfstout(graph, node); edge != nullptr; edge = agnxtout(graph, edge))
      if (const char* name = agget(edge, id); name != nullptr) layout.edges[name] = curve_of(edge, height);
  }
  add_clusters(graph, height, layout);
  return layout;
}

Result<std::string> render_dot(const std::string& dot, const std::string& format, Diagnostics& diagnostics) {
  const Drawing drawing(dot);
  if (!drawing.ok()) return failed(diagnostics, "Graphviz cannot lay out this graph");
  char* data = nullptr;
  unsigned int length = 0;
  if (gvRenderData(drawing.context(), drawing.graph(), format.c_str(), &data, &length) != 0 || data == nullptr)
    return failed(diagnostics, "Graphviz has no plugin here that writes " + format);
  std::string bytes(data, length);
  gvFreeRenderData(data);
  return bytes;
}

}  // namespace sw
