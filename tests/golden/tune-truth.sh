#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw tune recommends no setting that is truly worse, and recommends a setting to a
# badly configured site: the first logs of tests/bench/tune.sh, which runs all of them. LOGS (2) is
# their number; 4 with LXFW_SLOW=1, and then with as many copies as by default.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

bash=$(command -v bash) || {
	echo 'SKIP: no bash'
	exit 77
}
logs=${LOGS:-${LXFW_SLOW:+4}}
logs=${logs:-2}
copies='--copies 2'
[ -z "${LXFW_SLOW-}" ] || copies=
OPTIONS=$copies SEEDS=$logs MONTHS=6 "$bash" "$top_srcdir/tests/bench/tune.sh" front bad > "$work/table" ||
	fail "what was recommended is worse: $(cat "$work/table")"
grep -q "^| bad | $logs | $logs | $logs | 0 | $logs |" "$work/table" ||
	fail "a bad site got nothing better: $(cat "$work/table")"

finish
