#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/cons_tres_lxfw, under sched/lxfw and under Slurm's own schedulers: 4 nodes,
# 8 processors in 2 sockets and 16000 MB each, and 2 GPUs on n3 and n4.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

# Alone, with each of the schedulers.
if [ -z "${LXFW_SCHEDULER-}" ]; then
	status=0
	for name in backfill lxfw; do
		echo "with sched/$name"
		LXFW_SCHEDULER=$name "$0" "$@" || status=$?
		[ "$status" = 0 ] || break
	done
	exit "$status"
fi

# busy NODE PROCESSORS MEMORY: prints the id of a job that holds them.
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
	# n2 and n3 have as few processors left; n2 has less memory.
	expect_on "$(submit -n 1 --mem 100 -t 10 'sleep 30')" n2
	# Now n2 has the fewest, but no room for this; n3 has.
	expect_on "$(submit -n 1 --mem 8000 -t 10 'sleep 30')" n3
	expect_on "$(submit -n 3 --mem 100 -t 10 'sleep 30')" n1
	expect_on "$(submit -n 8 --mem 100 -t 10 'sleep 30')" n4
}

# Whoever allocates, and whoever only asks.
test_every_path()
{
	busy n3 6 1000 >/dev/null
	[ "$(srun -n 1 --mem 100 -t 1 printenv SLURMD_NODENAME)" = n3 ] || fail "srun went elsewhere"
	[ "$(salloc -Q -n 1 --mem 100 -t 1 srun printenv SLURMD_NODENAME)" = n3 ] || fail "salloc went elsewhere"
	sbatch --test-only -n 2 --mem 100 -t 1 --wrap true 2>&1 | grep -q 'on nodes n3 ' ||
		fail "sbatch --test-only: $(sbatch --test-only -n 2 --mem 100 -t 1 --wrap true 2>&1)"
	srun --test-only -n 2 --mem 100 -t 1 true 2>&1 | grep -q 'on nodes n3 ' || fail "srun --test-only"
	expect_on "$(submit --array=1 -n 1 --mem 100 -t 1 'sleep 20')" n3
}

# Whole nodes first, the rest where the fewest are left.
test_several_nodes()
{
	local job
	busy n1 6 1000 >/dev/null
	busy n2 4 1000 >/dev/null
	job=$(submit -n 12 --mem-per-cpu 100 -t 10 'sleep 30')
	wait_start "$job"
	[[ "$(nodes_of "$job")" =~ ^n2\ n[34]$ ]] || fail "12 processors on $(nodes_of "$job")"
	# One on each of two nodes: where the fewest are left.
	expect_on "$(submit -N 2 -n 2 --mem 100 -t 10 'sleep 30')" n1 "$(nodes_of "$job" | awk '{ print $2 == "n3" ? "n4" : "n3" }')"
}

live_policy=lxfw_policy=lxfw
[ -e "$build/.libs/select_cons_tres_lxfw.so" ] ||
	skip "select_cons_tres_lxfw.so is not built (--without-slurm?)"
live_main "$@" -- --nodes 4 --cpus 8 --memory 16000 \
	--plugin-dir "$(cd "$build/.libs" && pwd)" \
	--conf SelectType=select/cons_tres_lxfw \
	--conf GresTypes=gpu \
	--gres 'NodeName=n[3-4] Name=gpu File=/dev/null' --gres 'NodeName=n[3-4] Name=gpu File=/dev/zero' \
	--node 'n1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1' \
	--node 'n2 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1' \
	--node 'n3 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 Gres=gpu:2' \
	--node 'n4 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 Gres=gpu:2'
