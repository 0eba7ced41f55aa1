"""Other shardings for the arguments and results of main in a lowered program, Shardy's or GSPMD's spelling.

`reshard(text, engine, seed)` draws for every argument whether it has a sharding and which; the same seed gives the same
text. Results keep theirs or lose it. A program that only runs on one division of its inputs (shard_map) may be refused.
"""
import math
import random
import re

_SHARDING = re.compile(r'(?:sdy\.sharding = #sdy\.sharding<[^>]*>|mhlo\.sharding = "[^"]*")')
_DONATED = re.compile(r'(?:tf\.aliasing_output = \d+ : i32|jax\.buffer_donor = true)')
_MAIN = re.compile(r'(func\.func public @main\()(.*)(\) -> )(.*)( \{)$', re.M)
_ITEM = re.compile(r'((?:%arg\d+: )?)(tensor<[^<>]*(?:<[^<>]*>)?[^<>]*>)( \{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})?')


def _shape(tensor: str) -> list[int]:
  return [int(n) for n in re.findall(r'(\d+)x', tensor[len('tensor<'):])]


def _assign(rng: random.Random, shape: list[int], sizes: list[int]) -> list[list[int]]:
  """Axis numbers for each dimension; products divide the extents, as jit demands of arguments."""
  left, found = list(range(len(sizes))), []
  rng.shuffle(left)
  for extent in shape:
    mine: list[int] = []
    while left and rng.random() < (0.5 if not mine else 0.25):
      mine.append(left.pop())
    fits = extent and extent % math.prod(sizes[a] for a in mine) == 0
    found.append(mine if fits else [])
  return found


def _named(dims: list[list[int]], names: list[str]) -> str:
  return 'sdy.sharding = #sdy.sharding<@mesh, [' + ', '.join(
      '{' + ', '.join(f'"{names[a]}"' for a in dim) + '}' for dim in dims) + ']>'


def _tiled(dims: list[list[int]], sizes: list[int]) -> str:
  used = [a for dim in dims for a in dim]
  if not used:
    return 'mhlo.sharding = "{replicated}"'
  rest = [a for a in range(len(sizes)) if a not in used]
  tiles = [math.prod(sizes[a] for a in dim) for dim in dims]
  copies = math.prod(sizes[a] for a in rest)
  tiles += [copies] if copies > 1 else []
  order = used + rest
  devices = f'<={sizes}T({",".join(map(str, order))})' if order != sorted(order) else f'<=[{math.prod(sizes)}]'
  tail = ' last_tile_dim_replicate' if copies > 1 else ''
  return f'mhlo.sharding = "{{devices={tiles}{devices}{tail}}}"'.replace(', ', ',')


def as_tiles(text: str) -> str:
  """Shardy's shardings of arguments and results in GSPMD's spelling. Full axes only; what is open is closed."""
  names, sizes = _axes(text, 'shardy', random.Random())

  def tiles(match: re.Match) -> str:
    dims = [[names.index(n) for n in re.findall(r'"([^"]+)"', dim)] for dim in re.findall(r'\{([^{}]*)\}', match[0])]
    return _tiled(dims, sizes)

  return re.sub(r'sdy\.mesh.*\n', '', re.sub(r'sdy\.sharding = #sdy\.sharding<[^>]*>', tiles, text))


def _axes(text: str, engine: str, rng: random.Random) -> tuple[list[str], list[int]]:
  if engine == 'shardy':
    mesh = re.search(r'sdy\.mesh @mesh = <\[(.*?)\]', text)
    axes = re.findall(r'"([^"]+)"=(\d+)', mesh[1]) if mesh else []
    return [n for n, _ in axes], [int(s) for _, s in axes]
  count = int(re.search(r'mhlo\.num_partitions = (\d+)', text)[1])
  sizes = []
  while count > 1:
    sizes.append(rng.choice([d for d in range(2, count + 1) if count % d == 0]))
    count //= sizes[-1]
  return [], sizes


def reshard(text: str, engine: str, seed: int) -> str | None:
  """None for a program without a mesh, or whose main is not as JAX writes it."""
  rng = random.Random(seed)
  main = _MAIN.search(text)
  names, sizes = _axes(text, engine, rng)
  if not main or not sizes:
    return None

  def item(match: re.Match, keep: float) -> str:
    inner = (match[3] or ' {}').strip()[1:-1]
    old = _SHARDING.search(inner)
    inner = _DONATED.sub('', _SHARDING.sub('', inner))
    parts = [p.strip() for p in re.split(r', (?=[a-z]+\.)', inner)]
    if rng.random() < keep:
      dims = _assign(rng, _shape(match[2]), sizes)
      parts.append(_named(dims, names) if engine == 'shardy' else _tiled(dims, sizes))
    elif old and keep == 0 and rng.random() < 0.5:
      parts.append(old[0])
    attributes = ', '.join(p.strip(', ') for p in parts if p.strip(', '))
    return match[1] + match[2] + (f' {{{attributes}}}' if attributes else '')

  arguments = _ITEM.sub(lambda m: item(m, 0.75), main[2])
  results = _ITEM.sub(lambda m: item(m, 0), main[4])
  return text[:main.start()] + main[1] + arguments + main[3] + results + main[5] + text[main.end():]
