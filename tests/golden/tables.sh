#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw import of tables with named columns: those of data sets, and of the caller.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# imported FILE OPTIONS...: the jobs of the trace, one per line: number, submission, wait, run,
# processors, limit, KB per processor, status, requirements.
imported()
{
	file=$1
	shift
	"$lxfw" import --out out.swf "$@" "$file" 2> told || fail "$file: $(cat told)"
	awk '/^; Request:/ { text[$3] = $4 }
		!/^;/ { print $1, $2, $3, $4, $8, $9, $10, $11, ($14 > 0 ? text[$14] : "-") }' out.swf
}

# expect NAME, the lines on standard input
expect()
{
	imported "$@" > jobs
	cat > expected
	cmp -s jobs expected || fail "$*: $(diff expected jobs)"
}

cat > helios.csv <<'END'
job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
7,u1,vc1,8,64,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:00:10,2020-04-01 01:00:10,3600,10
8,u2,vc2,0,4,1,FAILED,2020-04-01 00:01:00,2020-04-01 00:01:00,2020-04-01 00:02:30,90,0
9,u2,vc2,1,4,1,CANCELLED,2020-04-01 00:02:00,,2020-04-01 00:05:00,,180
END
expect helios.csv <<'END'
7 0 10 3600 64 -1 -1 1 nodes=1,gres/gpu=8
8 60 0 90 4 -1 -1 0 nodes=1
9 120 180 -1 4 -1 -1 5 nodes=1,gres/gpu=1
END
grep -q '^; UnixStartTime: 1585699200$' out.swf && grep -q '^; Queue: 2 vc2$' out.swf ||
	fail "helios: $(grep '^;' out.swf)"
expect helios.csv --tz Europe/Berlin <<'END'
7 0 10 3600 64 -1 -1 1 nodes=1,gres/gpu=8
8 60 0 90 4 -1 -1 0 nodes=1
9 120 180 -1 4 -1 -1 5 nodes=1,gres/gpu=1
END
grep -q '^; UnixStartTime: 1585692000$' out.swf || fail "zone: $(grep '^;' out.swf)"

# Slurm's data base: a limit in minutes, numbers of states, commas in quotes.
cat > slurm.csv <<'END'
id_job,id_user,nodes_alloc,nodelist,cpus_req,partition,state,timelimit,time_submit,time_eligible,time_start,time_end,tres_alloc
1,1001,1,['r1'],4,normal,3,1440,1609459200,1609459205,1609459210,1609462810,"1=8,2=8192,4=1,1001=2,1002=2"
2,1001,2,"['r1', 'r2']",4,normal,5,4294967295,1609459300,1609459300,1609459300,1609459400,"1=16,4=2"
3,1002,0,[],4,normal,1,60,1609459400,1609459400,1609459500,0,"1=4"
END
expect slurm.csv <<'END'
1 0 5 3600 8 86400 1048576 1 nodes=1,gres/gpu=2
2 95 0 100 16 31536000 -1 0 nodes=2
END
grep -q '1 of running or pending jobs' told || fail "slurm: $(cat told)"

# The Grid Workload Format: its header is a comment.
cat > grid.gwf <<'END'
# UniqueId: 1
# JobID	SubmitTime	WaitTime	RunTime	NProcs	AverageCPUTimeUsed	Used Memory	ReqNProcs	ReqTime	ReqMemory	Status	UserID	GroupID	ExecutableID	QueueID	PartitionID	OrigSiteID
1	1119400000	3	120	4	118.5	-1	4	900	-1	1	user1	group1	app1	queue0	part0	site1
2	1119400010	30	-1	-1	-1	-1	2	900	-1	5	user2	group1	app1	queue0	part0	site1
3	1119400020	0	60	1	-1	-1	1	-1	-1	0	user1	group1	app1	queue1	part0	site1
END
expect grid.gwf <<'END'
1 0 3 120 4 900 -1 1 -
2 10 30 -1 -1 900 -1 5 -
3 20 0 60 1 -1 -1 0 -
END
grep -q '^; User: 2 user2$' out.swf || fail "grid: $(grep '^;' out.swf)"
# As the archive has it: blanks and colons at the ends of names.
sed 's/ReqTime/ReqTime:/; s/RunTime/RunTime /; s/NProcs/NProcs :/' grid.gwf > colon.gwf
expect colon.gwf <<'END'
1 0 3 120 4 900 -1 1 -
2 10 30 -1 -1 900 -1 5 -
3 20 0 60 1 -1 -1 0 -
END

# Seconds from an unknown time, with fractions; durations in place of times.
cat > own.tsv <<'END'
name	queued	waited	took	cores	asked
a.1	0.0	1.5	10.2	2	1:00:00
a.2	5.0	0	20	4	600
END
"$lxfw" import --out none.swf own.tsv 2> told && fail "own.tsv: accepted without --columns"
grep -q 'a table with columns of its own, see --columns' told || fail "own.tsv: $(cat told)"
expect own.tsv --columns job=name,submit=queued,wait=waited,run=took,procs=cores,limit=asked <<'END'
1 0 1 10 2 3600 -1 1 -
2 5 0 20 4 600 -1 1 -
END
sed 1d own.tsv > bare.tsv
expect bare.tsv --columns job=1,submit=2,wait=3,run=4,procs=5,limit=6 <<'END'
1 0 1 10 2 3600 -1 1 -
2 5 0 20 4 600 -1 1 -
END

# Other separators, quotes, offsets of dates, and what is not set.
cat > quoted.csv <<'END'
"Job_ID";"Submit_Time";"Start_Time";"End_Time";"CPUs";"GPUs";"Mem_GB";"State"
"1";"2024-05-01T12:00:00.250+02:00";"2024-05-01T10:00:30Z";"2024-05-01T10:01:30.9Z";"3";"NULL";"1.5";"Pass"
"2";"2024-05-01T10:00:10Z";"";"";"3";"";"";"PENDING"
"x ""y""";"2024-05-01T10:00:20Z";"2024-05-01T10:00:20Z";"2024-05-01T10:00:50Z";"";"4";"";"Killed"
END
expect quoted.csv <<'END'
1 0 30 60 3 -1 524288 1 -
3 20 0 30 4 -1 -1 5 gres/gpu=4
END

# A bare table: quotes in the first row, and words in it that are names of columns.
cat > words.csv <<'END'
"1","gpus",0,10,30,4
"2","wait",5,10,20,2
END
expect words.csv --columns job=1,queue=2,submit=3,start=4,end=5,procs=6 <<'END'
1 0 10 20 4 -1 -1 1 -
2 5 5 10 2 -1 -1 1 -
END
grep -q '^; Queue: 1 gpus$' out.swf || fail "words: $(grep '^;' out.swf)"

# What precedes the header; JobID beside names that are not sacct's; a NUL.
{ echo 'sep=;'; echo; echo '# comment'; echo 'JobID;submit;start;end;cpus'; echo '7;0;10;30;4'; } \
	> before.csv
expect before.csv <<'END'
7 0 10 20 4 -1 -1 1 -
END
grep -q ' 1 odd (left out), the first: before.csv:1: the line precedes the header' told ||
	fail "before: $(cat told)"
# A line before the header counts as a record. More columns than a table may have.
{ echo 'sep=;'; echo 'JobID;submit;start;end;cpus'; echo '7;0;soon;30;4'; } > none.csv
"$lxfw" import --out none.swf none.csv 2> told && fail "none.csv: accepted"
grep -q '2 of 2 records cannot be read' told || fail "none.csv: $(cat told)"
awk 'BEGIN { for (i = 1; i < 300; i++) printf "c%d,", i; print "end" }' > wide.csv
"$lxfw" import --out none.swf --format-in table wide.csv 2> told && fail "wide.csv: accepted"
grep -q 'wide.csv:1: 300 columns, expected at most 256' told || fail "wide.csv: $(cat told)"
printf 'a\0' > nul.csv
yes 'submit,start,end,procs' | head -n 5000 >> nul.csv
"$lxfw" import --out none.swf --format-in table nul.csv 2> told && fail "nul.csv: accepted"
[ $? -le 2 ] || fail "nul.csv: $(cat told)"
printf 'Submit|Start|End|NCPUS|State\n2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:01:00|4|COMPLETED\n' \
	> nojobid.txt
"$lxfw" import --out none.swf nojobid.txt 2> told && fail "nojobid.txt: accepted"
grep -q 'no header line with JobID' told || fail "nojobid: $(cat told)"

# Times that are not set: 0 among Unix times and in a log from 0, the largest ones of Slurm.
cat > unset.csv <<'END'
job,submit,start,end,cpus
1,0,1609459210,1609459220,4
2,1609459300,1609459310,1609459320,4
3,1609459400,0,1609459420,4
END
expect unset.csv <<'END'
2 0 10 10 4 -1 -1 1 -
3 100 20 -1 4 -1 -1 1 -
END
cat > unset.csv <<'END'
job,submit,start,end,cpus,state
1,0,10,20,4,COMPLETED
2,100,0,150,4,CANCELLED
END
expect unset.csv <<'END'
1 0 10 10 4 -1 -1 1 -
2 100 50 -1 4 -1 -1 5 -
END
sed '2s/1609459205/4294967295/; 3s/1609459400,0,/0,0,/; 3s/,5,/,3,/' slurm.csv > unset.csv
imported unset.csv > jobs
[ "$(awk '$2 > 1000' jobs)" = "" ] || fail "unset times of Slurm: $(cat jobs)"

# Tables without numbers of jobs: their rows are not the same jobs.
printf 'submit,run,wait,cpus\n0,10,0,1\n5,10,0,1\n' > one.csv
cp one.csv two.csv
"$lxfw" import --out out.swf one.csv two.csv 2> told || fail "two tables: $(cat told)"
[ "$(grep -vc '^;' out.swf)" = 4 ] || fail "two tables: $(cat out.swf)"

# What simulate writes for Batsim's readers is a table.
cat > log.swf <<'END'
; MaxProcs: 4
1 0 -1 100 4 -1 -1 4 200 -1 1 1 1 1 1 -1 -1 -1
2 10 -1 50 2 -1 -1 2 60 -1 1 1 1 1 1 -1 -1 -1
END
"$lxfw" simulate --policy easy --cluster procs=4 --schedule-out batsim:batsim.csv log.swf \
	> out 2>&1 || fail "simulate: $(cat out)"
expect batsim.csv <<'END'
1 0 0 100 4 200 -1 1 -
2 10 90 50 2 60 -1 1 -
END
sed 's/COMPLETED_SUCCESSFULLY/COMPLETED_KILLED/' batsim.csv > killed.csv
expect killed.csv <<'END'
1 0 0 100 4 200 -1 5 -
2 10 90 50 2 60 -1 5 -
END

# Pods of Alibaba's cluster-trace-gpu-v2023: thousandths of a processor are rounded up, and a
# share of a GPU is a whole one. The phase is the last that was seen.
cat > pods.csv <<'END'
name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
p-0,12000,16384,1,1000,,LS,Running,0,100,10
p-1,6001,1024,1,460,,LS,Failed,5,50,5
p-2,500,,8,1000,,BE,Pending,20,45,
p-3,500,,0,300,,BE,Succeeded,30,45,30
END
expect pods.csv <<'END'
1 0 10 90 12 -1 1398101 1 gres/gpu=1
2 5 0 45 7 -1 149796 0 gres/gpu=1
3 20 25 -1 1 -1 -1 5 gres/gpu=8
4 30 0 15 1 -1 -1 1 -
END
grep -q '; with a share of a GPU, which counts as a whole one: 1;' told || fail "pods: $(cat told)"
"$lxfw" import --out out.swf --format json pods.csv 2> told | grep -q '"gpu_share_jobs": 1,' ||
	fail "pods: no count of shares"

# Tables of data sets without a header line and without submissions: the start is taken for it, and
# the wait is unknown. Amounts are those of an instance.
cat > pai.csv <<'END'
4f05,tensorflow,1.0,Terminated,1739162.0,1739200.0,600.0,29.296875,50.0,MISC
4f05,worker,3.0,Failed,1739170.0,1739270.0,650.5,2,200.0,T4
4f06,ps,2.0,Waiting,,,600.0,1.0,,
4f07,ps,,Running,1739180.0,,,,100.0,T4
4f08,evaluator,2.0,Terminated,1739181.0,1739181.0,50.0,1,,
END
expect pai.csv --columns pai-2020 <<'END'
1 0 -1 38 6 -1 5120000 -1 gres/gpu=1
2 8 -1 100 21 -1 299593 -1 gres/gpu=6
5 19 -1 0 2 -1 1048576 -1 -
END
grep -q '^lxfw: 5 records (table): 3 of jobs, 2 not of ended jobs; of a workload that has not run: 3;' \
	told || fail "pai: $(cat told)"
grep -q '^; Queue: 2 T4$' out.swf || fail "pai: $(grep '^;' out.swf)"
cat > batch_task.csv <<'END'
M1,2,j_1,1,Terminated,86400,86460,100.00,0.2
R2_1,10,j_1,1,Terminated,86460,86480,50.00,0.3
M1,1,j_2,1,Waiting,0,0,,
END
expect batch_task.csv --columns alibaba-2018 <<'END'
1 0 -1 60 2 -1 -1 -1 -
2 60 -1 20 10 -1 -1 -1 -
END

# A workload with submissions and run times only, whose columns the caller must name.
printf 'submit,run,cores\n0,60,2\n5,0:10:00,1\n' > workload.csv
expect workload.csv --columns submit=submit,run=run,procs=cores <<'END'
1 0 -1 60 2 -1 -1 -1 -
2 5 -1 600 1 -1 -1 -1 -
END
"$lxfw" import --out none.swf workload.csv 2> told && fail "workload.csv: accepted without --columns"
"$lxfw" simulate --policy easy --cluster procs=2 out.swf > out 2>&1 || fail "workload: $(cat out)"
"$lxfw" compare --policy easy --cluster procs=2 out.swf > out 2>&1
[ $? -eq 2 ] || fail "compare: $(cat out)"

# Odd records are counted; other subcommands read a table as well.
{ cat helios.csv; echo '10,u,vc,0,4,1,COMPLETED,soon,,,,'; echo '11,u,vc'; } > odd.csv
imported odd.csv > jobs
grep -q ' 2 odd (left out), the first: odd.csv:5: a time is not a date and no number of seconds' \
	told || fail "odd: $(cat told)"
"$lxfw" simulate --cluster procs=64 --policy easy helios.csv > out 2>&1 ||
	fail "simulate helios.csv: $(cat out)"

# refuses TEXT OPTIONS...
refuses()
{
	text=$1
	shift
	"$lxfw" import --out none.swf "$@" > out 2> told
	[ $? -eq 2 ] && grep -q -e "$text" told && [ ! -e none.swf ] || fail "$*: $(cat told)"
}
refuses "own.tsv:1: --columns: summit is not known, perhaps submit, expected" \
	--columns summit=queued own.tsv
refuses "own.tsv:1: --columns: queud is no column of the header" --columns submit=queud own.tsv
refuses "own.tsv:1: no column is known to be that of 'start', expected --columns start=NAME" \
	--columns submit=queued,procs=cores own.tsv
refuses "batch_task.csv:1: the line has no column of the start.*3 of 3 records cannot be read" \
	--columns submit=1,launch=30,end=2,procs=3 batch_task.csv
refuses "pai.csv:1: --columns: pai is not known" --columns pai pai.csv
refuses "pai.csv:1: the state '1739162.0' is none of the data set, expected Ready, Waiting, \
Running, Terminated, Failed, Interrupted or Cancelled; 5 of 5 records cannot be read" \
	--columns alibaba-2018 pai.csv
refuses "batch_task.csv:1: the state '1' is none of the data set.*; 3 of 3 records cannot be read" \
	--columns pai-2020 batch_task.csv
refuses "pai.csv:1: --columns: pai-2021 is not known, perhaps pai-2020, expected job, \
submit, start, end, procs or another of lxfw-import(1), or the data set pai-2020 or alibaba-2018$" \
	--columns pai-2021 pai.csv
refuses "submit has no column" --columns submit own.tsv
refuses "names or numbers from 1" --columns submit=2,wait=waited,run=4,procs=5 own.tsv
refuses "column without a table\|--columns without a table" --format-in pbs --columns submit=1 own.tsv
refuses "no records in the file" --columns submit=1,start=2,end=3,procs=4 /dev/null

finish
