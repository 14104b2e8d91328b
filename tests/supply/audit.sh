#!/usr/bin/env bash
# Compares the packages of every lock file with the databases of known vulnerabilities.
#   0  every database was read, and no package is named in one
#   1  a package has a known vulnerability (or is yanked)
#   3  no vulnerability was found, but a database could not be read: the line NOT CHECKED names it and the reason
# Rust packages are checked with cargo-deny, else with cargo-audit; npm packages with `npm audit`.
set -euo pipefail
cd "$(dirname "$0")/../.."

vulnerable=() unread=()
output=$(mktemp)
trap 'rm -f "$output"' EXIT

not_checked() {
  unread+=("$1")
  echo "audit: NOT CHECKED: $1: $2"
}

# The RustSec database, which both tools fetch from https://github.com/rustsec/advisory-db.
rust() {
  local locks=(Cargo.lock plugins/Cargo.lock plugin-sdk/rust/Cargo.lock) lock
  if command -v cargo-deny >/dev/null; then
    if ! cargo deny fetch db >"$output" 2>&1; then
      not_checked "the RustSec database (Cargo.lock files)" "cargo-deny cannot fetch it: $(grep -vE '^\s*$' "$output" | tail -1)"
      return
    fi
    # cargo-deny looks for deny.toml in the folder of the manifest and in those above it.
    for lock in "${locks[@]}"; do
      echo "audit: $lock with cargo-deny"
      cargo deny --manifest-path "${lock%.lock}.toml" check --disable-fetch advisories || vulnerable+=("$lock")
    done
  elif command -v cargo-audit >/dev/null; then
    for lock in "${locks[@]}"; do
      # The report is JSON if the database was read, whatever is in it.
      local result=0
      cargo audit --json --file "$lock" >"$output" 2>"$output.errors" || result=$?
      if ! node -e 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).vulnerabilities.count' "$output" 2>/dev/null; then
        not_checked "the RustSec database ($lock)" "cargo-audit cannot fetch it: $(grep -vE '^\s*$' "$output.errors" | tail -1)"
      elif [ "$result" != 0 ]; then
        cargo audit --no-fetch --file "$lock" || vulnerable+=("$lock")
      else
        echo "audit: $lock with cargo-audit: nothing found"
      fi
      rm -f "$output.errors"
    done
  else
    not_checked "the RustSec database (Cargo.lock files)" "neither cargo-deny nor cargo-audit is installed; run \`cargo install --locked cargo-deny\`"
  fi
}

# The registry's own database.
npm_packages() {
  command -v npm >/dev/null || { not_checked "the npm registry (package-lock.json)" "npm is missing"; return; }
  npm audit --package-lock-only --audit=true --json >"$output" 2>/dev/null || true
  # Only a report has a version; anything else is the message of an error.
  local count
  count=$(node -e '
    const report = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8") || "{}");
    if (report.auditReportVersion) console.log(report.metadata.vulnerabilities.total);
    else console.log("unread " + String(report.error?.summary || report.message || report.error?.code || "it gave no report").split("\n")[0]);
  ' "$output" 2>/dev/null) || count="unread it gave no report"
  case $count in
    unread*) not_checked "the npm registry (package-lock.json)" "${count#unread }" ;;
    0) echo "audit: package-lock.json with npm audit: nothing found" ;;
    *)
      npm audit --package-lock-only --audit=true || true
      vulnerable+=("package-lock.json")
      ;;
  esac
}

rust
npm_packages
if [ ${#vulnerable[@]} -gt 0 ]; then
  echo "audit: known vulnerabilities in: ${vulnerable[*]}"
  exit 1
fi
if [ ${#unread[@]} -gt 0 ]; then
  echo "audit: ${#unread[@]} of the databases could not be read; what they say is not known"
  exit 3
fi
echo "audit: no known vulnerabilities"
