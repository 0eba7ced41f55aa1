// The reader's state, shared by parse_*.cc. A module is read front to back; an instruction is parsed into a flat
// record, and a computation's records become ops of the graph when its closing brace has been read, so that parameters
// may stand anywhere. Names of computations are resolved when the whole module has been read.
//
// Invariant: a function that returns false has reported why, at the place where it saw it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/edit_distance.h"
#include "base/result.h"
#include "base/small_vector.h"
#include "ir/builder.h"
#include "sharding/program.h"
#include "source/diagnostic.h"
#include "text/hlo/attr_names.h"
#include "text/hlo/scanner.h"

namespace sw::hlo {

// How deep types and computations in place may nest.
constexpr int kMaxNesting = 200;
// A suggestion looks at all names, so only the first few errors get one.
constexpr size_t kMaxSuggestions = 20;

struct OperandRef {
  StringId name;
  uint32_t begin, end;
};

// A computation that an instruction refers to: by name, or given in place.
struct CalleeRef {
  uint8_t slot;
  StringId name;
  uint32_t begin, end;
  FunctionId in_place;
};

struct Instruction {
  StringId name;
  TypeId type;
  OpKind kind = OpKind::unknown;
  StringId spelling;
  bool is_root = false;
  bool is_broken = false;  // an error in it has been reported; it only keeps its name defined
  int64_t parameter = -1;  // its number, for a parameter
  LocationId loc;
  SourceRange where, name_where;
  Slice<OperandRef> operands;
  Slice<NamedAttr> attrs;
  Slice<CalleeRef> callees;
};

struct Computation {
  StringId name;
  SourceRange where;
  bool is_entry = false;
  std::vector<Instruction> instructions;
  std::vector<OperandRef> operands;
  std::vector<NamedAttr> attrs;
  std::vector<CalleeRef> callees;
  std::vector<NamedAttr> function_attrs;
};

// The tables before the first computation: stack frames that metadata refers to by number (from 1).
struct StackFrames {
  struct FileLocation {
    int64_t file = 0, function = 0, line = 0, end_line = 0, column = 0, end_column = 0;
  };
  struct Frame {
    int64_t location = 0, parent = 0;
  };
  std::vector<StringId> files, functions;
  std::vector<FileLocation> locations;
  std::vector<Frame> frames;
  std::vector<LocationId> built;  // of each frame, filled when asked for
};

class Parser {
 public:
  Parser(FileId file, const SourceManager& sources, Diagnostics& diagnostics);
  Result<Program> parse();

 private:
  // parse_module.cc
  bool parse_header();
  bool parse_header_attr(std::vector<NamedAttr>& attrs);
  bool parse_frame_tables(std::vector<NamedAttr>& attrs);
  bool parse_frame_table(std::string_view title);
  void parse_computations();
  bool parse_computation();
  bool parse_signature();
  bool parse_body(Computation& computation);
  bool parse_execution_thread(Computation& computation);
  void skip_to_next_computation();

  // emit.cc
  std::optional<FunctionId> emit(Computation& computation);
  bool number_parameters(const Computation& computation, std::vector<const Instruction*>& parameters);
  void emit_arguments(const Computation& computation, FunctionId id, BlockId block,
                      std::span<const Instruction* const> parameters);
  bool bind_names(const Computation& computation, BlockId block, std::vector<ValueId>& values);
  bool resolve_operands(const Computation& computation, const Instruction& instruction, size_t index,
                        std::span<const ValueId> values, std::vector<ValueId>& out);
  ValueId emit_op(const Computation& computation, BlockId block, const Instruction& instruction,
                  std::span<const ValueId> operands);
  void undefined_operand(const Computation& computation, const OperandRef& operand);
  void undefined_computation(const std::string& name, SourceRange where);
  void resolve_callees();
  void finish_module();

  // parse_instruction.cc
  bool parse_instruction(Computation& computation);
  bool parse_result_type(Instruction& instruction);
  bool parse_opcode(Instruction& instruction, OpKind& meaning);
  bool parse_operands(Computation& computation, Instruction& instruction);
  bool parse_parameter_number(Instruction& instruction);
  bool parse_attrs(Computation& computation, Instruction& instruction, OpKind meaning);
  void unknown_attr(std::string_view spelling);
  void add_group_counts(std::vector<NamedAttr>& attrs, size_t first);

  // parse_types.cc
  bool parse_type(TypeId& out);
  bool parse_array_type(TypeId& out);
  bool parse_buffer_type(TypeId& out);
  bool parse_layout(std::string& out);
  bool at_type();

  // parse_literal.cc
  bool parse_constant(Computation& computation, const Instruction& instruction);
  bool check_literal(Type type, uint32_t begin, uint32_t end);

  // parse_attrs.cc: values of attributes; `sink` collects what becomes of them.
  struct AttrSink {
    Computation& computation;
    Instruction& instruction;
    OpKind meaning;                 // of the wrapped op where there is one
    std::vector<NamedAttr>& attrs;  // canonical attributes so far
    std::vector<NamedAttr> fields;  // parts of the dimension numbers
    SmallVector<const AttrName*, 16> seen;
  };
  bool parse_value(const AttrName& name, AttrSink& sink);
  bool is_given_twice(const AttrName& name, std::string_view spelling, AttrSink& sink);
  bool parse_simple_value(const AttrName& name, AttrId& out);
  bool parse_bool(bool& out);
  bool parse_list(std::vector<int64_t>& out);
  bool parse_list_of_lists(std::vector<std::vector<int64_t>>& out);
  bool parse_bools(AttrId& out);
  bool parse_pairs(AttrId& out);
  bool parse_groups(AttrId& out);
  bool parse_enum(const AttrName& name, AttrId& out);
  bool parse_precision(AttrId& out);
  bool parse_slice(AttrSink& sink);
  bool parse_padding(AttrSink& sink);
  bool parse_window(AttrSink& sink);
  bool parse_window_part(bool pairs, std::vector<int64_t>& values);
  bool parse_dim_labels(AttrSink& sink);
  bool parse_callee(uint8_t slot, AttrSink& sink);
  bool parse_callees(AttrSink& sink);
  bool parse_computation_in_place(uint8_t slot, AttrSink& sink);  // parse_module.cc
  bool parse_predecessors(AttrId& out);
  bool parse_frontend(AttrId& out);
  bool parse_backend(AttrId& out);
  bool parse_sharding(AttrId& out);
  bool parse_field(const AttrName& name, AttrSink& sink);
  void finish_fields(AttrSink& sink, size_t first);

  // parse_metadata.cc
  bool parse_metadata(AttrId& out, LocationId& loc);
  LocationId frame_location(int64_t number);
  LocationId file_location(int64_t number);

  // Reports `saw <token>, expected <what>` at the cursor; returns false.
  bool expected(std::string_view what, DiagnosticKind kind = DiagnosticKind::syntax);
  bool error(DiagnosticKind kind, SourceRange where, std::string message);
  bool eat(char c, std::string_view context);

  StringId intern(std::string_view text) { return builder_.name(text); }
  AttrId integer_attr(int64_t value) { return builder_.attr_table().integer(value, i64_); }
  AttrId list_attr(std::span<const int64_t> values) { return builder_.attr_table().dense_array(i64_, values); }
  AttrId enum_attr(std::string_view name, std::string_view value);
  AttrId table_attr(std::span<const int64_t> values, int64_t rows, int64_t columns);
  void add(std::vector<NamedAttr>& attrs, std::string_view name, AttrId value) {
    attrs.push_back({intern(name), value});
  }

  FileId file_;
  Diagnostics& diagnostics_;
  Scanner in_;
  Program program_;
  GraphBuilder builder_;
  TypeId i64_, i1_;
  int nesting_ = 0;
  size_t suggestions_ = 0;  // made so far
  bool failed_ = false;     // an error has been reported
  std::string scratch_;
  StackFrames frames_;

  std::unordered_map<std::string_view, AttrId> shardings_;  // by text
  struct PendingCallees {
    OpId op;
    Slice<CalleeRef> callees;
  };
  std::vector<PendingCallees> pending_;
  std::vector<CalleeRef> pending_callees_;
  std::unordered_map<uint32_t, FunctionId> functions_;  // by name
  std::unordered_set<uint32_t> broken_;                 // names of those with errors
  size_t in_place_ = 0;                                 // computations given in place so far
  FunctionId last_function_;

  // Values of the computation being emitted, by name: valid where the stamp is the computation's.
  struct Binding {
    uint32_t stamp = 0;
    uint32_t index = 0;  // of the instruction
  };
  std::vector<Binding> bindings_;
  uint32_t stamp_ = 0;
};

// The row for an attribute of the module, by its HLO spelling or canonical name; nullptr when there is none.
const AttrName* find_header_attr(std::string_view name);

}  // namespace sw::hlo
