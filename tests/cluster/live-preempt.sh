#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Preemption (PreemptType) by partition and by QOS, with requeueing, cancelling and gang
# scheduling, exempt and grace times. The jobs that are preempted are those that Slurm's own
# scheduler preempts (live-preempt.outcomes; it is asked with LXFW_SLOW=1). Also preemption
# together with immediate service.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/accounts.sh
. "$(dirname "$0")/accounts.sh"

for program in slurmdbd mariadbd mariadb-install-db sacctmgr; do
	PATH=$PATH:/usr/sbin type -P $program >/dev/null || skip "$program is not installed"
done

if [ -z "${LXFW_SCHEDULER-}" ]; then
	live_outcomes 3 "$@"
fi

# A preemptor starts within this many seconds after those before it have ended. It takes a
# second or two, but the machine may be busy; a pass without a cause is made every 30 s.
soon=25
# Slurm looks every 30 s for jobs whose grace time has ended.
late=60

# note_jobs JOB...: what has become of these jobs, in one query, since a job may be in this
# state for some seconds only. A job that was requeued is pending, whether or not it is still
# being cleaned up; a job that was cancelled has ended.
note_jobs()
{
	local text
	text=$(scontrol -o show job | awk -v jobs="$*" '
		{
			for (i = 1; i <= NF; i++)
				if ((at = index($i, "=")))
					value[substr($i, 1, at - 1)] = substr($i, at + 1)
			state = value["JobState"] == "COMPLETING" ? "PREEMPTED" : value["JobState"]
			if (state == "PREEMPTED" && value["Restarts"] > 0)
				state = "PENDING"
			line[value["JobId"]] = " " value["JobName"] " " state " " value["Restarts"] ","
		}
		END {
			count = split(jobs, job, " ")
			for (i = 1; i <= count; i++)
				printf "%s", job[i] in line ? line[job[i]] : " " job[i] " unknown,"
		}')
	text=${text# }
	outcome "${text%,}"
}

later_than()
{
	(($(date +%s) > $1))
}

# job NAME OPTIONS...: submit a job that runs for a long time, and print its id.
job()
{
	submit -J "$1" -t 60 "${@:2}" 'sleep 1000'
}

# running NAME OPTIONS...: the same; it runs, and no other job starts in its second.
running()
{
	local id
	id=$(job "$@") || exit 1
	wait_state "$id" RUNNING
	poll 60 later_than "$(started "$id")" || fail "the clock stands still"
	echo "$id"
}

# expect_soon JOB [SECOND]: it starts soon after its submission, and SECOND if that is later,
# and not before.
expect_soon()
{
	local since start
	wait_start "$1" 150
	since=$(submitted "$1")
	((${2:-0} <= since)) || since=$2
	start=$(started "$1")
	((start - since <= soon)) || fail "job $1 started after $((start - since)) s"
	((start >= since)) || fail "job $1 started $((since - start)) s too early"
}

# partition NAME KEY=VALUE...
partition()
{
	scontrol update "partition=$1" "${@:2}" || fail "partition $*"
}

# fill PARTITION: a job on each of the four nodes. Sets jobs.
fill()
{
	local node id
	jobs=()
	for node in 1 2 3 4; do
		id=$(running "v$node" -p "$1" -N1 --exclusive -w "n$node" "${@:2}") || exit 1
		jobs+=("$id")
	done
}

#
# partitions, requeued
#
test_requeue()
{
	local old one
	fill low
	old=$(job old -p low -N1 --exclusive)
	one=$(job one -p high -N1 --exclusive)
	expect_soon "$one"
	note_jobs "${jobs[@]}" "$old" "$one"
	# The preempted job does not end again, and nothing else does.
	scancel "$old"
	one=$(job two -p high -N1 --exclusive)
	expect_soon "$one"
	note_jobs "${jobs[@]}" "$one"
}

# Jobs on fewer nodes are preempted first, then those of a lower tier.
test_order()
{
	local a b c one two
	a=$(running a -p mid -N1 --exclusive -w n1)
	b=$(running b -p low -N2 --exclusive -w n2,n3)
	c=$(running c -p low -N1 --exclusive -w n4)
	one=$(job one -p high -N1 --exclusive)
	expect_soon "$one"
	note_jobs "$a" "$b" "$c" "$one"
	two=$(job two -p high -N1 --exclusive)
	expect_soon "$two"
	note_jobs "$a" "$b" "$c" "$one" "$two"
}

# Parts of nodes: no more jobs are preempted than necessary.
test_parts()
{
	local small=() i one id
	for i in 1 2 3 4 5 6; do
		id=$(running "s$i" -p low -n1 -w "n$(((i + 1) / 2))") || exit 1
		small+=("$id")
	done
	id=$(running wide -p low -n10 -N4) || exit 1
	one=$(job one -p high -n3 -N1)
	expect_soon "$one"
	note_jobs "${small[@]}" "$id" "$one"
}

test_several_nodes()
{
	local one
	fill low
	one=$(job one -p high -N3 --exclusive)
	expect_soon "$one"
	note_jobs "${jobs[@]}" "$one"
}

test_several_preemptors()
{
	local one two three
	fill low
	one=$(job one -p high -N1 --exclusive)
	two=$(job two -p high -N2 --exclusive)
	three=$(job three -p mid -N1 --exclusive)
	expect_soon "$one"
	expect_soon "$two"
	expect_soon "$three"
	note_jobs "${jobs[@]}" "$one" "$two" "$three"
}

test_array()
{
	local array
	fill low
	array=$(job array -p high -N1 --exclusive --array=1-3)
	poll 60 three_run "$array" || fail "$(squeue -h -r -j "$array" | xargs)"
	# Slurm's own scheduler sometimes preempts the fourth job, too.
	lxfw_only
	[ "$(squeue -h -t R -p low | wc -l)" = 1 ] || fail "more jobs are preempted than necessary"
}

three_run()
{
	[ "$(squeue -h -r -t R -j "$1" | wc -l)" = 3 ]
}

# A middle tier preempts the lower and is preempted by the higher; none preempts its own.
test_tiers()
{
	local one two three
	fill low
	one=$(job one -p mid -N4 --exclusive)
	expect_soon "$one"
	note_jobs "${jobs[@]}" "$one"
	two=$(job two -p mid -N4 --exclusive)
	three=$(job three -p high -N1 --exclusive)
	expect_soon "$three"
	expect_pending "$two"
	note_jobs "${jobs[@]}" "$one" "$two" "$three"
}

# The partition's PreemptMode
test_modes()
{
	local one two since
	fill low
	partition low preemptmode=cancel
	one=$(job one -p high -N1 --exclusive)
	expect_soon "$one"
	note_jobs "${jobs[@]}" "$one"
	partition low preemptmode=off
	two=$(job two -p high -N1 --exclusive)
	poll 60 has_reason "$two" 'Resources|Priority' || fail "$two is $(reason "$two")"
	note_jobs "${jobs[@]}" "$one" "$two"
	since=$(date +%s)
	partition low preemptmode=requeue
	expect_soon "$two" "$since"
	note_jobs "${jobs[@]}" "$one" "$two"
}

# Jobs that cannot be requeued are cancelled.
test_no_requeue()
{
	local one
	fill low --no-requeue
	one=$(job one -p high -N1 --exclusive)
	expect_soon "$one"
	note_jobs "${jobs[@]}" "$one"
}

# one_preempted JOB...: true if one of them has been given notice. Set since to the second.
one_preempted()
{
	since=$(scontrol -o show job | sed -n 's/^JobId=\([0-9]*\) .* PreemptTime=\([0-9][0-9]*\) .*/\1 \2/p' |
		awk -v jobs=" $* " 'index(jobs, " " $1 " ") { print $2; exit }')
	[ -n "$since" ]
}

# The preempted job continues to the end of its grace time, and no other job gets its
# node then.
test_grace()
{
	local old one since
	fill low
	partition low gracetime=10
	old=$(job old -p low -N1 --exclusive)
	one=$(job one -p high -N1 --exclusive)
	poll 60 one_preempted "${jobs[@]}" || fail "no job has been given notice"
	note_jobs "${jobs[@]}" "$old" "$one"
	soon=$late expect_soon "$one" "$((since + 10))"
	note_jobs "${jobs[@]}" "$old" "$one"
	partition low gracetime=0
}

# A job of two partitions preempts in the one that may.
test_two_partitions()
{
	local one
	fill low
	one=$(job one -p low,high -N1 --exclusive)
	expect_soon "$one"
	note_jobs "${jobs[@]}" "$one"
	outcome "in $(field "$one" Partition)"
}

# The requeued job runs again.
test_runs_again()
{
	local one victim
	rm -f "$run/work/go"
	victim=$(submit -J victim -p low -N4 --exclusive -t 5 'until [ -e go ]; do sleep 0.1; done')
	wait_state "$victim" RUNNING
	one=$(submit -J one -p high -N1 --exclusive -t 5 'sleep 1')
	expect_soon "$one"
	wait_state "$one" COMPLETED
	touch "$run/work/go"
	scontrol update "jobid=$victim" starttime=now || fail "no update"
	wait_state "$victim" COMPLETED 150
	note_jobs "$victim" "$one"
}

#
# other configurations, each of which requires a restart
#
configure()
{
	start_anew --conf "PreemptExemptTime=${exempt:--1}" "$@"
}

test_exempt_time()
{
	local one job least=
	exempt=00:00:20 configure
	fill low
	one=$(job one -p high -N1 --exclusive)
	for job in "${jobs[@]}"; do
		[ -n "$least" ] && (($(started "$job") >= least)) || least=$(started "$job")
	done
	expect_soon "$one" "$((least + 20))"
	note_jobs "${jobs[@]}" "$one"
	configure
}

test_youngest_first()
{
	local one two
	start_anew --params "$params,preempt_youngest_first"
	fill low
	one=$(job one -p high -N1 --exclusive)
	expect_soon "$one"
	note_jobs "${jobs[@]}" "$one"
	two=$(job two -p high -N2 --exclusive)
	expect_soon "$two"
	note_jobs "${jobs[@]}" "$one" "$two"
	start_anew --params "$params"
}

test_strict_order()
{
	local one
	start_anew --params "$params,preempt_strict_order,preempt_reorder_count=2"
	fill low
	scancel "${jobs[0]}" "${jobs[2]}"
	wait_state "${jobs[0]}" CANCELLED
	wait_state "${jobs[2]}" CANCELLED
	jobs[0]=$(running w1 -p low -n3 -w n1) || exit 1
	jobs[2]=$(running w3 -p low -n1 -w n3) || exit 1
	one=$(job one -p high -N2 -n6)
	expect_soon "$one"
	note_jobs "${jobs[@]}" "$one"
	start_anew --params "$params"
}

#
# QOS
#
knows_qos()
{
	scontrol show assoc_mgr flags=qos | grep -q 'QOS=spared' &&
		scontrol show assoc_mgr flags=assoc | grep -q "Account=work UserName=$(id -un)"
}

# Slurm shows neither which QOS preempt which nor their grace times. It reads them when it
# starts.
use_qos()
{
	manage add qos scavenger
	manage add qos urgent
	manage add qos spared
	manage modify qos urgent set preempt=scavenger,normal,spared
	manage modify qos normal set preempt=scavenger
	manage modify qos spared set preemptexempttime=00:10:00
	manage add account work
	manage add user "$(id -un)" account=work
	manage modify user "$(id -un)" where account=work set qos=normal,urgent,scavenger,spared
	configure --conf PreemptType=preempt/qos "$@"
	poll 60 knows_qos || fail "the controller does not know the QOS"
}

test_qos()
{
	local a b c d old one two three
	use_qos
	a=$(running a -A work -q normal -p any -N1 --exclusive -w n1)
	b=$(running b -A work -q scavenger -p any -N1 --exclusive -w n2)
	c=$(running c -A work -q urgent -p any -N1 --exclusive -w n3)
	d=$(running d -A work -q spared -p any -N1 --exclusive -w n4)
	old=$(job old -A work -q scavenger -p any -N1 --exclusive)
	one=$(job one -A work -q urgent -p any -N1 --exclusive)
	expect_soon "$one"
	note_jobs "$a" "$b" "$c" "$d" "$old" "$one"
	two=$(job two -A work -q urgent -p any -N1 --exclusive)
	expect_soon "$two"
	# One job is exempt for ten minutes, and a QOS does not preempt itself.
	three=$(job three -A work -q urgent -p any -N1 --exclusive)
	poll 60 has_reason "$three" 'Resources|Priority' || fail "$three is $(reason "$three")"
	note_jobs "$a" "$b" "$c" "$d" "$old" "$one" "$two" "$three"
	configure --conf PreemptType=preempt/partition_prio
}

test_qos_modes()
{
	local a b one since
	manage add qos scavenger
	manage modify qos scavenger set preemptmode=cancel gracetime=8
	use_qos
	a=$(running a -A work -q scavenger -p any -N2 --exclusive)
	b=$(running b -A work -q normal -p any -N2 --exclusive)
	one=$(job one -A work -q urgent -p any -N1 --exclusive)
	poll 60 one_preempted "$a" || fail "the job has not been given notice"
	soon=$late expect_soon "$one" "$((since + 8))"
	note_jobs "$a" "$b" "$one"
	manage modify qos scavenger set preemptmode=requeue gracetime=0
	configure --conf PreemptType=preempt/partition_prio
}

#
# gang scheduling
#
test_gang()
{
	local a b one two old
	configure --conf PreemptMode=SUSPEND,GANG
	rm -f "$run/work/go" "$run/work/go.one"
	a=$(submit -J a -p low -N2 --exclusive --mem=1000 -t 5 'until [ -e go ]; do sleep 0.1; done')
	b=$(submit -J b -p low -N2 --exclusive --mem=1000 -t 5 'until [ -e go ]; do sleep 0.1; done')
	wait_state "$a" RUNNING
	wait_state "$b" RUNNING
	old=$(job old -p low -N1 --exclusive --mem=1000)
	one=$(submit -J one -p high -N3 --exclusive --mem=1000 -t 5 'until [ -e go.one ]; do sleep 0.1; done')
	expect_soon "$one"
	wait_state "$a" SUSPENDED
	wait_state "$b" SUSPENDED
	note_jobs "$a" "$b" "$old" "$one"
	# One node is idle, but a suspended job has it.
	two=$(submit -J two -p high -N1 --exclusive --mem=1000 -t 5 'sleep 1')
	expect_soon "$two"
	wait_state "$two" COMPLETED
	touch "$run/work/go.one"
	wait_state "$one" COMPLETED
	wait_state "$a" RUNNING
	wait_state "$b" RUNNING
	touch "$run/work/go"
	wait_state "$a" COMPLETED
	wait_state "$b" COMPLETED
	note_jobs "$a" "$b" "$one" "$two"
	configure --conf PreemptMode=REQUEUE
}

# Gang scheduling of one partition, requeueing in another
test_gang_and_requeue()
{
	local a b one
	configure --conf PreemptMode=SUSPEND,GANG
	partition low preemptmode=requeue
	a=$(running a -p low -N2 --exclusive --mem=1000)
	b=$(running b -p mid -N2 --exclusive --mem=1000)
	one=$(job one -p high -N3 --exclusive --mem=1000)
	expect_soon "$one"
	wait_state "$b" SUSPENDED
	wait_state "$a" PENDING
	note_jobs "$a" "$b" "$one"
	configure --conf PreemptMode=REQUEUE
}

#
# immediate service
#
quantum_params()
{
	live_params "lxfw_policy=lxfw,lxfw_quantum=60,lxfw_quantum_mem=64000,lxfw_quantum_min_run=2"
}

none_suspended()
{
	[ -z "$(squeue -h -t S -o %i)" ]
}

# A preemptor gets no quantum but starts to run to its end.
test_quantum_preemptor()
{
	local one
	lxfw_only
	set_params "$(quantum_params)"
	fill low --mem=1000
	one=$(job one -p high -N1 --exclusive --mem=1000)
	expect_soon "$one"
	[ -z "$(squeue -h -t S -o %i)" ] || fail "suspended: $(squeue -h -t S | xargs)"
	wait_state "${jobs[0]}" PENDING
	expect_logged "JobId=$one preempts running jobs"
}

# A job in its quantum, and the one suspended for it, are preempted.
test_quantum_preempted()
{
	local victim served one
	lxfw_only
	set_params "$(quantum_params)"
	victim=$(running victim -p low -N4 -n16 --mem=1000)
	served=$(job served -p low -N4 -n16 --mem=1000)
	wait_state "$victim" SUSPENDED
	wait_state "$served" RUNNING
	one=$(submit -J one -p high -N4 -n16 --mem=1000 -t 5 'sleep 2')
	wait_state "$one" COMPLETED 150
	poll 60 none_suspended || fail "suspended: $(squeue -h -t S | xargs)"
	scontrol update "jobid=$victim" starttime=now 2>/dev/null
	wait_state "$victim" 'RUNNING SUSPENDED' 150
}

# With GANG, no job gets a quantum.
test_quantum_gang()
{
	local victim other one
	lxfw_only
	start_anew --conf PreemptMode=SUSPEND,GANG --params "$(quantum_params)"
	expect_logged 'no job gets a quantum \(lxfw_quantum\): PreemptMode=GANG'
	victim=$(running victim -p low -N4 --exclusive --mem=1000)
	other=$(job other -p low -N4 --exclusive --mem=1000)
	rm -f "$run/work/go"
	one=$(submit -J one -p high -N4 --exclusive --mem=1000 -t 5 'until [ -e go ]; do sleep 0.1; done')
	wait_state "$victim" SUSPENDED
	touch "$run/work/go"
	wait_state "$one" COMPLETED
	wait_state "$victim" RUNNING
	expect_pending "$other"
	[ "$(times_logged 'no job gets a quantum')" = 1 ] || fail "it is logged more than once"
	start_anew --conf PreemptMode=REQUEUE --params "$params"
}

live_main "$@" -- --accounting --nodes 4 --cpus 4 \
	--conf PreemptType=preempt/partition_prio --conf PreemptMode=REQUEUE \
	--partition 'any Nodes=ALL Default=YES MaxTime=INFINITE State=UP' \
	--partition 'low Nodes=ALL MaxTime=INFINITE PriorityTier=1 State=UP' \
	--partition 'mid Nodes=ALL MaxTime=INFINITE PriorityTier=2 State=UP' \
	--partition 'high Nodes=ALL MaxTime=INFINITE PriorityTier=3 State=UP'
