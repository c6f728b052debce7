#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Expected starts of pending jobs (squeue --start). Without arguments, the script runs
# with Slurm's own scheduler first: every job for which that shows an expected start must
# have one under sched/lxfw. With LXFW_SLOW=1, expected and true starts of jobs that run
# to their limit are compared too.

export live_policy=lxfw_policy=site
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	shown=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-starts.XXXXXX") || exit 1
	trap 'rm -rf "$shown"' EXIT
	export LXFW_SHOWN=$shown
	live_schedulers "$@" || exit
	[ -e "$shown/backfill" ] || exit 0
	missing=$(comm -23 <(sort "$shown/backfill") <(sort "$shown/lxfw"))
	[ -n "$missing" ] || exit 0
	echo "not ok - jobs without an expected start that sched/backfill shows: $(xargs <<<"$missing")"
	compare_again "$@"
fi

# Print the jobs that wait, with their expected starts in seconds, as NAME SECONDS.
expected()
{
	squeue -h -t PD --start -r -o '%j %S' | awk '$2 ~ /^[0-9]+$/'
}

expected_of()
{
	expected | awk -v name="$1" '$1 == name { print $2; exit }'
}

have_starts()
{
	[ "$(expected | wc -l)" -ge "$1" ]
}

# record TEST: keep the names of the jobs that have an expected start.
record()
{
	[ -z "${LXFW_SHOWN-}" ] || expected | awk -v test="$1" '{ print test "/" $1 }' >>"$LXFW_SHOWN/$scheduler"
}

# fill MINUTES: all processors are in use, until this limit.
fill()
{
	local job
	job=$(submit -J running --exclusive -t "$1" 'sleep 1000') || exit 1
	wait_state "$job" RUNNING
	end=$(ended "$job")
}

second_over()
{
	[ "$(date +%s)" -gt "$1" ]
}

# expect_start NAME SECONDS: the expected start is this one. Slurm's own scheduler rounds
# times; any start will do.
is_expected()
{
	local start
	start=$(expected_of "$1")
	[ -n "$start" ] || return 1
	[ "$scheduler" != lxfw ] || ((start - $2 >= -1 && start - $2 <= 1))
}

expect_start()
{
	poll 60 is_expected "$1" "$2" ||
		fail "$1 is expected at $(expected_of "$1"), not $2"
}

# Jobs of the whole node: each starts at the limit of the one before.
test_one_after_the_other()
{
	local i start
	fill 3
	for i in 1 2 3 4 5 6; do
		submit -J "c$i" --exclusive -t "$i" 'sleep 1000' >/dev/null
	done
	start=$end
	for i in 1 2 3 4 5 6; do
		expect_start "c$i" "$start"
		start=$((start + 60 * i))
	done
	record chain
}

# Jobs of all sizes, most of which have no reservation.
test_every_job()
{
	local i
	fill 5
	for ((i = 0; i < 30; i++)); do
		submit -J "m$i" -n "$((i * 7 % 4 + 1))" -t "$((i * 5 % 9 + 1))" 'sleep 1000' >/dev/null
	done
	poll 60 have_starts 30 || fail "$(expected | wc -l) of 30 jobs have an expected start"
	record mixed
}

# A job that fits beside the first reservation starts before it.
test_backfill()
{
	fill 4
	submit -J wide -n 4 -t 10 'sleep 1000' >/dev/null
	submit -J next -n 3 -t 5 'sleep 1000' >/dev/null
	submit -J small -n 1 -t 2 'sleep 1000' >/dev/null
	expect_start wide "$end"
	expect_start next "$((end + 600))"
	expect_start small "$((end + 600))"
	record backfill
}

# The limit of the running job changes.
test_changed_limit()
{
	local job
	fill 10
	submit -J first -n 4 -t 1 'sleep 1000' >/dev/null
	submit -J second -n 4 -t 1 'sleep 1000' >/dev/null
	expect_start second "$((end + 60))"
	job=$(squeue -h -t R -o %i)
	scontrol update "jobid=$job" timelimit=2 || fail "the limit does not change"
	end=$(ended "$job")
	expect_start first "$end"
	expect_start second "$((end + 60))"
	record changed
}

# Held jobs and jobs that cannot run have no expected start, and others are not affected.
test_held()
{
	fill 2
	submit -J held --hold -n 4 -t 1 'sleep 1000' >/dev/null
	submit -J after -n 4 -t 1 'sleep 1000' >/dev/null
	expect_start after "$end"
	[ -z "$(expected_of held)" ] || fail "the held job has an expected start"
	record held
}

# The tasks of an array share a record, which shows the first of their starts.
test_array()
{
	local job
	fill 2
	job=$(submit -J array -n 4 -t 1 --array=1-5 'sleep 1000') || exit 1
	# By default, Slurm 24.11 gives both the same priority.
	poll 60 second_over "$(submitted "$job")"
	submit -J last -n 4 -t 1 'sleep 1000' >/dev/null
	expect_start array "$end"
	[ "$scheduler" = lxfw ] || record array
	lxfw_only
	expect_start last "$((end + 300))"
	record array
}

# Jobs that run to their limits: print how far expected and true starts are apart.
test_true_starts()
{
	local i name start
	declare -A jobs
	[ -n "${LXFW_SLOW-}" ] || { echo "  (with LXFW_SLOW=1)"; return 0; }
	for ((i = 0; i < 16; i++)); do
		jobs[t$i]=$(submit -J "t$i" -n "$((i * 3 % 4 + 1))" -t "$((i * 5 % 2 + 1))" \
			"sleep $(((i * 5 % 2 + 1) * 60 - 1))")
	done
	poll 60 have_starts "$(squeue -h -t PD -o %i | wc -l)" || fail "not all jobs have an expected start"
	expected >"$run/log/expected"
	wait_empty 1800
	while read -r name start; do
		echo "$(($(started "${jobs[$name]}") - start))"
	done <"$run/log/expected" | awk '
		{ d = $1 < 0 ? -$1 : $1; sum += d; if (d > most) most = d }
		END { printf "  %d true starts are %.0f s from the expected ones on average, %d s at most\n", NR, sum / NR, most }'
}

live_main "$@" -- --nodes 1 --cpus 4 --memory 4000 --conf DefMemPerCPU=100
