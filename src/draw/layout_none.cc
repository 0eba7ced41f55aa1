// lay_out() and render_dot() of a build without Graphviz.
#include "draw/layout.h"

namespace sw {

namespace {

tl::unexpected<Reported> missing(Diagnostics& diagnostics) {
  diagnostics.error(DiagnosticKind::unsupported, {}, "this program was built without Graphviz, which lays graphs out")
      .help("install its library (Debian: libgraphviz-dev) and build again")
      .help("`--format dot` writes the graph for another tool to lay out");
  return reported();
}

}  // namespace

bool has_graphviz() { return false; }

Result<GraphLayout> lay_out(const std::string&, Diagnostics& diagnostics) { return missing(diagnostics); }

Result<std::string> render_dot(const std::string&, const std::string&, Diagnostics& diagnostics) {
  return missing(diagnostics);
}

}  // namespace sw
