#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Licenses that jobs wait for: the same submissions under Slurm's sched/backfill with bf_licenses
# and under sched/lxfw. The expectations are the same for both.

export live_policy=lxfw_policy=site
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	live_expectations "$@"
	exit
fi

# use ITEMS: set SchedulerParameters, with ITEMS of sched/lxfw.
use()
{
	if [ "$scheduler" = lxfw ]; then
		set_params "$(live_params "$1")"
	else
		set_params "$(live_params),bf_licenses"
	fi
}

# Print how many jobs with name $1 have run or run.
started_as()
{
	squeue -h -n "$1" -t R,CG,CD -o %i | wc -l
}

# Jobs with one license come one after the other, six at a time. One that needs all four starts
# when those before it have ended, and the later ones do not overtake it.
stream()
{
	local large before i small=small_$live_name
	use "$1"
	for i in 6 9 12 5 7 8; do
		submit -J "$small" -n1 -L lic:1 -t 1 "sleep $i" >/dev/null
	done
	poll 60 has_started "$small" 4
	large=$(submit -n1 -L lic:4 -t 1 'sleep 1')
	before=$(submitted "$large")
	for ((i = 0; i < 40; i++)); do
		[ "$(state "$large")" = PENDING ] || break
		[ "$(squeue -h -n "$small" -t PD -o %i | wc -l)" -ge 4 ] ||
			submit -J "$small" -n1 -L lic:1 -t 1 "sleep $((5 + i % 7))" >/dev/null
		sleep 0.5
	done
	[ "$(state "$large")" != PENDING ] ||
		fail "$large waits since $before for $(reason "$large"); $(started_as "$small") small jobs have started"
	[ "$(started_as "$small")" -le 8 ] || fail "$(started_as "$small") small jobs have started"
}

has_started()
{
	[ "$(started_as "$1")" -ge "$2" ]
}

test_stream_site()
{
	stream "$live_policy"
}

test_stream_lxfw()
{
	stream lxfw_policy=lxfw
}

shown_start()
{
	squeue -h --start -j "$1" -o %S
}

shows_start()
{
	local shown
	shown=$(shown_start "$1")
	[ -n "$shown" ] && [ "$shown" != N/A ]
}

# explains JOB RUNNING: `lxfw why` names the license, and the job that has it.
explains()
{
	poll 30 has_recorded "$1" || fail "not in the journal"
	"$build/lxfw" why "$1" "$run/journal" >"$run/why" || fail "lxfw why fails"
	grep -q "^It requests .* 2 of license lic for " "$run/why" &&
		grep -qx 'It waits for license lic: 3 of 4 are in use.' "$run/why" &&
		grep -q "^  job $2, .*3 of license lic, until " "$run/why" ||
		fail "lxfw why prints $(cat "$run/why")"
}

has_recorded()
{
	"$build/lxfw" why "$1" "$run/journal" 2>/dev/null | grep -q 'It has a reservation'
}

# A job that waits has an expected start, at the end of the job that has its licenses.
test_expected_start()
{
	local first next
	use "$live_policy"
	first=$(submit -n1 -L lic:3 -t 3 'sleep 600')
	wait_state "$first" RUNNING
	next=$(submit -n1 -L lic:2 -t 1 'sleep 600')
	poll 60 has_reason "$next" '^Licenses$' || fail "reason $(reason "$next")"
	poll 60 shows_start "$next" || fail "no expected start"
	[ "$scheduler" != lxfw ] || [ "$(shown_start "$next")" -eq "$(ended "$first")" ] ||
		fail "expected at $(shown_start "$next"), but $first ends at $(ended "$first")"
	[ "$scheduler" != lxfw ] || explains "$next" "$first"
	wait_start "$(submit -n1 -L lic:1 -t 1 'sleep 1')"
	scontrol update jobid="$first" licenses=lic:1
	wait_start "$next"
}

# An advance reservation keeps licenses: a job that would need them then waits, one that ends
# before or needs fewer starts.
test_reservation()
{
	local long short few
	use "$live_policy"
	scontrol create reservation reservationname=l starttime=now+150 duration=10 licenses=lic:3 \
		users=root flags=any_nodes >/dev/null || fail "no reservation"
	long=$(submit -n1 -L lic:2 -t 10 'sleep 600')
	short=$(submit -n1 -L lic:2 -t 1 'sleep 1')
	few=$(submit -n1 -L lic:1 -t 10 'sleep 1')
	wait_start "$short"
	wait_start "$few"
	expect_pending "$long"
	scontrol delete reservationname=l
	wait_start "$long"
}

# A job waits for licenses, and one behind it for nodes: both have an expected start, and a job that
# would delay the second one waits.
test_wide_behind()
{
	local first short next wide small
	use "$live_policy"
	first=$(submit -N1 --exclusive -L lic:4 -t 5 'sleep 600')
	short=$(submit -N2 --exclusive -t 1 'sleep 30')
	wait_state "$first" RUNNING
	wait_state "$short" RUNNING
	next=$(submit -n1 -L lic:1 -t 1 'sleep 1')
	poll 60 has_reason "$next" '^Licenses$' || fail "reason $(reason "$next")"
	wide=$(submit -N4 --exclusive -t 1 'sleep 1')
	poll 60 shows_start "$wide" || fail "no expected start of $wide"
	poll 60 shows_start "$next" || fail "no expected start of $next"
	small=$(submit -N1 --exclusive -t 10 'sleep 1')
	wait_start "$wide"
	wait_start "$small"
	[ "$(started "$small")" -ge "$(started "$wide")" ] || fail "$small overtook $wide"
	is_state "$next" PENDING || fail "$next is $(state "$next")"
	scancel "$first"
	wait_start "$next"
}

# The controller dies while a job waits: the licenses of the running jobs are in use, and no
# later job overtakes it.
test_restart()
{
	local first large later
	use "$live_policy"
	first=$(submit -n1 -L lic:2 -t 1 'sleep 20')
	wait_state "$first" RUNNING
	large=$(submit -n1 -L lic:4 -t 1 'sleep 1')
	have_saved "$large"
	"$cluster" kill9-ctld "$run"
	"$cluster" start-ctld "$run" || fail "the controller does not start"
	poll 60 controller_up
	later=$(submit -n1 -L lic:1 -t 1 'sleep 1')
	wait_start "$large"
	wait_start "$later"
	[ "$(started "$later")" -ge "$(started "$large")" ] || fail "$later overtook $large"
}

# More than there are: Slurm refuses the job, or it waits and harms no other.
test_too_many()
{
	local many
	use "$live_policy"
	many=$(sbatch --parsable -D "$run/work" -o /dev/null -n1 -L lic:5 --wrap true 2>/dev/null)
	wait_start "$(submit -n1 -L lic:4 -t 1 'sleep 0')"
	[ -z "$many" ] || expect_pending "$many"
}

live_main "$@" -- --nodes 5 --cpus 4 --conf Licenses=lic:4
