#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# GPUs and their types, memory of a job, a node or a processor, and tasks of arrays, as each format
# of accounting states them, are in the trace.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# needs LOG: standard input has "JOB PROCS KB-PER-PROC REQUEST" for each job of LOG, sorted
needs()
{
	"$lxfw" import "$work/$1" > "$work/trace" 2> "$work/messages" ||
		fail "$1: $(cat "$work/messages")"
	awk '/^; Request:/ { text[$3] = $4 } !/^;/ { print $1, $8, $10, text[$14] }' "$work/trace" |
		sort -n > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "$1: $(cat "$work/diff")"
}

# The tasks of an array have numbers of their own, that of the record of the whole array among them.
cat > "$work/sacct" << 'END'
JobID|JobIDRaw|Submit|Eligible|Start|End|NCPUS|NNodes|ReqMem|ReqTRES|AllocTRES|State|SubmitLine
1|1|1000|1000|1000|1100|8|2|4Gn||cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=8G,node=2|COMPLETED|x
2|2|1000|1000|1000|1100|8|2|1Gc|cpu=8,gres/gpu=2||COMPLETED|x
3|3|1000|1000|1000|1100|8|2|6G|||COMPLETED|x
4_[9%2]|8|1000|1000|Unknown|Unknown|1|1|1G|||PENDING|sbatch --array=1-9%2 x
4_1|5|1000|1000|1001|1100|1|1|1G|||COMPLETED|sbatch --array=1-9%2 x
4_2|6|1000|1000|1001|1100|1|1|1G|||COMPLETED|sbatch --array=1-9%2 x
4_3|4|1000|1000|1100|1200|1|1|1G|||COMPLETED|sbatch -a 1-9%2 x
7_1|7|1000|1000|1100|1200|1|1|1G|||COMPLETED|sbatch -a 1-9 x --array=%2
END
needs sacct << 'END'
1 8 1048576 nodes=2,gres/gpu:a100=4,gres/gpu=4,node-memory
2 8 1048576 nodes=2,gres/gpu=2
3 8 786432 nodes=2
4 1 1048576 nodes=1
5 1 1048576 nodes=1
6 1 1048576 nodes=1
7 1 1048576 nodes=1
END
grep -q 'tasks of arrays with a limit of tasks at a time (not kept): 3' "$work/messages" ||
	fail "limit of an array: $(cat "$work/messages")"

cat > "$work/json" << 'END'
{"jobs":[
{"job_id":1,"state":{"current":["COMPLETED"]},"required":{"CPUs":8,"memory_per_node":{"set":true,"number":4096}},
 "tres":{"allocated":[{"type":"cpu","count":8},{"type":"mem","count":8192},{"type":"node","count":2},
  {"type":"gres","name":"gpu","count":4},{"type":"gres","name":"gpu:a100","count":4}]},
 "time":{"submission":1000,"eligible":1000,"start":1000,"end":1100,"elapsed":100}},
{"job_id":2,"state":{"current":["COMPLETED"]},"required":{"CPUs":8,"memory_per_cpu":{"set":true,"number":1024},
 "memory_per_node":{"set":false,"number":0}},"submit_line":"sbatch --array=1-9%2 x",
 "array":{"job_id":1,"task_id":{"set":true,"number":3}},
 "tres":{"allocated":[{"type":"cpu","count":8},{"type":"mem","count":8192},{"type":"node","count":2}]},
 "time":{"submission":1000,"eligible":1000,"start":1000,"end":1100,"elapsed":100}}]}
END
needs json << 'END'
1 8 1048576 nodes=2,gres/gpu=4,gres/gpu:a100=4,node-memory
2 8 1048576 nodes=2
END
grep -q 'with a limit of tasks at a time (not kept): 1' "$work/messages" ||
	fail "limit of an array, slurmrestd: $(cat "$work/messages")"

cat > "$work/scontrol" << 'END'
JobId=1 JobName=a UserId=u(1) JobState=COMPLETED SubmitTime=1000 EligibleTime=1000 StartTime=1000 EndTime=1100 NodeList=n[1-2] NumNodes=2 NumCPUs=8 MinMemoryNode=4G AllocTRES=cpu=8,node=2,gres/gpu:a100=4
JobId=2 ArrayJobId=1 ArrayTaskId=3 JobName=a UserId=u(1) JobState=COMPLETED SubmitTime=1000 EligibleTime=1000 StartTime=1000 EndTime=1100 NodeList=n[1-2] NumNodes=2 NumCPUs=8 MinMemoryCPU=2G
JobId=3 JobName=a UserId=u(1) JobState=COMPLETED SubmitTime=1000 EligibleTime=1000 StartTime=1000 EndTime=1100 NodeList=n[1-2] NumNodes=2 NumCPUs=8 MinMemoryNode=0
END
needs scontrol << 'END'
1 8 1048576 nodes=2,gres/gpu:a100=4,node-memory
2 8 2097152 nodes=2
3 8 -1 nodes=2
END

# pbs NUMBER TEXT: an E record
pbs()
{
	printf '01/01/2025 00:01:40;E;%s.s;user=u queue=q ctime=1735689600 etime=1735689600 start=1735689600 end=1735689700 %s Exit_status=0\n' \
		"$1" "$2"
}
{
	pbs 1 'exec_host=h/0*8+i/0*8 exec_vnode=(h:ncpus=8:ngpus=2:mem=4gb)+(i:ncpus=8:ngpus=2:mem=4gb) Resource_List.mem=8gb Resource_List.ncpus=16'
	pbs 2 'exec_host=h/0 Resource_List.ngpus=3 Resource_List.ncpus=1'
	# Torque: of each node
	pbs '3[7]' 'exec_host=h/0+i/0+k/0 Resource_List.nodes=2:ppn=1:gpus=2:default+1:ppn=1 Resource_List.pmem=1gb'
	pbs 4 'exec_host=h/0 Resource_List.nodes=h:gpus=1'
} > "$work/pbs"
needs pbs << 'END'
1 16 524288 nodes=2,gres/gpu=4
2 1 -1 nodes=1,gres/gpu=3
3 3 1048576 nodes=3,gres/gpu=4
4 1 -1 nodes=1,gres/gpu=1
END

printf '%s\n' 'job_id,submit_time,start_time,end_time,cpu_num,gpu_num,mem_gb' \
	'1,1000,1000,1100,8,2,4' > "$work/table"
needs table << 'END'
1 8 524288 gres/gpu=2
END
finish
