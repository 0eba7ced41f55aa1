// Values of attributes, one function per form (attr_names.h), into canonical attributes.
#include <algorithm>

#include "text/hlo/parser.h"

namespace sw::hlo {

namespace {

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

}  // namespace

AttrId Parser::enum_attr(std::string_view name, std::string_view value) {
  Attr attr;
  attr.kind = AttrKind::enum_;
  attr.name = name;
  attr.text = value;
  return builder_.attr_table().intern(attr);
}

AttrId Parser::table_attr(std::span<const int64_t> values, int64_t rows, int64_t columns) {
  const int64_t dims[] = {rows, columns};
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.form = DenseForm::list;
  attr.type = builder_.types().tensor(ElementType::s64, dims);
  attr.integers = values;
  return builder_.attr_table().intern(attr);
}

bool Parser::parse_bool(bool& out) {
  if (in_.eat_keyword("true")) {
    out = true;
  } else if (in_.eat_keyword("false")) {
    out = false;
  } else {
    return expected("`true` or `false`", DiagnosticKind::bad_attribute);
  }
  return true;
}

bool Parser::parse_list(std::vector<int64_t>& out) {
  if (!eat('{', "before a list of numbers")) return false;
  if (in_.eat('}')) return true;
  do {
    int64_t value = 0;
    if (!in_.integer(value)) return expected("a number", DiagnosticKind::bad_attribute);
    out.push_back(value);
  } while (in_.eat(','));
  return eat('}', "after a list of numbers");
}

bool Parser::parse_list_of_lists(std::vector<std::vector<int64_t>>& out) {
  if (!eat('{', "before a list of lists")) return false;
  if (in_.eat('}')) return true;
  do {
    if (!parse_list(out.emplace_back())) return false;
  } while (in_.eat(','));
  return eat('}', "after a list of lists");
}

bool Parser::parse_bools(AttrId& out) {
  std::vector<int64_t> values;
  bool value = false;
  if (in_.peek() != '{') {
    if (!parse_bool(value)) return false;
    values.push_back(value ? 1 : 0);
  } else {
    in_.eat('{');
    if (in_.peek() != '}') {
      do {
        if (!parse_bool(value)) return false;
        values.push_back(value ? 1 : 0);
      } while (in_.eat(','));
    }
    if (!eat('}', "after a list of `true` and `false`")) return false;
  }
  out = builder_.attr_table().dense_array(i1_, values);
  return true;
}

bool Parser::parse_pairs(AttrId& out) {
  std::vector<std::vector<int64_t>> lists;
  const uint32_t begin = in_.position();
  if (!parse_list_of_lists(lists)) return false;
  std::vector<int64_t> flat;
  for (const auto& pair : lists) {
    if (pair.size() != 2)
      return error(DiagnosticKind::bad_attribute, in_.range(begin, in_.position()), "expected pairs of device numbers");
    flat.insert(flat.end(), pair.begin(), pair.end());
  }
  out = table_attr(flat, static_cast<int64_t>(lists.size()), 2);
  return true;
}

// A list of lists becomes a table, short groups filled with -1 as in StableHLO. The two forms that stand for all
// devices at once stay text, so that a group of 65,536 devices costs no more than one of 8.
bool Parser::parse_groups(AttrId& out) {
  if (in_.peek() == '{') {
    std::vector<std::vector<int64_t>> lists;
    if (!parse_list_of_lists(lists)) return false;
    size_t width = 0;
    for (const auto& list : lists) width = std::max(width, list.size());
    std::vector<int64_t> flat;
    if (lists.size() * width > in_.text().size())
      return error(DiagnosticKind::bad_attribute, in_.token_range(), "groups of too different sizes");
    for (const auto& list : lists) {
      flat.insert(flat.end(), list.begin(), list.end());
      flat.insert(flat.end(), width - list.size(), -1);
    }
    out = table_attr(flat, static_cast<int64_t>(lists.size()), static_cast<int64_t>(width));
    return true;
  }
  const uint32_t begin = in_.position();
  const bool iota = in_.peek() == '[';
  if (iota) {
    if (in_.group().empty() || !in_.eat("<=") || in_.peek() != '[' || in_.group().empty())
      return expected("groups such as `[2,4]<=[8]`", DiagnosticKind::bad_attribute);
    if (in_.raw_peek() == 'T' && (in_.eat('T'), in_.group().empty()))
      return expected("a permutation such as `T(1,0)`", DiagnosticKind::bad_attribute);
  } else {
    if (in_.eat_keyword("mesh") || in_.eat_keyword("maximal_mesh")) {
      if (in_.peek() != '[' || in_.group().empty())
        return expected("the axes of the mesh", DiagnosticKind::bad_attribute);
      const uint32_t after_axes = in_.position();
      if (in_.eat(',') && in_.eat_keyword("device_ids") && in_.eat('=')) {
        if (in_.peek() != '(' || in_.group().empty())
          return expected("`(` and device numbers", DiagnosticKind::bad_attribute);
      } else {
        in_.reset(after_axes);
      }
      if (in_.peek() != '{' || in_.group().empty())
        return expected("the axes that form a group, such as `{'x'}`", DiagnosticKind::bad_attribute);
    } else {
      return expected("`{{0,1},{2,3}}`, `[2,2]<=[4]` or `mesh['x'=2,'y'=2] {'x'}`", DiagnosticKind::bad_attribute);
    }
  }
  out = builder_.attr_table().opaque(in_.text(begin, in_.position()));
  return true;
}

bool Parser::parse_enum(const AttrName& name, AttrId& out) {
  std::string_view word = in_.identifier();
  if (word.empty()) return expected("a name", DiagnosticKind::bad_attribute);
  const std::string_view prefix = enum_prefix(name.canonical);
  if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
  out = enum_attr(enum_name(name.canonical), upper(word));
  return true;
}

bool Parser::parse_precision(AttrId& out) {
  std::vector<AttrId> elements;
  if (!eat('{', "before the precisions")) return false;
  if (in_.peek() != '}') {
    do {
      const std::string_view word = in_.identifier();
      if (word.empty()) return expected("`default`, `high` or `highest`", DiagnosticKind::bad_attribute);
      elements.push_back(enum_attr("stablehlo<precision", upper(word)));
    } while (in_.eat(','));
  }
  if (!eat('}', "after the precisions")) return false;
  out = builder_.attr_table().array(elements);
  return true;
}

bool Parser::parse_slice(AttrSink& sink) {
  if (sink.meaning != OpKind::slice) {
    add(sink.attrs, "slice", builder_.attr_table().opaque(in_.raw_value()));
    return true;
  }
  std::vector<int64_t> starts, limits, strides;
  if (!eat('{', "before the ranges of a slice")) return false;
  while (in_.peek() != '}') {
    int64_t start = 0, limit = 0, stride = 1;
    if (!eat('[', "before a range")) return false;
    if (!in_.integer(start) || !in_.eat(':') || !in_.integer(limit))
      return expected("a range such as `[0:8]` or `[0:8:2]`", DiagnosticKind::bad_attribute);
    if (in_.eat(':') && !in_.integer(stride)) return expected("a stride", DiagnosticKind::bad_attribute);
    if (!eat(']', "after a range")) return false;
    starts.push_back(start);
    limits.push_back(limit);
    strides.push_back(stride);
    if (!in_.eat(',')) break;
  }
  if (!eat('}', "after the ranges of a slice")) return false;
  add(sink.attrs, "start_indices", list_attr(starts));
  add(sink.attrs, "limit_indices", list_attr(limits));
  add(sink.attrs, "strides", list_attr(strides));
  return true;
}

bool Parser::parse_padding(AttrSink& sink) {
  if (sink.meaning != OpKind::pad) {
    add(sink.attrs, "padding", builder_.attr_table().opaque(in_.raw_value()));
    return true;
  }
  std::vector<int64_t> low, high, interior;
  in_.skip_space();
  do {
    int64_t l = 0, h = 0, i = 0;
    if (!in_.integer(l) || !in_.eat('_') || !in_.integer(h))
      return expected("padding such as `0_1` or `0_1_2`", DiagnosticKind::bad_attribute);
    if (in_.raw_peek() == '_' && (in_.eat('_'), !in_.integer(i)))
      return expected("the interior padding", DiagnosticKind::bad_attribute);
    low.push_back(l);
    high.push_back(h);
    interior.push_back(i);
  } while (in_.raw_peek() == 'x' && in_.eat('x'));
  add(sink.attrs, "edge_padding_low", list_attr(low));
  add(sink.attrs, "edge_padding_high", list_attr(high));
  add(sink.attrs, "interior_padding", list_attr(interior));
  return true;
}

bool Parser::parse_window(AttrSink& sink) {
  const WindowNames* names = window_of(sink.meaning);
  if (names == nullptr) {
    add(sink.attrs, "window", builder_.attr_table().opaque(in_.raw_value()));
    return true;
  }
  if (!eat('{', "before the window")) return false;
  // In the order in which they are kept and printed.
  constexpr std::string_view kParts[] = {"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  const std::string_view kept[] = {names->size,       names->stride,     names->pad,
                                   names->lhs_dilate, names->rhs_dilate, names->rhs_reversal};
  AttrId found[std::size(kParts)];
  while (!in_.eat('}')) {
    const std::string_view part = in_.identifier();
    if (part.empty() || !in_.eat('='))
      return expected("`size=`, `stride=`, `pad=`, ... or `}`", DiagnosticKind::bad_attribute);
    const auto at = std::find(std::begin(kParts), std::end(kParts), part);
    if (at == std::end(kParts))
      return error(DiagnosticKind::bad_attribute, in_.range(part),
                   "`" + std::string(part) +
                       "` is no part of a window, expected `size`, `stride`, `pad`, `lhs_dilate`, "
                       "`rhs_dilate` or `rhs_reversal`");
    std::vector<int64_t> values;
    if (!parse_window_part(part == "pad", values)) return false;
    found[at - std::begin(kParts)] = part == "pad" ? table_attr(values, static_cast<int64_t>(values.size() / 2), 2)
                                     : part == "rhs_reversal" ? builder_.attr_table().dense_array(i1_, values)
                                                              : list_attr(values);
  }
  for (size_t i = 0; i < std::size(kParts); ++i)
    if (found[i].valid()) add(sink.attrs, kept[i], found[i]);
  return true;
}

// `3x3`, or with pairs `0_1x0_1`.
bool Parser::parse_window_part(bool pairs, std::vector<int64_t>& values) {
  in_.skip_space();
  do {
    int64_t value = 0;
    if (!in_.integer(value)) return expected("a number", DiagnosticKind::bad_attribute);
    values.push_back(value);
    if (!pairs) continue;
    if (!in_.eat('_') || !in_.integer(value)) return expected("padding such as `0_1`", DiagnosticKind::bad_attribute);
    values.push_back(value);
  } while (in_.raw_peek() == 'x' && in_.eat('x'));
  return true;
}

namespace {

// One of the three label lists of dim_labels: where the two letters stand, and where each spatial number stands.
struct Labels {
  int64_t first = -1, second = -1;
  std::vector<int64_t> spatial;
};

bool read_labels(std::string_view text, char first, char second, Labels& out) {
  size_t spatial = 0;
  for (const char c : text) spatial += is_digit(c) ? 1 : 0;
  out.spatial.assign(spatial, -1);
  for (size_t i = 0; i < text.size(); ++i) {
    const auto place = static_cast<int64_t>(i);
    if (text[i] == first && out.first < 0) {
      out.first = place;
    } else if (text[i] == second && out.second < 0) {
      out.second = place;
    } else if (is_digit(text[i])) {
      const auto number = static_cast<size_t>(text[i] - '0');
      if (number >= spatial || out.spatial[number] >= 0) return false;
      out.spatial[number] = place;
    } else if (text[i] != '?') {
      return false;
    }
  }
  return out.first >= 0 && out.second >= 0;
}

}  // namespace

bool Parser::parse_dim_labels(AttrSink& sink) {
  in_.skip_space();
  const uint32_t begin = in_.position();
  const auto run = [&] {
    const uint32_t from = in_.position();
    while (is_digit(in_.raw_peek()) || (is_name_start(in_.raw_peek()) && in_.raw_peek() != '_') ||
           in_.raw_peek() == '?')
      in_.reset(in_.position() + 1);
    return in_.text(from, in_.position());
  };
  const std::string_view lhs = run();
  const bool good_lhs = in_.eat('_');
  const std::string_view rhs = run();
  const bool good_rhs = in_.eat("->");
  const std::string_view result = run();
  if (sink.meaning != OpKind::convolution) {
    add(sink.attrs, "dim_labels", builder_.attr_table().opaque(in_.text(begin, in_.position())));
    return true;
  }
  Labels labels[3];
  if (!good_lhs || !good_rhs || !read_labels(lhs, 'b', 'f', labels[0]) || !read_labels(rhs, 'i', 'o', labels[1]) ||
      !read_labels(result, 'b', 'f', labels[2]) || labels[0].spatial.size() != labels[1].spatial.size() ||
      labels[0].spatial.size() != labels[2].spatial.size())
    return error(DiagnosticKind::bad_attribute, in_.range(begin, in_.position()),
                 "expected labels such as `b01f_01io->b01f`");
  const auto integer = [&](std::string_view name, int64_t value) {
    return NamedAttr{intern(name), integer_attr(value)};
  };
  const auto list = [&](std::string_view name, const Labels& l) {
    return NamedAttr{intern(name), list_attr(l.spatial)};
  };
  const NamedAttr fields[] = {integer("input_batch_dimension", labels[0].first),
                              integer("input_feature_dimension", labels[0].second),
                              list("input_spatial_dimensions", labels[0]),
                              integer("kernel_input_feature_dimension", labels[1].first),
                              integer("kernel_output_feature_dimension", labels[1].second),
                              list("kernel_spatial_dimensions", labels[1]),
                              integer("output_batch_dimension", labels[2].first),
                              integer("output_feature_dimension", labels[2].second),
                              list("output_spatial_dimensions", labels[2])};
  add(sink.attrs, "dimension_numbers", builder_.attr_table().struct_("stablehlo.conv", fields));
  return true;
}

bool Parser::parse_callee(uint8_t slot, AttrSink& sink) {
  if (in_.peek() == '{') return parse_computation_in_place(slot, sink);
  const bool percent = in_.eat('%');
  const uint32_t begin = in_.position();
  const std::string_view name = in_.identifier();
  if (name.empty()) return expected(percent ? "a name after `%`" : "the name of a computation");
  sink.computation.callees.push_back({slot, intern(name), begin, in_.position(), {}});
  return true;
}

bool Parser::parse_callees(AttrSink& sink) {
  if (!eat('{', "before the names of computations")) return false;
  uint8_t slot = 0;
  while (in_.peek() != '}') {
    if (!parse_callee(slot, sink)) return false;
    slot = static_cast<uint8_t>(std::min(slot + 1, 255));
    if (!in_.eat(',')) break;
  }
  return eat('}', "after the names of computations");
}

bool Parser::parse_predecessors(AttrId& out) {
  std::vector<AttrId> names;
  if (!eat('{', "before the names of instructions")) return false;
  while (in_.peek() != '}') {
    in_.eat('%');
    const std::string_view name = in_.identifier();
    if (name.empty()) return expected("the name of an instruction");
    names.push_back(builder_.attr_table().string(name));
    if (!in_.eat(',')) break;
  }
  if (!eat('}', "after the names of instructions")) return false;
  out = builder_.attr_table().array(names);
  return true;
}

bool Parser::parse_frontend(AttrId& out) {
  std::vector<NamedAttr> entries;
  if (!eat('{', "before frontend attributes")) return false;
  while (in_.peek() != '}') {
    const std::string_view name = in_.identifier();
    if (name.empty() || !in_.eat('=')) return expected("a name and `=`", DiagnosticKind::bad_attribute);
    const StringId id = intern(name);
    AttrId value;
    if (!parse_backend(value)) return false;
    entries.push_back({id, value});
    if (!in_.eat(',')) break;
  }
  if (!eat('}', "after frontend attributes")) return false;
  out = builder_.attr_table().dictionary(entries);
  return true;
}

// A string, or braces taken verbatim; both are the same string to XLA.
bool Parser::parse_backend(AttrId& out) {
  if (in_.peek() == '{') {
    const std::string_view group = in_.group();
    if (group.empty()) return expected("braces that are closed", DiagnosticKind::bad_attribute);
    out = builder_.attr_table().string(group);
    return true;
  }
  if (!in_.quoted(scratch_)) return expected("a string in quotes or `{`", DiagnosticKind::bad_attribute);
  out = builder_.attr_table().string(scratch_);
  return true;
}

bool Parser::parse_field(const AttrName& name, AttrSink& sink) {
  const Dimensions* dimensions = dimensions_of(sink.meaning);
  const Dimensions::Field* field = nullptr;
  for (size_t i = 0; dimensions != nullptr && i < dimensions->count; ++i)
    if (dimensions->fields[i].hlo == name.hlo) field = &dimensions->fields[i];
  AttrId value;
  if (name.form == Form::field_integer) {
    int64_t number = 0;
    if (!in_.integer(number)) return expected("a number", DiagnosticKind::bad_attribute);
    value = integer_attr(number);
    if (field != nullptr && number == 0) return true;
  } else {
    std::vector<int64_t> list;
    if (!parse_list(list)) return false;
    value = list_attr(list);
    if (field != nullptr && list.empty()) return true;
  }
  if (field == nullptr) {
    add(sink.attrs, name.hlo, value);
  } else {
    add(sink.fields, field->canonical, value);
  }
  return true;
}

// The dimension numbers come first, their fields in the order of the StableHLO text: HLO has them in its own.
void Parser::finish_fields(AttrSink& sink, size_t first) {
  const Dimensions* dimensions = dimensions_of(sink.meaning);
  if (dimensions == nullptr) return;
  std::vector<NamedAttr> sorted;
  for (size_t i = 0; i < dimensions->count; ++i) {
    const StringId name = intern(dimensions->fields[i].canonical);
    for (const NamedAttr& field : sink.fields)
      if (field.name == name) sorted.push_back(field);
  }
  const NamedAttr attr{intern(dimensions->attr), builder_.attr_table().struct_(dimensions->name, sorted)};
  sink.attrs.insert(sink.attrs.begin() + static_cast<std::ptrdiff_t>(first), attr);
}

bool Parser::parse_simple_value(const AttrName& name, AttrId& out) {
  AttrTable& table = builder_.attr_table();
  bool flag = false;
  int64_t number = 0;
  switch (name.form) {
    case Form::boolean:
      if (!parse_bool(flag)) return false;
      out = table.boolean(flag);
      return true;
    case Form::unit:
      if (!parse_bool(flag)) return false;
      if (flag) out = table.unit();
      return true;
    case Form::integer:
      if (!in_.integer(number)) return expected("a number", DiagnosticKind::bad_attribute);
      out = integer_attr(number);
      return true;
    case Form::floating: {
      const std::string_view word = in_.word();
      if (word.empty()) return expected("a number", DiagnosticKind::bad_attribute);
      Attr attr;
      attr.kind = AttrKind::floating;
      attr.text = word;
      attr.type = builder_.types().scalar(ElementType::f32);
      out = table.intern(attr);
      return true;
    }
    case Form::word: {
      const std::string_view word = in_.identifier();
      if (word.empty()) return expected("a name", DiagnosticKind::bad_attribute);
      out = table.string(word);
      return true;
    }
    case Form::text:
      if (!in_.quoted(scratch_)) return expected("a string in quotes", DiagnosticKind::bad_attribute);
      out = table.string(scratch_);
      return true;
    case Form::api_version: {
      const std::string_view word = in_.identifier();
      const auto* at = std::find(std::begin(kApiVersions), std::end(kApiVersions), word);
      if (at == std::end(kApiVersions))
        return error(
            DiagnosticKind::bad_attribute, in_.range(word),
            "not an API version, expected `API_VERSION_ORIGINAL`, "
            "`API_VERSION_STATUS_RETURNING`, `API_VERSION_STATUS_RETURNING_UNIFIED` or `API_VERSION_TYPED_FFI`");
      out = table.integer(at - std::begin(kApiVersions), builder_.types().scalar(ElementType::s32));
      return true;
    }
    case Form::channel: {
      if (!in_.integer(number)) return expected("a number", DiagnosticKind::bad_attribute);
      const NamedAttr fields[] = {{intern("handle"), integer_attr(number)}, {intern("type"), integer_attr(1)}};
      out = table.struct_("stablehlo.channel_handle", fields);
      return true;
    }
    case Form::literal: {
      TypeId type;
      in_.skip_space();
      const uint32_t begin = in_.position();
      if (!parse_type(type) || in_.raw_value().empty())
        return expected("a type and a value", DiagnosticKind::bad_attribute);
      out = table.opaque(in_.text(begin, in_.position()));
      return true;
    }
    default: {
      const std::string_view raw = in_.raw_value();
      if (raw.empty()) return expected("a value", DiagnosticKind::bad_attribute);
      out = table.opaque(raw);
      return true;
    }
  }
}

bool Parser::parse_value(const AttrName& name, AttrSink& sink) {
  AttrId value;
  std::vector<int64_t> list;
  bool good = false;
  switch (name.form) {
    case Form::computation: return parse_callee(name.slot, sink);
    case Form::computations: return parse_callees(sink);
    case Form::window: return parse_window(sink);
    case Form::dim_labels: return parse_dim_labels(sink);
    case Form::slice: return parse_slice(sink);
    case Form::padding: return parse_padding(sink);
    case Form::field:
    case Form::field_integer: return parse_field(name, sink);
    case Form::list:
    case Form::list_single: {
      const uint32_t begin = in_.position();
      if (!parse_list(list)) return false;
      if (name.form == Form::list_single && list.size() != 1)
        return error(DiagnosticKind::bad_attribute, in_.range(begin, in_.position()), "expected one dimension");
      value = name.form == Form::list ? list_attr(list) : integer_attr(list[0]);
      good = true;
      break;
    }
    case Form::bools: good = parse_bools(value); break;
    case Form::enumeration: good = parse_enum(name, value); break;
    case Form::groups: good = parse_groups(value); break;
    case Form::pairs: good = parse_pairs(value); break;
    case Form::precision: good = parse_precision(value); break;
    case Form::sharding: good = parse_sharding(value); break;
    case Form::frontend: good = parse_frontend(value); break;
    case Form::backend: good = parse_backend(value); break;
    case Form::predecessors: good = parse_predecessors(value); break;
    case Form::metadata: good = parse_metadata(value, sink.instruction.loc); break;
    default: good = parse_simple_value(name, value); break;
  }
  if (!good) return false;
  if (value.valid()) add(sink.attrs, name.canonical, value);
  if (name.canonical == "split_dimension" && value.valid()) add(sink.attrs, "concat_dimension", value);
  return true;
}

}  // namespace sw::hlo
