#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# PFCFS: every start and end is compared with an independent program (pfcfs.py), on random
# logs and on a part of a log in ../shared/traces if there is one. A replay of the journals
# agrees. LXFW_SEED repeats a run.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

other=$golden/pfcfs.py
log=$top_srcdir/../shared/traces/SDSC-SP2-1998-4.2-cln.swf.gz
seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"

# same LOG PROCS POLICY WIDE FREE DELAY PREEMPTIONS GANG [VICTIMS]
same()
{
	victims=${9:-procs} estimates=requested
	[ $victims = procs ] || estimates=exact
	"$lxfw" simulate --cluster procs="$2" --policy "$3" --estimates $estimates --params \
		"lxfw_pf_wide=$4,lxfw_pf_free=$5,lxfw_pf_delay=$6,lxfw_pf_preemptions=$7,lxfw_pf_gang=$8,lxfw_pf_victims=$victims" \
		--jobs-out "$work/jobs.csv" --journal "$work/journal" "$1" \
		> "$work/out" 2>&1 || fail "$*: $(cat "$work/out")"
	cut -d, -f1,3,4 "$work/jobs.csv" | sed 1d > "$work/is"
	python3 "$other" "$2" "$4" "$5" "$6" "$7" "$8" "$victims" "$1" \
		> "$work/should" || exit 99
	sort "$work/is" > "$work/a"
	sort "$work/should" > "$work/b"
	cmp -s "$work/a" "$work/b" ||
		fail "$*: $(diff "$work/a" "$work/b" | head -5)"
	"$lxfw" replay "$work/journal" > "$work/out" 2>&1 ||
		fail "$*: replay: $(cat "$work/out")"
	rm "$work/journal"
	preempted=$((preempted + $(awk -F, 'NR > 1 { n += $10 } END { print n + 0 }' \
		"$work/jobs.csv")))
}

preempted=0
for i in 0 1 2 3; do
	python3 "$other" make $((seed + i)) > "$work/log.swf" || exit 99
	same "$work/log.swf" 16 pfcfs1 50 50 60 0 60
	same "$work/log.swf" 16 pfcfs2 50 50 30 2 100
	same "$work/log.swf" 16 pfcfs3 40 50 1 1 60
	same "$work/log.swf" 16 pfcfs1 30 0 10 $((i + 1)) $((i * 7 + 1))
	same "$work/log.swf" 16 pfcfs2 49 0 20 2 60 end
	same "$work/log.swf" 16 pfcfs1 49 0 10 0 60 end
done
echo "$preempted suspensions on random logs"
[ "$preempted" -gt 100 ] || fail "few jobs were preempted"

if [ -r "$log" ]; then
	gzip -dc "$log" | head -2000 > "$work/log.swf"
	for case in "pfcfs1 50 50 600 0 600" "pfcfs3 40 0 60 3 120" \
		"pfcfs2 49 0 60 2 60 end"; do
		# shellcheck disable=SC2086
		same "$work/log.swf" 128 $case
	done
else
	echo "no log in ${log%/*}: random logs only"
fi

finish
