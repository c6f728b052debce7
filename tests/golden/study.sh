#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Options of simulate beyond one schedule of a log: several contenders, perturbed
# copies, selection of jobs, other loads and estimates, fairness, and CSV files. Figures
# are computed by hand.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac

same()
{
	diff -u should is > diff || fail "$1: $(cat diff)"
}

# sim STATUS ARGUMENTS...: standard output is written to `out`, messages to `err`
sim()
{
	expected=$1
	shift
	"$lxfw" simulate "$@" > out 2> err
	status=$?
	[ $status -eq "$expected" ] || fail "$*: exit status $status: $(cat err)"
}

# misuse TEXT ARGUMENTS...
misuse()
{
	text=$1
	shift
	sim 2 "$@"
	grep -qF -- "$text" err || fail "$*: $(cat err)"
	[ ! -s out ] || fail "$*: a result was printed"
}

# value CONTENDER FIGURE COLUMN: print a value of the CSV in `out`
value()
{
	awk -F, -v who="$1" -v figure="$2" -v column="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		$1 == who && $3 == figure { print $at }' out
}

# rounded FILE: print it with fractions rounded to six digits
rounded()
{
	awk -F, -v OFS=, '
		{ for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+$/) $i = sprintf("%.6g", $i); print }' "$1"
}

# is WHAT EXPECTED FOUND
is()
{
	[ "$2" = "$3" ] || fail "$1: '$3', not '$2'"
}

# Eight weeks, each with the same three jobs of one processor: 10 s, 100 s one second
# later, 5 s another second later. In submission order the second job waits 9 s and the
# third 108 s. By expansion factor (1.09 and 2.6) the third waits 8 s and the second 14
# s.
# weeks N FILE
weeks()
{
	{
		echo '; MaxProcs: 1'
		i=0
		while [ $i -lt "$1" ]; do
			for one in '0 10 1' '1 100 2' '2 5 1'; do
				# shellcheck disable=SC2086
				set -- "$1" "$2" $one
				echo "$((3 * i + $3 + 1)) $((604800 * i + $3)) -1 $4 1 -1 -1 1 $4 -1 $((i % 2)) $5 7 1 3 1 -1 -1"
			done
			i=$((i + 1))
		done
	} > "$2"
}
weeks 8 eight.swf
weeks 5 five.swf

# --- contenders -------------------------------------------------------------
sim 0 --policy easy --policy lxfw --contender other=lxfw_policy=fcfs --period 6d --format csv eight.swf
is 'mean wait, easy' 39 "$(value easy mean_wait_s value)"
is 'difference to the first' '' "$(value easy mean_wait_s difference)"
is 'mean wait, lxfw' 7.33333333333333 "$(value lxfw mean_wait_s value | cut -c 1-16)"
# 22 / 117 - 1 in every week, so that resampled weeks have no variance
is 'change' -81.196581 "$(value lxfw mean_wait_s change_percent | cut -c 1-10)"
is 'low' -81.196581 "$(value lxfw mean_wait_s low_percent | cut -c 1-10)"
is 'high' -81.196581 "$(value lxfw mean_wait_s high_percent | cut -c 1-10)"
is 'the same' '0 0 0' "$(value other mean_wait_s change_percent) $(
	value other mean_wait_s low_percent) $(value other mean_wait_s high_percent)"
is 'a maximum has no interval' '-87.037037 ' "$(value lxfw max_wait_s change_percent |
	cut -c 1-10) $(value lxfw max_wait_s low_percent)"
is 'names' 'easy lxfw other' "$(sed 1d out | cut -d, -f1 | uniq | xargs)"

sim 0 --policy easy --policy lxfw --format csv five.swf
is 'five weeks' '-81.196581 ' "$(value lxfw mean_wait_s change_percent | cut -c 1-10) $(
	value lxfw mean_wait_s low_percent)"
sim 0 --policy easy --policy lxfw five.swf
grep -q '^no intervals: fewer than 8 periods of 7 days$' out ||
	fail "five weeks: $(cat out)"
# shorter blocks, and more of them
sim 0 --policy easy --policy lxfw --period 3d five.swf
grep -q '^9 periods of 3 days;' out || fail "--period: $(cat out)"

# Two processors. In seven of eight weeks the median wait is 0 under easy and 99 s under
# fcfs; in the last week it is above 0 under both. Samples of weeks without the last one
# have an infinite increase, which is neither an interval nor a JSON number.
{
	echo '; MaxProcs: 2'
	for week in 0 1 2 3 4 5 6; do
		echo "$((3 * week + 1)) $((604800 * week)) -1 100 1 -1 -1 1 100 -1 1 1 7 1 3 1 -1 -1"
		echo "$((3 * week + 2)) $((604800 * week + 1)) -1 10 2 -1 -1 2 10 -1 1 1 7 1 3 1 -1 -1"
		echo "$((3 * week + 3)) $((604800 * week + 2)) -1 50 1 -1 -1 1 50 -1 1 1 7 1 3 1 -1 -1"
	done
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		echo "$((21 + i)) $((604800 * 7)) -1 10 2 -1 -1 2 10 -1 1 1 7 1 3 1 -1 -1"
	done
} > uneven.swf
sim 0 --policy easy --policy fcfs --warmup 0 --period 6d --json uneven.swf
grep -q '"periods": [89]' out || fail "uneven: $(cat out)"
! grep -iE ': *-?(inf|nan)' out || fail "not a JSON number: $(cat out)"

# One contender alone has the same figures as with others.
sim 0 --policy lxfw --json eight.swf
is 'alone' 7.33333333333333 "$(sed -n 's/.*"mean_wait_s": \(.*\)[0-9],/\1/p' out)"

# --- perturbed copies -------------------------------------------------------
"$lxfw" generate lublin --jobs 400 --procs 32 --load 0.9 --estimate-factor 3 --out l.swf ||
	fail 'generate'
sim 0 --policy easy --policy lxfw --shake 9 --threads 1 --format csv l.swf
mv out one
sim 0 --policy easy --policy lxfw --shake 9 --threads 4 --format csv l.swf
cmp -s one out || fail 'the figures depend on the number of threads'
sim 0 --policy easy --policy lxfw --shake 9 --seed 2 --threads 2 --format csv l.swf
cmp -s one out && fail 'another seed gives the same copies'
is 'the log itself is not perturbed' "$(value lxfw mean_wait_s value)" "$(
	mv one out; value lxfw mean_wait_s value)"
awk -F, '$3 == "mean_wait_s" && !($10 < $9 && $9 < $11) { exit 1 }' out ||
	fail 'the mean is not between the ends'
# All contenders use the same copies: the same policy twice gives no difference.
sim 0 --policy easy --contender again=lxfw_policy=easy --shake 5 --format csv l.swf
is 'the same again' '0 0 0' "$(value again mean_wait_s shaken_change_percent) $(
	value again mean_wait_s shaken_change_low_percent) $(
	value again mean_wait_s shaken_change_high_percent)"
[ "$(value easy mean_wait_s shaken_low)" != "$(value easy mean_wait_s shaken_high)" ] ||
	fail 'all copies are equal'
# Copies without perturbation equal the log.
sim 0 --shake 3 --shake-arrivals 0 --shake-runs 0 --format csv l.swf
is 'not perturbed' "$(value easy awrt_s value | cut -c 1-12)" "$(value easy awrt_s shaken_mean | cut -c 1-12)"
is 'not perturbed, range' "$(value easy awrt_s value) $(value easy awrt_s value)" \
	"$(value easy awrt_s shaken_low) $(value easy awrt_s shaken_high)"
sim 0 --shake 3 l.swf
grep -q '^3 perturbed copies of the log: arrivals by up to 60 s, run times by up to 10 %, seed 1$' out ||
	fail "--shake: $(cat out)"

# --- selection of jobs ------------------------------------------------------
# Two processors: job 1 runs from 0 to 20 on one, 3 on the other from 10 to 20; 2
# requests both and waits until 20.
{
	echo '; MaxProcs: 2'
	job 1 0 20 1 20
	job 2 0 5 2 5
	job 3 10 10 1 10
} > three.swf
# Without the last job: waits 0 and 20, end 25; from 0 to 5 s one of two processors was
# in use.
sim 0 --cooldown 5 --format csv three.swf
sed 1d out > is
echo 'easy,2,8,10,0,20,20,22.5,3,1.75,21.6666666666667,0.5,25,0,0,0,0,0' > should
sed -i 's/21\.66666666666666[0-9]*/21.6666666666667/' is
same '--cooldown'
# 20 s and 25 s are not longer than 50 s
sim 0 --slowdown-threshold 50 --format csv three.swf
is 'threshold' 1 "$(sed 1d out | cut -d, -f 10)"
sim 0 --slowdown-threshold 5 --format csv three.swf
is 'threshold' 2.3333333333333335 "$(sed 1d out | cut -d, -f 10)"

# --- load -------------------------------------------------------------------
# 40 processor-seconds in 10 s of two processors.
sim 0 --load 0.5 --jobs-out jobs.csv three.swf
grep -q 'offered load 2 scaled to 0.5: intervals between submissions multiplied by 4$' err || fail "$(cat err)"
is 'submissions' '0 0 40' "$(sed 1d jobs.csv | cut -d, -f2 | xargs)"
sim 0 --load 4 --jobs-out jobs.csv three.swf
is 'submissions' '0 0 5' "$(sed 1d jobs.csv | cut -d, -f2 | xargs)"

# --- estimates --------------------------------------------------------------
sim 0 --estimates model:f=2 --seed 7 --jobs-out jobs.csv l.swf
grep -q 'requested times by the f-model, f = 2, seed 7$' err || fail "$(cat err)"
awk -F, 'NR > 1 { e = $(NF - 4); if (e < $6 || e > 3 * $6) exit 1; s += e / $6; n++ }
	END { if (s / n < 1.9 || s / n > 2.1) exit 1 }' jobs.csv ||
	fail 'f-model: an estimate beyond 1 to 3 times the run time, or their mean not near 2'
cp jobs.csv first.csv
sim 0 --estimates model:f=2 --seed 7 --jobs-out jobs.csv l.swf
cmp -s jobs.csv first.csv || fail 'f-model: a second run differs'
sim 0 --estimates model:modal:36h --jobs-out jobs.csv l.swf
grep -q 'requested times by the modal model, seed 1$' err || fail "$(cat err)"
awk -F, 'NR > 1 && $(NF - 4) < $6 { exit 1 }' jobs.csv ||
	fail 'modal: a run time above its estimate'
is 'modal: the most popular' 129600 "$(awk -F, 'NR > 1 { print $(NF - 4) }' jobs.csv |
	sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')"

# --- fairness ---------------------------------------------------------------
# In submission order no job is delayed by a later one. By expansion factor the second
# job starts 5 s later than that: a third of the jobs, 5/3 s per job. User 2 has
# slowdown 1.14, user 1 has 1 and 13/10 (bounded): 1.15.
sim 0 --policy fcfs --policy lxfw --fairness --users-out users.csv --format csv eight.swf
is 'fcfs is fair' '0 0' "$(value fcfs late_share value) $(value fcfs max_miss_s value)"
is 'lxfw is not' '0.333333 1.666666 5' "$(value lxfw late_share value | cut -c 1-8) $(
	value lxfw mean_miss_s value | cut -c 1-8) $(value lxfw max_miss_s value)"
is 'users' '2 1' "$(value lxfw users value) $(value lxfw worst_user value)"
cat > should <<END
user,jobs,mean_wait_s,mean_slowdown,mean_bounded_slowdown,contender
1,16,54,11.8,6.15,fcfs
2,8,9,1.09,1.09,fcfs
1,16,4,1.8,1.15,lxfw
2,8,14,1.14,1.14,lxfw
END
rounded users.csv > is
same 'users'

# By definition, the fair start is the start of the job in a simulation without later
# jobs. This runs one simulation for each job.
"$lxfw" generate lublin --jobs 40 --procs 32 --load 6 --out fair.swf || fail 'generate'
sim 0 --policy conservative --estimates exact --fairness --jobs-out all.csv --json fair.swf
grep -q '"max_miss_s": 0$' out || fail 'conservative backfilling with exact times is not fair'
i=1
while [ $i -le 40 ]; do
	{
		echo '; MaxProcs: 32'
		grep -v '^;' fair.swf | head -n $i
	} > before.swf
	sim 0 --policy conservative --estimates exact --jobs-out some.csv before.swf
	is "fair start of job $i" "$(sed -n "$((i + 1))p" all.csv | cut -d, -f 3)" \
		"$(sed -n "$((i + 1))p" some.csv | cut -d, -f 3)"
	i=$((i + 1))
done
awk -F, 'NR > 1 && $5 > 0 { n++ } END { if (n < 10) exit 1 }' all.csv ||
	fail 'too few jobs wait for a test'

# --- files ------------------------------------------------------------------
sim 0 --jobs-out jobs.csv --series-out series.csv three.swf
cat > should <<END
time,waiting_jobs,waiting_procs,running_jobs,used_procs,suspended_jobs
0,1,2,1,1,0
10,1,2,2,2,0
20,0,0,1,2,0
25,0,0,0,0,0
END
cp series.csv is
same 'series'
sim 0 --series-out series.csv --series-step 8 three.swf
cat > should <<END
time,waiting_jobs,waiting_procs,running_jobs,used_procs,suspended_jobs
0,1,2,1,1,0
8,1,2,1,1,0
16,1,2,2,2,0
24,0,0,1,2,0
32,0,0,0,0,0
END
cp series.csv is
same 'series, steps'

# The series agree with the jobs: processors in use, and waits.
sim 0 --policy lxfw --jobs-out jobs.csv --series-out series.csv l.swf
is 'areas' "$(awk -F, 'NR > 1 { used += $6 * $7; waits += $5 }
	END { printf "%.0f %.0f", used, waits }' jobs.csv)" \
	"$(awk -F, 'NR > 2 { used += ($1 - t) * u; waits += ($1 - t) * w }
	NR > 1 { t = $1; w = $2; u = $5 } END { printf "%.0f %.0f", used, waits }' series.csv)"

# Immediate service: job 1 is suspended at 2 for the 5 s of job 2, and resumed.
{
	echo '; MaxProcs: 1'
	job 1 0 20 1 20
	job 2 2 5 1 5
} > quantum.swf
sim 0 --params 'lxfw_policy=lxfw,lxfw_quantum=60,lxfw_quantum_mode=preempt,lxfw_quantum_mem=1000,lxfw_quantum_min_run=0' \
	--series-out series.csv quantum.swf
cat > should <<END
time,waiting_jobs,waiting_procs,running_jobs,used_procs,suspended_jobs
0,0,0,1,1,0
2,0,0,1,1,1
7,0,0,1,1,0
25,0,0,0,0,0
END
cp series.csv is
same 'series, suspended'

# The second job waited 9 s. With weight on the expansion factor only, its priority is 1
# + 9/100. Policies without weights have no priority.
sim 0 --params lxfw_policy=lxfw,lxfw_ww=0,lxfw_wx=1 --estimates exact --jobs-out jobs.csv eight.swf
sed -n '1,4p' jobs.csv > some
rounded some > is
cat > should <<END
job_id,submit,start,end,wait,run,procs,memory_mb,hosts,preemptions,requeues,user,group,queue,estimate,status,slowdown,bounded_slowdown,priority
1,0,0,10,0,10,1,0,h0,0,0,1,7,3,10,0,1,1,1
2,1,15,115,14,100,1,0,h0,0,0,2,7,3,100,0,1.14,1.14,1.14
3,2,10,15,8,5,1,0,h0,0,0,1,7,3,5,0,2.6,1.3,2.6
END
same 'jobs'
sim 0 --policy sjf --policy fcfs --jobs-out jobs.csv three.swf
is 'no priority, with the policy' ',,sjf ,,fcfs' "$(sed -n '2p;5p' jobs.csv | grep -o ',,[a-z]*$' | xargs)"

# Python reads all files with default options: each row has as many fields as the first,
# and each column consists of numbers or empty fields, except for text columns.
if python3 -c 'import csv' 2> err; then
	sim 0 --policy easy --policy lxfw --shake 3 --fairness --users-out users.csv \
		--jobs-out jobs.csv --series-out series.csv --format csv l.swf
	mv out figures.csv
	cat > read.py <<-'END'
	import csv, sys
	text = {"contender", "policy", "figure", "hosts"}
	for name in sys.argv[1:]:
	    with open(name, newline="") as file:
	        rows = list(csv.DictReader(file, strict=True))
	    assert rows, name
	    for row in rows:
	        assert None not in row and None not in row.values(), (name, row)
	        for key, value in row.items():
	            if key not in text and value:
	                float(value)
	END
	python3 read.py figures.csv users.csv jobs.csv series.csv || fail 'csv of Python'
else
	echo 'no python3 here: files not read by it'
fi

# --- time -------------------------------------------------------------------
sim 0 --json three.swf
mv out one
sim 0 --json three.swf
cmp -s one out || fail 'a second run differs'
grep -q wall_s out && fail 'wall_s without --timing'
sim 0 --json --timing three.swf
grep -q '"wall_s": [0-9]' out || fail 'no wall_s with --timing'

# --- misuse -----------------------------------------------------------------
misuse "two contenders are named 'easy'" --policy easy --policy easy three.swf
misuse '--params with several contenders' --policy easy --policy sjf --params lxfw_wx=2 three.swf
misuse "--contender 'easy', expected NAME=KEYS" --contender easy three.swf
misuse "--contender 'lxfw_policy=easy', expected NAME=KEYS" --contender lxfw_policy=easy three.swf
misuse "--contender 'a b=', expected NAME=KEYS" --contender 'a b=' three.swf
misuse 'lxfw_no_such_key' --contender a=lxfw_no_such_key=1 three.swf
misuse '--journal of several simulations' --policy easy --policy sjf --journal j three.swf
misuse '--shake-runs without --shake' --shake-runs 0.2 three.swf
misuse "--shake '1', expected" --shake 1 three.swf
misuse '--users-out without --fairness' --users-out u three.swf
misuse '--series-step without --series-out' --series-step 5 three.swf
misuse '--seed without' --seed 5 three.swf
misuse '--slowdown-threshold 0' --slowdown-threshold 0 three.swf
misuse "--estimates 'model:f=-1'" --estimates model:f=-1 three.swf
misuse "--estimates 'model:modal:10m'" --estimates model:modal:10m three.swf
misuse "--load '0'" --load 0 three.swf
job 1 0 20 1 20 > once.swf
misuse 'all jobs are submitted at the same time' --cluster procs=1 --load 1 once.swf
misuse '--adaptive with several contenders' --adaptive all --policy eqspatial --policy easy three.swf

finish
