#include "text/mlir/values.h"

#include <algorithm>

#include "base/edit_distance.h"

namespace sw::mlir {

bool ValueScopes::number_of(std::string_view name, uint32_t& number) {
  if (name.size() < 2 || name.size() > 8 || (name[1] == '0' && name.size() > 2)) return false;
  number = 0;
  for (size_t i = 1; i < name.size(); ++i) {
    if (name[i] < '0' || name[i] > '9') return false;
    number = number * 10 + static_cast<uint32_t>(name[i] - '0');
  }
  return number < kMaxNumber;
}

void ValueScopes::push(bool isolated) {
  scopes_.push_back({log_.size(), isolation_});
  if (isolated) isolation_ = next_isolation_++;
}

void ValueScopes::pop() {
  while (log_.size() > scopes_.back().log_begin) {
    const Undo& undo = log_.back();
    (undo.numbered ? numbered_ : named_)[undo.slot] = undo.before;
    log_.pop_back();
  }
  isolation_ = scopes_.back().isolation;
  scopes_.pop_back();
}

const Definition* ValueScopes::find(std::string_view name) const {
  uint32_t number = 0;
  if (number_of(name, number)) {
    if (number >= numbered_.size() || !visible(numbered_[number])) return nullptr;
    return &numbered_[number];
  }
  const StringId id = strings_.find(name);
  if (!id.valid() || id.index() >= named_.size() || !visible(named_[id.index()])) return nullptr;
  return &named_[id.index()];
}

StringId ValueScopes::name_id(std::string_view name) {
  uint32_t number = 0;
  if (!number_of(name, number)) return strings_.intern(name);
  if (number >= number_names_.size()) number_names_.resize(std::max<size_t>(number + 1, number_names_.size() * 2));
  StringId& id = number_names_[number];
  if (!id.valid()) id = strings_.intern(name);
  return id;
}

const Definition* ValueScopes::define(std::string_view name, ValueId first, uint32_t count, uint32_t where) {
  const StringId id = name_id(name);
  uint32_t number = 0;
  const bool numbered = number_of(name, number);
  auto& store = numbered ? numbered_ : named_;
  const uint32_t slot = numbered ? number : id.raw;
  if (slot >= store.size()) store.resize(std::max<size_t>(slot + 1, store.size() * 2));
  Definition& d = store[slot];
  if (visible(d)) return &d;
  log_.push_back({numbered, slot, d});
  d = {id, first, count, where, isolation_};
  return nullptr;
}

std::string ValueScopes::nearest(std::string_view name) const {
  static constexpr size_t kLookBack = 500;
  uint32_t number = 0;
  if (number_of(name, number)) return {};  // a number near by is as good as any other
  std::vector<std::string_view> names;
  for (size_t i = log_.size(); i > 0 && names.size() < kLookBack; --i) {
    const Definition& d = (log_[i - 1].numbered ? numbered_ : named_)[log_[i - 1].slot];
    if (visible(d)) names.push_back(strings_.text(d.name));
  }
  return std::string(nearest_name(name, names));
}

}  // namespace sw::mlir
