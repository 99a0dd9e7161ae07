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

# unit_tests FOLDER [CATCH2 OPTION...]: the unit tests of a build, ended by "N passed, N failed" (test cases).
# Catch2 2 and 3 both sum up as "All tests passed (9 assertions in 3 test cases)" or
# "test cases: 3 | 2 passed | 1 failed".
unit_tests() {
    local folder=$1 log code=0 passed=0 failed=0 summary
    shift
    log=$(mktemp)
    "${unrandomised[@]}" "$folder/tailfix_tests" "$@" 2>&1 | tee "$log" || code=$?
    if summary=$(grep -E '^All tests passed' "$log"); then
        passed=$(sed -E 's/.* in ([0-9]+) test cases?.*/\1/' <<<"$summary")
    elif summary=$(grep -E '^test cases:' "$log"); then
        passed=$(sed -nE 's/.*[^0-9]([0-9]+) passed.*/\1/p' <<<"$summary")
        failed=$(sed -nE 's/.*[^0-9]([0-9]+) failed( .*)?$/\1/p' <<<"$summary")
    fi
    rm -f "$log"
    if [ "$code" != 0 ] && [ "${failed:-0}" = 0 ]; then failed=1; fi # it crashed
    echo "${passed:-0} passed, ${failed:-0} failed"
    [ "${failed:-0}" = 0 ] && [ "${passed:-0}" != 0 ]
}

# finish: the last line, and the exit code.
finish() {
    printf '\n%d passed, %d failed\n' "$PASSED" "$FAILED"
    [ "$FAILED" = 0 ] && [ "$PASSED" != 0 ]
}
