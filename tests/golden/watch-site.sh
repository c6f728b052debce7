#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The look that a site publishes for all users, with programs in place of scontrol and squeue: who asks
# the controller, and who does not.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "$top_srcdir/tests/golden/played.sh"

now=$(date +%s)
played_node n1 8
played_partition p n1 Default=YES
played_job RUNNING 1 8 1:00:00 $((now - 60)) $((now + 3540)) n1
played_job PENDING 2 8 1:00:00 N/A N/A ''
played_job PENDING 3 8 1:00:00 N/A N/A ''
"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"

# publish [OPTIONS]...: by a service with a umask that hides its files
publish()
{
	rm -rf site
	mkdir site
	(umask 077 && "$lxfw" predict --journal j --publish site --moments 0 "$@") > out 2> err ||
		fail "publish: $(cat err)"
	[ -e site/look ] || fail "no look: $(ls site) $(cat err)"
}

# answers FROM STATUS COMMAND...: FROM is "site", or "slurm" if the controller is asked
answers()
{
	from=$1 status=$2
	shift 2
	rm -f asked
	"$lxfw" "$@" > out 2> err
	is=$?
	[ $is = "$status" ] || fail "$*: exit status $is: $(cat err)"
	if [ "$from" = site ]; then
		[ ! -e asked ] || fail "$*: Slurm was asked: $(cat asked)"
	else
		[ -e asked ] || fail "$*: Slurm was not asked: $(cat out err)"
	fi
}

publish
for file in look queue.json index.html; do
	[ "$(stat -c %a site/$file)" = 644 ] || fail "$file: mode $(stat -c %a site/$file)"
done
[ "$(stat -c %a site/predictions.db)" = 600 ] || fail "predictions.db: mode $(stat -c %a site/predictions.db)"
answers site 0 why 2
grep -q 'ago, which the site publishes$' err || fail "why 2, no age: $(cat err)"
grep -q '^Job 2 has waited' out || fail "why 2: $(cat out)"
answers site 0 predict --request '-n 8 -t 30'
answers site 0 queue 3

# It names no users, nor what may name one.
cp site/look look.saved
cp job job.saved
sed -i -e '/^PENDING;2;/s/;anna;/;annas-name;/' -e '/^PENDING;3;/s/;None;/;Job is at association (user=annas-name) limit;/' job
"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
publish
grep -aq annas-name job || fail "no user: $(cat job)"
! grep -aq 'annas-name\|anna\|staff' site/look || fail "users: $(cat site/look)"
grep -aq "$(printf 'Other\037')" site/look || fail "no reason: $(cat site/look)"
mv job.saved job
"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
publish

# A look that is damaged is not used.
cp site/look look.saved
for edit in '1s/ 1 / 2 /' '1s/1 [0-9]*/1 x/' '1s/ 0$//' '2s/^/1/' '2s/[0-9]$/x/' '3s/^./&&/' '$s/$/x/' '$d' \
	's/^NodeName/Node/'; do
	sed "$edit" look.saved > site/look
	! cmp -s look.saved site/look || fail "$edit changes nothing"
	answers slurm 0 why 2
	[ -e asked ] || fail "$edit is not noticed"
done
for size in 0 1 20 100 300; do
	head -c $size look.saved > site/look
	answers slurm 0 why 2
done
cp look.saved site/look
answers site 0 why 2

# What others have planted in a folder that they may write is replaced, and not opened.
for file in look owners queue.json starts index.html; do
	rm site/$file
	mkfifo -m 666 site/$file
done
timeout 60 "$lxfw" predict --journal j --publish site --moments 0 > out 2> err ||
	fail "publish over FIFOs: exit status $?: $(cat err)"
for file in look owners queue.json starts index.html; do
	[ -f site/$file ] && [ "$(stat -c %a site/$file)" = 644 ] || fail "$(stat -c '%n: %F %a' site/$file)"
done

# Requests that are not as the jobs of the table are answered from the look.
cp node node.saved
cp partition partition.saved
played_node g1 0 g
sed -i '/^NodeName=g1 /s/ RealMemory/ ActiveFeatures=ib,big Gres=gpu:4 RealMemory/' node
played_node g2 4 g
sed -i '/^NodeName=g2 /s/ RealMemory/ ActiveFeatures=ib RealMemory/' node
played_node g3 4 g
played_partition g 'g[1-3]' JobDefaults=DefCpuPerGPU=3,DefMemPerGPU=0
played_partition one g1 MaxNodes=1
cp job job.saved
played_job RUNNING 50 4 1:00:00 $((now - 60)) $((now + 3540)) g2 anna 1 50 g
played_job RUNNING 51 4 1:00:00 $((now - 60)) $((now + 3540)) g3 anna 1 51 g
"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
publish

# request now|later|never OPTIONS: when the site says that it starts
request()
{
	when=$1
	if [ "$when" = never ]; then
		answers site 2 predict --request "-t 10 $2"
		return
	fi
	answers site 0 predict --json --request "-t 10 $2"
	grep -q 'ago, which the site publishes$' err || fail "request $2, no age: $(cat err)"
	wait=$(awk '/"time":/ { now = $2 } /"expected_start":/ { print $2 - now; exit }' out)
	[ "$wait" -le 1 ] && is=now || is=later
	[ "$is" = "$when" ] || fail "request $2: $is"
}

request now '-p g -n 8'
request now '-p g -n 1 -c 8'
request later '-p g -n 2 -c 5'
request later '-p g -N 3 -n 15'
request never '-p g -n 1 -c 9'
request never '-p one -N 2 -n 2'
request now '-p g -n 1 --gpus 2'
request never '-p g -n 1 --gpus 3'
request now '-p g -n 1 -c 1 --gpus 4'
request never '-p g -n 1 --gpus 5'
request never '-p g -n 1 --gres fpga:1'
request now '-p g -n 4 -C big'
request now '-p g -n 1 -c 4 -C ib'
request never '-p g -n 9 -C big'

# With jobs that Slurm considers before, it does not consider a request.
cp job job.few
cp config config.few
cp bin/squeue squeue.few
printf '%s|%s|%s|%s|N/A|\n' 2 2 anna p 3 3 anna p 60 60 "$(id -un)" g 61 61 anna g > listed
sed -i '/^case/a*username:*partition:*) cat listed; exit;;' bin/squeue
played_job PENDING 60 20 1:00:00 N/A N/A '' "$(id -un)" 3 60 g
played_job PENDING 61 1 1:00:00 N/A N/A '' anna 1 61 g
for bound in user part test; do
	echo "SchedulerParameters     = bf_max_job_$bound=1" > config
	"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
	publish
	answers site 0 predict --request '-p g -n 8 -t 10'
	grep -q '^-n 8 .* -p g  *later ' out && grep -q '^-n 8 .* -p g: Slurm plans only for 1 job' out ||
		fail "a request beyond bf_max_job_$bound: $(cat out err)"
	# In the partition of jobs that name none, too.
	[ $bound = user ] || answers site 0 predict --request '-n 8 -t 10'
	! grep -q '^lxfw: expected start' out || fail "the default partition, bf_max_job_$bound: $(cat out err)"
	answers site 0 why 61
	grep -q 'There seems to be room for it, but Slurm plans only for 1 job' out ||
		fail "a job beyond bf_max_job_$bound: $(cat out err)"
done
mv config.few config
mv squeue.few bin/squeue
mv job.few job
"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
publish

request never '-p g -n 1 -C red'
grep -q "no node of partition g has the features 'red'" err || fail "-C red: $(cat err)"
request now '-p g -N 1 -n 1 --mem 0'
# Features together, and nodes by name.
request now '-p g -n 8 -C ib&big'
request never '-p g -n 9 -C ib&big'
request now '-p g -n 8 -C big|red'
request later '-p g -n 8 -w g2'
request now '-p g -n 8 -w g1'
request later '-p g -n 8 -x g1 -N 1'
request never '-p g -n 1 -x g[1-3]'
# The table is used where it says the same.
answers site 0 predict --request '-p g -n 8 -t 10'
grep -q '^lxfw: expected start ' out || fail "not from the table: $(cat out)"
answers site 0 predict --request '-p g -n 1 -c 8 -t 10'
! grep -q '^lxfw: expected start ' out || fail "-c 8 from the table: $(cat out)"
mv node.saved node
mv partition.saved partition
mv job.saved job
"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
publish

# A watch that has just looked, or that does not look any more.
touch j
publish
! grep -q 'Nothing has seen' site/index.html || fail "a watch that runs: $(cat site/index.html)"
touch -d '20 minutes ago' j
publish
grep -q 'Nothing has seen the workload manager since' site/index.html || fail "no watch: $(cat site/index.html)"
# Its state is that of then, which no round renews. The service looks itself, which others use.
grep -q "\"time\":$(stat -c %Y j)," site/queue.json || fail "the time of the state: $(cat site/queue.json)"
[ ! -e site/starts ] || fail "a table of an old state: $(cat site/starts)"
sed -i '/^RUNNING;1;/d' job
publish
for request in '-n 8 -t 30' '-n 1 -c 8 -t 30'; do
	answers site 0 predict --request "$request"
	grep -q "its 'lxfw watch' has not run for [0-9.]*[mh]" err || fail "$request, no watch: $(cat err)"
done
answers site 1 why 1
grep -q 'Slurm shows no such job' err || fail "why 1: $(cat err)"
answers site 0 why 2
answers site 0 predict
# A job that is not in that look may be new, or gone: squeue is asked about it alone. So it is before the first round
# without the watch.
sed "s/\"next_round\":[0-9]*/\"next_round\":$(($(date +%s) + 300))/" site/queue.json > queue.dead
cp site/look look.dead
seen=$(($(date +%s) - 40))
sed "s/\"heard\":[0-9]*/\"heard\":$((seen - 120))/; s/\"look\":[0-9]*/\"look\":$seen/" queue.dead > queue.late
sed "1s/1 [0-9]* /1 $seen /" look.dead > look.late
for file in dead late; do
	cp queue.$file site/queue.json
	cp look.$file site/look
	for command in why predict queue; do
		: > shown
		answers slurm 1 $command 99
		[ "$(wc -l < asked)" = 1 ] && grep -q 'job 99: Slurm shows no such job' err ||
			fail "$command 99, $file: $(cat asked err)"
		echo "98|anna|p|PENDING|$(date +%s)|N/A|1|None|" > shown
		answers slurm 1 $command 98
		[ "$(wc -l < asked)" = 1 ] && grep -q 'job 98 was submitted after the last round' err ||
			fail "$command 98, $file: $(cat asked err)"
	done
done
cp queue.dead site/queue.json
cp look.dead site/look
answers site 0 predict 3
for command in queue status; do
	answers site 0 $command
	grep -q ': 8 processors, 0 jobs run, 2 wait' out || fail "$command: $(cat out)"
done
played_job RUNNING 1 8 1:00:00 $((now - 60)) $((now + 3540)) n1
# One that is late is not the present either.
touch j
publish
cp site/starts starts
sed -i "s/\"heard\":[0-9]*/\"heard\":$(($(date +%s) - 200))/" site/queue.json
answers site 0 predict --request '-n 8 -t 30'
grep -q 'ago, which the site publishes' err || fail "the table of a watch that is late: $(cat err)"
touch -d '4 minutes ago' j
publish
answers site 0 queue
grep -q ' (4.[0-9]m ago): 8 processors, 1 jobs run, ' out || fail "a watch that is late: $(cat out)"
touch j
publish

# A job that has been submitted since is asked for.
played_job PENDING 4 8 1:00:00 N/A N/A ''
answers slurm 0 why 4
answers slurm 0 predict 4
answers slurm 1 why 99

# One that is named beside it, too.
answers slurm 0 queue 2 4

# Before the next round, a name that is not published is one question, about this job, task or component alone.
played_job RUNNING 6 1 1:00:00 $((now - 60)) $((now + 3540)) n1 anna 1 6_2
played_job RUNNING 6 1 1:00:00 $((now - 60)) $((now + 3540)) n1 anna 1 6_3
"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
publish
sed -i "s/\"next_round\":0/\"next_round\":$(($(date +%s) + 300))/" site/queue.json
# one COMMAND NAME ASKED LINES TEXT: squeue prints LINES when it is asked for ASKED
one()
{
	echo "$4" > shown
	answers slurm 1 "$1" "$2"
	[ "$(wc -l < asked)" = 1 ] && grep -q -- "--jobs=$3 " asked || fail "$1 $2 asks $(cat asked)"
	grep -q "$5" err || fail "$1 $2: $(cat err)"
}
for command in why predict queue; do
	one $command 6_99 6_99 '' 'job 6_99: Slurm shows no such job that waits or runs$'
	one $command '5#2' 5 '' 'job 5#2: Slurm shows no such job that waits or runs$'
	one $command 5+0 5 '5|anna|p|PENDING|1000|N/A|1|None|' 'job 5+0: Slurm shows no such job that waits or runs$'
	one $command 5+1 5 "5+0|anna|p|PENDING|$(date +%s)|N/A|1|None|" 'job 5+1: Slurm shows no such job that waits or runs$'
	one $command 5+1 5 "5+1|anna|p|PENDING|$(date +%s)|N/A|1|None|" 'job 5+1 was submitted after the last round'
	one $command 6_7 6_7 "6_7|anna|p|PENDING|$(date +%s)|N/A|1|None|" 'job 6_7 was submitted after the last round'
	# The last look of the watch may have been before it.
	one $command 42 42 "42|anna|p|PENDING|$(($(date +%s) - 60))|N/A|1|Priority|" 'job 42 was submitted after the last round'
	# The next round has no expected start of these.
	one $command 40 40 "40|anna|p|RUNNING|$(date +%s)|$(date +%s)|1|None|" \
		'job 40 runs; it was submitted after the last round of ..:.., and the next one is due at ..:..$'
	one $command 41 41 "41|anna|p|PENDING|$(date +%s)|N/A|1|JobHeldUser|" \
		'job 41 waits (JobHeldUser), and Slurm plans no start of it yet; it was submitted after the last round of ..:.., and'
done
# Several are one question, also if there are many; a name that no job can have is none.
now=$(date +%s)
for task in 8 9; do
	echo "6_$task|anna|p|PENDING|$now|N/A|1|None|"
done > shown
for command in predict queue; do
	answers slurm 1 $command 2 6_2 6_3 6_8 6_9 30 31 32 33 34 35
	[ "$(wc -l < asked)" = 1 ] && grep -q -- '--jobs=6_8,6_9,30,31,32,33,34,35 ' asked || fail "$command asks $(cat asked)"
	[ "$(grep -c 'was submitted after the last round' err)" = 2 ] &&
		[ "$(grep -c 'shows no such job that waits or runs$' err)" = 6 ] || fail "$command, many: $(cat err)"
done
# What was before is not known.
answers site 2 why --at "$now" 2
grep -q -e '--at with what Slurm or PBS shows now, expected a JOURNAL' err || fail "why --at: $(cat err)"
for name in 2.0 2.batch 0002; do
	for command in why predict queue; do
		answers site 0 $command $name
	done
done
for command in why predict queue; do
	for name in 10_ 10_99999999999999 _ .; do
		answers site 2 $command $name
	done
done

# Of a job that the service does not see, the state is printed that Slurm shows; no round has it.
cp site/queue.json queue.saved
sed -i 's/"jobs_hidden":false/"jobs_hidden":true/' site/queue.json
for command in why predict queue; do
	one $command 29 29 "29|anna|p|PENDING|$now|$((now + 86400 * 30))|4|Resources|" \
		'job 29 waits (Resources), and Slurm plans its start at 20..-..-.. ..:..; the service that publishes here does not see it'
	! grep -q 'the next one is due' err || fail "$command, hidden: $(cat err)"
	one $command 29 29 "29|anna|p|RUNNING|$now|$now|4|None|" 'job 29 runs; the service that publishes'
done
cp bin/squeue squeue.all
sed -i '/^case/a*--user=*) cat shown; exit;;' bin/squeue
{
	echo "29|anna|p|PENDING|$now|$((now + 86400 * 30))|4|Resources|"
	echo "2|anna|p|PENDING|$now|N/A|8|Resources|"
	echo "28|anna|p|RUNNING|$now|$now|4|None|"
} > shown
answers slurm 0 queue --user anna --running
[ "$(wc -l < asked)" = 1 ] || fail "queue --user asks $(cat asked)"
grep -q '^lxfw: 2 jobs of anna are not in what is published here' err || fail "queue --user, hidden: $(cat err)"
grep -q '^ *29 *anna *p *4 .* Slurm says: Resources, and plans its start at 20' out && grep -q '^ *1 2 *anna *p ' out &&
	grep -q '^ *28 *anna *p *4 .* runs$' out || fail "queue --user, hidden: $(cat out)"
# A look of one's own does without the site.
answers slurm 0 queue --slurm 2
[ "$(wc -l < asked)" -gt 5 ] && ! grep -q 'publishes' err || fail "queue --slurm: $(cat asked err)"
: > shown
answers slurm 0 queue --user anna
grep -q '^lxfw: no jobs of anna at .*..:..$' err || fail "queue --user, none: $(cat err)"
mv squeue.all bin/squeue
for command in queue predict; do
	answers site 0 $command
	cat out err | grep -q 'does not show the jobs of users (PrivateData)' || fail "$command, hidden: $(cat out err)"
done
for request in '-n 8 -t 30' '-n 1 -c 8 -t 30'; do
	answers site 0 predict --request "$request"
	grep -q 'does not show the jobs of users (PrivateData)' err || fail "$request, hidden: $(cat err)"
done
answers site 0 why 3
grep -q 'does not show the jobs of users (PrivateData)' err || fail "why, hidden: $(cat err)"
mv queue.saved site/queue.json

# A service that is late: each command looks, and reports it.
cp site/queue.json queue.saved
sed -i -e "s/\"next_round\":[0-9]*/\"next_round\":$((now - 700))/" -e "s/\"look\":[0-9]*/\"look\":$((now - 900))/" \
	-e "s/\"outdated_after\":[0-9]*/\"outdated_after\":$((now - 10))/" site/queue.json
sed -i "1s/ 1 [0-9]* / 1 $((now - 900)) /" site/look
answers slurm 0 why 2
grep -q '^lxfw: the service that publishes here is late by 11.[67]m: this is from a look of your own$' err ||
	fail "why, a late service: $(cat err)"
mv queue.saved site/queue.json

# A look that could not be renewed is not used.
publish
rm site/look
mkdir site/look site/look/full
"$lxfw" predict --journal j --publish site --moments 0 > out 2> err || fail "publish: $(cat err)"
grep -q '^lxfw: no look is published: ' err && grep -q '"look":0' site/queue.json || fail "publish, no look: $(cat err)"
rm -r site/look
publish
answers site 0 why 2
sed -i "s/\"look\":[0-9]*/\"look\":0/" site/queue.json
answers slurm 0 why 2
sed -i "s/\"look\":[0-9]*/\"look\":$(($(date +%s) + 9))/" site/queue.json
answers slurm 0 why 2

# A folder in place of a temporary file does not stop it.
publish
mkdir site/.look
"$lxfw" predict --journal j --publish site --moments 0 > out 2> err || fail "publish: $(cat err)"
! grep -q 'no look' err || fail "publish, .look: $(cat err)"

# A time of the journal that is to come says nothing of its watch.
touch -d '1 day' j
publish
grep -q "^lxfw: j: its time is in the future" err || fail "publish, to come: $(cat err)"
heard=$(grep -o '"heard":[0-9]*' site/queue.json | tr -cd 0-9)
[ "$heard" -le "$(date +%s)" ] || fail "heard at $heard"
touch j
publish
sed -i "s/\"next_round\":0/\"next_round\":$(($(date +%s) + 300))/" site/queue.json

answers site 0 queue 6
[ "$(grep -c ' 6_[23] ' out)" = 2 ] || fail "queue 6: $(cat out)"
answers site 1 predict 6
grep -q 'job 6_2 runs' err || fail "predict 6: $(cat err)"
answers site 0 why 6
grep -q 'it is an array, of which no task waits: this is one that runs, 6_2$' err || fail "why 6: $(cat err)"
grep -q '^Job 6_2 ' out || fail "why 6: $(cat out)"
answers site 1 why '6#2'
! grep -q 'it is an array' err || fail "why 6#2: $(cat err)"
# Without a service, a task that is not there is not one of those that wait.
sed -i 's/^RUNNING;6;6_3;/PENDING;6;6_3;/' job
LXFW_SITE=nowhere answers slurm 1 why 6_99
grep -q 'Slurm shows no such job that waits or runs$' err && ! grep -q 'other tasks' err || fail "why 6_99: $(cat err)"
sed -i '/;6_/d' job
"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"

# A controller that does not answer: what is known is said at once, with its age.
publish
sed -i -e "s/\"next_round\":0/\"next_round\":$(($(date +%s) + 300))/" site/queue.json
cp bin/squeue squeue.saved
printf '#!/bin/sh\necho "$*" >> asked\necho "slurm_load_jobs error: Unable to contact"\nexit 1\n' > bin/squeue
answers slurm 1 why 99
[ "$(wc -l < asked)" = 1 ] || fail "why 99 asks $(cat asked)"
grep -q 'job 99 was not in the queue [0-9.]*s ago, and Slurm does not answer$' err || fail "why 99: $(cat err)"
# It did not answer the service either.
sed -i 's/"manager_answers":true/"manager_answers":false/' site/queue.json
answers site 0 why 2
grep -q 'the workload manager did not answer after that$' err || fail "why 2: $(cat err)"
for command in why predict queue; do
	answers site 1 $command 99
	grep -q 'job 99 was not in the queue [0-9.]*s ago, and Slurm does not answer$' err || fail "$command 99: $(cat err)"
	! grep -q 'shows no such' err || fail "$command 99: $(cat err)"
done
answers site 0 predict --request '-n 1 -c 2 -t 10'
# The table of starts is as old.
cp site/queue.json queue.saved
sed -i "s/\"heard\":[0-9]*/\"heard\":$(($(date +%s) - 100))/" site/queue.json
answers site 0 predict --request '-n 1 -t 10'
grep -q 'expected start' out && grep -q 'does not answer: this is its state of [0-9.]*s ago$' err ||
	fail "a request while it is silent: $(cat out err)"
cp queue.saved site/queue.json
# The time of the state is that of the watch then.
touch -d '1 minute ago' j
"$lxfw" predict --journal j --publish site --moments 0 > out 2> err || fail "publish: $(cat err)"
grep -q "\"time\":$(stat -c %Y j)," site/queue.json || fail "the time, silent: $(cat site/queue.json)"
touch j
cp squeue.saved bin/squeue
publish
answers site 0 snapshot -o state
grep -q 'ago, which the site publishes$' err || fail "snapshot: $(cat err)"
grep -q '1 running' err || fail "snapshot: $(cat err)"

# What a look knows is published: notes, and Slurm's own words, without those that name users. Hosts that
# are down are named on the page, too.
cp node node.saved
echo 'PreemptType             = preempt/qos' >> config
played_partition q n2
played_node n2 0 q
sed -i '/^NodeName=n2 /s/State=MIXED/State=DOWN+DRAIN/' node
played_job PENDING 5 1 1:00:00 N/A N/A ''
played_job PENDING 6 1 1:00:00 N/A N/A ''
played_job PENDING 7 1 1:00:00 N/A N/A ''
played_job PENDING 8 1 1:00:00 N/A N/A '' anna 1 8 q
sed -i -e '/^PENDING;5;/s/;None;/;StrangeReason;/' -e '/^PENDING;7;/s/;None;/;Dependency;/' \
	-e '/^PENDING;6;/s,;None;,;Job is at association (user=anna) limit;,' job
printf '7;;;afterok:1(unfulfilled);\n' > excluded
"$lxfw" watch --once --journal j > out 2> err || fail "watch: $(cat err)"
publish
answers site 0 queue
grep -q '^lxfw: jobs of some QOS may preempt others here (PreemptType=preempt/qos)' err ||
	fail "queue, no note: $(cat err)"
grep -q '^ *5 .* Slurm says: StrangeReason$' out || fail "queue 5: $(cat out)"
! grep -q 'Job is at' out || fail "queue 6: $(cat out)"
! grep -q anna site/queue.json site/index.html || fail "the name of a user: $(cat site/queue.json)"
answers site 0 why 5
grep -q 'may preempt others here' err || fail "why, no note: $(cat err)"
grep -q '^Slurm says: StrangeReason\.' out || fail "why 5: $(cat out)"
answers site 0 why 7
grep -q '^Slurm says: Dependency, afterok:1(unfulfilled)\.' out || fail "why 7: $(cat out)"
answers site 1 predict 5
grep -q 'job 5 is not eligible (Slurm says: StrangeReason): ' err || fail "predict 5: $(cat err)"
answers site 0 predict 2
grep -q 'may preempt others here' err || fail "predict, no note: $(cat err)"
answers site 0 predict --request '-n 8 -t 30'
grep -q 'may preempt others here' err || fail "predict --request, no note: $(cat err)"
answers site 0 status
grep -q 'may preempt others here' err || fail "status, no note: $(cat err)"
grep -q '^ *1 not predicted: Slurm says: StrangeReason$' out || fail "status: $(cat out)"
answers site 0 queue --format json
grep -q '"note": *"jobs of some QOS may preempt' out || fail "JSON, no note: $(cat out)"
for text in '<p>Note: jobs of some QOS may preempt' '<li>1: Slurm says: StrangeReason</li>' \
	'<td>later</td><td>the only host that it could use is not up</td>'; do
	grep -q "$text" site/index.html || fail "page, not '$text': $(cat site/index.html)"
done
publish --users
answers site 0 queue 6
grep -q 'Slurm says: Job is at association (user=anna) limit$' out || fail "queue 6: $(cat out)"
sed -i '/;q;/d' job
mv node.saved node
sed -i '/Preempt/d' config
: > excluded

# A publication without a watch has no look of its time.
sed -i 's/"heard":[0-9]*/"heard":0/' site/queue.json
answers slurm 0 why 2
publish
# One that is outdated, or of a time to come, is used only if Slurm does not answer.
sed -i -e "s/\"outdated_after\":[0-9]*/\"outdated_after\":$((now - 10))/" \
	-e "s/\"look\":[0-9]*/\"look\":$((now - 900))/" site/queue.json
sed -i "1s/ 1 [0-9]* / 1 $((now - 900)) /" site/look
answers slurm 0 why 2
printf '#!/bin/sh\necho "$*" >> asked\necho "slurm_load error"\nexit 1\n' > bin/scontrol
answers slurm 0 why 2
grep -q 'ago, which the site publishes$' err || fail "why 2, silent: $(cat err)"
published=$(grep -o '"time":[0-9]*' site/queue.json | head -n 1)
sed -i -e "s/\"outdated_after\":[0-9]*/\"outdated_after\":$((now + 90000))/" \
	-e "s/$published/\"time\":$((now + 50000))/" site/queue.json
rm -f asked
"$lxfw" queue > out 2> err
[ -e asked ] || fail "a state of a time to come is used: $(cat out)"

finish
