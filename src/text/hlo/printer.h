// Writes a program as HLO text. Names are those of the graph where they are valid and unique within their computation;
// others (a stage made new values, or the graph came from MLIR) get one that is.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sharding/program.h"
#include "text/hlo/attr_names.h"

namespace sw::hlo {

class Printer {
 public:
  explicit Printer(const Program& program);
  std::string print();

 private:
  // print_module.cc
  void print_header();
  std::vector<FunctionId> called_first() const;
  void print_function(const Function& function);
  void name_values(BlockId block);
  std::string_view valid_name(StringId name, std::string_view otherwise);
  std::vector<size_t> places_of_arguments(const Function& function, size_t instruction_count) const;
  void print_argument(const Function& function, size_t number, bool is_root);
  void print_op(const Op& op, bool is_root);
  void print_operands(const Op& op);
  void print_regions(const Op& op);
  void print_location(LocationId loc);

  // print_attrs.cc
  // Those from `begin` to `end`.
  void print_attrs(OpKind meaning, std::span<const NamedAttr> attrs, size_t begin, size_t end);
  bool print_structured(OpKind meaning, std::span<const NamedAttr> attrs, const NamedAttr& attr);
  void print_dimensions(const Dimensions& dimensions, const Attr& value);
  void print_window(const WindowNames& names, std::span<const NamedAttr> attrs);
  void print_dim_labels(const Attr& value);
  void print_slice(std::span<const NamedAttr> attrs);
  void print_padding(std::span<const NamedAttr> attrs);
  void print_value(const AttrName& name, const Attr& value);
  void print_groups(const Attr& value);
  void print_dictionary(const Attr& value);
  void print_string_or_braces(std::string_view text);

  void next(std::string_view name);  // ", name="
  void print_list(std::span<const int64_t> values, std::string_view separator = ",");
  void print_quoted(std::string_view text);
  void print_int(int64_t value);
  std::span<const int64_t> integers(std::span<const NamedAttr> attrs, std::string_view name) const;
  std::string_view text(StringId id) const { return graph_.strings.text(id); }
  const std::string& type_text(TypeId type);

  const Program& program_;
  const Graph& graph_;
  std::string out_;
  std::vector<std::string> types_;           // by TypeId, made when first printed
  std::vector<std::string> shardings_;       // by TileShardingId
  std::vector<std::string> names_;           // by ValueId
  std::vector<std::string> function_names_;  // by FunctionId
};

}  // namespace sw::hlo
