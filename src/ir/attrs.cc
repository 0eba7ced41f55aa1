#include "ir/attrs.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace sw {

namespace {

uint64_t hash_of(const Attr& a) {
  uint64_t h = hash_mix(static_cast<uint64_t>(a.kind), static_cast<uint64_t>(a.form));
  h = hash_mix(h, a.type.raw);
  h = hash_mix(h, static_cast<uint64_t>(a.integer));
  h = hash_mix(h, hash_bytes(a.text));
  h = hash_mix(h, hash_bytes(a.name));
  for (int64_t v : a.integers) h = hash_mix(h, static_cast<uint64_t>(v));
  for (AttrId v : a.elements) h = hash_mix(h, v.raw);
  for (const NamedAttr& f : a.fields) h = hash_mix(hash_mix(h, f.name.raw), f.value.raw);
  return h;
}

}  // namespace

AttrTable::AttrTable() : slots_(256, AttrId::kNoneRaw) {}

Attr AttrTable::get(AttrId id) const {
  const Record& r = records_[id.index()];
  Attr a;
  a.kind = r.kind;
  a.form = r.form;
  a.type = r.type;
  a.integer = r.integer;
  a.text = std::string_view(chars_).substr(r.text.begin, r.text.count);
  a.name = std::string_view(chars_).substr(r.name.begin, r.name.count);
  a.integers = std::span(integers_).subspan(r.integers.begin, r.integers.count);
  a.elements = std::span(elements_).subspan(r.elements.begin, r.elements.count);
  a.fields = std::span(fields_).subspan(r.fields.begin, r.fields.count);
  return a;
}

bool AttrTable::same(AttrId id, const Attr& a) const {
  const Attr b = get(id);
  return a.kind == b.kind && a.form == b.form && a.type == b.type && a.integer == b.integer && a.text == b.text &&
         a.name == b.name && std::ranges::equal(a.integers, b.integers) && std::ranges::equal(a.elements, b.elements) &&
         std::ranges::equal(a.fields, b.fields);
}

AttrId AttrTable::intern(const Attr& attr) {
  const uint64_t hash = hash_of(attr);
  size_t mask = slots_.size() - 1;
  size_t slot = static_cast<size_t>(hash) & mask;
  for (; slots_[slot] != AttrId::kNoneRaw; slot = (slot + 1) & mask)
    if (records_[slots_[slot]].hash == hash && same(AttrId{slots_[slot]}, attr)) return AttrId{slots_[slot]};
  const auto store = [](auto& pool, auto items) {
    const auto begin = static_cast<uint32_t>(pool.size());
    pool.insert(pool.end(), items.begin(), items.end());
    return std::pair(begin, static_cast<uint32_t>(items.size()));
  };
  const auto [text_begin, text_count] = store(chars_, attr.text);
  const auto [name_begin, name_count] = store(chars_, attr.name);
  const auto [integers_begin, integers_count] = store(integers_, attr.integers);
  const auto [elements_begin, elements_count] = store(elements_, attr.elements);
  const auto [fields_begin, fields_count] = store(fields_, attr.fields);
  const AttrId id{records_.size()};
  records_.push_back({attr.kind,
                      attr.form,
                      attr.type,
                      attr.integer,
                      {text_begin, text_count},
                      {name_begin, name_count},
                      {integers_begin, integers_count},
                      {elements_begin, elements_count},
                      {fields_begin, fields_count},
                      hash});
  slots_[slot] = id.raw;
  if (records_.size() * 2 > slots_.size()) {
    slots_.assign(slots_.size() * 2, AttrId::kNoneRaw);
    mask = slots_.size() - 1;
    for (uint32_t raw = 0; raw < records_.size(); ++raw) {
      size_t at = static_cast<size_t>(records_[raw].hash) & mask;
      while (slots_[at] != AttrId::kNoneRaw) at = (at + 1) & mask;
      slots_[at] = raw;
    }
  }
  return id;
}

namespace {
Attr of_kind(AttrKind kind) {
  Attr a;
  a.kind = kind;
  return a;
}
}  // namespace

AttrId AttrTable::unit() { return intern(of_kind(AttrKind::unit)); }
AttrId AttrTable::boolean(bool value) {
  Attr a = of_kind(AttrKind::boolean);
  a.integer = value ? 1 : 0;
  return intern(a);
}
AttrId AttrTable::integer(int64_t value, TypeId type) {
  Attr a = of_kind(AttrKind::integer);
  a.integer = value;
  a.type = type;
  return intern(a);
}
AttrId AttrTable::string(std::string_view text) {
  Attr a = of_kind(AttrKind::string);
  a.text = text;
  return intern(a);
}
AttrId AttrTable::symbol(std::string_view text) {
  Attr a = of_kind(AttrKind::symbol);
  a.text = text;
  return intern(a);
}
AttrId AttrTable::of_type(TypeId type) {
  Attr a = of_kind(AttrKind::type);
  a.type = type;
  return intern(a);
}
AttrId AttrTable::array(std::span<const AttrId> elements) {
  Attr a = of_kind(AttrKind::array);
  a.elements = elements;
  return intern(a);
}
AttrId AttrTable::dictionary(std::span<const NamedAttr> fields) {
  Attr a = of_kind(AttrKind::dictionary);
  a.fields = fields;
  return intern(a);
}
AttrId AttrTable::struct_(std::string_view name, std::span<const NamedAttr> fields) {
  Attr a = of_kind(AttrKind::struct_);
  a.text = name;
  a.fields = fields;
  return intern(a);
}
AttrId AttrTable::dense_array(TypeId element, std::span<const int64_t> values) {
  Attr a = of_kind(AttrKind::dense_array);
  a.type = element;
  a.integers = values;
  return intern(a);
}
AttrId AttrTable::splat(TypeId type, std::string_view text) { return dense(DenseForm::splat, type, text); }
AttrId AttrTable::dense(DenseForm form, TypeId type, std::string_view text) {
  Attr a = of_kind(AttrKind::dense);
  a.form = form;
  a.type = type;
  a.text = text;
  return intern(a);
}
AttrId AttrTable::opaque(std::string_view text) {
  Attr a = of_kind(AttrKind::opaque);
  a.text = text;
  return intern(a);
}

}  // namespace sw
