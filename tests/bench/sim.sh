#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures the speed of 'lxfw simulate' and prints each figure with its target. The time
# is that of the whole process, which includes reading the gzip file. The best of
# several runs is used. Traces are read from ../shared/traces beside the tree, or from
# LXFW_TRACES.
#
#	RUNS=5 tests/bench/sim.sh
top_builddir=${LXFW_TOP_BUILDDIR:-.}
top_srcdir=${LXFW_TOP_SRCDIR:-.}
lxfw=$top_builddir/lxfw
traces=${LXFW_TRACES:-$top_srcdir/../shared/traces}
runs=${RUNS:-5}

sp2=$traces/SDSC-SP2-1998-4.2-cln.swf.gz
blue=$traces/SDSC-BLUE-2000-4.2-cln.swf.gz
ctc=$traces/CTC-SP2-1996-3.1-cln.swf.gz
ricc=$traces/RICC-2010-2.swf.gz

for trace in "$sp2" "$blue" "$ctc" "$ricc"; do
	if [ ! -r "$trace" ]; then
		echo "SKIP: no $trace"
		exit 77
	fi
done

work=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-bench-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
TIMEFORMAT='%R %U %S'

# measure POLICY TRACE [PARAMS [OPTION...]]: set wall (s), cpu (s) and jobs
measure()
{
	local times run real user system
	local params=(${3:+--params "$3"} "${@:4}")

	wall=1e9 cpu=1e9
	for ((run = 0; run < runs; run++)); do
		times=$( { time "$lxfw" simulate --policy "$1" "${params[@]}" --format csv "$2" \
			> "$work/out" 2> "$work/err"; } 2>&1 ) || {
			cat "$work/err" >&2
			exit 1
		}
		read -r real user system <<< "$times"
		wall=$(awk "BEGIN { print $real < $wall ? $real : $wall }")
		cpu=$(awk "BEGIN { c = $user + $system; print c < $cpu ? c : $cpu }")
	done
	jobs=$(awk -F, 'NR == 2 { print $2 }' "$work/out")
}

# peak POLICY TRACE: set peak (KB of memory), or 0 if it is unknown
peak()
{
	peak=0
	if [ -x /usr/bin/time ]; then
		peak=$(/usr/bin/time -f %M "$lxfw" simulate --policy "$1" "$2" \
		       2>&1 > /dev/null | tail -n 1)
	fi
}

# line WHAT FIGURE UNIT '<'|'>'|- TARGET [NOTE]: '-' is without a target
line()
{
	awk -v what="$1" -v is="$2" -v unit="$3" -v sign="$4" -v target="$5" \
	    -v note="$6" 'BEGIN {
		if (sign == "-") {
			printf "%-44s %12.6g %-8s %-18s %s\n", what, is, unit, "", note
			exit
		}
		met = sign == "<" ? is <= target : is >= target
		printf "%-44s %12.6g %-8s %s %-8s %-6s %s\n", what, is, unit,
			sign == "<" ? "<=" : ">=", target, met ? "met" : "MISSED",
			note
	}'
}

calculate()
{
	awk "BEGIN { print $* }"
}

printf '%-44s %12s %-8s %-11s\n' "whole process, best of $runs runs" figure "" target

measure easy "$sp2"
easy=$wall easy_cpu=$cpu easy_jobs=$jobs
line "SDSC-SP2, EASY" "$(calculate "$jobs / $wall")" jobs/s '>' 500000 \
	"($jobs jobs in $wall s, $cpu s of processor)"
measure lxfw "$sp2"
lxfw_cpu=$cpu lxfw_wall=$wall
line "SDSC-SP2, LXF&W over EASY, processor time" \
	"$(calculate "$cpu / $easy_cpu")" times '<' 2 \
	"(by the clock $(calculate "$wall / $easy"))"
for policy in easy lxfw; do
	measure $policy "$blue"
	line "SDSC-BLUE, $policy" "$wall" s '<' 1 "($jobs jobs, $cpu s of processor)"
	measure $policy "$ctc"
	line "CTC-SP2, $policy" "$wall" s '<' 0.5 "($jobs jobs, $cpu s of processor)"
done
# policies that interrupt jobs
for trace in "$sp2" "$ctc"; do
	name=$(basename "$trace" | cut -d- -f1,2)
	measure lxfw "$trace"
	plain_cpu=$cpu
	measure lxfw "$trace" lxfw_quantum=60
	line "$name, LXF&W with immediate service" \
		"$(calculate "$cpu / $plain_cpu")" times '<' 3 \
		"LXF&W's processor time ($cpu s)"
	measure eqspatial "$trace"
	line "$name, EQspatial" "$(calculate "$cpu / $plain_cpu")" times \
		'<' 3 "LXF&W's processor time ($cpu s)"
done
# Policies of other papers beside EASY. SMART, PSRS and remaining have a target.
measure easy "$sp2"
beside=$cpu
for policy in smart_ffia smart_nfiw psrs remaining; do
	measure $policy "$sp2"
	line "SDSC-SP2, $policy" "$(calculate "$cpu / $beside")" times '<' 5 \
		"EASY's processor time ($cpu s)"
done
for policy in list pfcfs1 pfcfs2 pfcfs3 fcfs_moldable easy_moldable priority_moldable; do
	measure $policy "$sp2"
	line "SDSC-SP2, $policy" "$(calculate "$cpu / $beside")" times - - \
		"EASY's processor time ($cpu s)"
done
measure lxfw "$ricc"
line "RICC, lxfw" "$wall" s '<' 5 "($jobs jobs, $cpu s of processor)"

# Thousands wait. Where all differ it costs little more than where many are alike.
for policy in fcfs easy; do
	measure $policy "$ctc" "" --cluster procs=256
	alike=$cpu
	measure $policy "$ctc" "" --cluster procs=256 --estimates exact
	line "CTC-SP2 on 256, $policy, exact estimates" \
		"$(calculate "$cpu / $alike")" times '<' 3 \
		"with requested times ($cpu s of processor)"
done
measure conservative "$ctc" "" --cluster procs=256
line "CTC-SP2 on 256, conservative, requested" "$cpu" s '<' 20 "of processor"
measure conservative "$ctc" "" --cluster procs=256 --estimates exact
line "CTC-SP2 on 256, conservative, exact" "$cpu" s '<' 20 "of processor"

# Ratios are computed from processor time, which depends less on other work on the
# machine. The process has one thread and does not wait.

# Ten copies of the same jobs. The submit times of each copy begin one day after the
# last one of the copy before it.
gzip -dc "$sp2" | awk '
	/^;/ { print; next }
	{ line[n++] = $0; last = $2 }
	END {
		for (copy = 0; copy < 10; copy++) {
			for (i = 0; i < n; i++) {
				$0 = line[i]
				$1 = copy * n + i + 1
				$2 += copy * (last + 86400)
				print
			}
		}
	}' | gzip -1 > "$work/ten.swf.gz"
for policy in easy lxfw; do
	measure $policy "$work/ten.swf.gz"
	once=$easy_cpu
	once_wall=$easy
	[ $policy = easy ] || { once=$lxfw_cpu; once_wall=$lxfw_wall; }
	line "SDSC-SP2 ten times, $policy, processor time" \
		"$(calculate "$cpu / $jobs / ($once / $easy_jobs)")" \
		times '<' 1.2 "a job (by the clock $(calculate \
		"$wall / $jobs / ($once_wall / $easy_jobs)"))"
done

# tune WHAT ARGUMENT...: half of the processor time is the run time on two idle
# processors.
tune()
{
	local what=$1 times real user system

	shift
	times=$( { time "$lxfw" tune --threads 2 --despite-verdict "$@" > "$work/out" \
		2> "$work/err"; } 2>&1 )
	[ $? -lt 2 ] || { cat "$work/err" >&2; exit 1; }
	read -r real user system <<< "$times"
	line "$what" "$(calculate "($user + $system) / 2")" s '<' 60 \
		"on 2 processors ($real s by the clock)"
}

gzip -dc "$ctc" | awk '/^;/ || ($2 > 5000000 && n++ < 8000)' > "$work/month.swf"
tune "CTC-SP2, a month, 1000 settings tuned" "$work/month.swf"

# against_pool WHAT TARGET TRACE CLUSTER PROCS POLICY [PARAMS]: the processor time with the
# hosts of CLUSTER, as a multiple of that with one pool of PROCS processors
against_pool()
{
	local pool

	measure "$6" "$3" "$7" --cluster "procs=$5"
	pool=$cpu
	measure "$6" "$3" "$7" --cluster "$4"
	line "$1" "$(calculate "$cpu / $pool")" "times" '<' "$2" \
		"the pool ($cpu s and $pool s)"
}

echo 'n[1-338] procs=1' > "$work/338"
for reserved in 1 4 16 all; do
	against_pool "CTC month, 338 hosts, lxfw, $reserved reserved" 3 \
		"$work/month.swf" "$work/338" 338 lxfw "lxfw_reservations=$reserved"
done
against_pool "CTC month, 338 hosts, conservative" 3 \
	"$work/month.swf" "$work/338" 338 conservative
for nodes in 10000 100000; do
	target=3
	[ "$nodes" = 10000 ] || target=8
	python3 "$top_srcdir/tests/bench/nodes.py" 5000 "$nodes" 32 > "$work/nodes.swf"
	echo "n[1-$nodes] procs=32" > "$work/nodes"
	against_pool "5000 jobs, $nodes hosts, easy" "$target" "$work/nodes.swf" \
		"$work/nodes" $((nodes * 32)) easy
done

# growth POLICY [PARAMS]: the exponent of the growth of the time with the number of jobs
# that wait and are all unlike
growth()
{
	local few

	measure "$1" "$work/few.swf" "$2" --cluster procs=128
	few=$cpu
	measure "$1" "$work/many.swf" "$2" --cluster procs=128
	line "500 and 4000 unlike waiting jobs, $1${2:+, all}" \
		"$(calculate "log($cpu / ($few + 0.001)) / log(8)")" power '<' 1.5 \
		"($few s and $cpu s)"
}

python3 "$top_srcdir/tests/bench/burst.py" 500 128 > "$work/few.swf"
python3 "$top_srcdir/tests/bench/burst.py" 4000 128 > "$work/many.swf"
for policy in lxfw priority conservative; do
	growth $policy
done
growth lxfw lxfw_reservations=all

# Many sites: an event at one of them must not cost a look at all.
awk 'BEGIN {
	srand(4)
	print "; MaxProcs: 64"
	for (i = 1; i <= 200000; i++) {
		time += -2 * log(1 - rand())
		run = int(exp(7 + 1.2 * sqrt(-2 * log(1 - rand())) * cos(6.2831853 * rand()))) + 1
		procs = 2 ^ int(5 * rand())
		print i, int(time), -1, run, procs, -1, -1, procs, 2 * run, -1, 1, 1, 1, 1, 1, 1, -1, -1
	}
}' > "$work/grid.swf"
for sites in 300 3000 10000; do
	list=$(yes 32 | head -n $sites | paste -sd ,)
	times=$( { time "$lxfw" grid --broker local --sites "$list" "$work/grid.swf" \
		> "$work/out" 2> "$work/err"; } 2>&1 ) || { cat "$work/err" >&2; exit 1; }
	read -r real user system <<< "$times"
	line "grid, local, 200000 jobs, $sites sites" "$(calculate "$user + $system")" s \
		'<' 6 "of processor ($real s by the clock)"
done

# Synthetic workloads: one month of a large cluster, and one of the Origin 2000 with
# memory.
awk -f "$top_srcdir/tests/bench/large-month.awk" > "$work/large.swf"
"$lxfw" generate ncsa-o2k --month 2000-02 --out "$work/o2k.swf" || exit 1
tune "93,312 processors, 1000 settings tuned" "$work/large.swf"
tune "Origin 2000, a month, 300 settings tuned" --settings 300 \
	--cluster ncsa-o2k "$work/o2k.swf"

printf '; MaxProcs: 1\n1 0 -1 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1\n' > "$work/one.swf"
peak lxfw "$work/one.swf"
base=$peak
if [ "$base" -gt 0 ]; then
	for trace in "$sp2" "$ricc" "$work/ten.swf.gz"; do
		measure_jobs=$("$lxfw" simulate --format csv "$trace" 2> /dev/null |
			awk -F, 'NR == 2 { print $2 }')
		peak lxfw "$trace"
		name=$(basename "$trace" .swf.gz)
		line "peak memory, $name" \
			"$(calculate "($peak - $base) * 1024 / $measure_jobs")" \
			bytes/job '<' 400 "($peak KB)"
	done
fi
