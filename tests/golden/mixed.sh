#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adaptive jobs with rigid jobs, computed by hand. In the charts time increases to the
# right, the number of processors of a row is at its left, and '.' is idle. Each journal
# is replayed and must give the same decisions.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# JOB START END HOSTS LEAST; LEAST is 0 for a rigid job
shows='\1 \2 \3 \4 \6'
eq='--policy eqspatial --params lxfw_eq_min_interval=0'

# --- no more than an equal share: at once -----------------------------------
# 8 processors. Job 2 requests 4, as many as another adaptive job would get, so job 1
# shrinks. At 70 it has done 20 * 8 + 50 * 4 of 800.
#
#      0    20         70         125
#   4  11111111111111111111111111111
#   4  1111122222222222211111111111
{
	job 1 0 100 8 100
	job 2 20 50 4 50
} > "$work/part.swf"
echo 1 > "$work/first"

agrees "an equal share at once" part.swf --cluster procs=8 $eq \
	--adaptive "$work/first" <<END
1 0 125 h0 1
2 20 70 h0 0
END
grep -q '^rigid jobs  *1$' "$work/report" &&
	grep -q '^adaptive jobs  *1$' "$work/report" &&
	[ "$(grep '^  mean wait' "$work/report" | tr -s ' ')" = " mean wait 0.000 s
 mean wait 25.000 s" ] || fail "rigid and adaptive: $(cat "$work/report")"

# Repartitions are at least 30 s apart, so job 3, submitted at 15, waits until 40. Then
# it has 2 processors and the others have 3 each. Job 2 has 40 of 160 left and ends at
# 53.3. The processors that 2 and 3 release are idle until 70, when 1 has done 80 + 30 *
# 4 + 30 * 3 of 800.
#
#      0     10         40      54    70         134
#   3  1111111111111111111111111111111111111111111
#   1  1111111111111111112222222......11111111111
#   2  1111112222222222222222222......11111111111
#   2  11111122222222222233333........11111111111
{
	job 1 0 100 8 100
	job 2 10 20 8 20
	job 3 15 10 2 10
} > "$work/interval.swf"
printf '1\n2\n' > "$work/two"
agrees "not repartitioned too often for it" interval.swf --cluster procs=8 \
	--policy eqspatial --params lxfw_eq_min_interval=30 \
	--adaptive "$work/two" <<END
1 0 134 h0 1
2 10 54 h0 1
3 40 50 h0 0
END

# --- more than that: by reservation -----------------------------------------
# Job 2 requests 6 and has a reservation at 100, the expected end of 1. Job 3 arrives,
# and the adaptive jobs have 4 each. Job 2 keeps its reservation.
#
#      0    20 30       100         150   168    188
#   4  1111111111111111112222222222222111111111111
#   2  1111111333333333332222222222222333331111111
#   1  1111111333333333333333333333333333331111111
#   1  1111111333333333331111111111111333331111111
{
	job 1 0 100 8 100
	job 2 20 50 6 50
	job 3 30 50 8 50
} > "$work/reserved.swf"
printf '1\n3\n' > "$work/others"

agrees "a reservation is kept" reserved.swf --cluster procs=8 $eq \
	--adaptive "$work/others" <<END
1 0 188 h0 1
2 100 150 h0 0
3 30 168 h0 1
END

# --- the minimum ------------------------------------------------------------
# Job 2 does not run on fewer than 6 processors, and ends after 66.7 s. Job 1 has then
# done 20 * 8 + 67 * 2 of 800, and needs 63.25 s for the rest.
#
#      0    20            87            151
#   2  1111111111111111111111111111111111
#   6  1111122222222222222111111111111111
{
	job 1 0 100 8 100
	job 2 20 50 8 50
} > "$work/fewest.swf"
printf '1 # any\n2 6\n' > "$work/fewest"

agrees "a minimum of one job" fewest.swf --cluster procs=8 $eq \
	--adaptive "$work/fewest" <<END
1 0 151 h0 1
2 20 87 h0 6
END
# with a minimum of 6 for both, neither shrinks: 2 gets its processors when 1 ends
agrees "a minimum of both jobs" fewest.swf --cluster procs=8 $eq \
	--adaptive all --min-procs 6 <<END
1 0 100 h0 6
2 100 150 h0 6
END
agrees "the former name of the option" fewest.swf --cluster procs=8 $eq \
	--adaptive all --least 6 <<END
1 0 100 h0 6
2 100 150 h0 6
END

# --- the full request after a time ------------------------------------------
# From 50 on job 1 has what it requested, except for 1 processor of job 2 and the 2 of
# the rigid job 3, which arrived at 10 for 200 s: 80 + 10 * 6 + 30 * 3 = 230 of 600 are
# done then.
#
#      0   10  20     50               124
#   3  1111111111111111111111111111111112222
#   2  1111111122222222111111111111111112222
#   1  1111111122222222222222222222222222222
#   2  1111333333333333333333333333333333333
{
	job 1 0 75 8 75
	job 2 20 60 6 60
	job 3 10 200 2 200
} > "$work/long.swf"
printf '1\n2\n' > "$work/long"

agrees "the full request after 50 s" long.swf --cluster procs=8 --policy eqspatial \
	--params lxfw_eq_min_interval=0,lxfw_eq_full_after=50 \
	--adaptive "$work/long" <<END
1 0 124 h0 1
2 20 157 h0 1
3 10 210 h0 0
END

# --- the bound of a time limit ----------------------------------------------
# Four jobs share 8 processors. Job 1 would take 20 s on all of them and takes 80 on
# 2. Then 2 and 3 have 3 processors each and 4 has 2; they have 1440 of 1600 left.
{
	job 1 0 20 8 20
	job 2 0 200 8 200
	job 3 0 200 8 200
	job 4 0 200 8 200
} > "$work/stretch.swf"

shows='\1 \2 \3'
agrees "no bound" stretch.swf --cluster procs=8 $eq \
	--adaptive all <<END
1 0 80
2 0 560
3 0 560
4 0 620
END
# At twice its limit, job 1 has done half of its work: its wait is 40 - 10 s. Job 2 has
# then done 40 * 2 + 360 * 3, or 145 s on 8 processors, and has waited for 400 - 145.
agrees "twice the limit" stretch.swf --cluster procs=8 --policy eqspatial \
	--params lxfw_eq_min_interval=0,lxfw_eq_max_stretch=2 \
	--overrun kill --adaptive all <<END
1 0 40
2 0 400
3 0 400
4 0 400
END
cut -d, -f1,5,6 "$work/jobs.csv" > "$work/is"
printf 'job_id,wait,run\n1,30,10\n2,255,145\n' > "$work/should"
head -n 3 "$work/is" | diff "$work/should" - >&2 || fail "wait and run time"
grep -q '^  ended before completion  *4$' "$work/report" || fail "$(cat "$work/report")"

# --- several hosts ----------------------------------------------------------
# No host has 6 processors: job 3 is rigid on both hosts, even if it is declared
# adaptive. At 10 its share would be 2 of each host; after the end of 2 it would be 2
# and 4.
#
#       0   10     40      90  125
#   n0  2   1111111333333331111
#       2   1111111111111111111
#   n1  4   222222233333333....
echo 'n[0-1] procs=4' > "$work/hosts"
{
	job 1 0 100 4 100
	job 2 0 40 4 40
	job 3 10 50 6 50
} > "$work/wide.swf"

shows='\1 \2 \3 \4 \6'
agrees "rigid on several hosts" wide.swf --cluster "$work/hosts" $eq \
	--adaptive all <<END
1 0 125 n0 1
2 0 40 n1 1
3 40 90 n[0-1] 0
END
grep -q ' 1 jobs not adaptive, they request more than one host has' \
	"$work/messages" || fail "wide: $(cat "$work/messages")"
agrees "refused" wide.swf --cluster "$work/hosts" --policy eqspatial \
	--params lxfw_eq_multi_node=refuse --adaptive all <<END
1 0 100 n0 1
2 0 40 n1 1
END
grep -q ' 1 jobs left out (they would be held), they request more' \
	"$work/messages" || fail "refused: $(cat "$work/messages")"

# --- selection of adaptive jobs ---------------------------------------------
# "None" is LXF&W, "all" is the paper's EQspatial.
{
	i=0
	while [ $i -lt 60 ]; do
		job $i $((i * i % 97 * 10)) $((i * 37 % 101 + 5)) \
			$((i % 8 + 1)) $((i * 37 % 101 + 50))
		i=$((i + 1))
	done
} | sort -k 2n > "$work/many.swf"

# same WHAT: the options in $one and $other give the same schedule
same()
{
	for options in "$one" "$other"; do
		# shellcheck disable=SC2086
		"$lxfw" simulate --cluster procs=8 $options --jobs-out \
			"$work/jobs.csv" "$work/many.swf" > /dev/null \
			2> "$work/messages" || fail "$1: $(cat "$work/messages")"
		cut -d, -f 1-11 "$work/jobs.csv" > "$work/is"
		[ "$options" = "$other" ] || cp "$work/is" "$work/should"
	done
	diff -u "$work/should" "$work/is" >&2 || fail "$1"
}

one='--policy lxfw' other='--policy eqspatial --adaptive 0'
same "none adapts"
one='--policy eqspatial' other='--policy eqspatial --adaptive all'
same "all adapt"
one='--policy eqspatial --adaptive all' other='--policy eqspatial --adaptive 1'
same "a share of all"
one='--policy eqspatial --adaptive 0.4' other="$one --seed 1"
same "the same draw"
one='--policy eqspatial --adaptive all' other="$one --params lxfw_eq_partition=1"
same "all in the partition"
one='--policy lxfw' other='--policy eqspatial --adaptive all --params lxfw_eq_partition=2'
same "none in the partition"
"$lxfw" simulate --cluster procs=8 --policy eqspatial --adaptive 0.4 --seed 2 \
	--jobs-out "$work/jobs.csv" "$work/many.swf" > /dev/null
cut -d, -f 1-11 "$work/jobs.csv" | cmp -s - "$work/should" &&
	fail "another seed selects the same jobs"

# --- invalid combinations ---------------------------------------------------
# refuses MESSAGE OPTIONS...
refuses()
{
	message=$1
	shift
	"$lxfw" simulate --cluster procs=8 "$@" "$work/part.swf" \
		> "$work/report" 2> "$work/messages"
	[ $? = 2 ] || fail "$*: exit status is not 2"
	[ ! -s "$work/report" ] || fail "$*: a result was printed"
	grep -qF -- "$message" "$work/messages" ||
		fail "$*: $(cat "$work/messages")"
}

refuses "--adaptive with policy lxfw, expected eqspatial" --policy lxfw --adaptive all
refuses "--adaptive '25', expected all, a fraction from 0 to 1" \
	--policy eqspatial --adaptive 25
refuses "--min-procs without --adaptive" --policy eqspatial --min-procs 2
refuses "--seed without --adaptive" --policy eqspatial --seed 2
refuses "--min-procs '0', expected a whole number from 1" --policy eqspatial \
	--adaptive all --min-procs 0
refuses "no Queue 'short' in the trace, expected" --policy eqspatial --adaptive queue:short
printf '1\nx\n' > "$work/bad"
refuses "$work/bad:2: expected a job number" --policy eqspatial \
	--adaptive "$work/bad"
refuses "No such file" --policy eqspatial --adaptive "$work/none"
"$lxfw" simulate --cluster procs=8 --policy eqspatial --params lxfw_eq_max_stretch=2 \
	"$work/part.swf" 2>&1 > /dev/null |
	grep -q 'lxfw_eq_max_stretch has no effect without --adaptive' ||
	fail "a key without effect"

finish
