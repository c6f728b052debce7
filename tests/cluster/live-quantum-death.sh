#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Immediate service, and a controller that is killed in the middle of it: every job
# comes to its end, none stays suspended, whatever scheduler comes back.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"

# Four victims that count for 18 seconds, then one to be served. Ids to fillers
# and job.
begin()
{
	local node
	fillers=()
	for node in n1 n2 n3 n4; do
		fillers+=("$(ticker -w "$node" -n 8 --mem 2000 180)")
	done
	rm -f "$run/work/over"
	before=$(wc -l <"$run/log/slurmctld")
	job=$(submit --begin now+10 -n 8 --mem 2000 -t 10 "sleep ${1:-8}; echo over >>over")
	have_saved "$job"
}

# Moments.
planned()   { grep -q '^lent ' "$run/state/lxfw_quanta" 2>/dev/null; }
suspending() { said 'suspended JobId='; }
serving()   { said "JobId=$job has a quantum"; }
requeued()  { said "requeued JobId=$job"; }
resumed()   { said 'JobId=.* goes on'; }

said()
{
	tail -n "+$((before + 1))" "$run/log/slurmctld" | grep -q "lxfw: $1"
}

# kill_at MOMENT: as soon as it has come. Many a look a second.
kill_at()
{
	local deadline=$((SECONDS + 30))
	until "$1"; do
		((SECONDS < deadline)) || fail "never $1"
	done
	"$cluster" kill9-ctld "$run"
}

# Everybody counts to the end, and the job that was served is over.
expect_nothing_lost()
{
	local filler
	expect_none_suspended 40
	wait_done "$job" "${fillers[@]}"
	for filler in "${fillers[@]}"; do
		[ "$(ticks_of "$filler")" = 180 ] || fail "job $filler counted to $(ticks_of "$filler")"
	done
	[ -e "$run/work/over" ] || fail "the served job did not come to its end"
	! grep -q '^lent ' "$run/state/lxfw_quanta" || fail "left behind: $(grep '^lent ' "$run/state/lxfw_quanta" | xargs)"
}

survive()
{
	begin "${2:-8}"
	kill_at "$1"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start again"
	expect_nothing_lost
}

test_killed_before_the_suspension()
{
	survive planned
}

test_killed_when_suspended()
{
	survive suspending
}

test_killed_in_the_quantum()
{
	survive serving
}

test_killed_when_requeued()
{
	survive requeued
}

test_killed_when_resumed()
{
	survive resumed
}

test_killed_after_the_end()
{
	survive resumed 1
}


# An orderly restart ends what is under way, too.
test_restarted_in_the_quantum()
{
	begin
	poll 20 serving || fail "never served"
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not restart"
	expect_nothing_lost
}

# With Slurm's own scheduler a command brings all back.
test_killed_and_gone()
{
	local filler
	begin
	kill_at serving
	"$cluster" conf "$run" --scheduler backfill --params ''
	"$cluster" start-ctld "$run" || fail "slurmctld does not start with sched/backfill"
	"$LXFW_RECOVER" >"$run/log/recover" 2>&1 || fail "lxfw-recover: $(tail -n 1 "$run/log/recover")"
	poll 40 none_suspended || fail "still suspended: $(suspended)"
	wait_done "${fillers[@]}"
	for filler in "${fillers[@]}"; do
		[ "$(ticks_of "$filler")" = 180 ] || fail "job $filler counted to $(ticks_of "$filler")"
	done
	# Slurm itself leaves it alone for two minutes after its requeue.
	is_state "$job" 'PENDING COMPLETED RUNNING' || fail "the served job is $(state "$job")"
	scancel "$job"
	"$cluster" stop-ctld "$run"
	"$cluster" conf "$run" --scheduler lxfw --params "$params"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start with sched/lxfw"
}

LXFW_RECOVER=$here/../../plugins/slurm/lxfw-recover
# `make check` has time for these; LXFW_SLOW=1 for all.
[ $# -gt 0 ] || [ -n "${LXFW_SLOW-}" ] ||
	set -- killed_before_the_suspension killed_in_the_quantum killed_and_gone
live_policy=$quantum_policy
live_main "$@" -- --nodes 4 --cpus 8 --memory 16000
