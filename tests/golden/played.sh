# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A Slurm without accounting that programs in place of scontrol, squeue and sacct play, after
# golden.sh: in the folder $work, they print the files config, node, partition, reservation, license,
# job, excluded (the licenses) and shown (for jobs by name), and add a line to the file asked. The site publishes in the folder site, if there is one.

cd "$work" || exit 99
mkdir bin tmp
TMPDIR=$work/tmp
PATH=$work/bin:$PATH
LXFW_SITE=$work/site
export TMPDIR PATH LXFW_SITE
cat > bin/scontrol <<'END'
#!/bin/sh
echo "$*" >> asked
if [ "$*" = 'show config' ]; then
	cat config
elif [ "$1" = --oneliner ]; then
	cat "$3"
else
	cat "$4"
fi
END
cat > bin/squeue <<'END'
#!/bin/sh
echo "$*" >> asked
case $* in
*--jobs=*) cat shown; exit;;
*--format=*) tr ';' '\037' < excluded; exit;;
esac
tr ';' '\037' < job
END
cat > bin/sacct <<'END'
#!/bin/sh
exit 1
END
chmod +x bin/scontrol bin/squeue bin/sacct
echo 'SchedulerType           = sched/backfill' > config
: > excluded
: > reservation
: > license

# played_node NAME ALLOCATED [PARTITION]: a node of 8 processors
played_node()
{
	echo "NodeName=$1 CPUAlloc=$2 CPUEfctv=8 CPUTot=8 RealMemory=64000 AllocMem=0 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 State=MIXED Weight=1 Partitions=${3-p}" >> node
}

# played_partition NAME NODES [FIELD]...
played_partition()
{
	partition=$1 nodes=$2
	shift 2
	echo "PartitionName=$partition MaxTime=UNLIMITED DefaultTime=01:00:00 Nodes=$nodes State=UP OverSubscribe=NO PriorityTier=1 $*" >> partition
}

# played_job STATE NUMBER PROCESSORS LIMIT START END NODES [USER [NUMBER_OF_NODES [NAME [PARTITION [PRIORITY]]]]]
played_job()
{
	echo "$1;$2;${10-$2};N/A;${11-p};None;${12-9};${9-1};$3;1;$4;1000;1100;$5;$6;$7;cpu=$3,mem=1000M,node=${9-1};N/A;N/A;N/A;OK;(null);(null);;*;${8-anna};biology;N/A;*;N/A;1;;" >> job
}
