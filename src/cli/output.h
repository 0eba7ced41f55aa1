// Where results go: standard output or a file, with every way of failing to write it.
//
// A reader that closes its end early (`shardwright plan f | head`) is no error: the rest is dropped and the command's
// own exit code stands. A file that cannot be opened is wrong usage; a full disk is a failed run.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "report/text_sink.h"
#include "source/diagnostic.h"

namespace sw {

class Output {
 public:
  // An empty path is standard output. Opens the file; errors are reported.
  Output(const std::string& path, Diagnostics& diagnostics);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  TextSink& sink() { return sink_; }
  // Writes what is left; returns the exit code: kExitOk, kExitUsage (not opened), kExitDevice (not all written).
  int finish();
  bool is_open() const { return file_ >= 0; }

 private:
  bool write_all(std::string_view text);

  std::string name_;
  Diagnostics& diags_;
  int file_ = -1;
  bool owned_ = false;
  bool closed_pipe_ = false;
  int error_ = 0;
  TextSink sink_;
};

// Writes every requested format to its file, or to -o, or to standard output; returns the worst exit code.
int write_formats(const Arguments& arguments, Diagnostics& diagnostics,
                  const std::function<void(const std::string& format, TextSink& sink)>& write);

}  // namespace sw
