#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whether a simulation is reliable enough for decisions: the verdicts of lxfw compare
# and lxfw tune on logs with known properties. Also jobs that were cancelled before they
# started, and the system overhead per start. Copies of the logs take most of the time
# and are few: the verdict on their noise is tested in tests/unit/test_verdict.c.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# --- cancelled before they started ------------------------------------------
# One processor. Job 1 waits for an hour, for a reason that is not in the log, and is
# cancelled; it requested a day. Jobs 2 and 3 start at once. Job 4 is cancelled in the
# second in which it is submitted; its accounting record has the planned start.
cat > sacct << 'END'
JobID|Submit|Start|End|NCPUS|Timelimit|State
1|2025-01-31T00:00:00|2025-01-31T01:00:00|2025-01-31T01:00:00|1|1-00:00:00|CANCELLED by 7
2|2025-01-31T00:10:00|2025-01-31T00:10:00|2025-01-31T00:20:00|1|00:20:00|COMPLETED
4|2025-01-31T00:30:00|2025-01-31T05:00:00|2025-01-31T00:30:00|1|1-00:00:00|CANCELLED by 7
3|2025-01-31T02:00:00|2025-01-31T02:00:00|2025-01-31T02:20:00|1|00:20:00|COMPLETED
END
{
	echo '; MaxProcs: 1'
	echo '1    0 3600   0 1 -1 -1 1 86400 -1 5 1 1 1 1 1 -1 -1'
	echo '2  600    0 600 1 -1 -1 1  1200 -1 1 1 1 1 1 1 -1 -1'
	echo '4 1800    0  -1 1 -1 -1 1 86400 -1 5 1 1 1 1 1 -1 -1'
	echo '3 7200    0 600 1 -1 -1 1  1200 -1 1 1 1 1 1 1 -1 -1'
} > log.swf

# waits FILE MEAN OPTIONS...: the simulated mean wait is MEAN, and two jobs are
# cancelled
waits()
{
	log=$1 mean=$2
	shift 2
	"$lxfw" compare --format csv "$@" "$log" > out 2> err ||
		fail "compare $* $log: exit status $?: $(cat err)"
	grep -q "^simulated_mean_wait_s,$mean\$" out && grep -q '^cancelled_jobs,2$' out &&
		grep -q '^measured_mean_wait_s,0$' out && grep -q '^jobs,2$' out ||
		fail "compare $* $log: $(cat out)"
	grep -q ': 2 jobs were cancelled or held before they started: ' err ||
		fail "compare $* $log: the count is not printed: $(cat err)"
}
for log in sacct log.swf; do
	waits $log 0
	waits $log 0 --cancelled leave-out
	waits $log 1500 --cancelled until-cancelled
done
"$lxfw" compare --json --cancelled until-cancelled log.swf > out 2> err
grep -q '"cancelled_jobs": 2,' out && grep -q '"cancelled": "until-cancelled",' out ||
	fail "JSON: $(head -n 12 out)"
"$lxfw" compare log.swf > out 2> err
grep -q '^cancelled or held before they started: 2, not simulated$' out ||
	fail "table: $(head -n 12 out)"

# A job that runs on the whole machine when the log ends, which is not compared, and one
# without a wait in the log. Both used to prevent the comparison.
sed '/^3 /d' log.swf > open.swf
echo '5 2000   -1 600 1 -1 -1 1  1200 -1 1 1 1 1 1 1 -1 -1' >> open.swf
# waits_open JOBS OPTION...
waits_open()
{
	count=$1
	shift
	timeout 300 "$lxfw" compare --format csv "$@" > out 2> err ||
		fail "compare $*: exit status $?: $(cat err)"
	grep -q "^jobs,$count\$" out || fail "compare $*: $(cat out)"
}
waits_open 1 open.swf
sed -e '/^3/d' -e '/^2/s/2025-01-31T00:20:00|1|00:20:00|COMPLETED/Unknown|1|00:20:00|RUNNING/' \
	sacct > open
echo '5|2025-01-31T00:30:00|Unknown|Unknown|1|00:20:00|PENDING' >> open
waits_open 0 open --cluster procs=1 --params lxfw_interval=30
grep -q '^jobs_without_end,1$' out || fail "the running job: $(cat out)"

# --- a log of this simulator ------------------------------------------------
# measured FILE OPTIONS...: write the trace with the waits of a simulation
measured()
{
	out=$1
	shift
	"$lxfw" simulate --jobs-out jobs.csv "$@" own.swf > report 2> err ||
		fail "simulate $*: $(cat err)"
	awk -F, 'NR == FNR { if (FNR > 1) wait[FNR - 1] = $5; next }
		/^;/ { print; next }
		{ n++; split($0, f, " "); f[3] = wait[n]
		  for (i = 1; i <= 18; i++) printf "%s%s", f[i], i < 18 ? " " : "\n" }' \
		jobs.csv own.swf > "$out"
}
"$lxfw" generate lublin --seed 6 --jobs 3000 --procs 64 --load 0.7 --estimate-factor 3 \
	--out own.swf || fail generate

# says LEVEL FILE OPTIONS...: the verdict of compare is LEVEL
says()
{
	level=$1
	shift
	"$lxfw" compare --json --shake 2 "$@" > out 2> err || fail "compare $*: $(cat err)"
	grep -q "\"level\": *\"$level\"" out || fail "compare $*: not $level: $(head -n 12 out)"
}
measured easy.swf --policy easy --start-overhead 25
says good easy.swf
# the system overhead is estimated, and with it every start agrees
grep -q '"start_overhead_s": 25,' out && grep -q '"mean_difference_percent": 0,' out ||
	fail "start overhead: $(sed -n '/overhead/p; /difference_percent/p' out)"
[ "$(sed -n 2p out | tr -d ' ')" = '"verdict":{' ] || fail "the verdict is not the first key"
"$lxfw" compare easy.swf > out
[ "$(head -n 1 out)" = 'verdict: good for decisions' ] || fail "table: $(head -n 3 out)"

# simulate uses the same estimate
"$lxfw" simulate --start-overhead estimated --format json easy.swf > out 2> err
grep -q 'easy.swf: start overhead 25 s, estimated from [0-9]* jobs that arrived at an empty queue' err ||
	fail "simulate: $(cat err)"
mean=$(sed -n 's/^ *"mean_wait_s": \([0-9.]*\),.*/\1/p' out)
awk '!/^;/ { n++; sum += $3 } END { printf "%.6f\n", sum / n }' easy.swf > should
printf '%.6f\n' "$mean" > is
cmp -s should is || fail "simulate --start-overhead estimated: $mean, $(cat should)"

# The site ran shortest job first: with its policy the verdict is good, with another one
# it is not.
measured sjf.swf --policy sjf
says good --policy sjf sjf.swf
says not --policy easy sjf.swf
# every fifth job is held for three days
awk '/^;/ { print; next } ++n % 5 == 0 { $3 += 259200 } { print }' easy.swf > held.swf
says not held.swf
tr -d '\n' < out | grep -q 'is not explained by the log' || fail "held: $(head -n 20 out)"
# Where accounting names nodes, and none are simulated, these are the next step.
awk '/^;/ { next }
	BEGIN { print "JobID|Submit|Start|End|NCPUS|Timelimit|State|NodeList" }
	{ t = 1000000000 + $2
	  print $1 "|" t "|" t + $3 "|" t + $3 + $4 "|" $5 sprintf("|%02d:%02d:%02d|COMPLETED|n%d", $9 / 3600, $9 / 60 % 60, $9 % 60, $5 % 3) }' \
	held.swf > named
says not named
tr -d '\n' < out | grep -q 'cluster-out HOSTS' || fail "named: $(cat out)"
"$lxfw" tune --settings 2 named > out 2> err
grep -q '^lxfw: next: .*--cluster-out HOSTS LOG' err || fail "tune named: $(cat err)"
"$lxfw" import --out named.swf --cluster-out named.hosts named 2> err || fail "named: $(cat err)"
says not --cluster named.hosts named
grep -q 'cluster-out' out && fail "named, with nodes: $(grep cluster-out out)"
awk -F'|' -v OFS='|' 'NR > 1 { $8 = "n1" } { print }' named > one
says not one
grep -q 'cluster-out' out && fail "one host: $(grep cluster-out out)"
# one week of it
awk '/^;/ || $2 < 604800' easy.swf > week.swf
says care week.swf

# --- tune -------------------------------------------------------------------
tune()
{
	"$lxfw" tune --settings 2 --copies 1 --minimize mean_wait --period 1d "$@" > out 2> err
}
tune --format json easy.swf
[ $? -le 1 ] && grep -q '"level": *"good"' out || fail "tune: $(cat err) $(head -n 5 out)"
grep -q 'easy.swf: start overhead 25 s, estimated from' err || fail "tune: $(cat err)"
tune --start-overhead 3 easy.swf
grep -q 'start overhead' err && fail "tune --start-overhead: $(cat err)"

# a refusal has its reason: status 1, and nothing on standard output
tune held.swf
[ $? -eq 1 ] && [ ! -s out ] && grep -q '^lxfw: held.swf: no search: the simulation of this trace is not good for decisions$' err &&
	grep -q 'is not explained by the log' err && grep -q '^lxfw: next: ' err ||
	fail "tune held: $(cat out err)"
tune --despite-verdict held.swf
[ $? -le 1 ] && [ "$(head -n 1 out)" = 'verdict: not good for decisions' ] ||
	fail "tune --despite-verdict: $(cat err) $(head -n 3 out)"
# "with care" is reported, and also that nothing was measured
tune week.swf
[ $? -le 1 ] && [ "$(head -n 1 out)" = 'verdict: usable with care' ] ||
	fail "tune week: $(cat err) $(head -n 3 out)"
tune own.swf
[ $? -le 1 ] && [ "$(head -n 1 out)" = 'verdict: none' ] ||
	fail "tune without waits: $(cat err) $(head -n 3 out)"

finish
