#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Letting go: while the plugin's thread stalls or is dead, Slurm's sched/backfill starts
# jobs and suspended jobs are resumed; the thread comes back by a reconfiguration.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"

# Once under each name of the plugin: sched/lxfw, and sched/backfill before Slurm's own.
if [ $# = 0 ]; then
	beside "named sched/lxfw" "$0" under_lxfw stall suspended
	beside "named sched/lxfw" "$0" under_lxfw thread_killed
	beside "named sched/backfill" env LXFW_STOCK_NAME=1 "$0" under_backfill stall
	besides
	exit
fi
case $1 in under_*) shift ;; esac

die_at=$build/tests/cluster/.libs/die_at.so
limit=60
# The time after which a thread is stalled.
let_go=8

# with_stalls PARAMETERS: a controller whose thread stalls while $run/stall exists
with_stalls()
{
	lxfw_only
	rm -f "$run/stall" "$run/stall.reached"
	set_params "$(live_params "lxfw_let_go=$let_go,bf_interval=1,lxfw_metrics=$run/lxfw.prom${1:+,$1}")"
	"$cluster" stop-ctld "$run" || fail "the controller does not end"
	"$cluster" start-ctld "$run" "LXFW_STALL=$run/stall" "LD_PRELOAD=$die_at" ||
		fail "the controller does not start"
	"$cluster" wait-up "$run" || fail "the nodes are not up"
	wait_done "$(submit -n 1 -t 1 true)"
}

# The metrics are written after a pass, 15 seconds after those before or later. A job that is
# submitted causes a pass.
stalls_at_a_pass()
{
	[ -e "$run/stall.reached" ] && return
	submit -n 1 -t 1 true >/dev/null
	poll 2 test -e "$run/stall.reached"
}

has_begun()
{
	case $(field "$1" JobState) in
	RUNNING | COMPLETING | COMPLETED) ;;
	*) return 1 ;;
	esac
}

# starts_without_us WHAT: a job that is submitted now starts within $limit seconds
starts_without_us()
{
	local job begin
	poll 90 stalls_at_a_pass || fail "$1: not reached"
	begin=$SECONDS
	job=$(submit -n 1 -t 1 true)
	poll "$limit" has_begun "$job" || fail "$1: no start within $limit s"
	expect_logged 'lxfw.*stalls: Slurm schedules by itself'
	echo "  $1: a job started after $((SECONDS - begin)) s"
	expect_known
}

# The metrics, lxfw status and the report contain that and why Slurm schedules.
expect_known()
{
	poll 30 grep -qx 'lxfw_let_go{reason="stalled"} 1' "$run/lxfw.prom" ||
		fail "not in the metrics: $(cat "$run/lxfw.prom")"
	! "$build/lxfw" status "$run/lxfw.prom" >"$run/log/status" || fail "exit status 0"
	head -n 1 "$run/log/status" | grep -q '^LET GO .*stalls' || fail "$(cat "$run/log/status")"
	grep -qE '^stalled +[0-9]+ s, step: writing the metrics$' "$run/state/lxfw_let_go" &&
		(($(sed -n 's/^stalled *\([0-9]*\) s.*/\1/p' "$run/state/lxfw_let_go") >= let_go)) ||
		fail "the report: $(cat "$run/state/lxfw_let_go")"
	! "$build/lxfw" status "$run/lxfw.prom" | grep -q '^policy  *unknown' ||
		fail "the other metrics are lost"
}

# The metrics of the thread, which has been started again.
is_ours()
{
	grep -qx 'lxfw_let_go{reason="stalled"} 0' "$run/lxfw.prom"
}

is_ours_after_a_job()
{
	wait_done "$(submit -n 1 -t 1 true)"
	poll 2 is_ours
}

test_stall()
{
	with_stalls ""
	: >"$run/stall"
	starts_without_us "a stall"
	rm "$run/stall"
	sleep_until_ended
	reconfigure || fail "reconfigure fails"
	poll 90 is_ours_after_a_job || fail "the gauge is still set"
	"$build/lxfw" status "$run/lxfw.prom" >/dev/null || fail "exit status $?"
}

# A job that was suspended for another one's quantum resumes, although others wait for its
# processors and Slurm gives these to them: its node is reserved until then.
test_suspended()
{
	local victim before others=() i
	with_stalls "${quantum_policy/lxfw_quantum=$quantum/lxfw_quantum=90}"
	victim=$(ticker -w n1 -n 8 --mem 2000 3000)
	wait_min_run "$victim"
	submit -w n1 -n 8 --mem 2000 -t 60 'sleep 300' >/dev/null
	poll 60 is_state "$victim" SUSPENDED || fail "no job is suspended"
	: >"$run/stall"
	poll 90 stalls_at_a_pass || fail "the stall is not reached"
	is_state "$victim" SUSPENDED || fail "it resumed before the stall"
	for i in 1 2 3 4 5 6 7 8; do
		others+=("$(submit -w n1 -n 1 --mem 100 -t 10 'sleep 300')")
	done
	before=$SECONDS
	poll "$limit" is_state "$victim" RUNNING || fail "job $victim stays suspended"
	expect_logged 'lxfw.*stalls: Slurm schedules by itself'
	echo "  a suspended job resumed after $((SECONDS - before)) s"
	before=$(ticks_of "$victim")
	poll 60 ticked "$victim" "$before" || fail "it does not run"
	expect_logged "the nodes n1 are reserved until JobId=$victim has resumed"
	poll 20 is_unreserved || fail "still there: $(scontrol show reservations)"
	for i in "${others[@]}"; do
		is_state "$i" PENDING || fail "job $i started before job $victim"
	done
	rm "$run/stall"
}

is_unreserved()
{
	scontrol show reservations | grep -q '^No reservations'
}

# The stalled thread ends once it is awake.
sleep_until_ended()
{
	poll 60 thread_is_gone || fail "the stalled thread does not end"
}

thread_is_gone()
{
	! cat "/proc/$(cat "$run/pid/slurmctld.started")/task"/*/comm | grep -qx lxfw
}

test_thread_killed()
{
	with_stalls ""
	echo end >"$run/stall"
	starts_without_us "a thread that is killed"
	rm "$run/stall"
}

[ -e "$die_at" ] || skip "$die_at is not built (make check builds it)"
live_main "$@" -- --nodes 2 --cpus 8 --memory 16000
