// Where reports write: a buffer that is handed on in large blocks, so that a report of 60,000 values never lies in
// memory as a whole. A failed hand-over (closed pipe, full disk) is remembered and stops further work of the sink; the
// caller asks `failed()` at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sw {

class TextSink {
 public:
  // Takes one block; returns false when it cannot be written.
  using Take = std::function<bool(std::string_view)>;
  explicit TextSink(Take take) : take_(std::move(take)) {}

  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBlockBytes) flush();
  }
  void write(char c) { buffer_ += c; }
  void flush() {
    if (!failed_ && !buffer_.empty()) failed_ = !take_(buffer_);
    buffer_.clear();
  }
  bool failed() const { return failed_; }

 private:
  static constexpr size_t kBlockBytes = size_t{64} << 10;
  std::string buffer_;
  Take take_;
  bool failed_ = false;
};

}  // namespace sw
