#!/bin/sh
# Migrates all stores of a folder by several processes at once, each its own part of them:
#   docs/fleet/parallel.sh STORES MODELS [PARTS]
# By GNU parallel where there is one, which can also start them on other machines (add --sshlogin host1,host2 where the
# folder has the same path on all of them), otherwise by xargs.
# The exit code is 0 when all is fine. The same command again goes on where it ended.
set -eu
stores=${1:?the folder of the stores}
models=${2:?the folder of the models}
parts=${3:-4}

if command -v parallel >/dev/null 2>&1 && parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
  seq "$parts" | parallel --quote --jobs "$parts" --line-buffer \
    modelctl migrate "$stores" --model "$models" --shard "{}/$parts" --jobs 1 --format "json=$stores/migrated-{}.jsonl"
else
  seq "$parts" | xargs -P "$parts" -I '{}' \
    modelctl migrate "$stores" --model "$models" --shard "{}/$parts" --jobs 1 --format "json=$stores/migrated-{}.jsonl"
fi
