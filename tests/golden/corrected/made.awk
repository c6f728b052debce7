# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints a slurm.conf with some of the settings of slurm.conf(5), which SEED determines:
# awk -v seed=1 -f made.awk. With every second seed, slurmctld starts with most of them.

# A number from 0 to BELOW - 1, by a linear congruential generator: rand() of awk differs
# between implementations.
function any(below)
{
	state = (state * 16807) % 2147483647
	return int(state / 2147483647 * below)
}

# One of the items of LIST, which are separated by '|'.
function one(list,    items, count)
{
	count = split(list, items, "|")
	return items[1 + any(count)]
}

# Prints KEY=VALUE in a share of the files, with one of the VALUES.
function maybe(percent, key, values)
{
	if (any(100) < percent)
		print key "=" one(values)
}

# Some items of LIST, separated by commas.
function some(list, most,    text, count)
{
	count = 1 + any(most)
	while (count-- > 0)
		text = text (text == "" ? "" : ",") one(list)
	return text
}

function nodes(    i)
{
	for (i = 1; i <= kinds; i++) {
		cpus[i] = one("1|4|16|96")
		memory[i] = any(100) < nomemory ? "" : " RealMemory=" one("100|2000|64000|257626")
		print "NodeName=k" i "n[1-4] CPUs=" cpus[i] memory[i] \
			(any(4) == 0 ? " Gres=gpu:" one("2|a100:4") : "") \
			(any(6) == 0 ? " Weight=" one("1|10") : "") \
			(any(8) == 0 ? " State=" one("UNKNOWN|CLOUD|FUTURE") : "") \
			(any(6) == 0 ? " MemSpecLimit=50" : "") \
			(!tame && any(12) == 0 ? one(" Nosuch=1| RestrictedCoresPerGPU=1") : "") \
			" Feature=" (any(3) == 0 ? "\"f" i ",g\"" : "f" i) \
			(any(6) == 0 ? " \\\n\tTmpDisk=10 # local" : "")
	}
}

function partitions(    i, count)
{
	if (any(4) == 0)
		print "PartitionName=DEFAULT " one("MaxTime=60|OverSubscribe=EXCLUSIVE|DefMemPerCPU=50|State=UP")
	count = 1 + any(3)
	for (i = 1; i <= count; i++)
		print "PartitionName=p" i " Nodes=" \
			one("ALL|k1n[1-4]|k1n[2-3]|k" kinds "n1|" (tame ? "ALL" : "k1n1,none") "|some") \
			one("||| MaxTime=60| MaxTime=INFINITE| DefaultTime=30 MaxTime=1-0") \
			one("||| OverSubscribe=EXCLUSIVE| OverSubscribe=FORCE:4| OverSubscribe=FORCE:1| Shared=NO") \
			one("|||| DefMemPerCPU=40| DefMemPerNode=90| DefMemPerGPU=30" (tame ? "" : "| DefMemPerCPU=400000")) \
			one("|||| MaxMemPerCPU=30| MaxMemPerNode=60") one("|| LLN=YES| PriorityTier=5") \
			one("||||||||| SelectTypeParameters=CR_Core" (tame ? "" : "| SelectTypeParameters=CR_CPU| Nosuch=YES")) \
			(i == 1 ? " Default=YES" : "")
}

function selection()
{
	maybe(75, "SelectType", "select/linear|select/cons_res|select/cons_tres|select/cons_tres|SELECT/CONS_TRES")
	if (any(100) < 75)
		print "SelectTypeParameters=" one("CR_Memory|CR_CPU|CR_Core|CR_Socket|CR_CPU_Memory|CR_Core_Memory|cr_core_memory|CR_Socket_Memory") \
			one("|||,CR_LLN|,CR_ONE_TASK_PER_CORE|,CR_CORE_DEFAULT_DIST_BLOCK,CR_Pack_Nodes|,CR_Memory|,CR_Nosuch") \
			one("|||  # what is allocated")
}

# Keys that some release refuses.
function refused()
{
	maybe(8, "FastSchedule", "0|1|2")
	maybe(5, "AccountingStoreJobComment", "YES|NO")
	maybe(5, one("NosuchKey|PreemptParameters|MetricsType|TLSType"), "some")
	maybe(10, "SchedulerTimeSlice", "30 VSizeFactor=110|\"60\"|30 SchedulerTimeSlice=60")
	if (any(10) == 0)
		print "maxjobcount = 20000 \\\n\tmaxarraysize=100"
}

BEGIN {
	tame = seed % 2
	state = seed * 7919 + 1
	for (i = 0; i < 20; i++)
		any(2)
	kinds = 1 + any(2)
	nomemory = one("0|0|50|100")
	print "ClusterName=made"
	print "SlurmctldHost=host"
	maybe(70, "SchedulerType", "sched/backfill|sched/builtin|sched/lxfw")
	if (any(100) < 70)
		print "SchedulerParameters=" one("|||=") \
			some("defer|sched_interval=-1|sched_interval=60|bf_continue|bf_window=2880|bf_interval=30|bf_max_job_user=20|bf_licenses|kill_invalid_depend|rl_enable|nosuch=1|default_queue_depth=50|lxfw_policy=lxfw|lxfw_policy=site|lxfw_policy=eqspatial|lxfw_quantum=60|lxfw_shadow=on|lxfw_spare_gpus=on|lxfw_nosuch=1", 6)
	if (tame)
		print one("# nothing is selected|SelectType=select/linear|SelectType=select/linear\nSelectTypeParameters=CR_Memory|SelectType=select/cons_res\nSelectTypeParameters=CR_CPU|SelectType=select/cons_tres|SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory,CR_LLN|SelectType=select/cons_tres\nSelectTypeParameters=CR_Core|SelectType=select/cons_tres\nSelectTypeParameters=CR_Socket_Memory  # sockets")
	else
		selection()
	maybe(30, "DefMemPerCPU", tame ? "1|50" : "1|50|2000|300000")
	maybe(10, "DefMemPerNode", "50|2000")
	maybe(10, "MaxMemPerCPU", "100|4000")
	maybe(25, "PriorityType", "priority/multifactor|priority/basic")
	maybe(25, "PriorityWeightFairshare", "0|1000")
	maybe(25, "PriorityWeightAge", "1000")
	if (any(4) == 0) {
		print "PreemptType=" one("preempt/partition_prio|preempt/qos|preempt/" (tame ? "qos" : "none"))
		maybe(tame ? 100 : 80, "PreemptMode", tame ? "REQUEUE|CANCEL|SUSPEND,GANG" : "REQUEUE|CANCEL|SUSPEND,GANG|SUSPEND|OFF|GANG")
	} else if (!tame) {
		maybe(10, "PreemptMode", "OFF|REQUEUE|GANG")
	}
	maybe(20, "JobRequeue", "0|1")
	maybe(15, "SuspendProgram", "/bin/true")
	maybe(15, "SuspendTime", "600|INFINITE")
	maybe(15, "ResumeTimeout", "30|600")
	maybe(50, "GresTypes", "gpu|gpu,mps|gpu,shard")
	maybe(30, "AccountingStorageType", "accounting_storage/slurmdbd|accounting_storage/none")
	maybe(20, "AccountingStorageTRES", "gres/gpu|gres/gpu:a100|license/x")
	maybe(15, "DependencyParameters", "disable_remote_singleton|kill_invalid_depend")
	maybe(15, "TopologyPlugin", "topology/tree|topology/none")
	maybe(15, "AuthAltParameters", "jwt_key=/none")
	if (!tame)
		refused()
	if (any(10) == 0)
		print "DefMemPerCPU=60"
	if (tame || any(3) > 0)
		print "NodeSet=some Feature=f1"
	nodes()
	partitions()
}
