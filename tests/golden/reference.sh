#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Job for job against schedules of other simulators, which do not come with the
# sources: they are looked for beside the tree, in ../shared/reference.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh"

reference=$top_srcdir/../shared/reference
trace=$reference/SDSC-SP2.kill.swf.gz
jobs=54044

if [ ! -r "$trace" ]; then
	echo "SKIP: no reference schedules in $reference"
	exit 77
fi

# agreeing NAME OPTIONS...: how many jobs start when NAME says
agreeing()
{
	name=$1
	shift
	"$lxfw" simulate --cluster procs=128 --jobs-out "$work/jobs.csv" "$@" \
		"$trace" > "$work/out" || fail "$name: exit status $?"
	cut -d, -f1,3 "$work/jobs.csv" | tail -n +2 | sort > "$work/is"
	gzip -dc "$reference/SDSC-SP2.$name.csv.gz" | cut -d, -f1,3 |
		tail -n +2 | sort > "$work/should"
	comm -12 "$work/is" "$work/should" | wc -l
}

for case in "fcfs --policy fcfs" "easy-per-event --policy easy --pass event" \
	    "easy-per-timestamp --policy easy"; do
	# shellcheck disable=SC2086
	agree=$(agreeing $case)
	echo "$case: $agree of $jobs starts agree"
	[ "$agree" -eq $jobs ] || fail "$case"
done

if [ "${LXFW_CONSERVATIVE:-no}" = yes ]; then
	agree=$(agreeing conservative-pyss --policy conservative --pass event)
	echo "conservative: $agree of $jobs starts agree"
fi

finish
