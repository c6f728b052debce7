#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/cons_tres_lxfw under sched/lxfw and under Slurm's own schedulers, on the
# machine of select.sh.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/select.sh
. "$(dirname "$0")/select.sh"

# Without arguments, run with each of the schedulers.
if [ -z "${LXFW_SCHEDULER-}" ]; then
	LXFW_SELECT=cons_tres_lxfw live_schedulers "$@"
	exit
fi

# busy NODE PROCESSORS MEMORY: submit a job with these resources and print its id.
busy()
{
	local job
	job=$(submit -w "$1" -n "$2" --mem "$3" -t 60 'sleep 600') || exit 1
	wait_state "$job" RUNNING
	echo "$job"
}

# expect_on JOB NODE...
expect_on()
{
	wait_start "$1"
	[ "$(nodes_of "$1")" = "${*:2}" ] || fail "job $1 is on $(nodes_of "$1"), not ${*:2}"
}

test_rule()
{
	local job
	busy n1 2 1000 >/dev/null
	busy n2 5 9000 >/dev/null
	busy n3 5 2000 >/dev/null
	# n2 and n3 have equally few free processors. n2 has less free memory.
	expect_on "$(submit -n 1 --mem 100 -t 10 'sleep 30')" n2
	# Now n2 has the fewest free processors, but not enough memory. n3 has enough.
	expect_on "$(submit -n 1 --mem 8000 -t 10 'sleep 30')" n3
	expect_on "$(submit -n 3 --mem 100 -t 10 'sleep 30')" n1
	expect_on "$(submit -n 8 --mem 100 -t 10 'sleep 30')" n4
}

# True if no node is completing. No job starts on a node that Slurm cleans up.
tidied()
{
	! scontrol -o show node "$1" | grep -q 'State=[^ ]*COMPLETING'
}

# All paths on which Slurm selects nodes: allocations and tests.
test_every_path()
{
	busy n2 6 1000 >/dev/null
	busy n3 6 9000 >/dev/null
	[ "$(srun -n 1 --mem 100 -t 1 printenv SLURMD_NODENAME)" = n3 ] || fail "srun ran on another node"
	poll 60 tidied n3 || fail "n3 is not cleaned up"
	[ "$(salloc -Q -n 1 --mem 100 -t 1 srun printenv SLURMD_NODENAME)" = n3 ] || fail "salloc ran on another node"
	poll 60 tidied n3 || fail "n3 is not cleaned up"
	# Without -N 1, Slurm 26.05 assumes a node for each task in these tests.
	sbatch --test-only -N 1 -n 2 --mem 100 -t 1 --wrap true 2>&1 | grep -q 'on nodes n3 ' ||
		fail "sbatch --test-only: $(sbatch --test-only -N 1 -n 2 --mem 100 -t 1 --wrap true 2>&1)"
	srun --test-only -N 1 -n 2 --mem 100 -t 1 true 2>&1 | grep -q 'on nodes n3 ' || fail "srun --test-only"
	expect_on "$(submit --array=1 -n 1 --mem 100 -t 1 'sleep 20')" n3
}

# Whole nodes first. The rest is placed on the node with the fewest free processors.
test_several_nodes()
{
	local job
	busy n1 6 1000 >/dev/null
	busy n2 4 1000 >/dev/null
	job=$(submit -n 12 --mem-per-cpu 100 -t 10 'sleep 30')
	wait_start "$job"
	[[ "$(nodes_of "$job")" =~ ^n2\ n[34]$ ]] || fail "12 processors on $(nodes_of "$job")"
	# One processor on each of two nodes: those with the fewest free processors.
	expect_on "$(submit -N 2 -n 2 --mem 100 -t 10 'sleep 30')" n1 "$(nodes_of "$job" | awk '{ print $2 == "n3" ? "n4" : "n3" }')"
}

# Nodes that the user requests.
test_requested_nodes()
{
	busy n1 6 1000 >/dev/null
	expect_on "$(submit -w n2 -n 1 --mem 100 -t 10 'sleep 30')" n2
	expect_on "$(submit -C big -n 1 --mem 100 -t 10 'sleep 30')" n4
	expect_on "$(submit -x n1 -n 1 --mem 100 -t 10 'sleep 30')" n2
}

# Weights precede the rule. sched/lxfw selects the nodes itself and ignores weights.
test_weights()
{
	[ "$scheduler" != lxfw ] || { echo "  (not with sched/lxfw)"; exit 0; }
	busy n1 6 1000 >/dev/null
	busy n2 1 1000 >/dev/null
	scontrol update nodename=n1 weight=10
	expect_on "$(submit -n 1 --mem 100 -t 10 'sleep 30')" n2
	scontrol update nodename=n1 weight=1
	expect_on "$(submit -n 1 --mem 100 -t 10 'sleep 30')" n1
}

# An exclusive job needs an empty node and is alone on it.
test_exclusive()
{
	local alone
	busy n1 1 1000 >/dev/null
	busy n2 1 1000 >/dev/null
	busy n3 1 1000 >/dev/null
	alone=$(submit --exclusive -n 1 --mem 100 -t 10 'sleep 30')
	expect_on "$alone" n4
	expect_on "$(submit -n 7 --mem 100 -t 10 'sleep 30')" n1
	expect_pending "$(submit --exclusive -n 1 --mem 100 -t 10 'sleep 30')"
}

test_gpus()
{
	busy n1 6 1000 >/dev/null
	expect_on "$(submit --gres gpu:1 -n 5 --mem 100 -t 10 'sleep 30')" n3
	expect_on "$(submit --gres gpu:1 -n 1 --mem 100 -t 10 'sleep 30')" n3
	# n3 has free processors, but no free GPU.
	expect_on "$(submit --gres gpu:1 -n 1 --mem 100 -t 10 'sleep 30')" n4
}

# The library selects n1, whose four free cores are on two sockets. The job requires
# them on one. It runs nevertheless.
test_refused_by_the_stock_plugin()
{
	local job
	job=$(submit -w n1 -n 4 --ntasks-per-socket 2 --mem 1000 -t 60 'sleep 600')
	wait_state "$job" RUNNING
	job=$(submit -n 4 --cores-per-socket 4 --sockets-per-node 1 --mem 100 -t 10 'sleep 30')
	wait_start "$job"
	[ "$(nodes_of "$job")" != n1 ] || fail "4 cores of a socket on n1, where each has 2"
}

# Resources in a reservation for others are not free. Slurm 26.05 refuses user 65534.
test_reservation()
{
	scontrol create reservation reservationname=r starttime=now duration=60 users=daemon nodes=n1 flags=ignore_jobs >/dev/null ||
		fail "no reservation"
	expect_on "$(submit -n 1 --mem 100 -t 10 'sleep 30')" n2
}

# hold_and_suspend: run a job on the whole of n1 and suspend it; set suspended to its id
hold_and_suspend()
{
	suspended=$(busy n1 8 2000)
	scontrol suspend "$suspended"
	wait_state "$suspended" SUSPENDED
}

test_resume_guard()
{
	local suspended other
	hold_and_suspend
	other=$(busy n1 4 2000)
	resume_refused "$suspended"
	resume_refused "$suspended"
	[ "$(times_logged "JobId=$suspended is not resumed: JobId=$other on n1")" = 1 ] ||
		fail "logged $(times_logged "JobId=$suspended is not resumed") times"
	[ "$(state "$other")" = RUNNING ] || fail "job $other is $(state "$other")"
	scancel "$other"
	poll 60 scontrol resume "$suspended" 2>/dev/null || fail "not resumed on free processors"
	wait_state "$suspended" RUNNING
	[ "$(allocated n1)" = 8 ] || fail "$(allocated n1) processors allocated"
}

allocated()
{
	scontrol -o show node "$1" | sed -n 's/.*CPUAlloc=\([0-9]*\).*/\1/p'
}

has_allocated()
{
	[ "$(allocated "$1")" = "$2" ]
}

# A suspended job keeps its memory, and the memory stays accounted for.
test_suspended_memory()
{
	local suspended
	hold_and_suspend
	busy n2 6 1000 >/dev/null
	busy n3 6 1000 >/dev/null
	busy n4 6 1000 >/dev/null
	# n1 has 14000 MB and 8 processors left.
	expect_pending "$(submit -n 1 --mem 15500 -t 10 'sleep 30')"
	expect_on "$(submit -n 3 --mem 13000 -t 10 'sleep 30')" n1
}

# Wait until jobs start on this node. Nodes register one after the other, and sched/lxfw leaves
# each alone for some seconds after that.
use_again()
{
	poll 60 nodes_up || fail "nodes do not come back"
	wait_done "$(submit -w "$1" -n 1 --mem 100 -t 1 true)"
	poll 60 tidied "$1" || fail "$1 is not cleaned up"
}

# The controller is killed with running jobs. The state is the same after the restart.
test_killed_and_restarted()
{
	local one other
	one=$(busy n3 5 3000)
	other=$(submit -w n1,n2 -N 2 -n 4 --mem 500 -t 60 'sleep 600')
	wait_state "$other" RUNNING
	have_saved "$one"
	"$cluster" kill9-ctld "$run"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start again"
	is_state "$one" RUNNING && is_state "$other" RUNNING || fail "$(state "$one"), $(state "$other")"
	poll 60 has_allocated n3 5 || fail "$(allocated n3) of n3"
	use_again n3
	expect_on "$(submit -n 2 --mem 100 -t 10 'sleep 30')" n3
	reconfigure || fail "reconfigure fails"
	poll 60 controller_up || fail "the controller died in the reconfiguration"
	poll 60 nodes_up || fail "nodes do not come back"
	expect_on "$(submit -n 1 --mem 100 -t 10 'sleep 30')" n3
	scancel "$one"
	poll 60 has_allocated n3 3 || fail "$(allocated n3) of n3"
}

# Change from the stock plugin to this one and back: no job is lost. Two jobs share
# processors after the change. When the one in Slurm's records has ended, the other one
# is recorded.
test_changed_and_overbooked()
{
	local suspended other waits reasons
	use_select cons_tres
	hold_and_suspend
	other=$(busy n1 4 2000)
	scontrol resume "$suspended" || fail "the stock plugin refuses"
	use_select cons_tres_lxfw
	is_state "$other" RUNNING && is_state "$suspended" RUNNING ||
		fail "jobs lost: $(state "$other"), $(state "$suspended")"
	expect_logged "JobId=$other runs on processors of another job"
	scancel "$suspended"
	wait_state "$suspended" CANCELLED
	waits=$(submit -w n1 -N 1 -n 5 --mem 100 -t 10 'sleep 30')
	poll 60 has_allocated n1 4 || fail "$(allocated n1) processors of n1 allocated, 4 in use"
	# Without accounting, Slurm's own scheduler gives no reason in some releases.
	reasons='Resources|Priority'
	[ "$scheduler" = lxfw ] || reasons+='|None'
	expect_pending "$waits" "$reasons"
	scancel "$other"
	wait_start "$waits"
	use_select cons_tres
	is_state "$waits" 'RUNNING COMPLETED' || fail "job lost: $(state "$waits")"
	use_select cons_tres_lxfw
}

# The plugin's file may be removed after Slurm's own plugin has saved the job records.
# Before that the controller does not start, and nothing is lost when the file is
# restored. In newer releases both plugins have the same number, and it starts.
test_removed()
{
	local job plugins=$run/plugins
	job=$(busy n1 3 1000)
	have_saved "$job"
	"$cluster" stop-ctld "$run" || fail "slurmctld does not end"
	mv "$plugins/select_cons_tres_lxfw.so" "$plugins/aside"
	"$cluster" conf "$run" --conf SelectType=select/cons_tres
	if "$cluster" start-ctld "$run"; then
		[[ ! $("$cluster" release) =~ ^2[2-4] ]] ||
			fail "slurmctld starts without it: the test has no effect"
		is_state "$job" RUNNING || fail "job lost: $(state "$job")"
	fi
	mv "$plugins/aside" "$plugins/select_cons_tres_lxfw.so"
	use_select cons_tres
	# Without a change Slurm may save them after five minutes only.
	have_saved "$job"
	rm "$plugins/select_cons_tres_lxfw.so"
	start_anew
	is_state "$job" RUNNING || fail "job lost: $(state "$job")"
	[ "$(allocated n1)" = 3 ] || fail "$(allocated n1) processors of n1 allocated"
	start_anew --plugins "$build/.libs" --conf SelectType=select/cons_tres_lxfw
}

# A program linked with the small libslurm only, as third-party programs are, loads
# every available select plugin.
test_small_library()
{
	local options=()
	cat >"$run/work/ask.c" <<-'END'
		#include <slurm/slurm.h>
		#include <stdio.h>
		int main(void)
		{
			node_info_msg_t *nodes;
			slurm_init(NULL);
			if (slurm_load_node(0, &nodes, SHOW_ALL) != 0)
				return 1;
			printf("%u\n", nodes->record_count);
			return 0;
		}
	END
	if [ -n "$LXFW_SLURM_PREFIX" ]; then
		options=("-I$LXFW_SLURM_PREFIX/include" "-L$LXFW_SLURM_PREFIX/lib" "-Wl,-rpath,$LXFW_SLURM_PREFIX/lib")
	fi
	"${CC:-cc}" "${options[@]}" -o "$run/work/ask" "$run/work/ask.c" -lslurm ||
		fail "a program with libslurm cannot be built"
	[ "$("$run/work/ask" 2>&1)" = 4 ] || fail "$("$run/work/ask" 2>&1)"
}

live_policy=lxfw_policy=lxfw
# The rule of the paper is tested; live-gpus.sh has that of GPUs, which two nodes have.
select_params=lxfw_placement=paper
live_main "$@" -- "${select_machine[@]}"
