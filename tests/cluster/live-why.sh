#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw why` on jobs that wait for each kind of reason: what it prints while they wait, and after
# they have run. The reasons are those that squeue shows at the same time.

export live_policy=lxfw_policy=lxfw
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/accounts.sh
. "$(dirname "$0")/accounts.sh"

for program in slurmdbd mariadbd mariadb-install-db sacctmgr; do
	PATH=$PATH:/usr/sbin type -P $program >/dev/null || skip "$program is not installed"
done

# says JOB TEXT: `lxfw why JOB` prints TEXT, in one line.
says()
{
	"$build/lxfw" why "$1" "$run/journal" >"$run/why" 2>&1
	grep -qF -- "$2" "$run/why"
}

# explains JOB TEXT: it does so soon.
explains()
{
	poll 30 says "$1" "$2" ||
		fail "lxfw why $1 does not print '$2' while the reason is $(reason "$1"): $(cat "$run/why")"
}

# expect_reason JOB REASON
expect_reason()
{
	poll 30 has_reason "$1" "$2" || fail "the reason of job $1 is $(reason "$1"), not $2"
}

# None of what is written was stated twice in one segment of the journal.
expect_no_repetition()
{
	"$build/lxfw" journal "$run/journal" | awk '
		$3 == "parameters" { delete last }	# a segment begins
		$3 == "submit" || $3 == "run" || $3 == "kept-no-more" { delete last[$4] }
		$3 == "not-eligible" || $3 == "handed-over" {
			text = ""
			for (i = 5; i <= NF; i++)
				text = text " " $i
			if (last[$4] == text) {
				print "job " $4 " twice:" text
				exit 1
			}
			last[$4] = text
		}' >"$run/twice" || fail "$(cat "$run/twice")"
}

test_held_by_its_user()
{
	local job
	job=$(submit -H -n1 -t 1 true)
	expect_reason "$job" JobHeldUser
	explains "$job" 'It is not eligible: its user holds it.'
	says "$job" 'The scheduler considers it when its user or an operator releases it.' ||
		fail "$(cat "$run/why")"
	says "$job" "Job $job has waited" || fail "$(cat "$run/why")"
	scontrol release "$job"
	wait_start "$job"
	explains "$job" "Job $job started as soon as it was eligible"
	says "$job" '  not eligible: its user holds it' || fail "$(cat "$run/why")"
	expect_no_repetition
}

test_dependency_then_held()
{
	local first job
	first=$(submit -n1 -t 2 'sleep 300')
	job=$(submit -n1 -t 1 -d afterany:"$first" true)
	expect_reason "$job" Dependency
	explains "$job" 'It is not eligible: it depends on other jobs.'
	scontrol hold "$job"
	explains "$job" 'It is not eligible: an operator or the workload manager holds it.'
	scontrol release "$job"
	scancel "$first"
	wait_start "$job"
	explains "$job" "Job $job started as soon as it was eligible"
	says "$job" '  not eligible: it depends on other jobs' || fail "$(cat "$run/why")"
	says "$job" '  not eligible: an operator or the workload manager holds it' ||
		fail "$(cat "$run/why")"
}

test_begin_time()
{
	local job
	job=$(submit -n1 -t 1 --begin now+20 true)
	expect_reason "$job" BeginTime
	explains "$job" 'It is not eligible: its begin time has not come.'
	says "$job" 'This ends in ' || fail "$(cat "$run/why")"
	wait_start "$job"
	explains "$job" "Job $job started as soon as it was eligible"
}

test_limit_of_a_qos()
{
	local first job
	qos narrow grptres=cpu=4
	first=$(submit -n4 -q narrow -t 2 'sleep 300')
	wait_state "$first" RUNNING
	job=$(submit -n2 -q narrow -t 1 true)
	expect_reason "$job" QOSGrpCpuLimit
	explains "$job" 'It is not eligible: a limit of its QOS on processors is reached.'
	scancel "$first"
	wait_start "$job"
	explains "$job" "Job $job started as soon as it was eligible"
	expect_no_repetition
}

test_licenses()
{
	local first job
	first=$(submit -n1 -L lic:4 -t 3 'sleep 300')
	wait_state "$first" RUNNING
	job=$(submit -n1 -L lic:1 -t 1 true)
	expect_reason "$job" Licenses
	explains "$job" 'It waits for license lic: 4 of 4 are in use.'
	scancel "$first"
	wait_start "$job"
	explains "$job" "Job $job started"
	says "$job" '1 of license lic' || fail "$(cat "$run/why")"
}

# Slurm starts the job, when it has the nodes.
test_contiguous()
{
	local first job
	first=$(submit -N4 --exclusive -t 5 'sleep 300')
	wait_state "$first" RUNNING
	job=$(submit -N2 --contiguous --exclusive -t 1 true)
	explains "$job" 'leaves it to the workload manager to start it: it requests consecutive hosts.'
	scancel "$first"
	wait_start "$job"
	explains "$job" "Job $job started by a decision of the workload manager, which was left to start it"
}

# Of processors, and of whole hosts.
test_resources()
{
	local first job whole
	first=$(submit -N5 --exclusive -t 2 'sleep 300')
	wait_state "$first" RUNNING
	job=$(submit -n1 -t 1 true)
	whole=$(submit -N3 --exclusive -t 1 true)
	explains "$job" "Job $job has waited"
	says "$job" 'It requests 1 processor' || fail "$(cat "$run/why")"
	says "$job" 'If all jobs run to their limits and none is submitted, it starts in' ||
		fail "$(cat "$run/why")"
	explains "$whole" 'It requests 3 hosts whole, with '
	scancel "$first"
	wait_start "$job"
	wait_start "$whole"
	explains "$job" "Job $job started"
}

test_array()
{
	local job
	job=$(submit -H -n1 -t 1 --array 0-3 true)
	explains "$job" 'It is not eligible: its user holds it.'
	explains "${job}_2" 'It is not eligible: its user holds it.'
	says "${job}_2" 'This is known of its array' || fail "$(cat "$run/why")"
	scontrol release "$job"
	poll 60 says "${job}_2" 'started' || fail "$(cat "$run/why")"
}

# One that is cancelled while it is held has left, and no statement stays.
test_cancelled()
{
	local job
	job=$(submit -H -n1 -t 1 true)
	explains "$job" 'It is not eligible'
	scancel "$job"
	explains "$job" "Job $job left the queue without a start."
}

# A new controller writes a new segment, which has all reasons again.
test_restart()
{
	local job
	job=$(submit -H -n1 -t 1 true)
	explains "$job" 'It is not eligible: its user holds it.'
	have_saved "$job"
	"$cluster" kill9-ctld "$run"
	mv "$run/journal" "$run/journal.before"
	"$cluster" start-ctld "$run" || fail "the controller does not start"
	poll 60 controller_up
	explains "$job" 'It is not eligible: its user holds it.'
	says "$job" "Job $job has waited" || fail "$(cat "$run/why")"
	"$build/lxfw" replay "$run/journal.before" | grep -qE '^([0-9]+) of \1 decisions agree' ||
		fail "$("$build/lxfw" replay "$run/journal.before" | tail -1)"
	scontrol release "$job"
	wait_start "$job"
}

# Each job is stated once, although passes are made for each of them.
test_many_held()
{
	local i first last
	first=$(submit -H -n1 -t 1 true)
	for ((i = 0; i < 40; i++)); do
		last=$(submit -H -n1 -t 1 true)
	done
	explains "$last" 'its user holds it'
	wait_start "$(submit -n1 -t 1 true)"
	expect_no_repetition
	i=$("$build/lxfw" journal "$run/journal" |
		awk -v first="$first" -v last="$last" '$3 == "not-eligible" && $4 >= first && $4 <= last' |
		wc -l)
	[ "$i" = 41 ] || fail "41 held jobs have $i records"
}

live_main "$@" -- --accounting --nodes 5 --cpus 4 --conf Licenses=lic:4
