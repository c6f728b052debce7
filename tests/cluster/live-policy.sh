#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Order, reservations and parameters on a live cluster of 4 nodes, 16
# processors and 64000 MB each.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

test_prompt_start()
{
	local job
	job=$(submit -n 4 -t 1 'sleep 1')
	expect_prompt "$job"
	wait_done "$job"
}

# LXF: the slowdown of the short request grows faster, so it overtakes the long one.
# Print which of the two started first.
short_and_long()
{
	local blocker short long
	blocker=$(submit -N 4 -n 64 -t 1 'sleep 5')
	wait_state "$blocker" RUNNING
	long=$(submit -n 64 -t 600 'sleep 1')
	short=$(submit -n 64 -t 1 'sleep 1')
	wait_done "$blocker" "$short" "$long"
	(($(submitted "$short") < $(ended "$blocker"))) || fail "the machine was not full"
	if (($(started "$short") < $(started "$long"))); then
		echo short
	else
		echo long
	fi
}

test_priority_order()
{
	local first
	first=$(short_and_long) || exit 1
	[ "$first" = short ] || fail "the long job started first"
}

test_new_weights_on_reconfigure()
{
	local first
	lxfw_only
	set_params "$(live_params lxfw_policy=fcfs)"
	first=$(short_and_long) || exit 1
	[ "$first" = long ] || fail "fcfs: the short job started first"
	# Configured weights: the waiting time counts, the slowdown does not.
	set_params "$(live_params lxfw_policy=priority,lxfw_ww=1000,lxfw_wx=0)"
	first=$(short_and_long) || exit 1
	[ "$first" = long ] || fail "by waiting time: the short job started first"
}

waits_longer_than()
{
	(($(date +%s) - $(submitted "$1") > $2))
}

# explained JOB: the journal explains the order of the waiting job.
explained()
{
	"$build/lxfw" why "$1" "$run/journal" >"$run/work/why" 2>&1 &&
		grep -q priority "$run/work/why"
}

# long_and_old SECONDS: the long job has waited longer when the short one is submitted. Print
# which of the two started first, and what is said while the long one waits.
long_and_old()
{
	local blocker short long
	blocker=$(submit -N 4 -n 64 -t 10 'sleep 500')
	wait_state "$blocker" RUNNING
	long=$(submit -n 64 -t 600 'sleep 1')
	poll 60 waits_longer_than "$long" "$1" || fail "job $long is not submitted"
	short=$(submit -n 64 -t 1 'sleep 1')
	poll 60 explained "$long" || fail "no explanation: $(<"$run/work/why")"
	scancel "$blocker"
	wait_done "$short" "$long"
	if (($(started "$short") < $(started "$long"))); then
		echo short
	else
		echo long
	fi
	cat "$run/work/why"
}

test_old_jobs_first()
{
	local first aged='first because it has waited longer than lxfw_age_first'
	lxfw_only
	set_params "$(live_params lxfw_policy=sjf,lxfw_age_first=86400)"
	first=$(long_and_old 5) || exit 1
	[[ $first == short* && $first != *"$aged"* ]] || fail "a day: $first"
	set_params "$(live_params lxfw_policy=sjf,lxfw_age_first=5)"
	first=$(long_and_old 5) || exit 1
	[[ $first == long*"$aged"* ]] || fail "5 seconds: $first"
}

test_bad_value_keeps_the_old()
{
	local first before
	lxfw_only
	before=$(times_logged 'lxfw: policy fcfs')
	set_params "$(live_params lxfw_policy=fcfs)"
	poll 60 logged_again 'lxfw: policy fcfs' "$before" ||
		fail "fcfs was not applied"
	set_params "$(live_params lxfw_policy=lxfw,lxfw_wx=banana)"
	expect_logged 'lxfw_wx'
	first=$(short_and_long) || exit 1
	[ "$first" = long ] || fail "fcfs was not kept"
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not start with it"
	first=$(short_and_long) || exit 1
	[ "$first" = long ] || fail "fcfs was not kept over a restart"
	expect_logged 'using the last valid parameters, saved in '
	# The file is empty, as after a full disk: the defaults apply, and the reason is
	# logged.
	"$cluster" stop-ctld "$run" && : >"$run/state/lxfw_parameters" &&
		"$cluster" start-ctld "$run" || fail "slurmctld does not start without them"
	expect_logged 'no valid parameters in .*: the file is empty or damaged; the defaults'
	first=$(short_and_long) || exit 1
	[ "$first" = short ] || fail "the defaults are not used"
}

# n1-n3 are busy for 2 minutes by their limit. The next job needs all four nodes. Only
# jobs that end before then may use n4.
test_backfill_does_not_delay_the_reserved()
{
	local busy reserved short long
	busy=$(submit -N 3 -n 48 -t 2 'sleep 7')
	wait_state "$busy" RUNNING
	reserved=$(submit -N 4 -n 64 -t 1 'sleep 1')
	short=$(submit -n 16 -t 1 'sleep 1')
	long=$(submit -n 16 -t 5 'sleep 1')
	expect_prompt "$short"
	expect_pending "$reserved"
	expect_pending "$long"
	expect_after "$reserved" "$busy"
	wait_done "$reserved" "$long"
	(($(started "$reserved") - $(ended "$busy") <= prompt)) ||
		fail "the reserved job was late"
	expect_after "$long" "$reserved"
}

test_expected_start()
{
	local busy reserved due
	busy=$(submit -N 4 -n 64 -t 2 'sleep 100')
	wait_state "$busy" RUNNING
	reserved=$(submit -n 64 -t 1 'sleep 1')
	due=$(($(started "$busy") + 120))
	poll 60 expected_about "$reserved" "$due" ||
		fail "expected at $(squeue --start -h -j "$reserved" -o %S), due at $due"
	due=$(started "$reserved")
	[[ $due =~ ^[0-9]+$ ]] || fail "scontrol show job says StartTime=$due"
	scancel "$busy"
	wait_done "$reserved"
}

expected_about()
{
	local expected
	expected=$(squeue --start -h -j "$1" -o %S)
	[[ $expected =~ ^[0-9]+$ ]] && ((expected - $2 <= 5 && $2 - expected <= 5))
}

# Processors are free, but memory is not.
test_memory_blocks()
{
	local busy large small
	busy=$(submit -N 4 -n 4 --mem=60000 -t 2 'sleep 5')
	wait_state "$busy" RUNNING
	large=$(submit -n 1 --mem=10000 -t 1 'sleep 1')
	small=$(submit -n 1 --mem=1000 -t 1 'sleep 1')
	expect_prompt "$small"
	expect_pending "$large"
	expect_after "$large" "$busy"
}

# A reservation includes memory: a job with 30000 MB of a node for five minutes would
# leave the reserved job too little when the first job ends.
test_reservation_holds_memory()
{
	local busy reserved short long
	busy=$(submit -N 4 -n 4 --mem=30000 -t 2 'sleep 6')
	wait_state "$busy" RUNNING
	reserved=$(submit -N 4 -n 4 --mem=40000 -t 1 'sleep 2')
	short=$(submit -n 1 --mem=30000 -t 1 'sleep 1')
	long=$(submit -n 1 --mem=30000 -t 5 'sleep 1')
	expect_prompt "$short"
	expect_pending "$long"
	expect_after "$reserved" "$busy"
	wait_done "$long"
	(($(started "$long") >= $(started "$reserved"))) ||
		fail "the long job delayed the reserved one"
}

jobs_started()
{
	sdiag | sed -n 's/^Jobs started: *//p'
}

test_sdiag_counts()
{
	local before after i
	before=$(jobs_started)
	for i in 1 2 3 4 5; do
		submit -n 1 -t 1 'sleep 0' >/dev/null
	done
	wait_empty
	after=$(jobs_started)
	((after - before == 5)) || fail "5 jobs, but sdiag counts $((after - before))"
}

# Slurm's main scheduler is enabled too. This is logged, and no job starts twice.
test_beside_the_main_scheduler()
{
	local i ran
	lxfw_only
	set_params "lxfw_policy=lxfw,lxfw_journal=$run/journal"
	expect_logged 'lxfw.*(sched_interval|defer)'
	for i in {1..60}; do
		submit -n $((i % 16 + 1)) -t 1 "echo \$SLURM_JOB_ID >>$run/work/ran; sleep 1" >/dev/null
	done
	wait_empty 120
	ran=$(wc -l <"$run/work/ran")
	[ "$ran" = 60 ] && [ "$(sort -u "$run/work/ran" | wc -l)" = 60 ] ||
		fail "60 jobs, $ran runs"
	! scontrol -o show job | grep -q 'Restarts=[1-9]' || fail "jobs were restarted"
}

live_main "$@"
