#!/usr/bin/env python3
"""Every diagnostic kind appears in the expected output of some golden: a message that no test shows is a message that nobody
has read. Exit 1 with the missing kinds."""
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# kind -> why no golden can show it
EXEMPT = {}


def main():
    with open(os.path.join(TOP, 'src', 'source', 'diagnostic_kinds.def'), encoding='utf-8') as f:
        kinds = re.findall(r'^SW_DIAGNOSTIC\(\w+, "([a-z-]+)"', f.read(), re.M)
    seen = set()
    for folder, _, files in os.walk(os.path.join(TOP, 'tests', 'golden')):
        for name in files:
            with open(os.path.join(folder, name), encoding='utf-8', errors='replace') as f:
                for line in f:
                    if re.match(r'(//|#) \| ', line):
                        seen.update(re.findall(r'\[([a-z-]+)\]$', line))
    missing = [k for k in kinds if k not in seen and k not in EXEMPT]
    needless = [k for k in EXEMPT if k in seen or k not in kinds]
    for kind in missing:
        print(f'no golden shows [{kind}]')
    for kind in needless:
        print(f'[{kind}] needs no exemption')
    print(f'{len(kinds)} kinds, {len(kinds) - len(missing)} shown or exempt')
    return 1 if missing or needless else 0


if __name__ == '__main__':
    sys.exit(main())
