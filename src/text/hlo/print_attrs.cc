// Canonical attributes back into HLO's spelling; the mirror of parse_attrs.cc.
#include <algorithm>
#include <array>
#include <charconv>

#include "sharding/text.h"
#include "text/hlo/printer.h"
#include "text/hlo/scanner.h"

namespace sw::hlo {

namespace {

// Whether braces close where the text ends, strings respected: then it is printed as it is, otherwise in quotes.
bool is_braces(std::string_view text) {
  if (!text.starts_with('{')) return false;
  Scanner in({}, text);
  return in.group().size() == text.size();
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

void Printer::next(std::string_view name) {
  out_ += ", ";
  out_ += name;
  out_ += "=";
}

void Printer::print_int(int64_t value) {
  std::array<char, 24> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  out_.append(buffer.data(), end);
}

void Printer::print_list(std::span<const int64_t> values, std::string_view separator) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out_ += separator;
    print_int(values[i]);
  }
}

void Printer::print_quoted(std::string_view text) {
  out_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '\n': out_ += "\\n"; break;
      case '\r': out_ += "\\r"; break;
      case '\t': out_ += "\\t"; break;
      case '"': out_ += "\\\""; break;
      case '\'': out_ += "\\'"; break;
      case '\\': out_ += "\\\\"; break;
      default:
        if (byte >= 0x20 && byte < 0x7F) {
          out_ += c;
        } else {
          out_ += '\\';
          for (int shift = 6; shift >= 0; shift -= 3) out_ += static_cast<char>('0' + ((byte >> shift) & 7));
        }
    }
  }
  out_ += '"';
}

std::span<const int64_t> Printer::integers(std::span<const NamedAttr> attrs, std::string_view name) const {
  const StringId id = graph_.strings.find(name);
  const AttrId found = id.valid() ? Graph::find(attrs, id) : AttrId{};
  return found.valid() ? graph_.attr_table.get(found).integers : std::span<const int64_t>{};
}

void Printer::print_attrs(OpKind meaning, std::span<const NamedAttr> attrs, size_t begin, size_t end) {
  for (const NamedAttr& attr : attrs.subspan(begin, end - begin)) {
    if (print_structured(meaning, attrs, attr)) continue;
    const std::string_view name = text(attr.name);
    const Attr value = graph_.attr_table.get(attr.value);
    const AttrName* row = find_canonical(meaning, name);
    // The text had an attribute under a name that only canonical attributes have; it was kept as it stood.
    if (row != nullptr && value.kind == AttrKind::opaque && row->form != Form::raw && row->hlo != name) row = nullptr;
    if (row == nullptr && value.kind != AttrKind::opaque && value.kind != AttrKind::dense_array &&
        value.kind != AttrKind::integer)
      continue;
    next(row == nullptr ? name : row->hlo);
    if (row != nullptr) {
      print_value(*row, value);
    } else {
      const Form form = value.kind == AttrKind::opaque    ? Form::raw
                        : value.kind == AttrKind::integer ? Form::integer
                                                          : Form::list;
      print_value({name, form, name}, value);
    }
  }
}

// Attributes that HLO writes together; each group is printed where its first member stands.
bool Printer::print_structured(OpKind meaning, std::span<const NamedAttr> attrs, const NamedAttr& attr) {
  const std::string_view name = text(attr.name);
  const Attr value = graph_.attr_table.get(attr.value);
  // What is read as these is structured; under the same name stood something else, kept as it was.
  if (value.kind == AttrKind::opaque && meaning != OpKind::constant) return false;
  if (const Dimensions* dimensions = dimensions_of(meaning); dimensions != nullptr && name == dimensions->attr) {
    print_dimensions(*dimensions, value);
    return true;
  }
  switch (meaning) {
    case OpKind::convolution:
      if (name == "dimension_numbers") {
        print_dim_labels(value);
        return true;
      }
      if ((name == "feature_group_count" || name == "batch_group_count") && value.integer == 1) return true;
      break;
    case OpKind::constant: return name == "value";
    case OpKind::all_to_all: return name == "concat_dimension" || name == "split_count";
    case OpKind::slice:
      if (name == "start_indices") print_slice(attrs);
      return name == "start_indices" || name == "limit_indices" || name == "strides";
    case OpKind::pad:
      if (name == "edge_padding_low") print_padding(attrs);
      return name == "edge_padding_low" || name == "edge_padding_high" || name == "interior_padding";
    default: break;
  }
  const WindowNames* window = window_of(meaning);
  if (window == nullptr) return false;
  const std::string_view parts[] = {window->size,       window->stride,     window->pad,
                                    window->lhs_dilate, window->rhs_dilate, window->rhs_reversal};
  if (std::find(std::begin(parts), std::end(parts), name) == std::end(parts)) return false;
  const auto first = std::find_if(attrs.begin(), attrs.end(), [&](const NamedAttr& other) {
    return std::find(std::begin(parts), std::end(parts), text(other.name)) != std::end(parts);
  });
  if (&*first == &attr) print_window(*window, attrs);
  return true;
}

void Printer::print_dimensions(const Dimensions& dimensions, const Attr& value) {
  for (size_t i = 0; i < dimensions.count; ++i) {
    const Dimensions::Field& field = dimensions.fields[i];
    const AttrId found = Graph::find(value.fields, graph_.strings.find(field.canonical));
    if (!found.valid() && !field.always_printed) continue;
    next(field.hlo);
    if (field.is_integer) {
      print_int(found.valid() ? graph_.attr_table.get(found).integer : 0);
      continue;
    }
    out_ += "{";
    if (found.valid()) print_list(graph_.attr_table.get(found).integers);
    out_ += "}";
  }
}

void Printer::print_window(const WindowNames& names, std::span<const NamedAttr> attrs) {
  next("window");
  out_ += "{";
  const auto part = [&](std::string_view spelling, std::string_view name) {
    const auto values = integers(attrs, name);
    if (values.empty()) return;
    if (out_.back() != '{') out_ += " ";
    out_ += spelling;
    if (spelling == "pad=") {
      for (size_t i = 0; i + 1 < values.size(); i += 2) {
        if (i > 0) out_ += "x";
        print_list(values.subspan(i, 2), "_");
      }
    } else {
      print_list(values, "x");
    }
  };
  part("size=", names.size);
  part("stride=", names.stride);
  part("pad=", names.pad);
  part("lhs_dilate=", names.lhs_dilate);
  part("rhs_dilate=", names.rhs_dilate);
  part("rhs_reversal=", names.rhs_reversal);
  out_ += "}";
}

void Printer::print_dim_labels(const Attr& value) {
  const auto field = [&](std::string_view name) {
    const AttrId found = Graph::find(value.fields, graph_.strings.find(name));
    return found.valid() ? graph_.attr_table.get(found) : Attr{};
  };
  const auto labels = [&](std::string_view first, char first_label, std::string_view second, char second_label,
                          std::string_view spatial) {
    const auto places = field(spatial).integers;
    std::string text(places.size() + 2, '?');
    constexpr int64_t kLongest = 64;  // of what is read back; more has come from attributes that verification refuses
    const auto put = [&](int64_t place, char label) {
      if (place >= static_cast<int64_t>(text.size()) && place < kLongest)
        text.resize(static_cast<size_t>(place) + 1, '?');
      if (place >= 0 && place < static_cast<int64_t>(text.size())) text[static_cast<size_t>(place)] = label;
    };
    put(field(first).integer, first_label);
    put(field(second).integer, second_label);
    for (size_t i = 0; i < places.size(); ++i) put(places[i], static_cast<char>('0' + i));
    return text;
  };
  next("dim_labels");
  out_ += labels("input_batch_dimension", 'b', "input_feature_dimension", 'f', "input_spatial_dimensions");
  out_ += "_";
  out_ += labels("kernel_input_feature_dimension", 'i', "kernel_output_feature_dimension", 'o',
                 "kernel_spatial_dimensions");
  out_ += "->";
  out_ += labels("output_batch_dimension", 'b', "output_feature_dimension", 'f', "output_spatial_dimensions");
}

void Printer::print_slice(std::span<const NamedAttr> attrs) {
  const auto starts = integers(attrs, "start_indices"), limits = integers(attrs, "limit_indices"),
             strides = integers(attrs, "strides");
  next("slice");
  out_ += "{";
  for (size_t i = 0; i < starts.size() && i < limits.size(); ++i) {
    out_ += i > 0 ? ", [" : "[";
    print_int(starts[i]);
    out_ += ":";
    print_int(limits[i]);
    if (i < strides.size() && strides[i] != 1) {
      out_ += ":";
      print_int(strides[i]);
    }
    out_ += "]";
  }
  out_ += "}";
}

void Printer::print_padding(std::span<const NamedAttr> attrs) {
  const auto low = integers(attrs, "edge_padding_low"), high = integers(attrs, "edge_padding_high"),
             interior = integers(attrs, "interior_padding");
  next("padding");
  const bool any = std::any_of(interior.begin(), interior.end(), [](int64_t v) { return v != 0; });
  for (size_t i = 0; i < low.size() && i < high.size(); ++i) {
    if (i > 0) out_ += "x";
    print_int(low[i]);
    out_ += "_";
    print_int(high[i]);
    if (!any || i >= interior.size()) continue;
    out_ += "_";
    print_int(interior[i]);
  }
}

void Printer::print_groups(const Attr& value) {
  if (value.kind == AttrKind::opaque) {
    out_ += value.text;
    return;
  }
  const auto dims = value.type.valid() ? graph_.types.get(value.type).dims : std::span<const int64_t>{};
  const size_t width = dims.size() == 2 && dims[1] > 0 ? static_cast<size_t>(dims[1]) : 1;
  out_ += "{";
  for (size_t i = 0; i + width <= value.integers.size(); i += width) {
    out_ += i > 0 ? ",{" : "{";
    auto group = value.integers.subspan(i, width);
    while (!group.empty() && group.back() < 0) group = group.first(group.size() - 1);
    print_list(group);
    out_ += "}";
  }
  out_ += "}";
}

void Printer::print_string_or_braces(std::string_view text) {
  if (is_braces(text)) {
    out_ += text;
  } else {
    print_quoted(text);
  }
}

void Printer::print_dictionary(const Attr& value) {
  out_ += "{";
  for (size_t i = 0; i < value.fields.size(); ++i) {
    if (i > 0) out_ += ",";
    out_ += text(value.fields[i].name);
    out_ += "=";
    print_string_or_braces(graph_.attr_table.get(value.fields[i].value).text);
  }
  out_ += "}";
}

void Printer::print_value(const AttrName& name, const Attr& value) {
  switch (name.form) {
    case Form::boolean: out_ += value.integer != 0 ? "true" : "false"; return;
    case Form::unit: out_ += "true"; return;
    case Form::integer: print_int(value.integer); return;
    case Form::text: print_quoted(value.text); return;
    case Form::list:
      out_ += "{";
      print_list(value.integers);
      out_ += "}";
      return;
    case Form::list_single:
      out_ += "{";
      print_int(value.integer);
      out_ += "}";
      return;
    case Form::bools:
      out_ += "{";
      for (size_t i = 0; i < value.integers.size(); ++i) {
        if (i > 0) out_ += ",";
        out_ += value.integers[i] != 0 ? "true" : "false";
      }
      out_ += "}";
      return;
    case Form::enumeration:
      if (const std::string_view prefix = enum_prefix(name.canonical); !prefix.empty()) {
        out_ += prefix;
        out_ += lower(value.text);
      } else {
        out_ += value.text;
      }
      return;
    case Form::precision:
      out_ += "{";
      for (size_t i = 0; i < value.elements.size(); ++i) {
        if (i > 0) out_ += ",";
        out_ += lower(graph_.attr_table.get(value.elements[i]).text);
      }
      out_ += "}";
      return;
    case Form::channel: {
      const AttrId handle = Graph::find(value.fields, graph_.strings.find("handle"));
      print_int(handle.valid() ? graph_.attr_table.get(handle).integer : value.integer);
      return;
    }
    case Form::api_version:
      out_ += kApiVersions[value.integer >= 0 && value.integer <= 4 ? static_cast<size_t>(value.integer) : 0];
      return;
    case Form::groups:
    case Form::pairs: print_groups(value); return;
    case Form::sharding: {
      std::string& cached = shardings_[static_cast<size_t>(value.integer)];
      if (cached.empty())
        cached = hlo_text(program_.tile_shardings, TileShardingId{static_cast<uint32_t>(value.integer)});
      out_ += cached;
      return;
    }
    case Form::frontend: print_dictionary(value); return;
    case Form::backend: print_string_or_braces(value.text); return;
    case Form::predecessors:
      out_ += "{";
      for (size_t i = 0; i < value.elements.size(); ++i) {
        out_ += i > 0 ? ", %" : "%";
        out_ += graph_.attr_table.get(value.elements[i]).text;
      }
      out_ += "}";
      return;
    default: out_ += value.text; return;
  }
}

}  // namespace sw::hlo
