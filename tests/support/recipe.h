// Programs from a seeded generator, for properties that hold whatever the program is: text, with random open and closed
// shardings on arguments and constraints inside.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace sw::test {

struct Axis {
  std::string name;
  int size;
};

// A generated program; printing it with other axis names, another mesh order or more annotations gives variants of it.
class Recipe {
 public:
  explicit Recipe(unsigned seed, bool constraints = true) : random_(seed), constraints_(constraints) {
    const int args = pick(2, 4);
    for (int i = 0; i < args; ++i) add_value("%arg" + std::to_string(i), {size(), size()});
    args_ = values_.size();
    const int ops = pick(4, 14);
    for (int i = 0; i < ops; ++i) add_op();
  }

  // `annotations`: sharding dims by value name; an empty map stands for the random ones.
  std::string text(const std::vector<Axis>& mesh, const std::map<std::string, std::string>& rename,
                   const std::map<std::string, std::string>& annotations) const {
    std::ostringstream out;
    out << "sdy.mesh @mesh = <[";
    for (size_t i = 0; i < mesh.size(); ++i)
      out << (i > 0 ? ", " : "") << '"' << renamed(rename, mesh[i].name) << "\"=" << mesh[i].size;
    out << "]>\nfunc.func @main(";
    for (size_t i = 0; i < args_; ++i) {
      out << (i > 0 ? ", " : "") << values_[i].name << ": " << type(values_[i]);
      const std::string dims = dims_of(values_[i], rename, annotations);
      if (!dims.empty()) out << " {sdy.sharding = #sdy.sharding<@mesh, " << dims << ">}";
    }
    const Value& last = values_.back();
    const Value& other = values_[values_.size() - 2];
    out << ") -> (" << type(last) << ", " << type(other) << ") {\n";
    for (size_t i = args_; i < values_.size(); ++i) out << line(values_[i], rename, annotations);
    out << "  return " << last.name << ", " << other.name << " : " << type(last) << ", " << type(other) << "\n}\n";
    return out.str();
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const Value& value : values_) out.push_back(value.name);
    return out;
  }
  size_t arg_count() const { return args_; }
  std::string given(size_t arg) const { return values_[arg].sharding; }

 private:
  struct Value {
    std::string name;
    std::vector<int> shape;
    std::string op;  // with %s for the annotation
    std::string sharding;
    bool constraint = false;
  };

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  int size() { return 8 << pick(0, 1); }

  static std::string type(const Value& value) {
    std::string out = "tensor<";
    for (const int dim : value.shape) out += std::to_string(dim) + "x";
    return out + "f32>";
  }
  static std::string renamed(const std::map<std::string, std::string>& rename, const std::string& name) {
    const auto found = rename.find(name);
    return found == rename.end() ? name : found->second;
  }

  std::string random_dims(size_t rank) {
    std::vector<std::string> left{"a", "b", "c"};
    std::shuffle(left.begin(), left.end(), random_);
    std::string out = "[";
    for (size_t d = 0; d < rank; ++d) {
      if (d > 0) out += ", ";
      std::string axes;
      for (int k = pick(0, 3) / 2; k > 0 && !left.empty(); --k) {
        axes += (axes.empty() ? "" : ", ") + ("\"" + left.back() + "\"");
        left.pop_back();
      }
      const bool open = pick(0, 1) == 1;
      out += "{" + axes + (open ? axes.empty() ? "?" : ", ?" : "") + "}";
    }
    return out + "]";
  }

  void add_value(std::string name, std::vector<int> shape) {
    Value value;
    value.name = std::move(name);
    value.shape = std::move(shape);
    if (pick(0, 2) > 0) value.sharding = random_dims(value.shape.size());
    values_.push_back(value);
  }

  void add_op() {
    const Value& a = values_[static_cast<size_t>(pick(0, static_cast<int>(values_.size()) - 1))];
    Value made;
    made.name = "%" + std::to_string(values_.size() - args_);
    made.shape = a.shape;
    const auto unary = [&](const std::string& op) { made.op = op + " " + a.name; };
    switch (pick(0, constraints_ ? 5 : 4)) {
      case 0: {
        std::vector<const Value*> same;
        for (const Value& b : values_)
          if (b.shape == a.shape) same.push_back(&b);
        const Value& b = *same[static_cast<size_t>(pick(0, static_cast<int>(same.size()) - 1))];
        made.op = "stablehlo.add " + a.name + ", " + b.name;
        break;
      }
      case 1:
        made.shape = {a.shape[1], a.shape[0]};
        made.op = "stablehlo.transpose " + a.name + ", dims = [1, 0] : (" + type(a) + ") -> " + type(made);
        break;
      case 2: {
        std::vector<const Value*> fit;
        for (const Value& b : values_)
          if (b.shape[0] == a.shape[1]) fit.push_back(&b);
        if (fit.empty()) return;
        const Value& b = *fit[static_cast<size_t>(pick(0, static_cast<int>(fit.size()) - 1))];
        made.shape = {a.shape[0], b.shape[1]};
        made.op = "stablehlo.dot_general " + a.name + ", " + b.name + ", contracting_dims = [1] x [0] : (" + type(a) +
                  ", " + type(b) + ") -> " + type(made);
        break;
      }
      case 3:
        made.shape = {a.shape[0] / 2, a.shape[1] * 2};
        made.op = "stablehlo.reshape " + a.name + " : (" + type(a) + ") -> " + type(made);
        break;
      case 5:
        made.constraint = true;
        made.sharding = random_dims(2);
        made.op = "sdy.sharding_constraint " + a.name;
        break;
      default: unary(pick(0, 1) == 0 ? "stablehlo.sine" : "stablehlo.negate"); break;
    }
    values_.push_back(made);
  }

  std::string dims_of(const Value& value, const std::map<std::string, std::string>& rename,
                      const std::map<std::string, std::string>& annotations) const {
    std::string dims = value.sharding;
    if (!annotations.empty()) {
      const auto found = annotations.find(value.name);
      dims = found == annotations.end() ? "" : found->second;
    }
    for (const auto& [from, to] : rename)
      for (size_t at = 0; (at = dims.find("\"" + from + "\"", at)) != std::string::npos; at += to.size() + 2)
        dims.replace(at, from.size() + 2, "\"" + to + "\"");
    return dims;
  }

  std::string line(const Value& value, const std::map<std::string, std::string>& rename,
                   const std::map<std::string, std::string>& annotations) const {
    std::string dims = dims_of(value, rename, annotations);
    std::string op = value.op;
    if (value.constraint) {
      if (dims.empty()) dims = "[{}, {}]";
      return "  " + value.name + " = " + op + " <@mesh, " + dims + "> : " + type(value) + "\n";
    }
    const std::string attr =
        annotations.empty() || dims.empty() ? "" : " {sdy.sharding = #sdy.sharding_per_value<[<@mesh, " + dims + ">]>}";
    const size_t colon = op.find(" : ");
    if (colon == std::string::npos) return "  " + value.name + " = " + op + attr + " : " + type(value) + "\n";
    return "  " + value.name + " = " + op.substr(0, colon) + attr + op.substr(colon) + "\n";
  }

  std::mt19937 random_;
  bool constraints_ = true;
  std::vector<Value> values_;
  size_t args_ = 0;
};

inline const std::vector<Axis> kRecipeMesh = {{"a", 2}, {"b", 2}, {"c", 4}};

}  // namespace sw::test
