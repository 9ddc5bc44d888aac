#!/bin/sh
# Installs the command footbridge in the image of a dev container. PACKAGE is the option "package" of the Feature.
set -eu
cd "$(dirname "$0")"
package=${PACKAGE:-footbridge.tgz}

fail() {
  echo "footbridge: $1" >&2
  exit 1
}

command -v npm > /dev/null || fail 'needs Node and npm: add the Feature ghcr.io/devcontainers/features/node.'
node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
  fail "needs Node 20.19 or newer, and this is $(node --version)."
case $package in
  https://*) ;;
  *)
    [ -f "$package" ] || fail "there is no $package beside install.sh: npm pack makes one in a checkout of Footbridge."
    package=$(realpath "$package")
    ;;
esac
npm install --global --no-audit --no-fund --loglevel=error "$package"
footbridge --version
