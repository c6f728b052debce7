#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Jobs for which there is room, and that a Slurm that schedules by itself does not start: it considers
# some jobs only. And jobs that it starts at once where there is none: it preempts others. What
# `lxfw` says of them, compared with what Slurm does.

LXFW_SCHEDULER=backfill
export LXFW_SCHEDULER
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/user.sh
. "$(dirname "$0")/user.sh"

sleeps='sleep 3600'

# run_now OPTIONS...: submit a job that starts at once.
run_now()
{
	local id
	id=$(submit "$@" "$sleeps") || exit 1
	wait_state "$id" RUNNING
	echo "$id"
}

# submit_as_nobody OPTIONS...: a job of another user than root
submit_as_nobody()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups sbatch --parsable -D /tmp -o /dev/null "$@" \
		--wrap "$sleeps" || fail "nobody's job is refused"
}

# planned JOB: Slurm plans its start.
planned()
{
	squeue -h -j "$1" -o %S | grep -qx '[0-9]*'
}

# answer NAME ARGUMENTS...: the output of the command in $run/work/NAME
answer()
{
	local name=$1
	shift
	as_nobody "$@" >"$run/work/$name" 2>"$run/work/$name.messages" ||
		fail "lxfw $*: $(cat "$run/work/$name.messages")"
}

# has NAME PATTERN: the answer has such a line.
has()
{
	grep -qE -e "$2" "$run/work/$1" || fail "no '$2': $(cat "$run/work/$1"*)"
}

# Nodes n1 and n2 are in use, and a job waits for all of partition p, to which n3 belongs.
make_wide()
{
	pair=$(run_now -p p -w 'n[1-2]' -N2 --exclusive -t 30) || exit 1
	wide=$(submit -p p -N3 --exclusive -t 30 "$sleeps") || exit 1
	poll 60 planned "$wide" || fail "Slurm plans no start: $(squeue)"
}

# is_passed_over JOB WHY: there is no start that is expected of the job.
is_passed_over()
{
	answer predict predict
	has predict "^$1 +later +[^ ]+ +later +[^ ]+ +later\$"
	has predict "^$1: $2\$"
	answer json predict --format json
	! grep -A2 "\"job\": *\"$1\"" "$run/work/json" | grep -q expected_start ||
		fail "a start is expected: $(cat "$run/work/json")"
	answer queue queue
	has queue " $1 .* later +$2\$"
	answer why why "$1"
	has why "There seems to be room for it, but $2: when it considers this job is not known"
	! grep -qE 'it starts (now|at)' "$run/work/why" || fail "a start: $(cat "$run/work/why")"
	[ "$(squeue -h -j "$1" -o %T)" = PENDING ] || fail "job $1 has started: $(squeue)"
}

test_user()
{
	local small other first
	set_params bf_max_job_user=1,bf_interval=3
	make_wide
	small=$(submit -p p -N1 -n1 -t 10 "$sleeps") || exit 1
	# Alone in its partition.
	run_now -p q -N1 -n1 -t 10 >/dev/null || exit 1
	is_passed_over "$small" 'Slurm plans only for 1 job of a user at a time'
	[ "$(id -u)" = 0 ] || return 0
	# Another user is not beyond the bound with one job.
	answer request predict --request '-p p -n 1 -t 10'
	has request '^-n 1 -t 00:10:00 -p p [^ ]+ +now '
	other=$(submit_as_nobody -p p -N1 -n1 -t 10) || exit 1
	wait_state "$other" RUNNING
	first=$(submit_as_nobody -p p -N1 -n4 -t 30) || exit 1
	poll 60 planned "$first" || fail "Slurm plans no start: $(squeue)"
	answer request predict --request '-p p -n 1 -t 10'
	has request '^-n 1 -t 00:10:00 -p p +later '
	has request '^-n 1 -t 00:10:00 -p p: Slurm plans only for 1 job of a user at a time$'
	answer request predict --request '-p q -n 1 -t 10'
	has request '^-n 1 -t 00:10:00 -p q [^ ]+ +now '
	other=$(submit_as_nobody -p p -N1 -n1 -t 10) || exit 1
	sleep 10
	is_passed_over "$other" 'Slurm plans only for 1 job of a user at a time'
	# It is the first one when these are gone.
	scancel "$wide" "$small" "$first"
	wait_state "$other" RUNNING
}

test_partition()
{
	local small
	set_params bf_max_job_part=1,bf_interval=3
	make_wide
	small=$(submit -p p -N1 -n1 -t 10 "$sleeps") || exit 1
	sleep 10
	is_passed_over "$small" 'Slurm plans only for 1 job of a partition at a time'
	answer request predict --request '-p p -n 1 -t 10'
	has request '^-n 1 -t 00:10:00 -p p +later '
	scancel "$wide"
	wait_state "$small" RUNNING
}

# Jobs of partition high preempt those of low, on the same nodes.
test_preemption()
{
	local victim soon wide
	set_params bf_interval=3
	victim=$(run_now -p low -w n5 -N1 -n4 -t 60) || exit 1
	run_now -p high -w n6 -N1 -n4 -t 50 >/dev/null || exit 1
	# Only one of its nodes can be had by preemption.
	wide=$(submit -p high -N2 -n8 -t 10 "$sleeps") || exit 1
	poll 60 planned "$wide" || fail "Slurm plans no start: $(squeue)"
	answer why why "$wide"
	has why '^It may start at any time before: Slurm may preempt 1 running job of a lower PriorityTier for it\.$'
	answer json predict --format json "$wide"
	[ "$(sed -n 's/.*"low90": *\([0-9]*\).*/\1/p' "$run/work/json")" = \
		"$(sed -n 's/.*"time": *\([0-9]*\).*/\1/p' "$run/work/json")" ] ||
		fail "it does not start now: $(cat "$run/work/json")"
	# One that fits there starts at once, and one of the lower partition does not.
	answer request predict --request '-p high -n 4 -t 10'
	has request '^-n 4 -t 00:10:00 -p high [^ ]+ +now '
	answer request predict --request '-p low -n 4 -t 10'
	has request '^-n 4 -t 00:10:00 -p low [^ ]+ +in '
	soon=$(submit -p high -N1 -n4 -t 10 "$sleeps") || exit 1
	wait_state "$soon" RUNNING
	[ "$(squeue -h -j "$victim" -o %T)" = PENDING ] || fail "job $victim is not preempted: $(squeue)"
}

live_main "$@" -- --nodes 6 --cpus 4 \
	--conf PreemptType=preempt/partition_prio --conf PreemptMode=REQUEUE \
	--partition 'low Nodes=n[5-6] PriorityTier=1' --partition 'high Nodes=n[5-6] PriorityTier=2' \
	--partition 'p Nodes=n[1-3] Default=YES' --partition 'q Nodes=n4'
