# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions shared by the live tests of policies that preempt; sourced after quantum.sh.

# A job may be preempted when it has run for lxfw_rem_min_run.
min_run=10

length=140

# both_busy: on each node, start a job that counts to $length and requests an hour. Set the
# array fillers to their ids.
both_busy()
{
	fillers=("$(ticker -w n1 -n 8 --mem 2000 $length)" "$(ticker -w n2 -n 8 --mem 2000 $length)")
	wait_min_run "${fillers[0]}"
	wait_min_run "${fillers[1]}"
}

# short OPTIONS... COMMAND: submit a job of 8 processors that requests a minute.
short()
{
	submit -n 8 --mem 3000 -t 1 "$@"
}

# All jobs given and the fillers complete, and no record of a suspension is left.
expect_all_over()
{
	local filler
	wait_done "$@" "${fillers[@]}"
	for filler in "${fillers[@]}"; do
		(($(ticks_of "$filler") >= length)) || fail "job $filler counted to $(ticks_of "$filler")"
	done
	poll 20 no_preempted_records || fail "records left: $(grep '^lent ' "$run/state/lxfw_quanta" | xargs)"
}
