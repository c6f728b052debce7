#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Preemption by waiting and remaining time: every start and end is compared with an
# independent program (remaining.py), on random logs and on a part of a log in
# ../shared/traces if there is one. A replay of the journals agrees. LXFW_SEED repeats a run.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

other=$golden/remaining.py
log=$top_srcdir/../shared/traces/SDSC-SP2-1998-4.2-cln.swf.gz
seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"

# same LOG PROCS MB A B DELTA [MIN-RUN [all]]
same()
{
	if [ "$3" = 0 ]; then
		cluster=procs=$2
	else
		cluster=$work/cluster
		echo "n1 procs=$2 memory=$3" > "$cluster"
	fi
	"$lxfw" simulate --cluster "$cluster" --policy remaining --params \
		"lxfw_rem_wait=$4,lxfw_rem_time=$5,lxfw_interval=$6,lxfw_rem_min_run=${7:-0},lxfw_rem_frees=${8:-procs}" \
		--jobs-out "$work/jobs.csv" --journal "$work/journal" "$1" \
		> "$work/out" 2>&1 || fail "$*: $(cat "$work/out")"
	cut -d, -f1,3,4 "$work/jobs.csv" | sed 1d > "$work/is"
	python3 "$other" "$2" "$3" "$4" "$5" "$6" "$1" "${7:-0}" "${8:-procs}" > "$work/should" 2> "$work/reserved" ||
		exit 99
	reserved=$((reserved + $(cat "$work/reserved")))
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

preempted=0 reserved=0
cases=$(random_cases 1 4)
for i in $(seq 0 $((cases - 1))); do
	for mb in 0 1000; do
		python3 "$other" make $((seed + i)) $mb > "$work/log.swf" || exit 99
		same "$work/log.swf" 16 $mb 0 1 0
		same "$work/log.swf" 16 $mb 0 1 5
		same "$work/log.swf" 16 $mb 0.5 1 60
		same "$work/log.swf" 16 $mb 0.25 0.5 7
		same "$work/log.swf" 16 $mb 1.5 1 30
		same "$work/log.swf" 16 $mb 1 0 60
		same "$work/log.swf" 16 $mb 0.5 1 60 100
		same "$work/log.swf" 16 $mb 0.5 1 60 30 all
	done
done
echo "$preempted suspensions on random logs, $reserved passes with a reservation"
[ "$preempted" -gt $((125 * cases)) ] || fail "few jobs were preempted"
[ "$reserved" -gt $((125 * cases)) ] || fail "few reservations"

if [ -r "$log" ]; then
	gzip -dc "$log" | head -1200 > "$work/log.swf"
	same "$work/log.swf" 128 0 0 1 0
	same "$work/log.swf" 128 0 0.5 1 600
else
	echo "no log in ${log%/*}: random logs only"
fi

finish
