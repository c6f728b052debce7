#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks the recommendations of 'lxfw tune' on workloads with known results. The logs
# are drawn from a model. The current setting of the site is the best one, one that is
# slightly worse (by a few per cent), a bad one, a poor one (some tens of per cent from
# the best), or the one with the shortest maximum wait, for which every gain in another
# goal is a loss in that one. The true value of a setting is its mean over many other
# logs of the same model. A result is right if no recommended setting is worse than the
# current one by more than the margin in any goal; for the bad site, a setting must be
# recommended.
#
#	tests/bench/tune.sh [CASE...]		best, slight, bad, poor, front:
#						all but poor unless named
#
# Environment: SEEDS (100) logs per case, beginning with FIRST (101); MONTHS (40) logs
# for the true value; SETTINGS (48) tried for each log; JOBS (3000) per log; PARALLEL
# (2) concurrent processes; OPTIONS for 'lxfw tune'. The exit status is 1 if less than
# 95 of 100 results were right.
top_builddir=${LXFW_TOP_BUILDDIR:-.}
lxfw=$top_builddir/lxfw
seeds=${SEEDS:-100} first=${FIRST:-101} months=${MONTHS:-40}
settings=${SETTINGS:-48} jobs=${JOBS:-3000} parallel=${PARALLEL:-2}
read -ra options <<< "${OPTIONS:-}"
margin=0.05

case $lxfw in
/*) ;;
*) lxfw=$PWD/$lxfw ;;
esac
work=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-bench-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export LC_ALL=C

die()
{
	echo "$*" >&2
	exit 1
}

# The current setting of each case.
best='lxfw_policy=priority'
slight='lxfw_policy=lxfw,lxfw_ww=0.5,lxfw_wx=1'
bad='lxfw_policy=fcfs'
poor='lxfw_policy=lxfw,lxfw_ww=0.1,lxfw_wx=1,lxfw_wp=1'
front='lxfw_policy=easy'

# log SEED FILE: 128 processors, about four weeks, offered load 0.8
log()
{
	"$lxfw" generate lublin --procs 128 --jobs "$jobs" --load 0.8 \
		--estimate-factor 3 --seed "$1" --out "$2" ||
		die "generate failed"
}

# figures LINE FILE...: print p95 wait, mean slowdown and longest wait, as means over
# the files
figures()
{
	line=$1
	shift
	for file in "$@"; do
		"$lxfw" simulate --params "$line" --warmup 2d --format csv "$file" ||
			die "simulate failed"
	done | awk -F, '
		$1 == "policy" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			p95 += $at["p95_wait_s"]
			slowdown += $at["mean_slowdown"]
			longest += $at["max_wait_s"]
			n++
		}
		END { printf "%.6g %.6g %.6g\n", p95 / n, slowdown / n, longest / n }'
}

# one CASE SEED: print "SEED SETTING", or "SEED -" if no setting is recommended
one()
{
	local site=${!1} file=$work/$1-$2.swf status line

	log "$2" "$file"
	"$lxfw" tune --current "$site" --vary lxfw_quantum=0 \
		--settings "$settings" --round 12 --threads 1 --despite-verdict \
		"${options[@]}" \
		--format json "$file" > "$file.json" 2> "$file.err"
	status=$?
	[ $status -lt 2 ] || die "tune: $(cat "$file.err")"
	line=$(sed -n 's/^  "recommended": "\(.*\)",$/\1/p' "$file.json")
	echo "$2 ${line:--}"
	if [ -n "$line" ]; then
		figures "$line" "$work"/truth-*.swf > "$work/$1-$2.is"
	fi
	rm -f "$file"
}

# all CASE: run the seeds in parallel. The results do not depend on the number of
# processes.
all()
{
	figures "${!1}" "$work"/truth-*.swf > "$work/$1.site"
	for ((worker = 0; worker < parallel; worker++)); do
		for ((seed = first + worker; seed < first + seeds; seed += parallel)); do
			one "$1" $seed || exit 1
		done > "$work/$1.$worker" &
	done
	wait
	cat "$work/$1".[0-9]* | sort -n > "$work/$1.lines"
	[ "$(wc -l < "$work/$1.lines")" -eq "$seeds" ] || die "$1: a seed failed"
}

# judge CASE: print its line of the table. The status is 0 if at least 95 of 100 were
# right.
judge()
{
	while read -r seed line; do
		if [ "$line" = - ]; then
			echo "$seed -"
		else
			echo "$seed $(cat "$work/$1-$seed.is") $line"
		fi
	done < "$work/$1.lines" > "$work/$1.all"
	[ -z "${DETAILS:-}" ] || sed "s/^/$1 /" "$work/$1.all" >&2
	awk -v site="$1" -v margin="$margin" '
		NR == FNR { split($0, now, " "); next }
		{ seeds++ }
		$2 == "-" { wrong += site == "bad"; next }
		{
			recommended++
			worse = better = 0
			for (i = 1; i <= 3; i++) {
				worse += $(i + 1) > (1 + margin) * now[i]
				better += $(i + 1) < now[i]
				sum[i] += $(i + 1) / now[i] - 1
			}
			is_worse += worse > 0
			is_better += worse == 0 && better > 0
			wrong += worse > 0 || (site == "bad" && better == 0)
		}
		END {
			printf "| %s | %d | %d | %d | %d | %d |", site, seeds,
				recommended, is_better, is_worse, seeds - wrong
			for (i = 1; i <= 3; i++)
				printf recommended ? " %+.0f %% |" : " |",
					recommended ? 100 * sum[i] / recommended : 0
			printf "\n"
			exit wrong * 20 > seeds
		}' "$work/$1.site" "$work/$1.all"
}

[ $# -gt 0 ] || set -- best slight bad front
for ((month = 0; month < months; month++)); do
	log $((1000000 + month)) "$work/truth-$month.swf"
done
echo "| site | logs | recommended | truly better | truly worse | right | p95 wait | mean slowdown | longest wait |"
echo "|---|---|---|---|---|---|---|---|---|"
failed=0
for case; do
	all "$case"
	judge "$case" || failed=1
done
exit $failed
