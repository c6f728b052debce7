#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw reproduce: misuse is refused, and the output does not depend on the number of
# threads.

. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# misuse MESSAGE ARGUMENTS...: exit status 2, this message, and no result
misuse()
{
	message=$1
	shift
	"$lxfw" reproduce "$@" > "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq 2 ] || fail "$*: exit status $status, expected 2"
	[ ! -s "$work/out" ] || fail "$*: a result was printed"
	grep -qF -- "$message" "$work/err" ||
		fail "$*: no '$message' but '$(cat "$work/err")'"
}

misuse '0 papers given, expected one PAPER'
misuse "no paper 'feitelson1997', expected chiang2001, yahyapour2002, balasubramanian2013, huang or collins2001" feitelson1997
misuse '2 papers given' chiang2001 chiang2001
misuse "--months '1999-09'" chiang2001 --months 1999-09
misuse "--months ''" chiang2001 --months 1999-10,
misuse "--months '2000-01 '" chiang2001 --months '2000-01 '
misuse "--seeds '0', expected a whole number from 1 to 100" chiang2001 --seeds 0
misuse "--seeds '101'" chiang2001 --seeds 101
misuse "--first-seed '-1'" chiang2001 --first-seed -1
misuse "--threads '0'" chiang2001 --threads 0
misuse "--format 'xml', expected table|json|csv" chiang2001 --format xml
misuse '--cluster applies to a log, expected --trace' chiang2001 --cluster procs=5
misuse '--memory applies to a log' chiang2001 --memory none
misuse "--shape 'square', expected anywhere|one-host" chiang2001 --shape square
misuse '--seeds applies to synthetic months, not to --trace' chiang2001 --seeds 2 \
	--trace none.swf
misuse 'none.swf: No such file' chiang2001 --trace none.swf --cluster procs=4
misuse 'unrecognized option' chiang2001 --policy lxfw
misuse '--local applies to balasubramanian2013' chiang2001 --local
misuse '--months applies to chiang2001' balasubramanian2013 --months 2000-01
misuse '--seeds applies to chiang2001, balasubramanian2013, huang and collins2001' yahyapour2002 --seeds 2
misuse '--local is printed as a table only' balasubramanian2013 --json

for threads in 1 3; do
	"$lxfw" reproduce balasubramanian2013 --local --seeds 1 --threads $threads \
		> "$work/balasubramanian.$threads" || fail "balasubramanian2013: status $?"
done
cmp -s "$work/balasubramanian.1" "$work/balasubramanian.3" ||
	fail "balasubramanian2013: --threads changes the output"
for threads in 1 3; do
	"$lxfw" reproduce balasubramanian2013 --grid --seeds 1 --threads $threads --json \
		> "$work/neighbours.$threads" || fail "balasubramanian2013 --grid: status $?"
done
cmp -s "$work/neighbours.1" "$work/neighbours.3" ||
	fail "balasubramanian2013 --grid: --threads changes the output"
# FCFS and local scheduling are those of --local, up to the rounding of times.
python3 - "$work/neighbours.1" "$work/balasubramanian.1" << 'END' || fail 'two experiments differ'
import json, sys
result = json.load(open(sys.argv[1]))
cells = {(cell['interval_s'], cell['match'], cell['scheduling']): cell
         for cell in result['cells']}
for line in open(sys.argv[2]):
    words = line.split()
    if words[1:3] in (['FCFS,', 'backfill'], ['alpha', '0']) and len(words) == 7:
        cell = cells[float(words[0]), 10,
                     'local' if words[1] == 'alpha' else 'FCFS, backfill']
        assert abs(cell['mean_wait_s'] - float(words[4])) < 20, (words, cell)
        assert abs(cell['preemptions'] - float(words[6])) <= 10, (words, cell)
claims = {claim['claim']: claim['holds'] for claim in result['claims']}
assert claims['all_order'] and claims['local_fcfs'] and claims['balancing'], claims
END
misuse '--local with --grid' balasubramanian2013 --local --grid

grep -q '^median wait, alpha 0 / FCFS .* holds$' "$work/balasubramanian.1" ||
	fail "balasubramanian2013: preemption does not reduce the median wait"

# A log of twenty days, with a job every hour, on a machine that is nearly fully used.
i=0
while [ $i -lt 480 ]; do
	job $i $((i * 3600)) $((60 + i * 97 % 7000)) $((1 + i % 4)) 8000
	i=$((i + 1))
done > "$work/log.swf"
misuse 'does not contain the number of processors' chiang2001 --trace "$work/log.swf"
misuse '/dev/null:1: no job in the file' chiang2001 --trace /dev/null --cluster procs=4

for threads in 1 2 5; do
	for format in table json; do
		"$lxfw" reproduce chiang2001 --trace "$work/log.swf" \
			--cluster procs=4 --threads $threads --format $format \
			> "$work/$format.$threads" 2> "$work/messages" ||
			fail "--threads $threads: exit status $?"
		cmp -s "$work/$format.1" "$work/$format.$threads" ||
			fail "--threads $threads changes the output"
		[ ! -s "$work/messages" ] || fail "$(cat "$work/messages")"
	done
done
grep -q '^log.swf: 1 month, 11 policies$' "$work/table.1" || fail 'no heading'
grep -q '^26 claims: ' "$work/table.1" || fail 'wrong number of claims for a log'

# A month of the paper: all policies, and all claims except those about other months.
for threads in 1 3; do
	"$lxfw" reproduce chiang2001 --months 1999-10 --seeds 1 \
		--threads $threads > "$work/month.$threads" || fail 'a month'
done
cmp -s "$work/month.1" "$work/month.3" || fail 'a month depends on the number of threads'
[ "$(grep -c '^  NCSA-LSF\* ' "$work/month.1")" -eq 8 ] || fail 'no NCSA-LSF*'
grep -q '^31 claims: ' "$work/month.1" || fail 'wrong number of claims for a month'
grep -q 'February' "$work/month.1" && fail 'a claim about another month'

grep -q 'each seed alone' "$work/month.1" && fail 'a single seed beside itself'

# With several seeds, each claim shows how many of them it holds with.
"$lxfw" reproduce chiang2001 --months 1999-10 --seeds 2 > "$work/seeds" || fail 'two seeds'
[ "$(grep -c '^    each seed alone: holds with [0-2] of 2 seeds, in ' "$work/seeds")" -eq \
	"$(grep -c '^\[' "$work/seeds")" ] || fail 'no share of the seeds'
grep -q 'in [0-9]* of 6 cases$' "$work/seeds" || fail 'most cases are not counted by case'
grep -q 'EQspatial-5m - EQspatial-0m: -0.25 to 0.25$' "$work/seeds" ||
	fail 'MinInterval 5 and 0 are not compared by difference'

# Chapter 5 of the thesis needs the jobs of a long log.
"$lxfw" reproduce yahyapour2002 --grid --trace "$work/log.swf" > "$work/out" \
	2> "$work/messages"
[ $? -eq 2 ] || fail '--grid with a short log: exit status is not 2'
grep -q 'the log has [0-9]* jobs, expected 70000 or more' "$work/messages" ||
	fail "--grid with a short log: $(cat "$work/messages")"
misuse '--grid applies to yahyapour2002' chiang2001 --grid
misuse '--grid with --tables, expected one of them' yahyapour2002 --grid --tables 2.4 \
	--trace "$work/log.swf"

finish
