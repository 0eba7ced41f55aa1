// A YAML document as a small tree with places. yaml-cpp only reads events; the tree is ours, so that it is bounded
// (depth, size, no aliases: nothing in it can stand for more than its own text) and no exception leaves this folder.
//
// Fields takes a mapping apart: every key asked for is ticked off, and finish() reports what is left over with the
// nearest known key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "source/diagnostic.h"

namespace sw {

enum class YamlKind : uint8_t { null, scalar, sequence, mapping };

struct YamlNode {
  YamlKind kind = YamlKind::null;
  bool quoted = false;          // scalar: in quotes, so never a number
  std::string text;             // scalar
  std::vector<YamlNode> items;  // sequence; mapping: key, value, key, value
  SourceRange where;            // scalar: its text without quotes where that can be told; otherwise where it begins

  size_t entry_count() const { return items.size() / 2; }
  const YamlNode& key(size_t i) const { return items[2 * i]; }
  const YamlNode& value(size_t i) const { return items[2 * i + 1]; }
};

// "a mapping", "a list", "a word", "nothing"
std::string_view describe(const YamlNode& node);

// The one document of a file. Errors (bad_configuration): not YAML, several documents, aliases, keys that are no words
// or stand twice, nesting, size.
Result<YamlNode> read_yaml(FileId file, const SourceManager& sources, Diagnostics& diagnostics);

// A whole number in plain decimal; nothing (and nothing reported) when the node is anything else.
std::optional<int64_t> yaml_integer(const YamlNode& node);

class Fields {
 public:
  // `what` names the mapping in messages: "a mesh file". Reports when `node` is no mapping; then nothing is found in
  // it.
  Fields(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);

  bool ok() const { return ok_; }
  const YamlNode& node() const { return node_; }
  // The value of a key, or null. A key that is required and absent is reported.
  const YamlNode* optional(std::string_view key);
  const YamlNode* required(std::string_view key);
  // The same for words and whole numbers; what is something else is reported.
  const YamlNode* word(std::string_view key, bool is_required = false);
  const YamlNode* sequence(std::string_view key, bool is_required = false);
  // Reports keys that nobody asked for. False when anything was wrong.
  bool finish();
  bool fail(SourceRange where, std::string message);

 private:
  const YamlNode& node_;
  std::string_view what_;
  Diagnostics& diagnostics_;
  std::vector<bool> asked_;
  std::vector<std::string_view> known_;
  bool ok_ = true;
};

}  // namespace sw
