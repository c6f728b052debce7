#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A long queue of one user's arrays, with programs in place of scontrol and squeue: the first starts
# are predicted, and those of a job that is named in its own time.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
mkdir bin tmp
TMPDIR=$work/tmp
PATH=$work/bin:$PATH
LXFW_SITE=$work/none
export TMPDIR PATH LXFW_SITE
cat > bin/scontrol <<'END'
#!/bin/sh
[ "$*" = 'show config' ] || cat "$4"
END
cat > bin/squeue <<'END'
#!/bin/sh
case $* in
*--format=*) exit;;
esac
tr ';' '\037' < job
END
cat > bin/sacct <<'END'
#!/bin/sh
exit 1
END
chmod +x bin/scontrol bin/squeue bin/sacct

now=$(date +%s)
# job STATE NUMBER NAME PARTITION PRIORITY START END NODES
job()
{
	echo "$1;$2;$3;N/A;$4;None;$5;1;4;1;1:00:00;1000;1100;$6;$7;$8;cpu=4,mem=1000M,node=1;N/A;N/A;N/A;OK;(null);(null);;*;anna;biology;;"
}
for partition in p q; do
	echo "NodeName=n$partition CPUAlloc=4 CPUEfctv=4 CPUTot=4 RealMemory=64000 AllocMem=0 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 State=ALLOCATED Weight=1 Partitions=$partition" >> node
	echo "PartitionName=$partition MaxTime=UNLIMITED DefaultTime=01:00:00 Nodes=n$partition State=UP OverSubscribe=NO PriorityTier=1" >> partition
done
: > reservation
: > license
{
	job RUNNING 1 1 p 9 "$now" "$((now + 3600))" np
	job RUNNING 2 2 q 9 "$now" "$((now + 3600))" nq
	job PENDING 3 '3_[1-3000%2]' p 8 N/A N/A ''
	job PENDING 4 4 q 7 N/A N/A ''
	job PENDING 5 5 q 6 N/A N/A ''
} > job

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
