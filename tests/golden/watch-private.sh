#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A Slurm that hides the jobs of others (PrivateData), with programs in place of scontrol and
# squeue: what these use is in use until an unknown time, of which no start is made up.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

. "$top_srcdir/tests/golden/played.sh"

played_node n1 8
played_node n2 1
played_partition p 'n[1-2]' Default=YES
printf '%s\n' 'SchedulerType           = sched/backfill' 'PrivateData             = jobs,usage' > config
later=$(($(date +%s) + 1000))
played_job RUNNING 1 1 1:00:00 1200 $later n2
played_job PENDING 2 12 1:00:00 N/A N/A '' anna 2
played_job PENDING 3 2 0:10:00 N/A N/A ''

"$lxfw" why 2 > out 2> err || fail "why: $(cat err)"
grep -q 'Slurm does not show the jobs of others' err || [ "$(id -u)" = 0 ] || fail "a note: $(cat err)"
grep -qx 'It waits for jobs that are not shown, whose limits are not known; no start is expected\.' out ||
	fail "why: $(cat out)"
grep -qx 'No job of yours is before it in the queue; how many of others are is not known\.' out ||
	[ "$(id -u)" = 0 ] || fail "why, others: $(cat out)"
! grep -qE 'advance reservation|3[0-9]{3}-' out || fail "why: $(cat out)"
"$lxfw" predict > out 2> err || fail "predict: $(cat err)"
grep -qE '^2 +later' out || fail "predict: $(cat out)"
grep -qE '^3 .* now ' out || fail "predict: $(cat out)"

# An operator sees all jobs: what is in use beside them is passing.
played_job RUNNING 4 1 1:00:00 1200 $later n2 bob
"$lxfw" predict > out 2> err || fail "predict: $(cat err)"
! grep -qE '^2 +later' out || fail "predict, all jobs: $(cat out)"
! grep -q 'does not show the jobs of others' err || fail "an operator: $(cat err)"

# Without nodes nothing is known, but that is not the silence of Slurm.
sed -i 's/jobs,usage/nodes,reservations/' config
sed -i '1a[ "$4" != node ] || { echo "slurm_load_node error: Access/permission denied"; exit 1; }' bin/scontrol
for command in 'why 2' predict queue; do
	# $command is two words
	# shellcheck disable=SC2086
	"$lxfw" $command > out 2> err
	[ $? = 2 ] && grep -q ': Slurm does not show nodes to this user (PrivateData): ' err ||
		fail "$command: $(cat out err)"
done

finish
