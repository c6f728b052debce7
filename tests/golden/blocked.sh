#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No policy that suspends jobs lets one run on a reserved host, on random logs with
# reservations (blocked.py). LXFW_SEED repeats a run.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

other=$golden/blocked.py
seed=${LXFW_SEED:-1}
cases=$(random_cases 3 8)
echo "# LXFW_SEED=$seed"

suspensions=0 soon=0

# free POLICY KEYS: no job of the log runs into a reservation.
free()
{
	"$lxfw" simulate --cluster "$work/cluster" --reservations "$work/reservations" \
		--policy "$1" --params "$2" --journal "$work/journal" "$work/log.swf" \
		> "$work/out" 2>&1 || fail "$*: $(cat "$work/out")"
	"$lxfw" journal "$work/journal" > "$work/journal.txt" || fail "$*: journal"
	rm "$work/journal"
	python3 "$other" check "$work/journal.txt" > "$work/out" 2>&1 ||
		fail "LXFW_SEED=$((seed + i)): $*: $(cat "$work/out")"
	[ "$failures" -eq 0 ] || return
	read -r these before < "$work/out"
	suspensions=$((suspensions + these)) soon=$((soon + before))
}

# reserved START END: h0 is reserved between these seconds of the log.
reserved()
{
	echo "ReservationName=r StartTime=$(date -u -d "@$((1100000000 + $1))" +%FT%T)" \
		"EndTime=$(date -u -d "@$((1100000000 + $2))" +%FT%T) Nodes=h0 Flags=MAINT" \
		> "$work/reservations"
}

# Worlds that are rare among the random ones. The last job makes the log long enough.
i=0
printf 'h0 procs=4\nh1 procs=4\n' > "$work/cluster"
{ job 1 1100000000 30 4 30; job 2 1100000000 1000 4 1000; job 3 1100000001 100 8 100
  job 4 1100009000 100 8 100; } > "$work/log.swf"
# Job 3 would wait for the end of job 2 on the host of job 1, which has ended long before.
reserved 500 2000
free pfcfs2 lxfw_pf_delay=1,lxfw_pf_gang=20,lxfw_pf_free=0,lxfw_pf_wide=60
echo 'h0 procs=4' > "$work/cluster"
{ job 1 1100000000 100 4 100; job 2 1100000020 100 1 100; job 3 1100009000 1 1 1
  } > "$work/log.swf"
# Job 1 would end a second too late.
reserved 159 2000
free lxfw lxfw_quantum=60,lxfw_quantum_min_run=10
[ "$suspensions" = 0 ] || fail "a job that would be late is preempted"
# It ends at the same second.
reserved 160 2000
free lxfw lxfw_quantum=60,lxfw_quantum_min_run=10
[ "$suspensions" = 1 ] || fail "a job that would not be late is not preempted"

for i in $(seq 0 $((cases - 1))); do
	python3 "$other" make $((seed + i)) "$work" || exit 99
	free pfcfs1 lxfw_pf_delay=10,lxfw_pf_gang=60,lxfw_pf_free=0
	free pfcfs2 lxfw_pf_delay=1,lxfw_pf_gang=20,lxfw_pf_free=20,lxfw_pf_wide=30
	free pfcfs3 lxfw_pf_delay=30,lxfw_pf_wide=40,lxfw_pf_free=0
	free pfcfs1 lxfw_pf_delay=10,lxfw_pf_preemptions=5,lxfw_pf_free=0,lxfw_pf_victims=end
	free lxfw lxfw_quantum=60,lxfw_quantum_min_run=10
	free sjf lxfw_quantum=300,lxfw_quantum_min_run=30,lxfw_quantum_end=suspend
	free remaining lxfw_rem_min_run=10
done
echo "$suspensions suspensions, $soon reservations soon after one"
[ "$suspensions" -gt $((60 * cases)) ] || fail "few jobs were suspended"
[ "$soon" -gt "$cases" ] || fail "few reservations were near"

finish
