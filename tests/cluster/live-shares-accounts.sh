#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Changes of shares and slurmdbd: one record for each share, without gaps. Jobs keep
# their shares while slurmdbd is not available.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/shares.sh
. "$(dirname "$0")/shares.sh"

type -P slurmdbd >/dev/null && type -P mariadbd >/dev/null ||
	skip "slurmdbd and MariaDB are not installed"

# records_of JOB: print state, processors and seconds of each record, in order
records_of()
{
	sacct -n -X -D -P -S now-1days -j "$1" -o dbindex,state,alloccpus,start,end |
		sort -n | awk -F '[|]' '{ print $2, $3, $5 - $4 }' | xargs
}

# tiled JOB: true if each record begins when the preceding one ends.
tiled()
{
	sacct -n -X -D -P -S now-1days -j "$1" -o dbindex,start,end | sort -n |
		awk -F '[|]' 'NR > 1 && $2 != end { exit 1 } { end = $3 } END { exit end !~ /^[0-9]+$/ }'
}

has_records()
{
	[[ $(records_of "$1") =~ ^$2$ ]]
}

test_a_record_for_each_share()
{
	local first second
	first=$(adaptive -w n1 -c 16 -t 5 --mem 100 'sleep 14')
	expect_procs "$first" 16
	second=$(adaptive -w n1 -c 16 -t 5 --mem 100 'sleep 4')
	expect_procs "$first" 8
	expect_procs "$second" 8
	wait_done "$second"
	expect_procs "$first" 16
	wait_done "$first"
	poll 60 has_records "$first" 'RESIZING 16 [0-9]+ RESIZING 8 [0-9]+ COMPLETED 16 [0-9]+' ||
		fail "records of job $first: $(records_of "$first")"
	poll 60 tiled "$first" || fail "gaps between records: $(records_of "$first")"
}

# When the last task of an array starts, Slurm sends slurmdbd a further message within
# some seconds. It must not change the records of the task's shares.
test_the_last_task_of_an_array()
{
	local array other
	array=$(adaptive -w n1 -c 16 -t 5 --mem 100 --array=0-0 'sleep 16')
	expect_procs "$array" 16
	other=$(adaptive -w n1 -c 16 -t 5 --mem 100 'sleep 1')
	wait_done "$other"
	wait_done "$array"
	poll 60 has_records "$array" 'RESIZING 16 [0-9]+ RESIZING 8 [0-9]+ COMPLETED 16 [0-9]+' &&
		poll 60 tiled "$array" || fail "records of the task: $(records_of "$array")"
}

# expect_kept JOB: before 24.11, Slurm waits for slurmdbd's response, so the job keeps
# its share while slurmdbd is not available.
expect_kept()
{
	local release
	release=$(scontrol --version)
	[[ ${release##* } > 24.11 ]] ||
		expect_logged "JobId=$1 keeps its processors: no response from slurmdbd" 30
}

test_slurmdbd_unavailable()
{
	local first second third
	first=$(adaptive -w n1 -c 16 -t 5 --mem 100 "until [ -e $run/work/over ]; do sleep 0.2; done")
	expect_procs "$first" 16
	"$cluster" kill9-dbd "$run"
	second=$(adaptive -w n1 -c 16 -t 5 --mem 100 'sleep 2')
	expect_kept "$first"
	# The controller continues.
	third=$(submit -w n2 -n 4 -t 5 'sleep 0')
	wait_done "$third"
	"$cluster" start-dbd "$run" || fail "slurmdbd does not start"
	poll 60 has_procs "$first" 8 || fail "job $first has $(procs_of "$first") processors"
	wait_done "$second"
	expect_procs "$first" 16
	touch "$run/work/over"
	wait_done "$first"
	poll 60 tiled "$first" || fail "gaps between records: $(records_of "$first")"
}

# Cores that were allocated twice in the meantime are corrected when slurmdbd is
# available again.
test_resumed_while_slurmdbd_is_unavailable()
{
	local first rigid
	first=$(adaptive -w n1 -c 8 -t 5 --mem 100 'sleep 1000')
	expect_procs "$first" 8
	scontrol suspend "$first"
	rigid=$(submit -w n1 -n 8 -t 5 --mem 100 'sleep 1000')
	wait_state "$rigid" RUNNING
	"$cluster" kill9-dbd "$run"
	scontrol resume "$first" || fail "not resumed"
	expect_kept "$first"
	"$cluster" start-dbd "$run" || fail "slurmdbd does not start"
	expect_logged 'node n1 had cores allocated twice: corrected' 100
	expect_procs "$first" 8
	scancel "$rigid" "$first"
	wait_state "$first" CANCELLED
	poll 60 tiled "$first" || fail "gaps between records: $(records_of "$first")"
}

live_policy=$shares_policy
live_main "$@" -- --nodes 2 --cpus 16 --accounting
