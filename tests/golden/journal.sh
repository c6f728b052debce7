#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Output of `lxfw journal`: events and actions in order, for all jobs or for one.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# expect WHAT STATUS OPTIONS...: standard input has the expected output
expect()
{
	what=$1 should=$2
	shift 2
	status=0
	"$lxfw" journal "$@" > "$work/is" 2> "$work/messages" || status=$?
	[ "$status" = "$should" ] ||
		fail "$what: exit status $status: $(cat "$work/messages")"
	diff -u - "$work/is" > "$work/diff" || fail "$what: $(cat "$work/diff")"
}

# Job 1 is preempted for the quantum of job 2. Job 2 does not end within it, and waits
# until job 1 has ended.
{
	job 1 0 50 4 100 1000
	job 2 30 30 2 30 1000
} > "$work/two.swf"
echo 'host procs=4 memory=100M' > "$work/machine"
"$lxfw" simulate --policy easy --params lxfw_quantum=10,lxfw_quantum_min_run=20 \
	--cluster "$work/machine" --memory kb-per-proc --journal "$work/journal" \
	"$work/two.swf" > "$work/report" 2>&1 || fail "simulate: $(cat "$work/report")"

expect 'everything' 0 "$work/journal" << 'END'
0 event parameters policy easy lxfw_quantum=10 lxfw_quantum_min_run=20
0 event host host up:4:100
0 event submit 1 1 hosts:4:4 limit 100 submitted 0
0 action start 1 host:4:4
30 event submit 2 1 hosts:2:2 limit 30 submitted 30
30 action reserve 2 at 100 host:2:2
30 action suspend 1 host:0:4
30 action start 2 until 40 host:2:2
40 action requeue 2
40 action resume 1 host:4:4
40 action reserve 2 at 110 host:2:2
60 event end 1
60 action start 2 host:2:2
90 event end 2
END
expect 'one job' 0 --job 2 "$work/journal" << 'END'
30 event submit 2 1 hosts:2:2 limit 30 submitted 30
30 action reserve 2 at 100 host:2:2
30 action start 2 until 40 host:2:2
40 action requeue 2
40 action reserve 2 at 110 host:2:2
60 action start 2 host:2:2
90 event end 2
END
TZ=UTC expect 'dates' 0 --job 1 --dates "$work/journal" << 'END'
1970-01-01T00:00:00 event submit 1 1 hosts:4:4 limit 100 submitted 1970-01-01T00:00:00
1970-01-01T00:00:00 action start 1 host:4:4
1970-01-01T00:00:30 action suspend 1 host:0:4
1970-01-01T00:00:40 action resume 1 host:4:4
1970-01-01T00:01:00 event end 1
END
expect 'no such job' 1 --job 3 "$work/journal" < /dev/null
expect 'a task' 1 --job 1_0 "$work/journal" < /dev/null

# A simulation uses the job numbers of the trace, not positions. The second job with the
# same number gets a different name.
{
	job 900 0 50 4 100
	job 17 10 50 4 100
	job 3 20 50 4 100
	job 17 30 50 4 100
} > "$work/numbers.swf"
"$lxfw" simulate --policy easy --cluster "$work/machine" --journal "$work/journal" \
	--jobs-out "$work/jobs.csv" "$work/numbers.swf" > "$work/report" 2>&1 ||
	fail "simulate: $(cat "$work/report")"
expect 'a number' 0 --job 3 "$work/journal" << 'END'
20 event submit 3 1 hosts:4:0 limit 100 submitted 20
50 action reserve 3 at 150 host:4:0
100 action start 3 host:4:0
150 event end 3
END
[ "$(sed -n 's/^3,20,\([0-9]*\),.*/\1/p' "$work/jobs.csv")" = 100 ] ||
	fail "job 3 starts at another time in --jobs-out: $(cat "$work/jobs.csv")"
expect 'a number of two jobs' 0 --job 17 "$work/journal" << 'END'
10 event submit 17 1 hosts:4:0 limit 100 submitted 10
10 action reserve 17 at 100 host:4:0
30 event submit 17#2 1 hosts:4:0 limit 100 submitted 30
50 action start 17 host:4:0
100 event end 17
100 action reserve 17#2 at 200 host:4:0
150 action start 17#2 host:4:0
200 event end 17#2
END
expect 'the second of them' 0 --job 17#2 "$work/journal" << 'END'
30 event submit 17#2 1 hosts:4:0 limit 100 submitted 30
100 action reserve 17#2 at 200 host:4:0
150 action start 17#2 host:4:0
200 event end 17#2
END
expect 'no third' 1 --job 17#3 "$work/journal" < /dev/null
expect 'a position' 1 --job 2 "$work/journal" < /dev/null
"$lxfw" replay --params lxfw_policy=sjf "$work/journal" > "$work/report" 2>&1 ||
	fail "replay --params: $(cat "$work/report")"
"$lxfw" compare --start-overhead 0 --jobs-out "$work/compared.csv" "$work/journal" \
	> "$work/report" 2>&1 || fail "compare: $(cat "$work/report")"
[ "$(cut -d, -f1 "$work/compared.csv" | sort | xargs)" = '17 17 3 900 job_id' ] ||
	fail "compare: the jobs differ: $(cat "$work/compared.csv")"
finish
