#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The brokers olb, sjs and pjs of `lxfw grid`: schedules computed by hand; an independent
# program with the same schedules in random worlds, and its audit; the history of run times; bad
# input.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"

# batch NUMBER SUBMIT RUN KIND QUEUE: a line of a log, 1 processor, requested for 100 s
batch()
{
	echo "$1 $2 -1 $3 1 -1 -1 1 100 -1 1 $4 1 1 $5 1 -1 -1"
}

# grid OPTIONS: standard input has "JOB START END SITES" for each job of $work/log.swf
grid()
{
	"$lxfw" grid --sites "$work/sites" --jobs-out "$work/jobs.csv" "$@" "$work/log.swf" \
		> "$work/out" 2> "$work/messages" ||
		fail "grid $*: exit status $?: $(cat "$work/messages")"
	tail -n +2 "$work/jobs.csv" | awk -F, '{ print $1, $3, $4, $9 }' > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "grid $*: $(cat "$work/diff")"
}

# --- by hand -------------------------------------------------------------------------------

printf '%s\n' 'site=s1 procs=1 member=c' 'site=s2 procs=1 member=c' 'site=s3 procs=1' \
	> "$work/sites"
printf '%s\n' '# kind 1 runs in parallel' 'kind=1 place=s1,s2 seconds=20' \
	'kind=1 place=s3 seconds=40' 'kind=1 place=c seconds=8' 'kind=2 place=s1,s2 seconds=10' \
	'kind=2 place=s3 seconds=20' > "$work/times"

# All at 1, in the batch at 10. Opportunistic: sites in their order, whatever the times.
{
	batch 1 1 1 2 1
	batch 2 1 1 2 1
	batch 3 1 1 1 1
	batch 4 1 1 2 1
} > "$work/log.swf"
grid --times "$work/times" --kind user --broker olb << 'END'
1 10 20 s1:1
2 10 20 s2:1
3 10 50 s3:1
4 20 30 s1:1
END
# Min-min: 1 at s1 and 2 at s2 until 20; 4 at s1 until 30, as at s3; then 3 at s2 until 40:
# ends 20, 20, 30, 40. Min-max: 3 at s1 until 30, 1 at s2 until 20, then 2 at s2 and 4 at s3
# until 30: the same sum.
grid --times "$work/times" --kind user --broker sjs << 'END'
1 10 20 s1:1
2 10 20 s2:1
3 20 40 s2:1
4 20 30 s1:1
END
# Job 3 ends 12 s earlier on the cluster than alone, at 18; then 1 and 2 at 28 and 4 at 30 at
# s3: 104, less than 110.
grid --times "$work/times" --kind user --broker pjs << 'END'
1 18 28 s1:1
2 18 28 s2:1
3 10 18 s1:1+s2:1
4 10 30 s3:1
END

# High priority is queue 1, low is 3. Job 1 runs on the cluster from 0 on; at 10 job 2 of high
# priority would start at once on it, and so job 1 begins again after it.
printf '%s\n' 'kind=1 place=s1,s2 seconds=90' 'kind=1 place=s3 seconds=99' \
	'kind=1 place=c seconds=30' > "$work/times"
{
	batch 1 0 1 1 3
	batch 2 5 1 1 1
} > "$work/log.swf"
grid --times "$work/times" --kind user --broker pjs --priorities --preemptions 1 << 'END'
1 40 70 s1:1+s2:1
2 10 40 s1:1+s2:1
END
grid --times "$work/times" --kind user --broker pjs --priorities << 'END'
1 0 30 s1:1+s2:1
2 30 60 s1:1+s2:1
END
# Medium priority (queue 2) is not preempted.
{
	batch 1 0 1 1 2
	batch 2 5 1 1 1
} > "$work/log.swf"
grid --times "$work/times" --kind user --broker pjs --priorities --preemptions 1 << 'END'
1 0 30 s1:1+s2:1
2 30 60 s1:1+s2:1
END
# It does not preempt either.
{
	batch 1 0 1 1 3
	batch 2 5 1 1 2
} > "$work/log.swf"
grid --times "$work/times" --kind user --broker pjs --priorities --preemptions 1 << 'END'
1 0 30 s1:1+s2:1
2 30 60 s1:1+s2:1
END
# Not stopped more often than allowed: job 2 stops job 1 at 10, and at 50, when job 1 has run
# since 40, job 3 does so only if it may be stopped twice.
{
	batch 1 0 1 1 3
	batch 2 5 1 1 1
	batch 3 50 1 1 1
} > "$work/log.swf"
grid --times "$work/times" --kind user --broker pjs --priorities --preemptions 2 << 'END'
1 80 110 s1:1+s2:1
2 10 40 s1:1+s2:1
3 50 80 s1:1+s2:1
END
grid --times "$work/times" --kind user --broker pjs --priorities --preemptions 1 << 'END'
1 40 70 s1:1+s2:1
2 10 40 s1:1+s2:1
3 70 100 s1:1+s2:1
END

# --- history -------------------------------------------------------------------------------

# The requested 100 s are 50 s at s1, at twice the speed. A job of the data base has run there
# for 20 s: job 1 is expected to take 20 / 2 + 50 / 2 = 35 s there, and runs for 20 s. Job 2 is
# expected to take 2/3 of 20 and 1/3 of 50, job 3 3/4 of 20 and 1/4 of 50, and it runs for 30 s.
# The means beforehand are 20 s each.
printf '%s\n' 'site=s1 procs=1 speed=2' 'site=s2 procs=1' > "$work/sites"
batch 9 0 20 1 1 > "$work/log.swf"
if "$lxfw" import --history "$work/history" --machine s1 --speed 2 "$work/log.swf" \
	> "$work/out" 2> "$work/messages"; then
	cp "$work/history" "$work/before"
	# At the usual speed it takes twice as long, as job 1 does; two jobs of the data base judge nothing.
	batch 8 0 20 1 1 > "$work/log.swf"
	"$lxfw" import --history "$work/history" --machine s1 "$work/log.swf" > "$work/out" 2>&1
	echo 'site=s1 procs=1' > "$work/usual"
	batch 1 100 40 1 1 > "$work/log.swf"
	"$lxfw" grid --sites "$work/usual" --kind user --broker sjs --history "$work/history" \
		"$work/log.swf" > "$work/out" 2> "$work/messages" ||
		fail "history: $(cat "$work/messages")"
	grep -q '1 run times of kinds were expected with a mean error of 0 s, 0 % of their mean' \
		"$work/messages" || fail "history at the usual speed: $(cat "$work/messages")"
	cp "$work/before" "$work/history"
	{
		batch 1 100 40 1 1
		batch 2 200 40 1 1
		batch 3 300 60 1 1
	} > "$work/log.swf"
	"$lxfw" grid --sites "$work/sites" --kind user --broker sjs --history "$work/history" \
		--journals "$work" "$work/log.swf" > "$work/out" 2> "$work/messages" ||
		fail "history: $(cat "$work/messages")"
	grep -q '3 run times of kinds were expected with a mean error of 3 s, 14 % of their mean' \
		"$work/messages" || fail "history: $(cat "$work/messages")"
	"$lxfw" journal "$work/s1.journal" > "$work/text" 2>&1
	grep -o 'submit.*limit [0-9]*' "$work/text" | sed 's/.* //' | paste -sd' ' - |
		grep -qx '35 30 28' || fail "history: $(grep limit "$work/text")"
	cmp -s "$work/history" "$work/before" || fail 'history: the file has changed'
	# Several brokers begin with the same run times.
	"$lxfw" grid --sites "$work/sites" --kind user --broker sjs,sjs --history "$work/history" \
		--format csv "$work/log.swf" > "$work/out" 2> "$work/messages" ||
		fail "history: $(cat "$work/messages")"
	grep '^brokers,.*wait_s' "$work/out" | awk -F, '{ print $1, $3, $4 }' | sort | uniq -c |
		awk '$1 != 2' > "$work/odd"
	[ ! -s "$work/odd" ] || fail "history: $(cat "$work/odd")"
else
	grep -q 'built without SQLite' "$work/messages" || fail "$(cat "$work/messages")"
	echo '# built without SQLite: the history is not tested'
fi

# --- random worlds -------------------------------------------------------------------------

i=0
while [ $i -lt "$(random_cases 1 4)" ]; do
	i=$((i + 1))
	for times in '' times; do
		python3 "$golden/batch.py" world $((seed + i)) "$work" $times
		for how in olb:0:0 olb:10:0 sjs:10:0 sjs:0:2 sjs:10:1000 pjs:10:0 pjs:0:1 \
			   pjs:10:1000; do
			broker=${how%%:*} most=${how##*:} quantum=${how#*:}
			quantum=${quantum%:*}
			"$lxfw" grid --sites "$work/sites" ${times:+--times "$work/times"} \
				${times:+--kind user} --broker "$broker" --quantum "$quantum" \
				--priorities --preemptions "$most" --jobs-out \
				"$work/jobs.csv" --journals "$work" "$work/log.swf" \
				> "$work/out" 2> "$work/messages" ||
				fail "$how: $(cat "$work/messages")"
			python3 "$golden/batch.py" "$broker" "$quantum" "$most" "$work" \
				"$work/jobs.csv" $times > "$work/out" 2>&1 ||
				fail "$how $times, seed $((seed + i)): $(cat "$work/out")"
			"$lxfw" replay "$work/s1.journal" > "$work/replayed" 2>&1 ||
				fail "$how $times, replay: $(cat "$work/replayed")"
			[ $i -gt 1 ] || cat "$work/out"
		done
		# What was learned changes plans, but no schedule is impossible.
		[ -n "$times" ] || for broker in olb sjs pjs best_fit central; do
			"$lxfw" grid --sites "$work/sites" --kind user --broker $broker \
				--jobs-out "$work/jobs.csv" "$work/log.swf" > "$work/out" \
				2> "$work/messages" || fail "$broker: $(cat "$work/messages")"
			python3 "$golden/batch.py" audit 10 0 "$work" "$work/jobs.csv" ||
				fail "$broker, learned, seed $((seed + i))"
		done
	done
done

# --- bad input -----------------------------------------------------------------------------

# bad EXPECTED OPTIONS: exit status 2, EXPECTED in the message, no output
bad()
{
	expected=$1
	shift
	"$lxfw" grid --sites "$work/sites" --broker pjs "$@" "$work/log.swf" > "$work/out" \
		2> "$work/messages"
	[ $? -eq 2 ] || fail "$*: exit status is not 2"
	grep -q -e "$expected" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: output"
}

# bad_times EXPECTED LINE: a second line
bad_times()
{
	printf 'kind=1 place=s1 seconds=4\n%s\n' "$2" > "$work/times"
	bad "times:2: $1" --times "$work/times"
}

printf '%s\n' 'site=s1 procs=1 member=c' 'site=s2 procs=1 member=c,d' > "$work/sites"
batch 1 0 40 1 1 > "$work/log.swf"
bad_times "'colour=red', expected kind=NUMBER" 'colour=red'
bad_times "'kind=2', expected kind=NUMBER" 'kind=1 kind=2 place=s1 seconds=1'
bad_times 'expected kind=NUMBER, place=NAME,... and seconds' 'kind=1 place=s1'
bad_times "kind='-1', expected a whole number" 'kind=-1 place=s1 seconds=3'
bad_times "seconds='0', expected a whole number from 1" 'kind=1 place=s2 seconds=0'
bad_times "place='s3', expected a site or a cluster" 'kind=1 place=s3 seconds=3'
bad_times "place='s1', expected one that has no time" 'kind=1 place=s1 seconds=3'
: > "$work/times"
bad 'times: no times, expected lines' --times "$work/times"
bad 'none: No such file' --times "$work/none"
# A kind needs a time at a site.
echo 'kind=1 place=c seconds=4' > "$work/times"
bad 'job 1 (1 processors) fits at no site of the broker pjs' --times "$work/times" --kind user
bad "kind 'group'" --kind group
bad "quantum '-1'" --quantum -1
bad "preemptions 'x'" --preemptions x
bad '--history without kinds that it knows' --history "$work/none"
bad '--history with --times' --kind user --history "$work/none" --times "$work/times"
bad '--split-wide with --kind, --priorities or' --split-wide 1 --priorities
bad 'with several brokers, expected one' --decisions "$work/none" --broker olb,sjs
printf '%s\n' 'site=s1 procs=1' 'site=s2 procs=1 member=s1' > "$work/sites"
bad "sites:2: a site has the name of the cluster 's1'"
printf '%s\n' 'site=s1 procs=1' 'site=s2 procs=1 member=c,c' > "$work/sites"
bad "sites:2: the cluster 'c' is given twice"
printf '%s\n' 'site=s1 procs=1 member=c' 'site=c procs=1' > "$work/sites"
bad 'sites:2: a site of this name is given above'

finish
