#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw predict --evaluate`: a log whose truth can be known, no use of the future, and the
# same result for a seed on any number of threads. LXFW_SEED repeats a run.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# evaluate LOG OUT OPTIONS...
evaluate()
{
	log=$1 out=$2
	shift 2
	"$lxfw" predict --evaluate "$work/$log" "$@" > "$work/$out" 2> "$work/messages" ||
		fail "predict $log $*: exit status $?: $(cat "$work/messages")"
}

# line OUT TEXT: print the first line of an output that contains TEXT
line()
{
	grep -m 1 -- "$2" "$work/$1"
}

# --- a known truth ---------------------------------------------------------------------

# Every 2000 s a job of the whole machine runs for half of its limit of 1000 s, and 100 s
# later another one is submitted: it waits for 400 s, while by limits it would be 900 s.
# Experience tells that.
i=0
echo '; MaxProcs: 4' > "$work/known.swf"
while [ $i -lt 400 ]; do
	job $((2 * i + 1)) $((2000 * i)) 500 4 1000
	job $((2 * i + 2)) $((2000 * i + 100)) 500 4 1000
	i=$((i + 1))
done >> "$work/known.swf"
evaluate known.swf known --futures 20 --sample 300 --cases-out "$work/known.csv"
line known '  futures' > "$work/is"
echo '  futures                             100.0 %        100.0 %            0.00' |
	diff - "$work/is" > "$work/diff" || fail "known truth: $(cat "$work/diff")"
awk -F, 'NR > 1 && $4 == 0 {
	jobs++
	wrong += $3 != 400 || $5 != 400 || $6 != 400 || $9 != 400 || $10 != 900
} END { exit jobs < 100 || wrong }' "$work/known.csv" ||
	fail "known truth: $(head -5 "$work/known.csv")"

# The corrected bounds are there, too, once 40 waits are known.
awk -F, 'NR == 1 { wrong += NF != 16 || $13 != "corrected_low50" || $16 != "corrected_high90" }
	NR > 1 && $4 == 0 && $13 == "" { first++ }
	NR > 1 && $4 == 0 && $13 != "" { jobs++; wrong += $15 != 400 || $16 != 400 }
	END { exit first != 40 || jobs < 60 || wrong }' "$work/known.csv" ||
	fail "corrected bounds: $(head -3 "$work/known.csv")"

# --- the future ------------------------------------------------------------------------

# A random log, and the same log with another future: other jobs are submitted after the
# moment, and jobs that have not ended by then run for another time.
seed=${LXFW_SEED:-1}
echo "predict.sh: LXFW_SEED=$seed" >&2
moment=150000
awk -v seed="$seed" 'BEGIN {
	srand(seed)
	print "; MaxProcs: 16"
	for (i = 1; i <= 1000; i++) {
		at += int(-log(1 - rand()) * 250)
		user = 1 + int(rand() * 5)
		limit = 600 * (1 + int(rand() * 6))
		if (i % 40 == 0) {	# it runs for days: submissions of the past still run
			user = 9
			limit = 400000
		}
		run = 1 + int(limit * rand() ^ (user < 9 ? user : 1))
		printf "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1\n", i, at, run,
			p = user < 9 ? 1 + int(rand() * 9) : 1, p, limit, user
	}
}' > "$work/past.swf"
"$lxfw" simulate --policy lxfw --jobs-out "$work/jobs.csv" "$work/past.swf" \
	> "$work/out" 2>&1 || fail "simulate: $(cat "$work/out")"
awk -v seed="$seed" -v moment=$moment -F'[ ,]' '
	BEGIN { srand(seed + 1) }
	FNR == NR { end[$1] = $4; next }
	/^;/ { print; next }
	{
		submit = $2; run = $4; procs = $5; limit = $9
		if (end[$1] > moment && submit <= moment)
			run += moment	# it was running or waiting
		if (submit > moment) {
			run = 1 + int(rand() * 5000)
			procs = 1 + int(rand() * 16)
			limit = 5000
			submit = moment + 1 + (submit - moment) * 2
		}
		printf "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1\n", $1, submit,
			run, procs, procs, limit, $12
	}' "$work/jobs.csv" "$work/past.swf" > "$work/other.swf"
# Many jobs are predicted, so that some shortly before the moment are.
evaluate past.swf past --futures 10 --warmup 0 --sample 400 --cases-out "$work/past.csv"
evaluate other.swf other --futures 10 --warmup 0 --sample 400 --cases-out "$work/other.csv"
# predictions FILE: those up to the moment, without the true waits
predictions()
{
	awk -F, -v OFS=, -v moment=$moment 'NR == 1 || $2 <= moment { $3 = ""; print }' "$1"
}
predictions "$work/past.csv" > "$work/before"
predictions "$work/other.csv" > "$work/before-other"
[ "$(awk -F, '$4 == 0' "$work/before" | wc -l)" -ge 100 ] ||
	fail "only $(wc -l < "$work/before") predictions before the moment"
cmp -s "$work/before" "$work/before-other" ||
	fail "another future: $(diff "$work/before" "$work/before-other" | head -6)"
cmp -s "$work/past.csv" "$work/other.csv" && fail 'the other future is the same'

# --- seeds and threads -----------------------------------------------------------------

for threads in 1 3; do
	evaluate past.swf $threads --futures 10 --sample 100 --threads $threads
done
evaluate past.swf seven --futures 10 --sample 100 --threads 1 --seed 7
cmp -s "$work/1" "$work/3" || fail "three threads: $(diff "$work/1" "$work/3")"
cmp -s "$work/1" "$work/seven" && fail 'another seed: the same result'

# --- as measured -----------------------------------------------------------------------

# The waits of the simulation as measured ones: the machine is the same, and so are the
# running and waiting jobs, at the same moments.
awk -F'[ ,]' '
	FNR == NR { wait[$1] = $5; next }
	!/^;/ { $3 = wait[$1] }
	{ print }' "$work/jobs.csv" "$work/past.swf" > "$work/measured.swf"
evaluate measured.swf measured --measured --futures 10 --warmup 0 --sample 400 \
	--cases-out "$work/measured.csv"
awk -F, 'FNR == NR { wait[$1] = $3; next }
	FNR > 1 && $3 != wait[$1] { wrong++ }
	END { exit wrong }' "$work/past.csv" "$work/measured.csv" ||
	fail 'measured: other waits than simulated'
awk -F, '
	FNR == NR { expected[$1] = $5; next }
	FNR > 1 { jobs++; same += $5 == expected[$1] }
	END { exit same < 0.9 * jobs }' "$work/past.csv" "$work/measured.csv" ||
	fail "measured: other predictions: $(diff "$work/past.csv" "$work/measured.csv" | head -8)"
status=0
"$lxfw" predict --measured --evaluate "$work/past.swf" > "$work/out" 2>&1 || status=$?
[ $status = 2 ] || fail "no measured waits: exit status $status"
grep -q 'contains no measured waits' "$work/out" || fail "no waits: $(cat "$work/out")"

# --- bad input -------------------------------------------------------------------------

# refuses TEXT OPTIONS...
refuses()
{
	text=$1 status=0
	shift
	"$lxfw" predict "$@" > "$work/out" 2> "$work/messages" || status=$?
	[ $status = 2 ] || fail "$*: exit status $status"
	grep -q -- "$text" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: output $(cat "$work/out")"
}
refuses 'nothing to predict, expected'
refuses 'expected only options' --evaluate "$work/past.swf" 17
refuses 'No such file' --evaluate "$work/absent.swf"
refuses 'resizes jobs, which the futures do not model' --policy eqspatial \
	--evaluate "$work/past.swf"
refuses 'lxfw_quantum=0' --params lxfw_quantum=60 --evaluate "$work/past.swf"
refuses '[0-5] of 5 jobs started at once, .*expected a longer or busier log or a larger --sample' --sample 5 --evaluate "$work/past.swf"
refuses 'is an input file' --cases-out "$work/past.swf" --evaluate "$work/past.swf"

finish
