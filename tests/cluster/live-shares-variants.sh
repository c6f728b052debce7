#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Further cases of EQspatial, on a live cluster of 2 nodes of 16 processors and 16000
# MB, n2 with two threads per core: jobs that have run for a long time, jobs that wait
# for memory, with and without quanta, and configurations in which shares cannot change.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"
# shellcheck source=tests/cluster/shares.sh
. "$(dirname "$0")/shares.sh"

# The paper's 50 hours are seconds here. A job that has run for this time gets all
# requested processors except one for each other job.
test_full_share_after_a_long_run()
{
	local first second
	set_params "$params,lxfw_eq_full_after=20"
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	second=$(adaptive -w n1 -c 12 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$second" 8
	expect_procs "$first" 15
	expect_procs "$second" 1
	(($(date +%s) - $(started "$first") >= 20)) || fail "too early"
	# The second job has run long enough too, and the first one started before it.
	poll 60 has_run "$second" 22 || fail "job $second does not run"
	expect_procs "$second" 1
	scancel "$first"
	expect_procs "$second" 12
}

# has_run JOB SECONDS
has_run()
{
	is_state "$1" RUNNING && (($(date +%s) - $(started "$1") >= $2))
}

seconds_since()
{
	(($(date +%s) - $1 >= $2))
}

# has_waited JOB: the job waited for memory long enough that its catching up can be
# measured: the work of 12 s on a third of the node's processors is made up for in 8 s
# with 7 processors more than its equal share.
has_waited()
{
	poll 60 seconds_since "$(date +%s)" 12
	is_state "$1" PENDING || fail "job $1 is $(state "$1")"
}

# A job that waits for memory gets more than its equal share later, until it has caught
# up.
test_catch_up()
{
	local large small waits
	large=$(adaptive -w n1 -c 16 --mem 12000 -t 60 'sleep 1000')
	small=$(adaptive -w n1 -c 16 --mem 2000 -t 60 'sleep 1000')
	expect_procs "$large" 8
	expect_procs "$small" 8
	waits=$(adaptive -w n1 -c 16 --mem 10000 -t 60 'sleep 1000')
	has_waited "$waits"
	expect_pending "$waits" Resources
	scancel "$large"
	expect_procs "$waits" 15
	expect_procs "$small" 1
	expect_procs "$waits" 8
	expect_procs "$small" 8
}

# The same with immediate service: the job that waits for memory gets a quantum, with
# the processors and the memory of a quantum. It is requeued, and catches up when memory
# is available.
test_quantum_and_catch_up()
{
	local large small waits out
	set_params "$params,lxfw_quantum=5,lxfw_quantum_min_run=2,lxfw_quantum_mem=1000"
	large=$(adaptive -w n1 -c 16 --mem 12000 -t 60 'sleep 1000')
	small=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$small" 8
	expect_procs "$large" 8
	wait_min_run "$small"
	# shellcheck disable=SC2016
	waits=$(adaptive -w n1 -c 16 --mem 10000 -t 60 -o out.%j --open-mode=append \
		'echo run ${SLURM_RESTART_COUNT-0} mem $SLURM_MEM_PER_NODE; sleep 1000')
	expect_served "$waits"
	expect_no_core_twice
	poll 60 is_state "$waits" PENDING || fail "job $waits is $(state "$waits") after its quantum"
	expect_none_suspended
	expect_procs "$small" 8
	expect_procs "$large" 8
	poll 60 is_eligible "$waits" || fail "job $waits is not eligible"
	has_waited "$waits"
	scancel "$large"
	expect_procs "$waits" 15
	expect_procs "$waits" 8
	expect_procs "$small" 8
	out=$(xargs <"$run/work/out.$waits")
	[[ $out = 'run 0 mem 1000 '*'run 1 mem 10000'* ]] || fail "its output: $out"
}

# Single threads of a core are not allocated.
test_threads()
{
	local first second
	first=$(adaptive -w n2 -c 16 --mem 1000 -t 60 'sleep 1000')
	wait_state "$first" RUNNING
	expect_logged "JobId=$first is not adaptive: its nodes do not allocate single cores"
	second=$(adaptive -w n2 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_pending "$second" 'Resources|Priority'
	[ "$(procs_of "$first")" = 16 ] || fail "job $first has $(procs_of "$first")"
}

# With gang scheduling, shares do not change.
test_gang()
{
	local first second
	start_anew --conf PreemptMode=SUSPEND,GANG --conf PreemptType=preempt/partition_prio
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	wait_state "$first" RUNNING
	expect_logged "JobId=$first is not adaptive: gang scheduling is on"
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_pending "$second" 'Resources|Priority'
	expect_procs "$first" 16
	scancel "$first"
	wait_start "$second"
	# Running jobs keep their shares when preemption is disabled.
	start_anew --conf PreemptMode=OFF --conf PreemptType=preempt/none
	expect_procs "$second" 16
	scancel "$second"
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$second" 8
	expect_procs "$first" 8
}

# `make check` runs each of them once.
live_selectors quantum_and_catch_up -- "$@"
[ $# -gt 0 ] || [ -n "${LXFW_SLOW-}" ] || set -- full_share_after_a_long_run catch_up threads gang
# shellcheck disable=SC2034
live_policy=$shares_policy
live_main "$@" -- --nodes 2 --cpus 16 --memory 16000 \
	--node 'n1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1' \
	--node 'n2 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2'
