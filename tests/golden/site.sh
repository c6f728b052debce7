#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Partitions, kinds of nodes, GPUs and reservations: what is read, and how simulations
# use it. An independent program (site.py) checks that no node is overcommitted and that
# every job runs where it is permitted and with the resources that it requests.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

judge=$(cd "$golden" && pwd)/site.py
cd "$work" || exit 99

# run WHAT ARGUMENT...: the output is written to out and told
run()
{
	what=$1
	shift
	"$lxfw" "$@" > out 2> told || fail "$what: exit status $?: $(cat told)"
}

# --- independent check ------------------------------------------------------

# truth SEED POLICY
truth()
{
	mkdir -p "$1" && python3 "$judge" make "$1" "$1" || exit 99
	run "truth $1" simulate --cluster "$1/slurm.conf" --policy "$2" \
		--journal "$1/journal" --jobs-out simulated.csv "$1/sacct"
	"$lxfw" journal "$1/journal" > journal.txt
	python3 "$judge" judge "$1" journal.txt > wrong ||
		fail "truth, seed $1, $2: $(cat wrong)"
	run "replay $1" replay "$1/journal"
	# compare derives the same requests and therefore the same schedule
	run "compare $1" compare --cluster "$1/slurm.conf" --policy "$2" \
		--start-overhead 0 --end-overhead 0 --jobs-out compared.csv "$1/sacct"
	cut -d , -f 1,5 simulated.csv | sed 1d | sort > a
	cut -d , -f 1,6 compared.csv | sed 1d | sort > b
	cmp -s a b || fail "compare and simulate differ for $1: $(diff a b | head -n 5)"
	# importing the log first makes no difference
	run "import $1" import --out imported.swf "$1/sacct"
	run "imported $1" simulate --cluster "$1/slurm.conf" --policy "$2" \
		--jobs-out imported.csv imported.swf
	cmp -s simulated.csv imported.csv || fail "importing $1 changes the trace"
	run "compare imported $1" compare --cluster "$1/slurm.conf" --policy "$2" \
		--start-overhead 0 --end-overhead 0 --jobs-out compared.csv imported.swf
	cut -d , -f 1,6 compared.csv | sed 1d | sort > b
	cmp -s a b || fail "compare of the import $1: $(diff a b | head -n 5)"
}

if command -v python3 > python; then
	truth 1 easy
	truth 2 conservative
	truth 3 sjf
else
	echo "python3 is not installed: schedules are not checked"
fi

# --- requirements kept from a record ----------------------------------------
# Job 1: GPUs of a type, in a reservation; 2: 2 nodes, though it requested one; 3:
# memory per node, two partitions; 4: no requirements
cat > sacct <<'END'
JobID|Submit|Start|End|NCPUS|NNodes|ReqNodes|ReqMem|ReqTRES|AllocTRES|Partition|QOS|Reservation|State|NodeList|Timelimit
1|2025-01-01T00:00:00|2025-01-01T00:00:10|2025-01-01T00:01:40|8|1|1|8000M|cpu=8,node=1|billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=8000M,node=1|gpu|high|course|COMPLETED|g1|01:00:00
2|2025-01-01T00:00:01|2025-01-01T00:00:10|2025-01-01T00:01:40|8|2|1|8000M|cpu=8,node=1|cpu=8,node=2|cpu|||COMPLETED|n[1-2]|01:00:00
3|2025-01-01T00:00:02|2025-01-01T00:01:40|2025-01-01T00:02:40|4|2|2|4000Mn|||cpu,all|||COMPLETED|n[1-2]|Partition_Limit
4|2025-01-01T00:00:03|2025-01-01T00:00:10|2025-01-01T00:00:20|1|||0||||||COMPLETED|n3|00:10:00
END
run import import --out out.swf --cluster-out out.hosts sacct
grep '^; Request' out.swf > is
cat > should <<'END'
; Request: 1 nodes=1,gres/gpu:a100=2,gres/gpu=2,qos=high,reservation=course
; Request: 2 nodes=2,least-nodes=1
; Request: 3 nodes=2,least-nodes=2,node-memory
END
diff should is > diff || fail "Request: $(cat diff)"
grep -v '^;' out.swf | cut -d ' ' -f 14,15 > is
printf '%s\n' '1 1' '2 2' '3 3' '-1 -1' > should
diff should is > diff || fail "columns 14 and 15: $(cat diff)"
sed 1d out.hosts > is
cat > should <<'END'
g1 procs=8 gpu:a100=2
n1 procs=4
n2 procs=4
n3 procs=1
# Its partitions, each of the hosts that its jobs had; there may be more.
partition=gpu nodes=g1
partition=cpu nodes=n[1-2]
END
diff should is > diff || fail "--cluster-out: $(cat diff)"
run "on its own hosts" simulate --cluster out.hosts --jobs-out jobs.csv out.swf
grep -q '^1,.*,g1,' jobs.csv || fail "job 1: $(cat jobs.csv)"

# --- messages ---------------------------------------------------------------
# One node of 4 processors with a GPU, one without. In order: an unknown partition;
# unknown GRES; longer than MaxTime; more nodes than MaxNodes; more than its partition
# has; the partition's DefaultTime as its limit.
cat > slurm.conf <<'END'
NodeName=a CPUs=4 Gres=gpu:1 Weight=20
NodeName=b CPUs=4
NodeName=c CPUs=4
PartitionName=one Nodes=a,b MaxTime=60 MaxNodes=1 DefaultTime=30
PartitionName=gpu Nodes=a PriorityTier=2
END
cat > sacct <<'END'
JobID|Submit|Start|End|NCPUS|NNodes|AllocTRES|Partition|State|Timelimit
1|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:40|4|1||far|COMPLETED|00:10:00
2|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:40|1|1|gres/fpga=1|one|COMPLETED|00:10:00
3|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:40|1|1||one|COMPLETED|02:00:00
4|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:40|2|2||one|COMPLETED|00:10:00
5|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:40|4|1|gres/gpu=2|gpu|COMPLETED|00:10:00
6|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:40|1|1||one|COMPLETED|Partition_Limit
END
for command in simulate compare; do
	run "notes of $command" $command --cluster slurm.conf sacct
	sed 's/.*sacct: //' told > notes
	for note in "1 jobs may run on any host: their partition is not in the cluster, such as far" \
		"1 jobs request resources that no host has, such as gres/fpga; this request is ignored" \
		"beyond the limits of their partition, but not changed: 1 jobs longer than MaxTime, 1 above MaxNodes, 0 below MinNodes"; do
		grep -qxF "$note" notes || fail "$command does not print '$note': $(cat told)"
	done
	grep -q '1 jobs left out: .* or the hosts of their partition$\|1 jobs left out: .*, 1 larger than the machine or the hosts of their partition$' \
		notes || fail "$command: job 5 is not left out: $(cat told)"
done
run "DefaultTime" simulate --cluster slurm.conf --journal journal sacct
"$lxfw" journal --job 6 journal > is
grep -q 'limit 1800 ' is || fail "DefaultTime: $(cat is)"
run "nodes do not count" simulate --shape anywhere --cluster slurm.conf --journal journal sacct
"$lxfw" journal --job 4 journal > is
grep -q ' 2 pieces:1:' is || fail "--shape anywhere: $(cat is)"
run "one host" simulate --shape one-host --cluster slurm.conf --journal journal sacct
"$lxfw" journal --job 4 journal > is
grep -q ' 1 hosts:2:' is || fail "--shape one-host: $(cat is)"

# --- a higher tier is scheduled first ---------------------------------------
cat > sacct <<'END'
JobID|Submit|Start|End|NCPUS|NNodes|Partition|State|Timelimit
1|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:40|8|2|one|COMPLETED|00:01:40
2|2025-01-01T00:00:01|2025-01-01T00:00:01|2025-01-01T00:01:41|8|2|one|COMPLETED|00:01:40
3|2025-01-01T00:00:02|2025-01-01T00:00:02|2025-01-01T00:01:42|4|1|gpu|COMPLETED|00:01:40
END
run "tier" simulate --policy fcfs --cluster slurm.conf --jobs-out jobs.csv sacct
cut -d , -f 1,3,9,10 jobs.csv > is
printf '%s\n' job_id,start,hosts,preemptions '1,0,"a,b",0' '2,200,"a,b",0' '3,100,a,0' |
	sed 's/"a,b",0/"a,b"/; s/hosts,preemptions/hosts,preemptions/' > should
diff should is > diff || fail "tier: $(cat diff)"

# --- other descriptions of the same cluster ---------------------------------
cat > cluster.txt <<'END'
a procs=4 gpu=1 weight=20
b,c procs=4
partition=one nodes=a,b max-time=1h max-nodes=1 default-time=30m
partition=gpu nodes=a tier=2
END
cat > scontrol.txt <<'END'
NodeName=a CoresPerSocket=4
   CPUAlloc=0 CPUTot=4
   Gres=gpu:1
   State=IDLE ThreadsPerCore=1 TmpDisk=0 Weight=20 Owner=N/A
   Partitions=one,gpu
NodeName=b CoresPerSocket=4
   CPUAlloc=0 CPUTot=4
   Partitions=one
NodeName=c CoresPerSocket=4
   CPUAlloc=0 CPUTot=4
PartitionName=one
   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL
   DefaultTime=00:30:00 DisableRootJobs=NO
   MaxNodes=1 MaxTime=01:00:00 MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED
   Nodes=a,b
   PriorityJobFactor=1 PriorityTier=1 RootOnly=NO OverSubscribe=NO
PartitionName=gpu
   DefaultTime=NONE MaxNodes=UNLIMITED MaxTime=UNLIMITED MinNodes=0
   Nodes=a
   PriorityJobFactor=1 PriorityTier=2 OverSubscribe=NO
END
cat > json <<'END'
{ "nodes": [
  { "name": "a", "cpus": 4, "gres": "gpu:1", "weight": 20, "partitions": [ "one", "gpu" ] },
  { "name": "b", "cpus": 4, "gres": "", "partitions": [ "one" ] },
  { "name": "c", "cpus": 4, "partitions": [ ] } ] }{
"partitions": [
  { "name": "one", "nodes": { "configured": "a,b" }, "priority": { "tier": 1 },
    "maximums": { "time": { "set": true, "infinite": false, "number": 60 },
      "nodes": { "set": true, "infinite": false, "number": 1 } },
    "defaults": { "time": { "set": true, "infinite": false, "number": 30 } } },
  { "name": "gpu", "nodes": "a", "priority_tier": 2, "max_time_limit": -1,
    "maximums": { "oversubscribe": { "jobs": 1 } } } ] }
END
run "written" import --cluster slurm.conf --cluster-out slurm.cluster --out /dev/null sacct
for file in cluster.txt scontrol.txt json slurm.cluster; do
	run "$file" import --cluster $file --cluster-out again --out /dev/null sacct
	sed 1d again | grep -v 'SelectType' > is
	sed 1d slurm.cluster | grep -v 'SelectType' > should
	diff should is > diff || fail "$file: $(cat diff)"
done
grep -q '^PartitionName=one Nodes=a,b MaxTime=0-01:00:00 DefaultTime=0-00:30:00 MaxNodes=1$' \
	slurm.cluster || fail "the cluster written: $(cat slurm.cluster)"
grep -q '^PartitionName=gpu Nodes=a PriorityTier=2$' slurm.cluster ||
	fail "the cluster written: $(cat slurm.cluster)"

# --- reservations -----------------------------------------------------------
# a is reserved from second 50 to 400: jobs of 100 s wait for its end, while b is free.
# 2 processors of c are reserved from minute 0 to 10 of every hour. Job 3 belongs to the
# reservation.
cat > sacct <<'END'
JobID|Submit|Start|End|NCPUS|NNodes|Partition|Reservation|State|Timelimit
1|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:40|4|1|gpu||COMPLETED|00:01:40
2|2025-01-01T00:00:01|2025-01-01T00:00:01|2025-01-01T00:01:41|4|1|one||COMPLETED|00:01:40
3|2025-01-01T00:00:02|2025-01-01T00:00:52|2025-01-01T00:01:42|4|1|one|course|COMPLETED|00:01:40
4|2025-01-01T01:00:00|2025-01-01T01:00:00|2025-01-01T01:00:10|12|3|||COMPLETED|00:00:10
END
cat > resv <<'END'
ReservationName=course StartTime=2025-01-01T00:00:50 EndTime=2025-01-01T00:06:40 Duration=00:05:50
   Nodes=a NodeCnt=1 CoreCnt=4 Features=(null) PartitionName=(null) Flags=SPEC_NODES
   TRES=cpu=4
   Users=ann Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null)

ReservationName=hourly StartTime=2025-01-02T00:00:00 EndTime=2025-01-02T00:00:10 Duration=00:00:10
   Nodes=c NodeCnt=1 CoreCnt=2 Features=(null) PartitionName=(null) Flags=HOURLY,SPEC_NODES
   TRES=cpu=2
ReservationName=later StartTime=2026-01-01T00:00:50 EndTime=2026-01-01T00:06:40 Nodes=a
ReservationName=licenses StartTime=2025-01-01T00:00:50 EndTime=2025-01-01T00:06:40 Nodes=(null)
END
tr '\n' ' ' < resv | sed 's/ReservationName/\n&/g' > oneliner
cat > resv.json <<'END'
{ "reservations": [
  { "name": "course", "start_time": 1735689650, "end_time": { "set": true, "number": 1735690000 },
    "node_list": "a", "tres": "cpu=4", "flags": [ "SPEC_NODES" ] },
  { "name": "hourly", "start_time": 1735776000, "end_time": 1735776010, "node_list": "c",
    "tres": "cpu=2", "flags": [ "HOURLY" ] },
  { "name": "later", "start_time": 1767225650, "end_time": 1767226000, "node_list": "a" },
  { "name": "licenses", "start_time": 1735689650, "end_time": 1735690000, "node_list": "" } ] }
END
cat > should <<'END'
1,400,a
2,1,b
4,3610,a-c
END
run "import" import --out out.swf sacct
for resv in resv oneliner resv.json; do
	for log in sacct out.swf; do
		run "$resv" simulate --cluster slurm.conf --reservations $resv \
			--jobs-out jobs.csv $log
		sed 1d jobs.csv | sed 's/"a,b,c"/a-c/' | cut -d , -f 1,3,9 > is
		diff should is > diff || fail "$resv, $log: $(cat diff told)"
		grep -q "$resv: 2 reservations; left out: 1 outside the period of the log, 1 without hosts" \
			told || fail "$resv: $(cat told)"
		grep -q '1 jobs left out: they ran in a reservation' told ||
			fail "$resv: $(cat told)"
		run "compare $resv" compare --cluster slurm.conf --reservations $resv \
			--start-overhead 0 --end-overhead 0 --jobs-out jobs.csv $log
		cut -d , -f 1,6 jobs.csv > is
		printf '%s\n' job_id,simulated_wait 1,400 2,0 4,10 > wait
		diff wait is > diff || fail "compare $resv, $log: $(cat diff)"
	done
done

# --- perturbed copies keep partitions ---------------------------------------
# Three jobs for the only node of their partition, compared with two empty partitions.
cat > sacct <<'END'
JobID|Submit|Start|End|NCPUS|NNodes|Partition|State|Timelimit
1|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T02:46:40|4|1|gpu|COMPLETED|03:01:40
2|2025-01-01T00:00:01|2025-01-01T00:00:00|2025-01-01T02:46:40|4|1|gpu|COMPLETED|03:01:40
3|2025-01-01T00:00:02|2025-01-01T00:00:00|2025-01-01T02:46:40|4|1|gpu|COMPLETED|03:01:40
END
run "shaken" simulate --policy easy --policy fcfs --shake 2 --cluster slurm.conf --format csv sacct
awk -F , '$1 == "easy" && $3 == "mean_wait_s" { found = $9 > 5000 } END { exit !found }' out ||
	fail "perturbed: $(grep mean_wait_s out)"
"$lxfw" simulate --load 1 --reservations resv --cluster slurm.conf sacct > out 2> told
grep -q -- '--load with --reservations' told || fail "--load with --reservations: $(cat told)"

# --- bad input --------------------------------------------------------------

# bad MESSAGE ARGUMENT...
bad()
{
	message=$1
	shift
	"$lxfw" simulate "$@" sacct > out 2> told
	[ $? -eq 2 ] || fail "$message: exit status $?"
	grep -qF "$message" told || fail "not '$message': $(cat told)"
	[ ! -s out ] || fail "$message: $(cat out)"
}
echo 'partition=p nodes=x' | cat cluster.txt - > bad.txt
bad "bad.txt:5: no host x in the lines above, expected hosts before their partitions" --cluster bad.txt
echo 'partition=one nodes=a' | cat cluster.txt - > bad.txt
bad "bad.txt:5: partition one is a duplicate" --cluster bad.txt
echo 'partition=p nodes=a tier=-1' | cat cluster.txt - > bad.txt
bad "bad.txt:5: 'tier=-1', expected a number from 0 to 2147483647" --cluster bad.txt
echo 'partition=p tier=1' | cat cluster.txt - > bad.txt
bad "bad.txt:5: partition p without hosts, expected nodes=NAMES" --cluster bad.txt
sed 's/MaxTime=60/MaxTime=soon/' slurm.conf > bad.conf
bad "bad.conf:4: MaxTime=soon, expected a time as [DAYS-]HOURS:MINUTES:SECONDS" --cluster bad.conf
echo 'NodeName=a' > bad.resv
bad "bad.resv:1: no reservation found, expected the output of scontrol show reservation" \
	--cluster slurm.conf --reservations bad.resv
echo 'ReservationName=r StartTime=noon EndTime=2025-01-01T00:06:40 Nodes=a' > bad.resv
bad "bad.resv:1: StartTime=noon, expected a time such as 2025-01-31T12:00:00" \
	--cluster slurm.conf --reservations bad.resv
echo '{ "reservations": [' > bad.resv
bad "the text is not JSON or truncated" --cluster slurm.conf --reservations bad.resv
echo '{ "reservations": [ { "name": null } ] }' > bad.resv
bad "reservation  without a time" --cluster slurm.conf --reservations bad.resv

finish
