#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A long queue of one user's arrays, with programs in place of scontrol and squeue: the first starts
# are predicted, and those of a job that is named in its own time.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

. "$top_srcdir/tests/golden/played.sh"

now=$(date +%s)
for partition in p q; do
	played_node n$partition 8 $partition
	played_partition $partition n$partition
done
played_job RUNNING 1 8 1:00:00 "$now" "$((now + 3600))" np
played_job RUNNING 2 8 1:00:00 "$now" "$((now + 3600))" nq anna 1 2 q
played_job PENDING 3 4 1:00:00 N/A N/A '' anna 1 '3_[1-3000%2]' p 8
played_job PENDING 4 8 1:00:00 N/A N/A '' anna 1 4 q 7
played_job PENDING 5 8 1:00:00 N/A N/A '' anna 1 5 q 6

"$lxfw" queue 4 > out 2> err || fail "queue 4: $(cat err)"
! grep -q 'starts are predicted' err || fail "queue 4: $(cat err)"
grep -q ' 4 wait' out || grep -q ' 3002 wait' out || fail "queue 4: $(cat out)"
grep -qE '^ *3001 4 ' out && ! grep -q later out || fail "queue 4: $(cat out)"
"$lxfw" queue > out 2> err || fail "queue: $(cat err)"
grep -qE '^lxfw: Slurm: 3002 jobs wait, and the first [0-9]+ starts are predicted: .later. is after these$' err ||
	fail "queue: $(cat err)"
for name in 4 5 3_1 3_20; do
	grep -qE "^ *[0-9]+ $name " out && ! grep -qE "^ *[0-9]+ $name .* later" out ||
		fail "$name: $(grep -E "^ *[0-9]+ $name " out)"
done
grep -qE "^ *3000 3_3000 .* later" out || fail "the last task: $(grep 3_3000 out)"

finish
