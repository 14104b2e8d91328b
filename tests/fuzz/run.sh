#!/usr/bin/env bash
# Fuzzes every operation of the OpenAPI document on a demo host with Schemathesis.
#   tests/fuzz/run.sh [long]   some minutes
#   tests/fuzz/run.sh short    about a minute, for `make test`
# Exits with 1 if a check fails, and with 2 if it could not run because Python, or a network for pip, is missing.
# The host is ${HOST:-target/debug/masthead}; it runs with a free port and a temporary data folder, and is stopped at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."

mode=${1:-long}
host=${HOST:-target/debug/masthead}
built=$(realpath -m "${CARGO_TARGET_DIR:-target}")
venv=$built/fuzz-venv
case $mode in
  short) examples=${EXAMPLES:-30} phases=examples,fuzzing ;;
  long) examples=${EXAMPLES:-150} phases=examples,coverage,fuzzing ;;
  *) echo "usage: tests/fuzz/run.sh [long|short]"; exit 1 ;;
esac

not_run() {
  echo "fuzz: NOT RUN: $1" >&2
  exit 2
}

command -v python3 >/dev/null || not_run "python3 is missing"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || not_run "$(python3 --version) is too old; 3.11 is required"
[ -x "$host" ] || { echo "fuzz: $host is missing; run \`make host\`"; exit 1; }
wanted=$(cat tests/fuzz/requirements.txt <(python3 --version) | sha256sum)
if [ "$(cat "$venv/wanted" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv" >/dev/null 2>&1 || not_run "python3 has no module venv (Debian: apt-get install python3-venv)"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --timeout 20 --retries 1 -r tests/fuzz/requirements.txt 2>"$venv/pip.log" ||
    not_run "pip cannot install tests/fuzz/requirements.txt: $(grep -v '^WARNING' "$venv/pip.log" | tail -1)"
  echo "$wanted" >"$venv/wanted"
fi

work=$(mktemp -d)
pid=
: >"$work/out"
stop() {
  if [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; then
    kill "$pid"
    wait "$pid" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap stop EXIT

# Compiled plugins are kept between runs, in the folder and with the key of the tests in Rust (`share_compiled` of host/test-support).
compiled=$built/tmp/compiled-plugins
mkdir -p "$work/data" && (umask 077 && mkdir -p "$compiled") && ln -s "$compiled" "$work/data/compiled"
(umask 077 && printf '\7%.0s' {1..32} >"$work/data/cookie.key")
env -u MASTHEAD_DATABASE MASTHEAD_LOG=warn "$host" serve --sites sites --data "$work/data" --listen 127.0.0.1:0 --demo >"$work/out" 2>"$work/log" &
pid=$!
for _ in $(seq 600); do
  kill -0 "$pid" 2>/dev/null || { cat "$work/log"; echo "fuzz: the host did not start"; exit 1; }
  base=$(sed -n 's|.* on \(http://[0-9.:]*\)/$|\1|p' "$work/out")
  if [ -n "$base" ] && "$venv/bin/python" -c "import requests,sys; sys.exit(requests.get('$base/readyz', timeout=5).status_code != 200)" 2>/dev/null; then break; fi
  sleep 0.2
done
[ -n "$base" ] || { cat "$work/log"; echo "fuzz: the host is not ready"; exit 1; }

result=0
here=$PWD/tests/fuzz
# Schemathesis writes files about failures to the current folder.
cd "$work"
FUZZ_BASE=$base SCHEMATHESIS_HOOKS=$here/hooks.py "$venv/bin/st" --config-file "$here/schemathesis.toml" run "$base/openapi.json" \
  --url "$base" --no-color --workers 2 --phases "$phases" --max-examples "$examples" --request-timeout 30 --warnings off ${FUZZ_ARGUMENTS:-} || result=$?

kill -0 "$pid" 2>/dev/null || { echo "fuzz: the host has stopped"; result=1; }
if grep -E 'panicked|ERROR' "$work/log" | head -20; then
  echo "fuzz: the host logged internal errors (see above)"
  result=1
fi
exit "$result"
