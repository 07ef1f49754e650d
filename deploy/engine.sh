#!/usr/bin/env bash
# A container engine of our own for tests, where none is running: deploy/engine.sh start|stop DIRECTORY (root, Debian).
# It listens on a socket in the directory only. `start` prints the DOCKER_HOST to use, or ends with the reason.
set -euo pipefail
action=${1:?start or stop}
mkdir -p "${2:?where its files lie}"
place=$(realpath "$2")

stop() {
  [ -e "$place/docker.pid" ] || return 0
  local pid
  pid=$(cat "$place/docker.pid")
  kill "$pid" 2>/dev/null || return 0
  for _ in $(seq 100); do [ -e "/proc/$pid" ] || return 0; sleep 0.2; done
}

start() {
  local missing=()
  command -v dockerd >/dev/null || missing+=(docker.io iptables)
  command -v debootstrap >/dev/null || missing+=(debootstrap)
  if [ ${#missing[@]} -gt 0 ]; then
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}"; } >"$place/apt.log" 2>&1 \
      || { echo "${missing[*]} can't be installed: $(tail -1 "$place/apt.log")" >&2; exit 1; }
  fi
  setsid dockerd --host "unix://$place/docker.sock" --data-root "$place/data" --exec-root "$place/exec" \
    --pidfile "$place/docker.pid" >"$place/dockerd.log" 2>&1 </dev/null &
  for _ in $(seq 150); do
    if docker --host "unix://$place/docker.sock" info >/dev/null 2>&1; then echo "unix://$place/docker.sock"; return; fi
    sleep 0.2
  done
  echo "dockerd does not start: $(grep -v level=info "$place/dockerd.log" | tail -1)" >&2
  exit 1
}

"$action"
