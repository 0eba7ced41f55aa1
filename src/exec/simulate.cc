#include "exec/simulate.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include "exec/kernel.h"
#include "exec/peak.h"
#include "sharding/tile_algebra.h"

namespace sw {

namespace {

class Simulator {
 public:
  Simulator(const ProgramPair& programs, const SimulateOptions& options, Diagnostics& diagnostics)
      : programs_(programs), options_(options), diagnostics_(diagnostics) {
    const BlockId block = programs.whole.entry_block(programs.whole.function(programs.whole.main).body);
    for (uint32_t i = 0; i < programs.whole.block(block).arg_count; ++i)
      parameters_.push_back(programs.whole.arg(block, i));
    root_ = programs.whole.operands(programs.whole.block(block).ops.back())[0];
  }

  tl::expected<Simulation, SimulateError> run() {
    out_.tolerance = options_.tolerance.value_or(default_tolerance(programs_.whole));
    out_.random_inputs = options_.inputs.empty();
    out_.steps = options_.steps;
    out_.every_value = options_.every_value;
    if (const OpId draw = drawn_in_pieces(); draw.valid()) {
      diagnostics_.error(DiagnosticKind::unsupported, programs_.local.graph.op(draw).where,
                         "every device draws numbers of its own here (`rng`), so there is nothing to compare");
      return tl::make_unexpected(SimulateError::unsupported);
    }
    std::vector<Datum> inputs = options_.inputs;
    if (const auto error = run_both(inputs, Precision::as_written)) return tl::make_unexpected(*error);
    if (!out_.agrees())
      if (const auto error = run_both(inputs, Precision::wide)) return tl::make_unexpected(*error);
    return std::move(out_);
  }

 private:
  // An `rng` of the partitioned program that gives less than the one it was made from.
  OpId drawn_in_pieces() const {
    const auto count_of = [](const Graph& graph, OpId op) { return product(graph.type_of(graph.result(op)).dims); };
    const auto draws = [](const Graph& graph) {
      std::vector<OpId> ops;
      for (size_t i = 0; i < graph.op_count(); ++i)
        if (graph.op(OpId{i}).kind == OpKind::rng) ops.push_back(OpId{i});
      return ops;
    };
    std::map<uint32_t, int64_t> whole;
    for (const OpId op : draws(programs_.whole))
      whole[programs_.whole.op(op).where.begin] = count_of(programs_.whole, op);
    const Graph& local = programs_.local.graph;
    for (const OpId op : draws(local))
      if (const auto at = whole.find(local.op(op).where.begin); at == whole.end() || at->second != count_of(local, op))
        return op;
    return {};
  }

  std::optional<SimulateError> run_both(std::vector<Datum>& inputs, Precision precision) {
    const int64_t devices = programs_.local.device_count;
    Result<Executable> whole =
        Executable::prepare(programs_.whole, {&programs_.table, programs_.shardings, devices}, precision, diagnostics_);
    Result<Executable> local =
        Executable::prepare(programs_.local.graph, {nullptr, {}, devices}, precision, diagnostics_);
    if (!whole.has_value() || !local.has_value()) return SimulateError::unsupported;
    const int64_t peak = peak_bytes(*local), whole_peak = peak_bytes(*whole);
    if (precision == Precision::as_written) out_.predicted = peak;
    if (!fits(whole_peak, peak)) return SimulateError::too_large;
    if (inputs.empty()) inputs = random_inputs(programs_.whole, options_.seed, out_.range);
    std::optional<ValueCheck> check;
    start_check(precision, whole_peak, peak, check);
    std::optional<std::vector<Replicas>> expected = run_whole(*whole, inputs, check);
    if (!expected.has_value()) return SimulateError::failed;
    if (out_.random_inputs && out_.range == FloatRange::symmetric && precision == Precision::as_written &&
        senseless(*expected)) {
      out_.range = FloatRange::positive;
      inputs = random_inputs(programs_.whole, options_.seed, FloatRange::positive);
      start_check(precision, whole_peak, peak, check);
      expected = run_whole(*whole, inputs, check);
      if (!expected.has_value()) return SimulateError::failed;
    }
    if (options_.keep_arrays && precision == Precision::as_written) {
      for (const Datum& input : inputs) collect_leaves(input, out_.inputs);
      for (const Replicas& leaf : *expected) out_.results.push_back(leaf.on(0).array);
    }
    return run_local(*local, inputs, *expected, check);
  }

  double tolerance(Precision precision) const {
    constexpr double kWideTolerance = 1e-9;
    return precision == Precision::wide ? kWideTolerance : out_.tolerance;
  }

  // What is left beside the two programs is for values that are kept.
  void start_check(Precision precision, int64_t whole, int64_t local, std::optional<ValueCheck>& check) const {
    if (!options_.every_value) return;
    const double rest = static_cast<double>(options_.memory) - needed(whole, local);
    check.emplace(programs_.local, programs_.table, tolerance(precision), static_cast<int64_t>(std::min(rest, 0x1p62)));
  }

  double needed(int64_t whole, int64_t local) const {
    return static_cast<double>(whole) + static_cast<double>(local) * static_cast<double>(programs_.local.device_count);
  }

  // Both programs at once, the pieces of all devices together.
  bool fits(int64_t whole, int64_t local) {
    if (needed(whole, local) <= static_cast<double>(options_.memory)) return true;
    constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
    const auto gib = [&](double bytes) {
      std::string text = std::to_string(std::round(bytes / kGiB * 10) / 10);
      return text.substr(0, text.find('.') + 2) + " GiB";
    };
    diagnostics_
        .error(DiagnosticKind::too_large, {},
               "running this takes about " + gib(needed(whole, local)) +
                   " of memory: " + gib(static_cast<double>(whole)) + " for the program as written, " +
                   gib(static_cast<double>(local)) + " on each of " + std::to_string(programs_.local.device_count) +
                   " devices; this machine does not have that left")
        .help("smaller shapes or fewer devices (`--mesh`) show the same collectives");
    return false;
  }

  // Which result of the step before argument i is.
  std::optional<size_t> fed(size_t step, size_t argument) const {
    if (step == 0) return std::nullopt;
    for (const Feed& feed : options_.feeds)
      if (feed.argument == argument) return feed.result;
    return std::nullopt;
  }

  // The leaves of the result of the last step.
  std::optional<std::vector<Replicas>> run_whole(const Executable& program, const std::vector<Datum>& inputs,
                                                 std::optional<ValueCheck>& check) {
    MachineOptions options;
    options.device_count = programs_.local.device_count;
    options.measure_memory = false;
    if (check.has_value()) options.watch = [&](ValueId value, const Replicas& made) { check->keep(value, made); };
    Machine machine(program, options);
    std::vector<Replicas> results;
    curves_.clear();
    for (size_t step = 0; step < static_cast<size_t>(options_.steps); ++step) {
      std::vector<Replicas> args;
      for (size_t i = 0; i < inputs.size(); ++i) {
        const std::optional<size_t> from = fed(step, i);
        args.push_back(from.has_value() ? std::move(results[*from]) : Replicas{{held(inputs[i], program.precision())}});
      }
      results.clear();
      const std::optional<Replicas> result = machine.run(std::move(args));
      if (!result.has_value()) {
        report_failure(machine, programs_.whole);
        return std::nullopt;
      }
      results = leaves_of(*result);
      if (options_.steps > 1) note_expected(results);
    }
    return results;
  }

  // Scalars that are not fed back are what a step is judged by.
  void note_expected(const std::vector<Replicas>& results) {
    if (curves_.empty())
      for (size_t i = 0; i < results.size(); ++i) {
        const Array& array = results[i].on(0).array;
        const bool back = std::any_of(options_.feeds.begin(), options_.feeds.end(),
                                      [&](const Feed& feed) { return feed.result == i; });
        if (back || !array.dims.empty() || !is_floating(array.element)) continue;
        curves_.emplace_back();
        curves_.back().result = i;
        curves_.back().as_written.element = array.element;
      }
    for (Curve& curve : curves_) curve.expected.push_back(scalar(results[curve.result].on(0).array));
  }

  static double scalar(const Array& array) { return converted(array, ElementType::f64).data<double>()[0]; }

  static Datum held(const Datum& datum, Precision precision) {
    if (datum.is_array()) return converted(datum.array, held_as(datum.array.element, precision));
    std::vector<Datum> elements;
    for (const Datum& element : *datum.elements) elements.push_back(held(element, precision));
    return make_tuple_datum(std::move(elements));
  }

  // NaN, or so large that the smallest change of the inputs decides what overflows: such results show nothing.
  static bool senseless(const std::vector<Replicas>& values) {
    constexpr double kHuge = 1e18;  // f32 overflows when it is squared
    for (const Replicas& replicas : values) {
      const Array& leaf = replicas.on(0).array;
      if (!is_floating(leaf.element) && !is_complex(leaf.element)) continue;
      const Array numbers = converted(leaf, ElementType::c128);
      const auto* value = numbers.data<std::complex<double>>();
      for (int64_t i = 0; i < numbers.count(); ++i)
        if (!(std::abs(value[i]) < kHuge)) return true;
    }
    return false;
  }

  std::optional<SimulateError> run_local(const Executable& program, const std::vector<Datum>& inputs,
                                         const std::vector<Replicas>& expected, std::optional<ValueCheck>& check) {
    MachineOptions options;
    options.device_count = programs_.local.device_count;
    if (check.has_value()) options.watch = [&](ValueId value, const Replicas& made) { check->compare(value, made); };
    Machine machine(program, options);
    result_shardings_.clear();
    leaf_shardings(programs_.shardings[root_.index()], programs_.table, expected.size(), result_shardings_);
    std::vector<Replicas> results;
    for (size_t step = 0; step < static_cast<size_t>(options_.steps); ++step) {
      std::vector<Replicas> args;
      for (size_t i = 0; i < inputs.size(); ++i) {
        args.emplace_back();
        if (!give_argument(machine, i, fed(step, i), held(inputs[i], program.precision()), expected, results,
                           args.back()))
          return SimulateError::unsupported;
      }
      results.clear();
      const std::optional<Replicas> found = machine.run(std::move(args));
      if (!found.has_value()) {
        report_failure(machine, programs_.local.graph);
        return SimulateError::failed;
      }
      results = leaves_of(*found);
      for (Curve& curve : curves_)
        curve.found.push_back(scalar(join_pieces(results[curve.result], {}, result_shardings_[curve.result],
                                                 programs_.table, programs_.local.device_count)));
    }
    compare(expected, results, program.precision(), check);
    if (program.precision() == Precision::as_written) note_measured(machine);
    return std::nullopt;
  }

  // Argument i in pieces: of its input, or of the result that is fed back, which stays where it is when it is cut as
  // the argument is.
  bool give_argument(Machine& machine, size_t i, std::optional<size_t> from, Datum input,
                     const std::vector<Replicas>& expected, std::vector<Replicas>& results, Replicas& out) {
    const TileShardingId wanted = programs_.shardings[parameters_[i].index()];
    if (from.has_value()) {
      const TileShardingId had = result_shardings_[*from];
      if (same_sharding(given_sharding(had, programs_.table), given_sharding(wanted, programs_.table))) {
        out = std::move(results[*from]);
        return true;
      }
      input = join_pieces(results[*from], expected[*from].on(0).array.dims, had, programs_.table,
                          programs_.local.device_count);
      results[*from].items.clear();
    }
    if (cut_to_pieces(input, wanted, programs_.table, machine, out)) return true;
    diagnostics_.error(DiagnosticKind::unsupported, programs_.whole.value(parameters_[i]).where,
                       "an argument that is manual or unreduced cannot be given to the devices");
    return false;
  }

  void note_measured(const Machine& machine) {
    for (const Collective& c : programs_.local.collectives) {
      const auto at = machine.traffic().find(c.op);
      out_.traffic.push_back(at != machine.traffic().end() ? at->second : Traffic{});
    }
    const auto most = std::max_element(machine.high_water().begin(), machine.high_water().end());
    out_.high_water_of = machine.high_water();
    out_.high_water = *most;
    out_.high_water_device = most - machine.high_water().begin();
  }

  void compare(const std::vector<Replicas>& expected, const std::vector<Replicas>& found, Precision precision,
               const std::optional<ValueCheck>& check) {
    const bool wide = precision == Precision::wide;
    for (size_t i = 0; i < expected.size(); ++i)
      (wide ? out_.wide : out_.outputs)
          .push_back(compare_pieces(expected[i], found[i], result_shardings_[i], programs_.table,
                                    programs_.local.device_count, tolerance(precision)));
    for (size_t c = 0; c < curves_.size(); ++c) {
      Curve& curve = curves_[c];
      const ArrayDifference difference = compare_numbers(curve.expected, curve.found, tolerance(precision));
      if (wide) {
        out_.curves[c].wide = difference;
      } else {
        const ElementType element = curve.as_written.element;
        curve.as_written = difference;
        curve.as_written.element = element;
        out_.curves.push_back(curve);
      }
    }
    if (check.has_value()) note_values(check->take(), wide);
  }

  void note_values(ValueDifferences found, bool wide) {
    if (!wide) {
      for (ValueDifference& value : found.values) out_.values.push_back({std::move(value), {}});
      out_.values_not_lined_up = found.not_lined_up;
      out_.values_without_room = found.no_room;
      return;
    }
    std::map<ValueId, const ValueDifference*> by_value;
    for (const ValueDifference& value : found.values) by_value[value.value] = &value;
    for (ValueOutcome& outcome : out_.values)
      if (const auto at = by_value.find(outcome.as_written.value); at != by_value.end())
        outcome.wide = at->second->worst;
  }

  void report_failure(const Machine& machine, const Graph& graph) {
    const Op& op = graph.op(machine.failed_at());
    diagnostics_.error(DiagnosticKind::run_failed, op.where,
                       "`" + std::string(graph.strings.text(op.name)) + "` cannot go on: " + machine.error());
  }

  const ProgramPair& programs_;
  const SimulateOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<ValueId> parameters_;
  ValueId root_;
  std::vector<TileShardingId> result_shardings_;  // by leaf
  std::vector<Curve> curves_;                     // of the pair of runs that is on
  Simulation out_;
};

}  // namespace

bool agree(const ArrayDifference& as_written, const ArrayDifference* wide) {
  if (as_written.wrong == 0) return true;
  if (wide == nullptr) return false;
  constexpr double kShrinks = 1e-6;  // f64 has 2^29 times the precision of f32
  return wide->wrong == 0 || (std::isfinite(as_written.absolute) && wide->absolute <= kShrinks * as_written.absolute);
}

bool Simulation::agrees() const {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!agrees(i)) return false;
  return std::all_of(curves.begin(), curves.end(), [](const Curve& curve) { return curve.agrees(); }) &&
         std::all_of(values.begin(), values.end(), [](const ValueOutcome& value) { return value.agrees(); });
}

double default_tolerance(const Graph& graph) {
  double tolerance = 1e-10;
  for (size_t i = 0; i < graph.value_count(); ++i) {
    const Type type = graph.type_of(ValueId{i});
    if (!type.is_array()) continue;
    switch (type.element) {
      case ElementType::f64:
      case ElementType::c128: break;
      case ElementType::f32:
      case ElementType::c64: tolerance = std::max(tolerance, 1e-5); break;
      case ElementType::f16: tolerance = std::max(tolerance, 4e-3); break;
      case ElementType::bf16: tolerance = std::max(tolerance, 3e-2); break;
      default:
        if (is_floating(type.element)) tolerance = std::max(tolerance, 0.25);
    }
  }
  return tolerance;
}

tl::expected<Simulation, SimulateError> simulate(const ProgramPair& programs, const SimulateOptions& options,
                                                 Diagnostics& diagnostics) {
  return Simulator(programs, options, diagnostics).run();
}

}  // namespace sw
