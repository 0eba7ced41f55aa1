// The attributes of the sdy dialect: shardings, meshes, axis lists, sharding rules.
#include <algorithm>

#include "base/edit_distance.h"
#include "text/mlir/parser.h"

namespace sw::mlir {

bool Parser::parse_sdy_attribute(std::string_view name, uint32_t begin, uint32_t end, AttrId& out) {
  seek(begin);
  if (name == "sharding") return parse_sharding_attr(out);
  if (name == "sharding_per_value") {
    advance();
    return parse_sharding_list(out) && expect(TokenKind::greater, "`>` behind the list of shardings");
  }
  Attr attr;
  if (name == "op_sharding_rule") {
    attr.kind = AttrKind::factor_rule;
    attr.text = lexer_.text().substr(begin, end - begin);
  } else if (name == "manual_axes") {
    attr.kind = AttrKind::axes;
    attr.text = lexer_.text().substr(begin + 1, end - begin - 2);
  } else if (name == "mesh") {
    Mesh mesh;
    if (!parse_mesh_body(mesh)) return false;
    attr.kind = AttrKind::mesh;
    attr.integer = program_.shardings.add_mesh({"", std::move(mesh)}).raw;
    out = builder_.attr_table().intern(attr);
    return true;
  } else {
    attr.kind = AttrKind::opaque;
    const auto start = static_cast<uint32_t>(begin - name.size() - 5);
    attr.text = lexer_.text().substr(start, end - start);
  }
  out = builder_.attr_table().intern(attr);
  seek(end);
  return true;
}

bool Parser::parse_sharding_attr(AttrId& out) {
  NamedShardingId sharding;
  if (!parse_sharding(sharding)) return false;
  Attr attr;
  attr.kind = AttrKind::sharding;
  attr.integer = sharding.raw;
  out = builder_.attr_table().intern(attr);
  return true;
}

// [<@mesh, [...]>, <...>]
bool Parser::parse_sharding_list(AttrId& out) {
  if (!expect(TokenKind::left_bracket, "`[` and a list of shardings")) return false;
  IntList ids;
  if (!at(TokenKind::right_bracket)) {
    do {
      NamedShardingId sharding;
      if (!parse_sharding(sharding)) return false;
      ids.push_back(sharding.raw);
    } while (accept(TokenKind::comma));
  }
  if (!expect(TokenKind::right_bracket, "`,` or `]` in a list of shardings")) return false;
  Attr attr;
  attr.kind = AttrKind::sharding_list;
  attr.integers = ids;
  out = builder_.attr_table().intern(attr);
  return true;
}

// <@mesh, [{"x"}, {?}p1], replicated={"y"}, unreduced=max{"z"}>
bool Parser::parse_sharding(NamedShardingId& out) {
  NamedShardingSpec spec;
  if (!expect(TokenKind::less, "`<` and a sharding") || !parse_mesh_reference(spec.mesh) ||
      !expect(TokenKind::comma, "`,` and the dimensions of the sharding") ||
      !expect(TokenKind::left_bracket, "`[` and the dimensions of the sharding"))
    return false;
  if (!at(TokenKind::right_bracket)) {
    do {
      NamedShardingSpec::Dim dim;
      if (!parse_dim_sharding(spec.mesh, dim)) return false;
      spec.dims.push_back(std::move(dim));
    } while (accept(TokenKind::comma));
  }
  if (!expect(TokenKind::right_bracket, "`,` or `]` in the dimensions of a sharding")) return false;
  while (accept(TokenKind::comma)) {
    const bool replicated = at_keyword("replicated");
    if (!replicated && !at_keyword("unreduced")) return fail_expected("`replicated` or `unreduced`");
    advance();
    if (!expect(TokenKind::equal, "`=`")) return false;
    if (!replicated) {
      if (accept_keyword("max")) {
        spec.reduction = ReductionOp::max;
      } else if (accept_keyword("min")) {
        spec.reduction = ReductionOp::min;
      } else {
        accept_keyword("sum");
      }
    }
    if (!parse_axis_set(spec.mesh, replicated ? spec.replicated : spec.unreduced)) return false;
  }
  if (!expect(TokenKind::greater, "`>` behind the sharding")) return false;
  out = program_.shardings.intern(spec);
  return true;
}

bool Parser::parse_mesh_reference(MeshId& out) {
  if (at(TokenKind::symbol)) {
    const std::string_view quoted = text().substr(1);
    const std::string name = quoted.starts_with('"') ? unescape_mlir(quoted) : std::string(quoted);
    out = mesh_named(name);
    if (!out.valid()) {
      auto message = report(DiagnosticKind::unknown_mesh, range(token_), "mesh `@" + name + "` is not defined");
      std::vector<std::string_view> names;
      for (size_t i = 0; i < program_.shardings.mesh_count(); ++i)
        names.push_back(program_.shardings.mesh(MeshId{i}).name);
      const std::string_view near = nearest_name(name, names);
      if (!near.empty()) message.help("did you mean `@" + std::string(near) + "`?");
      return false;
    }
    advance();
    return true;
  }
  if (!accept_keyword("mesh")) return fail_expected("the name of a mesh or `mesh<...>`");
  Mesh mesh;
  if (!parse_mesh_body(mesh)) return false;
  out = program_.shardings.add_mesh({"", std::move(mesh)});
  return true;
}

MeshId Parser::mesh_named(std::string_view name) { return program_.shardings.mesh_named(name); }

bool Parser::parse_mesh_body(Mesh& mesh) {
  if (!expect(TokenKind::less, "`<` and a mesh") || !expect(TokenKind::left_bracket, "`[` and the axes of the mesh"))
    return false;
  if (!at(TokenKind::right_bracket)) {
    do {
      MeshAxis axis;
      if (!parse_string(axis.name) || !expect(TokenKind::equal, "`=` and the size of the axis") ||
          !parse_integer(axis.size))
        return false;
      mesh.axes.push_back(std::move(axis));
    } while (accept(TokenKind::comma));
  }
  if (!expect(TokenKind::right_bracket, "`,` or `]` in the axes of a mesh")) return false;
  if (accept(TokenKind::comma)) {
    IntList ids;
    if (!expect_keyword("device_ids") || !expect(TokenKind::equal, "`=`") || !parse_integer_list(ids)) return false;
    mesh.device_ids.assign(ids.begin(), ids.end());
  }
  return expect(TokenKind::greater, "`>` behind the mesh");
}

// {"x", "y":(1)2, ?}p1
bool Parser::parse_dim_sharding(MeshId mesh, NamedShardingSpec::Dim& out) {
  if (!expect(TokenKind::left_brace, "`{` and the axes of a dimension")) return false;
  out.closed = true;
  while (!at(TokenKind::right_brace)) {
    if (accept(TokenKind::question)) {
      out.closed = false;
      break;
    }
    if (!parse_axis(mesh, out.axes)) return false;
    if (!accept(TokenKind::comma)) break;
  }
  if (!expect(TokenKind::right_brace, "`,` or `}` in the axes of a dimension")) return false;
  if (at(TokenKind::identifier) && text().starts_with('p')) {
    int64_t priority = 0;
    for (const char c : text().substr(1)) {
      if (c < '0' || c > '9' || priority > 1'000'000) return fail_expected("a priority such as `p1`");
      priority = priority * 10 + (c - '0');
    }
    out.priority = static_cast<int32_t>(priority);
    advance();
  }
  return true;
}

bool Parser::parse_axis_set(MeshId mesh, AxisList& out) {
  if (!expect(TokenKind::left_brace, "`{` and a list of axes")) return false;
  if (!at(TokenKind::right_brace)) {
    do {
      if (!parse_axis(mesh, out)) return false;
    } while (accept(TokenKind::comma));
  }
  return expect(TokenKind::right_brace, "`,` or `}` in a list of axes");
}

bool Parser::parse_axis(MeshId mesh_id, AxisList& out) {
  const SourceRange where = range(token_);
  std::string name;
  if (!parse_string(name)) return false;
  const Mesh& mesh = program_.shardings.mesh(mesh_id).mesh;
  const auto axis = mesh.axis_named(name);
  if (!axis) {
    auto message = report(DiagnosticKind::unknown_axis, where, "the mesh has no axis `" + name + "`");
    std::vector<std::string_view> names;
    for (const MeshAxis& a : mesh.axes) names.push_back(a.name);
    const std::string_view near = nearest_name(name, names);
    if (!near.empty()) message.help("did you mean `" + std::string(near) + "`?");
    return false;
  }
  int64_t pre = 1;
  int64_t size = mesh.axes[*axis].size;
  if (accept(TokenKind::colon)) {
    if (!expect(TokenKind::left_paren, "`(` and the size before the sub-axis") || !parse_integer(pre) ||
        !expect(TokenKind::right_paren, "`)`") || !parse_integer(size))
      return false;
    if (pre < 1 || size < 1 || pre > INT32_MAX || size > INT32_MAX)
      return fail(DiagnosticKind::sub_axis_invalid, where, "sub-axis of `" + name + "` out of range");
  }
  out.push_back({*axis, static_cast<uint32_t>(pre), static_cast<uint32_t>(size)});
  return true;
}

// A list of axes or of lists of axes, kept as spelled from its first bracket to the one that closes it.
bool Parser::parse_axes_text(AttrId& out, TokenKind open) {
  if (!at(open))
    return fail_expected(open == TokenKind::left_brace ? "`{` and a list of axes" : "`[` and lists of axes");
  const uint32_t begin = token_.begin;
  uint32_t end = begin;
  int depth = 0;
  do {
    switch (token_.kind) {
      case TokenKind::left_brace:
      case TokenKind::left_bracket: ++depth; break;
      case TokenKind::right_brace:
      case TokenKind::right_bracket: --depth; break;
      case TokenKind::string:
      case TokenKind::comma:
      case TokenKind::colon:
      case TokenKind::integer:
      case TokenKind::arrow:
      case TokenKind::left_paren:
      case TokenKind::right_paren: break;
      default: return fail_expected("the end of a list of axes");
    }
    end = token_.end;
    advance();
  } while (depth > 0);
  Attr attr;
  attr.kind = AttrKind::axes;
  attr.text = lexer_.text().substr(begin, end - begin);
  out = builder_.attr_table().intern(attr);
  return true;
}

}  // namespace sw::mlir
