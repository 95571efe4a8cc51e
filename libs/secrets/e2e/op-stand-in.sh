#!/bin/sh
# A stand-in for the command op of 1Password. OP_STAND_IN chooses how it behaves.
case "$OP_STAND_IN" in
  hang) sleep 600 & wait ;;
  signed-out) echo '[ERROR] 2026/11/26 12:00:00 You are not currently signed in. canary-value' >&2; exit 1 ;;
  broken) echo 'panic: canary-value' >&2; echo canary-value; exit 2 ;;
  garbage) printf 'canary-value\377{' ;;
  flood) exec yes canary-value ;;
  killed) kill -9 $$ ;;
  *)
    printf '%s\n' "$@" > "$OP_STAND_IN_ARGUMENTS"
    case "$1 $2" in
      'read --no-newline')
        case "$4" in
          op://Private/GitHub/token) printf 'line one\nline two' ;;
          *) echo '[ERROR] could not read secret: "Private" isn'"'"'t a vault in this account' >&2; exit 1 ;;
        esac ;;
      'item list')
        echo '[{"id":"1","title":"GitHub","vault":{"id":"v","name":"Private"}},{"id":"2","title":"AWS","vault":{"id":"v","name":"Private"}}]' ;;
      *) exit 9 ;;
    esac ;;
esac
