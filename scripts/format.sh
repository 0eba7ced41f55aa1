#!/usr/bin/env bash
# Formats the C++ sources with clang-format 16:  scripts/format.sh [--check] [FILE...]
# --check changes nothing, names the files it would change and exits 1. Other versions format differently, so only 16 is taken.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/lib.sh"
check=
[[ ${1:-} == --check ]] && { check=yes; shift; }

install_packages "$PACKAGES_FORMAT"
tool=
for name in clang-format-16 clang-format; do
  if command -v $name >/dev/null && $name --version | grep -q 'version 16\.'; then tool=$name; break; fi
done
[[ -n $tool ]] || die "clang-format 16 is needed (Debian: clang-format-16; PyPI: clang-format==16.0.6)"

if [[ $# == 0 ]]; then
  mapfile -d '' -t files < <(find "$ROOT/src" "$ROOT/tests" -name '*.cc' -print0 -o -name '*.h' -print0 | sort -z)
else
  files=("$@")
fi
[[ ${#files[@]} != 0 ]] || die "no sources found"
if [[ -z $check ]]; then
  printf '%s\0' "${files[@]}" | xargs -0 -n 20 -P 2 "$tool" --style=file -i
  exit
fi
unformatted=$(printf '%s\0' "${files[@]}" | xargs -0 -n 20 -P 2 "$tool" --style=file --dry-run 2>&1 |
  sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning: code should be clang-formatted.*/\1/p' | sort | uniq -c)
if [[ -n $unformatted ]]; then
  echo "$unformatted" | awk -v root="$ROOT/" '{sub(root, "", $2); print $2 ": " $1 " places"}'
  die "not formatted; run scripts/format.sh"
fi
echo "${#files[@]} files are formatted"
