#!/usr/bin/env python3
"""Replays recorded answers of the real partitioners against the tool, value by value.

  replay.py --tool build/dev/shardwright --answers shardy            what ctest runs
  replay.py --tool ... --answers shardy --update  after a fix: shortens the lists

Each record holds a program and what Shardy or GSPMD made of it (scripts/oracle_record.py); no Python packages and no
jax are needed here. The answers: `shardy` of Shardy's passes alone, on the very text; `gspmd` of XLA's propagation, on
HLO; `jit` of Shardy on a lowered program as jax.jit compiles it, with what XLA does to it first. Shardings are compared
by what they mean (placement.py), factor rules by their text. Every mismatch must stand in mismatches.txt under a
reason, every entry there must still mismatch, and the count of each op must not fall below agreement.txt.
"""
import argparse
import collections
import concurrent.futures
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from placement import WHOLE, Unreadable, parse_meshes, placement_hlo, placement_sdy

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
UNEXPLAINED = 'Not explained yet.'
ANSWERS = ('shardy', 'gspmd', 'jit')


class Tally:
  """Counts (kind, op) -> agreeing and all, and keeps the key of each mismatch with what was wanted and given."""

  def __init__(self):
    self.good = collections.Counter()
    self.total = collections.Counter()
    self.misses: dict[str, str] = {}
    self.programs = 0

  def judge(self, case: str, kind: str, place: str, op: str, same: bool, wanted, given) -> None:
    self.total[kind, op] += 1
    if same:
      self.good[kind, op] += 1
    else:
      self.misses[f'{case} {kind} {place} {op}'] = f'wanted {wanted}, given {given}'

  def add(self, other: 'Tally') -> None:
    self.good += other.good
    self.total += other.total
    self.misses |= other.misses
    self.programs += 1


def text_of(record: dict) -> str:
  if 'text' in record:
    return record['text']
  path = ROOT / record['file']
  with lzma.open(path, 'rt') if path.suffix == '.xz' else open(path) as stream:
    return stream.read()


def for_passes_alone(text: str) -> str:
  """Without the mark of a program that XLA has still to see: the tool then leaves out what XLA does before Shardy."""
  return re.sub(r'mhlo\.num_partitions = \d+ : i32(?:, )?', '', text, count=1)


def run_tool(tool: str, record: dict, answers: str) -> dict:
  """The JSON report for the program of a record."""
  text = text_of(record)
  with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / ('input.hlo' if answers == 'gspmd' else 'input.mlir')
    path.write_text(for_passes_alone(text) if answers == 'shardy' else text)
    partitioner = 'gspmd' if answers == 'gspmd' else 'shardy'
    done = subprocess.run([tool, 'plan', str(path), '--partitioner', partitioner, '--format', 'json'],
                          capture_output=True, text=True, timeout=300)
  if done.returncode not in (0, 1, 4):
    raise RuntimeError(f'exit {done.returncode}: {done.stderr.strip()[:300]}')
  return json.loads(done.stdout)


def given_placement(sharding: dict | None, meshes: tuple):
  if sharding is None:
    raise Unreadable('the report has no such value')
  if sharding.get('sdy'):
    return placement_sdy(sharding['sdy'], meshes)
  return placement_hlo(sharding['hlo']) if sharding.get('hlo') else WHOLE


def compare(tally: Tally, case: str, place: str, op: str, wanted: str | None, sharding: dict | None, meshes: tuple):
  if wanted is None:
    want = WHOLE
  else:
    want = placement_sdy(wanted, meshes) if wanted.startswith('<') else placement_hlo(wanted)
  try:
    have = given_placement(sharding, meshes)
  except Unreadable as error:
    have = str(error)
  tally.judge(case, 'value', place, op, have == want, wanted, sharding and (sharding.get('sdy') or sharding.get('hlo')))


def squeeze(rule: str | None) -> str:
  return re.sub(r'\s+|^#sdy\.op_sharding_rule', '', rule or '')


def check_lines(record: dict, report: dict) -> Tally:
  """Answers by the line of the text: shardings of op results, rules, and the results of main."""
  tally, case = Tally(), record['case']
  meshes = parse_meshes('\n'.join(record['meshes']))
  given = {(v['line'], v.get('index', 0)): v for v in report['values'] if v.get('kind', 'result') == 'result'}
  for line, op, shardings, rule in record['ops']:
    for index, wanted in enumerate(shardings):
      value = given.get((line, index))
      compare(tally, case, f'{line}#{index}', op, wanted, value and value['sharding'], meshes)
    if rule is not None:
      mine = (given.get((line, 0)) or {}).get('rule')
      tally.judge(case, 'rule', str(line), op, squeeze(mine) == squeeze(rule), rule, mine)
  outputs = {o['index']: o['sharding'] for o in report.get('outputs', [])}
  for index, wanted in enumerate(record['outputs']):
    compare(tally, case, f'main#{index}', 'output', wanted, outputs.get(index), meshes)
  return tally


def check_gspmd(record: dict, report: dict) -> Tally:
  tally = Tally()
  given = {v['name'].lstrip('%'): v['sharding'] for v in report['values']}
  for name, op, wanted in record['ops']:
    compare(tally, record['case'], name, op, wanted, given.get(name), ())
  return tally


def check(job) -> Tally:
  record, tool, answers = job
  judge = check_gspmd if answers == 'gspmd' else check_lines
  try:
    return judge(record, run_tool(tool, record, answers))
  except (RuntimeError, json.JSONDecodeError, subprocess.TimeoutExpired, KeyError) as error:
    tally = judge(record, {'values': [], 'outputs': []})  # counts everything as missing
    tally.good.clear()
    tally.misses = {f'{record["case"]} failed': f'{type(error).__name__}: {error}'}
    return tally


def read_records(answers: str, only: list[str]) -> list[dict]:
  records = []
  for path in sorted(HERE.glob(f'*.{answers}.jsonl.xz')):
    with lzma.open(path, 'rt') as lines:
      for line in lines:
        record = json.loads(line)
        record['case'] = f'{path.name.split(".")[0]}/{record["case"]}'
        if not only or any(record['case'].startswith(o) for o in only):
          records.append(record)
  return records


def read_mismatches(answers: str) -> dict[str, str]:
  """mismatches.txt: paragraphs of `# reason` lines followed by keys. Returns key -> reason for one kind of answers."""
  listed, reason, fresh = {}, [], True
  for line in (HERE / 'mismatches.txt').read_text().splitlines():
    if line.startswith('#'):
      reason = [line[1:].strip()] if fresh else [*reason, line[1:].strip()]
      fresh = False
    elif line.strip():
      fresh = True
      engine, key = line.strip().split(' ', 1)
      listed[engine, key] = ' '.join(reason)
  return {key: why for (engine, key), why in listed.items() if engine == answers}


def write_mismatches(answers: str, entries: dict[str, str]) -> None:
  others = [p for p in ANSWERS if p != answers]
  every = {(p, key): why for p in others for key, why in read_mismatches(p).items()}
  every |= {(answers, key): why for key, why in entries.items()}
  by_reason = collections.defaultdict(list)
  for (engine, key), why in sorted(every.items()):
    by_reason[why].append(f'{engine} {key}')
  (HERE / 'mismatches.txt').write_text('\n'.join(f'# {why}\n' + ''.join(f'{k}\n' for k in keys)
                                                 for why, keys in sorted(by_reason.items())))


def read_agreement() -> dict[tuple[str, str, str], tuple[int, int]]:
  out = {}
  for line in (HERE / 'agreement.txt').read_text().splitlines():
    if line and not line.startswith('#'):
      engine, kind, op, count = line.split()
      out[engine, kind, op] = tuple(int(n) for n in count.split('/'))
  return out


def write_agreement(answers: str, tally: Tally) -> None:
  kept = {k: v for k, v in read_agreement().items() if k[0] != answers}
  kept |= {(answers, kind, op): (tally.good[kind, op], n) for (kind, op), n in tally.total.items()}
  head = '# kind of answers, what, op, agreeing/all over the recorded sets: replay.py fails below, --update writes\n'
  lines = (f'{engine} {kind} {op} {good}/{total}\n' for (engine, kind, op), (good, total) in sorted(kept.items()))
  (HERE / 'agreement.txt').write_text(head + ''.join(lines))


def problems(answers: str, tally: Tally) -> list[str]:
  listed = read_mismatches(answers)
  out = [f'new mismatch: {key}: {what}' for key, what in tally.misses.items() if key not in listed]
  out += [f'in mismatches.txt, but agrees now (see --update): {key}' for key in listed if key not in tally.misses]
  out += [f'no reason given in mismatches.txt: {key}' for key, why in listed.items() if why in ('', UNEXPLAINED)]
  for (engine, kind, op), (good, total) in read_agreement().items():
    if engine == answers and (tally.good[kind, op] < good or tally.total[kind, op] != total):
      out.append(f'{kind} {op}: {tally.good[kind, op]}/{tally.total[kind, op]}, agreement.txt has {good}/{total}')
  return out


def summary(answers: str, tally: Tally) -> str:
  parts = []
  for kind in ('value', 'rule'):
    total = sum(n for (k, _), n in tally.total.items() if k == kind)
    good = sum(n for (k, _), n in tally.good.items() if k == kind)
    if total:
      parts.append(f'{kind}s {good}/{total} = {100 * good / total:.2f} %')
  broken = len({key.split(' ')[0] for key in tally.misses if ' rule ' not in key})
  return f'{answers}: {", ".join(parts)}; {tally.programs - broken}/{tally.programs} programs whole'


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--tool', required=True)
  parser.add_argument('--answers', choices=ANSWERS, required=True)
  parser.add_argument('--only', nargs='*', default=[], metavar='SET[/CASE]',
                      help='some of the records; nothing is enforced')
  parser.add_argument('--show', type=int, default=40, metavar='N', help='print at most N problems')
  parser.add_argument('--update', action='store_true', help='write mismatches.txt and agreement.txt')
  args = parser.parse_args()
  tool = os.path.abspath(args.tool)
  records = read_records(args.answers, args.only)
  if not records:
    sys.exit('error: no such records')
  tally = Tally()
  with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for part in pool.map(check, [(r, tool, args.answers) for r in records]):
      tally.add(part)
  if args.only:
    found = [f'{key}: {what}' for key, what in tally.misses.items()]
  elif args.update:
    listed = read_mismatches(args.answers)
    write_mismatches(args.answers, {key: listed.get(key, UNEXPLAINED) for key in tally.misses})
    write_agreement(args.answers, tally)
    found = [f'{key}: {what}' for key, what in tally.misses.items() if key not in listed]
  else:
    found = problems(args.answers, tally)
  for line in found[:args.show]:
    print(line)
  if len(found) > args.show:
    print(f'... and {len(found) - args.show} more')
  misses = collections.Counter(' '.join(key.split(' ')[1::2]) for key in tally.misses)
  for what, count in misses.most_common(20):
    print(f'  {count} x {what}')
  print(summary(args.answers, tally))
  sys.exit(1 if found else 0)


if __name__ == '__main__':
  main()
