#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A job that the model takes for smaller than it is, or cannot express, against a
# stream of small jobs that would keep the machine full for ever: it starts when those
# who run are over (their limit is a minute), but for what is tried in vain before nodes
# are held for it. Clocks run 20 times as fast. Alone, the script runs with Slurm's own
# scheduler first.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/stream.sh
. "$(dirname "$0")/stream.sh"

type -P faketime >/dev/null || skip "faketime is not installed"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	status=0
	for name in backfill lxfw; do
		echo "with sched/$name"
		LXFW_SCHEDULER=$name "$0" "$@" || status=$?
		[ "$status" = 0 ] || break
	done
	exit "$status"
fi

speed=20
stream_runs=4
# In seconds of the fast clock: whoever runs has 60 at most. As long again is for three
# refusals, after which the job has the hold, and for a busy machine.
most_wait=$((60 + 120))
# Each of the four places of the machine is given away again after 40 at least.
most_overtakers=$((4 * most_wait / 40))

gpu_stream='-p gpu -n 1 --mem=25000'

# Slurm counts the memory of its GPUs: no host of the stream has room for it.
test_memory_of_gpus()
{
	expect_not_starved "$gpu_stream" -p gpu --gpus=1 --mem-per-gpu=40000
}

# Whatever the stream has on any host is in its way.
test_gpus_of_all_hosts()
{
	expect_not_starved "$gpu_stream" -p gpu -n 8 --gpus=8 --mem-per-gpu=8000
}

test_contiguous()
{
	expect_not_starved '-p p -n 1' -p p --contiguous -N 3
}

test_feature_choice()
{
	expect_not_starved '-p p -n 1' -p p -N 2 -C '[rack1|rack2]'
}

live_main "$@" -- --speed $speed \
	--nodes 6 --cpus 1 --memory 64000 \
	--node 'n1 Feature=rack1' --node 'n2 Feature=rack1' \
	--node 'n3 Feature=rack2' --node 'n4 Feature=rack2' \
	--node 'n5 CPUs=8 Gres=gpu:4' --node 'n6 CPUs=8 Gres=gpu:4' \
	--conf GresTypes=gpu \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/null' \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/zero' \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/full' \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/random' \
	--partition 'p Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'gpu Nodes=n[5-6] MaxTime=INFINITE State=UP'
