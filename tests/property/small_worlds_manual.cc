// Manual regions: the program of one device, with the collectives that it asks for, between automatic ones.
#include "property/small_worlds_text.h"

namespace sw::test {

namespace {

int64_t product_of(std::span<const int64_t> axes) {
  int64_t n = 1;
  for (const int64_t a : axes) n *= a;
  return n;
}

// The groups of devices that differ along one axis alone, or in anything.
std::vector<std::vector<int64_t>> groups_along(std::span<const int64_t> axes, size_t axis) {
  const int64_t devices = product_of(axes);
  if (axis == axes.size()) {
    std::vector<int64_t> all;
    for (int64_t d = 0; d < devices; ++d) all.push_back(d);
    return {all};
  }
  const int64_t step = product_of(axes.subspan(axis + 1));
  std::vector<std::vector<int64_t>> groups;
  for (int64_t d = 0; d < devices; ++d) {
    if (d / step % axes[axis] != 0) continue;
    std::vector<int64_t> group;
    for (int64_t i = 0; i < axes[axis]; ++i) group.push_back(d + i * step);
    groups.push_back(group);
  }
  return groups;
}

std::string groups_text(const std::vector<std::vector<int64_t>>& groups) {
  std::string text = "{";
  for (const auto& group : groups) {
    text += text.size() > 1 ? ",{" : "{";
    for (size_t i = 0; i < group.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(group[i]);
    text += "}";
  }
  return text + "}";
}

class Region {
 public:
  explicit Region(int64_t devices)
      : devices_(devices), tiles_("{devices=[" + std::to_string(devices) + ",1]<=[" + std::to_string(devices) + "]}") {}

  // Every device has two rows of eight; `lines` end with `m`, of `rows` rows and eight columns on each device.
  WorldProgram with(const std::string& lines, int64_t rows = 2, int64_t columns = 8) const {
    const std::string in = "s32[" + std::to_string(2 * devices_) + ",8]";
    const std::string piece = shape(rows, columns), full = shape(rows * devices_, columns);
    return {"  p0 = " + in + " parameter(0)\n  c = " + in + " copy(p0), sharding=" + tiles_ +
                "\n  x = s32[2,8] custom-call(c), custom_call_target=\"SPMDFullToShardShape\", sharding={manual}\n" +
                lines + "  y = " + piece + " copy(m), sharding={manual}\n  s = " + full +
                " custom-call(y), custom_call_target=\"SPMDShardToFullShape\", sharding=" + tiles_ +
                "\n  ROOT r = " + full + " copy(s)\n",
            WorldInputs::tame, "", 1};
  }
  static std::string shape(int64_t rows, int64_t columns) {
    return "s32[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
  }

 private:
  int64_t devices_;
  std::string tiles_;
};

}  // namespace

std::vector<WorldProgram> manual_programs(std::span<const int64_t> axes) {
  Worlds out;
  const int64_t devices = product_of(axes);
  const Region region(devices);
  const std::string manual = ", sharding={manual}\n";
  for (size_t axis = axes.size() == 1 ? 1 : 0; axis <= axes.size(); ++axis) {
    const auto groups = groups_along(axes, axis);
    const auto size = static_cast<int64_t>(groups[0].size());
    const std::string among = ", channel_id=1, replica_groups=" + groups_text(groups);
    const std::string global = among + ", use_global_device_ids=true";
    out.push_back(region.with("  m = s32[2,8] all-reduce(x)" + global + ", to_apply=add_s32" + manual));
    out.push_back(region.with(
        "  m = " + Region::shape(2 * size, 8) + " all-gather(x)" + global + ", dimensions={0}" + manual, 2 * size));
    out.push_back(region.with("  m = " + Region::shape(2, 8 / size) + " reduce-scatter(x)" + global +
                                  ", dimensions={1}, to_apply=max_s32" + manual,
                              2, 8 / size));
    out.push_back(region.with("  m = s32[2,8] all-to-all(x)" + among + ", dimensions={1}" + manual));
    out.push_back(region.with("  m = s32[2,8] collective-broadcast(x)" + among + manual));
  }
  std::string ring = "{", line = "{";
  for (int64_t d = 0; d < devices; ++d) {
    ring += (d > 0 ? ",{" : "{") + std::to_string(d) + "," + std::to_string((d + 1) % devices) + "}";
    if (d + 1 < devices) line += (d > 0 ? ",{" : "{") + std::to_string(d) + "," + std::to_string(d + 1) + "}";
  }
  for (const std::string& pairs : {ring + "}", line + "}"})
    out.push_back(
        region.with("  m = s32[2,8] collective-permute(x), channel_id=1, source_target_pairs=" + pairs + manual));
  for (const char* id : {"partition-id", "replica-id"})
    out.push_back(region.with(std::string("  d = u32[] ") + id + "()" + manual + "  e = s32[] convert(d)" + manual +
                              "  b = s32[2,8] broadcast(e), dimensions={}" + manual + "  m = s32[2,8] add(x, b)" +
                              manual));
  out.push_back(region.with("  t = s32[8,2] transpose(x), dimensions={1,0}" + manual +
                                "  m = s32[2,2] dot(x, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}" + manual,
                            2, 2));
  return out;
}

}  // namespace sw::test
