#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The placement of jobs with GPUs (lxfw_placement): jobs of few GPUs do not spread over the
# nodes on which a job of many could start. Chosen by sched/lxfw with Slurm's own select
# plugin, and by select/cons_tres_lxfw under sched/backfill, where srun uses it as well.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	beside "with sched/lxfw and select/cons_tres" \
		env LXFW_SCHEDULER=lxfw LXFW_SELECT=cons_tres "$0" "$@"
	beside "with sched/backfill and select/cons_tres_lxfw" \
		env LXFW_SCHEDULER=backfill LXFW_SELECT=cons_tres_lxfw "$0" "$@"
	besides
	exit
fi

# start OPTIONS...: submit a job and wait for its start; set job and its nodes
start()
{
	job=$(submit --mem 100 -t 60 "$@" 'sleep 600') || exit 1
	wait_state "$job" RUNNING
	nodes=$(nodes_of "$job")
}

# spread OPTIONS...: a job with the options, which request one GPU, one that fills most of the
# other node without GPUs, and another with the options. Sets nodes to those of the last.
spread()
{
	local first
	start -p two -n 4 "$@"
	first=$nodes
	start -p two -n 9
	[ "$nodes" != "$first" ] || fail "9 processors on $nodes, where 8 are free"
	start -p two -n 1 "$@"
	[ "$nodes" = "$first" ] || nodes=spread
}

# leaves_a_node ONE FOUR: jobs with the option ONE leave a node to one with the option FOUR.
leaves_a_node()
{
	spread "$1"
	[ "$nodes" != spread ] || fail "two jobs with $1 are on both nodes"
	expect_prompt "$(submit -p two -n 1 "$2" --mem 100 -t 60 'sleep 1')"
}

test_spread()
{
	leaves_a_node --gres=gpu:1 --gres=gpu:4
}

test_a_type()
{
	leaves_a_node --gres=gpu:big:1 --gres=gpu:big:4
}

# Without a number of nodes.
test_the_whole_job()
{
	leaves_a_node --gpus=1 --gpus=4
}

# The rule of the paper puts the second job of one GPU on the fullest node.
test_spread_by_the_rule_of_the_paper()
{
	set_params "$(live_params),lxfw_placement=paper"
	spread --gres gpu:1
	[ "$nodes" = spread ] || fail "both jobs of one GPU are on $nodes"
	expect_pending "$(submit -p two -n 1 --gres gpu:4 --mem 100 -t 60 'sleep 1')" Resources
}

# srun asks the controller, and not the scheduler's next pass.
test_srun()
{
	spread --gres gpu:1
	[ "$(timeout 60 srun -Q -p two -n 1 --gres gpu:4 --mem 100 -t 1 sh -c 'echo ran')" = ran ] ||
		fail "srun did not run at once"
}

# A node with few GPUs is used first by jobs of one, although it has more processors.
test_sizes()
{
	local small
	start -p sizes -n 4 --gres gpu:1
	small=$nodes
	[ "$small" = n3 ] || fail "a job of one GPU is on $small"
	expect_prompt "$(submit -p sizes -n 4 --gres gpu:4 --mem 100 -t 60 'sleep 1')"
}

# Jobs without GPUs use the node without GPUs, then that with the fewest free ones.
test_without_gpus()
{
	start -p all -n 2
	[ "$nodes" = n4 ] || fail "a job without GPUs is on $nodes"
	start -p all -n 10
	[ "$nodes" = n4 ] || fail "a job without GPUs is on $nodes"
	start -p all -n 12
	[ "$nodes" = n3 ] || fail "a job without GPUs is on $nodes, not on that with two"
}

# GPUs 0 and 1 of a node are on one socket, 2 and 3 on the other. Slurm gives two jobs of one GPU
# those of different sockets, so that no socket of their node has two for a job of two.
test_sockets()
{
	local first
	start -p sockets -n 1 --gres gpu:1
	first=$nodes
	start -p sockets -n 1 --gres gpu:1
	[ "$nodes" = "$first" ] || fail "two jobs of one GPU are on both nodes"
	start -p sockets -n 1 --gres gpu:2
	[ "$nodes" != "$first" ] || fail "a job of two GPUs is on both sockets of $nodes"
	gpus_of "$job" | grep -qxE '0-1|2-3' || fail "a job of two GPUs has $(gpus_of "$job")"
}

# The rule of the paper does not see sockets.
test_sockets_by_the_rule_of_the_paper()
{
	local first
	set_params "$(live_params),lxfw_placement=paper"
	start -p sockets -n 1 --gres gpu:1
	first=$nodes
	start -p sockets -n 1 --gres gpu:1
	start -p sockets -n 1 --gres gpu:2
	[ "$nodes" = "$first" ] || fail "a job of two GPUs is on $nodes, not on $first"
	[ "$(gpus_of "$job")" = 1,3 ] || fail "a job of two GPUs has $(gpus_of "$job")"
}

# gpus_of JOB: the numbers of its GPUs
gpus_of()
{
	scontrol -d show job "$1" | sed -n 's/.*GRES=gpu:[0-9]*(IDX:\([0-9,-]*\)).*/\1/p'
}

sockets='Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 CPUs=8 Gres=gpu:4'
live_main "$@" -- --nodes 6 --cpus 12 --memory 16000 \
	--conf GresTypes=gpu \
	--node 'n1 Gres=gpu:big:4' --node 'n2 Gres=gpu:big:4' --node 'n3 CPUs=16 Gres=gpu:2' \
	--gres 'NodeName=n[1-2] Name=gpu Type=big File=/dev/null' \
	--gres 'NodeName=n[1-2] Name=gpu Type=big File=/dev/zero' \
	--gres 'NodeName=n[1-2] Name=gpu Type=big File=/dev/full' \
	--gres 'NodeName=n[1-2] Name=gpu Type=big File=/dev/random' \
	--node "n5 $sockets" --node "n6 $sockets" \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/null Cores=0-3' \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/zero Cores=0-3' \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/full Cores=4-7' \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/random Cores=4-7' \
	--partition 'sockets Nodes=n[5-6] MaxTime=INFINITE State=UP' \
	--gres 'NodeName=n3 Name=gpu File=/dev/null' \
	--gres 'NodeName=n3 Name=gpu File=/dev/zero' \
	--partition 'two Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'sizes Nodes=n[1,3] MaxTime=INFINITE State=UP' \
	--partition 'all Nodes=n[1-4] MaxTime=INFINITE State=UP'
