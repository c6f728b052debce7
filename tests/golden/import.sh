#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Logs of batch systems: the result of each kind of record. Reading a log directly and
# importing it first must give the same trace.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac

# import WHAT LOG...: standard input has the expected records and messages, without
# column names. Further requirements in column 14, and partitions, are tested by
# site.sh.
import()
{
	what=$1
	shift
	"$lxfw" import --out out.swf --cluster-out out.hosts "$@" > out 2> told ||
		fail "$what: exit status $?: $(cat told)"
	[ ! -s out ] || fail "$what: $(cat out)"
	{
		grep -v '^;' out.swf | sed 's/^\(\([^ ]* \)\{13\}\)[^ ]*/\1-1/'
		sed 's/^lxfw: //' told
		sed '1d; /^# Its/d; /^partition=/d' out.hosts
	} > is
	diff -u - is > diff || fail "$what: $(cat diff)"
}

# round WHAT LOG: simulating the log and simulating the imported trace give the same
# result
round()
{
	"$lxfw" import --out round.swf "$2" 2> told || fail "$1: $(cat told)"
	"$lxfw" simulate --policy lxfw --jobs-out direct.csv "$2" > direct 2> told ||
		fail "$1: $(cat told)"
	"$lxfw" simulate --policy lxfw --jobs-out round.csv round.swf > round 2> told ||
		fail "$1: $(cat told)"
	[ "$(wc -l < direct.csv)" -gt 1 ] || fail "$1: no jobs"
	cmp -s direct.csv round.csv || fail "$1: $(diff direct.csv round.csv)"
}

# --- sacct ------------------------------------------------------------------
# Time 0 is 2025-01-01T00:00:00 = 1735689600. Job 1: 4 processors with 2 GB each,
# suspended for 50 of its 150 s, its steps use 3 GB; 2: a name with '|' and a line
# break, no limit; 3: never started, a submit line with a line break; 4: 64 GB on each
# of 2 nodes, held until 30; 5 is still running; 6 and 7 are one job; 8 has bit 31 set
# and the partition's limit.
cat > sacct <<'END'
Eligible|JobID|JobIDRaw|Submit|Start|End|Elapsed|Suspended|NCPUS|ReqCPUS|NNodes|ReqMem|Timelimit|State|Partition|User|Group|NodeList|JobName|MaxRSS|NTasks|SubmitLine
2025-01-01T00:00:00|1|1|2025-01-01T00:00:00|2025-01-01T00:00:10|2025-01-01T00:02:40|00:01:40|00:00:50|4|4|1|2Gc|00:10:00|COMPLETED|long|ann|chem|n1|one|||sbatch one
2025-01-01T00:00:10|1.batch|1.batch|2025-01-01T00:00:10|2025-01-01T00:00:10|2025-01-01T00:02:40|00:01:40|00:00:50|4|4|1|||COMPLETED||||n1|batch|1536M|2|
2025-01-01T00:00:00|2_7|12|2025-01-01T00:00:00|2025-01-01T00:00:20|2025-01-01T00:00:50|00:00:30|00:00:00|2|1|1|500M|UNLIMITED|FAILED|short|bob|bio|n2|a|b
c|d|||sbatch -J 'a|b
c|d' x | tee
Unknown|3|3|2025-01-01T00:00:05|2025-01-01T00:01:05|2025-01-01T00:01:05|00:00:00|00:00:00|0|8|2|1000Mn|1-00:00:00|CANCELLED by 17|long|ann|chem|None assigned|three|||sbatch \
  --exclusive three
2025-01-01T00:00:30|4|4|2025-01-01T00:00:06|2025-01-01T00:00:40|2025-01-01T00:01:40|00:01:00|00:00:00|8|8|2|62.50Gn|02:00|TIMEOUT|long|bob|bio|n[1-2]|four|||sbatch four
2025-01-01T00:00:30|5|5|2025-01-01T00:00:06|2025-01-01T00:00:40|Unknown|00:01:00|00:00:00|8|8|2|62.50Gn|02:00|RUNNING|long|bob|bio|n[1-2]|four|||sbatch four
2025-01-01T00:00:40|6+0|6|2025-01-01T00:00:40|2025-01-01T00:03:20|2025-01-01T00:03:30|00:00:10|00:00:00|2|2|1|0|00:01:00|COMPLETED|short|cyd|bio|n2|six|||sbatch six
2025-01-01T00:00:40|6+1|7|2025-01-01T00:00:40|2025-01-01T00:03:20|2025-01-01T00:03:30|00:00:10|00:00:00|1|1|1|1G|00:01:00|COMPLETED|short|cyd|bio|n3|six|||sbatch six
2025-01-01T00:00:50|8|8|2025-01-01T00:00:50|2025-01-01T00:00:50|2025-01-01T00:01:00|00:00:10|00:00:00|2|2|1|2147486448Mn|Partition_Limit|OUT_OF_MEMORY|short|cyd|bio|n3|eight|||sbatch eight
END
import "sacct" sacct <<'END'
1 0 10 100 4 -1 786432 4 600 2097152 1 1 1 -1 1 -1 -1 -1
12 0 20 30 2 -1 -1 2 31536000 256000 0 2 2 -1 2 -1 -1 -1
3 5 60 -1 8 -1 -1 8 86400 256000 5 1 1 -1 1 -1 -1 -1
4 30 10 60 8 -1 -1 8 120 16384000 0 2 2 -1 1 -1 -1 -1
6 40 160 10 2 -1 -1 2 60 -1 1 3 2 -1 2 -1 -1 -1
7 40 160 10 1 -1 -1 1 60 1048576 1 3 2 -1 2 -1 -1 -1
8 50 0 10 2 -1 -1 2 -1 2867200 0 3 2 -1 2 -1 -1 -1
9 records (sacct): 7 of jobs, 1 of job steps, 1 of running or pending jobs; never started: 1; held back after submission: 1; suspended: 1; without a time limit: 1; parts of heterogeneous jobs: 2; most processors held at once: 14; local times interpreted as UTC: in 8 records (set the zone with lxfw import --tz)
n1 procs=8 memory=72192
n2 procs=6 memory=64500
n3 procs=2 memory=5600
END
round "sacct" sacct
grep -q '^; UnixStartTime: 1735689600$' round.swf || fail "UnixStartTime of sacct"
grep -q '^; User: 2 bob$' round.swf || fail "the names of users"
grep -q '^; Queue: 1 long$' round.swf || fail "the names of queues"

# The same with a bar at the end of each line, gzip, through a pipe.
grep -v 'JobName' sacct | grep -v '^c|d\|^  --' | head -n 2 > body
{ head -n 1 sacct | sed 's/$/|/'; sed 's/$/|/' body; } | gzip |
	"$lxfw" import - > piped 2> told || fail "a pipe: $(cat told)"
[ "$(grep -v '^;' piped)" = "$(sed -n '/^1 0/p' out.swf)" ] ||
	fail "--parsable: $(cat piped)"

# Without a header, in the column order of Open XDMoD: a task of an array, a name with
# bars.
cat > xdmod <<'END'
9_2|10|c|p|q|a|g|100|u|200|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:00|2025-01-01T00:02:00|00:01:00|0:0|CANCELLED by 200|1|4|4|3000Mc||cpu=4|1-00:00:00|h1|name|with|bars
END
import "headerless" xdmod <<'END'
10 0 60 60 4 -1 -1 4 86400 3072000 5 1 1 -1 1 -1 -1 -1
1 records (sacct): 1 of jobs; most processors held at once: 4; local times interpreted as UTC: in 1 records (set the zone with lxfw import --tz)
h1 procs=4 memory=12000
END

# Parts of a record that was split are counted, see odd.sh. A log that contains nothing else
# is an error.
sed 2q xdmod > cut
echo 'q||||||||||||||||||None' >> cut
"$lxfw" import cut > out 2> told || fail "cut: $(cat told)"
grep -q '2 records (sacct): 1 of jobs, 1 odd (left out), the first: cut:2: 19 fields, expected 26 as in the header;' told ||
	fail "cut: $(cat told)"

# --- slurmrestd -------------------------------------------------------------
# The two representations of numbers, states and limits.
cat > rest <<'END'
{ "meta": { "jobs": [ 1, "]" ] },
  "jobs": [
    { "job_id": 1, "user": "ann", "group": "chem", "partition": "long", "nodes": "n[1-2]",
      "state": { "current": "COMPLETED", "reason": "None" },
      "time": { "submission": 1735689600, "eligible": 1735689600, "start": 1735689610,
        "end": 1735689760, "elapsed": 100, "suspended": 50, "limit": 10 },
      "required": { "CPUs": 4, "memory": 9 },
      "tres": { "allocated": [ { "type": "cpu", "count": 4 }, { "type": "node", "count": 2 } ],
        "requested": [ { "type": "mem", "count": 8192 } ] },
      "steps": [ { "tres": { "requested": { "total": [ { "type": "mem", "count": 1073741824 } ] } } } ],
      "het": { "job_id": 0 } },
    { "job_id": 2, "user": "bob", "group": "bio", "partition": "long", "nodes": "n1",
      "state": { "current": [ "TIMEOUT" ] },
      "time": { "submission": 1735689605, "eligible": 1735689605, "start": 1735689760,
        "end": 1735689860, "elapsed": 100, "suspended": 0,
        "limit": { "set": false, "infinite": true, "number": 0 } },
      "required": { "CPUs": 1 },
      "tres": { "allocated": [ { "type": "cpu", "count": 2 } ], "requested": [] } },
    { "job_id": 3, "state": { "current": [ "PENDING" ] },
      "time": { "submission": 1735689606, "start": 0, "end": 0 }, "tres": {} },
    { "job_id": 4, "user": "bob", "group": "bio", "partition": "long", "nodes": "n1",
      "state": { "current": [ "PENDING", "REQUEUED" ] },
      "time": { "submission": 1735689607, "start": 1735689860, "end": 1735689870,
        "elapsed": 10, "suspended": 0, "limit": { "set": true, "infinite": false, "number": 1 } },
      "required": { "CPUs": 1 }, "tres": { "allocated": [], "requested": [] } },
    { "job_id": 5, "user": "bob", "group": "bio", "partition": "long", "nodes": "None assigned",
      "state": { "current": [ "CANCELLED" ] },
      "time": { "submission": 1735689608, "start": 4294967294, "end": 1735689618,
        "elapsed": 0, "suspended": 0, "limit": { "set": true, "infinite": false, "number": 1 } },
      "required": { "CPUs": 1 }, "tres": { "allocated": [], "requested": [] } }
  ], "errors": [ ] }
END
import "slurmrestd" rest <<'END'
1 0 10 100 4 -1 262144 4 600 2097152 1 1 1 -1 1 -1 -1 -1
2 5 155 100 2 -1 -1 2 31536000 -1 0 2 2 -1 1 -1 -1 -1
4 7 253 10 1 -1 -1 1 60 -1 0 2 2 -1 1 -1 -1 -1
5 8 10 -1 1 -1 -1 1 60 -1 5 2 2 -1 1 -1 -1 -1
5 records (slurmrestd): 4 of jobs, 1 of running or pending jobs; never started: 1; suspended: 1; most processors held at once: 4
n1 procs=2 memory=4096
n2 procs=2 memory=4096
END
round "slurmrestd" rest

# --- PBS --------------------------------------------------------------------
# Local time is one hour ahead. Job 1 was suspended twice, for 10 and for 5 s; 2 was
# deleted while it was pending; 3 was restarted, and its first run and suspension do not
# count; 4 has only an end record, and PBS counted 100 of 200 s; 5[] is an array, 5[1]
# its task; 6 is still pending.
cat > pbs <<'END'
01/01/2025 01:00:00;Q;1.srv;user=ann group=chem queue=workq ctime=1735689600 qtime=1735689600 etime=1735689600 Resource_List.ncpus=8
01/01/2025 01:00:00;L;license;floating license hour:3 day:3 month:3 max:10
01/01/2025 01:00:10;S;1.srv;user=ann start=1735689610
01/01/2025 01:00:20;z;1.srv;resources_used.walltime=00:00:10
01/01/2025 01:00:30;r;1.srv;
01/01/2025 01:00:40;z;1.srv;resources_used.walltime=00:00:20
01/01/2025 01:00:45;r;1.srv;
01/01/2025 01:01:10;E;1.srv;user=ann group=chem queue=workq ctime=1735689600 qtime=1735689600 etime=1735689600 start=1735689610 exec_host=h1/0*4+h2/1*4 exec_vnode=(n[0]:ncpus=4:mem=1024kb+n[1]:ncpus=2)+(n[2]:ncpus=2) Resource_List.mem=8gb Resource_List.ncpus=8 Resource_List.select=2:ncpus=4:mem=4gb Resource_List.walltime=01:00:00 end=1735689670 Exit_status=0 resources_used.mem=4096kb resources_used.walltime=00:00:45
01/01/2025 01:00:05;Q;2.srv;user=bob group=bio queue=workq ctime=1735689605 etime=1735689605 Resource_List.select=1:ncpus=2:mem=1gb+2:ncpus=1 Resource_List.walltime=60
01/01/2025 01:00:35;D;2.srv;requestor=bob@srv
01/01/2025 01:00:06;S;3.srv;user=bob
01/01/2025 01:00:07;z;3.srv;
01/01/2025 01:00:17;R;3.srv;user=bob end=1735689617
01/01/2025 01:00:20;S;3.srv;user=bob
01/01/2025 01:00:30;E;3.srv;user=bob group=bio queue=workq ctime=1735689606 etime=1735689606 start=1735689620 exec_host=h1/3+h1/4+h2/0-2 Resource_List.nodes=1:ppn=2:fast+1:ppn=3 Resource_List.pmem=512mb Resource_List.walltime=00:10:00 end=1735689630 Exit_status=271
01/01/2025 01:03:50;E;4.srv;user=bob group=bio queue=workq ctime=1735689607 etime=1735689608 start=1735689630 exec_host=h3/0 Resource_List.ncpus=1 end=1735689830 Exit_status=1 resources_used.walltime=00:01:40
01/01/2025 01:03:50;E;5[].srv;user=bob queue=workq ctime=1735689609
01/01/2025 01:03:50;E;5[1].srv;user=bob group=bio queue=workq ctime=1735689609 start=1735689820 exec_host=h3/0 end=1735689830 Exit_status=0
01/01/2025 01:03:51;Q;6.srv;queue=workq
END
import "PBS" pbs <<'END'
1 0 10 45 8 -1 512 8 3600 1048576 1 1 1 -1 1 -1 -1 -1
2 5 30 -1 4 -1 -1 4 60 -1 5 2 2 -1 1 -1 -1 -1
3 6 14 10 5 -1 -1 5 600 524288 0 2 2 -1 1 -1 -1 -1
4 8 22 100 1 -1 -1 1 -1 -1 0 2 2 -1 1 -1 -1 -1
5 9 211 10 1 -1 -1 1 -1 -1 1 2 2 -1 1 -1 -1 -1
19 records (pbs): 4 of jobs, 14 not of ended jobs, 1 of whole job arrays; of these 1 jobs deleted while waiting; 1 jobs have no end; never started: 1; held back after submission: 1; suspended: 2; without a time limit: 2; most processors held at once: 13
h1 procs=2
h2 procs=3
h3 procs=2
n[0] procs=4
n[1] procs=2
n[2] procs=2
END
round "PBS" pbs

# --- LSF --------------------------------------------------------------------
# lsf NUMBER SUBMIT BEGIN START END HOSTS STATUS RUN RUN-LIMIT: print a record; HOSTS is
# "N" H1 ... ; the command contains quotes
lsf()
{
	printf '"JOB_FINISH" "10.108" %s %s 1501 33570818 4 %s %s 0 %s "ann" "normal" "rusage[mem=2048]" "" "" "front" "/home" "" "" "" "1.1" 0 %s %s 100.0 "name" "sh -c ""run | more""" 0.1 0.2 3756 0 -1 0 0 407 4 0 936 8 -1 0 0 0 19 2 -1 "" "proj" 0 4 "" "" 0 4096 0 "" "" "" "" 0 "" 0 "" -1 "" "" "" "" -1 "" "" 7184 "" 1 "" "" 1 1058 "1" 1 h1 5 0 1 1 0 %s 4194304 0 "select[type == any]" "" -1 "" -1 0 "" 0 0 "" %s "/home" 0\n' \
		"$5" "$1" "$2" "$3" "$4" "$6" "$7" "$9" "$8"
}
{
	echo '"JOB_RESIZE" "10.108" 1735689600 1 0'
	lsf 1 1735689600 0 1735689610 1735689710 '2 "3*h1" "h2"' 64 80 3600
	lsf 2 1735689600 1735689605 1735689615 1735689625 '1 "h2"' 32 10 -1
	lsf 3 1735689601 0 0 1735689631 0 32 0 -1
} > lsb.acct
import "LSF" lsb.acct <<'END'
1 0 10 80 4 -1 1024 4 3600 1048576 1 1 1 -1 1 -1 -1 -1
3 1 30 -1 4 -1 1024 4 -1 524288 5 1 1 -1 1 -1 -1 -1
2 5 10 10 1 -1 4096 1 -1 2097152 0 1 1 -1 1 -1 -1 -1
4 records (lsf): 3 of jobs, 1 not of ended jobs; never started: 1; held back after submission: 1; suspended: 1; without a time limit: 2; most processors held at once: 5
h1 procs=3 memory=3072
h2 procs=2 memory=3072
END
round "LSF" lsb.acct
"$lxfw" compare --cluster out.hosts --format csv lsb.acct > out 2> told ||
	fail "compare: $(cat told)"
grep -q '^jobs,2$' out || fail "compare: $(cat out)"
"$lxfw" describe lsb.acct > out 2> told || fail "describe: $(cat told)"

# --- SWF, and several logs --------------------------------------------------
"$lxfw" import --out again.swf round.swf 2> told || fail "SWF: $(cat told)"
cmp -s again.swf round.swf || fail "importing SWF changes it"
"$lxfw" import --out both.swf lsb.acct rest 2> told || fail "two logs: $(cat told)"
[ "$(grep -vc '^;' both.swf)" -eq 7 ] || fail "two logs: $(cat both.swf)"

# --- clusters ---------------------------------------------------------------
# cluster WHAT FILE: standard input has the expected description, without its comment
cluster()
{
	"$lxfw" import --out out.swf --cluster "$2" --cluster-out out.cluster sacct 2> told ||
		fail "$1: $(cat told)"
	sed 1d out.cluster > is
	diff -u - is > diff || fail "$1: $(cat diff)"
	# the description can be read, and written again it is the same
	"$lxfw" import --out again.swf --cluster out.cluster --cluster-out again.cluster sacct 2> told ||
		fail "$1, again: $(cat told)"
	sed 1d again.cluster > again
	cmp -s is again || fail "$1, again: $(diff is again)"
	cmp -s out.swf again.swf || fail "$1: the trace differs"
}

# n1 is down and reserves two cores and 2000 MB for the system, n2 was never up, n3 does
# not exist yet, and the reason contains arbitrary text.
cat > scontrol <<'END'
NodeName=n1 Arch=x86_64 CoresPerSocket=1 
   CPUAlloc=0 CPUEfctv=14 CPUTot=16 CPULoad=1.02
   Gres=gpu:a100:2(S:0-1),gadget:4
   OS=Linux 6.1.0 #1 SMP PREEMPT_DYNAMIC 
   RealMemory=64000 AllocMem=0 FreeMem=21918 Sockets=16 Boards=1
   CoreSpecCount=2 CPUSpecList=14-15 MemSpecLimit=2000
   State=DOWN* ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=p,long 
   Reason=not CPUTot=3 but broken [root@2026-11-21T14:00:00]

NodeName=n2 CoresPerSocket=4 
   CPUAlloc=0 CPUTot=8 CPULoad=N/A
   Gres=(null)
   RealMemory=32000 AllocMem=0 Sockets=1 Boards=1
   CoreSpecCount=1
   State=UNKNOWN ThreadsPerCore=2
   Partitions=p 

NodeName=n3 CoresPerSocket=4 
   CPUAlloc=0 CPUTot=8 State=FUTURE RealMemory=1
END
cat > nodes <<'END'
SelectTypeParameters=CR_Core_Memory
NodeName=n1 CPUs=14 RealMemory=62000 Gres=gpu:a100:2,gadget:4
NodeName=n2 CPUs=6 RealMemory=32000
PartitionName=p Nodes=n[1-2]
PartitionName=long Nodes=n1
END
cluster "scontrol show node" scontrol < nodes
awk '/^NodeName/ && NR > 1 { print line; line = "" } NF { sub(/^ */, ""); line = line $0 " " }
	END { print line }' scontrol > oneliner
cluster "scontrol show node --oneliner" oneliner < nodes
cat > nodes.json <<'END'
{ "errors": [ ],
  "nodes": [
    { "name": "n1", "cpus": 16, "effective_cpus": 14, "specialized_cores": 2, "threads": 1,
      "real_memory": 64000, "specialized_memory": { "set": true, "infinite": false, "number": 2000 },
      "state": [ "DOWN", "DRAIN" ], "gres": "gpu:a100:2(S:0-1),gadget:4", "partitions": [ "p", "long" ] },
    { "name": "n2", "cpus": 8, "specialized_cores": 1, "threads": 2, "real_memory": 32000,
      "state": "down", "gres": "", "partitions": [ "p" ] },
    { "name": "n3", "cpus": 8, "real_memory": 1, "state": [ "FUTURE" ], "partitions": [] } ] }
END
cluster "nodes of slurmrestd" nodes.json < nodes
cat > slurm.conf <<'END'
SchedulerType=sched/lxfw
SchedulerParameters="defer, lxfw_policy=sjf"
SelectTypeParameters=CR_Core
NodeName=DEFAULT CPUs=4
NodeName=a[1-3]
NodeName=b CPUs=8
NodeName=c
NodeSet=two Nodes=a2,c
PartitionName=p Nodes=ALL
PartitionName=q Nodes=two
PartitionName=none
END
cluster "slurm.conf" slurm.conf <<'END'
SelectTypeParameters=CR_Core
SchedulerType=sched/lxfw
SchedulerParameters="defer, lxfw_policy=sjf"
NodeName=a[1-3] CPUs=4
NodeName=b CPUs=8
NodeName=c CPUs=4
PartitionName=p Nodes=a[1-3],b,c
PartitionName=q Nodes=a2,c
PartitionName=none Nodes=""
END

# --- misuse and bad input ---------------------------------------------------
# bad MESSAGE ARGUMENTS...
bad()
{
	message=$1
	shift
	"$lxfw" import --out none.swf --cluster-out none.hosts "$@" > out 2> told
	status=$?
	[ $status -eq 2 ] || fail "import $*: exit status $status"
	[ "$(sed -n 1p told)" = "$message" ] || fail "import $*: message '$(cat told)'"
	[ ! -s out ] && [ ! -e none.swf ] && [ ! -e none.hosts ] ||
		fail "import $*: an incomplete file"
}
bad "lxfw import: 0 files given, expected LOG..."
bad "lxfw import: --format-in 'nqs', expected swf|table|batsim|philly|jobcomp|slurmrestd|lsf|pbs|htcondor|maui|moab|sge|scontrol|slurm-sim|sacct" --format-in nqs sacct
bad "absent: No such file or directory" absent
bad "round.swf: a trace contains no host names, expected accounting records for --cluster-out" round.swf
bad "round.swf: a trace is one of several logs, expected accounting records" sacct round.swf
: > empty
bad "empty:1: no records in the file, expected records of pbs" --format-in pbs empty
# The first odd record is reported if nothing else is left.
sed -n '1p; 2s/1|2025-01-01T00:00:00|/1|yesterday|/p' sacct > wrong
bad "wrong:2: Submit is not a time, expected 2025-01-31T12:00:00 or seconds" wrong
echo 'a|b|c|d|e' > wrong
bad "wrong:1: no header line with JobID and an unknown order of columns, expected the output of sacct --parsable2 with its header line" wrong
echo 'JobID|Submit|Start|End' > wrong
bad "wrong:1: no column NCPUS in the header, expected at least JobID|Submit|Start|End|NCPUS" wrong
head -n 8 rest > wrong
bad "wrong:8: the text is not JSON or truncated, expected the output of slurmrestd or sacct --json" wrong
echo '{"nodes": []}' > wrong
bad 'wrong:1: no "jobs", expected an array of jobs' wrong
{ echo '{ "jobs": ['; sed -n '12,18p' rest | sed 's/"submission": 1735689605, //; $s/,$/]}/'; } > wrong
bad "wrong:2: a job without time.submission, expected seconds as in the jobs of slurmdb" wrong
{ echo; echo 'what'; } > wrong
bad "wrong:2: no accounting record, expected MM/DD/YYYY HH:MM:SS;TYPE;JOB;KEY=VALUE ..." --format-in pbs wrong
sed -n '8s/ end=1735689670//p' pbs > wrong
bad "wrong:1: no end in an E record, expected seconds since 1970" wrong
sed -n '1p; 2s/"name.*/"name/p' lsb.acct > wrong
bad "wrong:2: unterminated string, expected '\"'" wrong
sed -n '1p; 2s/ 0 2 "3.*//p' lsb.acct > wrong
bad "wrong:2: 22 fields in a JOB_FINISH, expected those of lsb.acct(5)" wrong
bad_cluster()
{
	bad "$1" --cluster wrong sacct
}
sed 's/CPUTot=16/CPUTot=many/' scontrol > wrong
bad_cluster "wrong:2: CPUTot=many, expected a number from 0 to 2147483647"
sed 's/NodeName=n2 /NodeName=n1 /' scontrol > wrong
bad_cluster "wrong:11: host n1 is a duplicate, expected each name once"
sed 's/ CPUEfctv=14 CPUTot=16//' scontrol > wrong
bad_cluster "wrong:1: node n1 without processors, expected CPUTot or cpus"
head -n 3 nodes.json > wrong
bad_cluster "wrong:3: the text is not JSON or truncated, expected the output of slurmrestd or scontrol show node --json"
echo '{"jobs": []}' > wrong
bad_cluster 'wrong: no "nodes", expected the output of slurmrestd or scontrol show node --json'
echo '{"errors": [{"description": "no access"}], "nodes": []}' > wrong
bad_cluster 'wrong: Slurm reports an error: no access'
echo '{"nodes": []}' > wrong
bad_cluster 'wrong: no node found, expected the output of scontrol show node or slurmrestd'
# The message follows the summary.
cut -d '|' -f 1-17 sacct | sed '/^c|d/d; /^  --/d' > nameless
expected='expected NodeList, exec_host, LastRemoteHost or similar for --cluster-out'
cp nameless nameless2
for logs in nameless 'nameless nameless2' -; do
	case $logs in
	-) message='<stdin>: no host names in the jobs of this log' ;;
	*' '*) message='nameless: no host names in the jobs of this log and of the other logs (1)' ;;
	*) message='nameless: no host names in the jobs of this log' ;;
	esac
	"$lxfw" import --out none.swf --cluster-out none.hosts $logs < nameless > out 2> told
	[ $? -eq 2 ] && [ "$(sed -n '$p' told)" = "$message, $expected" ] && [ ! -e none.swf ] &&
		[ ! -e none.hosts ] || fail "$logs without hosts: $(cat told)"
done
SLURM_JWT=a.b.c
export SLURM_JWT
bad "lxfw import: --since without --slurm-rest" --since 2026-01-01 sacct
bad "lxfw import: --slurm-rest and 1 files, expected one or the other" --slurm-rest unix:/none --since 2026-01-01 sacct
bad "lxfw import: --slurm-rest without --since, expected the date to begin with" --slurm-rest unix:/none
bad "lxfw import: --since '2026-02-30', expected a date such as 2026-01-31 or 2026-01-31T12:00, or seconds since 1970" --slurm-rest unix:/none --since 2026-02-30
bad "lxfw import: --since 2026-01-02 is not before 2026-01-01" --slurm-rest unix:/none --since 2026-01-02 --until 2026-01-01
bad "lxfw import: --token-file and --jwt-key, expected one of them" --slurm-rest unix:/none --since 2026-01-01 --token-file sacct --jwt-key sacct
bad "lxfw import: --timeout 0, expected from a second to a year" --slurm-rest unix:/none --since 2026-01-01 --timeout 0
bad "/none: No such file or directory" --slurm-rest unix:/none --since 2026-01-01
"$lxfw" import --cluster slurm.conf sacct > out 2> told
[ "$(sed -n 1p told)" = "lxfw import: --cluster without --cluster-out" ] ||
	fail "--cluster alone: $(cat told)"

# refuse MESSAGE OPTIONS...: no file is written, of whatever name
refuse()
{
	message=$1
	shift
	"$lxfw" import "$@" sacct > out 2> told
	[ $? -eq 2 ] && [ "$(sed -n 1p told)" = "lxfw import: $message" ] && [ ! -s out ] &&
		[ ! -e none ] && [ ! -e none2 ] && [ ! -e ./- ] ||
		fail "import $*: $(cat out told; ls)"
	rm -f none none2 ./-
}
for option in out cluster-out; do
	refuse "--$option is given twice, expected one file" "--$option=none" "--$option=none2"
	refuse "--$option '-', expected the name of a file" "--$option" -
done
refuse "--workload-out is given twice, expected one file" \
	--workload-out batsim:none --workload-out batsim5:none2
refuse "--workload-out '-', expected the name of a file" --workload-out batsim:-
refuse "--workload-out 'none', expected batsim:FILE or batsim5:FILE" --workload-out none
# --- the summary for programs ------------------------------------------------------------
cat > "$work/summary.sacct" <<'END'
JobID|Submit|Start|End|NCPUS|Timelimit|State
1|1735689600|1735689610|1735689710|3|00:10:00|COMPLETED
1.0|1735689600|1735689610|1735689710|3||COMPLETED
1|1735689600|1735689610|1735689710|3|00:10:00|COMPLETED
2|1735689600|1735689700|1735689701|2||COMPLETED
3|1735689601|Unknown|1735689650|1|00:10:00|CANCELLED by 7
4|1735689602|Unknown|Unknown|1|00:10:00|PENDING
END
"$lxfw" import --json --out "$work/summary.swf" "$work/summary.sacct" > "$work/json" 2> "$work/messages" ||
	fail "summary: exit status $?: $(cat "$work/messages")"
[ ! -s "$work/messages" ] || fail "summary: says $(cat "$work/messages")"
tr -d ' \n' < "$work/json" > "$work/is"
grep -qF '{"format":"sacct","jobs":3,"records":6,"job_records":3,"step_records":1,"not_ended_records":1,"duplicate_records":1,"other_records":0,' "$work/is" &&
	grep -qF '"never_started_jobs":1,' "$work/is" && grep -qF '"jobs_without_limit":1,' "$work/is" &&
	grep -qF '"most_procs":5,"begin_unix_s":1735689600}' "$work/is" || fail "summary: $(cat "$work/is")"
[ "$(grep -vc '^;' "$work/summary.swf")" -eq 3 ] || fail "summary: $(cat "$work/summary.swf")"
"$lxfw" import --format csv --out "$work/again.swf" "$work/summary.swf" > "$work/is" 2> "$work/messages" ||
	fail "summary of SWF: exit status $?: $(cat "$work/messages")"
printf '%s\n' table,row,key,number,text ,,format,,swf ,,jobs,3, ,,records,3, ,,odd_records,0, | cmp -s - "$work/is" ||
	fail "summary of SWF: $(cat "$work/is")"
"$lxfw" import --json "$work/summary.sacct" > "$work/is" 2> "$work/messages"
[ $? -eq 2 ] && [ ! -s "$work/is" ] && grep -q -e '--format without --out' "$work/messages" ||
	fail "summary without --out: $(cat "$work/messages")"

# --- too little memory ---------------------------------------------------------------------
# A file is not damaged because memory is too small for what decompresses it.
gzip -c xdmod > xdmod.gz
{ xz -c xdmod || cat xdmod; } > xdmod.xz 2> told
for log in xdmod xdmod.gz xdmod.xz; do
	for size in $(seq 40000 1000 90000); do
		(ulimit -v "$size" 2> told && exec "$lxfw" import --out little.swf "$log") > out 2> told && break
		grep -q 'damaged' told && fail "$log in $size KB: $(cat told)" && break
	done
done

# --- all files or none --------------------------------------------------------------------
# Nothing is learned if another file cannot be written, and no file has its name if the summary
# cannot be printed.
"$lxfw" import --history learned.db --machine m --out learned.swf summary.sacct > out 2> told
case $(cat told) in
*'built without SQLite'*) sqlite=no ;;
*)
	sqlite=yes
	grep -qx 'learned.db: machine m: 1 jobs, 1 of them new' out && [ -s learned.swf ] ||
		fail "the data base and a trace: $(cat out told)"
	;;
esac
if [ -c /dev/full ]; then
	for full in --out=/dev/full --workload-out=batsim:/dev/full; do
		[ $sqlite = yes ] || continue
		"$lxfw" import --history full.db --machine m "$full" summary.sacct > out 2> told
		[ $? -eq 2 ] && [ ! -e full.db ] && [ ! -s out ] &&
			grep -qx '/dev/full: No space left on device' told ||
			fail "$full: $(cat out told; ls full.db)"
	done
	"$lxfw" import --json --out full.swf --cluster-out full.hosts sacct > /dev/full 2> told
	[ $? -eq 2 ] && [ -s told ] && [ -z "$(ls | grep '^full')" ] ||
		fail "the summary on a full disk: $(cat told; ls | grep '^full')"
fi

finish
