#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes of a lower Weight first, and nodes that are up before those that are powered down:
# the same submissions under Slurm's own scheduler and under sched/lxfw.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	live_expectations "$@"
	exit
fi

# expect_on NODES OPTION...: a job with these options starts on these nodes.
expect_on()
{
	local job
	job=$(submit -t 2 "${@:2}" 'sleep 60') || exit 1
	wait_state "$job" RUNNING
	[ "$(nodes_of "$job")" = "$1" ] || fail "job $job is on $(nodes_of "$job"), not $1"
}

test_lightest_first()
{
	expect_on n2 -n 16
	expect_on n4 -n 16
	expect_on n3 -n 16
	expect_on n1 -n 16
}

# What is left of a lighter node is used before a heavier one.
test_light_nodes_are_filled()
{
	expect_on n2 -n 4
	expect_on n2 -n 12
	expect_on n4 -n 4
	expect_on 'n3 n4' -N 2 --ntasks-per-node=8
}

test_changed_weight()
{
	scontrol update nodename=n3 weight=1 || fail "the weight does not change"
	expect_on n3 -n 16
	expect_on n2 -n 16
	scontrol update nodename=n3 weight=30
}

node_is()
{
	scontrol -o show node "$1" | grep -q "State=[^ ]*$2"
}

put_to_sleep()
{
	scontrol update "nodename=$1" state=power_down || fail "$1 is not powered down"
	poll 60 node_is "$1" POWERED_DOWN || fail "$1 does not power down"
}

# wake NODE: after the jobs have been cancelled.
wake()
{
	scancel -u "$(id -un)"
	poll 150 none_unfinished || fail "jobs not cancelled"
	scontrol update "nodename=$1" state=power_up
	poll 60 node_is "$1" POWERING_UP || fail "$1 does not power up"
	"$cluster" reboot-node "$run" "$1"
	"$cluster" wait-up "$run" || fail "$1 does not come back"
}

# n2 is the lightest, but asleep.
test_sleeping_node()
{
	put_to_sleep n2
	expect_on n4 -n 16
	expect_on n3 -n 16
	node_is n2 POWERED_DOWN || fail "n2 was booted while other nodes were idle"
	wake n2
}

# boots JOB NODE: the job has this node, which boots.
boots()
{
	[ "$(nodes_of "$1")" = "$2" ] && node_is "$2" POWERING_UP
}

# c1 never boots. After ResumeTimeout, Slurm requeues its job, which then boots another node.
test_node_that_never_boots()
{
	local job
	[ -n "${LXFW_SLOW-}" ] || { echo "  (with LXFW_SLOW=1 only)"; exit 0; }
	put_to_sleep n2
	job=$(submit -p cloud -t 2 -n 16 'sleep 60') || exit 1
	poll 60 boots "$job" c1 || fail "job $job is $(state "$job") on $(nodes_of "$job")"
	wait_state "$job" PENDING 200
	node_is c1 DOWN || fail "c1 is not down"
	poll 240 boots "$job" n2 ||
		fail "job $job is $(state "$job") ($(reason "$job")) on $(nodes_of "$job")"
	"$cluster" reboot-node "$run" n2
	wait_state "$job" RUNNING
}

# starts_after_boot JOB OTHER: JOB is expected to start when OTHER has ended and a node has been
# booted.
starts_after_boot()
{
	[ "$(started "$1")" = "$(($(ended "$2") + 90))" ]
}

# The time that n2 takes to boot counts: a job that could end before the reservation of
# another one only without it does not start, as it would under sched/backfill.
test_boot_time()
{
	local busy all job
	lxfw_only
	set_params "$(live_params lxfw_policy=easy)"
	put_to_sleep n2
	busy=$(submit -t 2 -w n1,n3,n4 -N3 --exclusive 'sleep 600') || exit 1
	wait_state "$busy" RUNNING
	all=$(submit -t 10 -N4 --exclusive 'sleep 600') || exit 1
	expect_pending "$all" '^Resources$'
	poll 60 starts_after_boot "$all" "$busy" || fail "job $all is expected at $(started "$all")"
	job=$(submit -t 1 -n1 'sleep 600') || exit 1
	expect_pending "$job" 'Resources|Priority'
	poll 60 starts_after_boot "$all" "$busy" ||
		fail "expected at $(started "$all"), the nodes are free at $(ended "$busy")"
	node_is n2 POWERED_DOWN || fail "n2 was booted"
	wake n2
}

# With lxfw_spare_gpus, jobs without GPUs use n4, which has some, last. No job waits for
# that. Under Slurm's scheduler, and without the key, n4 is the second.
test_spared_gpus()
{
	lxfw_only
	set_params "$(live_params lxfw_spare_gpus=on)"
	expect_on n4 -n 4 --gres=gpu:1
	expect_on n2 -n 16
	expect_on n3 -n 16
	expect_on n1 -n 16
	expect_on n4 -n 8
}

# A node that has booted returns also if its report is late: Slurm computes the boot from the
# time at which it reads the report, and may see a second one.
live_main "$@" -- --conf ReturnToService=2 --node 'n1 Weight=40' --node 'n2 Weight=10' --node 'n3 Weight=30' \
	--node 'n4 Weight=20 Gres=gpu:2' --conf GresTypes=gpu \
	--gres 'NodeName=n4 Name=gpu File=/dev/null' --gres 'NodeName=n4 Name=gpu File=/dev/zero' \
	--conf SuspendProgram=/bin/true --conf ResumeProgram=/bin/true \
	--conf SuspendTime=36000 --conf SuspendTimeout=2 --conf ResumeTimeout=90 \
	--conf 'NodeName=c1 CPUs=16 RealMemory=64000 State=CLOUD Weight=1 NodeAddr=127.0.99.1' \
	--conf PrivateData=cloud --partition 'p Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'cloud Nodes=c1,n2 MaxTime=INFINITE State=UP'
