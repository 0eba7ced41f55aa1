#include "source/diagnostic.h"

#include <algorithm>
#include <tuple>

namespace sw {

namespace {

struct KindRow {
  std::string_view name;
  Severity severity;
};

constexpr KindRow kKinds[] = {
#define SW_DIAGNOSTIC(kind, name, severity) {name, Severity::severity},
#include "source/diagnostic_kinds.def"
#undef SW_DIAGNOSTIC
};

auto order_key(const Diagnostic& d) { return std::tuple(d.where.file.raw, d.where.begin, d.where.end); }

}  // namespace

std::string_view diagnostic_name(DiagnosticKind kind) { return kKinds[static_cast<size_t>(kind)].name; }
Severity default_severity(DiagnosticKind kind) { return kKinds[static_cast<size_t>(kind)].severity; }

Diagnostics::Builder& Diagnostics::Builder::note(SourceRange where, std::string message) {
  all_.list_[index_].notes.push_back({where, std::move(message)});
  return *this;
}

Diagnostics::Builder& Diagnostics::Builder::help(std::string message) {
  all_.list_[index_].helps.push_back(std::move(message));
  return *this;
}

Diagnostics::Builder Diagnostics::add(DiagnosticKind kind, Severity severity, SourceRange where, std::string message) {
  list_.push_back({kind, severity, where, std::move(message), {}, {}});
  if (severity == Severity::error) ++error_count_;
  return {*this, list_.size() - 1};
}

Diagnostics::Builder Diagnostics::report(DiagnosticKind kind, SourceRange where, std::string message) {
  return add(kind, default_severity(kind), where, std::move(message));
}
Diagnostics::Builder Diagnostics::error(DiagnosticKind kind, SourceRange where, std::string message) {
  return add(kind, Severity::error, where, std::move(message));
}
Diagnostics::Builder Diagnostics::warning(DiagnosticKind kind, SourceRange where, std::string message) {
  return add(kind, Severity::warning, where, std::move(message));
}

std::vector<const Diagnostic*> Diagnostics::sorted() const {
  std::vector<const Diagnostic*> all;
  all.reserve(list_.size());
  for (const Diagnostic& d : list_) all.push_back(&d);
  std::stable_sort(all.begin(), all.end(),
                   [](const Diagnostic* a, const Diagnostic* b) { return order_key(*a) < order_key(*b); });
  const auto same = [](const Diagnostic* a, const Diagnostic* b) {
    return order_key(*a) == order_key(*b) && a->kind == b->kind && a->message == b->message;
  };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace sw
