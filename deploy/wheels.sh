#!/usr/bin/env bash
# Fetches the pinned packages of the image into build/wheels, for an engine whose containers reach no package index:
#   deploy/wheels.sh python3.11     the interpreter of the base image, by version
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
rm -rf build/wheels
mkdir -p build/wheels
# Without the conditions on the interpreter: the image's may be older than this one by a patch.
cat requirements/run.txt requirements/image.txt | sed -E 's/ ; [^\\]+\\/ \\/' >build/wheels/all.txt
"$python" -m pip --disable-pip-version-check -q download --require-hashes --only-binary :all: \
  -r build/wheels/all.txt -d build/wheels
