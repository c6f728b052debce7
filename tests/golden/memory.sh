#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Without memory, lxfw prints that and no result. Each place that allocates fails once (fail_memory.c);
# of long commands, `make check` takes some of the places. What can be done without the memory is
# done, with the same result. LXFW_SEED=N takes other places.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

library=$(cd "$top_builddir" && pwd)/.libs/fail_memory.so
seed=${LXFW_SEED:-1}
most=$(random_cases 60 1000)
echo "# LXFW_SEED=$seed"

# fails_at PLACE ARGUMENTS
fails_at()
{
	place=$1
	shift
	LD_PRELOAD=$library LXFW_FAIL_AT=$place "$lxfw" "$@"
}

cd "$work" || exit 99
# Sanitizers have an allocator of their own.
LD_PRELOAD=$library LXFW_FAIL_COUNT=count "$lxfw" --version > version 2>&1 &&
	grep -q '^lxfw' version && [ -e count ] || {
	echo 'skipped: no library can be preloaded'
	exit 77
}

# each ARGUMENTS: the places of a command. Tune has exit status 1 if it recommends nothing.
each()
{
	"$lxfw" "$@" > plain 2> said
	usual=$?
	[ "$usual" -le 1 ] && [ -s plain ] || fail "$*: exit status $usual: $(cat said)"
	LD_PRELOAD=$library LXFW_FAIL_COUNT=count "$lxfw" "$@" > out 2> said
	cmp plain out || fail "$*: the result with the library differs"
	places=$(cat count)
	[ "$places" -gt 10 ] || fail "$*: only $places places"
	step=$(((places + most - 1) / most))
	place=$((seed % step + 1))
	while [ "$place" -le "$places" ]; do
		fails_at "$place" "$@" > out 2> said
		case $? in
		"$usual") cmp -s plain out || fail "place $place of $*: another result" ;;
		2) [ ! -s out ] || fail "place $place of $*: a result: $(head -n 3 out)"
		   grep -qE '(out of memory|Cannot allocate memory)$' said ||
			fail "place $place of $*: says $(head -c 300 said)" ;;
		*) fail "place $place of $*: exit status $?: $(head -c 300 said)" ;;
		esac
		place=$((place + step))
	done
}

awk 'BEGIN {
	print "; MaxProcs: 8"
	for (day = 0; day < 8; day++)
		for (i = 0; i < 12; i++) {
			n++
			run = (i * 37 + day * 11) % 24 * 300 + 60
			procs = (i * 5 + day) % 8 + 1
			print n, day * 86400 + i, (n * 37) % 4000, run, procs, -1, -1, procs, run * 2, -1,
				1, n % 5, 1, 1, 1, 1, -1, -1
		}
}' > log.swf
"$lxfw" simulate --journal journal --params lxfw_quantum=60 log.swf > /dev/null || fail 'journal'

each simulate log.swf
each compare --infer all log.swf
each replay journal
each predict --journal journal --moments 0
each compare journal
awk '!/^;/ { $3 = -1 } { print }' log.swf > made.swf
each tune --warmup 1d --period 1d --minimize mean_wait --round 10 --settings 10 --threads 1 made.swf

finish
