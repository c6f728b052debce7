#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Items of SchedulerParameters that decide who starts: the same submissions under Slurm's
# sched/backfill, with the main scheduler off, and under sched/lxfw. The expectations are
# the same for both.

export live_policy=lxfw_policy=site
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/hostile.sh
. "$(dirname "$0")/hostile.sh"

[ "$(id -u)" = 0 ] || skip "jobs of two users require root"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	live_expectations "$@"
	exit
fi

# use ITEMS: set SchedulerParameters. Only the scheduler plugin starts jobs.
use()
{
	if [ "$scheduler" = lxfw ]; then
		set_params "$(live_params "$live_policy")${1:+,$1}"
	else
		set_params "defer,sched_interval=-1,bf_interval=1,bf_continue${1:+,$1}"
	fi
}

# use_any ITEMS: the same, but Slurm's main scheduler starts jobs as well. Only it reads
# reduce_completing_frag.
use_any()
{
	if [ "$scheduler" = lxfw ]; then
		use "$1"
	else
		set_params "sched_interval=2,bf_interval=1${1:+,$1}"
	fi
}

# has_passed COUNT: more passes than COUNT were made.
passes_made()
{
	sdiag | awk '/Backfilling stats/ { inside = 1 } inside && /Total cycles:/ { print $3; exit }'
}

has_passed()
{
	(($(passes_made) > $1))
}

# expect_waits JOB...: the jobs are pending after a job that was submitted later, in
# partition q, has started, and after another pass.
expect_waits()
{
	local job witness passes
	witness=$(as_plain sbatch --parsable -D /tmp -o /dev/null -p q -n 1 -t 1 --wrap 'sleep 0') ||
		fail "no witness"
	wait_start "$witness"
	passes=$(passes_made)
	# A pass needs a reason.
	wait_start "$(as_plain sbatch --parsable -D /tmp -o /dev/null -p q -n 1 -t 1 --wrap 'sleep 0')"
	poll 60 has_passed "$passes" || fail "no pass after the jobs were submitted"
	for job in "$@"; do
		is_state "$job" PENDING || fail "job $job is $(state "$job"), but should be pending"
	done
}

# Partition p has n1 and n2, of which a job of ten minutes occupies n1; another job waits
# for both. n2 is free.
begin()
{
	use "$1"
	blocker=$(submit -p p -w n1 -n 16 -t 10 'sleep 600')
	wait_state "$blocker" RUNNING
	waiting=$(submit -p p -N 2 -n 32 -t 30 "${@:2}" 'sleep 60')
}

test_without_limits()
{
	begin ''
	wait_start "$(submit -p p -n 1 -t 1 'sleep 30')"
	long=$(submit -p p -n 1 -t 60 'sleep 30')
	expect_waits "$waiting" "$long"
}

test_max_job_user()
{
	local second other
	begin bf_max_job_user=1
	second=$(submit -p p -n 1 -t 1 'sleep 30')
	other=$(submit_plain -p p -n 1 -t 1)
	wait_start "$other"
	expect_waits "$waiting" "$second"
	use ''
	wait_start "$second"
}

test_max_job_user_part()
{
	local second
	begin bf_max_job_user_part=1
	second=$(submit -p p -n 1 -t 1 'sleep 30')
	wait_start "$(submit -p q -n 1 -t 1 'sleep 30')"
	wait_start "$(submit_plain -p p -n 1 -t 1)"
	expect_waits "$waiting" "$second"
	use ''
	wait_start "$second"
}

test_max_job_part()
{
	local second
	begin bf_max_job_part=1
	second=$(submit_plain -p p -n 1 -t 1)
	wait_start "$(submit -p q -n 1 -t 1 'sleep 30')"
	expect_waits "$waiting" "$second"
	use ''
	wait_start "$second"
}

# Tasks of an array count as jobs: with a limit of two, one is considered besides the job
# that waits, and the next one when it has started.
test_max_job_user_array()
{
	local array
	begin bf_max_job_user=2
	array=$(submit -p p -a 1-3 -n 1 -t 1 'sleep 30')
	for task in 1 2 3; do
		wait_start "${array}_$task"
	done
	expect_waits "$waiting"
}

# True if the job that waits has done so for more than a second.
has_waited()
{
	(($(date +%s) - $(submitted "$waiting") > 1))
}

# A job without a reservation does not keep a long one from starting.
test_min_age_reserve()
{
	local long
	begin bf_min_age_reserve=3600
	wait_done "$(submit -p p -n 1 -t 60 'sleep 1')"
	expect_waits "$waiting"
	use bf_min_age_reserve=1
	poll 60 has_waited || fail "the clock stands still"
	long=$(submit -p p -n 1 -t 60 'sleep 1')
	expect_waits "$waiting" "$long"
}

# Slurm gives the first job the priority 4294901759 or less.
test_min_prio_reserve()
{
	local long
	begin bf_min_prio_reserve=4294950000
	wait_done "$(submit -p p -n 1 -t 60 'sleep 1')"
	expect_waits "$waiting"
	scontrol update "jobid=$waiting" priority=4294960000 || fail "the priority does not change"
	long=$(submit -p p -n 1 -t 60 'sleep 1')
	expect_waits "$waiting" "$long"
}

# The job could start in ten minutes at the earliest.
test_window()
{
	local long
	begin bf_window=5
	wait_done "$(submit -p p -n 1 -t 60 'sleep 1')"
	expect_waits "$waiting"
	use bf_window=60
	long=$(submit -p p -n 1 -t 60 'sleep 1')
	expect_waits "$waiting" "$long"
}

test_max_rpc_cnt()
{
	begin max_rpc_cnt=150
	wait_start "$(submit -p p -n 1 -t 1 'sleep 30')"
}

# While a job is completing, no other one starts; with reduce_completing_frag those of
# other partitions do. A job of partition q completes until a file exists.
test_complete_wait()
{
	local first second third
	printf '#!/bin/sh\n[ "$SLURM_JOB_PARTITION" != q ] || until [ -e %s/go ]; do sleep 0.3; done\n' \
		"$run" >"$run/epilog"
	chmod +x "$run/epilog"
	start_anew --conf CompleteWait=600 --conf "Epilog=$run/epilog"
	use_any reduce_completing_frag
	first=$(submit -p q -n 1 -t 1 'sleep 0')
	wait_state "$first" COMPLETING
	second=$(submit -p q -n 1 -t 1 'sleep 0')
	wait_done "$(submit -p p -n 1 -t 1 'sleep 0')"
	is_state "$second" PENDING || fail "a job started in the partition of one that completes"
	use_any ''
	third=$(submit -p p -n 1 -t 1 'sleep 0')
	# The thread looks at changes four times a second, sched/backfill every second.
	sleep 3
	is_state "$third" PENDING || fail "a job started while another one completes"
	touch "$run/go"
	wait_done "$first" "$second" "$third"
	start_anew --conf CompleteWait=0 --conf Epilog=/bin/true
}

# The plugin names items without effect once. Slurm 24.11 starts another controller at a
# reconfiguration.
test_log()
{
	lxfw_only
	use bf_resolution=61,bf_continue,bf_max_job_user=50
	expect_logged 'SchedulerParameters without effect: bf_resolution=61 \(times are exact to the second\)$'
	reconfigure
	wait_start "$(submit -p p -n 1 -t 1 'sleep 0')"
	awk '
		/ slurmctld version .* started on cluster/ { times = 0 }
		/without effect: bf_resolution=61/ { if (++times > 1) exit 1 }' "$run/log/slurmctld" ||
		fail "the line is repeated"
}

live_main "$@" -- --nodes 3 \
	--partition 'p Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'q Nodes=n3 MaxTime=INFINITE State=UP'
