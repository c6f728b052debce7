#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# HTCondor: history files, condor_history -long and condor_q -long.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# ad NUMBER PROC STATUS SUBMIT START END: the attributes that all jobs of this test have, in an
# order of no meaning
ad()
{
	echo "Environment = \"PATH=/bin:/usr/bin NAME = value$(printf ':%d' $(seq 60))\""
	echo "JobStatus = $3"
	[ "$5" = 0 ] || echo "JobCurrentStartDate = $5"
	echo "QDate = $4"
	echo "ClusterId = $1"
	[ "$3" = 4 ] && echo "CompletionDate = $6" || echo "CompletionDate = 0"
	echo "EnteredCurrentStatus = $6"
	echo "ProcId = $2"
	echo 'Requirements = (TARGET.Arch == "X86_64") && (TARGET.Memory >= RequestMemory)'
}

# expect LOG: standard input has number, submission, wait, run, processors, limit, KB per processor,
# used KB, status and requirements of the jobs, names, hosts and the summary
expect()
{
	"$lxfw" import --out out.swf --cluster-out hosts "$1" 2> told || fail "$1: $(cat told)"
	{
		awk '/^; Request:/ { text[$3] = $4 }
			/^; (User|Group):/ { print }
			!/^;/ { print $1, $2, $3, $4, $5, $9, $10, $7, $11, ($14 > 0 ? text[$14] : "-") }' \
			out.swf
		grep -v '^#' hosts
		cat told
	} > is
	diff - is > diff || fail "$1: $(cat diff)"
}

{
	ad 7 0 4 1735689600 1735689610 1735689710
	cat <<'END'
Owner = "ann"
AcctGroup = "group_physics"
RequestCpus = 4
CpusProvisioned = 4
RequestMemory = ifthenelse(MemoryUsage isnt undefined,MemoryUsage,( ImageSize + 1023 ) / 1024)
MemoryProvisioned = 2048
RequestGPUs = 1
ResidentSetSize = 102400
LastRemoteHost = "slot1_2@node7.example.org"
RemoteWallClockTime = 100.0
ExitCode = 0
ExitBySignal = false
*** Offset = 0 ClusterId = 7 ProcId = 0 Owner = "ann" CompletionDate = 1735689710
END
	# a task of the same cluster; suspended; it failed
	ad 7 1 4 1735689600 1735689620 1735689720
	cat <<'END'
User = "bob@example.org"
RequestCpus = 2.0
requestmemory = 512
CommittedSuspensionTime = 30
LastRemoteHost = "slot1@glidein_3324402_136032460@node8.example.org"
AllowedJobDuration = 3600
ExitCode = 1
*** Offset = 999 ClusterId = 7 ProcId = 1
END
	# removed: while it was waiting, while it was running, and when it was held after a run
	ad 8 0 3 1735689601 0 1735689700
	echo '*** Offset = 1'
	ad 9 0 3 1735689602 1735689612 1735689700
	echo '*** Offset = 1'
	ad 10 0 3 1735689603 1735689613 1735699700
	echo 'NumJobStarts = 1'
	echo 'RemoteWallClockTime = 1.200000000000000E+02'
	echo '*** Offset = 1'
	# DAGMan runs on the host of its schedd
	ad 11 0 4 1735689604 1735689614 1735699714
	echo 'JobUniverse = 7'
	echo '*** Offset = 1'
	# a job of the grid universe runs elsewhere
	ad 11 1 4 1735689604 1735689614 1735699714
	echo 'JobUniverse = 9'
	echo '*** Offset = 1'
	# a parallel job
	ad 12 0 4 1735689605 1735689615 1735689715
	cat <<'END'
JobUniverse = 11
MaxHosts = 3
RequestCpus = 2
RequestMemory = 100
RequestGPUs = 2
LastRemoteHost = "slot1@node1"
*** Offset = 1
*** Offset = 1
END
	# a job of no time, a line of something else, and the last ad, which is cut
	ad 13 0 4 0 0 1735689715
	echo '*** Offset = 1'
	echo 'Failed to open history file'
	ad 14 0 4 1735689606 1735689616 1735689717
} > history
expect history <<'END'
; User: 1 ann
; User: 2 bob
; Group: 1 group_physics
7 0 10 100 4 -1 524288 25600 1 nodes=1,gres/gpu=1
7 0 20 70 2 3600 262144 -1 0 nodes=1
8 1 99 -1 1 -1 -1 -1 5 nodes=1
9 2 10 88 1 -1 -1 -1 5 nodes=1
10 3 10 120 1 -1 -1 -1 5 nodes=1
12 5 10 100 6 -1 51200 -1 1 nodes=3,gres/gpu=6
14 6 10 101 1 -1 -1 -1 1 nodes=1
node7.example.org procs=4 memory=2048 gpu=1
node8.example.org procs=2 memory=512
lxfw: 11 records (htcondor): 7 of jobs, 2 not of ended jobs, 2 odd (left out), the first: history:110: no QDate, expected seconds since 1970; never started: 1; suspended: 1; without a time limit: 6; most processors held at once: 15
END

# condor_q: empty lines between the ads, the name of the schedd, jobs that are not over.
{
	echo
	echo '-- Schedd: submit.example.org : <10.0.0.1:9618> @ 01/01/25 01:00:00'
	ad 20 0 2 1735689600 1735689610 1735689610
	echo 'RemoteHost = "slot1@node1"'
	echo
	ad 21 0 5 1735689601 1735689611 1735689650
	echo
	echo
	ad 22 0 4 1735689602 1735689612 1735689712
	echo 'RemoteHost = "slot1@node1"'
	echo
} > queue
expect queue <<'END'
22 0 10 100 1 -1 -1 -1 1 nodes=1
node1 procs=1
lxfw: 3 records (htcondor): 1 of jobs, 2 of running or pending jobs; without a time limit: 1; most processors held at once: 1
END

# The same job in two logs; those of two schedds.
"$lxfw" import --out out.swf history history 2> told && [ "$(grep -vc '^;' out.swf)" = 7 ] ||
	fail "twice: $(cat told)"
for schedd in a b; do
	ad 7 0 4 1735689600 1735689610 1735689710
	echo "GlobalJobId = \"$schedd.example.org#7.0#1735689600\""
	echo
done > two
"$lxfw" import --out out.swf two 2> told && [ "$(grep -vc '^;' out.swf)" = 2 ] ||
	fail "two schedds: $(cat told)"

# An ad of something else.
printf 'MyType = "Machine"\nName = "slot1@node1"\n\n' > machine
"$lxfw" import --out none.swf machine 2> told
[ $? -eq 2 ] && [ "$(cat told)" = \
	'machine:1: an ad without ClusterId, expected that of a job' ] || fail "machine: $(cat told)"

# A job without JobStatus that has an end. The history of epochs, whose ads are of runs.
{
	ad 30 0 4 1735689600 1735689610 1735689710
	echo
	ad 31 0 4 1735689600 1735689610 0
} | grep -v JobStatus > bare
"$lxfw" import --out out.swf bare 2> told && grep -q ': 1 of jobs, 1 of running or pending' told &&
	[ "$(awk '!/^;/ { print $1, $4, $11 }' out.swf)" = "30 100 1" ] || fail "bare: $(cat told)"
{
	ad 7 0 2 1735689600 1735689610 1735689610
	echo '*** EPOCH ClusterId=7 ProcId=0 RunInstanceId=0 Owner="ann" CurrentTime=1735689710'
} > epochs
"$lxfw" import --out none.swf epochs 2> told
[ $? -eq 2 ] && [ "$(cat told)" = 'epochs:10: an ad of the history of epochs, which are runs, '\
'expected the output of condor_history -long' ] || fail "epochs: $(cat told)"

# What condor_history prints as JSON: an array, and a line for each ad.
printf '[\n{\n  "ClusterId": 7,\n  "ProcId": 0,\n  "QDate": 1735689600\n}\n]\n' > array.json
printf '{"ClusterId":7,"ProcId":0}\n{"ClusterId":8,"ProcId":0}\n' > lines.jsonl
for file in array.json lines.jsonl; do
	"$lxfw" import --out none.swf $file 2> told
	[ $? -eq 2 ] && [ "$(cat told)" = "$file:1: the JSON of condor_history or condor_q, \
expected the output of condor_history -long" ] || fail "$file: $(cat told)"
done

"$lxfw" compare --policy easy --cluster procs=16 history > out 2>&1 || fail "compare: $(cat out)"

finish
