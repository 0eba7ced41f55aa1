// See the header.
#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/exit_codes.h"

namespace sw {

namespace {

std::string reason(int error) {
  std::string text = std::strerror(error);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

}  // namespace

Output::Output(const std::string& path, Diagnostics& diagnostics)
    : name_(path.empty() ? "standard output" : path),
      diags_(diagnostics),
      file_(path.empty() ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
      owned_(!path.empty()),
      sink_([this](std::string_view text) { return write_all(text); }) {
  if (file_ < 0) diags_.error(DiagnosticKind::cannot_write_file, {}, "cannot write `" + name_ + "`: " + reason(errno));
}

Output::~Output() {
  if (owned_ && file_ >= 0) ::close(file_);
}

bool Output::write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      closed_pipe_ = errno == EPIPE;
      error_ = errno;
      return false;
    }
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

int Output::finish() {
  if (file_ < 0) return kExitUsage;
  sink_.flush();
  if (owned_) {
    if (::close(file_) != 0 && error_ == 0) error_ = errno;
    owned_ = false;
  }
  if (error_ == 0 || closed_pipe_) return kExitOk;
  diags_.error(DiagnosticKind::cannot_write_file, {}, "cannot write `" + name_ + "`: " + reason(error_));
  return kExitDevice;
}

int write_formats(const Arguments& arguments, Diagnostics& diagnostics,
                  const std::function<void(const std::string& format, TextSink& sink)>& write) {
  int worst = kExitOk;
  for (const FormatRequest& request : arguments.formats) {
    Output out(request.file.empty() ? arguments.output : request.file, diagnostics);
    if (out.is_open()) write(request.format, out.sink());
    worst = worse(worst, out.finish());
  }
  return worst;
}

}  // namespace sw
