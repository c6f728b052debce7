#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Immediate service, and a controller that is killed in the middle of it: every job
# comes to its end, none stays suspended, whether sched/lxfw comes back or Slurm's
# own sched/backfill, where lxfw-recover is to help.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"

die_at=$build/tests/cluster/.libs/die_at.so
LXFW_RECOVER=$here/../../plugins/slurm/lxfw-recover
# Of each victim: not over when the controller is killed, for the end of a job that it
# has heard of and not saved stock Slurm forgets, too.
ticks=160

# At which moment the controller kills itself, as die_at.c has it. Up to the line
# nothing of what it tells of is in Slurm's saved records; what is in lxfw_quanta
# again is there, too.
declare -A moments=(
	[before_the_suspension]='LXFW_DIE_AT= LXFW_DIE_WRITTEN=lent'
	[between_suspension_and_start]='LXFW_DIE_AT=lxfw: suspended JobId='
	[at_the_start]='LXFW_DIE_AT= has a quantum of'
	[in_the_quantum]=''
	[at_its_end]='LXFW_DIE_AT=lxfw: requeued JobId='
	[between_requeue_and_resumption]='LXFW_DIE_AT=lxfw: requeued JobId= LXFW_DIE_WRITTEN=lent'
	[at_the_resumption]='LXFW_DIE_AT= goes on'
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
	if [ -n "$1" ]; then
		die=("LD_PRELOAD=$die_at" "${1%% LXFW_DIE_WRITTEN=*}")
		[[ $1 != *LXFW_DIE_WRITTEN=* ]] || die+=("LXFW_DIE_WRITTEN=${1##*LXFW_DIE_WRITTEN=}")
	fi
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

# Slurm itself leaves a job alone for two minutes after its requeue.
recover()
{
	"$LXFW_RECOVER" >"$run/log/recover" 2>&1 || fail "lxfw-recover: $(tail -n 1 "$run/log/recover")"
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
	! grep -qs '^lent ' "$run/state/lxfw_quanta" || fail "left behind: $(grep '^lent ' "$run/state/lxfw_quanta" | xargs)"
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

[ -e "$die_at" ] || skip "$die_at is not built (make check builds it)"
names=(restarted_in_the_quantum)
for moment in $(printf '%s\n' "${!moments[@]}" | sort); do
	for back in lxfw backfill; do
		names+=("${moment}_then_$back")
		eval "test_${moment}_then_$back() { survive $moment $back; }"
	done
done
# `make check` has time for these; LXFW_SLOW=1 for all.
[ -n "${LXFW_SLOW-}" ] ||
	names=(between_suspension_and_start_then_lxfw in_the_quantum_then_backfill)
[ $# -gt 0 ] || set -- "${names[@]}"
live_policy=$quantum_policy
live_main "$@" -- --nodes 4 --cpus 8 --memory 16000
