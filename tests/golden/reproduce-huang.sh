#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw reproduce huang on a made log: the means of table 3 and of the thresholds are those of
# an independent program (moldable.py), and so are some of the real log in
# ../shared/traces if there is one. Also misuse, bad input and an interrupt.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

other=$golden/moldable.py
real=$top_srcdir/../shared/traces/SDSC-SP2-1998-4.2-cln.swf.gz

# misuse MESSAGE ARGUMENTS...: exit status 2, this message, and no result
misuse()
{
	message=$1
	shift
	"$lxfw" reproduce huang "$@" > "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq 2 ] || fail "$*: exit status $status, expected 2"
	[ ! -s "$work/out" ] || fail "$*: a result was printed"
	grep -qF -- "$message" "$work/err" ||
		fail "$*: no '$message' but '$(cat "$work/err")'"
}

# reproduce NAME LOG OPTIONS...
reproduce()
{
	to=$1 log=$2
	shift 2
	"$lxfw" reproduce huang --trace "$log" "$@" > "$work/$to" 2> "$work/messages" ||
		fail "$*: exit status $?: $(cat "$work/messages")"
}

# Three queues; every seventh job is cancelled and every eleventh is too large.
awk 'BEGIN {
	draw = 42
	for (i = 1; i <= 400; i++) {
		draw = (draw * 69069 + 1) % 1048576
		run = 60 + draw % 9001
		submit += draw % 2901
		procs = i % 11 == 0 ? 129 : 1 + int(draw / 16) % 128
		print i, submit, -1, run, procs, -1, -1, procs, 2 * run, -1,
			i % 7 == 0 ? 5 : 1, 1, 1, 1, 1 + i % 3, 1, -1, -1
	}
}' > "$work/log.swf"

misuse 'huang requires a log, expected --trace'
misuse 'none.swf: No such file' --trace none.swf
misuse '/dev/null:1: no job in the file' --trace /dev/null
misuse "--seeds '101'" --trace "$work/log.swf" --seeds 101
misuse '--tables applies to yahyapour2002' --trace "$work/log.swf" --tables 2.4
misuse '--cluster applies to chiang2001' --trace "$work/log.swf" --cluster procs=4
misuse '--local applies to balasubramanian2013' --trace "$work/log.swf" --local
echo '4 x 0' > "$work/bad.swf"
misuse 'bad.swf:1: ' --trace "$work/bad.swf"
job 1 0 10 129 10 > "$work/wide.swf"
misuse "wide.swf: no completed job of at most 128 processors" --trace "$work/wide.swf"

for format in table json csv; do
	reproduce 1.$format "$work/log.swf" --format $format --threads 1
	reproduce 3.$format "$work/log.swf" --format $format --threads 3
	cmp -s "$work/1.$format" "$work/3.$format" || fail 'threads change the output'
done
grep -q '^lxfw: left out 57 jobs that were not completed, 31 of more than 128' \
	"$work/messages" || fail "left out: $(cat "$work/messages")"
grep -q '^Table 1: 312 jobs' "$work/1.table" || fail "$(grep '^Table 1' "$work/1.table")"
[ "$(grep -c '^\[' "$work/1.table")" -eq 15 ] ||
	fail "$(grep -c '^\[' "$work/1.table") claims"

# The seeds are those of the errors only.
reproduce other.table "$work/log.swf" --first-seed 7
sed '/^Table 4/,$d' "$work/1.table" > "$work/exact"
sed '/^Table 4/,$d' "$work/other.table" | cmp -s - "$work/exact" ||
	fail 'the seed changes results with exact estimates'
cmp -s "$work/1.table" "$work/other.table" && fail 'the seed has no effect'

# Estimates are the run times, and jobs that are not used are left out, for the other
# program.
exact='!/^;/ && $11 == 1 && $4 >= 0 && $5 <= 128 {
	if ($4 == 0)
		$4 = 1
	$9 = $4
	print
}'

# mean MOLD THRESHOLD: the mean turnaround time by the other program, of $work/exact.swf
mean()
{
	python3 "$other" 128 fcfs "$1" "$2" "$work/exact.swf" > "$work/should" || exit 99
	awk -F'[ ,]' 'NR == FNR { submit[$1] = $2; next }
		{ sum += $3 - submit[$1]; count++ }
		END { printf "%.3f\n", sum / count }' "$work/exact.swf" "$work/should"
}

# row RESULT TABLE POLICY [THRESHOLD]: the mean turnaround time in CSV
row()
{
	awk -F, -v table="$2" -v policy="$3" -v threshold="$4" '
		$1 != table { next }
		$3 == "policy" { is = 0; if ($0 ~ ",\"?" policy "\"?$") is = $2 }
		$3 == "mean_turnaround_s" && is == $2 { mean = $4 }
		$3 == "mean_turnaround_s" && is == $2 && threshold == "" { printf "%.3f\n", mean }
		$3 == "threshold_percent" && is == $2 && $4 == threshold { printf "%.3f\n", mean }
	' "$work/$1"
}

# has RESULT TABLE POLICY MOLD OTHER-THRESHOLD [THRESHOLD]
has()
{
	is=$(row "$1" "$2" "$3" "$6")
	should=$(mean "$4" "$5")
	[ -n "$is" ] && [ "$is" = "$should" ] ||
		fail "$1, $2, $3 $6: '$is', expected '$should'"
}

awk "$exact" "$work/log.swf" > "$work/exact.swf"
has 1.csv table_3 'no scaling' none 0
has 1.csv table_3 'down' down 0
has 1.csv table_3 'up and down' both 0
for threshold in 100 150 210 400 1000; do
	has 1.csv thresholds 'down, estimates' down $threshold $threshold
	has 1.csv thresholds 'up and down, estimates' both $threshold $threshold
done

# The best threshold is in table 3.
awk -F, '
	$1 == "thresholds" && $3 == "mean_turnaround_s" {
		policy = $2 > 35
		if (!least[policy] || $4 + 0 < least[policy])
			least[policy] = $4 + 0
	}
	$1 == "table_3" && $3 == "mean_turnaround_s" && $2 == 3 { down = $4 + 0 }
	$1 == "table_3" && $3 == "mean_turnaround_s" && $2 == 5 { both = $4 + 0 }
	END { exit !(least[0] == down && least[1] == both && down > 0) }' "$work/1.csv" ||
	fail 'table 3 does not have the best thresholds'

# An interrupt while the simulations run: no partial output. The last line of the log is
# read before the signal is sent.
if env --default-signal=INT true 2> /dev/null; then
	mkfifo "$work/fifo"
	env --default-signal=INT "$lxfw" reproduce huang --trace "$work/fifo" --seeds 100 \
		> "$work/out" 2> "$work/err" &
	process=$!
	i=0
	while [ $i -lt 20 ]; do
		cat "$work/log.swf"
		i=$((i + 1))
	done > "$work/fifo"
	kill -INT $process
	wait $process
	status=$?
	[ $status -eq 130 ] || fail "SIGINT: exit status $status, expected 130"
	[ ! -s "$work/out" ] || fail 'SIGINT: a result was printed'
fi

if [ -r "$real" ]; then
	gzip -dc "$real" | awk "$exact" > "$work/exact.swf"
	reproduce real.csv "$real" --format csv --seeds 1
	has real.csv table_3 'down' down 0
	has real.csv thresholds 'up and down, estimates' both 200 200
	grep -q '^table_1,1,jobs,4053.0,$' "$work/real.csv" || fail 'table 1'
else
	echo "no log in ${real%/*}: the made log only"
fi

finish
