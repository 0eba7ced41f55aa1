#include "support/same_program.h"

#include <set>
#include <unordered_map>

namespace sw {

namespace {

class Comparison {
 public:
  Comparison(const Program& a, const Program& b, bool names)
      : a_(a), b_(b), ga_(a.graph), gb_(b.graph), names_(names) {}

  std::string run() {
    if (ga_.is_hlo != gb_.is_hlo || !same(ga_.module_name, gb_.module_name)) return "module name";
    if (!same(ga_.attrs(ga_.module_attrs), gb_.attrs(gb_.module_attrs))) return "module attributes";
    if (!same_meshes()) return "meshes";
    if (ga_.function_count() != gb_.function_count()) return "number of functions";
    if (ga_.main != gb_.main) return "main function";
    for (size_t i = 0; i < ga_.function_count(); ++i) compare_functions(FunctionId{i});
    return difference_;
  }

 private:
  std::string_view text(const Graph& g, StringId id) const {
    return id.valid() ? g.strings.text(id) : std::string_view("(none)");
  }
  bool same(StringId a, StringId b) const { return text(ga_, a) == text(gb_, b); }
  bool same(TypeId a, TypeId b) const {
    if (!a.valid() || !b.valid()) return a.valid() == b.valid();
    return mlir_text(ga_.types, a) == mlir_text(gb_.types, b) && hlo_text(ga_.types, a) == hlo_text(gb_.types, b);
  }
  bool same_sharding(const Attr& a, const Attr& b) const {
    const auto index = [](int64_t raw) { return static_cast<uint32_t>(raw); };
    if (a.kind == AttrKind::tile_sharding)
      return same_tiles(TileShardingId{index(a.integer)}, TileShardingId{index(b.integer)});
    if (a.kind == AttrKind::sharding)
      return same_named(NamedShardingId{index(a.integer)}, NamedShardingId{index(b.integer)});
    if (a.kind == AttrKind::mesh) return same_mesh(MeshId{index(a.integer)}, MeshId{index(b.integer)});
    for (size_t i = 0; i < a.integers.size(); ++i)
      if (!same_named(NamedShardingId{index(a.integers[i])}, NamedShardingId{index(b.integers[i])})) return false;
    return true;
  }
  bool same_tiles(TileShardingId a, TileShardingId b) const {
    TileSharding x = a_.tile_shardings.get(a), y = b_.tile_shardings.get(b);
    if (x.elements.size() != y.elements.size()) return false;
    for (size_t i = 0; i < x.elements.size(); ++i)
      if (!same_tiles(x.elements[i], y.elements[i])) return false;
    x.elements.clear();
    y.elements.clear();
    return x == y;
  }
  bool same_mesh(MeshId a, MeshId b) const {
    if (!a.valid() || !b.valid()) return a.valid() == b.valid();
    const NamedMesh &x = a_.shardings.mesh(a), &y = b_.shardings.mesh(b);
    return x.name == y.name && x.mesh == y.mesh;
  }
  // The meshes that have names, in their order.
  bool same_meshes() const {
    const auto named = [](const ShardingTable& table) {
      std::vector<MeshId> list;
      for (size_t i = 0; i < table.mesh_count(); ++i)
        if (!table.mesh(MeshId{i}).name.empty()) list.push_back(MeshId{i});
      return list;
    };
    const std::vector<MeshId> x = named(a_.shardings), y = named(b_.shardings);
    if (x.size() != y.size()) return false;
    for (size_t i = 0; i < x.size(); ++i)
      if (!same_mesh(x[i], y[i])) return false;
    return true;
  }
  bool same_named(NamedShardingId a, NamedShardingId b) const {
    NamedShardingSpec x = a_.shardings.spec(a), y = b_.shardings.spec(b);
    if (!same_mesh(x.mesh, y.mesh)) return false;
    y.mesh = x.mesh;
    return x == y;
  }
  bool same(AttrId a, AttrId b) const {
    const Attr x = ga_.attr_table.get(a), y = gb_.attr_table.get(b);
    if (x.kind != y.kind || x.form != y.form || x.text != y.text || x.name != y.name || !same(x.type, y.type))
      return false;
    if (x.integers.size() != y.integers.size() || x.elements.size() != y.elements.size()) return false;
    if (x.kind == AttrKind::tile_sharding || x.kind == AttrKind::sharding || x.kind == AttrKind::mesh ||
        x.kind == AttrKind::sharding_list)
      return same_sharding(x, y);
    if (x.kind == AttrKind::location)
      return same_location(LocationId{static_cast<uint32_t>(x.integer)}, LocationId{static_cast<uint32_t>(y.integer)});
    if (x.integer != y.integer || !std::equal(x.integers.begin(), x.integers.end(), y.integers.begin())) return false;
    for (size_t i = 0; i < x.elements.size(); ++i)
      if (!same(x.elements[i], y.elements[i])) return false;
    return same(x.fields, y.fields);
  }
  bool same(std::span<const NamedAttr> a, std::span<const NamedAttr> b) const {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!same(a[i].name, b[i].name) || !same(a[i].value, b[i].value)) return false;
    return true;
  }
  // Locations share parts, so pairs that were compared before are not compared again.
  bool same_location(LocationId a, LocationId b) const {
    if (!a.valid() || !b.valid()) return a.valid() == b.valid();
    if (!locations_.insert({a, b}).second) return true;
    const Location &x = ga_.location(a), &y = gb_.location(b);
    if (x.kind != y.kind || !same(x.text, y.text) || x.line != y.line || x.column != y.column ||
        x.end_line != y.end_line || x.end_column != y.end_column || x.parts.size() != y.parts.size())
      return false;
    for (size_t i = 0; i < x.parts.size(); ++i)
      if (!same_location(x.parts[i], y.parts[i])) return false;
    return same_location(x.child, y.child) && same_location(x.caller, y.caller);
  }

  bool check(bool good, std::string_view what) {
    if (!good && difference_.empty()) difference_ = where_ + ": " + std::string(what);
    return good;
  }

  void compare_functions(FunctionId id) {
    const Function &x = ga_.function(id), &y = gb_.function(id);
    where_ = "function " + std::string(text(ga_, x.name));
    check(same(x.name, y.name) && x.is_private == y.is_private && x.is_entry == y.is_entry && same(x.type, y.type),
          "head");
    check(same(ga_.attrs(x.attrs), gb_.attrs(y.attrs)), "attributes");
    check(same_location(x.loc, y.loc), "location");
    if (!check(x.arg_attrs.size() == y.arg_attrs.size() && x.result_attrs.size() == y.result_attrs.size(), "arity"))
      return;
    for (size_t i = 0; i < x.arg_attrs.size(); ++i)
      check(same(ga_.attrs(x.arg_attrs[i]), gb_.attrs(y.arg_attrs[i])), "attributes of argument " + std::to_string(i));
    for (size_t i = 0; i < x.result_attrs.size(); ++i)
      check(same(ga_.attrs(x.result_attrs[i]), gb_.attrs(y.result_attrs[i])),
            "attributes of result " + std::to_string(i));
    if (check(x.body.valid() == y.body.valid(), "body") && x.body.valid()) compare_regions(x.body, y.body);
  }

  void compare_regions(RegionId a, RegionId b) {
    const Region &x = ga_.region(a), &y = gb_.region(b);
    if (!check(x.blocks.size() == y.blocks.size() && x.owner == y.owner, "region")) return;
    for (size_t i = 0; i < x.blocks.size(); ++i) compare_blocks(x.blocks[i], y.blocks[i]);
  }

  void compare_values(ValueId a, ValueId b) {
    const Value &x = ga_.value(a), &y = gb_.value(b);
    values_[a] = b;
    check(!names_ || (same(x.name, y.name) && x.index == y.index), "name of a value");
    check(same(x.type, y.type), "type of " + std::string(text(ga_, x.name)));
    check(same_location(x.loc, y.loc), "location of " + std::string(text(ga_, x.name)));
  }

  void compare_blocks(BlockId a, BlockId b) {
    const Block &x = ga_.block(a), &y = gb_.block(b);
    if (!check(x.arg_count == y.arg_count && same(x.label, y.label), "block arguments")) return;
    for (size_t i = 0; i < x.arg_count; ++i) compare_values(ga_.arg(a, i), gb_.arg(b, i));
    if (!check(x.ops.size() == y.ops.size(), "number of operations")) return;
    for (size_t i = 0; i < x.ops.size(); ++i) compare_ops(x.ops[i], y.ops[i]);
  }

  // An operand may stand before its definition in HLO; then only the names are compared.
  bool same_operand(ValueId a, ValueId b) const {
    const auto known = values_.find(a);
    if (known != values_.end()) return known->second == b;
    return same(ga_.value(a).name, gb_.value(b).name) && ga_.value(a).index == gb_.value(b).index;
  }

  void compare_ops(OpId a, OpId b) {
    if (!difference_.empty()) return;
    const Op &x = ga_.op(a), &y = gb_.op(b);
    std::string outer = where_;
    where_ += ", " + std::string(text(ga_, x.name)) + " number " + std::to_string(a.raw);
    if (x.result_count > 0) where_ += " (" + std::string(text(ga_, ga_.value(ga_.result(a)).name)) + ")";
    check(x.kind == y.kind && same(x.name, y.name) && x.result_count == y.result_count, "operation");
    check(same_location(x.loc, y.loc), "location");
    const auto attrs = ga_.attrs(x), others = gb_.attrs(y);
    for (size_t i = 0; i < attrs.size() && i < others.size(); ++i)
      check(same(attrs.subspan(i, 1), others.subspan(i, 1)), "attribute " + std::string(text(ga_, attrs[i].name)));
    check(attrs.size() == others.size(), "number of attributes");
    const auto operands = ga_.operands(x), other_operands = gb_.operands(y);
    if (check(operands.size() == other_operands.size(), "number of operands"))
      for (size_t i = 0; i < operands.size(); ++i)
        check(same_operand(operands[i], other_operands[i]), "operand " + std::to_string(i));
    for (size_t i = 0; i < x.result_count && i < y.result_count; ++i)
      compare_values(ga_.result(a, i), gb_.result(b, i));
    const auto regions = ga_.regions(x), other_regions = gb_.regions(y);
    if (check(regions.size() == other_regions.size(), "number of regions"))
      for (size_t i = 0; i < regions.size(); ++i) {
        const bool own = ga_.region(regions[i]).owner == a;
        check(own == (gb_.region(other_regions[i]).owner == b), "owner of a region");
        if (own)
          compare_regions(regions[i], other_regions[i]);
        else
          check(ga_.region(regions[i]).function == gb_.region(other_regions[i]).function, "called computation");
      }
    where_ = std::move(outer);
  }

  const Program &a_, &b_;
  const Graph &ga_, &gb_;
  const bool names_;
  std::unordered_map<ValueId, ValueId> values_;
  mutable std::set<std::pair<LocationId, LocationId>> locations_;
  std::string where_, difference_;
};

}  // namespace

std::string first_difference(const Program& a, const Program& b, bool names) { return Comparison(a, b, names).run(); }

}  // namespace sw
