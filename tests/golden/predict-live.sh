#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw predict --journal`: expected starts from the state in a journal, of waiting jobs and
# of jobs that might be submitted, and bad input.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# predict OUT OPTIONS...
predict()
{
	out=$1
	shift
	"$lxfw" predict --journal "$work/journal" --moments 0 "$@" > "$work/$out" \
		2> "$work/messages" ||
		fail "predict $*: exit status $?: $(cat "$work/messages")"
}

# shows OUT: standard input has the lines from the head of the table on
shows()
{
	sed '1,/^$/d' "$work/$1" | tr -s ' ' > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "$1: $(cat "$work/diff")"
}

# Every 2000 s a job of 4 processors runs for half of its limit of 1000 s. At 100000 such a
# job runs, and two of 4 processors and one of 2 wait. That of 2 has run 50 s, always.
i=0
while [ $i -lt 50 ]; do
	job $((3 * i + 1)) $((2000 * i)) 500 4 1000
	job $((3 * i + 2)) $((2000 * i + 1000)) 50 2 60
	i=$((i + 1))
done > "$work/log.swf"
{
	job 900 100000 500 4 1000
	job 901 100010 500 4 1000
	job 902 100020 500 4 1000
} >> "$work/log.swf"
"$lxfw" simulate --cluster procs=4 --policy fcfs --journal "$work/journal" "$work/log.swf" \
	> "$work/out" 2>&1 || fail "simulate: $(cat "$work/out")"

# The submissions of earlier days come after both jobs and do not delay them under fcfs.
predict waiting --at 100020 --before 101000
shows waiting << 'END'
job expected start 50 % from to 90 % from to before 101000
901 100500 in 8.0m 100500 100500 100500 100500 100 %
902 101000 in 16.3m 101000 101000 101000 101000 0 %
END
grep -q '^state at 100020: 4 processors, 1 jobs run, 2 wait$' "$work/waiting" ||
	fail "state: $(head -1 "$work/waiting")"
grep -q '^50 futures, from the run times of 100 jobs and 103 submissions$' "$work/waiting" ||
	fail "head: $(sed -n 2p "$work/waiting")"
! grep -q 'expected to need' "$work/waiting" || fail "run times are known: $(head -n 4 "$work/waiting")"
predict one --at 100020 902
shows one << 'END'
job expected start 50 % from to 90 % from to
902 101000 in 16.3m 101000 101000 101000 101000
END

# A running job has run for 10 s. A new one of the machine starts when it ends, a new
# one of 4 processors less too. A shorter limit makes no difference under fcfs.
predict request --at 100005 --request '-n 4 -t 16:40'
shows request << 'END'
job expected start 50 % from to 90 % from to
-n 4 -t 00:16:40 100500 in 8.2m 100500 100500 100500 100500
-n 2 -t 00:16:40 100500 in 8.2m 100500 100500 100500 100500
-n 1 -t 00:16:40 100500 in 8.2m 100500 100500 100500 100500
-n 4 -t 00:12:00 100500 in 8.2m 100500 100500 100500 100500
-n 4 -t 00:08:00 100500 in 8.2m 100500 100500 100500 100500
-n 4 -t 00:04:00 100500 in 8.2m 100500 100500 100500 100500
END

# Under easy, a job that ends before the reservation of the first one starts at once.
{
	echo '; MaxProcs: 4'
	sed '/^900/,$d' "$work/log.swf"
	job 900 100000 500 3 1000
	job 901 100010 500 4 1000
} > "$work/easy.swf"
"$lxfw" simulate --policy easy --journal "$work/journal" "$work/easy.swf" > "$work/out" 2>&1 ||
	fail "simulate: $(cat "$work/out")"
predict sooner --at 100010 --request '-n1 -t 1:00:00 --mem=0'
grep -q "^ask for '-n 1 -t 00:15:00' and it is expected to start at 100010, .* earlier$" \
	"$work/sooner" || fail "sooner: $(cat "$work/sooner")"
[ "$(grep -c '^ask for' "$work/sooner")" = 1 ] || fail "sooner: $(cat "$work/sooner")"

# All forms of values; the formats agree; threads and seeds.
predict forms --at 100010 --request '-N 1 --ntasks 4 -c1 --time=1-2:03:04'
grep -q -- '^-N 1 -n 4 -t 1-02:03:04 ' "$work/forms" || fail "forms: $(cat "$work/forms")"
predict json --at 100010 --before 200000 --json
grep -q '"job": "901"' "$work/json" && grep -q '"expected_start": 100500' "$work/json" &&
	grep -q '"chance_before": 1' "$work/json" || fail "json: $(cat "$work/json")"
predict csv --at 100010 --format csv
grep -q '^jobs,1,expected_start,100500,$' "$work/csv" || fail "csv: $(cat "$work/csv")"
TZ=UTC predict dates --at 1970-01-02T03:46:50 --dates
grep -q '1970-01-02T03:55:00' "$work/dates" || fail "dates: $(cat "$work/dates")"

"$lxfw" generate ncsa-o2k --month 2000-02 --out "$work/month.swf" > "$work/out" 2>&1 ||
	fail "generate: $(cat "$work/out")"
"$lxfw" simulate --policy lxfw --cluster procs=400 --journal "$work/journal" \
	"$work/month.swf" > "$work/out" 2>&1 || fail "simulate: $(cat "$work/out")"
at=$("$lxfw" journal "$work/journal" | awk '$3 == "submit" && ++n == 1500 { print $1 }')
# Intervals are corrected by the file: jobs started much earlier or later than was predicted.
awk -v at="$at" 'BEGIN {
	print "lxfw-calibration 2"
	print "time start age expected limit weight low50 high50 low90 high90 job"
	for (i = 80; i > 0; i--) {
		time = at - 100000 - 40000 * i
		print time, time + (i % 2 ? 100 : 100000), 3600, 1500, 3600, 1, 1000, 2000, 500,
			4000, 0
	}
}' > "$work/calibration"
predict narrow --at "$at" --format csv
predict wide --at "$at" --format csv --calibration "$work/calibration"
predict again --at "$at" --format csv --threads 1
predict other --at "$at" --format csv --seed 2
predict later --at "$((at + 2))" --format csv
cmp -s "$work/narrow" "$work/again" || fail 'one thread: another result'
grep -q ',corrected_by,80,' "$work/wide" || fail "wide: $(head -12 "$work/wide")"
# moved FILE: the sum of the changes of expected starts, seconds
moved()
{
	awk -F, '$3 == "job" { job[FILENAME, $2] = $5 }
		$3 == "expected_start" { start[FILENAME, job[FILENAME, $2]] = $4 }
		END { for (i in start) print i, start[i] }' SUBSEP=' ' narrow "$1" | awk -v file="$1" '
		$1 == "narrow" { narrow[$2] = $3 }
		$1 == file { other[$2] = $3 }
		END { for (i in narrow) if (i in other)
			sum += narrow[i] > other[i] ? narrow[i] - other[i] : other[i] - narrow[i]
			printf "%d\n", sum }'
}
cd "$work" || exit 99
# Two seconds later the futures are alike.
[ "$(moved later)" -lt "$(($(moved other) / 5))" ] ||
	fail "two seconds later: $(moved later) s, with another seed $(moved other) s"
cd - > "$work/out" || exit 99
awk -F, '
	FNR == 1 { file++ }
	$1 == "jobs" && file == 1 { low[$2] = $3 == "low90" ? $4 : low[$2]
				    if ($3 == "high90") high[$2] = $4 }
	$1 == "jobs" && file == 2 && $3 == "low90" { wrong += $4 > low[$2]; jobs++ }
	$1 == "jobs" && file == 2 && $3 == "high90" {
		wrong += $4 < high[$2]
		wider += $4 > high[$2]
	}
	END { exit jobs == 0 || wrong || wider == 0 }' "$work/narrow" "$work/wide" ||
	fail 'corrected intervals are not wider'

# Another scheduler considers jobs at its own times: a gap before the reservation of job 2 must be a
# minute longer than a job, and a start that is the same in all futures is not stated to the second.
{
	job 1 0 1000 2 1000
	job 2 5 500 4 500
	job 3 6 1940 2 1940
	job 4 100 10 1 10
} > "$work/gap.swf"
for shadow in off on; do
	"$lxfw" simulate --cluster procs=4 --policy site --params lxfw_shadow=$shadow \
		--journal "$work/gap" "$work/gap.swf" > "$work/out" 2>&1 || fail "gap: $(cat "$work/out")"
	predict "fits.$shadow" --journal "$work/gap" --at 10 --request '-n 2 -t 15'
	predict "exact.$shadow" --journal "$work/gap" --at 10 --request '-n 2 -t 16'
	"$lxfw" why --at 10 3 "$work/gap" > "$work/why.$shadow" 2> "$work/messages" ||
		fail "why: $(cat "$work/messages")"
done
grep -qE '^-n 2 -t 00:15:00 +10 +now +10 +10 +10 +10$' "$work/fits.off" || fail "fits: $(cat "$work/fits.off")"
grep -qE '^-n 2 -t 00:15:00 +10 +now +10 +40 +10 +70$' "$work/fits.on" || fail "fits: $(cat "$work/fits.on")"
grep -qE '^-n 2 -t 00:16:00 +10 +now ' "$work/exact.off" || fail "exact: $(cat "$work/exact.off")"
! grep -qE '^-n 2 -t 00:16:00 +10 +now ' "$work/exact.on" || fail "exact: $(cat "$work/exact.on")"
grep -q 'with half of the time limit: at 10, ' "$work/why.off" || fail "why: $(cat "$work/why.off")"
grep -q 'with half of the time limit: no earlier' "$work/why.on" &&
	grep -q 'with a quarter of the time limit: at 10, ' "$work/why.on" || fail "why: $(cat "$work/why.on")"

# --- bad input -------------------------------------------------------------------------

# refuses STATUS TEXT OPTIONS...
refuses()
{
	should=$1 text=$2 status=0
	shift 2
	"$lxfw" predict --moments 0 "$@" > "$work/out" 2> "$work/messages" || status=$?
	[ $status = "$should" ] || fail "$*: exit status $status"
	grep -q -- "$text" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: output $(cat "$work/out")"
}
journal=$work/journal
refuses 2 'expected --journal JOURNAL or --evaluate LOG' --journal "$journal" \
	--evaluate "$work/log.swf"
refuses 2 'without --journal, or with --request or --at, expected the present' --tell --at 5 \
	--journal "$journal"
refuses 2 '--every without --tell, --starts-out and --publish' --every 60 --journal "$journal"
refuses 2 "'59'.*60" --every 59 --journal "$journal"
refuses 2 'the last record is more than a day old, expected the journal of the running' \
	--tell --journal "$journal"
refuses 2 'No such file' --journal "$work/absent"
refuses 2 'not a journal' --journal "$work/log.swf"
refuses 2 'no events until --at' --journal "$journal" --at 0
# its last decision is before the first event; predictions at a moment before it succeed
refuses 2 'byte 1009: invalid record, expected a complete journal' --threads 1 --alone \
	--moments 1 --journal "$LXFW_TOP_SRCDIR/tests/golden/bad-decision.jnl"
refuses 1 'A journal of another cluster does not contain it' --journal "$journal" 99999999
refuses 2 'fits nowhere, even if no job runs: the machine has 400 processors' \
	--journal "$journal" --request '-n 401 -t 60'
refuses 2 'host set' --journal "$journal" --request '-n 4 -t 60 -p 7'
refuses 2 'without a time limit, expected -t TIME' --journal "$journal" --request '-n 4'
refuses 2 "no option '--gres', expected -n" --journal "$journal" --request '--gres gpu -t 1'
refuses 2 "'-t' with value '1:2:3:4', expected minutes" --journal "$journal" \
	--request '-t 1:2:3:4'
refuses 2 "'--mem' with value '4Q', expected a size" --journal "$journal" \
	--request '-t 1 --mem 4Q'
refuses 2 'more than 1099511627776 MB per node' --journal "$journal" \
	--request '-c 99999999 -t 1 --mem-per-cpu 99999999T'
refuses 2 'more than 100000000 processors' --journal "$journal" \
	--request '-n 100000000 -c 2 -N 1 -t 1'
refuses 2 '1 tasks on 2 nodes, expected a task for each node' --journal "$journal" \
	--request '-N 2 -n 1 -t 1'
refuses 2 "'-n' with value '', expected a number of tasks" --journal "$journal" \
	--request '-t 1 -n'
head -n 1 "$work/calibration" > "$work/short"
refuses 2 'short:2: other columns' --journal "$journal" --calibration "$work/short"
head -c 150 "$work/calibration" > "$work/short"
refuses 2 'short:[34]: .* may be truncated' --journal "$journal" --calibration "$work/short"
refuses 2 'log.swf:1: not a calibration' --journal "$journal" --calibration "$work/log.swf"
"$lxfw" simulate --cluster procs=64 --policy eqspatial --journal "$work/eq" \
	"$work/easy.swf" > "$work/out" 2>&1 || fail "eqspatial: $(cat "$work/out")"
refuses 2 'which the futures do not model' --journal "$work/eq"
"$lxfw" simulate --cluster procs=64 --policy easy --params lxfw_shadow=on --journal "$work/trial" \
	"$work/easy.swf" > "$work/out" 2>&1 || fail "a trial: $(cat "$work/out")"
refuses 2 'another scheduler starts the jobs (lxfw_shadow=on)' --journal "$work/trial"
: > "$work/empty"
refuses 2 'empty: not a journal' --journal "$work/empty"

# A journal that was cut short is read up to that point, with a note.
head -c 20001 "$journal" > "$work/cut"
"$lxfw" predict --moments 0 --journal "$work/cut" > "$work/out" 2> "$work/messages" ||
	fail "cut short: exit status $?"
grep -q 'truncated after .* of 20001 bytes, read up to that point' "$work/messages" ||
	fail "cut short: $(cat "$work/messages")"

# Many jobs on many hosts: futures have fewer reservations, which a note states.
{
	echo '; MaxProcs: 1000'
	i=0
	while [ $i -lt 120 ]; do
		i=$((i + 1))
		job $i 0 3600 1000 3600
	done
} > "$work/deep.swf"
echo 'n[1-1000] procs=1' > "$work/deep.cluster"
"$lxfw" simulate --cluster "$work/deep.cluster" --policy easy --params lxfw_reservations=200 \
	--journal "$work/deep" "$work/deep.swf" > "$work/out" 2>&1 || fail "deep: $(cat "$work/out")"
"$lxfw" predict --futures 10 --journal "$work/deep" --at 10 2 > "$work/out" 2> "$work/messages" ||
	fail "deep: exit status $?: $(cat "$work/messages")"
grep -q 'of 119 waiting jobs on 1000 hosts, the first 40 have reservations in the futures$' \
	"$work/messages" || fail "deep: $(cat "$work/messages")"

# No note if all jobs that wait have one.
head -n 10 "$work/deep.swf" > "$work/short.swf"
"$lxfw" simulate --cluster "$work/deep.cluster" --policy easy --params lxfw_reservations=all \
	--journal "$work/short" "$work/short.swf" > "$work/out" 2>&1 || fail "short: $(cat "$work/out")"
"$lxfw" predict --futures 10 --journal "$work/short" --at 10 2 > "$work/out" 2> "$work/messages" ||
	fail "short: exit status $?: $(cat "$work/messages")"
! grep 'have reservations' "$work/messages" || fail "short: a note without a reason"

finish
