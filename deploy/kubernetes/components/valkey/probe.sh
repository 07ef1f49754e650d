#!/bin/sh
# Whether the Valkey of this container is alive (also while it reads its AOF) or ready.
export REDISCLI_AUTH="$VALKEY_PASSWORD" VALKEYCLI_AUTH="$VALKEY_PASSWORD"
answer=$(valkey-cli ping 2>&1)
case "$1:$answer" in
*:PONG | live:LOADING* | live:MASTERDOWN*) exit 0 ;;
*) echo "$answer" >&2; exit 1 ;;
esac
