// The frame around every verb: arguments in, result to stdout, diagnostics to stderr, one exit code out.
#include "cli/run.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "source/render.h"

namespace sw {

namespace {

using Command = int (*)(const Arguments&, SourceManager&, Diagnostics&);

Command command_of(Verb verb) {
  switch (verb) {
    case Verb::plan: return command_plan;
    case Verb::collectives: return command_collectives;
    case Verb::memory: return command_memory;
    case Verb::explain: return command_explain;
    case Verb::diff: return command_diff;
    case Verb::lint: return command_lint;
    case Verb::check: return command_check;
    case Verb::run: return command_run;
    case Verb::hardware: return command_hardware;
    case Verb::render: return command_render;
    case Verb::ops: return command_ops;
    case Verb::schema: return command_schema;
    case Verb::version: break;
  }
  return command_version;
}

bool use_color(ColorMode mode, int file) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  return ::isatty(file) == 1 && std::getenv("NO_COLOR") == nullptr;
}

void write_to_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count <= 0) return;  // nobody reads the messages; there is no other place to say so
    text.remove_prefix(static_cast<size_t>(count));
  }
}

Diagnostics errors_only(const Diagnostics& all) {
  Diagnostics errors;
  for (const Diagnostic& d : all.in_order_reported()) {
    if (d.severity != Severity::error) continue;
    auto builder = errors.error(d.kind, d.where, d.message);
    for (const DiagnosticNote& note : d.notes) builder.note(note.where, note.message);
    for (const std::string& help : d.helps) builder.help(help);
  }
  return errors;
}

int run_parsed(const ParsedArguments& parsed, SourceManager& sources, Diagnostics& diagnostics) {
  if (parsed.run.has_value()) return command_of(parsed.run->verb)(*parsed.run, sources, diagnostics);
  if (parsed.help.empty()) return parsed.exit_code;
  Output out("", diagnostics);
  out.sink().write(parsed.help);
  const int code = out.finish();
  return code != kExitOk ? code : parsed.exit_code;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write(), see cli/output.h
  SourceManager sources;
  Diagnostics diagnostics;
  const ParsedArguments parsed = parse_arguments(argc, argv, sources, diagnostics);
  const int code = run_parsed(parsed, sources, diagnostics);

  RenderOptions options;
  options.color = use_color(parsed.run.has_value() ? parsed.run->color : ColorMode::automatic, STDERR_FILENO);
  if (parsed.run.has_value()) options.max_errors = static_cast<size_t>(parsed.run->max_errors);
  const bool quiet = parsed.run.has_value() && parsed.run->quiet;
  write_to_stderr(render(quiet ? errors_only(diagnostics) : diagnostics, sources, options));
  return code;
}

}  // namespace sw
