#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Events for the Slurm simulator: a workload that has not run. The trace has run times and no
# waits, lxfw simulate runs it, and lxfw compare has nothing to compare it with.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

cat > log.events <<'END'
# a comment

-dt 5 -e submit_batch_job | -J jobid_1001 -sim-walltime 600 --uid=ann -t 00:15:00 -n 24 --ntasks-per-node=12 -A chem -p normal -q high --gres=gpu:2 --mem=2000 pseudo.job
  -dt     5.75 -e submit_batch_job | -sim-walltime  84.90 --uid=bob -J "jobid_00002" -N 1 -n32 -t 1-00 --mem-per-cpu 2G pseudo.job
-dt 20 -e submit_batch_job | -jid 7 -sim-walltime 0 -N2-4 --ntasks-per-node=3 -c2 --time=5 --exclusive --comment='-n 9 | b' pseudo.job
-e submit_batch_job -dt 21 | -J job_8 -sim-walltime 900 -n 1 -t 10:00 a.sh
-dt 22 -e submit_batch_job | --job-name=reg1 -sim-walltime 0.5 a.sh
-dt 22 -e cancel | -jid 7
-dt 23 -e submit_batch_job | -jid 9 -sim-walltime 60 -n many a.sh
-dt 24 -e submit_batch_job | -jid 10 -n 1 a.sh
-dt 25 -e submit_batch_job | -jid 11 -n 1 -t 5 -a 1-10 a.sh
-dt soon -e submit_batch_job | -jid 12 -n 1 -t 5 a.sh
END
"$lxfw" import log.events > out.swf 2> told || fail "import: $(cat told)"
{
	grep -v '^;' out.swf
	grep '^; Request\|^; MaxProcs\|^; Queue:\|^; UnixStartTime' out.swf
	cat told
} > is
diff - is > diff <<'END' || fail "import: $(cat diff)"
2 0 -1 84 -1 -1 -1 32 86400 2097152 -1 1 -1 1 -1 -1 -1 -1
1001 0 -1 600 -1 -1 -1 24 900 170666 -1 2 -1 2 1 -1 -1 -1
7 15 -1 300 -1 -1 -1 12 300 -1 -1 -1 -1 3 -1 -1 -1 -1
8 16 -1 600 -1 -1 -1 1 600 -1 -1 -1 -1 -1 -1 -1 -1 -1
5 17 -1 1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
; UnixStartTime: 946684805
; Queue: 1 normal
; Request: 1 nodes=1
; Request: 2 nodes=2,least-nodes=2,gres/gpu=4,node-memory,qos=high,account=chem
; Request: 3 nodes=2,least-nodes=2,exclusive
lxfw: 10 records (slurm-sim): 5 of jobs, 1 not of ended jobs, 4 odd (left out), the first: log.events:9: a number of tasks, processors or nodes is not 1 or more; of a workload that has not run: 5; without a time limit: 1
END

"$lxfw" import --out out2.swf --format json log.events 2> told > json || fail "json: $(cat told)"
grep -q '"planned_jobs": 5,' json && grep -q '"never_started_jobs": 0,' json || fail "json: $(cat json)"

# The same simulation as of the trace.
for log in log.events out.swf; do
	"$lxfw" simulate --policy fcfs --cluster procs=32 --schedule-out swf:"$log.schedule" "$log" \
		> "$log.out" 2> told || fail "simulate $log: $(cat told)"
	grep -v '^;' "$log.schedule" > "$log.jobs"
done
cmp -s log.events.jobs out.swf.jobs || fail "simulate: $(diff log.events.jobs out.swf.jobs)"
[ "$(cut -d ' ' -f 1,3,4 log.events.jobs | sort -n | tr '\n' ';')" = \
	"2 0 84;5 667 1;7 669 300;8 668 600;1001 84 600;" ] || fail "schedule: $(cat log.events.jobs)"

for log in log.events out.swf; do
	"$lxfw" compare --policy easy --cluster procs=32 "$log" > out 2> told
	[ $? -eq 2 ] && grep -q 'no measured waits' told || fail "compare $log: $(cat out told)"
done

# A limit in seconds is one of whole minutes, and a job runs for all of it.
cat > limits <<'END'
-dt 1 -e submit_batch_job | -jid 1 -sim-walltime 10 -n 1 -t 0:01 a.sh
-dt 2 -e submit_batch_job | -jid 2 -sim-walltime 45 -n 1 -t 00:00:30 a.sh
-dt 3 -e submit_batch_job | -jid 3 -sim-walltime 90 -n 1 -t 1:00 a.sh
-dt 4 -e submit_batch_job | -jid 4 -n 1 -t 1:01 a.sh
-dt 5 -e submit_batch_job | -jid 5 -sim-walltime 90 -n 1 -t UNLIMITED a.sh
END
"$lxfw" import --out out.swf limits 2> told || fail "limits: $(cat told)"
[ "$(grep -v '^;' out.swf | cut -d ' ' -f 1,4,9 | tr '\n' ';')" = \
	"1 10 60;2 45 60;3 60 60;4 120 120;5 90 31536000;" ] || fail "limits: $(cat out.swf)"

# GPUs, and options that are not read.
cat > gpus <<'END'
-dt 1 -e submit_batch_job | -jid 1 -t 5 -n 1 -G 2 a.sh
-dt 2 -e submit_batch_job | -jid 2 -t 5 -N 2 --gpus=a100:4 --gres=craynetwork:1 a.sh
-dt 3 -e submit_batch_job | -jid 3 -t 5 -N 2 --gpus-per-node 2 a.sh
-dt 4 -e submit_batch_job | -jid 4 -t 5 -N 2 --gpus-per-node=a100:1,v100:2 a.sh
-dt 5 -e submit_batch_job | -jid 5 -t 5 -N 2 -Ga100:3 a.sh
-dt 6 -e submit_batch_job | -jid 6 -t 5 -N 2 --gres=gpu:2 -G 4 a.sh
-dt 7 -e submit_batch_job | -jid 7 -t 5 -n 1 -G many a.sh
-dt 8 -e submit_batch_job | -jid 8 -t 5 -n 1 -C big -d afterok:1 --gpus-per-task=1 a.sh
-dt 9 -e submit_batch_job | -jid 9 -t 5 -n 1 --constraint=big -cancel-in 5 --mem-per-gpu=1G a.sh
END
"$lxfw" import --out out.swf gpus 2> told || fail "gpus: $(cat told)"
{
	awk '/^; Request:/ { text[$3] = $4 } !/^;/ { print $1, ($14 > 0 ? text[$14] : "-") }' out.swf
	cat told
} > is
diff - is > diff <<'END' || fail "gpus: $(cat diff)"
1 gres/gpu=2
2 nodes=2,least-nodes=2,gres/craynetwork=2,gres/gpu:a100=4
3 nodes=2,least-nodes=2,gres/gpu=4
4 nodes=2,least-nodes=2,gres/gpu:a100=2,gres/gpu:v100=4
5 nodes=2,least-nodes=2,gres/gpu:a100=3
6 nodes=2,least-nodes=2,gres/gpu=4
8 -
9 -
lxfw: 9 records (slurm-sim): 8 of jobs, 1 odd (left out), the first: gpus:7: --gpus or --gpus-per-node is no number of GPUs, expected 2 or a100:2; of a workload that has not run: 8; 2 jobs with --constraint (not read); 1 jobs with --dependency (not read); 1 jobs with --gpus-per-task (not read); 1 jobs with --mem-per-gpu (not read); 1 jobs with -cancel-in (not read)
END
"$lxfw" import --out out2.swf --json gpus 2> told | grep -q '"unread_option_jobs": 2,' ||
	fail "gpus: no unread_option_jobs"

# Submitted twice at the same time, without a number.
printf '%s\n' '-dt 1 -e submit_batch_job | -n 1 -t 5 a.sh' '-dt 1 -e submit_batch_job | -n 1 -t 5 a.sh' > twice
"$lxfw" import --out out.swf twice 2> told && [ "$(grep -vc '^;' out.swf)" = 2 ] || fail "twice: $(cat told)"

finish
