#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Slurm's priorities in simulations: a slurm.conf with priority/multifactor, a log of six
# users in two accounts, shares and QOS from dumps. Schedules are the same from run to run,
# for any number of threads, in simulate and compare, before and after an import; journals
# replay.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# run WHAT ARGUMENT...: the output is written to out and told
run()
{
	what=$1
	shift
	"$lxfw" "$@" > out 2> told || fail "$what: exit status $?: $(cat told)"
}

# refuse MESSAGE ARGUMENT...: exit status 2, and the message
refuse()
{
	message=$1
	shift
	"$lxfw" "$@" > out 2> told
	[ $? -eq 2 ] || fail "$*: not refused"
	grep -qF -- "$message" told || fail "$*: $(cat told), expected $message"
	[ ! -s out ] || fail "$*: output in spite of an error"
}

cat > slurm.conf <<'EOF'
SchedulerType=sched/backfill
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightJobSize=500
PriorityWeightPartition=2000
PriorityWeightQOS=3000
PriorityDecayHalfLife=2-0
PriorityMaxAge=1-0
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=limits,qos
NodeName=n[1-4] CPUs=16
PartitionName=batch Nodes=n[1-4] PriorityJobFactor=1
PartitionName=fast Nodes=n[1-2] PriorityJobFactor=4
EOF
cat > assocs <<'EOF'
Account|User|ParentName|Share|Priority
root|||1|
a||root|7|
b||root|3|
a|u0||1|
a|u2||5|
a|u4||1|
b|u1||1|
b|u3||1|
b|u5||2|
EOF
cat > qos <<'EOF'
Name|Priority|UsageFactor
normal|0|1.0
high|100|2.0
EOF
# 600 jobs, more than the machine can do in the time in which they come
awk 'BEGIN {
	print "JobID|Submit|Start|End|NCPUS|NNodes|Partition|User|Account|QOS|State|Timelimit"
	seed = 1
	for (i = 1; i <= 600; i++) {
		seed = (seed * 16807) % 2147483647
		submit = 1735689600 + i * 180 + seed % 100
		run = 300 + seed % 7000
		wait = seed % 5000
		user = seed % 11 < 5 ? 0 : seed % 6
		fast = seed % 4 == 0
		print i "|" submit "|" submit + wait "|" submit + wait + run "|" \
			(fast ? 8 : 16) "|1|" (fast ? "fast" : seed % 5 ? "batch" : "fast,batch") \
			"|u" user "|" (user % 2 ? "b" : "a") "|" (seed % 9 ? "normal" : "high") \
			"|COMPLETED|02:00:00"
	}
}' > sacct

site="--cluster slurm.conf --assocs assocs --qos qos"

# --- the same schedule, however it is made ------------------------------------------
run simulate simulate $site --policy site --journal journal --jobs-out jobs.csv sacct
cp out simulated
run again simulate $site --policy site --jobs-out again.csv sacct
cmp -s jobs.csv again.csv || fail "simulate: two runs differ"
run replay replay journal
"$lxfw" journal journal | grep -c 'event priority' > count
[ "$(cat count)" -gt 1000 ] || fail "the journal has only $(cat count) priorities"
# compare simulates the journal with the recorded priorities: the same starts
run "compare of the journal" compare --jobs-out compared.csv journal
[ "$(wc -l < compared.csv)" -eq 601 ] || fail "compare of the journal: $(wc -l < compared.csv) lines"
awk -F , 'NR > 1 && $3 != $4' compared.csv > differ
[ ! -s differ ] || fail "compare of the journal: $(wc -l < differ) other starts: $(head -n 3 differ)"

run import import --out log.swf sacct
run imported simulate $site --policy site --jobs-out imported.csv log.swf
cmp -s jobs.csv imported.csv || fail "importing the log changes the schedule"

for log in sacct log.swf; do
	run "present $log" compare $site --shake 0 --infer none "$log"
	grep -qF 'start within 24 h; priority/multifactor of slurm.conf; shares from assocs' out ||
		fail "compare $log: $(grep assumed out)"
	run "compare $log" compare $site --policy site --start-overhead 0 --infer none \
		--jobs-out compared.csv "$log"
	cut -d , -f 1,5 jobs.csv | sed 1d | sort > a
	cut -d , -f 1,6 compared.csv | sed 1d | sort > b
	cmp -s a b || fail "compare and simulate differ for $log: $(diff a b | head -n 5)"
done

for threads in 1 2 5; do
	run "$threads threads" simulate $site --policy site --policy easy \
		--contender mixed=lxfw_policy=lxfw,lxfw_wsite=2 --shake 3 \
		--threads $threads --jobs-out threads.csv --json sacct
	cat threads.csv >> out
	[ "$threads" -eq 1 ] && cp out one
	cmp -s one out || fail "another result with $threads threads"
done
run easy simulate $site --policy site --policy easy --jobs-out threads.csv sacct
sed -n 's/,easy$//p' threads.csv > easy.csv
sed 1d jobs.csv > site.csv
[ -s easy.csv ] || fail "no jobs of easy: $(head -n 2 threads.csv)"
cmp -s site.csv easy.csv && fail "priorities make no difference"

# The priority of a requeued job is calculated again.
run quanta simulate $site --journal quanta --params \
	lxfw_policy=lxfw,lxfw_wsite=1,lxfw_quantum=60,lxfw_quantum_end=requeue sacct
run "replay of quanta" replay quanta
run "one event at a time" simulate $site --policy site --pass event --journal events sacct
run "replay of events" replay events

# --- without dumps ------------------------------------------------------------------
run equal compare --cluster slurm.conf --jobs-out equal.csv sacct
grep -qF 'equal shares of accounts, and of users in each' out ||
	fail "equal shares: $(grep assumed out)"
grep -qF 'slurm.conf: PriorityWeightQOS has no effect without --qos' told ||
	fail "no note on QOS: $(cat told)"
grep -v u5 assocs > fewer
run fewer simulate --cluster slurm.conf --policy site --assocs fewer --qos qos sacct
grep -q 'fewer: [0-9]* of 600 jobs have no association in it' told ||
	fail "no note on jobs without association: $(cat told)"
run "no machine" simulate --policy site --cluster procs=64 sacct
grep -q 'all jobs have priority 0' told || fail "no note on priorities: $(cat told)"
sed s,slurmdbd,none, slurm.conf > nodbd.conf
run "no slurmdbd" simulate --policy site --cluster nodbd.conf sacct
grep -q 'does not count age and fair share' told || fail "no note on slurmdbd"

# Preemption, and limits of the jobs that are considered, are not simulated.
! grep -q 'simulations' told || fail "notes on settings that are not given: $(cat told)"
{
	grep -v '^SchedulerParameters' nodbd.conf
	echo PreemptType=preempt/qos
	echo SchedulerParameters=bf_max_job_user=10,bf_max_job_part=0
} > more.conf
for command in simulate compare; do
	run "$command" "$command" --cluster more.conf sacct
	grep -qF 'more.conf: PreemptType=preempt/qos: simulations preempt no jobs' told &&
		grep -qF 'more.conf: bf_max_job_user=10: simulations consider all jobs' told ||
		fail "no notes by $command: $(cat told)"
	! grep -q bf_max_job_part told || fail "a note on a limit that is off: $(cat told)"
done

# --- bad input ----------------------------------------------------------------------
sed '4s/|3|/|many|/' assocs > bad
refuse 'bad:4:' simulate --cluster slurm.conf --policy site --assocs bad \
	--jobs-out never.csv sacct
refuse 'bad:4:' compare --cluster slurm.conf --assocs bad --jobs-out never.csv sacct
sed '3s/100/high/' qos > bad
refuse 'bad:3:' simulate --cluster slurm.conf --policy site --qos bad sacct
sed 's/PriorityMaxAge=.*/PriorityMaxAge=old/' slurm.conf > bad.conf
refuse 'bad.conf:9:' compare --cluster bad.conf sacct
refuse '--assocs without a policy' simulate --cluster slurm.conf --assocs assocs sacct
refuse '--qos without priorities' simulate --cluster procs=64 --policy site --qos qos sacct
[ ! -e never.csv ] || fail "output was left behind in spite of an error"

finish
