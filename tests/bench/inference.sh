#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What 'lxfw compare' infers from logs of which the truth is known: made by
# tests/bench/easy.py, a scheduler of its own, from workloads of 'lxfw generate'. A line
# each: mean waits measured, of the true effect, simulated without and with what was
# inferred, and what is left, in per cent of the true effect. For outages and failures of
# a part of the machine less than a tenth is to be left; where users have ranks nothing
# may be claimed, and where nothing happened nothing be found. The others have no target.
#
#	SEEDS='1 2 3' LOADS='0.75 0.85' SCENARIOS='part stops' tests/bench/inference.sh
top_builddir=${LXFW_TOP_BUILDDIR:-.}
top_srcdir=${LXFW_TOP_SRCDIR:-.}
lxfw=$top_builddir/lxfw
jobs=${JOBS:-3000}

command -v python3 > /dev/null || { echo "SKIP: no python3"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-bench-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
missed=0

# value KEY: of the JSON's part that is inferred
value()
{
	sed -n '/"inferred": /,/^  }/p' "$work/json" |
		sed -n "s/^ *\"$1\": \([^,]*\),*/\1/p" | head -n 1
}

printf '%-7s %4s %5s %9s %9s %9s %9s %8s %7s  %s\n' log seed load measured \
	effect without with left percent verdict
for load in ${LOADS:-0.75 0.85}; do
	for seed in ${SEEDS:-1 2 3 4 5}; do
		"$lxfw" generate lublin --seed "$seed" --jobs "$jobs" --procs 128 \
			--load "$load" --estimate-factor 3 --out "$work/base.swf" || exit 1
		for scenario in ${SCENARIOS:-none part stops kills order limits holds}; do
			truth=$(python3 "$top_srcdir/tests/bench/easy.py" "$scenario" "$seed" \
				"$work/base.swf" "$work/log.swf") || exit 1
			"$lxfw" compare --json --infer all --start-overhead 0 "$work/log.swf" \
				> "$work/json" 2> "$work/messages" || {
				cat "$work/messages" >&2
				exit 1
			}
			awk -v scenario="$scenario" -v seed="$seed" -v how_full="$load" \
			    -v truth="$truth" -v without="$(value without_mean_wait_s)" \
			    -v with="$(value with_mean_wait_s)" -v order="$(value other_order)" 'BEGIN {
				split(truth, t, " ")
				effect = t[1] - t[2]
				left = with - t[1]
				percent = effect ? 100 * left / effect : 0
				if (percent < 0) percent = -percent
				if (scenario == "none")
					verdict = with == without ? "met" : "MISSED"
				else if (scenario == "order")
					verdict = order == "true" && with == without ?
						"cannot tell" : "MISSED"
				else if (scenario ~ /part|stops|kills/)
					verdict = percent < 10 ? "met" : "MISSED"
				else
					verdict = order == "true" ? "cannot tell" : "-"
				printf "%-7s %4d %5s %9.0f %9.0f %9.0f %9.0f %8.0f %7.1f  %s\n",
					scenario, seed, how_full, t[1], effect, without, with, left,
					percent, verdict
				exit verdict == "MISSED"
			}' || missed=$((missed + 1))
		done
	done
done
echo "$missed missed"
[ "$missed" -eq 0 ]
