#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# EQspatial on a live cluster of 3 nodes of 16 processors (2 sockets) and 16000 MB, with
# 2 GPUs on n3. Adaptive jobs start on a share, which changes while they run. Rigid jobs
# keep what they requested.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/shares.sh
. "$(dirname "$0")/shares.sh"

# The first job has all processors. The second job starts on half of them. The first
# gets all back.
test_two_share()
{
	local first second
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$second" 8
	expect_procs "$first" 8
	scancel "$second"
	expect_procs "$first" 16
}

# The environment of the script and srun in it. On 24.11, a step that requests more than
# the share waits, forever if the job does not grow.
test_environment_of_the_script()
{
	local first second out
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	# shellcheck disable=SC2016
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 -o out.%j \
		'echo $SLURM_CPUS_PER_TASK $SLURM_CPUS_ON_NODE $SLURM_JOB_CPUS_PER_NODE; srun true && echo step; srun --immediate=2 -c 12 true || echo refused')
	wait_done "$second"
	out=$(grep -v '^srun:' "$run/work/out.$second" | xargs)
	[ "$out" = '8 8 8 step refused' ] || fail "its output: $out"
}

# A step that has all cores of the job changes with it.
test_step_follows()
{
	local first second
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'srun -c 16 sleep 1000')
	expect_procs "$first" 16
	poll 60 step_has "$first" 16 || fail "no step on 16: $(scontrol -o show step "$first")"
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$second" 8
	expect_procs "$first" 8
	scancel "$second"
	expect_procs "$first" 16
	scancel "$first"
	wait_empty
}

# A job has no fewer processors than its minimum, and its cores stay on one socket if
# possible.
test_minimum_share()
{
	local first second
	first=$(submit --comment lxfw:adaptive=12 -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	second=$(adaptive -w n1 -c 8 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$second" 4
	expect_procs "$first" 12
	[ "$(cores_of "$second" | sort -n | tail -n 1)" -lt 8 ] ||
		[ "$(cores_of "$second" | sort -n | head -n 1)" -ge 8 ] ||
		fail "cores $(cores_of "$second" | xargs) on two sockets"
}

test_beside_rigid_jobs()
{
	local first rigid large
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	rigid=$(submit -w n1 -n 8 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$rigid" 8
	expect_procs "$first" 8
	large=$(submit -w n1 -n 6 --mem 1000 -t 60 'sleep 1000')
	expect_pending "$large" Resources
	scancel "$rigid"
	expect_procs "$large" 6
	expect_procs "$first" 10
}

# The limit is one of work: on half of the processors it is twice as long, and the
# remaining time changes with the share.
test_time_limit()
{
	local first second end
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	[ "$(limit_of "$first")" = 3600 ] || fail "limit of $(limit_of "$first") s"
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$second" 8
	[ "$(limit_of "$second")" = 7200 ] || fail "the second ends after $(limit_of "$second") s"
	(($(limit_of "$first") > 7100 && $(limit_of "$first") <= 7200)) ||
		fail "the first ends after $(limit_of "$first") s"
	scontrol update "jobid=$second" timelimit=60
	scancel "$second"
	expect_procs "$first" 16
	end=$(limit_of "$first")
	(($(limit_of "$first") < 3700)) || fail "the first ends after $end s with all processors"
	scontrol requeue "$first"
	poll 60 is_state "$first" PENDING || fail "not requeued"
	poll 60 has_limit "$first" 01:00:00 || fail "requeued with a limit of $(field "$first" TimeLimit)"
	[ "$(procs_of "$first")" = 16 ] || fail "requeued, it requests $(procs_of "$first")"
}

test_limit_is_bounded()
{
	local first second
	set_params "$params,lxfw_eq_max_stretch=2"
	first=$(submit --comment lxfw:adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	second=$(submit --comment lxfw:adaptive=1 -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$second" 8
	adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000' >/dev/null
	adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000' >/dev/null
	expect_procs "$second" 4
	expect_procs "$first" 4
	[ "$(limit_of "$second")" = 7200 ] || fail "it ends after $(limit_of "$second") s"
	# The job is killed at its limit, not before.
	scontrol update "jobid=$second" timelimit=1
	expect_procs "$first" 4
}

test_selection_of_adaptive_jobs()
{
	local job
	set_params "$params,lxfw_eq_partition=q:other"
	job=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$job" 16
	job=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_pending "$job" Resources
	scontrol update "jobid=$job" partition=q
	expect_pending "$job"
	job=$(adaptive -p q -w n2 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$job" 16
	job=$(adaptive -p q -w n2 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$job" 8
}

# A job on several nodes is rigid, or is held.
test_several_nodes()
{
	local job
	job=$(adaptive -N 2 -n 32 --mem 1000 -t 60 'sleep 1000')
	wait_state "$job" RUNNING
	expect_logged "JobId=$job is not adaptive: it requests several nodes"
	scancel "$job"
	set_params "$params,lxfw_eq_multi_node=refuse"
	job=$(adaptive -N 2 -n 32 --mem 1000 -t 60 'sleep 1000')
	poll 60 has_reason "$job" 'adaptive_job_runs_on_one_node' || fail "job $job waits for $(reason "$job")"
	[ "$(field "$job" Priority)" = 0 ] || fail "not held"
	scontrol update "jobid=$job" comment=none
	scontrol release "$job"
	wait_state "$job" RUNNING
}

# Jobs whose shares cannot change keep what they have.
test_jobs_that_stay_rigid()
{
	local gpu alone other
	gpu=$(adaptive -w n3 -c 16 --mem 1000 --gres gpu:1 -t 60 'sleep 1000')
	alone=$(adaptive -w n2 -c 8 --exclusive --mem 1000 -t 60 'sleep 1000')
	wait_state "$gpu" RUNNING
	wait_state "$alone" RUNNING
	expect_logged "JobId=$gpu is not adaptive: it requests GRES"
	expect_logged "JobId=$alone is not adaptive: it has an exclusive node"
	other=$(adaptive -w n3 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_pending "$other"
	expect_procs "$gpu" 16
}

# Since 24.05, a job's steps can be managed on its node, which is not informed of
# changes.
test_stepmgr()
{
	local first second
	sbatch --stepmgr --help >/dev/null 2>&1 || { echo "  (not before Slurm 24.05)"; exit 0; }
	first=$(adaptive --stepmgr -w n1 -c 16 --mem 1000 -t 60 -o out.%j 'srun -c 16 echo step; sleep 1000')
	expect_procs "$first" 16
	expect_logged "JobId=$first is not adaptive: its steps are managed on its node"
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	poll 60 grep -qx step "$run/work/out.$first" || fail "no step in the job with stepmgr"
	expect_pending "$second"
	expect_procs "$first" 16
	scancel "$first"
	expect_procs "$second" 16
}

# --mem-per-cpu is computed from the requested processors and does not change.
test_memory_stays()
{
	local first second
	first=$(adaptive -w n1 -c 16 --mem-per-cpu 400 -t 60 'sleep 1000')
	expect_procs "$first" 16
	second=$(adaptive -w n1 -c 16 --mem-per-cpu 400 -t 60 'sleep 1000')
	expect_procs "$second" 8
	expect_procs "$first" 8
	[[ $(tres_of "$first") = *mem=6400M* ]] || fail "first: $(tres_of "$first")"
	[[ $(tres_of "$second") = *mem=6400M* ]] || fail "second: $(tres_of "$second")"
	scontrol requeue "$second"
	poll 60 is_state "$second" PENDING || fail "not requeued"
	poll 60 has_field "$second" MinMemoryCPU 400M || fail "it requests other memory: $(scontrol -o show job "$second")"
}

# Tasks are separate jobs. The pending part of the array requests all processors.
test_array()
{
	local job
	job=$(adaptive --array=0-2 -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "${job}_0" 6
	expect_procs "${job}_1" 5
	expect_procs "${job}_2" 5
	scancel "${job}_1" "${job}_2"
	expect_procs "${job}_0" 16
}

# The cores of a suspended job are allocated to others. When it is resumed, no core is
# shared.
test_suspended()
{
	local first second
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 8
	expect_procs "$second" 8
	scontrol suspend "$first"
	expect_procs "$second" 16
	if is_guarded; then
		resume_refused "$first"
		expect_procs "$second" 16
		scancel "$second"
		poll 60 scontrol resume "$first" 2>/dev/null || fail "not resumed on free processors"
		expect_procs "$first" 16
		return
	fi
	scontrol resume "$first"
	expect_procs "$first" 8
	expect_procs "$second" 8
	scancel "$second"
	expect_procs "$first" 16
}

# Other jobs have its cores when it is resumed, and the number of jobs is the same.
test_resumed_on_other_cores()
{
	local first rigid
	first=$(submit --comment lxfw:adaptive -w n1 -c 8 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 8
	scontrol suspend "$first"
	rigid=$(submit -w n1 -n 8 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$rigid" 8
	[ "$(cores_of "$first" | head -n 1)" = "$(cores_of "$rigid" | head -n 1)" ] ||
		fail "they have cores $(cores_of "$first" | xargs) and $(cores_of "$rigid" | xargs)"
	if is_guarded; then
		resume_refused "$first"
		scancel "$rigid"
		poll 60 scontrol resume "$first" 2>/dev/null || fail "not resumed on free processors"
		expect_procs "$first" 8
		return
	fi
	scontrol resume "$first"
	expect_procs "$first" 8
	expect_logged 'node n1 had cores allocated twice: corrected'
	scancel "$rigid"
	expect_procs "$first" 8
	poll 60 node_has n1 8 || fail "node: $(scontrol -o show node n1 | grep -o 'CPUAlloc=[0-9]*')"
}

test_requeued()
{
	local first second
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 8
	expect_procs "$second" 8
	scontrol requeue "$second"
	expect_procs "$first" 16
	# Slurm delays the job by two minutes, but not forever.
	scontrol update "jobid=$second" starttime=now
	expect_procs "$second" 8
	expect_procs "$first" 8
}

# The node is drained and resumed. The jobs on it continue to share it.
test_drained()
{
	local first second
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 8
	expect_procs "$second" 8
	scontrol update nodename=n1 state=drain reason=test
	scontrol update nodename=n1 state=resume
	scancel "$second"
	expect_procs "$first" 16
}

# After a reconfiguration, the model reads the running jobs again.
test_reconfigured()
{
	local first second before=$params
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	set_params "$(live_params lxfw_policy=lxfw)"
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_pending "$second" 'Resources|ReqNodeNotAvail'
	set_params "$before"
	expect_procs "$second" 8
	expect_procs "$first" 8
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" || fail "slurmctld does not restart"
	expect_procs "$first" 8
	scancel "$second"
	expect_procs "$first" 16
}

# Accounting cannot represent two changes of a job in one second.
test_interval_is_checked()
{
	"$cluster" conf "$run" --params "$(live_params lxfw_policy=eqspatial,lxfw_eq_min_interval=1)"
	reconfigure
	expect_logged 'lxfw_eq_min_interval: expected 2 or more'
	"$cluster" conf "$run" --params "$params"
}

live_selectors two_share beside_rigid_jobs suspended resumed_on_other_cores -- "$@"
# shellcheck disable=SC2034
live_policy=$shares_policy
live_main "$@" -- --nodes 3 --cpus 16 --memory 16000 \
	--node 'n1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1' \
	--conf GresTypes=gpu --conf PrologFlags=contain \
	--gres 'NodeName=n3 Name=gpu File=/dev/null' --gres 'NodeName=n3 Name=gpu File=/dev/zero' \
	--node 'n3 Gres=gpu:2' \
	--partition 'p Nodes=ALL Default=YES MaxTime=INFINITE State=UP' \
	--partition 'q Nodes=ALL MaxTime=INFINITE State=UP'
