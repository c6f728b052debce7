#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A Slurm that hides the jobs of others (PrivateData), with programs in place of scontrol and
# squeue: what these use is in use until an unknown time, of which no start is made up.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
mkdir bin tmp
TMPDIR=$work/tmp
export TMPDIR
cat > bin/scontrol <<'END'
#!/bin/sh
if [ "$*" = 'show config' ]; then
	cat config
else
	cat "$4"
fi
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
PATH=$work/bin:$PATH
LXFW_SITE=$work/none
export PATH LXFW_SITE

# node NAME ALLOCATED
node()
{
	echo "NodeName=$1 CPUAlloc=$2 CPUEfctv=8 CPUTot=8 RealMemory=64000 AllocMem=0 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 State=MIXED Weight=1 Partitions=p"
}

# job STATE NUMBER TASKS LIMIT START END NODES USER
job()
{
	echo "$1;$2;$2;N/A;p;None;9;${9-1};$3;1;$4;1000;1100;$5;$6;$7;cpu=$3,mem=1000M,node=${9-1};N/A;N/A;N/A;OK;(null);(null);;*;$8;biology;;"
}

node n1 8 > node
node n2 1 >> node
echo 'PartitionName=p MaxTime=UNLIMITED DefaultTime=01:00:00 Nodes=n[1-2] State=UP OverSubscribe=NO PriorityTier=1 Default=YES' > partition
: > reservation
: > license
printf '%s\n' 'SchedulerType           = sched/backfill' 'PrivateData             = jobs,usage' > config
later=$(($(date +%s) + 1000))
{
	job RUNNING 1 1 1:00:00 1200 $later n2 anna
	job PENDING 2 12 1:00:00 N/A N/A '' anna 2
	job PENDING 3 2 0:10:00 N/A N/A '' anna
} > job

"$lxfw" why 2 > out 2> err || fail "why: $(cat err)"
grep -q 'Slurm does not show the jobs of others' err || [ "$(id -u)" = 0 ] || fail "a note: $(cat err)"
grep -qx 'It waits for jobs that are not shown, whose limits are not known; no start is expected\.' out ||
	fail "why: $(cat out)"
! grep -qE 'advance reservation|3[0-9]{3}-' out || fail "why: $(cat out)"
"$lxfw" predict > out 2> err || fail "predict: $(cat err)"
grep -qE '^2 +later' out || fail "predict: $(cat out)"
grep -qE '^3 .* now ' out || fail "predict: $(cat out)"

# An operator sees all jobs: what is in use beside them is passing.
job RUNNING 4 1 1:00:00 1200 $later n2 bob >> job
"$lxfw" predict > out 2> err || fail "predict: $(cat err)"
! grep -qE '^2 +later' out || fail "predict, all jobs: $(cat out)"

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
