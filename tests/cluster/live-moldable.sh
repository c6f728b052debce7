#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Moldable jobs on a live cluster of 2 nodes of 8 processors and 16000 MB: a marked job starts
# on fewer processors than it requests, and keeps them. Its time limit grows in the same
# proportion.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/shares.sh
. "$(dirname "$0")/shares.sh"

limit_of()
{
	field "$1" TimeLimit
}

# Job 1 has 5 of 8 processors for 10 minutes. A moldable job of 6 processors and a minute
# would wait 600 s and run for 60 s; on the 3 free ones it takes 120 s: it starts there, with
# a limit of two minutes. One with at least 4 processors waits, and so does a rigid one.
test_starts_on_fewer()
{
	local filler job least rigid over
	rm -f "$run/work/go"
	filler=$(submit -w n1 -c 5 -t 10 'sleep 1000')
	wait_start "$filler"
	least=$(submit --comment lxfw:adaptive=4 -w n1 -c 6 -t 1 'sleep 1000')
	rigid=$(submit -w n1 -c 6 -t 1 'sleep 1000')
	# With LXFW_SLOW=1 it runs for longer than its first limit.
	over=${LXFW_SLOW:+70}
	job=$(adaptive -w n1 -c 6 -t 1 -o out.%j "echo \$SLURM_CPUS_ON_NODE \$SLURM_CPUS_PER_TASK
		until [ -e go ]; do sleep 0.3; done; sleep ${over:-0}; echo over")
	expect_procs "$job" 3
	[ "$(limit_of "$job")" = 00:02:00 ] || fail "its limit is $(limit_of "$job")"
	# Slurm ends a job at this time.
	(($(ended "$job") - $(started "$job") == 120)) || fail "it ends $(($(ended "$job") - $(started "$job"))) s after its start"
	touch "$run/work/go"
	poll 150 is_state "$job" COMPLETED || fail "it is $(state "$job")"
	[ "$(xargs < "$run/work/out.$job")" = '3 3 over' ] || fail "its output: $(xargs < "$run/work/out.$job")"
	expect_pending "$least" Resources
	is_state "$rigid" PENDING || fail "the rigid job is $(state "$rigid")"
	scancel "$filler"
	expect_procs "$least" 6
	[ "$(limit_of "$least")" = 00:01:00 ] || fail "its limit is $(limit_of "$least")"
}

# The filler ends after a minute at the latest. A job of 6 processors and 10 minutes needs
# 1200 s on the 3 free ones, and 660 s if it waits: more than 1.5 times that, so it waits.
# With a threshold of 200 per cent it starts.
test_threshold()
{
	local filler job
	set_params "$(live_params lxfw_policy=easy_moldable,lxfw_mold_threshold=150)"
	filler=$(submit -w n1 -c 5 -t 1 'sleep 1000')
	wait_start "$filler"
	job=$(adaptive -w n1 -c 6 -t 10 'sleep 1000')
	expect_pending "$job" Resources
	set_params "$(live_params lxfw_policy=easy_moldable,lxfw_mold_threshold=200)"
	expect_procs "$job" 3
	[ "$(limit_of "$job")" = 00:20:00 ] || fail "its limit is $(limit_of "$job")"
}

# On one of 8 processors the limit is 8 minutes. It grows by a factor of 10 at most, so jobs
# with more than 10 times the processors of their minimum are not scaled down that far
# (tests/unit/test_bridge_moldable.c).
test_limit_covers_the_work()
{
	local filler job
	filler=$(submit -w n1 -c 7 -t 100 'sleep 1000')
	wait_start "$filler"
	job=$(adaptive -w n1 -c 8 -t 1 'sleep 1000')
	expect_procs "$job" 1
	[ "$(limit_of "$job")" = 00:08:00 ] || fail "its limit is $(limit_of "$job")"
}

# A job that is requeued has its request and its limit again. The controller is killed in
# between: the job keeps its processors.
test_requeue_and_restart()
{
	local filler job
	filler=$(submit -w n1 -c 5 -t 10 'sleep 1000')
	wait_start "$filler"
	job=$(adaptive -w n1 --requeue -c 6 -t 1 'sleep 1000')
	expect_procs "$job" 3
	have_saved "$job"
	"$cluster" kill9-ctld "$run"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	expect_procs "$job" 3
	[ "$(limit_of "$job")" = 00:02:00 ] || fail "its limit is $(limit_of "$job")"
	scancel "$filler"
	wait_state "$filler" CANCELLED
	scontrol requeue "$job"
	poll 30 is_state "$job" PENDING || fail "it is $(state "$job")"
	# Slurm delays it by two minutes. A node refuses a job that starts in the second in which it
	# was requeued: its credential is revoked.
	scontrol update JobId="$job" StartTime=now+2
	expect_procs "$job" 6 60
	[ "$(limit_of "$job")" = 00:01:00 ] || fail "its limit is $(limit_of "$job")"
}

# sbatch accepts no other form of fewest and most processors.
test_other_forms()
{
	local out
	for form in '-n 2-4' '-c 2-4'; do
		# shellcheck disable=SC2086
		out=$(sbatch $form --wrap true 2>&1) && fail "sbatch accepts $form"
		[[ $out == *nvalid* ]] || fail "sbatch $form: $out"
	done
}

# Jobs are not scaled up on a cluster.
test_refused_values()
{
	set_params "$(live_params lxfw_policy=easy_moldable,lxfw_mold=both)"
	expect_logged 'lxfw_mold: expected down with Slurm; parameters stay'
}

live_policy=lxfw_policy=easy_moldable
live_main "$@" -- --nodes 2 --cpus 8 --memory 16000
