#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Immediate service, and actions of users, administrators and nodes on the jobs
# involved. 4 nodes of 8 processors and 16000 MB, with enforced memory limits. Each test
# ends when all jobs have ended, and none may be suspended.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"

# serve OPTIONS... COMMAND: fill the cluster and submit a job that is served. Set job
# and victim to their ids, and node to the node of the preempted job.
serve()
{
	fill
	job=$(submit -n 8 --mem 500 -t 10 "$@")
	expect_served "$job"
	victim=$(suspended)
	node=$(nodes_of "$victim")
}

# use_quantum SECONDS: a quantum of another length, for a test which acts within it.
use_quantum()
{
	set_quantum_params "${params/lxfw_quantum=$quantum/lxfw_quantum=$1}"
}

# The command of a job that runs until it has been requeued
outlasts_quantum='[ "$SLURM_RESTART_COUNT" ] || sleep 1000'

expect_resumed()
{
	local ticks
	wait_state "$1" RUNNING 150
	ticks=$(ticks_of "$1")
	poll 60 ticked "$1" "$ticks" || fail "job $1 runs, but does not count"
}

is_held()
{
	is_state "$1" PENDING && [ "$(field "$1" Priority)" = 0 ]
}

#
# The served job.
#
# A job that is held during its quantum is requeued, and waits until it is released.
test_served_held()
{
	local job victim node
	use_quantum 10
	serve "$outlasts_quantum"
	scontrol hold "$job" || fail "job $job is not held"
	poll 60 is_state "$job" PENDING || fail "not requeued after its quantum"
	expect_resumed "$victim"
	poll 60 is_held "$job" || fail "job $job is $(state "$job") ($(reason "$job"))"
	scancel "${fillers[0]}"
	poll 60 is_eligible "$job"
	is_held "$job" || fail "job $job is $(state "$job") ($(reason "$job"))"
	scontrol release "$job"
	wait_done "$job"
}

# Updates during the quantum are kept. Properties that the quantum changed are restored.
test_served_updated()
{
	local job victim node
	use_quantum 10
	serve --mem 3000 "$outlasts_quantum"
	[ "$(field "$job" MinMemoryNode)" = 1000M ] || fail "served with $(field "$job" MinMemoryNode)"
	scontrol update "jobid=$job" timelimit=7 name=other || fail "job $job is not updated"
	poll 60 is_state "$job" PENDING || fail "not requeued after its quantum"
	scancel "$victim"
	wait_done "$job"
	[ "$(field "$job" TimeLimit) $(field "$job" JobName) $(field "$job" MinMemoryNode)" = '00:07:00 other 3000M' ] ||
		fail "it ran with $(field "$job" TimeLimit), $(field "$job" JobName), $(field "$job" MinMemoryNode)"
}

# The job may exceed the memory of its quantum. After the requeue it gets all the memory
# that it requested.
test_outgrows_its_memory()
{
	local job victim node
	rm -f "$run/work/grow" "$run/work/runs"
	set_quantum_params "$(sed 's/quantum_mem=[0-9]*/quantum_mem=100/; s/lxfw_quantum=[0-9]*/lxfw_quantum=100/' <<<"$params")"
	# shellcheck disable=SC2016
	serve --mem 2000 -o out.%j --open-mode=append \
		'echo run ${SLURM_RESTART_COUNT-0} >>runs; until [ -e grow ]; do sleep 0.3; done; awk "BEGIN { s = sprintf(\"%1000s\", \"\"); while (n < 200000) a[n++] = s n; system(\"sleep 2\") }" && echo over >>runs'
	touch "$run/work/grow"
	expect_logged "JobId=$job exceeded the memory of its quantum and is pending again"
	expect_resumed "$victim"
	wait_state "$job" PENDING
	scancel "$victim"
	wait_done "$job"
	[ "$(xargs <"$run/work/runs")" = 'run 0 run 1 over' ] || fail "output: $(xargs <"$run/work/runs")"
	[ "$(field "$job" MinMemoryNode)" = 2000M ] || fail "it ran with $(field "$job" MinMemoryNode)"
}

# A job that fails during its quantum is a failed job.
test_fails_in_its_quantum()
{
	local job victim node
	use_quantum 100
	serve 'sleep 1; exit 3'
	wait_state "$job" FAILED
	expect_resumed "$victim"
}

#
# The preempted job.
#
# Its time limit is extended by the suspension, and can be changed during it.
test_victim_time_limited()
{
	local brief job start
	brief=$(submit -w n1 -n 8 --mem 500 -t 1 'sleep 600')
	fill n2 n3 n4
	wait_min_run "$brief"
	start=$(started "$brief")
	job=$(submit -w n1 -n 8 --mem 500 -t 10 'sleep 30')
	expect_served "$job"
	[ "$(suspended)" = "$brief" ] || fail "suspended: $(suspended)"
	wait_state "$brief" RUNNING
	scancel "$job"
	# Slurm checks time limits every 30 seconds.
	wait_state "$brief" TIMEOUT 150
	(($(ended "$brief") - start >= 60 + quantum - 1)) ||
		fail "ended after $(($(ended "$brief") - start)) s"
}

test_victim_held()
{
	local job victim node
	use_quantum 100
	serve "$until_seen"
	scontrol hold "$victim"
	may_end "$job"
	expect_resumed "$victim"
	expect_none_suspended
}

# An administrator's suspension of the preempted job changes nothing.
test_victim_suspended_by_hand()
{
	local job victim node
	use_quantum 100
	serve "$until_seen"
	scontrol suspend "$victim" 2>/dev/null
	may_end "$job"
	expect_resumed "$victim"
}

test_victim_requeued_and_held()
{
	local job victim node
	use_quantum 100
	serve "$until_seen"
	scontrol requeuehold "$victim"
	may_end "$job"
	poll 60 is_held "$victim" || fail "victim is $(state "$victim") ($(reason "$victim"))"
	expect_none_suspended
}

#
# Nodes.
#
# Slurm requeues all jobs of the node, and they start when it is up again.
test_node_rebooted()
{
	local job victim node
	serve 'sleep 30; echo over >>over'
	rm -f "$run/work/over"
	"$cluster" reboot-node "$run" "$node"
	poll 60 is_state "$victim" 'PENDING COMPLETED' || fail "victim is $(state "$victim")"
	poll 60 is_state "$job" 'PENDING COMPLETED' || fail "job is $(state "$job")"
	expect_none_suspended
	poll 60 has_priority "$victim" || fail "the victim is held"
	poll 60 has_priority "$job" || fail "the served job is held"
	poll 60 no_preempted_records || fail "records left: $(grep '^lent ' "$run/state/lxfw_quanta")"
	scontrol update "nodename=$node" state=resume 2>/dev/null
	poll 60 node_usable "$node" || fail "node $node is $(sinfo -h -n "$node" -o %T)"
}

node_usable()
{
	[[ $(sinfo -h -n "$1" -o %t) = @(idle|mix|alloc) ]]
}

# The jobs of the node are requeued. The jobs of other nodes continue.
test_node_down()
{
	local job victim node
	serve 'sleep 30'
	scontrol update "nodename=$node" state=down reason=test
	wait_state "$victim" PENDING 150
	wait_state "$job" PENDING 150
	expect_none_suspended
	poll 60 has_priority "$victim" || fail "the victim is held"
	poll 60 has_priority "$job" || fail "the served job is held"
	[ "$(squeue -h -t R -o %i | wc -l)" = 3 ] || fail "running: $(squeue -h -t R -o %i | xargs)"
	poll 60 no_preempted_records || fail "records left: $(grep '^lent ' "$run/state/lxfw_quanta")"
	scontrol update "nodename=$node" state=resume
	poll 60 node_usable "$node" || fail "node $node is $(sinfo -h -n "$node" -o %T)"
}

# The script of the served job cannot be written on the node. The preempted job is
# resumed, and the served job is not lost.
test_disk_full()
{
	local job victim node=n1
	[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null ||
		{ echo "  (not run: mounting requires root)"; return; }
	fill n2 n3 n4
	with_small_disk "$node"
	victim=$(ticker -w "$node" -n 8 --mem 500 3000)
	wait_min_run "$victim"
	dd if=/dev/zero of="$run/spool/$node/fill" bs=4k 2>/dev/null
	job=$(submit -w "$node" -n 8 --mem 500 -t 10 'sleep 1; echo over >>over')
	expect_logged "JobId=$job has a quantum"
	expect_resumed "$victim"
	poll 60 is_state "$job" 'PENDING' || fail "job is $(state "$job") ($(reason "$job"))"
	# Files of the first attempt would prevent the next one.
	rm -r "$run/spool/$node/fill" "$run/spool/$node"/job*
	scancel "$victim"
	scontrol update "nodename=$node" state=resume 2>/dev/null
	scontrol release "$job" 2>/dev/null
	# Slurm delays the job by two minutes.
	wait_state "$job" COMPLETED 180
	"$cluster" kill9-node "$run" "$node"
	umount -l "$run/spool/$node"
	"$cluster" start-node "$run" "$node"
}

with_small_disk()
{
	"$cluster" kill9-node "$run" "$1"
	mount -t tmpfs -o size=512k lxfw "$run/spool/$1" || fail "cannot mount"
	"$cluster" start-node "$run" "$1"
	poll 60 node_usable "$1" || fail "node $1 is $(sinfo -h -n "$1" -o %T)"
}

#
# The configuration.
#
# The quantum in progress keeps its length. The next one has the new length.
test_another_quantum()
{
	local job victim node next
	serve 'sleep 30'
	set_quantum_params "$(live_params "$(sed "s/quantum=$quantum/quantum=3/" <<<"$quantum_policy")")"
	poll 60 is_state "$job" PENDING || fail "not requeued after its quantum"
	expect_none_suspended
	next=$(submit -n 8 --mem 500 -t 10 'sleep 30')
	expect_served "$next"
	expect_logged "JobId=$next has a quantum of 3 s"
	poll 60 is_state "$next" PENDING || fail "not requeued after its quantum"
	expect_none_suspended
}

# No job starts in the partition, and running jobs continue.
test_partition_down()
{
	local job victim node
	serve "$outlasts_quantum"
	scontrol update partitionname=p state=down
	poll 60 is_state "$job" PENDING || fail "not requeued after its quantum"
	expect_resumed "$victim"
	scontrol update partitionname=p state=up
}

# `make check` runs these; LXFW_SLOW=1 runs all.
[ $# -gt 0 ] || [ -n "${LXFW_SLOW-}" ] ||
	set -- served_held served_updated outgrows_its_memory victim_held node_rebooted
live_policy=$quantum_policy
live_main "$@" -- --nodes 4 --cpus 8 --memory 16000 \
	--conf JobAcctGatherType=jobacct_gather/linux \
	--conf JobAcctGatherFrequency=task=1 \
	--conf JobAcctGatherParams=OverMemoryKill
