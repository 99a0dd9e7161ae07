# Sourced by tools/demo, tools/test, tools/check and .ci/run: building, and counting what passed.
# shellcheck shell=bash

set -o pipefail # counting relies on it

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
JOBS=${TAILFIX_JOBS:-$(nproc 2>/dev/null || echo 2)}
PASSED=0
unrandomised=() # a prefix of commands that need fixed addresses (tools/check)
FAILED=0

step() { printf '\n== %s\n' "$*"; }
has() { command -v "$1" >/dev/null 2>&1; }

# configure FOLDER [CMAKE OPTION...]: a build folder keeps the generator it was made with.
configure() {
    local folder=$1
    shift
    local options=("$@")
    if [ ! -f "$folder/CMakeCache.txt" ]; then options+=(-G Ninja); fi
    if has ccache; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
    cmake -S "$ROOT" -B "$folder" "${options[@]}" >"$folder.configure.log" 2>&1 || {
        cat "$folder.configure.log"
        return 1
    }
    rm -f "$folder.configure.log"
}

# build FOLDER [TARGET...]
build() {
    local folder=$1
    shift
    cmake --build "$folder" -j "$JOBS" ${1:+--target "$@"}
}

# check NAME COMMAND...: one check, passed when the command succeeds.
check() {
    local name=$1
    shift
    if "$@"; then
        PASSED=$((PASSED + 1))
    else
        FAILED=$((FAILED + 1))
        printf 'FAIL %s\n' "$name"
    fi
}

# tally NAME COMMAND...: many checks, counted by the command's own last line, "N passed, N failed".
# A command that dies without that line, or fails with none failed, counts as one failure.
tally() {
    local name=$1 log code=0 last failed=0
    shift
    log=$(mktemp)
    # Its sum is printed indented: the only line of that form that stands alone is the last of the outermost command.
    "$@" 2>&1 | tee "$log" | sed -E 's/^([0-9]+ passed, [0-9]+ failed)$/    \1/' || code=$?
    last=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1 || true)
    rm -f "$log"
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        PASSED=$((PASSED + BASH_REMATCH[1]))
        failed=${BASH_REMATCH[2]}
    fi
    if { [ -z "$last" ] || [ "$code" != 0 ]; } && [ "$failed" = 0 ]; then
        failed=1
        printf 'FAIL %s: exit %s\n' "$name" "$code"
    fi
    FAILED=$((FAILED + failed))
}

# catch2_counts LOG: "passed failed" (test cases). Catch2 2 and 3 both sum up as
# "All tests passed (9 assertions in 3 test cases)" or "test cases: 3 | 2 passed | 1 failed".
catch2_counts() {
    local passed=0 failed=0 summary
    if summary=$(grep -E '^All tests passed' "$1"); then
        passed=$(sed -E 's/.* in ([0-9]+) test cases?.*/\1/' <<<"$summary")
    elif summary=$(grep -E '^test cases:' "$1"); then
        passed=$(sed -nE 's/.*[^0-9]([0-9]+) passed.*/\1/p' <<<"$summary")
        failed=$(sed -nE 's/.*[^0-9]([0-9]+) failed( .*)?$/\1/p' <<<"$summary")
    fi
    echo "${passed:-0} ${failed:-0}"
}

# unit_tests FOLDER [CATCH2 SPEC]: the unit tests of a build, in $JOBS processes, ended by "N passed, N failed" (test
# cases). Hidden tests ([.]) are tools and not run.
unit_tests() {
    local tests=$1/tailfix_tests spec=${2:-~[.]} work shard code passed=0 failed=0 some of_shard
    work=$(mktemp -d)
    "$tests" --list-test-names-only "$spec" | sed 's/,/\\,/g' >"$work/names" || true # a comma parts names
    split -n "r/$JOBS" "$work/names" "$work/shard."
    for shard in "$work"/shard.*; do
        if [ ! -s "$shard" ]; then continue; fi
        { code=0; "${unrandomised[@]}" "$tests" --input-file "$shard" >"$shard.log" 2>&1 || code=$?; echo $code >"$shard.code"; } &
    done
    wait
    for shard in "$work"/shard.*.log; do
        grep -v "^Filters: " "$shard" || true
        read -r some of_shard <<<"$(catch2_counts "$shard")"
        passed=$((passed + some))
        code=$(cat "${shard%.log}.code" 2>/dev/null || echo 1)
        if [ "$code" != 0 ] && [ "$of_shard" = 0 ]; then of_shard=1; fi # it crashed
        failed=$((failed + of_shard))
    done
    rm -rf "$work"
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ] && [ "$passed" != 0 ]
}

# finish: the last line, and the exit code.
finish() {
    printf '\n%d passed, %d failed\n' "$PASSED" "$FAILED"
    [ "$FAILED" = 0 ] && [ "$PASSED" != 0 ]
}
