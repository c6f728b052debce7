#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The broker `market` of `lxfw grid`: schedules computed by hand; an independent program with
# the same schedules on random logs; an audit in many settings.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"

# market OPTIONS: standard input has "JOB START END SITES" for each job of $work/log.swf
market()
{
	"$lxfw" grid --broker market --jobs-out "$work/jobs.csv" "$@" "$work/log.swf" \
		> "$work/out" 2> "$work/messages" ||
		fail "market $*: exit status $?: $(cat "$work/messages")"
	tail -n +2 "$work/jobs.csv" | awk -F, '{ print $1, $3, $4, $9 }' > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "market $*: $(cat "$work/diff")"
}

# counted TEXT: what the market reports has TEXT
counted()
{
	grep -q -e "$1" "$work/messages" || fail "expected '$1': $(cat "$work/messages")"
}

# job_at_first: as job, of user 0, whose home is s1 with --home user
job_at_first()
{
	job "$@" | awk '{ $12 = 0; print }'
}

# --- by hand -------------------------------------------------------------------------------

# Homes: jobs 1, 3, 5 at s1, jobs 2, 4 at s2.
{
	job 1 0 100 4 100
	job 2 0 50 2 50
	job 3 10 10 3 10
	job 4 10 30 2 30
	job 5 20 20 1 20
} > "$work/log.swf"
# Jobs 1 and 2 can start at once at both sites, and run at home. Job 3 could start at s1 at 100,
# at s2 at 50: with both processors that have been free since 10 and one of job 2, or with one
# of the former and both of the latter, which leaves less idle before it and is cheaper. The
# other one remains free, for job 5 from 40 on.
market --sites 4,4 --machine MF2 << 'END'
1 0 100 s1:4
2 0 50 s2:2
3 50 60 s2:3
4 10 40 s2:2
5 40 60 s2:1
END
counted '5 requests, 5 messages (0 refused), 10 offers (0 expired)'
# Users minimize the price, which does not depend on the time. All run at s2, as early as
# they can.
printf 'site=s1 procs=4 machine=2*NumberOfProcessors*RunTime\nsite=s2 procs=4 machine=%s\n' \
	'NumberOfProcessors*RunTime' > "$work/sites"
market --sites "$work/sites" --utility UF2 << 'END'
1 0 100 s2:4
2 100 150 s2:2
3 150 160 s2:3
4 100 130 s2:2
5 130 150 s2:1
END
# 400 + 100 + 30 + 60 + 20 for 5 jobs.
counted 'mean price 122.0'
# The cheapest offer to job 1 costs 400.
"$lxfw" grid --broker market --sites "$work/sites" --budget 399 "$work/log.swf" \
	> "$work/out" 2> "$work/messages"
[ $? -eq 2 ] || fail 'a budget that is too small: exit status is not 2'
grep -q 'job 1 (4 processors, submitted at 0) can never start' "$work/messages" ||
	fail "$(cat "$work/messages")"
# s1 would cost 800 for job 1. Prices do not depend on what is idle: job 3 gets both processors
# that have been free since 10, and job 5 waits for one of job 2.
market --sites "$work/sites" --budget 400 --utility UF1 << 'END'
1 0 100 s2:4
2 0 50 s1:2
3 50 60 s1:3
4 10 40 s1:2
5 50 70 s1:1
END

# Of equal prices at as many hops the earliest start: job 2 could start at s2 at 50, at s3 at once.
printf 'site=s%d procs=4 machine=%d*RunTime\n' 1 2 2 1 3 1 > "$work/sites"
{
	job_at_first 1 0 50 4 50
	job_at_first 2 0 10 4 10
} > "$work/log.swf"
market --sites "$work/sites" --home user --utility UF2 << 'END'
1 0 50 s2:4
2 0 10 s3:4
END

# s1 asks s2, s2 asks s3, s3 asks s1. All jobs are submitted at s1.
printf 's1 s2 # a cycle\ns2 s3\ns3 s1\n' > "$work/ask"
for number in 1 2 3 4; do
	job_at_first $number 0 100 4 100
done > "$work/log.swf"
for hops in 1:4:0 2:8:0 3:12:4 9:12:4; do
	number=${hops%%:*} counts=${hops#*:}
	if [ "$number" -eq 1 ]; then
		printf '%s\n' '1 0 100 s1:4' '2 0 100 s2:4' '3 100 200 s1:4' '4 100 200 s2:4'
	else
		printf '%s\n' '1 0 100 s1:4' '2 0 100 s2:4' '3 0 100 s3:4' '4 100 200 s1:4'
	fi > "$work/expected"
	market --sites 4,4,4 --home user --ask "$work/ask" --hops "$number" < "$work/expected"
	counted "4 requests, ${counts%:*} messages (${counts#*:} refused)"
done
market --sites 4,4,4 --home user --hops 0 << 'END'
1 0 100 s1:4
2 100 200 s1:4
3 200 300 s1:4
4 300 400 s1:4
END
counted '0 messages (0 refused), 4 offers'

# Messages take 10 s: the home chooses 20 s after the submission, and s2 knows of it after 30.
{
	job_at_first 1 0 100 4 100
	job_at_first 2 30 10 4 10
} > "$work/log.swf"
market --sites 4,4 --home user --delay 10 << 'END'
1 20 120 s1:4
2 60 70 s2:4
END
# Offers of s2 are reserved for less than the 20 s until then. Job 2 waits at home, which
# reserves its own offers until it chooses.
market --sites 4,4 --home user --delay 10 --reserve 19 << 'END'
1 20 120 s1:4
2 120 130 s1:4
END
counted '4 offers (2 expired)'
# Reserved for just as long as it takes, they are not lost.
market --sites 4,4 --home user --delay 10 --reserve 20 << 'END'
1 20 120 s1:4
2 60 70 s2:4
END
counted '4 offers (0 expired)'
# The answer of s2 would be too late, and is not waited for. It is just in time with 20 s.
market --sites 4,4 --home user --delay 10 --live 20 << 'END'
1 20 120 s1:4
2 60 70 s2:4
END
market --sites 4,4 --home user --delay 10 --live 19 << 'END'
1 0 100 s1:4
2 100 110 s1:4
END
counted '0 messages'
# At 15, when job 2 is offered processors of s2, those from 30 to 130 are reserved for job 1,
# and at s1 at 5 those from 20 to 120. Job 1 chooses s1 at 20; job 2 keeps the offer that was
# made. Job 3 gets the time that job 1 did not take.
{
	job_at_first 1 0 100 4 100
	job_at_first 2 5 10 4 10
	job_at_first 3 21 10 4 10
} > "$work/log.swf"
market --sites 4,4 --home user --delay 10 << 'END'
1 20 120 s1:4
2 120 130 s1:4
3 51 61 s2:4
END

# A site makes its offer when the request arrives, at 35 for job 2: job 3, which is at home at s2 and
# asks no other site, has the time until 80 then.
{
	job_at_first 1 0 100 4 100
	job_at_first 2 25 10 4 10
	job_at_first 3 30 50 4 50 | awk '{ $12 = 1; print }'
} > "$work/log.swf"
echo 's1 s2' > "$work/ask"
market --sites 4,4 --home user --delay 10 --ask "$work/ask" << 'END'
1 20 120 s1:4
2 80 90 s2:4
3 30 80 s2:4
END
# What is offered by several sites is agreed after the answers, in another 20 s.
job_at_first 1 0 20 6 20 > "$work/log.swf"
market --sites 4,4 --home user --delay 10 << 'END'
1 40 60 s1:4+s2:2
END
counted '1 requests, 1 messages (0 refused), 1 offers'

# A price above the budget while few other processors are idle: jobs 2 and 4 have no offer at 0,
# when job 3 has ended at 15, and job 4 none when job 1 has at 100, as job 2 starts then.
{
	job_at_first 1 0 100 2 100
	job_at_first 2 0 20 2 20
	job_at_first 3 10 5 1 5
	job_at_first 4 0 20 2 20
} > "$work/log.swf"
market --sites 4 --offers 1 --starts 1 --machine '1000-left_right' \
	--budget '970 if NumberOfProcessors>1 else 9999' << 'END'
1 0 100 s1:2
2 100 120 s1:2
3 10 15 s1:1
4 120 140 s1:2
END
counted '4 offers'
counted '5 requests repeated'

# A job of 6 processors at sites of 4: it needs half as long again. At 10, s2 has four free
# and s1 two.
{
	job 1 0 100 2 100
	job 2 0 10 4 10
	job 3 0 20 6 20
	job 4 5 5 2 5
} > "$work/log.swf"
market --sites 4,4 --overhead 50 --machine MF2 << 'END'
1 0 100 s1:2
2 0 10 s2:4
3 10 40 s2:4+s1:2
4 5 10 s1:2
END
"$lxfw" grid --broker market --several never --sites 4,4 "$work/log.swf" > "$work/out" \
	2> "$work/messages"
[ $? -eq 2 ] || fail '--several never: exit status is not 2'
grep -q 'job 3 (6 processors) fits at no site of the broker market' "$work/messages" ||
	fail "$(cat "$work/messages")"
# With --several always, job 3 does not wait for four processors of one site.
{
	job 1 0 100 2 100
	job 2 0 100 2 100
	job 3 0 50 4 50
} > "$work/log.swf"
market --sites 4,4 << 'END'
1 0 100 s1:2
2 0 100 s2:2
3 100 150 s1:4
END
market --sites 4,4 --several always << 'END'
1 0 100 s1:2
2 0 100 s2:2
3 0 50 s1:2+s2:2
END

# Job 1 ends at 10 in place of 100. Job 2 keeps its start, job 3 gets the gap. With
# --reschedule job 2 starts at once, and job 3 after it.
{
	job 1 0 10 4 100
	job 2 5 20 4 20
	job 3 20 20 4 20
} > "$work/log.swf"
market --sites 4 << 'END'
1 0 10 s1:4
2 100 120 s1:4
3 20 40 s1:4
END
market --sites 4 --reschedule << 'END'
1 0 10 s1:4
2 10 30 s1:4
3 30 50 s1:4
END
counted '1 allocations moved'
# The price of the allocation that was replaced does not count: 0, 10 and 30.
market --sites 4 --reschedule --machine StartTime << 'END'
1 0 10 s1:4
2 10 30 s1:4
3 30 50 s1:4
END
counted 'mean price 13.3'
# Only an early end is a reason for it. s2 reserves 30 to 130 for job 1, from 10 until this job
# chooses s1 at 20. Job 4, which is at home at s2 and asks no other site, keeps the time after it: job
# 2 ended early before that, and job 3 ends in time.
{
	job_at_first 1 0 100 4 100
	job 2 0 5 4 8
	job 3 11 15 4 15
	job 4 12 50 4 50
} > "$work/log.swf"
echo 's1 s2' > "$work/ask"
market --sites 4,4 --home user --delay 10 --ask "$work/ask" --reschedule << 'END'
1 20 120 s1:4
2 0 5 s2:4
3 11 26 s2:4
4 130 180 s2:4
END
counted '0 allocations moved'
# Job 1 runs for 100 s in place of 50: jobs 2 and 3 start when their processors are free. At 60,
# job 2 is expected to start at any moment, and job 4 after it.
{
	job 1 0 100 3 50
	job 2 0 20 4 20
	job 3 0 20 2 20
	job 4 60 5 1 5
} > "$work/log.swf"
market --sites 4 << 'END'
1 0 100 s1:3
2 100 120 s1:4
3 120 140 s1:2
4 120 125 s1:1
END
counted '3 late'

# --- random logs ---------------------------------------------------------------------------

# write_sites PROCS SPEEDS: a file of sites
write_sites()
{
	n=0
	: > "$work/sites"
	for speed in $(echo "$2" | tr , ' '); do
		n=$((n + 1))
		echo "site=s$n procs=$(echo "$1" | cut -d, -f$n) speed=$(echo "$speed" |
			awk '{ print $1 / 1000 }')" >> "$work/sites"
	done
}

# simulate OPTIONS: jobs to $work/jobs.csv
simulate()
{
	"$lxfw" grid --sites "$work/sites" --broker market --overhead 25 --jobs-out \
		"$work/jobs.csv" "$@" "$work/log.swf" > "$work/out" 2> "$work/messages" ||
		fail "seed $((seed + i)), $*: $(cat "$work/messages")"
}

i=0
while [ $i -lt "$(random_cases 1 4)" ]; do
	i=$((i + 1))
	python3 "$golden/grid.py" log $((seed + i)) "$work/all.swf"
	head -n 60 "$work/all.swf" > "$work/log.swf"
	for sites in 16,16:1000,1000 10,8,12,4:1000,1000,1000,1000 \
		     8,16,4:2000,1000,500; do
		procs=${sites%:*} speeds=${sites#*:}
		write_sites "$procs" "$speeds"
		for rules in MF1:UF1:wide:32,8,5 MF2:UF3:wide:32,8,5 MF6:UF5:wide:5,3,2 \
			     MF2:UF1:always:8,4,1; do
			machine=$(echo "$rules" | cut -d: -f1)
			utility=$(echo "$rules" | cut -d: -f2)
			several=$(echo "$rules" | cut -d: -f3)
			limits=${rules##*:}
			simulate --machine "$machine" --utility "$utility" --several \
				"$several" --offers "${limits%%,*}" --starts "${limits##*,}" \
				--combinations "$(echo "$limits" | cut -d, -f2)"
			python3 "$golden/market.py" "$procs" "$speeds" 250 "$machine" \
				"$utility" "$several" "$limits" "$work/log.swf" \
				"$work/jobs.csv" > "$work/out" 2>&1 ||
				fail "$rules on $sites, seed $((seed + i)): $(tail -n 3 \
					"$work/out")"
			[ $i -gt 1 ] || cat "$work/out"
		done
	done
done

# No site over its processors, no job in two places, all work done: with jobs that exceed their
# estimates (every third has one of half its run time), messages, budgets and graphs.
printf 's1 s2 s3\ns2 s3 s1\ns3 s4\ns4 s3 s1\n' > "$work/ask"
i=0
while [ $i -lt "$(random_cases 2 6)" ]; do
	i=$((i + 1))
	python3 "$golden/grid.py" log $((seed + i)) "$work/all.swf"
	awk 'NR % 3 == 0 { $9 = int($4 / 2) + 1 } { print }' "$work/all.swf" > "$work/log.swf"
	write_sites 24,16,8,8 1000,500,1000,2000
	for options in '--reschedule' '--delay 7 --hops 2' '--delay 7 --live 20 --reserve 20' \
		       "--ask $work/ask --hops 3 --several always" \
		       '--utility UF3 --machine MF2 --reschedule --delay 3' \
		       '--utility UF4 --machine utilization*RunTime --ask 2nn --hops 4' \
		       '--utility -JobCost-Hops --budget 5000*RunTime --machine MF2'; do
		# shellcheck disable=SC2086
		simulate $options
		python3 "$golden/grid.py" audit 24,16,8,8 1000,500,1000,2000 250 \
			"$work/log.swf" "$work/jobs.csv" > "$work/out" 2>&1 ||
			fail "$options, seed $((seed + i)): $(cat "$work/out")"
		[ $i -gt 1 ] || sed -n 's/.*: market: /# /p' "$work/messages"
		cp "$work/jobs.csv" "$work/first.csv"
		# shellcheck disable=SC2086
		simulate $options
		cmp -s "$work/first.csv" "$work/jobs.csv" || fail "$options: not the same again"
	done
done

# --- bad input -----------------------------------------------------------------------------

# bad EXPECTED OPTIONS: exit status 2, EXPECTED in the message, no output
bad()
{
	expected=$1
	shift
	"$lxfw" grid --report "$work/none" "$@" "$work/log.swf" > "$work/out" \
		2> "$work/messages"
	[ $? -eq 2 ] || fail "$*: exit status is not 2"
	grep -q -e "$expected" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: output"
	[ ! -e "$work/none" ] || fail "$*: a file is left"
}

bad '--machine without the broker market' --sites 4,4 --machine MF1
bad '--delay without --graph or the broker market' --sites 4,4 --delay 3
bad '--machine: column 1' --sites 32 --broker market --machine MF7
bad '--machine: column 1.*JobCost' --sites 32 --broker market --machine JobCost
bad '--utility: column 12' --sites 32 --broker market --utility -StartTime+
bad '--budget: column 1' --sites 32 --broker market --budget money
bad 'job [0-9]*: formula: column 2: division by zero' --sites 32 --broker market \
	--machine 1/under
bad "'several', expected never" --sites 32 --broker market --several several
bad "'0', expected" --sites 32 --broker market --offers 0
bad "'-1', expected" --sites 32 --broker market --hops -1
bad 'nowhere: No such file' --sites 32 --broker market --ask "$work/nowhere"
printf 's1 s2\ns1 s9\n' > "$work/ask"
bad "ask:2: no site 's9'" --sites 32,4 --broker market --ask "$work/ask"
printf 's1 s2\ns1 s1\n' > "$work/ask"
bad 'ask:2: a site is its own neighbour' --sites 32,4 --broker market --ask "$work/ask"
printf 'site=s1 procs=4\nsite=s2 procs=4 machine=MF9\n' > "$work/sites"
bad 'sites:2: machine: column 1' --sites "$work/sites" --broker market
"$lxfw" grid --sites 32,32 --graph 2nn --delay 1 --hops 2 "$work/log.swf" > "$work/out" \
	2> "$work/messages"
[ $? -eq 2 ] || fail '--hops with --graph: exit status is not 2'
grep -q -e '--hops without the broker market' "$work/messages" ||
	fail "$(cat "$work/messages")"

finish
