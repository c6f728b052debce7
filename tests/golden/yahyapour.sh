#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw reproduce yahyapour2002 on a made log: the tables have the values of single
# simulations, of which the means are computed here from the ends of the jobs.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# misuse MESSAGE ARGUMENTS...
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

# Seventy days with jobs of up to 260 processors, some of which exceed their limit. Months
# are periods of thirty days.
awk 'BEGIN {
	draw = 42
	for (i = 1; i <= 500; i++) {
		draw = (draw * 69069 + 1) % 1048576
		procs = 1 + draw % 260
		run = 60 + draw % 30011
		submit += draw % 24001
		print i, submit, -1, run, procs, -1, -1, procs, \
			int(run * (9 + draw % 20) / 10), -1, 1, 1, 1, 1, 1, 1, -1, -1
	}
}' > "$work/log.swf"
awk '$5 <= 256' "$work/log.swf" > "$work/256.swf"

misuse 'yahyapour2002 requires a log, expected --trace' yahyapour2002
misuse '--months applies to chiang2001' yahyapour2002 --months 1999-10
misuse '--cluster applies to chiang2001' yahyapour2002 --cluster procs=4
misuse '--jobs applies to yahyapour2002' chiang2001 --jobs 5
misuse '--overrun applies to yahyapour2002' chiang2001 --overrun kill
misuse "--overrun 'wait', expected extend|kill" yahyapour2002 --overrun wait
misuse "--range '1'" yahyapour2002 --range 1
misuse '--sizes applies to chiang2001' yahyapour2002 --sizes small
misuse "--jobs '-1'" yahyapour2002 --jobs -1
misuse "--tables '2.3', expected" yahyapour2002 --trace "$work/log.swf" --tables 2.4,2.3
misuse "--tables ''" yahyapour2002 --trace "$work/log.swf" --tables 2.4,
misuse 'none.swf: No such file' yahyapour2002 --trace none.swf
job 1 0 10 257 10 > "$work/wide.swf"
misuse 'the log has 0 jobs of at most 256 processors' yahyapour2002 \
	--trace "$work/wide.swf"

# reproduce NAME OPTIONS...
reproduce()
{
	to=$1
	shift
	"$lxfw" reproduce yahyapour2002 --trace "$work/log.swf" "$@" > "$work/$to" \
		2> "$work/err" || fail "$*: $(cat "$work/err")"
}

for format in table json; do
	reproduce 1.$format --jobs 0 --tables 2.4,2.5,128,256 --format $format --threads 1
	reproduce 3.$format --jobs 0 --tables 2.4,2.5,128,256 --format $format --threads 3
	cmp -s "$work/1.$format" "$work/3.$format" || fail 'threads change the output'
done
count=$(wc -l < "$work/256.swf")
grep -q "^Table 2.5: log, requested times, $count jobs\$" "$work/1.table" ||
	fail "not $count jobs: $(grep '^Table 2.5' "$work/1.table")"
[ "$(grep -c '^\[' "$work/1.table")" -eq 37 ] ||
	fail "$(grep -c '^\[' "$work/1.table") claims of four tables"

reproduce made --jobs 300 --tables 2.6,2.7 --first-seed 5
reproduce again --jobs 300 --tables 2.6,2.7 --first-seed 5
reproduce other --jobs 300 --tables 2.6,2.7 --first-seed 6
reproduce wide --jobs 300 --tables 2.6,2.7 --first-seed 5 --range 10
cmp -s "$work/made" "$work/wide" && fail '--range has no effect'
cmp -s "$work/made" "$work/again" || fail 'the same seed gives other jobs'
cmp -s "$work/made" "$work/other" && fail 'another seed gives the same jobs'

# means ESTIMATES PARAMETERS OVERRUN: mean and mean weighted response time of one
# simulation
means()
{
	"$lxfw" simulate --cluster procs=256 --overrun "$3" --estimates "$1" \
		--contender "one=$2" --jobs-out "$work/jobs.csv" "$work/256.swf" \
		> "$work/report" 2> "$work/err" || fail "$2: $(cat "$work/err")"
	tail -n +2 "$work"/jobs*.csv | awk -F, '
		{ sum += $4 - $2; weighted += ($4 - $2) * $6 * $7; count++ }
		END { printf "%.2E %.2E\n", sum / count, weighted / count }'
}

# has TABLE ROW COLUMN ESTIMATES PARAMETERS [OVERRUN]: the cell of the table, and that
# below it with weights if PARAMETERS have no weight
has()
{
	title=$1 row=$2 column=$3
	is=$(awk -v title="^Table $title" -v row="$row" -v column="$column" '
		/^Table/ { here = $0 ~ title }
		here && $1 == row { printf "%s ", $(2 * column) }
		here && $1 == "weighted" && $2 == row { print $(2 * column + 1) }
	' "$work/$output")
	should=$(means "$4" "$5" "${6:-extend}")
	case $5 in
	*lxfw_job_weight=work*) is=${is#* } should=${should#* } ;;
	*psrs*|*smart*) is=${is%% *} should=${should%% *} ;;
	esac
	[ "$is" = "$should" ] || fail "table $1, $2, $3: '$is', expected '$should'"
}

output=1.table
all=lxfw_reservations=all,lxfw_reservation_mode=compress
work_=lxfw_job_weight=work
has 2.5 FCFS 1 requested lxfw_policy=fcfs
has 2.5 FCFS 2 requested lxfw_policy=conservative
has 2.5 FCFS 3 requested lxfw_policy=easy
has 2.4 FCFS 3 exact lxfw_policy=easy
has 2.5 'Garey&Graham' 1 requested lxfw_policy=list
has 2.5 PSRS 1 requested lxfw_policy=psrs_strict
has 2.5 PSRS 3 requested lxfw_policy=psrs,$work_
has 2.4 SMART-FFIA 2 exact lxfw_policy=smart_ffia,$all
has 2.5 SMART-FFIA 2 requested lxfw_policy=smart_ffia,$all,$work_
has 2.5 SMART-NFIW 1 requested lxfw_policy=smart_nfiw_strict,$work_

reproduce killed.table --jobs 0 --tables 2.4,2.5 --overrun kill
cmp -s "$work/1.table" "$work/killed.table" && fail '--overrun has no effect'
output=killed.table
has 2.5 FCFS 2 requested lxfw_policy=conservative kill
has 2.5 FCFS 3 requested lxfw_policy=easy kill

finish
