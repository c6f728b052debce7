#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-fuzz.sh NAME...: run each fuzz target for FUZZ_SECONDS. Inputs that fail are
# kept in fuzz-findings in the build directory and listed at the end. Rates are executions
# per second of processor time, so that other work on the machine does not change them.

srcdir=${LXFW_TOP_SRCDIR:?run by make check-fuzz}/tests/fuzz
builddir=${LXFW_TOP_BUILDDIR:?run by make check-fuzz}
seconds=${FUZZ_SECONDS:-60}
findings=$builddir/fuzz-findings
failed=
slow=

# Rate below which a target finds too little.
RATE_LEAST=2000

case $seconds in
'' | 0 | *[!0-9]*)
	echo "FUZZ_SECONDS=$seconds: expected a number of seconds" >&2
	exit 2
	;;
esac

# Longest input, in bytes; 0: as long as the largest one of the corpus, or 4096. A longer
# input of agent or job_record is a longer life of the same world, one of ask a longer journal, and
# one of slurm_conf has the same keys again. The rate is that much lower.
length_of() {
	case $1 in
	agent) echo 100 ;;
	ask) echo 3000 ;;
	job_record) echo 128 ;;
	slurm_conf) echo 800 ;;
	*) echo 0 ;;
	esac
}

# Prints RUNS per second of processor time. The files BEFORE and AFTER have the output of times,
# whose last line, such as "1m2.34s 0m0.56s", is of the commands that have ended.
rate_of() { # RUNS BEFORE AFTER
	awk -v runs="$1" '
		FNR == 2 {
			sum = 0
			for (i = 1; i <= 2; i++) {
				split($i, part, "m")
				sum += 60 * part[1] + part[2]
			}
			used = sum - used
		}
		END { printf "%d", (used > 0 ? runs / used : 0) }' "$2" "$3"
}

mkdir -p "$findings" || exit 1
for name in "$@"; do
	dictionary=$srcdir/$name.dict
	[ -f "$dictionary" ] || dictionary=$srcdir/journal.dict
	# The corpus that libFuzzer has found is kept, and the next run continues from
	# it.
	learnt=$builddir/fuzz-corpus/$name
	log=$findings/$name.log
	mkdir -p "$learnt" || exit 1
	times >"$log.before"
	# The entropic schedule takes most of the time of targets with many edges.
	if "$builddir/tests/fuzz/fuzz_$name" -max_total_time="$seconds" \
		-entropic=0 -max_len="$(length_of "$name")" \
		-timeout=20 -rss_limit_mb=2048 -dict="$dictionary" \
		-artifact_prefix="$findings/$name-" -print_final_stats=1 \
		-print_funcs=0 "$learnt" "$srcdir/corpus/$name" >"$log" 2>&1; then
		times >"$log.after"
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
		rate=$(rate_of "${runs:-0}" "$log.before" "$log.after")
		below=
		if [ "$rate" -lt $RATE_LEAST ]; then
			below=", below $RATE_LEAST"
			slow="$slow $name"
		fi
		echo "PASS: $name: $runs runs, $rate per second$below," \
			"$(sed -n 's/.*cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1) edges"
		rm -f "$log"
	else
		echo "FAIL: $name, see $log"
		grep -v '^#[0-9]' "$log" | tail -n 40
		failed="$failed $name"
	fi
	rm -f "$log.before" "$log.after"
done
[ -z "$slow" ] || echo "below $RATE_LEAST executions per second:$slow"
if [ -n "$failed" ]; then
	echo "findings:$failed"
	exit 1
fi
rmdir "$findings" 2>/dev/null
exit 0
