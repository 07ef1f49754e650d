#!/usr/bin/env bash
# `make test-deploy`: builds the image, starts deploy/compose.yaml, plays a table through the proxy while things are killed.
# It uses the engine it finds. With KONTOR_START_ENGINE=1 (.ci/run) it starts one of its own where there is none, and
# where no image can be pulled it makes base images from Debian's packages. What can't run is said, with the reason.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=${KONTOR_TOOLS:-build/tools}
python=${PY:-.venv/bin/python}
base=python:3.13-slim-bookworm
engine=

not_run() { echo "test-deploy: NOT RUN: $*"; exit 0; }
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
echo "test-deploy: engine $(docker version --format '{{.Server.Version}}')"

deploy/tools.sh "$tools" compose
arguments=()
if timeout 60 docker pull -q "$base" >/dev/null 2>&1; then
  echo "test-deploy: on $base"
else
  command -v debootstrap >/dev/null && [ "$(id -u)" = 0 ] || not_run "$base can't be pulled, and making a base needs root and debootstrap"
  echo "test-deploy: $base can't be pulled: on a base made from Debian's packages, with stand-ins for valkey/valkey and envoyproxy/envoy"
  VALKEY_SERVER=$($python -c 'from service.log.embedded import program; print(program())')
  export VALKEY_SERVER VALKEY_IMAGE=kontor-base:valkey ENVOY_IMAGE=kontor-base:envoy
  deploy/offline/base.sh "$tools" 2>/dev/null
  deploy/wheels.sh "$python"
  arguments=(--build-arg BASE=kontor-base:run --build-arg BUILD_BASE=kontor-base:build --build-arg PIP_NO_INDEX=1)
fi
docker build -q -f deploy/Dockerfile "${arguments[@]}" -t kontor:test . >/dev/null
echo "test-deploy: image of $(docker image inspect kontor:test --format '{{.Size}}' | awk '{ printf "%d MB", $1 / 1e6 }')"
KONTOR_TOOLS=$tools KONTOR_IMAGE=kontor:test $python -m pytest -p no:randomly -p no:cacheprovider -q -s tests/deploy/engine_*.py
