#!/bin/sh
# Takes back an update that never came up, then starts the house again. Shell, because the release may be broken.
#
# `makabana update` writes the name of the release before into `pending` before it switches, and removes that file once
# the new one has answered. So a `pending` here means: nobody has seen the new release at work.
set -eu

prefix=${MAKABANA_PREFIX:-/opt/makabana}
[ "${1:-}" != --help ] || { sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 0; }

if [ -s "$prefix/pending" ]; then
    before=$(head -c 200 "$prefix/pending")
    case $before in *[!A-Za-z0-9._+-]* | .*) echo "pending names no release: $before" >&2; before= ;; esac
    if [ -n "$before" ] && [ -x "$prefix/releases/$before/venv/bin/makabana" ]; then
        echo "The new release did not come up. Back to $before."
        ln -sfn "releases/$before" "$prefix/current.new"
        mv -T "$prefix/current.new" "$prefix/current" # in one step: there is always a current
        sync "$prefix" 2>/dev/null || sync
    fi
    rm -f "$prefix/pending"
else
    echo "The house has failed five times, and there is no update to take back. It is tried again in a minute."
    [ -n "${MAKABANA_NO_WAIT:-}" ] || sleep 60
fi

if [ -d /run/systemd/system ] && [ -z "${MAKABANA_NO_START:-}" ]; then
    systemctl reset-failed makabana.service
    systemctl start --no-block makabana.service
fi
