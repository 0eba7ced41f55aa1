#include "exec/simulate.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "exec/kernel.h"
#include "exec/peak.h"

namespace sw {

namespace {

class Simulator {
 public:
  Simulator(const ProgramPair& programs, const SimulateOptions& options, Diagnostics& diagnostics)
      : programs_(programs), options_(options), diagnostics_(diagnostics) {}

  tl::expected<Simulation, SimulateError> run() {
    out_.tolerance = options_.tolerance.value_or(default_tolerance(programs_.whole));
    out_.random_inputs = options_.inputs.empty();
    std::vector<Datum> inputs = options_.inputs;
    if (const auto error = run_both(inputs, Precision::as_written)) return tl::make_unexpected(*error);
    if (!out_.agrees())
      if (const auto error = run_both(inputs, Precision::wide)) return tl::make_unexpected(*error);
    return std::move(out_);
  }

 private:
  std::optional<SimulateError> run_both(std::vector<Datum>& inputs, Precision precision) {
    const int64_t devices = programs_.local.device_count;
    Result<Executable> whole =
        Executable::prepare(programs_.whole, {&programs_.table, programs_.shardings, devices}, precision, diagnostics_);
    Result<Executable> local =
        Executable::prepare(programs_.local.graph, {nullptr, {}, devices}, precision, diagnostics_);
    if (!whole.has_value() || !local.has_value()) return SimulateError::unsupported;
    const int64_t peak = peak_bytes(*local);
    if (precision == Precision::as_written) out_.predicted = peak;
    if (!fits(peak_bytes(*whole), peak)) return SimulateError::too_large;
    if (inputs.empty()) inputs = random_inputs(programs_.whole, options_.seed, out_.range);
    std::optional<Replicas> expected = run_whole(*whole, inputs);
    if (!expected.has_value()) return SimulateError::failed;
    if (out_.random_inputs && out_.range == FloatRange::symmetric && precision == Precision::as_written &&
        senseless(*expected)) {
      out_.range = FloatRange::positive;
      inputs = random_inputs(programs_.whole, options_.seed, FloatRange::positive);
      expected = run_whole(*whole, inputs);
      if (!expected.has_value()) return SimulateError::failed;
    }
    if (options_.keep_arrays && precision == Precision::as_written) {
      for (const Datum& input : inputs) collect_leaves(input, out_.inputs);
      collect_leaves(expected->on(0), out_.results);
    }
    return run_local(*local, inputs, *expected);
  }

  // Both programs at once, the pieces of all devices together.
  bool fits(int64_t whole, int64_t local) {
    const auto needed =
        static_cast<double>(whole) + static_cast<double>(local) * static_cast<double>(programs_.local.device_count);
    if (needed <= static_cast<double>(options_.memory)) return true;
    constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
    const auto gib = [&](double bytes) {
      std::string text = std::to_string(std::round(bytes / kGiB * 10) / 10);
      return text.substr(0, text.find('.') + 2) + " GiB";
    };
    diagnostics_
        .error(DiagnosticKind::too_large, {},
               "running this takes about " + gib(needed) + " of memory: " + gib(static_cast<double>(whole)) +
                   " for the program as written, " + gib(static_cast<double>(local)) + " on each of " +
                   std::to_string(programs_.local.device_count) + " devices; this machine does not have that left")
        .help("smaller shapes or fewer devices (`--mesh`) show the same collectives");
    return false;
  }

  std::optional<Replicas> run_whole(const Executable& program, const std::vector<Datum>& inputs) {
    Machine machine(program, {programs_.local.device_count, false});
    std::vector<Replicas> args;
    for (const Datum& input : inputs) args.push_back({{held(input, program.precision())}});
    std::optional<Replicas> result = machine.run(std::move(args));
    if (!result.has_value()) report_failure(machine, programs_.whole);
    return result;
  }

  static Datum held(const Datum& datum, Precision precision) {
    if (datum.is_array()) return converted(datum.array, held_as(datum.array.element, precision));
    std::vector<Datum> elements;
    for (const Datum& element : *datum.elements) elements.push_back(held(element, precision));
    return make_tuple_datum(std::move(elements));
  }

  // NaN, or so large that the smallest change of the inputs decides what overflows: such results show nothing.
  static bool senseless(const Replicas& values) {
    constexpr double kHuge = 1e18;  // f32 overflows when it is squared
    std::vector<Array> leaves;
    collect_leaves(values.on(0), leaves);
    for (const Array& leaf : leaves) {
      if (!is_floating(leaf.element) && !is_complex(leaf.element)) continue;
      const Array numbers = converted(leaf, ElementType::c128);
      const auto* value = numbers.data<std::complex<double>>();
      for (int64_t i = 0; i < numbers.count(); ++i)
        if (!(std::abs(value[i]) < kHuge)) return true;
    }
    return false;
  }

  std::optional<SimulateError> run_local(const Executable& program, const std::vector<Datum>& inputs,
                                         const Replicas& expected) {
    Machine machine(program, {programs_.local.device_count});
    const bool wide = program.precision() == Precision::wide;
    const Graph& whole = programs_.whole;
    const BlockId block = whole.entry_block(whole.function(whole.main).body);
    std::vector<Replicas> args;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ValueId parameter = whole.arg(block, i);
      args.emplace_back();
      if (!cut_to_pieces(held(inputs[i], program.precision()), programs_.shardings[parameter.index()], programs_.table,
                         machine, args.back())) {
        diagnostics_.error(DiagnosticKind::unsupported, whole.value(parameter).where,
                           "an argument that is manual or unreduced cannot be given to the devices");
        return SimulateError::unsupported;
      }
    }
    const std::optional<Replicas> found = machine.run(std::move(args));
    if (!found.has_value()) {
      report_failure(machine, programs_.local.graph);
      return SimulateError::failed;
    }
    constexpr double kWideTolerance = 1e-9;
    compare(expected, *found, wide ? kWideTolerance : out_.tolerance, wide ? out_.wide : out_.outputs);
    if (wide) return std::nullopt;
    for (const Collective& c : programs_.local.collectives) {
      const auto at = machine.traffic().find(c.op);
      out_.traffic.push_back(at != machine.traffic().end() ? at->second : Traffic{});
    }
    const auto most = std::max_element(machine.high_water().begin(), machine.high_water().end());
    out_.high_water = *most;
    out_.high_water_device = most - machine.high_water().begin();
    return std::nullopt;
  }

  void compare(const Replicas& expected, const Replicas& found, double tolerance, std::vector<ArrayDifference>& out) {
    const Graph& whole = programs_.whole;
    const BlockId block = whole.entry_block(whole.function(whole.main).body);
    const ValueId root = whole.operands(whole.block(block).ops.back())[0];
    const std::vector<Replicas> wanted = leaves_of(expected), pieces = leaves_of(found);
    std::vector<TileShardingId> shardings;
    leaf_shardings(programs_.shardings[root.index()], programs_.table, wanted.size(), shardings);
    for (size_t i = 0; i < wanted.size(); ++i)
      out.push_back(
          compare_pieces(wanted[i], pieces[i], shardings[i], programs_.table, programs_.local.device_count, tolerance));
  }

  void report_failure(const Machine& machine, const Graph& graph) {
    const Op& op = graph.op(machine.failed_at());
    diagnostics_.error(DiagnosticKind::run_failed, op.where,
                       "`" + std::string(graph.strings.text(op.name)) + "` cannot go on: " + machine.error());
  }

  const ProgramPair& programs_;
  const SimulateOptions& options_;
  Diagnostics& diagnostics_;
  Simulation out_;
};

}  // namespace

bool Simulation::agrees(size_t output) const {
  if (outputs[output].wrong == 0) return true;
  if (wide.empty()) return false;
  constexpr double kShrinks = 1e-6;  // f64 has 2^29 times the precision of f32
  return wide[output].wrong == 0 ||
         (std::isfinite(outputs[output].absolute) && wide[output].absolute <= kShrinks * outputs[output].absolute);
}

bool Simulation::agrees() const {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!agrees(i)) return false;
  return true;
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
