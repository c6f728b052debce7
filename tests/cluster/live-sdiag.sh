#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What sdiag shows in its block of backfilling, and that jobs start at once. Without
# arguments, the script runs with Slurm's own scheduler first: the counters of jobs and of
# the queue must be the same after the same submissions.

export live_policy=lxfw_policy=site
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	counters=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-sdiag.XXXXXX") || exit 1
	trap 'rm -rf "$counters"' EXIT
	export LXFW_COUNTERS=$counters
	live_schedulers "$@" || exit
	[ -e "$counters/backfill" ] || exit 0
	diff "$counters/backfill" "$counters/lxfw" && exit 0
	echo "not ok - other counters than with sched/backfill"
	compare_again "$@"
fi

# Slurm's own main scheduler would start jobs first; only sched/backfill counts here.
live_params()
{
	if [ "$scheduler" = lxfw ]; then
		echo "defer,sched_interval=-1,lxfw_journal=$run/journal${1:+,$1}"
	else
		echo "defer,sched_interval=-1,bf_interval=1"
	fi
}

# counter NAME: print this value of the block of backfilling.
counter()
{
	sdiag | awk -v name="	$1:" '
		/^Backfilling stats/ { on = 1 }
		on && index($0, name) == 1 { sub(/[^:]*: */, ""); print $1; exit }'
}

counter_is()
{
	[ "$(counter "$1")" = "$2" ]
}

# expect_counter NAME VALUE: it is reached, and kept for the comparison.
expect_counter()
{
	poll 60 counter_is "$1" "$2" || fail "$1 is $(counter "$1"), not $2"
	[ -z "${LXFW_COUNTERS-}" ] || echo "$1: $2" >>"$LXFW_COUNTERS/$scheduler"
}

# Until Slurm has set the time of the next reset, a reset by hand is followed by another one.
counts_since()
{
	[ "$(sdiag | sed -n 's/^Data since.*(\([0-9]*\))/\1/p')" -gt 0 ]
}

test_counters()
{
	local job cycles
	[ -z "${LXFW_COUNTERS-}" ] || : >"$LXFW_COUNTERS/$scheduler"	# also of a second try
	# Slurm's main scheduler may start the first job of a new controller.
	wait_done "$(submit -n 1 -t 1 true)"
	poll 60 counts_since || fail "sdiag has no time since which it counts"
	sdiag -r >/dev/null || fail "sdiag does not reset the counters"
	for job in a b c d; do
		wait_start "$(submit -J $job -n 4 -t 5 'sleep 1000')"
	done
	expect_counter 'Total backfilled jobs (since last stats cycle start)' 4
	for job in e f g h i; do
		submit -J $job -n 4 -t 5 'sleep 1000' >/dev/null
	done
	expect_counter 'Last queue length' 5
	expect_counter 'Last depth cycle' 5
	expect_counter 'Last depth cycle (try sched)' 5
	expect_counter 'Total backfilled jobs (since last stats cycle start)' 4
	# A job in two partitions counts twice.
	submit -p p,q -n 4 -t 5 'sleep 1000' >/dev/null
	expect_counter 'Last queue length' 7
	# A held job is not in the queue.
	submit --hold -n 4 -t 5 'sleep 1000' >/dev/null
	expect_counter 'Last queue length' 7
	cycles=$(counter 'Total cycles')
	((cycles > 0)) || fail "no cycles are counted"
	(($(counter 'Last cycle') > 0 && $(counter 'Max cycle') >= $(counter 'Last cycle') &&
		$(counter 'Mean cycle') > 0)) || fail "cycles without a length: $(sdiag | grep cycle | xargs)"
	(($(counter 'Last table size') > 0 && $(counter 'Mean table size') > 0)) || fail "an empty table"
}

recent()
{
	(($(date +%s) - $(sdiag | sed -n 's/.*Last cycle when:.*(\([0-9]*\))/\1/p' | tail -n 1) <= 40))
}

# Passes without jobs do not count, and the time is that of the last one with jobs.
test_no_jobs()
{
	local cycles
	wait_done "$(submit -n 1 -t 1 true)"
	recent || fail "the last cycle is not recent: $(sdiag | grep 'cycle when' | xargs)"
	cycles=$(counter 'Total cycles')
	scontrol update nodename=n1 comment=changed
	submit --hold -n 1 -t 1 true >/dev/null
	scancel -u "$(id -un)"
	wait_empty 60
	counter_is 'Total cycles' "$cycles" ||
		fail "$(($(counter 'Total cycles') - cycles)) cycles without jobs are counted"
}

live_main "$@" -- --nodes 2 --cpus 8 --memory 8000 --conf DefMemPerCPU=100 \
	--partition 'p Nodes=ALL Default=YES MaxTime=INFINITE State=UP' \
	--partition 'q Nodes=ALL MaxTime=INFINITE State=UP'
