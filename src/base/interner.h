// Interned strings: equal text has equal StringId, so comparing names on hot paths is comparing integers.
// Text is stored in large chunks that never move; views stay valid for the life of the interner.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace sw {

class StringInterner {
 public:
  StringInterner();
  StringInterner(const StringInterner& other);  // same ids
  StringInterner(StringInterner&&) noexcept = default;
  StringInterner& operator=(StringInterner&&) noexcept = default;

  // Id of `text`, added when new.
  StringId intern(std::string_view text);
  // Id of `text`, or an invalid id when it was never interned.
  StringId find(std::string_view text) const;
  // The text of a valid id.
  std::string_view text(StringId id) const { return views_[id.index()]; }
  size_t count() const { return views_.size(); }

 private:
  size_t slot_of(std::string_view text, uint64_t hash) const;
  void grow();
  std::string_view store(std::string_view text);

  std::vector<std::string_view> views_;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> slots_;  // open addressing, power of two, kNoneRaw = free
  std::vector<std::unique_ptr<char[]>> chunks_;
  size_t chunk_used_ = 0;
  size_t chunk_capacity_ = 0;
};

}  // namespace sw
