#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Slurm's own priorities: fair share, QOS, partitions, nice values, scontrol top and
# priorities set by hand, with priority/multifactor on a node of one processor. Under
# lxfw_policy=site jobs start in the order of Slurm's own scheduler (live-site.outcomes; it is
# asked with LXFW_SLOW=1).

export live_policy=lxfw_policy=site
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/accounts.sh
. "$(dirname "$0")/accounts.sh"

for program in slurmdbd mariadbd mariadb-install-db sacctmgr; do
	PATH=$PATH:/usr/sbin type -P $program >/dev/null || skip "$program is not installed"
done

if [ -z "${LXFW_SCHEDULER-}" ]; then
	live_outcomes 1 "$@"
fi

knows_accounts()
{
	[ "$(scontrol show assoc_mgr flags=assoc 2>/dev/null |
		grep -cE "Account=(heavy|light|idle|filler) UserName=$(id -un)")" = 4 ] &&
		scontrol show assoc_mgr flags=qos | grep -q 'QOS=high'
}

# share_of ACCOUNT: print the fair-share factor of this user in it.
share_of()
{
	sshare -h -P -A "$1" -u "$(id -un)" -o user,fairshare | awk -F'|' '$2 { print $2 }'
}

shares_differ()
{
	[ "$(share_of heavy)" != "$(share_of light)" ] &&
		[ "$(share_of light)" != "$(share_of idle)" ]
}

# Three accounts of different fair share, of which two have used the machine, one for the
# jobs that fill the machine, and a QOS.
make_accounts()
{
	local name
	manage add qos high
	manage modify qos high set priority=10
	for name in heavy light idle filler; do
		manage add account $name fairshare=1
		manage add user "$(id -un)" account=$name fairshare=1
		manage modify user "$(id -un)" where account=$name set qos=normal,high
	done
	poll 60 knows_accounts || fail "the controller does not know the accounts"
	! shares_differ || return 0
	wait_done "$(submit -A heavy -t 1 'sleep 6')" "$(submit -A light -t 1 'sleep 1')"
	# Priorities are calculated when the controller starts, then every minute.
	"$cluster" stop-ctld "$run" && "$cluster" start-ctld "$run" ||
		fail "slurmctld does not start again"
	poll 90 shares_differ || fail "accounts have the same fair share: $(sshare -h -a -P | xargs)"
	"$cluster" wait-up "$run" || fail "nodes do not come back"
}

# fill: the machine is full.
fill()
{
	wait_state "$(submit -A filler -J running -t 9 'sleep 1000')" RUNNING
}

# wait_as NAME OPTIONS...: submit a job that waits, and print its id.
wait_as()
{
	submit -A idle -J "$1" -t 9 "${@:2}" 'sleep 1000'
}

another_runs()
{
	local now
	now=$(squeue -h -t R -o %i)
	[ -n "$now" ] && [ "$now" != "$1" ]
}

# start_order: cancel what runs until nothing waits, and print jobs in the order in
# which they started.
start_order()
{
	local running
	while [ -n "$(squeue -h -t PD -o %i)" ]; do
		running=$(squeue -h -t R -o %i)
		scancel "$running"
		poll 60 another_runs "$running" || fail "nothing started: $(squeue -h | xargs)"
		squeue -h -t R -o %j
	done | xargs
}

# expect_starts ORDER
expect_starts()
{
	local order
	order=$(start_order) || exit 1
	[ "$order" = "$1" ] || fail "jobs started in the order $order, not $1"
	scancel -u "$(id -un)"
	wait_empty
}

# under POLICY TEST: run the function under these parameters, or just once with Slurm's own
# scheduler, whose order is that of site.
under()
{
	if [ "$scheduler" = lxfw ]; then
		set_params "$(live_params "$1")"
	elif [ "$1" != lxfw_policy=site ]; then
		return 0
	fi
	"$2"
	[ "$scheduler" != lxfw ] || echo "  $1"
}

# Print the jobs that wait in the order in which squeue and sprio have them.
shown()
{
	squeue -h -t PD -S -p,i -o %j | xargs
}

# The job in two partitions has the larger of its priorities.
shows_both()
{
	[[ $(shown) = *both*light* ]]
}

shown_by_sprio()
{
	sprio -h -o '%i %Y' | sort -s -k2,2nr -k1,1n | awk '!seen[$1]++ { print $1 }' |
		while read -r id; do
			squeue -h -j "$id" -o %j
		done | xargs
}

# Fair share, QOS, partitions, nice values and what was set by hand, all at once.
test_order()
{
	local order by_priority by_sprio
	make_accounts
	fill
	wait_as plain >/dev/null
	wait_as heavy -A heavy >/dev/null
	wait_as light -A light >/dev/null
	wait_as high -q high >/dev/null
	wait_as highheavy -q high -A heavy >/dev/null
	wait_as part -p q >/dev/null
	wait_as both -p p,q -A light >/dev/null
	wait_as nice --nice=150 >/dev/null
	wait_as nasty --nice=-77 >/dev/null
	wait_as byhand --priority=3001 >/dev/null
	wait_as low --priority=2 >/dev/null
	wait_as same >/dev/null
	wait_as array --array=1-2 --nice=33 >/dev/null
	# With Slurm's own scheduler, it has the priority of the partition that was tried last.
	[ "$scheduler" != lxfw ] || poll 60 shows_both || fail "squeue -S p shows $(shown)"
	by_priority=$(shown)
	by_sprio=$(shown_by_sprio)
	# A job of a higher tier is first whatever its priority is.
	wait_as tier -p t --priority=1 >/dev/null
	order=$(start_order) || exit 1
	outcome "$order"
	[ "$(xargs -n 1 <<<"$order" | sort | uniq | wc -l)" = 14 ] || fail "jobs are missing"
	lxfw_only
	[ "$order" = "tier ${by_priority/array/array array}" ] ||
		fail "squeue -S p shows $by_priority"
	# squeue does not find an array by the number that sprio prints.
	[ "${by_sprio/array /}" = "${by_priority/array /}" ] || fail "sprio shows $by_sprio"
}

priorities()
{
	local one three
	fill
	one=$(wait_as one)
	wait_as two >/dev/null
	three=$(wait_as three)
	scontrol update "jobid=$three" priority=4000000 || fail "no update"
	scontrol update "jobid=$one" priority=1 || fail "no update"
	expect_starts 'three two one'
}

test_update_priority()
{
	make_accounts
	under lxfw_policy=site priorities
	under lxfw_policy=lxfw priorities
	under lxfw_policy=fcfs priorities
}

nice_values()
{
	local one three
	fill
	one=$(wait_as one)
	wait_as two >/dev/null
	three=$(wait_as three)
	scontrol update "jobid=$three" nice=-100 || fail "no update"
	scontrol update "jobid=$one" nice=100 || fail "no update"
	expect_starts 'three two one'
}

test_nice()
{
	make_accounts
	under lxfw_policy=site nice_values
	under lxfw_policy=lxfw nice_values
	under lxfw_policy=fcfs nice_values
}

top()
{
	local three
	fill
	wait_as one >/dev/null
	wait_as two >/dev/null
	three=$(wait_as three --nice=300)
	scontrol top "$three" || fail "scontrol top fails"
	expect_starts 'three one two'
}

test_top()
{
	make_accounts
	under lxfw_policy=site top
	under lxfw_policy=lxfw top
}

# A job that is held loses its turn, and has its priority again when it is released.
held()
{
	local one running
	fill
	one=$(wait_as one -q high)
	wait_as two >/dev/null
	wait_as three --nice=1000 >/dev/null
	scontrol hold "$one" || fail "no hold"
	running=$(squeue -h -t R -o %i)
	scancel "$running"
	poll 60 another_runs "$running" || fail "nothing started"
	[ "$(squeue -h -t R -o %j)" = two ] || fail "$(squeue -h -t R -o %j) started, not two"
	scontrol release "$one" || fail "no release"
	expect_starts 'one three'
}

test_hold_and_release()
{
	make_accounts
	under lxfw_policy=site held
}

weighed()
{
	fill
	wait_as one >/dev/null
	wait_as two -q high >/dev/null
	expect_starts "$expected"
}

# The priority as one more weight of LXF&W.
test_weight()
{
	local expected
	lxfw_only
	make_accounts
	expected='one two'
	under lxfw_policy=lxfw weighed
	expected='two one'
	under lxfw_policy=lxfw,lxfw_wsite=1000 weighed
}

# priority_of JOB, as calculated last
priority_of()
{
	sprio -h -j "$1" -o %Y | xargs
}

precedes()
{
	(($(priority_of "$1") > $(priority_of "$2")))
}

# A fair share that changes while jobs wait counts from the next calculation, which is up
# to a minute later.
test_fair_share_changes()
{
	local heavy light
	[ -n "${LXFW_SLOW-}" ] || { echo "  (only with LXFW_SLOW=1)"; exit 0; }
	make_accounts
	fill
	light=$(wait_as light -A light)
	heavy=$(wait_as heavy -A heavy)
	precedes "$light" "$heavy" || fail "light is not before heavy"
	manage modify account heavy set fairshare=100000
	poll 150 precedes "$heavy" "$light" || fail "the priorities are not calculated"
	expect_starts 'heavy light'
	manage modify account heavy set fairshare=1
}

live_main "$@" -- --accounting --nodes 1 --cpus 1 \
	--conf PriorityType=priority/multifactor --conf PriorityCalcPeriod=1 \
	--conf PriorityWeightAge=0 --conf PriorityWeightFairshare=1000 \
	--conf PriorityWeightPartition=500 --conf PriorityWeightQOS=700 \
	--partition 'p Nodes=ALL Default=YES MaxTime=INFINITE PriorityJobFactor=5 State=UP' \
	--partition 'q Nodes=ALL MaxTime=INFINITE PriorityJobFactor=10 State=UP' \
	--partition 't Nodes=ALL MaxTime=INFINITE PriorityTier=2 State=UP'
