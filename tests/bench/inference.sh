#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures what 'lxfw compare' infers from logs with known outages. tests/bench/easy.py,
# an independent scheduler, makes the logs from workloads of 'lxfw generate'. Jobs start
# at once, up to one minute late or up to ten minutes late. One line is printed per kind
# of log and delay:
#
#	found		logs in which outages were found
#	unclear		logs for which the result was reported as unclear
#	met		logs whose added mean wait is within a tenth of the truth
#	known		the same, with the true outages given by --outages: random
#			late starts change the schedule with any inference
#	true, added	mean increase of the mean wait by the true outages, s, and
#			by the outages found
#	estimate	mean of the estimated start overheads that are not 0, s
#	bias		mean of the simulated mean waits minus that of the
#			measured ones, for logs without outages, per cent
#
# Targets: in logs without an outage, at least 95 of 100 have none inferred. In logs
# with an outage and without late starts, at least 90 of 100 are met; with late starts,
# the outage is found in at least 90 of 100.
#
#	SEEDS='1 2 3' LOADS='0.75 0.85' DELAYS='0 60' SCENARIOS='part holds' \
#		tests/bench/inference.sh
top_builddir=${LXFW_TOP_BUILDDIR:-.}
top_srcdir=${LXFW_TOP_SRCDIR:-.}
lxfw=$top_builddir/lxfw
jobs=${JOBS:-3000}

command -v python3 > /dev/null || { echo "SKIP: no python3"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-bench-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# infer OPTIONS...: print the mean wait without and with the outages, their number, and
# whether the result is unclear
infer()
{
	"$lxfw" compare --json "$@" "$work/log.swf" > "$work/json" 2> "$work/messages" || {
		cat "$work/messages" >&2
		exit 1
	}
	awk -F '[:,]' '/"inferred": / { on = 1 }
		/"start_overhead_s"/ { overhead = $2 }
		on && /"without_mean_wait_s"/ { without = $2 }
		on && /"with_mean_wait_s"/ { with = $2 }
		on && /"begin_s"/ { outages++ }
		on && /"outages_unclear": true/ { unclear = 1 }
		/^  }/ { on = 0 }
		END { print without, with, outages + 0, unclear + 0, overhead }' "$work/json"
}

# run SCENARIO SEED LOAD LATE: print one line of figures
run()
{
	local truth found given=none start=

	truth=$(python3 "$top_srcdir/tests/bench/easy.py" "$1" "$2" "$work/base.swf" \
		"$work/log.swf" 0 "$4") || exit 1
	[ "$4" -ne 0 ] || start='--start-overhead=0'
	found=$(infer $start) || exit 1
	[ ! -s "$work/log.swf.outages" ] ||
		given=$(infer $start --infer none --outages "$work/log.swf.outages") || exit 1
	echo "$1 $4 $truth $found $given"
}

for load in ${LOADS:-0.75 0.85}; do
	for seed in ${SEEDS:-$(seq 20)}; do
		"$lxfw" generate lublin --seed "$seed" --jobs "$jobs" --procs 128 \
			--load "$load" --estimate-factor 3 --out "$work/base.swf" || exit 1
		for late in ${DELAYS:-0 60 600}; do
			for scenario in ${SCENARIOS:-none holds begins chains limits order \
				part stops kills holds+part holds+stops holds+kills}; do
				run $scenario $seed $load $late || exit 1
			done
		done
	done
done > "$work/lines" || exit 1

awk 'function near(got, true) { return (got - true) ^ 2 <= (0.1 * true) ^ 2 }
	{
		k = $1 " " $2
		if (!(k in n)) order[++kinds] = k
		n[k]++
		found[k] += $9 > 0; unclear[k] += $10
		if ($11 > 0) { estimate[k] += $11; estimates[k]++ }
		measured[k] += $3; simulated[k] += $7
		if ($1 !~ /part|stops|kills/) next
		outages[k] = 1
		met[k] += near($8 - $7, $5); known[k] += near($13 - $12, $5)
		true[k] += $5; added[k] += $8 - $7
	}
	END {
		printf "%-12s %4s %4s %5s %7s %5s %5s %7s %7s %8s %6s\n", "log", "late", "logs",
			"found", "unclear", "met", "known", "true", "added", "estimate", "bias"
		for (i = 1; i <= kinds; i++) {
			k = order[i]; split(k, name, " ")
			printf "%-12s %4s %4d %5d %7d", name[1], name[2], n[k], found[k], unclear[k]
			if (outages[k])
				printf " %5d %5d %7.0f %7.0f", met[k], known[k], true[k] / n[k],
					added[k] / n[k]
			else
				printf " %5s %5s %7s %7s", "", "", "", ""
			printf " %8.0f", estimates[k] ? estimate[k] / estimates[k] : 0
			if (name[1] == "none")
				printf " %5.1f%%", 100 * (simulated[k] / measured[k] - 1)
			missed = !outages[k] ? found[k] > 0.05 * n[k] : name[1] ~ /holds/ ? 0 :
				(name[2] == 0 ? met[k] : found[k]) < 0.9 * n[k]
			printf "%s\n", missed ? "  MISSED" : ""
			all += missed
		}
		print all + 0, "missed"
		exit all > 0
	}' "$work/lines"
