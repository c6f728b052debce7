#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Preemptive priority (policy remaining) on a cluster of 2 nodes of 8 processors and 16000 MB
# each. Each test ends when all jobs have completed; none may stay suspended.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"
# shellcheck source=tests/cluster/preempting.sh
. "$(dirname "$0")/preempting.sh"

die_at=$build/tests/cluster/.libs/die_at.so
remaining=lxfw_policy=remaining,lxfw_interval=5
memory_of()
{
	scontrol -o show node "$1" | sed 's/.* AllocMem=\([0-9]*\) .*/\1/'
}

# A short job preempts a long one, which keeps its memory, stops, and continues later.
test_short_preempts_long()
{
	local job victim ticks
	lxfw_only
	rm -f "$run"/work/{began,waited,go}
	both_busy
	job=$(short 'touch began; sleep 1; touch waited; until [ -e go ]; do sleep 0.3; done')
	expect_served "$job"
	victim=$(suspended)
	[ "$(nodes_of "$victim")" = "$(nodes_of "$job")" ] ||
		fail "it runs on $(nodes_of "$job"), suspended on $(nodes_of "$victim")"
	[ "$(memory_of "$(nodes_of "$job")")" = 5000 ] || fail "memory allocated: $(memory_of "$(nodes_of "$job")")"
	poll 60 test -e "$run/work/began" || fail "the short job does not run"
	ticks=$(ticks_of "$victim")
	poll 60 test -e "$run/work/waited" || fail "the short job does not continue"
	(($(ticks_of "$victim") <= ticks + 2)) || fail "it counts while suspended: $ticks, $(ticks_of "$victim")"
	expect_no_core_twice
	touch "$run/work/go"
	wait_done "$job"
	poll 60 ticked "$victim" "$ticks" || fail "the preempted job does not continue"
	expect_none_suspended
	expect_all_over "$job"
}

# A job on both nodes preempts two jobs, and one of a minute preempts that one: three jobs
# are suspended at a time. The controller is killed then.
test_several_are_suspended()
{
	local wide job length=100
	lxfw_only
	rm -f "$run/work/go" "$run/work/wide"
	both_busy
	wide=$(submit -N 2 -n 16 --mem 1000 -t 5 -o wide.out 'until [ -e wide ]; do sleep 0.3; done; echo over')
	wait_start "$wide"
	[ "$(suspended | wc -w)" = 2 ] || fail "suspended: $(suspended)"
	wait_min_run "$wide"
	job=$(short 'until [ -e go ]; do sleep 0.3; done')
	wait_start "$job"
	poll 60 is_state "$wide" SUSPENDED || fail "the wide job is $(state "$wide")"
	have_saved "$job"
	"$cluster" kill9-ctld "$run"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	expect_logged 'jobs were suspended for others'
	expect_no_core_twice
	touch "$run/work/go" "$run/work/wide"
	expect_all_over "$job" "$wide"
	[ "$(cat "$run/work/wide.out")" = over ] || fail "the wide job has not run to its end"
}

# dies_at LINE: start a controller that dies when it logs LINE; see die_at.c for the rest.
dies_at()
{
	"$cluster" stop-ctld "$run" || fail "slurmctld does not stop"
	"$cluster" start-ctld "$run" "LXFW_DIE_AT=$1" "${@:2}" "LD_PRELOAD=$die_at" ||
		fail "slurmctld does not start"
}

# The controller dies between the suspension and the start. The short job has been saved as
# held: a job that is saved as running, but was not launched, would be lost by Slurm.
test_killed_in_a_preemption()
{
	local job length=100
	lxfw_only
	both_busy
	job=$(short --hold 'sleep 1')
	have_saved "$job"
	dies_at 'lxfw: suspended JobId='
	scontrol release "$job"
	poll 60 controller_is_dead || fail "it does not die at the suspension"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	expect_logged 'jobs were suspended for others'
	scontrol release "$job"
	wait_done "$job"
	expect_none_suspended
	# At the resumption. Nodes do not get the message to resume.
	dies_at ' resumes' LXFW_DIE_SAVED=1
	job=$(short 'sleep 1')
	poll 60 controller_is_dead || fail "it does not die at the resumption"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	wait_done "$job"
	expect_none_suspended
	expect_all_over
}

# Another policy: the suspended job resumes when its processors are free. Then back again:
# jobs that run already may be preempted.
test_other_policy()
{
	local job victim
	lxfw_only
	rm -f "$run/work/go"
	both_busy
	job=$(short 'until [ -e go ]; do sleep 0.3; done')
	expect_served "$job"
	victim=$(suspended)
	set_quantum_params "$(live_params lxfw_policy=easy)"
	is_state "$victim" SUSPENDED || fail "job $victim is $(state "$victim")"
	touch "$run/work/go"
	expect_none_suspended
	set_quantum_params "$(live_params "$remaining")"
	wait_min_run "$victim"
	job=$(short "$until_seen")
	expect_served "$job"
	may_end "$job"
	expect_all_over "$job"
}

# The controller is killed while a job is suspended, and the job that preempted it ends. The
# processors go to a pending job of higher priority, and the suspended job is not resumed
# before that one ends.
test_order_after_a_restart()
{
	local first second third victim length=100
	lxfw_only
	rm -f "$run/work/go" "$run/work/go2" "$run/work/go3"
	both_busy
	first=$(short 'until [ -e go ]; do sleep 0.3; done')
	expect_served "$first"
	victim=$(suspended)
	second=$(short -t 2 'until [ -e go2 ]; do sleep 0.3; done')
	wait_start "$second"
	third=$(short -t 3 'until [ -e go3 ]; do sleep 0.3; done')
	expect_pending "$third"
	have_saved "$third"
	# A node whose registration was not saved is unknown to the next controller at first.
	touch "$run/work/registered"
	scontrol update nodename=n1,n2 weight=1
	poll 60 test "$run/state/node_state" -nt "$run/work/registered" || fail "Slurm does not save its nodes"
	"$cluster" kill9-ctld "$run"
	touch "$run/work/go"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	expect_logged "JobId=$victim stays suspended"
	wait_done "$first"
	wait_start "$third"
	is_state "$victim" SUSPENDED || fail "job $victim is $(state "$victim")"
	expect_no_core_twice
	touch "$run/work/go2" "$run/work/go3"
	expect_all_over "$second" "$third"
}

# A suspended job is cancelled; another one is resumed by hand after the short job.
test_cancelled_while_suspended()
{
	local job victim
	lxfw_only
	rm -f "$run/work/go"
	both_busy
	job=$(short 'until [ -e go ]; do sleep 0.3; done')
	expect_served "$job"
	victim=$(suspended)
	scancel "$victim"
	wait_state "$victim" CANCELLED
	touch "$run/work/go"
	wait_done "$job"
	scancel "${fillers[@]}"
	poll 60 no_preempted_records || fail "records left: $(grep '^lent ' "$run/state/lxfw_quanta" | xargs)"
}

# Small jobs, one of which would always use some processors of a node, do not keep an
# exclusive job from starting: it has a reservation. Without that, the second small job would
# start beside the first.
test_exclusive_job_in_a_stream()
{
	local first job one small=()
	lxfw_only
	rm -f "$run/work/go"
	first=$(submit -w n1 -n 3 --mem 100 -t 1 'until [ -e go ]; do sleep 0.1; done')
	wait_start "$first"
	job=$(submit -w n1 --exclusive -n 1 --mem 100 -t 1 'sleep 1')
	poll 60 has_reason "$job" 'Resources|Priority' || fail "job $job is $(state "$job")"
	# A job of a minute that starts in the same second would end before the reservation.
	poll 60 has_run_a_second "$first" || fail "the clock stands still"
	for _ in 1 2 3 4; do
		one=$(submit -w n1 -n 3 --mem 100 -t 1 'sleep 1')
		poll 60 has_reason "$one" 'Resources|Priority' || fail "job $one is $(state "$one")"
		small+=("$one")
	done
	touch "$run/work/go"
	wait_done "$first" "$job"
	for one in "${small[@]}"; do
		expect_after "$one" "$job"
	done
	wait_done "${small[@]}"
}

has_run_a_second()
{
	(($(date +%s) > $(started "$1")))
}

# Values that Slurm cannot carry out are refused, and the parameters stay.
test_refused_values()
{
	lxfw_only
	set_quantum_params "$(live_params "$remaining,lxfw_rem_frees=all")"
	expect_logged 'lxfw_rem_frees: expected procs with Slurm; parameters stay'
	set_quantum_params "$(live_params "$remaining,lxfw_rem_min_run=1")"
	expect_logged 'lxfw_rem_min_run: expected 10 or more with Slurm'
	set_quantum_params "$(live_params lxfw_policy=pfcfs2,lxfw_pf_gang=5)"
	expect_logged 'lxfw_pf_gang: expected 10 or more with Slurm'
}

live_parts 2 "$@"
live_policy=$remaining
# Jobs that request a minute may run for longer.
live_main "$@" -- --nodes 2 --cpus 8 --memory 16000 --conf OverTimeLimit=60
