#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Journals of format 2 can still be read, and replay to the same decisions. Those in
# format-2 were written by the last release that wrote this format: 60 jobs on three
# hosts, once with each policy, and with quanta, bounds on suspensions, several
# reservations, and adaptive with rigid jobs.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

count=0
for journal in "$golden"/format-2/*.jnl; do
	name=$(basename "$journal" .jnl)
	[ "$(head -c 8 "$journal" | od -An -c | tr -d ' ')" = 'LXFWjnl002' ] ||
		fail "$name: not a journal of format 2"
	"$lxfw" replay "$journal" > "$work/replay" 2>&1 ||
		fail "$name: $(tail -3 "$work/replay")"
	grep -qE '^([0-9]+) of \1 decisions agree' "$work/replay" ||
		fail "$name: $(tail -1 "$work/replay")"
	policy=${name%%-*}
	"$lxfw" journal "$journal" > "$work/journal" 2>&1 ||
		fail "$name: journal: $(tail -3 "$work/journal")"
	head -1 "$work/journal" | grep -qw "$policy" ||
		fail "$name: policy $policy: $(head -1 "$work/journal")"
	count=$((count + 1))
done
[ "$count" = 14 ] || fail "$count journals of format 2, expected 14"
finish
