# shellcheck shell=bash disable=SC2034,SC2086  # variables are for the scripts that source this; package lists are words
# Shared by the shell scripts: where the repository is, Debian packages, building a preset. To be sourced by bash.
# Everything said here goes to standard error: standard output belongs to the tool.

ROOT=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)

# What a preset needs, as Debian 12 names it.
PACKAGES_BUILD="g++ cmake ninja-build libcli11-dev libyaml-cpp-dev libtbb-dev libeigen3-dev libfmt-dev libexpected-dev
  nlohmann-json3-dev liblzma-dev zlib1g-dev libgraphviz-dev"
PACKAGES_TEST="$PACKAGES_BUILD catch2 librapidcheck-dev python3 python3-jsonschema libxml2-utils librsvg2-bin fonts-dejavu-core"
PACKAGES_BENCH="$PACKAGES_BUILD libbenchmark-dev"
PACKAGES_FUZZ="$PACKAGES_BUILD clang-16 libclang-rt-16-dev"
PACKAGES_BROWSER="chromium chromium-driver python3-selenium python3-venv fonts-dejavu-core"
PACKAGES_FORMAT="clang-format-16"

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# missing_packages NAME...: those of the Debian packages that are not installed.
missing_packages() {
  local installed name
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | awk '$2 == "installed" {print $1}')
  for name in "$@"; do
    grep -qxF -- "$name" <<<"$installed" || echo "$name"
  done
}

# install_packages NAME...: installs the missing ones with apt-get, through sudo when not root.
install_packages() {
  local missing sudo=() log
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || return 0
  missing=$(missing_packages "$@" | xargs)
  [[ -z $missing ]] && return 0
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || die "these Debian packages are missing, and there is no sudo to install them: $missing"
    sudo=(sudo)
  fi
  say "installing Debian packages: $missing"
  log=$(mktemp)
  if ! { "${sudo[@]}" apt-get update -q &&
         "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing; } \
         >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    die "apt-get could not install: $missing"
  fi
  rm -f "$log"
}

# name_missing: for machines without apt; says which tools and libraries were not found, and what Debian calls them.
name_missing() {
  local tool probe
  for tool in c++:g++ cmake:cmake ninja:ninja-build; do
    command -v "${tool%%:*}" >/dev/null || say "not found: ${tool%%:*} (Debian: ${tool#*:})"
  done
  command -v c++ >/dev/null || return 0
  probe='CLI/CLI.hpp:libcli11-dev yaml-cpp/yaml.h:libyaml-cpp-dev oneapi/tbb.h:libtbb-dev eigen3/Eigen/Core:libeigen3-dev fmt/core.h:libfmt-dev
    tl/expected.hpp:libexpected-dev nlohmann/json.hpp:nlohmann-json3-dev lzma.h:liblzma-dev zlib.h:zlib1g-dev'
  for tool in $probe; do
    echo "#if __has_include(<${tool%%:*}>)
#else
missing ${tool%%:*} ${tool#*:}
#endif"
  done | c++ -E -P -x c++ - 2>/dev/null | while read -r _ header package; do
    [[ -n $package ]] && say "not found: header <$header> (Debian: $package)"
  done
}

# run_logged WHAT COMMAND...: shows the command's output on a terminal; elsewhere only when it fails.
run_logged() {
  local what=$1 log status=0
  shift
  if [[ -t 2 ]]; then
    "$@" >&2 </dev/null || { name_missing_elsewhere; die "$what failed"; }
    return
  fi
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null || status=$?
  [[ $status == 0 ]] || tail -n 200 "$log" >&2
  rm -f "$log"
  [[ $status == 0 ]] || { name_missing_elsewhere; die "$what failed"; }
}
name_missing_elsewhere() { command -v apt-get >/dev/null || name_missing; }

# build_preset PRESET "PACKAGES" [TARGET...]: configures and builds; silent and quick when all is up to date.
build_preset() {
  local preset=$1 packages=$2 dir=$ROOT/build/$1 launcher=() stamp
  shift 2
  stamp=$(xargs <<<"$packages")
  if [[ -f $dir/build.ninja && -f $dir/.packages && $(<"$dir/.packages") == "$stamp" ]]; then
    [[ $(ninja -C "$dir" -n "$@" 2>/dev/null) == *"no work to do"* ]] && return 0
  fi
  mkdir -p "$dir"
  exec 9>"$dir/.lock"
  ! command -v flock >/dev/null || flock 9 # two runs at once build one after the other
  if [[ ! -f $dir/build.ninja || ! -f $dir/.packages || $(<"$dir/.packages") != "$stamp" ]]; then
    install_packages $packages
    for tool in cmake ninja; do
      command -v $tool >/dev/null || { name_missing; die "$tool is needed to build"; }
    done
    command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    (cd "$ROOT" && run_logged "configuring the preset $preset" cmake --preset "$preset" "${launcher[@]}")
    echo "$stamp" >"$dir/.packages"
  fi
  say "building ${*:-everything} in build/$preset"
  run_logged "building the preset $preset" ninja -C "$dir" "$@"
  exec 9>&-
}
