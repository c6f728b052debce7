#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Components of heterogeneous jobs in a log of Slurm: they are simulated as a group, which
# starts on different hosts at the same time.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

printf 'a procs=4\nb procs=4\nc procs=4\n' > "$work/cluster"
sacct='JobID|JobIDRaw|User|Group|Partition|State|Submit|Eligible|Start|End|ElapsedRaw|Timelimit|NCPUS|NNodes|ReqMem|NodeList'
{
	echo "$sacct"
	t=2026-01-01T00:00
	echo "1|1|u|g|p|COMPLETED|$t:00|$t:00|$t:00|$t:40|40|00:00:40|4|1||a"
	echo "2|2|u|g|p|COMPLETED|$t:00|$t:00|$t:00|$t:30|30|00:00:30|4|1||b"
	echo "3+0|3|u|g|p|COMPLETED|$t:01|$t:01|$t:30|$t:40|10|00:01:00|2|1||b"
	echo "3+1|4|u|g|p|COMPLETED|$t:01|$t:01|$t:30|$t:50|20|00:01:00|4|1||c"
	echo "5|5|u|g|p|COMPLETED|$t:02|$t:02|$t:02|$t:22|20|00:01:00|4|1||c"
	echo "6|6|u|g|p|COMPLETED|$t:02|$t:02|$t:02|$t:22|20|00:00:20|2|1||c"
} > "$work/log"

# Job 5 would delay the group on its two hosts, job 6 does not.
agrees "from sacct" log --cluster "$work/cluster" --policy easy <<'END'
1 0 40 a
2 0 30 b
3 30 40 b
4 30 50 c
5 40 60 a
6 2 22 c
END

"$lxfw" import --out "$work/trace" "$work/log" 2> "$work/messages" || fail "import: $(cat "$work/messages")"
grep -q '^; Request: [0-9]* nodes=1,het=3' "$work/trace" || fail "the trace: $(cat "$work/trace")"
agrees "imported" trace --cluster "$work/cluster" --policy easy <<'END'
1 0 40 a
2 0 30 b
3 30 40 b
4 30 50 c
5 40 60 a
6 2 22 c
END

# Policies with a pass of their own start the components separately.
agrees "separately" trace --cluster "$work/cluster" --policy eqspatial <<'END'
1 0 78 a
2 0 58 b
3 1 11 c
4 1 26 c
5 2 42 a
6 2 22 b
END

# On one host the components cannot be apart.
agrees "on one host" trace --cluster procs=12 --policy easy <<'END'
1 0 40 h0
2 0 30 h0
3 1 11 h0
4 22 42 h0
5 30 50 h0
6 2 22 h0
END

finish
