#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No policy that suspends jobs lets one run on a reserved host, on random logs with
# reservations (blocked.py). LXFW_SEED repeats a run.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh"

other=$golden/blocked.py
seed=${LXFW_SEED:-$(date +%s)}
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

for i in 0 1 2 3 4 5 6 7; do
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
[ "$suspensions" -gt 500 ] || fail "few jobs were suspended"
[ "$soon" -gt 50 ] || fail "few reservations were near"

finish
