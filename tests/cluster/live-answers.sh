#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What one command without options says to an ordinary user, on a Slurm that schedules by
# itself: starts that `lxfw predict` expects and the causes that `lxfw why` names, compared with
# what Slurm states, and with the jobs that start when these causes end.

LXFW_SCHEDULER=backfill
export LXFW_SCHEDULER
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/user.sh
. "$(dirname "$0")/user.sh"

#
# The jobs. Their names are variables of job ids.
#
sleeps='sleep 3600'

# run_now OPTIONS...: submit a job that starts at once.
run_now()
{
	local id
	id=$(submit "$@" "$sleeps") || exit 1
	wait_state "$id" RUNNING
	echo "$id"
}

# Nodes n1 to n4 are in partition p, n5 to n7 in q, n8 in r, and n9 in s. n7 is drained. Those from n10
# on are for the tests that need them.
make_jobs()
{
	local from
	scontrol update nodename=n7 state=drain reason=test || fail "n7 is not drained"
	from=$(($(date +%s) + 1800))
	scontrol create reservation reservationname=later users=daemon nodes=n8 duration=60 \
		"starttime=$(date -d "@$from" +%FT%T)" >/dev/null || fail "no reservation"
	reserved_until=$((from + 3600))
	pair=$(run_now -p p -w 'n[1-2]' -N2 --exclusive -t 10) || exit 1
	licensed=$(run_now -p p -w n3 -n2 -L lic:2 -t 20) || exit 1
	gpus=$(run_now -p p -w n4 -n1 --gres=gpu:2 -t 30) || exit 1
	filled=$(run_now -p q -w n6 -N1 -n4 -t 15) || exit 1
	run_now -p s -n1 -t 10 >/dev/null || exit 1
	tasks=$(submit -p q -w n5 -n1 --array=1-3%1 -t 25 "$sleeps") || exit 1
	poll 60 task_runs 1 || fail "no task runs: $(squeue)"
	wide=$(submit -p p -N3 --exclusive -t 30 "$sleeps") || exit 1
	gpu=$(submit -p p -n1 --gres=gpu:1 -t 5 "$sleeps") || exit 1
	license=$(submit -p p -n1 -L lic:1 -t 5 "$sleeps") || exit 1
	excluding=$(submit -p q -n1 -x n5 -t 5 "$sleeps") || exit 1
	whole=$(submit -p q -N1 --exclusive -t 30 "$sleeps") || exit 1
	both=$(submit -p p,q -N1 -n4 -t 60 "$sleeps") || exit 1
	behind=$(submit -p r -n1 -t 60 "$sleeps") || exit 1
	held=$(submit -p p -H -n1 -t 5 "$sleeps") || exit 1
	after=$(submit -p r -n1 -t 5 -d "afterany:$filled" "$sleeps") || exit 1
	begins=$(submit -p r -n1 -t 5 --begin=now+2hours "$sleeps") || exit 1
	waiting=("$wide" "$gpu" "$license" "$excluding" "$whole" "$both" "$behind")
}

# task_runs TASK: of the array
task_runs()
{
	squeue -h -r -t R -o %i | grep -qx "${tasks}_$1"
}

# Slurm's scheduler has considered all jobs.
all_considered()
{
	local job
	for job in "${waiting[@]}"; do
		[ -n "$(slurms_start "$job")" ] || [ "$job" = "$license" ] || return 1
	done
}

# Print the start that Slurm expects of a job if all run to their time limits.
slurms_start()
{
	squeue -h --start -j "$1" -o %S | grep -x '[0-9]*'
}

#
# Answers.
#
# answer NAME ARGUMENTS...: the output of the command in $run/work/NAME. `took` has its time.
answer()
{
	local name=$1 status=0 begin=${EPOCHREALTIME//[.,]/}
	shift
	as_nobody "$@" >"$run/work/$name" 2>"$run/work/$name.messages" || status=$?
	took=$(((${EPOCHREALTIME//[.,]/} - begin) / 10000))
	printf -v took '%d.%02d s' $((took / 100)) $((took % 100))
	[ "$status" = 0 ] || fail "lxfw $*: status $status: $(cat "$run/work/$name.messages")"
}

# expected JOB: the start in the answer of `lxfw predict`, in seconds
expected()
{
	local text
	# A line of text may begin with the number.
	text=$(awk -v job="$1" '$1 == job && $2 ~ /T/ { print $2 }' "$run/work/predict")
	[[ $text = *-*T* ]] || fail "job $1 is not predicted: $(cat "$run/work/predict"*)"
	date -d "$text" +%s
}

# near JOB LEAST MOST: it is expected that many seconds from now.
near()
{
	local wait
	wait=$(($(expected "$1") - looked)) || exit 1
	((wait >= $2 && wait <= $3)) ||
		fail "job $1 is expected in $wait s, not in $2 to $3 s: $(cat "$run/work/predict")"
}

# waits JOB: it is expected to start some time from now, and at the latest when Slurm states, which
# takes limits as run times.
waits()
{
	local start
	start=$(slurms_start "$1")
	near "$1" 30 $((${start:-$((looked + 7200))} - looked + 120))
}

# says JOB PATTERN...: `lxfw why` says this of the job.
says()
{
	local job=$1 pattern
	answer why why "$job"
	shift
	for pattern in "$@"; do
		grep -qE -e "$pattern" "$run/work/why" || fail "no '$pattern' of job $job: $(cat "$run/work/why"*)"
	done
}

# shows JOB PATTERN: `lxfw queue` has this line.
shows()
{
	grep -qE -e " $1 .*$2" "$run/work/queue" || fail "no $2 of job $1: $(cat "$run/work/queue"*)"
}

# requests OPTIONS LEAST MOST: when such a job would start, in seconds from now
requests()
{
	local text wait
	answer request predict --request "$1"
	text=$(awk '$1 == "-n" || $1 == "-N" { for (i = 1; i <= NF; i++) if ($i ~ /^2.*-.*T/) { print $i; exit } }' \
		"$run/work/request")
	[ -n "$text" ] || fail "no start of '$1': $(cat "$run/work/request"*)"
	wait=$(($(date -d "$text" +%s) - $(date +%s)))
	((wait >= $2 && wait <= $3)) ||
		fail "'$1' is expected in $wait s, not in $2 to $3: $(cat "$run/work/request")"
}

test_answers()
{
	local job
	make_jobs
	# A node is drained, and licenses are no host.
	! as_nobody predict --request '-n 64 -t 4:00:00 --gpus 4' >"$run/work/text" 2>&1 ||
		fail "more processors than there are: $(cat "$run/work/text")"
	grep -q 'fits nowhere.* 44 processors on 11 hosts' "$run/work/text" ||
		fail "the machine: $(xargs <"$run/work/text")"
	poll 90 all_considered || fail "Slurm expects no start: $(squeue --start)"
	looked=$(date +%s)
	answer predict predict
	times="predict $took"
	grep -q ': 44 processors, 6 jobs run, 9 wait$' "$run/work/predict" || fail "$(cat "$run/work/predict")"
	for job in "$wide" "$gpu" "$license" "$excluding" "$whole" "$both"; do
		waits "$job"
	done
	# An idle node, which has a reservation before the job would end.
	near "$behind" $((reserved_until - looked - 60)) $((reserved_until - looked + 60))
	# One task after the other, of which each has 25 minutes at the most.
	near "${tasks}_2" 30 1620
	near "${tasks}_3" $(($(expected "${tasks}_2") - looked + 30)) 3120
	for job in "$held" "$after" "$begins"; do
		! grep -q "^$job " "$run/work/predict" || fail "job $job: $(cat "$run/work/predict")"
	done
	grep -q 'not predicted: 3 jobs that are not eligible, 0 that' "$run/work/predict.messages" ||
		fail "$(cat "$run/work/predict.messages")"
	answer one predict "$wide"
	times+=", predict JOB $took"
	[ "$(awk -v job="$wide" '$1 == job { print $2 }' "$run/work/one")" != '' ] || fail "$(cat "$run/work/one")"
	! as_nobody predict "$held" >"$run/work/one" 2>&1 && grep -q 'held_by_user' "$run/work/one" ||
		fail "a held job: $(cat "$run/work/one")"
	# Jobs that might be submitted: at once beside the task of n5, but not on a whole node; before the
	# reservation, and after it.
	requests '-p q -n 2 -t 5' -60 30
	requests '-p q -N 1 -n 4 -t 5' 30 5400
	requests '-p r -n 1 -t 20' -60 30
	requests '-p r -n 1 -t 1:00:00' $((reserved_until - $(date +%s) - 90)) $((reserved_until - looked + 3700))
	requests '-n 4 -t 1:00:00' 30 7200
	requests '-p r,q -n 1 -t 20' -60 30
	# Jobs that request no memory have 40 of 64 GB in this partition.
	requests '-p s -n 1 -t 5' 30 700
	requests '-p s -n 1 -t 5 --mem 1G' -60 30
	times+=", predict --request $took"
	answer queue queue
	times+=", queue $took"
	for job in "${waiting[@]}" "${tasks}_2"; do
		shows "$job" '[0-9]:[0-9]'
	done
	shows "$held" 'its user holds it'
	shows "$after" 'depends on other jobs|other jobs'
	shows "$begins" 'begin'
	answer status status
	times+=", status $took"
	grep -q '6 jobs run, 9 wait, 3 are not predicted' "$run/work/status" || fail "$(cat "$run/work/status")"
	answer why why "$wide"
	echo "  $times, why JOB $took"
}

# The causes that are named are those: when they end, the jobs start.
test_causes()
{
	make_jobs
	poll 90 all_considered || fail "Slurm expects no start: $(squeue --start)"
	says "$wide" "job $pair," "job $licensed,"
	says "$gpu" "job $gpus,"
	says "$license" 'waits for license lic: 2 of 2 are in use' "job $licensed,.* 2 of license lic"
	says "$excluding" "job $filled,"
	says "$behind" 'waits for the end of an advance reservation'
	says "${tasks}_2" 'waits for the tasks of its array that may run at once: 1 of 1' "job ${tasks}_1,"
	says "$held" 'holds it'
	says "$after" 'other jobs|depend' "^Slurm says: Dependency, afterany:$filled"
	says "$begins" 'begin'
	scancel "$gpus"
	wait_state "$gpu" RUNNING
	scancel "$filled"
	wait_state "$excluding" RUNNING
	wait_state "$after" RUNNING
	expect_pending "$wide"
	expect_pending "$license"
	scancel "${tasks}_1"
	poll 60 task_runs 2 || fail "no task runs: $(squeue)"
	! task_runs 3 || fail "two tasks run: $(squeue)"
	scancel "$licensed"
	wait_state "$license" RUNNING
	expect_pending "$wide"
	scancel "$pair" "$license"
	wait_state "$wide" RUNNING
}

# submit_as_nobody OPTIONS...: a job of another user than root
submit_as_nobody()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups sbatch --parsable -D /tmp -o /dev/null "$@" \
		--wrap "$sleeps" || fail "nobody's job is refused"
}

has_reason()
{
	local reason
	reason=$(squeue -h -j "$1" -o %r)
	# Without accounting, 23.11 and 24.05 say these of every job that waits for something.
	[ "$reason" = "$2" ] || [ "$reason" = InvalidAccount ] || [ "$reason" = None ]
}

# The answers do not say that a job can start, which Slurm does not start.
is_not_ready()
{
	! grep -q 'There is room' "$run/work/why" || fail "job $1: $(cat "$run/work/why")"
	looked=$(date +%s)
	answer predict predict "$1"
	near "$1" "$2" "$3"
}

# A node whose jobs are all of one user, licenses of a reservation, and processors of a partition.
test_room_for_others()
{
	local own other alone license whole few more
	scontrol create reservation reservationname=keep users=daemon licenses=lic:2 flags=license_only \
		starttime=now duration=30 >/dev/null || fail "no reservation of licenses"
	license=$(submit -p r -n1 -L lic:1 -t 5 "$sleeps") || exit 1
	few=$(run_now -p few -n2 -t 10) || exit 1
	whole=$(run_now -p all -n1 -t 20) || exit 1
	more=$(submit -p few -n1 -t 5 "$sleeps") || exit 1
	poll 60 has_reason "$license" Licenses || fail "no wait for licenses: $(squeue)"
	says "$license" 'starts in (29|30):'
	is_not_ready "$license" 1200 1860
	says "$more" "job $few, 2 processors" 'of those that partition few may use on a host'
	! grep -q "job $whole" "$run/work/why" || fail "a job of another partition: $(cat "$run/work/why")"
	is_not_ready "$more" 30 660
	scancel "$whole"
	scontrol delete reservationname=keep || fail "the reservation stays"
	wait_state "$license" RUNNING
	expect_pending "$more"
	scancel "$few"
	wait_state "$more" RUNNING
	[ "$(id -u)" = 0 ] || return 0
	own=$(run_now -p u -n1 -t 10) || exit 1
	other=$(submit_as_nobody -p u -n1 -t 5) || exit 1
	alone=$(submit_as_nobody -p u -n4 -t 5) || exit 1
	poll 60 has_reason "$other" Resources || fail "no wait for the node of a user: $(squeue)"
	says "$other" 'it shares hosts with other jobs of its user only'
	! grep -q 'There is room' "$run/work/why" || fail "$(cat "$run/work/why")"
	says "$alone" "job $own,"
	is_not_ready "$alone" 30 660
	scancel "$other"
	expect_pending "$alone"
	scancel "$own"
	wait_state "$alone" RUNNING
	scancel "$alone"
}

# Requests that Slurm takes, and does not start.
test_what_slurm_says()
{
	local memory procs
	# Later releases refuse them.
	sbatch -p m -D /tmp -o /dev/null -n1 --mem=999999999 -t 5 --wrap true >/dev/null 2>&1 || return 0
	memory=$(submit -p m -n1 --mem=999999999 -t 5 "$sleeps") || exit 1
	procs=$(submit -p m -n1 -c 60000 -t 5 "$sleeps") || exit 1
	poll 60 has_reason "$memory" MaxMemPerLimit || fail "memory: $(squeue)"
	poll 60 has_reason "$procs" PartitionConfig || fail "processors: $(squeue)"
	says "$memory" 'requests more memory than its partition' '^Slurm says: MaxMemPerLimit\. Less memory'
	says "$procs" 'does not have, or does not permit' '^Slurm says: PartitionConfig\. '
}

# Tasks of an array that are held, or were changed, are not as the others.
test_tasks_apart()
{
	local array
	run_now -p q -w n5 -N1 -n4 -t 20 >/dev/null || exit 1
	array=$(submit -p q -w n5 -n4 --array=1-4 -t 25 "$sleeps") || exit 1
	scontrol hold "${array}_1" || fail "a task is not held"
	scontrol update "jobid=${array}_3" timelimit=5 || fail "a task is not changed"
	# Releases from 23.02 on do not say which of the tasks is held.
	if SQUEUE_ARRAY_UNIQUE=1 squeue -h -o %r -j "$array" | grep -q ,; then
		says "${array}_2" '^Slurm says: .*,.* These are the reasons of several tasks'
		return
	fi
	says "${array}_1" 'holds it'
	says "${array}_2" 'It waits for the end of 1 running job' 'It requests 4 processors on 1 host, .* for 25:00'
	says "${array}_3" 'It requests 4 processors on 1 host, .* for 5:00'
	looked=$(date +%s)
	answer predict predict
	near "${array}_2" 30 1260
	! grep -q "^${array}_1 " "$run/work/predict" || fail "a task that is held: $(cat "$run/work/predict")"
}

is_powered()
{
	[[ $(scontrol -o show node n11) = *State=*$1* ]]
}

# planned JOB...: Slurm plans them.
planned()
{
	local job
	for job; do
		[ -n "$(slurms_start "$job")" ] || return 1
	done
}

# Slurm keeps whole nodes for a job that waits: one behind it that would fit beside it does not start.
test_whole_nodes()
{
	local wide behind node minutes=10
	for node in n4 n2 n1; do
		run_now -p p -w "$node" -N1 -n4 -t "$minutes" >/dev/null || exit 1
		minutes=$((minutes + 10))
	done
	wide=$(submit -p p -N2 -n2 --ntasks-per-node=1 -t 5 "$sleeps") || exit 1
	poll 60 has_reason "$wide" Resources || fail "no job waits: $(squeue)"
	behind=$(submit -p p -n1 -t 30 "$sleeps") || exit 1
	poll 90 planned "$wide" "$behind" || fail "Slurm expects no start: $(squeue --start)"
	looked=$(date +%s)
	answer predict predict
	waits "$wide"
	waits "$behind"
	says "$behind" 'There seems to be room for it, but Slurm plans its start in [0-9]+:'
	requests '-p p -n1 -t 30' 10 900
	requests '-p p -n1 -t 5' -5 5
	[ "$(squeue -h -j "$behind" -o %T)" = PENDING ] || fail "job $behind has started: $(squeue)"
}

# The node that is off, or boots, comes up.
restore_power()
{
	scancel -p off
	poll 150 none_unfinished
	scontrol update nodename=n11 state=power_up
	poll 60 is_powered POWERING_UP
	"$cluster" reboot-node "$run" n11
	"$cluster" wait-up "$run"
}

# A node that is off, and one that boots: it is expected when it is up, at the latest.
test_boots()
{
	local booting behind
	trap restore_power EXIT
	scontrol update nodename=n11 state=power_down || fail "n11 is not powered down"
	poll 60 is_powered POWERED_DOWN || fail "n11 is up: $(scontrol -o show node n11)"
	requests '-p off -n 1 -t 5' 540 660
	booting=$(submit -p off -N1 -n4 -t 10 "$sleeps") || exit 1
	behind=$(submit -p off -N1 -n4 -t 5 "$sleeps") || exit 1
	poll 60 is_powered POWERING_UP || fail "n11 does not boot: $(scontrol -o show node n11)"
	poll 60 has_reason "$behind" Resources || fail "no job waits: $(squeue)"
	says "$behind" "job $booting," 'It waits for the end of 1 running job'
	! grep -q 'no time' "$run/work/why" || fail "$(cat "$run/work/why")"
	is_not_ready "$behind" 60 1260
}

live_main "$@" -- --nodes 12 --cpus 4 --conf GresTypes=gpu --conf Licenses=lic:2 \
	--conf SuspendProgram=/bin/true --conf ResumeProgram=/bin/true --conf SuspendTime=100000 \
	--conf ResumeTimeout=600 --conf SuspendTimeout=5 --conf ReturnToService=2 \
	--node 'n4 Gres=gpu:2' --gres 'NodeName=n4 Name=gpu File=/dev/null' \
	--gres 'NodeName=n4 Name=gpu File=/dev/zero' \
	--partition 'p Nodes=n[1-4] Default=YES' --partition 'q Nodes=n[5-7]' --partition 'r Nodes=n8' \
	--partition 's Nodes=n9 DefMemPerNode=40000' --partition 'u Nodes=n10 ExclusiveUser=YES' \
	--partition 'off Nodes=n11' --partition 'few Nodes=n12 MaxCPUsPerNode=2' \
	--partition 'all Nodes=n12' --partition 'm Nodes=n12 MaxMemPerNode=4000'
