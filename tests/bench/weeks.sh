#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whether the weeks of log that 'lxfw tune' says it would take are enough: for each log of
# a model that gets no recommendation but a number of weeks, other logs of the same model
# with half, once and twice that number of weeks are made and tuned in the same way.
#
#	tests/bench/weeks.sh [CASE...]		poor, far: all unless named
#
# SEEDS (40) logs a case, from FIRST (1) on; SETTINGS (48) tried for each; JOBS (3000) of
# a log, some four weeks; numbers of weeks above MOST (60) are counted only; PARALLEL (2)
# at a time; FACTORS ("0.5 1 2") of the number of weeks. DETAILS=1 prints each log to
# standard error. Exit status 1 if less than 60 in 100 of the logs with the number of
# weeks get a recommendation.
top_builddir=${LXFW_TOP_BUILDDIR:-.}
lxfw=$top_builddir/lxfw
seeds=${SEEDS:-40} first=${FIRST:-1} settings=${SETTINGS:-48} jobs=${JOBS:-3000}
most=${MOST:-60} parallel=${PARALLEL:-2}
read -ra factors <<< "${FACTORS:-0.5 1 2}"

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

# What each case's site has: tens of per cent from the best, and further.
poor='lxfw_policy=lxfw,lxfw_ww=0.1,lxfw_wx=1,lxfw_wp=1'
far='lxfw_policy=lxfw,lxfw_ww=0.02,lxfw_wx=1,lxfw_wp=3'

# tuned CASE SEED JOBS: "WEEKS RESULT", the weeks of the log and "yes", "none" where no
# number of weeks would do, or the number
tuned()
{
	local site=${!1} file=$work/$1-$2-$3.swf

	"$lxfw" generate lublin --procs 128 --jobs "$3" --load 0.8 \
		--estimate-factor 3 --seed "$2" --out "$file" ||
		die "generate failed"
	"$lxfw" tune --current "$site" --vary lxfw_quantum=0 \
		--settings "$settings" --round 12 --threads 1 --despite-verdict \
		--format json "$file" > "$file.json" 2> "$file.err"
	[ $? -lt 2 ] || die "tune: $(cat "$file.err")"
	awk -F'"' '
		$2 == "recommended" && $4 != "" { result = "yes" }
		/"weeks_needed":/ && result == "" {
			result = $4
			if (result != "none") {
				sub(/.*: */, "")
				result = $0
			}
		}
		/^    "count":/ { sub(/.*: */, ""); count = $0 + 0 }
		/^    "days":/ { sub(/.*: */, ""); days = $0 + 0 }
		END { print count * days / 7, result == "" ? "none" : result }
		' "$file.json"
	rm -f "$file" "$file.json" "$file.err"
}

# one CASE SEED: "SEED WEEKS RESULT", then what came of each factor
one()
{
	local weeks result more line

	read -r weeks result <<< "$(tuned "$1" "$2" "$jobs")"
	line="$2 $weeks $result"
	if [ "$result" != yes ] && [ "$result" != none ] &&
	   awk "BEGIN { exit !($result <= $most) }"; then
		for i in "${!factors[@]}"; do
			more=$(awk "BEGIN { print int($jobs / $weeks * $result * \
				${factors[i]} + 0.5) }")
			line+=" $(tuned "$1" $((2000000 + 10 * $2 + i)) "$more" |
				tr ' ' :)"
		done
	fi
	echo "$line"
}

# judge CASE: its lines of the table
judge()
{
	[ -z "${DETAILS:-}" ] || sed "s/^/$1 /" "$work/$1.lines" >&2
	awk -v site="$1" -v most="$most" -v factors="${#factors[@]}" \
		-v list="${factors[*]}" '
		BEGIN { split(list, factor, " ") }
		{ seeds++ }
		$3 == "yes" { now++; next }
		$3 == "none" { never++; next }
		NF == 3 { long++; next }
		{
			told++
			for (i = 1; i <= factors; i++)
				got[i] += $(3 + i) ~ /:yes$/
		}
		END {
			for (i = 1; i <= factors; i++)
				bad += factor[i] == 1 && got[i] < 0.6 * told
			printf "| %s | %d | %d | %d | %d | %d |", site, seeds, now,
				never, long, told
			for (i = 1; i <= factors; i++)
				printf told ? " %d (%.0f %%) |" : " |", got[i],
					told ? 100 * got[i] / told : 0
			printf "\n"
			exit bad > 0
		}' "$work/$1.lines"
}

[ $# -gt 0 ] || set -- poor far
printf '| site | logs | recommended at once | no number | above %s weeks | number |' "$most"
printf ' %s times |' "${factors[@]}"
printf '\n|---|---|---|---|---|---|'
printf -- '---|%.0s' "${factors[@]}"
printf '\n'
failed=0
for case; do
	for ((worker = 0; worker < parallel; worker++)); do
		for ((seed = first + worker; seed < first + seeds; seed += parallel)); do
			one "$case" $seed || exit 1
		done > "$work/$case.$worker" &
	done
	wait
	cat "$work/$case".[0-9]* | sort -n > "$work/$case.lines"
	[ "$(wc -l < "$work/$case.lines")" -eq "$seeds" ] || die "$case: a seed failed"
	judge "$case" || failed=1
done
exit $failed
