#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw compare --instead: the change that other parameters would make is the difference
# of two simulations, and is stated only if the simulation is credible and the change is
# not chance. Two copies with a little noise, where compare has 20 by default, spare two thirds of the
# time.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/measured.sh"
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/page.sh"

# log_of FILE POLICY: write the jobs of the trace with the waits under POLICY to FILE
log_of()
{
	measured "$work/trace.swf" --policy "$2" || fail "simulate: $(cat "$work/messages")"
	mv "$work/measured.swf" "$1"
}

# compared FILE OPTIONS...: the output is in $work/is
compared()
{
	"$lxfw" compare --infer none --shake 2 --start-overhead 0 "$@" > "$work/is" 2> "$work/messages" ||
		fail "compare $*: exit status $?: $(cat "$work/messages")"
}

# says WHAT PATTERN
says()
{
	grep -q -- "$2" "$work/is" || fail "$1: not '$2' in: $(sed -n '/^instead/,$p' "$work/is" | head -n 4)"
}

# refused WHAT MESSAGE OPTIONS...: exit status 2, no output
refused()
{
	what=$1 message=$2
	shift 2
	"$lxfw" compare "$@" "$work/log.swf" > "$work/is" 2> "$work/messages"
	[ $? = 2 ] || fail "$what: not refused"
	[ ! -s "$work/is" ] || fail "$what: output"
	grep -q -- "$message" "$work/messages" || fail "$what: $(cat "$work/messages")"
}

"$lxfw" generate --seed 2 --jobs 6000 --load 0.75 --estimate-factor 2 \
	--out "$work/trace.swf" lublin || fail "generate: exit status $?"
log_of "$work/log.swf" easy

# The other parameters are the present ones.
compared --instead lxfw_policy=easy "$work/log.swf"
says "the same" '^All jobs would start at the same time\.$'
says "the same" '^per job: 0 of 6000 start earlier, 0 later$'

# A change that is large in every period.
compared --instead lxfw_policy=lxfw --jobs-out "$work/jobs.csv" --report "$work/page.html" \
	"$work/log.swf"
says "lxfw" '^verdict: good for decisions$'
says "lxfw" '^The mean wait would be [0-9]* % lower (90 % interval: -[0-9]* to -[0-9]* %)\.'
says "lxfw" '^first difference: .*, job [0-9]* starts [0-9]* s '
check_page "$work/page.html"
grep -q 'With other parameters instead' "$work/page.html" || fail "no section of the page"
grep -q '<code>lxfw_policy=lxfw</code>' "$work/page.html" || fail "no parameters on the page"
cp "$work/page.html" "$work/lower.html"

# Both columns are those of lxfw simulate; the log has the order of submission.
for policy in easy lxfw; do
	"$lxfw" simulate --policy $policy --jobs-out "$work/$policy.csv" "$work/trace.swf" \
		> "$work/out" || fail "simulate: exit status $?"
done
awk -F, 'FILENAME ~ /easy.csv$/ { easy[$1] = $5; next } FILENAME ~ /lxfw.csv$/ { lxfw[$1] = $5; next }
	FNR > 1 { rows++; if ($6 != easy[$1] || $9 != lxfw[$1]) wrong++ }
	END { print rows + 0, wrong + 0 }' "$work/easy.csv" "$work/lxfw.csv" "$work/jobs.csv" > "$work/is"
[ "$(cat "$work/is")" = "6000 0" ] || fail "waits of both simulations: $(cat "$work/is")"

# The opposite change.
log_of "$work/log-lxfw.swf" lxfw
compared --policy lxfw --instead lxfw_policy=easy "$work/log-lxfw.swf"
says "easy" '^The mean wait would be [0-9]* % higher (90 % interval: +[0-9]* to +[0-9]* %)\.'

# A second reservation changes the starts of jobs, but not the mean.
compared --instead lxfw_policy=easy,lxfw_reservations=2 "$work/log.swf"
says "two reservations" '^No difference of the mean wait or the mean bounded slowdown is shown'

# The simulation does not reproduce the log.
log_of "$work/log-fcfs.swf" fcfs
compared --instead lxfw_policy=lxfw "$work/log-fcfs.swf"
says "another scheduler" '^verdict: not good for decisions$'
says "another scheduler" '^No conclusion: the simulation does not reproduce the present waits'
compared --format csv --instead lxfw_policy=lxfw "$work/log-fcfs.swf"
says "another scheduler, CSV" '^instead_mean_wait_change,not shown$'

# Three days do not suffice.
awk '/^;/ || $2 < 86400 * 4' "$work/log.swf" > "$work/short.swf"
compared --instead lxfw_policy=lxfw "$work/short.swf"
says "a short log" '^No conclusion'

# The first difference, and its direction, are those of the simulations.
awk -F, 'FNR == 1 { next } NR == FNR { easy[$1] = $3; next }
	$3 != easy[$1] { at = $3 < easy[$1] ? $3 : easy[$1]
		if (first == "" || at < first) { first = at; job = $1; by = $3 - easy[$1] } }
	END { printf "job %d starts %d s %s\n", job, by < 0 ? -by : by, by < 0 ? "earlier" : "later" }' \
	"$work/easy.csv" "$work/lxfw.csv" > "$work/first"
compared --instead lxfw_policy=lxfw "$work/log.swf"
says "the first difference" "^first difference: .*, $(cat "$work/first")\$"

# The log of 19 days or less is "usable with care": no change is stated.
awk '/^;/ || $2 < 86400 * 12' "$work/log.swf" > "$work/twelve.swf"
compared --instead lxfw_policy=lxfw --report "$work/twelve.html" "$work/twelve.swf"
says "twelve days" '^verdict: usable with care$'
says "twelve days" '^No conclusion: the simulation does not reproduce the present waits well enough, see the verdict\.$'
! sed -n '/^instead:/,/^intervals:/p' "$work/is" | grep -q '%' || fail "twelve days: a change in per cent"
! sed -n '/^instead:/,$p' "$work/is" | grep -E '\([+-]|start earlier' ||
	fail "twelve days: differences of jobs"
says "twelve days" '^  job .* present [0-9]* s, instead [0-9]* s$'
! sed -n '/id="instead"/,$p' "$work/twelve.html" | grep -E 'start earlier|[+-][0-9]* %' ||
	fail "twelve days: differences on the page"
compared --json --instead lxfw_policy=lxfw "$work/twelve.swf"
! sed -n '/"instead"/,$p' "$work/is" | grep -q percent || fail "twelve days, JSON: $(grep percent "$work/is")"

# The page has both means in their places.
"$lxfw" compare --json --infer none --start-overhead 0 --instead lxfw_policy=lxfw \
	"$work/log.swf" > "$work/lower.json" || fail "compare: exit status $?"
python3 - "$work" << 'END' || fail "the mean waits on the page"
import json, re, sys
work = sys.argv[1]
result = json.load(open(f"{work}/lower.json"))["instead"]
page = open(f"{work}/lower.html").read()
card = page[page.index('id="instead"'):]
card = card[card.index("Mean wait"):]
for side in "present", "instead":
    value, unit = re.search(rf"<b>([0-9.]+)([smhd])</b> {side}", card).groups()
    seconds = float(value) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[unit]
    wait = result[side]["mean_wait_s"]
    assert abs(seconds - wait) < 0.05 * wait, (side, seconds, wait)
END

# Each measure of both columns is that of lxfw simulate, with each threshold.
for bound in 10 600; do
	compared --json --slowdown-threshold $bound --instead lxfw_policy=lxfw "$work/log.swf"
	cp "$work/is" "$work/$bound.json"
	for policy in easy lxfw; do
		"$lxfw" simulate --json --slowdown-threshold $bound --policy $policy \
			"$work/trace.swf" > "$work/$policy.json" || fail "simulate: exit status $?"
	done
	python3 - "$work" $bound << 'END' || fail "measures with --slowdown-threshold $bound"
import json, sys
work, bound = sys.argv[1:]
result = json.load(open(f"{work}/{bound}.json"))["instead"]
for side, policy in ("present", "easy"), ("instead", "lxfw"):
    simulated = json.load(open(f"{work}/{policy}.json"))
    for key, value in result[side].items():
        assert abs(value - simulated[key]) <= 1e-9 * abs(value), (side, key)
change = 100 * (result["instead"]["mean_wait_s"] / result["present"]["mean_wait_s"] - 1)
assert abs(result["mean_wait"]["percent"] - change) < 1e-6, change
assert result["only_present_jobs"] == result["only_instead_jobs"] == 0
largest = [abs(job["present_wait_s"] - job["instead_wait_s"])
           for job in result["largest_differences"]]
assert largest == sorted(largest, reverse=True) and largest[-1] > 0, largest
END
done

compared --json --instead lxfw_policy=lxfw "$work/log.swf"
says "JSON" '"shown": *"lower"'
says "JSON" '"params": *"lxfw_policy=lxfw"'
compared --format csv --instead lxfw_policy=lxfw "$work/log.swf"
says "CSV" '^instead_mean_wait_change,lower$'
says "CSV" '^instead_mean_wait_s,[0-9]'
says "CSV" '^instead_only_present_jobs,0$'
says "CSV" '^instead_only_instead_jobs,0$'

# The journal of a trial: the order of Slurm is the present one, the parameters of the journal
# are the other ones. These are measured here, so that the difference is the reverse.
"$lxfw" simulate --policy sjf --params lxfw_shadow=on,lxfw_reservations=2 \
	--journal "$work/trial" "$work/trace.swf" > "$work/out" 2>&1 ||
	fail "a trial: $(cat "$work/out")"
compared "$work/trial"
says "a trial" '^policy site, '
says "a trial" '^assumed: another scheduler started the jobs (lxfw_shadow): policy site with the recorded'
says "a trial" '^instead: lxfw_policy=sjf,lxfw_reservations=2$'
measured_mean=$(awk '$1 == "mean" && $2 + 0 { print $2; exit }' "$work/is")
instead_mean=$(awk '$1 == "mean" && $2 + 0 { mean = $3 } END { print mean }' "$work/is")
[ "$measured_mean" = "$instead_mean" ] ||
	fail "a trial: the parameters of the journal give $instead_mean, not $measured_mean"
compared --instead lxfw_policy=lxfw "$work/trial"
says "other parameters" '^policy site, '
says "other parameters" '^instead: lxfw_policy=lxfw$'
compared --policy easy "$work/trial"
says "another present policy" '^assumed: policy easy and parameters as given'
says "another present policy" '^instead: lxfw_policy=sjf,lxfw_reservations=2$'

# Two schedulers started the jobs of a journal that is a trial in part.
"$lxfw" simulate --policy easy --journal "$work/before" "$work/trace.swf" > "$work/out" 2>&1 ||
	fail "a journal: $(cat "$work/out")"
for files in "before trial" "trial before"; do
	cat "$work/${files% *}" "$work/${files#* }" > "$work/both"
	"$lxfw" compare "$work/both" > "$work/is" 2> "$work/messages"
	[ $? = 2 ] && grep -q 'lxfw_shadow changes' "$work/messages" ||
		fail "$files: not refused: $(head -n 3 "$work/is" "$work/messages")"
done

refused "an unknown key" "lxfw_nothing" --instead lxfw_nothing=1
refused "no parameters" "expected parameters such as" --instead ''
refused "no keys" "expected parameters such as" --instead x
refused "no effect" "lxfw_shadow has no effect" --instead ' lxfw_shadow = on'
refused "files only" "lxfw_journal has no effect" --instead lxfw_journal=/x,lxfw_shadow=on
refused "two" "given twice" --instead lxfw_policy=sjf --instead lxfw_policy=fcfs
refused "none and more" "expected none alone" --infer none,outages
refused "more and none" "expected none alone" --infer holds,none
refused "no run times" "no run times" --run-times /dev/null
compared --instead lxfw_ww=2,lxfw_journal=/x "$work/log.swf"
says "policy by default" '^instead: lxfw_policy=lxfw,lxfw_ww=2,lxfw_journal=/x$'
refused "no policy" "no_policy" --instead lxfw_policy=no_policy
refused "classes" "needs job classes" --instead lxfw_policy=classes
refused "shares of hosts" "shape one-host" --instead lxfw_policy=eqspatial

finish
