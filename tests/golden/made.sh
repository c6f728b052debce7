#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Small workloads of which the schedule was worked out by hand: preemption at the edges of
# a job's run, and the processor time of jobs that are suspended or run at another speed.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# made PROCS 'ID SUBMIT RUN PROCS ESTIMATE' ... -- OPTION...: simulate; the output is in
# $work/out, the jobs in $work/jobs.csv, the actions in $work/actions
made()
{
	procs=$1
	shift
	{
		echo "; MaxProcs: $procs"
		while [ "$1" != -- ]; do
			echo "$1" | {
				read -r id submit run width estimate
				echo "$id $submit -1 $run $width -1 -1 $width $estimate -1 1 1 1 1 1 1 -1 -1"
			}
			shift
		done
	} > "$work/made.swf"
	shift
	rm -f "$work/journal"
	"$lxfw" simulate --jobs-out "$work/jobs.csv" --journal "$work/journal" "$@" \
		"$work/made.swf" > "$work/out" 2> "$work/messages" ||
		fail "simulate $*: exit status $?: $(cat "$work/messages")"
	"$lxfw" journal "$work/journal" | awk '$2 == "action" { print $1, $3, $4 }' > "$work/actions"
}

# job ID: start, end, wait, preemptions
job()
{
	awk -F, -v id="$1" '$1 == id { print $3, $4, $5, $10 }' "$work/jobs.csv"
}

# is WHAT EXPECTED ACTUAL
is()
{
	[ "$2" = "$3" ] || fail "$1: expected $2, is $3"
}

# A job that has ended is not preempted in its end overhead: job 1 runs from 10 to 110.
made 1 '1 0 100 1 1000' '2 113 10 1 10' -- --policy remaining --params lxfw_rem_min_run=0 \
	--start-overhead 10 --end-overhead 7
is "end overhead: job 1" "10 110 10 0" "$(job 1)"
is "end overhead: job 2" "123 133 10 0" "$(job 2)"

# It is preempted before its end, of course.
made 1 '1 0 100 1 1000' '2 105 10 1 10' -- --policy remaining --params lxfw_rem_min_run=0 \
	--start-overhead 10 --end-overhead 7
is "before the end" 1 "$(job 1 | cut -d ' ' -f 4)"

# Job 1, which job 3 preempts at 105, preempts job 2 when that has run for 10 s.
made 4 '1 0 500 2 500' '2 100 2000 2 2000' '3 105 300 2 300' -- --policy remaining \
	--params lxfw_interval=600
is "a young job" "105 suspend 1,105 start 3,110 suspend 2,110 resume 1," \
	"$(sed -n '3,6p' "$work/actions" | tr '\n' ',')"

# Job 2 ends at the second in which it is suspended.
made 4 '1 0 100 2 100' '2 0 100 2 400' '3 50 150 4 150' -- --policy remaining --pass event \
	--series-out "$work/series.csv"
is "suspended at its end" "250,0,0,0,0,0" "$(tail -n 1 "$work/series.csv")"

# utilization EXPECTED
utilization()
{
	is "$1" "$2" "$(sed -n 's/^utilization  *//p' "$work/out")"
}

# 100 processor seconds in 25 seconds on four processors
made 4 '1 0 100 1 100' -- --policy easy_moldable --params lxfw_mold=both
utilization "scaled up" 1.000

# 1101 processor seconds in 1201 seconds, and never more than the machine has
made 1 '1 0 100 1 1000' '2 50 1000 1 100' '3 1200 1 1 1' -- --policy remaining
utilization "suspended" 0.917
made 1 '1 0 100 1 1000' '2 50 1000 1 100' '3 1200 1 1 1' -- --policy remaining --warmup 1040 --cooldown 101
sed -n 's/^utilization  *//p' "$work/out" | awk '{ exit !($1 <= 1) }' ||
	fail "a part of the log: $(grep utilization "$work/out")"

finish
