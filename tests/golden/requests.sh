#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw predict --request` with options of sbatch that say where and when a job may start, and with what
# partitions state of each job. Programs play a Slurm of three nodes, of which a job has the first one.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "$top_srcdir/tests/golden/played.sh"

now=$(date +%s)
played_node n1 8 p,two
played_node n2 0 p,m,two
played_node n3 0 p,m
played_partition p 'n[1-3]' Default=YES
played_partition m 'n[2-3]' MaxCPUsPerNode=2
played_partition two 'n[1-2]' MinNodes=2
played_job RUNNING 1 8 1:00:00 $((now - 60)) $((now + 3540)) n1
played_job PENDING 2 8 1:00:00 N/A N/A ''
sed -i '/^PENDING;2;/s/;None;/;JobHeldUser;/' job

# within LEAST MOST OPTIONS: in how many seconds such a job is expected
within()
{
	"$lxfw" predict --json --request "-t 10 $3" > out 2> err || fail "$3: $(cat err)"
	wait=$(awk '/"time":/ { now = $2 } /"expected_start":/ { print $2 - now; exit }' out)
	[ -n "$wait" ] && [ "$wait" -ge "$1" ] && [ "$wait" -le "$2" ] ||
		fail "$3: expected in $wait s, not in $1 to $2: $(cat out err)"
}

# refuses PATTERN OPTIONS
refuses()
{
	"$lxfw" predict --request "-t 10 $2" > out 2> err
	[ $? = 2 ] || fail "$2 is not refused: $(cat out)"
	grep -q -e "$1" err || fail "$2, not '$1': $(cat err)"
	[ ! -s out ] || fail "$2: $(cat out)"
}

# --- nodes by name --------------------------------------------------------------------------

within 0 1 '-n 8'
within 60 3600 '-w n1 -n 8'
within 60 3600 '--nodelist=n[1-2] -n 16'
within 0 1 '-w n[2-3] -n 16'
within 0 1 '-x n1 -n 8'
within 60 3600 '-x n3 -N 2 -n 16'
# A job with fewer tasks does not get all of them, and waits for all by some releases.
refuses '-w names 2 nodes, and the job has 1 task: ' '-w n[1-2] -n 1'
refuses 'partition p does not have the nodes that are meant by -w n9$' '-w n9 -n 1'
refuses 'partition m does not have the nodes that are meant by -w n1$' '-p m -w n1 -n 1'
refuses 'partition p does not have the nodes that are meant by -x n\[1-3\]$' '-x n[1-3] -n 1'
refuses 'partition p does not have the nodes that are meant by -w n1 -x n1$' '-w n1 -x n1 -n 1'
# Others beside those that are named.
within 0 1 '-w n2 -N 2 -n 16'
within 60 3600 '-w n2 -N 3 -n 24'
within 60 3600 '-w n1 -N 2 -n 16'
within 60 3600 '-w n3 -x n2 -N 2 -n 16'
refuses 'the partition does not have as many' '-w n2 -x n1 -N 3 -n 3'
refuses 'modelled for as many tasks on each node' '-w n2 -N 2 -n 3'
refuses '-w names 2 nodes, and the job has 1, expected as many' '-w n[1-2] -N 1 -n 2'
refuses 'does not fit on the nodes that it names' '-w n2 -n 9'

# --- when -----------------------------------------------------------------------------------

within 7190 7210 '--begin=now+2hours -n 1'
within 0 1 '--begin 2020-01-01 -n 1'
within 590 610 '--begin now+10minutes -x n1 -n 8'
refuses "'--begin' with value 'soon', expected a time" '--begin soon -n 1'
within 60 3600 '-d afterany:1 -n 1'
! grep -q afterok err || fail "a note: $(cat err)"
within 60 3600 '-d afterok:1 -n 1'
grep -q 'if a job of its afterok fails, or reaches its time limit, it does not start$' err ||
	fail "no note: $(cat err)"
within 440 550 '-d after:1+10 -n 1'
within 7190 7210 '-d afterany:1 --begin now+2hours -n 1'
refuses 'depends on job 99, which neither waits nor runs' '-d afterok:99 -n 1'
refuses 'depends on job 2, whose own start is not predicted' '-d afterok:1:2 -n 1'
refuses 'of no other dependency is it known when it is met' '-d singleton -n 1'
# All tasks of an array, one after the other.
played_job PENDING 4 8 2:00:00 N/A N/A '' anna 1 '4_[1-2]'
within 600 1500000 '-d afterany:4 -n 1'
sed -i '/^PENDING;4;/d' job

# --- sizes ----------------------------------------------------------------------------------

within 0 1 '-N 2 -n 7'
within 60 3600 '-N 3 -n 17'
within 0 1 '-N 3 -n 2'
within 0 1 '-p m -n 4'
within 0 1 '-p m -N 2 -n 3'
refuses 'fits nowhere' '-p m -n 5'
refuses 'MaxCPUsPerNode=2' '-p m -N 1 -n 3'
within 60 3600 '-p two -n 1'
refuses 'MinNodes=2' '-p two -N 1 -n 1'
refuses 'expected one of them' '--mem 1G --mem-per-cpu 1G -n 1'

# --- for the look that a site publishes --------------------------------------------------------

"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
mkdir site
"$lxfw" predict --journal j --publish site --moments 0 > out 2> err || fail "publish: $(cat err)"
rm -f asked
within 7190 7500 '--begin now+2hours -n 1'
within 60 3600 '-d afterany:1 -n 1'
within 60 3600 '-p two -n 1'
refuses 'fits nowhere' '-p m -n 5'
within 60 3600 '-w n1 -n 8'
[ ! -e asked ] || fail "Slurm was asked: $(cat asked)"

finish
