#!/bin/sh
# Starts a Valkey; with VALKEY_PRIMARY (host name of the primary) and VALKEY_PEERS (all of them) as one of several.
#
# A primary that comes back with an empty volume would be copied by its replicas, and every table with it. So an empty
# primary starts only after every peer has answered that it, too, is empty; else it says what to do and ends.
set -eu
: "${VALKEY_PASSWORD:?the secret with the password is missing}"
data=${VALKEY_DATA:-/data}
run=${VALKEY_RUN:-/tmp}
port=${VALKEY_PORT:-6379}
patience=${VALKEY_PATIENCE:-300}
me=${VALKEY_NAME:-$(hostname)}
export REDISCLI_AUTH="$VALKEY_PASSWORD" VALKEYCLI_AUTH="$VALKEY_PASSWORD"

keys_of() { # how many keys a peer holds; nothing if it does not say
  valkey-cli -h "$1" -p "${2:-$port}" dbsize 2>/dev/null | grep -E '^[0-9]+$' || true
}

empty() { # whether this volume never held a log: a new server writes 89 bytes, the first entry of a table more than 300
  [ -z "$(find "$data" -path '*appendonlydir*' -type f ! -name '*.manifest' -size +300c 2>/dev/null | head -n 1)" ]
}

others_are_empty() {
  for peer in $VALKEY_PEERS; do
    name=${peer%%[.:]*}
    [ "$name" = "$me" ] && continue
    host=${peer%%:*}
    at=$port
    case $peer in *:*) at=${peer##*:} ;; esac
    waited=0
    until held=$(keys_of "$host" "$at"); [ -n "$held" ]; do
      [ "$waited" -lt "$patience" ] || { echo "This volume is empty and $name does not answer: not started, lest it copy nothing." >&2; exit 1; }
      [ "$waited" -gt 0 ] || echo "This volume is empty: waiting for $name to say that it is empty too." >&2
      sleep 1
      waited=$((waited + 1))
    done
    [ "$held" -eq 0 ] || { echo "This volume is empty, but $name holds $held keys: not started. Make $name the primary (docs/operating.md)." >&2; exit 1; }
  done
}

umask 077
printf 'requirepass "%s"\nmasterauth "%s"\n' "$VALKEY_PASSWORD" "$VALKEY_PASSWORD" >"$run/start.conf"
if [ -n "${VALKEY_PRIMARY:-}" ]; then
  for peer in $VALKEY_PEERS; do
    name=${peer%%[.:]*}
    host=${peer%%:*}
    at=$port
    case $peer in *:*) at=${peer##*:} ;; esac
    if [ "$name" = "$VALKEY_PRIMARY" ] && [ "$name" != "$me" ]; then
      printf 'replicaof %s %s\n' "$host" "$at" >>"$run/start.conf"
    fi
  done
  if [ "$me" = "$VALKEY_PRIMARY" ] && empty; then others_are_empty; fi
fi
unset REDISCLI_AUTH VALKEYCLI_AUTH
exec valkey-server "${VALKEY_CONFIG:-/etc/valkey/valkey.conf}" "$@"
