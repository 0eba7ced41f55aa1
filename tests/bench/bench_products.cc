// Products of `run` against Eigen's own, on the same operands:
//
//   bench_products          times, and for each shape the ratio of Eigen's time to ours (1: as fast)
//
// By processor time of the whole process, so that the ratio does not depend on how many threads there are or what else
// the machine does. The kernel is called as the machine calls it: operands brought in order, the result allocated.
#include <benchmark/benchmark.h>

#include <Eigen/Core>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "exec/inputs.h"
#include "exec/kernel.h"
#include "text/hlo/reader.h"

namespace sw {

namespace {

struct Shape {
  int64_t batch, rows, depth, columns;
  bool transposed;  // the right operand is (columns, depth)
};

std::string name_of(const Shape& s) {
  return (s.batch > 1 ? std::to_string(s.batch) + " x " : "") + std::to_string(s.rows) + "x" + std::to_string(s.depth) +
         "x" + std::to_string(s.columns) + (s.transposed ? " transposed" : "");
}

class Product {
 public:
  explicit Product(const Shape& s) : shape_(s) {
    const std::string b = std::to_string(s.batch), m = std::to_string(s.rows), k = std::to_string(s.depth),
                      n = std::to_string(s.columns);
    const std::string right = s.transposed ? n + "," + k : k + "," + n;
    const FileId file = sources_.add(
        "product.hlo", "HloModule m\n\nENTRY e {\n  a = f32[" + b + "," + m + "," + k + "] parameter(0)\n  b = f32[" +
                           b + "," + right + "] parameter(1)\n  ROOT d = f32[" + b + "," + m + "," + n +
                           "] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, " +
                           "rhs_contracting_dims={" + (s.transposed ? "2" : "1") + "}\n}\n");
    program_ = read_hlo(file, sources_, diagnostics_);
    if (!program_.has_value()) return;
    const Graph& graph = program_->graph;
    const BlockId block = graph.entry_block(graph.function(graph.main).body);
    std::string why;
    for (const OpId op : graph.block(block).ops)
      if (graph.op(op).kind == OpKind::dot_general) kernel_ = interp_dot_general({graph, op, &why});
    inputs_ = random_inputs(graph, 0, FloatRange::symmetric);
  }

  bool ready() const { return static_cast<bool>(kernel_); }
  Datum ours() {
    std::vector<Datum> operands = inputs_;
    return kernel_(operands);
  }
  Array eigens() {
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Shape& s = shape_;
    Array out = new_array(ElementType::f32, DimList{s.batch, s.rows, s.columns});
    for (int64_t b = 0; b < s.batch; ++b) {
      const Eigen::Map<const Matrix> left(inputs_[0].array.data<float>() + b * s.rows * s.depth, s.rows, s.depth);
      const float* right = inputs_[1].array.data<float>() + b * s.depth * s.columns;
      Eigen::Map<Matrix> result(out.data<float>() + b * s.rows * s.columns, s.rows, s.columns);
      if (s.transposed)
        result.noalias() = left * Eigen::Map<const Matrix>(right, s.columns, s.depth).transpose();
      else
        result.noalias() = left * Eigen::Map<const Matrix>(right, s.depth, s.columns);
    }
    return out;
  }

 private:
  Shape shape_;
  SourceManager sources_;
  Diagnostics diagnostics_;
  Result<Program> program_ = reported();
  Kernel kernel_;
  std::vector<Datum> inputs_;
};

// Keeps the times to compare them.
class Ratios : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) times_[run.benchmark_name()] = run.GetAdjustedCPUTime();
  }
  void print(const std::vector<Shape>& shapes) const {
    for (const Shape& s : shapes) {
      const auto eigen = times_.find("eigen/" + name_of(s) + "/process_time"),
                 ours = times_.find("run/" + name_of(s) + "/process_time");
      if (eigen != times_.end() && ours != times_.end())
        std::printf("%-32s %4.0f %% of Eigen's speed\n", name_of(s).c_str(), 100 * eigen->second / ours->second);
    }
  }

 private:
  std::map<std::string, double> times_;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> list = {{1, 512, 512, 512, false},    {1, 1024, 1024, 1024, false},
                                          {1, 2048, 2048, 2048, false}, {1, 1024, 1024, 1024, true},
                                          {1, 256, 256, 8192, false},   {64, 128, 128, 128, false},
                                          {256, 64, 32, 64, false},     {64, 128, 128, 128, true}};
  return list;
}

void register_all() {
  for (const Shape& s : shapes())
    for (const bool ours : {false, true}) {
      const auto body = [s, ours](benchmark::State& state) {
        Product product(s);
        if (!product.ready()) return state.SkipWithError("the product cannot be executed");
        for (auto _ : state) {
          if (ours)
            benchmark::DoNotOptimize(product.ours());
          else
            benchmark::DoNotOptimize(product.eigens());
        }
        state.counters["GFlop/s"] =
            benchmark::Counter(2e-9 * static_cast<double>(s.batch * s.rows * s.depth * s.columns),
                               benchmark::Counter::kIsIterationInvariantRate);
      };
      benchmark::RegisterBenchmark(((ours ? "run/" : "eigen/") + name_of(s)).c_str(), body)
          ->MeasureProcessCPUTime()
          ->Unit(benchmark::kMillisecond);
    }
}

}  // namespace

}  // namespace sw

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  sw::register_all();
  sw::Ratios ratios;
  benchmark::RunSpecifiedBenchmarks(&ratios);
  ratios.print(sw::shapes());
  return 0;
}
