// The memory of one device: figures, categories, what lives at the worst moment, the curve. Text and JSON; `plan` shows
// the same figures in fewer lines.
#pragma once

#include <vector>

#include "memory/profile.h"
#include "report/advice_report.h"
#include "report/json_writer.h"
#include "report/plan_report.h"
#include "sharding/hardware.h"

namespace sw {

// A program on one kind of device.
struct DeviceMemory {
  Hardware hardware;
  MemoryProfile profile;

  bool fits() const { return !hardware.usable().has_value() || profile.total() <= *hardware.usable(); }
};

struct MemoryReportOptions {
  bool all = false;  // every buffer instead of the largest, and every word of the advice
  const Advice* advice = nullptr;
};

// `report.local` and `report.memory` must be there.
void write_memory_report(const PlanReport& report, const MemoryReportOptions& options, TextSink& out);
void write_memory_report_json(const PlanReport& report, const Advice& advice, TextSink& out);

// "17.4 GiB of 79.1 GiB usable on h100, fits; at most 16.9 GiB at one time".
std::string memory_line(const DeviceMemory& memory);

// The value of the key `memory` in reports. With `everything` all buffers that live at the worst moment, and the curve.
void write_memory_json(const PlanReport& report, bool everything, JsonWriter& json);

}  // namespace sw
