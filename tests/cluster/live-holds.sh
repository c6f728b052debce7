#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes held for jobs that the scheduler passes to Slurm: the right nodes are held, in
# time, only for jobs that can use them, and for several jobs at a time. Clocks run 20
# times as fast. LXFW_SCHEDULER=backfill shows the behavior of Slurm's own scheduler.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/stream.sh
. "$(dirname "$0")/stream.sh"

type -P faketime >/dev/null || skip "faketime is not installed"

# The same speed as in live-overtaking.sh.
speed=20
most_wait=$((60 + 120))
most_overtakers=18
stream_runs=6

# A drained node responds, but cannot be allocated.
test_drained_node()
{
	scontrol update nodename=n1 state=drain reason=test || fail "n1 is not drained"
	stream_runs=5
	expect_not_starved '-p p -n 1' -p p --contiguous -N 2
}

test_all_nodes_and_one_is_drained()
{
	local job
	scontrol update nodename=n1 state=drain reason=test || fail "n1 is not drained"
	stream_runs=5
	begin_stream -p p -n 1
	job=$(submit -p p -N 6 -t 1 'sleep 1') || exit 1
	expect_stream_continues 15
	is_state "$job" PENDING || fail "job $job is $(state "$job")"
	rm -f "$run/stream"
	scontrol update nodename=n1 state=resume
	wait_start "$job" 120
}

# The nodes of one rack alternate with those of the other.
test_nodes_of_one_rack()
{
	expect_not_starved '-p p -n 1' -p p -N 2 -C '[rack1|rack2]'
}

test_all_nodes_of_one_rack()
{
	expect_not_starved '-p p -n 1' -p p -N 3 -C '[rack1|rack2]'
}

# The user may not use that partition, whose nodes are the same as those of p.
test_partition_of_another_account()
{
	local job
	begin_stream -p p -n 1
	job=$(submit -p others --contiguous -N 6 -t 1 'sleep 1') || exit 1
	expect_stream_continues 15
	# Slurm 24.11 starts the job if there is no accounting.
	is_state "$job" PENDING || echo "  Slurm starts the job: $(state "$job")"
}

# One job waits for hours in one part of the machine. Another job, in another part, is
# not delayed.
test_hold_in_the_distant_future()
{
	local busy far
	busy=$(submit -p left -N 3 -t 300 'sleep 10000') || exit 1
	wait_state "$busy" RUNNING
	far=$(submit -p left --contiguous -N 2 -t 1 'sleep 1') || exit 1
	stream_runs=3
	expect_not_starved '-p right -n 1' -p right --contiguous -N 2
	is_state "$far" PENDING || fail "job $far is $(state "$far")"
	scancel "$busy" "$far"
}

live_main "$@" -- --speed $speed --conf MessageTimeout=$((speed * 60)) \
	--nodes 6 --cpus 1 --memory 64000 \
	--node 'n1 Feature=rack1' --node 'n2 Feature=rack2' \
	--node 'n3 Feature=rack1' --node 'n4 Feature=rack2' \
	--node 'n5 Feature=rack1' --node 'n6 Feature=rack2' \
	--partition 'p Nodes=n[1-6] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'others Nodes=n[1-6] MaxTime=INFINITE State=UP AllowAccounts=physics' \
	--partition 'left Nodes=n[1-3] MaxTime=INFINITE State=UP' \
	--partition 'right Nodes=n[4-6] MaxTime=INFINITE State=UP'
