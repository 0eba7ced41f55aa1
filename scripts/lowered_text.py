"""Lowered programs as text files: locations without machine paths, and `.xz` where the name says so."""
import json
import lzma
import os
import pathlib
import re
import sys
import sysconfig

# A path inside a location: `loc("/a/b.py":3:4 ...`, or `"/a/b.py":3:4 to :5`, always a quoted string, a colon, a line.
_PATH = re.compile(r'"((?:[^"\\]|\\.)*)"(?=:\d+(?::\d+| to ))')


def relative_locations(text: str, roots: list[pathlib.Path]) -> str:
  """Cuts file paths in locations: relative to the first of `roots` that holds them, else from the package they are in.

  `"/home/me/repo/models/src/llama.py":3:4` -> `"models/src/llama.py":3:4`,
  `"/usr/lib/python3/site-packages/jax/_src/nn.py":1:2` -> `"jax/_src/nn.py":1:2`; elsewhere the file name alone stays.
  """
  packages = [sysconfig.get_paths()[k] for k in ('purelib', 'platlib', 'stdlib', 'platstdlib')]
  prefixes = [str(p).rstrip('/') + '/' for p in [*map(os.path.realpath, roots), *roots, *packages]]
  seen: dict[str, str] = {}

  def cut(path: str) -> str:
    for prefix in prefixes:
      if path.startswith(prefix):
        return path[len(prefix):]
    for marker in ('/site-packages/', '/dist-packages/'):
      if marker in path:
        return path.rsplit(marker, 1)[1]
    return os.path.basename(path) if path.startswith('/') else path

  def replace(match: re.Match) -> str:
    path = match.group(1)
    if path not in seen:
      seen[path] = cut(path)
    return f'"{seen[path]}"'

  return _PATH.sub(replace, text)


def read(path: str | os.PathLike) -> str:
  opened = lzma.open(path, 'rt') if str(path).endswith('.xz') else open(path)
  with opened as stream:
    return stream.read()


def write(path: str | os.PathLike, text: str) -> None:
  """Writes `text` to a file, or to standard output for `-`; the same text gives the same bytes."""
  if str(path) == '-':
    sys.stdout.write(text)
  elif str(path).endswith('.xz'):
    pathlib.Path(path).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
  else:
    pathlib.Path(path).write_text(text)


def compact_json(value) -> str:
  return json.dumps(value, separators=(',', ':'), sort_keys=True)


def without_locations(text: str) -> str:
  """Takes `loc(...)` and `#loc` lines out of a module's text; every op stays on its line."""
  out, place = [], 0
  for match in re.finditer(r'"(?:[^"\\]|\\.)*"| ?\bloc\(|^#loc\d* = .*$', text, re.M):
    if match.start() < place or match.group(0).startswith('"'):
      continue
    out.append(text[place:match.start()])
    place = match.end()
    if match.group(0).endswith('loc('):
      depth = 1
      for part in re.compile(r'"(?:[^"\\]|\\.)*"|[()]').finditer(text, place):
        depth += {'(': 1, ')': -1}.get(part.group(0), 0)
        if not depth:
          place = part.end()
          break
  return ''.join(out) + text[place:]
