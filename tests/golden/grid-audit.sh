#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# An audit of all brokers of `lxfw grid` in random worlds (grid_audit.py). The brokers are those
# that the command knows. Neighbours are audited at each step by tests/unit/test_neighbours, and by
# neighbours.sh; jobs on clusters by batch.sh.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

seed=${LXFW_SEED:-1}
cases=$(random_cases 2 4)
echo "# LXFW_SEED=$seed"

# "lxfw: broker 'none', expected a list of local, ... and market"
brokers=$("$lxfw" grid --sites 1 --broker none /dev/null 2>&1 |
	sed -n 's/.*expected a list of //p' | sed 's/ and / /' | tr -d ,)
case $brokers in local*earliest_end*pjs*market) ;; *) fail "brokers: $brokers" ;; esac

i=0
while [ $i -lt "$cases" ]; do
	i=$((i + 1))
	for broker in $brokers; do
		options=$(python3 "$golden/grid_audit.py" make $((seed + i)) "$broker" "$work")
		# shellcheck disable=SC2086
		"$lxfw" grid --sites "$work/sites" --broker "$broker" --jobs-out \
			"$work/jobs.csv" --decisions "$work/decisions.csv" $options \
			"$work/log.swf" > "$work/out" 2> "$work/messages" ||
			fail "$broker $options, seed $((seed + i)): $(cat "$work/messages")"
		# shellcheck disable=SC2086
		python3 "$golden/grid_audit.py" audit "$broker" "$work" "$work/jobs.csv" \
			"$work/decisions.csv" $options > "$work/out" 2>&1 ||
			fail "$broker $options, seed $((seed + i)): $(tail -n 1 "$work/out")"
	done
done
echo "# $i worlds of each of $brokers"

finish
