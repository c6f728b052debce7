#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-fuzz.sh NAME...: run each fuzz target for FUZZ_SECONDS. Inputs that fail are
# kept in fuzz-findings in the build directory and listed at the end.

srcdir=${LXFW_TOP_SRCDIR:?run by make check-fuzz}/tests/fuzz
builddir=${LXFW_TOP_BUILDDIR:?run by make check-fuzz}
seconds=${FUZZ_SECONDS:-60}
findings=$builddir/fuzz-findings
failed=

case $seconds in
'' | 0 | *[!0-9]*)
	echo "FUZZ_SECONDS=$seconds: expected a number of seconds" >&2
	exit 2
	;;
esac

mkdir -p "$findings" || exit 1
for name in "$@"; do
	dictionary=$srcdir/$name.dict
	[ -f "$dictionary" ] || dictionary=$srcdir/journal.dict
	# The corpus that libFuzzer has found is kept, and the next run continues from
	# it.
	learnt=$builddir/fuzz-corpus/$name
	log=$findings/$name.log
	mkdir -p "$learnt" || exit 1
	if "$builddir/tests/fuzz/fuzz_$name" -max_total_time="$seconds" \
		-timeout=20 -rss_limit_mb=2048 -dict="$dictionary" \
		-artifact_prefix="$findings/$name-" -print_final_stats=1 \
		"$learnt" "$srcdir/corpus/$name" >"$log" 2>&1; then
		echo "PASS: $name: $(sed -n \
			's/^stat::number_of_executed_units: *//p' "$log") runs"
		rm -f "$log"
	else
		echo "FAIL: $name, see $log"
		grep -v '^#[0-9]' "$log" | tail -n 40
		failed="$failed $name"
	fi
done
if [ -n "$failed" ]; then
	echo "findings:$failed"
	exit 1
fi
rmdir "$findings" 2>/dev/null
exit 0
