# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions shared by the live tests of policies that preempt; sourced after quantum.sh.

# A job may be preempted when it has run for lxfw_rem_min_run.
min_run=10

length=140

# filler NODE: submit a job of an hour that counts, ten per second while it runs, to $length
# at least and until expect_all_over lets it end.
filler()
{
	submit -t 60 -o ticks.%j -w "$1" -n 8 --mem 2000 "i=0
		until [ \$i -ge $length ] && [ -e fillers.end ]; do i=\$((i + 1)); echo \$i; sleep 0.1; done"
}

# both_busy: start a filler on each node. Set the array fillers to their ids.
both_busy()
{
	rm -f "$run/work/fillers.end"
	fillers=("$(filler n1)" "$(filler n2)")
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
	touch "$run/work/fillers.end"
	wait_done "$@" "${fillers[@]}"
	for filler in "${fillers[@]}"; do
		(($(ticks_of "$filler") >= length)) || fail "job $filler counted to $(ticks_of "$filler")"
	done
	poll 60 no_preempted_records || fail "records left: $(grep '^lent ' "$run/state/lxfw_quanta" | xargs)"
}
