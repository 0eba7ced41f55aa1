// Printing in Shardy's text, byte for byte as its printer does.
#include <fmt/format.h>

#include "sharding/text.h"

namespace sw {

namespace {

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '"' || byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\{:02X}", byte);
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_axis(std::string& out, const Mesh& mesh, const AxisRef& axis) {
  append_quoted(out, mesh.axes[axis.axis].name);
  if (axis.pre != 1 || axis.size != mesh.axes[axis.axis].size) {
    out += ":(";
    out += std::to_string(axis.pre);
    out += ')';
    out += std::to_string(axis.size);
  }
}

void append_axes(std::string& out, const Mesh& mesh, std::span<const AxisRef> axes) {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (i > 0) out += ", ";
    append_axis(out, mesh, axes[i]);
  }
}

void append_dim(std::string& out, const Mesh& mesh, std::span<const AxisRef> axes, bool closed, int32_t priority) {
  out += '{';
  append_axes(out, mesh, axes);
  if (!closed) out += axes.empty() ? "?" : ", ?";
  out += '}';
  if (priority != kNoPriority) {
    out += 'p';
    out += std::to_string(priority);
  }
}

bool is_bare_symbol(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (char c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
          c == '.' || c == '-'))
      return false;
  return name[0] != '$' && name[0] != '.' && name[0] != '-';
}

void append_mesh_reference(std::string& out, const NamedMesh& mesh) {
  if (mesh.name.empty()) {
    out += "mesh";
    out += sdy_text(mesh.mesh);
    return;
  }
  out += '@';
  if (is_bare_symbol(mesh.name)) {
    out += mesh.name;
  } else {
    append_quoted(out, mesh.name);
  }
}

// `axes_of(i)`, `closed(i)`, `priority(i)` for both representations.
template <class AxesOf, class Closed, class Priority>
std::string text_of(const NamedMesh& mesh, size_t rank, AxesOf axes_of, Closed closed, Priority priority,
                    std::span<const AxisRef> replicated, std::span<const AxisRef> unreduced, ReductionOp reduction) {
  std::string out = "<";
  append_mesh_reference(out, mesh);
  out += ", [";
  for (size_t i = 0; i < rank; ++i) {
    if (i > 0) out += ", ";
    append_dim(out, mesh.mesh, axes_of(i), closed(i), priority(i));
  }
  out += ']';
  if (!replicated.empty()) {
    out += ", replicated={";
    append_axes(out, mesh.mesh, replicated);
    out += '}';
  }
  if (!unreduced.empty()) {
    out += ", unreduced=";
    if (reduction != ReductionOp::sum) out += reduction_name(reduction);
    out += '{';
    append_axes(out, mesh.mesh, unreduced);
    out += '}';
  }
  return out + ">";
}

}  // namespace

std::string sdy_text(const Mesh& mesh) {
  std::string out = "<[";
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    if (i > 0) out += ", ";
    append_quoted(out, mesh.axes[i].name);
    out += '=';
    out += std::to_string(mesh.axes[i].size);
  }
  out += ']';
  if (!mesh.device_ids.empty()) {
    out += ", device_ids=[";
    for (size_t i = 0; i < mesh.device_ids.size(); ++i) {
      if (i > 0) out += ", ";
      out += std::to_string(mesh.device_ids[i]);
    }
    out += ']';
  }
  return out + ">";
}

std::string sdy_text(const Mesh& mesh, const AxisRef& axis) {
  std::string out;
  append_axis(out, mesh, axis);
  return out;
}

std::string sdy_text(const ShardingTable& table, NamedShardingId id) {
  const NamedSharding s = table.get(id);
  return text_of(
      table.mesh(s.mesh), s.rank(), [&](size_t i) { return s.axes(i); }, [&](size_t i) { return s.dims[i].closed; },
      [&](size_t i) { return s.dims[i].priority; }, s.replicated, s.unreduced, s.reduction);
}

std::string sdy_text(const ShardingTable& table, const NamedShardingSpec& s) {
  return text_of(
      table.mesh(s.mesh), s.dims.size(), [&](size_t i) { return std::span<const AxisRef>(s.dims[i].axes); },
      [&](size_t i) { return s.dims[i].closed; }, [&](size_t i) { return s.dims[i].priority; }, s.replicated,
      s.unreduced, s.reduction);
}

std::string sdy_list_text(const ShardingTable& table, std::span<const NamedShardingId> list) {
  std::string out = "[";
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ", ";
    out += sdy_text(table, list[i]);
  }
  return out + "]";
}

}  // namespace sw
