#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The jobs of one user must not keep other users' jobs from starting, whatever they
# request. The pending reasons are those of Slurm's own scheduler, with which the
# script runs too if LXFW_SLOW=1.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/hostile.sh
. "$(dirname "$0")/hostile.sh"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	live_expectations "$@"
	exit
fi

# A delayed job would wait for jobs that never start.
prompt=15

# Values that overflow any computation with them.
huge='4611686018427387904 9000000000000000000 9223372036854775807 18446744073709551613'

journal_size()
{
	stat -c %s "$run/journal"
}

# expect_harmless JOB...: while these jobs are pending, others start, and the journal
# grows no more than without them.
expect_harmless()
{
	local job begun size
	for job in "$@"; do
		poll 60 has_reason "$job" BadConstraints ||
			fail "job $job is $(state "$job"), for $(reason "$job")"
	done
	begun=$(segments_if_ours) size=$(size_if_ours)
	expect_others_start
	[ "$scheduler" = lxfw ] || return 0
	for job in "$@"; do
		expect_logged_once "$job"
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

# Measure how much five jobs write to the journal.
learn_usual()
{
	local size
	usual=0
	[ "$scheduler" = lxfw ] || return 0
	size=$(journal_size)
	expect_others_start
	usual=$(($(journal_size) - size))
}

# Slurm accepts any number for a held job. After the release, it is an ordinary job.
test_memory_beyond_all()
{
	local job amount jobs=()
	learn_usual
	for amount in $huge; do
		# sbatch rejects some of the values itself.
		job=$(submit_plain -n 1 --hold --mem="${amount}M" 2>/dev/null) || continue
		as_plain scontrol release "$job" || fail "release failed"
		jobs+=("$job")
	done
	[ ${#jobs[@]} -gt 0 ] || fail "sbatch accepts none of the values"
	expect_harmless "${jobs[@]}"
}

# expect_harmless_update UPDATE... -- OPTIONS...: apply the updates to pending jobs,
# with each huge number in place of @.
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
	[ ${#jobs[@]} -gt 0 ] || fail "no update is accepted: $(tail -n 1 "$run/log/plain")"
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

# In Slurm's 16 bits, 65536 is 0, and select/cons_tres divides by it: with its own
# scheduler, the controller of 22.05 crashes. It also crashes if Slurm selects nodes at
# submission, which it does not do for a held job.
test_no_tasks_on_a_socket()
{
	local job
	lxfw_only
	job=$(submit_plain -n 2 -t 1 --hold --ntasks-per-socket=65536) || return 0
	as_plain scontrol release "$job"
	expect_others_start
	wait_done "$job"
}

# Update pending jobs while the machine is full.
test_updated_while_waiting()
{
	local busy job waits
	busy=$(submit -p q -N 3 -n 48 -t 10 'sleep 600') || exit 1
	wait_state "$busy" RUNNING
	waits=$(submit_plain -p q -n 1 -t 1) || exit 1
	job=$(submit_plain -p q -n 4 -t 1) || exit 1
	poll 60 has_reason "$job" 'Resources|Priority' || fail "job $job waits for $(reason "$job")"
	as_plain scontrol update "jobid=$job" MinMemoryNode=9000000000000000000 ||
		fail "the update failed"
	expect_others_start
	scancel "$busy"
	wait_start "$waits"
	[ "$scheduler" != lxfw ] || expect_logged_once "$job"
	poll 60 has_reason "$job" BadConstraints || fail "job $job waits for $(reason "$job")"
}

live_main "$@" -- --nodes 4 \
	--partition 'p Nodes=n1 Default=YES MaxTime=INFINITE State=UP' \
	--partition 'q Nodes=n[2-4] MaxTime=INFINITE State=UP'
