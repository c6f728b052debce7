#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Thousands of jobs of one user, each of which may run on other nodes than all the rest:
# they are served, and keep nobody else's from starting.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/hostile.sh
. "$(dirname "$0")/hostile.sh"

[ -x "$build/tests/cluster/flood" ] || skip "tests/cluster/flood is not built"

# The controller writes some files for each job: in memory, or it is the disk that
# makes the test slow.
if [ -z "${LXFW_FLOOD_STATE-}" ]; then
	LXFW_FLOOD_STATE=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")" \
		lxfw-state.XXXXXX) || exit 1
	export LXFW_FLOOD_STATE
	"$0" "$@"
	status=$?
	rm -rf "$LXFW_FLOOD_STATE"
	exit "$status"
fi

# The machine is full, but for n1, which is another partition.
flood()
{
	local kind=$1 count=$2 i each=$(($2 / 4)) pids=() conf=$run/work/flood.conf
	# A client loads all select plugins that it finds; ours is not for it.
	sed -E 's|^PluginDir=.*:|PluginDir=|' "$run/etc/slurm.conf" >"$conf"
	chmod 644 "$conf"
	# Where any user can run it.
	cp "$build/tests/cluster/flood" "$run/work/flood" || fail "no copy"
	for i in 0 1 2 3; do
		SLURM_CONF=$conf as_plain "$run/work/flood" $((i * each + 1)) $(((i + 1) * each)) a,b,c "$kind" &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || fail "not all of $count jobs were submitted"
	done
}

expect_flood_harmless()
{
	# To look at so many jobs takes a while, where other tests run beside this one.
	local kind=$1 count=$2 busy before prompt=5
	lxfw_only
	scontrol update nodename="c[1-20]" state=down reason=flood
	busy=$(submit -p q -N 3 -n 48 -t 60 'sleep 600') || exit 1
	wait_state "$busy" RUNNING
	flood "$kind" "$count"
	echo "  $(squeue -h -t PD -u "$plain_user" -o %A | wc -l) jobs wait"
	expect_others_start
	! logged 'rebuilding the model' || fail "the model was rebuilt"
	# And those many are served themselves.
	before=$(times_logged "$flood_started")
	scancel "$busy"
	poll 30 logged_again "$flood_started" "$before" || fail "none of the jobs starts"
	forget_jobs
}

# Without a state a controller knows of none: sooner done than to cancel so many.
forget_jobs()
{
	"$cluster" kill9-ctld "$run"
	rm -rf "$LXFW_FLOOD_STATE"/{job_state*,hash.*}
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
}

flood_started='sched/lxfw: started JobId=.* in [abc] on n'

test_space_of_each()
{
	expect_flood_harmless tmp 7200
}

test_nodes_excluded_by_each()
{
	expect_flood_harmless exclude 21000
}

live_main "$@" -- \
	--conf MaxJobCount=100000 \
	--conf "StateSaveLocation=$LXFW_FLOOD_STATE" \
	--conf "NodeName=c[1-20] CPUs=16 RealMemory=64000 TmpDisk=100000 State=CLOUD" \
	--conf SuspendProgram=/bin/true --conf ResumeProgram=/bin/true \
	--conf SuspendTime=1000000 --conf PrivateData=cloud \
	--node 'n2 TmpDisk=100000' \
	--node 'n3 TmpDisk=100000' \
	--node 'n4 TmpDisk=100000' \
	--partition 'p Nodes=n1 Default=YES MaxTime=INFINITE State=UP' \
	--partition 'q Nodes=n[2-4] MaxTime=INFINITE State=UP' \
	--partition 'a Nodes=n[2-4],c[1-20] MaxTime=INFINITE State=UP' \
	--partition 'b Nodes=n[2-4],c[1-20] MaxTime=INFINITE State=UP' \
	--partition 'c Nodes=n[2-4],c[1-20] MaxTime=INFINITE State=UP'
