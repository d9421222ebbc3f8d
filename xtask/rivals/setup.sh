#!/bin/sh
# Installs Valhalla and OSRM, the engines that rivals.py drives, and osmium, into a bare Debian 12 (x86-64, as root).
# Usage: setup.sh FOLDER (the repository uses target/tools/rivals). Does nothing where the same versions are in it.
# It must only use package registries by package name: the wheels carry the programs, nothing is compiled or fetched.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: $0 FOLDER" >&2
    exit 2
fi
folder=$1
wanted=$(dirname "$0")/requirements.txt

missing=
command -v osmium >/dev/null || missing="$missing osmium-tool"
command -v python3 >/dev/null || missing="$missing python3"
python3 -m pip --version >/dev/null 2>&1 || missing="$missing python3-pip"
if [ -n "$missing" ]; then
    apt-get update -qq
    # shellcheck disable=SC2086 # a list of package names
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
fi

if cmp -s "$wanted" "$folder/requirements.txt"; then
    exit 0
fi
rm -rf "$folder"
# The wheels are for Python 3.12 and later. Their programs need no Python, so they are unpacked for 3.12 whatever
# Python does the unpacking; --no-deps because only their Python modules have dependencies.
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --require-hashes \
    --only-binary :all: --platform manylinux_2_28_x86_64 --implementation cp --python-version 3.12 --abi abi3 \
    --target "$folder" --requirement "$wanted"
# Written last: an installation that was cut off is made again.
cp "$wanted" "$folder/requirements.txt"
