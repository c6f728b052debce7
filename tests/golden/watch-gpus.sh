#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Processors and memory that a job gets for its GPUs (DefCpuPerGPU, DefMemPerGPU), with programs in
# place of scontrol and squeue: when a request starts.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "$top_srcdir/tests/golden/played.sh"

# Of n1 five processors and three GPUs are free.
later=$(($(date +%s) + 3600))
played_node n1 3
sed -i 's/ RealMemory/ Gres=gpu:4 RealMemory/; s/AllocMem=0/AllocMem=60000/' node
played_partition p n1 Default=YES
played_job RUNNING 1 3 2:00:00 $((later - 3660)) $later n1
sed -i 's/cpu=3,mem=1000M/cpu=3,mem=60000M,gres\/gpu=1/' job
cp partition plain

# starts WHEN OPTIONS: WHEN is "now" or "later"
starts()
{
	when=$1
	"$lxfw" predict --json --request "-t 10 $2" > out 2> err || fail "request $2: $(cat err)"
	wait=$(awk '/"time":/ { now = $2 } /"expected_start":/ { print $2 - now; exit }' out)
	[ "$wait" -le 1 ] && is=now || is=later
	[ "$is" = "$when" ] || fail "$2: $is"
}

starts now '-n 1 --gpus 3'
starts later '-n 1 --gpus 4'
# Three processors for each GPU.
sed -i 's/$/ JobDefaults=DefCpuPerGPU=3,DefMemPerGPU=0/' partition
starts now '-n 1 --gpus 1'
starts later '-n 1 --gpus 2'
starts later '-n 2 --gpus-per-task 1'
starts later '-N 1 --gpus-per-node 2'
starts now '-n 1 -c 1 --gpus 2'
starts now '-n 1 --cpus-per-gpu 2 --gpus 2'
grep -q '"request": "-n 1 -t 00:10:00 --gpus 2 --cpus-per-gpu 2",' out || fail "as given: $(cat out)"
starts now '-n 5'
# Those of all partitions.
cp plain partition
echo 'JobDefaults             = DefCpuPerGPU=3' >> config
starts later '-n 1 --gpus 2'
sed -i '/JobDefaults/d' config
# Memory counts, and 4000 MB are free.
echo 'SelectTypeParameters    = CR_CORE_MEMORY' >> config
sed -i 's/$/ DefMemPerCPU=1/' partition
starts now '-n 1 --gpus 2'
sed -i 's/$/ JobDefaults=DefMemPerGPU=3000/' partition
starts now '-n 1 --gpus 1'
starts later '-n 1 --gpus 2'
starts now '-n 1 --gpus 2 --mem 100'
starts later '-n 1 --gpus 1 --mem-per-gpu 5G'

finish
