// Input files. Bytes are read in blocks; a block is decompressed at once and checked for NUL bytes at once, so that a
// device without an end, or a compressed bomb, is refused early and never held in memory. Nothing here trusts a file
// name.
#include "source/input.h"

#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace sw {

namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;
constexpr uint64_t kXzMemoryLimit = 512ULL << 20;

enum class Failure : uint8_t { none, cannot_read, damaged, too_large, not_text };

// Where text goes, block by block: grows `text`, stops at the first NUL byte or past the limit.
struct Sink {
  std::string text;
  uint64_t limit = 0;
  std::optional<size_t> nul_at;
  Failure failure = Failure::none;

  bool add(const char* bytes, size_t count) {
    if (text.size() + count > limit) {
      failure = Failure::too_large;
      return false;
    }
    const size_t begin = text.size();
    text.append(bytes, count);
    if (const void* nul = std::memchr(bytes, '\0', count)) {
      nul_at = begin + static_cast<size_t>(static_cast<const char*>(nul) - bytes);
      failure = Failure::not_text;
      return false;
    }
    return true;
  }
};

// One way of turning file bytes into text. feed() is called with consecutive blocks, then finish() once.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual bool feed(const char* bytes, size_t count, Sink& sink) = 0;
  virtual bool finish(Sink&) { return true; }
};

class PlainDecoder final : public Decoder {
 public:
  bool feed(const char* bytes, size_t count, Sink& sink) override { return sink.add(bytes, count); }
};

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder() { ready_ = inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK; }
  ~GzipDecoder() override {
    if (ready_) inflateEnd(&stream_);
  }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  bool feed(const char* bytes, size_t count, Sink& sink) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes));
    stream_.avail_in = static_cast<uInt>(count);
    while (ready_ && stream_.avail_in > 0) {
      if (ended_) {  // a further member, as `cat a.gz b.gz` makes
        if (inflateReset(&stream_) != Z_OK) break;
        ended_ = false;
      }
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      const int state = inflate(&stream_, Z_NO_FLUSH);
      if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR) break;
      if (!sink.add(out_.data(), out_.size() - stream_.avail_out)) return false;
      ended_ = state == Z_STREAM_END;
      if (state == Z_BUF_ERROR && stream_.avail_out > 0) return true;
    }
    if (ready_ && stream_.avail_in == 0) return drain(sink);
    sink.failure = Failure::damaged;
    return false;
  }
  bool finish(Sink& sink) override {
    if (!ended_) sink.failure = Failure::damaged;
    return ended_;
  }

 private:
  // All input is taken, but the last output block may have been full.
  bool drain(Sink& sink) {
    while (!ended_ && stream_.avail_out == 0) {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      const int state = inflate(&stream_, Z_NO_FLUSH);
      if (!sink.add(out_.data(), out_.size() - stream_.avail_out)) return false;
      ended_ = state == Z_STREAM_END;
      if (state != Z_OK) break;
    }
    return true;
  }

  z_stream stream_ = {};
  bool ready_ = false;
  bool ended_ = false;
  std::vector<char> out_ = std::vector<char>(kBlockBytes);
};

class XzDecoder final : public Decoder {
 public:
  XzDecoder() { ready_ = lzma_stream_decoder(&stream_, kXzMemoryLimit, LZMA_CONCATENATED) == LZMA_OK; }
  ~XzDecoder() override { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  bool feed(const char* bytes, size_t count, Sink& sink) override {
    stream_.next_in = reinterpret_cast<const uint8_t*>(bytes);
    stream_.avail_in = count;
    return run(LZMA_RUN, sink);
  }
  bool finish(Sink& sink) override {
    stream_.avail_in = 0;
    if (!run(LZMA_FINISH, sink)) return false;
    if (!ended_) sink.failure = Failure::damaged;
    return ended_;
  }

 private:
  bool run(lzma_action action, Sink& sink) {
    if (!ready_) sink.failure = Failure::damaged;
    while (ready_ && !ended_) {
      stream_.next_out = reinterpret_cast<uint8_t*>(out_.data());
      stream_.avail_out = out_.size();
      const lzma_ret state = lzma_code(&stream_, action);
      if (!sink.add(out_.data(), out_.size() - stream_.avail_out)) return false;
      ended_ = state == LZMA_STREAM_END;
      if (state == LZMA_BUF_ERROR || (state == LZMA_OK && stream_.avail_in == 0 && stream_.avail_out > 0)) return true;
      if (state != LZMA_OK && !ended_) {
        sink.failure = Failure::damaged;
        return false;
      }
    }
    return ready_;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ready_ = false;
  bool ended_ = false;
  std::vector<char> out_ = std::vector<char>(kBlockBytes);
};

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path)
      : number_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)), owned_(path != "-") {}
  ~FileDescriptor() {
    if (owned_ && number_ >= 0) ::close(number_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
  bool owned_;
};

// Fills a block as far as the file goes; -1 on an error of the system (errno).
ssize_t read_block(int file, std::vector<char>& block) {
  size_t have = 0;
  while (have < block.size()) {
    const ssize_t got = ::read(file, block.data() + have, block.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    have += static_cast<size_t>(got);
  }
  return static_cast<ssize_t>(have);
}

bool starts_with(const std::vector<char>& block, size_t count, std::string_view magic) {
  return count >= magic.size() && std::memcmp(block.data(), magic.data(), magic.size()) == 0;
}

// Reads all of `file` through the decoder that its first bytes ask for.
Failure read_all(int file, const InputLimits& limits, Sink& sink, bool& compressed) {
  std::vector<char> block(kBlockBytes);
  std::unique_ptr<Decoder> decoder;
  for (;;) {
    const ssize_t count = read_block(file, block);
    if (count < 0) return Failure::cannot_read;
    const size_t bytes = static_cast<size_t>(count);
    if (decoder == nullptr) {
      const bool gzip = starts_with(block, bytes, "\x1f\x8b");
      const bool xz = starts_with(block, bytes,
                                  std::string_view("\xfd"
                                                   "7zXZ\0",
                                                   6));
      compressed = gzip || xz;
      sink.limit = compressed ? limits.decompressed_bytes : limits.plain_bytes;
      if (gzip) decoder = std::make_unique<GzipDecoder>();
      if (xz) decoder = std::make_unique<XzDecoder>();
      if (!compressed) decoder = std::make_unique<PlainDecoder>();
    }
    if (bytes > 0 && !decoder->feed(block.data(), bytes, sink)) return sink.failure;
    if (bytes < block.size()) return decoder->finish(sink) ? Failure::none : sink.failure;
  }
}

// 3221225472 -> "3 GiB"; exact numbers below 1 MiB.
std::string byte_count(uint64_t bytes) {
  if (bytes >= (1ULL << 30)) return std::to_string((bytes + (1ULL << 29)) >> 30) + " GiB";
  if (bytes >= (1ULL << 20)) return std::to_string((bytes + (1ULL << 19)) >> 20) + " MiB";
  return std::to_string(bytes) + " bytes";
}

// What the first bytes of a binary file say about how to get text instead.
std::string binary_hint(std::string_view text) {
  if (text.starts_with("ML\xefR")) return "this is MLIR bytecode; `jax.jit(f).lower(...).as_text()` prints text";
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return "this is UTF-16 text; save it as UTF-8";
  return "shardwright reads text: StableHLO from `jax.jit(f).lower(...).as_text()`, HLO from `--xla_dump_hlo_as_text`, "
         "or YAML";
}

Result<FileId> fail(const std::string& name, Failure failure, const Sink& sink, bool compressed, Diagnostics& diags) {
  switch (failure) {
    case Failure::too_large:
      diags.error(DiagnosticKind::cannot_read_file, {},
                  "cannot read `" + name + "`: " + (compressed ? "it holds" : "it is") + " more than " +
                      byte_count(sink.limit) + (compressed ? " of text when decompressed" : " long"));
      break;
    case Failure::damaged:
      diags.error(DiagnosticKind::cannot_read_file, {},
                  "cannot read `" + name + "`: its compressed data is damaged or cut off");
      break;
    case Failure::not_text:
      diags
          .error(DiagnosticKind::not_text, {},
                 "`" + name + "` is not text: a NUL byte at offset " + std::to_string(sink.nul_at.value_or(0)))
          .help(binary_hint(sink.text));
      break;
    case Failure::cannot_read:
    case Failure::none: {
      const int code = errno;
      std::string reason = std::strerror(code);
      if (!reason.empty()) reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
      diags.error(DiagnosticKind::cannot_read_file, {}, "cannot read `" + name + "`: " + reason);
      break;
    }
  }
  return reported();
}

}  // namespace

Result<FileId> load_input(const std::string& path, SourceManager& sources, Diagnostics& diagnostics,
                          const InputLimits& limits) {
  const std::string name = path == "-" ? "<stdin>" : path;
  Sink sink;
  bool compressed = false;
  const FileDescriptor file(path);
  if (file.number() < 0) return fail(name, Failure::cannot_read, sink, compressed, diagnostics);
  struct stat facts = {};
  if (::fstat(file.number(), &facts) == 0 && S_ISDIR(facts.st_mode)) {
    errno = EISDIR;
    return fail(name, Failure::cannot_read, sink, compressed, diagnostics);
  }
  const Failure failure = read_all(file.number(), limits, sink, compressed);
  if (failure != Failure::none) return fail(name, failure, sink, compressed, diagnostics);
  if (sink.text.starts_with("\xef\xbb\xbf")) sink.text.erase(0, 3);  // a byte order mark says nothing in UTF-8
  if (sink.text.starts_with("ML\xefR") || sink.text.starts_with("\xff\xfe") || sink.text.starts_with("\xfe\xff")) {
    diagnostics.error(DiagnosticKind::not_text, {}, "`" + name + "` is not UTF-8 text").help(binary_hint(sink.text));
    return reported();
  }
  if (sink.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    diagnostics.error(DiagnosticKind::empty_input, {}, "`" + name + "` is empty")
        .help("expected the text that `jax.jit(f).lower(...).as_text()` prints, HLO text, or a YAML model");
    return reported();
  }
  return sources.add(name, std::move(sink.text));
}

}  // namespace sw
