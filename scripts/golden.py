#!/usr/bin/env python3
"""Golden tests: input, command and whole expected output in one file.

  golden.py --tool build/dev/shardwright [--update] [PATH ...]      PATH: files or folders, default tests/golden

A test file is any *.mlir, *.hlo, *.yaml or *.test that has at least one line

    // RUN: shardwright plan %s --mesh x=2          (# RUN: in YAML and .test files)

and, at its end, one block for each of them, which --update writes:

    // ==== shardwright plan %s --mesh x=2
    // ---- exit 3
    // ---- stdout
    // | every line that it printed
    // ---- stderr
    // | every line

Commands run in a fresh empty folder. `%s` is the test file, without its expected output, under its own name; `%d` is the
folder of the test file (for files beside it); `%t` is an empty folder that the RUN lines of one file share. A RUN line may
be a shell pipeline; `shardwright` is the tool. `%gen NAME` runs scripts/golden_inputs.py NAME, which prints an input too big
or too strange to be kept. Sorted, no timestamps: the comparison is exact.
Exit 0: all as expected; 1: not; 2: usage.
"""
import argparse, concurrent.futures, difflib, os, re, shlex, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
EXTENSIONS = ('.mlir', '.hlo', '.yaml', '.test')
LIMIT_SECONDS = 60


class Golden:
    def __init__(self, path):
        self.path = path
        with open(path, encoding='utf-8', newline='') as f:
            text = f.read()
        self.mark = '#' if path.endswith(('.yaml', '.test')) else '//'
        self.runs = re.findall(r'^' + self.mark + r' RUN: (.*)$', text, re.M)
        begin = re.search(r'^' + self.mark + r' ==== ', text, re.M)
        self.input = text[:begin.start()] if begin else text
        if not self.input.endswith('\n'):
            self.input += '\n'
        self.expected = text[begin.start():] if begin else ''

    def run(self, tool):
        """The expected-output text for what the tool does now."""
        folder = tempfile.mkdtemp(prefix='golden-')
        try:
            name = os.path.basename(self.path)
            with open(os.path.join(folder, name), 'w', encoding='utf-8', newline='') as f:
                f.write(self.input)
            os.mkdir(os.path.join(folder, 'tmp'))
            return ''.join(self.run_one(command, name, folder, tool) for command in self.runs)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def run_one(self, command, name, folder, tool):
        beside = os.path.dirname(os.path.abspath(self.path))
        generator = f'{shlex.quote(sys.executable)} {shlex.quote(os.path.join(HERE, "golden_inputs.py"))}'
        shell = command.replace('%gen', generator).replace('%s', name).replace('%d', shlex.quote(beside)).replace('%t', 'tmp')
        environment = dict(os.environ, LC_ALL='C.UTF-8', TERM='dumb', COLUMNS='100')
        prelude = f'set -o pipefail; shardwright() {{ {shlex.quote(os.path.abspath(tool))} "$@"; }}; '
        try:
            done = subprocess.run(['bash', '-c', prelude + shell], cwd=folder, env=environment, capture_output=True,
                                  timeout=LIMIT_SECONDS, stdin=subprocess.DEVNULL)
            code, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            code, out, err = f'none: stopped after {LIMIT_SECONDS} seconds', late.stdout or b'', late.stderr or b''
        lines = [f'==== {command}', f'---- exit {code}']
        for stream, text in (('stdout', out), ('stderr', err)):
            text = text.decode('utf-8', 'backslashreplace').replace(beside, '%d')
            if text:
                lines.append(f'---- {stream}' + ('' if text.endswith('\n') else ' (without a line break at the end)'))
                lines += ['| ' + line if line else '|' for line in text.removesuffix('\n').split('\n')]
        return ''.join(f'{self.mark} {line}'.rstrip() + '\n' for line in lines)

    def update(self, actual):
        with open(self.path, 'w', encoding='utf-8', newline='') as f:
            f.write(self.input + actual)


def collect(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, folders, files in os.walk(path):
            folders.sort()
            for name in sorted(files):
                if name.endswith(EXTENSIONS):
                    yield os.path.join(folder, name)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('paths', nargs='*', default=[os.path.join(TOP, 'tests', 'golden')])
    ap.add_argument('--tool', default=os.path.join(TOP, 'build', 'dev', 'shardwright'))
    ap.add_argument('--update', action='store_true', help='write what the tool does now into the files, then read the diff')
    ap.add_argument('-j', type=int, default=os.cpu_count() or 1)
    a = ap.parse_args()
    if not os.access(a.tool, os.X_OK):
        print(f'no tool at {a.tool}', file=sys.stderr)
        return 2
    tests = [g for g in map(Golden, collect(a.paths)) if g.runs]
    if not tests:
        print('no test files', file=sys.stderr)
        return 2
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(a.j) as pool:
        for golden, actual in zip(tests, pool.map(lambda g: g.run(a.tool), tests)):
            if actual == golden.expected:
                continue
            name = os.path.relpath(golden.path, TOP)
            if a.update:
                golden.update(actual)
                print(f'updated {name}')
                continue
            failed += 1
            sys.stdout.writelines(difflib.unified_diff(golden.expected.splitlines(True), actual.splitlines(True),
                                                       f'{name} (expected)', f'{name} (now)'))
    print(f'{len(tests)} golden files, {failed} not as expected')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
