#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two blocks of four nodes each (topology/block, since Slurm 24.05): jobs in segments of a block,
# jobs that share no block with others, and jobs that are requeued to start before all others
# (25.11). The same submissions under Slurm's own scheduler and under sched/lxfw.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

# is_since RELEASE: whether Slurm is of this release or a later one.
is_since()
{
	[ "$(printf '%s\n' "$1" "$("$cluster" release)" | sort -V | head -n 1)" = "$1" ]
}

is_since 24.05 || skip "Slurm $("$cluster" release) has no segments of blocks"

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

test_segments()
{
	local in_block job
	start_job -w n1 -N1 --exclusive >/dev/null || exit 1
	start_job -w n5,n6,n7 -N3 --exclusive >/dev/null || exit 1
	in_block=$(start_job -N2 --segment=2 --exclusive) || exit 1
	expect_on "$in_block" 'n[2-4] n[2-4]'
	# One node of each block is free.
	job=$(submit -t 10 -N2 --segment=2 --exclusive 'sleep 600') || exit 1
	expect_pending "$job" 'Resources|Priority'
	scancel "$in_block"
	wait_state "$job" RUNNING
	expect_on "$job" 'n[2-4] n[2-4]'
	job=$(start_job -N2 --segment=1 --exclusive) || exit 1
	expect_on "$job" 'n[2-4] n8'
}

# Jobs that need no segment start beside one that waits for it.
test_segments_beside()
{
	local job
	start_job -w n1,n2,n3 -N3 --exclusive >/dev/null || exit 1
	start_job -w n5,n6,n7 -N3 --exclusive >/dev/null || exit 1
	job=$(submit -t 10 -N2 --segment=2 --exclusive 'sleep 600') || exit 1
	start_job -t 1 -N1 --exclusive >/dev/null || exit 1
	expect_pending "$job"
}

test_exclusive_block()
{
	local alone job first
	is_since 25.05 || { echo "  (no --exclusive=topo before 25.05)"; exit 0; }
	first=$(start_job -w n1 -N1 -n1) || exit 1
	alone=$(start_job -N1 -n1 --exclusive=topo) || exit 1
	expect_on "$alone" 'n[5-8]'
	# No other block is without jobs.
	job=$(submit -t 10 -N1 -n1 --exclusive=topo 'sleep 600') || exit 1
	expect_pending "$job" 'Resources|Priority'
	# The block of the first job is free for others, that of the second one is not.
	expect_on "$(start_job -t 1 -N3 --exclusive)" 'n2 n3 n4'
	scancel "$alone"
	wait_state "$job" RUNNING
	expect_on "$job" 'n[5-8]'
	: "$first"
}

# A job that failed, and whose node its epilog has found broken, starts before all others.
test_expedited()
{
	local job other
	is_since 25.11 || { echo "  (no --requeue=expedite before 25.11)"; exit 0; }
	printf '#!/bin/sh\n[ ! -e %s ]\n' "$run/broken" >"$run/epilog"
	chmod 755 "$run/epilog"
	"$cluster" conf "$run" --conf "Epilog=$run/epilog" \
		--conf SlurmctldParameters=enable_expedited_requeue && scontrol reconfigure ||
		fail "not reconfigured"
	"$cluster" wait-up "$run"
	start_job -w n2,n3,n4,n5,n6,n7,n8 -N7 --exclusive >/dev/null || exit 1
	# shellcheck disable=SC2016
	job=$(submit -t 10 -N1 --exclusive --requeue=expedite \
		'[ "${SLURM_RESTART_COUNT:-0}" -gt 0 ] || { touch '"$run/broken"'; exit 1; }; sleep 600') ||
		exit 1
	wait_start "$job"
	other=$(submit -t 10 -N1 --exclusive --priority=4294900000 'sleep 600') || exit 1
	poll 120 was_requeued "$job" || fail "job $job is $(state "$job") and was not requeued"
	rm -f "$run/broken"
	scontrol update nodename=n1 state=resume
	wait_state "$job" RUNNING
	expect_pending "$other"
}

was_requeued()
{
	[ "$(field "$1" Restarts)" = 1 ]
}

live_main "$@" -- --nodes 8 --cpus 4 --conf TopologyPlugin=topology/block \
	--topology 'BlockName=b1 Nodes=n[1-4]' --topology 'BlockName=b2 Nodes=n[5-8]' \
	--topology 'BlockSizes=4'
