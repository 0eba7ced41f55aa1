// The MLIR printer: the pretty form of every op that has one, else the generic form. Private to text/mlir.
//
//   print_module.cc   module, meshes, functions, locations, names of values
//   print_ops.cc      one op: results, generic form, regions, forms of the table in forms.h
//   print_custom.cc   pretty forms with a grammar of their own
//   print_regions.cc  those that hold regions, and those of the sdy dialect
//   print_attrs.cc    attributes
//
// Values keep the names they were read with. A name that is taken where its value is defined (in a graph that some
// stage has put together), or that MLIR cannot spell, gives way to a fresh one.
//
// A pretty form is used only if it says all that the op says: `try_*` functions return false, having printed nothing,
// when an attribute or a type is missing or of an unusual kind, and the generic form is printed instead.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/small_vector.h"
#include "sharding/program.h"
#include "text/mlir/forms.h"

namespace sw::mlir {

class Printer {
 public:
  explicit Printer(const Program& program);
  std::string run();

 private:
  // --- module (print_module.cc)
  void print_meshes();
  void print_function(FunctionId id);
  void print_location_aliases();
  void print_location_body(const Location& location);
  void print_location_name(LocationId id);
  void number_location(LocationId id);
  void print_location(LocationId id);  // ` loc(#loc1)`, nothing when there is none
  void print_resources();
  void new_line();

  // --- names (print_module.cc)
  void push_names(bool isolated);
  void pop_names();
  void name_value(ValueId value);
  void take_name(const std::string& name);
  // The spelling `wanted` if it is free here, else one like it.
  std::string free_name(StringId wanted);
  void name_results(const Op& op);
  bool is_group(const Op& op) const;  // all results have one name
  void print_value(ValueId id);

  // --- ops (print_ops.cc)
  void print_op(OpId id);
  void print_results(const Op& op);
  void print_generic(const Op& op);
  bool try_table(const Op& op, const Form& form);
  bool field_fits(const Op& op, const Field& field);
  void print_field(const Op& op, const Field& field);
  bool types_fit(const Op& op, TypeForm form);
  void print_form_types(const Op& op, TypeForm form);
  void print_functional_type(const Op& op);
  void print_operands(const Op& op);
  void print_types(std::span<const ValueId> values);
  void print_result_types(const Op& op);
  void print_type(TypeId type) { out_ += type_text(type); }
  const std::string& type_text(TypeId type);
  std::string_view op_name(const Op& op);
  void print_region(RegionId id, bool labelled);
  void print_arguments(BlockId id);
  // ` {a = 1, ...}` of the attributes that are not in `without`; nothing when there are none.
  void print_attr_dict(std::span<const NamedAttr> attrs, std::span<const std::string_view> without = {});

  // --- pretty forms (print_custom.cc)
  bool try_custom(const Op& op, CustomForm form);
  bool try_compare(const Op& op);
  bool try_slice(const Op& op);
  bool try_constant(const Op& op);
  bool try_convolution(const Op& op);
  bool try_custom_call(const Op& op);
  bool try_call(const Op& op);
  bool try_composite(const Op& op);
  bool try_get_tuple_element(const Op& op);
  bool try_tuple(const Op& op);
  bool try_optimization_barrier(const Op& op);
  bool try_return(const Op& op);
  bool try_top_k(const Op& op);
  bool try_while(const Op& op);
  bool try_reduce(const Op& op);
  bool is_compact_reduce(const Op& op);
  bool try_sharding_constraint(const Op& op);
  bool try_sharding_group(const Op& op);
  bool try_propagation_barrier(const Op& op);
  bool try_data_flow_edge(const Op& op);
  bool try_computation(const Op& op, bool manual);
  bool try_sdy_collective(const Op& op);
  bool single_block(RegionId id, size_t arguments);
  bool types_agree(const Op& op);
  void print_dot_dims(const Attr& attr);
  void print_conv_dims(const Attr& attr);
  bool conv_fits(const Attr& attr);
  bool print_window(const Op& op);
  bool int_list_fits(const Op& op, std::string_view name, ElementType element = ElementType::s64);

  // --- attributes (print_attrs.cc)
  void print_attr(AttrId id);
  void print_sharding_attr(const Attr& attr);
  void print_named_attrs(std::span<const NamedAttr> attrs);
  void print_struct(const Attr& attr);
  void print_struct_fields(std::span<const NamedAttr> fields);
  void print_dense(const Attr& attr);
  void print_int_list(std::span<const int64_t> values, bool booleans = false);
  void print_symbol(std::string_view path);
  void print_symbol_name(std::string_view name);
  void print_name(std::string_view name);
  Attr attr_of(const Op& op, std::string_view name);  // kind unit and invalid type when there is none
  bool has(const Op& op, std::string_view name, AttrKind kind);
  bool is_enum(AttrId id, std::string_view name);

  const Program& program_;
  const Graph& graph_;
  std::string out_;
  int indent_ = 0;
  std::vector<std::string> names_;       // by ValueId; the group's name without result number
  std::vector<std::string> type_texts_;  // by TypeId
  std::vector<LocationId> locations_;    // in the order of their numbers, the first is #loc1
  std::unordered_map<std::string, uint32_t> location_numbers_by_text_;
  std::vector<uint32_t> location_numbers_;           // by LocationId; 0: none yet
  std::unordered_map<std::string, uint32_t> taken_;  // name -> isolated scope in which it is in use
  std::unordered_map<std::string, uint32_t> next_suffix_;
  std::vector<std::pair<std::string, uint32_t>> log_;  // what a name stood for before
  struct Scope {
    size_t log_begin;
    uint32_t isolation;
  };
  std::vector<Scope> scopes_;
  uint32_t isolation_ = 0;
  uint32_t next_isolation_ = 1;
  bool in_function_ = false;  // directly in the body of a function: `return` and `call` go without prefix
};

}  // namespace sw::mlir
