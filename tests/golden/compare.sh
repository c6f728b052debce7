#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw compare: a log that the simulator made agrees with its simulation to the second,
# with any policy and machine. Known disturbances in a log are reported with their
# cause.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/measured.sh"
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/page.sh"

# agrees WHAT TRACE OPTIONS...: all starts and the utilization are equal, and nothing
# remains unexplained
agrees()
{
	what=$1
	shift
	if ! measured "$@"; then
		fail "$what: simulate: $(cat "$work/messages")"
		return
	fi
	shift
	"$lxfw" compare --json --start-overhead 0 "$@" "$work/measured.swf" \
		> "$work/is" 2> "$work/messages" ||
		fail "$what: compare: exit status $?: $(cat "$work/messages")"
	jobs=$(sed -n 's/^  "jobs": \([0-9]*\),/\1/p' "$work/is")
	[ "${jobs:-0}" -gt 1000 ] || fail "$what: $jobs jobs compared"
	for line in '"not_compared": 0,' "\"equal_starts\": $jobs," \
		    '"mean_difference_percent": 0,' \
		    '"mean_absolute_difference_s": 0,' \
		    '"largest_differences": \[ *\]'; do
		tr -d '\n' < "$work/is" | grep -q "$line" ||
			fail "$what: not $line"
	done
	# for each group, week and time span, both columns are equal
	awk -v what="$what" '
		/"measured": \{/ { side = 1; m = ""; next }
		/"simulated": \{/ { side = 2; s = ""; next }
		side && /\}/ { if (side == 2 && m != s) { print what ": " m " is not " s; exit }
			side = 0; next }
		side == 1 { m = m $0 }
		side == 2 { s = s $0 }' "$work/is" > "$work/differs"
	[ ! -s "$work/differs" ] || fail "$(cat "$work/differs")"
	grep -o '"measured_utilization": [0-9.]*' "$work/is" | sed 's/.*: //' > "$work/a"
	grep -o '"simulated_utilization": [0-9.]*' "$work/is" | sed 's/.*: //' > "$work/b"
	cmp -s "$work/a" "$work/b" || fail "$what: utilization differs"
}

unexplained()
{
	grep -q '"unexplained_share": 0[,]*$' "$work/is" ||
		fail "$1: $(grep unexplained_share "$work/is")"
}

"$lxfw" generate lublin --seed 6 --jobs 3000 --procs 64 --load 0.9 --estimate-factor 3 \
	--out "$work/lublin.swf" || fail generate
for policy in fcfs easy conservative priority lxfw sjf; do
	agrees "$policy" "$work/lublin.swf" --policy $policy
	# under these policies no job overtakes one that requests less
	case $policy in
	fcfs | easy | conservative | lxfw)
		unexplained "$policy" ;;
	esac
done
agrees "4 reservations" "$work/lublin.swf" --policy lxfw --params lxfw_reservations=4
printf 'a[0-7] procs=8\n' > "$work/hosts"
agrees "8 hosts" "$work/lublin.swf" --policy easy --cluster "$work/hosts"
unexplained "8 hosts"
agrees "a quantum" "$work/lublin.swf" --policy lxfw --params lxfw_quantum=60
"$lxfw" generate ncsa-o2k --seed 6 --month 2000-02 --out "$work/o2k.swf" || fail generate
agrees "the O2K" "$work/o2k.swf" --policy lxfw --cluster ncsa-o2k --shape one-host
agrees "the O2K, EQspatial" "$work/o2k.swf" --policy eqspatial --cluster ncsa-o2k

# --- the next step ------------------------------------------------------------------
# Nothing is recommended that was given.
"$lxfw" generate lublin --seed 9 --jobs 400 --procs 64 --load 0.95 --estimate-factor 3 --out "$work/lublin.swf" || fail generate
measured "$work/lublin.swf" --policy sjf || fail "next: simulate: $(cat "$work/messages")"
printf 'h[1-8] procs=8\n' > "$work/hosts"
# next WORDS, WORDS THAT ARE NOT THERE, OPTIONS...: the next step of a comparison
next()
{
	has=$1 hasnot=$2
	shift 2
	"$lxfw" compare --shake 0 --json "$@" "$work/measured.swf" > "$work/is" 2> "$work/messages" ||
		fail "next $*: $(cat "$work/messages")"
	grep '"next":' "$work/is" > "$work/next"
	grep -qF -- "$has" "$work/next" || fail "next $*: not '$has': $(cat "$work/next")"
	[ -z "$hasnot" ] || ! grep -qE -e "$hasnot" "$work/next" || fail "next $*: '$hasnot': $(cat "$work/next")"
}
next 'the machine with --cluster slurm.conf, the policy with --policy or --params.' 'outages|infer all'
next 'in more detail: the policy with --policy or --params.' 'the machine with|outages' --cluster "$work/hosts"
next 'in more detail: the machine with --cluster slurm.conf.' 'the policy with' --policy easy
next 'in more detail: outages with --outages, reservations with --reservations, held jobs' 'machine|policy with' \
	--cluster "$work/hosts" --policy easy
next 'reservations with --reservations.' 'held jobs' --cluster "$work/hosts" --policy easy --infer all

# A log that states more processors than the machine had.
sed 's/MaxProcs: 64/MaxProcs: 72/' "$work/measured.swf" > "$work/larger.swf"
"$lxfw" compare --shake 0 "$work/larger.swf" > "$work/is" 2> "$work/messages" ||
	fail "larger: $(cat "$work/messages")"
grep -qF 'Jobs never held more than 64 of the 72 processors' "$work/is" || fail "larger: $(head "$work/is")"

# --- what is printed --------------------------------------------------------
same()
{
	diff -u "$work/should" "$work/is" > "$work/diff" ||
		fail "$1: $(cat "$work/diff")"
}

# One processor. Jobs 1 and 2 start when they are submitted. Job 3 is held for a quarter
# of an hour, while job 4, of another group and no smaller, overtakes it; it also waits
# until 5 has ended.
waited()
{
	echo "$1 $2 $3 $4 1 -1 -1 1 600 -1 1 $5 $6 1 $7 1 -1 -1"
}
{
	echo '; MaxProcs: 1'
	echo '; UnixStartTime: 893466664'
	echo '; TimeZoneString: UTC'
	echo '; Note: uses the EASY scheduler'
	echo '; Queue: 1 short'
	echo '; Queue: 2 long'
	waited 1 0 0 60 1 1 1
	waited 2 10 50 60 1 1 1
	waited 3 100 1100 100 2 2 2
	waited 4 200 0 100 3 1 2
	waited 5 1000 100 100 3 1 2
} > "$work/held.swf"
"$lxfw" compare --infer none "$work/held.swf" > "$work/is" 2> "$work/messages" ||
	fail "held: exit status $?"
cat > "$work/should" <<'EOF'
verdict: not good for decisions
  The comparison has 5 jobs. With fewer than 1000, the result depends on chance.
  The jobs were submitted within 16.7m. With less than three weeks, the result depends
  on a single week.
  Next step: Use a longer log, with at least three weeks and 1000 jobs.

policy easy, 5 jobs
assumed: 1 processor in one machine, from its header; policy easy (the policy of the site is unknown); the log says 'uses the EASY scheduler'
overhead per job: start 0 s (unknown: only 1 of the jobs arrived at an empty queue and had free processors), end included in the measured run times

wait in s                   measured     simulated    difference
mean                           250.0          18.0        -232.0  (-92.8 %)
  range over perturbed copies       0.0 to 47.4 in 20 copies
median                            50            20           -30  (0 to 51)
95th percentile                 1100            50         -1050  (0 to 103)
maximum                         1100            50         -1050  (0 to 103)
mean slowdown                   3.57          1.25         -2.32  (1.00 to 1.54)
mean bounded slowdown           3.57          1.25         -2.32  (1.00 to 1.54)
utilization                    0.220         0.320        +0.100  (0.297 to 0.364)

per job: 2 of 5 start at the same second, mean absolute difference 240.0 s
  job 3            measured 1100 s, simulated 20 s (-1080)
  job 5            measured 100 s, simulated 0 s (-100)
  job 4            measured 0 s, simulated 20 s (+20)

by                          mean wait    median wait     95th perc.   longest wait       slowdown
run time          jobs   meas.   sim.   meas.   sim.   meas.   sim.   meas.   sim.   meas.   sim.
up to 1 min          2     25s    25s      0s     0s     50s    50s     50s    50s     1.4    1.4
  range                        0s-32s          0s-0s         0s-65s         0s-65s        1.0-1.5
1-10 min             3    6.7m    13s    1.7m    20s   18.3m    20s   18.3m    20s     5.0    1.1
  range                        0s-62s         0s-83s        0s-1.7m        0s-1.7m        1.0-1.6

by                          mean wait    median wait     95th perc.   longest wait       slowdown
processors        jobs   meas.   sim.   meas.   sim.   meas.   sim.   meas.   sim.   meas.   sim.
1                    5    4.2m    18s     50s    20s   18.3m    50s   18.3m    50s     3.6    1.2
  range                        0s-47s         0s-51s        0s-1.7m        0s-1.7m        1.0-1.5

by                          mean wait    median wait     95th perc.   longest wait       slowdown
queue             jobs   meas.   sim.   meas.   sim.   meas.   sim.   meas.   sim.   meas.   sim.
long                 3    6.7m    13s    1.7m    20s   18.3m    20s   18.3m    20s     5.0    1.1
  range                        0s-62s         0s-83s        0s-1.7m        0s-1.7m        1.0-1.6
short                2     25s    25s      0s     0s     50s    50s     50s    50s     1.4    1.4
  range                        0s-32s          0s-0s         0s-65s         0s-65s        1.0-1.5

by                          mean wait    median wait     95th perc.   longest wait       slowdown
group             jobs   meas.   sim.   meas.   sim.   meas.   sim.   meas.   sim.   meas.   sim.
1                    4     38s    18s      0s     0s    1.7m    50s    1.7m    50s     1.5    1.3
  range                        0s-38s          0s-0s         0s-95s         0s-95s        1.0-1.5
2                    1   18.3m    20s   18.3m    20s   18.3m    20s   18.3m    20s    12.0    1.2
  range                       0s-1.7m        0s-1.7m        0s-1.7m        0s-1.7m        1.0-2.0

by                          mean wait    median wait     95th perc.   longest wait       slowdown
weeks from        jobs   meas.   sim.   meas.   sim.   meas.   sim.   meas.   sim.   meas.   sim.
1998-04-25           5    4.2m    18s     50s    20s   18.3m    50s   18.3m    50s     3.6    1.2
  range                        0s-47s         0s-51s        0s-1.7m        0s-1.7m        1.0-1.5

mean wait by cause                  measured simulated           jobs over        simulated,
                                                        measured    10 min             range
  machine or partition full              34s       18s    13.6 %         0            0s-47s
  order (room, but not for all)           0s        0s     0.0 %         0             0s-0s
not explained by the log:
  passed by later, no smaller jobs      3.0m        0s    72.0 %         1             0s-0s
  nothing was started                     0s        0s     0.0 %         0             0s-0s
  processors unused all day               0s        0s     0.0 %         0             0s-0s
  a chain of one user's jobs              0s        0s     0.0 %         0             0s-0s
  other: held, limits, begin times       36s        0s    14.4 %         0             0s-0s
86.4 % of the measured wait is not explained by the log: jobs that had room were
not started, or later jobs that requested no less started first.
EOF
same "the table"

"$lxfw" compare --json --infer none "$work/held.swf" > "$work/json"
{
	tr -d ' \n' < "$work/json" | grep -o '"wait_parts":{.*"level_days":[0-9]*' |
		sed 's/},/},\n/g'
	echo
	tr -d ' \n' < "$work/json" | grep -o '"by_queue":\[.*\],"by_group"' |
		sed 's/},/},\n/g'
	echo
} > "$work/is"
cat > "$work/should" <<'EOF'
"wait_parts":{"full":{"measured_mean_s":34,"simulated_mean_s":18,"simulated_low_mean_s":0,"simulated_high_mean_s":47.4,"measured_jobs":0},
"memory":{"measured_mean_s":0,"simulated_mean_s":0,"simulated_low_mean_s":0,"simulated_high_mean_s":0,"measured_jobs":0},
"extras":{"measured_mean_s":0,"simulated_mean_s":0,"simulated_low_mean_s":0,"simulated_high_mean_s":0,"measured_jobs":0},
"hosts":{"measured_mean_s":0,"simulated_mean_s":0,"simulated_low_mean_s":0,"simulated_high_mean_s":0,"measured_jobs":0},
"away":{"measured_mean_s":0,"simulated_mean_s":0,"simulated_low_mean_s":0,"simulated_high_mean_s":0,"measured_jobs":0},
"choice":{"measured_mean_s":0,"simulated_mean_s":0,"simulated_low_mean_s":0,"simulated_high_mean_s":0,"measured_jobs":0},
"passed":{"measured_mean_s":180,"simulated_mean_s":0,"simulated_low_mean_s":0,"simulated_high_mean_s":0,"measured_jobs":1},
"pause":{"measured_mean_s":0,"simulated_mean_s":0,"simulated_low_mean_s":0,"simulated_high_mean_s":0,"measured_jobs":0},
"level":{"measured_mean_s":0,"simulated_mean_s":0,"simulated_low_mean_s":0,"simulated_high_mean_s":0,"measured_jobs":0},
"chain":{"measured_mean_s":0,"simulated_mean_s":0,"simulated_low_mean_s":0,"simulated_high_mean_s":0,"measured_jobs":0},
"other":{"measured_mean_s":36,"simulated_mean_s":0,"simulated_low_mean_s":0,"simulated_high_mean_s":0,"measured_jobs":0}},
"unexplained_share":0.864,"pause_count":0,"pause_s":0,"pauses":[],"days":0,"level_days":0

"by_queue":[{"name":"long","jobs":3,"proc_seconds":300,"measured":{"mean_wait_s":400,"median_wait_s":100,"p95_wait_s":1100,"max_wait_s":1100,"mean_slowdown":5,"mean_bounded_slowdown":5},
"simulated":{"mean_wait_s":13.333333333333334,"median_wait_s":20,"p95_wait_s":20,"max_wait_s":20,"mean_slowdown":1.1333333333333333,"mean_bounded_slowdown":1.1333333333333333},
"simulated_ranges":{"mean_wait_s":{"low":0,"high":62},
"median_wait_s":{"low":0,"high":83},
"p95_wait_s":{"low":0,"high":103},
"max_wait_s":{"low":0,"high":103},
"mean_bounded_slowdown":{"low":1,"high":1.6199999999999999}}},
{"name":"short","jobs":2,"proc_seconds":120,"measured":{"mean_wait_s":25,"median_wait_s":0,"p95_wait_s":50,"max_wait_s":50,"mean_slowdown":1.4166666666666665,"mean_bounded_slowdown":1.4166666666666665},
"simulated":{"mean_wait_s":25,"median_wait_s":0,"p95_wait_s":50,"max_wait_s":50,"mean_slowdown":1.4166666666666665,"mean_bounded_slowdown":1.4166666666666665},
"simulated_ranges":{"mean_wait_s":{"low":0,"high":32.5},
"median_wait_s":{"low":0,"high":0},
"p95_wait_s":{"low":0,"high":65},
"max_wait_s":{"low":0,"high":65},
"mean_bounded_slowdown":{"low":1,"high":1.5416666666666667}}}],"by_group"

EOF
same "JSON"
sed -n 's/^  "\([a-z0-9_]*\)":.*/\1/p' "$work/json" | sort > "$work/is"
awk '/^\.Sh JSON/ { inside = 1; next } /^\.Sh/ { inside = 0 }
	inside && /^(\.It )?Li |^\.Li |^\.It Li/ { print }' \
	"$top_srcdir/doc/lxfw-compare.1" | tr -s ' ,' '\n' | grep '^[a-z][a-z0-9_]*$' |
	sort -u > "$work/documented"
comm -23 "$work/is" "$work/documented" > "$work/missing"
[ ! -s "$work/missing" ] || fail "keys not in lxfw-compare(1): $(cat "$work/missing")"

# --- the page ---------------------------------------------------------------
page()
{
	"$lxfw" compare --report "$work/page.html" "$@" > "$work/out" 2> "$work/messages" ||
		{ fail "page: exit status $?: $(cat "$work/messages")"; return; }
	check_page "$work/page.html"
}
page "$work/held.swf"
for what in '<p><b>Verdict: not good for decisions</b></p>' '<b>86.4 %</b> of the measured wait' 'job 3: 1 processor, ran 1.7m; waited' \
	'Schedules from 1998-04-25 00:00 to 1998-04-26 00:00' 'By queue or partition' \
	'<svg viewBox' 'prefers-color-scheme:dark'; do
	grep -qF -- "$what" "$work/page.html" || fail "page: not '$what'"
done
page --window 0,20m "$work/held.swf"
grep -qF 'Schedules from 1998-04-25 01:11 to 1998-04-25 01:31' "$work/page.html" ||
	fail "page: window"
page --window 1998-04-25T01:20,1998-04-25T01:21:30 "$work/held.swf"
grep -qF 'Schedules from 1998-04-25 01:20 to 1998-04-25 01:21' "$work/page.html" ||
	fail "page: window by date"
grep -q 'job 1:' "$work/page.html" && fail "page: job 1 is outside the window"
measured "$work/lublin.swf" --policy lxfw
page "$work/measured.swf"

# --- accounting, and assumptions --------------------------------------------
# Names are those of the log; of several partitions, the first one counts. The machine
# size is the maximum of processors in use, or the given one. The policy is that of the
# site if lxfw has it.
cat > "$work/sacct" <<'EOF'
JobID|Submit|Start|End|NCPUS|Timelimit|Partition|User|Group|State
1|2025-02-01T00:00:00|2025-02-01T00:00:00|2025-02-01T00:10:00|3|00:10|short,long|ann|phys|COMPLETED
2|2025-02-01T00:01:00|2025-02-01T00:10:00|2025-02-01T00:30:00|2|01:00|long|bob <b>|chem|COMPLETED
3|2025-02-01T00:02:00|2025-02-01T00:10:00|2025-02-01T00:20:00|1|01:00|long|bob <b>|chem|COMPLETED
EOF
"$lxfw" compare --json "$work/sacct" > "$work/json" 2> "$work/messages" ||
	fail "sacct: exit status $?: $(cat "$work/messages")"
for line in '"assumed": "3 processors in one machine, the most that jobs held at once; policy slurm, a model of the sched/backfill of Slurm: the first 500 jobs every 30 s, start within 24 h; jobs in the order of submission"' \
	'"equal_starts": 3,' '"name": "short",' '"name": "long",' '"name": "phys",' \
	'"name": "chem",' '"name": "2025-02-01",'; do
	grep -qF -- "$line" "$work/json" || fail "sacct: not $line"
done
printf '%s\n' 'SchedulerType=sched/backfill' 'SchedulerParameters=bf_continue' \
	'NodeName=n[1-4] CPUs=2' 'PartitionName=short Nodes=n1,n2' \
	'PartitionName=long Nodes=ALL' > "$work/slurm.conf"
assumes()
{
	"$lxfw" compare --cluster "$work/slurm.conf" "$work/sacct" > "$work/is" 2> "$work/messages" ||
		fail "slurm.conf: exit status $?: $(cat "$work/messages")"
	grep -qF "$1" "$work/is" || fail "slurm.conf: not '$1': $(sed -n 1,2p "$work/is")"
}
assumes "assumed: 8 processors on 4 hosts, from $work/slurm.conf; policy slurm, a model of the sched/backfill of $work/slurm.conf: the first 500 jobs"
sed -i 's,sched/backfill,sched/lxfw,' "$work/slurm.conf"
assumes "policy lxfw, from $work/slurm.conf"
sed -i 's,bf_continue,lxfw_policy=priority,' "$work/slurm.conf"
assumes "policy priority, from $work/slurm.conf"
page "$work/sacct"

# if the page cannot be written, it does not exist, and nothing is printed
refuse()
{
	text=$1
	shift
	"$lxfw" compare "$@" > "$work/out" 2> "$work/messages"
	[ $? -eq 2 ] || fail "$*: exit status is not 2"
	grep -qF -e "$text" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: a result was printed"
}
refuse "$work/none/page.html: No such file or directory" --report "$work/none/page.html" \
	"$work/held.swf"
[ ! -c /dev/full ] || refuse "/dev/full: No space left on device" --report /dev/full \
	"$work/held.swf"
mkdir "$work/full"
(
	trap '' XFSZ
	ulimit -f 4
	"$lxfw" compare --report "$work/full/page.html" --jobs-out "$work/full/jobs.csv" \
		"$work/measured.swf" > "$work/out" 2>&1
) && fail "a full disk: exit status is 0"
[ -z "$(ls -A "$work/full")" ] || fail "a full disk: $(ls -A "$work/full") left behind"
# nor is one that could be, when another output could not
if [ -c /dev/full ]; then
	refuse "/dev/full: No space left on device" --report "$work/full/page.html" \
		--jobs-out /dev/full "$work/held.swf"
	[ -z "$(ls -A "$work/full")" ] ||
		fail "a full disk for --jobs-out: $(ls -A "$work/full") left behind"
fi
refuse "--window 'noon,night', expected FROM,TO" --report "$work/full/page.html" \
	--window noon,night "$work/held.swf"
refuse "--window '2h,1h' is not within the log" --report "$work/full/page.html" \
	--window 2h,1h "$work/held.swf"
refuse "--window without --report" --window 1h,2h "$work/held.swf"
[ -z "$(ls -A "$work/full")" ] || fail "a bad window: $(ls -A "$work/full") left"

# --- a machine given as a number of processors has no nodes to hold for a job
for id in 1 2; do
	echo "01/26/2016 00:00:37;E;$id.pbs;user=ann group=phys queue=workq ctime=1453756297 qtime=1453756297 etime=1453756297 start=1453756297 exec_host=c$id/0*2 exec_vnode=(c$id:ncpus=2) Resource_List.ncpus=2 Resource_List.place=scatter:excl Resource_List.walltime=00:10:00 end=1453756397 Exit_status=0 resources_used.walltime=00:01:40"
done > "$work/exclusive.pbs"
"$lxfw" compare --json --jobs-out "$work/exclusive.csv" "$work/exclusive.pbs" > "$work/out" 2>&1 ||
	fail "exclusive: exit status $?: $(cat "$work/out")"
[ "$(cut -d, -f6 "$work/exclusive.csv" | tr '\n' ' ')" = 'simulated_wait 0 0 ' ] ||
	fail "exclusive: $(cat "$work/exclusive.csv")"

# --- the threshold of the bounded slowdown ----------------------------------
# Job 2 waits 99 s and runs for 1 s: 100 / 10, 100 / 1 and 100 / 60, job 1 has 1.
{
	echo "; MaxProcs: 4"
	echo "1 0 0 100 4 -1 -1 4 100 -1 1 1 -1 -1 1 -1 -1 -1"
	echo "2 1 99 1 4 -1 -1 4 10 -1 1 2 -1 -1 1 -1 -1 -1"
} > "$work/threshold.swf"
for case in 10s:5.5 1:50.5 1m:1.333; do
	"$lxfw" compare --slowdown-threshold "${case%:*}" --report "$work/page.html" --json \
		"$work/threshold.swf" > "$work/out" 2> "$work/messages" ||
		fail "threshold: $(cat "$work/messages")"
	grep -q "\"mean_bounded_slowdown\": ${case#*:}" "$work/out" ||
		fail "threshold ${case%:*}: $(grep bounded "$work/out")"
done
grep -q 'run times below 60 s count as 60 s' "$work/page.html" || fail "threshold: the page"

finish
