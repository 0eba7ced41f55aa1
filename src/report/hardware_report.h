// `shardwright hardware list|show`: the catalogue in text and JSON.
#pragma once

#include <span>

#include "report/text_sink.h"
#include "sharding/hardware.h"

namespace sw {

void write_hardware_list(std::span<const Hardware> all, TextSink& out);
void write_hardware_text(const Hardware& hardware, TextSink& out);
// As one array.
void write_hardware_json(std::span<const Hardware> all, TextSink& out);

}  // namespace sw
