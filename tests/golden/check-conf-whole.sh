#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw check-conf corrects the whole file: it has nothing to correct in what it wrote, for the
# files of tests/golden/corrected and 200 that are made from the settings of slurm.conf(5).
# tests/cluster/live-corrected.sh starts slurmctld with them.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

corrected=$(cd "$golden/corrected" && pwd) || exit 99
cd "$work" || exit 99

# correct NAME: correct NAME.conf to NAME.new.conf. Nothing is left to correct.
correct()
{
	"$lxfw" check-conf --no-files --write "$1.new.conf" "$1.conf" > "$1.out" 2> told
	status=$?
	[ $status -le 1 ] && [ ! -s told ] || fail "$1: exit status $status: $(cat told)"
	grep -q '^--- ' "$1.out"
	changed=$?
	[ $((status + changed)) -eq 1 ] || grep -q '^    # ' "$1.out" || fail "$1: exit status $status: $(cat "$1.out")"
	# What only the site can correct, such as RealMemory, has instructions.
	"$lxfw" check-conf --no-files "$1.new.conf" > again 2>&1 ||
		[ "$(grep -c '^    # ' again)" -gt 0 ] || fail "$1, corrected: $(cat again)"
	! grep -q '^--- ' again || fail "$1, corrected: $(cat again)"
}

# expect NAME FINDING LINE: the finding, '' = none, and a line of the corrected file.
expect()
{
	cp "$corrected/$1.conf" .
	correct "$1"
	if [ -n "$2" ]; then
		grep -q "\\[$2[],]" "$1.out" || fail "$1: no finding $2: $(cat "$1.out")"
	else
		grep -qx 'nothing to correct' "$1.out" || fail "$1: $(cat "$1.out")"
	fi
	grep -qxF -- "$3" "$1.new.conf" || fail "$1: no line $3: $(cat "$1.new.conf")"
}

cp "$corrected/xx_nodes" .
expect nodes-without-memory select 'SelectTypeParameters=CR_Core'
grep -q DefMem nodes-without-memory.new.conf && fail "a default without memory"
expect memory-without-nodes 'real-memory, stops jobs' 'SelectTypeParameters=CR_Core'
grep -q '^DefMem' memory-without-nodes.new.conf && fail "a default without memory"
expect no-select-type select 'SelectType=select/cons_tres'
expect linear-memory select 'SelectTypeParameters=CR_Core_Memory'
grep -qx 'SelectType=select/cons_tres' linear-memory.new.conf || fail "linear-memory: no select"
expect no-select-parameters default-memory 'DefMemPerCPU=500'
expect select-flags 'select-parameters, stops jobs' 'SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE,CR_LLN'
expect memory-per-gpu '' 'DefMemPerGPU=30000'
expect whole-nodes '' 'SelectTypeParameters=CR_Core_Memory'
expect unknown-nodes 'unknown-nodes, stops jobs' 'PartitionName=p1 MaxTime=60'
expect no-time-limit '' 'PartitionName=research Nodes=a1 Default=NO MaxTime=INFINITE State=UP'
grep -q 'end then.*default-time, note' no-time-limit.out || fail "no-time-limit: no note"
expect double-equals double-equals 'SchedulerParameters=defer,sched_interval=-1,bf_max_job_user=20'
expect moved-parameters moved-parameters 'DependencyParameters=kill_invalid_depend'
grep -qx 'SlurmctldParameters=rl_enable' moved-parameters.new.conf || fail "no rl_enable"
expect gpu-types '' 'GresTypes=gpu'
grep -q 'AccountingStorageTRES=gres/gpu' gpu-types.out || fail "gpu-types: no advice"
expect lower-case '' 'SelectTypeParameters=cr_core_memory'
expect include-name default-memory 'include %c_nodes'
expect down-nodes scheduler 'SelectTypeParameters=CR_Core'

# Combinations with which slurmctld does not start, or that refuse all jobs. Keys and values
# are in lower case, the last value of a key counts.
fatal()
{
	tr A-Z a-z < "$1" | awk -F= '
		/^#/ { next }
		# A future node tells its own.
		/^nodename/ && / (realmemory=|state=future)/ { memory = 1 }
		/^partitionname=.* nodes=[^ ]*none/ { print "unknown node" }
		!/^(nodename|partitionname|nodeset)/ { value[$1] = substr($0, length($1) + 2) }
		END {
			of = value["selecttypeparameters"]
			if (value["selecttype"] != "select/cons_tres")
				print "SelectType"
			if (of != "" && of !~ /(^|,)cr_(cpu|core|socket)/)
				print "SelectTypeParameters"
			if ((of == "" || of ~ /_memory/) && !memory)
				print "memory without RealMemory"
			if (value["preemptmode"] == "off" && value["preempttype"] ~ /qos|prio/)
				print "PreemptMode"
			if (value["defmempercpu"] != "" && value["defmempergpu"] != "")
				print "DefMemPerGPU"
		}'
}

count=$(random_cases 200 2000)
seed=${LXFW_SEED:-1}
n=0
while [ $n -lt "$count" ]; do
	awk -v seed=$((seed + n)) -f "$corrected/made.awk" > made.conf
	correct made
	told=$(fatal made.new.conf)
	[ -z "$told" ] || fail "seed $((seed + n)): $told: $(cat made.new.conf)"
	[ $failures -lt 5 ] || break
	n=$((n + 1))
done
echo "$n files"
finish
