#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw grid` with the brokers adaptive and adaptive_procs: schedules computed by hand; an
# independent program with the same schedules on random logs, and its audit; bad input.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

other=$golden/grid_adaptive.py
seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"

# grid OPTIONS: standard input has "JOB START END SITES" for each job of $work/log.swf
grid()
{
	"$lxfw" grid --sites "$work/sites" --jobs-out "$work/jobs.csv" "$@" "$work/log.swf" \
		> "$work/out" 2> "$work/messages" ||
		fail "grid $*: exit status $?: $(cat "$work/messages")"
	tail -n +2 "$work/jobs.csv" | awk -F, '{ print $1, $3, $4, $9 }' > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "grid $*: $(cat "$work/diff")"
}

# sites PROCS:SPEED...: s1, s2, ...
sites()
{
	n=0
	for site in "$@"; do
		n=$((n + 1))
		echo "site=s$n procs=${site%:*} speed=${site#*:}"
	done > "$work/sites"
}

# --- by hand -------------------------------------------------------------------------------

# Homes: jobs 1 and 3 at s1 (4 processors, speed 1), jobs 2 and 4 at s2 (4, speed 2).
sites 4:1 4:2
{
	job 1 0 120 2 120	# requires 2; work 240
	job 2 0 60 1 60		# requires 2; work 60
	job 3 10 80 4 80	# requires 4; work 320
	job 4 20 80 2 80	# requires 4; work 160
} > "$work/log.swf"
# 0: job 1 is not alone. Free powers are 4 and 8: s1 is closer to 2, and job 1 gets 2 of its
# processors. Job 2 is alone then: s2 has 8, s1 2; it gets all of s2 and ends after 60/4/2 s.
# 10: job 3 is alone. It gets all of s2: 320/4/2 = 40 s. 20: job 4 is alone; s1 has 2 processors
# free, 160/2 = 80 s.
grid --broker adaptive --mold-threshold 0 << 'END'
1 0 120 s1:2
2 0 8 s2:4
3 10 50 s2:4
4 20 100 s1:2
END
# With estimates: if job 4 waits until 50, s2 has the power 4 of 2 processors free, and it ends
# after 40 s, at 90. Turnaround times are 80 s on fewer processors and 70 s. It starts below
# 115 %, 80 < 80.5, and waits below 114 %, 79.8. At 50 it is alone and gets all of s2.
grid --broker adaptive --mold-threshold 115 << 'END'
1 0 120 s1:2
2 0 8 s2:4
3 10 50 s2:4
4 20 100 s1:2
END
grid --broker adaptive --mold-threshold 114 << 'END'
1 0 120 s1:2
2 0 8 s2:4
3 10 50 s2:4
4 50 70 s2:4
END
# By processors: job 1 at the first of equal sites; job 2 at s1, which has 2 free, not 4. At
# 10, job 3 gets 4 of s2 and runs for 40 s; at 20, job 4 gets the one that is free at s1. With
# estimates it would end at 180 then, and if it waits until 50, at 90.
grid --broker adaptive_procs --mold-threshold 0 << 'END'
1 0 120 s1:2
2 0 60 s1:1
3 10 50 s2:4
4 20 180 s1:1
END
grid --broker adaptive_procs --mold-threshold 200 << 'END'
1 0 120 s1:2
2 0 60 s1:1
3 10 50 s2:4
4 50 90 s2:2
END
# The power is rounded up to whole processors, the time too: job 1 requires 1 x 1 at s1. While
# job 2 waits behind it, it gets one processor of s2. Its power of 0.7 is too little, so that s1
# is closer; with 3 processors free s2 has 2.1, and 2 are enough if s1 is in use.
sites 1:1 3:0.7
{
	job 1 0 100 1 100
	job 2 0 100 1 100
	job 3 0 100 1 100
} > "$work/log.swf"
# Job 2, at home at s2, requires 0.7: 1 processor, 100/0.7 = 142.9 s. Job 3 requires 1 and is
# alone: all 2 that are left, 50/0.7 = 71.4 s.
grid --broker adaptive << 'END'
1 0 100 s1:1
2 0 143 s2:1
3 0 72 s2:2
END

# A job that is wider than all sites runs on fewer processors.
sites 2:1 3:1
job 1 0 60 6 60 > "$work/log.swf"
for broker in adaptive adaptive_procs; do
	grid --broker $broker << 'END'
1 0 120 s2:3
END
done

# A molded job keeps all of its memory: 4 GB on 2 of the 4 processors do not fit beside job 1,
# and job 2 runs alone.
echo "n1 procs=4 memory=5000" > "$work/cluster"
printf '%s\n' "site=s1 cluster=$work/cluster" > "$work/sites"
{
	job 1 0 100 2 100 1048576
	job 2 10 100 4 100 1048576
} > "$work/log.swf"
"$lxfw" grid --sites "$work/sites" --broker adaptive_procs --jobs-out "$work/jobs.csv" \
	--mold-threshold 0 "$work/log.swf" > "$work/out" 2>&1 || fail "memory: $(cat "$work/out")"
[ "$(tail -n 1 "$work/jobs.csv" | cut -d, -f3,9)" = 100,s1:4 ] ||
	fail "memory: $(cat "$work/jobs.csv")"

# --- random logs ---------------------------------------------------------------------------

i=0
while [ $i -lt "$(random_cases 1 4)" ]; do
	i=$((i + 1))
	python3 "$other" log $((seed + i)) "$work/log.swf"
	for config in 16,16:1000,1000 24,16,8,8:500,1000,2000,3000 20,16,4:2000,1000,700; do
		procs=${config%:*} speeds=${config#*:}
		n=0
		: > "$work/sites"
		for speed in $(echo "$speeds" | tr , ' '); do
			n=$((n + 1))
			echo "site=s$n procs=$(echo "$procs" | cut -d, -f$n) speed=$(echo "$speed" |
				awk '{ print $1 / 1000 }')" >> "$work/sites"
		done
		for broker in adaptive adaptive_procs; do
			for threshold in 0 100 150 300; do
				"$lxfw" grid --sites "$work/sites" --broker $broker \
					--mold-threshold $threshold --jobs-out "$work/jobs.csv" \
					"$work/log.swf" > "$work/out" 2> "$work/messages" ||
					fail "$broker: $(cat "$work/messages")"
				python3 "$other" $broker "$procs" "$speeds" $threshold \
					"$work/log.swf" "$work/jobs.csv" > "$work/out" 2>&1 ||
					fail "$broker $threshold, $config, seed $((seed + i)): $(
						tail -n 1 "$work/out")"
				[ $i -gt 1 ] || cat "$work/out"
			done
		done
	done
done

# --- bad input -----------------------------------------------------------------------------

# bad EXPECTED OPTIONS: exit status 2, EXPECTED in the message, no output
bad()
{
	expected=$1
	shift
	"$lxfw" grid --sites 4,4 --report "$work/none" "$@" "$work/log.swf" > "$work/out" \
		2> "$work/messages"
	[ $? -eq 2 ] || fail "$*: exit status is not 2"
	grep -q -e "$expected" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: output"
	[ ! -e "$work/none" ] || fail "$*: a file is left"
}

bad "'adapt', expected a list of local" --broker adapt
bad "'-1', expected" --broker adaptive --mold-threshold -1
bad "'x', expected" --broker adaptive --mold-threshold x
job 1 0 100 4 100 9999999 > "$work/log.swf"
echo "site=s1 cluster=$work/cluster" > "$work/sites"
for broker in adaptive adaptive_procs; do
	bad 'job 1 (4 processors, submitted at 0) can never start' --broker $broker \
		--sites "$work/sites"
done

finish
