#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw watch` with programs in place of scontrol and squeue: the events in the journal for
# their output, at two moments, and what the other subcommands print.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
mkdir bin
# Variables by which a user selects the cluster, and what is printed.
cat > plain <<'END'
[ -z "$SLURM_CLUSTERS$SQUEUE_PARTITION$SQUEUE_USERS$SCONTROL_FUTURE$SACCT_FORMAT" ] || exit 9
END
SLURM_CLUSTERS=foo SQUEUE_PARTITION=q SQUEUE_USERS=nobody SCONTROL_FUTURE=1 SACCT_FORMAT=Flags
export SLURM_CLUSTERS SQUEUE_PARTITION SQUEUE_USERS SCONTROL_FUTURE SACCT_FORMAT
cat > bin/scontrol <<'END'
#!/bin/sh
. ./plain
if [ "$*" = 'show config' ]; then
	cat config
	exit
fi
[ "$SLURM_TIME_FORMAT" = standard ] || exit 9
[ "$1 $2 $3" = "--all --oneliner show" ] || exit 9
[ ! -e silent ] || { echo 'slurm_load error: Unable to contact slurm controller'; exit 1; }
cat "$4"
END
cat > bin/squeue <<'END'
#!/bin/sh
. ./plain
case $* in
*--array*) exit 9;;
*--jobs=40*'submittime:|'*) echo "40|anna|p|PENDING|$(cat submitted)|N/A|1|Resources|"; exit;;
*--jobs=*) echo 'slurm_load_jobs error: Invalid job id specified'; exit 1;;
*'username:|'*) echo '40|40|anna|p|N/A|'; exit;;
*--format=*) tr ';' '\037' < excluded; exit;;
esac
[ "$SLURM_TIME_FORMAT" = %s ] || exit 9
tr ';' '\037' < job
END
cat > bin/sacct <<'END'
#!/bin/sh
. ./plain
[ "$SLURM_TIME_FORMAT" = %s ] || exit 9
# A run that was cancelled does not say how long the job needs.
case " $* " in
*CANCELLED*) exit 9;;
*" --user=$(id -u) "*"--state=COMPLETED,"*) ;;
*) exit 9;;
esac
[ -e runs ] || { echo 'Slurm accounting storage is disabled'; exit 1; }
echo 'sacct: warning: a column'
# More than is read: the last lines are lost.
case " $* " in
*" --starttime=now-30days "*) [ ! -e many ] || { head -n 1 runs; yes | head -c 9000000; } ;;
esac
cat runs
END
# Also a program that ignores SIGTERM is ended.
cat > bin/timeout <<'END'
#!/bin/sh
echo "$*" >> asked
[ "$1 $2" = '-k 1' ] || exit 9
[ ! -e hung ] || kill -9 $$
shift 3
exec "$@"
END
chmod +x bin/scontrol bin/squeue bin/sacct bin/timeout
PATH=$work/bin:$PATH
export PATH

# node NAME STATE ALLOCATED FEATURES
node()
{
	echo "NodeName=$1 CPUAlloc=$3 CPUEfctv=8 CPUTot=8 ActiveFeatures=$4 Gres=gpu:2 RealMemory=64000 AllocMem=$(($3 * 1000)) Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 State=$2 Weight=1 Partitions=p Comment=x State=DOWN CPUAlloc=1 Reason=a CPUAlloc=8 State=IDLE"
}

# job STATE NUMBER NAME REASON PRIORITY TASKS PER_TASK LIMIT START END NODES AMOUNTS SHARING \
#	RESERVATION FEATURES REQUIRED [NUMBER_OF_NODES NODE_GRES]
job()
{
	echo "$1;$2;$3;N/A;p;$4;$5;${17-1};$6;$7;$8;1000;1100;$9;${10};${11};${12};N/A;${18-N/A};N/A;${13};${14};${15};${16};*;anna;biology;N/A;*;N/A;1;;"
}

{
	node n1 ALLOCATED 8 big
	node n2 MIXED 4 big,fast
	node n3 IDLE 3 '(null)'
	node n4 IDLE+DRAIN 0 big
	node n5 'IDLE*' 0 big
	node n6 IDLE+CLOUD 0 '(null)'
	echo 'NodeName=n7 CPUTot=0 RealMemory=1 State=IDLE'
	echo 'NodeName=n8 CPUTot=4 RealMemory=x State=IDLE'
	echo 'slurm_load_node warning: odd'
	node n1 IDLE 0 small
	# The second line of a comment of several lines.
	node 'n3[1-100000000]' IDLE 0 big
} > node
echo "PartitionName=p Default=YES MaxTime=UNLIMITED DefaultTime=01:00:00 Nodes=n[1-6] State=UP OverSubscribe=NO PriorityTier=3" > partition
echo 'PartitionName=odd MaxTime=some Nodes=n[1-6] State=UP' >> partition
begin=$(date -d '+2 hours' +%Y-%m-%dT%H:%M:%S)
end=$(date -d '+3 hours' +%Y-%m-%dT%H:%M:%S)
echo "ReservationName=r StartTime=$begin EndTime=$end Duration=01:00:00 Nodes=n3 NodeCnt=1 CoreCnt=8 Features=(null) PartitionName=(null) Flags=SPEC_NODES TRES=cpu=8 Users=root State=INACTIVE" > reservation
echo 'ReservationName=odd StartTime=soon EndTime=never Nodes=n1' >> reservation
# Jobs of an hour end after this, whatever the moment of a look is.
later=$(($(date +%s) + 3500))
nothing='(null)'
{
	job RUNNING 1 1 None 9 12 1 1:00:00 1200 $later 'n[1-2]' cpu=11,mem=11000M,node=2 OK "$nothing" "$nothing" ''
	job SUSPENDED 2 2 None 9 1 1 1:00:00 1200 $later n2 cpu=1,mem=1000M,node=1 OK "$nothing" "$nothing" ''
	job COMPLETED 3 3 None 9 1 1 1:00:00 1200 1300 n2 cpu=1,mem=1000M,node=1 OK "$nothing" "$nothing" ''
	job PENDING 4 4 Resources 50 12 1 1:00:00 N/A N/A '' cpu=12,mem=12000M,node=2 OK "$nothing" "$nothing" ''
	job PENDING 5 5 Priority 40 2 1 UNLIMITED N/A N/A '' cpu=2,mem=2000M,node=1,gres/gpu=1 NO "$nothing" big ''
	job PENDING 6 '6_[3,5-6%2]' Priority 30 1 6 2-00:00:00 N/A N/A '' cpu=6,mem=6000M,node=1 OK "$nothing" 'big|fast' n2
	job PENDING 7 7 JobHeldUser 0 1 1 1:00:00 N/A N/A '' cpu=1,mem=1000M,node=1 OK "$nothing" "$nothing" ''
	job PENDING 8 8 QOSMaxCpuPerUserLimit 20 1 1 1:00:00 N/A N/A '' cpu=1,mem=1000M,node=1 OK "$nothing" "$nothing" ''
	job PENDING 9 9 Priority 20 1 1 1:00:00 N/A N/A '' cpu=1,mem=1000M,node=1 OK r "$nothing" ''
	job PENDING 10 10 Priority 20 1 1 1:00:00 N/A N/A '' cpu=1,mem=1000M,node=1 OK "$nothing" '[big*2&fast]' ''
	job PENDING 11 11 Priority 0 1 1 1:00:00 N/A N/A '' cpu=1,mem=1000M,node=1 OK "$nothing" "$nothing" ''
	job PENDING 12 12 Dependency 20 1 1 1:00:00 N/A N/A '' cpu=1,mem=1000M,node=1 OK "$nothing" "$nothing" ''
	job PENDING 13 13 Resources 20 4 4 1:00:00 N/A N/A '' cpu=16,mem=16000M,node=2 OK "$nothing" "$nothing" ''
	job PENDING 14 14 Resources 10 2 1 1:00:00 N/A N/A '' cpu=2,mem=2000M,node=1 OK "$nothing" "$nothing" '' 2 gres:gpu:2
	job PENDING 15 15 Resources 10 12 1 1:00:00 N/A N/A '' cpu=12,mem=2000M,node=2 OK "$nothing" "$nothing" n2 2
	job PENDING 16 16 Resources 10 1 1 1:00:00 N/A N/A '' cpu=1,mem=2000M,node=1 OK "$nothing" "$nothing" ''
	echo 'squeue: error: Invalid job format specification: exclusive'
	echo 'PENDING;not;a line;'
	echo
} > job
printf '%s\n' '4;(null);(null);' '16;n[1-4,6],n77;;' '99;n1;;' > excluded
echo 'No licenses configured in Slurm.' > license
: > config

"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
grep -q '^lxfw: 8 lines of scontrol and squeue cannot be read$' err || fail "a bad line: $(cat err)"
sed -i '/Name=odd /d' partition reservation
[ ! -s out ] || fail "output: $(cat out)"
"$lxfw" watch --help | grep -q 'seven questions' && [ "$(wc -l < asked)" = 7 ] ||
	fail "questions of a look: $(cat asked)"
"$lxfw" journal j > j.text
sed -E 's/^[0-9]+ //; s/[0-9]{10}/T/g' j.text | grep '^event' > is
cat > expected <<'END'
event parameters policy site lxfw_reservations=200 lxfw_shadow=on
event host n1 up:8:64000 gpus 1
event host n2 up:8:64000 gpus 1
event host n3 up:8:64000 gpus 1
event host n4 down:8:64000 gpus 1
event host n5 down:8:64000 gpus 1
event host n6 up:8:64000 gpus 1
END
head -n 7 is | diff expected - || fail "hosts"

# has LINE: the journal has it
has()
{
	grep -qxF -e "event $1" is || fail "not '$1' in: $(cat is)"
}

has 'block 16 from T until T n3:8:64000+2x0'
# Three processors of n3 are in use, and no job that is shown has them.
has 'block 1 from T until T n3:3:3000'
has 'hosts set 0 of 6'
has 'hosts set 1 of 4'
has 'hosts set 2 of 1'
has 'run 1 until T since 1200 n1:8:8000 n2:3:3000'
grep -q 'event run 2 until .* n2:0:1000' is || fail "suspended: $(grep 'run 2' is)"
! grep -q 'event run 3' is || fail "a job that has ended runs"
has 'submit 4 12 pieces:1:1000 no-quantum limit 3600 submitted 1100'
has 'submit 5 1 hosts:2:2000 exclusive no-quantum limit 3600 submitted 1100'
# Two of these tasks run at once.
has 'submit 6_3 1 hosts:6:6000 no-quantum 1 of tasks:0 limit 172800 submitted 1100'
has 'submit 6_5 1 hosts:6:6000 no-quantum 1 of tasks:0 limit 172800 submitted 1100'
has 'submit 6_6 1 hosts:6:6000 no-quantum 1 of tasks:0 limit 172800 submitted 1100'
has 'submit 16 1 hosts:1:2000 no-quantum limit 3600 submitted 1100'
# The node that it does not exclude is down.
has 'hosts set 3 of 1'
! grep -q ' reserve 16 ' j.text || fail "an excluded node: $(grep ' reserve 16 ' j.text)"
has 'submit 13 4 pieces:4:4000 no-quantum limit 3600 submitted 1100'
has 'priority 4 50'
# GRES that the site does not account for, and more nodes than the TRES state.
has 'submit 14 2 hosts:1:1000 no-quantum limit 3600 submitted 1100'
"$lxfw" journal j | grep -q 'action start 14 .*:1:1000+2x0 .*:1:1000+2x0$' || fail "GRES of a node"
# The nodes that it names are too few: it gets others, too.
grep -q '^event submit 15 12 pieces:1:' is && ! grep -q '^event hosts set 4 ' is ||
	fail "named nodes: $(cat is)"
has 'not-eligible 7 reason held_by_user submitted 1000'
has 'not-eligible 11 reason held submitted 1000'
has 'not-eligible 12 reason dependency submitted 1000'
has 'not-eligible 8 reason limit_of_qos limit on processors submitted 1000'
has 'handed-over 9 reason in_reservation submitted 1000'
has 'handed-over 10 reason features submitted 1000'

"$lxfw" replay j > out 2>&1 || fail "replay: $(cat out)"
"$lxfw" why 4 j > out 2>&1 || fail "why: $(cat out)"
"$lxfw" predict --journal j > out 2>&1 || fail "predict: $(cat out)"
grep -q '^4  ' out || fail "predict: $(cat out)"
"$lxfw" snapshot --journal j -o s 2> err || fail "snapshot: $(cat err)"

# Commands without a journal look themselves, and leave nothing.
mkdir tmp
echo 'SchedulerType           = sched/backfill' > config
TMPDIR=$work/tmp
export TMPDIR
"$lxfw" predict > out 2> err || fail "predict now: $(cat err)"
grep -q '^state at [0-9]*-[0-9]*-[0-9]*T.*: 32 processors, 2 jobs run, 9 wait$' out ||
	fail "predict now: $(cat out)"
"$lxfw" why 4 > out 2> err || fail "why now: $(cat err)"
grep -q '^Job 4 has waited for ' out || fail "why now: $(cat out)"
sed -n 2,3p out > is.now
printf '%s\n' 'No job is before it in the queue.' \
	'There is room for it: it can start when the scheduler considers it next.' |
	diff - is.now || fail "room: $(cat out)"
! grep -q refused out || fail "room: $(cat out)"
# A temporary folder that is not there, or is relative.
for place in "$work/absent" '' bin; do
	TMPDIR=$place "$lxfw" why 4 > out 2> err || fail "TMPDIR=$place: $(cat err)"
done
[ -z "$(find bin -name 'lxfw.*')" ] || fail "left over: $(ls bin)"
# First three sentences, and no word of journals: this user has none.
"$lxfw" why 13 > out 2> err || fail "why now: $(cat err)"
{
	echo '5 jobs are before it in the queue, and request 38 processors in all.'
	grep '^It waits for' out
	grep -E '^(With|Smaller requests)' out
} > expected
sed -n 2,4p out | diff expected - || fail "three sentences: $(cat out)"
grep -q '^In the plan of the scheduler, as it is modelled, it starts ' out || fail "a plan: $(cat out)"
[ "$(grep -v 'lines of scontrol' err)" = "" ] || fail "why now: $(cat err)"
"$lxfw" why --json 13 > out 2> err || fail "why now: $(cat err)"
grep -q '"procs_before": 38,' out || fail "processors before it: $(cat out)"
# One look has not seen what started before it, nor when things happened.
"$lxfw" why 13 > out 2> err
! grep -q 'lower priority started\|^History' out || fail "what a look has not seen: $(cat out)"
# A partition is a name here, also if it is a number; one task on each node.
"$lxfw" predict --request '-p 3 -n 1 -t 5' > out 2> err
[ $? = 2 ] && grep -q "no partition '3', expected one of p" err || fail "-p 3: $(cat out err)"
"$lxfw" predict --request '-N 2 -t 5' > out 2> err || fail "-N 2: $(cat err)"
cp partition partition.all
echo 'PartitionName=dn MaxTime=UNLIMITED DefaultTime=01:00:00 Nodes=n1 State=DOWN OverSubscribe=NO PriorityTier=1' >> partition
"$lxfw" predict --request '-p dn -n 1 -t 5' > out 2> err
[ $? = 2 ] && grep -q 'partition dn refuses it: State=DOWN,' err || fail "-p dn: $(cat out err)"
for key in RootOnly ReqResv; do
	sed -i "s/^PartitionName=dn.*/PartitionName=dn MaxTime=UNLIMITED DefaultTime=01:00:00 Nodes=n1 State=UP $key=YES OverSubscribe=NO PriorityTier=1/" partition
	"$lxfw" predict --request '-p dn -n 1 -t 5' > out 2> err
	[ $? = 2 ] && grep -q "partition dn refuses it: $key=YES," err || fail "$key: $(cat out err)"
done
mv partition.all partition
# What the site sets for its users does not keep the answer from them.
echo 'not a data base' > damaged
LXFW_HISTORY=$work/damaged "$lxfw" predict > out 2> err || fail "LXFW_HISTORY: $(cat err)"
grep -q 'LXFW_HISTORY: run times of the site are not known' err || fail "LXFW_HISTORY: $(cat err)"
"$lxfw" predict 6 > out 2> err || fail "an array: $(cat err)"
grep -q '^6_5 ' out || fail "an array: $(cat out)"
# A job whose only node is down.
short='the only host that it could use is not up'
"$lxfw" predict 16 > out 2> err || fail "no node is up: $(cat err)"
grep -q '^16  *later ' out && grep -qx "16: $short" out || fail "no node is up: $(cat out)"
"$lxfw" predict --json 16 > out 2> err && grep -q "\"obstacle\": \"$short\"" out ||
	fail "no node is up, JSON: $(cat out err)"
"$lxfw" queue 16 > out 2> err && grep -q " later  *$short\$" out || fail "no node is up: $(cat out err)"
"$lxfw" why 16 > out 2> err && grep -qx "It can start at no time: $short\." out ||
	fail "no node is up: $(cat out err)"
[ -z "$(ls tmp)" ] || fail "left over: $(ls tmp)"
# An array that waits: its next task, also by the name that squeue prints.
for job in 6 '6_[3,5-6%2]'; do
	"$lxfw" why "$job" > out 2> err || fail "why $job: $(cat err)"
	grep -qx 'lxfw: it is an array: this is the task of it that is next, 6_3' err &&
		grep -q '^Job 6_3 has waited for ' out || fail "why $job: $(cat out err)"
	"$lxfw" queue "$job" > out 2> err || fail "queue $job: $(cat err)"
	[ "$(grep -c ' 6_[356] ' out)" = 3 ] || fail "queue $job: $(cat out)"
	"$lxfw" predict "$job" > out 2> err || fail "predict $job: $(cat err)"
	[ "$(grep -c '^6_[356] ' out)" = 3 ] || fail "predict $job: $(cat out)"
done
for job in '6_[' '6_[]' '6_[3' '6_[a]'; do
	"$lxfw" why "$job" > out 2> err
	[ $? = 2 ] && grep -q 'expected a job number' err || fail "why $job: $(cat out err)"
done
"$lxfw" why 99 > out 2> err
[ $? = 1 ] && grep -qx 'lxfw: Slurm shows no such job that waits or runs' err ||
	fail "why now, no such job: $(cat out err)"
"$lxfw" predict 99 > out 2> err
[ $? = 1 ] && grep -qx 'lxfw: Slurm: job 99 does not wait' err ||
	fail "predict now, no such job: $(cat out err)"
"$lxfw" predict 7 > out 2> err
[ $? = 1 ] && grep -q "^lxfw: Slurm: job 7 is not eligible (held_by_user): " err ||
	fail "predict now, a job that is held: $(cat out err)"
# A job that waits for the end of an advance reservation, and for no other job.
cp job job.all
job PENDING 30 30 Resources 60 1 1 3:00:00 N/A N/A '' cpu=1,mem=1000M,node=1 OK "$nothing" "$nothing" n3 > job
"$lxfw" why 30 > out 2> err || fail "why, a reservation: $(cat err)"
grep -q '^It waits for the end of an advance reservation, and starts in 2:5' out ||
	fail "why, a reservation: $(cat out)"
mv job.all job
# A job that was submitted after the site published its queue is looked for in what runs.
mkdir since
"$lxfw" predict --journal j --publish since > out 2> err || fail "publish: $(cat err)"
LXFW_SITE=$work/since
export LXFW_SITE
rm asked
"$lxfw" queue 4 > out 2> err || fail "queue, published: $(cat err)"
[ ! -e asked ] || fail "queue, published: Slurm was asked"
cp job job.all
job PENDING 40 40 Resources 60 1 1 1:00:00 N/A N/A '' cpu=1,mem=1000M,node=1 OK "$nothing" "$nothing" n3 >> job
"$lxfw" queue 40 > out 2> err || fail "queue, submitted since: $(cat err)"
grep -q '^ *1 40 ' out || fail "queue, submitted since: $(cat out)"
"$lxfw" queue --user anna 40 > out 2> err || fail "queue --user, submitted since: $(cat err)"
grep -q ' 40  *anna ' out || fail "queue --user, submitted since: $(cat out)"
"$lxfw" queue 99 > out 2> err
[ $? = 1 ] && grep -qx 'lxfw: job 99 is not in the queue' err || fail "queue, no such job: $(cat err)"
# If the next publication is near, one question about this job alone is enough.
sed -i "s/\"next_round\":0/\"next_round\":$(($(date +%s) + 300))/" since/queue.json
date +%s > submitted
for command in queue predict why; do
	rm -f asked
	"$lxfw" $command 40 > out 2> err
	[ $? = 1 ] && [ "$(wc -l < asked)" = 1 ] && grep -q '^lxfw: job 40 was submitted after the last round of ..:..; the next one is due at .*..:.., and has its expected start$' err ||
		fail "$command, submitted since, a round is near: $(cat out err asked)"
done
# Of one that is not new, the state is printed that Slurm shows.
echo 1000 > submitted
for command in queue predict why; do
	rm -f asked
	"$lxfw" $command 40 > out 2> err
	[ $? = 1 ] && [ "$(wc -l < asked)" = 1 ] && grep -q '^lxfw: job 40 waits (Resources), and Slurm plans no start of it yet; it is not in what was published at .*..:..$' err ||
		fail "$command, an old job: $(cat out err asked)"
done
rm asked
"$lxfw" queue 99 > out 2> err
[ $? = 1 ] && grep -qx 'lxfw: job 99: Slurm shows no such job that waits or runs' err &&
	[ "$(wc -l < asked)" = 1 ] || fail "queue, no such job: $(cat err asked)"
sed -i 's/"next_round":[0-9]*/"next_round":0/' since/queue.json
touch silent
"$lxfw" queue 40 > out 2> err
[ $? = 1 ] && grep -qx 'lxfw: job 40 is not in the queue as it was published' err ||
	fail "queue, no answer: $(cat err)"
rm silent
mv job.all job
unset LXFW_SITE
# The journal of a plugin is used if it can be read.
printf '%s\n' '' "SchedulerParameters     = defer,lxfw_policy=lxfw,lxfw_journal=$work/plugins,x" 'Other = lxfw_journal=/x' > config
printf '; MaxProcs: 4\n1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n2 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n' > log.swf
"$lxfw" simulate --policy easy --journal plugins log.swf > out 2>&1 || fail "simulate: $(cat out)"
"$lxfw" why 2 > out 2> err || fail "why, plugin: $(cat err)"
grep -q '^Job 2 started' out || fail "why, plugin: $(cat out)"
echo "SchedulerParameters     = lxfw_journal=$work/none,x" | sed '1i x' > config
"$lxfw" why 2 > out 2> err
[ $? = 2 ] && grep -q "answers: $work/none: No such file or directory: it is the journal of the plugin" err ||
	fail "no journal of the plugin: $(cat err)"
printf '%s\n' x "SchedulerParameters     = defer,lxfw_policy=lxfw" > config
"$lxfw" predict > out 2> err
[ $? = 2 ] && grep -q "has no lxfw_journal" err || fail "a plugin without a journal: $(cat err)"
: > config

# Jobs that might be submitted: to partitions by name, the default one, and within its limits.
cp partition partition.whole
cp node node.whole
cp job job.whole
node n1 ALLOCATED 8 big > node
node n2 IDLE 0 big | sed 's/Partitions=p/Partitions=q/' >> node
{
	echo 'PartitionName=p MaxTime=2:00:00 DefaultTime=01:00:00 Nodes=n1 State=UP OverSubscribe=NO PriorityTier=3'
	echo 'PartitionName=q Default=YES MaxTime=UNLIMITED Nodes=n2 State=UP OverSubscribe=NO PriorityTier=7'
} > partition
job RUNNING 1 1 None 9 8 1 1:00:00 $(date +%s) $(($(date +%s) + 3600)) n1 cpu=8,mem=11000M,node=1 OK "$nothing" "$nothing" '' > job
# starts_in OPTIONS: seconds
starts_in()
{
	"$lxfw" predict --json --request "$1" > out 2> err || fail "request $1: $(cat err)"
	awk '/"time":/ { now = $2 } /"expected_start":/ { print $2 - now; exit }' out
}
[ "$(starts_in '-n 8 -t 10')" -le 1 ] || fail "default partition: $(cat out)"
grep -q '"request": "-n 8 -t 00:10:00",' out || fail "the request as it was given: $(cat out)"
[ "$(starts_in '-p q -n 8 -t 10')" -le 1 ] || fail "partition q: $(cat out)"
[ "$(starts_in '-p p -n 8')" -gt 600 ] || fail "partition p: $(cat out)"
# The first one: half of two hours is an alternative.
grep -m 1 '"request"' out | grep -q '"-n 8 -t 01:00:00 -p p",' || fail "the default time: $(cat out)"
# The first partition with room, of those that take so long a job.
[ "$(starts_in '-p p,q -n 8 -t 10')" -le 1 ] || fail "partitions p,q: $(cat out)"
grep -q '"request": "-n 8 -t 00:10:00 -p p,q",' out || fail "the partitions as given: $(cat out)"
[ "$(starts_in '-p p,q -n 8 -t 3:00:00')" -le 1 ] || fail "p,q for three hours: $(cat out)"
"$lxfw" predict --request '-p p,x -n 1 -t 10' > out 2> err
[ $? = 2 ] && grep -qx "request: no partition 'x', expected one of p, q" err ||
	fail "one of two partitions: $(cat err)"
"$lxfw" predict --request '-p , -n 1 -t 10' > out 2> err
[ $? = 2 ] && grep -q "request: no partition ''," err || fail "no name: $(cat out err)"
"$lxfw" predict --request '-p x -n 1 -t 10' > out 2> err
[ $? = 2 ] && grep -qx "request: no partition 'x', expected one of p, q" err ||
	fail "no such partition: $(cat err)"
"$lxfw" predict --request '-p p -n 1 -t 3:00:00' > out 2> err
[ $? = 2 ] && grep -q 'longer than that of partition p, expected at most 120 minutes' err ||
	fail "a limit: $(cat err)"
"$lxfw" predict --request '-n 1' > out 2> err
[ $? = 2 ] && grep -q 'without a time limit' err || fail "no limit: $(cat err)"
# Limits of a partition. Other partitions that are named do not have them.
cp partition partition.free
sed -i '/Name=p /s/$/ AllowGroups=ALL AllowAccounts=a,b DenyQos=low MinNodes=2 MaxNodes=3 MaxCPUsPerNode=4 MaxMemPerNode=2000/' partition
# refuses OPTIONS LIMIT: the partition does
refuses()
{
	"$lxfw" predict --request "$1" > out 2> err
	[ $? = 2 ] && grep -qx "request: partition p refuses it: $2" err || fail "$1: $(cat out err)"
}
refuses '-p p -N 4 -t 10' 'MaxNodes=3, and the request has 4'
refuses '-p p -N 1 -t 10' 'MinNodes=2, and the request has 1'
refuses '-p p -N 2 -n 10 -t 10' 'MaxCPUsPerNode=4, and the request has 5 on a node'
refuses '-p p -c 5 -t 10' 'MaxCPUsPerNode=4, and the request has 5 on a node'
refuses '-p p -N 2 --mem 3G -t 10' 'MaxMemPerNode=2000, and the request has 3072 MB on a node'
refuses '-p p -N 2 -A c -t 10' 'AllowAccounts=a,b, and the request has c'
refuses '-p p -N 2 -A b -q low -t 10' 'DenyQos=low'
[ "$(starts_in '-p p,q -n 1 -A c -t 10')" -le 1 ] || fail "a limit of one of two: $(cat out err)"
# More nodes than it permits would be needed.
sed -i 's/MaxNodes=3/MaxNodes=1/; s/MinNodes=2/MinNodes=0/' partition
"$lxfw" predict --request '-p p -n 9 -A a -t 10' > out 2> err
[ $? = 2 ] && grep -q "request '-n 9 -t 00:10:00 -p p' fits nowhere" err || fail "MaxNodes: $(cat out err)"
mv partition.free partition
# A job that requests no memory has that of the partition, of the configuration, or all of its node.
cp job job.all
cp partition partition.all
job RUNNING 3 3 None 9 1 1 1:00:00 $(date +%s) $(($(date +%s) + 3600)) n2 cpu=1,mem=11000M,node=1 OK "$nothing" "$nothing" '' >> job
sed -i '/NodeName=n2 /s/CPUAlloc=0/CPUAlloc=1/' node
sed -i 's/$/ DefMemPerNode=UNLIMITED/' partition
[ "$(starts_in '-n 1 -t 10')" -le 1 ] || fail "an unknown default: $(cat out)"
echo 'DefMemPerNode           = UNLIMITED' > config
[ "$(starts_in '-n 1 -t 10')" -gt 600 ] || fail "all memory of a node: $(cat out)"
grep -q '"request": "-n 1 -t 00:10:00",' out || fail "the memory as given: $(cat out)"
[ "$(starts_in '-n 1 -t 10 --mem 50G')" -le 1 ] || fail "memory that is requested: $(cat out)"
echo 'DefMemPerCPU            = 60000' > config
[ "$(starts_in '-n 1 -t 10')" -gt 600 ] || fail "memory by processor: $(cat out)"
sed -i 's/DefMemPerNode=UNLIMITED/DefMemPerCPU=1000/' partition
[ "$(starts_in '-n 1 -t 10')" -le 1 ] || fail "memory of the partition: $(cat out)"
[ "$(starts_in '-n 1 -t 10 --mem=0')" -gt 600 ] || fail "--mem=0 is all memory: $(cat out)"
grep -q '"request": "-n 1 -t 00:10:00 --mem 0",' out || fail "all memory as given: $(cat out)"
echo 'SelectTypeParameters    = CR_CORE' > config
sed -i 's/DefMemPerCPU=1000/DefMemPerCPU=60000/' partition
[ "$(starts_in '-n 1 -t 10 --mem 0')" -le 1 ] || fail "no memory that counts: $(cat out)"
[ "$(starts_in '-n 1 -t 10')" -le 1 ] || fail "memory that does not count: $(cat out)"
: > config
sed -i '/NodeName=n2 /s/CPUAlloc=1/CPUAlloc=0/' node
mv job.all job
mv partition.all partition
# A job in its partition has the tier of that: it comes before those of lower tiers.
{
	cat job
	job PENDING 2 2 Resources 50 8 1 1:00:00 N/A N/A '' cpu=8,node=1 OK "$nothing" "$nothing" ''
} > job.new
mv job.new job
[ "$(starts_in '-p p -n 8 -t 30')" -lt 7000 ] || fail "a tier: $(cat out)"
# GRES of a request: n1 has a job on all processors, and that of n2 has one of its two GPUs.
echo 'PartitionName=p Default=YES MaxTime=UNLIMITED Nodes=n[1-2] State=UP OverSubscribe=NO PriorityTier=1' > partition
node n1 ALLOCATED 8 big > node
node n2 MIXED 1 big >> node
{
	job RUNNING 1 1 None 9 8 1 1:00:00 $(date +%s) $(($(date +%s) + 3600)) n1 cpu=8,mem=8000M,node=1,gres/gpu=1 OK "$nothing" "$nothing" ''
	job RUNNING 2 2 None 9 1 1 1:00:00 $(date +%s) $(($(date +%s) + 3600)) n2 cpu=1,mem=1000M,node=1,gres/gpu=1 OK "$nothing" "$nothing" ''
} > job
for options in '--gpus 1' '--gpus=1' -G1 '-n 2 -G 1' '--gpus-per-node 1' '--gpus-per-task=1' \
	'--gres=gpu' '--gres gpu:1' '--gres=none' '--gpus=0'; do
	[ "$(starts_in "-t 10 $options")" -le 1 ] || fail "a GPU is free, $options: $(cat out)"
done
for options in '--gpus 2' '-n 2 -G 2' '-n 4 --gpus 2' '-N 2 --gpus 2' '-N 2 --gpus-per-node 1' \
	'--gpus-per-node=2' '-n 2 --gpus-per-task 1' '--gpus 4 --gpus-per-node 2' '-n 7 --gres=gpu:2' \
	'-n 16 --gpus 3' '-n 12 --gpus 2'; do
	[ "$(starts_in "-t 10 $options")" -gt 600 ] || fail "GPUs are in use, $options: $(cat out)"
done
grep -q '"request": "-n 12 -t 00:10:00 --gpus 2",' out || fail "the GPUs as given: $(cat out)"
grep -q '"request": "-n 6 -t 00:10:00 --gpus 1",' out || fail "half of the GPUs: $(cat out)"
"$lxfw" predict --request '-t 10 --gpus 3' > out 2> err
[ $? = 2 ] && grep -q "request '-n 1 -t 00:10:00 --gpus 3' fits nowhere" err ||
	fail "more GPUs than a node has: $(cat err)"
"$lxfw" predict --request '-t 10 --gres shard:2' > out 2> err
[ $? = 2 ] && grep -qx "request: no GRES 'shard', expected one of gpu" err ||
	fail "no such kind of GRES: $(cat err)"
"$lxfw" predict --request '-t 10 --gpus a100:1' > out 2> err
[ $? = 2 ] && grep -qx "request: no GRES 'gpu:a100', expected one of gpu" err ||
	fail "no such type of GPU: $(cat err)"
"$lxfw" predict --request '-t 10 --gpus' > out 2> err
[ $? = 2 ] && grep -qx "request: '--gpus' with value '', expected N, TYPE:N or a list of these" err ||
	fail "GPUs without a number: $(cat err)"
"$lxfw" predict --request '-t 10 --gpu 1' > out 2> err
[ $? = 2 ] && grep -q "no option '--gpu', .*--gres, .*, did you mean --gpus" err ||
	fail "an option that is unknown: $(cat err)"
# Types: two of one, and one of the other, that are counted apart.
sed -i -e '/^NodeName=n1 /s/gpu:2/gpu:a100:2/' -e '/^NodeName=n2 /s/gpu:2/gpu:a100:1,gpu:v100:1/' node
sed -i 's/gres.gpu=1/gres\/gpu=1,gres\/gpu:a100=1/' job
[ "$(starts_in '-t 10 --gpus v100:1')" -le 1 ] || fail "a type that is free: $(cat out)"
[ "$(starts_in '-t 10 --gres=gpu:a100:1')" -gt 600 ] || fail "a type that is in use: $(cat out)"
grep -q '"request": "-n 1 -t 00:10:00 --gres gpu:a100:1",' out || fail "a type as given: $(cat out)"
"$lxfw" predict --request '-t 10 --gpus h100:1' > out 2> err
[ $? = 2 ] && grep -qx "request: no GRES 'gpu:h100', expected one of gpu, gpu:a100, gpu:v100" err ||
	fail "the types that there are: $(cat err)"
# Features: n1 is slow, and n2 is fast.
sed -i -e '/^NodeName=n1 /s/Features=big/Features=big,slow/' -e '/^NodeName=n2 /s/Features=big/Features=big,fast/' node
for options in '-C fast' '--constraint=big&fast' '-C slow|fast' '-C big -G v100:1' '-C fast -p p'; do
	[ "$(starts_in "-t 10 $options")" -le 1 ] || fail "the fast node is free, $options: $(cat out)"
done
for options in '-C slow' '--constraint big&slow' '-C slow,big -p p' '-C fast -n 8' '-C fast -G a100:1'; do
	[ "$(starts_in "-t 10 $options")" -gt 600 ] || fail "not free, $options: $(cat out)"
done
grep -q '"request": "-n 1 -t 00:10:00 --gpus a100:1 -C fast",' out || fail "features as given: $(cat out)"
"$lxfw" predict --request '-t 10 -C old' > out 2> err
[ $? = 2 ] && grep -qx "request: no node of partition p has the features 'old'" err ||
	fail "features that no node has: $(cat err)"
"$lxfw" predict --request '-t 10 -C [slow*2&fast]' > out 2> err
[ $? = 2 ] && grep -q "with value '.slow.2&fast.', expected features: A, A&B, or A|B" err ||
	fail "features by number of nodes: $(cat err)"
"$lxfw" predict --json --request '-t 10 -C slow' --request '-t 10 -C fast' > out 2> err ||
	fail "two requests with features: $(cat err)"
# Licenses: three of four are those of job 1.
cp excluded excluded.whole
cp license license.whole
echo '1;(null);abaqus:3;' > excluded
echo 'LicenseName=abaqus Total=4 Used=3 Free=1 Reserved=0 Remote=no' > license
[ "$(starts_in '-t 10 -L abaqus')" -le 1 ] || fail "a license is free: $(cat out)"
[ "$(starts_in '-t 10 --licenses=abaqus:2')" -gt 600 ] || fail "two licenses: $(cat out)"
grep -q '"request": "-n 1 -t 00:10:00 -L abaqus:2",' out || fail "licenses as given: $(cat out)"
"$lxfw" predict --request '-t 10 -L abaqus:5' > out 2> err
[ $? = 2 ] && grep -qx 'request: 5 of license abaqus, of which there are 4' err || fail "5 licenses: $(cat err)"
"$lxfw" predict --request '-t 10 -L abaqus:1,abaqus' > out 2> err
[ $? = 2 ] && grep -q 'expected each license once' err || fail "a license twice: $(cat err)"
"$lxfw" predict --request '-t 10 -L abaqu' > out 2> err
[ $? = 2 ] && grep -qx "request: no license 'abaqu'" err || fail "no such license: $(cat err)"
mv license.whole license
mv excluded.whole excluded
# Options that change nothing.
[ "$(starts_in '-a 1-9%2 --signal=B:TERM@60 -A a -J n -q q -o o -e e -D d --account=a --job-name n --qos=q --output o --error=e --chdir d --comment=c --export ALL --mail-type=END --mail-user u -n 1 -t 10')" -le 1 ] ||
	fail "options that change nothing: $(cat out)"
grep -q '"request": "-n 1 -t 00:10:00",' out || fail "options that change nothing: $(cat out)"
grep -q '^lxfw: request: the limits of its QOS are not known' err || fail "a QOS: $(cat err)"
[ "$(starts_in '-A a -n 1 -t 10')" -le 1 ] && ! grep -q QOS err || fail "an account: $(cat err)"
mv partition.whole partition
mv node.whole node
mv job.whole job

# What this user's jobs have needed of their limits, and no other user's: a job of anna runs for
# ten minutes, and another job waits for it.
cp node node.whole
cp job job.whole
now=$(date +%s)
node n1 ALLOCATED 8 big > node
{
	job RUNNING 1 1 None 9 8 1 10:00:00 $((now - 600)) $((now + 35400)) n1 cpu=8,mem=11000M,node=1 OK "$nothing" "$nothing" ''
	job PENDING 4 4 Resources 50 8 1 1:00:00 N/A N/A '' cpu=8,mem=12000M,node=1 OK "$nothing" "$nothing" ''
} > job
# runs OWNER: 50 jobs of this user that took an hour of ten
runs()
{
	echo 'JobIDRaw|Submit|Start|End|State|ElapsedRaw|AllocCPUS|ReqCPUS|TimelimitRaw|Partition|User|Group'
	for i in $(seq 50); do
		echo "$i|$((now - 100000 + i))|$((now - 90000 + i))|$((now - 86400 + i))|COMPLETED|3600|8|8|600|p|$1|biology"
	done
}
# minutes: those until job 4 is expected
minutes()
{
	"$lxfw" predict --futures 500 --json 4 > out 2> err || fail "predict: $(cat err)"
	awk '/"time":/ { now = $2 } /"expected_start":/ { printf "%d", ($2 - now) / 60 }' out
}
alike=$(minutes)
grep -q '^lxfw: run times of your earlier jobs are not known: sacct: Slurm accounting storage is disabled$' err ||
	fail "no accounting: $(cat err)"
awk '/"needed_share":/ { exit !($2 > 0.1 && $2 < 0.5) }' out || fail "needed share: $(grep needed out)"
"$lxfw" predict 4 > out 2> err || fail "predict: $(cat err)"
grep -Eq '^jobs are expected to need [1-4][0-9] % of their limits on average, as those that run suggest$' out ||
	fail "needed share: $(head -n 4 out)"
runs anna > runs
own=$(minutes)
[ ! -s err ] || fail "own run times: $(cat err)"
[ "$own" -ge 45 ] && [ "$own" -le 55 ] || fail "own run times: $own minutes, without them $alike"
[ "$alike" -gt 70 ] || fail "any part of the limits: $alike minutes"
touch many
own=$(minutes)
[ "$own" -ge 45 ] && [ "$own" -le 55 ] || fail "with more jobs than are read: $own minutes"
rm many
runs bob > runs
[ "$(minutes)" -gt 70 ] || fail "run times of another user: $(minutes) minutes"
runs anna | head -n 1 > runs
[ "$(minutes)" -gt 70 ] && [ ! -s err ] || fail "no earlier jobs: $(cat err)"
# A data base of the site comes first: half of the limits.
runs bob | sed 's/|3600|8|/|18000|8|/' > log
"$lxfw" import --history history --machine all log > out 2> err || fail "import: $(cat err)"
runs anna > runs
LXFW_HISTORY=$work/history
export LXFW_HISTORY
half=$(minutes)
[ "$half" -ge 280 ] && [ "$half" -le 295 ] || fail "data base: $half minutes: $(cat out err)"
LXFW_HISTORY=$work/nowhere
[ "$(minutes)" -le 55 ] || fail "no data base"
unset LXFW_HISTORY
mv node.whole node
mv job.whole job

# An hour later a job has ended, and another one has begun.
sed -i -e '/^RUNNING;1;/d' -e 's/^PENDING;5;5\(.*\)N.A;N.A;;cpu/RUNNING;5;5\11300;'$later';n1;cpu/' job
sed -i -e '/^NodeName=n1/s/CPUAlloc=8/CPUAlloc=2/' -e '/^NodeName=n4/s/IDLE+DRAIN/IDLE/' node
"$lxfw" watch --once --journal j 2> err || fail "watch: $(cat err)"
"$lxfw" journal j | sed -E 's/^[0-9]+ //; s/[0-9]{10}/T/g' | grep '^event' | tail -n +8 > is
has 'run 5 until T since 1300 n1:2:2000+1x0'
"$lxfw" replay j > out 2>&1 || fail "replay: $(cat out)"

# The state of what runs, and the next hours from it.
: > config
"$lxfw" snapshot -o now > out 2> err || fail "snapshot: $(cat err)"
"$lxfw" simulate --from now --hours 1 > out 2> err || fail "simulate --from: $(cat err)"
: > config

# A publication that is outdated is not used if Slurm answers.
mkdir site
"$lxfw" predict --journal j --publish site --moments 0 > out 2> err || fail "publish: $(cat err)"
# A relative folder has the look, too.
[ -s site/look ] || fail "no look: $(cat err)"
LXFW_SITE=$work/site "$lxfw" predict 16 > out 2> err && grep -qx "16: $short" out ||
	fail "no node is up, published: $(cat out err)"
rm -f asked
LXFW_SITE=$work/site "$lxfw" why 8 > out 2> err || fail "why, published: $(cat err)"
[ ! -e asked ] && grep -q 'which the site publishes' err || fail "why, published: $(cat err asked)"
wait
echo >> site/look
LXFW_SITE=$work/site "$lxfw" why 8 > out 2> err || fail "why, a damaged look: $(cat err)"
[ -e asked ] && ! grep -q 'which the site publishes' err || fail "why, a damaged look: $(cat err)"
LXFW_SITE=$work/site "$lxfw" queue 8 > out 2> err || fail "queue: $(cat err)"
sed -i -e 's/"outdated_after":[0-9]*/"outdated_after":1000000000/' -e 's/"job":"8"/"job":"88"/' \
	site/queue.json
LXFW_SITE=$work/site "$lxfw" queue 8 > out 2> err || fail "queue, outdated: $(cat err)"
! grep -q outdated out || fail "queue, outdated: $(cat out)"
LXFW_SITE=$work/site "$lxfw" queue 88 > out 2> err
[ $? = 1 ] || fail "queue, outdated: $(cat out err)"
# With 800 waiting jobs the table of starts has few futures, and it is there.
rm -f site/starts
cp job job.whole
for i in $(seq 100 899); do
	job PENDING $i $i Resources 50 12 1 30-00:00:00 N/A N/A '' cpu=12,node=2 OK "$nothing" "$nothing" ''
done >> job
"$lxfw" watch --once --journal many 2> err || fail "many jobs: $(cat err)"
mkdir partitions
printf '%s\n' '#!/bin/sh' '[ "$*" = "show config" ] || cat partition' > partitions/scontrol
chmod +x partitions/scontrol
PATH=$work/partitions:$PATH \
	"$lxfw" predict --journal many --publish site --moments 0 --futures 15 > out 2> err ||
	fail "many jobs: $(cat err)"
grep -q '^N 1 3600 ' site/starts && ! grep -q 'no table of starts' err ||
	fail "many jobs: $(cat site/starts err)"
mv job.whole job

# Without an answer nothing is written, and the status is 2.
touch silent
cp j before
"$lxfw" watch --once --journal j > out 2> err
[ $? = 2 ] || fail "no answer: status"
grep -q '^lxfw: scontrol: failed: slurm_load error: Unable to contact slurm controller$' err ||
	fail "no answer: $(cat err)"
cmp -s j before || fail "no answer: the journal has changed"
rm silent
touch hung
"$lxfw" watch --once --journal j > out 2> err
[ $? = 2 ] && grep -qx 'lxfw: scontrol: no answer within 30 s' err || fail "hung: $(cat err)"
# Who does not answer one question is asked no other.
rm asked
"$lxfw" queue > out 2> err
[ $? = 2 ] && [ "$(wc -l < asked)" = 1 ] &&
	grep -qx 'lxfw: no queue is published, and that of Slurm or PBS cannot be read: scontrol: no answer within 30 s' err ||
	fail "queue, hung: $(cat err asked)"
rm hung

# refused WHAT MESSAGE OPTIONS...
touch silent config
"$lxfw" predict > out 2> err
[ $? = 2 ] && grep -q 'or a Slurm or PBS that answers: scontrol: failed: slurm_load error' err ||
	fail "predict without an answer: $(cat err)"
"$lxfw" why 4 > out 2> err
[ $? = 2 ] && grep -q '^lxfw: no JOURNAL given, expected one, or a Slurm or PBS that answers: ' err ||
	fail "why without an answer: $(cat err)"
rm silent

refused()
{
	what=$1 message=$2
	shift 2
	"$lxfw" watch "$@" > out 2> err
	[ $? = 2 ] && grep -qF -e "$message" err || fail "$what: $(cat err)"
}
refused "no journal" "expected --journal FILE" --once
refused "an interval" "expected 10 s or more" --interval 5 --journal j
refused "a policy" "expected another policy" --params lxfw_policy=pfcfs1 --journal j --once
refused "no folder" "nowhere/j" --once --journal nowhere/j
echo text > other
refused "no journal" "other" --once --journal other
[ "$(cat other)" = text ] || fail "a file that is no journal was changed"

finish
