#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A hostile ordinary user, and operators who suspend, resume, requeue and change jobs at random,
# under the policies whose jobs are moldable or suspended by the plugin. The controller
# survives, jobs of another user on a separate node, which no command names, start as always,
# and at the end every job has ended and none is suspended. LXFW_SEED repeats the commands, LXFW_STEPS is their number.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"
# shellcheck source=tests/cluster/hostile.sh
. "$(dirname "$0")/hostile.sh"
# shellcheck source=tests/cluster/hostile-requests.sh
. "$(dirname "$0")/hostile-requests.sh"

seed=${LXFW_SEED:-1}
steps=${LXFW_STEPS:-60}
# A probe has a node of its own, so it starts in the next pass or not before its limit.
prompt=15

# Set words to the options of a job.
draw_job()
{
	words=()
	one_of '' '' lxfw:adaptive lxfw:adaptive lxfw:adaptive=4 lxfw:adaptive=0 lxfw:adaptive= \
		lxfw:adaptive=-1 lxfw:adaptive=99999999999999999999 lxfw:adaptive=3x \
		lxfw:adaptivex 'x lxfw:adaptive=2 lxfw:adaptive=7' lxfw:adaptive=8,lxfw:no-quantum
	[ -z "$REPLY" ] || words+=(--comment "$REPLY")
	one_of 1 2 3 5 6 8 8 9 16 65535
	words+=(-c "$REPLY")
	one_of '' '' '' -N2 -N1-2 -n2 -n4 --exclusive --mem=0 --mem=7000 --mem=16000 --array=0-2 \
		--time-min=1 --hold --requeue -O -d@ --begin=now+2 --deadline=now+90 -n16
	case $REPLY in
	-d@)	((${#jobs[@]} == 0)) || words+=(-d "afterany:${jobs[-1]}") ;;
	-n16)	words+=(-c 1 -N2 -n16) ;;
	?*)	words+=("$REPLY") ;;
	esac
	one_of 1 1 2 5 60
	words+=(-t "$REPLY")
	between 0 9
	[ "$REPLY" != 0 ] || words+=(: --comment lxfw:adaptive -c 2 -t 1)
}

add_job()
{
	local id
	draw_job
	one_of 0 1 3 8 15
	id=$(as_plain timeout 60 sbatch --parsable -p p -D /tmp -o /dev/null "${words[@]}" \
		--wrap "sleep $REPLY" 2>/dev/null) && jobs+=("$id")
}

# A long job of a node and a short one of all processors of both, which the policy may preempt
# the former for.
add_pair()
{
	local id
	for id in "-N1 -n8 -t 60" "-N2 -n16 -t 1"; do
		# shellcheck disable=SC2086
		id=$(as_plain timeout 60 sbatch --parsable -p p -D /tmp -o /dev/null $id --mem 1000 \
			--wrap "sleep $((${id: -1} == 0 ? 25 : 3))" 2>/dev/null) && jobs+=("$id")
	done
}

# One of the last jobs, or one that is suspended or runs.
draw_id()
{
	local ids=("${jobs[@]: -(${#jobs[@]} < 12 ? ${#jobs[@]} : 12)}")
	between 0 2
	# shellcheck disable=SC2207
	[ "$REPLY" != 0 ] || ids+=($(squeue -h -u "$plain_user" -t S,R -o %A))
	one_of "${ids[@]:-1}"
}

# As the user or as an operator.
draw_who()
{
	one_of as_plain env
}

change_job()
{
	local id who key
	draw_id; id=$REPLY
	draw_who; who=$REPLY
	one_of NumCPUs=1 NumCPUs=4-6 NumCPUs=65535 NumCPUs=8 CPUsPerTask=3 CPUsPerTask=0 TimeLimit=1 \
		TimeLimit=UNLIMITED TimeLimit=+10 TimeLimit=0 Partition=other Partition=p Partition=nosuch \
		Comment=lxfw:adaptive=3 Comment= Comment=lxfw:adaptive=999 NumNodes=2 NumNodes=1 \
		MinMemoryNode=15000 ReqNodeList=n1 ExcNodeList=n2 Priority=0 Priority=99999 Nice=-100 \
		Nice=1000 StartTime=now+3 Deadline=now+60 OverSubscribe=no TimeMin=1 NumTasks=3
	key=$REPLY
	"$who" timeout 10 scontrol update "jobid=$id" "$key" &>/dev/null
}

control_job()
{
	local id who
	draw_id; id=$REPLY
	draw_who; who=$REPLY
	one_of suspend suspend resume resume hold uhold release release requeue requeuehold top \
		cancel cancel USR1 STOP CONT TERM
	case $REPLY in
	cancel)	"$who" timeout 5 scancel -Q "$id" ;;
	USR1|STOP|CONT|TERM) "$who" timeout 5 scancel -Q -s "$REPLY" "$id" ;;
	*)	"$who" timeout 10 scontrol "$REPLY" "$id" ;;
	esac &>/dev/null
}

# Undo what the operators did: release held jobs and resume suspended ones.
settle()
{
	local id
	for id in "${jobs[@]}"; do
		scontrol release "$id"
	done &>/dev/null
	for id in $(suspended); do
		scontrol resume "$id"
	done &>/dev/null
}

# Cancel jobs that can never run, or would run for long. Those that run end by themselves.
cancel_waiting()
{
	squeue -h -u "$plain_user" -t PD -o %A | sort -u | xargs -rn 1 scancel --quiet
}

none_of_user()
{
	[ -z "$(squeue -h -u "$plain_user" -t PD,R,S,CG -o %i)" ]
}

# After all, the policy still works: a job of a node is suspended for one of all processors,
# and resumes. It runs until the other one has ended.
expect_preemption()
{
	local narrow wide
	rm -f "$run/work/go"
	narrow=$(submit -p p -N 1 -n 8 --mem 1000 -t 60 'until [ -e go ]; do sleep 0.3; done')
	wait_state "$narrow" RUNNING
	wide=$(submit -p p -N 2 -n 16 --mem 1000 -t 1 'sleep 3')
	poll 60 logged "lxfw: suspended JobId=$narrow" || fail "job $narrow is not suspended for job $wide"
	wait_done "$wide"
	touch "$run/work/go"
	wait_done "$narrow"
}

# chaos POLICY [PREEMPTS]: with PREEMPTS, the policy suspends jobs
chaos()
{
	local jobs=() i pid before
	before=$(times_logged 'lxfw: suspended JobId=')
	set_params "$(live_params "$1")"
	RANDOM=$((seed % 32768))
	echo "  $1: LXFW_SEED=$seed"
	pid=$(cat "$run/pid/slurmctld.started")
	for ((i = 0; i < steps; i++)); do
		sleep 0.5	# jobs run and become old enough to be preempted
		between 0 3
		case $REPLY in
		0)	add_job ;;
		1)	change_job ;;
		2)	control_job ;;
		3)	add_job; control_job ;;
		esac
		[ -z "${2-}" ] || ((i % 10)) || add_pair
		# PFCFS lets no job overtake.
		((i % 30 != 29)) || [[ $1 = *=pfcfs* ]] ||
			expect_prompt "$(submit -J probe -p probes -n 1 -t 1 'sleep 0')"
	done
	controller_up || fail "the controller died"
	[ "$pid" = "$(cat "$run/pid/slurmctld.started")" ] || fail "the controller died"
	settle
	expect_none_suspended 120
	cancel_waiting
	poll 150 none_of_user || fail "left: $(squeue -h -u "$plain_user" -o '%i %T %r %C' | xargs)"
	poll 60 no_preempted_records || fail "records left: $(grep '^lent ' "$run/state/lxfw_quanta" | xargs)"
	# A job of all processors of both nodes starts: nothing is left allocated.
	wait_done "$(submit -p p -N 2 -n 16 -t 1 'sleep 0')"
	before=$(($(times_logged 'lxfw: suspended JobId=') - before))
	echo "  ${#jobs[@]} jobs accepted, $before suspensions by the policy"
	[ -z "${2-}" ] || expect_preemption
}

test_easy_moldable()
{
	lxfw_only
	chaos lxfw_policy=easy_moldable
}

test_priority_moldable()
{
	lxfw_only
	chaos lxfw_policy=priority_moldable
}

test_remaining()
{
	lxfw_only
	chaos lxfw_policy=remaining,lxfw_interval=2 preempts
}

test_pfcfs2()
{
	lxfw_only
	chaos lxfw_policy=pfcfs2,lxfw_pf_delay=10,lxfw_pf_gang=10 preempts
}

live_parts 4 "$@"
live_policy=lxfw_policy=easy_moldable
# The node of the probes is small, so that 16 processors are still a wide job.
live_main "$@" -- --nodes 4 --cpus 8 --memory 16000 --node 'n4 CPUs=1' \
	--partition 'p Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'other Nodes=n3 MaxTime=INFINITE State=UP' \
	--partition 'probes Nodes=n4 MaxTime=INFINITE State=UP'
