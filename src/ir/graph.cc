#include "ir/graph.h"

namespace sw {

AttrId Graph::find(std::span<const NamedAttr> attrs, StringId name) {
  if (!name.valid()) return {};
  for (const NamedAttr& a : attrs)
    if (a.name == name) return a.value;
  return {};
}

FunctionId Graph::function_named(StringId name) const {
  for (size_t i = 0; i < functions_.size(); ++i)
    if (functions_[i].name == name) return FunctionId{i};
  return {};
}

UserPosition user_position(const Graph& graph, LocationId loc) {
  std::string_view function;
  while (loc.valid()) {
    const Location& l = graph.location(loc);
    switch (l.kind) {
      case LocationKind::file: return {graph.strings.text(l.text), l.line, l.column, function};
      case LocationKind::name:
        function = graph.strings.text(l.text);
        loc = l.child;
        break;
      case LocationKind::call_site: loc = l.child; break;
      case LocationKind::fused:
        for (LocationId part : l.parts) {
          const UserPosition p = user_position(graph, part);
          if (p.line != 0) return p;
        }
        return {};
      case LocationKind::unknown:
      case LocationKind::opaque: return {};
    }
  }
  return {};
}

}  // namespace sw
