#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Letting go: while the plugin's thread stalls or is dead, Slurm's sched/backfill starts
# jobs and suspended jobs are resumed; the thread comes back by a reconfiguration.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

die_at=$build/tests/cluster/.libs/die_at.so
limit=60

# with_stalls PARAMETERS: a controller whose thread stalls while $run/stall exists
with_stalls()
{
	lxfw_only
	rm -f "$run/stall"
	set_params "$(live_params "lxfw_metrics=$run/lxfw.prom${1:+,$1}")"
	"$cluster" stop-ctld "$run" || fail "the controller does not end"
	"$cluster" start-ctld "$run" "LXFW_STALL=$run/stall" "LD_PRELOAD=$die_at" ||
		fail "the controller does not start"
	"$cluster" wait-up "$run" || fail "the nodes are not up"
	wait_done "$(submit -n 1 -t 1 true)"
}

started()
{
	case $(field "$1" JobState) in
	RUNNING | COMPLETING | COMPLETED) ;;
	*) return 1 ;;
	esac
}

# starts_without_us WHAT: a job that is submitted now starts within $limit seconds
starts_without_us()
{
	local job begin=$SECONDS
	job=$(submit -n 1 -t 1 true)
	poll "$limit" started "$job" || fail "$1: no start within $limit s"
	expect_logged 'lxfw.*stalls: Slurm schedules by itself'
	echo "  $1: a job started after $((SECONDS - begin)) s"
}

test_stall()
{
	with_stalls ""
	: >"$run/stall"
	starts_without_us "a stall"
	rm "$run/stall"
	sleep_until_ended
	scontrol reconfigure || fail "reconfigure fails"
	poll 60 logged 'lxfw.*schedules again' || fail "it does not come back"
	wait_done "$(submit -n 1 -t 1 true)"
}

# The stalled thread ends once it is awake.
sleep_until_ended()
{
	poll 60 thread_is_gone || fail "the stalled thread does not end"
}

thread_is_gone()
{
	! cat "/proc/$(cat "$run/slurmctld.pid" 2>/dev/null || cat "$run"/*/slurmctld.pid)/task"/*/comm |
		grep -qx lxfw
}

test_thread_killed()
{
	with_stalls ""
	echo end >"$run/stall"
	starts_without_us "a thread that is killed"
	rm "$run/stall"
}

[ -e "$die_at" ] || skip "$die_at is not built (make check builds it)"
live_main "$@" -- --nodes 2
