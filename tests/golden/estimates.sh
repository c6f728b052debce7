#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `--estimates history` of `lxfw simulate` and `lxfw grid`: estimates computed by hand, from the
# log itself and from a data base of several machines with speeds; nothing is known of jobs
# that have not ended; made data, to whose truth the estimates converge; how wrong they were.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"

# by_user NUMBER SUBMIT RUN LIMIT USER [PROCS]
by_user()
{
	echo "$1 $2 -1 $3 ${6:-1} -1 -1 ${6:-1} $4 -1 1 $5 1 1 1 1 -1 -1"
}

# run OPTIONS...: simulate $work/log.swf; its jobs are in $work/jobs.csv
run()
{
	"$lxfw" simulate --jobs-out "$work/jobs.csv" "$@" "$work/log.swf" > "$work/out" \
		2> "$work/messages" || fail "simulate $*: exit status $?: $(cat "$work/messages")"
}

# column NAME FILE: print number and this column of each job
column()
{
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR > 1 { gsub(/"[^"]*"/, "hosts"); print $1, $at }' "$2"
}

# estimates OPTIONS...: standard input has "JOB ESTIMATE" for each job of $work/log.swf
estimates()
{
	run "$@"
	column estimate "$work/jobs.csv" > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "simulate $*: $(cat "$work/diff")"
}

# --- by hand ---------------------------------------------------------------------------------

# Job 2 knows job 1: 0.1 of the request in all six groups, each with weight 1/2, so that 1/64
# of the request remains: 0.1 x 1000 x 63/64 + 1000/64 = 114.06. Job 3 knows both, with the
# median 0.2 and weight 2/3: 0.2 x 1000 x 728/729 + 1000/729 = 201.1. Job 4, submitted in the
# second in which job 3 ends, is that of another user. It is in the groups of its size and of all
# jobs only, three jobs with the median 0.2: (0.6 + 1) / 4 = 0.4, (0.6 + 0.4) / 4 = 0.25. Job 5
# is submitted in the second in which job 4 ends.
{
	echo '; MaxProcs: 4'
	by_user 1 0 100 1000 1
	by_user 2 200 300 1000 1
	by_user 3 600 200 1000 1
	by_user 4 800 100 1000 2
	by_user 5 900 10 1000 1
} > "$work/log.swf"
# Job 5: (4 x 0.15 + 1) / 5 = 0.32; (0.6 + 0.32) / 5 = 0.184; then (0.6 + x) / 4 four
# times: 0.196, 0.199, 0.19975, 0.1999375.
estimates --estimates history << 'END'
1 1000
2 114
3 201
4 250
5 200
END
# Errors: 9, 0.62, 0.005, 1.5, 19; limits: 9, 2.33, 4, 9, 99. Jobs 2 to 5 have 1, 2, 0 and 3
# jobs of their class. Underestimated: job 2.
for pair in 'estimated jobs 5' 'median error 1.500' '90th percentile 19.000' \
	    'underestimated 0.200' 'requested, median error 9.000' '90th percentile 99.000' \
	    'class of 0 jobs 2' '1 to 3 jobs 3' '4 to 15 jobs 0' '16 jobs or more 0'; do
	sed 's/  */ /g; s/^ //' "$work/out" | grep -qx "$pair" ||
		fail "by hand: no '$pair' in $(cat "$work/out")"
done
run --estimates history --json
python3 - "$work/out" << 'END' || fail "by hand: $(cat "$work/out")"
import json, sys
report = json.load(open(sys.argv[1]))
expected = {'estimated_jobs': 5, 'estimate_median_error': 1.5, 'estimate_p90_error': 19,
            'estimate_under_share': 0.2, 'limit_median_error': 9, 'limit_p90_error': 99,
            'limit_under_share': 0, 'class_0_jobs': 2, 'class_1_to_3_jobs': 3,
            'class_1_to_3_median_error': 0.62}
for key, value in expected.items():
    assert abs(report[key] - value) < 1e-9, (key, report[key], value)
END

# A job without a requested time has its run time as in the log, and does not teach anything.
{
	echo '; MaxProcs: 4'
	by_user 1 0 100 1000 1
	by_user 2 200 300 -1 1
	by_user 3 600 10 1000 1
} > "$work/log.swf"
estimates --estimates history << 'END'
1 1000
2 300
3 114
END

# A shorter estimate lets job 3 backfill: without one it would be expected until 1010.
{
	echo '; MaxProcs: 4'
	by_user 1 0 100 1000 1 1
	by_user 2 150 500 500 2 3
	by_user 3 200 100 1000 1 1
	by_user 4 160 100 1000 2 4
} > "$work/log.swf"
run --policy easy
[ "$(column start "$work/jobs.csv" | sed -n 3p)" = '3 750' ] || fail "$(cat "$work/jobs.csv")"
run --policy easy --estimates history
[ "$(column start "$work/jobs.csv" | sed -n 3p)" = '3 200' ] || fail "$(cat "$work/jobs.csv")"

# --- the data base ---------------------------------------------------------------------------

base=1700000000
# import FILE MACHINE OPTIONS...
import()
{
	file=$1 machine=$2
	shift 2
	"$lxfw" import --history "$work/$file" --machine "$machine" "$@" > "$work/out" \
		2> "$work/messages" || fail "import: exit status $?: $(cat "$work/messages")"
}
by_user 1 $base 100 1000 1 > "$work/one.swf"
"$lxfw" import --history "$work/probe" --machine m "$work/one.swf" > "$work/out" 2> "$work/messages"
if grep -q 'built without SQLite' "$work/messages"; then
	echo 'without SQLite: data bases not looked at'
	finish
fi

# A machine at twice the usual speed: 100 s are 200 s at the usual speed, and 1000 s 2000 s.
# Expected are 200 x 63/64 + 2000/64 = 228 s, 114 s on the machine. Its job ends in the second of
# the first submission, or a second later.
import speeds m --speed 2 "$work/one.swf"
for submit in $((base + 100)) $((base + 99)); do
	{
		echo '; MaxProcs: 1'
		by_user 7 $submit 50 1000 1
	} > "$work/log.swf"
	[ $submit = $((base + 100)) ] && expected='7 114' || expected='7 1000'
	echo "$expected" | estimates --estimates "history:$work/speeds"
done
# It keeps its jobs, and its speed until another one is given.
import speeds m "$work/one.swf"
grep -q 'machine m: 1 jobs, 0 of them new' "$work/out" || fail "again: $(cat "$work/out")"
by_user 7 $((base + 100)) 50 1000 1 > "$work/log.swf"
echo '7 114' | estimates --cluster procs=1 --estimates "history:$work/speeds"
grep -q "speeds: 1 of 1 jobs had ended when $work/log.swf begins" "$work/messages" ||
	fail "note: $(cat "$work/messages")"

# at_sites SITE:LIMIT...: the estimates at the sites, by their journals
at_sites()
{
	"$lxfw" grid --sites "$work/sites" --estimates "history:$work/speeds" \
		--journals "$work" "$work/log.swf" > "$work/out" 2> "$work/messages" ||
		fail "grid: $(cat "$work/messages")"
	for pair; do
		site=${pair%:*} limit=${pair#*:}
		"$lxfw" journal "$work/$site.journal" > "$work/text" 2>&1
		grep -q "limit $limit\\b" "$work/text" ||
			fail "grid: $pair: $(grep limit "$work/text")"
	done
}

# Two machines: the jobs of the own one count where there are any. The user's job took 500 s on n.
by_user 1 $base 500 1000 1 > "$work/other.swf"
import speeds n "$work/other.swf"
{
	by_user 7 $((base + 600)) 50 1000 1
	by_user 8 $((base + 600)) 50 1000 1
	by_user 9 $((base + 600)) 50 1000 1
} > "$work/log.swf"
printf '%s\n' 'site=m procs=1 speed=2' 'site=n procs=1' 'site=new procs=1' > "$work/sites"
# The requested time of a grid is one at the usual speed, and 1000 s on m are 2000 s at it. m: the
# class is that of n, the groups of all jobs and of the user there, with 0.1: 0.55, 0.525, 0.3125,
# 0.40625, 0.453, 0.4766 of 1000 s, at twice the speed. n: 500 x 63/64 + 1000/64. A site that is in
# no log: the same groups have two jobs with the median 0.3: 0.533, 0.517, 0.372, 0.436, 0.468,
# 0.484. If 500 s are requested on m, both are in all groups, with 0.2 and 0.5 on their own and the
# median 0.35: 200 x 63/64 + 1000/64, 500 x 63/64 + 1000/64 and 350 x 728/729 + 1000/729.
at_sites m:239 n:508 new:484
by_user 1 $base 100 500 1 > "$work/half.swf"
cp "$work/speeds" "$work/speeds.one"
rm "$work/speeds"
import speeds m --speed 2 "$work/half.swf"
import speeds n "$work/other.swf"
at_sites m:107 n:508 new:351
# A machine that is no site, m, is none of them: its job does not count as one of n.
cp "$work/sites" "$work/three"
printf '%s\n' 'site=n procs=1' 'site=new procs=1' 'site=other procs=1' > "$work/sites"
at_sites n:508 new:351 other:351
cp "$work/three" "$work/sites"
grep -q '^local  *3 ' "$work/out" || fail "grid: $(cat "$work/out")"
grep -q '^by class of' "$work/out" || fail "grid: $(cat "$work/out")"
"$lxfw" grid --sites "$work/sites" --estimates "history:$work/speeds" --report "$work/page" \
	--broker local,earliest "$work/log.swf" > "$work/out" 2>&1 || fail "page: $(cat "$work/out")"
grep -c '<tr><th>[a-z]*</th><td>3</td><td>[0-9.]*</td><td>[0-9.]*</td><td>[0-9.]* %</td>' \
	"$work/page" | grep -qx 2 || fail 'page: estimates'
"$lxfw" grid --sites 1 --estimates "history:$work/speeds" "$work/log.swf" 2>&1 |
	grep -q 'no machine has the name of a site' || fail 'no note of machines that are no sites'
# If the log of m is of a machine of the usual speed: m: 114 / 2. new: median 300.
mv "$work/speeds.one" "$work/speeds"
import speeds m --speed 1 "$work/one.swf"
at_sites m:57 n:508 new:301

# --- nothing is known beforehand ---------------------------------------------------------------

# A random log. In a copy, run times and submissions differ from a moment on: until then,
# every estimate and every start are the same. A data base of the log itself changes nothing.
awk -v seed="$seed" -v base=$base 'BEGIN {
	srand(seed)
	print "; MaxProcs: 16"
	for (i = 1; i <= 800; i++) {
		at += int(-log(1 - rand()) * 500)
		user = 1 + int(rand() * 5)
		limit = 600 * (1 + int(rand() * 6))
		run = 1 + int(limit * (user == 1 ? 0.1 : user == 2 ? 0.8 + 0.15 * rand() : rand()))
		print i, base + at, -1, run, p = 1 + int(rand() * 9), -1, -1, p, limit, -1, 1, user, 1,
			1 + int(rand() * 3), 1, 1, -1, -1
	}
}' > "$work/whole.swf"
cp "$work/whole.swf" "$work/log.swf"
run --estimates history
cp "$work/jobs.csv" "$work/whole.csv"
import self m "$work/whole.swf"
run --estimates "history:$work/self"
cmp -s "$work/jobs.csv" "$work/whole.csv" || fail "a data base of the log itself makes a difference"
moment=$(awk 'NR == 401 { print $2 }' "$work/whole.swf")
awk -v moment="$moment" '/^;/ || $2 <= moment { print; next }
	{ $4 = 1 + int($4 / 3); print }' "$work/whole.swf" > "$work/log.swf"
run --estimates history
for file in whole jobs; do
	awk -F, -v moment="$moment" '$2 <= moment && $3 <= moment { print $1, $3 }' \
		"$work/$file.csv" > "$work/$file.starts"
	column estimate "$work/$file.csv" | awk -v last="$(awk -F, -v moment="$moment" \
		'$2 <= moment { n = $1 } END { print n }' "$work/whole.csv")" '$1 <= last' \
		> "$work/$file.estimates"
done
cmp -s "$work/whole.starts" "$work/jobs.starts" || fail "seed $seed: starts before $moment differ"
cmp -s "$work/whole.estimates" "$work/jobs.estimates" ||
	fail "seed $seed: $(diff "$work/whole.estimates" "$work/jobs.estimates" | head -4)"
[ "$(wc -l < "$work/jobs.estimates")" -ge 300 ] || fail 'too few jobs before the moment'
cmp -s "$work/whole.csv" "$work/jobs.csv" && fail 'the copy has the same schedule'
# The same on a grid of one site with the same policy.
"$lxfw" simulate --policy easy --estimates history --jobs-out "$work/one.csv" "$work/whole.swf" \
	> "$work/out" 2>&1
for options in history "history:$work/self"; do
	"$lxfw" grid --sites 16 --estimates "$options" --jobs-out "$work/grid.csv" \
		"$work/whole.swf" > "$work/out" 2>&1 || fail "grid: $(cat "$work/out")"
	cut -d, -f1-4 "$work/grid.csv" > "$work/is"
	cut -d, -f1-4 "$work/one.csv" | diff -q - "$work/is" > "$work/diff" ||
		fail "grid $options: another schedule than lxfw simulate"
done

# --- made data ---------------------------------------------------------------------------------

# Each of 8 users has an own run time, in two programs of different lengths. The data base has
# 400 jobs of each class on two machines, one twice as fast, with run times within 5 % of the
# truth. All request 7200 s at the usual speed. What remains of coarser groups is 1/401 of at most 4000 s.
python3 - "$work" "$seed" $base << 'END'
import random, sys
work, seed, base = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
draw = random.Random(seed)
truth = {(user, program): draw.randint(1000, 4000) for user in range(1, 9) for program in (1, 2)}
def line(number, submit, run, user, program, speed=1):
    return f'{number} {submit} -1 {max(1, round(run))} 1 -1 -1 1 {7200 // speed} -1 1 {user} 1 {program} 1 1 -1 -1\n'
number = 0
for machine, speed in (('slow', 1), ('fast', 2)):
    with open(f'{work}/{machine}.swf', 'w') as out:
        for round_ in range(400):
            for (user, program), mean in truth.items():
                number += 1
                out.write(line(number, base + 100 * number,
                               mean / speed * draw.uniform(0.95, 1.05), user, program, speed))
for speed in (1, 2, 4):
    with open(f'{work}/log{speed}.swf', 'w') as out, open(f'{work}/truth', 'w') as told:
        out.write('; MaxProcs: 64\n')
        for at, ((user, program), mean) in enumerate(truth.items()):
            out.write(line(at + 1, base + 200 * number, mean, user, program, speed))
            told.write(f'{at + 1} {mean}\n')
END
import made slow "$work/slow.swf"
import made fast --speed 2 "$work/fast.swf"
for machine in slow fast; do
	cp "$work/log$([ $machine = fast ] && echo 2 || echo 1).swf" "$work/log.swf"
	run --estimates "history:$work/made" --machine $machine
	column estimate "$work/jobs.csv" | paste -d' ' - "$work/truth" |
		awk -v speed="$([ $machine = fast ] && echo 2 || echo 1)" '{
			off = $2 * speed / $4 - 1
			if (off < -0.05 || off > 0.05) print "job " $1 ": " $2 " for " $4 / speed
		}' > "$work/off"
	[ ! -s "$work/off" ] || fail "seed $seed, $machine: $(cat "$work/off")"
done
# Accounting of a machine of half the speed, on which both times are twice as long: all jobs take
# 90 % of what they request. The grid requests at the usual speed, and no job exceeds its estimate.
for part in past log; do
	awk -v part=$part -v base=$base 'BEGIN {
		for (i = 1; i <= 400; i++) {
			limit = 60 * (10 + i % 7)
			factor = part == "past" ? 2 : 1
			print i, base + 3000 * (i + (part == "log" ? 2000 : 0)), 0, factor * limit * 0.9, 1,
				-1, -1, 1, factor * limit, -1, 1, i % 3, 1, 1, 1, 1, -1, -1
		}
	}' > "$work/$part.swf"
done
import half s --speed 0.5 "$work/past.swf"
echo 'site=s procs=4 speed=0.5' > "$work/sites"
"$lxfw" grid --sites "$work/sites" --estimates "history:$work/half" --json "$work/log.swf" \
	> "$work/out" 2> "$work/messages" || fail "half: $(cat "$work/messages")"
python3 - "$work/out" << 'END' || fail "half: $(cat "$work/out")"
import json, sys
broker = json.load(open(sys.argv[1]))['brokers'][0]
assert broker['estimated_jobs'] == 400, broker
assert broker['estimate_median_error'] < 0.01 and broker['estimate_p90_error'] < 0.01, broker
assert broker['class_0_jobs'] == 0, broker
END
# A machine of which nothing is known gets its estimates from both.
by_user 1 $base 10 20 99 > "$work/one.swf"
import made new --speed 4 "$work/one.swf"
cp "$work/log4.swf" "$work/log.swf"
run --estimates "history:$work/made" --machine new
column estimate "$work/jobs.csv" | paste -d' ' - "$work/truth" |
	awk '{ off = $2 * 4 / $4 - 1; if (off < -0.05 || off > 0.05) print }' > "$work/off"
[ ! -s "$work/off" ] || fail "seed $seed, new: $(cat "$work/off")"

# Kinds of `lxfw grid` from the same data base: user 1 runs at s for 100 s. It runs at s next.
{
	by_user 1 $base 100 1000 1
	by_user 2 $((base + 1)) 300 1000 2
} > "$work/past.swf"
import kinds s "$work/past.swf"
{
	by_user 1 $((base + 1000)) 100 1000 1
	by_user 2 $((base + 1000)) 300 1000 2
} > "$work/log.swf"
printf '%s\n' 'site=r procs=1' 'site=s procs=1' > "$work/sites"
"$lxfw" grid --sites "$work/sites" --kind user --history "$work/kinds" --broker sjs \
	--quantum 0 --jobs-out "$work/jobs.csv" "$work/log.swf" > "$work/out" 2> "$work/messages" ||
	fail "kinds: $(cat "$work/messages")"
grep -q 'run times of 2 of 2 jobs at the sites are known' "$work/messages" ||
	fail "kinds: $(cat "$work/messages")"
# Expected at s: 550 and 650, at r 1000: min-min places 1 at s, then 2 at r.
tail -n +2 "$work/jobs.csv" | cut -d, -f9 | paste -sd' ' - | grep -qx 's:1 r:1' ||
	fail "kinds: $(cat "$work/jobs.csv")"

# --- bad input -----------------------------------------------------------------------------------

for options in "--split-wide home --estimates history" "--graph 2nn --estimates history" \
	       "--history $work/kinds" "--history $work/kinds --kind partition"; do
	status=0
	# shellcheck disable=SC2086
	"$lxfw" grid --sites 8,8 $options "$work/log.swf" > "$work/out" 2> "$work/messages" || status=$?
	[ $status = 2 ] || fail "$options: exit status $status"
	grep -q expected "$work/messages" || fail "$options: $(cat "$work/messages")"
done

finish
