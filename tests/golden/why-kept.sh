#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw why` on a journal with each kind of job that waits without the scheduler, and what other
# commands make of it. tests/fuzz/make_kept.c wrote the journal.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

journal=$top_srcdir/tests/fuzz/corpus/journal/kept.jnl

# expect WHAT OPTIONS...: standard input has the expected output
expect()
{
	what=$1
	shift
	"$lxfw" why "$@" > "$work/is" 2> "$work/messages" ||
		fail "$what: exit status $?: $(cat "$work/messages")"
	diff -u - "$work/is" > "$work/diff" || fail "$what: $(cat "$work/diff")"
}

# says TEXT OPTIONS...: one line of the output has TEXT
says()
{
	text=$1
	shift
	"$lxfw" why "$@" > "$work/is" 2>&1
	grep -qF -- "$text" "$work/is" || fail "why $* does not print '$text': $(cat "$work/is")"
}

[ "$("$lxfw" replay "$journal")" = '16 of 16 decisions agree (52 events, 15 actions, 2 segments)' ] ||
	fail "replay: $("$lxfw" replay "$journal")"

expect 'a limit, then held' --at 1400 11 "$journal" << 'END'
Job 11 has waited for 6:40.

It is not eligible: its user holds it.
The scheduler considers it when its user or an operator releases it.

Its request is not recorded: the scheduler has not had the job.

Since its submission, it was kept from the queue:
  for 5:00 it was not eligible: a limit of its QOS on processors is reached
  for 1:40 it was not eligible: its user holds it

History:
  1001  not eligible: a limit of its QOS on processors is reached
  1300  not eligible: its user holds it
END
expect 'after that' 11 "$journal" << 'END'
Job 11 started with its reservation, 16:40 after its submission.

It requests 1 processor on 1 host for 1:40.

Before its start, it was kept from the queue:
  for 5:00 it was not eligible: a limit of its QOS on processors is reached
  for 3:20 it was not eligible: its user holds it

No job of lower priority started while it waited.

History:
  1001  not eligible: a limit of its QOS on processors is reached
  1300  not eligible: its user holds it
  1500  eligible
  1500  reserved: it starts at 2000 at the latest
  2000  started with its reservation
  2100  ended
END
expect 'begin time' --at 1200 14 "$journal" << 'END'
Job 14 has waited for 3:20.

It is not eligible: its begin time has not come.
This ends in 21:40, at 2500.

Its request is not recorded: the scheduler has not had the job.

History:
  1001  not eligible: its begin time has not come
END
expect 'left' --at 1200 15 "$journal" << 'END'
Job 15 has waited for 3:20.

The scheduler leaves it to the workload manager to start it: it requests consecutive hosts.
The scheduler's order, reservations and expected starts do not contain it.

Its request is not recorded: the scheduler has not had the job.

History:
  1001  left to the workload manager: it requests consecutive hosts
END
expect 'left, started' 15 "$journal" << 'END'
Job 15 started by a decision of the workload manager, which was left to start it, 18:20 after its submission.

Its request is not recorded: the scheduler has not had the job.

Before its start, it was kept from the queue:
  for 18:20 it was left to the workload manager: it requests consecutive hosts

History:
  1001  left to the workload manager: it requests consecutive hosts
  2100  started by a decision of the workload manager, which was left to start it
  2200  ended
END
expect 'cancelled while held' 21 "$journal" << 'END'
Job 21 left the queue without a start.

Its request is not recorded: the scheduler has not had the job.

Before it left, it was kept from the queue:
  for 5:00 it was not eligible: an operator or the workload manager holds it

History:
  1001  not eligible: an operator or the workload manager holds it
  1300  ended without a start
END
# The start of job 18 did not happen: it had changed.
expect 'changed' 18 "$journal" << 'END'
Job 18 has waited for 33:20.

It is not eligible: a limit of its account or user on jobs is reached.
The scheduler considers it when less is in use, or the limit changes.

It requests 1 processor on 1 host for 1:40.

Since its submission, it was kept from the queue:
  for 2s it was not eligible: it changed when it was to start, and is examined again
  for 12:38 it was not eligible: a limit of its account or user on jobs is reached

History:
  2240  submitted
  2240  not eligible: it changed when it was to start, and is examined again
  2242  not eligible: a limit of its account or user on jobs is reached
END
expect 'held while it waited' --at 2800 19 "$journal" << 'END'
Job 19 has waited for 30:00.

It is not eligible: its user holds it.
The scheduler considers it when its user or an operator releases it.

It requests 8 processors on 2 hosts for 1:40.

History:
  2600  submitted
  2600  reserved: it starts at 2660 at the latest
  2700  not eligible: its user holds it
END
says 'Job 13 started as soon as it was eligible, 16:40 after its submission.' 13 "$journal"
says 'It is not eligible: it depends on other jobs.' --at 1200 13 "$journal"
says 'The scheduler considers it when the other jobs are in the state that it requests.' \
	--at 1200 13 "$journal"
says 'It is not eligible: its licenses are in use.' --at 1200 16 "$journal"
says '  for 8:20 it was not eligible: its licenses are in use' --at 1600 16 "$journal"
says 'Job 16 started in the order of priority, 16:40 after its submission.' 16 "$journal"
says 'It requests 2 hosts whole, with 2 processors or more for 1:40.' --at 1200 22 "$journal"
says 'It requests 1 processor on 1 host, 2 GPUs a100 for 1:40.' --at 1200 23 "$journal"
says 'The workload manager did not carry out its start: its hosts were being cleaned up after other jobs;' \
	--at 2205 17 "$journal"
says 'not tried again before 2230' 17 "$journal"

# Tasks of an array that were not submitted are as the array, others are not.
says 'This is known of its array; the task has no records of its own.' 20_5 "$journal"
says 'It is not eligible: its array may not run more tasks at a time.' 20_5 "$journal"
says 'Job 20_0 started as soon as it was eligible' 20_0 "$journal"

# After a rotation, what holds is stated again, with the time of the submission.
python3 -c '
import sys
bytes = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(bytes[bytes.rindex(b"LXFWjnl"):])
' "$journal" "$work/rotated"
expect 'rotated' --alone 12 "$work/rotated" << 'END'
Job 12 has waited for 33:20.

It is not eligible: its user holds it.
The scheduler considers it when its user or an operator releases it.

Its request is not recorded: the scheduler has not had the job.

History:
  3000  not eligible: its user holds it
END

# Journals of an older format state nothing of these jobs.
"$lxfw" why 99 "$top_srcdir/tests/golden/format-2/easy.jnl" > "$work/is" 2>&1
grep -q 'jobs that are not eligible, or that the workload manager is left to start, are not in journals of format 2' "$work/is" ||
	fail "format 2: $(cat "$work/is")"

# All names are in the manual page.
names=$(sed -n '/^static const char/,/^};/p' "$top_srcdir/common/model/reason.c" |
	grep -o '"[a-z_]*"' | tr -d '"')
[ "$(echo "$names" | wc -w)" -gt 50 ] || fail "names are not found"
for name in $names; do
	grep -qw -- "$name" "$top_srcdir/doc/lxfw.1" || fail "$name is not in lxfw(1)"
done

# JSON has names of reasons.
"$lxfw" why --json --at 1400 11 "$journal" > "$work/json" || fail 'JSON'
python3 -c '
import json, sys
why = json.load(open(sys.argv[1]))
assert why["state"] == "not_eligible" and why["reason"] == "held_by_user", why
assert why["until"] is None and why["of_array"] is False, why
assert why["kept"] == [
	{ "reason": "limit_of_qos", "limit_on": "processors", "seconds": 300 },
	{ "reason": "held_by_user", "seconds": 100 }], why
assert [e["what"] for e in why["history"]] == ["kept", "kept"], why
' "$work/json" || fail "JSON: $(cat "$work/json")"

# A file for each job that waits, also for those that the scheduler does not have.
mkdir "$work/folder"
"$lxfw" why --waiting "$work/folder" "$journal" > "$work/is" 2>&1 || fail "folder: $(cat "$work/is")"
[ "$(cat "$work/is")" = '3 jobs wait' ] || fail "folder: $(cat "$work/is")"
[ "$(cd "$work/folder" && echo *)" = '12.why 18.why 20.why' ] || fail "folder: $(ls "$work/folder")"
grep -q 'its user holds it' "$work/folder/12.why" || fail "folder: $(cat "$work/folder/12.why")"

"$lxfw" why --at 2650 --waiting "$work/folder" "$journal" > "$work/is" 2>&1 ||
	fail "folder at 2650: $(cat "$work/is")"
[ "$(cat "$work/is")" = '4 jobs wait' ] || fail "folder at 2650: $(cat "$work/is")"
[ "$(cd "$work/folder" && echo *)" = '12.why 18.why 19.why 20.why' ] ||
	fail "folder at 2650: $(ls "$work/folder")"

# The journal in words.
"$lxfw" journal --job 15 "$journal" > "$work/is" || fail 'journal'
diff -u - "$work/is" > "$work/diff" << 'END' || fail "journal: $(cat "$work/diff")"
1001 event handed-over 15 reason contiguous submitted 1000
2100 event run 15 until 2200 n2:4:0
2200 event end 15
END
[ "$("$lxfw" journal --job 11 "$journal" | head -1)" = \
	'1001 event not-eligible 11 reason limit_of_qos limit on processors submitted 1000' ] ||
	fail "journal: $("$lxfw" journal --job 11 "$journal")"

# The wait of a comparison has no time in which the job was not eligible. Job 18 did not start.
"$lxfw" compare --jobs-out "$work/jobs.csv" "$journal" > "$work/is" 2> "$work/messages" ||
	fail "compare: $(cat "$work/messages")"
grep -q 'not eligible for a time, which is no part of their waits: ' "$work/is" ||
	fail "compare: $(cat "$work/is")"
grep -q '^left to the workload manager: 1$' "$work/is" || fail "compare: $(cat "$work/is")"
cut -d, -f 1,5,6 "$work/jobs.csv" > "$work/is"
diff -u - "$work/is" > "$work/diff" << 'END' || fail "compare: $(cat "$work/diff")"
job_id,measured_wait,simulated_wait
1,0,0
23,1000,1000
11,500,500
16,500,500
13,0,0
4294967316,0,0
17,1240,1200
14,0,0
END

# Nor has that of its perturbed copies.
"$lxfw" compare --format csv "$journal" 2> "$work/messages" |
	awk -F, '$1 == "simulated_mean_high_s" { high = $2 } END { exit !(high > 0 && high < 600) }' ||
	fail "perturbed copies: $("$lxfw" compare --format csv "$journal" 2>&1 | grep mean)"

# Starts are predicted of jobs that the scheduler has.
"$lxfw" predict --journal "$journal" > "$work/is" 2> "$work/messages" || fail 'predict'
grep -q 'not predicted: 3 jobs that are not eligible, 0 that the workload manager is left to start$' \
	"$work/messages" || fail "predict: $(cat "$work/messages")"
"$lxfw" predict --journal "$journal" 12 > "$work/is" 2> "$work/messages"
[ $? = 1 ] && grep -q 'job 12 is not eligible (held_by_user): its start is not predicted' "$work/messages" ||
	fail "predict 12: $(cat "$work/messages")"

# The journal of a simulation has the names of GRES, too.
printf '%s\n' ClusterName=x SelectType=select/cons_tres SelectTypeParameters=CR_CPU_Memory \
	GresTypes=gpu 'NodeName=n[1-2] CPUs=8 RealMemory=1000 Gres=gpu:a100:2' \
	'PartitionName=all Nodes=ALL MaxTime=7-0' > "$work/slurm.conf"
{
	echo '; Request: 1 nodes=1,gres/gpu:a100=2'
	echo '1 0 -1 100 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1 -1'
} > "$work/gpus.swf"
"$lxfw" simulate "$work/gpus.swf" --cluster "$work/slurm.conf" --policy easy \
	--journal "$work/gpus.jnl" > "$work/is" 2>&1 || fail "simulate: $(cat "$work/is")"
says 'It requests 1 processor on 1 host, 2 GPUs a100 for 1:40.' 1 "$work/gpus.jnl"
"$lxfw" replay "$work/gpus.jnl" | grep -qE '^([0-9]+) of \1 decisions agree' ||
	fail "replay of GPUs: $("$lxfw" replay "$work/gpus.jnl")"
finish
