#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Descriptions of machines are read as Slurm reads them: the files in described/. That
# slurmctld understands the same files in the same way is tested by
# tests/cluster/live-described.sh.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

described=$golden/described

# cluster FILE [NOTE]: `lxfw import --cluster-out` writes the lines in standard input. It
# prints NOTE about the file, or nothing.
cluster()
{
	cat > "$work/expected"
	"$lxfw" import --out "$work/swf" --cluster "$described/$1" --cluster-out "$work/out" \
		"$described/node-sets.sacct" 2> "$work/told" || fail "$1: $(cat "$work/told")"
	sed 1d "$work/out" | diff -u "$work/expected" - > "$work/diff" || fail "$1: $(cat "$work/diff")"
	sed -n "s|^lxfw: $described/$1: ||p" "$work/told" > "$work/note"
	printf '%s' "${2:+$2
}" | cmp -s - "$work/note" || fail "$1: notes '$(cat "$work/note")', not '${2-}'"
}

cluster no-select-type.conf 'no SelectType: jobs are allocated whole nodes, as with select/linear, the default of Slurm up to 23.02; later releases: set SelectType=select/cons_tres' <<'END'
SelectTypeParameters=CR_Core
NodeName=controller,compute1 CPUs=4
PartitionName=debug Nodes=controller,compute1 MaxTime=0-01:00:00 OverSubscribe=EXCLUSIVE
END
cluster whole-nodes.conf <<'END'
SelectTypeParameters=CR_Core_Memory
NodeName=n[1-2] CPUs=4 RealMemory=1000
PartitionName=p Nodes=n[1-2] MaxTime=0-01:00:00 OverSubscribe=EXCLUSIVE
END
cluster lower-case.conf <<'END'
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/lxfw
SchedulerParameters="defer,sched_interval=-1"
NodeName=c10 CPUs=4 RealMemory=2000
PartitionName=a Nodes=c10 MaxTime=0-01:00:00
END
cluster cpus-and-procs.conf <<'END'
SelectTypeParameters=CR_Core_Memory
NodeName=n001 CPUs=96 RealMemory=1469490
PartitionName=batch Nodes=n001 MaxTime=0-08:00:00
END
cluster processors.conf <<'END'
SelectTypeParameters=CR_Core_Memory
NodeName=a1 CPUs=8 RealMemory=1000
NodeName=a2 CPUs=24 RealMemory=1000
NodeName=a3 CPUs=32 RealMemory=1000
NodeName=a4 CPUs=16 RealMemory=1000
NodeName=a5 CPUs=4 RealMemory=1000
NodeName=a6 CPUs=32 RealMemory=1000
NodeName=b1 CPUs=28 RealMemory=1000
NodeName=b2 CPUs=14 RealMemory=1000
NodeName=b3 CPUs=15 RealMemory=1000
NodeName=c1 CPUs=26 RealMemory=1000
NodeName=c2 CPUs=12 RealMemory=1000
NodeName=c3 CPUs=8 RealMemory=1000
NodeName=c4 CPUs=6 RealMemory=1000
NodeName=d1 CPUs=8 RealMemory=800
NodeName=d2 CPUs=8 RealMemory=1000
NodeName=e[1-2] CPUs=3 RealMemory=500 Gres=gpu:2 Weight=3
NodeName=e3 CPUs=3 RealMemory=500 Gres=gpu:k80:1
NodeName=e4 CPUs=3 RealMemory=500 Gres=gpu:2 Weight=3
PartitionName=all Nodes=a[1-6],b[1-3],c[1-4],d[1-2],e[1-4]
END
cluster node-set-feature.conf <<'END'
SelectTypeParameters=CR_Core_Memory
NodeName=a[1-2] CPUs=4 RealMemory=1000
NodeName=b1 CPUs=8 RealMemory=1000
PartitionName=p1 Nodes=b1 MaxTime=0-01:00:00
PartitionName=p2 Nodes=a[1-2] MaxTime=0-01:00:00
END
cluster node-sets.conf <<'END'
SelectTypeParameters=CR_Core
NodeName=n[1-3],f[1-4] CPUs=4
PartitionName=a Nodes=n3 MaxTime=0-01:00:00
PartitionName=b Nodes=n[1-3],f[1-3] MaxTime=0-01:00:00 MaxCPUsPerNode=3
PartitionName=c Nodes=f4 MaxTime=0-01:00:00 MinNodes=1 MaxNodes=2
PartitionName=d Nodes=n[2-3],f1 MaxTime=0-01:00:00
PartitionName=e Nodes=n[1-3],f[1-4] MaxTime=0-01:00:00
END
cluster max-cpus-per-node.conf <<'END'
SelectTypeParameters=CR_Core
NodeName=a1 CPUs=4
PartitionName=p1 Nodes=a1 MaxTime=0-01:00:00 MaxCPUsPerNode=2
END
cluster max-cpus-per-socket.conf <<'END'
SelectTypeParameters=CR_Core
NodeName=a1 CPUs=16 Sockets=2 CoresPerSocket=8 CoreSpecCount=1
NodeName=a2 CPUs=16 Sockets=1 CoresPerSocket=16
NodeName=b1 CPUs=16 Sockets=2 CoresPerSocket=8
PartitionName=p1 Nodes=a[1-2] MaxTime=0-01:00:00 MaxCPUsPerSocket=4
PartitionName=p2 Nodes=b1 MaxTime=0-01:00:00 MaxCPUsPerNode=10 MaxCPUsPerSocket=6
PartitionName=p3 Nodes=b1 MaxTime=0-01:00:00
END
cluster down-nodes.conf '1 node left out, such as n4: DOWN or drained, by DownNodes or State' <<'END'
SelectTypeParameters=CR_Core
NodeName=n[1-3] CPUs=1
PartitionName=batch Nodes=n[1-3] MaxTime=0-02:00:00
END
cluster down-states.conf '6 nodes left out, such as n1: DOWN or drained, by DownNodes or State' <<'END'
SelectTypeParameters=CR_Core
NodeName=n[2,4],m[3,5] CPUs=2
PartitionName=p Nodes=n[2,4],m[3,5]
PartitionName=q Nodes=n2
END
cluster gpu-types.conf <<'END'
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/lxfw
SchedulerParameters="defer,sched_interval=-1"
NodeName=g1 CPUs=32 RealMemory=182272 Gres=gpu:k80:4
NodeName=g2 CPUs=32 RealMemory=182272 Gres=gpu:p100:4
NodeName=g3 CPUs=32 RealMemory=182272 Gres=gpu:v100:4
NodeName=g4 CPUs=32 RealMemory=182272 Gres=gpu:rtx2080ti:4
NodeName=g5 CPUs=32 RealMemory=182272 Gres=gpu:a40:4
NodeName=g6 CPUs=32 RealMemory=182272 Gres=gpu:a100:4
NodeName=g7 CPUs=32 RealMemory=182272 Gres=gpu:h100:4
NodeName=g8 CPUs=32 RealMemory=182272 Gres=gpu:l40s:4
PartitionName=gpu Nodes=g[1-8] MaxTime=0-01:00:00
END
cluster gres-kinds.conf '1 GRES more than the 5 that a simulation counts, such as lscratch: those that jobs request come first' <<'END'
SelectTypeParameters=CR_Core_Memory
NodeName=m1 CPUs=32 RealMemory=100000 Gres=lscratch:2000,craynetwork:4,gpu:1g.10gb:4,gpu:2g.20gb:2
NodeName=m2 CPUs=32 RealMemory=100000 Gres=lscratch:2000,gpu:a100:8
NodeName=m3 CPUs=32 RealMemory=100000 Gres=gpu:h100:4,nic:2
NodeName=m[4-5] CPUs=32 RealMemory=100000 Gres=gpu:v100:4
NodeName=m6 CPUs=32 RealMemory=100000 Gres=gpu:v100:2
PartitionName=a Nodes=m[1-6] MaxTime=0-01:00:00
PartitionName=v Nodes=m[4-6] MaxTime=0-01:00:00
END

# The same limit as slurmctld and slurmrestd state it.
cat > "$work/told.expected" <<'END'
NodeName=b1 CPUs=16 Sockets=2 CoresPerSocket=8 RealMemory=1000
PartitionName=p Nodes=b1 MaxCPUsPerSocket=6
END
cat > "$work/told.nodes" <<'END'
NodeName=b1 Arch=x86_64 CoresPerSocket=8 CPUAlloc=0 CPUTot=16 CPULoad=0.01 Sockets=2 Boards=1 ThreadsPerCore=1 RealMemory=1000 State=IDLE Partitions=p
PartitionName=p AllowGroups=ALL MaxNodes=UNLIMITED MaxCPUsPerNode=UNLIMITED MaxCPUsPerSocket=6 Nodes=b1 State=UP
END
cat > "$work/told.json" <<'END'
{ "nodes": [ { "name": "b1", "cpus": 16, "sockets": 2, "cores": 8, "threads": 1, "real_memory": 1000, "partitions": [ "p" ] } ] }
{ "partitions": [ { "name": "p", "nodes": { "configured": "b1" },
    "maximums": { "cpus_per_node": { "set": false, "infinite": true, "number": 0 },
                  "cpus_per_socket": { "set": true, "infinite": false, "number": 6 } } } ] }
END
for told in nodes json; do
	"$lxfw" import --out "$work/swf" --cluster "$work/told.$told" --cluster-out "$work/out" \
		"$described/node-sets.sacct" 2> "$work/messages" || fail "$told: $(cat "$work/messages")"
	sed 1d "$work/out" | grep -v '^Select' | diff -u - "$work/told.expected" > "$work/diff" || fail "$told: $(cat "$work/diff")"
done

# A part of a slurm.conf does not say what is allocated. CR_Core is refused by select/linear.
printf 'NodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL\n' > "$work/part.conf"
printf 'ClusterName=c\nSelectTypeParameters=CR_Core\nNodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL\n' > "$work/core.conf"
printf 'ClusterName=c\nSelectType=select/cray_aries\nNodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL\n' > "$work/cray.conf"
for conf in part core cray; do
	"$lxfw" import --out "$work/swf" --cluster "$work/$conf.conf" --cluster-out "$work/out" \
		"$described/node-sets.sacct" 2> "$work/told" || fail "$conf: $(cat "$work/told")"
	[ "$(grep -c EXCLUSIVE "$work/out")" = $([ $conf = cray ] && echo 1 || echo 0) ] ||
		fail "$conf.conf: $(cat "$work/out")"
done

# --- simulations --------------------------------------------------------------------
# runs CLUSTER LOG: jobs start as the lines in standard input say, JOB START HOSTS.
runs()
{
	cat > "$work/expected"
	"$lxfw" simulate --policy easy --cluster "$described/$1" "$described/$2" \
		--jobs-out "$work/csv" > "$work/out" 2> "$work/told" || fail "$2: $(cat "$work/told")"
	awk -F, 'NR > 1 {
		hosts = match($0, /"[^"]*"/) ? substr($0, RSTART + 1, RLENGTH - 2) : $9
		print $1, $3, hosts
	}' "$work/csv" | diff -u "$work/expected" - > "$work/diff" ||
		fail "$1, $2: $(cat "$work/diff")"
}

# says TEXT: the last simulation printed it
says()
{
	grep -qF -- "$1" "$work/told" || fail "no '$1' in '$(cat "$work/told")'"
}

runs node-set-feature.conf node-sets.sacct <<'END'
1 0 b1
2 0 a1
END
runs max-cpus-per-node.conf max-cpus-per-node.sacct <<'END'
1 0 a1
2 600 a1
END
# On a1, which has two sockets, p1 may use 8 processors, and 4 on a2; p2 may use 10 on b1. Jobs 6 and
# 7 may run in p3, too, which limits nothing; jobs 8 and 9 in p1 and p2.
runs max-cpus-per-socket.conf max-cpus-per-socket.sacct <<'END'
1 0 a1
2 0 a2
3 600 a1
4 0 b1
5 600 b1
6 0 b1
7 0 b1
8 600 a1
9 600 a2
END
runs gpu-types.conf gpu-types.sacct <<'END'
1 0 g7
2 600 g7
END
# Jobs 1 and 2 need the same node, 3 and 4 the same slices of a GPU. Job 6 had 4, 4 and 2.
# Two nodes have lscratch, which is counted since jobs request it.
runs gres-kinds.conf gres-kinds.sacct <<'END'
1 0 m2
2 600 m2
3 0 m1
4 600 m1
5 0 m1
6 0 m[4-6]
7 600 m6
8 0 m3
9 0 m1
10 0 m2
11 600 m1
END
says '1 jobs may have unequal shares of their hosts'
runs allocated-memory.conf allocated-memory.sacct <<'END'
1 0 n1
2 600 n1
END
# Jobs 1 and 2 had 4 and 8 processors, job 1 with 2 and 4 GPUs. The others do not fit.
runs unlike-nodes.conf unlike-nodes.sacct <<'END'
1 0 n[1-2]
2 600 n[1-2]
END
says '2 jobs may have unequal shares of their hosts'
says '3 jobs do not fit on the empty hosts: 0 request too much memory, 1 too many GRES or licenses, 1 too many processors on a host, 0 too many of their partition, 1 of all (with --shape anywhere'
"$lxfw" compare --cluster "$described/unlike-nodes.conf" "$described/unlike-nodes.sacct" > "$work/out" 2> "$work/told" ||
	fail "compare: $(cat "$work/told")"
says '2 jobs may have unequal shares of their hosts'
says '1 too many GRES'

# The partition is full, although two processors are free: neither GRES nor order is the cause.
awk 'BEGIN {
	print "JobID|Submit|Eligible|Start|End|Elapsed|NCPUS|NNodes|Timelimit|State|Partition|User|NodeList"
	for (i = 0; i < 150; i++)
		printf "%d|%d|%d|%d|%d|3600|2|1|01:00:00|COMPLETED|p1|u%d|a1\n", i + 1, 86400 + 3000 * i,
			86400 + 3000 * i, 86400 + 3600 * i, 90000 + 3600 * i, i % 5
}' > "$work/cap.sacct"
"$lxfw" compare --infer none --cluster "$described/max-cpus-per-node.conf" "$work/cap.sacct" > "$work/out" 2> "$work/told" ||
	fail "MaxCPUsPerNode: $(cat "$work/told")"
grep -qE '^  machine or partition full +12.4h +12.4h +100.0 %' "$work/out" ||
	fail "MaxCPUsPerNode: $(grep -A3 'mean wait by cause' "$work/out")"

# --- vnodes of PBS ------------------------------------------------------------------
# In a description, [0] is a list of numbers.
runs uneven-vnodes.hosts uneven-vnodes.pbs <<'END'
2281982 0 crg[670-671,70]
END
"$lxfw" import --out "$work/swf" --cluster-out "$work/out" "$described/uneven-vnodes.pbs" 2> "$work/told" ||
	fail "vnodes: $(cat "$work/told")"
cat > "$work/expected" <<'END'
crg67[0] procs=4 memory=10240 gpu=2
crg67[1] procs=4 memory=5120 gpu=2
crg70 procs=8 memory=10240 gpu=4
END
grep -v '^#' "$work/out" | diff -u "$work/expected" - > "$work/diff" || fail "vnodes: $(cat "$work/diff")"

# Vnodes of GPUs have no processors. Those of a host that have processors share the GPUs; job 3
# waits for GPUs.
runs gpu-vnodes.qmgr gpu-vnodes.pbs <<'END'
1 0 g1[0]
2 0 g1[0]
3 1000 g1[0]
END
cluster gpu-vnodes.qmgr '4 vnodes without processors, such as g1[1]: the GPUs count with a vnode of the host that has processors' <<'END'
SelectTypeParameters=CR_Core_Memory
NodeName=g1[0] CPUs=8 RealMemory=65536 Gres=gpu:4
NodeName=h1[0],h1[1] CPUs=4 RealMemory=8192 Gres=gpu:1
NodeName=c1 CPUs=8 RealMemory=65536
END
"$lxfw" import --out "$work/swf" --cluster-out "$work/out" "$described/gpu-vnodes.pbs" 2> "$work/told" ||
	fail "vnodes of GPUs: $(cat "$work/told")"
[ "$(grep -v '^#' "$work/out")" = 'g1[0] procs=4 memory=2048 gpu=4' ] ||
	fail "vnodes of GPUs: $(cat "$work/out")"

# --- jobs on nodes that are DOWN -----------------------------------------------------
cat > "$work/down.sacct" <<'END'
JobID|Submit|Start|End|Elapsed|NCPUS|NNodes|Partition|State|NodeList
1|2022-11-01T12:00:00|2022-11-01T12:00:00|2022-11-01T12:10:00|00:10:00|1|1|batch|COMPLETED|n4
2|2022-11-01T12:00:00|2022-11-01T12:00:00|2022-11-01T12:10:00|00:10:00|1|1|batch|COMPLETED|n1
END
"$lxfw" compare --cluster "$described/down-nodes.conf" "$work/down.sacct" > "$work/out" 2> "$work/told" ||
	fail "down: $(cat "$work/told")"
says '1 jobs ran on nodes that are left out, such as n4'

# --- GPUs that the accounting does not contain ---------------------------------------
awk 'BEGIN {
	print "JobID|Submit|Start|End|Elapsed|NCPUS|NNodes|Timelimit|State|Partition|AllocTRES"
	for (i = 0; i < 200; i++)
		printf "%d|%d|%d|%d|3600|1|1|01:00:00|COMPLETED|p|billing=1,cpu=1,node=1\n", i + 1,
			86400 + 1750 * i, 86400 + 3600 * int(i / 2), 90000 + 3600 * int(i / 2)
}' > "$work/no-gpus.sacct"
"$lxfw" compare --cluster "$described/no-gpus-in-log.conf" "$work/no-gpus.sacct" > "$work/out" 2> "$work/told" ||
	fail "no GPUs: $(cat "$work/told")"
says 'the hosts have GPUs, but none of the 200 jobs has any'
[ "$(sed -n 2p "$work/out")" = '  The hosts have GPUs, but the log does not contain the GPUs of jobs.' ] ||
	fail "no GPUs: $(sed -n 1,4p "$work/out")"
grep -q 'Next step: Record the GPUs of jobs' "$work/out" || fail "no GPUs: $(grep -A3 'Next step' "$work/out")"
sed 's/node=1$/node=1,gres\/gpu=1/' "$work/no-gpus.sacct" > "$work/gpus.sacct"
"$lxfw" compare --cluster "$described/no-gpus-in-log.conf" "$work/gpus.sacct" > "$work/out" 2> "$work/told" ||
	fail "GPUs: $(cat "$work/told")"
! grep -qE 'have GPUs|GPUs of jobs' "$work/out" "$work/told" || fail "GPUs: $(cat "$work/out" "$work/told")"
finish
