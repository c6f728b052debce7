#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One user's jobs, whatever they ask for, keep nobody else's from starting. What the
# jobs are told is said by Slurm's own scheduler as well: alone, the script runs with
# both.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/hostile.sh
. "$(dirname "$0")/hostile.sh"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	status=0
	for name in backfill lxfw; do
		echo "with sched/$name"
		LXFW_SCHEDULER=$name "$0" "$@" || status=$?
		[ "$status" = 0 ] || break
	done
	exit "$status"
fi

# Beyond what any computation with them can hold.
huge='4611686018427387904 9000000000000000000 9223372036854775807 18446744073709551613'

journal_size()
{
	stat -c %s "$run/journal"
}

# expect_others_start: five jobs of another user, each at once.
expect_others_start()
{
	local i
	for i in 1 2 3 4 5; do
		expect_prompt "$(submit -J probe -n 1 -t 1 'sleep 0')"
	done
	poll 20 no_probes || fail "jobs that do not end: $(unfinished | xargs)"
}

no_probes()
{
	[ -z "$(squeue -h -n probe -o %A)" ]
}

# expect_harmless JOB...: with these waiting others start, and as little is written
# as without them.
expect_harmless()
{
	local job begun size
	for job in "$@"; do
		poll 20 has_reason "$job" BadConstraints ||
			fail "job $job is $(state "$job"), for $(reason "$job")"
	done
	begun=$(segments_if_ours) size=$(size_if_ours)
	expect_others_start
	[ "$scheduler" = lxfw ] || return 0
	for job in "$@"; do
		expect_said_once "$job"
	done
	[ "$(segments)" = "$begun" ] || fail "$begun in the journal, then $(segments)"
	(($(journal_size) - size <= 2 * usual)) ||
		fail "the journal grew by $(($(journal_size) - size)) bytes, without such jobs by $usual"
}

segments_if_ours()
{
	[ "$scheduler" != lxfw ] || segments
}

size_if_ours()
{
	[ "$scheduler" != lxfw ] || journal_size
}

# What five jobs write to the journal.
learn_usual()
{
	local size
	usual=0
	[ "$scheduler" = lxfw ] || return 0
	size=$(journal_size)
	expect_others_start
	usual=$(($(journal_size) - size))
}

# Held, Slurm takes any number; released, it is a job like any other.
test_memory_beyond_all()
{
	local job amount jobs=()
	learn_usual
	for amount in $huge; do
		# sbatch itself does not take them all.
		job=$(submit_plain -n 1 --hold --mem="${amount}M" 2>/dev/null) || continue
		as_plain scontrol release "$job" || fail "no release"
		jobs+=("$job")
	done
	[ ${#jobs[@]} -gt 0 ] || fail "sbatch takes none of them"
	expect_harmless "${jobs[@]}"
}

# expect_harmless_update UPDATE... -- OPTIONS...: jobs that wait are changed so, with
# each huge number in place of @.
expect_harmless_update()
{
	local updates=() update job amount jobs=()
	while [ "$1" != -- ]; do
		updates+=("$1")
		shift
	done
	shift
	learn_usual
	for update in "${updates[@]}"; do
		for amount in $huge; do
			job=$(submit_plain --hold "$@") || exit 1
			as_plain scontrol update "jobid=$job" "${update//@/$amount}" 2>>"$run/log/plain" || {
				scancel "$job"
				continue
			}
			as_plain scontrol release "$job"
			jobs+=("$job")
		done
	done
	[ ${#jobs[@]} -gt 0 ] || fail "no such update is taken: $(tail -n 1 "$run/log/plain")"
	expect_harmless "${jobs[@]}"
}

test_memory_updated()
{
	expect_harmless_update MinMemoryNode=@ MinMemoryCPU=@ -- -n 1
}

# The same with products: many tasks, many nodes.
test_memory_of_many()
{
	expect_harmless_update MinMemoryNode=@ MinMemoryCPU=@ -- -p q -n 16 -c 3
}

# Of jobs that wait while the machine is full, changed while they do.
test_updated_while_waiting()
{
	local busy job waits
	busy=$(submit -p q -N 3 -n 48 -t 5 'sleep 100') || exit 1
	wait_state "$busy" RUNNING
	waits=$(submit_plain -p q -n 1 -t 1) || exit 1
	job=$(submit_plain -p q -n 4 -t 1) || exit 1
	expect_pending "$job" 'Resources|Priority'
	as_plain scontrol update "jobid=$job" MinMemoryNode=9000000000000000000 ||
		fail "no update"
	expect_others_start
	scancel "$busy"
	wait_start "$waits"
	[ "$scheduler" != lxfw ] || expect_said_once "$job"
	expect_pending "$job" BadConstraints
}

#
# Host sets. The machine is full, but for n1, which is another partition.
#
flood()
{
	local kind=$1 count=$2 i each=$(($2 / 4)) pids=() conf=$run/work/flood.conf
	# A client loads all select plugins that it finds; ours is not for it.
	sed -E 's|^PluginDir=.*:|PluginDir=|' "$run/etc/slurm.conf" >"$conf"
	chmod 644 "$conf"
	# Where any user can run it.
	cp "$build/tests/cluster/flood" "$run/work/flood" || fail "no copy"
	for i in 0 1 2 3; do
		SLURM_CONF=$conf as_plain "$run/work/flood" $((i * each + 1)) $(((i + 1) * each)) a,b,c "$kind" &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || fail "not all of $count jobs were submitted"
	done
}

expect_flood_harmless()
{
	# To look at so many jobs takes a while, where other tests run beside this one.
	local kind=$1 count=$2 busy prompt=5
	lxfw_only
	[ -x "$build/tests/cluster/flood" ] || { echo "  (tests/cluster/flood is not built)"; exit 0; }
	scontrol update nodename="c[1-20]" state=down reason=flood
	busy=$(submit -p q -N 3 -n 48 -t 60 'sleep 600') || exit 1
	wait_state "$busy" RUNNING
	flood "$kind" "$count"
	echo "  $(squeue -h -t PD -u "$plain_user" -o %A | wc -l) jobs wait"
	expect_others_start
	! logged 'making the books anew' || fail "the books were made anew"
	# And those many are served themselves.
	scancel "$busy"
	poll 30 some_flood_started || fail "none of the jobs starts"
	cancel_plain
	poll 60 none_plain || fail "jobs that do not end"
}

some_flood_started()
{
	logged "sched/lxfw: started JobId=.* on n[2-4]"
}

test_space_of_each()
{
	expect_flood_harmless tmp 7200
}

test_nodes_excluded_by_each()
{
	expect_flood_harmless exclude 21000
}

live_main "$@" -- \
	--conf MaxJobCount=100000 \
	--conf "NodeName=c[1-20] CPUs=16 RealMemory=64000 TmpDisk=100000 State=CLOUD" \
	--conf SuspendProgram=/bin/true --conf ResumeProgram=/bin/true \
	--conf SuspendTime=1000000 --conf PrivateData=cloud \
	--node 'n2 TmpDisk=100000' \
	--node 'n3 TmpDisk=100000' \
	--node 'n4 TmpDisk=100000' \
	--partition 'p Nodes=n1 Default=YES MaxTime=INFINITE State=UP' \
	--partition 'q Nodes=n[2-4] MaxTime=INFINITE State=UP' \
	--partition 'a Nodes=n[2-4],c[1-20] MaxTime=INFINITE State=UP' \
	--partition 'b Nodes=n[2-4],c[1-20] MaxTime=INFINITE State=UP' \
	--partition 'c Nodes=n[2-4],c[1-20] MaxTime=INFINITE State=UP'
