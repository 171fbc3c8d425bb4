#!/bin/sh
# Packages the extension as interplay.vsix. Needs no network once `npm ci` has installed the packages beside it.
set -eu
cd "$(dirname "$0")"
if [ ! -d node_modules ]; then
  echo "run 'npm ci' in editors/vscode first; that needs the network, this script does not" >&2
  exit 2
fi
npx --no-install esbuild src/extension.js --bundle --platform=node --format=cjs --target=node18 \
  --external:vscode --minify --outfile=dist/extension.js
npx --no-install vsce package --no-dependencies --allow-missing-repository --skip-license --out interplay.vsix
