#!/usr/bin/env python3
"""What `check` writes is read by readers that are not ours: SARIF by its official schema, JUnit by xmllint and a known schema,
JSON by the schema that the tool prints, annotations and Markdown by their own rules and limits.

  check_formats.py TOOL FILE...      exit 0; 1 with what is wrong; 77 when the package jsonschema or xmllint is not there

Each reader is also shown something spoilt, which it must refuse.
"""
import copy
import json
import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

SCHEMAS = pathlib.Path(__file__).resolve().parent / 'schemas'
FORMATS = ('json', 'markdown', 'sarif', 'junit', 'github')
# Assertions that hold and that do not, with characters that every format must escape.
ASSERTIONS = ('devices >= 1', 'devices > 1000000', 'bytes(any) < 1 B', 'count(any) < 0', 'no finding', 'peak <= 1 B',
              'total <= capacity')


def run(tool, file, folder):
  """The texts of all formats from one call."""
  names = {name: pathlib.Path(folder) / name for name in FORMATS}
  words = [w for name, path in names.items() for w in ('--format', f'{name}={path}')]
  asserted = [w for text in ASSERTIONS for w in ('--assert', text)]
  done = subprocess.run([tool, 'check', file, '--hardware', 'h100', '--hardware', 'tpu-v5e', '--hardware', 'tpu-v5p',
                         '--fail-on', 'warning', *asserted, *words], capture_output=True)
  if done.returncode not in (1, 4):
    raise RuntimeError(f'exit {done.returncode}: {done.stderr.decode()[:300]}')
  return {name: path.read_text() for name, path in names.items()}, done.returncode


def schema_faults(validator, good, spoil):
  faults = [f'{list(e.path)}: {e.message:.150}' for e in validator.iter_errors(good)][:3]
  for what, bad in spoil:
    if not list(validator.iter_errors(bad)):
      faults.append(f'accepted {what}')
  return faults


def spoilt_sarif(log):
  for path in (('version',), ('runs',), ('runs', 0, 'tool'), ('runs', 0, 'results', 0, 'message')):
    bad = copy.deepcopy(log)
    at = bad
    for key in path[:-1]:
      at = at[key]
    del at[path[-1]]
    yield f'SARIF without {path}', bad
  bad = copy.deepcopy(log)
  bad['runs'][0]['results'][0]['level'] = 'fatal'
  yield 'a level that there is not', bad


def sarif_faults(text, report):
  log = json.loads(text)
  run_ = log['runs'][0]
  rules = [rule['id'] for rule in run_['tool']['driver']['rules']]
  faults = [f'rule {r["ruleIndex"]} is not {r["ruleId"]}' for r in run_['results'] if rules[r['ruleIndex']] != r['ruleId']]
  steps = [len(t['locations']) for r in run_['results'] for f in r.get('codeFlows', []) for t in f['threadFlows']]
  wanted = [len(flow) for i in report['items'] if i['outcome'] != 'passed' for flow in i['flows']]
  if sorted(steps) != sorted(wanted):
    faults.append('the code flows are not those of the report')
  if len(run_['results']) > 5000 or max(steps, default=0) > 1000:
    faults.append('more results or steps than readers take')
  if any(r['locations'][0]['physicalLocation']['artifactLocation']['uri'].startswith('/') for r in run_['results']):
    faults.append('an absolute path')
  return faults


def xmllint(text, folder):
  path = pathlib.Path(folder) / 'junit.xml'
  path.write_text(text)
  return subprocess.run(['xmllint', '--noout', '--nonet', '--schema', SCHEMAS / 'JUnit.xsd', path], capture_output=True)


def junit_faults(text, report, folder):
  done = xmllint(text, folder)
  faults = [done.stderr.decode()[:300]] if done.returncode else []
  for what, bad in (('no tests attribute', re.sub(r' tests="\d+"', '', text, count=1)),
                    ('an open element', text.replace('</testsuites>', '')), ('a control character', text.replace('memory', '\x01', 1))):
    if xmllint(bad, folder).returncode == 0:
      faults.append(f'accepted {what}')
  suites = ET.fromstring(text)
  failures = sum(int(suite.get('failures')) for suite in suites)
  cases = [case for suite in suites for case in suite.iter('testcase')]
  if failures != sum(case.find('failure') is not None for case in cases):
    faults.append('the number of failures is not that of the cases')
  wanted = sum(i['kind'] != 'finding' for i in report['items'])
  if wanted != sum(not case.get('classname').startswith('lint') for case in cases):
    faults.append('not every target and assertion is a case')
  return faults


def github_faults(text, report):
  lines = text.splitlines()
  faults = [f'not an annotation: {line:.80}' for line in lines if not re.fullmatch(r'::(error|warning|notice) [^:]*::.*', line)]
  for level in ('error', 'warning', 'notice'):
    if sum(line.startswith(f'::{level} ') for line in lines) > 10:
      faults.append(f'more than ten of level {level}')
  if not lines[-1].startswith('::notice title=shardwright check::') or report['verdict'] not in lines[-1]:
    faults.append('no summary')
  return faults


def markdown_faults(text):
  rows = [line for line in text.splitlines() if line.startswith('|')]
  faults = [] if len(text.encode()) <= 64000 else ['longer than a comment may be']
  return faults + [f'a row of other columns: {row:.80}' for row in rows if len(re.findall(r'(?<!\\)\|', row)) != 5]


def workflow_faults(tool, file):
  """The workflow in configs/ci calls the tool as it wants to be called, and what it uploads afterwards is there."""
  text = (SCHEMAS.parent.parent / 'configs' / 'ci' / 'shardwright.yml').read_text()
  command = re.search(r'\.shardwright/scripts/shardwright (check (?:.*\\\n)*.*)', text).group(1)
  checks = re.search(r'CHECKS: >-\n((?: {4}.*\n)+)', text).group(1)
  with tempfile.TemporaryDirectory() as folder:
    shutil.copy(file, pathlib.Path(folder) / 'step.mlir')
    done = subprocess.run(['bash', '-c', f'baseline=(); "$TOOL" {command}'], cwd=folder, capture_output=True,
                          env={'TOOL': str(pathlib.Path(tool).resolve()), 'CHECKS': ' '.join(checks.split()),
                               'GITHUB_STEP_SUMMARY': 'summary.md', 'PATH': '/usr/bin:/bin'})
    faults = [] if done.returncode in (0, 1, 4) else [f'exit {done.returncode}: {done.stderr.decode()[:300]}']
    for name in set(re.findall(r'[\w-]+\.(?:sarif|xml)', text)) | {'summary.md'}:
      if not (pathlib.Path(folder) / name).exists():
        faults.append(f'no {name}')
  return [f'workflow: {fault}' for fault in faults]


def main():
  tool, files = sys.argv[1], sys.argv[2:]
  try:
    import jsonschema
  except ImportError:
    print('the package jsonschema is not installed')
    return 77
  if shutil.which('xmllint') is None:
    print('xmllint is not installed')
    return 77
  sarif = jsonschema.Draft4Validator(json.loads(lzma.open(SCHEMAS / 'sarif-schema-2.1.0.json.xz').read()))
  own = json.loads(subprocess.run([tool, 'schema', 'check'], check=True, capture_output=True).stdout)
  jsonschema.Draft202012Validator.check_schema(own)
  own = jsonschema.Draft202012Validator(own)
  for fault in (workflow := workflow_faults(tool, files[0])):
    print(fault)
  faults, flows = len(workflow), 0
  for file in files:
    with tempfile.TemporaryDirectory() as folder:
      texts, code = run(tool, file, folder)
      report = json.loads(texts['json'])
      flows += sum(len(item['flows']) for item in report['items'])
      without = [(f'a report without {key}', {k: v for k, v in report.items() if k != key}) for key in report]
      found = schema_faults(own, report, without)
      found += [] if report['exit_code'] == code else ['the exit code is not the one in the report']
      log = json.loads(texts['sarif'])
      found += schema_faults(sarif, log, spoilt_sarif(log)) + sarif_faults(texts['sarif'], report)
      found += junit_faults(texts['junit'], report, folder)
      found += github_faults(texts['github'], report) + markdown_faults(texts['markdown'])
    for fault in found:
      print(f'{file}: {fault}')
    faults += len(found)
  print(f'{len(files)} files, {flows} code flows, {faults} faults')
  return 1 if faults or not files or not flows else 0


if __name__ == '__main__':
  sys.exit(main())
