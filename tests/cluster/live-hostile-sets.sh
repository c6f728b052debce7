#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Thousands of jobs of one user, each with a different set of nodes on which it may run.
# They get service, and do not delay other users' jobs.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/hostile.sh
. "$(dirname "$0")/hostile.sh"

[ -x "$build/tests/cluster/flood" ] || skip "tests/cluster/flood is not built"

# The controller writes several files for each job. They are kept in memory, otherwise
# the disk would make the test slow.
if [ -z "${LXFW_FLOOD_STATE-}" ]; then
	LXFW_FLOOD_STATE=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")" \
		lxfw-state.XXXXXX) || exit 1
	export LXFW_FLOOD_STATE
	"$0" "$@"
	status=$?
	rm -rf "$LXFW_FLOOD_STATE"
	exit "$status"
fi

# The machine is full except for n1, which is in another partition.
flood()
{
	local kind=$1 count=$2 i each=$(($2 / 4)) pids=() conf=$run/work/flood.conf
	# A client loads all available select plugins. It must not load ours.
	sed -E 's|^PluginDir=.*:|PluginDir=|' "$run/etc/slurm.conf" >"$conf"
	chmod 644 "$conf"
	# Copy the program to a folder that all users can read.
	cp "$build/tests/cluster/flood" "$run/work/flood" || fail "cannot copy flood"
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
	# A pass over many jobs takes longer if other tests run at the same time.
	local kind=$1 count=$2 busy before prompt=20
	lxfw_only
	scontrol update nodename="c[1-20]" state=down reason=flood || fail "c[1-20] cannot be set down"
	busy=$(submit -p q -N 3 -n 48 -t 60 'sleep 600') || exit 1
	wait_state "$busy" RUNNING
	flood "$kind" "$count"
	echo "  $(squeue -h -t PD -u "$plain_user" -o %A | wc -l) jobs wait"
	expect_others_start
	! logged 'rebuilding the model' || fail "the model was rebuilt"
	# The many jobs get service too.
	before=$(times_logged "$flood_started")
	scancel "$busy"
	poll 120 logged_again "$flood_started" "$before" || fail "no job starts"
	forget_jobs
}

# Restart the controller without saved state. This is faster than cancelling all jobs.
forget_jobs()
{
	"$cluster" kill9-ctld "$run"
	rm -rf "$LXFW_FLOOD_STATE"/{job_state*,hash.*}
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
}

flood_started='sched/lxfw: started JobId=.* in [abc] on n'

# With LXFW_SLOW=1, many more jobs.
test_space_of_each()
{
	expect_flood_harmless tmp "$([ -n "${LXFW_SLOW-}" ] && echo 7200 || echo 3600)"
}

test_nodes_excluded_by_each()
{
	expect_flood_harmless exclude "$([ -n "${LXFW_SLOW-}" ] && echo 21000 || echo 8400)"
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
