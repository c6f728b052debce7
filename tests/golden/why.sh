#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw why`: hand-worked cases, and how each job of a random log started, compared with
# what the jobs' table says. LXFW_SEED repeats a run.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# expect WHAT STATUS OPTIONS...: standard input has the expected output
expect()
{
	what=$1 should=$2
	shift 2
	status=0
	"$lxfw" why "$@" > "$work/is" 2> "$work/messages" || status=$?
	[ "$status" = "$should" ] ||
		fail "$what: exit status $status: $(cat "$work/messages")"
	diff -u - "$work/is" > "$work/diff" || fail "$what: $(cat "$work/diff")"
}

# record PROCS LOG OPTIONS...: write the journal of a simulation
record()
{
	procs=$1 log=$2
	shift 2
	"$lxfw" simulate --cluster procs="$procs" --journal "$work/journal" \
		--jobs-out "$work/jobs.csv" "$@" "$log" > "$work/out" 2>&1 ||
		fail "simulate $*: $(cat "$work/out")"
}

# Job 1 has 8 of 12 processors until 100. Job 2 needs 5. Job 3 ends before 100; job 4 does
# not, but at 100 the reservation of job 2 leaves 12 - 2 - 5 processors.
{
	job 1 0 100 8 100
	job 2 1 50 5 50
	job 3 2 50 2 50
	job 4 2 200 2 200
} > "$work/log.swf"
record 12 "$work/log.swf" --policy easy

expect 'waits' 0 --at 2 2 "$work/journal" << 'END'
Job 2 has waited for 1s.
No job is before it in the queue.
It waits for the ends of 2 running jobs, and starts in 1:38, at 100, if all jobs run to their time limits.
With half of the processors it would start 48s earlier.

It requests 5 processors on 1 host for 50s.

It is number 1 of 1 in the queue (policy easy): priority 0.

It has a reservation: it starts in 1:38, at 100, at the latest.
On its hosts run, and end for it at the latest:
  job 3, 2 processors, until 52
  job 1, 8 processors, until 100

If all jobs run to their limits and none is submitted, it starts in 1:38, at 100.
  with half of the processors: in 50s, at 52, 48s earlier
  with half of the time limit: no earlier
  with a quarter of the time limit: no earlier

2 jobs of lower priority started while it waited:
  2  job 3: it ends before the reservation of this job
  2  job 4: it uses what the reservation of this job leaves free

History:
  1  submitted
  1  reserved: it starts at 100 at the latest
END
expect 'started with its reservation' 0 2 "$work/journal" << 'END'
Job 2 started with its reservation, 1:39 after its submission.

It requests 5 processors on 1 host for 50s.

2 jobs of lower priority started while it waited:
  2  job 3: it ends before the reservation of this job
  2  job 4: it uses what the reservation of this job leaves free

History:
  1  submitted
  1  reserved: it starts at 100 at the latest
  100  started with its reservation
  150  ended
END
# With a priority of weights its terms are shown: an hour of waiting, and (1 h + 50 s) / 50 s.
record 12 "$work/log.swf" --policy priority --params lxfw_ww=1,lxfw_wx=1,lxfw_wp=0.5
"$lxfw" why --at 2 2 "$work/journal" |
	grep -q 'priority 3.52 = 0.0002778 wait + 1.02 expansion factor + 2.5 processors' ||
	fail "terms: $("$lxfw" why --at 2 2 "$work/journal" | grep number)"

# Job 2 is served for 60 s; job 1 is suspended for it until 40.
{
	job 1 0 100 8 100
	job 2 10 30 5 300
} > "$work/log.swf"
record 8 "$work/log.swf" --policy easy --params lxfw_quantum=60,lxfw_quantum_min_run=5
expect 'suspended' 0 1 "$work/journal" << 'END'
Job 1 started at once.

It requests 8 processors on 1 host for 1:40.

No job of lower priority started while it waited.

It was suspended 1 time, for 30s in all.

History:
  0  submitted
  0  started at once
  10  suspended for job 2
  40  resumed
  130  ended
END
"$lxfw" why 2 "$work/journal" | grep -q 'started for a quantum of immediate service' ||
	fail "served: $("$lxfw" why 2 "$work/journal")"

"$lxfw" why --json 1 "$work/journal" > "$work/json" || fail 'JSON'
python3 -c '
import json, sys
why = json.load(open(sys.argv[1]))
assert why["suspensions"] == 1 and why["suspended_s"] == 30, why
assert [e["what"] for e in why["history"]] == [
	"submitted", "started", "suspended", "resumed", "ended"], why
assert why["history"][2]["for_job"] == "2", why
' "$work/json" || fail "JSON: $(cat "$work/json")"
"$lxfw" why --format csv 1 "$work/journal" | grep -q '^,,suspended_s,30,$' ||
	fail "CSV: $("$lxfw" why --format csv 1 "$work/journal")"

# Errors.
expect 'another job' 1 77 "$work/journal" < /dev/null
expect 'no job' 2 x "$work/journal" < /dev/null
expect 'no journal' 2 1 < /dev/null
expect 'bad time' 2 --at tomorrow 1 "$work/journal" < /dev/null
expect 'no such day' 2 --at 2026-02-30 1 "$work/journal" < /dev/null
expect 'no such file' 2 1 "$work/none" < /dev/null
echo no journal > "$work/text"
expect 'not a journal' 2 1 "$work/text" < /dev/null
head -c 150 "$work/journal" > "$work/cut"
"$lxfw" why 1 "$work/cut" > "$work/out" 2>&1
status=$?
[ "$status" -le 1 ] || fail "a journal that was cut: $status: $(cat "$work/out")"

# How each job started under EASY on a random log, by another program.
seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"
python3 - "$seed" > "$work/log.swf" << 'END'
import random, sys
r = random.Random(int(sys.argv[1]))
time = 0
for number in range(1, 61):
    time += r.choice([0, 1, 5, 40])
    run = r.randint(1, 200)
    procs = r.randint(1, 10)
    print(number, time, -1, run, procs, -1, -1, procs, run + r.randint(0, 50),
          -1, 1, 1, 1, 1, 1, 1, -1, -1)
END
record 10 "$work/log.swf" --policy easy
for number in $(seq 1 60); do
	"$lxfw" why --json "$number" "$work/journal" > "$work/why.$number" ||
		fail "job $number"
done
python3 - "$work" << 'END' || fail 'labels of the random log'
import csv, json, sys
work = sys.argv[1]
jobs = {int(row['job_id']): row for row in csv.DictReader(open(work + '/jobs.csv'))}
start = {n: int(row['start']) for n, row in jobs.items()}
submit = {n: int(row['submit']) for n, row in jobs.items()}
backfilled = 0
for n in jobs:
    why = json.load(open('%s/why.%d' % (work, n)))
    entry = [e for e in why['history'] if e['what'] == 'started'][0]
    held = [e for e in why['history'] if e['what'] == 'reserved']
    before = [o for o in jobs if (submit[o], o) < (submit[n], n) and start[o] > start[n]]
    past = [o for o in jobs if (submit[o], o) > (submit[n], n) and start[o] < start[n]
            and submit[n] <= start[o]]
    assert entry['time'] == start[n], (n, entry)
    assert why['passed_by'] == len(past), (n, why['passed_by'], past)
    if start[n] == submit[n]:
        should = 'at_once'
    elif held:
        should = 'reservation'
    else:
        should = 'backfilled' if before else 'in_order'
    assert entry['how'] == should, (n, entry, should)
    if should == 'backfilled':
        backfilled += 1
        assert entry['before_jobs'] == len(before), (n, entry, before)
print('#', backfilled, 'backfilled')
END
# The files of all waiting jobs are the texts of each without the numbers of others.
mkdir "$work/folder"
checked=0
for at in 150 400 700; do
	echo old > "$work/folder/9999.why"
	echo kept > "$work/folder/notes"
	"$lxfw" why --waiting "$work/folder" --at "$at" "$work/journal" > "$work/out" ||
		fail "--waiting: $(cat "$work/out")"
	for file in "$work"/folder/*.why; do
		[ -e "$file" ] || continue
		number=$(basename "$file" .why)
		"$lxfw" why --nameless --at "$at" "$number" "$work/journal" > "$work/one" ||
			fail "--nameless $number"
		cmp -s "$file" "$work/one" ||
			fail "--waiting at $at, job $number: $(diff "$file" "$work/one")"
		grep -q "^Job $number has waited" "$file" || fail "$number: $(cat "$file")"
		"$lxfw" why --at "$at" "$number" "$work/journal" |
			sed "/^Job $number/!s/job [0-9][0-9]*/another job/" |
			cmp -s - "$file" || fail "names: $(cat "$file")"
		checked=$((checked + 1))
	done
	[ "$(cat "$work/out")" = "$(find "$work/folder" -name '*.why' | wc -l) jobs wait" ] ||
		fail "$(cat "$work/out")"
	[ -e "$work/folder/notes" ] || fail 'another file was removed'
done
[ "$checked" -gt 0 ] || fail "only $checked jobs waited"
# Job 2 of the last hand-made log suspended job 1.
{
	job 1 0 100 8 100
	job 2 10 30 5 300
} > "$work/two.swf"
"$lxfw" simulate --cluster procs=8 --policy easy --journal "$work/two" \
	--params lxfw_quantum=60,lxfw_quantum_min_run=5 "$work/two.swf" > "$work/out" 2>&1 ||
	fail "$(cat "$work/out")"
"$lxfw" why --nameless --json 1 "$work/two" > "$work/json"
grep -q '"for_job": *"another job"' "$work/json" || fail "JSON: $(cat "$work/json")"
"$lxfw" why --waiting "$work/folder" --changes 0 --at 400 "$work/journal" > "$work/out"
grep -q 'half of' "$work"/folder/* && fail '--changes 0'
"$lxfw" why --waiting "$work/folder" "$work/journal" > "$work/out"
[ "$(ls "$work/folder")" = notes ] || fail "left: $(ls "$work/folder")"
expect 'no folder' 2 --waiting "$work/none" --at 400 "$work/journal" < /dev/null
expect 'no journal' 2 --waiting "$work/folder" < /dev/null
expect 'JSON files' 2 --waiting "$work/folder" --json "$work/journal" < /dev/null
expect 'changes' 2 --changes 3 1 "$work/journal" < /dev/null

# The journal of a trial.
"$lxfw" generate --seed 3 --jobs 50 --load 0.9 --out "$work/trial.swf" lublin &&
	"$lxfw" simulate --policy easy --params lxfw_shadow=on --journal "$work/trial" \
		"$work/trial.swf" > "$work/out" 2>&1 || fail "a trial: $(cat "$work/out")"
"$lxfw" why 20 "$work/trial" 2>&1 > "$work/out" | grep -q 'the decisions are not carried out' ||
	fail "a trial: no note"
"$lxfw" snapshot --journal "$work/trial" -o "$work/state" 2>&1 |
	grep -q 'the decisions are not carried out' || fail "a trial: no note of the snapshot"

# Between two records, at 2 and 52, the times are those that are asked for. After the last one they
# are those of the last record: what happened since is not known.
{
	job 1 0 100 8 100
	job 2 1 50 5 50
	job 3 2 50 2 50
	job 4 2 200 2 200
} > "$work/log.swf"
record 12 "$work/log.swf" --policy easy
expect 'between' 0 --at 30 2 "$work/journal" << 'END'
Job 2 has waited for 29s.
No job is before it in the queue.
It waits for the ends of 2 running jobs, and starts in 1:10, at 100, if all jobs run to their time limits.
With half of the processors it would start 48s earlier.

It requests 5 processors on 1 host for 50s.

It is number 1 of 1 in the queue (policy easy): priority 0.

It has a reservation: it starts in 1:10, at 100, at the latest.
On its hosts run, and end for it at the latest:
  job 3, 2 processors, until 52
  job 1, 8 processors, until 100

If all jobs run to their limits and none is submitted, it starts in 1:10, at 100.
  with half of the processors: in 22s, at 52, 48s earlier
  with half of the time limit: no earlier
  with a quarter of the time limit: no earlier

2 jobs of lower priority started while it waited:
  2  job 3: it ends before the reservation of this job
  2  job 4: it uses what the reservation of this job leaves free

History:
  1  submitted
  1  reserved: it starts at 100 at the latest
END
"$lxfw" why --waiting "$work/folder" --at 30 "$work/journal" > "$work/out" 2>&1
grep -q '^Job 2 has waited for 29s' "$work/folder/2.why" || fail "between: $(cat "$work/folder/2.why")"
"$lxfw" why 4 "$work/journal" > "$work/last"
expect 'after the end' 0 --at 100000 4 "$work/journal" < "$work/last"

# A file that cannot be written does not stop the others, in the order of the jobs.
{
	job 1 0 100 8 100
	job 2 1 50 8 50
	job 3 2 50 8 50
} > "$work/queue.swf"
record 8 "$work/queue.swf" --policy easy
rm -f "$work"/folder/*.why
mkdir "$work/folder/2.why"
echo old > "$work/folder/9.why"
expect 'an unwritable file' 2 --waiting "$work/folder" --at 2 "$work/journal" < /dev/null
grep -q "folder/2.why: " "$work/messages" || fail "unwritable: $(cat "$work/messages")"
grep -q '^Job 3 has waited' "$work/folder/3.why" || fail 'unwritable: the other file'
[ ! -e "$work/folder/9.why" ] || fail 'unwritable: the file of a job that does not wait'
rmdir "$work/folder/2.why"
expect 'writable' 0 --waiting "$work/folder" --at 2 "$work/journal" << 'END'
2 jobs wait
END

# Devices without end are no journals, and neither are what they are compressed to.
for device in /dev/zero /dev/urandom; do
	for command in "why 1" replay journal "predict --journal"; do
		status=0
		# shellcheck disable=SC2086
		timeout 120 "$lxfw" $command $device > "$work/out" 2> "$work/messages" || status=$?
		[ $status = 2 ] || fail "$command $device: exit status $status"
		grep -q "$device: not a journal" "$work/messages" ||
			fail "$command $device: $(cat "$work/messages")"
	done
done

finish
