#include "sharding/dims_parser.h"

#include <fmt/format.h>

namespace sw {

namespace {
constexpr int64_t kMaxPart = (int64_t{1} << 31) - 1;
}

bool DimsParser::dims(NamedShardingSpec& spec) {
  if (!scan_.expect('[', "before the dimensions of the sharding")) return false;
  if (scan_.eat(']')) return true;
  do {
    if (spec.dims.size() >= kMaxRank) return scan_.fail("fewer dimensions");
    spec.dims.emplace_back();
    if (!dim(spec.dims.back(), static_cast<int32_t>(spec.dims.size() - 1))) return false;
  } while (scan_.eat(','));
  return scan_.expect(']', "after the dimensions of the sharding");
}

bool DimsParser::lists(NamedShardingSpec& spec, AxisList* manual) {
  struct List {
    std::string_view name;
    AxisList* axes;
    int32_t which;
    bool seen = false;
  };
  List lists[] = {{"replicated", &spec.replicated, PlacedAxis::kReplicated},
                  {"unreduced", &spec.unreduced, PlacedAxis::kUnreduced},
                  {"manual", manual, PlacedAxis::kManual}};
  for (;;) {
    const size_t comma = scan_.here();
    if (!scan_.eat(',')) return true;
    if (hlo_ && scan_.peek_word("metadata")) {
      scan_.rewind(comma);
      return true;
    }
    const size_t begin = scan_.here();
    const std::string_view word = scan_.identifier();
    List* list = nullptr;
    for (List& l : lists)
      if (l.axes != nullptr && l.name == word) list = &l;
    if (list == nullptr) {
      scan_.rewind(begin);
      return scan_.fail(manual == nullptr ? "`replicated` or `unreduced`" : "`replicated`, `unreduced` or `manual`");
    }
    if (list->seen)
      return scan_.fail_at(DiagnosticKind::syntax, begin, begin + word.size(),
                           fmt::format("`{}` is given twice", word));
    list->seen = true;
    if (!scan_.expect('=', "after the name of the list")) return false;
    if (list->which == PlacedAxis::kUnreduced && !reduction(spec)) return false;
    if (!axes(*list->axes, list->which)) return false;
  }
}

bool DimsParser::axes(AxisList& list, int32_t which) {
  if (!scan_.expect('{', "before a list of axes")) return false;
  if (scan_.eat('}')) return true;
  do {
    if (!axis(list, which)) return false;
  } while (scan_.eat(','));
  return scan_.expect('}', "after the list of axes");
}

bool DimsParser::dim(NamedShardingSpec::Dim& dim, int32_t number) {
  const size_t begin = scan_.here();
  dim.closed = true;
  if (!scan_.expect('{', "before the axes of a dimension")) return false;
  bool comma = true;
  while (scan_.peek() != '}') {
    if (scan_.eat('?')) {
      dim.closed = false;
      break;
    }
    if (!comma) return scan_.fail("`,` or `}` after an axis");
    if (!axis(dim.axes, number)) return false;
    comma = scan_.eat(',');
    if (comma && scan_.peek() == '}') return scan_.fail("an axis or `?` after `,`");
  }
  if (!scan_.expect('}', dim.closed ? "after the axes of a dimension" : "after `?`, which comes last")) return false;
  return hlo_ || priority(dim, begin);
}

// `p1`, behind the brace.
bool DimsParser::priority(NamedShardingSpec::Dim& dim, size_t dim_begin) {
  if (scan_.peek() != 'p') return true;
  const size_t begin = scan_.here();
  const std::string_view word = scan_.identifier();
  const std::string_view digits = word.substr(1);
  const auto refuse = [&](size_t from, std::string message) {
    return scan_.fail_at(DiagnosticKind::invalid_sharding, from, begin + word.size(), std::move(message));
  };
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != digits.npos)
    return refuse(begin, fmt::format("`{}` is not a priority, expected `p` and a number below 10^9", word));
  if (digits.size() > 1 && digits[0] == '0') return refuse(begin, fmt::format("priority `{}` has leading zeros", word));
  if (dim.closed && dim.axes.empty())
    return refuse(dim_begin, "a dimension that is closed and has no axes cannot have a priority");
  dim.priority = 0;
  for (char c : digits) dim.priority = dim.priority * 10 + (c - '0');
  return true;
}

bool DimsParser::reduction(NamedShardingSpec& spec) {
  if (scan_.peek() == '{') return true;
  if (scan_.eat_word("max")) {
    spec.reduction = ReductionOp::max;
  } else if (scan_.eat_word("min")) {
    spec.reduction = ReductionOp::min;
  } else if (!scan_.eat_word("sum")) {
    return scan_.fail("`{`, `sum`, `max` or `min`");
  }
  return true;
}

std::optional<uint32_t> DimsParser::axis_index(std::string_view name) const {
  const std::optional<uint32_t> named = mesh_.axis_named(name);
  if (named || !hlo_ || name.empty() || name.size() > 4) return named;
  uint32_t index = 0;
  for (char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    index = index * 10 + static_cast<uint32_t>(c - '0');
  }
  if (index >= mesh_.axes.size()) return std::nullopt;
  return index;
}

// `"x"` or `"x":(1)2`
bool DimsParser::axis(AxisList& list, int32_t which) {
  const size_t begin = scan_.here();
  const std::optional<std::string> name = scan_.quoted("the name of an axis in quotes");
  if (!name) return false;
  const std::optional<uint32_t> index = axis_index(*name);
  if (!index) {
    report_unknown_axis(mesh_, *name, scan_.range_from(begin), scan_.diagnostics());
    return false;
  }
  PlacedAxis placed{{*index, 1, static_cast<uint32_t>(mesh_.axes[*index].size)}, which, {}, false};
  if (scan_.eat(':') && !part(placed, begin)) return false;
  placed.where = scan_.range_from(begin);
  if (placed_.size() >= kMaxRank) return scan_.fail("fewer axes");
  placed_.push_back(placed);
  list.push_back(placed.ref);
  return true;
}

bool DimsParser::part(PlacedAxis& placed, size_t begin) {
  if (!scan_.expect('(', "before the pre-size of a part of an axis")) return false;
  const std::optional<int64_t> pre = scan_.integer("the pre-size of a part of an axis");
  if (!pre || !scan_.expect(')', "after the pre-size")) return false;
  const std::optional<int64_t> size = scan_.integer("the size of a part of an axis");
  if (!size) return false;
  if (*pre > kMaxPart || *size > kMaxPart) {
    scan_.diagnostics().error(DiagnosticKind::sub_axis_invalid, scan_.range_from(begin),
                              fmt::format("({}){} does not divide axis `{}` of size {}", *pre, *size,
                                          mesh_.axes[placed.ref.axis].name, mesh_.axes[placed.ref.axis].size));
    return false;
  }
  placed.ref.pre = static_cast<uint32_t>(*pre);
  placed.ref.size = static_cast<uint32_t>(*size);
  placed.spelled_as_part = true;
  return true;
}

}  // namespace sw
