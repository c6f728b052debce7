#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Processors, hosts and GPUs of the jobs of PBS's descendants: OpenPBS, releases of Torque, Cray.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# record NUMBER TEXT: an E record
record()
{
	echo "01/01/2025 01:03:50;E;$1.srv;user=ann group=chem queue=workq ctime=1735689600" \
		"qtime=1735689600 etime=1735689600 start=1735689610 $2 end=1735689700 Exit_status=0"
}

# expect NAME: standard input has number, processors and requirements of the jobs of the file
# log, and the hosts
expect()
{
	"$lxfw" import --out out.swf --cluster-out hosts log 2> told || fail "$1: $(cat told)"
	{
		awk '/^; Request:/ { text[$3] = $4 }
			!/^;/ { print $1, $5, ($14 > 0 ? text[$14] : "-") }' out.swf
		grep -v '^#' hosts
	} > is
	diff - is > diff || fail "$1: $(cat diff)"
}

# Torque 4.2 has an item for each slot, later releases ranges; since 5.0.1 there is a sum. One
# that is larger than the slots counts: the numbers are then amounts, or the slots equal parts.
{
	record 1 'exec_host=a1/0+a1/1+a2/0 Resource_List.nodes=1:ppn=2+1'
	record 2 'exec_host=b1/0-3+b2/0-1,5 total_execution_slots=7 unique_node_count=2'
	record 3 'exec_host=c1/4+c2/4 Resource_List.nodes=2:ppn=4 total_execution_slots=8 unique_node_count=2'
	record 4 'exec_host=d1/6+d2/2 total_execution_slots=8 unique_node_count=2'
	record 5 'exec_host=e1/0-1+e2/0 total_execution_slots=12 unique_node_count=2'
	record 6 'exec_host=f1/3 total_execution_slots=1 unique_node_count=1'
	record 7 'exec_host=g1 total_execution_slots=1 unique_node_count=1'
	record 8 'exec_host=h1/0-1+h2/0-1 Resource_List.nodes=2:ppn=2:gpus=2:k80'
	record 9 'exec_host=i1/1+i1/0+i2/1+i2/0 Resource_List.nodes=2:ppn=2:gpus=1'
} > log
expect Torque <<'END'
1 3 nodes=2
2 7 nodes=2
3 8 nodes=2
4 8 nodes=2
5 12 nodes=2
6 1 nodes=1
7 1 nodes=1
8 4 nodes=2,gres/gpu=4
9 4 nodes=2,gres/gpu=2
a1 procs=2
a2 procs=1
b1 procs=4
b2 procs=3
c1 procs=4
c2 procs=4
d1 procs=6
d2 procs=2
e1 procs=8
e2 procs=4
f1 procs=1
g1 procs=1
h1 procs=2 gpu=2
h2 procs=2 gpu=2
i1 procs=2 gpu=1
i2 procs=2 gpu=1
END

# A job without exec_host has the processors that it requested.
{
	record 1 'exec_host=a/0 Resource_List.ncpus=1'
	record 2 'Resource_List.procs=12'
	record 3 'Resource_List.nodes=2:ppn=4'
	record 4 'total_execution_slots=5 Resource_List.ncpus=2'
} > log
expect requested <<'END'
1 1 nodes=1
2 12 -
3 8 -
4 5 -
a procs=1
END

# Cobalt names a partition of the machine.
record 1 'exec_host="MIR-00000-33331-512" Resource_List.nodect=512' > log
"$lxfw" import --out out.swf log 2> told || fail "Cobalt: $(cat told)"
grep -q '^; Request: 1 nodes=512$' out.swf && grep -q '^1 .* 512 ' out.swf || fail "Cobalt: $(cat out.swf)"

# A Cray: PBS names the login node, and Torque the compute nodes.
{
	record 1 'exec_host=nid7/24 exec_vnode=(hector02:ncpus=1) Resource_List.mppnppn=2 Resource_List.mppwidth=5 Resource_List.ncpus=1 Resource_List.nodect=1 Resource_List.select=1'
	record 2 'exec_host=login3/0 Resource_List.mppwidth=24 Resource_List.mppdepth=4 Resource_List.mppnppn=6'
	record 3 'exec_host=2/0-31+3/0-31 Resource_List.mppwidth=48 Resource_List.mppnppn=24 total_execution_slots=64'
	record 4 'exec_host=login1/0 Resource_List.size=1440'
	record 5 'exec_host=a/0-3 Resource_List.mppwidth=4'
	record 6 'Resource_List.mppwidth=8 Resource_List.ncpus=1'
} > log
expect Cray <<'END'
1 5 nodes=3
2 96 nodes=4
3 64 nodes=2
4 1440 -
5 4 nodes=1
6 8 -
2 procs=32
3 procs=32
a procs=4
END

finish
