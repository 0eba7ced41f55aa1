// One function a formula; tables of coefficients stand in front of the function that uses them, highest power or order
// first. Sources of the formulas: Cephes (erfc, bessel_i1e, zeta), Lanczos' approximation with g = 7 and n = 9 (lgamma,
// digamma), M. Giles (erf_inv).
#include "partition/hlo_form/special_functions.h"

#include <cmath>
#include <limits>

#include "partition/hlo_form/formula.h"

namespace sw {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.14159265358979323846;
constexpr double kLog2 = 0.69314718055994530942;

bool is_double(Formula& f, const Num& x) { return f.emit().element(x.value) == ElementType::f64; }
double largest(Formula& f, const Num& x) {
  switch (f.emit().element(x.value)) {
    case ElementType::f64: return std::numeric_limits<double>::max();
    case ElementType::f16: return 65504.0;
    default: return std::numeric_limits<float>::max();
  }
}

// ---- inverse trigonometric and hyperbolic ones ----------------------------------------------------------------------

Num acos_of(Formula&, const Num& x) { return atan2(sqrt((1.0 - x) * (x + 1.0)), x); }

Num asin_of(Formula&, const Num& x) {
  const Num half = atan2(x, sqrt((1.0 - x) * (x + 1.0)) + 1.0);
  return half + half;
}

Num acosh_of(Formula& f, const Num& x) {
  const Num below = sqrt(x - 1.0), above = sqrt(x + 1.0);
  return f.select(x >= largest(f, x) / 2, log(x) + kLog2, log1p(below * (above + below)));
}

Num asinh_of(Formula& f, const Num& x) {
  const Num a = abs(x), square = a * a;
  const Num small = log1p(a + square / (sqrt(square + 1.0) + 1.0));
  return sign(x) * f.select(a >= std::sqrt(largest(f, x)), log(a) + kLog2, small);
}

Num atanh_of(Formula& f, const Num& x) {
  const Num inside = (log1p(x) - log1p(-x)) * 0.5;
  return f.select(abs(x) > 1.0, kNan, inside);
}

Num cosh_of(Formula&, const Num& x) { return exp(x - kLog2) + exp(-kLog2 - x); }

Num sinh_of(Formula& f, const Num& x) {
  const Num near = expm1(x);
  return f.select(abs(x) < 1.0, (near + near / (near + 1.0)) * 0.5, exp(x - kLog2) - exp(-kLog2 - x));
}

// ---- error function -------------------------------------------------------------------------------------------------

constexpr double kErfcNear[] = {2.326819970068386E-2,  -1.387039388740657E-1, 3.687424674597105E-1,
                                -5.824733027278666E-1, 6.210004621745983E-1,  -4.944515323274145E-1,
                                3.404879937665872E-1,  -2.741127028184656E-1, 5.638259427386472E-1};
constexpr double kErfcFar[] = {-1.047766399936249E+1, 1.297719955372516E+1,  -7.495518717768503E+0,
                               2.921019019210786E+0,  -1.015265279202700E+0, 4.218463358204948E-1,
                               -2.820767439740514E-1, 5.641895067754075E-1};
constexpr double kErfcNearOver[] = {2.46196981473530512524E-10, 5.64189564831068821977E-1, 7.46321056442269912687E0,
                                    4.86371970985681366614E1,   1.96520832956077098242E2,  5.26445194995477358631E2,
                                    9.34528527171957607540E2,   1.02755188689515710272E3,  5.57535335369399327526E2};
constexpr double kErfcNearUnder[] = {1.0,
                                     1.32281951154744992508E1,
                                     8.67072140885989742329E1,
                                     3.54937778887819891062E2,
                                     9.75708501743205489753E2,
                                     1.82390916687909736289E3,
                                     2.24633760818710981792E3,
                                     1.65666309194161350182E3,
                                     5.57535340817727675546E2};
constexpr double kErfcFarOver[] = {5.64189583547755073984E-1, 1.27536670759978104416E0, 5.01905042251180477414E0,
                                   6.16021097993053585195E0,  7.40974269950448939160E0, 2.97886665372100240670E0};
constexpr double kErfcFarUnder[] = {1.0,
                                    2.26052863220117276590E0,
                                    9.39603524938001434673E0,
                                    1.20489539808096656605E1,
                                    1.70814450747565897222E1,
                                    9.60896809063285878198E0,
                                    3.36907645100081516050E0};

Num erfc_of(Formula& f, const Num& x) {
  const Num a = abs(x), square = x * x, power_of_e = exp(-square);
  Num tail = 0.0;
  if (is_double(f, x)) {
    const Num near = power_of_e * f.polynomial(a, kErfcNearOver) / f.polynomial(a, kErfcNearUnder);
    const Num far = power_of_e * f.polynomial(a, kErfcFarOver) / f.polynomial(a, kErfcFarUnder);
    tail = f.select(a < 8.0, near, far);
  } else {
    const Num inverse = 1.0 / square;
    tail =
        power_of_e * (1.0 / a) * f.select(a < 2.0, f.polynomial(inverse, kErfcNear), f.polynomial(inverse, kErfcFar));
  }
  tail = f.select(-square < -std::log(largest(f, x)), 0.0, tail);
  tail = f.select(x < 0.0, 2.0 - tail, tail);
  return f.select(a < 1.0, 1.0 - f.unary(OpKind::erf, x), tail);
}

constexpr double kErfInvNear[] = {2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f, -4.39150654e-06f, 0.00021858087f,
                                  -0.00125372503f, -0.00417768164f, 0.246640727f,    1.50140941f};
constexpr double kErfInvFar[] = {-0.000200214257f, 0.000100950558f, 0.00134934322f, -0.00367342844f, 0.00573950773f,
                                 -0.0076224613f,   0.00943887047f,  1.00167406f,    2.83297682f};
constexpr double kErfInvNear64[] = {
    -3.6444120640178196996e-21, -1.685059138182016589e-19,  1.2858480715256400167e-18,  1.115787767802518096e-17,
    -1.333171662854620906e-16,  2.0972767875968561637e-17,  6.6376381343583238325e-15,  -4.0545662729752068639e-14,
    -8.1519341976054721522e-14, 2.6335093153082322977e-12,  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
    1.051212273321532285e-09,   -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07,
    -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,   -0.00074070253416626697512,
    -0.0060336708714301490533,  0.24015818242558961693,     1.6536545626831027356};
constexpr double kErfInvMiddle64[] = {
    2.2137376921775787049e-09,  9.0756561938885390979e-08, -2.7517406297064545428e-07, 1.8239629214389227755e-08,
    1.5027403968909827627e-06,  -4.013867526981545969e-06, 2.9234449089955446044e-06,  1.2475304481671778723e-05,
    -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05,  -0.0003550375203628474796,
    0.00095328937973738049703,  -0.0016882755560235047313, 0.0024914420961078508066,   -0.0037512085075692412107,
    0.005370914553590063617,    1.0052589676941592334,     3.0838856104922207635};
constexpr double kErfInvFar64[] = {-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
                                   -3.7894654401267369937e-09, 7.6157012080783393804e-09,  -1.4960026627149240478e-08,
                                   2.9147953450901080826e-08,  -6.7711997758452339498e-08, 2.2900482228026654717e-07,
                                   -9.9298272942317002539e-07, 4.5260625972231537039e-06,  -1.9681778105531670567e-05,
                                   7.5995277030017761139e-05,  -0.00021503011930044477347, -0.00013871931833623122026,
                                   1.0103004648645343977,      4.8499064014085844221};

Num erf_inv_of(Formula& f, const Num& x) {
  const Num w = -log1p(x * -x), root = sqrt(w);
  Num factor = 0.0;
  if (is_double(f, x)) {
    const Num far =
        f.select(w < 16.0, f.polynomial(root - 3.25, kErfInvMiddle64), f.polynomial(root - 5.0, kErfInvFar64));
    factor = f.select(w < 6.25, f.polynomial(w - 3.125, kErfInvNear64), far);
  } else {
    factor = f.select(w < 5.0, f.polynomial(w - 2.5, kErfInvNear), f.polynomial(root - 3.0, kErfInvFar));
  }
  return f.select(abs(x) == 1.0, x * kInfinity, factor * x);
}

// ---- gamma function -------------------------------------------------------------------------------------------------

constexpr double kLanczosBase = 0.99999999999980993227684700473478;
constexpr double kLanczos[] = {676.520368121885098567009190444019, -1259.13921672240287047156078755283,
                               771.3234287776530788486528258894,   -176.61502916214059906584551354,
                               12.507343278686904814458936853,     -0.13857109526572011689554707,
                               9.984369578019570859563e-6,         1.50563273514931155834e-7};
constexpr double kLanczosShift = 7.5;  // g + 1/2

// Below 1/2 by reflection: |Gamma(x)| = pi / (|sin(pi x)| Gamma(1 - x)).
Num lgamma_of(Formula& f, const Num& x) {
  const Num reflected = x < 0.5;
  const Num z = f.select(reflected, -x, x - 1.0);
  Num sum = kLanczosBase;
  for (size_t i = 0; i < std::size(kLanczos); ++i) sum = sum + kLanczos[i] / (z + static_cast<double>(i + 1));
  const Num log_t = log1p(z / kLanczosShift) + std::log(kLanczosShift);
  const Num t = z + kLanczosShift;
  const Num value = ((z + 0.5) - t / log_t) * log_t + std::log(2 * kPi) / 2 + log(sum);
  const Num a = abs(x), fraction = a - floor(a);
  const Num log_sine = log(sin(f.select(fraction > 0.5, 1.0 - fraction, fraction) * kPi));
  const Num mirrored = std::log(kPi) - log_sine - value;
  const Num finite = f.of(f.emit().op(
      OpKind::is_finite, f.emit().type({ElementType::pred, f.emit().dims(log_sine.value)}), {log_sine.value}));
  return f.select(abs(x) == kInfinity, kInfinity, f.select(reflected, f.select(finite, mirrored, -log_sine), value));
}

// The derivative of the formula of lgamma.
Num digamma_of(Formula& f, const Num& x) {
  const Num reflected = x < 0.5;
  const Num z = f.select(reflected, -x, x - 1.0);
  Num over = 0.0, under = kLanczosBase;
  for (size_t i = 0; i < std::size(kLanczos); ++i) {
    const Num at = z + static_cast<double>(i + 1);
    over = over - kLanczos[i] / (at * at);
    under = under + kLanczos[i] / at;
  }
  const Num log_t = log1p(z / kLanczosShift) + std::log(kLanczosShift);
  const Num value = log_t + over / under - (kLanczosShift - 0.5) / (z + kLanczosShift);
  const Num angle = (x + abs(floor(x + 0.5))) * kPi;  // the same tangent, near zero
  const Num mirrored = value - cos(angle) * kPi / sin(angle);
  const Num pole = (x <= 0.0) & (x == floor(x));
  return f.select(pole, kNan, f.select(reflected, mirrored, value));
}

constexpr double kZetaTail[] = {
    -1.39544646858125233407076862641e-19, 5.5090028283602295152026526089e-18,  -2.1748686985580618730415164238e-16,
    8.5860620562778445641359054504e-15,   -3.3896802963225828668301953912e-13, 1.3382536530684678832826980975e-11,
    -5.2841901386874931848476822022e-10,  2.0876756987868098979210090321e-8,   -8.2671957671957671957671957672e-7,
    3.3068783068783068783068783069e-5,    -1.38888888888888888888888888889e-3, 8.33333333333333333333333333333e-2};

// Euler and Maclaurin: ten terms of the sum, the integral of the rest, and corrections with Bernoulli numbers.
Num zeta_of(Formula& f, const Num& x, const Num& q) {
  Num at = q;
  const Num exponent = -x;
  Num sum = power(at, exponent);
  for (int i = 1; i < 10; ++i) {
    at = at + 1.0;
    sum = sum + power(at, exponent);
  }
  at = at + 1.0;
  const Num next = power(at, exponent);
  Num tail = 0.0;
  const Num inverse = 1.0 / (at * at);
  for (size_t i = 0; i < std::size(kZetaTail); ++i) {
    const auto k = static_cast<double>(2 * (std::size(kZetaTail) - 1 - i));
    const Num term = i == 0 ? inverse * kZetaTail[i] : inverse * (tail + kZetaTail[i]);
    if (i + 1 < std::size(kZetaTail))
      tail = ((x + k) * (x + (k - 1))) * term;
    else
      tail = x / at * (tail + kZetaTail[i]);
  }
  const Num all = sum + next * at / (x - 1.0) + next * (tail + 0.5);
  const double tiny =
      is_double(f, x) ? std::numeric_limits<double>::denorm_min() : std::numeric_limits<float>::denorm_min();
  Num value = f.select(abs(next) < abs(sum) * tiny, sum, all);
  value = f.select(x < 1.0, kNan, value);
  const Num low = q <= 0.0;
  value = f.select(low & (x != floor(x)), kNan, value);
  const Num even = (x == floor(x)) & (remainder(x, 2.0) == 0.0);
  value = f.select(low & (q == floor(q)), f.select(even, f.like(kInfinity, x), kNan), value);
  return f.select(x == 1.0, kInfinity, value);
}

Num polygamma_of(Formula& f, const Num& n, const Num& x) {
  const Num order = n + 1.0;
  const Num parity = remainder(n, 2.0) * 2.0 - 1.0;
  const Num value = parity * exp(lgamma_of(f, order)) * zeta_of(f, order, x);
  const Num wrong = (n != floor(n)) | (n < 0.0);
  return f.select(wrong, kNan, f.select(n == 0.0, digamma_of(f, x), value));
}

// ---- Bessel function ------------------------------------------------------------------------------------------------

constexpr double kBesselNear[] = {9.38153738649577178388E-9f,  -4.44505912879632808065E-8f, 2.00329475355213526229E-7f,
                                  -8.56872026469545474066E-7f, 3.47025130813767847674E-6f,  -1.32731636560394358279E-5f,
                                  4.78156510755005422638E-5f,  -1.61760815825896745588E-4f, 5.12285956168575772895E-4f,
                                  -1.51357245063125314899E-3f, 4.15642294431288815669E-3f,  -1.05640848946261981558E-2f,
                                  2.47264490306265168283E-2f,  -5.29459812080949914269E-2f, 1.02643658689847095384E-1f,
                                  -1.76416518357834055153E-1f, 2.52587186443633654823E-1f};
constexpr double kBesselFar[] = {-3.83538038596423702205E-9f, -2.63146884688951950684E-8f, -2.51223623787020892529E-7f,
                                 -3.88256480887769039346E-6f, -1.10588938762623716291E-4f, -9.76109749136146840777E-3f,
                                 7.78576235018280120474E-1f};
constexpr double kBesselNear64[] = {
    2.77791411276104639959E-18, -2.11142121435816608115E-17, 1.55363195773620046921E-16, -1.10559694773538630805E-15,
    7.60068429473540693410E-15, -5.04218550472791168711E-14, 3.22379336594557470981E-13, -1.98397439776494371520E-12,
    1.17361862988909016308E-11, -6.66348972350202774223E-11, 3.62559028155211703701E-10, -1.88724975172282928790E-9,
    9.38153738649577178388E-9,  -4.44505912879632808065E-8,  2.00329475355213526229E-7,  -8.56872026469545474066E-7,
    3.47025130813767847674E-6,  -1.32731636560394358279E-5,  4.78156510755005422638E-5,  -1.61760815825896745588E-4,
    5.12285956168575772895E-4,  -1.51357245063125314899E-3,  4.15642294431288815669E-3,  -1.05640848946261981558E-2,
    2.47264490306265168283E-2,  -5.29459812080949914269E-2,  1.02643658689847095384E-1,  -1.76416518357834055153E-1,
    2.52587186443633654823E-1};
constexpr double kBesselFar64[] = {
    7.51729631084210481353E-18,  4.41434832307170791151E-18,  -4.65030536848935832153E-17, -3.20952592199342395980E-17,
    2.96262899764595013876E-16,  3.30820231092092828324E-16,  -1.88035477551078244854E-15, -3.81440307243700780478E-15,
    1.04202769841288027642E-14,  4.27244001671195135429E-14,  -2.10154184277266431302E-14, -4.08355111109219731823E-13,
    -7.19855177624590851209E-13, 2.03562854414708950722E-12,  1.41258074366137813316E-11,  3.25260358301548823856E-11,
    -1.89749581235054123450E-11, -5.58974346219658380687E-10, -3.83538038596423702205E-9,  -2.63146884688951950684E-8,
    -2.51223623787020892529E-7,  -3.88256480887769039346E-6,  -1.10588938762623716291E-4,  -9.76109749136146840777E-3,
    7.78576235018280120474E-1};

Num bessel_i1e_of(Formula& f, const Num& x) {
  const bool wide = is_double(f, x);
  const Num a = abs(x);
  const Num near = a * (wide ? f.chebyshev(a * 0.5 - 2.0, kBesselNear64) : f.chebyshev(a * 0.5 - 2.0, kBesselNear));
  const Num far =
      (wide ? f.chebyshev(32.0 / a - 2.0, kBesselFar64) : f.chebyshev(32.0 / a - 2.0, kBesselFar)) / sqrt(a);
  return sign(x) * f.select(a <= 8.0, near, far);
}

// ---- bits -----------------------------------------------------------------------------------------------------------

// The bits of floating-point numbers of one sign count up as the numbers do.
Num next_after_of(Formula& f, const Num& from, const Num& to) {
  const ElementType element = f.emit().element(from.value);
  const int64_t width = bits(element);
  const ElementType whole = width == 64   ? ElementType::s64
                            : width == 32 ? ElementType::s32
                            : width == 16 ? ElementType::s16
                                          : ElementType::s8;
  const Num a = f.same_bits(from, whole), b = f.same_bits(to, whole);
  const int64_t lowest = width == 64 ? std::numeric_limits<int64_t>::min() : -(int64_t{1} << (width - 1));
  const Num sign_bit = f.whole(lowest, a), magnitude = f.whole(~lowest, a), zero = f.whole(0, a), one = f.whole(1, a);
  const Num a_size = a & magnitude, b_size = b & magnitude;
  const Num from_zero = f.select(b_size == zero, b, (b & sign_bit) | one);
  const Num nearer = (a_size > b_size) | ((a & sign_bit) != (b & sign_bit));
  const Num stepped = a + f.select(nearer, f.whole(-1, a), one);
  Num result = f.select(from == to, b, f.select(a_size == zero, from_zero, stepped));
  const Num nan = f.same_bits(f.like(kNan, from), whole);
  result = f.select((from != from) | (to != to), nan, result);
  return f.same_bits(result, element);
}

// ---- the table ------------------------------------------------------------------------------------------------------

using OneArgument = Num (*)(Formula&, const Num&);
using TwoArguments = Num (*)(Formula&, const Num&, const Num&);

struct SpecialRow {
  OpKind kind;
  OneArgument one = nullptr;
  TwoArguments two = nullptr;
  bool as_it_is = false;  // narrow types are not widened
};
constexpr SpecialRow kSpecial[] = {
    {OpKind::chlo_acos, acos_of, nullptr, true},
    {OpKind::chlo_acosh, acosh_of, nullptr, true},
    {OpKind::chlo_asin, asin_of, nullptr, true},
    {OpKind::chlo_asinh, asinh_of, nullptr, true},
    {OpKind::chlo_atan, [](Formula&, const Num& x) { return atan2(x, 1.0); }, nullptr, true},
    {OpKind::chlo_atanh, atanh_of, nullptr, true},
    {OpKind::chlo_bessel_i1e, bessel_i1e_of},
    {OpKind::chlo_cosh, cosh_of},
    {OpKind::chlo_digamma, digamma_of},
    {OpKind::chlo_erf_inv, erf_inv_of},
    {OpKind::chlo_erfc, erfc_of},
    {OpKind::chlo_is_inf, [](Formula&, const Num& x) { return abs(x) == kInfinity; }, nullptr, true},
    {OpKind::chlo_is_neg_inf, [](Formula&, const Num& x) { return x == -kInfinity; }, nullptr, true},
    {OpKind::chlo_is_pos_inf, [](Formula&, const Num& x) { return x == kInfinity; }, nullptr, true},
    {OpKind::chlo_lgamma, lgamma_of},
    {OpKind::chlo_next_after, nullptr, next_after_of, true},
    {OpKind::chlo_polygamma, nullptr, polygamma_of},
    {OpKind::chlo_sinh, sinh_of},
    {OpKind::chlo_zeta, nullptr, zeta_of},
};

ValueId conjugate(Emitter& emit, ValueId x, TypeId result) {
  const ArrayShape shape = emit.shape(x);
  if (!is_complex(shape.element)) return x;
  const TypeId part = emit.type({real_part_type(shape.element), shape.dims});
  const ValueId imaginary = emit.op(OpKind::negate, part, {emit.op(OpKind::imag, part, {x})});
  return emit.op(OpKind::complex, result, {emit.op(OpKind::real, part, {x}), imaginary});
}

}  // namespace

bool is_special_function(OpKind kind) {
  if (kind == OpKind::chlo_conj) return true;
  for (const SpecialRow& row : kSpecial)
    if (row.kind == kind) return true;
  return false;
}

ValueId special_function(Emitter& emit, OpKind kind, std::span<const ValueId> operands, TypeId result) {
  if (kind == OpKind::chlo_conj) return conjugate(emit, operands[0], result);
  const ElementType element = emit.element(operands[0]);
  if (!is_floating(element)) return {};
  for (const SpecialRow& row : kSpecial) {
    if (row.kind != kind) continue;
    Formula f(emit);
    std::vector<Num> arguments;
    for (const ValueId operand : operands) {
      const bool widen = bits(element) < 32 && !row.as_it_is;
      arguments.push_back(widen ? f.converted(f.of(operand), ElementType::f32) : f.of(operand));
    }
    const Num value = row.two != nullptr ? row.two(f, arguments[0], arguments[1]) : row.one(f, arguments[0]);
    return emit.convert(value.value, emit.graph().types.get(result).element);
  }
  return {};
}

}  // namespace sw
