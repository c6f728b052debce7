#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Parts of the demo that need no cluster: the picture of a machine over time, the jobs of
# a cluster as accounting, and measured waits beside simulated ones.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
cluster=$top_srcdir/tests/cluster

# same WHAT: standard input has the expected lines of the file `is`
same()
{
	diff -u - "$work/is" > "$work/diff" || fail "$1: $(cat "$work/diff")"
}

picture()
{
	"$lxfw" journal --format csv "$work/journal" |
		awk "$@" -f "$cluster/machine-picture.awk" > "$work/is" || fail "picture $*"
}

# Job 1 fills the first host, job 2 most of the second. Job 3 waits for job 2, job 5 for
# job 3. Job 4 has the two processors that are left, on a row of its own.
cat > "$work/machine" << 'END'
a procs=4
b procs=8
END
{
	job 1 0 5 4 100
	job 2 1 4 6 100
	job 3 2 6 8 100
	job 4 2 1 2 50
	job 5 3 2 8 200
} > "$work/log.swf"
"$lxfw" simulate --policy lxfw --cluster "$work/machine" --shape one-host \
	--journal "$work/journal" "$work/log.swf" > /dev/null 2>&1 || fail 'simulate'

picture
same 'text' << 'END'
a      |AAAAA........
       |AAAAA........
       |AAAAA........
       |AAAAA........
b      |.BBBBDDDDDDEE
       |.BBBBDDDDDDEE
       |.BBBBDDDDDDEE
       |..C..DDDDDDEE
time    0 s       10 s
waiting 0         1
END

# Each job has a box of its processors and its time, and its wait.
picture -v svg=1 -v title='LXF&W'
sed -n 's,.*<title>\(.*\)</title>.*,\1,p' "$work/is" > "$work/boxes"
grep -o '<text[^>]*font-size="14"[^>]*>[^<]*' "$work/is" | sed 's/.*>//' >> "$work/boxes"
mv "$work/is" "$work/svg"
mv "$work/boxes" "$work/is"
same 'SVG' << 'END'
job 1: 4 processors of a for 5 s, waited 0 s
job 2: 6 processors of b for 4 s, waited 0 s
job 4: 2 processors of b for 1 s, waited 0 s
job 3: 8 processors of b for 6 s, waited 3 s
job 5: 8 processors of b for 2 s, waited 8 s
LXF&amp;W
END
tail -n 1 "$work/svg" | grep -qx '</svg>' || fail 'SVG: it does not end'
grep -q '<rect x="60.0" y="54.0" width="276.9" height="20.0"' "$work/svg" ||
	fail 'SVG: job 1 is not on its processors for 5 of 13 s'

# A start that the workload manager refuses is not drawn. Job 3 has three free processors
# between others. The end of job 2 is missing.
{
	echo 'time,kind,what,job,details'
	echo '10,event,host,,"n up:4:0"'
	for job in 1 2 3; do
		echo "10,event,submit,$job,\"hosts:1:0\""
	done
	echo '10,action,start,1,"n:1:0"'
	echo '10,action,start,2,"n:1:0"'
	echo '10,action,start,3,"n:2:0"'
	echo '12,event,refused,3,"until 12"'
	echo '13,event,end,1,""'
	echo '13,action,start,3,"n:3:0"'
	echo '15,event,end,3,""'
} > "$work/lines"
awk -f "$cluster/machine-picture.awk" "$work/lines" > "$work/is" || fail 'refused'
same 'refused' << 'END'
n      |AAACC
       |BBBBB
       |...CC
       |...CC
time    0 s
waiting 0
END
echo 'time,kind,what,job,details' |
	awk -f "$cluster/machine-picture.awk" > "$work/is" 2>&1
[ $? = 2 ] || fail 'no job: the exit status is not 2'

# The records of a Slurm cluster, with a comment that has the form of a field.
cat > "$work/records" << 'END'
JobId=7 JobName=wide UserId=root(0) JobState=COMPLETED TimeLimit=1-00:08:00 SubmitTime=1000000000 StartTime=1000000003 EndTime=1000000010 NodeList=n[1-3] NumNodes=3 NumCPUs=24 MinMemoryNode=13G Comment=JobId=9
JobId=8 JobName=short UserId=root(0) JobState=COMPLETED TimeLimit=00:01:00 SubmitTime=1000000001 StartTime=1000000001 EndTime=1000000002 NodeList=n4 NumNodes=1 NumCPUs=5 MinMemoryNode=500M
END
awk -f "$cluster/demo-accounting.awk" "$work/records" > "$work/accounting.txt" || fail 'records'
cp "$work/accounting.txt" "$work/is"
same 'accounting' << 'END'
JobID|JobName|Submit|Start|End|Elapsed|Timelimit|NNodes|NCPUS|ReqMem|User|State|NodeList
7|wide|1000000000|1000000003|1000000010|00:00:07|24:08:00|3|24|39936M|root|COMPLETED|n[1-3]
8|short|1000000001|1000000001|1000000002|00:00:01|00:01:00|1|5|500M|root|COMPLETED|n4
END
echo 'n[1-4] procs=16 memory=64000M' > "$work/nodes"
"$lxfw" simulate --policy lxfw --cluster "$work/nodes" --jobs-out "$work/jobs.csv" \
	"$work/accounting.txt" > "$work/report" 2>&1 || fail "simulate: $(cat "$work/report")"
cut -d, -f1-3,6-9 "$work/jobs.csv" > "$work/is"
same 'simulation of the accounting' << 'END'
job_id,submit,start,run,procs,memory_mb,hosts
7,0,0,7,24,39936,n[1-3]
8,1,1,1,5,500,n1
END

# waits LOW HIGH: print the table for a mean wait of 1.5 s
waits()
{
	printf '%s\n' 'contender,policy,figure,value,shaken_mean,shaken_low,shaken_high' \
		"lxfw,lxfw,mean_wait_s,2,2,$1,$2" 'lxfw,lxfw,median_wait_s,1,1,0,2' \
		'lxfw,lxfw,p95_wait_s,4,4,3,6' 'lxfw,lxfw,max_wait_s,4,4,4,7' > "$work/simulated"
	awk -v copies=20 -v line="$work/line" -f "$cluster/demo-waits.awk" \
		"$work/accounting.txt" "$work/simulated" > "$work/is" || fail "waits $1 $2"
}

waits 1 2.25
same 'waits' << 'END'
wait in s              measured  simulated  20 perturbed copies
mean                        1.5        2.0            1.0 to 2.2
median                        0          1              0 to 2
95th percentile               3          4              3 to 6
longest                       3          4              4 to 7
The measured mean is within the range of the copies.
END
cp "$work/line" "$work/is"
same 'line' << 'END'
mean wait 1.5 s measured, 2.0 s simulated, 1.0 to 2.2 s in 20 perturbed copies
END
waits 1.6 2
grep -q '^The measured mean is below the range' "$work/is" || fail 'below'
waits 1 1.4
grep -q '^The measured mean is above the range' "$work/is" || fail 'above'
finish
