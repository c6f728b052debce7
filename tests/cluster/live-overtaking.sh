#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A job that needs more than the model assumes, or that the model cannot represent,
# competes with a stream of small jobs that would keep the machine full forever. It must
# start when the running jobs have ended, whose limit is one minute, plus the time for
# refused attempts before nodes are held for it. Clocks run 20 times as fast. With
# LXFW_SLOW=1, the script runs with Slurm's own scheduler too.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/stream.sh
. "$(dirname "$0")/stream.sh"

type -P faketime >/dev/null || skip "faketime is not installed"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	live_expectations "$@"
	exit
fi

speed=20
stream_runs=4
# In simulated seconds. A running job ends within 60. The rest is for three refusals,
# after which nodes are held for the job, and for a busy machine.
most_wait=$((60 + 420))
# Each of the four slots of the machine is reused after 40 s at the earliest.
most_overtakers=$((4 * most_wait / 40))

gpu_stream='-p gpu -n 1 --mem=25000'

# Slurm adds the memory of its GPUs. No host of the stream has room for the job.
test_memory_of_gpus()
{
	expect_not_starved "$gpu_stream" -p gpu --gpus=1 --mem-per-gpu=40000
}

# The job conflicts with the jobs of the stream on any host.
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

live_main "$@" -- --speed $speed --conf MessageTimeout=$((speed * 60)) \
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
