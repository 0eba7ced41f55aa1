#!/usr/bin/env python3
"""Inputs of golden tests that are too big or too strange to be kept as files: golden_inputs.py NAME > FILE."""
import gzip
import lzma
import sys

GOOD = b"""module @jit_f {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x32xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<64x32xf32>
    return %0 : tensor<64x32xf32>
  }
}
"""


def nested_regions(depth=10_000):
    """Regions in regions, far deeper than any program."""
    head = 'func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n'
    return (head + '"stablehlo.case"(%arg0) ({\n' * depth + '}) : (tensor<f32>) -> ()\n' * depth + '}\n').encode()


def nested_attributes(depth=10_000):
    """Lists in lists in an attribute."""
    return (f'func.func @main() attributes {{a = {"[" * depth}1{"]" * depth}}} {{\n  return\n}}\n').encode()


def nested_types(depth=10_000):
    """Tuples in tuples."""
    return (f'func.func @main(%arg0: {"tuple<" * depth}f32{">" * depth}) {{\n  return\n}}\n').encode()


def nested_locations(depth=10_000):
    """Locations in locations."""
    return (f'func.func @main() {{\n  return\n}} loc({"callsite(" * depth}unknown{" at unknown)" * depth})\n').encode()


def long_line(megabytes=100):
    """One valid line of 100 MB, with a mistake at its end."""
    filler = b'a' * (megabytes * 1_000_000)
    return GOOD.replace(b'module @jit_f', b'module @jit_f attributes {a = "' + filler + b'", b = ?}')


def hlo_nested(depth=10_000):
    """Tuple types in tuple types, as HLO text."""
    t = '(' * depth + 'f32[]' + ')' * depth
    return f'HloModule m\n\nENTRY main {{\n  ROOT p = {t} parameter(0)\n}}\n'.encode()


def binary():
    return bytes(range(256)) * 4


def bytecode():
    return b'ML\xefR\x0dStableHLO_v1.0.0' + bytes(range(1, 64))


def zeros():
    return b'module {\n' + b'\0' * 100


INPUTS = {
    'good': lambda: GOOD,
    'good.gz': lambda: gzip.compress(GOOD, mtime=0),
    'good.xz': lambda: lzma.compress(GOOD),
    'cut.gz': lambda: gzip.compress(GOOD, mtime=0)[:60],
    'damaged.xz': lambda: lzma.compress(GOOD)[:40] + b'damaged' + lzma.compress(GOOD)[47:],
    'nested-regions': nested_regions,
    'nested-attributes': nested_attributes,
    'nested-types': nested_types,
    'nested-locations': nested_locations,
    'hlo-nested': hlo_nested,
    'long-line': long_line,
    'binary': binary,
    'bytecode': bytecode,
    'zeros': zeros,
}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in INPUTS:
        print('usage: golden_inputs.py ' + '|'.join(INPUTS), file=sys.stderr)
        return 2
    sys.stdout.buffer.write(INPUTS[sys.argv[1]]())
    return 0


if __name__ == '__main__':
    sys.exit(main())
