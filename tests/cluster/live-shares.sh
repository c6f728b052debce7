#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# EQspatial on a live cluster of 2 nodes of 16 processors and 16000 MB: adaptive jobs
# start on a share and get others while they run; rigid ones keep what they ask for.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/shares.sh
. "$(dirname "$0")/shares.sh"

# The first has all; the second starts on its half; the first gets all back.
test_two_share()
{
	local first second
	first=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$first" 16
	second=$(adaptive -w n1 -c 16 --mem 1000 -t 60 'sleep 1000')
	expect_procs "$second" 8
	expect_procs "$first" 8
	scancel "$second"
	expect_procs "$first" 16
}

live_policy=$shares_policy
live_main "$@" -- --nodes 2 --cpus 16 --memory 16000
