#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw simulate --feedback`: submissions that follow the end of other jobs, by think times and by
# dependencies. An independent program (feedback.py) has the same starts on random logs, and checks
# the submissions under policies that interrupt jobs. LXFW_SEED repeats a run.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

other=$golden/feedback.py
seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"

# after NUMBER SUBMIT RUN PROCS PRECEDING THINK: a line of a trace
after()
{
	echo "$1 $2 -1 $3 $4 -1 -1 $4 100 -1 1 1 1 1 1 1 $5 $6"
}

# submits WHAT TRACE OPTIONS...: standard input has "JOB SUBMIT START END" for each job
submits()
{
	what=$1 trace=$2
	shift 2
	"$lxfw" simulate --feedback --jobs-out "$work/jobs.csv" "$@" "$work/$trace" \
		> "$work/report" 2> "$work/messages" ||
		fail "$what: exit status $?: $(cat "$work/messages")"
	tail -n +2 "$work/jobs.csv" | cut -d, -f1-4 | tr , ' ' > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "$what: $(cat "$work/diff")"
}

# says WHAT: standard input has the messages after the name of the file
says()
{
	sed 's/^lxfw: [^:]*: //' "$work/messages" > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "$1: messages: $(cat "$work/diff")"
}

# refuses TEXT OPTIONS...
refuses()
{
	text=$1
	shift
	"$lxfw" "$@" > "$work/out" 2> "$work/messages"
	[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -qF -e "$text" "$work/messages" ||
		fail "$*: $(cat "$work/out" "$work/messages")"
}

# --- by hand -------------------------------------------------------------------------------

# 1 fills the machine until 100, 2 until 150. 3 and 4 follow 2, and 4 not before its recorded
# submission; 5 follows both jobs with number 6, the later of which ends at 240; 7 follows 5. 8
# follows itself, 9 a later job, 10 a job that never started, 11 none: their own submissions.
{
	echo '; MaxProcs: 4'
	after 1 0 100 4 -1 -1
	after 2 10 50 4 1 -1
	after 3 200 10 1 2 25
	after 4 190 10 1 2 -1
	after 6 200 10 1 -1 -1
	after 6 200 40 1 -1 -1
	after 5 300 10 1 6 0
	after 7 310 10 1 5 5
	after 8 400 10 1 8 0
	after 9 400 10 1 10 0
	after 10 500 -1 1 -1 -1
	after 12 500 10 1 -1 -1
	after 13 600 10 1 10 7
	after 11 600 10 1 -1 30
	after 14 600 10 1 15 3
	after 15 601 10 1 -1 -1
} > "$work/hand.swf"
submits 'by hand' hand.swf << 'END'
1 0 0 100
2 100 100 150
3 175 175 185
4 190 190 200
6 200 200 210
6 200 200 240
5 240 240 250
7 255 255 265
8 400 400 410
9 400 400 410
12 500 500 510
13 600 600 610
11 600 600 610
14 600 600 610
15 601 601 611
END
says 'by hand' << 'END'
1 jobs left out: 1 without run time, 0 without processors, 0 larger than the machine
1 jobs were not in order of submit time; sorted
5 jobs are submitted after the end of other jobs
2 preceding jobs are not in the log or are left out; jobs without another one are submitted as recorded
2 preceding jobs are the job itself or were submitted after it; jobs without another one are submitted as recorded
END
grep -q '^submitted after others  *5$' "$work/report" || fail "report: $(cat "$work/report")"
grep -q '^makespan  *611 s$' "$work/report" || fail "makespan: $(cat "$work/report")"

"$lxfw" import --out "$work/same.swf" "$work/hand.swf" 2> "$work/messages" ||
	fail "import: $(cat "$work/messages")"
cmp -s "$work/hand.swf" "$work/same.swf" || fail 'import changes the columns of a trace'
"$lxfw" simulate --feedback --policy fcfs --policy easy --report "$work/page.html" \
	"$work/hand.swf" > "$work/out" 2>&1 || fail "--report: $(cat "$work/out")"
grep -q '5 jobs were submitted after the end of other jobs' "$work/page.html" ||
	fail '--report: no word on submissions'

# At one second, jobs keep the order of the file, whether they follow others or not: 2 follows 1
# and is submitted at 100 with 3, before it; 4 after both, though 5 ended first.
{
	echo '; MaxProcs: 2'
	after 1 0 100 1 -1 -1
	after 5 0 90 1 -1 -1
	after 2 80 10 2 1 0
	after 3 100 10 2 -1 -1
	after 4 110 10 2 5 10
} > "$work/order.swf"
submits 'order' order.swf --policy fcfs << 'END'
1 0 0 100
5 0 0 90
2 100 100 110
3 100 110 120
4 100 120 130
END
# Recorded submissions decide which jobs count: 3 and 4, not 2, which was submitted at 100.
submits 'warm-up' order.swf --policy fcfs --warmup 90 < "$work/is"
grep -q '^jobs  *2$' "$work/report" || fail "warm-up: $(cat "$work/report")"
submits 'cool-down' order.swf --policy fcfs --cooldown 15 < "$work/is"
grep -q '^jobs  *3$' "$work/report" || fail "cool-down: $(cat "$work/report")"
# The same with system overhead: the submission is not before the processors are free.
submits 'overhead' order.swf --policy fcfs --start-overhead 5 --end-overhead 3 << 'END'
1 0 5 105
5 0 5 95
2 108 149 159
3 100 113 123
4 105 131 141
END
# Jobs that end at their limits.
{
	echo '; MaxProcs: 2'
	after 1 0 300 2 -1 -1
	after 2 500 10 2 1 7
} > "$work/limit.swf"
submits 'limit' limit.swf --overrun kill << 'END'
1 0 0 100
2 107 107 117
END

# --- nothing to follow -------------------------------------------------------------------

for i in $(seq 1 40); do
	job $i $((i * 7)) $((i * 5 % 60 + 1)) $((i % 4 + 1)) 100
done > "$work/plain.swf"
for policy in easy lxfw; do
	"$lxfw" simulate --cluster procs=4 --policy $policy --jobs-out "$work/a.csv" \
		"$work/plain.swf" > "$work/a" 2>&1
	"$lxfw" simulate --cluster procs=4 --policy $policy --jobs-out "$work/b.csv" --feedback \
		"$work/plain.swf" > "$work/b" 2> "$work/messages"
	cmp -s "$work/a.csv" "$work/b.csv" || fail "$policy: --feedback changes a log without columns"
	grep -v '^submitted after others *0$' "$work/b" | cmp -s - "$work/a" || fail "$policy: report"
	says "$policy, plain" << 'END'
no job has a preceding job (column 17) or a dependency: --feedback changes nothing
END
done

# --- random logs -------------------------------------------------------------------------

cases=$(random_cases 20 100)
followed=0
for i in $(seq $seed $((seed + cases - 1))); do
	python3 "$other" make $i > "$work/log.swf" || exit 99
	for policy in fcfs easy; do
		"$lxfw" simulate --cluster procs=16 --policy $policy --feedback --jobs-out \
			"$work/jobs.csv" --journal "$work/journal" --schedule-out \
			"swf:$work/schedule.swf" "$work/log.swf" > "$work/out" 2>&1 ||
			fail "$policy, seed $i: $(cat "$work/out")"
		sed 1d "$work/jobs.csv" | cut -d, -f1-4 > "$work/is"
		python3 "$other" $policy 16 "$work/log.swf" > "$work/should" || exit 99
		cmp -s "$work/is" "$work/should" ||
			fail "$policy, seed $i: $(diff "$work/is" "$work/should" | head -5)"
		"$lxfw" replay "$work/journal" > "$work/out" 2>&1 ||
			fail "$policy, seed $i: replay: $(cat "$work/out")"
		# the schedule has the columns, and its own submissions
		awk '!/^;/ && $4 > 0 { print $1, $17, $18 }' "$work/log.swf" > "$work/should"
		awk '!/^;/ { print $1, $17, $18 }' "$work/schedule.swf" | cmp -s - "$work/should" ||
			fail "$policy, seed $i: columns 17 and 18 of --schedule-out"
		awk '!/^;/ { print $1 "," $2 "," $2 + $3 }' "$work/schedule.swf" > "$work/a"
		cut -d, -f1-3 "$work/is" | cmp -s - "$work/a" || fail "$policy, seed $i: --schedule-out"
	done
	[ $((i % 4)) -eq 0 ] || continue
	for options in '--policy pfcfs2' '--policy remaining' '--policy eqspatial --adaptive 0.5' \
		'--policy easy_moldable' '--policy lxfw --params lxfw_quantum=20' '--policy psrs' \
		'--pass event' '--policy lxfw --shape one-host'; do
		# shellcheck disable=SC2086
		"$lxfw" simulate --cluster procs=16 --feedback $options --jobs-out "$work/jobs.csv" \
			"$work/log.swf" > "$work/out" 2>&1 ||
			fail "$options, seed $i: $(cat "$work/out")"
		python3 "$other" audit "$work/log.swf" "$work/jobs.csv" > "$work/count" 2> "$work/out" ||
			fail "$options, seed $i: $(tail -1 "$work/out")"
		followed=$((followed + $(cat "$work/count")))
	done
done
[ $followed -gt $((5 * cases)) ] || fail "only $followed submissions moved"

# Copies, several schedulers and threads: the same result each time; a copy follows its own ends.
python3 "$other" make $seed > "$work/log.swf"
for threads in 1 3; do
	"$lxfw" simulate --cluster procs=16 --feedback --policy easy --policy fcfs --shake 4 --threads $threads \
		--json "$work/log.swf" > "$work/json$threads" 2> "$work/messages" ||
		fail "--shake: $(cat "$work/messages")"
done
cmp -s "$work/json1" "$work/json3" || fail '--shake depends on the threads'
grep -q '"feedback_jobs":' "$work/json1" || fail 'no feedback_jobs in JSON'

# --- dependencies --------------------------------------------------------------------------

# 13 waits for both tasks of 11, each task of 14 for one of them; 16 was submitted when 10 and 13
# had ended. 17 to 19 have dependencies that are not kept. The option of a script is not one.
cat > "$work/sacct" << 'END'
JobID|JobIDRaw|Submit|Eligible|Start|End|NCPUS|Partition|User|State|Timelimit|SubmitLine
10|10|1000|1000|1000|1100|4|b|u|COMPLETED|00:10:00|sbatch -n 4 a.sh
11_1|12|1010|1010|1100|1200|2|b|u|COMPLETED|00:10:00|sbatch --array=1-2 a.sh
11_2|11|1010|1010|1100|1150|2|b|u|COMPLETED|00:10:00|sbatch --array=1-2 a.sh
13|13|1020|1202|1202|1250|4|b|u|COMPLETED|00:10:00|sbatch --dep=afterok:11 m.sh -d 4
14_1|15|1030|1203|1250|1300|1|b|u|COMPLETED|00:10:00|sbatch -d aftercorr:11 --array=1-2 m.sh
14_2|14|1030|1153|1250|1300|1|b|u|COMPLETED|00:10:00|sbatch -d aftercorr:11 --array=1-2 m.sh
16|16|1260|1260|1300|1310|4|b|u|COMPLETED|00:10:00|sbatch --depend "afterany:10:13,afterok:99" m
17|17|1260|1310|1310|1320|4|b|u|COMPLETED|00:10:00|sbatch -dsingleton m.sh|wc
18|18|1260|1260|1310|1320|4|b|u|COMPLETED|00:10:00|sbatch -dafterok:98 m.sh
19|19|1260|1260|1310|1320|4|b|u|COMPLETED|00:10:00|srun -dafterok:10?afterok:11 m.sh
END
"$lxfw" import "$work/sacct" > "$work/dep.swf" 2> "$work/messages" || fail "$(cat "$work/messages")"
grep -q 'after other jobs: 4; after jobs that are not in the log or did not run before: 1; dependencies of other kinds (not kept): 2' \
	"$work/messages" || fail "import: $(cat "$work/messages")"
awk '/^; Dependency/ { print } !/^;/ { print $1, $17, $18 }' "$work/dep.swf" > "$work/is"
diff -u - "$work/is" > "$work/diff" << 'END' || fail "import: $(cat "$work/diff")"
; Dependency: 14 30 11
; Dependency: 13 20 12,11
; Dependency: 15 30 12
; Dependency: 16 260 13,10
10 -1 -1
11 -1 -1
12 -1 -1
14 11 3
13 12 2
15 12 3
16 13 -1
18 -1 -1
19 -1 -1
17 -1 -1
END
# On a large machine, 11 ends at 60: 14 is eligible 3 seconds later, and 13 when 12 has ended. On a
# small one, 10 ends at 100, and the rest is as in the log.
for log in sacct dep.swf; do
	submits "$log, large" $log --policy fcfs --cluster procs=100 << 'END'
10 0 0 100
11 10 10 60
12 10 10 110
14 63 63 113
13 112 112 160
15 113 113 163
16 260 260 270
18 260 260 270
19 260 260 270
17 310 310 320
END
	submits "$log, small" $log --policy fcfs --cluster procs=4 << 'END'
10 0 0 100
11 10 100 150
12 10 100 200
14 153 153 203
13 202 203 251
15 203 251 301
16 260 301 311
18 260 311 321
19 260 321 331
17 310 331 341
END
done
# a dependent job is not submitted before its user submitted it
sed 's/^13|13|1020/13|13|1180/' "$work/sacct" > "$work/later"
submits 'own submission' later --policy fcfs --cluster procs=100 << 'END'
10 0 0 100
11 10 10 60
12 10 10 110
14 63 63 113
13 180 180 228
15 113 113 163
16 260 260 270
18 260 260 270
19 260 260 270
17 310 310 320
END
# Without JobIDRaw, all tasks have the number of the array.
cut -d'|' -f1,3- "$work/sacct" | grep -v '^14' > "$work/no-raw"
"$lxfw" import "$work/no-raw" 2> "$work/messages" | awk '!/^;/ { print $1, $17, $18 }' |
	sort -n > "$work/is"
diff -u - "$work/is" > "$work/diff" << 'END' || fail "no JobIDRaw: $(cat "$work/diff")"
10 -1 -1
11 -1 -1
11 -1 -1
13 11 2
16 13 -1
17 -1 -1
18 -1 -1
19 -1 -1
END

# Of many preceding jobs, those that ended last are kept; a list takes several comments.
{
	head -n 1 "$work/sacct"
	for i in $(seq 1 150); do
		echo "$i|$i|1000|1000|1000|$((1000 + i))|1|b|u|COMPLETED|00:10:00|x"
	done
	echo "200|200|1001|1150|1150|1200|1|b|u|COMPLETED|00:10:00|sbatch -d afterany:$(seq -s : 1 150) x"
} > "$work/many"
"$lxfw" import "$work/many" > "$work/many.swf" 2> "$work/messages"
sed -n 's/^; Dependency: 200 1 //p' "$work/many.swf" | tr , '\n' | sort -n > "$work/is"
seq 51 150 | cmp -s - "$work/is" || fail "many: $(cat "$work/is")"
[ "$(grep -c '^; Dependency' "$work/many.swf")" -gt 1 ] || fail 'many: one comment'
grep -q 'after more than 100 jobs (the last ones are kept): 1' "$work/messages" ||
	fail "many: $(cat "$work/messages")"

# slurmrestd
cat > "$work/json" << 'END'
{"jobs":[
{"job_id":1,"state":{"current":["COMPLETED"]},"array":{"job_id":2,"task_id":{"set":true,"number":4}},
 "time":{"submission":1000,"eligible":1000,"start":1000,"end":1100,"elapsed":100},"required":{"CPUs":1}},
{"job_id":3,"state":{"current":["COMPLETED"]},"submit_line":"sbatch --dependency=afterany:2_4 x",
 "time":{"submission":1010,"eligible":1101,"start":1101,"end":1120,"elapsed":19},"required":{"CPUs":1}}]}
END
# OpenPBS writes depend= in Q records.
cat > "$work/pbs" << 'END'
01/01/2025 00:00:00;Q;1[].s;user=u queue=q ctime=1735689600 qtime=1735689600 etime=1735689600 array_indices=0-1
01/01/2025 00:00:10;Q;3.s;user=u queue=q ctime=1735689610 qtime=1735689610 etime=0 depend=afterany:1[].s@s:15001 Resource_List.ncpus=1
01/01/2025 00:00:10;Q;4.s;user=u queue=q ctime=1735689610 qtime=1735689610 etime=0 depend=afterok:1[1].s Resource_List.ncpus=1
01/01/2025 00:01:40;E;1[0].s;user=u queue=q ctime=1735689600 qtime=1735689600 etime=1735689600 start=1735689600 end=1735689700 exec_host=h/0 Exit_status=0
01/01/2025 00:01:50;E;1[1].s;user=u queue=q ctime=1735689600 qtime=1735689600 etime=1735689600 start=1735689600 end=1735689710 exec_host=h/1 Exit_status=0
01/01/2025 00:02:50;E;3.s;user=u queue=q ctime=1735689610 qtime=1735689610 etime=1735689710 start=1735689710 end=1735689770 exec_host=h/0 Exit_status=0
01/01/2025 00:02:50;E;4.s;user=u queue=q ctime=1735689610 qtime=1735689610 etime=1735689712 start=1735689712 end=1735689770 exec_host=h/1 Exit_status=0
END
# LSF does not say when a job became eligible.
# finish_event JOB SUBMIT START END DEPENDENCY: a line of lsb.acct
finish_event()
{
	printf '"JOB_FINISH" "10.108" %s %s 1501 33570818 1 %s 0 0 %s "ann" "normal" "" "%s" "" "front" "/home" "" "" "" "1.1" 0 1 "h1" 64 100.0 "name" "run" 0.1 0.2 3756 0 -1 0 0 407 4 0 936 8 -1 0 0 0 19 2 -1 "" "proj" 0 4 "" "" 0 4096 0 "" "" "" "" 0 "" 0 "" -1 "" "" "" "" -1 "" "" 7184 "" 1 "" "" 1 1058 "1" 1 h1 5 0 1 1 0 100 4194304 0 "select[type == any]" "" -1 "" -1 0 "" 0 0 "" 100 "/home" 0\n' \
		"$4" "$1" "$2" "$3" "$5"
}
{
	finish_event 1 1000 1000 1100 ''
	finish_event 2 1000 1000 1050 ''
	finish_event 3 1010 1105 1120 'done(1) && ended(""2"")'
	finish_event 4 1010 1105 1120 'started(1)'
	finish_event 5 1200 1205 1220 'done(1)||done(2)'
	finish_event 6 1200 1205 1220 'exit(2,>3)'
} > "$work/lsf"
for log in json pbs lsf; do
	"$lxfw" import "$work/$log" 2> "$work/messages" |
		awk '/^; Dependency/ { print } !/^;/ { print $1, $17, $18 }'
	sed 's/.*: [0-9]* of jobs//; s/.*\(; after other jobs: [0-9]*\)/\1/; s/; most.*//; s/; local.*//' \
		"$work/messages"
done > "$work/is"
diff -u - "$work/is" > "$work/diff" << 'END' || fail "readers: $(cat "$work/diff")"
; Dependency: 3 10 1
1 -1 -1
3 1 1
; after other jobs: 1
; Dependency: 3 10 1
; Dependency: 4 10 1
1 -1 -1
1 -1 -1
3 1 0
4 1 2
; after other jobs: 2
; Dependency: 3 10 1,2
1 -1 -1
2 -1 -1
3 1 0
4 -1 -1
5 -1 -1
6 2 -1
; after other jobs: 2; dependencies of other kinds (not kept): 2
END

# Header comments in another form are ignored; a list may continue in the next one.
{
	echo '; MaxProcs: 10'
	echo '; Dependency: x'
	echo '; Dependency: 3 '
	echo '; Dependency: 3 5 1'
	echo '; Dependency: 3 5 2,2,x,,99999999999999999999'
	after 1 0 100 1 -1 -1
	after 2 0 200 1 -1 -1
	after 3 10 10 1 1 5
} > "$work/headers.swf"
submits 'headers' headers.swf << 'END'
1 0 0 100
2 0 0 200
3 205 205 215
END

# --- refused -------------------------------------------------------------------------------

refuses '--fairness with --feedback' simulate --feedback --fairness "$work/hand.swf"
refuses '--load with --feedback' simulate --feedback --load 0.5 "$work/hand.swf"
refuses feedback simulate --from "$work/no.snapshot" --feedback
for command in compare tune predict describe replay; do
	refuses feedback $command --feedback "$work/hand.swf"
done
finish
