#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Limits of associations and QOS that count several jobs, or all components of a
# heterogeneous job: the same submissions under Slurm's sched/backfill and under the
# plugin, which is loaded under that name. The expectations are the same for both.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/accounts.sh
. "$(dirname "$0")/accounts.sh"

for program in slurmdbd mariadbd mariadb-install-db sacctmgr; do
	PATH=$PATH:/usr/sbin type -P $program >/dev/null || skip "$program is not installed"
done

if [ -z "${LXFW_SCHEDULER-}" ]; then
	export LXFW_STOCK_NAME=1
	live_expectations "$@"
	exit
fi

# A delayed job would wait until jobs of a minute or longer end.
prompt=15

# het OPTIONS...: submit a job of several components that runs until it is cancelled.
het()
{
	submit "$@" 'sleep 300'
}

states()
{
	scontrol -o show job "$1" | sed 's/.* JobState=\([^ ]*\) .*/\1/' | xargs
}

reasons()
{
	scontrol -o show job "$1" | sed 's/.* Reason=\([^ ]*\) .*/\1/' | xargs
}

states_are()
{
	[ "$(states "$1")" = "$2" ]
}

expect_states()
{
	poll 60 states_are "$1" "$2" ||
		fail "the components of job $1 are $(states "$1") ($(reasons "$1")), not $2"
}

names_limit()
{
	[[ $(reasons "$1") = *$2* ]]
}

# expect_limited JOB REASON: no component has started although another job has, which was
# submitted later, and one of the components has the reason.
expect_limited()
{
	expect_prompt "$(submit -n 1 -t 1 'sleep 0')"
	poll 90 names_limit "$1" "$2" || fail "the reasons of job $1 are $(reasons "$1"), not $2"
	expect_states "$1" 'PENDING PENDING'
}

# expect_never REASON OPTIONS...: the limit never permits all components. Since 26.05, Slurm
# refuses such a job.
expect_never()
{
	local job
	if job=$(het "${@:2}" 2>/dev/null); then
		expect_limited "$job" "$1"
		scancel "$job"
	else
		tail -n 1 "$run/log/sbatch" | grep -q 'violates accounting/QOS policy' ||
			fail "$(tail -n 1 "$run/log/sbatch")"
		echo "  (refused at submission, which leaves a component in the count)"
		exit 0
	fi
}

# The components have room for one after the other, but not for both.
test_jobs()
{
	local job
	account one maxjobs=1
	account two maxjobs=2
	expect_never AssocMaxJobsLimit -A one -t 1 -n 1 : -A one -t 1 -n 1
	job=$(het -A two -t 1 -n 1 : -A two -t 1 -n 1) || exit 1
	expect_states "$job" 'RUNNING RUNNING'
}

test_processors()
{
	local other job
	account narrow grptres=cpu=12
	other=$(submit -A narrow -n 4 -t 5 'sleep 300')
	wait_state "$other" RUNNING
	job=$(het -A narrow -t 1 -n 6 : -A narrow -t 1 -n 6) || exit 1
	if [ "$scheduler" = backfill ] && poll 5 states_are "$job" 'RUNNING RUNNING'; then
		echo "  (this release does not count the components together)"
		return
	fi
	expect_limited "$job" AssocGrpCpuLimit
	scancel "$other"
	expect_states "$job" 'RUNNING RUNNING'
}

# The limit on seconds counts each component with its own time limit.
test_processor_minutes()
{
	local job
	account short grptresrunmins=cpu=20
	expect_never AssocGrpCPURunMinutesLimit -A short -t 5 -n 2 : -A short -t 4 -n 3
	job=$(het -A short -t 5 -n 2 : -A short -t 3 -n 3) || exit 1
	expect_states "$job" 'RUNNING RUNNING'
}

test_qos()
{
	local job
	qos group grptres=cpu=8
	expect_never QOSGrpCpuLimit -q group -t 1 -n 4 : -q group -t 1 -n 5
	job=$(het -q group -t 1 -n 4 : -q group -t 1 -n 4) || exit 1
	expect_states "$job" 'RUNNING RUNNING'
}

test_user_of_a_qos()
{
	local job
	qos user maxtresperuser=cpu=8
	expect_never QOSMaxCpuPerUserLimit -q user -t 1 -n 4 : -q user -t 1 -n 5
	job=$(het -q user -t 1 -n 4 : -q user -t 1 -n 4) || exit 1
	expect_states "$job" 'RUNNING RUNNING'
}

# A component outside of the limit counts for itself.
test_two_accounts()
{
	local job
	account narrow grptres=cpu=12
	account wide maxjobs=5
	job=$(het -A narrow -t 1 -n 12 : -A wide -t 1 -n 16) || exit 1
	expect_states "$job" 'RUNNING RUNNING'
}

# A limit on nodes counts each node once, whatever number of jobs is there: a job starts
# beside another one of its association or QOS. One that needs other nodes waits, and
# delays no job.
test_shared_node()
{
	local options
	account node grptres=node=1
	qos node grptres=node=1
	qos usernode maxtresperuser=node=1
	for options in '-A node' '-q node' '-q usernode'; do
		# shellcheck disable=SC2086
		shared_node $options
		scancel -u "$(id -un)"
		wait_empty
	done
}

shared_node()
{
	local first second wide alone
	first=$(submit "$@" -n 2 -t 5 'sleep 300')
	wait_state "$first" RUNNING
	second=$(submit "$@" -n 2 -t 5 'sleep 300')
	wide=$(submit "$@" -N 2 -n 2 -t 5 'sleep 300')
	alone=$(submit "$@" --exclusive -n 2 -t 5 'sleep 300')
	wait_state "$second" RUNNING
	[ "$(nodes_of "$second")" = "$(nodes_of "$first")" ] ||
		fail "jobs $first and $second are on $(nodes_of "$first") and $(nodes_of "$second")"
	expect_prompt "$(submit -n 1 -t 1 'sleep 0')"
	expect_pending "$wide" Node
	expect_pending "$alone" Node
	scancel "$first" "$second" "$wide"
	wait_state "$alone" RUNNING
}

# No nodes are held for a job that may run on some only: Slurm refuses it for its limit.
test_no_hold()
{
	local first second other
	lxfw_only
	account node grptres=node=1
	first=$(submit -A node -n 16 -t 5 'sleep 300')
	wait_state "$first" RUNNING
	other=$(submit -N 3 --exclusive -t 2 'sleep 300')
	wait_state "$other" RUNNING
	second=$(submit -A node -n 16 -t 5 'sleep 300')
	poll 60 names_limit "$second" Node || fail "the reason is $(reasons "$second")"
	! poll 12 has_start "$second" || fail "job $second is expected at $(started "$second")"
	scancel "$first"
	wait_state "$second" RUNNING
}

has_start()
{
	[[ $(started "$1") = [0-9]* ]]
}

live_main "$@" -- --accounting
