#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw import of the jobs of Slurm's controller in JSON: squeue --json and /slurm/vX/jobs, in the
# forms of several releases.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "$golden/imported.sh"

cd "$work" || exit 99

# v0.0.40 and later. Job 8 was suspended: it ran 30 s before and 40 s after that. Jobs 9 and 10
# have expected times. Job 12 is part of a heterogeneous job.
cat > squeue.json <<'END'
{ "jobs": [
  { "account": "lab", "cluster": "c", "cpus": { "set": true, "infinite": false, "number": 4 },
    "eligible_time": { "set": true, "infinite": false, "number": 1747749300 },
    "end_time": { "set": true, "infinite": false, "number": 1747749410 },
    "group_name": "gruppe", "het_job_id": { "set": true, "infinite": false, "number": 0 },
    "job_id": 7, "job_state": [ "COMPLETED" ], "node_count": { "set": true, "infinite": false, "number": 1 },
    "nodes": "n1", "partition": "p", "qos": "normal", "resv_name": "",
    "start_time": { "set": true, "infinite": false, "number": 1747749310 },
    "submit_time": { "set": true, "infinite": false, "number": 1747749290 },
    "pre_sus_time": { "set": true, "infinite": false, "number": 0 },
    "suspend_time": { "set": true, "infinite": false, "number": 0 },
    "time_limit": { "set": true, "infinite": false, "number": 60 },
    "tres_req_str": "cpu=3,mem=6G,node=1,billing=3",
    "tres_alloc_str": "cpu=4,mem=8G,node=1,billing=4,gres/gpu=2", "user_name": "user" },
  { "job_id": 8, "job_state": [ "TIMEOUT" ], "partition": "p", "user_name": "b",
    "submit_time": { "set": true, "infinite": false, "number": 1747749300 },
    "start_time": { "set": true, "infinite": false, "number": 1747749400 },
    "suspend_time": { "set": true, "infinite": false, "number": 1747749500 },
    "pre_sus_time": { "set": true, "infinite": false, "number": 30 },
    "end_time": { "set": true, "infinite": false, "number": 1747749540 },
    "cpus": { "set": true, "infinite": false, "number": 2 },
    "time_limit": { "set": true, "infinite": true, "number": 0 } },
  { "job_id": 9, "job_state": [ "PENDING" ], "partition": "p", "user_name": "b",
    "submit_time": { "set": true, "infinite": false, "number": 1747749301 },
    "start_time": { "set": true, "infinite": false, "number": 1747759400 },
    "end_time": { "set": true, "infinite": false, "number": 1747769400 },
    "cpus": { "set": true, "infinite": false, "number": 2 } },
  { "job_id": 10, "job_state": [ "RUNNING" ], "partition": "p", "user_name": "b",
    "submit_time": { "set": true, "infinite": false, "number": 1747749301 },
    "start_time": { "set": true, "infinite": false, "number": 1747749400 },
    "end_time": { "set": true, "infinite": false, "number": 1747769400 },
    "cpus": { "set": true, "infinite": false, "number": 2 } },
  { "job_id": 11, "job_state": [ "CANCELLED" ], "partition": "p", "user_name": "b",
    "submit_time": { "set": true, "infinite": false, "number": 1747749302 },
    "start_time": { "set": true, "infinite": false, "number": 1747749402 },
    "end_time": { "set": true, "infinite": false, "number": 1747749402 },
    "cpus": { "set": true, "infinite": false, "number": 2 } },
  { "job_id": 12, "job_state": [ "COMPLETED", "COMPLETING" ], "partition": "p",
    "het_job_id": { "set": true, "infinite": false, "number": 12 },
    "submit_time": { "set": true, "infinite": false, "number": 1747749303 },
    "start_time": { "set": true, "infinite": false, "number": 1747749403 },
    "end_time": { "set": true, "infinite": false, "number": 1747749413 },
    "cpus": { "set": true, "infinite": false, "number": 2 } },
  { "job_id": 13, "partition": "p",
    "submit_time": { "set": true, "infinite": false, "number": 1747749303 } },
  { "job_id": 14, "job_state": [ "COMPLETED" ],
    "submit_time": { "set": false, "infinite": false, "number": 0 } }
 ], "last_update": { "set": true, "infinite": false, "number": 1747749999 },
  "meta": { "slurm": { "release": "24.11.5" } }, "errors": [] }
END
cat > expected <<'END'
7 0 10 100 4 3600 2097152 1 nodes=1,gres/gpu=2,qos=normal,account=lab
8 0 100 70 2 31536000 -1 0 -
11 2 100 -1 2 -1 -1 5 -
12 3 100 10 2 -1 -1 1 het=12
8 records (slurmrestd): 4 of jobs, 2 of running or pending jobs, 2 odd (left out), the first: squeue.json:44: a job without job_state, expected a state such as COMPLETED; never started: 1; held back after submission: 1; suspended: 1; without a time limit: 2; parts of heterogeneous jobs: 1; most processors held at once: 8
END
expect squeue.json < expected
grep -q '^; User: 1 user$' out.swf && grep -q '^; Group: 1 gruppe$' out.swf &&
	grep -q '^; Queue: 1 p$' out.swf && grep -q '^; UnixStartTime: 1747749300$' out.swf ||
	fail "names: $(grep '^;' out.swf)"
# without line breaks, and the array alone
tr -d '\n' < squeue.json > line.json
sed 's/squeue.json:44/line.json:1/' expected > expected.line
expect line.json < expected.line
{ echo '['; sed '1d; /^ \]/,$d' squeue.json; echo ']'; } > array.json
sed 's/squeue/array/' expected > expected.array
expect array.json < expected.array

# Up to v0.0.38: plain numbers, a word for the state, null for no limit.
cat > old.json <<'END'
{"meta": {}, "errors": [], "jobs": [
{"job_id": 17, "account": "lab", "cpus": 4, "eligible_time": 1747749300, "end_time": 1747749410, "job_state": "FAILED", "node_count": 1, "nodes": "n1", "partition": "p", "start_time": 1747749310, "submit_time": 1747749290, "pre_sus_time": 0, "suspend_time": 0, "time_limit": 60, "tres_alloc_str": "cpu=4,node=1", "user_name": "a", "het_job_id": 0},
{"job_id": 18, "cpus": 1, "end_time": 1747749420, "job_state": "COMPLETED", "start_time": 1747749310, "submit_time": 1747749310, "time_limit": null},
{"job_id": 19, "cpus": 1, "end_time": 1747749420, "job_state": "COMPLETED", "start_time": 1747749310, "submit_time": 1747749310, "time_limit": 4294967294},
{"job_id": 20, "cpus": 1, "end_time": 0, "job_state": "COMPLETING", "start_time": 1747749310, "submit_time": 1747749310}]}
END
expect old.json <<'END'
17 0 10 100 4 3600 -1 0 nodes=1,account=lab
18 10 0 110 1 31536000 -1 1 -
19 10 0 110 1 -1 -1 1 -
4 records (slurmrestd): 3 of jobs, 1 of running or pending jobs; held back after submission: 1; without a time limit: 1; most processors held at once: 6
END

# A task is the same job as in sacct, and a dependency is that of the command line.
cat > tasks.json <<'END'
{"jobs": [
{"job_id": 31, "array_job_id": 30, "array_task_id": 2, "cpus": 1, "job_state": "COMPLETED", "submit_time": 1747749300, "start_time": 1747749300, "end_time": 1747749400},
{"job_id": 32, "array_job_id": 0, "array_task_id": null, "cpus": 1, "job_state": "COMPLETED", "submit_time": 1747749300, "eligible_time": 1747749405, "start_time": 1747749410, "end_time": 1747749420, "submit_line": "sbatch -d afterok:30_2 x"}]}
END
cat > tasks.sacct <<'END'
JobID|JobIDRaw|Submit|Start|End|NCPUS|State
30_2|31|1747749300|1747749300|1747749400|1|COMPLETED
END
"$lxfw" import --out out.swf tasks.json tasks.sacct 2> told || fail "tasks: $(cat told)"
[ "$(awk '!/^;/ { print $1, $2, $17, $18 }' out.swf)" = '31 0 -1 -1
32 105 31 5' ] || fail "tasks: $(cat out.swf)"
grep -q ' 1 duplicates' told || fail "tasks: $(cat told)"

# several responses in one file, with a message between them
{ cat squeue.json; echo 'squeue: error: x'; cat old.json; } > both.json
"$lxfw" import --out out.swf both.json 2> told || fail "both: $(cat told)"
grep -q '^lxfw: 13 records (slurmrestd): 7 of jobs, 3 of .* jobs, 3 odd ' told ||
	fail "both: $(cat told)"
# a response that is cut, and one with an error after its jobs
head -n 30 squeue.json > cut.json
"$lxfw" import --out none.swf cut.json 2> told && fail 'cut: accepted'
grep -q '^cut.json:30: the text is not JSON or truncated' told && [ ! -e none.swf ] ||
	fail "cut: $(cat told)"
sed 's/"errors": \[\]/"errors": [{ "description": "no route" }]/' squeue.json > error.json
"$lxfw" import --out none.swf error.json 2> told && fail 'error: accepted'
grep -q '^error.json:49: Slurm reports an error: no route$' told || fail "error: $(cat told)"
# other subcommands read the jobs
"$lxfw" simulate --policy fcfs squeue.json > out 2> told || fail "simulate: $(cat told)"
grep -q '^jobs  *3$' out || fail "simulate: $(cat out)"
finish
