#!/usr/bin/env bash
# `make test-containers`: the log's contract on servers in containers, by testcontainers. It uses the engine it finds; with
# KONTOR_START_ENGINE=1 (.ci/run) it starts one of its own where there is none. Where no image can be pulled it makes one
# from Debian's packages. What can't run is said, with the reason.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=${KONTOR_TOOLS:-build/tools}
python=${PY:-.venv/bin/python}
official="redis:7 valkey/valkey:8"
engine=

not_run() { echo "test-containers: NOT RUN: $*"; exit 0; }
ended() { if [ -n "$engine" ]; then deploy/engine.sh stop "$engine"; fi; }
trap ended EXIT

if ! docker info >/dev/null 2>&1; then
  [ "${KONTOR_START_ENGINE:-}" = 1 ] || not_run "no container engine answers (docker info); KONTOR_START_ENGINE=1 starts Debian's, as root"
  [ "$(id -u)" = 0 ] || not_run "no container engine answers, and only root can start one"
  engine=${TMPDIR:-/tmp}/kontor-engine # outside the tree: it mounts things
  DOCKER_HOST=$(deploy/engine.sh start "$engine" 2>"${TMPDIR:-/tmp}/kontor-engine.words") \
    || not_run "no container engine can be started: $(cat "${TMPDIR:-/tmp}/kontor-engine.words")"
  export DOCKER_HOST
fi

pulled=1
for image in $official; do timeout 60 docker pull -q "$image" >/dev/null 2>&1 || pulled=0; done
if [ "$pulled" = 1 ]; then
  images=$official
else
  command -v debootstrap >/dev/null && [ "$(id -u)" = 0 ] || not_run "$official can't be pulled, and making an image needs root and debootstrap"
  root=$tools/base/redis
  if [ ! -e "$root.ready" ]; then
    rm -rf "$root" && mkdir -p "$root"
    debootstrap --variant=minbase --include=redis-server bookworm "$root" >"$tools/base/redis.log"
    touch "$root.ready"
  fi
  tar -C "$root" --numeric-owner --exclude=./dev/\* --exclude=./proc/\* --exclude=./sys/\* -c . | docker import - kontor-base:redis >/dev/null
  images=kontor-base:redis
fi
echo "test-containers: engine $(docker version --format '{{.Server.Version}}'), images $images"
# No helper container that cleans up: it would have to be pulled, and the tests stop their own.
TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_CONNECTION_MODE=docker_host KONTOR_LOG_IMAGES=$images \
  $python -m pytest -p no:cacheprovider -q -s tests/containers/check_*.py
