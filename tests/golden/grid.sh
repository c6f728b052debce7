#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw grid`: a grid of one site is `lxfw simulate`, to the byte; schedules computed by hand;
# an independent program with the same schedules on random logs; an audit of all brokers.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"

# grid OPTIONS: standard input has "JOB START END SITES" for each job of $work/log.swf
grid()
{
	"$lxfw" grid --jobs-out "$work/jobs.csv" "$@" "$work/log.swf" > "$work/out" \
		2> "$work/messages" || fail "grid $*: exit status $?: $(cat "$work/messages")"
	tail -n +2 "$work/jobs.csv" | awk -F, '{ print $1, $3, $4, $9 }' > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "grid $*: $(cat "$work/diff")"
}

# --- one site ------------------------------------------------------------------------------

python3 "$golden/grid.py" log "$seed" "$work/log.swf"
for policy in easy fcfs conservative lxfw sjf; do
	echo "site=only procs=16 policy=$policy" > "$work/sites"
	"$lxfw" simulate --cluster procs=16 --policy $policy --journal "$work/journal" \
		"$work/log.swf" > "$work/out" 2>&1 || fail "simulate: $(cat "$work/out")"
	"$lxfw" grid --sites "$work/sites" --journals "$work" "$work/log.swf" \
		> "$work/out" 2>&1 || fail "grid: $(cat "$work/out")"
	cmp -s "$work/journal" "$work/only.journal" ||
		fail "$policy: the journal of a grid of one site differs"
	"$lxfw" replay "$work/only.journal" > "$work/out" 2>&1 || fail "$(cat "$work/out")"
done

# --- by hand -------------------------------------------------------------------------------

# Homes: jobs 1, 3, 5 at s1, jobs 2, 4 at s2.
{
	job 1 0 100 4 100
	job 2 0 50 2 50
	job 3 10 10 3 10
	job 4 10 30 2 30
	job 5 20 20 1 20
} > "$work/log.swf"
grid --sites 4,4 << 'END'
1 0 100 s1:4
2 0 50 s2:2
3 100 110 s1:3
4 10 40 s2:2
5 100 120 s1:1
END
# Job 3 fits nowhere at 10. The queues are empty; s2 is free at 50, s1 at 100. Job 4 starts
# at s2 at once. Then all 8 processors are in use, and job 5 waits at s1, whose queue is
# empty.
grid --sites 4,4 --broker best_fit << 'END'
1 0 100 s1:4
2 0 50 s2:2
3 50 60 s2:3
4 10 40 s2:2
5 100 120 s1:1
END
# Job 1 takes all of s1. Job 2 leaves 2 of s2's 4 free and 6 of s3's 8.
grid --sites 4,4,8 --broker best_fit << 'END'
1 0 100 s1:4
2 0 50 s2:2
3 10 20 s3:3
4 10 40 s2:2
5 20 40 s3:1
END
grid --sites 4,4,8 --broker most_free << 'END'
1 0 100 s3:4
2 0 50 s1:2
3 10 20 s2:3
4 10 40 s3:2
5 20 40 s2:1
END
# The earliest end is not the earliest start: at s2, at twice the speed, job 3 starts at 50 and
# ends at 100, at s1 it would start at 30 and end at 130. Job 4 would end at s2 at 110, and ends at
# s1 at 30. Job 5 would end at s1 at 70 and at s2 at 120.
cp "$work/log.swf" "$work/five.swf"
printf '%s\n' 'site=s1 procs=4' 'site=s2 procs=4 speed=2' > "$work/sites"
{
	job 1 0 100 4 100
	job 2 0 30 2 30
	job 3 10 100 4 100
	job 4 10 20 2 20
	job 5 10 40 4 40
} > "$work/log.swf"
grid --sites "$work/sites" --broker earliest_end << 'END'
1 0 50 s2:4
2 0 30 s1:2
3 50 100 s2:4
4 10 30 s1:2
5 30 70 s1:4
END
grid --sites "$work/sites" --broker earliest << 'END'
1 0 100 s1:4
2 0 15 s2:2
3 15 65 s2:4
4 65 75 s2:2
5 75 95 s2:4
END
# Of equal ends the earliest start, 0 at s2, not 100 at s1, which is the first site.
printf '%s\n' 'site=s1 procs=4 speed=2' 'site=s2 procs=4' > "$work/sites"
{
	job 1 0 200 4 200
	job 2 0 200 4 200
} > "$work/log.swf"
grid --sites "$work/sites" --broker earliest_end << 'END'
1 0 100 s1:4
2 0 200 s2:4
END
# Times that are known: the job of user 1 takes 20 s at s2 and 50 s at s1, in place of the 100 s
# that are requested. The earliest start is the same.
job 1 0 100 4 100 > "$work/log.swf"
printf '%s\n' 'kind=1 place=s1 seconds=50' 'kind=1 place=s2 seconds=20' > "$work/times"
for broker in earliest_end:s2:20 earliest:s1:50; do
	name=${broker%%:*} seconds=${broker##*:} site=${broker#*:}
	echo "1 0 $seconds ${site%:*}:4" > "$work/expected"
	grid --sites 4,4 --times "$work/times" --kind user --broker "$name" < "$work/expected"
done
cp "$work/five.swf" "$work/log.swf"
# One queue: job 3 has a reservation at s2 at 50. Job 4 ends before it. Job 5 waits until 40.
grid --sites 4,4 --broker central << 'END'
1 0 100 s1:4
2 0 50 s2:2
3 50 60 s2:3
4 10 40 s2:2
5 40 60 s2:1
END
# Jobs at several sites take half as long again: 30 s for 20 s.
{
	job 1 0 100 3 100
	job 2 0 100 2 100
	job 3 10 20 3 20
	job 4 20 10 1 10
} > "$work/log.swf"
grid --sites 4,4 --broker multi_site --overhead 50 << 'END'
1 0 100 s1:3
2 0 100 s2:2
3 10 40 s2:2+s1:1
4 40 50 s1:1
END
# Half and double speed.
printf '%s\n' '# two sites' 'site=s1 procs=4 speed=0.5' '' 'site=s2 procs=4 speed=2 # fast' \
	> "$work/sites"
grid --sites "$work/sites" --broker local << 'END'
1 0 200 s1:3
2 0 50 s2:2
3 200 240 s1:3
4 20 25 s2:1
END

# Figures of the last but one: weights 300, 200, 60, 10; responses 100, 100, 30, 30.
"$lxfw" grid --json --sites 4,4 --broker multi_site --overhead 50 "$work/log.swf" \
	> "$work/json" 2> "$work/messages" || fail "$(cat "$work/messages")"
python3 - "$work/json" << 'END' || fail "figures: $(cat "$work/json")"
import json, sys
broker = json.load(open(sys.argv[1]))['brokers'][0]
near = lambda a, b: abs(a - b) < 1e-9
assert broker['jobs'] == 4 and broker['several'] == 1, broker
assert near(broker['several_work'], 60 / 570), broker
assert near(broker['awrt_s'], (300 * 100 + 200 * 100 + 60 * 30 + 10 * 30) / 570), broker
assert near(broker['awwt_s'], 10 * 20 / 570), broker
assert near(broker['mean_wait_s'], 5), broker
assert near(broker['utilization'], (300 + 200 + 90 + 10) / 800), broker
one, two = broker['sites']
assert (one['submitted'], one['ran'], one['foreign']) == (2, 3, 1), one
assert (two['submitted'], two['ran'], two['foreign']) == (2, 2, 1), two
assert near(one['utilization'], (300 + 30 + 10) / 400), one
END

# Wide jobs in parts of the own site, of the largest one, and of 3 processors.
job 1 0 10 10 10 > "$work/log.swf"
job 2 0 10 3 10 >> "$work/log.swf"
for how in home:5 largest:3 3:5; do
	"$lxfw" grid --sites 3,4 --split-wide "${how%:*}" --jobs-out "$work/jobs.csv" \
		"$work/log.swf" > "$work/out" 2> "$work/messages" ||
		[ "$how" = largest:3 ] || fail "split $how: $(cat "$work/messages")"
	[ "$how" = largest:3 ] ||
		[ "$(tail -n +2 "$work/jobs.csv" | wc -l)" -eq "${how#*:}" ] ||
		fail "split $how: $(cat "$work/jobs.csv")"
done
"$lxfw" grid --sites 3,4 --split-wide largest --broker central --jobs-out "$work/jobs.csv" \
	"$work/log.swf" > "$work/out" 2>&1 || fail "split: $(cat "$work/out")"
[ "$(awk -F, 'NR > 1 { print $7 }' "$work/jobs.csv" | xargs)" = '4 4 2 3' ] ||
	fail "split: $(cat "$work/jobs.csv")"

# --- random logs ---------------------------------------------------------------------------

i=0
while [ $i -lt "$(random_cases 2 8)" ]; do
	i=$((i + 1))
	python3 "$golden/grid.py" log $((seed + i)) "$work/log.swf"
	for sites in 16,16:1000,1000 24,16,8,8:1000,1000,1000,1000 \
		     20,16,4:2000,1000,500; do
		procs=${sites%:*} speeds=${sites#*:}
		n=0
		: > "$work/sites"
		for speed in $(echo "$speeds" | tr , ' '); do
			n=$((n + 1))
			echo "site=s$n procs=$(echo "$procs" | cut -d, -f$n) speed=$(echo "$speed" |
				awk '{ print $1 / 1000 }')" >> "$work/sites"
		done
		for broker in central multi_site multi_site_fair best_fit most_free least_work earliest \
			      earliest_end; do
			kind=audit overhead=0
			case $broker in
			central)	kind=central ;;
			multi_site*)	kind=$broker overhead=250 ;;
			esac
			"$lxfw" grid --sites "$work/sites" --broker $broker --overhead \
				$((overhead / 10)) --jobs-out "$work/jobs.csv" \
				"$work/log.swf" > "$work/out" 2> "$work/messages" ||
				fail "$broker: $(cat "$work/messages")"
			python3 "$golden/grid.py" $kind "$procs" "$speeds" $overhead \
				"$work/log.swf" "$work/jobs.csv" > "$work/out" 2>&1 ||
				fail "$broker on $sites, seed $((seed + i)): $(cat "$work/out")"
			[ $i -gt 1 ] || cat "$work/out"
		done
	done
done

# Several brokers in one table, and a page with all of them.
"$lxfw" grid --sites 16,16 --broker local,central --report "$work/page.html" \
	"$work/log.swf" > "$work/out" 2>&1 || fail "$(cat "$work/out")"
[ "$(grep -c -E '^(local|central) ' "$work/out")" -eq 2 ] || fail "$(cat "$work/out")"
grep -q '<h2 id="central">central</h2>' "$work/page.html" || fail 'no section of the page'
grep -q 'that ran at a site (column)' "$work/page.html" || fail 'no flows'

# Figures of policies that suspend and resize jobs are those of lxfw simulate.
for policy in remaining eqspatial fcfs_moldable; do
	echo "site=only procs=16 policy=$policy" > "$work/sites"
	"$lxfw" simulate --json --cluster procs=16 --policy $policy "$work/log.swf" \
		> "$work/simulated" 2> "$work/messages" || fail "$(cat "$work/messages")"
	"$lxfw" grid --json --sites "$work/sites" "$work/log.swf" > "$work/json" \
		2> "$work/messages" || fail "$(cat "$work/messages")"
	python3 - "$work/simulated" "$work/json" << 'END' || fail "$policy"
import json, sys
alone = json.load(open(sys.argv[1]))
grid = json.load(open(sys.argv[2]))['brokers'][0]
for key in 'mean_wait_s', 'utilization':
    assert abs(alone[key] - grid[key]) <= 1e-9 * alone[key], (key, alone[key], grid[key])
END
done
# More sites than eight have journals.
mkdir "$work/many"
"$lxfw" grid --sites 16,16,16,16,16,16,16,16,16,16,16,16 --journals "$work/many" \
	--jobs-out "$work/many/jobs" "$work/log.swf" > "$work/out" 2>&1 ||
	fail "twelve journals: $(cat "$work/out")"
[ "$(find "$work/many" -name '*.journal' | wc -l)" -eq 12 ] || fail 'journals are missing'

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

# bad_file EXPECTED LINE: a second line
bad_file()
{
	printf 'site=one procs=4\n%s\n' "$2" > "$work/sites"
	bad "sites:2: $1" --sites "$work/sites"
}

bad 'no sites, expected --sites'
bad "'0,4', expected a file" --sites 0,4
bad 'nowhere: No such file' --sites "$work/nowhere"
: > "$work/sites"
bad 'sites: no sites, expected lines' --sites "$work/sites"
bad_file 'no name' 'procs=3'
bad_file 'a site of this name' 'site=one procs=3'
bad_file 'expected one of procs=N and cluster=FILE' 'site=two'
bad_file "'procs=3': the key is given twice" 'site=two procs=2 procs=3'
bad_file "procs='x', expected a whole number" 'site=two procs=x'
bad_file "speed='0', expected a factor from 0.001" 'site=two procs=2 speed=0'
bad_file "policy='best', expected" 'site=two procs=2 policy=best'
bad_file "'colour=red', expected site=NAME" 'site=two procs=2 colour=red'
bad_file 'lxfw_ww' 'site=two procs=2 params=lxfw_ww=x'
bad_file '.*gone: No such file' 'site=two cluster=gone'
bad_file 'the name of the site is too long or has one of' 'site=../two procs=4'
printf 'site=one procs=4\nsite=two procs=4\0 speed=9\n' > "$work/sites"
bad 'sites:2: a byte 0, expected text' --sites "$work/sites"
echo 'site=one procs=4 policy=classes' > "$work/sites"
bad 'site one: policy classes needs job classes' --sites "$work/sites"
# All results are there, or none.
"$lxfw" grid --sites 16 --jobs-out "$work/none" --journals "$work/many" \
	--report "$work/missing/page" "$work/log.swf" > "$work/out" 2> "$work/messages"
[ $? -eq 2 ] || fail 'a page in no folder: exit status is not 2'
[ ! -e "$work/none" ] || fail 'jobs are left of a run that failed'
timeout 120 "$lxfw" grid --sites /dev/zero "$work/log.swf" > "$work/out" 2> "$work/messages"
[ $? -eq 2 ] || fail '/dev/zero as sites: exit status is not 2'
# No input is overwritten.
echo 'site=one procs=16' > "$work/sites"
cp "$work/log.swf" "$work/before"
bad 'are the same file\|is an input file' --sites "$work/sites" --jobs-out "$work/sites"
bad 'are the same file\|is an input file' --sites 16 --jobs-out "$work/log.swf"
cmp -s "$work/before" "$work/log.swf" || fail 'the log was overwritten'
grep -q '^site=one' "$work/sites" || fail 'the sites were overwritten'
bad "'nearest', expected a list of local" --sites 4,4 --broker nearest
bad "'-1', expected a number" --sites 16,16 --overhead -1
bad 'several brokers' --sites 16,16 --broker local,central --jobs-out "$work/none"
bad 'job [0-9]* (1[26] processors) fits at no site of the broker central' \
	--sites 8,8 --broker central
bad 'does not fit on the empty site' --sites 8,8

# --- decisions --------------------------------------------------------------------------------

printf '%s\n' 'site=a procs=8' 'site=b procs=4' > "$work/sites"
{
	job 1 0 100 4 100
	job 2 1 200 6 200
	job 3 2 50 2 50
	job 4 3 10 4 10
	job 5 4 10 4 10
} > "$work/log.swf"

# decisions BROKER OPTIONS...: standard input has the lines after the header
decisions()
{
	"$lxfw" grid --sites "$work/sites" --broker "$@" --decisions "$work/why.csv" \
		"$work/log.swf" > "$work/out" 2> "$work/messages" ||
		fail "decisions $*: $(cat "$work/messages")"
	head -1 "$work/why.csv" | grep -qx \
		'time,job_id,action,sites,rule,value,unit,other_site,other_value' ||
		fail "decisions $*: $(head -1 "$work/why.csv")"
	tail -n +2 "$work/why.csv" > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "decisions $*: $(cat "$work/diff")"
}

# Job 1 leaves fewer processors free at b; job 2 needs a; for job 3 only a has some. Job 4 starts
# at neither, no work waits, and b is free first, at 100. Then 40 s x processors wait at b.
decisions best_fit << 'END'
0,1,send,b:4,"starts now, fewest free processors",4,processors,a,8
1,2,send,a:6,"starts now, fewest free processors",8,processors,,
2,3,send,a:2,"starts now, fewest free processors",2,processors,b,0
3,4,send,b:4,"least work in the queue",0,seconds per processor,a,0
4,5,send,a:4,"least work in the queue",0,seconds per processor,b,10
END
# Job 2 waits for job 1. Job 3 could start at both; no work waits at b. Jobs 4 and 5 end before
# job 2 starts.
decisions earliest << 'END'
0,1,send,a:4,"earliest start",0,time,b,0
1,2,send,a:6,"earliest start",100,time,,
2,3,send,b:2,"earliest start",2,time,a,2
3,4,send,a:4,"earliest start",3,time,b,52
4,5,send,a:4,"earliest start",13,time,b,52
END
# The same sites: they have the same speed. The values are ends.
decisions earliest_end << 'END'
0,1,send,a:4,"earliest end",100,time,b,100
1,2,send,a:6,"earliest end",300,time,,
2,3,send,b:2,"earliest end",52,time,a,52
3,4,send,a:4,"earliest end",13,time,b,62
4,5,send,a:4,"earliest end",23,time,b,62
END
decisions central << 'END'
0,1,send,b:4,"starts now, fewest free processors",4,processors,,
1,2,send,a:6,"starts now, fewest free processors",8,processors,,
2,3,send,a:2,"starts now, fewest free processors",2,processors,,
100,4,send,b:4,"starts now, fewest free processors",4,processors,,
110,5,send,b:4,"starts now, fewest free processors",4,processors,,
END
# Jobs of 10 processors run at both sites.
job 1 0 100 10 100 > "$work/log.swf"
decisions multi_site << 'END'
0,1,send,a:8+b:2,"no site starts it alone, most free processors first",2,sites,,
END
{
	job 1 0 100 4 100
	job 2 0 100 4 100
} > "$work/log.swf"
decisions local << 'END'
0,1,send,a:4,"its own site",,,,
0,2,send,b:4,"its own site",,,,
END
# The plan: both end at 100, at a.
decisions sjs --quantum 0 << 'END'
0,1,run,a:4,"the plan of its batch, start",0,time,,
0,2,run,a:4,"the plan of its batch, start",0,time,,
END
decisions olb --quantum 0 << 'END'
0,1,run,a:4,"free for the longest time",0,time,,
0,2,run,a:4,"free for the longest time",0,time,,
END
decisions adaptive_procs << 'END'
0,1,send,b:4,"closest free processors",4,processors,,
0,2,send,a:4,"closest free processors",8,processors,,
END

finish
