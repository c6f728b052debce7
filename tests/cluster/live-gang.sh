#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# PFCFS, and the orders of the same papers, on a cluster of 2 nodes of 8 processors and
# 16000 MB each. Each test ends when all jobs have completed; none may stay suspended.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"
# shellcheck source=tests/cluster/preempting.sh
. "$(dirname "$0")/preempting.sh"

gangs=lxfw_policy=pfcfs2,lxfw_pf_delay=10,lxfw_pf_gang=10

# counter FILE OPTIONS...: submit a job that counts, ten per second while it runs, until FILE
# exists in its folder; print its id.
counter()
{
	submit -t 60 -o ticks.%j "${@:2}" \
		"i=0; until [ -e $1 ]; do i=\$((i + 1)); echo \$i; sleep 0.1; done"
}

# begin DELAY GANG: start a job of one node, the variable small, and a job of both nodes, the
# variable wide, which is served after DELAY: the small one is suspended for it. They run
# until the files small.go and wide.go exist.
begin()
{
	set_quantum_params "$(live_params "lxfw_policy=pfcfs2,lxfw_pf_delay=$1,lxfw_pf_gang=$2")"
	rm -f "$run"/work/*.go
	fillers=()
	small=$(counter small.go -w n1 -n 8 --mem 2000) || exit 1
	wait_state "$small" RUNNING 60
	wide=$(counter wide.go -N 2 -n 16 --mem 1000) || exit 1
}

wait_served()
{
	wait_state "$wide" RUNNING 60
	wait_state "$small" SUSPENDED 60
}

# The small job has its turn again.
wait_second_turn()
{
	wait_state "$wide" SUSPENDED 60
	wait_state "$small" RUNNING 60
}

# expect_no_turn RUNNING SUSPENDED COUNT: the first job runs for at least COUNT tenths of a
# second more, and the second one stays suspended all the time.
expect_no_turn()
{
	local count
	count=$(times_logged 'lxfw: suspended JobId=')
	poll 120 ticked "$1" $(($(ticks_of "$1") + $3)) || fail "job $1 does not run"
	is_state "$1" RUNNING || fail "job $1 is $(state "$1")"
	is_state "$2" SUSPENDED || fail "job $2 is $(state "$2")"
	[ "$(times_logged 'lxfw: suspended JobId=')" = "$count" ] || fail "job $2 had a turn"
	expect_no_core_twice
}

# finish JOB...: both jobs, and these, end. A step reports its end again only after a minute if
# the controller does not take the report.
finish()
{
	local job
	touch "$run"/work/{small,wide}.go
	for job in "$small" "$wide" "$@"; do
		wait_state "$job" COMPLETED 150
	done
	expect_all_over "$small" "$wide"
}

# A job of 8 processors and a wide one alternate. With two preemptions the wide job, after
# its turn, waits for the end of the other one, also when its next turn would be due.
test_gang()
{
	local small wide
	lxfw_only
	begin 10 10
	expect_pending "$wide"
	wait_served
	expect_no_core_twice
	wait_second_turn
	expect_no_turn "$small" "$wide" 130
	finish
	(($(ended "$small") <= $(ended "$wide"))) || fail "the wide job did not wait for the other one"
}

# During a turn of the wide job the controller is killed, or the policy changes.
test_gang_is_disturbed()
{
	local small wide end
	lxfw_only
	for end in kill reconfigure; do
		begin 10 60
		wait_served
		if [ $end = kill ]; then
			have_saved "$wide"
			"$cluster" kill9-ctld "$run"
			"$cluster" start-ctld "$run" || fail "slurmctld does not start"
		else
			set_quantum_params "$(live_params lxfw_policy=easy)"
		fi
		expect_no_core_twice
		finish
	done
}

# The job that was suspended last, according to the log of the controller.
suspended_last()
{
	sed -n 's/.*lxfw: suspended JobId=\([0-9]*\).*/\1/p' "$run/log/slurmctld" | tail -n 1
}

# The controller is killed during a turn of the wide job (WIDE) or of the one that it preempted,
# and jobs wait for the processors of both. After the restart there are no more turns: the
# suspended side waits until the other one has ended, and the jobs behind wait for both. The
# turns are long before the kill, since Slurm saves its state some seconds late.
restart_with_a_queue()
{
	local turn=$1 small wide behind job running waiting
	lxfw_only
	begin 10 20
	behind=("$(short -w n1 'sleep 1')" "$(short -w n2 'sleep 1')")
	wait_served
	running=$wide waiting=$small
	if [ "$turn" = small ]; then
		wait_second_turn
		running=$small waiting=$wide
	fi
	have_saved "$wide"
	"$cluster" kill9-ctld "$run"
	[ "$(suspended_last)" = "$waiting" ] || fail "the turn ended before the controller was killed"
	"$cluster" conf "$run" --params "$(live_params lxfw_policy=pfcfs2,lxfw_pf_delay=10,lxfw_pf_gang=10)"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	expect_no_core_twice
	expect_no_turn "$running" "$waiting" 130
	for job in "${behind[@]}"; do
		expect_pending "$job"
	done
	finish "${behind[@]}"
	for job in "${behind[@]}"; do
		(($(ended "$small") <= $(started "$job") && $(ended "$wide") <= $(started "$job"))) ||
			fail "job $job started at $(started "$job"), $small ended at $(ended "$small"), $wide at $(ended "$wide")"
	done
	(($(ended "$running") <= $(ended "$waiting"))) || fail "job $running was suspended again"
}

test_restart_in_the_turn_of_the_wide_job()
{
	restart_with_a_queue wide
}

test_restart_in_the_turn_of_the_small_job()
{
	restart_with_a_queue small
}

# The policies of the same papers that do not preempt.
test_orders()
{
	local policy jobs
	lxfw_only
	for policy in list smart_ffia psrs_strict; do
		set_quantum_params "$(live_params lxfw_policy=$policy)"
		jobs=("$(short 'sleep 1')" "$(short 'sleep 1')" "$(short 'sleep 1')" "$(submit -N 2 -n 16 -t 2 --mem 100 'sleep 1')")
		wait_done "${jobs[@]}"
	done
}

live_parts 2 "$@"
live_policy=$gangs
live_main "$@" -- --nodes 2 --cpus 8 --memory 16000
