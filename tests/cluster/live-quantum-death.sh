#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Immediate service, and a controller that is killed in the middle of it: every job
# comes to its end, none stays suspended, whether sched/lxfw comes back or Slurm's
# own sched/backfill, where lxfw-recover is to help. And messages to nodes that are lost
# or late: no job stays stopped that runs by the controller's books.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"

die_at=$build/tests/cluster/.libs/die_at.so
LXFW_RECOVER=$here/../../plugins/slurm/lxfw-recover
PATH=$PATH:$build
# A job's name that reads like what scontrol shows of it.
forged='a JobState=COMPLETED Nodes=n1 CPU_IDs=0-4294967295
   JobState=COMPLETED NodeList=n[1-4] Priority=0
     Nodes=n[1-4] CPU_IDs=0-4294967295 Mem=0 GRES='
# Of each victim: not over when the controller is killed, for the end of a job that it
# has heard of and not saved stock Slurm forgets, too.
ticks=160

# At which moment the controller kills itself, as die_at.c has it, what it goes by
# between bars. Up to the line nothing of what it tells of is in Slurm's saved records;
# what is in lxfw_quanta again is there, too.
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

# Four victims that count, and one job to be served which, the first time, is not over
# in its quantum. Ids to fillers and job. The controller that will be killed is started
# when they are there, so that all of them are saved.
begin()
{
	local node die=()
	expect_scheduler lxfw
	rm -f "$run"/work/{again,over}
	fillers=()
	for node in n1 n2 n3 n4; do
		fillers+=("$(ticker -w "$node" -n 8 --mem 2000 $ticks)")
	done
	for node in "${fillers[@]}"; do
		wait_state "$node" RUNNING
	done
	job=$(submit --begin now+5 -n 8 --mem 2000 -t 10 \
		'[ -e again ] || { touch again; sleep 8; }; echo over >>over')
	before=$(wc -l <"$run/log/slurmctld")
	IFS='|' read -ra die <<<"$1"
	[ -z "$1" ] || die+=("LD_PRELOAD=$die_at")
	"$cluster" stop-ctld "$run" || fail "slurmctld does not stop"
	# It may be dead before it is seen to be up.
	"$cluster" start-ctld "$run" "${die[@]}" || [ -n "$1" ] || fail "slurmctld does not start"
}

controller_is_dead()
{
	! grep -qs '^State:[[:space:]][^ZX]' "/proc/$(cat "$run/pid/slurmctld.started")/status"
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

# Whatever a test before has left.
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
		scontrol update "jobid=$each" "name=$1" || fail "job $each keeps its name"
	done
}

# Slurm itself leaves a job alone for two minutes after its requeue.
recover()
{
	call_jobs "$forged"
	"$LXFW_RECOVER" >"$run/log/recover" 2>&1 || fail "lxfw-recover: $(tail -n 1 "$run/log/recover")"
	call_jobs plain
	poll 40 none_suspended || fail "still suspended: $(suspended)"
	poll 20 not_completing "$job"
	! is_state "$job" PENDING || scontrol update "jobid=$job" starttime=now
}

not_completing()
{
	! is_state "$1" COMPLETING
}

# Everybody counts to the end, and the job that was served is over.
expect_nothing_lost()
{
	local filler
	expect_none_suspended 40
	wait_done "$job" "${fillers[@]}"
	for filler in "${fillers[@]}"; do
		[ "$(ticks_of "$filler")" = $ticks ] || fail "job $filler counted to $(ticks_of "$filler")"
	done
	[ -e "$run/work/over" ] || fail "the served job did not come to its end"
	poll 20 nothing_lent || fail "left behind: $(grep '^lent ' "$run/state/lxfw_quanta" | xargs)"
}

# survive MOMENT SCHEDULER: killed then, and back with that.
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

# An orderly restart ends what is under way, too.
test_restarted_in_the_quantum()
{
	begin ''
	poll 20 serving || fail "never served"
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not restart"
	expect_nothing_lost
}

is_lent()
{
	grep -qs "^lent $1 " "$run/state/lxfw_quanta"
}

is_not_lent()
{
	! is_lent "$1"
}

# A victim that somebody cancels is known to the plugin until Slurm has saved that: else
# Slurm, killed, would take it for suspended, and nobody would bring it back.
test_victim_cancelled_then_killed()
{
	local victim
	begin ''
	poll 20 serving || fail "never served"
	victim=$(suspended)
	poll 10 is_lent "$victim" || fail "job $victim is not in lxfw_quanta"
	scancel "$victim"
	poll 30 is_not_lent "$victim" || fail "job $victim stays in lxfw_quanta"
	"$cluster" kill9-ctld "$run"
	start_with lxfw "$params"
	expect_none_suspended 40
	is_state "$victim" CANCELLED || fail "job $victim is $(state "$victim")"
	scancel "$job" "${fillers[@]}"
}

# stepd_of JOB: the process that its batch script runs under.
stepd_of()
{
	"$cluster" processes "$run" | awk -v title="[$1.batch]" '
		$2 ~ /^slurmstepd/ && index($0, title) { print $1 }'
}

# Slurm's saved records have the job running when its node tells that it was killed, as
# soon as the controller is back: that is the end of its quantum, and no failure.
test_end_is_told_late()
{
	local stepd
	begin "${moments[while_it_ends]}"
	poll 60 serving || fail "never served"
	poll 10 test -e "$run/work/again" || fail "its script does not run"
	stepd=$(stepd_of "$job")
	[ -n "$stepd" ] || fail "no slurmstepd of job $job"
	kill -STOP "$stepd"
	poll 60 controller_is_dead || fail "never while_it_ends"
	kill -CONT "$stepd"
	poll 20 node_says "\[$job.batch\] .*CANCELLED" || fail "job $job is not killed"
	start_with lxfw "$params"
	expect_nothing_lost
}

node_says()
{
	grep -qh "$1" "$run"/log/slurmd.n?
}

# lose_messages LINE: until the controller has said this, each slurmd takes what it is
# told, and is dead before it has read it. A moment later it is back.
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
	! poll 20 said "$1" || said=yes
	for node in n1 n2 n3 n4; do
		"$cluster" kill9-node "$run" "$node"
		"$cluster" start-node "$run" "$node"
	done
	[ "$said" = yes ] || fail "not said: $1"
	expect_nothing_lost
}

# What the controller tells nodes when it is back.
test_lost_message()
{
	lose_messages 'JobId=.* resume message 1 sent'
}

# That, and what it tells them again.
test_two_lost_messages()
{
	lose_messages 'JobId=.* resume message 2 sent'
}

# A victim goes on so soon that its nodes hear of that before they hear that it is
# suspended.
test_late_suspension()
{
	local victim ticks=3000
	begin LXFW_LATE_SUSPENSION=1
	poll 60 serving || fail "never served"
	victim=$(suspended)
	scancel "$job"
	wait_state "$victim" RUNNING
	poll 10 is_stopped "$victim" || fail "the suspension of $victim has not come"
	poll 10 is_not_stopped "$victim" || fail "job $victim runs, and is stopped"
	is_state "$victim" RUNNING || fail "job $victim is $(state "$victim")"
	scancel "${fillers[@]}"
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not restart"
}

# A node is so busy that the job's quantum is over before it has started its script. It
# answers that it was killed before, when that is no news any more; Slurm fails the job
# for it, and that must not be its next run.
test_late_answer_to_a_start()
{
	begin LXFW_LATE_ANSWER=1
	poll 60 said "requeued JobId=$job" || fail "never requeued"
	poll 60 logged "Killing non-startable batch JobId=$job:" ||
		fail "the node has not answered that job $job was killed"
	expect_nothing_lost
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not restart"
}

# is_stopped JOB: on its node, whatever the controller says.
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
# `make check` has time for these; LXFW_SLOW=1 for all.
[ -n "${LXFW_SLOW-}" ] ||
	names=(between_suspension_and_start_then_lxfw in_the_quantum_then_backfill late_suspension
		victim_cancelled_then_killed late_answer_to_a_start)
[ $# -gt 0 ] || set -- "${names[@]}"
live_policy=$quantum_policy
live_main "$@" -- --nodes 4 --cpus 8 --memory 16000
