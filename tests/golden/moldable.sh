#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Moldable jobs: every start and end is compared with an independent program (moldable.py),
# on random logs and on a part of a log in ../shared/traces if there is one. A replay of the
# journals agrees. LXFW_SEED repeats a run.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

other=$golden/moldable.py
log=$top_srcdir/../shared/traces/SDSC-SP2-1998-4.2-cln.swf.gz
seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"

# same LOG PROCS POLICY MOLD THRESHOLD [extend]
same()
{
	"$lxfw" simulate --cluster procs="$2" --policy "$3_moldable" --overrun "${6:-kill}" \
		--params "lxfw_mold=$4,lxfw_mold_threshold=$5" \
		--jobs-out "$work/jobs.csv" --journal "$work/journal" "$1" \
		> "$work/out" 2>&1 || fail "$*: $(cat "$work/out")"
	cut -d, -f1,3,4 "$work/jobs.csv" | sed 1d | sort > "$work/a"
	python3 "$other" "$2" "$3" "$4" "$5" "$1" ${6:+"$6"} > "$work/should" || exit 99
	cut -d, -f1-3 "$work/should" | sort > "$work/b"
	cmp -s "$work/a" "$work/b" ||
		fail "$*: $(diff "$work/a" "$work/b" | head -5)"
	"$lxfw" replay "$work/journal" > "$work/out" 2>&1 ||
		fail "$*: replay: $(cat "$work/out")"
	rm "$work/journal"
}

cat > "$work/log.swf" <<'EOF'
1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1
2 10 -1 100 8 -1 -1 8 100 -1 1 1 1 1 1 1 -1 -1
EOF
# Job 1 takes all 8 processors for 50 s. Job 2 waits for them.
same "$work/log.swf" 8 fcfs both 100
printf '1,0,50\n2,50,150\n' | cmp -s - "$work/a" || fail "scaled up: $(cat "$work/a")"
# Job 2 on 4 processors ends at 210 s, after 200 s instead of 190 s.
same "$work/log.swf" 8 fcfs down 106
printf '1,0,100\n2,10,210\n' | cmp -s - "$work/a" || fail "down: $(cat "$work/a")"
# 200 s is more than 105 per cent of 190 s.
same "$work/log.swf" 8 fcfs down 105
printf '1,0,100\n2,10,210\n' | cmp -s - "$work/a" && fail "threshold of 105"

# The turnaround time is 120 s on 4 processors, and 150 s if job 2 waits. At equality it
# waits.
cat > "$work/log.swf" <<'EOF'
1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1
2 10 -1 60 8 -1 -1 8 60 -1 1 1 1 1 1 1 -1 -1
EOF
same "$work/log.swf" 8 fcfs down 81
printf '1,0,100\n2,10,130\n' | cmp -s - "$work/a" || fail "below: $(cat "$work/a")"
same "$work/log.swf" 8 fcfs down 80
printf '1,0,100\n2,100,160\n' | cmp -s - "$work/a" || fail "equal: $(cat "$work/a")"

for i in 0 1 2; do
	python3 "$other" make $((seed + i)) > "$work/log.swf" || exit 99
	for threshold in 0 50 100 200; do
		same "$work/log.swf" 16 fcfs down $threshold
		same "$work/log.swf" 16 fcfs both $threshold
		same "$work/log.swf" 16 easy down $threshold
		same "$work/log.swf" 16 easy both $threshold
		same "$work/log.swf" 16 priority down $threshold
		same "$work/log.swf" 16 priority both $threshold
	done
done

# Jobs run up to ten times as long as requested.
awk '{ $9 = int($4 * (1 + NR * 7 % 19) / 10) + 1; print }' "$work/log.swf" > "$work/over.swf"
for threshold in 0 100 200 400; do
	same "$work/over.swf" 16 fcfs down $threshold extend
	same "$work/over.swf" 16 fcfs both $threshold extend
done

if [ -r "$log" ]; then
	gzip -dc "$log" | head -2000 > "$work/log.swf"
	same "$work/log.swf" 128 fcfs both 200
	same "$work/log.swf" 128 easy down 100
else
	echo "no log in ${log%/*}: random logs only"
fi

finish
