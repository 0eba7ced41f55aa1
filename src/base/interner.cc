#include "base/interner.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace sw {

namespace {
constexpr size_t kChunkBytes = 1 << 16;
}

StringInterner::StringInterner() : slots_(256, Id<struct StringTag>::kNoneRaw) {}

StringInterner::StringInterner(const StringInterner& other) : StringInterner() {
  for (std::string_view text : other.views_) intern(text);
}

size_t StringInterner::slot_of(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = static_cast<size_t>(hash) & mask;
  while (slots_[slot] != StringId::kNoneRaw) {
    const uint32_t raw = slots_[slot];
    if (hashes_[raw] == hash && views_[raw] == text) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

StringId StringInterner::find(std::string_view text) const {
  const uint32_t raw = slots_[slot_of(text, hash_bytes(text))];
  return raw == StringId::kNoneRaw ? StringId{} : StringId{raw};
}

StringId StringInterner::intern(std::string_view text) {
  const uint64_t hash = hash_bytes(text);
  size_t slot = slot_of(text, hash);
  if (slots_[slot] != StringId::kNoneRaw) return StringId{slots_[slot]};
  if ((views_.size() + 1) * 2 > slots_.size()) {
    grow();
    slot = slot_of(text, hash);
  }
  const StringId id{views_.size()};
  views_.push_back(store(text));
  hashes_.push_back(hash);
  slots_[slot] = id.raw;
  return id;
}

void StringInterner::grow() {
  std::vector<uint32_t> slots(slots_.size() * 2, StringId::kNoneRaw);
  const size_t mask = slots.size() - 1;
  for (uint32_t raw = 0; raw < views_.size(); ++raw) {
    size_t slot = static_cast<size_t>(hashes_[raw]) & mask;
    while (slots[slot] != StringId::kNoneRaw) slot = (slot + 1) & mask;
    slots[slot] = raw;
  }
  slots_ = std::move(slots);
}

std::string_view StringInterner::store(std::string_view text) {
  if (text.empty()) return {};
  if (chunk_used_ + text.size() > chunk_capacity_) {
    chunk_capacity_ = std::max(kChunkBytes, text.size());
    chunks_.push_back(std::make_unique<char[]>(chunk_capacity_));
    chunk_used_ = 0;
  }
  char* at = chunks_.back().get() + chunk_used_;
  std::memcpy(at, text.data(), text.size());
  chunk_used_ += text.size();
  return {at, text.size()};
}

}  // namespace sw
