#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Options of jobs that decide how many and which nodes they get, and for how long; and the
# reasons of pending jobs: the same submissions under Slurm's own scheduler and under
# sched/lxfw.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	live_expectations "$@"
	exit
fi

# start_job OPTION...: print the id of a job with these options that runs.
start_job()
{
	local job
	job=$(submit -t 10 "$@" 'sleep 600') || exit 1
	wait_state "$job" RUNNING
	echo "$job"
}

# expect_count JOB N: the job has N nodes.
expect_count()
{
	[ "$(field "$1" NumNodes)" = "$2" ] || fail "job $1 has $(field "$1" NumNodes) nodes, not $2"
}

expect_on()
{
	[ "$(nodes_of "$1")" = "$2" ] || fail "job $1 is on $(nodes_of "$1"), not $2"
}

# Print the time limit of a job in minutes.
limit_of()
{
	field "$1" TimeLimit | awk -F '[-:]' '{ print $(NF - 2) * 60 + $(NF - 1) }'
}

test_node_range()
{
	local job
	job=$(start_job -N2-3) || exit 1
	expect_count "$job" 3
	scancel "$job"
	start_job -w n1 --exclusive >/dev/null || exit 1
	start_job -w n2 --exclusive >/dev/null || exit 1
	job=$(start_job -N2-4 -n4) || exit 1
	expect_on "$job" 'n3 n4'
}

# The tasks of a range of nodes stay what they are.
test_node_range_tasks()
{
	local job
	job=$(start_job -N1-4 -n6) || exit 1
	expect_count "$job" 4
	[ "$(field "$job" NumCPUs)" = 6 ] || fail "job $job has $(field "$job" NumCPUs) processors"
}

test_spread_job()
{
	local job
	job=$(start_job --spread-job -n3) || exit 1
	expect_count "$job" 3
	job=$(start_job --spread-job -n8) || exit 1
	expect_count "$job" 4
}

# Slurm 26.05 selects other nodes than those with the fewest processors in use.
test_least_loaded()
{
	local job
	[[ $("$cluster" release) < 26 ]] || { echo "  (not on this release)"; exit 0; }
	start_job -w n1 -n2 >/dev/null || exit 1
	start_job -w n2 -n8 >/dev/null || exit 1
	start_job -w n3 -n4 >/dev/null || exit 1
	start_job -w n4 -n6 >/dev/null || exit 1
	job=$(start_job -p least -n1) || exit 1
	expect_on "$job" n1
	job=$(start_job -p least -n3) || exit 1
	expect_on "$job" n1
	job=$(start_job -p least -n1) || exit 1
	expect_on "$job" n3
	job=$(start_job -p least -N2 -n4) || exit 1
	expect_on "$job" 'n1 n3'
}

test_prefer()
{
	local job
	job=$(start_job --prefer=fast -n12) || exit 1
	expect_on "$job" n3
	job=$(start_job --prefer=fast -n12) || exit 1
	expect_on "$job" n4
	job=$(start_job --prefer=fast -n12) || exit 1
	[[ $(nodes_of "$job") = n[12] ]] || fail "job $job is on $(nodes_of "$job")"
	job=$(start_job --prefer=fast -n4) || exit 1
	[[ $(nodes_of "$job") = n[34] ]] || fail "job $job is on $(nodes_of "$job")"
}

# The preferred features take the place of --constraint.
test_prefer_and_constraint()
{
	local job
	job=$(start_job -C slow --prefer=fast -n12) || exit 1
	expect_on "$job" n3
	job=$(start_job -C slow --prefer=fast -n12) || exit 1
	expect_on "$job" n4
	job=$(start_job -C slow --prefer=fast -n12) || exit 1
	expect_on "$job" n2
	job=$(submit -t 10 -C slow --prefer=fast -n12 'sleep 600') || exit 1
	expect_pending "$job" 'Resources|Priority'
}

# Only Slurm can select by a choice or a count of features.
test_prefer_choice()
{
	local job
	job=$(start_job --prefer='[fast|slow]' -n12) || exit 1
	[[ $(nodes_of "$job") = n[234] ]] || fail "job $job is on $(nodes_of "$job")"
}

# n1 is busy for ten minutes; then a job needs all nodes.
reserve_all()
{
	local busy
	busy=$(start_job -w n1 --exclusive) || exit 1
	all=$(submit -t 10 -N4 --exclusive 'sleep 600') || exit 1
	poll 60 has_start "$all" || fail "job $all has no expected start"
	: "$busy"
}

has_start()
{
	[[ $(started "$1") =~ ^[0-9]+$ ]]
}

test_time_min()
{
	local all short long
	reserve_all
	long=$(submit -t 60 -n1 'sleep 600') || exit 1
	short=$(submit -t 60 --time-min=5 -n1 'sleep 600') || exit 1
	wait_state "$short" RUNNING
	expect_pending "$long"
	((5 <= $(limit_of "$short") && $(limit_of "$short") <= 10)) ||
		fail "the limit is $(limit_of "$short") min"
	short=$(submit -t 60 --time-min=20 -n1 'sleep 600') || exit 1
	expect_pending "$short" 'Resources|Priority'
	expect_pending "$all"
}

# The rest of an array keeps its limit. Under sched/backfill of 22.05 it does not.
test_time_min_array()
{
	local all job task
	lxfw_only
	reserve_all
	job=$(submit -t 60 --time-min=5 -n16 --array=0-3 'sleep 600') || exit 1
	poll 60 tasks_run "$job" 3 || fail "$(squeue -h -r -j "$job" -t running | wc -l) tasks run"
	for task in 0 1 2; do
		(($(limit_of "${job}_$task") <= 10)) || fail "task $task has $(limit_of "${job}_$task") min"
	done
	[ "$(limit_of "${job}_3")" = 60 ] || fail "task 3 has $(limit_of "${job}_3") min"
	expect_pending "$all"
}

tasks_run()
{
	[ "$(squeue -h -r -j "$1" -t running | wc -l)" = "$2" ]
}

# sched/backfill of 22.05 starts the job with 5 minutes if its main scheduler does not start
# it first.
test_time_min_on_idle_nodes()
{
	local job
	lxfw_only
	job=$(submit -t 60 --time-min=5 -n1 'sleep 600') || exit 1
	wait_state "$job" RUNNING
	[ "$(limit_of "$job")" = 60 ] || fail "the limit is $(limit_of "$job") min"
}

# A job that cannot end before its deadline any more is cancelled, although it is not the
# first one that waits.
test_deadline()
{
	local first job
	start_job -N4 --exclusive >/dev/null || exit 1
	first=$(submit -t 10 -N4 'sleep 600') || exit 1
	job=$(submit -t 1 --deadline=now+65 -n1 'sleep 600') || exit 1
	is_state "$job" 'PENDING DEADLINE' || fail "job $job is $(state "$job")"
	wait_state "$job" DEADLINE 150
	(($(ended "$job") < $(field "$job" Deadline))) ||
		fail "cancelled $(($(ended "$job") - $(field "$job" Deadline))) s after its deadline"
	expect_pending "$first"
}

# Slurm itself cancels a held job since 24.05. Before, the job is cancelled when it is released.
test_deadline_of_a_held_job()
{
	local job late
	job=$(submit -H -t 1 --deadline=now+62 -n1 'sleep 600') || exit 1
	late=$(submit -t 1 -n1 'sleep 600') || exit 1
	wait_state "$late" RUNNING
	if [[ $("$cluster" release) < 24.05 ]]; then
		wait_state "$late" 'COMPLETED TIMEOUT' 200
		expect_pending "$job" '^JobHeldUser$'
		scontrol release "$job"
		wait_state "$job" DEADLINE 60
	else
		wait_state "$job" DEADLINE 240
	fi
}

# A job without a limit ends before its deadline.
test_deadline_limits()
{
	local job
	job=$(sbatch --parsable -D "$run/work" -o /dev/null --deadline=now+600 -n1 --wrap 'sleep 600')
	wait_state "$job" RUNNING
	((8 <= $(limit_of "$job") && $(limit_of "$job") <= 10)) ||
		fail "the limit is $(limit_of "$job") min"
}

# expect_reason OPTION... REASON: a job with these options waits for this reason.
expect_reason()
{
	local job
	job=$(submit -t 10 "${@:1:$#-1}" 'sleep 600') || exit 1
	expect_pending "$job" "${*: -1}"
	echo "$job" >>"$run/waits"
}

test_reasons()
{
	local job later
	# The job that waits for licenses takes none of the number.
	[ "$scheduler" != lxfw ] ||
		set_params "$(live_params lxfw_policy=lxfw,lxfw_reservations=1)"
	job=$(start_job -n1 -L lic:2) || exit 1
	expect_reason -n1 -L lic:1 '^Licenses$'
	expect_reason -n1 -d "after:$job+1000" '^Dependency$'
	expect_reason -n1 -b now+1000 '^BeginTime$'
	expect_reason -n1 -H '^JobHeldUser$'
	expect_reason -n1 -p limited -t 100 '^PartitionTimeLimit$'
	expect_reason -N2 -p limited '^PartitionNodeLimit$'
	expect_reason -n1 -p closed '^PartitionDown$'
	start_job -N4 --ntasks-per-node=15 >/dev/null || exit 1
	expect_reason -N4 --exclusive '^Resources$'
	expect_reason -N4 --exclusive '^Priority$'
	later=$(submit -t 10 -n1 -L lic:1 'sleep 600') || exit 1
	expect_pending "$later" '^(Licenses|Priority)$'
	# The reason changes with the state of the job.
	scancel "$job"
	poll 60 has_reason "$(head -n 1 "$run/waits")" '^(None|Priority|Resources)$' ||
		fail "reason $(reason "$(head -n 1 "$run/waits")") although the licenses are free"
}

# Print the expected reason of a job that requests drained node $1. sched/backfill of 24.11
# sets another one than the main scheduler.
node_reason()
{
	if [ "$scheduler" = lxfw ] || [ "$("$cluster" release)" = 22.05 ]; then
		echo "^ReqNodeNotAvail,_UnavailableNodes:$1"
	else
		echo '^ReqNodeNotAvail'
	fi
}

test_reasons_of_nodes()
{
	local named many
	scontrol update nodename=n1 state=drain reason=test
	named=$(submit -t 10 -w n1 'sleep 600') || exit 1
	many=$(submit -t 10 -N4 'sleep 600') || exit 1
	expect_pending "$named" "$(node_reason n1)"
	expect_pending "$many" '^(ReqNodeNotAvail|Nodes_required_for_job_are_DOWN)'
	scontrol update nodename=n1 state=resume
	wait_state "$named" RUNNING
	wait_state "$many" RUNNING
}

# Nodes are drained after the submission.
test_reasons_of_lost_nodes()
{
	local named many
	start_job -N4 --exclusive >/dev/null || exit 1
	named=$(submit -t 10 -w n2 --exclusive 'sleep 600') || exit 1
	many=$(submit -t 10 -N4 --exclusive 'sleep 600') || exit 1
	expect_pending "$named" '^(Resources|Priority)$'
	scontrol update nodename=n2 state=drain reason=test
	poll 60 has_reason "$named" "$(node_reason n2)" ||
		fail "job $named waits for $(reason "$named")"
	poll 60 has_reason "$many" '^(ReqNodeNotAvail|Nodes_required_for_job_are_DOWN|Priority)' ||
		fail "job $many waits for $(reason "$many")"
	scontrol update nodename=n2 state=resume
}

# reserve NODES FLAG...: an advance reservation in five minutes, whose name is printed.
reserve_later()
{
	scontrol create reservation user=root nodes="$1" starttime=now+300 duration=60 \
		flags="ignore_jobs${2:+,$2}" | sed -n 's/^Reservation created: //p'
}

# Jobs that could start now but for maintenance of all nodes.
test_reasons_of_maintenance()
{
	local name long named short
	name=$(reserve_later ALL maint)
	[ -n "$name" ] || fail "no reservation"
	long=$(submit -t 20 -N4 'sleep 600') || exit 1
	named=$(submit -t 20 -w n2 'sleep 600') || exit 1
	short=$(submit -t 1 -n1 'sleep 600') || exit 1
	wait_state "$short" RUNNING
	expect_pending "$long" '^ReqNodeNotAvail,_Reserved_for_maintenance$'
	expect_pending "$named" '^ReqNodeNotAvail,_Reserved_for_maintenance$'
	scontrol delete reservation "$name"
	wait_state "$long" RUNNING
	wait_state "$named" RUNNING
}

# Other nodes remain, but too few for the first job, and not the one that the second job names.
test_reasons_of_reserved_nodes()
{
	local name wide named free busy
	name=$(reserve_later n1,n2)
	[ -n "$name" ] || fail "no reservation"
	wide=$(submit -t 20 -N3 'sleep 600') || exit 1
	named=$(submit -t 20 -w n2 'sleep 600') || exit 1
	expect_pending "$wide" '^ReqNodeNotAvail,_May_be_reserved_for_other_job$'
	expect_pending "$named" '^ReqNodeNotAvail,_May_be_reserved_for_other_job$'
	free=$(submit -t 20 -N2 --exclusive 'sleep 600') || exit 1
	wait_state "$free" RUNNING
	# The nodes that remain are in use.
	busy=$(submit -t 20 -N1 'sleep 600') || exit 1
	expect_pending "$busy" '^(Resources|Priority)$'
	expect_pending "$wide" '^(Resources|Priority)$'
	expect_pending "$named" '^ReqNodeNotAvail,_May_be_reserved_for_other_job$'
	scancel "$wide" "$busy"
	scontrol delete reservation "$name"
	wait_state "$named" RUNNING
}

live_main "$@" -- --node 'n1 Feature=old' --node 'n2 Feature=slow' --node 'n3 Feature=fast' \
	--node 'n4 Feature=fast' --conf Licenses=lic:2 --conf EnforcePartLimits=NO \
	--partition 'p Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'least Nodes=n[1-4] LLN=YES MaxTime=INFINITE State=UP' \
	--partition 'limited Nodes=n[1-4] MaxTime=60 MaxNodes=1 State=UP' \
	--partition 'closed Nodes=n[1-4] MaxTime=INFINITE State=DOWN'
