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

# A job of 8 processors and a wide one alternate. With two preemptions the wide job, after
# its turn, waits for the end of the other one.
test_gang()
{
	local small wide
	lxfw_only
	fillers=("$(ticker -w n1 -n 8 --mem 2000 $((length + 40)))")
	small=${fillers[0]}
	wait_start "$small"
	wide=$(submit -N 2 -n 16 --mem 1000 -t 5 -o wide.out 'for i in $(seq 110); do sleep 0.1; done; echo over')
	expect_pending "$wide"
	wait_start "$wide"
	poll 5 is_state "$small" SUSPENDED || fail "job $small is $(state "$small")"
	expect_no_core_twice
	poll 20 is_state "$wide" SUSPENDED || fail "the wide job is $(state "$wide")"
	poll 5 is_state "$small" RUNNING || fail "job $small is $(state "$small")"
	expect_no_core_twice
	expect_all_over "$wide"
	[ "$(cat "$run/work/wide.out")" = over ] || fail "the wide job has not run to its end"
	(($(ended "$small") <= $(ended "$wide"))) || fail "the wide job did not wait for the other one"
}

# During a turn of the wide job the controller is killed, or the policy changes.
test_gang_is_disturbed()
{
	local small wide end
	lxfw_only
	for end in kill reconfigure; do
		set_quantum_params "$(live_params "$gangs")"
		fillers=("$(ticker -w n1 -n 8 --mem 2000 $length)")
		small=${fillers[0]}
		wait_start "$small"
		wide=$(submit -N 2 -n 16 --mem 1000 -t 5 'for i in $(seq 50); do sleep 0.1; done')
		wait_start "$wide"
		poll 5 is_state "$small" SUSPENDED || fail "job $small is $(state "$small")"
		if [ $end = kill ]; then
			have_saved "$wide"
			"$cluster" kill9-ctld "$run"
			"$cluster" start-ctld "$run" || fail "slurmctld does not start"
		else
			set_quantum_params "$(live_params lxfw_policy=easy)"
		fi
		expect_no_core_twice
		expect_all_over "$wide"
	done
}

# The controller is killed during a turn of the wide job (WIDE) or of the one that it preempted,
# and jobs wait for the processors of both. After the restart there are no more turns: the
# suspended side waits until the other one has ended, and the jobs behind wait for both.
restart_with_a_queue()
{
	local turn=$1 small wide behind job
	lxfw_only
	fillers=("$(ticker -w n1 -n 8 --mem 2000 $((length + 40)))")
	small=${fillers[0]}
	wait_start "$small"
	wide=$(submit -N 2 -n 16 --mem 1000 -t 5 'for i in $(seq 150); do sleep 0.1; done')
	behind=("$(short -w n1 'sleep 1')" "$(short -w n2 'sleep 1')")
	wait_start "$wide"
	poll 5 is_state "$small" SUSPENDED || fail "job $small is $(state "$small")"
	if [ "$turn" = small ]; then
		poll 20 is_state "$wide" SUSPENDED || fail "the wide job is $(state "$wide")"
		poll 5 is_state "$small" RUNNING || fail "job $small is $(state "$small")"
	fi
	have_saved "$wide"
	"$cluster" kill9-ctld "$run"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	expect_no_core_twice
	expect_all_over "$wide" "${behind[@]}"
	for job in "${behind[@]}"; do
		(($(ended "$small") <= $(started "$job") && $(ended "$wide") <= $(started "$job"))) ||
			fail "job $job started at $(started "$job"), $small ended at $(ended "$small"), $wide at $(ended "$wide")"
	done
	if [ "$turn" = wide ]; then
		(($(ended "$wide") <= $(ended "$small"))) || fail "the wide job was suspended again"
	else
		(($(ended "$small") <= $(ended "$wide"))) || fail "the wide job did not wait"
	fi
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

live_policy=$gangs
live_main "$@" -- --nodes 2 --cpus 8 --memory 16000
