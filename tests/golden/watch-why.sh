#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `lxfw why` names as the cause of a wait and as what would start the job sooner, with programs in
# place of scontrol and squeue, where the answer follows from a few jobs.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "$top_srcdir/tests/golden/played.sh"

now=$(date +%s)
# why JOB
why()
{
	"$lxfw" why "$1" > out 2> err || fail "why $1: $(cat err)"
}

# says JOB TEXT
says()
{
	why "$1"
	grep -q -e "$2" out || fail "why $1, not '$2': $(cat out)"
}

# Job 1 has the node. Job 2 waits for its end, and job 3 for the end of job 2, too.
played_node n1 8
played_partition p n1 Default=YES
played_job RUNNING 1 8 1:00:00 $((now - 60)) $((now + 3540)) n1
played_job PENDING 2 8 1:00:00 N/A N/A '' anna 1 2 p 20
played_job PENDING 3 8 1:00:00 N/A N/A '' anna 1 3 p 10
says 2 '^It waits for the end of 1 running job, and starts in '
says 3 '^It waits for the end of 1 running job and then for jobs before it, and starts in '

# A license that is free is no cause.
echo 'LicenseName=abaqus Total=4 Used=3 Free=1 Reserved=0 Remote=no' > license
printf '%s\n' '1;(null);abaqus:3;' '3;(null);abaqus:1;' > excluded
says 3 '^It waits for the end of 1 running job and then for jobs before it, and starts in '
! grep -qE 'job 1, .*license|are in use' out || fail "why 3, licenses: $(cat out)"
: > excluded
: > license

# Those before it are for another node: 300 of them, more than have reservations.
played_node n2 8 q
played_partition q n2
played_job RUNNING 4 8 2:00:00 $((now - 60)) $((now + 7140)) n2 anna 1 4 q
played_job PENDING 10 8 0:10:00 N/A N/A '' anna 1 '10_[1-300]' q 30
sed -i '/^PENDING;2;/d' job
says 3 '^It waits for the end of 1 running job, and starts in 58:\|^It waits for the end of 1 running job, and starts in 59:'
sed -i '/n2\|;q;/d' node partition job

# Job 1 has half of the node, and three of four licenses: one is free, and two are not.
rm node job
played_node n1 4
played_job RUNNING 1 4 1:00:00 $((now - 60)) $((now + 3540)) n1
played_job PENDING 3 4 1:00:00 N/A N/A ''
echo 'LicenseName=abaqus Total=4 Used=3 Free=1 Reserved=0 Remote=no' > license
printf '%s\n' '1;(null);abaqus:3;' '3;(null);abaqus:1;' > excluded
says 3 '^There is room for it'
printf '%s\n' '1;(null);abaqus:3;' '3;(null);abaqus:2;' > excluded
says 3 '^It waits for license abaqus, '
grep -q 'job 1, .*3 of license abaqus' out || fail "why 3, who has them: $(cat out)"

# Half of the node is in use for an hour, and a reservation has it from 2 h 15 min on. Of all that
# was tried, half of the processors start first, and shorter limits after job 1.
rm node job
: > license
: > excluded
played_node n1 4
played_job RUNNING 1 4 1:00:00 "$now" $((now + 3600)) n1
played_job PENDING 2 8 2:00:00 N/A N/A ''
echo "ReservationName=r StartTime=$(date -d "@$((now + 8100))" +%Y-%m-%dT%H:%M:%S) EndTime=$(date -d "@$((now + 44100))" +%Y-%m-%dT%H:%M:%S) Nodes=n1 Flags=SPEC_NODES Users=root State=INACTIVE" > reservation
says 2 '^With half of the processors it would start .* earlier\.$'
grep -q 'with half of the time limit: in .* earlier$' out || fail "half of the limit: $(cat out)"

# A node that is to be restarted takes no job before.
: > reservation
rm node job
played_node n1 0
sed -i 's/State=MIXED/State=IDLE+REBOOT_ISSUED/' node
played_job PENDING 2 8 2:00:00 N/A N/A ''
says 2 'can start at no time\|is up'

finish
