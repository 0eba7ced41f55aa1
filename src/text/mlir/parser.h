// The MLIR parser: recursive descent with one token of look-ahead, straight into a GraphBuilder. Private to text/mlir.
//
//   parse_module.cc    module, sdy.mesh, aliases, resources
//   parse_func.cc      func.func, and checks that need the whole module
//   parse_ops.cc       one op: result names, form, trailing location; operands; generic form; recovery
//   parse_forms.cc     pretty forms that are rows of a table (forms.h)
//   parse_custom.cc    pretty forms with a grammar of their own (compare, slice, convolution, ...)
//   parse_regions.cc   regions, blocks, while, reduce
//   parse_sdy.cc       pretty forms of the sdy dialect
//   parse_types.cc parse_attrs.cc parse_structs.cc parse_shardings.cc parse_locations.cc
//
// Conventions: a parse function returns false after it has reported what is wrong; the caller only passes it on. The op
// that holds the error is left out, its results count as defined, and parsing goes on at the next line of the same
// region that can start an op (Parser::recover). Nothing is guessed: any error makes read_mlir fail in the end.
// Recursion is bounded by kMaxDepth, errors by kMaxErrors; beyond either the parser stops at once (`stopped_`).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/small_vector.h"
#include "ir/builder.h"
#include "sharding/program.h"
#include "sharding/text.h"
#include "source/diagnostic.h"
#include "text/lexer.h"
#include "text/mlir/forms.h"
#include "text/mlir/values.h"

namespace sw::mlir {

constexpr int kMaxDepth = 256;
constexpr size_t kMaxErrors = 200;

using IntList = SmallVector<int64_t, 8>;
using TypeList = SmallVector<TypeId, 8>;
using AttrList = SmallVector<NamedAttr, 8>;

// An op while it is read.
struct OpState {
  OpKind kind = OpKind::unknown;
  StringId name;
  OpId id;
  uint32_t begin = 0;  // of the result list
  Token name_token;
  SmallVector<ValueId, 8> operands;
  SmallVector<uint32_t, 8> operand_at;  // offset of each operand
  TypeList operand_types;               // as listed
  TypeList result_types;
  AttrList attrs;
  SmallVector<RegionId, 2> regions;
  LocationId loc;
  bool generic = false;
  bool has_location = false;
  bool poisoned = false;  // an operand stands for a value whose op did not parse
};

// A name in a result list: `%0`, `%1:2`.
struct ResultName {
  Token token;
  uint32_t count = 1;
};

// `%a: tensor<f32> {attrs} loc(...)`
struct Argument {
  Token name;
  TypeId type;
  Slice<NamedAttr> attrs;
  LocationId loc;
};

// What has to be looked at once more under a given attribute name (ir/attrs.h, "canonical form").
enum class AttrRole : uint8_t { plain, int_list, int_matrix, tile_sharding, direction, has_default };

// `2 operands`, `1 operand`
std::string plural(size_t count, std::string_view what);

class Parser {
 public:
  Parser(FileId file, std::string_view text, Program& program, Diagnostics& diagnostics);
  // Reads the whole text; true when there was no error. The graph is then in `program`.
  bool run();

 private:
  // --- tokens and messages (parser.cc)
  void advance() { seek(token_.end); }
  // Goes on at `offset`, which lies behind everything consumed so far.
  void seek(uint32_t offset);
  bool at(TokenKind kind) const { return token_.kind == kind; }
  bool at_keyword(std::string_view word) const { return at(TokenKind::identifier) && text() == word; }
  std::string_view text() const { return lexer_.text(token_); }
  bool accept(TokenKind kind);
  bool accept_keyword(std::string_view word);
  bool expect(TokenKind kind, std::string_view expected);
  bool expect_keyword(std::string_view word);
  SourceRange range(uint32_t begin, uint32_t end) const { return {file_, begin, end}; }
  SourceRange range(Token token) const { return {file_, token.begin, token.end}; }
  // Reports "`seen`, expected ..." at the current token.
  bool fail_expected(std::string_view expected);
  bool fail(DiagnosticKind kind, SourceRange where, std::string message);
  Diagnostics::Builder report(DiagnosticKind kind, SourceRange where, std::string message);
  std::string seen() const;
  // Counts one level of recursion; false (after a message) when there are too many.
  struct Level {
    explicit Level(Parser& p) : parser(p), fine(p.enter()) {}
    ~Level() { --parser.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Parser& parser;
    bool fine;
  };
  bool enter();

  // --- module (parse_module.cc)
  void find_aliases_and_meshes();
  void read_meshes();
  bool parse_item();
  void recover_item();
  bool parse_module();
  bool parse_generic_module();
  bool parse_items_until_brace();
  bool parse_module_location();
  bool parse_alias();
  bool skip_location(uint32_t begin);
  bool parse_resources();
  bool pass_mesh();
  bool parse_mesh_op();
  bool parse_generic_mesh_op();
  bool declare_mesh(std::string name, Mesh mesh, SourceRange where);

  // --- functions (parse_func.cc)
  bool parse_func();
  bool parse_func_head(Function& function, SourceRange& where, std::vector<Argument>& arguments);
  bool parse_body_of_wrong_head(uint32_t begin);
  bool parse_generic_func();
  bool parse_func_results(TypeList& types, std::vector<Slice<NamedAttr>>& attrs);
  bool parse_arguments(std::vector<Argument>& arguments, bool names_optional);
  bool parse_function_body(FunctionId id, const std::vector<Argument>* arguments);
  bool parse_function_location(FunctionId id);
  bool set_function_properties(Function& function, const AttrList& attrs, SourceRange where);
  bool declare_function(Function function, SourceRange where, FunctionId& id);
  void check_module();
  void check_calls();
  void check_recursion(const std::vector<std::vector<std::pair<FunctionId, OpId>>>& calls);
  void check_call_types(const Op& op, const Function& callee);
  void check_body(FunctionId id);
  void choose_main();

  // --- ops (parse_ops.cc)
  bool parse_op(BlockId block);
  bool parse_op_body(OpState& op);
  bool parse_result_names(SmallVector<ResultName, 4>& names);
  bool parse_generic_op(OpState& op);
  bool parse_pretty_op(OpState& op);
  bool fail_no_short_form(const OpState& op);
  bool finish_op(OpState& op, const SmallVector<ResultName, 4>& names);
  void define(Token name, ValueId first, uint32_t count);
  void define_results(const OpState& op, const SmallVector<ResultName, 4>& names);
  void define_poisoned(const SmallVector<ResultName, 4>& names);
  bool starts_op() const;
  void recover(int braces);
  bool check_operands(OpState& op);
  bool check_arity(const OpState& op);
  OpKind kind_named(std::string_view name) const;

  bool parse_operand(OpState& op);
  bool parse_operands(OpState& op);         // zero or more, separated by commas, as long as values follow
  bool parse_paren_operands(OpState& op);   // (%a, %b)
  bool parse_attr_dict(AttrList& attrs);    // optional {...}
  bool parse_functional_type(OpState& op);  // : (T, T) -> T
  bool parse_type_list(TypeList& types);    // T, T
  bool parse_paren_type_list(TypeList& types);
  bool parse_result_types(TypeList& types);  // T or (T, T)
  bool parse_same_type(OpState& op);         // : T for all operands and results, or a functional type
  bool parse_optional_location(OpState& op);
  void add_attr(OpState& op, StringId name, AttrId value);
  void sort_attrs(AttrList& attrs);
  void drop_defaults(OpState& op);
  AttrRole role_of(StringId name) const {
    return name.index() < roles_.size() ? roles_[name.index()] : AttrRole::plain;
  }

  // --- pretty forms (parse_forms.cc, parse_custom.cc, parse_regions.cc)
  bool parse_form(OpState& op, const Form& form);
  bool parse_field(OpState& op, const Field& field);
  bool parse_custom_form(OpState& op, CustomForm form);
  bool parse_form_types(OpState& op, TypeForm form);
  bool parse_compare(OpState& op);
  bool parse_slice(OpState& op);
  bool parse_select_types(OpState& op);
  bool parse_complex_types(OpState& op);
  bool parse_constant(OpState& op);
  bool parse_convolution(OpState& op);
  bool parse_conv_dims(AttrId& out);
  bool parse_window(OpState& op);
  bool parse_custom_call(OpState& op);
  bool parse_call(OpState& op);
  bool parse_composite(OpState& op);
  bool parse_get_tuple_element(OpState& op);
  bool parse_tuple(OpState& op);
  bool parse_optimization_barrier(OpState& op);
  bool parse_return(OpState& op);
  bool parse_top_k(OpState& op);
  bool parse_dot_dims(OpState& op);
  bool parse_precision(OpState& op);
  bool parse_algorithm(OpState& op);
  bool parse_exponent_mantissa(OpState& op);
  bool parse_while(OpState& op);
  bool parse_reduce(OpState& op);
  bool make_applied_region(OpState& op, Token inner);
  bool parse_reducer(OpState& op, size_t inputs);
  bool parse_sharding_constraint(OpState& op);
  bool parse_sharding_group(OpState& op);
  bool parse_propagation_barrier(OpState& op);
  bool parse_data_flow_edge(OpState& op);
  bool parse_manual_computation(OpState& op);
  bool parse_named_computation(OpState& op);
  bool parse_sdy_collective(OpState& op);
  bool parse_in_out_shardings(OpState& op);
  bool parse_region_arguments_and_body(OpState& op);

  // --- regions (parse_regions.cc)
  bool parse_region(OpState& op, bool isolated, const std::vector<Argument>& arguments = {});
  bool parse_region_rest(RegionId region, BlockId entry);
  bool parse_block_label(RegionId region, BlockId& block);
  void add_argument(BlockId block, const Argument& argument);

  // --- types (parse_types.cc)
  bool parse_type(TypeId& out);
  bool parse_tensor_type(TypeId& out);
  bool parse_tensor_body(std::string_view body, uint32_t offset, TypeId& out);
  bool parse_element(std::string_view text, uint32_t offset, ElementType& element, std::string& element_text);
  bool parse_dialect_type(TypeId& out);
  bool parse_tuple_type(TypeId& out);
  bool parse_function_type(TypeId& out);
  bool parse_opaque_type(TypeId& out);

  // --- attributes (parse_attrs.cc, parse_structs.cc)
  bool parse_attribute(AttrId& out);
  bool parse_number(AttrId& out);
  bool parse_integer(int64_t& out);
  bool parse_integer_list(IntList& out);  // [1, 2]
  bool parse_string(std::string& out);
  bool parse_symbol(AttrId& out);
  bool parse_array(AttrId& out);
  bool parse_dictionary(AttrId& out);
  bool parse_dictionary_entries(AttrList& fields, bool of_op);
  bool parse_dense_array(AttrId& out);
  bool parse_dense(AttrId& out);
  bool parse_dense_resource(AttrId& out);
  bool parse_opaque_attribute(AttrId& out);
  bool parse_dialect_attribute(AttrId& out);
  bool parse_dialect_body(std::string_view name, uint32_t begin, uint32_t end, AttrId& out);
  bool parse_struct(std::string_view name, AttrId& out);
  bool parse_struct_fields(AttrList& fields);
  bool parse_struct_value(AttrId& out);
  bool check_struct(std::string_view name, SourceRange where, std::span<const std::string_view> order,
                    const AttrList& fields, bool all);
  bool parse_conv_struct(AttrId& out);
  AttrId canonical_struct(std::string_view name, AttrList& fields);
  bool canonical(StringId name, SourceRange where, AttrId& value);
  bool canonical_int_list(SourceRange where, AttrId& value, bool matrix);
  AttrId int_matrix(std::span<const int64_t> values, int64_t columns, TypeId type);
  AttrId int_list(std::span<const int64_t> values);
  AttrId enum_attr(std::string_view name, std::string_view value);
  AttrId integer_attr(int64_t value, ElementType type);
  bool parse_enum(std::string_view name, AttrId& out);

  // --- shardings (parse_shardings.cc)
  template <class Read>
  auto read_sharding_text(Read read) -> decltype(read(std::declval<TextCursor&>()));
  bool parse_sdy_attribute(std::string_view name, uint32_t begin, uint32_t end, AttrId& out);
  bool parse_sharding_attr(AttrId& out);  // <@mesh, [...]>
  bool parse_sharding_list(AttrId& out);  // [<...>, <...>]
  bool parse_mesh(Mesh& mesh);            // <["x"=2], device_ids=[...]>
  // {"x"} or [{"x"}: 0->1], kept as spelled
  bool parse_axes_text(std::string_view mnemonic, TokenKind open, AttrId& out);
  AttrId sharding_list_attr(std::span<const NamedShardingId> list);
  bool canonical_tile_sharding(SourceRange where, AttrId& value);

  // --- locations (parse_locations.cc)
  bool parse_location(LocationId& out);  // loc(...)
  bool parse_location_body(LocationId& out);
  bool parse_location_alias(LocationId& out);
  bool parse_call_site(LocationId& out);
  bool parse_fused(LocationId& out);
  bool parse_named_or_file(LocationId& out);

  struct Alias {
    uint32_t begin = 0;  // of the text behind the equals sign
    uint8_t state = 0;   // 0 not read, 1 being read, 2 read, 3 wrong
    uint32_t value = 0;  // raw AttrId, TypeId or LocationId
  };
  Alias* alias_named(Token token);
  void read_location_alias(Alias& alias);

  // Names used on every op, interned once.
  struct Names {
#define SW_NAME(word) StringId word;
#include "text/mlir/names.def"
#undef SW_NAME
  };

  // Types and dialect attributes repeat in their thousands: their source text is looked up before it is parsed.
  class TextMemo {
   public:
    TextMemo() : slots_(1024) {}
    static constexpr uint32_t kMissing = 0xffffffffU;
    uint32_t find(std::string_view text, uint64_t hash) const;
    void add(std::string_view text, uint64_t hash, uint32_t value);

   private:
    struct Slot {
      uint64_t hash = 0;
      std::string_view text;
      uint32_t value = kMissing;
    };
    std::vector<Slot> slots_;
    size_t used_ = 0;
  };

  FileId file_;
  Lexer lexer_;
  Program& program_;
  Diagnostics& diagnostics_;
  GraphBuilder builder_;
  ValueScopes values_;
  Names names_;
  std::vector<AttrRole> roles_;       // by StringId
  std::vector<StringId> kind_names_;  // by OpKind
  TextMemo types_;
  TextMemo attributes_;
  std::unordered_map<std::string_view, Alias> aliases_;
  std::vector<Alias*> location_aliases_;  // in the order of the text
  bool location_aliases_read_ = false;
  std::unordered_map<StringId, FunctionId> functions_;
  FunctionId function_;  // being read
  TypeId scalar_i64_;
  Token token_;
  uint32_t last_end_ = 0;  // behind the last thing consumed
  uint32_t op_begin_ = 0;  // of the op that was begun last
  int braces_ = 0;         // open ones up to the current token
  int depth_ = 0;
  size_t errors_ = 0;
  bool stopped_ = false;
  bool module_seen_ = false;
  AttrList module_attrs_;
  int item_braces_ = 0;  // open ones outside of the items of the module
  // Lines that hold a mesh: shardings may stand before them, so they are read first.
  struct MeshLine {
    uint32_t begin = 0;
    uint32_t end = 0;
    bool fine = false;
  };
  std::vector<MeshLine> mesh_lines_;
};

}  // namespace sw::mlir
