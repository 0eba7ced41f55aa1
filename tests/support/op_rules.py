#!/usr/bin/env python3
"""Shows a JSON report of `shardwright plan` op by op, for the golden tests of operations.

usage: shardwright plan FILE --format json | op_rules.py [hlo]

Arguments, then one line per op: its factor rule; below, the sharding of each result; then the results of the program.
Replicated values show as a dash. `hlo`: shardings in HLO's spelling, and no rules.
"""
import json
import sys


def main():
    spelling = 'hlo' if sys.argv[1:] == ['hlo'] else 'sdy'
    report = json.load(sys.stdin)

    def shown(value):
        text = (value.get('sharding') or {}).get(spelling)
        return '-' if text is None else text.replace('<@mesh, ', '<')

    values = report['values']
    for value in values:
        if value['kind'] == 'argument':
            print(f"{value['name']:8} {shown(value)}")
    for value in values:
        if value['kind'] != 'result':
            continue
        if value.get('index', 0) == 0:
            rule = (value.get('rule') or '-') if spelling == 'sdy' else ''
            print(f"line {value['line']}  {value['op']}  {rule}".rstrip())
        print(f"    {shown(value)}")
    for value in report['outputs']:
        print(f"result {value['index']}  {shown(value)}")
    for entry in report['unsupported']:
        print('unsupported', json.dumps(entry, sort_keys=True))


if __name__ == '__main__':
    main()
