#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Slurm's priority/multifactor against the model of it: the same jobs of several users,
# accounts, QOS and partitions, and at each calculation the priority of each job and the
# usage of each association; now and then what sprio and sshare print, to all digits.
# Clocks run 60 times as fast. It concerns Slurm's own scheduler, since that is what the
# priorities are for.

export LXFW_SCHEDULER=backfill
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/accounts.sh
. "$(dirname "$0")/accounts.sh"

type -P faketime >/dev/null || skip "faketime is not installed"
[ "$(id -u)" = 0 ] || skip "only root can submit jobs of several users"
for name in daemon bin sys games man lp; do
	getent passwd "$name" >/dev/null || skip "no user $name"
done

# What its log says, and some of what it computes, is another release's own.
release=$("$cluster" release 2>&1) || skip "$release"
[ "$release" = 22.05 ] || skip "the model follows Slurm 22.05, this is $release"

speed=60
# PriorityCalcPeriod=1: one each second of the real clock.
period=60

# Once: an account with Fairshare=parent, two without shares, which are equal to Fair Tree, a
# user in two accounts, one in a partition only, priorities of associations.
make_accounts()
{
	[ ! -e "$run/accounts.made" ] || return 0
	manage add account phys fairshare=30
	manage add account opt parent=phys fairshare=10
	manage add account mech parent=phys fairshare=parent
	manage add account chem fairshare=20
	manage add account zero fairshare=0
	manage add account nought fairshare=0
	manage add account void fairshare=5
	manage add user daemon account=opt fairshare=3 priority=4
	manage add user sys account=opt fairshare=1
	manage add user bin account=phys fairshare=parent priority=10
	manage add user bin account=mech fairshare=2
	manage add user games account=chem fairshare=2
	manage add user daemon account=chem fairshare=1
	manage add user sys account=chem partition=gpu fairshare=4
	manage add user lp account=zero fairshare=1
	manage add user games account=nought fairshare=1
	manage add user man account=nought fairshare=1
	manage add user man account=void fairshare=1
	manage add qos high
	manage modify qos high set priority=20 usagefactor=2.5
	manage modify qos normal set priority=5
	manage modify account phys,opt,mech,chem,zero,nought,void set qos=normal,high
	touch "$run/accounts.made"
}

# The cluster's script goes by the real clock: 60 s of the other one are too few for a start.
controller()
(
	unset LD_PRELOAD "${!FAKETIME@}"
	"$cluster" "$@"
)

# begin OPTION OF cluster...: a controller without a past that has these in slurm.conf, after
# the values that an earlier test may have changed.
begin()
{
	# A node refuses jobs of a number that it has seen; each test has a shell of its own.
	first_job=$(($(cat "$run/first_job" 2>/dev/null || echo 0) + 1000))
	echo "$first_job" >"$run/first_job"
	make_accounts
	controller stop-ctld "$run" || fail "slurmctld does not end"
	rm -rf "$run"/state/*
	controller conf "$run" --conf "FirstJobId=$first_job" "${weights[@]}" "$@" ||
		fail "slurm.conf cannot be written"
	first_line=$(($(wc -l <"$run/log/slurmctld") + 1))
	controller start-ctld "$run" || fail "slurmctld does not start with $*"
	poll 60 nodes_up || fail "nodes do not come back"
	: >"$run/jobs.asked"
	: >"$run/tables"
	tables=0
}

# ask USER ACCOUNT QOS PARTITIONS NICE NODES PROCS LIMIT SECONDS [OPTION...]: submit a job;
# GPUs of each node by --gres=gpu:N.
ask()
{
	local id gpus=0
	[[ ! "$*" =~ --gres=gpu:([0-9]+) ]] || gpus=${BASH_REMATCH[1]}
	id=$(submit --uid="$1" -A "$2" -q "$3" -p "$4" --nice="$5" -N "$6" -n "$7" -t "$8" \
		"${@:10}" "exec sleep $9") || exit 1
	echo "$id|$1|$2|$3|$4|$5|$7|$6|$8|cpu=$7,mem=$(($7 * 1000)),node=$6,gres/gpu=$((gpus * $6))" \
		>>"$run/jobs.asked"
}

# Seconds of the fast clock.
wait_seconds()
{
	sleep "$1"
}

# When priorities were calculated last.
calculated()
{
	od -An -tu1 -N8 "$run/state/priority_last_decay_ran" |
		awk '{ for (i = 1; i <= 8; i++) second = second * 256 + $i } END { print second }'
}

calculated_since()
{
	(($(calculated) > $1))
}

# What sprio and sshare print, each behind a line "sprio N".
show()
{
	local columns=account,user,partition,normshares,rawusage,normusage,effectvusage,fairshare
	if [ -z "${without_sprio-}" ]; then
		echo "sprio $((++tables))" >>"$run/tables"
		sprio -h -o '%i|%r|%a|%A|%b|%B|%f|%F|%j|%J|%p|%P|%q|%Q|%N|%Y|%T' |
			tr -d ' ' >>"$run/tables"
	fi
	[ "$fair" != tree ] || columns+=,levelfs
	echo "sshare $((++tables))" >>"$run/tables"
	sshare -P -h -a -m -o "$columns" | sed 's/^ *//' >>"$run/tables"
}

# What the table of jobs has of each besides.
job_table()
{
	local id line rest
	scontrol -o show job >"$run/jobs.shown"
	while IFS='|' read -r id rest; do
		line=$(grep "^JobId=$id " "$run/jobs.shown") || fail "job $id is gone"
		awk -v asked="$id|$rest" '
			{
				for (i = 1; i <= NF; i++) {
					at = index($i, "=")
					value[substr($i, 1, at - 1)] = substr($i, at + 1)
				}
				began = value["JobState"] != "PENDING"
				print asked "|" value["SubmitTime"] "|" value["AccrueTime"] "|" \
					(began ? value["StartTime"] : "") "|" \
					(began && value["JobState"] != "RUNNING" ? value["EndTime"] : "") "|" \
					(began ? value["Partition"] : "") "|" (began ? value["TRES"] : "")
			}' <<<"$line"
	done <"$run/jobs.asked" >"$run/jobs"
}

# numbered FILE: each line with the number of its table before it, sorted.
numbered()
{
	awk '/^(sprio|sshare) [0-9]+$/ { table = $0; next } { print table "|" $0 }' "$1" | sort
}

# compare: all of this against the model.
compare()
{
	local last
	last=$(calculated)
	# just behind a calculation, a second before the next one
	poll 60 calculated_since "$last" || fail "priorities are not calculated"
	last=$(calculated)
	tail -n "+$first_line" "$run/log/slurmctld" >"$run/log.priority"
	# jobs that start or end from here on do so in the table alone
	job_table
	sacctmgr -P show assoc format=cluster,account,user,partition,parentname,share,priority \
		>"$run/assocs" || fail "sacctmgr show assoc fails"
	sacctmgr -P show qos >"$run/qos" || fail "sacctmgr show qos fails"
	awk -v last="$last" -f "$here/multifactor.awk" "$run/log.priority" \
		"$run/log.priority" >"$run/events"
	"$build/tests/cluster/multifactor" "$run/etc/slurm.conf" "$run/assocs" "$run/qos" \
		"$run/jobs" "$run/events" >"$run/tables.model" 2>"$run/differences" ||
		fail "priorities or usage differ: $(head -n 20 "$run/differences")"
	sed 's/^/  /' "$run/differences"
	numbered "$run/tables" >"$run/tables.1"
	numbered "$run/tables.model" >"$run/tables.2"
	diff "$run/tables.1" "$run/tables.2" >"$run/differences" ||
		fail "sprio or sshare differ, Slurm's and ours: $(head -n 20 "$run/differences")"
	echo "  $(grep -c ^step "$run/events") calculations, $(wc -l <"$run/tables.1") lines of sprio and sshare"
}

# run_jobs MINUTES: jobs that fill the machine, more that wait, and those that come later,
# after which it takes as long.
run_jobs()
{
	ask daemon opt normal p 0 1 8 60 400
	ask bin phys high p 0 1 8 30 700
	ask sys opt normal p,gpu 0 1 8 90 600
	ask games chem high gpu 0 1 8 120 500 --gres=gpu:1
	ask daemon chem normal p 100 2 16 60 300
	ask games chem normal p,gpu 0 2 8 20 300
	ask bin mech normal p -50 1 16 200 200
	ask games nought normal p -1000000 1 2 30 60
	ask lp zero normal p -1000000 1 2 30 60
	wait_seconds $((period * 3 + 20))
	show
	ask lp zero normal p 0 1 4 30 100
	ask man void high p 0 1 2 10 100
	ask sys chem normal gpu 0 1 4 40 150 --gres=gpu:2
	ask bin phys high p 1000000 1 1 5 60
	wait_seconds $((period * 4))
	show
	ask sys opt normal p,gpu 7 1 16 90 600
	ask daemon opt high p 0 1 16 1 30 --begin=now+5minutes
	wait_seconds $((period * $1))
	show
}

weights=(--conf PriorityType=priority/multifactor --conf PriorityCalcPeriod=1
	--conf PriorityWeightAge=10000 --conf PriorityWeightAssoc=3000
	--conf PriorityWeightFairshare=100000 --conf PriorityWeightJobSize=5000
	--conf PriorityWeightPartition=2000 --conf PriorityWeightQOS=7000
	--conf "PriorityWeightTRES=cpu=1000,mem=500,gres/gpu=3000,billing=10"
	--conf PriorityMaxAge=0-1 --conf PriorityDecayHalfLife=10
	--conf PriorityFavorSmall=NO --conf FairShareDampeningFactor=1
	--conf PriorityFlags=NONE --conf AccountingStorageTRES=gres/gpu
	--conf "AccountingStorageEnforce=associations,limits,qos"
	--conf DebugFlags=Priority --conf SlurmctldDebug=debug2)

# try MINUTES OPTION OF cluster...: with these in slurm.conf, as much longer. Should a job end
# while priorities are calculated, Slurm adds what it used since the calculation before twice,
# and a fast clock leaves room for that: so a difference counts if it is there each time.
try()
{
	local minutes=$1 count
	shift
	for count in 1 2 3 4 5; do
		[ "$count" = 1 ] || live_reset "$params"
		! (begin "$@" && run_jobs "$minutes" && compare) || return 0
	done
	fail "five times"
}

# Half an hour, with LXFW_SLOW=1 an hour.
test_fair_tree()
{
	local minutes=22
	fair=tree
	[ -z "${LXFW_SLOW-}" ] || minutes=52
	try $minutes
}

test_classic()
{
	fair=classic
	try 8 --conf PriorityFlags=NO_FAIR_TREE --conf FairShareDampeningFactor=3 \
		--conf PriorityFavorSmall=YES
}

test_depth_oblivious()
{
	fair=classic
	try 8 --conf "PriorityFlags=DEPTH_OBLIVIOUS,NO_NORMAL_ALL,MAX_TRES,SMALL_RELATIVE_TO_TIME"
}

# Jobs that run or have ended have priorities, too, and sprio prints them.
test_flags()
{
	fair=tree
	without_sprio=yes
	try 8 --conf "PriorityFlags=ACCRUE_ALWAYS,CALCULATE_RUNNING,INCR_ONLY" \
		--conf PriorityFavorSmall=YES
}

# What jobs used after the last calculation before their end is lost.
test_without_limits()
{
	fair=tree
	try 8 --conf AccountingStorageEnforce=associations \
		--conf PriorityFlags=SMALL_RELATIVE_TO_TIME
}

for program in slurmdbd mariadbd mariadb-install-db sacctmgr; do
	PATH=$PATH:/usr/sbin type -P $program >/dev/null || skip "$program is not installed"
done
live_parts 2 "$@"
live_main "$@" -- --accounting --speed $speed --nodes 2 "${weights[@]}" \
	--conf MessageTimeout=$((speed * 60)) \
	--conf GresTypes=gpu \
	--node 'n1 Gres=gpu:2' --node 'n2 Gres=gpu:2' \
	--gres 'NodeName=n[1-2] Name=gpu File=/dev/null' \
	--gres 'NodeName=n[1-2] Name=gpu File=/dev/zero' \
	--partition 'p Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'gpu Nodes=n[1-2] MaxTime=1-0 PriorityJobFactor=4 PriorityTier=2 State=UP TRESBillingWeights=CPU=1.5,Mem=0.25G,GRES/gpu=3'
