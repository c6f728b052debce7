#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw compare --instead: the change that other parameters would make is the difference
# of two simulations, and is stated only if the simulation is credible and the change is
# not chance.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh"
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/page.sh"

# measured TRACE FILE POLICY: write the jobs of TRACE with the waits under POLICY to FILE
measured()
{
	"$lxfw" simulate --policy "$3" --jobs-out "$work/jobs.csv" "$1" > "$work/out" ||
		fail "simulate $1: exit status $?"
	awk -F, 'NR == FNR { if (FNR > 1) wait[FNR - 1] = $5; next }
		/^;/ { print; next }
		{ n++; split($0, f, " "); f[3] = wait[n]
		  for (i = 1; i <= 18; i++) printf "%s%s", f[i], i < 18 ? " " : "\n" }' \
		"$work/jobs.csv" "$1" > "$2"
}

# compared FILE OPTIONS...: the output is in $work/is
compared()
{
	"$lxfw" compare --infer none --start-overhead 0 "$@" > "$work/is" 2> "$work/messages" ||
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
measured "$work/trace.swf" "$work/log.swf" easy

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
measured "$work/trace.swf" "$work/log-lxfw.swf" lxfw
compared --policy lxfw --instead lxfw_policy=easy "$work/log-lxfw.swf"
says "easy" '^The mean wait would be [0-9]* % higher (90 % interval: +[0-9]* to +[0-9]* %)\.'

# A second reservation changes the starts of jobs, but not the mean.
compared --instead lxfw_policy=easy,lxfw_reservations=2 "$work/log.swf"
says "two reservations" '^No difference of the mean wait or the mean bounded slowdown is shown'

# The simulation does not reproduce the log.
measured "$work/trace.swf" "$work/log-fcfs.swf" fcfs
compared --instead lxfw_policy=lxfw "$work/log-fcfs.swf"
says "another scheduler" '^verdict: not good for decisions$'
says "another scheduler" '^No conclusion: the simulation does not reproduce the present waits'

# Three days do not suffice.
awk '/^;/ || $2 < 86400 * 4' "$work/log.swf" > "$work/short.swf"
compared --instead lxfw_policy=lxfw "$work/short.swf"
says "a short log" '^No conclusion'

compared --json --instead lxfw_policy=lxfw "$work/log.swf"
says "JSON" '"shown": *"lower"'
says "JSON" '"params": *"lxfw_policy=lxfw"'
compared --format csv --instead lxfw_policy=lxfw "$work/log.swf"
says "CSV" '^instead_mean_wait_change,lower$'
says "CSV" '^instead_mean_wait_s,[0-9]'

refused "an unknown key" "lxfw_nothing" --instead lxfw_nothing=1
refused "no parameters" "expected parameters such as" --instead ''
refused "no keys" "expected parameters such as" --instead x
refused "no policy" "no_policy" --instead lxfw_policy=no_policy
refused "shares of hosts" "shape one-host" --instead lxfw_policy=eqspatial

finish
