// Shardy's factor rules against what the operations compute. For operations with every kind of attribute, on small
// arrays:
//
//   said to pass through    what one index of the factor gives is worked out from the operands' elements at that index
//                           alone: all others are changed, and nothing moves. So it needs no communication, however the
//                           factor is cut.
//   cut along it            and XLA's partitioner makes a program without collectives that computes the same.
//   not said to             for every dimension of an operand and of a result that no such factor joins: whether halves
//                           of one come from halves of the other after all. The rule is then too shy; it is what Shardy
//                           has, so it stays, and is named in a table with the reason.
//
// Worked example: reshape 2x3 -> 6 is ([i, j])->([ij]). Index 1 of j is columns 1 of the operand and elements 1 and 4
// of the result, which do not move when columns 0 and 2 change.
#include <array>
#include <iostream>
#include <set>

#include "exec/inputs.h"
#include "exec/kernel.h"
#include "exec/simulate.h"
#include "ops/factors.h"
#include "ops/verify.h"
#include "propagate/gspmd/propagate.h"
#include "propagate/shardy/propagate.h"
#include "property/rule_subjects.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/mlir/reader.h"

namespace sw {
namespace {

using test::RandomGraph;

// Along one dimension or factor: which elements belong to part `part`.
using Belongs = std::function<bool(std::span<const int64_t> index)>;

void for_each_index(std::span<const int64_t> dims,
                    const std::function<void(std::span<const int64_t>, int64_t)>& visit) {
  std::vector<int64_t> index(dims.size(), 0);
  const int64_t count = product(dims);
  for (int64_t n = 0; n < count; ++n) {
    visit(index, n);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < dims[d]) break;
      index[d] = 0;
    }
  }
}

// `base` with the elements for which `kept` does not hold taken from `other`.
Array mixed(const Array& base, const Array& other, const Belongs& kept) {
  Array out = copied(base);
  const auto width = static_cast<size_t>(element_bytes(base.element));
  for_each_index(base.dims, [&](std::span<const int64_t> index, int64_t n) {
    const size_t at = static_cast<size_t>(n) * width;
    if (!kept(index)) std::copy_n(other.bytes() + at, width, out.bytes() + at);
  });
  return out;
}

bool same_where(const Array& a, const Array& b, const Belongs& asked) {
  const auto width = static_cast<size_t>(element_bytes(a.element));
  bool same = true;
  for_each_index(a.dims, [&](std::span<const int64_t> index, int64_t n) {
    const size_t at = static_cast<size_t>(n) * width;
    if ((!asked || asked(index)) && !std::equal(a.bytes() + at, a.bytes() + at + width, b.bytes() + at)) same = false;
  });
  return same;
}

// The operation of a program, its rule, and how to compute it.
class Subject {
 public:
  explicit Subject(const RandomGraph& made) : text_(text_of(made)), made_(made) {
    INFO(text_);
    Result<Program> program = read(sources_.add("subject.mlir", text_), sources_, diagnostics_);
    INFO(test::told(diagnostics_, sources_));
    REQUIRE(program.has_value());
    const Graph& graph = program->graph;
    const BlockId block = graph.entry_block(graph.function(graph.main).body);
    const std::vector<OpId>& ops = graph.block(block).ops;
    op_ = ops[ops.size() - 2];
    name_ = graph.strings.text(graph.op(op_).name);
    outcome_ = make_factor_rule(graph, op_, {}, rule_);
    for (const ValueId operand : graph.operands(op_)) {
      const Value& value = graph.value(operand);
      argument_.push_back(value.def.valid() ? kConstant : value.index);
    }
    GspmdOptions options;
    options.lower = true;
    options.propagate = false;
    const Result<Plan> plan = propagate_gspmd(*program, {}, options, diagnostics_);
    if (!plan.has_value() || plan->lowered == nullptr) return;
    lowered_ = plan->lowered;
    Result<Executable> executable =
        Executable::prepare(lowered_->graph, {nullptr, {}, 1}, Precision::as_written, diagnostics_);
    if (executable.has_value()) executable_.emplace(std::move(*executable));
  }

  static constexpr size_t kConstant = static_cast<size_t>(-1);

  const std::string& text() const { return text_; }
  const std::string& name() const { return name_; }
  const RandomGraph& made() const { return made_; }
  bool has_rule() const { return outcome_ == RuleOutcome::rule; }
  bool runs() const { return executable_.has_value(); }
  const FactorRule& rule() const { return rule_; }
  // Of operand i; kConstant: it is none.
  size_t argument(size_t operand) const { return argument_[operand]; }
  std::string told() const { return test::told(diagnostics_, sources_); }

  std::vector<Array> inputs(uint64_t seed) const {
    std::vector<Array> out;
    for (const Datum& datum : random_inputs(lowered_->graph, seed, FloatRange::positive)) out.push_back(datum.array);
    return out;
  }
  std::vector<Array> compute(const std::vector<Array>& inputs) const {
    Machine machine(*executable_, {1, false});
    std::vector<Replicas> args;
    for (const Array& input : inputs) args.push_back({{input}});
    const std::optional<Replicas> found = machine.run(std::move(args));
    REQUIRE(found.has_value());
    std::vector<Array> out;
    for (const Replicas& leaf : leaves_of(*found)) out.push_back(leaf.on(0).array);
    return out;
  }

 private:
  static Result<Program> read(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
    Result<Program> program = read_mlir(file, sources, diagnostics);
    if (program.has_value()) verify(*program, diagnostics);
    return diagnostics.error_count() > 0 ? reported() : std::move(program);
  }

  std::string text_, name_;
  RandomGraph made_;
  SourceManager sources_;
  Diagnostics diagnostics_;
  OpId op_;
  FactorRule rule_;
  RuleOutcome outcome_ = RuleOutcome::none;
  std::vector<size_t> argument_;
  std::shared_ptr<const LoweredProgram> lowered_;
  std::optional<Executable> executable_;
};

// Where a factor is in one tensor: its number at an index, of the dimension that has it.
struct Digit {
  size_t dim = 0;
  int64_t below = 1, size = 1;  // product of the factors after it; its own
  int64_t of(std::span<const int64_t> index) const { return index[dim] / below % size; }
};

std::optional<Digit> digit_of(const FactorRule& rule, const TensorFactors& tensor, FactorIndex factor) {
  for (size_t d = 0; d < tensor.rank(); ++d) {
    Digit digit{d, 1, rule.sizes[factor]};
    const std::span<const FactorIndex> factors = tensor.dim(d);
    for (size_t i = factors.size(); i-- > 0; digit.below *= rule.sizes[factors[i]])
      if (factors[i] == factor) return digit;
  }
  return std::nullopt;
}

bool passes_through(const FactorRule& rule, size_t factor) {
  return rule.kinds[factor] == FactorKind::pass_through && !rule.blocked[factor];
}

using PartOf = std::function<int64_t(std::span<const int64_t>)>;  // the part that an element is in

// Arrays for several tries: what a result depends on shows in one of them.
class Tries {
 public:
  Tries(const Subject& subject, uint64_t count) {
    for (uint64_t seed = 0; seed < count; ++seed) {
      base_.push_back(subject.inputs(2 * seed + 1));
      other_.push_back(subject.inputs(2 * seed + 2));
      found_.push_back(subject.compute(base_.back()));
    }
  }

  // Whether the asked-for elements of the results stay when all operands' elements but the kept ones change, in every
  // try. An empty function: all elements.
  bool stay(const Subject& subject, const std::vector<Belongs>& kept, const std::vector<Belongs>& asked) const {
    for (size_t n = 0; n < base_.size(); ++n) {
      std::vector<Array> inputs = base_[n];
      for (size_t i = 0; i < kept.size(); ++i)
        if (const size_t argument = subject.argument(i); argument != Subject::kConstant && kept[i])
          inputs[argument] = mixed(base_[n][argument], other_[n][argument], kept[i]);
      const std::vector<Array> changed = subject.compute(inputs);
      for (size_t r = 0; r < asked.size(); ++r)
        if (!same_where(found_[n][r], changed[r], asked[r])) return false;
    }
    return true;
  }

 private:
  std::vector<std::vector<Array>> base_, other_, found_;
};

// The parts that a factor makes of the tensors that have it.
std::vector<PartOf> parts_by(const FactorRule& rule, const std::vector<TensorFactors>& tensors, size_t factor) {
  std::vector<PartOf> out;
  for (const TensorFactors& tensor : tensors) {
    const std::optional<Digit> digit = digit_of(rule, tensor, static_cast<FactorIndex>(factor));
    out.push_back(digit ? PartOf([d = *digit](auto index) { return d.of(index); }) : PartOf());
  }
  return out;
}

std::vector<Belongs> in_part(const std::vector<PartOf>& parts, int64_t part) {
  std::vector<Belongs> out;
  for (const PartOf& of : parts)
    out.push_back(of ? Belongs([&of, part](auto index) { return of(index) == part; }) : Belongs());
  return out;
}

// Operations by what they are, each once.
std::vector<RandomGraph> subjects(uint64_t seeds) {
  std::vector<RandomGraph> out = test::other_operations();
  std::set<std::string> seen;
  for (uint64_t seed = 0; seed < seeds; ++seed)
    for (RandomGraph& graph : single_operations(test::random_graph(seed))) {
      const test::Step& step = graph.main.steps.back();
      std::string key = step.name + step.attributes + step.body;
      for (const test::Var v : step.operands) key += graph.types[v].text();
      for (const test::Var v : step.results) key += graph.types[v].text();
      if (seen.insert(key).second) out.push_back(std::move(graph));
    }
  return out;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSeeds = 8;
constexpr bool kAll = false;
#else
constexpr uint64_t kSeeds = 120;
constexpr bool kAll = true;  // enough to meet every row of the tables
#endif

// ---- what passes through
// ---------------------------------------------------------------------------------------------

struct Row {
  std::string_view what, reason;
};

// Rows that were met, and what is in no row.
class Ledger {
 public:
  Ledger(std::span<const Row> rows, std::string title) : rows_(rows), title_(std::move(title)) {}
  void note(const std::string& what, const std::string& example) {
    for (const Row& row : rows_)
      if (row.what == what) {
        ++met_[what];
        return;
      }
    if (++unknown_[what] == 1) std::cerr << title_ << ": " << what << "\n" << example << "\n";
  }
  void check() const {
    for (const auto& [what, count] : unknown_)
      std::cerr << title_ << ", in no row: " << what << ", " << count << " times\n";
    CHECK(unknown_.empty());
    for (const Row& row : rows_) {
      const auto at = met_.find(std::string(row.what));
      std::cerr << "  " << title_ << ": " << (at == met_.end() ? 0 : at->second) << " " << row.what << " ("
                << row.reason << ")\n";
      if (kAll) CHECK(at != met_.end());
    }
  }

 private:
  std::span<const Row> rows_;
  std::string title_;
  std::map<std::string, int64_t> met_, unknown_;
};

constexpr std::string_view kAlongValues = "XLA has a rule for a cut along what is searched";
constexpr std::string_view kNoPartitionRule = "XLA has no rule for it: computed whole";
constexpr std::string_view kWidth = "XLA has no rule for elements of another width";
constexpr std::string_view kNotPropagated = "GSPMD does not propagate over it: computed whole";
constexpr std::string_view kGroups = "in groups, of whose cuts XLA knows few";
constexpr std::string_view kPlace = "the update goes to any tile, or to several: XLA gathers";
constexpr std::string_view kTransformed = "XLA has a rule for a cut along what is transformed";
constexpr std::string_view kMoved = "as much is cut off as is added: Shardy looks at the extents alone";
constexpr std::string_view kOneSide = "extents without a common divisor, a factor for each side: the cut is undone";
constexpr std::string_view kUneven = "uneven batches of indices are gathered";
constexpr std::string_view kHalo = "XLA has a rule for cuts that windows reach over: computed whole";

constexpr std::array<Row, 3> kNotSeparate = {{
    {"stablehlo.dynamic_update_slice {1} -> {}", kPlace},
    {"stablehlo.pad {0} -> {0}", kMoved},
    {"stablehlo.reshape {0} -> {}", kOneSide},
}};

// Who has the factor: "stablehlo.add {0, 1} -> {0}".
std::string holders(const Subject& subject, size_t factor) {
  const auto listed = [&](const std::vector<TensorFactors>& tensors) {
    std::string out;
    for (size_t i = 0; i < tensors.size(); ++i)
      if (digit_of(subject.rule(), tensors[i], static_cast<FactorIndex>(factor)))
        out += (out.empty() ? "" : ", ") + std::to_string(i);
    return "{" + out + "}";
  };
  return subject.name() + " " + listed(subject.rule().operands) + " -> " + listed(subject.rule().results);
}

TEST_CASE("factor rules: what passes through is computed from its own elements alone", "[factors]") {
  Ledger ledger(kNotSeparate, "passes through in name");
  std::map<std::string, int64_t> of_op;
  int64_t factors = 0, indices = 0, without_rule = 0, not_run = 0;
  for (const RandomGraph& made : subjects(kSeeds)) {
    const Subject subject(made);
    if (!subject.has_rule() || !subject.runs()) {
      ++(subject.has_rule() ? not_run : without_rule);
      std::cerr << (subject.has_rule() ? "not run: " : "no rule: ") << subject.name() << "\n";
      continue;
    }
    ++of_op[subject.name()];
    const Tries tries(subject, 4);
    const FactorRule& rule = subject.rule();
    for (size_t f = 0; f < rule.factor_count(); ++f) {
      if (!passes_through(rule, f) || rule.sizes[f] < 2) continue;
      ++factors;
      const std::vector<PartOf> operands = parts_by(rule, rule.operands, f), results = parts_by(rule, rule.results, f);
      bool alone = true;
      for (int64_t part = 0; part < rule.sizes[f]; ++part, ++indices)
        alone = alone && tries.stay(subject, in_part(operands, part), in_part(results, part));
      if (!alone) ledger.note(holders(subject, f), subject.text() + factor_rule_text(rule));
    }
  }
  std::cerr << factors << " factors that pass through, " << indices << " indices of them, of";
  for (const auto& [op, count] : of_op) std::cerr << ' ' << op << ' ' << count;
  std::cerr << "; " << without_rule << " operations without a rule, " << not_run << " not run\n";
  ledger.check();
}

// ---- cut along it
// ----------------------------------------------------------------------------------------------------

constexpr std::array<Row, 31> kCommunicates = {{
    {"chlo.top_k {0} -> {0, 1}, GSPMD", kAlongValues},
    {"chlo.top_k {0} -> {0, 1}, Shardy", kAlongValues},
    {"stablehlo.batch_norm_inference {0, 1, 2, 3, 4} -> {0}, GSPMD, unevenly", kNoPartitionRule},
    {"stablehlo.batch_norm_inference {0} -> {0}, GSPMD", kNoPartitionRule},
    {"stablehlo.batch_norm_inference {0} -> {0}, GSPMD, unevenly", kNoPartitionRule},
    {"stablehlo.batch_norm_inference {0} -> {0}, Shardy", kNoPartitionRule},
    {"stablehlo.bitcast_convert {0} -> {0}, GSPMD", kWidth},
    {"stablehlo.bitcast_convert {0} -> {0}, GSPMD, unevenly", kWidth},
    {"stablehlo.cholesky {0} -> {0}, GSPMD", kNotPropagated},
    {"stablehlo.cholesky {0} -> {0}, GSPMD, unevenly", kNotPropagated},
    {"stablehlo.convolution {0, 1} -> {0}, GSPMD", kGroups},
    {"stablehlo.convolution {0, 1} -> {0}, Shardy", kGroups},
    {"stablehlo.convolution {0} -> {0}, GSPMD", kGroups},
    {"stablehlo.convolution {0} -> {0}, GSPMD, unevenly", kGroups},
    {"stablehlo.convolution {0} -> {0}, Shardy", kGroups},
    {"stablehlo.dynamic_update_slice {0} -> {0}, GSPMD", kPlace},
    {"stablehlo.dynamic_update_slice {0} -> {0}, GSPMD, unevenly", kPlace},
    {"stablehlo.dynamic_update_slice {0} -> {0}, Shardy", kPlace},
    {"stablehlo.dynamic_update_slice {1} -> {}, GSPMD, unevenly", kPlace},
    {"stablehlo.fft {0} -> {0}, GSPMD", kTransformed},
    {"stablehlo.fft {0} -> {0}, GSPMD, unevenly", kTransformed},
    {"stablehlo.fft {0} -> {0}, Shardy", kTransformed},
    {"stablehlo.pad {0} -> {0}, GSPMD, unevenly", kMoved},
    {"stablehlo.reshape {0} -> {}, GSPMD", kOneSide},
    {"stablehlo.reshape {0} -> {}, GSPMD, unevenly", kOneSide},
    {"stablehlo.reshape {0} -> {}, Shardy", kOneSide},
    {"stablehlo.scatter {0, 1, 2} -> {0}, GSPMD, unevenly", kUneven},
    {"stablehlo.select_and_scatter {0, 1} -> {0}, GSPMD", kHalo},
    {"stablehlo.select_and_scatter {0, 1} -> {0}, GSPMD, unevenly", kHalo},
    {"stablehlo.select_and_scatter {0, 1} -> {0}, Shardy", kHalo},
    {"stablehlo.triangular_solve {0, 1} -> {0}, GSPMD", kNotPropagated},
}};

// The cut of a tensor along a factor by all devices; nothing where the tiles would not be the factor's.
std::optional<std::string> cut_by(const FactorRule& rule, const TensorFactors& tensor, size_t factor, int64_t devices) {
  const std::optional<Digit> digit = digit_of(rule, tensor, static_cast<FactorIndex>(factor));
  if (digit && digit->below > 1 && digit->size % devices != 0) return std::nullopt;
  std::string out;
  for (size_t d = 0; d < tensor.rank(); ++d) {
    const bool here = digit && digit->dim == d;
    out += std::string(d > 0 ? ", " : "") + (here ? "{\"a\"}" : "{}");
    if (!here) continue;
    int64_t above = 1;
    for (const FactorIndex f : tensor.dim(d)) above *= rule.sizes[f];
    if (above != digit->below * digit->size) return std::nullopt;
  }
  return "[" + out + "]";
}

// The operation cut along a factor, as text; nothing where that cannot be written.
std::optional<std::string> cut_text(const Subject& subject, size_t factor, int64_t devices) {
  RandomGraph graph = subject.made();
  const FactorRule& rule = subject.rule();
  graph.mesh = {"", {devices}};
  const test::Step& step = graph.main.steps.back();
  for (size_t i = 0; i < rule.operands.size(); ++i) {
    const std::optional<std::string> cut = cut_by(rule, rule.operands[i], factor, devices);
    if (!cut) return std::nullopt;
    if (subject.argument(i) != Subject::kConstant) graph.given[step.operands[i]] = *cut;
  }
  for (size_t i = 0; i < rule.results.size(); ++i) {
    const std::optional<std::string> cut = cut_by(rule, rule.results[i], factor, devices);
    if (!cut) return std::nullopt;
    graph.result_given[i] = *cut;
  }
  return text_of(graph);
}

struct Partitioned {
  size_t collectives = 0;
  std::string wrong;
};

Partitioned partitioned(const std::string& text, bool by_shardy) {
  SourceManager sources;
  Diagnostics diagnostics;
  INFO(text);
  Result<Program> program = read_mlir(sources.add("cut.mlir", text), sources, diagnostics);
  REQUIRE(program.has_value());
  GspmdOptions gspmd;
  ShardyOptions shardy;
  gspmd.lower = shardy.lower = shardy.through_xla = true;
  const Result<Plan> plan = by_shardy ? propagate_shardy(*program, {}, shardy, diagnostics)
                                      : propagate_gspmd(*program, {}, gspmd, diagnostics);
  INFO(test::told(diagnostics, sources));
  REQUIRE(plan.has_value());
  REQUIRE(plan->lowered != nullptr);
  const LoweredProgram& lowered = *plan->lowered;
  const Result<LocalProgram> local =
      partition(lowered.graph, program->tile_shardings, lowered.shardings, 0, diagnostics, Lowering::right);
  REQUIRE(local.has_value());
  Partitioned out{local->collectives.size(), {}};
  const auto found = simulate({lowered.graph, lowered.shardings, program->tile_shardings, *local}, {}, diagnostics);
  REQUIRE(found.has_value());
  for (size_t i = 0; i < found->outputs.size(); ++i)
    if (!found->agrees(i)) out.wrong = found->outputs[i].found + " instead of " + found->outputs[i].expected;
  return out;
}

TEST_CASE("factor rules: what is cut along a factor that passes through is computed without collectives", "[factors]") {
  Ledger ledger(kCommunicates, "communicates even so");
  int64_t cut = 0, not_written = 0;
  for (const RandomGraph& made : subjects(kSeeds)) {
    const Subject subject(made);
    if (!subject.has_rule() || !subject.runs()) continue;
    const FactorRule& rule = subject.rule();
    for (size_t f = 0; f < rule.factor_count(); ++f) {
      if (!passes_through(rule, f) || rule.sizes[f] < 2) continue;
      for (const int64_t devices : {2, 4}) {
        const std::optional<std::string> text = cut_text(subject, f, devices);
        if (!text) {
          ++not_written;
          continue;
        }
        // Shardy leaves arguments whole that are not cut evenly.
        for (const bool by_shardy : {false, true}) {
          if (by_shardy && rule.sizes[f] % devices != 0) continue;
          ++cut;
          const Partitioned done = partitioned(*text, by_shardy);
          INFO(*text);
          CHECK(done.wrong.empty());
          if (done.collectives > 0)
            ledger.note(holders(subject, f) + (by_shardy                      ? ", Shardy"
                                               : rule.sizes[f] % devices == 0 ? ", GSPMD"
                                                                              : ", GSPMD, unevenly"),
                        *text + factor_rule_text(rule));
        }
      }
    }
  }
  std::cerr << cut << " partitioned along a factor that passes through; " << not_written
            << " could not be written: the factor is not the outer one of its dimension\n";
  ledger.check();
}

// ---- too shy
// ---------------------------------------------------------------------------------------------------------

constexpr std::string_view kBorder = "here a half ends where the window, slice or update does";
constexpr std::array<Row, 12> kShy = {{
    {"stablehlo.concatenate operand 1: need_replication", kBorder},
    {"stablehlo.convolution operand 0: permutation", kBorder},
    {"stablehlo.dynamic_slice operand 0: need_replication, blocked", kBorder},
    {"stablehlo.dynamic_update_slice operand 1: nothing in common", kBorder},
    {"stablehlo.pad operand 0: permutation", kBorder},
    {"stablehlo.reduce_window operand 0: permutation", kBorder},
    {"stablehlo.rng_bit_generator operand 0: need_replication, blocked",
     "the key is handed on as it is, and the counter counted, each a half of the state"},
    {"stablehlo.scatter operand 0: need_replication", "every element starts from its own, wherever updates land"},
    {"stablehlo.select_and_scatter operand 0: permutation", kBorder},
    {"stablehlo.select_and_scatter operand 1: nothing in common", kBorder},
    {"stablehlo.slice operand 0: permutation", kBorder},
    {"stablehlo.triangular_solve operand 1: need_replication",
     "right sides do not meet one another, but Shardy wants them whole"},
}};

// What joins dimension `d` of one tensor and `e` of another: nothing when a factor that passes through does.
std::optional<std::string> relation(const FactorRule& rule, const TensorFactors& a, size_t d, const TensorFactors& b,
                                    size_t e) {
  static constexpr const char* kNames[] = {"passes through", "reduction", "need_replication", "permutation"};
  std::string out = "nothing in common";
  for (const FactorIndex f : a.dim(d)) {
    const std::span<const FactorIndex> other = b.dim(e);
    if (std::find(other.begin(), other.end(), f) == other.end()) continue;
    if (passes_through(rule, f)) return std::nullopt;
    out = std::string(kNames[static_cast<size_t>(rule.kinds[f])]) + (rule.blocked[f] ? ", blocked" : "");
  }
  return out;
}

// Whether half of the result's dimension comes from that half of the operand's dimension, and does come from it.
bool halves_commute(const Subject& subject, const Tries& tries, size_t operand, size_t d, int64_t extent, size_t result,
                    size_t e, int64_t result_extent) {
  std::vector<Belongs> all_operands(subject.rule().operands.size()),
      nothing(subject.rule().results.size(), [](auto) { return false; });
  for (const int64_t half : {0, 1}) {
    const auto of_operand = [=](auto index) { return (index[d] >= (extent + 1) / 2 ? 1 : 0) == half; };
    std::vector<Belongs> kept = all_operands, asked = nothing;
    asked[result] = [=](auto index) { return (index[e] >= (result_extent + 1) / 2 ? 1 : 0) == half; };
    kept[operand] = of_operand;
    if (!tries.stay(subject, kept, asked)) return false;
    kept[operand] = [=](auto index) { return !of_operand(index); };
    if (tries.stay(subject, kept, asked)) return false;
  }
  return true;
}

// Reductions that soon have only one answer show nothing.
bool shows_what_it_uses(const RandomGraph& made) {
  const test::Step& step = made.main.steps.back();
  if (!step.body.empty() && step.name != "stablehlo.sort" && step.body.find("stablehlo.add") == std::string::npos)
    return false;
  return std::none_of(step.operands.begin(), step.operands.end(),
                      [&](test::Var v) { return made.types[v].element == "i1"; });
}

TEST_CASE("factor rules: where halves come from halves without a factor is known", "[factors]") {
  Ledger ledger(kShy, "too shy");
  int64_t pairs = 0;
  for (const RandomGraph& made : subjects(kSeeds)) {
    const Subject subject(made);
    if (!subject.has_rule() || !subject.runs() || !shows_what_it_uses(made)) continue;
    const FactorRule& rule = subject.rule();
    const test::Step& step = made.main.steps.back();
    const Tries tries(subject, 8);
    for (size_t o = 0; o < step.operands.size(); ++o)
      for (size_t r = 0; r < step.results.size(); ++r) {
        const std::vector<int64_t>&from = made.types[step.operands[o]].dims, &to = made.types[step.results[r]].dims;
        for (size_t d = 0; d < from.size(); ++d)
          for (size_t e = 0; e < to.size(); ++e) {
            if (subject.argument(o) == Subject::kConstant || from[d] < 2 || to[e] < 2) continue;
            const std::optional<std::string> joined = relation(rule, rule.operands[o], d, rule.results[r], e);
            if (!joined) continue;
            ++pairs;
            if (halves_commute(subject, tries, o, d, from[d], r, e, to[e]))
              ledger.note(subject.name() + " operand " + std::to_string(o) + ": " + *joined,
                          subject.text() + factor_rule_text(rule) + " dimension " + std::to_string(d) + " and " +
                              std::to_string(e));
          }
      }
  }
  std::cerr << pairs << " pairs of dimensions that no factor lets through\n";
  ledger.check();
}

}  // namespace
}  // namespace sw
