#include "sharding/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked_math.h"
#include "base/edit_distance.h"
#include "sharding/text.h"

namespace sw {

namespace {

constexpr int64_t kMaxDevices = int64_t{1} << 31;

SourceRange place(const std::vector<SourceRange>& places, size_t i, SourceRange whole) {
  return i < places.size() ? places[i] : whole;
}

bool verify_mesh_axes(const Mesh& mesh, const MeshPlaces& places, Diagnostics& diagnostics) {
  bool ok = true;
  std::optional<int64_t> count = 1;
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    const MeshAxis& axis = mesh.axes[i];
    if (axis.size <= 0) {
      diagnostics.error(DiagnosticKind::axis_size_invalid, place(places.axis_sizes, i, places.whole),
                        fmt::format("axis `{}` has size {}, expected at least 1", axis.name, axis.size));
      ok = false;
    } else if (count) {
      count = checked_mul(*count, axis.size);
      if (!count || *count >= kMaxDevices) {
        diagnostics.error(
            DiagnosticKind::invalid_mesh, place(places.axis_sizes, i, places.whole),
            fmt::format("the mesh has too many devices with axis `{}` of size {}, expected fewer than 2^31", axis.name,
                        axis.size));
        ok = false;
        count = std::nullopt;
      }
    }
    for (size_t j = 0; j < i; ++j) {
      if (mesh.axes[j].name != axis.name) continue;
      diagnostics
          .error(DiagnosticKind::duplicate_axis, place(places.axis_names, i, places.whole),
                 fmt::format("the mesh has two axes named `{}`", axis.name))
          .note(place(places.axis_names, j, places.whole), "first defined here");
      ok = false;
      break;
    }
  }
  return ok;
}

bool verify_device_ids(const Mesh& mesh, const MeshPlaces& places, Diagnostics& diagnostics) {
  const auto& ids = mesh.device_ids;
  if (ids.empty()) return true;
  const auto fail = [&](size_t i, std::string message) {
    diagnostics.error(DiagnosticKind::invalid_mesh, place(places.device_ids, i, places.whole), std::move(message));
    return false;
  };
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] < 0) return fail(i, fmt::format("device id {} is negative", ids[i]));
  if (mesh.axes.empty()) {
    if (ids.size() == 1) return true;
    return fail(1, fmt::format("a mesh without axes lists {} devices, expected one", ids.size()));
  }
  const int64_t count = mesh.device_count();
  if (static_cast<int64_t>(ids.size()) != count)
    return fail(ids.size(), fmt::format("{} device ids for {} devices", ids.size(), count));
  std::vector<uint32_t> first(ids.size(), 0);
  bool identity = true;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= count) return fail(i, fmt::format("device id {} is not below the device count {}", ids[i], count));
    uint32_t& seen = first[static_cast<size_t>(ids[i])];
    if (seen != 0) {
      diagnostics
          .error(DiagnosticKind::invalid_mesh, place(places.device_ids, i, places.whole),
                 fmt::format("device id {} is listed twice", ids[i]))
          .note(place(places.device_ids, seen - 1, places.whole), "first listed here");
      return false;
    }
    seen = static_cast<uint32_t>(i + 1);
    identity = identity && ids[i] == static_cast<int64_t>(i);
  }
  if (identity) {
    diagnostics
        .error(DiagnosticKind::invalid_mesh, places.whole, "the device ids are 0, 1, 2, ... in order, expected no list")
        .help("leave `device_ids` out: this is the default order");
    return false;
  }
  return true;
}

std::string list_name(int32_t list) {
  if (list == PlacedAxis::kReplicated) return "the replicated axes";
  if (list == PlacedAxis::kUnreduced) return "the unreduced axes";
  if (list == PlacedAxis::kManual) return "the manual axes";
  return fmt::format("dimension {}", list);
}

// Sub-axis by itself.
bool verify_part(const Mesh& mesh, const PlacedAxis& a, Diagnostics& diagnostics) {
  if (!a.spelled_as_part) return true;
  const int64_t size = mesh.axes[a.ref.axis].size;
  const auto fail = [&](std::string message) {
    diagnostics.error(DiagnosticKind::sub_axis_invalid, a.where, std::move(message));
    return false;
  };
  const std::string& name = mesh.axes[a.ref.axis].name;
  if (a.ref.pre < 1) return fail(fmt::format("the pre-size of a part of axis `{}` is 0, expected at least 1", name));
  if (a.ref.size <= 1)
    return fail(fmt::format("a part of axis `{}` has size {}, expected more than 1", name, a.ref.size));
  if (a.ref.size == size && a.ref.pre == 1) {
    diagnostics
        .error(DiagnosticKind::sub_axis_invalid, a.where, fmt::format("this part of axis `{}` is all of it", name))
        .help(fmt::format("write `\"{}\"`", name));
    return false;
  }
  if (a.ref.next() > static_cast<uint64_t>(size) || size % static_cast<int64_t>(a.ref.next()) != 0)
    return fail(fmt::format("({}){} does not divide axis `{}` of size {}: {} x {} = {}", a.ref.pre, a.ref.size, name,
                            size, a.ref.pre, a.ref.size, a.ref.next()));
  return true;
}

// b against an earlier a of the same axis.
bool verify_pair(const Mesh& mesh, const PlacedAxis& a, const PlacedAxis& b, Diagnostics& diagnostics) {
  if (a.ref.axis != b.ref.axis) return true;
  const std::string& name = mesh.axes[a.ref.axis].name;
  if (overlaps(a.ref, b.ref)) {
    const std::string message =
        a.list == b.list ? fmt::format("axis `{}` is used twice in {}", name, list_name(a.list))
        : a.list >= 0 && b.list >= 0
            ? fmt::format("axis `{}` shards two dimensions, {} and {}", name, a.list, b.list)
            : fmt::format("axis `{}` is used in {} and in {}", name, list_name(a.list), list_name(b.list));
    auto report = diagnostics.error(DiagnosticKind::duplicate_axis, b.where, message);
    report.note(a.where, fmt::format("first used for {} here", list_name(a.list)));
    const int64_t size = mesh.axes[a.ref.axis].size;
    if (a.ref == b.ref && !a.spelled_as_part && size > 2 && size % 2 == 0)
      report.help(fmt::format("drop one, or use parts of it: `\"{0}\":(1)2` and `\"{0}\":(2){1}`", name, size / 2));
    return false;
  }
  if (!can_coexist(a.ref, b.ref)) {
    diagnostics
        .error(DiagnosticKind::sub_axis_invalid, b.where,
               fmt::format("axis `{}` cannot be cut for both {} and {}", name, sdy_text(mesh, a.ref),
                           sdy_text(mesh, b.ref)))
        .note(a.where, "the other part is here");
    return false;
  }
  return true;
}

bool verify_neighbours(const Mesh& mesh, const PlacedAxis& a, const PlacedAxis& b, Diagnostics& diagnostics) {
  if (a.list != b.list) return true;
  if (can_merge(a.ref, b.ref)) {
    diagnostics
        .error(DiagnosticKind::sub_axis_invalid, b.where,
               fmt::format("{} and {} are neighbours and together {}", sdy_text(mesh, a.ref), sdy_text(mesh, b.ref),
                           sdy_text(mesh, merge(a.ref, b.ref))))
        .help(fmt::format("write `{}`", sdy_text(mesh, merge(a.ref, b.ref))));
    return false;
  }
  if (a.list < 0 && a.list != PlacedAxis::kManual && b.ref < a.ref) {
    diagnostics
        .error(DiagnosticKind::invalid_sharding, b.where,
               fmt::format("{} are not in the order of the mesh: {} comes before {}", list_name(a.list),
                           sdy_text(mesh, b.ref), sdy_text(mesh, a.ref)))
        .note(a.where, "after this one");
    return false;
  }
  return true;
}

}  // namespace

bool verify_mesh(const Mesh& mesh, const MeshPlaces& places, Diagnostics& diagnostics) {
  return verify_mesh_axes(mesh, places, diagnostics) && verify_device_ids(mesh, places, diagnostics);
}

bool verify_axes(const Mesh& mesh, std::span<const PlacedAxis> axes, Diagnostics& diagnostics) {
  bool ok = true;
  for (const PlacedAxis& a : axes) ok = verify_part(mesh, a, diagnostics) && ok;
  if (!ok) return false;
  // A valid sharding has at most 31 parts (each but those of size 1 doubles the devices), so a pair loop is cheap; of
  // long invalid ones only so many pairs are looked at until the first error.
  for (size_t j = 0; j < axes.size(); ++j)
    for (size_t i = 0; i < j; ++i)
      if (!verify_pair(mesh, axes[i], axes[j], diagnostics)) return false;
  for (size_t j = 1; j < axes.size(); ++j) ok = verify_neighbours(mesh, axes[j - 1], axes[j], diagnostics) && ok;
  return ok;
}

void report_unknown_axis(const Mesh& mesh, std::string_view name, SourceRange where, Diagnostics& diagnostics) {
  auto report = diagnostics.error(DiagnosticKind::unknown_axis, where, fmt::format("the mesh has no axis `{}`", name));
  std::vector<std::string_view> names;
  for (const MeshAxis& axis : mesh.axes) names.push_back(axis.name);
  // Of one letter every other letter is one edit away, which helps nobody.
  const std::string_view nearest = name.size() > 1 ? nearest_name(name, names) : std::string_view();
  if (!nearest.empty()) {
    report.help(fmt::format("did you mean `{}`?", nearest));
  } else if (names.empty()) {
    report.help("the mesh has no axes at all");
  } else {
    constexpr size_t kShown = 12;
    std::string list;
    for (size_t i = 0; i < names.size() && i < kShown; ++i)
      list += fmt::format("{}`{}`={}", i == 0 ? "" : ", ", names[i], mesh.axes[i].size);
    if (names.size() > kShown) list += ", ...";
    report.help("its axes are " + list);
  }
}

bool verify_sharding(const ShardingTable& table, NamedShardingId id, const Type& type, std::span<const AxisRef> manual,
                     std::string_view value, SourceRange where, Diagnostics& diagnostics) {
  const NamedSharding s = table.get(id);
  const Mesh& mesh = table.mesh(s.mesh).mesh;
  const bool bare = s.rank() == 0 && s.replicated.empty() && s.unreduced.empty();
  if (mesh.maximal()) {
    if (bare) return true;
    diagnostics.error(
        DiagnosticKind::invalid_sharding, where,
        fmt::format("the sharding of {} is on the one device of a maximal mesh and has dimensions or axes, "
                    "expected `[]`",
                    value));
    return false;
  }
  if (type.kind == TypeKind::unranked) {
    diagnostics.error(DiagnosticKind::sharding_rank, where, fmt::format("{} has a sharding but no rank", value));
    return false;
  }
  if (!type.is_tensor() || type.is_token()) {
    if (bare) return true;
    diagnostics.error(DiagnosticKind::sharding_rank, where,
                      fmt::format("{} is not an array and its sharding has dimensions or axes, expected `[]`", value));
    return false;
  }
  if (s.rank() != type.rank()) {
    diagnostics.error(DiagnosticKind::sharding_rank, where,
                      fmt::format("the sharding of {} has {} dimension{}, the value has {}", value, s.rank(),
                                  s.rank() == 1 ? "" : "s", type.rank()));
    return false;
  }
  const auto free_of_manual = [&](std::span<const AxisRef> axes) {
    for (const AxisRef& a : axes) {
      if (first_overlapping(manual, a) < 0) continue;
      diagnostics.error(DiagnosticKind::invalid_sharding, where,
                        fmt::format("the sharding of {} uses axis `{}`, which is manual in the computation around it",
                                    value, mesh.axes[a.axis].name));
      return false;
    }
    return true;
  };
  for (size_t i = 0; i < s.rank(); ++i)
    if (!free_of_manual(s.axes(i))) return false;
  return free_of_manual(s.replicated) && free_of_manual(s.unreduced);
}

}  // namespace sw
