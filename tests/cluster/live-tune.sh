#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw tune --slurm: job arrays find the same settings as a local search. A task without
# a result is run again, or reported. An interrupt leaves no job behind.

# The test concerns the command, so Slurm's own scheduler is sufficient.
LXFW_SCHEDULER=${LXFW_SCHEDULER:-backfill}

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

lxfw=$(cd "$build" && pwd)/lxfw

# Sixteen days of jobs that are submitted in bursts, long ones first.
make_trace()
{
	awk 'BEGIN {
		print "; MaxProcs: 8"
		for (day = 0; day < 16; day++)
			for (i = 0; i < 24; i++) {
				n++
				run = (i * 37 + day * 11) % 24 * 300 + 60
				procs = (i * 5 + day) % 8 + 1
				print n, day * 86400 + i, -1, run, procs, -1, -1, procs, run * 2, -1, 1, 1, 1, 1, 1, 1, -1, -1
			}
	}' >"$run/work/trace.swf"
}

# tune ARGUMENTS...: run lxfw tune in the work folder, which all nodes share
tune()
{
	cd "$run/work" || exit 1
	"$lxfw" tune --warmup 1d --period 1d --minimize mean_wait,p95_wait --keep none \
		--round 20 --settings 40 --format json "$@" trace.swf
}

nodes()
{
	scontrol update "nodename=ALL" "state=$1" ${2:+"reason=$2"}
}

# Print the id of the pending array.
array()
{
	squeue -h -n lxfw-tune -o %F | sort -un | tail -n 1
}

has_array()
{
	[ -n "$(array)" ]
}

test_same_as_local()
{
	make_trace
	tune >"$run/here" || fail "here: exit status $?"
	tune --slurm --tasks 3 >"$run/there" 2>"$run/said" ||
		fail "there: exit status $?: $(cat "$run/said")"
	cmp "$run/here" "$run/there" || fail "the result differs from the local one"
	[ -z "$(ls -d "$run"/work/lxfw-tune-* 2>/dev/null)" ] ||
		fail "left behind: $(ls "$run/work")"
}

test_lost_task_is_run_again()
{
	local first
	make_trace
	tune >"$run/here"
	nodes drain wait
	tune --slurm --tasks 3 --folder again >"$run/there" 2>"$run/said" &
	poll 60 has_array || fail "no array: $(cat "$run/said")"
	first=$(array)
	scancel "${first}_2"
	nodes resume
	wait $! || fail "exit status $?: $(cat "$run/said")"
	grep -q "tasks 2 of job $first left no result" "$run/said" ||
		fail "not reported: $(cat "$run/said")"
	cmp "$run/here" "$run/there" || fail "the result differs from the local one"
	rm -r "$run/work/again"
}

test_failing_tasks_are_reported()
{
	local status=0
	make_trace
	nodes drain wait
	tune --slurm --tasks 2 --folder fails >"$run/there" 2>"$run/said" &
	poll 60 has_array || fail "no array: $(cat "$run/said")"
	mv "$run/work/trace.swf" "$run/work/gone.swf"
	nodes resume
	wait $! || status=$?
	[ $status = 2 ] || fail "exit status $status: $(cat "$run/said")"
	[ ! -s "$run/there" ] || fail "a result was printed"
	grep -q 'tasks 1-2 of job [0-9]* left no result in 3 attempts, see fails/round-1/out-\*' "$run/said" ||
		fail "the tasks are not reported: $(cat "$run/said")"
	grep -q 'trace.swf: No such file' "$run/work/fails/round-1/out-1" ||
		fail "its output: $(cat "$run/work/fails/round-1/out-1")"
	rm -r "$run/work/fails"
}

test_an_interrupt_cancels_the_array()
{
	local status=0 pid
	make_trace
	nodes drain wait
	cd "$run/work" || exit 1
	"$lxfw" tune --warmup 1d --period 1d --slurm --settings 40 --round 20 \
		trace.swf >"$run/there" 2>"$run/said" &
	pid=$!
	poll 60 has_array || fail "no array: $(cat "$run/said")"
	kill -TERM $pid
	wait $pid || status=$?
	[ $status = 143 ] || fail "exit status $status: $(cat "$run/said")"
	poll 60 none_unfinished || fail "jobs left over: $(unfinished | xargs)"
	grep -q '^lxfw: interrupted after 0 of 40 settings' "$run/said" ||
		fail "not reported: $(cat "$run/said")"
	nodes resume
}

test_sbatch_refuses()
{
	local status=0
	make_trace
	tune --slurm --sbatch '--partition=nonsense' >"$run/there" 2>"$run/said" || status=$?
	[ $status = 2 ] || fail "exit status $status"
	grep -q 'invalid partition specified' "$run/said" ||
		fail "the message of sbatch is not printed: $(cat "$run/said")"
	rm -rf "$run"/work/lxfw-tune-*
}

live_main "$@" -- --nodes 2 --cpus 4
