#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Changes of shares with a controller that is killed at each step. The state after the
# restart is consistent with any scheduler, and at the end nothing is allocated.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/shares.sh
. "$(dirname "$0")/shares.sh"

# begin MOMENT: start one job on all of n1. Another job is about to start there, or runs
# there and is about to end. Set first and second to their ids.
begin()
{
	rm -f "$run/work/over"
	before=$(wc -l <"$run/log/slurmctld")
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	second=$(adaptive --begin now+8 -w n1 -c 16 --mem 1000 -t 60 "until [ -e over ]; do sleep 0.3; done")
	have_saved "$second"
	[ "$1" = grown ] || return 0
	expect_procs "$second" 8
	have_saved "$second"
	touch "$run/work/over"
}

said()
{
	tail -n "+$((before + 1))" "$run/log/slurmctld" | grep -q "lxfw: $1"
}

# Moments.
shrunk()  { said "JobId=$first has 8 processors"; }
started_on_less() { said "started JobId=$second"; }
shrunk_and_saved() { shrunk && saved_since "$(date +%s)"; }
grown()   { said "JobId=$first has 16 processors of n1, 8 before"; }

kill_at()
{
	local deadline=$((SECONDS + 30))
	until "$1"; do
		((SECONDS < deadline)) || fail "never $1"
	done
	"$cluster" kill9-ctld "$run"
}

# A killed controller does not know of a start that it had not saved: it ends the job
# that the node reports, starts it again, or holds it. An end that it had not saved is
# reported when it queries the node. Slurm behaves so without our plugins too. The
# shares of the jobs that the controller considers running must be right.
second_settled()
{
	! has_field "$second" Priority 0 || scontrol release "$second"
	scontrol update "jobid=$second" starttime=now 2>/dev/null
	is_state "$second" 'RUNNING COMPLETED FAILED'
}

expect_shares()
{
	poll 60 second_settled || fail "job $second is $(state "$second") ($(reason "$second"))"
	if is_state "$second" RUNNING; then
		expect_procs "$second" 8
		expect_procs "$first" 8
		scancel "$second"
	fi
	expect_procs "$first" 16
}

expect_all_free()
{
	scancel "$first" "$second"
	wait_empty
	poll 60 node_has n1 0 || fail "allocated on n1: $(scontrol -o show node n1 | grep -o 'CPUAlloc=[0-9]*')"
}

survive()
{
	begin "$1"
	kill_at "$1"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start again"
	expect_books
	expect_shares
	expect_all_free
}

test_killed_when_shrunk()
{
	survive shrunk
}

test_killed_when_shrunk_and_saved()
{
	survive shrunk_and_saved
}

test_killed_when_started()
{
	survive started_on_less
}

test_killed_when_grown()
{
	survive grown
}

# Slurm's own plugins are configured after the restart, scheduler and selection of
# nodes: jobs keep the saved shares, and all operations of Slurm on them work.
gone()
{
	local procs
	begin "$1"
	kill_at "$1"
	start_anew --scheduler backfill --params '' --conf SelectType=select/cons_tres
	is_state "$first" RUNNING || fail "job $first is $(state "$first")"
	expect_books
	procs=$(procs_of "$first")
	[ "$procs" = 8 ] || [ "$procs" = 16 ] || fail "job $first has $procs processors"
	scontrol suspend "$first" && scontrol resume "$first" || fail "suspend and resume fail"
	expect_books
	expect_all_free
	start_anew --scheduler lxfw --params "$params" --conf "SelectType=select/$selector"
}

test_gone_when_shrunk()
{
	gone shrunk
}

test_gone_when_shrunk_and_saved()
{
	gone shrunk_and_saved
}

test_gone_when_started()
{
	gone started_on_less
}

test_gone_when_grown()
{
	gone grown
}

# `make check` runs this one.
live_selectors gone_when_shrunk_and_saved -- "$@"
[ $# -gt 0 ] || [ -n "${LXFW_SLOW-}" ] ||
	set -- killed_when_shrunk killed_when_grown
# shellcheck disable=SC2034
live_policy=$shares_policy
live_main "$@" -- --nodes 1 --cpus 16 --memory 16000
