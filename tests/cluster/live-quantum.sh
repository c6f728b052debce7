#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Immediate service on a live cluster of 4 nodes of 8 processors and 16000 MB each, with
# 2 GPUs on n4. Each test ends when all jobs have ended, and none may be suspended.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"

# Jobs that are served end within their quantum, however busy the machine is.
long_quantum=${quantum_policy/lxfw_quantum=$quantum/lxfw_quantum=100}

# For tests in which a quantum ends
use_short_quantum()
{
	set_quantum_params "$(live_params "$quantum_policy${1:+,$1}")"
}

test_served_and_over()
{
	local job victim ticks
	rm -f "$run"/work/{began,waited,go}
	fill
	job=$(submit -n 8 --mem 3000 -t 10 'touch began; sleep 1; touch waited; until [ -e go ]; do sleep 0.3; done')
	expect_served "$job"
	victim=$(suspended)
	[ "$(nodes_of "$victim")" = "$(nodes_of "$job")" ] ||
		fail "served on $(nodes_of "$job"), suspended on $(nodes_of "$victim")"
	# The time limit is extended by the suspension.
	poll 60 test -e "$run/work/began" || fail "the served job does not run"
	ticks=$(ticks_of "$victim")
	poll 60 test -e "$run/work/waited" || fail "the served job does not continue"
	(($(ticks_of "$victim") <= ticks + 2)) || fail "it counts while suspended: $ticks, $(ticks_of "$victim")"
	touch "$run/work/go"
	wait_done "$job"
	poll 60 ticked "$victim" "$ticks" || fail "the preempted job does not continue"
	expect_none_suspended
	[ "$(field "$victim" SecsPreSuspend)" != 0 ] || fail "Slurm has not recorded the suspension"
}

# The script detects the requeue. The job is pending again with its original submit
# time, in Slurm and in the model, and is not served twice.
test_requeued()
{
	local job out submitted first accrued record
	use_short_quantum
	fill
	# shellcheck disable=SC2016
	job=$(submit -n 8 --mem 3000 -t 10 -o out.%j --open-mode=append \
		'echo run ${SLURM_RESTART_COUNT-0} until ${LXFW_QUANTUM_UNTIL-never} mem $SLURM_MEM_PER_NODE; [ "$SLURM_RESTART_COUNT" ] || sleep 100; echo over')
	# In one look: the next one may be after the quantum.
	wait_start "$job"
	read_record "$job"
	[[ $record =~ SubmitTime=([0-9]+) ]] && submitted=${BASH_REMATCH[1]}
	[[ $record =~ StartTime=([0-9]+) ]] && first=${BASH_REMATCH[1]}
	[[ $record =~ AccrueTime=([0-9]+) ]] && accrued=${BASH_REMATCH[1]}
	((first <= submitted + 25)) || fail "it is served late"
	poll 60 logged "JobId=$job has a quantum" || fail "it is not served"
	poll 60 is_state "$job" PENDING || fail "not requeued after its quantum"
	expect_none_suspended
	poll 60 is_eligible "$job" || fail "not eligible for $(($(field "$job" EligibleTime) - $(date +%s))) s"
	poll 60 has_accrued "$job" "$accrued" || fail "its waiting time was lost"
	scancel "${fillers[0]}"
	wait_done "$job"
	out=$run/work/out.$job
	grep -qx "run 0 until $((first + quantum)) mem 1000" "$out" &&
		grep -q 'DUE TO PREEMPTION' "$out" &&
		grep -qx 'run 1 until never mem 3000' "$out" && grep -qx over "$out" ||
		fail "its output: $(xargs <"$out")"
	[ "$(field "$job" Restarts)" = 1 ] || fail "restarted $(field "$job" Restarts) times"
}

# While Slurm cleans up after the job, here until its node returns, no later job gets
# the hosts on which it could start.
test_requeued_keeps_its_place()
{
	local wide later ends
	rm -f "$run/work/go" "$run/work/wide"
	set_quantum_params "${params/lxfw_quantum=100/lxfw_quantum=10}"
	fill n1 n2
	ends=$(submit -w n3,n4 -N 2 -n 16 --mem 500 -t 10 'until [ -e go ]; do sleep 0.3; done')
	wait_state "$ends" RUNNING	# too recently started to be preempted
	wide=$(submit -N 2 -n 16 --mem 500 -t 10 'until [ -e wide ]; do sleep 0.1; done')
	later=$(submit -H -w n3 -n 8 --mem 500 -t 10 'sleep 1')
	expect_served "$wide"
	"$cluster" kill9-node "$run" n2
	touch "$run/work/go"
	wait_done "$ends"
	expect_logged "requeued JobId=$wide"
	scontrol release "$later"
	poll 60 has_reason "$later" 'Resources|Priority' || fail "job $later is $(state "$later") ($(reason "$later"))"
	is_state "$wide" COMPLETING || fail "job $wide is $(state "$wide") without its node"
	"$cluster" start-node "$run" n2
	wait_state "$wide" RUNNING 150
	[ "$(nodes_of "$wide")" = 'n3 n4' ] || fail "job $wide is on $(nodes_of "$wide")"
	touch "$run/work/wide"
	wait_done "$wide" "$later"
	# which may be served, too, soon after the wide one has started
	(($(started "$later") >= $(started "$wide"))) || fail "job $later started before it"
}

has_accrued()
{
	[ "$(field "$1" AccrueTime)" = "$2" ]
}

test_suspended_at_the_end()
{
	local job
	rm -f "$run/work/go"
	use_short_quantum lxfw_quantum_end=suspend
	fill
	job=$(submit -t 60 -o ticks.%j -n 8 --mem 900 \
		'i=0; until [ $i -ge 80 ] && [ -e go ]; do i=$((i + 1)); echo $i; sleep 0.1; done')
	expect_served "$job"
	poll 60 is_state "$job" SUSPENDED || fail "not suspended after its quantum"
	wait_state "${fillers[0]}" RUNNING
	touch "$run/work/go"
	scancel "$(job_on "$(nodes_of "$job")")"
	wait_done "$job"
	[ "$(field "$job" Restarts)" = 0 ] || fail "it was restarted"
	(($(ticks_of "$job") >= 80)) || fail "it counted to $(ticks_of "$job")"
}

# Two jobs on one node each, one on two nodes, two on one node.
test_several_at_once()
{
	local small1 small2 wide one
	fill
	small1=$(submit -n 4 --mem 500 -t 10 'sleep 2')
	small2=$(submit -n 4 --mem 500 -t 10 'sleep 2')
	wide=$(submit -N 2 -n 16 --mem 500 -t 10 'sleep 2')
	one=$(submit -n 8 --mem 500 -t 10 'sleep 2')
	wait_done "$small1" "$small2" "$wide" "$one"
	expect_none_suspended
	for one in "${fillers[@]}"; do
		is_state "$one" RUNNING || fail "filler $one is $(state "$one")"
	done
}

test_array()
{
	local job
	fill
	job=$(submit --array=0-3 -n 8 --mem 500 -t 10 'sleep 2')
	poll 60 array_over "$job" || fail "tasks: $(array_states "$job")"
	expect_none_suspended
}

# All steps of a preempted job stop, and count to their end later. The served job has
# steps too.
test_steps()
{
	local victim job one two
	rm -f "$run"/work/{began,waited,go}
	# shellcheck disable=SC2016
	victim=$(submit -w n1 -n 8 --mem 2000 -t 60 '
		for step in one two; do
			srun -n 1 --exact --mem 500 bash -c '\''
				i=0
				until [ $i -ge 100 ] && [ -e go ]; do i=$((i + 1)); echo $i; sleep 0.1; done
				echo over'\'' >step.$step &
		done
		wait')
	fill n2 n3 n4
	poll 60 steps_count || fail "the steps do not run"
	wait_min_run "$victim"
	job=$(submit -w n1 -n 8 --mem 1000 -t 10 'srun -n 8 touch began; srun -n 2 sleep 1; srun -n 1 touch waited; until [ -e go ]; do sleep 0.3; done')
	expect_served "$job"
	[ "$(suspended)" = "$victim" ] || fail "suspended: $(suspended)"
	poll 60 test -e "$run/work/began" || fail "the first step does not run"
	one=$(wc -l <"$run/work/step.one") two=$(wc -l <"$run/work/step.two")
	poll 60 test -e "$run/work/waited" || fail "the last step does not run"
	(($(wc -l <"$run/work/step.one") <= one + 2 && $(wc -l <"$run/work/step.two") <= two + 2)) ||
		fail "its steps count while suspended"
	[ "$(squeue -h -s -j "$victim" -o %i | wc -l)" -ge 2 ] || fail "its steps are gone: $(squeue -h -s | xargs)"
	touch "$run/work/go"
	wait_done "$job" "$victim"
	[ "$(tail -q -n 1 "$run"/work/step.{one,two} | xargs)" = 'over over' ] ||
		fail "its steps counted to $(tail -q -n 1 "$run"/work/step.{one,two} | xargs)"
}

steps_count()
{
	[ -s "$run/work/step.one" ] && [ -s "$run/work/step.two" ]
}

# A resumed job runs for the minimum time before it is preempted again. The clock of a
# pass and Slurm's may differ by one second.
test_victim_twice()
{
	local first second resumed min_run=6
	set_quantum_params "$(sed "s/min_run=[0-9]*/min_run=$min_run/" <<<"$params")"
	fill
	first=$(submit -w n1 -n 8 --mem 500 -t 10 "$until_seen")
	expect_served "$first"
	may_end "$first"
	second=$(submit -w n1 -n 8 --mem 500 -t 10 'sleep 1')
	expect_none_suspended
	resumed=$(field "${fillers[0]}" SuspendTime)
	wait_start "$second"
	(($(started "$second") - resumed >= min_run - 1)) ||
		fail "preempted again after $(($(started "$second") - resumed)) s"
	wait_done "$second"
	expect_none_suspended
}

# A job with a bound of one suspension is suspended once only, also after the controller
# was restarted. Without the bound it is suspended again, so that nothing else prevented
# it.
test_victim_once()
{
	local job victim unbound=$params
	set_quantum_params "$params,lxfw_victim_suspensions=1"
	fill n1
	victim=${fillers[0]}
	job=$(submit -w n1 -n 8 --mem 500 -t 10 "$until_seen")
	expect_served "$job"
	may_end "$job"
	expect_none_suspended
	expect_counted "$victim" 1
	poll 60 has_resumed "$victim" || fail "the victim is $(state "$victim")"
	job=$(submit -w n1 -n 8 --mem 500 -t 10 "$until_seen")
	expect_not_served "$job"
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not restart"
	poll 60 nodes_answer || fail "nodes do not respond: $(sinfo -h -N -o '%N %T' | xargs)"
	expect_not_served "$job"
	expect_counted "$victim" 1
	set_quantum_params "$unbound"
	expect_served "$job"
	expect_counted "$victim" 2
	may_end "$job"
	expect_none_suspended
	scancel "$victim"
	poll 60 none_counted || fail "still counted: $(counted)"
}

counted()
{
	grep '^victim ' "$run/state/lxfw_quanta"
}

none_counted()
{
	! counted >/dev/null
}

is_counted()
{
	[ "$(counted)" = "victim $1 suspended $2" ]
}

expect_counted()
{
	poll 60 is_counted "$1" "$2" || fail "counted, in place of job $1 $2 times: $(counted)"
}

# The job has run long enough again, so that only its bound protects it.
has_resumed()
{
	is_state "$1" RUNNING && (($(date +%s) - $(field "$1" SuspendTime) > min_run + 1))
}

# A job that cannot be requeued is served only if it can be suspended instead.
test_interactive()
{
	local waits
	fill
	srun -n 8 --mem 500 -t 10 -J interactive sleep 2 2>/dev/null &
	poll 60 named interactive || fail "srun did not submit"
	waits=$(named_job interactive)
	expect_not_served "$waits"
	scancel "$waits"
	wait
	set_quantum_params "$params,lxfw_quantum_end=suspend"
	expect_runs srun -n 8 --mem 500 -t 10
	expect_runs salloc -n 8 --mem 500 -t 10 srun -n 1
	expect_none_suspended
}

# expect_runs COMMAND...: the job of the command runs, and another one is suspended.
expect_runs()
{
	local begun
	begun=$(date +%s)
	rm -f "$run/work/ran"
	timeout 100 "$@" sh -c 'date +%s >>"$1"; sleep 2' sh "$run/work/ran" 2>>"$run/log/srun" &
	poll 60 test -s "$run/work/ran" || fail "$1: $(tail -n 1 "$run/log/srun")"
	some_suspended || fail "$1 runs, but no job is suspended"
	echo "  $1: ran after $(($(head -n 1 "$run/work/ran") - begun)) s"
	wait $! || fail "$1: $(tail -n 1 "$run/log/srun")"
}

test_declined_and_excluded_jobs()
{
	local job
	fill
	job=$(submit -n 8 --mem 500 -t 10 --comment 'lxfw:no-quantum' 'sleep 1')
	expect_not_served "$job"
	# The job is served after the user has changed the request.
	scontrol update "jobid=$job" comment=
	wait_done "$job"
	job=$(submit -n 8 --mem 500 -t 10 --no-requeue 'sleep 1')
	expect_not_served "$job"
	set_quantum_params "$params,lxfw_quantum_most_procs=7,lxfw_quantum_not_partition=other:q"
	job=$(submit -n 8 --mem 500 -t 10 'sleep 1')
	expect_not_served "$job"
	job=$(submit -p q -n 1 --mem 500 -t 10 'sleep 1')
	expect_not_served "$job"
	job=$(submit -n 1 --mem 500 -t 10 "$until_seen")
	expect_served "$job"
	may_end "$job"
}

# GPUs remain allocated to a suspended job.
test_gpus()
{
	local holder job
	holder=$(ticker -w n4 -n 8 --mem 500 --gres gpu:1 3000)
	fill n1 n2 n3
	wait_min_run "$holder"
	job=$(submit -n 1 --mem 500 --gres gpu:2 -t 10 'sleep 1')
	expect_not_served "$job"
	scancel "$job"
	job=$(submit -n 1 --mem 500 --gres gpu:1 -t 10 "$until_seen")
	expect_served "$job"
	[ "$(suspended)" = "$holder" ] || fail "suspended: $(suspended)"
	may_end "$job"
	expect_none_suspended
}

# An exclusive job is not suspended, because no other job may run on its nodes.
test_exclusive_is_not_suspended()
{
	local alone job
	alone=$(ticker -w n1 --exclusive --mem 500 3000)
	fill n2 n3 n4
	wait_min_run "$alone"
	job=$(submit -w n1 -n 1 --mem 500 -t 10 'sleep 2')
	expect_not_served "$job"
	job=$(submit -n 1 --mem 500 -t 10 "$until_seen")
	expect_served "$job"
	may_end "$job"
	expect_none_suspended
}

# A job that is started while another one is suspended gets none of its processors.
test_shield()
{
	local low half small served late
	use_short_quantum
	low=$(submit -w n1 -n 4 --mem 500 -t 10 'sleep 100')
	wait_state "$low" RUNNING
	half=$(ticker -w n1 -n 4 --mem 500 3000)	# the last four
	wait_state "$half" RUNNING
	scancel "$low"
	fill n2 n3 n4
	wait_min_run "$half"
	served=$(submit -w n1 -n 6 --mem 500 -t 10 'sleep 1000')
	expect_served "$served"
	small=$(submit -w n1 -n 2 --mem 500 -t 10 --comment lxfw:no-quantum 'sleep 1000')
	late=$(submit -w n1 -n 2 --mem 500 -t 10 --comment lxfw:no-quantum 'sleep 1000')
	poll 60 is_considered "$late" || fail "job $late is $(state "$late")"
	expect_none_suspended
	wait_state "$small" RUNNING
	wait_state "$late" RUNNING
	expect_no_core_twice
}

#
# Actions by hand.
#
test_victim_cancelled()
{
	local job
	fill
	job=$(submit -n 8 --mem 500 -t 10 "$until_seen")
	expect_served "$job"
	scancel "$(suspended)"
	may_end "$job"
	expect_none_suspended
}

# The job keeps its priority, so that it does not wait forever.
test_victim_requeued()
{
	local job victim
	fill
	job=$(submit -n 8 --mem 500 -t 10 "$until_seen")
	expect_served "$job"
	victim=$(suspended)
	scontrol requeue "$victim"
	may_end "$job"
	poll 60 is_state "$victim" PENDING || fail "victim is $(state "$victim")"
	poll 60 has_priority "$victim" || fail "the victim is held"
}

test_victim_resumed_by_hand()
{
	local job victim
	fill
	job=$(submit -n 8 --mem 500 -t 10 "$until_seen")
	expect_served "$job"
	victim=$(suspended)
	if is_guarded; then
		resume_refused "$victim"
	else
		scontrol resume "$victim"
		expect_logged "JobId=$victim was resumed manually"
	fi
	may_end "$job"
	expect_none_suspended
}

test_served_cancelled()
{
	local job
	fill
	job=$(submit -n 8 --mem 500 -t 10 'sleep 1000')
	expect_served "$job"
	scancel "$job"
	expect_none_suspended
}

# An administrator resumes a third job on the processors of the preempted job. The
# preempted job waits, which is logged once.
test_processors_in_use()
{
	local by_hand victim job
	by_hand=$(ticker -w n1 -n 8 --mem 500 3000)
	wait_state "$by_hand" RUNNING
	scontrol suspend "$by_hand"
	victim=$(ticker -w n1 -n 8 --mem 500 3000)
	fill n2 n3 n4
	wait_min_run "$victim"
	job=$(submit -w n1 -n 8 --mem 500 -t 10 "$until_seen")
	expect_served "$job"
	if is_guarded; then
		resume_refused "$by_hand"
		scancel "$by_hand"
		may_end "$job"
		wait_state "$victim" RUNNING
		return
	fi
	scontrol resume "$by_hand"
	may_end "$job"
	expect_logged "JobId=$victim cannot resume yet: its processors are allocated to JobId=$by_hand"
	is_state "$victim" SUSPENDED || fail "the victim is $(state "$victim")"
	# The policy considers the job running, and may preempt it again.
	job=$(submit -w n1 -n 8 --mem 500 -t 10 'sleep 3')
	expect_logged "JobId=$victim stays suspended"
	scancel "$job"
	is_state "$victim" SUSPENDED || fail "the victim is $(state "$victim")"
	scancel "$by_hand"
	wait_state "$victim" RUNNING
	[ "$(times_logged "JobId=$victim cannot resume yet")" = 1 ] || fail "logged more than once"
}

#
# Nodes.
#
test_drain_and_partition_down()
{
	local job node
	fill
	job=$(submit -n 8 --mem 500 -t 10 "$until_seen")
	expect_served "$job"
	node=$(nodes_of "$job")
	scontrol update "nodename=$node" state=drain reason=test
	scontrol update partitionname=p state=down
	may_end "$job"
	expect_none_suspended
	scontrol update partitionname=p state=up
}

# Slurm does not end the served job before its node returns. Then both jobs continue.
test_slurmd_of_the_served_killed()
{
	local job victim node ticks
	use_short_quantum
	fill
	job=$(submit -n 8 --mem 500 -t 10 'sleep 1000')
	expect_served "$job"
	victim=$(suspended)
	node=$(nodes_of "$victim")
	ticks=$(ticks_of "$victim")
	"$cluster" kill9-node "$run" "$node"
	expect_logged "requeued JobId=$job"
	"$cluster" start-node "$run" "$node"
	wait_state "$victim" RUNNING 150
	poll 60 ticked "$victim" $((ticks + 5)) || fail "the victim runs, but does not count"
}

# A node does not receive the resumption of the preempted job. The message is repeated
# when the node returns.
test_slurmd_of_the_victim_killed()
{
	local wide job ticks
	wide=$(ticker -w n1,n2 -N 2 -n 16 --mem 500 3000)
	fill n3 n4
	wait_min_run "$wide"
	job=$(submit -w n2 -n 8 --mem 500 -t 10 "$until_seen")
	expect_served "$job"
	ticks=$(ticks_of "$wide")
	"$cluster" kill9-node "$run" n1		# the node on which its script counts
	may_end "$job"
	wait_state "$wide" RUNNING 150
	"$cluster" start-node "$run" n1
	poll 60 ticked "$wide" $((ticks + 5)) || fail "the victim runs, but does not count"
}

test_reconfigured()
{
	local job
	use_short_quantum
	fill
	job=$(submit -n 8 --mem 500 -t 10 'sleep 1000')
	expect_served "$job"
	set_quantum_params "$(live_params lxfw_policy=lxfw)"
	expect_none_suspended
	expect_pending "$job"
	job=$(submit -n 8 --mem 500 -t 10 'sleep 1')
	expect_not_served "$job"
}

live_selectors served_and_over shield victim_resumed_by_hand processors_in_use -- "$@"
live_parts 2 "$@"
live_policy=$long_quantum
live_main "$@" -- --nodes 4 --cpus 8 --memory 16000 \
	--conf GresTypes=gpu \
	--gres 'NodeName=n4 Name=gpu File=/dev/null' --gres 'NodeName=n4 Name=gpu File=/dev/zero' \
	--node 'n4 Gres=gpu:2' \
	--partition 'p Nodes=ALL Default=YES MaxTime=INFINITE State=UP' \
	--partition 'q Nodes=ALL MaxTime=INFINITE State=UP'
