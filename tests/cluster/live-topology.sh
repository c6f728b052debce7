#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two switches with four nodes each: jobs get nodes of one switch if they can, and wait for
# that with --switches. The same submissions under Slurm's own scheduler and under
# sched/lxfw.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	live_expectations "$@"
	exit
fi

start_job()
{
	local job
	job=$(submit -t 10 "$@" 'sleep 600') || exit 1
	wait_state "$job" RUNNING
	echo "$job"
}

expect_on()
{
	[[ $(nodes_of "$1") =~ ^$2$ ]] || fail "job $1 is on $(nodes_of "$1"), not $2"
}

test_one_switch()
{
	local job
	start_job -w n1,n2 -N2 --exclusive >/dev/null || exit 1
	job=$(start_job -N3 --exclusive) || exit 1
	expect_on "$job" 'n[5-8] n[5-8] n[5-8]'
	job=$(start_job -N2 --exclusive) || exit 1
	expect_on "$job" 'n3 n4'
}

# Tasks that need several nodes: Slurm's rule does not count on one switch for them, before
# 24.11.
test_tasks()
{
	local job on='n5 n6 n7'
	[ "$("$cluster" release)" != 22.05 ] || on='n4 n5 n6'
	start_job -w n1,n2,n3 -N3 --exclusive >/dev/null || exit 1
	job=$(start_job -n40) || exit 1
	expect_on "$job" "$on"
}

# A reservation does not depend on switches, its start does.
test_after_a_wait()
{
	local first second job
	first=$(start_job -w n1,n2,n5 -N3 --exclusive) || exit 1
	second=$(start_job -w n3,n6 -N2 --exclusive) || exit 1
	job=$(submit -t 10 -N4 --exclusive 'sleep 600') || exit 1
	expect_pending "$job" 'Resources|Priority'
	scancel "$first"
	wait_state "$job" RUNNING
	: "$second"
}

# Each switch has two free nodes.
half_busy()
{
	start_job -w n1,n2,n5,n6 -N4 --exclusive >/dev/null
}

test_switches()
{
	local job busy
	busy=$(start_job -w n1,n2 -N2 --exclusive) || exit 1
	start_job -w n5,n6 -N2 --exclusive >/dev/null || exit 1
	job=$(submit -t 10 -N3 --switches=1@01:00:00 --exclusive 'sleep 600') || exit 1
	expect_pending "$job" 'Resources|Priority'
	scancel "$busy"
	wait_state "$job" RUNNING
	expect_on "$job" 'n[1-4] n[1-4] n[1-4]'
}

test_switches_for_a_time()
{
	local job since=$SECONDS
	half_busy || exit 1
	job=$(submit -t 10 -N3 --switches=1@00:05 --exclusive 'sleep 600') || exit 1
	wait_state "$job" RUNNING 150
	((SECONDS - since >= 5)) || fail "started on two switches after $((SECONDS - since)) s"
}

# Jobs that need no switch start beside one that waits for it.
test_switches_beside()
{
	local job
	half_busy || exit 1
	job=$(submit -t 10 -N3 --switches=1@01:00:00 --exclusive 'sleep 600') || exit 1
	start_job -t 1 -N1 --exclusive >/dev/null || exit 1
	expect_pending "$job"
}

live_main "$@" -- --nodes 8 --cpus 16 --conf TopologyPlugin=topology/tree \
	--topology 'SwitchName=s1 Nodes=n[1-4]' --topology 'SwitchName=s2 Nodes=n[5-8]' \
	--topology 'SwitchName=s0 Switches=s[1-2]'
