#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Immediate service with a controller that is killed at critical moments. Every job must
# complete and none may stay suspended, with sched/lxfw after the restart as well as
# with Slurm's sched/backfill and lxfw-recover. Also messages to nodes that are lost or
# late: no job may stay stopped on its node while the controller considers it running.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"

die_at=$build/tests/cluster/.libs/die_at.so
LXFW_RECOVER=$here/../../plugins/slurm/lxfw-recover
PATH=$PATH:$build
# A job name that imitates the output of scontrol.
forged='a JobState=COMPLETED Nodes=n1 CPU_IDs=0-4294967295
   JobState=COMPLETED NodeList=n[1-4] Priority=0
     Nodes=n[1-4] CPU_IDs=0-4294967295 Mem=0 GRES='
# Least length of each preempted job.
ticks=50

# The moments at which the controller kills itself, in the variables of die_at.c,
# separated by bars. Up to that line, Slurm's saved records contain nothing of what the
# line reports. Changes of lxfw_quanta are saved.
declare -A moments=(
	[before_the_suspension]='LXFW_DIE_AT=|LXFW_DIE_WRITTEN=lent'
	[between_suspension_and_start]='LXFW_DIE_AT=lxfw: suspended JobId='
	[at_the_start]='LXFW_DIE_AT= has a quantum of'
	[in_the_quantum]=''
	[at_its_end]='LXFW_DIE_AT=lxfw: requeued JobId='
	[while_it_ends]='LXFW_DIE_AT=lxfw: requeued JobId=|LXFW_DIE_LATER=1500'
	[between_requeue_and_resumption]='LXFW_DIE_AT=lxfw: requeued JobId=|LXFW_DIE_WRITTEN=lent'
	[at_the_resumption]='LXFW_DIE_AT= resumes'
	[at_the_saved_resumption]='LXFW_DIE_AT= resumes|LXFW_DIE_SAVED=1'
)

# counter NODE: submit a job that counts, ten per second while it runs, to $ticks at least and
# until expect_nothing_lost lets it end. It must not end before the controller is killed:
# Slurm without plugins also loses the end of a job that it was informed of but had not saved.
counter()
{
	submit -t 60 -o ticks.%j -w "$1" -n 8 --mem 2000 "i=0
		until [ \$i -ge $ticks ] && [ -e go ]; do i=\$((i + 1)); echo \$i; sleep 0.1; done"
}

# Four preemptable jobs that count, and one job to be served which does not end the first
# time, until expect_nothing_lost lets it. Set fillers and job to their ids. The controller
# that will be killed is started after they run, so that all of them are saved.
begin()
{
	local node die=()
	expect_scheduler lxfw
	rm -f "$run"/work/{again,over,go}
	fillers=()
	for node in n1 n2 n3 n4; do
		fillers+=("$(counter "$node")")
	done
	for node in "${fillers[@]}"; do
		wait_state "$node" RUNNING
	done
	job=$(submit --begin now+8 -n 8 --mem 2000 -t 10 \
		'[ -e again ] || { touch again; until [ -e go ]; do sleep 0.1; done; }; echo over >>over')
	before=$(wc -l <"$run/log/slurmctld")
	IFS='|' read -ra die <<<"$1"
	[ -z "$1" ] || die+=("LD_PRELOAD=$die_at")
	"$cluster" stop-ctld "$run" || fail "slurmctld does not stop"
	# The controller may be dead before it is detected to be up.
	"$cluster" start-ctld "$run" "${die[@]}" || [ -n "$1" ] || fail "slurmctld does not start"
}

serving()
{
	said 'JobId=.* has a quantum'
}

said()
{
	grep -q "lxfw: $1" <(tail -n "+$((before + 1))" "$run/log/slurmctld")
}

start_with()
{
	"$cluster" conf "$run" --scheduler "$1" --params "$2" &&
		"$cluster" start-ctld "$run" || fail "slurmctld does not start with sched/$1"
}

# Remove what a preceding test has left.
expect_scheduler()
{
	! grep -q "^SchedulerType *= *sched/$1" <(scontrol show config) || return 0
	"$cluster" stop-ctld "$run" || fail "slurmctld does not stop"
	start_with "$1" "$params"
}

# call_jobs NAME
call_jobs()
{
	local each
	for each in "$job" "${fillers[@]}"; do
		scontrol update "jobid=$each" "name=$1" || is_state "$each" COMPLETED ||
			fail "job $each keeps its name"
	done
}

# Slurm itself delays a job by two minutes after a requeue.
recover()
{
	call_jobs "$forged"
	"$LXFW_RECOVER" >"$run/log/recover" 2>&1 || fail "lxfw-recover: $(tail -n 1 "$run/log/recover")"
	call_jobs plain
	poll 60 none_suspended || fail "still suspended: $(suspended)"
	poll 60 not_completing "$job"
	! is_state "$job" PENDING || scontrol update "jobid=$job" starttime=now+2
}

not_completing()
{
	! is_state "$1" COMPLETING
}

# All jobs count to the end, and the served job has ended.
expect_nothing_lost()
{
	local filler
	expect_none_suspended
	touch "$run/work/go"
	wait_done "$job" "${fillers[@]}"
	for filler in "${fillers[@]}"; do
		(($(ticks_of "$filler") >= ticks)) || fail "job $filler counted to $(ticks_of "$filler")"
	done
	[ -e "$run/work/over" ] || fail "the served job did not complete"
	poll 60 no_preempted_records || fail "records left: $(grep '^lent ' "$run/state/lxfw_quanta" | xargs)"
}

# survive MOMENT SCHEDULER: kill the controller at this moment and restart it with
# SCHEDULER.
survive()
{
	begin "${moments[$1]}"
	if [ -n "${moments[$1]}" ]; then
		poll 60 controller_is_dead || fail "never $1"
	else
		poll 60 test -e "$run/work/again" && serving || fail "never $1"
		"$cluster" kill9-ctld "$run"
	fi
	if [ "$2" = lxfw ]; then
		start_with lxfw "$params"
		expect_nothing_lost
		return
	fi
	start_with "$2" ''
	recover
	expect_nothing_lost
}

# An orderly restart also ends a quantum in progress.
test_restarted_in_the_quantum()
{
	begin ''
	poll 60 serving || fail "never served"
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not restart"
	expect_nothing_lost
}

is_recorded()
{
	grep -qs "^lent $1 " "$run/state/lxfw_quanta"
}

is_not_recorded()
{
	! is_recorded "$1"
}

# A preempted job is cancelled. The plugin keeps its record until Slurm has saved the
# cancellation. Otherwise, a killed Slurm would restore the job as suspended, and
# nothing would resume it.
test_victim_cancelled_then_killed()
{
	local victim
	begin ''
	poll 60 serving || fail "never served"
	victim=$(suspended)
	poll 60 is_recorded "$victim" || fail "job $victim is not in lxfw_quanta"
	scancel "$victim"
	poll 60 is_not_recorded "$victim" || fail "job $victim stays in lxfw_quanta"
	"$cluster" kill9-ctld "$run"
	start_with lxfw "$params"
	expect_none_suspended
	is_state "$victim" CANCELLED || fail "job $victim is $(state "$victim")"
	scancel "$job" "${fillers[@]}"
}

# stepd_of JOB: print the process that runs the batch script.
stepd_of()
{
	"$cluster" processes "$run" | awk -v title="[$1.batch]" '
		$2 ~ /^slurmstepd/ && index($0, title) { print $1 }'
}

# In Slurm's saved records, the job runs when its node reports that it was killed, right
# after the restart. The plugin must treat this as the end of the quantum, not as a
# failure.
test_end_is_reported_late()
{
	local stepd
	begin "${moments[while_it_ends]}"
	poll 60 serving || fail "never served"
	poll 60 test -e "$run/work/again" || fail "its script does not run"
	stepd=$(stepd_of "$job")
	[ -n "$stepd" ] || fail "no slurmstepd of job $job"
	kill -STOP "$stepd"
	poll 60 controller_is_dead || fail "never while_it_ends"
	kill -CONT "$stepd"
	poll 60 node_says "\[$job.batch\] .*CANCELLED" || fail "job $job is not killed"
	start_with lxfw "$params"
	expect_nothing_lost
}

node_says()
{
	grep -qh "$1" "$run"/log/slurmd.n?
}

# lose_messages LINE: until the controller has logged this line, each slurmd accepts
# messages and is killed before it reads them. It is restarted a moment later.
lose_messages()
{
	local node said=no
	begin "${moments[at_the_saved_resumption]}"
	poll 60 controller_is_dead || fail "never at_the_saved_resumption"
	before=$(wc -l <"$run/log/slurmctld")
	for node in n1 n2 n3 n4; do
		kill -STOP "$(cat "$run/pid/slurmd.$node.started")"
	done
	start_with lxfw "$params"
	! poll 60 said "$1" || said=yes
	for node in n1 n2 n3 n4; do
		"$cluster" kill9-node "$run" "$node"
		"$cluster" start-node "$run" "$node"
	done
	[ "$said" = yes ] || fail "not logged: $1"
	expect_nothing_lost
}

# The messages that the controller sends to nodes after its restart are lost.
test_lost_message()
{
	lose_messages 'JobId=.* resume message 1 sent'
}

# These messages and their repetition are lost.
test_two_lost_messages()
{
	lose_messages 'JobId=.* resume message 2 sent'
}

# A preempted job is resumed so soon that its nodes receive the resumption before the
# suspension.
test_late_suspension()
{
	local victim
	# On a loaded machine, a look takes longer than the time until the next resume message.
	# The controller must not wait for the file if this fails.
	trap 'rm -f "$run/work/unseen"' EXIT
	touch "$run/work/unseen"
	begin "LXFW_LATE_SUSPENSION=$run/work/unseen"
	poll 60 serving || fail "never served"
	victim=$(suspended)
	scancel "$job"
	wait_state "$victim" RUNNING
	poll 60 is_stopped "$victim" || fail "the suspension of job $victim was not received"
	rm "$run/work/unseen"
	poll 60 is_not_stopped "$victim" || fail "job $victim runs, but is stopped on its node"
	is_state "$victim" RUNNING || fail "job $victim is $(state "$victim")"
	scancel "${fillers[@]}"
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not restart"
}

# A node is so busy that the job's quantum ends before its script has started. The node
# then responds that the job was killed before its start. Slurm treats this late
# response as a failed start, which must not be attributed to the job's next run.
test_late_answer_to_a_start()
{
	begin LXFW_LATE_ANSWER=1
	poll 60 said "requeued JobId=$job" || fail "never requeued"
	poll 60 logged "Killing non-startable batch JobI[dD]=$job[: ]" ||
		fail "the node has not reported that job $job was killed"
	expect_nothing_lost
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not restart"
}

# is_stopped JOB: true if the processes are stopped on the node, whatever the
# controller's state is.
is_stopped()
{
	local files
	files=$(grep -lzxF "SLURM_CONF=$run/etc/slurm.conf" /proc/[0-9]*/environ 2>/dev/null)
	# shellcheck disable=SC2086
	files=$(grep -lzxF "SLURM_JOB_ID=$1" $files /dev/null 2>/dev/null)
	# shellcheck disable=SC2086
	grep -qs '^State:[[:space:]]T' ${files//environ/status} /dev/null
}

is_not_stopped()
{
	! is_stopped "$1"
}

[ -e "$die_at" ] || skip "$die_at is not built (make check builds it)"
names=(restarted_in_the_quantum late_answer_to_a_start victim_cancelled_then_killed lost_message two_lost_messages late_suspension)
for moment in $(printf '%s\n' "${!moments[@]}" | sort); do
	for back in lxfw backfill; do
		names+=("${moment}_then_$back")
		eval "test_${moment}_then_$back() { survive $moment $back; }"
	done
done
# `make check` runs these; LXFW_SLOW=1 runs all.
[ -n "${LXFW_SLOW-}" ] ||
	names=(between_suspension_and_start_then_lxfw in_the_quantum_then_backfill late_suspension
		victim_cancelled_then_killed late_answer_to_a_start)
[ $# -gt 0 ] || set -- "${names[@]}"
live_policy=$quantum_policy
live_main "$@" -- --nodes 4 --cpus 8 --memory 16000
