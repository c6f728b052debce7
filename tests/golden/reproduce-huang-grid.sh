#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw reproduce huang --grid on a made log: the means of tables 6 and 7 are those of
# independent programs (grid_adaptive.py and moldable.py). Also misuse and bad input.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

other=$golden/grid_adaptive.py

# misuse MESSAGE ARGUMENTS...: exit status 2, this message, and no result
misuse()
{
	message=$1
	shift
	"$lxfw" reproduce huang --grid "$@" > "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq 2 ] || fail "$*: exit status $status, expected 2"
	[ ! -s "$work/out" ] || fail "$*: a result was printed"
	grep -qF -- "$message" "$work/err" ||
		fail "$*: no '$message' but '$(cat "$work/err")'"
}

# Six queues, of which five are used, with jobs of up to 8, 128, 128, 128 and 50 processors;
# every seventh job is cancelled, and every eleventh is too large for a site.
awk 'BEGIN {
	draw = 42
	split("8 128 128 128 50 8", most)
	for (i = 1; i <= 300; i++) {
		draw = (draw * 69069 + 1) % 1048576
		queue = 1 + i % 6
		run = 60 + draw % 9001
		submit += draw % 401
		procs = i % 11 == 0 ? 129 : 1 + int(draw / 16) % most[queue]
		print i, submit, -1, run, procs, -1, -1, procs, 2 * run, -1,
			i % 7 == 0 ? 5 : 1, 1, 1, 1, queue, 1, -1, -1
	}
}' > "$work/log.swf"

misuse 'huang requires a log, expected --trace'
misuse 'none.swf: No such file' --trace none.swf
misuse '/dev/null:1: no job in the file' --trace /dev/null
misuse '--jobs applies to yahyapour2002' --trace "$work/log.swf" --jobs 4
job 1 0 10 9 10 > "$work/wide.swf"
misuse 'wide.swf: no completed job of queues 1 to 5 that fits at the site' \
	--trace "$work/wide.swf"

for threads in 1 3; do
	"$lxfw" reproduce huang --grid --trace "$work/log.swf" --seeds 2 --threads $threads \
		--json > "$work/$threads.json" 2> "$work/messages" ||
		fail "reproduce: $(cat "$work/messages")"
done
cmp -s "$work/1.json" "$work/3.json" || fail 'threads change the output'
"$lxfw" reproduce huang --grid --trace "$work/log.swf" --seeds 2 > "$work/table" 2>&1 ||
	fail "table: $(cat "$work/table")"
[ "$(grep -c '^\[' "$work/table")" -eq 20 ] ||
	fail "$(grep -c '^\[' "$work/table") claims"

# value PYTHON: of the JSON document d
value()
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
rows = {(r["speeds"], r["policy"]): r["mean_turnaround_s"] for r in d["orders"]}
print('"$1"')' "$work/1.json"
}

# has POLICY SPEEDS SHOULD
has()
{
	is=$(value "'%.3f' % rows['$2', '$1']")
	[ "$is" = "$3" ] || fail "$1 $2: '$is', expected '$3'"
}

awk '$11 == 1 && $15 <= 5 && $5 <= 128 && ($15 < 5 || $5 <= 50) && ($15 > 1 || $5 <= 8) {
	$4 *= 10
	$9 = $4
	print
}' "$work/log.swf" > "$work/used.swf"
[ "$(value 'd["jobs"]')" = "$(wc -l < "$work/used.swf")" ] || fail 'number of jobs'

# independent SPEEDS: the mean turnaround time with FCFS at each site
independent()
{
	: > "$work/turnarounds"
	for queue in 1 2 3 4 5; do
		speed=$(echo "$1" | cut -d, -f$queue)
		procs=$(echo 8,128,128,128,50 | cut -d, -f$queue)
		awk -v q=$queue -v s="$speed" '$15 == q {
			$4 = int(($4 + s - 1) / s)
			$9 = $4
			print
		}' "$work/used.swf" > "$work/site.swf"
		python3 "$golden/moldable.py" "$procs" fcfs none 0 "$work/site.swf" |
			awk -F'[ ,]' 'NR == FNR { submit[$1] = $2; next }
				{ print $3 - submit[$1] }' "$work/site.swf" - \
				>> "$work/turnarounds"
	done
	awk '{ sum += $1 } END { printf "%.3f\n", sum / NR }' "$work/turnarounds"
}

for speeds in 1,3,5,7,9 1,3,7,9,5 9,7,5,3,1 5,9,1,3,7; do
	mille=$(echo $speeds | sed 's/,/000,/g; s/$/000/')
	has 'independent sites' $speeds "$(independent $speeds)"
	for broker in adaptive:200 adaptive_procs:210; do
		for threshold in 0 "${broker#*:}"; do
			should=$(python3 "$other" mean "${broker%:*}" 8,128,128,128,50 "$mille" \
				"$threshold" "$work/used.swf") || fail "no mean"
			estimates=exact
			[ "$threshold" -gt 0 ] || estimates='no estimates'
			has "${broker%:*}, $estimates" $speeds "$should"
		done
	done
done

# Estimates and their errors matter.
[ "$(value "all(len({round(rows[s, p + e]) for e in (', no estimates', ', exact',
	', uniform errors', ', normal errors')}) == 4 for p in ('adaptive', 'adaptive_procs')
	for s in ('1,3,5,7,9', '9,7,5,3,1'))")" = True ] || fail 'equal means'

# Table 7 has the means of 120 different orders; the worst range of table 6 is that of 100 % or
# worse, for the first seed.
value "len({r['speeds'] for r in d['orders']}), all(
	abs(sum(v for (s, p), v in rows.items() if p == r['policy']) / 120 -
	    r['mean_turnaround_s']) < 1e-3 for r in d['table_7'])" > "$work/is"
[ "$(cat "$work/is")" = '120 True' ] || fail "table 7: $(cat "$work/is")"
"$lxfw" reproduce huang --grid --trace "$work/log.swf" --seeds 1 --json > "$work/1.json" \
	2> "$work/messages" || fail "one seed: $(cat "$work/messages")"
[ "$(value "all(r['mean_turnaround_s'] >= rows[r['speeds'], r['policy']] - 1e-3
	for r in d['table_6'])")" = True ] || fail 'table 6 does not have the worst ranges'

finish
