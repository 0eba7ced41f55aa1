// Diagnostics: what is wrong with the input, where, and what was expected. Reported as data, printed by source/render.
//
// Wording: lower case, no full stop; what was seen, then what was expected; names and code in `backticks`; a help line
// only after the facts. Example:
//   diags.error(DiagnosticKind::duplicate_axis, range, "axis `x` shards two dimensions of `%arg1`")
//       .note(first, "first used for dimension 0 here")
//       .help("drop one, or use sub-axes `\"x\":(1)2` and `\"x\":(2)2`");
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/source_manager.h"

namespace sw {

enum class Severity : uint8_t { note, warning, error };

enum class DiagnosticKind : uint8_t {
#define SW_DIAGNOSTIC(kind, name, severity) kind,
#include "source/diagnostic_kinds.def"
#undef SW_DIAGNOSTIC
};

// Its kebab-case name, e.g. "duplicate-axis".
std::string_view diagnostic_name(DiagnosticKind kind);
Severity default_severity(DiagnosticKind kind);

struct DiagnosticNote {
  SourceRange where;
  std::string message;
};

struct Diagnostic {
  DiagnosticKind kind;
  Severity severity;
  SourceRange where;
  std::string message;
  std::vector<DiagnosticNote> notes;
  std::vector<std::string> helps;
};

class Diagnostics {
 public:
  // Adds notes and helps to the diagnostic just reported.
  class Builder {
   public:
    Builder& note(SourceRange where, std::string message);
    Builder& help(std::string message);

   private:
    friend class Diagnostics;
    Builder(Diagnostics& all, size_t index) : all_(all), index_(index) {}
    Diagnostics& all_;
    size_t index_;
  };

  // With the severity of its kind.
  Builder report(DiagnosticKind kind, SourceRange where, std::string message);
  Builder error(DiagnosticKind kind, SourceRange where, std::string message);
  Builder warning(DiagnosticKind kind, SourceRange where, std::string message);

  bool has_errors() const { return error_count_ > 0; }
  size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& in_order_reported() const { return list_; }
  // Sorted by file and position (stable), exact repetitions dropped.
  std::vector<const Diagnostic*> sorted() const;

 private:
  Builder add(DiagnosticKind kind, Severity severity, SourceRange where, std::string message);
  std::vector<Diagnostic> list_;
  size_t error_count_ = 0;
};

}  // namespace sw
