#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The journal of a live controller: it replays. A full disk, a crash and rotation harm
# neither the journal nor the scheduling.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

# use_journal FILE [KEYS]: use this journal until the end of the test.
use_journal()
{
	lxfw_only
	set_params "defer,sched_interval=-1,lxfw_policy=lxfw,lxfw_journal=$1${2:+,$2}"
}

# Run more jobs than fit at a time, until all have ended.
some_jobs()
{
	local i
	for ((i = 1; i <= $1; i++)); do
		submit -N 1 -n $((i * 5 % 16 + 1)) --mem=$((i * 700 % 30000 + 100)) \
			-t $((i % 4 + 1)) "sleep $((i % 2))" >/dev/null
	done
	wait_empty 200
}

size()
{
	stat -c %s "$1" 2>/dev/null || echo 0
}

larger_than()
{
	[ "$(size "$1")" -gt "$2" ]
}

replays()
{
	"$build/lxfw" replay "$1" >"$run/log/replay" 2>&1 ||
		fail "$(basename "$1"): $(tail -n 3 "$run/log/replay")"
}

test_written_and_replayed()
{
	use_journal "$run/j1"
	some_jobs 20
	larger_than "$run/j1" 1000 || fail "only $(size "$run/j1") bytes were written"
	replays "$run/j1"
}

# Replay the same events with other parameters.
test_replay_with_other_parameters()
{
	use_journal "$run/j2"
	some_jobs 20
	"$build/lxfw" replay --params lxfw_policy=fcfs "$run/j2" >"$run/log/replay" 2>&1 ||
		fail "$(tail -n 3 "$run/log/replay")"
	grep -q fcfs "$run/log/replay" || fail "fcfs is not reported: $(cat "$run/log/replay")"
}

# Compare the waits in a journal with Slurm's records of the jobs.
test_compare()
{
	use_journal "$run/j3"
	some_jobs 20
	"$build/lxfw" compare "$run/j3" >"$run/log/compare" 2>&1 ||
		fail "$(tail -n 5 "$run/log/compare")"
	grep -qi 'mean' "$run/log/compare" || fail "no mean: $(cat "$run/log/compare")"
}

# The file is renamed, as logrotate does. The next record is written to a new file. Both
# files replay.
test_rotation()
{
	use_journal "$run/j4"
	some_jobs 10
	mv "$run/j4" "$run/j4.1"
	some_jobs 10
	poll 60 larger_than "$run/j4" 100 || fail "no new file was created"
	replays "$run/j4.1"
	replays "$run/j4"
}

old_segments()
{
	ls "$1".????????T??????Z 2>/dev/null
}

# compared FILE: print the number of jobs in the journal.
compared()
{
	"$build/lxfw" compare --shake 0 --format csv "$1" >"$run/log/compare" 2>&1 ||
		fail "$(tail -n 5 "$run/log/compare")"
	sed -n 's/^jobs,//p' "$run/log/compare"
}

# compares FILE JOBS: true if this number of jobs is compared
compares()
{
	[ "$(compared "$1")" = "$2" ]
}

# A journal that lacks little to a megabyte consists of copies of a short one. It is rotated
# while a job runs. All files are read as one journal, in which this job occurs once.
test_rotation_by_size()
{
	local i each copies running jobs
	rm -f "$run/seed" "$run"/j9*
	use_journal "$run/seed"
	some_jobs 3
	# The end of the last job is recorded by a later pass. Without it, each copy would lack an
	# end, which the next copy then states.
	poll 60 compares "$run/seed" 3 || fail "$(grep '^jobs,' "$run/log/compare") of 3 jobs"
	use_journal "$run/j12"
	each=$(size "$run/seed")
	copies=$((((1 << 20) - 2500) / each))
	for ((i = 0; i < copies; i++)); do
		cat "$run/seed"
	done >"$run/j9"
	jobs=$(compared "$run/j9") || exit 1
	use_journal "$run/j9" lxfw_journal_size=1,lxfw_journal_keep=2
	running=$(submit -n 1 -t 30 "sleep 1800")
	wait_state "$running" RUNNING
	[ -z "$(old_segments "$run/j9")" ] || fail "rotated too soon"
	for ((i = 1; i <= 60; i++)); do
		wait_done "$(submit -n 1 -t 1 true)"
		[ -z "$(old_segments "$run/j9")" ] || break
	done
	[ -n "$(old_segments "$run/j9")" ] || fail "not rotated at $(size "$run/j9") bytes"
	larger_than "$(old_segments "$run/j9")" $((1 << 20)) ||
		fail "rotated too soon: $(size "$(old_segments "$run/j9")") bytes"
	[ "$(state "$running")" = RUNNING ] || fail "the running job is $(state "$running")"
	scancel "$running"
	some_jobs 5
	replays "$run/j9"
	grep -q " $((copies + 2)) segments" "$run/log/replay" || fail "$(cat "$run/log/replay")"
	jobs=$((jobs + i + 6))
	# The end of the last job is recorded by a later pass.
	poll 60 compares "$run/j9" $jobs || fail "$(grep '^jobs,' "$run/log/compare"), not $jobs"
}

# The file is truncated in place, as `copytruncate` does.
test_truncation()
{
	use_journal "$run/j5"
	some_jobs 10
	cp "$run/j5" "$run/j5.1"
	truncate -s 0 "$run/j5"
	some_jobs 10
	poll 60 larger_than "$run/j5" 100 || fail "nothing is written after"
	replays "$run/j5.1"
	replays "$run/j5"
}

# The controller is killed while it writes a record.
test_cut_off_tail()
{
	local before held
	use_journal "$run/j6"
	some_jobs 10
	# Slurm saves only after a change, and perhaps it has just saved the last one.
	held=$(submit -H -t 1 true)
	have_saved "$held"
	"$cluster" kill9-ctld "$run"
	before=$(size "$run/j6")
	truncate -s $((before - 3)) "$run/j6"
	cp "$run/j6" "$run/j6.cut"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start again"
	scancel "$held"
	some_jobs 10
	larger_than "$run/j6" "$before" || fail "nothing is written after"
	replays "$run/j6.cut"
	replays "$run/j6"
	grep -q 'truncated records are left out' "$run/log/replay" || fail "$(cat "$run/log/replay")"
}

# The controller is restarted and reconfigured. Slurm 24.11 executes itself at a
# reconfiguration. There must be one journal file, and the lock on it must not stay
# behind.
test_restarts()
{
	local i
	use_journal "$run/j10"
	for i in 1 2 3; do
		some_jobs 2
		reconfigure || fail "reconfigure fails"
		some_jobs 2
		"$cluster" stop-ctld "$run" || fail "slurmctld does not end"
		"$cluster" start-ctld "$run" || fail "slurmctld does not start again"
	done
	some_jobs 2
	replays "$run/j10"
	[ -z "$(old_segments "$run/j10")" ] || fail "rotated: $(old_segments "$run/j10" | xargs)"
	! logged 'lxfw: journal .*j10: .*another process' || fail "the controller is locked out by its own lock"
}

# Another process has the journal open, and closes it later.
test_second_writer()
{
	type -P flock >/dev/null || { echo "  (not run: flock is not installed)"; return; }
	exec 9<>"$run/j11"
	flock -n 9 || fail "the test cannot lock the file"
	use_journal "$run/j11"
	some_jobs 5
	poll 90 locked_out || fail "the other writer is not reported"
	[ "$(size "$run/j11")" = 0 ] || fail "the locked file was written"
	exec 9>&-
	poll 150 written_to "$run/j11" || fail "not written after the other process has closed the file"
	[ "$(times_logged 'lxfw: journal .*j11: another process')" = 1 ] || fail "logged more than once"
	replays "$run/j11"
}

locked_out()
{
	some_jobs 1
	logged 'lxfw: journal .*j11: another process'
}

written_to()
{
	some_jobs 1
	larger_than "$1" 100
}

# A file that is not a journal is not modified.
test_not_a_journal()
{
	use_journal "$run/j7"
	use_journal "$run/notes"
	echo 'content of another program' >"$run/notes"
	cp "$run/notes" "$run/notes.copy"
	use_journal "$run/j7"
	use_journal "$run/notes.copy"
	some_jobs 5
	cmp -s "$run/notes" "$run/notes.copy" || fail "the other file was modified"
	expect_logged 'lxfw.*notes.copy'
	ln -s "$run/target" "$run/link"
	use_journal "$run/link"
	some_jobs 5
	expect_logged 'lxfw.*link: a symbolic link'
	[ ! -e "$run/target" ] || fail "a link was followed"
}

# The folder does not exist, or the journal is a device. Jobs run nevertheless.
test_journal_not_writable()
{
	use_journal "$run/nowhere/journal"
	some_jobs 5
	expect_logged 'lxfw.*nowhere/journal'
	use_journal /dev/full
	some_jobs 5
	expect_logged 'lxfw.*/dev/full'
	[ -c /dev/full ] || fail "/dev/full was replaced"
}

fill()
{
	head -c 100000000 /dev/zero >"$run/small/filler" 2>/dev/null
	[ "$(df --output=avail "$run/small" | tail -n 1)" -eq 0 ]
}

# The disk is full before the journal is opened, or becomes full later. Then space is
# freed.
test_full_disk()
{
	local begun
	lxfw_only
	mkdir -p "$run/small"
	mount -t tmpfs -o size=8m tmpfs "$run/small" 2>/dev/null || {
		echo "  (not run: mounting a file system requires root)"
		return
	}
	use_journal "$run/small/j"
	some_jobs 10
	larger_than "$run/small/j" 100 || fail "nothing is written"
	fill || fail "the small file system is not full"
	# Write more than what is left of the last block.
	begun=$SECONDS
	until logged 'lxfw.*small/j.*(No space|full)'; do
		some_jobs 20
		((SECONDS - begun < 200)) || fail "the full disk is not logged"
	done
	some_jobs 10
	replays "$run/small/j"
	rm "$run/small/filler"
	poll 150 written_again || fail "not written again when space is available"
	some_jobs 10
	replays "$run/small/j"
	use_journal "$run/j8"
	umount "$run/small"
}

written_again()
{
	some_jobs 1
	logged 'lxfw.*small/j.*again'
}

live_parts 3 "$@"
live_main "$@"
