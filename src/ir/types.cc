#include "ir/types.h"

#include <algorithm>
#include <limits>

#include "base/checked_math.h"
#include "base/hash.h"

namespace sw {

namespace {

struct ElementRow {
  std::string_view mlir;
  std::string_view hlo;
  int64_t bits;
};

constexpr ElementRow kElements[] = {
#define SW_ELEMENT_TYPE(kind, mlir, hlo, bits) {mlir, hlo, bits},
#include "ir/element_types.def"
#undef SW_ELEMENT_TYPE
};

template <class Field>
bool find_element(std::string_view text, Field field, ElementType& out) {
  if (text.empty()) return false;
  for (size_t i = 0; i < std::size(kElements); ++i) {
    if (kElements[i].*field != text) continue;
    out = static_cast<ElementType>(i);
    return true;
  }
  return false;
}

uint64_t hash_of(const Type& type) {
  uint64_t h = hash_mix(static_cast<uint64_t>(type.kind), static_cast<uint64_t>(type.element));
  for (int64_t d : type.dims) h = hash_mix(h, static_cast<uint64_t>(d));
  for (TypeId e : type.elements) h = hash_mix(h, e.raw);
  h = hash_mix(h, type.input_count);
  h = hash_mix(h, hash_bytes(type.text));
  return hash_mix(h, hash_bytes(type.element_text));
}

}  // namespace

std::string_view mlir_spelling(ElementType element) { return kElements[static_cast<size_t>(element)].mlir; }
std::string_view hlo_spelling(ElementType element) { return kElements[static_cast<size_t>(element)].hlo; }
int64_t bits(ElementType element) { return kElements[static_cast<size_t>(element)].bits; }
bool is_integer(ElementType e) { return (e >= ElementType::s1 && e <= ElementType::u64) || e == ElementType::index; }
bool is_floating(ElementType e) { return e >= ElementType::f4e2m1fn && e <= ElementType::f64; }
bool is_complex(ElementType e) { return e == ElementType::c64 || e == ElementType::c128; }
ElementType real_part_type(ElementType e) {
  return e == ElementType::c64 ? ElementType::f32 : e == ElementType::c128 ? ElementType::f64 : e;
}
bool parse_mlir_element(std::string_view text, ElementType& out) { return find_element(text, &ElementRow::mlir, out); }
bool parse_hlo_element(std::string_view text, ElementType& out) { return find_element(text, &ElementRow::hlo, out); }

bool Type::is_static() const {
  return kind == TypeKind::tensor && std::find(dims.begin(), dims.end(), kDynamic) == dims.end();
}

int64_t Type::element_count() const {
  int64_t product = 1;
  for (int64_t d : dims) {
    const auto next = checked_mul(product, d);
    if (!next) return std::numeric_limits<int64_t>::max();
    product = *next;
  }
  return product;
}

TypeTable::TypeTable() : slots_(256, TypeId::kNoneRaw) {}

Type TypeTable::get(TypeId id) const {
  const Record& r = records_[id.index()];
  Type type;
  type.kind = r.kind;
  type.element = r.element;
  type.dims = std::span(dims_).subspan(r.dims.begin, r.dims.count);
  type.elements = std::span(elements_).subspan(r.elements.begin, r.elements.count);
  type.input_count = r.input_count;
  type.text = std::string_view(chars_).substr(r.text.begin, r.text.count);
  type.element_text = std::string_view(chars_).substr(r.element_text.begin, r.element_text.count);
  return type;
}

bool TypeTable::same(const Record& record, const Type& type) const {
  const Type other = get(TypeId{static_cast<size_t>(&record - records_.data())});
  return other.kind == type.kind && other.element == type.element && other.input_count == type.input_count &&
         std::ranges::equal(other.dims, type.dims) && std::ranges::equal(other.elements, type.elements) &&
         other.text == type.text && other.element_text == type.element_text;
}

TypeId TypeTable::intern(const Type& type) {
  const uint64_t hash = hash_of(type);
  size_t mask = slots_.size() - 1;
  size_t slot = static_cast<size_t>(hash) & mask;
  for (; slots_[slot] != TypeId::kNoneRaw; slot = (slot + 1) & mask) {
    const Record& r = records_[slots_[slot]];
    if (r.hash == hash && same(r, type)) return TypeId{slots_[slot]};
  }
  const auto slice_of = [](auto& pool, auto items) {
    const auto begin = static_cast<uint32_t>(pool.size());
    pool.insert(pool.end(), items.begin(), items.end());
    return std::pair(begin, static_cast<uint32_t>(items.size()));
  };
  const auto [dims_begin, dims_count] = slice_of(dims_, type.dims);
  const auto [elements_begin, elements_count] = slice_of(elements_, type.elements);
  const auto [text_begin, text_count] = slice_of(chars_, type.text);
  const auto [element_begin, element_count] = slice_of(chars_, type.element_text);
  const TypeId id{records_.size()};
  records_.push_back({type.kind,
                      type.element,
                      {dims_begin, dims_count},
                      {elements_begin, elements_count},
                      type.input_count,
                      {text_begin, text_count},
                      {element_begin, element_count},
                      hash});
  slots_[slot] = id.raw;
  if (records_.size() * 2 > slots_.size()) {
    slots_.assign(slots_.size() * 2, TypeId::kNoneRaw);
    mask = slots_.size() - 1;
    for (uint32_t raw = 0; raw < records_.size(); ++raw) {
      size_t at = static_cast<size_t>(records_[raw].hash) & mask;
      while (slots_[at] != TypeId::kNoneRaw) at = (at + 1) & mask;
      slots_[at] = raw;
    }
  }
  return id;
}

TypeId TypeTable::tensor(ElementType element, std::span<const int64_t> dims, std::string_view encoding,
                         std::string_view element_text) {
  return intern({TypeKind::tensor, element, dims, {}, 0, encoding, element_text});
}
TypeId TypeTable::scalar(ElementType element) { return intern({TypeKind::scalar, element, {}, {}, 0, {}, {}}); }
TypeId TypeTable::unranked(ElementType element) { return intern({TypeKind::unranked, element, {}, {}, 0, {}, {}}); }
TypeId TypeTable::tuple(std::span<const TypeId> elements) {
  return intern({TypeKind::tuple, ElementType::other, {}, elements, 0, {}, {}});
}
TypeId TypeTable::function(std::span<const TypeId> inputs, std::span<const TypeId> results) {
  std::vector<TypeId> all(inputs.begin(), inputs.end());
  all.insert(all.end(), results.begin(), results.end());
  return intern({TypeKind::function, ElementType::other, {}, all, static_cast<uint32_t>(inputs.size()), {}, {}});
}
TypeId TypeTable::opaque(std::string_view text) {
  return intern({TypeKind::opaque, ElementType::other, {}, {}, 0, text, {}});
}

namespace {

std::string mlir_element_text(const Type& type) {
  return std::string(type.element_text.empty() ? mlir_spelling(type.element) : type.element_text);
}

std::string mlir_list(const TypeTable& types, std::span<const TypeId> list) {
  std::string text = "(";
  for (size_t i = 0; i < list.size(); ++i) text += (i > 0 ? ", " : "") + mlir_text(types, list[i]);
  return text + ")";
}

}  // namespace

std::string mlir_text(const TypeTable& types, TypeId id) {
  const Type type = types.get(id);
  switch (type.kind) {
    case TypeKind::scalar: return mlir_element_text(type);
    case TypeKind::unranked: return "tensor<*x" + mlir_element_text(type) + ">";
    case TypeKind::opaque: return std::string(type.text);
    case TypeKind::tuple: {
      const std::string list = mlir_list(types, type.elements);
      return "tuple<" + list.substr(1, list.size() - 2) + ">";
    }
    case TypeKind::function: {
      const auto results = type.elements.subspan(type.input_count);
      std::string text = mlir_list(types, type.elements.first(type.input_count)) + " -> ";
      if (results.size() == 1 && types.get(results[0]).kind != TypeKind::function)
        return text + mlir_text(types, results[0]);
      return text + mlir_list(types, results);
    }
    case TypeKind::tensor: break;
  }
  if (type.is_token()) return "!stablehlo.token";
  std::string text = "tensor<";
  for (int64_t d : type.dims) text += (d == kDynamic ? std::string("?") : std::to_string(d)) + "x";
  text += mlir_element_text(type);
  if (!type.text.empty()) text += ", " + std::string(type.text);
  return text + ">";
}

std::string hlo_text(const TypeTable& types, TypeId id, bool with_layout) {
  const Type type = types.get(id);
  if (type.kind == TypeKind::tuple) {
    std::string text = "(";
    for (size_t i = 0; i < type.elements.size(); ++i) {
      if (i > 0) text += ", ";
      if (i > 0 && i % 5 == 0) text += "/*index=" + std::to_string(i) + "*/";
      text += hlo_text(types, type.elements[i], with_layout);
    }
    return text + ")";
  }
  if (type.kind == TypeKind::opaque) return std::string(type.text);
  std::string text(hlo_spelling(type.element));
  if (type.element_text.starts_with('[')) {
    text += type.element_text;
  } else {
    text += "[";
    for (size_t i = 0; i < type.dims.size(); ++i) {
      if (i > 0) text += ",";
      text += type.dims[i] == kDynamic ? std::string("?") : std::to_string(type.dims[i]);
    }
    text += "]";
  }
  if (with_layout) text += type.text;
  return text;
}

}  // namespace sw
