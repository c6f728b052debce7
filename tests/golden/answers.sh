#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw why`, `predict` and `queue` of a Slurm that runs, with programs in place of scontrol and
# squeue: states of nodes, jobs, licenses and reservations in which a start that looks possible is
# not, and the words for it.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
mkdir bin tmp
cat > bin/scontrol <<'END'
#!/bin/sh
[ "$*" != 'show config' ] || exec cat config
cat "$4"
END
cat > bin/squeue <<'END'
#!/bin/sh
[ "$SQUEUE_ARRAY_UNIQUE" = 1 ] || exit 9
case $* in
*--format=*) tr ';' '\037' < excluded; exit;;
esac
tr ';' '\037' < job
END
printf '#!/bin/sh\nexit 1\n' > bin/sacct
chmod +x bin/scontrol bin/squeue bin/sacct
PATH=$work/bin:$PATH
TMPDIR=$work/tmp
LXFW_SITE=$work/nowhere
export PATH TMPDIR LXFW_SITE
nothing='(null)'
now=$(date +%s)

# begin: a cluster without nodes, jobs and limits
begin()
{
	: > node
	: > job
	: > excluded
	: > config
	echo 'No reservations in the system' > reservation
	echo 'No licenses configured in Slurm.' > license
	partition p 'n[1-9]' > partition
}

# partition NAME NODES [MORE]
partition()
{
	echo "PartitionName=$1 Default=YES MaxTime=UNLIMITED DefaultTime=01:00:00 Nodes=$2 State=UP OverSubscribe=NO PriorityTier=1 $3"
}

# node NAME STATE ALLOCATED
node()
{
	echo "NodeName=$1 CPUAlloc=$3 CPUEfctv=8 CPUTot=8 ActiveFeatures=big Gres=(null) RealMemory=64000 AllocMem=0 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 State=$2 Weight=1 Partitions=p" >> node
}

# runs NUMBER NODES PROCS SECONDS [USER SHARING PARTITION STATE]: SECONDS are left
runs()
{
	echo "${8-RUNNING};$1;$1;N/A;${7-p};None;9;1;$3;1;3600;$((now - 60));$((now - 60));$((now - 60));$((now + $4));$2;cpu=$3,mem=0,node=1;N/A;N/A;N/A;${6-OK};$nothing;$nothing;;*;${5-anna};biology;N/A;*;N/A;1;;" >> job
}

# waits NUMBER PROCS SECONDS [USER SHARING PARTITION REASON NODES]
waits()
{
	echo "PENDING;$1;$1;N/A;${6-p};${7-Resources};50;${8-1};$2;1;$(($3 / 60)):00;$((now - 60));$((now - 60));N/A;N/A;;cpu=$2,mem=0,node=${8-1};N/A;N/A;N/A;${5-OK};$nothing;$nothing;;*;${4-bob};biology;N/A;*;N/A;1;;" >> job
}

# why JOB PATTERN...: `lxfw why` says this
why()
{
	job=$1
	shift
	"$lxfw" why "$job" > out 2> err || fail "why $job: $(cat err)"
	for pattern; do
		grep -qE -e "$pattern" out err || fail "why $job, no '$pattern': $(cat out err)"
	done
}

# not PATTERN: the answer does not say this
not()
{
	! grep -qE -e "$1" out err || fail "'$1': $(cat out err)"
}

# starts OPTIONS: in how many seconds a job of `lxfw predict`, or of its --request, is expected
starts()
{
	"$lxfw" predict --json "$@" > out 2> err || fail "predict $*: $(cat err)"
	awk '/"time":/ { now = $2 } /"expected_start":/ { print $2 ~ /null/ ? "never" : $2 - now; exit }' out
}

# within WHAT SECONDS LEAST MOST
within()
{
	[ "$2" != never ] && [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] ||
		fail "$1: expected in $2 s, not in $3 to $4: $(cat out err)"
}

# --- nodes that boot ----------------------------------------------------------------------

# A job has booting nodes, and another one waits for its end; further nodes are off.
begin
printf '%s\n' 'ResumeTimeout           = 600 sec' 'SuspendTimeout          = 30 sec' > config
node n1 ALLOCATED+CLOUD+NOT_RESPONDING+POWERING_UP 8
node n2 MIXED 4
runs 1 n1 8 1200 anna OK p CONFIGURING
runs 2 n2 4 7200
waits 3 8 600
why 3 '^It waits for the end of 1 running job, and starts in (29|30):' \
	'1 node is powered down, or boots: a start there counts the time until it is up, at most 10.0m$'
not 'no time'
within 'behind a boot' "$(starts 3)" 60 1800
within 'a request behind a boot' "$(starts --request '-n 8 -t 10')" 60 3600
within 'a node that is up' "$(starts --request '-n 4 -t 10')" 0 1

# Nodes that are off count the time of their boot; one that falls must be down before.
node n3 IDLE+CLOUD+POWERED_DOWN 0
node n4 'IDLE+CLOUD+NOT_RESPONDING+POWERING_DOWN' 0
node n5 DOWN+CLOUD+POWERED_DOWN 0
node n6 IDLE+DRAIN+POWERING_UP 0
why 3 '^It waits for hosts to boot, and starts in (9:5|10:0)' \
	'^Of this time, its hosts boot for 10:00 at the longest.$' '3 nodes are powered down'
sed -i '/^PENDING;3;/d' job
within 'a node that is off' "$(starts --request '-n 8 -t 10')" 600 600
within 'one that is off, and one that falls' "$(starts --request '-N 2 -n 16 -t 10')" 630 630
"$lxfw" predict --request '-N 5 -n 40 -t 10' > out 2> err
[ $? = 2 ] && grep -q 'fits nowhere.* 32 processors on 4 hosts' err || fail "nodes that are down: $(cat err)"

# --- nodes for one user ---------------------------------------------------------------------

# A job of anna is on n1, which is for her alone: bob's waits for its end, and hers is left to Slurm,
# since it may share the node. So are two jobs of one user, but not one that fills a node.
begin
partition p 'n[1-2]' > partition
partition eu n1 ExclusiveUser=YES >> partition
partition new n1 Exclusive=USER >> partition
node n1 MIXED 1
node n2 ALLOCATED 8
runs 1 n1 1 1200 anna USER eu
runs 2 n2 8 7200
waits 3 1 600 bob USER eu
waits 4 1 600 anna USER eu
waits 5 1 600 carl OK p
waits 6 1 600 dora USER eu
waits 7 1 600 dora USER eu
waits 8 8 600 dora USER eu
why 3 '^It waits for the end of 1 running job, and starts in (19|20):' '^  job 1, '
not 'There is room'
why 4 'leaves it to the workload manager to start it: it shares hosts with other jobs of its user only'
why 5 '^It waits for the ends? of' '^  job 1, '
not 'There is room'
why 6 'it shares hosts with other jobs of its user only, which is not modelled'
why 8 '^It waits for'
"$lxfw" queue > out 2> err || fail "queue: $(cat err)"
grep -q ' 4 .*shares hosts with other jobs of its user' out && ! grep -q ' now ' out ||
	fail "queue, nodes for one user: $(cat out)"
sed -i '/^PENDING/d' job
for partition in eu new; do
	within "a request in $partition" "$(starts --request "-p $partition -n 1 -t 10")" 60 1200
done

# --- licenses of a reservation ----------------------------------------------------------------

# Three of four are held for an hour, and all for another one in ten hours.
begin
node n1 IDLE 0
echo 'LicenseName=lic Total=4 Used=0 Free=4 Reserved=3 Remote=no' > license
date_of()
{
	date -d "@$((now + $1))" +%FT%T
}
echo "ReservationName=l StartTime=$(date_of -600) EndTime=$(date_of 3000) Duration=01:00:00 Nodes=(null) NodeCnt=0 CoreCnt=0 Features=(null) PartitionName=(null) Flags=ANY_NODES TRES=license/lic=3 Users=daemon Licenses=lic:3 State=ACTIVE" > reservation
echo "ReservationName=m StartTime=$(date_of 36000) EndTime=$(date_of 39600) Duration=01:00:00 Nodes=(null) NodeCnt=0 CoreCnt=0 Features=(null) PartitionName=(null) Flags=ANY_NODES TRES=license/lic=4 Users=daemon Licenses=lic:4 State=INACTIVE" >> reservation
waits 3 1 600 bob OK p Licenses
waits 4 1 600 bob OK p Licenses
waits 5 1 43200 bob OK p Licenses
printf '%s\n' '3;(null);lic:2;' '4;(null);lic;' '5;(null);lic:1;' > excluded
within 'licenses that are held' "$(starts 3)" 2900 3001
within 'a license that is free' "$(starts 4)" 0 1
within 'a license that is held later' "$(starts 5)" 39500 39601
why 3 '^It waits for' 'starts in (49|50):'
not 'There is room'

# --- reservations that repeat -----------------------------------------------------------------

begin
node n1 IDLE 0
echo "ReservationName=d StartTime=$(date_of 3600) EndTime=$(date_of 7200) Duration=01:00:00 Nodes=n1 NodeCnt=1 CoreCnt=8 Features=(null) PartitionName=(null) Flags=DAILY,SPEC_NODES TRES=cpu=8 Users=root Licenses=(null) State=INACTIVE" > reservation
waits 3 1 84600 bob
waits 4 1 79200 bob
why 3 '^It is longer than the time between two occurrences of an advance reservation, and will not start as long as that repeats.$' \
	'^With half of the time limit it would start in (1:59|2:00):'
not '^It waits|at [0-9]*$'
why 4 '^It waits for the end of an advance reservation, and starts in (1:59|2:00):'
"$lxfw" predict 3 > out 2> err
grep -q '^3 .* later ' out || fail "a reservation that repeats: $(cat out err)"
"$lxfw" predict --request '-n 1 -t 1-00:00:00' > out 2> err
grep -q '^lxfw: request .* will not start as long as that repeats$' err && grep -q '^-n 1 -t 1-00:00:00 *later ' out || fail "a request, a reservation that repeats: $(cat out err)"

# --- causes -----------------------------------------------------------------------------------

# Job 3 waits for licenses, which job 1 has, and not for job 2 on the only full node.
begin
for i in 1 2 3; do
	node n$i MIXED 1
done
sed -i '/=n2 /s/CPUAlloc=1/CPUAlloc=8/' node
echo 'LicenseName=lic Total=4 Used=3 Free=1 Reserved=0 Remote=no' > license
runs 1 n1 1 1200
runs 2 n2 8 600
runs 4 n3 1 900
waits 3 2 600 bob OK p Licenses
printf '%s\n' '1;(null);lic:3;' '3;(null);lic:2;' > excluded
why 3 '^It waits for license lic, and starts in (19|20):' '^  job 1, 3 of license lic'
not '^  job [24]'

# Processors of a partition on a node: those of another partition are no cause.
begin
node n1 MIXED 6
partition p n1 > partition
partition few n1 MaxCPUsPerNode=4 >> partition
runs 1 n1 4 1200 anna OK few
runs 2 n1 2 600 anna OK p
waits 3 1 600 bob OK few
why 3 '^It requests 1 processor on 1 host, of those that partition few may use on a host for 10:00.' \
	'^  job 1, 4 processors' '^It waits for the end of 1 running job, and starts in (19|20):'
not '^  job 2|without a recorded name'

# --- partitions that are closed ---------------------------------------------------------------

# Of two partitions, the one with room starts no jobs.
begin
node n1 ALLOCATED 8
node n2 IDLE 0
sed -i '/=n2 /s/Partitions=p/Partitions=down/' node
partition p n1 > partition
partition down n2 | sed 's/State=UP/State=DOWN/' >> partition
runs 1 n1 8 1200
waits 3 8 600 bob OK down,p
waits 4 8 600 bob OK p,down
waits 5 8 600 bob OK p,down PartitionDown
waits 6 8 600 bob OK p PartitionDown
why 5 '^It waits for the end of 1 running job and then for jobs before it, and starts in'
why 6 'its partition or queue starts no jobs'
why 3 '^It waits for the end of 1 running job, and starts in (19|20):'
why 4 '^1 job is before it' 'and starts in (29|30):'
# One that is only closed to new jobs starts those that it has; none of the others starts any.
partition shut n2 | sed 's/State=UP/State=INACTIVE/' >> partition
partition closing n2 | sed 's/State=UP/State=DRAIN/' >> partition
waits 7 8 600 bob OK down,shut PartitionDown
waits 8 8 600 bob OK shut,down
waits 9 8 600 bob OK down
waits 10 8 600 bob OK down,p PartitionDown
sed -i '/^PENDING;10;/s/;N\/A;/;10;/' job
for job in 7 8 9; do
	why $job 'its partition or queue starts no jobs'
	not 'now|room'
	! "$lxfw" predict "$job" > out 2>&1 && grep -q "job $job is not eligible (queue_stopped)" out ||
		fail "all are down, $job: $(cat out)"
done
why 7 "^Slurm says: PartitionDown. A partition that it names starts no jobs: it starts in one that does \('scontrol update jobid=JOB partition=NAME' names others\)"
why 10 'starts together with others'
waits 11 8 600 bob OK down,closing PartitionDown
within 'in a partition in state DRAIN' "$(starts 11)" 0 1

# --- tasks of each node -----------------------------------------------------------------------

# Half of each of four nodes is in use. least JOB CPUS: that it needs on each node
least()
{
	sed -i "/^PENDING;$1;/s/;[0-9]*;;\$/;$2;;/" job
}

begin
for node in 1 2 3 4; do
	node n$node MIXED 4
	runs $node n$node 4 1200
done
waits 5 16 600 bob OK p Resources 2
within '16 tasks anywhere' "$(starts 5)" 0 1
# -N 2 --ntasks-per-node=8
least 5 8
within 'eight tasks on each of two nodes' "$(starts 5)" 60 1300
why 5 '^It requests 16 processors on 2 hosts' '^It waits for the ends of 2 running jobs, and starts in (19|20):'
# -n 1 --mincpus=8
sed -i /^PENDING/d job
waits 5 1 600
within 'one task' "$(starts 5)" 0 1
least 5 8
within 'one task with --mincpus' "$(starts 5)" 60 1300
# -n 16 -c 1, and -n 4 -c 4
sed -i /^PENDING/d job
waits 5 16 600 bob OK p Resources 2
sed -i '/^PENDING;5;/s/;2;16;1;/;2;4;4;/' job
least 5 4
within 'tasks of four processors' "$(starts 5)" 0 1

# --- a reservation elsewhere ------------------------------------------------------------------

# It ends in the second in which the job starts, on another node.
begin
node n1 ALLOCATED 8
node n2 IDLE 0
echo "ReservationName=r StartTime=$(date_of -600) EndTime=$(date_of 1200) Duration=00:30:00 Nodes=n2 NodeCnt=1 CoreCnt=8 Features=(null) PartitionName=(null) Flags=SPEC_NODES TRES=cpu=8 Users=root Licenses=(null) State=ACTIVE" > reservation
partition few n1 >> partition
runs 1 n1 8 1200
waits 3 4 600 bob OK few
why 3 '^It waits for the end of 1 running job, and starts in (19|20):'
sed -i 's/Nodes=n2 /Nodes=n[1-2] /; s/NodeCnt=1 CoreCnt=8/NodeCnt=2 CoreCnt=16/' reservation
why 3 '^It waits for the end of an advance reservation, and starts in (19|20):'

# --- jobs without a time limit ------------------------------------------------------------------

# limitless NUMBER: as Slurm shows such a job; one in a partition without a limit has a year
limitless()
{
	sed -i "/^RUNNING;$1;/s/;3600;\\(.*\\);[0-9]*;n\\([0-9]\\);/;UNLIMITED;\\1;NONE;n\\2;/" job
}

# not_known JOB: when it starts
not_known()
{
	why "$1" '^lxfw: 2 running jobs have no time limit: when they end is not known' \
		'^When it starts is not known: Slurm does not know when these jobs end.$'
	not 'no time as|starts in|[0-9]{3}-'
	wait=$(starts "$1")
	within 'behind jobs without a limit' "$wait" 600 8640000
	! grep -q '"high90"' out || fail "a bound: $(cat out)"
}

begin
node n1 ALLOCATED 8
node n2 ALLOCATED 8
runs 1 n1 8 100
runs 2 n2 8 31535940
limitless 1
sed -i '/^RUNNING;2;/s/;3600;/;365-00:00:00;/' job
waits 3 4 600
not_known 3
grep -q '^It waits for the end of 1 running job; when is not known, since it has no time limit.$' out
why 3 '^  job [12], 8 processors, without a time limit$'
limitless 2
sed -i '/^RUNNING;2;/s/;365-00:00:00;\(.*\);[0-9]*;n2;/;UNLIMITED;\1;NONE;n2;/' job
not_known 3
# Two nodes, one of them with a job that has a limit.
runs 4 n3 8 1200
node n3 ALLOCATED 8
waits 5 16 600 bob OK p Resources 2
why 5 '^It waits for the ends of 2 running jobs; when is not known, since 1 of these has no time limit.$' \
	'^  job 4, 8 processors, until' '^  job [12], 8 processors, without a time limit$'
why 3 '^It waits for the end of 1 running job, and starts in (19|20):'

# --- jobs that preempt others -----------------------------------------------------------------

begin
node n1 ALLOCATED 8
runs 1 n1 8 1200
waits 3 8 600
printf '%s\n' 'PreemptMode             = REQUEUE' 'PreemptType             = preempt/partition_prio' > config
note='^lxfw: jobs of partitions with a higher PriorityTier may preempt others here'
why 3 "$note"
for command in predict queue "predict 3" "predict --request '-n 1 -t 10'"; do
	eval "\"$lxfw\" $command" > out 2> err && [ "$(grep -c "$note" err)" = 1 ] ||
		fail "preemption, $command: $(cat out err)"
done
sed -i 's/partition_prio/none/' config
why 3 'waits'
not preempt

# --- jobs that are not considered -------------------------------------------------------------

echo 'SchedulerParameters     = bf_interval=5,bf_max_job_user=2,bf_max_job_part=0,bf_continue' > config
why 3 '^lxfw: Slurm considers only some jobs ahead of their turn here \(bf_max_job_user=2\): a job'
echo 'SchedulerParameters     = bf_max_job_test=500' > config
why 3 waits
not considers

# unsure JOB WHY: no start is expected
unsure()
{
	"$lxfw" predict "$1" > out 2> err || fail "predict $1: $(cat err)"
	grep -qE "^$1 +later +[^ ]+ +later +[^ ]+ +later$" out && grep -q "^$1: $2$" out ||
		fail "predict $1: $(cat out err)"
	within "$1 as JSON" "$(starts "$1" | grep . || echo 0)" 0 0
	! grep -q expected_start out || fail "JSON of $1: $(cat out)"
	"$lxfw" queue > out 2> err && grep -q " $1 .* later  *$2$" out || fail "queue, $1: $(cat out err)"
	why "$1" "^There seems to be room for it, but $2: when it considers" '^When it starts is not known\.$'
	"$lxfw" why --json "$1" > out && ! grep -q '"expected_start": [0-9]' out && grep -q '"passed_over": "' out ||
		fail "why $1 as JSON: $(cat out)"
}

# A job waits for two nodes, of which one is free, and shorter ones would fit there.
begin
node n1 ALLOCATED 8
node n2 IDLE 0
partition p 'n[1-2]' > partition
runs 1 n1 8 3600
waits 2 16 600 bob OK p Resources 2
waits 3 1 600 bob OK p Priority
waits 4 1 600 carl OK p Priority
within 'a job behind another one' "$(starts 3)" 0 5
echo 'SchedulerParameters     = bf_max_job_user=1' > config
unsure 3 'Slurm plans only for 1 job of a user at a time'
within 'a job of another user' "$(starts 4)" 0 5
echo 'SchedulerParameters     = bf_max_job_part=2' > config
within 'the second job of a partition' "$(starts 3)" 0 5
unsure 4 'Slurm plans only for 2 jobs of a partition at a time'
"$lxfw" predict --request '-n 1 -t 5' > out 2> err && grep -q '^-n 1 -t 00:05:00  *later ' out ||
	fail "a request beyond a bound: $(cat out err)"
echo 'SchedulerParameters     = bf_max_job_test=1' > config
unsure 3 'Slurm plans only for 1 job at a time'
# Slurm has had the time to consider it, and has considered others.
echo 'SchedulerParameters     = x' > config
sed -i "s/;$((now - 60))/;$((now - 600))/g" job
within 'no job is planned' "$(starts 3)" 0 5
sed -i -e "/^PENDING;2;/s/;N\/A;N\/A;;/;$((now + 3600));N\/A;;/" job
unsure 3 'Slurm has not planned a start'

# --- jobs that start sooner by preemption ------------------------------------------------------

# Of partition high, on the node of a job of low.
begin
node n1 ALLOCATED 8
echo 'PreemptType             = preempt/partition_prio' > config
partition low n1 > partition
partition high n1 | sed 's/PriorityTier=1/PriorityTier=2/; s/Default=YES/Default=NO/' >> partition
runs 1 n1 8 3600 anna OK low
waits 2 8 600 bob OK high
waits 3 8 600 bob OK low
why 2 '^It may start at any time before: Slurm may preempt 1 running job of a lower PriorityTier for it\.$'
starts 2 > seconds
within 'a job that preempts' "$(cat seconds)" 5 3600
awk '/"time":/ { now = $2 + 0 } /"low90":/ { exit $2 + 0 != now }' out ||
	fail "the interval of a job that preempts: $(cat out)"
why 3 'waits'
not 'may preempt 1'
within 'a request that preempts' "$(starts --request '-n 8 -t 10 -p high')" 0 5
within 'one that does not' "$(starts --request '-n 8 -t 10 -p low')" 60 7200

# --- a job that is suspended ------------------------------------------------------------------

begin
node n1 IDLE 0
runs 1 n1 8 1200 anna OK p SUSPENDED
why 1 '^Job 1 started at 20.*, and is suspended: its time limit stands still.$'
not 'was suspended|without a decision'
"$lxfw" queue 1 > out 2> err && grep -q ' 1 .* is suspended$' out || fail "queue: $(cat out err)"
sed -i 's/^SUSPENDED/RUNNING/' job
why 1 '^Job 1 started at 20[^,]*\.$'
not 'request is not'

# --- whole cores ------------------------------------------------------------------------------

# Job 1 has one of the two threads of a core, and jobs 4 and 5 one thread of each of two cores.
begin
node n1 ALLOCATED 8
sed -i 's/CoresPerSocket=8 ThreadsPerCore=1/CoresPerSocket=4 ThreadsPerCore=2/' node
partition p n1 > partition
runs 1 n1 1 1200
runs 2 n1 6 600
waits 3 8 600
why 3 '^It waits for the ends of 2 running jobs, and starts in (19|20):' '^  job 1, 2 processors'
not reservation
sed -i '/^RUNNING/d' job
runs 4 n1 2 1200
runs 5 n1 2 600
sed -i '/^RUNNING/s/;\*;/;1;/' job
sed -i 's/^\(PENDING;3;.*\);cpu=8,/\1;cpu=3,/' job
why 3 'and starts in (9|10):' '^  job 5, 4 processors'

# --- what Slurm says --------------------------------------------------------------------------

begin
node n1 IDLE 0
number=100
# says REASON PATTERN...: `lxfw why` of a job with this reason
says()
{
	number=$((number + 1))
	waits $number 1 600 bob OK p "$1"
	said=$1
	shift
	why $number "$@"
	grep -qF "Slurm says: $said." out || fail "Slurm's word for $said: $(cat out)"
}
says MaxMemPerLimit 'requests more memory than its partition' 'Less memory .* would do.$'
says PartitionConfig 'does not have, or does not permit' 'another partition, would do.$'
says QOSMaxCpuPerUserLimit 'a limit of its QOS on processors' 'The jobs of its user count'
says AssocGrpMemLimit 'a limit of its account or user on memory' 'all users of its account count'
says AssocMaxWallDurationPerJobLimit 'on run time' 'does not start unless it requests less'
says MaxGRESPerAccount 'a limit of its QOS on GPUs' 'The jobs of its account count'
says MaxCpuRunMinsPerUser 'a limit of its QOS on run time' 'The jobs of its user count'
says DependencyNeverSatisfied 'in a way that cannot be met' 'It will not start: cancel it'
says JobHeldUser 'its user holds it' 'scontrol release JOB'
says 'job requeued in held state' 'its user holds it' 'scontrol release JOB'
says MpiPortsBusy 'the workload manager does not permit its start' 'release their ports.$'
says SomeNewReason 'the workload manager does not permit its start'
# Tasks of one array, of which some are held: from release 23.02 on, Slurm does not say which.
waits 95 1 600 bob OK p Resources,JobHeldUser
sed -i 's/^PENDING;95;95;/PENDING;95;95_[1-2];/' job
why 95_1 '^Slurm says: Resources,JobHeldUser\. These are the reasons of several tasks'
says 'ReqNodeNotAvail, UnavailableNodes:n3' 'is down, drained or reserved.$' '^There seems to be room for it, but'
# The jobs on which it depends.
waits 90 1 600 bob OK p Dependency
echo '90;(null);(null);afterok:12(unfulfilled),afterany:13_*(unfulfilled);' > excluded
why 90 'it depends on other jobs' '^Slurm says: Dependency, afterok:12.unfulfilled.,afterany:13_.*\.$' \
	'when the other jobs are in the state'
# The tasks of an array that depends on one.
waits 91 1 600 bob OK p Dependency
sed -i 's/^PENDING;91;91;/PENDING;91;91_[2-3];/' job
why 91 'it depends on other jobs'
grep -q 'the task of it that is next, 91_2' err || fail "why 91: $(cat err)"
"$lxfw" predict 91 > out 2> err
[ $? = 1 ] && grep -q 'job 91 is not eligible (dependency)' err || fail "predict 91: $(cat out err)"
# A component of a heterogeneous job, as squeue prints it.
why 89+1 '^Job 90 has waited'
"$lxfw" why 89+x > out 2> err
[ $? = 2 ] && grep -q "'89+x', expected a job number" err || fail "why 89+x: $(cat out err)"
"$lxfw" queue > out 2> err || fail "queue: $(cat err)"
grep -q '  Slurm says: MpiPortsBusy$' out && grep -q '  Slurm says: SomeNewReason$' out &&
	grep -q '  it requests more memory than its partition' out || fail "queue, reasons: $(cat out)"

finish
