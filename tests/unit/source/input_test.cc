// source/input.h: plain and compressed files, and every way in which a file cannot be read.
#include "source/input.h"

#include <lzma.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "support/catch.h"

namespace {

struct TemporaryFile {
  explicit TemporaryFile(const std::string& bytes) {
    char pattern[] = "/tmp/sw-input-XXXXXX";
    const int file = mkstemp(pattern);
    REQUIRE(file >= 0);
    close(file);
    path = pattern;
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path;
};

std::string gzip(const std::string& text) {
  z_stream stream = {};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string xz(const std::string& text) {
  std::string out(text.size() + 4096, '\0');
  size_t size = 0;
  REQUIRE(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const uint8_t*>(text.data()),
                                  text.size(), reinterpret_cast<uint8_t*>(out.data()), &size, out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

// The text read, or the kind and message of the one error.
std::string outcome(const std::string& path, const sw::InputLimits& limits = {}) {
  sw::SourceManager sources;
  sw::Diagnostics diags;
  const sw::Result<sw::FileId> file = sw::load_input(path, sources, diags, limits);
  if (file.has_value()) return std::string(sources.text(*file));
  REQUIRE(diags.in_order_reported().size() == 1);
  const sw::Diagnostic& d = diags.in_order_reported().front();
  const size_t name_end = d.message.rfind('`');
  return std::string(diagnostic_name(d.kind)) + d.message.substr(name_end + 1);
}

std::string of_bytes(const std::string& bytes, const sw::InputLimits& limits = {}) {
  return outcome(TemporaryFile(bytes).path, limits);
}

}  // namespace

TEST_CASE("plain, gzip and xz give the same text; members may follow one another") {
  const std::string text = "module {\n" + std::string(3'000'000, 'x') + "}\n";
  CHECK(of_bytes(text) == text);
  CHECK(of_bytes(gzip(text)) == text);
  CHECK(of_bytes(xz(text)) == text);
  CHECK(of_bytes(gzip("a\n") + gzip("b\n")) == "a\nb\n");
  CHECK(of_bytes(xz("a\n") + xz("b\n")) == "a\nb\n");
  CHECK(of_bytes("\xef\xbb\xbfmodule") == "module");
}

TEST_CASE("damaged or cut off compressed data is refused") {
  const std::string damaged = "cannot-read-file: its compressed data is damaged or cut off";
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i * 7919) + "\n";
  for (const std::string& whole : {gzip(text), xz(text)}) {
    CHECK(of_bytes(whole.substr(0, whole.size() / 2)) == damaged);
    CHECK(of_bytes(whole.substr(0, whole.size() - 1)) == damaged);
    CHECK(of_bytes(whole.substr(0, 8)) == damaged);
    std::string flipped = whole;
    flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x55);
    CHECK(of_bytes(flipped) == damaged);
  }
}

TEST_CASE("bounds hold for plain text and for what is decompressed") {
  sw::InputLimits limits;
  limits.plain_bytes = 2000;
  limits.decompressed_bytes = 1000;
  CHECK(of_bytes(std::string(2001, 'x'), limits) == "cannot-read-file: it is more than 2000 bytes long");
  const std::string bomb(5'000'000, 'x');
  const std::string expected = "cannot-read-file: it holds more than 1000 bytes of text when decompressed";
  CHECK(of_bytes(gzip(bomb), limits) == expected);
  CHECK(of_bytes(xz(bomb), limits) == expected);
  CHECK(of_bytes(gzip(std::string(1000, 'x')), limits).size() == 1000);
}

TEST_CASE("what is not text is refused") {
  CHECK(of_bytes(std::string("HloModule \0 x", 13)) == "not-text is not text: a NUL byte at offset 10");
  CHECK(of_bytes("ML\xefR....") == "not-text is not UTF-8 text");
  CHECK(of_bytes(gzip(std::string("a\0b", 3))) == "not-text is not text: a NUL byte at offset 1");
  CHECK(of_bytes("") == "empty-input is empty");
  CHECK(of_bytes(" \n\t\n") == "empty-input is empty");
  CHECK(outcome("/nonexistent/file.mlir") == "cannot-read-file: no such file or directory");
  CHECK(outcome("/tmp") == "cannot-read-file: is a directory");
  CHECK(outcome("/dev/zero").find("not-text is not text") == 0);
}
