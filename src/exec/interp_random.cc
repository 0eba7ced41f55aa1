// Random bits as XLA defines them: a counter goes through Threefry (two words of 32 bits) or Philox (four).
//
// The state is u64[2]: key and counter; with Philox u64[3] too, where the counter has 128 bits. Follows XLA's
// ThreeFryBitGenerator and PhiloxBitGenerator (hlo/builder/lib/prng.cc) and RngBitGeneratorExpander.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "exec/inputs.h"
#include "exec/kernel.h"

namespace sw {

namespace {

using Words2 = std::array<uint32_t, 2>;
using Words4 = std::array<uint32_t, 4>;

Words2 words(uint64_t value) { return {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)}; }
uint64_t joined(uint32_t low, uint32_t high) { return static_cast<uint64_t>(high) << 32 | low; }

// Salmon and others, "Parallel random numbers: as easy as 1, 2, 3": 20 rounds of two words.
Words2 threefry(Words2 x, Words2 key) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {key[0], key[1], 0x1BD11BDAU ^ key[0] ^ key[1]};
  x[0] += keys[0];
  x[1] += keys[1];
  for (uint32_t block = 1; block <= 5; ++block) {
    for (const int rotation : kRotations[(block - 1) % 2]) {
      x[0] += x[1];
      x[1] = (x[1] << rotation | x[1] >> (32 - rotation)) ^ x[0];
    }
    x[0] += keys[block % 3];
    x[1] += keys[(block + 1) % 3] + block;
  }
  return x;
}

// 10 rounds of four words.
Words4 philox(Words4 x, Words2 key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{x[0]} * 0xD2511F53U, b = uint64_t{x[2]} * 0xCD9E8D57U;
    x = {words(b)[1] ^ x[1] ^ key[0], words(b)[0], words(a)[1] ^ x[3] ^ key[1], words(a)[0]};
    key = {key[0] + 0x9E3779B9U, key[1] + 0xBB67AE85U};
  }
  return x;
}

// A row-major position in the array -> the counter of its pair and which of the pair it is. XLA halves the first
// dimension of even extent, else the longest; the halves are interleaved along it.
class Halves {
 public:
  explicit Halves(const DimList& dims) : dims_(dims) {
    const auto even = std::find_if(dims.begin(), dims.end(), [](int64_t d) { return d % 2 == 0; });
    split_ =
        static_cast<size_t>((even != dims.end() ? even : std::max_element(dims.begin(), dims.end())) - dims.begin());
  }
  int64_t counters() const {
    int64_t count = 1;
    for (size_t i = 0; i < dims_.size(); ++i) count *= extent(i);
    return count;
  }
  std::pair<int64_t, size_t> of(int64_t position) const {
    int64_t counter = 0, step = 1;
    size_t half = 0;
    for (size_t i = dims_.size(); i-- > 0; position /= dims_[i]) {
      int64_t at = position % dims_[i];
      if (i == split_) {
        half = static_cast<size_t>(at % 2);
        at /= 2;
      }
      counter += at * step;
      step *= extent(i);
    }
    return {counter, half};
  }

 private:
  int64_t extent(size_t i) const { return i == split_ ? (dims_[i] + 1) / 2 : dims_[i]; }
  DimList dims_;
  size_t split_ = 0;
};

// Fills u32 or u64 numbers and moves the counter on.
void draw_threefry(Array& bits, uint64_t key, uint64_t& counter) {
  const int64_t count = bits.count();
  if (bits.element == ElementType::u64) {
    for (int64_t i = 0; i < count; ++i) {
      const Words2 x = threefry(words(counter + static_cast<uint64_t>(i)), words(key));
      bits.data<uint64_t>()[i] = joined(x[0], x[1]);
    }
    counter += static_cast<uint64_t>(count);
    return;
  }
  const DimList one{1};
  const Halves halves(bits.dims.empty() ? one : bits.dims);
  for (int64_t i = 0; i < count; ++i) {
    const auto [number, half] = halves.of(i);
    bits.data<uint32_t>()[i] = threefry(words(counter + static_cast<uint64_t>(number)), words(key))[half];
  }
  counter += static_cast<uint64_t>(halves.counters());
}

void draw_philox(Array& bits, uint64_t key, uint64_t& low, uint64_t& high) {
  const bool wide = bits.element == ElementType::u64;
  const int64_t per_block = wide ? 2 : 4, count = bits.count(), blocks = (count + per_block - 1) / per_block;
  for (int64_t b = 0; b < blocks; ++b) {
    const uint64_t at = low + static_cast<uint64_t>(b), carried = high + (at < low ? 1 : 0);
    const Words4 x = philox({words(at)[0], words(at)[1], words(carried)[0], words(carried)[1]}, words(key));
    for (int64_t i = b * per_block; i < std::min(count, (b + 1) * per_block); ++i) {
      const auto k = static_cast<size_t>(i - b * per_block);
      if (wide)
        bits.data<uint64_t>()[i] = joined(x[2 * k], x[2 * k + 1]);
      else
        bits.data<uint32_t>()[i] = x[k];
    }
  }
  const uint64_t next = low + static_cast<uint64_t>(blocks);
  if (next < low) ++high;
  low = next;
}

}  // namespace

// What `rng` draws is left to whoever runs it: XLA takes Philox with a key of its own for every compilation. Here an op
// draws the same numbers whenever it runs, by its place in the text, so that two programs made of one text agree.
Kernel interp_rng(const KernelRequest& request) {
  const Type result = request.result();
  const AttrId attr = request.graph.attr(request.op(), "rng_distribution");
  const std::string_view name = attr.valid() ? request.graph.attr_table.get(attr).text : std::string_view();
  const bool normal = name.find("NORMAL") != std::string_view::npos || name.find("normal") != std::string_view::npos;
  const bool uniform = name.find("UNIFORM") != std::string_view::npos || name.find("uniform") != std::string_view::npos;
  const bool floats = is_floating(result.element), integers = is_integer(result.element);
  if (!(normal && floats) && !(uniform && (floats || integers || result.element == ElementType::pred)))
    return request.refused("a distribution that is neither uniform nor a normal one of floats");
  if (request.operand_count() < 2 || request.operand(0).rank() != 0 || request.operand(1).rank() != 0)
    return request.refused("its parameters are not two scalars");
  return [normal, floats, element = result.element, dims = DimList(result.dims),
          seed = request.op().where.begin](std::span<Datum> operands) -> Datum {
    RandomNumbers numbers(seed, 1);
    Array drawn = new_array(floats ? ElementType::f64 : ElementType::s64, dims);
    if (floats) {
      const double a = converted(operands[0].array, ElementType::f64).data<double>()[0];
      const double b = converted(operands[1].array, ElementType::f64).data<double>()[0];
      for (int64_t i = 0; i < drawn.count(); ++i) {
        const double u = numbers.uniform();
        // Box and Muller; 1 - u is never zero.
        drawn.data<double>()[i] =
            normal ? a + b * std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * std::numbers::pi * numbers.uniform())
                   : a + (b - a) * u;
      }
    } else {
      const int64_t low = integer_at(operands[0].array, 0);
      // Differences wrap, as unsigned numbers do.
      const uint64_t width = static_cast<uint64_t>(integer_at(operands[1].array, 0)) - static_cast<uint64_t>(low);
      for (int64_t i = 0; i < drawn.count(); ++i)
        drawn.data<int64_t>()[i] =
            static_cast<int64_t>(static_cast<uint64_t>(low) + (width == 0 ? 0 : numbers.bits() % width));
    }
    return converted(drawn, element);
  };
}

Kernel interp_rng_bit_generator(const KernelRequest& request) {
  const Type result = request.result(), state = request.operand(0);
  if (result.kind != TypeKind::tuple || result.elements.size() != 2 || state.element != ElementType::u64 ||
      state.rank() != 1 || state.dims[0] < 2 || state.dims[0] > 3)
    return request.refused("its state is not u64[2] or u64[3]");
  const Type bits = request.graph.types.get(result.elements[1]);
  if (!is_integer(bits.element)) return request.refused("random bits of this element type cannot be executed");
  std::string algorithm;
  for (const std::string_view name : {"rng_algorithm", "algorithm"})
    if (const AttrId attr = request.graph.attr(request.op(), name); attr.valid())
      algorithm = request.graph.attr_table.get(attr).text;
  std::transform(algorithm.begin(), algorithm.end(), algorithm.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const bool is_threefry =
      algorithm.find("three_fry") != std::string::npos || algorithm.find("threefry") != std::string::npos;
  if (is_threefry && state.dims[0] != 2) return request.refused("its state is not u64[2]");
  return [is_threefry, element = bits.element, dims = DimList(bits.dims)](std::span<Datum> operands) {
    const Array& before = operands[0].array;
    Array after = new_array(before.element, before.dims);
    const bool long_counter = before.dims[0] == 3;
    const auto* old = before.data<uint64_t>();
    const uint64_t key = old[0];
    // With a short state the key is the high half of Philox's counter as well.
    uint64_t low = old[1], high = long_counter ? old[2] : old[0];
    Array drawn = new_array(sw::bits(element) > 32 ? ElementType::u64 : ElementType::u32, dims);
    if (is_threefry)
      draw_threefry(drawn, key, low);
    else
      draw_philox(drawn, key, low, high);
    auto* now = after.data<uint64_t>();
    now[0] = key;
    now[1] = low;
    if (long_counter) now[2] = high;
    return make_tuple_datum({after, converted(drawn, element)});
  };
}

}  // namespace sw
