#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Output of simulate: keys, columns and figures, computed by hand.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# 2 processors: job 1 runs from 0 to 20, 3 on the other processor from 10 to 20; 2
# requests both and waits until 20.
{
	echo "; MaxProcs: 2"
	job 1 0 20 1 20
	job 2 0 5 2 5 1536
	job 3 10 10 1 10
} > "$work/trace.swf"

same()
{
	diff -u "$work/should" "$work/is" > "$work/diff" ||
		fail "$1: $(cat "$work/diff")"
}

"$lxfw" simulate --format json --jobs-out "$work/jobs.csv" "$work/trace.swf" \
	> "$work/out" || fail "simulate --format json"
cp "$work/out" "$work/is"
cat > "$work/should" <<END
{
  "policy": "easy",
  "jobs": 3,
  "events": 8,
  "mean_wait_s": 6.666666666666667,
  "median_wait_s": 0,
  "p95_wait_s": 20,
  "max_wait_s": 20,
  "mean_response_s": 18.333333333333332,
  "mean_slowdown": 2.3333333333333335,
  "mean_bounded_slowdown": 1.5,
  "awrt_s": 18.75,
  "utilization": 0.8,
  "makespan_s": 25,
  "preemptions": 0,
  "requeues": 0,
  "lost_hours": 0,
  "most_suspensions": 0,
  "most_suspended": 0
}
END
same "json"

cp "$work/jobs.csv" "$work/is"
cat > "$work/should" <<END
job_id,submit,start,end,wait,run,procs,memory_mb,hosts,preemptions,requeues,user,group,queue,estimate,status,slowdown,bounded_slowdown,priority
1,0,0,20,0,20,1,0,h0,0,0,1,1,1,20,1,1,1,
2,0,20,25,20,5,2,3,h0,0,0,1,1,1,5,1,5,2.5,
3,10,10,20,0,10,1,0,h0,0,0,1,1,1,10,1,1,1,
END
same "jobs"

"$lxfw" simulate --format csv "$work/trace.swf" > "$work/is"
cat > "$work/should" <<END
policy,jobs,events,mean_wait_s,median_wait_s,p95_wait_s,max_wait_s,mean_response_s,mean_slowdown,mean_bounded_slowdown,awrt_s,utilization,makespan_s,preemptions,requeues,lost_hours,most_suspensions,most_suspended
easy,3,8,6.666666666666667,0,20,20,18.333333333333332,2.3333333333333335,1.5,18.75,0.8,25,0,0,0,0,0
END
same "csv"

# only job 3 was submitted after the warmup
"$lxfw" simulate --format csv --warmup 10 "$work/trace.swf" |
	sed -n 2p > "$work/is"
echo "easy,1,8,0,0,0,0,10,1,1,10,1,15,0,0,0,0,0" > "$work/should"
same "warmup"

"$lxfw" simulate "$work/trace.swf" | sed -n 's/  */ /g; 4,7p' > "$work/is"
cat > "$work/should" <<END
mean wait 6.667 s
median wait 0 s
95th percentile wait 20 s
maximum wait 20 s
END
same "table"

# A host list that contains a comma is one field.
printf 'b procs=1\na procs=1\nc procs=1\n' > "$work/hosts"
job 1 0 5 2 5 > "$work/two.swf"
"$lxfw" simulate --cluster "$work/hosts" --jobs-out "$work/jobs.csv" \
	"$work/two.swf" > "$work/out"
tail -n 1 "$work/jobs.csv" > "$work/is"
grep -Eq '^1,0,0,5,0,5,2,0,"[abc],[abc]",0,0,1,1,1,5,' "$work/is" ||
	fail "hosts: $(cat "$work/is")"

# --- compare ----------------------------------------------------------------
# One processor. Measured: job 1 ran from 2 to 12; 2 waited for it and ran from 14 to
# 24; 3 ran from 14 s after that. Each start was 2 s after its cause. If the simulation
# adds 2 s, no difference remains. Job 4 was cancelled and is not simulated.
cat > "$work/sacct" <<END
JobID|JobName|Submit|Start|End|NCPUS|Timelimit|State
1|a|2025-01-31T23:59:58|2025-02-01T00:00:00|2025-02-01T00:00:10|1|00:10|COMPLETED
1.batch|batch|2025-01-31T23:59:58|2025-02-01T00:00:00|2025-02-01T00:00:10|1||COMPLETED
2|b|c|2025-02-01T00:00:00|2025-02-01T00:00:12|2025-02-01T00:00:22|1|00:10|COMPLETED
3|d|2025-02-01T00:00:01|2025-02-01T00:00:24|2025-02-01T00:00:34|1|00:10|COMPLETED
4|e|2025-02-01T00:00:02|2025-02-01T00:00:09|2025-02-01T00:00:09|1|1-00:00:00|CANCELLED by 7
END
"$lxfw" compare --cluster procs=1 --start-overhead 2 --within 1 \
	--jobs-out "$work/jobs.csv" --format csv "$work/sacct" > "$work/is" || fail "compare: exit status $?"
cat > "$work/should" <<END
key,value
verdict,not
policy,slurm
jobs,3
not_compared,1
cancelled_jobs,1
jobs_without_end,0
start_overhead_s,2
end_overhead_s,0
measured_mean_wait_s,12.3333333333333
measured_median_wait_s,12
measured_p95_wait_s,23
measured_max_wait_s,23
simulated_mean_wait_s,12.3333333333333
simulated_mean_low_s,2
simulated_mean_high_s,14
simulated_copies,20
simulated_median_wait_s,12
simulated_p95_wait_s,23
simulated_max_wait_s,23
mean_difference_percent,0
mean_absolute_difference_s,0
equal_starts,3
simulated_low_median_wait_s,2
simulated_high_median_wait_s,14
simulated_low_p95_wait_s,2
simulated_high_p95_wait_s,26
simulated_low_max_wait_s,2
simulated_high_max_wait_s,26
simulated_low_mean_bounded_slowdown,1.2
simulated_high_mean_bounded_slowdown,2.4
simulated_low_mean_slowdown,1.2
simulated_high_mean_slowdown,2.4
simulated_low_utilization,0.26
simulated_high_utilization,0.8260869565217391
END
sed -i 's/\(12\.3333333333333\)[0-9]*/\1/' "$work/is"
same "compare"
cp "$work/jobs.csv" "$work/is"
cat > "$work/should" <<END
job_id,submit,measured_start,simulated_start,measured_wait,simulated_wait,difference
1,1738367998,1738368000,1738368000,2,2,0
2,1738368000,1738368012,1738368012,12,12,0
3,1738368001,1738368024,1738368024,23,23,0
END
same "compare, per job"
"$lxfw" compare --cluster procs=1 --start-overhead 0 --within 1 \
	"$work/sacct" > "$work/out"
[ $? -eq 1 ] || fail "compare --within: exit status is not 1"
# simulated less measured: below 0 where the simulated waits are shorter
"$lxfw" compare --cluster procs=1 --start-overhead 0 --within 32 --format csv "$work/sacct" > "$work/is"
[ $? -eq 1 ] && grep -q '^mean_difference_percent,-32\.4' "$work/is" ||
	fail "compare, shorter: $(grep mean_difference "$work/is")"
"$lxfw" compare --cluster procs=1 --start-overhead 4 --json "$work/sacct" > "$work/is" &&
	grep -q '"mean_difference_percent": 32\.4' "$work/is" ||
	fail "compare, longer: $(grep mean_difference "$work/is")"

# A journal of the simulator agrees with its simulation to the second.
"$lxfw" simulate --journal "$work/journal" "$work/trace.swf" > "$work/out"
"$lxfw" compare --format csv "$work/journal" > "$work/out"
grep -q '^equal_starts,3$' "$work/out" || fail "compare a journal: $(cat "$work/out")"
"$lxfw" replay --params lxfw_policy=fcfs --format csv "$work/journal" \
	> "$work/out" || fail "replay --params"
# job 3 does not start before 2, which is eligible first
grep -q '^simulated_max_wait_s,20$' "$work/out" || fail "replay --params: $(cat "$work/out")"
grep -q '^equal_starts,2$' "$work/out" || fail "replay --params: $(cat "$work/out")"

# A replay with other parameters by class, with the accuracy of the simulation of the
# recorded ones.
"$lxfw" replay --params lxfw_policy=fcfs "$work/journal" > "$work/out" ||
	fail "replay --params"
grep -q '^policy fcfs, 3 jobs$' "$work/out" &&
	grep -q '^assumed: other parameters; with the recorded parameters the simulated mean wait is 6.7 s, the recorded mean wait 6.7 s$' "$work/out" ||
	fail "replay --params: $(cat "$work/out")"
# jobs 1 and 3 request one processor: 3 waited 0 s; under fcfs it waits 15 s
grep -Eq '^1 +2 +0s +8s ' "$work/out" || fail "replay --params, by processors: $(cat "$work/out")"

finish
