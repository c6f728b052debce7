#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Maui's workload trace and Moab's events.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# expect LOG: standard input has number, submission, wait, run, processors, limit, KB per processor,
# status and requirements of the jobs, the queues, the hosts, and the summary
expect()
{
	"$lxfw" import --out out.swf --cluster-out hosts "$1" 2> told || fail "$1: $(cat told)"
	{
		awk '/^; Request:/ { text[$3] = $4 }
			/^; Queue:/ { print }
			!/^;/ { print $1, $2, $3, $4, $5, $9, $10, $11, ($14 > 0 ? text[$14] : "-") }' \
			out.swf
		grep -v '^#' hosts
		cat told
	} > is
	diff - is > diff || fail "$1: $(cat diff)"
}

# job ID NODES TASKS USER STATE CLASS SUBMIT START END TASKS-HELD COMMAND PROCS MEMORY EARLIEST
# HOSTS RESERVATION: a line of Maui
job()
{
	echo "$1 $2 $3 $4 chem 3600 $5 $6 $7 $8 $8 $9 [NONE] [NONE] [NONE] >= 0M NC 0M [NONE] $7" \
		"${10} -1 [NONE]:DEFAULT [NONE] proj ${11} [NONE] 0 800.00 DEFAULT ${12} ${13} 0M" \
		"0M ${14} 2140000000 ${15} 0 [NONE] ${16} [NONE] [NONE] [NONE]"
}

many=$(for i in $(seq 1 50); do printf ':m%d' "$i"; done)
{
	echo 'VERSION 230'
	echo '# JobID              NRQ TRQ UserName GroupName WCLimit  JobState       Class QueueTime'
	job 101 2 6 ann Completed '[batch:1]' 1735689600 1735689610 1735689710 8 a.sh 1 512M 0 n1:n2 '[NONE]'
	# blanks in the command; two processors for each task; held until its start date
	job 102.srv 0 4 bob Removed '[long:1][batch:1]' 1735689600 1735689640 1735689650 4 'sh -c x' 2 0M 1735689620 n1 res.1
	echo 'VERSION 230'
	# cancelled while it was waiting; all processors of a node; still running
	job 103 1 1 bob Removed '[NONE]' 1735689601 0 1735689700 0 a.sh 1 0M 0 '[NONE]' '[NONE]'
	job 104 1 1 bob Completed '[batch:1]' 1735689602 1735689700 1735689701 1 a.sh -1 0M 1 n3 '[NONE]'
	job 105 1 1 bob Running '[batch:1]' 1735689603 1735689700 0 1 a.sh 1 0M 0 n3 '[NONE]'
	job 106 50 50 bob Completed '[batch:1]' 1735689604 1735689800 1735689900 50 a.sh 1 0M 0 "${many#:}" '[NONE]'
	# fewer words than the format has; numbers of users; no submission; cut
	echo 'SP02.2343.0 20 20 570 519 86400 Removed [batch:1] 1735689605 1735690000 1735690000 1735690226 ethernet R6000 AIX43 >= 256 >= 0 [NONE] 1735689605 20 0 0 2 0 test.cmd 1001 6 678.08 0 1 0 0 0 0 0 [NONE] 0 [NONE] [NONE] [NONE] [NONE] [NONE]'
	job 108 1 1 bob Completed '[batch:1]' 0 1735689700 1735689701 1 a.sh 1 0M 1 n3 '[NONE]'
	echo '109 1 1 bob chem'
} > maui
expect maui <<END
; Queue: 1 batch
; Queue: 2 long
101 0 10 100 8 3600 524288 1 nodes=2,least-nodes=2,qos=DEFAULT,account=proj
103 1 99 -1 1 3600 -1 5 nodes=1,qos=DEFAULT,account=proj
104 2 98 1 1 3600 -1 1 nodes=1,exclusive,qos=DEFAULT,account=proj
106 4 196 100 50 3600 -1 1 nodes=50,least-nodes=50,qos=DEFAULT,account=proj
7 5 395 226 20 86400 -1 5 nodes=20,least-nodes=20
102 20 20 10 8 3600 -1 5 nodes=1,qos=DEFAULT,reservation=res.1,account=proj
$(for i in $(seq 1 50); do echo "m$i procs=1"; done)
n1 procs=12
n2 procs=4
n3 procs=1
lxfw: 9 records (maui): 6 of jobs, 1 of running or pending jobs, 2 odd (left out), the first: maui:11: the submission is not a time, expected seconds since 1970; never started: 1; held back after submission: 1; most processors held at once: 50
END

# event TIME JOB EVENT TASKS USER STATE SUBMIT START END TASKS-HELD ATTRIBUTES HOSTS MESSAGE
event()
{
	echo "00:01:50 $1 job $2 $3 0 $4 $5 chem 3600 $6 batch $7 $8 $8 $9 - - NC 0M NC 0M - $7" \
		"${10} -1 low:high - proj a.sh ${11} 0 0.00 torque 2 100M 0M 0M 0 2140000000" \
		"${12} torque - - - - - 0.00 - - - 0 - - - 0${13}"
}
{
	echo '00:00:00 1735689500:1 sched Moab SCHEDSTART -'
	event 1735689610:2 7 JOBSTART 4 ann Running 1735689600 1735689610 1735689610 4 - n1,n1,n2,n2
	event 1735689710:3 7 JOBEND 4 ann Completed 1735689600 1735689610 1735689710 4 'a b c' n1,n1,n2,n2
	# cancelled while it was waiting, and told twice
	event 1735689710:4 8 JOBCANCEL 2 bob Idle 1735689601 0 1735689710 0 - -
	event 1735689711 8 JOBCANCEL 2 bob Idle 1735689601 0 1735689711 0 - - " MSG='job purged'"
	# cancelled while it was running, with an end and without
	event 1735689720:6 9 JOBCANCEL 2 bob Running 1735689602 1735689612 1735689720 2 - 'n[1-2]*1'
	event 1735689722:7 9 JOBEND 2 bob Removed 1735689602 1735689612 1735689722 2 - 'n[1-2]*1'
	event 1735689730:8 10 JOBCANCEL 1 bob Running 1735689603 1735689613 1735689730 1 - n3
	# another job with an old number
	event 1735689900:9 8 JOBEND 1 ann Completed 1735689800 1735689810 1735689900 1 - n3
	# cancelled after its end, as some releases say
	event 1735689901:9 8 JOBCANCEL 1 ann Completed 1735689800 1735689810 1735689901 1 - n3
	echo '00:01:50 1735689902:10 rsv res.1 RSVEND -'
	echo 'torn line'
	echo '00:01:50 1735689902:10 job 11 JOBEND 1 1'
} > moab
expect moab <<'END'
; Queue: 1 batch
7 0 10 100 8 3600 51200 1 nodes=2,qos=high,account=proj
8 1 109 -1 4 3600 51200 5 qos=high,account=proj
9 2 10 110 4 3600 51200 5 qos=high,account=proj
10 3 10 117 2 3600 51200 5 nodes=1,qos=high,account=proj
8 200 10 90 2 3600 51200 1 nodes=1,qos=high,account=proj
n1 procs=4 memory=200
n2 procs=4 memory=200
n3 procs=2 memory=100
lxfw: 13 records (moab): 5 of jobs, 6 not of ended jobs, 2 odd (left out), the first: moab:12: no event, expected HH:MM:SS TIME:NUMBER job JOB EVENT ...; never started: 1; most processors held at once: 14
END

# Cancellations without a completion time: while waiting, while running, and before the end.
{
	event 1735689710:1 1 JOBCANCEL 2 bob Idle 1735689600 0 0 0 - -
	event 1735689720 2 JOBCANCEL 2 bob Running 1735689602 1735689612 0 2 - n1
	event 1735689730:2 3 JOBCANCEL 2 bob Running 1735689603 1735689613 0 2 - n1
	event 1735689733:3 3 JOBEND 2 bob Removed 1735689603 1735689613 1735689733 2 - n1
} > cancelled
expect cancelled <<'END'
; Queue: 1 batch
1 0 110 -1 4 3600 51200 5 qos=high,account=proj
2 2 10 108 4 3600 51200 5 nodes=1,qos=high,account=proj
3 3 10 120 4 3600 51200 5 nodes=1,qos=high,account=proj
n1 procs=8 memory=400
lxfw: 4 records (moab): 3 of jobs, 1 not of ended jobs; never started: 1; most processors held at once: 8
END
# The event of such a cancellation must be after the submission.
{ cat cancelled; event 100000:5 4 JOBCANCEL 2 bob Idle 1735689604 0 0 0 - -; } > odd
"$lxfw" import --out out.swf odd 2> told
grep -q ' 3 of jobs, 1 not of ended jobs, 1 odd (left out), the first: odd:5: the end is decades before the submission, ' told ||
	fail "odd: $(cat told)"

"$lxfw" compare --policy easy --cluster procs=16 moab > out 2>&1 || fail "compare: $(cat out)"

# A day without jobs.
echo 'VERSION 230' > none
"$lxfw" import --out none.swf none 2> told
[ $? -eq 2 ] && grep -q 'no records in the file' told || fail "none: $(cat told)"

finish
