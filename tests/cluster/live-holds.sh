#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes that are held for jobs which the scheduler leaves to Slurm: the right ones, in
# time, for who can use them, and for several jobs at once. Clocks run 20 times as fast.
# LXFW_SCHEDULER=backfill shows what Slurm's own scheduler does.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/stream.sh
. "$(dirname "$0")/stream.sh"

type -P faketime >/dev/null || skip "faketime is not installed"

# As in live-overtaking.sh.
speed=20
most_wait=$((60 + 120))
most_overtakers=18
stream_runs=6

# A drained node is up, and cannot be had.
test_drained_node()
{
	scontrol update nodename=n1 state=drain reason=test
	stream_runs=5
	expect_not_starved '-p p -n 1' -p p --contiguous -N 2
}

test_all_nodes_and_one_is_drained()
{
	local job
	scontrol update nodename=n1 state=drain reason=test
	stream_runs=5
	begin_stream -p p -n 1
	job=$(submit -p p -N 6 -t 1 'sleep 1') || exit 1
	expect_stream_goes_on 15
	is_state "$job" PENDING || fail "job $job is $(state "$job")"
	rm -f "$run/stream"
	scontrol update nodename=n1 state=resume
	wait_start "$job" 60
}

# Nodes of one rack lie between those of the other.
test_nodes_of_one_rack()
{
	expect_not_starved '-p p -n 1' -p p -N 2 -C '[rack1|rack2]'
}

test_all_nodes_of_one_rack()
{
	expect_not_starved '-p p -n 1' -p p -N 3 -C '[rack1|rack2]'
}

# Its user may not use that partition, whose nodes are those of p.
test_account_of_others()
{
	local job
	begin_stream -p p -n 1
	job=$(submit -p others --contiguous -N 6 -t 1 'sleep 1') || exit 1
	expect_stream_goes_on 15
	# 24.11 lets it start where nobody keeps accounts.
	is_state "$job" PENDING || echo "  Slurm lets the job start: $(state "$job")"
}

# One job waits for hours in a part of the machine; another one, elsewhere, does not.
test_hold_far_ahead()
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

live_main "$@" -- --speed $speed \
	--nodes 6 --cpus 1 --memory 64000 \
	--node 'n1 Feature=rack1' --node 'n2 Feature=rack2' \
	--node 'n3 Feature=rack1' --node 'n4 Feature=rack2' \
	--node 'n5 Feature=rack1' --node 'n6 Feature=rack2' \
	--partition 'p Nodes=n[1-6] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'others Nodes=n[1-6] MaxTime=INFINITE State=UP AllowAccounts=physics' \
	--partition 'left Nodes=n[1-3] MaxTime=INFINITE State=UP' \
	--partition 'right Nodes=n[4-6] MaxTime=INFINITE State=UP'
