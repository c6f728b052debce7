#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw reproduce collins2001: the number of threads does not change results, the formats agree, what
# must hold by construction holds, and misuse.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# misuse MESSAGE ARGUMENTS...: exit status 2, this message, and no result
misuse()
{
	message=$1
	shift
	"$lxfw" reproduce collins2001 "$@" > "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq 2 ] || fail "$*: exit status $status, expected 2"
	[ ! -s "$work/out" ] || fail "$*: a result was printed"
	grep -qF -- "$message" "$work/err" ||
		fail "$*: no '$message' but '$(cat "$work/err")'"
}

misuse '--trace applies to' --trace none.swf
misuse "--seeds '0'" --seeds 0
misuse '2 papers given' huang

"$lxfw" reproduce collins2001 --seeds 1 --threads 1 > "$work/table" 2> "$work/messages" ||
	fail "exit status $?: $(cat "$work/messages")"
"$lxfw" reproduce collins2001 --seeds 1 --threads 3 --json > "$work/json" 2> "$work/messages" ||
	fail "exit status $?: $(cat "$work/messages")"
python3 - "$work/table" "$work/json" << 'END' || fail 'the results'
import json, re, sys
text, data = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))

# The formats agree, although the numbers of threads differ.
rows = re.findall(r'^ +(\d+) +(\d+) +(\d+) +(\d+) +-?[\d.]+%$', text, re.M)
assert len(rows) == len(data['figure_5']) == 20
for row, item in zip(rows, data['figure_5']):
    assert [int(n) for n in row] == [item[k] for k in ('jobs', 'olb_s', 'sjs_s', 'pjs_s')]
    # By construction, and as all jobs arrive at once; a job takes 50 s at least, on average.
    assert 50 * item['jobs'] <= item['pjs_s'] <= item['sjs_s'] <= item['olb_s'], item
assert len(data['claims']) == 27
verdict = {claim['claim']: claim['holds'] for claim in data['claims']}
assert f'{len(verdict)} claims: {sum(verdict.values())} hold' in text
assert verdict['never_worse'] and verdict['high'] and verdict['parallelism']

cells = {(r['mix'], r['priority'], r['arrivals']): r for r in data['arrivals']}
assert len(cells) == 13 * 6
for (mix, priority, rate), cell in cells.items():
    assert 0 <= cell['parallel'] <= 0.9 and cell['mean_job_time_s'] >= 20, cell
    if priority in ('high', 'medium') or mix == 'none':
        assert cell['stops'] == 0, cell
assert cells['50/25/25', 'low', 2]['stops'] > 0
END
finish
