#include "text/hlo/attr_names.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/edit_distance.h"
#include "base/hash.h"

namespace sw::hlo {

namespace {

// Rows that hold for every op. Sorted.
constexpr AttrName kNames[] = {
    {"algorithm", Form::word, "algorithm"},
    {"api_version", Form::api_version, "api_version"},
    {"async_execution_thread", Form::text, "async_execution_thread"},
    {"backend_config", Form::backend, "backend_config"},
    {"batch_group_count", Form::integer, "batch_group_count"},
    {"body", Form::computation, {}, 1},
    {"branch_computations", Form::computations, {}},
    {"called_computations", Form::computations, {}},
    {"calls", Form::computation, {}},
    {"channel_id", Form::channel, "channel_handle"},
    {"collapsed_slice_dims", Form::field, {}},
    {"condition", Form::computation, {}, 0},
    {"constrain_layout", Form::boolean, "constrain_layout"},
    {"control-predecessors", Form::predecessors, "control-predecessors"},
    {"convolution_kind", Form::word, "convolution_kind"},
    {"cross_program_prefetch_index", Form::integer, "cross_program_prefetch_index"},
    {"custom_call_has_side_effect", Form::boolean, "has_side_effect"},
    {"custom_call_schedule", Form::word, "custom_call_schedule"},
    {"custom_call_target", Form::text, "call_target_name"},
    {"delta", Form::integer, "delta"},
    {"dim_labels", Form::dim_labels, {}},
    {"dimensions", Form::list, "dimensions"},
    {"direction", Form::enumeration, "comparison_direction"},
    {"distribution", Form::enumeration, "rng_distribution"},
    {"domain", Form::raw, "domain"},
    {"dynamic_slice_sizes", Form::list, "slice_sizes"},
    {"epsilon", Form::floating, "epsilon"},
    {"exponent_bits", Form::integer, "exponent_bits"},
    {"false_computation", Form::computation, {}, 1},
    {"feature_group_count", Form::integer, "feature_group_count"},
    {"feature_index", Form::integer, "feature_index"},
    {"fft_length", Form::list, "fft_length"},
    {"fft_type", Form::enumeration, "fft_type"},
    {"frontend_attributes", Form::frontend, "mhlo.frontend_attributes"},
    {"has_dynamic_root", Form::boolean, "has_dynamic_root"},
    {"index", Form::integer, "index"},
    {"index_vector_dim", Form::field_integer, {}},
    {"indices_are_sorted", Form::boolean, "indices_are_sorted"},
    {"inferred_dimension", Form::integer, "inferred_dimension"},
    {"infeed_config", Form::text, "infeed_config"},
    {"input_batching_dims", Form::field, {}},
    {"inserted_window_dims", Form::field, {}},
    {"iota_dimension", Form::integer, "iota_dimension"},
    {"is_associative", Form::boolean, "is_associative"},
    {"is_composite", Form::boolean, "is_composite"},
    {"is_host_transfer", Form::boolean, "is_host_transfer"},
    {"is_reverse", Form::boolean, "is_reverse"},
    {"is_stable", Form::boolean, "is_stable"},
    {"k", Form::integer, "k"},
    {"kind", Form::word, "kind"},
    {"largest", Form::boolean, "largest"},
    {"left_side", Form::boolean, "left_side"},
    {"lhs_batch_dims", Form::field, {}},
    {"lhs_contracting_dims", Form::field, {}},
    {"lhs_ragged_dims", Form::field, {}},
    {"literal", Form::literal, "literal"},
    {"lower", Form::boolean, "lower"},
    {"mantissa_bits", Form::integer, "mantissa_bits"},
    {"metadata", Form::metadata, "metadata"},
    {"mode", Form::word, "mode"},
    {"num_carries", Form::integer, "num_carries"},
    {"offset_dims", Form::field, {}},
    {"operand_batching_dims", Form::field, {}},
    {"operand_layout_constraints", Form::raw, "operand_layout_constraints"},
    {"operand_precision", Form::precision, "precision_config"},
    {"origin", Form::raw, "origin"},
    {"outfeed_config", Form::text, "outfeed_config"},
    {"outfeed_shape", Form::raw, "outfeed_shape"},
    {"output_to_operand_aliasing", Form::raw, "output_to_operand_aliasing"},
    {"padding", Form::padding, {}},
    {"padding_type", Form::word, "padding_type"},
    {"parameter_replication", Form::bools, "parameter_replication"},
    {"replica_groups", Form::groups, "replica_groups"},
    {"result_accuracy", Form::raw, "result_accuracy"},
    {"rhs_batch_dims", Form::field, {}},
    {"rhs_contracting_dims", Form::field, {}},
    {"rhs_group_dims", Form::field, {}},
    {"scatter", Form::computation, {}, 1},
    {"scatter_dims_to_operand_dims", Form::field, {}},
    {"scatter_indices_batching_dims", Form::field, {}},
    {"schedule", Form::word, "schedule"},
    {"select", Form::computation, {}, 0},
    {"sharding", Form::sharding, "mhlo.sharding"},
    {"slice", Form::slice, {}},
    {"slice_sizes", Form::raw, "hlo.slice_sizes"},  // of ops that have none; gather has a row of its own
    {"source_target_pairs", Form::pairs, "source_target_pairs"},
    {"sparsity", Form::raw, "sparsity"},
    {"sparsity_config", Form::raw, "sparsity_config"},
    {"start_index_map", Form::field, {}},
    {"start_indices_batching_dims", Form::field, {}},
    {"statistics", Form::raw, "statistics"},
    {"to_apply", Form::computation, {}},
    {"transpose_a", Form::enumeration, "transpose_a"},
    {"true_computation", Form::computation, {}, 0},
    {"type", Form::enumeration, "compare_type"},
    {"unique_indices", Form::boolean, "unique_indices"},
    {"unit_diagonal", Form::boolean, "unit_diagonal"},
    {"update_window_dims", Form::field, {}},
    {"use_global_device_ids", Form::unit, "use_global_device_ids"},
    {"window", Form::window, {}},
};

// Rows that hold for one op and come before the general ones.
struct OpName {
  OpKind kind;
  AttrName name;
};
constexpr OpName kOpNames[] = {
    {OpKind::broadcast_in_dim, {"dimensions", Form::list, "broadcast_dimensions"}},
    {OpKind::transpose, {"dimensions", Form::list, "permutation"}},
    {OpKind::concatenate, {"dimensions", Form::list_single, "dimension"}},
    {OpKind::sort, {"dimensions", Form::list_single, "dimension"}},
    {OpKind::get_dimension_size, {"dimensions", Form::list_single, "dimension"}},
    {OpKind::set_dimension_size, {"dimensions", Form::list_single, "dimension"}},
    {OpKind::all_gather, {"dimensions", Form::list_single, "all_gather_dim"}},
    {OpKind::all_gather_start, {"dimensions", Form::list_single, "all_gather_dim"}},
    {OpKind::reduce_scatter, {"dimensions", Form::list_single, "scatter_dimension"}},
    {OpKind::all_to_all, {"dimensions", Form::list_single, "split_dimension"}},
    {OpKind::gather, {"slice_sizes", Form::list, "slice_sizes"}},
    {OpKind::rng_bit_generator, {"algorithm", Form::enumeration, "rng_algorithm"}},
};

struct EnumRow {
  std::string_view canonical, name, prefix;
};
constexpr EnumRow kEnums[] = {
    {"comparison_direction", "stablehlo<comparison_direction", ""},
    {"compare_type", "stablehlo<comparison_type", ""},
    {"fft_type", "stablehlo<fft_type", ""},
    {"rng_distribution", "stablehlo<rng_distribution", "rng_"},
    {"rng_algorithm", "stablehlo<rng_algorithm", "rng_"},
    {"transpose_a", "stablehlo<transpose", ""},
};

constexpr Dimensions::Field kDotFields[] = {
    {"lhs_batch_dims", "lhs_batching_dimensions"},
    {"rhs_batch_dims", "rhs_batching_dimensions"},
    {"lhs_contracting_dims", "lhs_contracting_dimensions", false, true},
    {"rhs_contracting_dims", "rhs_contracting_dimensions", false, true},
};
constexpr Dimensions::Field kRaggedFields[] = {
    {"lhs_batch_dims", "lhs_batching_dimensions"},
    {"rhs_batch_dims", "rhs_batching_dimensions"},
    {"lhs_contracting_dims", "lhs_contracting_dimensions", false, true},
    {"rhs_contracting_dims", "rhs_contracting_dimensions", false, true},
    {"lhs_ragged_dims", "lhs_ragged_dimensions", false, true},
    {"rhs_group_dims", "rhs_group_dimensions"},
};
constexpr Dimensions::Field kGatherFields[] = {
    {"offset_dims", "offset_dims", false, true},         {"collapsed_slice_dims", "collapsed_slice_dims", false, true},
    {"operand_batching_dims", "operand_batching_dims"},  {"start_indices_batching_dims", "start_indices_batching_dims"},
    {"start_index_map", "start_index_map", false, true}, {"index_vector_dim", "index_vector_dim", true, true},
};
constexpr Dimensions::Field kScatterFields[] = {
    {"update_window_dims", "update_window_dims", false, true},
    {"inserted_window_dims", "inserted_window_dims", false, true},
    {"input_batching_dims", "input_batching_dims"},
    {"scatter_indices_batching_dims", "scatter_indices_batching_dims"},
    {"scatter_dims_to_operand_dims", "scatter_dims_to_operand_dims", false, true},
    {"index_vector_dim", "index_vector_dim", true, true},
};
constexpr Dimensions kDot{"dot_dimension_numbers", "stablehlo.dot", kDotFields, std::size(kDotFields)};
constexpr Dimensions kRagged{"ragged_dot_dimension_numbers", "chlo.ragged_dot", kRaggedFields,
                             std::size(kRaggedFields)};
constexpr Dimensions kGather{"dimension_numbers", "stablehlo.gather", kGatherFields, std::size(kGatherFields)};
constexpr Dimensions kScatter{"scatter_dimension_numbers", "stablehlo.scatter", kScatterFields,
                              std::size(kScatterFields)};

constexpr WindowNames kConvWindow{"window_dimensions", "window_strides", "padding",
                                  "lhs_dilation",      "rhs_dilation",   "window_reversal"};
constexpr WindowNames kReduceWindow{"window_dimensions", "window_strides",   "padding",
                                    "base_dilations",    "window_dilations", "window_reversal"};

// General rows by spelling: open addressing, filled on first use.
class NameTable {
 public:
  NameTable() {
    slots_.fill(kFree);
    for (size_t i = 0; i < std::size(kNames); ++i) {
      size_t slot = hash_bytes(kNames[i].hlo) % kSlots;
      while (slots_[slot] != kFree) slot = (slot + 1) % kSlots;
      slots_[slot] = static_cast<uint8_t>(i);
    }
  }
  const AttrName* find(std::string_view hlo) const {
    for (size_t slot = hash_bytes(hlo) % kSlots; slots_[slot] != kFree; slot = (slot + 1) % kSlots)
      if (kNames[slots_[slot]].hlo == hlo) return &kNames[slots_[slot]];
    return nullptr;
  }

 private:
  static constexpr size_t kSlots = 512;
  static constexpr uint8_t kFree = 255;
  static_assert(std::size(kNames) < kFree);
  std::array<uint8_t, kSlots> slots_;
};

const EnumRow* enum_row(std::string_view canonical) {
  for (const EnumRow& row : kEnums)
    if (row.canonical == canonical) return &row;
  return nullptr;
}

}  // namespace

const AttrName* find_attr(OpKind kind, std::string_view hlo) {
  if (hlo == "dimensions" || hlo == "slice_sizes" || hlo == "algorithm")
    for (const OpName& row : kOpNames)
      if (row.kind == kind && row.name.hlo == hlo) return &row.name;
  static const NameTable table;
  return table.find(hlo);
}

const AttrName* find_canonical(OpKind kind, std::string_view canonical) {
  for (const OpName& row : kOpNames)
    if (row.kind == kind && row.name.canonical == canonical) return &row.name;
  for (const AttrName& row : kNames)
    if (row.canonical == canonical) return &row;
  return nullptr;
}

bool is_common_attr(std::string_view canonical) {
  constexpr std::string_view kCommon[] = {"mhlo.sharding", "mhlo.frontend_attributes", "metadata",   "backend_config",
                                          "origin",        "control-predecessors",     "statistics", "result_accuracy"};
  return std::find(std::begin(kCommon), std::end(kCommon), canonical) != std::end(kCommon);
}

std::string_view enum_name(std::string_view canonical) {
  const EnumRow* row = enum_row(canonical);
  return row == nullptr ? std::string_view{} : row->name;
}

std::string_view enum_prefix(std::string_view canonical) {
  const EnumRow* row = enum_row(canonical);
  return row == nullptr ? std::string_view{} : row->prefix;
}

std::string_view nearest_attr(std::string_view hlo) {
  std::vector<std::string_view> names;
  for (const AttrName& row : kNames) names.push_back(row.hlo);
  return nearest_name(hlo, names);
}

const Dimensions* dimensions_of(OpKind kind) {
  switch (kind) {
    case OpKind::dot_general:
    case OpKind::scaled_dot: return &kDot;
    case OpKind::ragged_dot: return &kRagged;
    case OpKind::gather: return &kGather;
    case OpKind::scatter: return &kScatter;
    default: return nullptr;
  }
}

const WindowNames* window_of(OpKind kind) {
  switch (kind) {
    case OpKind::convolution: return &kConvWindow;
    case OpKind::reduce_window:
    case OpKind::select_and_scatter: return &kReduceWindow;
    default: return nullptr;
  }
}

}  // namespace sw::hlo
