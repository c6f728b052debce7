#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw tune recommends no setting that is truly worse, and recommends a setting to a
# badly configured site: the first logs of tests/bench/tune.sh, which runs all of them.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

bash=$(command -v bash) || {
	echo 'SKIP: no bash'
	exit 77
}
SEEDS=4 MONTHS=8 "$bash" "$top_srcdir/tests/bench/tune.sh" front bad > "$work/table" ||
	fail "what was recommended is worse: $(cat "$work/table")"
grep -q '^| bad | 4 | 4 | 4 | 0 | 4 |' "$work/table" ||
	fail "a bad site got nothing better: $(cat "$work/table")"

finish
