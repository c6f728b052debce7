#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Odd records never refuse a log, whatever its format: they are counted and left out, unless
# nothing is left or a long log has too many. Formats are detected from the first line that
# shows them. The files in odd/ are of the kinds that sites and researchers have.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cp "$golden"/odd/* "$work"
cd "$work" || exit 99

# reads LOG: standard input has the expected records, without the numbers of users, groups
# and queues, and the summary
reads()
{
	"$lxfw" import "$1" > out.swf 2> told || fail "$1: exit status $?: $(cat told)"
	{
		grep -v '^;' out.swf | cut -d ' ' -f 1-11
		sed 's/^lxfw: //; s/; local times interpreted as UTC: [^)]*--tz)//; s/; without a time limit: [0-9]*//' told
	} > is
	diff -u - is > diff || fail "$1: $(cat diff)"
}

# requests LOG TEXT: the log has jobs with these further requirements
requests()
{
	"$lxfw" import "$1" > out.swf 2> told || fail "$1: $(cat told)"
	grep -q "^; Request: 1 $2\$" out.swf || fail "$1: no '$2': $(grep Request: out.swf)"
}

# refuses LOG MESSAGE: exit status 2, this message, and no trace
refuses()
{
	"$lxfw" import --out none.swf "$1" > out 2> told
	status=$?
	[ $status -eq 2 ] || fail "$1: exit status $status"
	[ "$(cat told)" = "$1:$2" ] || fail "$1: '$(cat told)'"
	[ ! -s out ] && [ ! -e none.swf ] || fail "$1: a trace was written"
}

formats='expected swf|table|batsim|philly|jobcomp|slurmrestd|lsf|pbs|htcondor|maui|moab|sge|scontrol|slurm-sim|sacct; nearest guess:'

# --- sacct ------------------------------------------------------------------
# The clocks of hosts disagreed: the run time is that from start to end, which is 0 for 1.
reads negative-elapsed.sacct <<'END'
2 0 0 610 2 -1 -1 2 3600 2097152 1
1 10 616 0 2 -1 -1 2 3600 2097152 1
2 records (sacct): 2 of jobs; most processors held at once: 2; with an end before the start, or a start before the submission (the time between counts as 0): 2 jobs
END
# 1970 is a time that is not set.
reads start-1970.sacct <<'END'
1 0 5 3600 2 -1 -1 2 -1 -1 1
8 0 3600 -1 2 -1 -1 2 -1 -1 1
2 records (sacct): 2 of jobs; never started: 1; most processors held at once: 2
END
sed 's/^1|2022-11-01T12:00:00/1|1970-01-01T00:00:00/' start-1970.sacct > submit-1970.sacct
reads submit-1970.sacct <<'END'
8 0 3600 -1 2 -1 -1 2 -1 -1 1
2 records (sacct): 1 of jobs, 1 odd (left out), the first: submit-1970.sacct:2: the submission is decades before the start or the end, expected a time such as 2025-01-31T12:00:00 or seconds since 1970; never started: 1
END
# JobIDRaw without JobID; GPUs are those that were allocated.
reads raw.sacct <<'END'
1 0 5 595 2 -1 -1 2 3600 2097152 1
1 records (sacct): 1 of jobs; most processors held at once: 2
END
requests raw.sacct 'nodes=1,gres/gpu:a100=1,gres/gpu=1'
# Other delimiters, one of which is also in lists: with and without quotes.
cat > expected <<'END'
1 0 5 595 2 -1 -1 2 3600 2097152 1
1 records (sacct): 1 of jobs; most processors held at once: 2
END
reads commas.sacct < expected
reads tabs.sacct < expected
cat > expected <<'END'
7 0 5 595 4 -1 -1 4 -1 2097152 1
1 records (sacct): 1 of jobs; most processors held at once: 4
END
for log in quoted.sacct lists.sacct; do
	reads $log < expected
	requests $log 'nodes=2,\(least-nodes=2,\)*gres/gpu=2'
	"$lxfw" import --out out.swf --cluster-out hosts $log 2> told || fail "$log: $(cat told)"
	[ "$(grep '^n' hosts)" = 'n1 procs=2 memory=4096 gpu=1
n3 procs=2 memory=4096 gpu=1' ] ||
		fail "$log: hosts $(cat hosts)"
done
# An offset from UTC: job 2 is submitted ten seconds after job 1, and no time is local.
reads offsets.sacct <<'END'
1 0 5 595 2 -1 -1 2 -1 -1 1
2 10 10 580 2 -1 -1 2 -1 -1 1
2 records (sacct): 2 of jobs; most processors held at once: 4
END
! grep -q local told || fail "offsets.sacct: $(cat told)"
# sacct -n, with the columns that lxfw-import(1) recommends
reads headerless.sacct <<'END'
6 0 5 595 2 -1 262144 2 3600 2097152 1
2 records (sacct): 1 of jobs, 1 of job steps; most processors held at once: 2
END
reads headerless-short.sacct <<'END'
2 0 0 610 2 -1 -1 2 3600 2097152 1
1 10 616 0 2 -1 -1 2 3600 2097152 1
2 records (sacct): 2 of jobs; most processors held at once: 2; with an end before the start, or a start before the submission (the time between counts as 0): 2 jobs
END
# A message of sacct, before the header and in the middle.
reads error-first.sacct <<'END'
1 0 5 595 2 -1 -1 2 3600 2097152 1
2 records (sacct): 1 of jobs, 1 odd (left out), the first: error-first.sacct:1: no header line with JobID and an unknown order of columns, expected the output of sacct --parsable2 with its header line; most processors held at once: 2
END
sed -n 2p error-first.sacct > error-later.sacct
sed -n '1p;3p' error-first.sacct >> error-later.sacct
reads error-later.sacct <<'END'
1 0 5 595 2 -1 -1 2 3600 2097152 1
2 records (sacct): 1 of jobs, 1 odd (left out), the first: error-later.sacct:2: 1 fields, expected 15 as in the header; most processors held at once: 2
END

# --- other formats ----------------------------------------------------------
reads cut-record.pbs <<'END'
100 0 1801 1800 1 -1 -1 1 3600 -1 1
2 records (pbs): 1 of jobs, 1 odd (left out), the first: cut-record.pbs:2: no end in an E record, expected seconds since 1970; most processors held at once: 1
END
# bytes of a file system that lost a block, in front of a record
{ head -c 300 /dev/zero; sed 1q cut-record.pbs; sed 1q cut-record.pbs | sed 's/;100.s;/;101.s;/'; } > zeros.pbs
reads zeros.pbs <<'END'
101 0 1801 1800 1 -1 -1 1 3600 -1 1
2 records (pbs): 1 of jobs, 1 odd (left out), the first: zeros.pbs:1: no accounting record, expected MM/DD/YYYY HH:MM:SS;TYPE;JOB;KEY=VALUE ...; most processors held at once: 1
END
{ head -c 300 /dev/zero; cat raw.sacct; head -c 300 /dev/zero; } > zeros.sacct
reads zeros.sacct <<'END'
1 0 5 595 2 -1 -1 2 3600 2097152 1
2 records (sacct): 1 of jobs, 1 odd (left out), the first: zeros.sacct:3: 1 fields, expected 12 as in the header; most processors held at once: 2
END
# Cobalt writes fractions of seconds, and the number of nodes, not of processors.
reads fractions.pbs <<'END'
123 0 100 3500 64 -1 -1 64 1800 -1 0
1 records (pbs): 1 of jobs; most processors held at once: 64
END
reads colon-in-name.sge <<'END'
579398 0 0 194 4 -1 -1 4 -1 -1 1
579399 0 0 194 4 -1 -1 4 -1 -1 1
2 records (sge): 2 of jobs; most processors held at once: 8
END
sed 's/:579399:sge:/:none:sge:/' colon-in-name.sge > no-number.sge
reads no-number.sge <<'END'
579398 0 0 194 4 -1 -1 4 -1 -1 1
2 records (sge): 1 of jobs, 1 odd (left out), the first: no-number.sge:2: field 6 (job number) is not a number, expected 0 or more; most processors held at once: 4
END
cat > log.lsf <<'END'
"JOB_FINISH" "10.108" 1735689710 1501
"JOB_NEW" "10.108" "cut
what is this
"JOB_RESIZE" "10.108" 1735689600 1 0
END
refuses log.lsf '1: 4 fields in a JOB_FINISH, expected those of lsb.acct(5); 3 of 4 records cannot be read, expected at most a tenth; log.lsf:2: unterminated string, expected '\''"'\''; log.lsf:3: not an event, expected a line that begins with "JOB_FINISH"'
cat > jobs.json <<'END'
sacct: error: slurmdbd: Sending message type: 1
{"jobs": [
  {"job_id": 1},
  {"job_id": 2, "state": {"current": ["COMPLETED"]}, "required": {"CPUs": 2},
   "time": {"submission": 1735689600, "start": 1735689605, "end": 1735689615, "elapsed": 10}}]}
END
reads jobs.json <<'END'
2 0 5 10 2 -1 -1 2 -1 -1 1
3 records (slurmrestd): 1 of jobs, 2 odd (left out), the first: jobs.json:1: not JSON, expected the output of slurmrestd or sacct --json; most processors held at once: 2
END
reads squeue.json <<'END'
7 0 2 42 4 -1 -1 4 -1 -1 1
1 records (slurmrestd): 1 of jobs; most processors held at once: 4
END
reads batsim.json <<'END'
1 0 -1 21 -1 -1 -1 4 100 -1 -1
1 records (batsim): 1 of jobs; of a workload that has not run: 1
END
reads array.json <<'END'
10238 0 5 60 2 -1 -1 2 -1 -1 1
1 records (philly): 1 of jobs; most processors held at once: 2
END
# The names of these jobs look like values. Job 4709_2 is 4711; 4713 and 13 were cancelled while
# they waited.
shown()
{
	reads "$1" <<'END'
4711 0 60 600 8 -1 -1 8 1800 2097152 1
4713 180 120 -1 4 -1 -1 4 31536000 262144 5
3 records (scontrol): 2 of jobs, 1 of running or pending jobs; never started: 1; most processors held at once: 8
END
}
shown show-job.txt
requests show-job.txt nodes=2,qos=normal,account=lab
awk '/^ / { printf " %s", substr($0, 4); next } NF { printf "%s%s", n++ ? "\n" : "", $0 }
	END { print "" }' show-job.txt > oneliner
shown oneliner
reads jobcomp.txt <<'END'
12 0 5 595 4 -1 -1 4 3600 1048576 1
13 0 9 -1 -1 -1 -1 -1 31536000 -1 5
2 records (scontrol): 2 of jobs; never started: 1; most processors held at once: 4
END
sed 's/SubmitTime=2025-01-31T12:03:00/SubmitTime=Unknown/; s/^JobId=4712/JobId=x/' show-job.txt > odd-job.txt
reads odd-job.txt <<'END'
4711 0 60 600 8 -1 -1 8 1800 2097152 1
3 records (scontrol): 1 of jobs, 2 odd (left out), the first: odd-job.txt:17: no record of a job, expected JobId=NUMBER; most processors held at once: 8
END
{
	echo 'job number, submission'
	echo '; MaxProcs: 4'
	job 1 0 10 2 10
	echo '2 5 -1 10 2'
	job 3 7 ten 2 10
	job 4 8 10 2 10
} > trace.swf
reads trace.swf <<'END'
1 0 -1 10 2 -1 -1 2 10 -1 1
4 8 -1 10 2 -1 -1 2 10 -1 1
trace.swf: 5 records (swf), 3 odd (left out), the first: trace.swf:1: field 1 (job number) is 'job', expected a number
END
"$lxfw" simulate trace.swf > out 2> told || fail "simulate: $(cat told)"
grep -qxF "lxfw: trace.swf: 3 odd records left out, the first: trace.swf:1: field 1 (job number) is 'job', expected a number" told ||
	fail "simulate: $(cat told)"
"$lxfw" compare --cluster procs=4 error-first.sacct > out 2> told || fail "compare: $(cat told)"
grep -q '^lxfw: error-first.sacct: 1 odd records left out, the first: error-first.sacct:1: ' told ||
	fail "compare: $(cat told)"

# --- counts -----------------------------------------------------------------
"$lxfw" import --out out.swf --format csv error-later.sacct > out 2> told || fail "csv: $(cat told)"
grep -q '^,,odd_records,1,$' out && grep -q '^,,first_odd_line,2,$' out || fail "csv: $(cat out)"
# records N ODD: a log of N records, the first ODD of which are odd
records()
{
	echo 'JobID|Submit|Start|End|NCPUS'
	i=0
	while [ $i -lt "$1" ]; do
		i=$((i + 1))
		if [ $i -le "$2" ]; then echo "$i|soon|20|30|1"; else echo "$i|10|20|30|1"; fi
	done
}
# accepts LOG ODD
accepts()
{
	"$lxfw" import --out out.swf "$1" 2> told || fail "$1: $(cat told)"
	grep -q " $2 odd (left out), the first: $1:2: Submit is not a time" told ||
		fail "$1: $(cat told)"
}
soon='Submit is not a time, expected 2025-01-31T12:00:00 or seconds'
records 99 98 > short
accepts short 98
records 99 99 > none
refuses none "2: $soon; 99 of 99 records cannot be read, expected at most a tenth; none:3: $soon; none:4: $soon"
records 100 10 > tenth
accepts tenth 10
records 100 11 > many
refuses many "2: $soon; 11 of 100 records cannot be read, expected at most a tenth; many:3: $soon; many:4: $soon"
# each log is judged by itself
"$lxfw" import --out none.swf short many 2> told && fail 'two logs: exit status 0'
grep -q '^many:2: ' told || fail "two logs: $(cat told)"
"$lxfw" compare --cluster procs=4 many > out 2> told
[ $? -eq 2 ] && [ ! -s out ] && grep -q '^many:2: .*; 11 of 100 records' told ||
	fail "compare: $(cat told)"
{ i=0; while [ $i -lt 100 ]; do i=$((i + 1)); echo "$i x"; done; } > words.swf
{ job 1 0 10 2 10; cat words.swf; } > words
refuses words "2: field 2 (submit time) is 'x', expected a number; 100 of 101 records cannot be read, expected at most a tenth; words:3: field 2 (submit time) is 'x', expected a number; words:4: field 2 (submit time) is 'x', expected a number"

# --- unknown formats --------------------------------------------------------
echo '[{"name":"a","queued":1}]' > array.json
refuses array.json "1: '[{\"name\":\"a\",\"queued\":1}]' is in no known format, $formats JSON, expected the output of slurmrestd, sacct --json or squeue --json, a workload of Batsim, jobs of Philly or records of jobcomp/elasticsearch"
sed 's/RunTime/Ran/' grid.gwf > other.gwf
refuses other.gwf "1: '# UniqueId: 1' is in no known format, $formats the Grid Workload Format"
sed '1s/submit_time/asked/' names.csv > own.csv
refuses own.csv "1: 'job_id,user,vc,gpu_num,cpu_num,node_num,state,asked,star...' is in no known format, $formats a table with columns of its own, see --columns of lxfw-import(1); of sacct's columns, at least JobID,Submit,Start,End,NCPUS are expected"
echo 'once upon a time' > text
refuses text "1: 'once upon a time' is in no known format, $formats none"
"$lxfw" simulate --cluster procs=4 text > out 2> told
[ $? -eq 2 ] && [ ! -s out ] && grep -q "^text:1: 'once upon a time' is in no known format" told ||
	fail "simulate: $(cat told)"
# the format that is given is not detected
"$lxfw" import --out none.swf --format-in swf text > out 2> told && fail '--format-in swf: accepted'
grep -qx "text:1: field 1 (job number) is 'once', expected a number" told ||
	fail "--format-in swf: $(cat told)"
finish
