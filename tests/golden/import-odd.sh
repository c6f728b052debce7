#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Unusual logs of real sites: overlapping months, numbers rounded by sacct, run times of
# 0, local times, columns of fixed width, Grid Engine, all compression formats, a byte
# order mark; and an interrupted import.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac

# import WHAT OPTION... LOG...: standard input has the expected records and messages
import()
{
	what=$1
	shift
	"$lxfw" import --out out.swf "$@" 2> told ||
		fail "$what: exit status $?: $(cat told)"
	{ grep -v '^;' out.swf; sed 's/^lxfw: //' told; } > is
	diff -u - is > diff || fail "$what: $(cat diff)"
}

# bad MESSAGE ARGUMENTS...
bad()
{
	message=$1
	shift
	"$lxfw" import --out none.swf "$@" > out 2> told
	status=$?
	[ $status -eq 2 ] || fail "import $*: exit status $status"
	[ "$(sed -n 1p told)" = "$message" ] || fail "import $*: message '$(cat told)'"
	[ ! -s out ] && [ ! -e none.swf ] || fail "import $*: an incomplete file"
}

# --- repeated records -------------------------------------------------------
# Logs of January and February: 1 and the task 3_2 ran over midnight; 2 runs at the end
# of January and ends in February; 3_1 has another number; 4 was requeued, and each of
# its runs is a job; 5 is pending in January and has run in February.
header='JobID|Submit|Eligible|Start|End|Elapsed|NCPUS|State|User'
{
	echo "$header"
	echo '1|1735689600|1735689600|1735689610|1735689710|00:01:40|4|COMPLETED|ann'
	echo '2|1735689601|1735689601|1735689611|Unknown|00:01:40|2|RUNNING|ann'
	echo '3_1|1735689602|1735689602|1735689612|1735689712|00:01:40|1|COMPLETED|ann'
	echo '3_2|1735689602|1735689602|1735689612|1735689712|00:01:40|1|COMPLETED|ann'
	echo '4|1735689603|1735689603|1735689613|1735689623|00:00:10|1|NODE_FAIL|ann'
	echo '4|1735689623|1735689630|1735689643|1735689653|00:00:10|1|COMPLETED|ann'
	echo '5|1735689604|1735689604|Unknown|Unknown|00:00:00|1|PENDING|ann'
} > january
{
	echo "$header"
	echo '1|1735689600|1735689600|1735689610|1735689710|00:01:40|4|COMPLETED|ann'
	echo '2|1735689601|1735689601|1735689611|1735689811|00:03:20|2|COMPLETED|ann'
	echo '3_2|1735689602|1735689602|1735689612|1735689712|00:01:40|1|COMPLETED|ann'
	echo '5|1735689604|1735689604|1735689704|1735689714|00:00:10|1|COMPLETED|ann'
} > february
cat > should <<'END_OF'
1 0 10 100 4 -1 -1 4 -1 -1 1 1 -1 -1 -1 -1 -1 -1
2 1 10 200 2 -1 -1 2 -1 -1 1 1 -1 -1 -1 -1 -1 -1
3 2 10 100 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1
3 2 10 100 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1
4 3 10 10 1 -1 -1 1 -1 -1 0 1 -1 -1 -1 -1 -1 -1
5 4 100 10 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1
4 30 13 10 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1
11 records (sacct): 7 of jobs, 4 duplicates (left out); held back after submission: 1; without a time limit: 7; most processors held at once: 9
END_OF
import "two months" january february < should
# in reverse order, and in one file
import "two months, in reverse order" february january < should
{ cat january; sed 1d february; } > both
import "two months in a file" both < should
cat january february > joined
import "two months in a file with both headers" joined < should
"$lxfw" compare --cluster procs=16 --format csv --start-overhead 0 both > out 2> told ||
	fail "compare: $(cat told)"
grep -q '4 duplicate records of jobs left out' told ||
	fail "compare: $(cat told)"
grep -q '^jobs,7$' out || fail "compare: $(cat out)"

# --- rounded numbers of processors ------------------------------------------
# Slurm prints multiples of 1024 divided by 1024: halves are exact, other fractions are
# not.
{
	echo "$header"
	echo '1|1735689600|1735689600|1735689600|1735689610|00:00:10|1.50K|COMPLETED|ann'
	echo '2|1735689601|1735689601|1735689610|1735689620|00:00:10|2K|COMPLETED|ann'
	echo '3|1735689602|1735689602|1735689620|1735689630|00:00:10|1.46K|COMPLETED|ann'
} > rounded
import "rounded" rounded <<'END_OF'
1 0 0 10 1536 -1 -1 1536 -1 -1 1 1 -1 -1 -1 -1 -1 -1
2 1 9 10 2048 -1 -1 2048 -1 -1 1 1 -1 -1 -1 -1 -1 -1
3 2 18 10 1495 -1 -1 1495 -1 -1 1 1 -1 -1 -1 -1 -1 -1
3 records (sacct): 3 of jobs; without a time limit: 3; most processors held at once: 2048; processors rounded by sacct, with an error of up to 5 in 1024: 1 (use sacct --noconvert)
END_OF

# --- run times of 0 ---------------------------------------------------------
# Job 1 failed at once; 2 was cancelled while it was pending; 3 ran.
{
	echo "$header"
	echo '1|1735689600|1735689600|1735689605|1735689605|00:00:00|4|FAILED|ann'
	echo '2|1735689600|1735689600|1735689606|1735689606|00:00:00|4|CANCELLED by 7|ann'
	echo '3|1735689600|1735689600|1735689605|1735689615|00:00:10|2|COMPLETED|ann'
} > zero
import "run time 0" zero <<'END_OF'
1 0 5 0 4 -1 -1 4 -1 -1 0 1 -1 -1 -1 -1 -1 -1
2 0 6 -1 4 -1 -1 4 -1 -1 5 1 -1 -1 -1 -1 -1 -1
3 0 5 10 2 -1 -1 2 -1 -1 1 1 -1 -1 -1 -1 -1 -1
3 records (sacct): 3 of jobs; never started: 1; without a time limit: 3; most processors held at once: 4
END_OF
"$lxfw" simulate --cluster procs=4 --jobs-out jobs.csv out.swf > out 2> told ||
	fail "run time 0: $(cat told)"
[ "$(cut -d, -f1,3,4 jobs.csv | sed 1d)" = "1,0,1
3,1,11" ] || fail "run time 0: $(cat jobs.csv)"
{
	echo 'lxfw: out.swf: 1 jobs with run time 0 (less than half a second) count as 1 s'
	echo 'lxfw: out.swf: 1 jobs left out: 1 without run time, 0 without processors, 0 larger than the machine'
} > should
diff should told > diff || fail "run time 0: $(cat diff)"

# --- what is in one column only ------------------------------------------------
# A limit that only TimelimitRaw has; a suspended job without Elapsed.
printf '%s\n' 'JobID|Submit|Start|End|NCPUS|TimelimitRaw|State' \
	'1|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|1|UNLIMITED|COMPLETED' \
	'2|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|1|120|COMPLETED' > raw
import "TimelimitRaw" --tz UTC raw <<'END_OF'
1 0 0 3600 1 -1 -1 1 31536000 -1 1 -1 -1 -1 -1 -1 -1 -1
2 0 0 3600 1 -1 -1 1 7200 -1 1 -1 -1 -1 -1 -1 -1 -1
2 records (sacct): 2 of jobs; most processors held at once: 2
END_OF
printf '%s\n' 'JobID|Submit|Start|End|NCPUS|Suspended|State' \
	'1|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|1|00:20:00|COMPLETED' > paused
import "Suspended without Elapsed" --tz UTC paused <<'END_OF'
1 0 0 2400 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
1 records (sacct): 1 of jobs; suspended: 1; without a time limit: 1; most processors held at once: 1
END_OF

# --- local times ------------------------------------------------------------
# In Berlin, clocks went from 02:00 to 03:00 on 2025-03-30 and from 03:00 to 02:00 on
# 2025-10-26. Job 1 ran for an hour and a minute, though the clock shows two hours. Jobs
# 2 to 5 ran in the hour that occurs twice: 2 in the first one; 3 from the first to the
# second one, according to Elapsed; 4 was suspended; 5 was submitted in the first and
# started in the second one.
local_times()
{
{
	echo 'JobID|Submit|Start|End|Elapsed|Suspended|NCPUS|State'
	echo '1|2025-03-30T01:30:00|2025-03-30T01:59:00|2025-03-30T04:00:00|01:01:00|00:00:00|1|COMPLETED'
	echo '2|2025-10-26T02:10:00|2025-10-26T02:11:00|2025-10-26T02:12:00|00:01:00|00:00:00|1|COMPLETED'
	echo '3|2025-10-26T02:20:00|2025-10-26T02:50:00|2025-10-26T02:10:00|00:20:00|00:00:00|1|COMPLETED'
	echo '4|2025-10-26T02:21:00|2025-10-26T02:30:00|2025-10-26T02:40:00|01:00:00|00:10:00|1|COMPLETED'
	echo '5|2025-10-26T02:59:00|2025-10-26T02:05:00|2025-10-26T02:06:00|00:01:00|00:00:00|1|COMPLETED'
	echo '6|2025-10-26T02:10:00|2025-10-26T02:40:00|2025-10-26T03:00:00|00:20:00|00:00:00|1|COMPLETED'
} > local
import "local times" --tz Europe/Berlin local <<'END_OF'
1 0 1740 3660 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
2 18142800 60 60 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
3 18143400 1800 1200 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
4 18143460 540 3600 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
5 18145740 360 60 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
6 18146400 1800 1200 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
6 records (sacct): 6 of jobs; suspended: 1; without a time limit: 6; most processors held at once: 3; in the repeated hour at the end of daylight saving time (first one assumed): 1 records
END_OF
grep -q '^; TimeZoneString: Europe/Berlin$' out.swf || fail "the zone is not in the header"
grep -q '^; UnixStartTime: 1743294600$' out.swf || fail "the time zone has no effect"
# the log does not show in which of the two hours it started
{ sed 1q local; echo '1|2025-10-26T01:10:00|2025-10-26T02:10:00|2025-10-26T02:20:00|00:10:00|00:00:00|1|COMPLETED'; } > unclear
import "ambiguous local times" --tz Europe/Berlin unclear <<'END_OF'
1 0 3600 600 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
1 records (sacct): 1 of jobs; without a time limit: 1; most processors held at once: 1; in the repeated hour at the end of daylight saving time (first one assumed): 1 records
END_OF
# Elapsed, which no clock changes, is believed before the order of times
{ sed 1q local; echo '1|2025-10-26T02:30:00|2025-10-26T02:10:00|2025-10-26T02:40:00|01:30:00|00:00:00|1|COMPLETED'; } > against
import "Elapsed against the order" --tz Europe/Berlin against <<'END_OF'
1 0 0 5400 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
1 records (sacct): 1 of jobs; without a time limit: 1; most processors held at once: 1; in the repeated hour at the end of daylight saving time (first one assumed): 1 records; with an end before the start, or a start before the submission (the time between counts as 0): 1 jobs
END_OF
# a local time that did not occur: the time zone may be wrong
sed -n '1p;2s/T01:30/T02:30/p' local > skipped
"$lxfw" import --out out.swf --tz Europe/Berlin skipped 2> told || fail "skipped: $(cat told)"
grep -q '; at a local time that clocks skip in this zone: 1 records' told ||
	fail "skipped: $(cat told)"
# PBS: suspended from 02:50 to 02:10 in the hour that occurs twice, which is 20 minutes
cat > pbs <<'END_OF'
10/26/2025 02:40:00;S;1.srv;user=ann
10/26/2025 02:50:00;z;1.srv;
10/26/2025 02:10:00;r;1.srv;
10/26/2025 02:20:00;E;1.srv;user=ann ctime=1761439000 start=1761439200 end=1761441600 Resource_List.ncpus=1
END_OF
import "PBS" --tz Europe/Berlin pbs <<'END_OF'
1 0 200 1200 1 -1 -1 1 -1 -1 0 1 -1 -1 -1 -1 -1 -1
4 records (pbs): 1 of jobs, 3 not of ended jobs; suspended: 1; without a time limit: 1; most processors held at once: 1
END_OF
}
if [ -r /usr/share/zoneinfo/Europe/Berlin ]; then
	local_times
else
	echo "no time zones (Debian: tzdata): local times not tested" >&2
fi
bad "lxfw import: --tz 'Europe/Atlantis', expected a time zone of this system (Debian: tzdata), such as Europe/Berlin" --tz Europe/Atlantis both

# Times in the wrong order are counted, not silently taken as 0.
cat > disordered <<'END'
JobID|Submit|Start|End|NCPUS|State|User
1|2025-10-26T01:30:00|2025-10-26T02:50:00|2025-10-26T02:10:00|4|COMPLETED|u
2|2025-10-26T03:30:00|2025-10-26T03:20:00|2025-10-26T04:10:00|4|COMPLETED|u
3|2025-10-26T03:30:00|2025-10-26T03:40:00|2025-10-26T04:10:00|4|COMPLETED|u
END
"$lxfw" import disordered 2> told > out || fail "disordered: $(cat told)"
grep -q '; with an end before the start, or a start before the submission (the time between counts as 0): 2 jobs' told ||
	fail "disordered: $(cat told)"

# --- columns of fixed width -------------------------------------------------
# fixed JOBID SUBMIT START END ELAPSED NCPUS STATE USER NODELIST: print them with
# sacct's column widths
fixed()
{
	printf '%-12s %19s %19s %19s %10s %10s %10s %9s %15s \n' "$@"
}
day=2025-01-01T00:00
{
	fixed JobID Submit Start End Elapsed NCPUS State User NodeList
	printf -- '------------ ------------------- ------------------- ------------------- '
	printf -- '---------- ---------- ---------- --------- --------------- \n'
	fixed 1 $day:00 $day:10 $day:20 00:00:10 4 COMPLETED ann n1
	fixed 1.batch $day:10 $day:10 $day:20 00:00:10 4 COMPLETED '' n1
	fixed 1234567_12.+ $day:10 $day:10 $day:20 00:00:10 4 COMPLETED '' n1
	fixed '2345678_[1-+' $day:05 Unknown Unknown 00:00:00 1 PENDING ann 'None assigned'
	fixed 3 $day:06 $day:10 $day:10 00:00:00 2 CANCELLED+ bob 'None assigned'
	fixed 4 $day:07 $day:20 $day:50 00:00:30 96 COMPLETED bob 'n[1-12,14,17-3+'
} > fixed
import "fixed width" fixed <<'END_OF'
1 0 10 10 4 -1 -1 4 -1 -1 1 1 -1 -1 -1 -1 -1 -1
3 6 4 -1 2 -1 -1 2 -1 -1 5 2 -1 -1 -1 -1 -1 -1
4 7 13 30 96 -1 -1 96 -1 -1 1 2 -1 -1 -1 -1 -1 -1
6 records (sacct): 3 of jobs, 2 of job steps, 1 of running or pending jobs; never started: 1; without a time limit: 3; most processors held at once: 96; truncated lists of hosts: in 1 records (sacct --parsable2 does not truncate); local times interpreted as UTC: in 4 records (set the zone with lxfw import --tz)
END_OF
{ sed 2q fixed; sed -n '$s/^4           /12345678_12+/p' fixed; } > wrong
bad "wrong:3: JobID is truncated ('12345678_12+'), expected the output of sacct --parsable2" wrong
sed -n '1,2p; 3s/      ann /ann.lang+ /p' fixed > wrong
sed -n 3p wrong | grep -q 'ann.lang+' || fail 'the test input has no truncated user'
bad "wrong:3: User is truncated ('ann.lang+'), expected the output of sacct --parsable2" wrong
cat > wrong <<'END_OF'
       JobID    JobName  Partition    Account  AllocCPUS      State ExitCode 
------------ ---------- ---------- ---------- ---------- ---------- -------- 
1                  wrap     debug+       root          1  COMPLETED      0:0 
END_OF
bad "wrong:1: no column Submit in the header, expected at least JobID|Submit|Start|End|NCPUS" wrong
echo 'JobID Submit Start End NCPUS' > wrong
bad "wrong:1: columns without '|' and no line of dashes below, expected what sacct --parsable2 prints" wrong

# --- Grid Engine ------------------------------------------------------------
# sge QUEUE HOST JOB SUBMIT START END FAILED EXIT ENVIRONMENT SLOTS TASK CATEGORY PE-TASK
sge()
{
	echo "$1:$2:chem:ann:name:$3:sge:0:$4:$5:$6:$7:$8:60:60.05:0.08:104188.0:0:0:0:0:28001:0:0:0.0:24:0:0:0:41:549:NONE:dep:$9:${10}:${11}:60.13:7.3:0.00004:${12}:0.0:${13}:189153280.0:0:0"
}
{
	echo '# Version: 6.2u5'
	sge all.q n1 1 1735689600 1735689610 1735689710 0 0 NONE 1 0 "-l h_rt=600,h_vmem=2G" NONE
	sge all.q n2 2 1735689601 1735689611 1735689621 0 0 mpi 8 1 "-l h_rt=00:10:00,mem_free=1.024g -pe mpi 8" NONE
	sge all.q n2 2 1735689601 1735689611 1735689621 100 137 mpi 8 2 "-pe mpi 8" NONE
	sge all.q n3 2 0 1735689611 1735689621 0 0 mpi 1 1 "-pe mpi 8" 1.n3
	sge all.q n1 3 1735689602 0 0 26 0 NONE 1 0 "" NONE
	sge long.q n1 4 1735689603000 1735689613000 1735689613500 0 0 NONE 2 0 "-l h=n1|n2" NONE
} > accounting
import "Grid Engine" --cluster-out out.hosts accounting <<'END_OF'
1 0 10 100 1 -1 184720 1 600 2097152 1 1 1 -1 1 -1 -1 -1
2 1 10 10 8 -1 23090 8 600 1000000 1 1 1 -1 1 -1 -1 -1
2 1 10 10 8 -1 23090 8 -1 -1 0 1 1 -1 1 -1 -1 -1
4 3 10 0 2 -1 92360 2 -1 -1 1 1 1 -1 2 -1 -1 -1
6 records (sge): 4 of jobs, 1 of job steps, 1 not of ended jobs; without a time limit: 2; most processors held at once: 17
END_OF
# job 4 ran for less than a second, so it need not have run at the same time as job 1
[ "$(sed 1d out.hosts)" = "n1 procs=2 memory=2048" ] || fail "hosts of Grid Engine: $(cat out.hosts)"
# the format is detected without the first line too
sed -n '$p' accounting > last
import "Grid Engine without a header" last <<'END_OF'
4 0 10 0 2 -1 92360 2 -1 -1 1 1 1 -1 1 -1 -1 -1
1 records (sge): 1 of jobs; without a time limit: 1; most processors held at once: 2
END_OF
sed -n '1p; 2s/:name:1:/:name:one:/p' accounting > wrong
bad "wrong:2: field 6 (job number) is not a number, expected 0 or more" wrong
sed -n '1p; 2s/:1735689600:/::/p' accounting > wrong
bad "wrong:2: field 9 (submission) is not a time, expected seconds since 1970" wrong
{ sed 1q accounting; echo 'all.q:n1:chem'; } > wrong
bad "wrong:2: 3 fields, expected 43 or more as in accounting(5) of Grid Engine" wrong

# --- compressed, and the text's encoding ------------------------------------
"$lxfw" import --out plain.swf both 2> told
for tool in gzip bzip2 xz zstd lz4; do
	if ! command -v $tool > /dev/null; then
		echo "$tool is not installed: not tested" >&2
		continue
	fi
	$tool -c both > "both.$tool" 2> told || fail "$tool: $(cat told)"
	"$lxfw" import --out out.swf "both.$tool" 2> told || fail "$tool: $(cat told)"
	cmp -s out.swf plain.swf || fail "$tool: $(diff plain.swf out.swf)"
	"$lxfw" import --out out.swf - < "both.$tool" 2> told || fail "$tool: $(cat told)"
	cmp -s out.swf plain.swf || fail "$tool, a pipe: $(diff plain.swf out.swf)"
	head -c 150 "both.$tool" > cut
	"$lxfw" import --out none.swf cut > out 2> told && fail "$tool, truncated: accepted"
	grep -q "^cut:[0-9]*: the $tool data .*, expected a complete file$" told ||
		fail "$tool, truncated: $(cat told)"
	[ ! -e none.swf ] || fail "$tool, truncated: an incomplete file"
done
{ printf '\357\273\277'; sed 's/$/\r/' both; } > dos
"$lxfw" import --out out.swf dos 2> told || fail "BOM, CRLF: $(cat told)"
cmp -s out.swf plain.swf || fail "BOM, CRLF: $(diff plain.swf out.swf)"
{ printf '\377\376'; sed 's/./&\x0/g' both; } > wide
bad "wide:1: the text is UTF-16, expected UTF-8: iconv -f UTF-16 -t UTF-8" wide
sed 's/./&\x0/g' both > wide
bad "wide:1: every other byte is 0 as in UTF-16, expected UTF-8: iconv -f UTF-16LE -t UTF-8" wide

# --- memory -----------------------------------------------------------------
# What was allocated, if the accounting states it: Slurm counts --mem-per-cpu for whole
# cores. 800 MB of 2 processors are 409600 KB of each.
{
	echo 'JobID|Submit|Start|End|NCPUS|ReqMem|ReqTRES|AllocTRES'
	echo '1|10|20|30|2|400M|cpu=1,mem=400M,node=1|cpu=2,mem=800M,node=1'
	echo '2|10|20|30|2|400M|cpu=1,mem=400M,node=1|cpu=2,node=1'
	echo '3|10|20|30|2|1G||billing=2,cpu=2,mem=2G,node=1'
} > allocated
"$lxfw" import allocated > out.swf 2> told || fail "allocated: $(cat told)"
[ "$(sed -n '/^;/!s/^ *//p' out.swf | tr -s ' ' | cut -d ' ' -f 10 | xargs)" = '409600 204800 1048576' ] ||
	fail "allocated memory: $(grep -v '^;' out.swf)"

# --- an interrupted import --------------------------------------------------
# More output than a pipe holds, and the reader has ended: SIGPIPE while another file is
# being written.
i=0
{
	echo 'JobID|Submit|Start|End|NCPUS|NodeList'
	while [ $i -lt 6000 ]; do
		i=$((i + 1))
		echo "$i|1735689600|1735689610|1735689620|1|n1"
	done
} > long
mkdir left
{ "$lxfw" import --cluster-out left/hosts long 2> told; echo $? > status; } | true
[ "$(cat status)" -ne 0 ] || fail "SIGPIPE: exit status 0"
[ -z "$(ls left)" ] || fail "SIGPIPE: left $(ls left)"
# a disk that is full
"$lxfw" import long > /dev/full 2> told && fail "a full disk: exit status 0"
grep -q '^standard output: No space left on device$' told || fail "a full disk: $(cat told)"
"$lxfw" import --cluster-out left/hosts long > /dev/full 2> told && fail "a full disk: exit status 0"
[ -z "$(ls left)" ] || fail "a full disk: left $(ls left)"
finish
