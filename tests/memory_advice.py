#!/usr/bin/env python3
"""What `memory` advises is what happens: its words are given back to it, and every byte must be as it said.

usage: memory_advice.py SHARDWRIGHT [FILE NAME [OPTION...]]

For each case: asks for advice, then runs `memory` with the words of every change (and of those that it was tried on top
of), and of all that was put together. Total, peak and the bytes that collectives move must be equal. Estimates have no
words that make them. Exits 1 on any difference, and when a case that must have advice has none. Standard library only.
"""
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ROOT / 'models'
# file, hardware, options of the program, kinds that must be among the advice
CASES = [
    (MODELS / 'llama3_70b_train.mlir', 'tpu-v5e', [], {'pin'}),
    (MODELS / 'llama3_70b_train.mlir', 'tpu-v5e', ['--mesh', 'data=1,fsdp=8,tensor=8'], {'pin'}),
    (MODELS / 'llama3_70b_train.mlir', 'tpu-v5e', ['--partitioner', 'gspmd'], {'pin'}),
    (MODELS / 'llama3_8b_train.mlir', 'tpu-v5e', ['--mesh', 'data=2,fsdp=4,tensor=1'], {'shard'}),
    (MODELS / 'moe_train.mlir', 'tpu-v5e', ['--advice', '24'], set()),
    (MODELS / 'mlp.mlir', 'h100', ['--advice', '40'], {'shard'}),
    # A donation saves nothing there: results that are not donated hold what the loops stack up until they are made.
    (ROOT / 'tests/golden/memory/advice.mlir', 'h100', ['--advice', '40'], {'shard'}),
    (ROOT / 'tests/golden/memory/advice.mlir', 'tpu-v5e', ['--advice', '40', '--partitioner', 'gspmd'],
     {'donate', 'shard'}),
]


def report(tool: str, file, hardware: str, options: list[str]) -> dict:
  command = [tool, 'memory', str(file), '--hardware', hardware, '--format', 'json', *options]
  done = subprocess.run(command, capture_output=True, text=True, check=False)
  if done.returncode != 0:
    sys.exit(f'{shlex.join(command)}: exit code {done.returncode}\n{done.stderr}')
  return json.loads(done.stdout)


def moved(tool: str, file, options: list[str]) -> int:
  command = [tool, 'collectives', str(file), '--format', 'json', *options]
  return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)['total']['bytes']


def check(tool: str, file, hardware: str, options: list[str], kinds: set[str]) -> tuple[int, int]:
  """The number of words that were given back, and of those that came out otherwise."""
  advice = report(tool, file, hardware, options)['advice']
  where = f'{pathlib.Path(file).name} {hardware} {shlex.join(options)}'
  items = advice['items'] if advice else []
  missing = kinds - {item['kind'] for item in items}
  wrong = len(missing)
  if missing:
    print(f'{where}: no advice of the kinds {sorted(missing)}')
  own = options[:]
  if '--advice' in own:
    del own[own.index('--advice'):own.index('--advice') + 2]
  promises = [(str(item['number']), words_of(item, items), item['with']) for item in items if not item['estimate']]
  together = advice and advice['together']
  if together and not together['estimate']:
    promises.append(('together', together['options'], together['with']))
  for name, words, promise in promises:
    split = [word for text in words for word in shlex.split(text)]
    got = report(tool, file, hardware, ['--advice', '0', *split, *own])['memory']
    found = {'total': got['total'], 'peak': got['peak'], 'moved': moved(tool, file, [*split, *own])}
    if found != promise:
      wrong += 1
      print(f'{where}: {name} {shlex.join(split)}\n  promised {promise}\n  is       {found}')
  return len(promises), wrong


def words_of(item: dict, items: list[dict]) -> list[str]:
  """Of several words about one thing the first holds, so those of what came before stand behind."""
  words = list(item['options'])
  for number in reversed(item['after']):
    words += items[number - 1]['options']
  return words


def main() -> int:
  tool = sys.argv[1]
  cases = CASES if len(sys.argv) == 2 else [(sys.argv[2], sys.argv[3], sys.argv[4:], set())]
  counts = [check(tool, *case) for case in cases]
  print(f'{sum(c[0] for c in counts)} pieces of advice in {len(cases)} cases, {sum(c[1] for c in counts)} not as promised')
  return 1 if any(c[1] for c in counts) else 0


if __name__ == '__main__':
  sys.exit(main())
