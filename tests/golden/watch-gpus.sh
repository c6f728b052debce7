#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Jobs with GPUs, with programs in place of scontrol and squeue: processors and memory that a request
# gets for its GPUs (DefCpuPerGPU, DefMemPerGPU), and their type.
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

# The type of GPUs that jobs request, where the site accounts for GPUs and not for their types: all of
# n1 are in use, those of n2 are not.
rm -f node partition job config
echo 'AccountingStorageTRES   = cpu,mem,energy,node,billing,fs/disk,vmem,pages,gres/gpu' > config
played_node n1 1
played_node n2 0
sed -i '/=n1 /s/ RealMemory/ Gres=gpu:a100:4 RealMemory/; /=n2 /s/ RealMemory/ Gres=gpu:v100:2 RealMemory/' node
played_partition p 'n[1-2]' Default=YES

# gpu_job STATE NUMBER NODES TRES PER_JOB PER_NODE PER_TASK PER_SOCKET [CPUS_PER_TRES]
gpu_job()
{
	times="$((later - 3660));$later"
	[ "$1" = RUNNING ] || times='N/A;N/A'
	echo "$1;$2;$2;N/A;p;Resources;$((99 - $2));1;2;1;2:00:00;1000;1100;$times;$3;cpu=2,mem=1000M,node=1,$4;$5;$6;$7;OK;(null);(null);;*;anna;biology;$8;1;${9-N/A};1;;" >> job
}

# job_starts WHEN PER_JOB PER_NODE PER_TASK PER_SOCKET [GPUS]: two GPUs, or that number of them
job_starts()
{
	grep ^RUNNING job > running
	mv running job
	gpu_job PENDING 2 '' "gres/gpu=${6-2}" "$2" "$3" "$4" "$5"
	"$lxfw" predict 2 --json > out 2> err || fail "job $*: $(cat err)"
	wait=$(awk '/"time":/ { now = $2 } /"expected_start":/ { print $2 - now; exit }' out)
	[ "$wait" -le 1 ] && is=now || is=later
	[ "$is" = "$1" ] || fail "job $*: $is: $(cat out)"
}

gpu_job RUNNING 1 n1 gres/gpu=4 N/A gres:gpu:4 N/A N/A
for of in gres: gres/; do
	job_starts now "${of}gpu:2" N/A N/A N/A
	job_starts now "${of}gpu:v100:2" N/A N/A N/A
	job_starts later "${of}gpu:a100:2" N/A N/A N/A
	job_starts now N/A "${of}gpu:v100:2" N/A N/A
	job_starts later N/A "${of}gpu:a100:2" N/A N/A
	job_starts later N/A N/A "${of}gpu:a100:1" N/A
	job_starts later N/A N/A N/A "${of}gpu:a100:2"
done
job_starts now N/A N/A gres/gpu:v100=1 N/A
job_starts later N/A N/A cpu=1,gres/gpu:a100=1 N/A
# In all and per node: the same two.
job_starts now gres/gpu:v100:2 gres/gpu:v100:2 gres/gpu:v100=1 N/A
# Those of n1 are the three of the first job, and the one that waits.
rm job
gpu_job RUNNING 1 n1 gres/gpu=3 N/A gres/gpu:a100:3 N/A N/A
job_starts now N/A gres/gpu:a100:1 N/A N/A 1
job_starts later N/A gres/gpu:a100:2 N/A N/A

# Processors that come with GPUs of a job that waits: of n1 five are free, and three GPUs.
rm -f node job
played_node n1 3
sed -i 's/ RealMemory/ Gres=gpu:4 RealMemory/' node

# cpus_start WHEN CPUS_PER_TRES GPUS
cpus_start()
{
	grep ^RUNNING job > running
	mv running job
	gpu_job PENDING 2 '' "gres/gpu=$3" "gres/gpu:$3" N/A N/A N/A "$2"
	sed -i '/^PENDING/s/Resources/'"${4-Resources}/" job
	"$lxfw" predict 2 --json > out 2> err || fail "job $*: $(cat err)"
	wait=$(awk '/"time":/ { now = $2 } /"expected_start":/ { print $2 - now; exit }' out)
	[ "$wait" -le 1 ] && is=now || is=later
	[ "$is" = "$1" ] || fail "job $*: $is: $(cat out)"
}

gpu_job RUNNING 1 n1 gres/gpu=1 gres:gpu:1 N/A N/A N/A
sed -i 's/cpu=2/cpu=3/' job
cpus_start now N/A 2
for of in gres: gres/ ''; do
	cpus_start now "${of}gpu:2" 2
	cpus_start later "${of}gpu:3" 2
	cpus_start now "${of}gpu:4" 1
done
# What Slurm has not considered yet has no default of the partition.
cpus_start now N/A 2 None
sed -i 's/$/ JobDefaults=DefCpuPerGPU=3/' partition
cpus_start later N/A 2 None
cpus_start now N/A 1 None
cpus_start now N/A 2
# Of the memory 1500 MB are free: the job has 1000 MB, and as much for each processor as is usual.
sed -i 's/AllocMem=0/AllocMem=62500/' node
sed -i 's/mem=1000M/mem=62500M/' job
echo 'SelectTypeParameters    = CR_CORE_MEMORY' >> config
cpus_start now gpu:4 1
sed -i 's/$/ DefMemPerCPU=500/' partition
cpus_start later gpu:4 1
cpus_start now gpu:2 1

finish
