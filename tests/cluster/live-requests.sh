#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Requests of jobs, and conditions that delay a job.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

# expect_nodes JOB 'NODE ...': the job ran on these nodes only.
expect_nodes()
{
	local node
	wait_start "$1"
	for node in $(nodes_of "$1"); do
		[[ " $2 " = *" $node "* ]] || fail "job $1 runs on $node, not on $2"
	done
}

test_partition_limits()
{
	local over fits
	over=$(submit -p short -n 1 -t 5 'sleep 0')
	fits=$(submit -p short -n 1 -t 1 'sleep 0')
	expect_prompt "$fits"
	expect_nodes "$fits" 'n1 n2'
	expect_pending "$over" Partition
}

test_partition_nodes_limit()
{
	local over fits
	over=$(submit -p one -N 2 -t 1 'sleep 0')
	fits=$(submit -p one -N 1 -t 1 'sleep 0')
	expect_prompt "$fits"
	expect_nodes "$fits" 'n3 n4'
	expect_pending "$over" Partition
}

test_partition_down()
{
	local closed open now
	closed=$(submit -p closed -n 1 -t 1 'sleep 0')
	open=$(submit -p p -n 1 -t 1 'sleep 0')
	expect_prompt "$open"
	expect_pending "$closed" Partition
	scontrol update partitionname=closed state=up
	now=$(date +%s)
	wait_done "$closed"
	scontrol update partitionname=closed state=down
	(($(started "$closed") - now <= prompt)) || fail "started late after the partition came up"
}

test_several_partitions()
{
	local busy job
	busy=$(submit -p short -N 2 -n 32 -t 1 'sleep 4')
	wait_state "$busy" RUNNING
	# Without -N 1, Slurm 26.05 compares the number of tasks with MaxNodes.
	job=$(submit -p short,one -N 1 -n 4 -t 1 'sleep 0')
	expect_prompt "$job"
	expect_nodes "$job" 'n3 n4'
	wait_done "$busy"
	job=$(submit -p closed,short -n 4 -t 1 'sleep 0')
	expect_prompt "$job"
	expect_nodes "$job" 'n1 n2'
}

# Eight kinds of GRES, two on each node: a job waits for its kind only, and has an expected start.
test_many_kinds()
{
	local kind job next
	for kind in ka:n1 kb:n1 kc:n2 kd:n2 ke:n3 gadget:n3 kf:n4 gpu:n4; do
		job=$(submit --gres="${kind%:*}:2" -n 1 -t 5 'sleep 600')
		wait_state "$job" RUNNING
		expect_nodes "$job" "${kind#*:}"
	done
	for kind in ka kb kc kd ke kf gpu; do
		next=$(submit --gres="$kind:1" -n 1 -t 1 'sleep 1')
		poll 60 has_reason "$next" 'Resources|Priority' || fail "$kind: reason $(reason "$next")"
	done
	poll 60 has_start "$next" || fail "no expected start"
	scancel "$job"
	wait_done "$next"
	expect_nodes "$next" n4
}

# has_start JOB: it has an expected start.
has_start()
{
	local shown
	shown=$(squeue -h --start -j "$1" -o %S)
	[ -n "$shown" ] && [ "$shown" != N/A ]
}

# A job that names six partitions has an expected start, and starts in the last one.
test_many_partitions()
{
	local busy i job
	for i in 1 2 3 4; do
		busy=$(submit -p "m$i" -N 1 --exclusive -t 2 'sleep 600')
		wait_state "$busy" RUNNING
	done
	job=$(submit -p m1,m2,m3,m5,m6,m4 -N 1 --exclusive -t 1 'sleep 1')
	poll 60 has_reason "$job" 'Resources|Priority' || fail "reason $(reason "$job")"
	poll 60 has_start "$job" || fail "no expected start"
	scancel "$busy"
	wait_done "$job"
	expect_nodes "$job" n4
}

test_partition_tier()
{
	local busy low high
	busy=$(submit -N 4 -n 64 -t 1 'sleep 4')
	wait_state "$busy" RUNNING
	low=$(submit -p p -n 64 -t 1 'sleep 1')
	high=$(submit -p high -n 64 -t 600 'sleep 1')
	wait_done "$low" "$high"
	expect_order "$high" "$low"
}

test_features()
{
	local fast slow both neither
	fast=$(submit -C fast -n 1 -t 1 'sleep 1')
	slow=$(submit -C slow -n 1 -t 1 'sleep 1')
	both=$(submit -C 'slow&big' -n 1 -t 1 'sleep 1')
	either=$(submit -C 'big|fast' -n 1 -t 1 'sleep 1')
	expect_prompt "$fast"
	expect_nodes "$fast" 'n1 n2'
	expect_prompt "$slow"
	expect_nodes "$slow" 'n3 n4'
	expect_prompt "$both"
	expect_nodes "$both" n4
	expect_prompt "$either"
	expect_nodes "$either" 'n1 n2 n4'
}

# A number of nodes by feature cannot be represented in the model, so Slurm places the
# job. Slurm 24.11 never starts this job, with sched/backfill neither; other jobs start
# before it.
test_feature_counts()
{
	local job other nodes limit=15
	! grep -qx 'release="22.05"' "$run/cluster.conf" || limit=60
	job=$(submit -N 2 -n 2 -C '[fast*1&slow*1]' -t 1 'sleep 1')
	other=$(submit -n 1 -t 5 'sleep 1')
	expect_prompt "$other"
	if ! poll $limit is_state "$job" 'RUNNING COMPLETING COMPLETED'; then
		[ $limit != 15 ] || return 0
		fail "job $job is $(state "$job") ($(reason "$job"))"
	fi
	nodes=$(nodes_of "$job")
	[[ $nodes =~ ^n[12]\ n[34]$ ]] || fail "placed on $nodes"
}

# A busy feature delays only jobs that request it.
test_busy_feature()
{
	local busy waits other
	busy=$(submit -C fast -N 2 -n 32 -t 2 'sleep 5')
	wait_state "$busy" RUNNING
	waits=$(submit -C fast -n 16 -t 1 'sleep 1')
	other=$(submit -C slow -n 16 -t 5 'sleep 1')
	expect_prompt "$other"
	expect_pending "$waits"
	expect_after "$waits" "$busy"
}

test_node_lists()
{
	local named excluded
	named=$(submit -w n3 -n 1 -t 1 'sleep 1')
	excluded=$(submit -x n1,n2,n3 -n 1 -t 1 'sleep 1')
	expect_prompt "$named"
	expect_nodes "$named" n3
	expect_prompt "$excluded"
	expect_nodes "$excluded" n4
	# Two named nodes, and one that Slurm selects.
	named=$(submit -w n2 -N 2 -n 2 -t 1 'sleep 1')
	expect_prompt "$named"
	[[ " $(nodes_of "$named") " = *' n2 '* ]] || fail "not on n2"
}

test_exclusive()
{
	local alone beside
	alone=$(submit --exclusive -w n1 -n 1 -t 2 'sleep 4')
	expect_prompt "$alone"
	[ "$(field "$alone" NumCPUs)" = 16 ] || fail "an exclusive job has $(field "$alone" NumCPUs) processors"
	beside=$(submit -w n1 -n 1 -t 1 'sleep 1')
	expect_after "$beside" "$alone"
}

# The reverse case: an exclusive job waits for an empty node.
test_exclusive_waits()
{
	local beside alone
	beside=$(submit -w n1 -n 1 -t 2 'sleep 4')
	wait_state "$beside" RUNNING
	alone=$(submit --exclusive -w n1 -n 1 -t 1 'sleep 1')
	expect_after "$alone" "$beside"
}

test_memory_per_processor()
{
	local first second
	first=$(submit -N 1 -w n1 -n 8 --mem-per-cpu=5000 -t 2 'sleep 4')
	expect_prompt "$first"
	second=$(submit -N 1 -w n1 -n 8 --mem-per-cpu=5000 -t 1 'sleep 1')
	expect_after "$second" "$first"
	# All memory of a node, in many parts, and with --mem=0.
	first=$(submit -w n1 -n 16 --mem-per-cpu=4000 -t 2 'sleep 2')
	expect_prompt "$first"
	second=$(submit -w n1 -n 1 --mem=0 -t 1 'sleep 1')
	expect_after "$second" "$first"
}

# A task that needs most of a node's memory, and one that needs more than any node has.
# The latter must not delay other jobs, whether it waits or fails.
test_memory_of_one_processor()
{
	local large huge other
	large=$(submit -n 1 --mem=60000 -t 1 'sleep 1')
	huge=$(sbatch --parsable -D "$run/work" -o /dev/null -n 1 --mem=70000 --wrap 'sleep 0' 2>/dev/null)
	other=$(submit -n 1 -t 5 'sleep 0')
	expect_prompt "$large"
	expect_prompt "$other"
	[ -z "$huge" ] || is_state "$huge" 'PENDING FAILED' || fail "job $huge is $(state "$huge")"
}

test_gres()
{
	local first second third other
	first=$(submit --gres=gpu:1 -n 1 -t 2 'sleep 4')
	second=$(submit --gres=gpu:1 -n 1 -t 2 'sleep 4')
	expect_prompt "$first"
	expect_nodes "$first" n4
	expect_prompt "$second"
	third=$(submit --gres=gpu:2 -n 1 -t 1 'sleep 1')
	other=$(submit -n 1 -t 5 'sleep 1')
	expect_prompt "$other"
	expect_after "$third" "$first"
	expect_after "$third" "$second"
}

# GRES that are counted without a device, and several at a time.
test_counted_gres()
{
	local first second
	first=$(submit --gres=gadget:3 -n 1 -t 2 'sleep 3')
	expect_prompt "$first"
	expect_nodes "$first" n3
	second=$(submit --gres=gadget:2 -n 1 -t 1 'sleep 1')
	expect_after "$second" "$first"
}

reserve()
{
	scontrol create reservation users="$(id -un)" "$@" >/dev/null ||
		fail "no reservation $*"
}

test_reservation()
{
	local inside outside freed
	reserve reservationname=r1 nodes=n2 starttime=now duration=60
	inside=$(submit --reservation=r1 -n 4 -t 1 'sleep 2')
	outside=$(submit -w n2 -n 1 -t 1 'sleep 0')
	expect_prompt "$inside"
	expect_nodes "$inside" n2
	expect_pending "$outside"
	wait_done "$inside"
	expect_pending "$outside"
	scontrol delete reservation r1
	freed=$(date +%s)
	wait_done "$outside"
	# Slurm does not inform plugins that a reservation was deleted. The next
	# periodic pass detects it.
	(($(started "$outside") - freed <= 35)) || fail "late after the reservation was deleted"
}

# A job that a magnetic reservation attracts starts there as long as it has idle nodes, then
# elsewhere, and in the reservation again when it has room before the others.
test_magnetic_reservation()
{
	local first second third filler
	# Nodes take jobs some seconds after the start of the cluster.
	wait_done "$(submit -N 4 -n 4 -t 1 'sleep 0')"
	reserve reservationname=mg nodes=n3 starttime=now duration=60 flags=magnetic
	first=$(submit -N 1 --exclusive -t 2 'sleep 1000')
	expect_prompt "$first"
	expect_nodes "$first" n3
	[ "$(field "$first" Reservation)" = mg ] || fail "job $first is not in the reservation"
	second=$(submit -N 1 --exclusive -t 2 'sleep 1000')
	expect_prompt "$second"
	[ "$(nodes_of "$second")" != n3 ] || fail "job $second is in a full reservation"
	filler=$(submit -N 2 --exclusive -t 60 'sleep 1000')
	expect_prompt "$filler"
	third=$(submit -N 1 --exclusive -t 1 'sleep 0')
	expect_pending "$third"
	scancel "$first"
	wait_done "$third"
	expect_nodes "$third" n3
	scancel "$second" "$filler"
	wait_empty
	scontrol delete reservation mg
}

# Of several reservations that a job names, each is tried.
test_one_of_two_reservations()
{
	local first second
	reserve reservationname=ra nodes=n1 starttime=now duration=60
	reserve reservationname=rb nodes=n2 starttime=now duration=60
	first=$(submit --reservation=ra -N 1 --exclusive -t 2 'sleep 1000')
	expect_prompt "$first"
	expect_nodes "$first" n1
	second=$(submit --reservation=ra,rb -N 1 --exclusive -t 1 'sleep 0')
	expect_prompt "$second"
	expect_nodes "$second" n2
	scancel "$first"
	wait_empty
	scontrol delete reservation ra
	scontrol delete reservation rb
}

# A reservation in the future: only jobs that end before it may start.
test_future_reservation()
{
	local short long
	reserve reservationname=r2 nodes=ALL starttime=now+3minutes duration=60 flags=maint,ignore_jobs
	long=$(submit -n 1 -t 10 'sleep 0')
	short=$(submit -n 1 -t 1 'sleep 0')
	expect_prompt "$short"
	expect_pending "$long"
}

test_dependencies()
{
	local first after never
	first=$(submit -n 1 -t 1 'sleep 3')
	after=$(submit -n 1 -t 1 -d "afterok:$first" 'sleep 0')
	never=$(submit -n 1 -t 1 -d "afternotok:$first" 'sleep 0')
	expect_after "$after" "$first"
	poll 60 has_reason "$never" DependencyNeverSatisfied ||
		fail "job $never: $(state "$never") $(reason "$never")"
	first=$(submit -n 1 -t 1 -J single 'sleep 2')
	after=$(submit -n 1 -t 1 -J single -d singleton 'sleep 0')
	expect_after "$after" "$first"
}

# A minute after the start of another job, of a task of an array and of an array.
test_dependency_with_a_delay()
{
	local first array after start job
	first=$(submit -n 1 -t 3 'sleep 0')
	array=$(submit -n 1 -t 3 --array=1-2 'sleep 0')
	wait_done "$first" "${array}_1" "${array}_2"
	start=$(started "${array}_2")
	after=("$(submit -n 1 -t 1 -d "after:$first+1" 'sleep 0')"
		"$(submit -n 1 -t 1 -d "after:${array}_1+1" 'sleep 0')"
		"$(submit -n 1 -t 1 -d "after:$array+1" 'sleep 0')")
	for job in "${after[@]}"; do
		poll 100 is_state "$job" 'RUNNING COMPLETED' ||
			fail "job $job: $(state "$job") $(reason "$job")"
		expect_prompt "$job" $((start + 60))
	done
}

test_holds()
{
	local held other now
	held=$(submit -H -n 1 -t 1 'sleep 0')
	other=$(submit -n 1 -t 1 'sleep 0')
	expect_prompt "$other"
	expect_pending "$held" Held
	scontrol release "$held"
	now=$(date +%s)
	expect_prompt "$held" "$now"
}

test_begin()
{
	local job other begin
	job=$(submit -n 1 -t 1 --begin=now+4 'sleep 0')
	other=$(submit -n 1 -t 1 'sleep 0')
	expect_prompt "$other"
	# sbatch computes the begin time from its own clock before the submission
	begin=$(field "$job" EligibleTime)
	wait_start "$job" 15
	(($(started "$job") >= begin)) || fail "started before its time"
	(($(started "$job") - begin <= prompt + 1)) || fail "started $(($(started "$job") - begin)) s after its time"
}

# task ARRAY TASK: a line of `squeue`; `scontrol` shows the tasks of a finished array as
# one
running_tasks()
{
	squeue -h -r -j "$1" -t running | wc -l
}

array_done()
{
	[ "$(scontrol -o show job "$1" | grep -c JobState=COMPLETED)" = "$2" ]
}

test_arrays()
{
	local array limited most=0 now deadline=$((SECONDS + 120))
	array=$(submit --array=1-20 -n 4 -t 1 'sleep 1')
	limited=$(submit --array=1-6%2 -n 1 -t 1 'sleep 1')
	until array_done "$limited" 6 || ((SECONDS > deadline)); do
		now=$(running_tasks "$limited")
		((now <= most)) || most=$now
	done
	poll 60 array_done "$array" 20 || fail "tasks left: $(squeue -h -r -j "$array" | wc -l)"
	array_done "$limited" 6 || fail "tasks left: $(squeue -h -r -j "$limited" | wc -l)"
	((most <= 2)) || fail "limit %2, but $most tasks ran at a time"
}

# Two components that start together. Up to 24.11 the controller refuses such jobs at
# submission unless sched/backfill is configured. In both cases the job does not block
# the queue.
test_heterogeneous_job()
{
	local het other
	het=$(sbatch --parsable -D "$run/work" -o /dev/null -t 1 -n 1 -C fast : \
		-n 2 -C slow --wrap 'sleep 2' 2>"$run/log/het")
	other=$(submit -n 1 -t 1 'sleep 0')
	expect_prompt "$other"
	if [ -z "$het" ]; then
		grep -q 'not supported' "$run/log/het" || fail "$(cat "$run/log/het")"
		return
	fi
	poll 60 array_done "$het" 2 ||
		fail "its components: $(scontrol -o show job "$het" | grep -oE 'JobState=[A-Z]*' | xargs)"
}

test_licences()
{
	local first second third other
	first=$(submit -L lic:1 -n 1 -t 1 'sleep 4')
	second=$(submit -L lic:1 -n 1 -t 1 'sleep 4')
	expect_prompt "$first"
	expect_prompt "$second"
	third=$(submit -L lic:2 -n 1 -t 1 'sleep 1')
	other=$(submit -n 1 -t 5 'sleep 0')
	expect_prompt "$other"
	expect_pending "$third"
	expect_after "$third" "$first"
	expect_after "$third" "$second"
}

# The job requests more than any node has. Slurm refuses it, or it waits and does not
# delay other jobs.
test_impossible()
{
	local job other
	job=$(sbatch --parsable -D "$run/work" -o /dev/null -N 1 -n 1 -c 17 --wrap 'sleep 0' 2>/dev/null)
	other=$(submit -n 16 -t 5 'sleep 0')
	expect_prompt "$other"
	[ -z "$job" ] || expect_pending "$job"
}

# An interactive job.
test_srun()
{
	local out
	out=$(timeout 20 srun -D "$run/work" -n 2 -t 1 hostname 2>"$run/log/srun" | wc -l)
	[ "$out" = 2 ] || fail "srun gave $out lines: $(cat "$run/log/srun")"
}

test_changed_while_waiting()
{
	local busy job
	busy=$(submit -N 4 -n 64 -t 5 'sleep 6')
	wait_state "$busy" RUNNING
	job=$(submit -w n1 -n 16 -t 1 'sleep 0')
	expect_pending "$job"
	scontrol update jobid="$job" timelimit=2 numcpus=4 numtasks=4 || fail "the update failed"
	expect_after "$job" "$busy"
	[ "$(field "$job" NumCPUs)" = 4 ] || fail "has $(field "$job" NumCPUs) processors"
}

test_cancelled_while_waiting()
{
	local busy first second
	busy=$(submit -N 4 -n 64 -t 5 'sleep 100')
	wait_state "$busy" RUNNING
	first=$(submit -n 64 -t 5 'sleep 100')
	second=$(submit -n 64 -t 5 'sleep 1')
	scancel "$first"
	wait_state "$first" CANCELLED
	scancel "$busy"
	wait_done "$second"
}

live_main "$@" -- \
	--node 'n1 Feature=fast Gres=ka:2,kb:2' \
	--node 'n2 Feature=fast Gres=kc:2,kd:2' \
	--node 'n3 Feature=slow Gres=gadget:4,ke:2' \
	--node 'n4 Feature=slow,big Gres=gpu:2,kf:2' \
	--conf GresTypes=gpu,gadget,ka,kb,kc,kd,ke,kf \
	--gres 'NodeName=n4 Name=gpu File=/dev/null' \
	--gres 'NodeName=n4 Name=gpu File=/dev/zero' \
	--gres 'NodeName=n3 Name=gadget Count=4' \
	--gres 'NodeName=n1 Name=ka Count=2' \
	--gres 'NodeName=n1 Name=kb Count=2' \
	--gres 'NodeName=n2 Name=kc Count=2' \
	--gres 'NodeName=n2 Name=kd Count=2' \
	--gres 'NodeName=n3 Name=ke Count=2' \
	--gres 'NodeName=n4 Name=kf Count=2' \
	--conf Licenses=lic:2 \
	--conf EnforcePartLimits=NO \
	--partition 'p Nodes=ALL Default=YES MaxTime=INFINITE State=UP' \
	--partition 'short Nodes=n[1-2] MaxTime=1 State=UP' \
	--partition 'one Nodes=n[3-4] MaxNodes=1 State=UP' \
	--partition 'closed Nodes=ALL State=DOWN' \
	--partition 'high Nodes=ALL PriorityTier=10 State=UP' \
	--partition 'm1 Nodes=n1 State=UP' \
	--partition 'm2 Nodes=n2 State=UP' \
	--partition 'm3 Nodes=n3 State=UP' \
	--partition 'm4 Nodes=n4 State=UP' \
	--partition 'm5 Nodes=n[1-2] State=UP' \
	--partition 'm6 Nodes=n[2-3] State=UP'
