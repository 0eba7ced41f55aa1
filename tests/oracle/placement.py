"""What a sharding means: which piece of each dimension every device holds. Spellings that place alike are equal here.

`placement_sdy('<@mesh, [{"x"}, {}]>', meshes)` and `placement_hlo('{devices=[2,1,4]<=[8] last_tile_dim_replicate}')`
give the same value for the mesh <["x"=2, "y"=4]>: (pieces of each dimension, for each device the piece of each). What
is whole on every device is `WHOLE`, whatever its spelling; a tuple sharding gives a tuple of placements.
Standard library only. Worked example, mesh <["x"=2, "y"=2]>, `[{"y", "x"}]`: devices 0..3 hold pieces 0, 2, 1, 3.
"""
import functools
import itertools
import math
import re

WHOLE = 'whole'


class Unreadable(ValueError):
  pass


def parse_meshes(text: str) -> tuple:
  """All `sdy.mesh @name = <["x"=2], device_ids=[...]>` of a module, as (name, axes, device ids) triples."""
  found = []
  for match in re.finditer(r'sdy\.mesh @([\w"$.-]+) = (?:#sdy\.mesh)?<\[(.*?)\](?:, device_ids=\[([\d, ]*)\])?>', text):
    axes = tuple((name, int(size)) for name, size in re.findall(r'"([^"]+)"=(\d+)', match[2]))
    found.append((match[1].strip('"'), axes, tuple(int(i) for i in (match[3] or '').split(',') if i.strip())))
  return tuple(found)


def _canonical(counts, pieces):
  return WHOLE if all(count == 1 for count in counts) else (tuple(counts), tuple(pieces))


@functools.lru_cache(maxsize=None)
def placement_sdy(text: str, meshes: tuple):
  match = re.match(r'<@([\w"$.-]+), \[(.*?)\](?:, (?:replicated|unreduced)=.*)?>$', text.strip())
  known = {name: (axes, ids) for name, axes, ids in meshes}
  if not match or match[1].strip('"') not in known:
    raise Unreadable(f'sdy sharding {text}')
  axes, ids = known[match[1].strip('"')]
  sizes = dict(axes)
  dims = []  # per dimension: (axis number, divisor, modulus) of each axis, major first
  for body in re.findall(r'\{([^{}]*)\}', match[2]):
    digits = []
    for name, before, size in re.findall(r'"([^"]+)"(?::\((\d+)\)(\d+))?', body):
      if name not in sizes:
        raise Unreadable(f'axis {name} in {text}')
      size, before = int(size or sizes[name]), int(before or 1)
      digits.append(([a for a, _ in axes].index(name), sizes[name] // before // size, size))
    dims.append(digits)
  by_position = []
  for coordinate in itertools.product(*(range(size) for _, size in axes)):
    piece = []
    for digits in dims:
      number = 0
      for axis, divisor, size in digits:
        number = number * size + coordinate[axis] // divisor % size
      piece.append(number)
    by_position.append(tuple(piece))
  order = range(len(by_position))
  if len(ids) == len(by_position):
    order = sorted(order, key=lambda position: ids[position])
  counts = [math.prod(size for _, _, size in digits) for digits in dims]
  return _canonical(counts, [by_position[p] for p in order])


def _iota(reshape, transpose):
  """The device numbers of `<=[reshape]T(transpose)`, in order."""
  strides = [math.prod(reshape[i + 1:]) for i in range(len(reshape))]
  order = transpose or range(len(reshape))
  return [sum(i * strides[axis] for i, axis in zip(index, order))
          for index in itertools.product(*(range(reshape[axis]) for axis in order))]


def _numbers(text):
  return [int(n) for n in (text or '').split(',') if n.strip()]


@functools.lru_cache(maxsize=None)
def placement_hlo(text: str):
  text = re.sub(r'/\*.*?\*/', '', text).strip()
  if re.match(r'\{\s*\{', text):
    return tuple(placement_hlo(t) for t in re.findall(r'\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}', text[1:-1]))
  if text in ('{}', '{manual}') or text.startswith('{replicated'):
    return WHOLE
  maximal = re.match(r'\{maximal device=(\d+)', text)
  if maximal:
    return ('maximal', int(maximal[1]))
  match = re.match(r'\{devices=\[([\d,]+)\](?:<=\[([\d,]+)\](?:T\(([\d,]+)\))?|([\d,]+))(.*)\}$', text)
  if not match:
    raise Unreadable(f'HLO sharding {text}')
  dims = _numbers(match[1])
  devices = _iota(_numbers(match[2]), _numbers(match[3])) if match[2] else _numbers(match[4])
  tail = re.search(r'last_tile_dims=\{([^}]*)\}', match[5])
  hidden = len(tail[1].split(',')) if tail else 1 if 'last_tile_dim_replicate' in match[5] else 0
  rank = len(dims) - hidden
  pieces = [()] * len(devices)
  for device, index in zip(devices, itertools.product(*(range(n) for n in dims)), strict=True):
    pieces[device] = index[:rank]
  return _canonical(dims[:rank], pieces)
