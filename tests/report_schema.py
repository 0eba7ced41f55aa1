#!/usr/bin/env python3
"""Real reports are valid by the schema that the tool prints; and reports that were spoilt are not.

  report_schema.py TOOL FILE...      exit 0; 1 with what is wrong

Uses the package `jsonschema` where it is installed, and always the small validator below, which knows the keywords that our
schema uses and refuses any other, so that nothing is passed over.
"""
import copy
import json
import subprocess
import sys

TYPES = {'object': dict, 'array': list, 'string': str, 'null': type(None), 'boolean': bool, 'number': (int, float)}
KNOWN = {'$schema', '$defs', '$ref', 'title', 'description', 'type', 'required', 'properties', 'items', 'enum', 'const',
         'minimum', 'anyOf', 'if', 'then'}


def is_type(value, name):
    if name == 'number' and isinstance(value, bool):
        return False
    if name == 'integer':
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check(value, schema, root, at='$'):
    """The first fault as text, or None."""
    unknown = set(schema) - KNOWN
    if unknown:
        return f'{at}: the schema uses {unknown}, which this validator does not know'
    if '$ref' in schema:
        fault = check(value, root['$defs'][schema['$ref'].removeprefix('#/$defs/')], root, at)
        if fault:
            return fault
    if 'type' in schema:
        names = schema['type'] if isinstance(schema['type'], list) else [schema['type']]
        if not any(is_type(value, n) for n in names):
            return f'{at}: {value!r:.60} is not {" or ".join(names)}'
    if 'const' in schema and value != schema['const']:
        return f'{at}: {value!r:.60} is not {schema["const"]!r}'
    if 'enum' in schema and value not in schema['enum']:
        return f'{at}: {value!r:.60} is not one of {schema["enum"]}'
    if 'minimum' in schema and is_type(value, 'integer') and value < schema['minimum']:
        return f'{at}: {value} is below {schema["minimum"]}'
    if 'anyOf' in schema:
        faults = [check(value, s, root, at) for s in schema['anyOf']]
        if all(faults):
            return faults[0]
    if 'if' in schema and check(value, schema['if'], root, at) is None:
        fault = check(value, schema.get('then', {}), root, at)
        if fault:
            return fault
    if isinstance(value, dict):
        for key in schema.get('required', []):
            if key not in value:
                return f'{at}: no {key}'
        for key, sub in schema.get('properties', {}).items():
            if key in value:
                fault = check(value[key], sub, root, f'{at}.{key}')
                if fault:
                    return fault
    if isinstance(value, list) and 'items' in schema:
        for i, item in enumerate(value):
            fault = check(item, schema['items'], root, f'{at}[{i}]')
            if fault:
                return fault
    return None


def spoilt(report):
    """Reports with one thing wrong each."""
    of_run = 'memory' in report
    for key in report:
        if of_run and key in ('steps', 'values'):
            continue  # there only when asked for
        bad = copy.copy(report)
        del bad[key]
        yield f'without {key}', bad
    if of_run:
        required = {'outputs': ('name', 'wrong', 'worst'), 'collectives': ('executions', 'moved_bytes')}
    else:
        required = {'values': ('name', 'sharding', 'device_shape', 'op'), 'collectives': ('axes', 'groups', 'bytes', 'cause')}
    for items, keys in required.items():
        for key in keys if report.get(items) else ():
            bad = copy.deepcopy(report)
            bad[items][0].pop(key)
            yield f'one of {items} without {key}', bad
    if 'peak' in (report.get('memory') or {}):
        bad = copy.deepcopy(report)
        bad['memory'].pop('peak')
        yield 'memory without a peak', bad
    for item in ((report.get('advice') or {}).get('items') or [])[:1]:
        for key in item:
            bad = copy.deepcopy(report)
            bad['advice']['items'][0].pop(key)
            yield f'a piece of advice without {key}', bad
    if not of_run and report.get('values'):
        bad = copy.deepcopy(report)
        bad['values'][0]['line'] = '12'
        yield 'a line that is text', bad


def validator_of(schema):
    try:
        import jsonschema
    except ImportError:
        return None
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def faults_of(verb, schema, report):
    problems = [check(report, schema, schema)]
    validator = validator_of(schema)
    if validator is not None:
        problems += [str(e.message) for e in validator.iter_errors(report)][:1]
    if verb == 'plan' and not report['values']:
        problems.append('no values')
    problems += [f'spoilt report accepted: {what}' for what, bad in spoilt(report) if check(bad, schema, schema) is None]
    return [p for p in problems if p]


# `run` is for the first file alone: the others take too long.
OPTIONS = {'run': ('--steps', '2', '--every-value'), 'memory': ('--hardware', 'tpu-v5p', '--advice', '8')}
RUNS = (('plan', 'shardy'), ('plan', 'gspmd'), ('plan', 'none'), ('collectives', 'shardy'), ('collectives', 'gspmd'),
        ('memory', 'shardy'))


def main():
    tool, files = sys.argv[1], sys.argv[2:]
    schemas = {verb: json.loads(subprocess.run([tool, 'schema', verb], check=True, capture_output=True).stdout)
               for verb in ('plan', 'collectives', 'run', 'memory')}
    faults = collectives = 0
    for file in files:
        runs = RUNS + ((('run', 'shardy'), ('run', 'gspmd')) if file == files[0] else ())
        for verb, partitioner in runs:
            done = subprocess.run([tool, verb, file, '--partitioner', partitioner, '--format', 'json', *OPTIONS.get(verb, ())],
                                  capture_output=True)
            if done.returncode != 0:
                print(f'{file} ({verb}, {partitioner}): exit {done.returncode}: {done.stderr.decode()[:300]}')
                faults += 1
                continue
            report = json.loads(done.stdout)
            collectives += len(report.get('collectives', []))
            for problem in faults_of(verb, schemas[verb], report):
                print(f'{file} ({verb}, {partitioner}): {problem}')
                faults += 1
    with_jsonschema = 'yes' if validator_of(schemas['plan']) else 'no, it is not installed'
    print(f'{len(files)} files, {collectives} collectives, with jsonschema: {with_jsonschema}, {faults} faults')
    return 1 if faults or not files or not collectives else 0


if __name__ == '__main__':
    sys.exit(main())
