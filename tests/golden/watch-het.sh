#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Heterogeneous jobs of a Slurm that schedules by itself: what `lxfw predict`, `queue` and `why` say of
# their components, which start together. Programs play a Slurm of three nodes.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "$top_srcdir/tests/golden/played.sh"

# Of users and names, too.
sed -i "/^case/a *'username:|'*) cat listed; exit;;" bin/squeue
: > listed
now=$(date +%s)
for node in n1 n2 n3; do
	played_node $node 0
done
sed -i '/^NodeName=n1 /s/CPUAlloc=0/CPUAlloc=8/' node
played_partition p 'n[1-3]' Default=YES
played_job RUNNING 1 8 1:00:00 $((now - 60)) $((now + 3540)) n1

# component NUMBER OFFSET PROCESSORS NODES REASON: of job 15
component()
{
	played_job PENDING "$1" "$3" 1:00:00 N/A N/A '' anna "$4" "15+$2"
	echo "$1|15+$2|anna|p|N/A|" >> listed
	sed -i "/^PENDING;$1;/{s,;15+$2;N/A;,;15+$2;15;,;s/;None;/;$5;/}" job
}

# says COMMAND PATTERN
says()
{
	# shellcheck disable=SC2086
	"$lxfw" $1 > out 2> err || fail "$1: $(cat out err)"
	grep -q -e "$2" out || fail "$1, not '$2': $(cat out err)"
}

# starts JOB LEAST MOST: in how many seconds it is expected
starts()
{
	"$lxfw" predict --json "$1" > out 2> err || fail "predict $1: $(cat err)"
	wait=$(awk '/"time":/ { now = $2 } /"expected_start":/ { print $2 - now; exit }' out)
	[ -n "$wait" ] && [ "$wait" -ge "$2" ] && [ "$wait" -le "$3" ] ||
		fail "$1: expected in $wait s, not in $2 to $3: $(cat out err)"
}

# Its second component could start now, and waits for the first one, which needs all other nodes.
component 15 0 16 2 Resources
component 16 1 8 1 None
starts 15+0 60 3600
starts 15+1 60 3600
starts 16 60 3600
# Seconds later it may be another start.
"$lxfw" predict --json 15+0 15+1 > out 2> err || fail "predict: $(cat err)"
[ "$(grep -c '"expected_start"' out)" = 2 ] && [ "$(grep '"expected_start"' out | sort -u | wc -l)" = 1 ] ||
	fail "not together: $(cat out)"
says predict '^15+0 .*in '
says predict '^15+1 .*in '
says queue ' 15+0 .*[0-9]:[0-9]'
says queue ' 15+1 .*[0-9]:[0-9]'
says 'queue 15' ' 15+1 '
says 'queue 16' ' 15+1 '
! grep -q ' 15+0 ' out || fail "queue 16: $(cat out)"
says 'why 15+1' '^Job 15+1 has waited'
says 'why 15+0' '^It waits for the end of 1 running job, '
says 'why 15+1' '^It waits for the other components of its job, which start together with it, and starts in '

# Two that fit start at once, also if each of them would fit on the same node: Slurm gives each its own.
sed -i '/^PENDING/d' job && : > listed
component 15 0 8 1 None
component 16 1 8 1 None
starts 15+0 0 1
starts 15+1 0 1
sed -i '/^PENDING/d' job && : > listed
component 15 0 4 1 Resources
component 16 1 4 1 None
component 17 2 4 1 None
starts 15+2 60 3600

# If one is held, the others are not eligible. If one cannot be modelled, all are left to Slurm.
sed -i '/^PENDING/d' job && : > listed
component 15 0 8 1 JobHeldUser
component 16 1 8 1 None
says queue ' 15+0 .* its user holds it'
says queue ' 15+1 .* another job that starts with it is not eligible'
sed -i '/^PENDING/d' job && : > listed
component 15 0 8 1 Resources
component 16 1 8 1 None
sed -i '/^PENDING;16;/s/cpu=8/cpu=0/' job
says queue ' 15+0 .* it starts together with others, and the scheduler cannot'
says queue ' 15+1 .* it starts together with others, and the scheduler cannot'

# As if one uses an advance reservation.
sed -i 's/cpu=0/cpu=8/' job
sed -i '/^PENDING;16;/s/;OK;(null);/;OK;maintenance;/' job
says queue ' 15+0 .* it starts together with others, and the scheduler cannot'
sed -i '/^PENDING;16;/s/;OK;maintenance;/;OK;(null);/' job

# Jobs of which only one component is known are not predicted.
sed -i '/^PENDING;16;/d' job
says queue ' 15+0 .* it starts together with others, and the scheduler cannot'

# What is published has the same names.
component 16 1 8 1 None
"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
mkdir site
"$lxfw" predict --journal j --publish site --moments 0 > out 2> err || fail "publish: $(cat err)"
rm -f asked
says queue ' 15+1 '
says 'queue 16' ' 15+1 '
says 'predict 15+1' '^15+1 '
says 'why 15+1' '^Job 15+1 has waited'
[ ! -e asked ] || fail "Slurm was asked: $(cat asked)"
grep -q '<td>15+1</td>' site/index.html || fail "page: $(cat site/index.html)"

finish
