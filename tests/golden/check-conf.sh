#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw check-conf: a configuration without findings, and for each finding a change that
# causes it. The check must print the line that corrects it, and must find nothing after
# the correction. Notes are printed besides, and count as nothing found.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

doc=$(cd "$top_srcdir/doc" && pwd) || exit 99
cd "$work" || exit 99
case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac

cat > nodes.conf <<'END'
nodename=DEFAULT CPUs=16 RealMemory=64000
NodeName=n[1-4]
NodeName=n5 CPUs=32
END
cat > good.conf <<'END'
# The configuration of sched_lxfw(8).
ClusterName=test
SlurmctldHost=one
SlurmctldHost=two
SCHEDULERTYPE=sched/lxfw
SchedulerParameters=defer,sched_interval=-1,\
lxfw_policy=lxfw,lxfw_quantum=60,max_array_tasks=100
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory	# with memory
DefMemPerCPU=2000
StateSaveLocation=/var/spool/slurmctld
Include nodes.conf
PartitionName=DEFAULT DefaultTime=60
PartitionName=p Nodes=n[1-4] Default=YES
PartitionName=q Nodes=n5 MaxTime=1-0 OverSubscribe=FORCE:1
END

"$lxfw" check-conf --no-files good.conf > out 2> told
status=$?
[ $status -eq 0 ] && [ "$(sed -n '$p' out)" = "nothing to correct" ] && [ ! -s told ] &&
	[ "$(wc -l < out)" -eq 2 ] && grep -q '^good.conf:5: .* \[heterogeneous-jobs, note\]$' out ||
	fail "no findings: exit status $status: $(cat out told)"
"$lxfw" check-conf --no-files --json good.conf > json ||
	fail "only a note, as JSON: exit status $?"
grep -q '"note": *true' json && grep -q '"works": *true' json && ! grep -q '"mend"' json ||
	fail "only a note, as JSON: $(cat json)"
sed '1s,.*,PluginDir=/a/lxfw:/a,; 5s,lxfw,backfill,' good.conf > stock.conf
"$lxfw" check-conf --no-files stock.conf > out 2> told
status=$?
[ $status -eq 0 ] && [ "$(cat out)" = "nothing found" ] && [ ! -s told ] ||
	fail "no findings, no notes: exit status $status: $(cat out told)"
[ "$("$lxfw" check-conf --no-files --json stock.conf | tr -d ' \n')" = '[]' ] ||
	fail "no findings, as JSON"

# Print the findings in `out`, without the notes, the instructions and the diff.
findings()
{
	sed '/^--- /,$d' out | grep '^[^ ]' | grep -v -e ', note\]$' -e '^nothing to correct$'
}

# find WHAT FINDING LINE SED: change good.conf by SED. The check must report FINDING for LINE
# ('' = no line) and nothing else. The corrected file has the line on standard input, or the
# output has it if it is an instruction. Nothing is found in the corrected file.
find()
{
	what=$1 finding=$2 line=$3
	sed "$4" good.conf > changed.conf
	rm -f mended.conf
	"$lxfw" check-conf $files --write mended.conf changed.conf > out 2> told
	status=$?
	cat > mend
	[ $status -eq 1 ] || fail "$what: exit status $status: $(cat told)"
	[ "$(findings | wc -l)" -eq "${many:-1}" ] || fail "$what: $(cat out)"
	grep -q "^changed.conf${line:+:$line}: .* \[$finding[],]" out ||
		fail "$what: $(cat out told)"
	grep -qF -- "    $(cat mend)" out || grep -qiF -- "$(cat mend)" mended.conf ||
		fail "$what: not corrected to $(cat mend): $(cat out)"
	"$lxfw" check-conf $files --json changed.conf > json
	grep -q "\"finding\": *\"$finding\"" json || fail "$what: $(cat json)"
	[ -n "$files" ] || return
	"$lxfw" check-conf $files mended.conf > out2 2> told ||
		fail "$what, corrected: $(cat out2 told)"
	# The diff makes the same file.
	command -v patch > /dev/null || return 0
	cp changed.conf patched.conf
	sed -n '/^--- /,$p' out | patch -s patched.conf && cmp -s patched.conf mended.conf ||
		fail "$what: the diff differs: $(diff patched.conf mended.conf)"
}

files=--no-files
good=defer,sched_interval=-1,lxfw_policy=lxfw,lxfw_quantum=60,max_array_tasks=100

# --- schedulers -------------------------------------------------------------
echo 'SchedulerType=sched/lxfw' > line
find "wrong scheduler" scheduler 5 '5s,sched/lxfw,sched/backfill,' s < line
find "no scheduler" scheduler '' 5d a < line
# The plugin under the stock name, in a directory named lxfw.
for change in '1s,.*,PluginDir=/a/lxfw:/a,; 5s,lxfw,backfill,' '1s,.*,PluginDir=/a/lxfw/,; 5d'; do
	sed "$change" good.conf > stock.conf
	"$lxfw" check-conf --no-files stock.conf > out || fail "the stock name: $(cat out)"
done
for dirs in /a:/a/lxfw lxfw /a/xlxfw; do
	find "other directories" scheduler 5 "1s,.*,PluginDir=$dirs,; 5s,lxfw,backfill," s < line
done
find "another scheduler" scheduler 5 '1s,.*,PluginDir=/a/lxfw:/a,; 5s,lxfw,builtin,' s < line
echo "SchedulerParameters=$good" > line
find "main scheduler" main-scheduler 6 '6s/defer,sched_interval=-1,//' < line
find "main scheduler periodically" main-scheduler 6 '6s/=-1/=60/' < line
find "main scheduler at submission" main-scheduler 6 '6s/defer,//' < line
echo 'SchedulerParameters=defer,sched_interval=-1' > line
find "no parameters" main-scheduler '' '6,7d' a < line

# --- parameters -------------------------------------------------------------
echo "SchedulerParameters=$good" > line
find "unknown lxfw key" parameters 6 '7s/^/lxfw_polcy=lxfw,/' < line
find "lxfw key twice" parameters 6 '7s/$/,lxfw_quantum=30/' < line
find "value out of range" parameters 6 '7s/$/,lxfw_wx=-1/' < line
find "key without effect" parameters 6 '7s/$/,lxfw_eq_min_interval=60/' < line
echo 'SchedulerParameters=defer,sched_interval=-1,max_array_tasks=100' > line
find "classes" parameters 6 '7s/.*/lxfw_policy=classes,max_array_tasks=100/' < line
echo 'SchedulerParameters=defer,sched_interval=-1,lxfw_policy=eqspatial' > line
find "too short an interval" parameters 6 \
	'7s/.*/lxfw_policy=eqspatial,lxfw_eq_min_interval=1/' < line
echo 'SchedulerParameters=defer,sched_interval=-1,lxfw_policy=remaining' > line
find "memory released by suspended jobs" parameters 6 \
	'7s/.*/lxfw_policy=remaining,lxfw_rem_frees=all/' < line
grep -q 'lxfw_rem_frees: only procs is possible with Slurm' out || fail "rem_frees: $(cat out)"
find "too young" parameters 6 '7s/.*/lxfw_policy=remaining,lxfw_rem_min_run=9/' < line
echo 'SchedulerParameters=defer,sched_interval=-1,lxfw_policy=site' > line
find "preemption by tier" parameters 6 '7s/.*/lxfw_policy=site,lxfw_preempt_tiers=1/' < line
grep -q 'lxfw_preempt_tiers is for other workload managers' out || fail "preempt_tiers: $(cat out)"
find "too young for a level" parameters 6 '7s/.*/lxfw_policy=site,lxfw_preempt_min_run=1/' < line
echo 'SchedulerParameters=defer,sched_interval=-1,lxfw_policy=pfcfs2' > line
find "short turns" parameters 6 '7s/.*/lxfw_policy=pfcfs2,lxfw_pf_gang=9/' < line
echo "SchedulerParameters=$good" > line
echo 'SchedulerParameters=defer,lxfw_policy=lxfw,lxfw_quantum=60,max_array_tasks=100,bf_interval=30,lxfw_shadow=on' > line
find "shadow mode" shadow 6 '7s/$/,bf_interval=30,lxfw_shadow=on/' s < line
"$lxfw" check-conf --no-files changed.conf > out
grep -q 'turns a part of it off' out || fail "shadow mode: $(cat out)"
sed '6s/defer,sched_interval=-1,//; 7s/lxfw_policy=lxfw.*/bf_continue,lxfw_shadow=on,lxfw_policy=lxfw/' good.conf > shadow.conf
"$lxfw" check-conf --no-files shadow.conf > out || fail "shadow mode alone: $(cat out)"
find "shadow mode of a policy that interrupts" parameters 6 \
	'6s/defer,sched_interval=-1,//; 7s/.*/lxfw_policy=pfcfs1,lxfw_shadow=on/' <<'END'
SchedulerParameters=lxfw_shadow=on
END
find "shadow mode twice" parameters 6 \
	'6s/defer,sched_interval=-1,//; 7s/.*/lxfw_shadow=on,lxfw_shadow=on/' s <<'END'
SchedulerParameters=lxfw_shadow=on
END
find "an invalid shadow mode" parameters 6 \
	'6s/defer,sched_interval=-1,//; 7s/.*/lxfw_policy=easy,lxfw_shadow=yes/' s <<'END'
SchedulerParameters=lxfw_policy=easy,lxfw_shadow=on
END
echo "SchedulerParameters=$good" > line
find "a parameter without effect" idle-parameters 6 '7s/$/,bf_interval=30/' < line
grep -q ": without effect on sched/lxfw: bf_interval=30 (a pass follows each change; similar: lxfw_interval) \\[idle" out ||
	fail "a parameter without effect: $(cat out)"
find "a parameter that is no number" idle-parameters 6 '7s/$/,bf_max_job_user=ten/' < line
find "a parameter of a key that is given" idle-parameters 6 \
	'7s/.*/lxfw_reservation_age=60,bf_min_age_reserve=30/' <<'END'
SchedulerParameters=defer,sched_interval=-1,lxfw_reservation_age=60
END
# Parameters that the plugin or Slurm itself reads are not found.
sed '7s/$/,bf_window=2880,BF_MAX_JOB_USER=5,bf_continue,enable_user_top,max_rpc_cnt=150/' \
	good.conf > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "effective parameters: $(cat out)"
# One finding for all parameters of a kind, and one corrected line for all findings.
many=4 find "many parameters" main-scheduler 6 '6s/=-1/=60/
7s/$/,bf_interval=30,bf_max_job_test=1000,bf_resolution=60,default_queue_depth=50,foo,bar=1,bar=2,max_array_tasks=9/' < line
[ "$(grep -c '^+[^+]' out)" -eq 1 ] || fail "many parameters: $(cat out)"
find "unknown parameter" unknown-parameters 6 '7s/$/,defre/' < line
find "shadowed parameter" shadowed-parameters 6 '7s/$/,MAX_ARRAY_TASKS=7/' < line
echo '#DefMemPerCPU=100' > line
find "a key twice" twice 8 '8i\
DefMemPerCPU=100' s < line

# --- GPUs -------------------------------------------------------------------
echo "SchedulerParameters=$good,lxfw_placement=paper,lxfw_spare_gpus=on" > line
gpus='1i\
GresTypes=gpu
s/^SelectType=/NodeName=g1 CPUs=16 RealMemory=64000 Gres=gpu:2\
&/
s/Nodes=n\[1-4\]/&,g1/'
find "GPUs beside nodes without" gpus 7 "$gpus
7s/\$/,lxfw_placement=paper/" < line
find "GPUs as an option that is off" gpus 7 "$gpus
7s/\$/,lxfw_placement=paper,lxfw_spare_gpus=off/" < line
for change in '' '8s/$/,lxfw_spare_gpus=on/' 's/Gres=/Weight=5 &/' 's/Nodes=n5/Nodes=n[1-5]/;s/Nodes=n\[1-4\],g1/Nodes=g1/'; do
	sed "$gpus" good.conf | sed "$change" > changed.conf
	"$lxfw" check-conf --no-files changed.conf > out || fail "spared GPUs, $change: $(cat out)"
done

# Nodes of 2 and of 4 GPUs. A larger Weight of the latter leaves nothing to note.
sizes="$gpus
7s/\$/,lxfw_spare_gpus=on/
s/Gres=gpu:2/&\\
NodeName=g2 CPUs=16 RealMemory=64000 Gres=gpu:4/
s/Nodes=n\[1-4\],g1/&,g2/"
# gpus_note CHANGE TEXT
gpus_note()
{
	sed "$sizes" good.conf | sed "$1" > changed.conf
	"$lxfw" check-conf --no-files changed.conf > out || fail "sizes, $1: $(cat out)"
	grep "partition p .*$2.* \[uneven-gpus, note\]$" out > told ||
		fail "sizes, $1: no '$2': $(cat out)"
}
gpus_note '' 'lxfw_placement=gpus uses those with few free GPUs first'
gpus_note '8s/$/,lxfw_placement=paper/' 'jobs of one GPU may use any'
gpus_note '/gpu:2/s/$/ Weight=3/; /gpu:4/s/$/ Weight=2/' 'differ in their number of GPUs'
sed "$sizes" good.conf | sed '/gpu:4/s/$/ Weight=9/' > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "sizes, weights: $(cat out)"
! grep -q uneven-gpus out || fail "sizes, weights: $(cat out)"
sed "$sizes" good.conf | sed 's/gpu:2/gpu:t4:2/; s/gpu:4/gpu:h100:4/' > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "sizes, types: $(cat out)"
! grep -q uneven-gpus out || fail "sizes, types: $(cat out)"
sed "$sizes" good.conf | sed 's/gpu:4/gpu:a:2147483647,gpu:b:2147483647/' > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "sizes, large: $(cat out)"
sed "$sizes" good.conf | sed 's/CR_Core_Memory/&,CR_LLN/' > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "sizes, load: $(cat out)"
grep -q 'jobs of few GPUs spread over nodes.*least-loaded, note' out ||
	fail "sizes, load: $(cat out)"

# --- resources --------------------------------------------------------------
echo 'SelectType=select/cons_tres' > line
find "another selection" select 8 '8s/cons_tres/linear/' s < line
find "no memory" memory 9 '9s/CR_Core_Memory/CR_CPU,CR_LLN/' <<'END'
SelectTypeParameters=CR_CPU_Memory,CR_LLN
END
sed '9s/_Memory//; 12s/.*/NodeName=n[1-5] CPUs=2 State=FUTURE/' good.conf > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "nodes that tell their memory: $(cat out)"
find "no kind of processors" memory 9 '9s/CR_Core_Memory/CR_Memory,CR_LLN/' <<'END'
SelectTypeParameters=CR_Core_Memory,CR_LLN
END
grep -q '\[memory, stops jobs\]' out || fail "no kind of processors: $(cat out)"
# slurmctld does not start with these items.
find "an unknown item" select-parameters 9 '9s/CR_Core_Memory/CR_Core_Memory,CR_Cores/' <<'END'
SelectTypeParameters=CR_Core_Memory
END
find "two items" select-parameters 9 '9s/CR_Core_Memory/CR_LLN,CR_Memory,CR_Socket/' <<'END'
SelectTypeParameters=CR_LLN,CR_Socket_Memory
END
find "tasks of cores" select-parameters 9 '9s/CR_Core_Memory/CR_ONE_TASK_PER_CORE,cr_cpu_memory/' <<'END'
SelectTypeParameters=CR_ONE_TASK_PER_CORE,CR_Core_Memory
END
find "only unknown items" select-parameters 9 '9s/CR_Core_Memory/cores/' <<'END'
#SelectTypeParameters=cores	# with memory
END
find "items of a partition" select-parameters 14 '14s/$/ SelectTypeParameters=CR_CPU/' <<'END'
PartitionName=p Nodes=n[1-4] Default=YES
END
sed '14s/$/ SelectTypeParameters=CR_Socket_Memory/' good.conf > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "a partition's items: $(cat out)"
# The default is CR_Core_Memory.
sed 9d good.conf > changed.conf
"$lxfw" check-conf --no-files changed.conf > out ||
	fail "no parameters of the selection: $(cat out)"
find "linear by default" select '' 8d <<'END'
SelectType=select/cons_tres
END
grep -q 'up to 23.02) slurmctld does not start if .*\[select, stops jobs\]' out ||
	fail "linear by default: $(cat out)"
cp nodes.conf nodes.with
sed 's/ RealMemory=64000//' nodes.with > nodes.conf
find "no memory in nodes" real-memory 9 '1s/$/./' <<'END'
#DefMemPerCPU=2000
END
# A default is too much for them, even if memory is not allocated.
many=2 find "no memory in nodes, nor allocated" real-memory 10 '9s/_Memory//' <<'END'
#DefMemPerCPU=2000
END
find "no memory in nodes, a partition's default" real-memory 13 '9s/_Memory//; 10d; 14s/$/ DefMemPerNode=9/; 15s/$/ OverSubscribe=EXCLUSIVE/' <<'END'
PartitionName=p Nodes=n[1-4] Default=YES
END
# Slurm takes a job whose default exceeds the limit.
sed '9s/_Memory//; 14,15s/$/ MaxMemPerNode=1000/' good.conf > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "a limit below the default: $(cat out)"
# Without its own default the partition has that of the cluster.
sed '9s/_Memory//; 12s/$/\nNodeName=m1 CPUs=4 RealMemory=9000/; 14s/$/ DefMemPerNode=9/; 15s/n5/m1/' good.conf > changed.conf
"$lxfw" check-conf --no-files --write mended.conf changed.conf > out
[ $? -eq 1 ] && grep -q '^    # RealMemory on the lines of its nodes$' out &&
	grep -q 'DefMemPerNode=9' mended.conf || fail "two defaults: $(cat out)"
cp nodes.with nodes.conf

echo 'DefMemPerCPU=2000' > line
find "default memory" default-memory '' '10d' a < line
echo 'PreemptMode=OFF' > line
find "gang scheduling" gang 1 '1s/.*/PreemptMode=suspend,gang/' s < line
find "preemption mode without type" preempt-mode 1 '1s/.*/PreemptMode=requeue/' s < line
[ "$(grep -c 'preempt-mode, stops jobs' out)" -eq 1 ] || fail "mode without type: $(cat out)"
echo 'PreemptMode=OFF' > line
find "suspension without type" preempt-mode 1 '1s/.*/PreemptMode=suspend,gang/; 7s/lxfw_quantum=60,//' s < line
echo 'PreemptType=preempt/none' > line
for mode in OFF GANG WITHIN,gang; do
	find "type without mode" preempt-mode 2 "1s|.*|PreemptMode=$mode\\
PreemptType=preempt/qos|; 7s/lxfw_quantum=60,//" s < line
done
find "type without any mode" preempt-mode 1 '1s,.*,PreemptType=preempt/partition_prio,' s < line
echo 'PreemptMode=SUSPEND,GANG' > line
find "suspension without gang scheduling" preempt-mode 1 '1s,.*,PreemptMode=suspend\
PreemptType=preempt/qos,; 7s/lxfw_quantum=60,//' s < line
# Preemption, and gang scheduling where no job gets a quantum, are supported.
for mode in requeue suspend,gang; do
	sed "1s/^/PreemptType=preempt\/partition_prio\nPreemptMode=$mode\n/
s/lxfw_quantum=60,//" good.conf > changed.conf
	"$lxfw" check-conf $files changed.conf > out ||
		fail "PreemptMode=$mode: $(cat out)"
done
echo 'JobRequeue=1' > line
find "no requeue" requeue 1 '1s/.*/JobRequeue=0/' s < line
echo "SchedulerParameters=defer,sched_interval=-1,max_array_tasks=100" > line
find "a quantum on whole nodes" exclusive-quantum 14 \
	'7s/lxfw_policy=lxfw,//; 14s/$/ OverSubscribe=EXCLUSIVE/; 15s/FORCE:1/EXCLUSIVE/' < line
many=2 find "a quantum after two equals signs" exclusive-quantum 14 \
	'6,7d; 5s/$/\nSchedulerParameters==lxfw_quantum=60,defer,sched_interval=-1\n/; 14s/$/ OverSubscribe=EXCLUSIVE/; 15s/FORCE:1/EXCLUSIVE/' <<'END'
SchedulerParameters=defer,sched_interval=-1
END
find "a quantum where partitions are exclusive" exclusive-quantum 14 \
	'7s/lxfw_policy=lxfw,//; 13s/$/ OverSubscribe=EXCLUSIVE/; 14s/$/ Exclusive=node/; 15s/ Over.*//' < line
sed '7s/lxfw_policy=lxfw,//; 13s/$/ OverSubscribe=EXCLUSIVE/; 14s/$/ Exclusive=NO/' good.conf > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "one partition is not exclusive: $(cat out)"
echo 'PreemptType=preempt/qos' > line
find "gang scheduling for preemption" gang 1 '1s,.*,PreemptMode=suspend\,gang\nPreemptType=preempt/qos,' < line
grep -q '^PreemptMode=suspend,gang$' mended.conf && ! grep -q quantum mended.conf ||
	fail "gang scheduling for preemption: $(cat out)"
# Priorities stay if no policy was chosen.
find "fair share" priority 1 '1s,.*,PriorityWeightFairshare=1000,; 7s/.*/max_array_tasks=100/' <<'END'
SchedulerParameters=defer,sched_interval=-1,max_array_tasks=100,lxfw_policy=site
END
# One note for all weights under a policy that was chosen.
for keys in lxfw_policy=fcfs lxfw_policy=lxfw; do
	sed "1i\\
PriorityWeightQOS=5\\
PriorityWeightFairshare=1000\\
PriorityWeightAge=0\\
PriorityWeightPartition=7
s/^lxfw_policy=.*/$keys,max_array_tasks=100/" good.conf > changed.conf
	"$lxfw" check-conf --no-files changed.conf > out || fail "several weights: $(cat out)"
	grep -q "PriorityWeightFairshare and 2 other weights have no effect under $keys" out ||
		fail "several weights under $keys: $(cat out)"
	grep -q "sprio and squeue -S -p still show them.*'squeue --start -S S'" out ||
		fail "what to look at instead, under $keys: $(cat out)"
done
for keys in lxfw_policy=site lxfw_policy=lxfw,lxfw_wsite=1; do
	sed "1s/.*/PriorityWeightFairshare=1000/; s/^lxfw_policy=.*/$keys,max_array_tasks=100/" \
		good.conf > changed.conf
	"$lxfw" check-conf --no-files changed.conf > out || fail "weights under $keys: $(cat out)"
	grep -q '\[priority' out && fail "weights under $keys: $(cat out)"
done
sed '1s,.*,AuthAltParameters=jwt_key=/none,' good.conf > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "tokens: $(cat out)"
grep -q 'AuthAltTypes=auth/jwt.*\[tokens, note\]' out || fail "tokens: $(cat out)"

# --- items of other keys --------------------------------------------------------
echo 'DependencyParameters=kill_invalid_depend' > line
find "moved parameters" moved-parameters 6 '7s/$/,kill_invalid_depend/' < line
echo 'SlurmctldParameters=cloud_dns,rl_enable' > line
find "moved parameters of a key that is given" moved-parameters 6 \
	'1s/.*/SlurmctldParameters=cloud_dns/; 7s/$/,rl_enable,cloud_dns/' < line
echo "SchedulerParameters=$good" > line
find "an equals sign too many" double-equals 6 '6s/=/==/' < line
sed '7s/$/,bf_licenses/' good.conf > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "bf_licenses: $(cat out)"

# --- GPUs in the accounting -----------------------------------------------------
gpu_node='1i\
GresTypes=gpu
7s/$/,lxfw_spare_gpus=on/
s/^SelectType=/NodeName=g1 CPUs=16 RealMemory=64000 Gres=gpu:2\
&/'
sed "$gpu_node" good.conf > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "GPUs: $(cat out)"
grep -q 'AccountingStorageTRES=gres/gpu.*\[gpu-accounting, note\]' out || fail "GPUs: $(cat out)"
echo 'AccountingStorageTRES=gres/gpu' > line
find "GPUs in slurmdbd" gpu-accounting '' "$gpu_node
1i\\
AccountingStorageType=accounting_storage/slurmdbd" < line

# --- partitions -------------------------------------------------------------
# A corrected partition keeps its other items. Names that exist stay.
find "unknown nodes" unknown-nodes 14 '14s/n\[1-4\]/n[4-7]/' <<'END'
PartitionName=p Nodes=n[4-5] Default=YES
END
grep -q 'partition p has node n6 and 1 other node, .*\[unknown-nodes, stops jobs\]' out ||
	fail "unknown nodes: $(cat out)"
find "no known node" unknown-nodes 14 '14s/n\[1-4\]/x/' <<'END'
PartitionName=p Default=YES
END
sed '13i\
NodeSet=some Feature=a
14s/n\[1-4\]/some/' good.conf > changed.conf
"$lxfw" check-conf --no-files changed.conf > out || fail "a node set: $(cat out)"
# Which of two descriptions is meant, only the site knows.
for twice in 'NodeName=n[0-2],x CPUs=1' 'PartitionName=q Nodes=n1'; do
	{ cat good.conf; echo "$twice"; } > changed.conf
	"$lxfw" check-conf --no-files changed.conf > out
	[ $? -eq 1 ] && [ "$(findings | wc -l)" -eq 1 ] &&
		grep -qE '^changed.conf:16: (node n1|partition q) is described twice.*\[described-twice, stops jobs\]$' out ||
		fail "$twice: $(cat out)"
done
# Whole nodes and GPUs have their own memory; the others have a default.
find "memory beside whole nodes" default-memory 14 '10d; 14s/$/ OverSubscribe=EXCLUSIVE/' <<'END'
PartitionName=q Nodes=n5 MaxTime=1-0 OverSubscribe=FORCE:1 DefMemPerCPU=2000
END
find "too much memory of whole nodes" default-memory 10 '10s/2000/50000000/; 14,15s/$/ OverSubscribe=EXCLUSIVE/; 7s/lxfw_quantum=60,//; 14s/ Nodes=.*/ Nodes=n[1-5] OverSubscribe=EXCLUSIVE/; 15d' <<'END'
DefMemPerCPU=2000
END
find "too much memory of all processors" default-memory 10 '7s/lxfw_quantum=60,//; 10s/2000/4500/; 14s/$/ OverSubscribe=EXCLUSIVE/; 15d' <<'END'
PartitionName=p Nodes=n[1-4] Default=YES OverSubscribe=EXCLUSIVE DefMemPerCPU=4000
END
for change in '10s/2000/4000/' '10s/2000/4500/; 14s/$/ DefMemPerNode=4500/'; do
	sed "$change; 14s/\$/ OverSubscribe=EXCLUSIVE/; 15d; 7s/lxfw_quantum=60,//" good.conf > changed.conf
	"$lxfw" check-conf --no-files changed.conf > out || fail "memory of all processors, $change: $(cat out)"
done
many=2 find "too much memory by default" default-memory 10 '10s/2000/70000/' <<'END'
PartitionName=p Nodes=n[1-4] Default=YES DefMemPerCPU=4000
END

# --- notes ------------------------------------------------------------------
# note NAME LINE SED TEXT: change good.conf by SED. The check must print note NAME for LINE,
# with TEXT, besides the note of good.conf, find nothing, and end with status 0.
note()
{
	sed "$3" good.conf > changed.conf
	"$lxfw" check-conf $files changed.conf > out 2> told
	status=$?
	[ $status -eq 0 ] || fail "note $1: exit status $status: $(cat out)"
	[ "$(grep -c ', note\]$' out)" -eq 2 ] || fail "note $1: $(cat out)"
	grep "^changed.conf:$2: .*$4.*sched_lxfw(8) \[$1, note\]\$" out > told ||
		fail "note $1 for line $2 with '$4': $(cat out)"
	# The page has the section that is named.
	section=$(sed -n "s/.*see \\(the table of \\)*'*\([A-Z][A-Za-z/ ]*[A-Za-z]\)'* in sched_lxfw(8).*/\\2/p" told)
	grep -qx "\.S[hs] $section" "$doc/sched_lxfw.8" || fail "note $1: no section '$section'"
}

note preemption 1 '1i\
PreemptType=preempt/qos\
PreemptMode=REQUEUE' 'reservations and expected starts do not count on it, and a job that may preempt others gets no quantum'
note preemption 1 '1i\
PreemptType=preempt/qos\
PreemptMode=REQUEUE
s/lxfw_quantum=60,//' 'expected starts do not count on it, see PREEMPTION'
note least-loaded 9 '9s/CR_Core_Memory/&,CR_LLN/' 'least loaded of the nodes'
note least-loaded 14 '14s/$/ LLN=yes/' 'least loaded of the nodes'
note least-loaded 13 '13s/$/ LLN=YES/' 'expected starts ignore the load'
note power-saving 1 '1s,.*,SuspendProgram=/bin/true,' 'the whole quantum of 60 s'
note default-time 13 13d 'end then: users must be told first'
note oversubscribe 15 '15s/FORCE:1/force:2/' "placed by Slurm's own node selection"
note oversubscribe 14 '14s/$/ OverSubscribe=FORCE/' 'jobs of partition p share'
note topology 1 '1s,.*,TopologyPlugin=topology/tree,' 'jobs with --switches are passed to Slurm'
note weight 15 '12s/^/NodeName=n6 CPUs=16 RealMemory=64000 Weight=7\n/; s/Nodes=n\[1-4\]/Nodes=n[1-4,6]/' 'lowest Weight are used first, as under sched.backfill, see'
note weight 15 '7s/lxfw_policy=lxfw,lxfw_quantum=60/lxfw_policy=eqspatial/; 12s/^/NodeName=n6 CPUs=16 RealMemory=64000 Weight=7\n/; s/Nodes=n\[1-4\]/Nodes=n[1-4,6]/' 'adaptive jobs ignore Weight'
note uneven-nodes 15 '15s/Nodes=n5/Nodes=n[4-5]/' 'fewer and larger nodes than'
note sleeping-nodes 1 '1s,.*,SuspendProgram=/bin/true\
SuspendTime=600\
ResumeTimeout=45,' 'expected to start 45 s later'
note shared-gres 1 '1s,.*,GresTypes=gpu\,mps,' 'request mps are passed'
note shared-gres 1 '1s,.*,GresTypes=mps\,gpu\,shard,' 'request mps or shard are passed'
# PreemptParameters exists since 23.02.
note licenses 1 '1s/^/PreemptParameters=youngest_first,Reclaim_Licenses\n/' 'reclaim_licenses has no effect'
# What is not in use is not noted.
sed '1s,.*,PreemptType=preempt/none\
TopologyPlugin=topology/default\
SuspendProgram=/bin/true\
SuspendTime=INFINITE\
GresTypes=gpu,; 7s/lxfw_quantum=60,//
13s/$/ LLN=no/' good.conf > changed.conf
"$lxfw" check-conf $files changed.conf > out || fail "no notes: $(cat out)"
[ "$(wc -l < out)" -eq 2 ] || fail "no notes: $(cat out)"

# --- files of this machine --------------------------------------------------
files=
mkdir state plugins log
sed -i "s,^StateSaveLocation=.*,StateSaveLocation=$work/state,; 1s,.*,PluginDir=$work/plugins," good.conf
case $work in
/tmp/* | /var/tmp/* | /run/* | /dev/shm/*)
	volatile=1
	;;
*)
	volatile=0
	;;
esac
sed "5s,lxfw,backfill," good.conf > changed.conf
"$lxfw" check-conf changed.conf > out
[ "$(grep -c '\[state\]' out)" -eq $volatile ] || fail "state in $work: $(cat out)"
sed -i 's,^StateSaveLocation=.*,StateSaveLocation=/,' good.conf
echo "PluginDir=/DIRECTORY/OF/sched_lxfw.so:$work/plugins" > line
find "no plugin" plugin-file 5 '' < line
echo 'no plugin' > plugins/sched_lxfw.so
echo '# ./configure && make && make install, with the headers of Slurm as it runs' > line
find "not a plugin file" plugin-file 5 '' < line

# Slurm's own plugins are used instead of ours, because they contain their release in
# the same form.
for slurm in /usr/lib/*/slurm-wlm /usr/lib/*/slurm /usr/lib64/slurm; do
	[ -e "$slurm/sched_backfill.so" ] || continue
	cp "$slurm/sched_backfill.so" plugins/sched_lxfw.so
	cp "$slurm/sched_backfill.so" plugins/sched_backfill.so
	"$lxfw" check-conf good.conf > out || fail "plugins: $(cat out)"
	# Slurm's own scheduler is needed to let go.
	sed '7s/$/,lxfw_let_go=15/' good.conf > changed.conf
	"$lxfw" check-conf changed.conf > out || fail "letting go: $(cat out)"
	mv plugins/sched_backfill.so plugins/none
	"$lxfw" check-conf changed.conf > out && fail "letting go without Slurm's scheduler"
	grep -q '^changed.conf:1: no sched_backfill.so of Slurm in .*: lxfw_let_go cannot load it \[slurms-scheduler\]' out ||
		fail "letting go without Slurm's scheduler: $(cat out)"
	mv plugins/none plugins/sched_backfill.so
	# In Slurm 22.05.8 and similar releases, the micro number is the lowest byte.
	LC_ALL=C sed 's/\x08\x05\x16\x00/\x09\x05\x16\x00/g' \
		"$slurm/sched_backfill.so" > plugins/sched_lxfw.so
	if slurmctld -V 2> err | grep -q '22\.05\.8' &&
	   ! cmp -s plugins/sched_lxfw.so plugins/sched_backfill.so; then
		echo '# ./configure && make && make install, with the headers of Slurm 22.05.8' > line
		find "another release" plugin-release 5 '' < line
		"$lxfw" check-conf good.conf | grep -q 'is built for Slurm 22.05.9, but this is Slurm 22.05.8' ||
			fail "another release: $(cat out)"
	fi
	break
done
# The plugin under the stock name, and Slurm's own. It is the file that "make" builds.
ours=${LXFW_TOP_BUILDDIR:-.}/plugins/slurm/sched-lxfw/.libs/sched_backfill.so
case $ours in
/*) ;;
*) ours=$OLDPWD/$ours ;;
esac
if [ -e "$ours" ] && [ -e "$slurm/sched_backfill.so" ]; then
	mkdir stock
	cp "$ours" stock
	cp "$slurm/sched_backfill.so" plugins
	sed "1s,=,=$work/stock:,; 5s/lxfw/backfill/" good.conf > stock.conf
	"$lxfw" check-conf stock.conf > out || fail "the stock name: $(cat out)"
	cp "$slurm/sched_backfill.so" plugins/sched_lxfw.so
	echo 'SchedulerType=sched/lxfw' > line
	find "Slurm's plugin precedes ours" scheduler 5 "1s,$,:$work/stock,; 5s/lxfw/backfill/" < line
	# As "make install" installs it, it is preferred, because of heterogeneous jobs.
	mkdir plugins/lxfw
	cp "$ours" plugins/lxfw
	echo "PluginDir=$work/plugins/lxfw:$work/plugins" > line
	find "Slurm's scheduler" scheduler 5 "5s/lxfw/backfill/" < line
	echo "PluginDir=$work/plugins/lxfw:$work/plugins" > line
	find "another scheduler" scheduler 5 "5s/lxfw/builtin/" < line
	sed '5s/lxfw/builtin/' good.conf > changed.conf
	"$lxfw" check-conf --write stock.conf changed.conf > out
	if ! grep -qi '^SchedulerType=sched/backfill' stock.conf ||
	   ! grep -q "^PluginDir=$work/plugins/lxfw:" stock.conf; then
		fail "the stock name is not written: $(cat stock.conf)"
	fi
	"$lxfw" check-conf stock.conf > out || fail "the stock name, written: $(cat out)"
	"$lxfw" check-conf good.conf > out || fail "the name sched/lxfw: $(cat out)"
	grep -q "Slurm refuses heterogeneous jobs.*PluginDir=$work/plugins/lxfw:$work/plugins, see" out ||
		fail "heterogeneous jobs: $(cat out)"
	rm -r plugins/lxfw
	LC_ALL=C sed 's/\x08\x05\x16\x00/\x09\x05\x16\x00/g' "$ours" > stock/sched_backfill.so
	# Plugins of other releases may contain these bytes by chance.
	if slurmctld -V 2> err | grep -q '22\.05\.8' && ! cmp -s "$ours" stock/sched_backfill.so; then
		echo '# ./configure && make && make install, with the headers of Slurm 22.05.8' > line
		find "another release, stock name" plugin-release 1 "1s,=,=$work/stock:,; 5s/lxfw/backfill/" < line
	fi
fi
if [ -e "$slurm/sched_backfill.so" ]; then
	cp "$slurm/sched_backfill.so" plugins/sched_lxfw.so
	many=1
else
	many=2		# no plugin
fi
echo '# mkdir -p /none/lxfw, on every machine that reads this file' > line
find "a missing directory" plugin-dir 1 '1s,=,=/none/lxfw:,' < line
sed -i '1s/.*/#/; 5s/lxfw/backfill/' good.conf
# Where Slurm is installed, its folder has no sched_lxfw.so for the corrected file.
many=2
[ ! -e "$slurm/sched_backfill.so" ] || many=3
echo 'SchedulerType=sched/lxfw' > line
find "a journal without directory" journal 6 '7s,$,\,lxfw_journal=/none/journal,' < line
grep -q '# mkdir -m 700 /none, owned by SlurmUser root' out || fail "journal: $(cat out)"
find "metrics without directory" metrics 6 '7s,$,\,lxfw_metrics=/none/lxfw.prom,' < line
find "no state" 'state' '' '/StateSave/d' < line
find "state directory missing" 'state' 11 '/StateSave/s,=.*,=/none/state,' < line
echo key > key
chmod 644 key
echo "# chmod 600 $work/key" > line
find "a readable token key" token-key 2 "1s,.*,AuthAltTypes=auth/jwt\\
AuthAltParameters=jwt_key=$work/key," < line
sed -i '7s/.*/lxfw_policy=eqspatial/' good.conf
echo 'optional spank_lxfw.so' > line
find "no node plugin" plugstack '' '' < line
echo 'required /lib/spank_lxfw.so' > plugstack.conf
"$lxfw" check-conf good.conf > out
[ "$(findings | wc -l)" -eq $((many - 1)) ] || fail "plugstack: $(cat out)"

# --- misuse and bad input ---------------------------------------------------
bad()
{
	message=$1
	shift
	"$lxfw" check-conf "$@" > out 2> told
	status=$?
	[ $status -eq 2 ] || fail "check-conf $*: exit status $status"
	[ "$(sed -n 1p told)" = "$message" ] || fail "check-conf $*: message '$(cat told)'"
	[ ! -s out ] || fail "check-conf $*: $(cat out)"
}
bad "lxfw check-conf: 0 files given, expected one slurm.conf"
bad "none.conf: No such file or directory" none.conf
: > empty.conf
bad "empty.conf: no settings in the file, expected a slurm.conf" empty.conf
printf 'ClusterName=x\nwhat\n' > wrong.conf
bad "wrong.conf:2: 'what', expected KEY=VALUE" wrong.conf
echo 'Include none.conf' > wrong.conf
bad "wrong.conf:1: Include none.conf: No such file or directory" wrong.conf
printf 'SlurmUser=x\n\ninclude %%c.conf\n' > wrong.conf
bad "wrong.conf:3: %c in Include before a ClusterName line" wrong.conf
printf 'ClusterName=x\ninclude %%c.conf\n' > wrong.conf
bad "wrong.conf:2: Include x.conf: No such file or directory" wrong.conf
# A pipe is not waited for.
mkfifo pipe.conf
printf "ClusterName=x\n\nInclude pipe.conf\n" > piped.conf
bad "piped.conf:3: Include pipe.conf: a pipe or socket, expected a file" piped.conf
# What is checked is not overwritten, and nothing is written for bad input.
bad "good.conf: this file is checked, expected another one to write" --write good.conf good.conf
bad "./nodes.conf: this file is checked, expected another one to write" --write ./nodes.conf good.conf
bad "wrong.conf:2: Include x.conf: No such file or directory" --write written.conf wrong.conf
[ ! -e written.conf ] || fail "a file was written for bad input"
bad "lxfw check-conf: --write has no effect with --pbs" --pbs --write written.conf good.conf
# Included lines that are corrected are in place of their Include line.
printf 'PartitionName=r Nodes=n1,none MaxTime=60\n' > nodes.more
{ cat good.conf; echo 'Include nodes.more'; } > changed.conf
"$lxfw" check-conf --no-files --write written.conf changed.conf > out
[ $? -eq 1 ] && grep -qx -e '+PartitionName=r Nodes=n1 MaxTime=60' out &&
	grep -qx -e '+++ nodes.more' out || fail "an included partition: $(cat out)"
grep -qx 'PartitionName=r Nodes=n1 MaxTime=60' written.conf && grep -qx 'Include nodes.conf' written.conf &&
	! grep -qx 'Include nodes.more' written.conf || fail "an included partition: $(cat written.conf)"
# Text only.
printf 'ClusterName=x\nNode\0Name=a\n' > "$work/nul.conf"
"$lxfw" check-conf "$work/nul.conf" > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q 'nul.conf:2: a NUL byte, expected text' "$work/err" && [ ! -s "$work/out" ] ||
	fail "a NUL byte: $(cat "$work/out" "$work/err")"

finish
