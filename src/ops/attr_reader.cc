// See the header. Names are compared as text: an op has few attributes, so this beats looking their ids up.
#include "ops/attr_reader.h"

namespace sw {

DimList other_dims(size_t rank, std::span<const int64_t> a, std::span<const int64_t> b) {
  DimList rest;
  for (int64_t d = 0; d < static_cast<int64_t>(rank); ++d)
    if (!contains(a, d) && !contains(b, d)) rest.push_back(d);
  return rest;
}

bool explain(std::string* why, std::string message) {
  if (why != nullptr) *why = std::move(message);
  return false;
}

bool check_dim(int64_t dim, size_t rank, std::string_view what, std::string* why) {
  if (dim >= 0 && dim < static_cast<int64_t>(rank)) return true;
  if (why == nullptr) return false;
  return explain(why, std::string(what) + " " + std::to_string(dim) +
                          " is out of range, expected a dimension of a tensor of rank " + std::to_string(rank));
}

bool check_dims(std::span<const int64_t> dims, size_t rank, std::string_view what, std::string* why) {
  // More entries than dimensions cannot be distinct; this also bounds the search below.
  if (dims.size() > rank) {
    if (why == nullptr) return false;
    return explain(why, std::to_string(dims.size()) + " " + std::string(what) + " given, expected at most " +
                            std::to_string(rank) + ", the rank of the tensor");
  }
  if (rank <= 64) {
    uint64_t seen = 0;
    for (int64_t d : dims) {
      if (!check_dim(d, rank, what, why)) return false;
      if ((seen >> d & 1) != 0) return explain(why, std::string(what) + " " + std::to_string(d) + " is given twice");
      seen |= uint64_t{1} << d;
    }
    return true;
  }
  std::vector<bool> seen(rank, false);
  for (int64_t d : dims) {
    if (!check_dim(d, rank, what, why)) return false;
    if (seen[static_cast<size_t>(d)])
      return explain(why, std::string(what) + " " + std::to_string(d) + " is given twice");
    seen[static_cast<size_t>(d)] = true;
  }
  return true;
}

namespace {

AttrId find_named(const Graph& graph, std::span<const NamedAttr> attrs, std::string_view name) {
  for (const NamedAttr& a : attrs)
    if (a.name.valid() && graph.strings.text(a.name) == name) return a.value;
  return {};
}

}  // namespace

AttrId AttrReader::find(std::string_view name) const { return find_named(graph_, graph_.attrs(op_), name); }
AttrId AttrReader::field(std::string_view name) const { return find_named(graph_, fields_, name); }

bool AttrReader::missing(std::string_view name) {
  if (why_ == nullptr) return false;
  return explain(why_, "attribute `" + std::string(name) + "` is missing");
}

bool AttrReader::wrong(std::string_view name, std::string_view expected) {
  if (why_ == nullptr) return false;
  return explain(why_, "attribute `" + std::string(name) + "` is not " + std::string(expected));
}

bool AttrReader::read_ints(AttrId id, std::string_view name, bool required, DimList& out) {
  if (!id.valid()) return required ? missing(name) : true;
  const Attr attr = graph_.attr_table.get(id);
  out.clear();
  switch (attr.kind) {
    case AttrKind::dense_array: out.append(attr.integers.begin(), attr.integers.end()); return true;
    case AttrKind::dense: {
      // A splat holds one number for all elements of its type.
      if (attr.integers.empty()) {
        if (attr.type.valid() && graph_.attr_table.get(id).text.empty()) return true;
        const bool empty = attr.type.valid() && graph_.types.get(attr.type).is_static() &&
                           graph_.types.get(attr.type).element_count() == 0;
        return empty ? true : wrong(name, "a list of integers");
      }
      const Type type = attr.type.valid() ? graph_.types.get(attr.type) : Type{};
      const int64_t count = type.is_static() ? type.element_count() : static_cast<int64_t>(attr.integers.size());
      if (attr.integers.size() == 1 && count > 1 && count <= 4096) {
        out.resize(static_cast<size_t>(count), attr.integers[0]);
        return true;
      }
      out.append(attr.integers.begin(), attr.integers.end());
      return true;
    }
    case AttrKind::array:
      for (AttrId element : attr.elements) {
        const Attr e = graph_.attr_table.get(element);
        if (e.kind != AttrKind::integer && e.kind != AttrKind::boolean) return wrong(name, "a list of integers");
        out.push_back(e.integer);
      }
      return true;
    default: return wrong(name, "a list of integers");
  }
}

bool AttrReader::read_integer(AttrId id, std::string_view name, bool required, int64_t& out) {
  if (!id.valid()) return required ? missing(name) : true;
  const Attr attr = graph_.attr_table.get(id);
  if (attr.kind != AttrKind::integer) return wrong(name, "an integer");
  out = attr.integer;
  return true;
}

bool AttrReader::optional_boolean(std::string_view name, bool& out) {
  const AttrId id = find(name);
  if (!id.valid()) return true;
  const Attr attr = graph_.attr_table.get(id);
  if (attr.kind == AttrKind::unit) {
    out = true;
    return true;
  }
  if (attr.kind != AttrKind::boolean && attr.kind != AttrKind::integer) return wrong(name, "`true` or `false`");
  out = attr.integer != 0;
  return true;
}

bool AttrReader::enumerator(std::string_view name, std::string_view& out) {
  const AttrId id = find(name);
  if (!id.valid()) return missing(name);
  const Attr attr = graph_.attr_table.get(id);
  if (attr.kind != AttrKind::enum_ && attr.kind != AttrKind::string) return wrong(name, "an enumerator");
  out = attr.text;
  return true;
}

bool AttrReader::text(std::string_view name, std::string_view& out) {
  const AttrId id = find(name);
  if (!id.valid()) return missing(name);
  const Attr attr = graph_.attr_table.get(id);
  if (attr.kind != AttrKind::string && attr.kind != AttrKind::symbol) return wrong(name, "a string");
  out = attr.text;
  return true;
}

bool AttrReader::open_struct(std::string_view name) {
  const AttrId id = find(name);
  if (!id.valid()) return missing(name);
  const Attr attr = graph_.attr_table.get(id);
  if (attr.kind != AttrKind::struct_ && attr.kind != AttrKind::dictionary)
    return wrong(name, "a list of dimension numbers");
  fields_ = attr.fields;
  return true;
}

}  // namespace sw
