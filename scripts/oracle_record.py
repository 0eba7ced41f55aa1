#!/usr/bin/env python3
"""Records what the real partitioners answer, as the files that tests/oracle/replay.py replays.

  oracle_record.py lowered SET FILE...     asks the Shardy of jaxlib about lowered programs (.mlir, .mlir.xz)
  oracle_record.py jit SET FILE...         compiles lowered programs with Shardy, as jax.jit does
  oracle_record.py compiled SET FILE...    compiles programs lowered under GSPMD; HLO before and after propagation
  oracle_record.py packed SET DIR          takes answers recorded as files: DIR/CASE/shardy.before.mlir with
                                           shardy.reference.json, and gspmd.before.hlo with gspmd.propagated.hlo
  oracle_record.py again SET               asks jaxlib once more about the programs that a Shardy set holds

Each writes tests/oracle/SET.KIND.jsonl.xz, KIND being shardy, jit or gspmd, one program with its answers a line. Files inside
the repository are referred to, other programs are copied into the record. `packed` needs no jax; the others make .venv.
"""
import argparse
import json
import lzma
import os
import pathlib
import re
import sys

from jax_env import ROOT, ensure_jax
import lowered_text

ORACLE = ROOT / 'tests' / 'oracle'


def write_set(name: str, partitioner: str, records: list[dict]) -> None:
  if not records:
    return
  path = ORACLE / f'{name}.{partitioner}.jsonl.xz'
  lowered_text.write(path, ''.join(lowered_text.compact_json(r) + '\n' for r in records))
  values = sum(1 if partitioner == 'gspmd' else len(o[2]) for r in records for o in r['ops'])
  print(f'{path.relative_to(ROOT)}: {len(records)} programs, {values} values, {path.stat().st_size / 1e3:.0f} KB')


def shardy_record(case: str, program: dict, meshes: list[str], ops: list[tuple], outputs: list) -> dict:
  """`ops` are (line, op, shardings, rule); a line that became several ops has no single answer and is left out."""
  lines = [op[0] for op in ops]
  kept = [list(op) for op in ops if op[0] is not None and lines.count(op[0]) == 1]
  kept.sort(key=lambda op: op[0])
  meshes = [re.sub(r' \{stablehlo\.mesh.*\}$', '', m) for m in meshes]
  return dict(program, case=case, meshes=meshes, ops=kept, outputs=outputs)


def pack_shardy(case: str, folder: pathlib.Path) -> dict:
  answer = json.loads((folder / 'shardy.reference.json').read_text())
  ops = [(o['line'], o['op'], o['shardings'], o['rule'] and o['rule'].removeprefix('#sdy.op_sharding_rule'))
         for o in answer['results']]
  program = {'text': (folder / 'shardy.before.mlir').read_text()}
  return shardy_record(case, program, answer['meshes'], ops, answer['functions'].get('main', {}).get('results') or [])


def live_record(case: str, program: dict, text: str) -> dict:
  import live_shardy
  answer = live_shardy.propagate(lowered_text.without_locations(text))
  ops = [(o.line, o.op, o.shardings, o.rule) for o in answer.ops]
  return shardy_record(case, program, answer.meshes, ops, answer.outputs)


def values_of(sharding: str | None, count: int) -> list[str | None]:
  """The shardings of the results of an op, of its sharding in HLO."""
  if sharding is None or count == 1:
    return [sharding] * count
  return re.findall(r'\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}', re.sub(r'/\*.*?\*/', '', sharding)[1:-1])


def jit_record(compiler, case: str, program: dict, text: str) -> dict:
  """Of the lines whose op is one instruction after XLA, but calls: they are gone, and others may bear their line."""
  text = lowered_text.without_locations(text)
  outputs, lines = compiler.decide(text, 'shardy')
  ops = []
  for number, line in enumerate(text.splitlines(), 1):
    op = re.match(r'\s+%\w+(?::(\d+))? = "?(\w+(?:\.\w+)*)', line)
    if op and op[2] not in ('call', 'func.call') and len(lines.get(number, ())) == 1:
      shardings = values_of(lines[number][0][2], int(op[1] or 1))
      if len(shardings) == int(op[1] or 1):
        ops.append([number, op[2], shardings, None])
  meshes = re.findall(r'^ *(sdy\.mesh @\S+ = <.*?>)', text, re.M)
  return dict(program, case=case, meshes=meshes, ops=ops, outputs=outputs)


def record_jit(name: str, files: list[str]) -> None:
  import live_gspmd
  records = []
  with live_gspmd.Compiler(256) as compiler:
    for path in map(pathlib.Path, files):
      case = path.parent.name if path.name == 'shardy.input.mlir' else path.name.split('.')[0]
      try:
        records.append(jit_record(compiler, case, refer(path), lowered_text.read(path)))
      except live_gspmd.NotPartitioned as error:
        print(f'{path}: left out, not partitioned: {error}', flush=True)
  write_set(name, 'jit', records)


def refer(path: pathlib.Path) -> dict:
  path = path.resolve()
  return {'file': path.relative_to(ROOT).as_posix()} if path.is_relative_to(ROOT) else {'text': lowered_text.read(path)}


def record_compiled(name: str, files: list[str]) -> None:
  import live_gspmd
  with live_gspmd.Compiler(256) as compiler:
    records = []
    for path in map(pathlib.Path, files):
      before, ops = compiler.propagate(lowered_text.read(path))
      records.append({'case': path.name.split('.')[0], 'text': before, 'ops': ops})
    write_set(name, 'gspmd', records)


def pack_gspmd(case: str, folder: pathlib.Path) -> dict:
  from live_gspmd import decided
  before, after = (folder / 'gspmd.before.hlo').read_text(), (folder / 'gspmd.propagated.hlo').read_text()
  return {'case': case, 'text': before, 'ops': decided(before, after)}


def record_again(name: str) -> None:
  with lzma.open(ORACLE / f'{name}.shardy.jsonl.xz', 'rt') as lines:
    records = [json.loads(line) for line in lines]
  fresh = []
  for old in records:
    program = {key: old[key] for key in ('file', 'text') if key in old}
    text = lowered_text.read(ROOT / old['file']) if 'file' in old else old['text']
    fresh.append(live_record(old['case'], program, text))
  changed = [new['case'] for old, new in zip(records, fresh) if old != new]
  print(f'{len(changed)} of {len(records)} answers changed', *changed[:20])
  write_set(name, 'shardy', fresh)


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('source', choices=['lowered', 'jit', 'compiled', 'packed', 'again'])
  parser.add_argument('set', metavar='SET')
  parser.add_argument('paths', nargs='*', metavar='FILE|DIR')
  args = parser.parse_args()
  if not re.fullmatch(r'\w+', args.set):
    parser.error(f'{args.set!r} is not a name of letters and digits')
  if args.source == 'packed':
    if len(args.paths) != 1 or not os.path.isdir(args.paths[0]):
      parser.error('packed wants one folder')
    folders = sorted(p for p in pathlib.Path(args.paths[0]).iterdir() if p.is_dir())
    write_set(args.set, 'shardy', [pack_shardy(p.name, p) for p in folders if (p / 'shardy.reference.json').exists()])
    write_set(args.set, 'gspmd', [pack_gspmd(p.name, p) for p in folders if (p / 'gspmd.propagated.hlo').exists()])
    return
  ensure_jax()
  if args.source == 'again':
    record_again(args.set)
  elif not args.paths:
    parser.error(f'{args.source} wants files')
  elif args.source == 'jit':
    record_jit(args.set, args.paths)
  elif args.source == 'compiled':
    record_compiled(args.set, args.paths)
  else:
    paths = [pathlib.Path(p) for p in args.paths]
    write_set(args.set, 'shardy', [live_record(p.name.split('.')[0], refer(p), lowered_text.read(p)) for p in paths])


if __name__ == '__main__':
  main()
