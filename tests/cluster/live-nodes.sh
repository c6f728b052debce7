#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes that fail and return, a controller that is killed, and a long queue.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

# A delayed job would wait for a node that the test returns later.
prompt=15

# Print the command of a job that runs until `touch "$run/work/go"`.
until_go()
{
	rm -f "$run/work/go"
	echo 'until [ -e go ]; do sleep 0.3; done'
}

test_drain_and_return()
{
	local waits other now
	scontrol update nodename=n1 state=drain reason=test
	waits=$(submit -w n1 -n 1 -t 1 'sleep 0')
	other=$(submit -n 1 -t 1 'sleep 0')
	expect_prompt "$other"
	[ "$(nodes_of "$other")" != n1 ] || fail "started on a drained node"
	expect_pending "$waits"
	scontrol update nodename=n1 state=resume
	now=$(date +%s)
	expect_prompt "$waits" "$now"
}

# The running job continues. No new job starts on the node.
test_drain_under_a_job()
{
	local busy waits
	busy=$(submit -w n1 -n 1 -t 5 "$(until_go)")
	wait_state "$busy" RUNNING
	scontrol update nodename=n1 state=drain reason=test
	waits=$(submit -w n1 -n 1 -t 1 'sleep 0')
	touch "$run/work/go"
	wait_done "$busy"
	expect_pending "$waits"
	scontrol update nodename=n1 state=resume
	wait_done "$waits"
}

# Slurm reported that the job's node was not available. When it is available again, the
# pending reason must be that the job waits for other jobs.
test_reason_when_a_node_is_back()
{
	local busy waits
	busy=$(submit -w n1 -n 16 -t 5 'sleep 300')
	wait_state "$busy" RUNNING
	scontrol update nodename=n1 state=drain reason=test
	waits=$(submit -w n1 -n 1 -t 1 'sleep 0')
	expect_pending "$waits" ReqNodeNotAvail
	scontrol update nodename=n1 state=resume
	poll 30 has_reason "$waits" 'Resources|Priority' || fail "it waits for $(reason "$waits")"
	scancel "$busy"
	wait_done "$waits"
}

# A job requests the whole machine while one node is drained. It must not delay other
# jobs, because the time at which the node returns is unknown.
test_waiting_for_a_drained_node()
{
	local whole other
	scontrol update nodename=n4 state=drain reason=test
	whole=$(submit -N 4 -n 64 -t 1 'sleep 1')
	other=$(submit -n 16 -t 10 'sleep 1')
	expect_prompt "$other"
	expect_pending "$whole"
	scontrol update nodename=n4 state=resume
	wait_done "$other" "$whole"
}

test_down_and_back()
{
	local lost waits now
	lost=$(submit -w n2 -n 1 -t 2 --no-requeue 'sleep 300')
	wait_state "$lost" RUNNING
	scontrol update nodename=n2 state=down reason=test
	wait_state "$lost" 'NODE_FAIL FAILED'
	waits=$(submit -w n2 -n 16 -t 1 'sleep 0')
	sleep_passes
	expect_pending "$waits"
	scontrol update nodename=n2 state=resume
	now=$(date +%s)
	wait_done "$waits"
	(($(started "$waits") - now <= prompt)) || fail "started late after the node came back"
}

# Wait for a complete pass: a short job has started and ended.
sleep_passes()
{
	wait_done "$(submit -w n3 -n 1 -t 1 'sleep 0')"
}

# A slurmd is killed and restarted without the job that it ran.
test_slurmd_killed()
{
	local job
	"$cluster" kill9-node "$run" n3
	job=$(submit -w n4 -n 1 -t 1 'sleep 1')
	expect_prompt "$job"
	"$cluster" start-node "$run" n3
	"$cluster" wait-up "$run" || fail "the node does not come back"
	job=$(submit -w n3 -n 1 -t 1 'sleep 1')
	wait_done "$job"
}

test_requeue()
{
	local job
	job=$(submit -n 64 -t 2 --requeue "echo run >>$run/work/requeued; sleep 300")
	wait_state "$job" RUNNING
	scontrol requeue "$job" || fail "not requeued"
	poll 20 is_state "$job" PENDING || fail "is $(state "$job")"
	# Slurm itself delays the requeued job by two minutes.
	expect_pending "$job"
	wait_done "$(submit -n 64 -t 1 'sleep 0')"
	scancel "$job"
}

test_controller_killed_and_restarted()
{
	local jobs=() i running waiting until
	until=$(until_go)
	for i in {1..4}; do
		jobs+=("$(submit -w "n$i" -n 16 -t 10 "$until")")
	done
	for i in "${jobs[@]}"; do
		wait_state "$i" RUNNING
	done
	for i in {5..24}; do
		jobs+=("$(submit -n 8 -t 1 "echo \$SLURM_JOB_ID >>$run/work/killed; sleep 1")")
	done
	jobs+=("$(submit -N 4 -n 64 -t 1 'sleep 1')")
	have_saved "${jobs[-1]}"
	"$cluster" kill9-ctld "$run"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start again"
	running=$(squeue -h -t running | wc -l)
	waiting=$(squeue -h -t pending | wc -l)
	((running + waiting == 25)) || fail "25 jobs, $running run and $waiting wait after the restart"
	touch "$run/work/go"
	wait_empty 200
	for i in "${jobs[@]}"; do
		[ "$(state "$i")" = COMPLETED ] || fail "job $i is $(state "$i")"
	done
	[ "$(sort -u "$run/work/killed" | wc -l)" = 20 ] || fail "of 20 jobs $(sort -u "$run/work/killed" | wc -l) ran"
	[ "$(wc -l <"$run/work/killed")" = 20 ] || fail "jobs ran twice"
}

# A killed controller does not know of a start that it had not saved. The nodes end
# these jobs; then all are started again. No job may be held, and no node may be drained
# because of a duplicate job id.
test_starts_not_saved()
{
	local jobs=() due
	lxfw_only
	for _ in {1..6}; do
		jobs+=("$(submit --begin now+1hour -n 4 -t 5 'echo began >>began; sleep 5')")
	done
	# All at the same time, however long their submission took. Slurm saves this change in two
	# parts, the second one five seconds later.
	due=$(($(date +%s) + 14))
	scontrol update "jobid=$(IFS=,; echo "${jobs[*]}")" "starttime=$(date -d "@$due" +%FT%T)" ||
		fail "the jobs cannot be updated"
	# Slurm saves a change at once if nothing changed in the last five seconds. The
	# next save is five seconds later.
	poll 20 is_past $((due - 2))
	scontrol update "jobid=${jobs[0]}" admincomment=saved
	poll 60 have_begun || fail "the jobs do not start"
	"$cluster" kill9-ctld "$run"
	! saved_since "$due" || echo "  (saved nevertheless: the test shows nothing)"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start again"
	wait_done "${jobs[@]}"
	[ -z "$(sinfo -h -t drain,draining,drained -o %N)" ] || fail "drained: $(sinfo -h -N -t drain,draining,drained -o '%N %E' | xargs)"
}

is_past()
{
	(($(date +%s) >= $1))
}

have_begun()
{
	[ -s "$run/work/began" ]
}

# The controller is shut down and restarted while jobs are pending.
test_controller_restarted()
{
	local busy waits
	busy=$(submit -N 4 -n 64 -t 5 "$(until_go)")
	wait_state "$busy" RUNNING
	waits=$(submit -N 4 -n 64 -t 1 'sleep 1')
	"$cluster" stop-ctld "$run" || fail "slurmctld does not end"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	expect_pending "$waits"
	touch "$run/work/go"
	wait_state "$busy" COMPLETED 150
	wait_done "$waits"
	expect_after "$waits" "$busy"
}

# After a restart, the first job of the queue needs a node that has not registered yet. It is
# neither passed to Slurm as one that never fits, nor overtaken by one that would delay it.
test_node_registers_late()
{
	local wide narrow before
	lxfw_only
	wide=$(submit --hold -N 4 -n 64 -t 1 'sleep 1')
	narrow=$(submit --hold -n 16 -t 30 'sleep 1')
	before=$(wc -l <"$run/log/slurmctld")
	"$cluster" kill9-node "$run" n4
	"$cluster" stop-ctld "$run" || fail "slurmctld does not end"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	scontrol release "$wide" "$narrow"
	poll 60 is_idle n1 || fail "n1 does not register"
	expect_pending "$narrow"
	"$cluster" start-node "$run" n4
	wait_done "$wide" "$narrow"
	expect_after "$narrow" "$wide"
	! tail -n "+$before" "$run/log/slurmctld" | grep 'never fits' || fail "a job was passed to Slurm"
}

# The controller is killed when one job has just ended and others have just started, which it has
# not saved. Slurm takes the nodes of the job that ended for idle before they register: a job
# that started there again would be a duplicate, held, and its node drained.
test_killed_between_jobs()
{
	local jobs=() i
	lxfw_only
	submit -N 4 -n 64 -t 1 'sleep 8' >/dev/null
	for i in {1..6}; do
		jobs+=("$(submit -n 8 -t 2 "echo began >>$run/work/between; sleep 12")")
	done
	poll 60 test -s "$run/work/between" || fail "the jobs do not start"
	"$cluster" kill9-ctld "$run"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	wait_done "${jobs[@]}"
	[ -z "$(sinfo -h -t drain,draining,drained -o %N)" ] || fail "drained: $(sinfo -h -N -t drain,draining,drained -o '%N %E' | xargs)"
}

is_idle()
{
	[ "$(sinfo -h -n "$1" -o %T)" = idle ]
}

# The time for which a node is left alone after a restart must not depend on the time of
# day.
test_clock_set_back()
{
	local waits library
	lxfw_only
	library=$(faketime -m -f +0 env 2>/dev/null | sed -n 's/^LD_PRELOAD=//p')
	[ -n "$library" ] || { echo "  (not run: faketime is not installed)"; return; }
	waits=$(submit --hold -n 1 -t 1 'sleep 0')
	"$cluster" stop-ctld "$run" || fail "slurmctld does not end"
	echo +0 >"$run/clock"
	"$cluster" start-ctld "$run" "LD_PRELOAD=$library" "FAKETIME_TIMESTAMP_FILE=$run/clock" \
		FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 || fail "slurmctld does not start"
	poll 60 nodes_up || fail "nodes do not report"
	# faketime terminates a program that reads an empty file.
	echo -600 >"$run/clock.new"
	mv "$run/clock.new" "$run/clock"
	scontrol release "$waits"
	wait_state "$waits" COMPLETED 120
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not restart"
}

# Compute the processors and memory in use on every node from the jobs' records.
check_usage()
{
	scontrol -o show job | awk '
		function get(name,  i) {
			for (i = 1; i <= NF; i++)
				if (index($i, name "=") == 1)
					return substr($i, length(name) + 2)
		}
		get("NumNodes") == 1 && get("NodeList") ~ /^n[0-9]+$/ && get("EndTime") > get("StartTime") {
			n++
			node[n] = get("NodeList"); from[n] = get("StartTime"); to[n] = get("EndTime")
			procs[n] = get("NumCPUs")
		}
		END {
			for (i = 1; i <= n; i++) {
				sum = 0
				for (j = 1; j <= n; j++)
					if (node[j] == node[i] && from[j] <= from[i] && from[i] < to[j])
						sum += procs[j]
				if (sum > 16) {
					print node[i] " has " sum " processors in use at " from[i]
					exit 1
				}
			}
		}'
}

test_many_jobs()
{
	local i ids states count=100
	for ((i = 1; i <= count; i++)); do
		submit -N 1 -n $((i * 7 % 16 + 1)) --mem=$((i * 977 % 20000 + 100)) \
			-t $((i % 5 + 1)) "sleep $((i % 3)); echo \$SLURM_JOB_ID >>$run/work/many" >>"$run/work/ids"
	done
	wait_empty 200
	ids=$(sort -u "$run/work/ids" | wc -l)
	[ "$ids" = "$count" ] || fail "$count jobs, $ids ids"
	[ "$(sort -u "$run/work/many" | wc -l)" = "$count" ] && [ "$(wc -l <"$run/work/many")" = "$count" ] ||
		fail "not every job ran exactly once"
	states=$(xargs -n 1 scontrol -o show job <"$run/work/ids" |
		grep -oE 'JobState=[A-Z]*' | sort | uniq -c | xargs)
	[ "$states" = "$count JobState=COMPLETED" ] || fail "$states"
	poll 60 nothing_allocated ||
		fail "left over: $(scontrol -o show node | grep -oE '(CPUAlloc|AllocMem)=[^ ]*' | xargs)"
	check_usage || fail "a node had more in use than it has"
}

nothing_allocated()
{
	[ "$(scontrol -o show node | grep -c 'CPUAlloc=0 .*AllocMem=0 ')" = 4 ]
}

live_main "$@"
