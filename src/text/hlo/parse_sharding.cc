// sharding={...}: read by sharding/text.h. A module repeats few shardings many times, so the text is looked up first.
#include "sharding/text.h"
#include "text/hlo/parser.h"

namespace sw::hlo {

bool Parser::parse_sharding(AttrId& out) {
  in_.skip_space();
  const uint32_t begin = in_.position();
  const std::string_view text = in_.group();
  if (text.empty()) return expected("`{` and a sharding, closed by `}`", DiagnosticKind::invalid_sharding);
  const auto [slot, fresh] = shardings_.try_emplace(text);
  if (!fresh && slot->second.valid()) {
    out = slot->second;
    return true;
  }
  TextCursor cursor{text, 0, in_.range(begin, in_.position())};
  const auto sharding = parse_hlo_sharding(cursor, program_.tile_shardings, diagnostics_);
  if (!sharding) {
    failed_ = true;
    return false;
  }
  if (!cursor.at_end()) {
    in_.reset(begin + static_cast<uint32_t>(cursor.at));
    return expected("the end of the sharding", DiagnosticKind::invalid_sharding);
  }
  Attr attr;
  attr.kind = AttrKind::tile_sharding;
  attr.integer = sharding->raw;
  out = slot->second = builder_.attr_table().intern(attr);
  return true;
}

}  // namespace sw::hlo
