#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Intervals of jobs that have waited for some time: `lxfw predict --evaluate --live` measures them
# at random moments, and they are those of `lxfw predict --journal` at the same moments. They
# contain the starts as often as they say, by what is known of a job, and are narrower than those
# that only know the expected wait. With little history there is no 90 % interval.
# LXFW_SEED repeats a run.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
seed=${LXFW_SEED:-1}
echo "predict-moments.sh: LXFW_SEED=$seed" >&2

# run WHAT ARGUMENT...: the output is written to out and told
run()
{
	what=$1
	shift
	"$lxfw" "$@" > out 2> told || fail "$what: exit status $?: $(cat told)"
}

# refuse MESSAGE ARGUMENT...: exit status 2, and the message
refuse()
{
	message=$1
	shift
	"$lxfw" "$@" > out 2> told
	[ $? -eq 2 ] || fail "$*: not refused"
	grep -qF -- "$message" told || fail "$*: $(cat told), expected $message"
	[ ! -s out ] || fail "$*: output in spite of an error"
}

# Six weeks of a machine of 16 processors that is used to 80 %: users with limits of their own, of
# which most jobs use little, in short series.
awk -v seed="$seed" 'function uniform() {
		state = (state * 16807) % 2147483647
		return state / 2147483647
	}
	BEGIN {
	state = 4711 + seed
	print "; MaxProcs: 16"
	split("1800 3600 3600 7200 14400 14400 28800", limit, " ")
	split("4 1 8 2 4 8 2", size, " ")
	while (at < 42 * 86400) {
		user = 1 + int(7 * uniform())
		used = 0.05 + 0.7 * uniform() * uniform()
		work = 0
		for (k = int(1 + 4 * uniform()); k > 0; k--) {
			run = int(limit[user] * used * (0.7 + 0.6 * uniform())) + 1
			if (uniform() < 0.1)
				run = 20
			work += run * size[user]
			printf "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1\n", ++id, at,
				run, size[user], size[user], limit[user], user
		}
		at += int(work / 16 / 0.8 * 2 * uniform())
	}
}' > log.swf

# --- as a live site gets them -----------------------------------------------------------
run "evaluate" predict --evaluate log.swf --live --moments 150 --futures 20 --cases-out cases.csv \
	--calibration-out calibration --format json
cp out json
# figure KEY OF: a number of the object OF
figure()
{
	awk -v key="\"$1\":" -v of="\"$2\":" '$1 == of { inside = 1 }
		inside && $1 == key { sub(",", "", $2); print $2; exit }' json
}
jobs=$(figure jobs corrected)
[ "${jobs:-0}" -ge 500 ] || fail "only $jobs predictions are judged"
for interval in 50 90; do
	awk -v inside="$(figure by_moment_$interval corrected)" -v nominal=$interval \
		'BEGIN { exit inside < nominal / 100 - 0.1 || inside > nominal / 100 + 0.1 }' ||
		fail "coverage $interval %: $(figure by_moment_$interval corrected)"
done
awk -v raw="$(figure by_moment_90 not_corrected)" 'BEGIN { exit raw > 0.85 }' ||
	fail "the log is too easy: not corrected, 90 %: $(figure by_moment_90 not_corrected)"
awk -v ours="$(figure median_width_90 corrected)" -v other="$(figure median_width_90 ratio)" \
	'BEGIN { exit ours == 0 || ours > other }' ||
	fail "median width $(figure median_width_90 corrected) s, by ratios \
$(figure median_width_90 ratio) s"

# The figures are those of the cases, which have the corrected bounds, too.
awk -F , 'NR > 1 && $15 == 1 { jobs++; inside += $5 >= $13 && ($5 <= $14 || $14 >= 1209600) }
	END { printf "%d %d\n", jobs, inside }' cases.csv > is
awk -v jobs="$jobs" -v inside="$(figure inside_90 corrected)" \
	'BEGIN { printf "%d %.0f\n", jobs, inside * jobs }' | diff - is > differ ||
	fail "cases: $(cat differ)"

# By class, of those with enough jobs: near what they say.
awk -F , 'function class(age) { return age < 3600 ? "short" : "long" }
	NR > 1 && $15 == 1 {
		jobs[class($3)]++
		inside[class($3)] += $5 >= $13 && $5 <= $14
	}
	END {
		for (i in jobs) {
			printf "%s %d %.3f\n", i, jobs[i], inside[i] / jobs[i]
			wrong += jobs[i] > 200 && inside[i] / jobs[i] < 0.8
		}
		exit wrong
	}' cases.csv > is || fail "classes: $(cat is)"

# --- the same as from the journal ----------------------------------------------------------
run "simulate" simulate --policy lxfw --journal journal log.swf
moment=$(awk -F , '$15 == 1 { print $2 }' cases.csv | tail -n 1)
# The futures of each moment have a seed of their own.
run "the same moment" predict --journal journal --at "$moment" --seed "$((1 + moment))" --moments 0 \
	--futures 20 --format csv
awk -F , -v moment="$moment" 'NR == FNR { if ($1 == "jobs") { if ($3 == "job") job[$2] = $5
			value[$2 "," $3] = $4 } next }
	FNR == 1 { for (i in job) at[job[i]] = i; next }
	$2 == moment {
		jobs++
		wrong += value[at[$1] ",low90"] != moment + $9 ||
			 value[at[$1] ",high50"] != moment + $8
	}
	END { printf "%d of %d differ\n", wrong, jobs; exit jobs == 0 || wrong > 0 }' out cases.csv \
	> is || fail "predictions at $moment: $(cat is)"

# --- beside another scheduler: the journal of a trial teaches the same -------------------------
run "as the site" simulate --policy site --journal site log.swf
run "a trial" simulate --policy site --params lxfw_shadow=on --journal trial log.swf
for journal in site trial; do
	run "from $journal" predict --journal $journal --at "$moment" --moments 40 --futures 20 --json
	cp out $journal.json
done
grep -q '"earlier_moments": *40,' trial.json || fail "a trial: $(grep earlier_moments trial.json)"
diff site.json trial.json > differ || fail "a trial: $(head -n 5 differ)"

# What is learned from the journal and what is given move the bounds alike: outwards here.
# widths OPTION...: mean width of the 90 % intervals at the moment
widths()
{
	"$lxfw" predict --journal journal --at "$moment" --format csv "$@" 2> told |
		awk -F , -v moment="$moment" '$1 == "jobs" && $3 == "low90" { low[$2] = $4 }
			$1 == "jobs" && $3 == "high90" { sum += $4 - low[$2]; jobs++ }
			END { printf "%d\n", sum / (jobs ? jobs : 1) }'
}
raw=$(widths --moments 0) learned=$(widths) given=$(widths --moments 0 --calibration calibration)
[ "$learned" -gt "$raw" ] && [ "$given" -gt "$raw" ] ||
	fail "widths: $raw s, $learned s learned from the journal, $given s by the calibration"
run "text" predict --journal journal --at "$moment"
grep -q '^intervals are corrected by [0-9]* predictions at 100 earlier moments$' out ||
	fail "text: $(head -n 4 out)"
run "not corrected" predict --journal journal --at "$moment" --moments 0
grep -q '^intervals are not corrected: they are too narrow$' out || fail "raw: $(head -n 4 out)"

# Nothing that happens later is used: a journal that ends at the moment tells the same.
awk -v moment="$moment" '/^;/ || $2 <= moment' log.swf > before.swf
run "simulate before" simulate --policy lxfw --journal before before.swf
run "all" predict --journal journal --at "$moment" --format csv
cp out all
run "before" predict --journal before --at "$moment" --format csv
cmp -s out all || fail "later submissions are used: $(diff out all | head -n 4)"
for threads in 1 3; do
	run "$threads threads" predict --journal journal --at "$moment" --threads $threads \
		--format csv
	cmp -s out all || fail "$threads threads: $(diff out all | head -n 4)"
done

# A calibration can be written from the journal, to be used for some time.
run "learn" predict --journal journal --at "$moment" --calibration-out learned --format csv
cmp -s out all || fail "another result with --calibration-out: $(diff out all | head -n 4)"
run "use" predict --journal journal --at "$moment" --calibration learned --moments 0 \
	--format csv
grep '^jobs,' out > is
grep '^jobs,' all | diff - is > differ || fail "a calibration from the journal: $(cat differ)"
# Both count once.
run "both" predict --journal journal --at "$moment" --calibration learned --format csv
grep '^jobs,' all > want
grep '^jobs,' out | diff want - > differ || fail "learned and given: $(head -n 4 differ)"

# --- little history ------------------------------------------------------------------------
# Six jobs wait; the journal has 20 of some hours. The intervals are those of other machines: they
# are wider than those of the futures, and have an end.
awk '/^;/ || $1 <= 14 { print } $1 == 14 { at = $2 } END {
	for (i = 15; i <= 20; i++)
		printf "%d %d -1 900 16 -1 -1 16 7200 -1 1 1 1 1 1 1 -1 -1\n", i, at + 1
}' log.swf > short.swf
run "simulate a short log" simulate --policy lxfw --journal short short.swf
at=$(awk '$1 == 15 { print $2 }' short.swf)
run "little history" predict --journal short --at "$at" --format csv
grep -q '^,,states_90,1,$' out || fail "states_90: $(grep states out)"
awk -F , '$3 == "moments_elsewhere" { exit !($4 > 30 && $4 <= 40) }' out ||
	fail "moments of other machines: $(grep elsewhere out)"
run "little history, not corrected" predict --journal short --at "$at" --format csv --moments 0
cp out raw
run "little history" predict --journal short --at "$at" --format csv
awk -F , -v at="$at" '
	$1 != "jobs" || $3 !~ /^(low|high)90$/ { next }
	FNR == NR { raw[$2, $3] = $4; next }
	{ jobs++; moved += ($3 == "low90" ? raw[$2, $3] - $4 : $4 - raw[$2, $3]) > 0 }
	END { exit jobs < 12 || moved < jobs }' raw out ||
	fail "bounds: $(grep -h 90, raw out | xargs)"
# As likely as not a job has started by its expected start.
awk -F , '$1 == "jobs" && $3 ~ /^(expected_start|low50|high50)$/ { at[$2, $3] = $4; jobs[$2] }
	END { for (job in jobs) {
		wrong += at[job, "expected_start"] < at[job, "low50"] ||
			at[job, "expected_start"] > at[job, "high50"]
		number++
	} exit number < 6 || wrong }' out || fail "outside of the middle half: $(grep -E 'expected_start|50' out)"
run "little history, as text" predict --journal short --at "$at"
grep -Eq '^(these count as .*|intervals are those) .*of other machines' out ||
	fail "little history: $(head -n 5 out)"

# --- bad input -------------------------------------------------------------------------------
refuse '--live' predict --evaluate log.swf --live --measured
refuse '--live without --evaluate' predict --journal journal --live
refuse '--live' predict --evaluate log.swf --moments 5
refuse '--look without --live' predict --evaluate log.swf --look
refuse 'is an input file' predict --journal journal --calibration-out journal
refuse 'log.swf:1: not a calibration' predict --journal journal --calibration log.swf
printf 'lxfw-calibration 1\njobs 77\n' > old
refuse 'old:1: a calibration of an earlier release' predict --journal journal --calibration old
head -n 1 calibration > cut
refuse 'cut:2: other columns' predict --journal journal --calibration cut
head -c 200 calibration > cut
refuse 'the file may be truncated' predict --journal journal --calibration cut
for line in '1 2 3' '1 0 0 0 0 1 0 0 0 0 1' '0 1 -1 0 0 1 0 0 0 0 1' '0 1 0 0 0 0 0 0 0 0 1' \
	'0 1 0 0 0 1 0 0 0 nan 1' '0 1 0 0 0 1 0 0 0 1e30 1' '99999999999999999999 1 0 0 0 1 0 0 0 0 1' \
	'0 1 0 0 0 1 0 0 0 0 -1' '0 1 0 0 0 1 5 9 6 9 1' '0 1 0 0 0 1 0 0 0 0'; do
	{
		head -n 2 calibration
		echo "$line"
	} > cut
	refuse 'cut:3: no prediction, expected 11 numbers' predict --journal journal \
		--calibration cut
done

finish
