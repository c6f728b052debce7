#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Output of generate and describe.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

same()
{
	diff -u "$work/should" "$work/is" > "$work/diff" ||
		fail "$1: $(cat "$work/diff")"
}

# Two days, beginning with Monday 2000-01-31, on 4 processors and 1000 MB:
#   1  Mon 00:00:00  43200 s  1 processor   100 MB
#   2  Mon 12:00:00     30 s  4 processors  200 MB
#   3  Tue 23:59:59  21600 s  2 processors  500 MB
# Demand of processors: (43200 + 120 + 43200) / (4 * 172800) = 12.5 %.
{
	echo "; UnixStartTime: 949276800"
	job 1 0 43200 1 86400 102400
	job 2 43200 30 4 3600 51200
	job 3 172799 21600 2 21600 256000
	job 4 172799 -1 2 21600
} > "$work/trace.swf"
echo "n procs=4 memory=1000" > "$work/hosts"

cd "$work" || exit 99
case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac

"$lxfw" describe --cluster hosts trace.swf > out 2> messages ||
	fail "describe: exit status $?"
echo "lxfw: trace.swf: 1 jobs left out: 1 without run time, 0 without processors" > should
cp messages is
same "message"
sed -n '1,/^run time/p' out > is
cat > should <<'TABLE'
trace.swf: 3 jobs submitted in 2.0 days, 2000-01-31 to 2000-02-01
4 processors, 1000 MB, times of day in UTC

month                  jobs   a day       proc     memory
                                      demand %   demand %
2000-01                   2     2.0       12.5       5.01
2000-02                   1     1.0       12.5       12.5

requested time         jobs       %       proc     memory     under a     under 10 %
                                      demand %   demand %   minute, %   of memory, %
up to 10000 s             1    33.3       0.02       0.00       100.0              -
up to 100000 s            2    66.7       12.5       8.75        0.00              -

processors             jobs       %       proc     memory     under a     under 10 %
                                      demand %   demand %   minute, %   of memory, %
1                         1    33.3       6.25       2.50        0.00              -
2                         1    33.3       6.25       6.25        0.00              -
3-4                       1    33.3       0.02       0.00       100.0              -

run time               jobs       %
TABLE
same "table"
sed -n '/^jobs an/,$p' out | sed 's/ *$//' | grep -v ' 0.00 *0.00$' > is
cat > should <<'TABLE'
jobs an  Monday to Friday
hour
00-01    0.50  #########################
12-13    0.50  #########################
23-24    0.50  #########################

run under a minute                                        33.3 %  of 3
  of requests over 1 h                                    0.00 %  of 2
  of requests over 10 h                                   0.00 %  of 1
run under a tenth of the request                          33.3 %  of 3
median requested time                                    21600 s
median of run time over request                             50 %
median run time                                          21600 s
serial jobs                                               33.3 %  of 3
powers of two among parallel jobs                        100.0 %  of 2
median requested memory                                    200 MB
  of serial jobs                                           100 MB
serial jobs that request over 512 MB                      0.00 %  of 1
rank correlations
  run time with processors                              -1.000
  requested memory per processor with processors        -0.500
TABLE
sed -i 's/ *Saturday and Sunday//; s/ *0\.00$//' is
grep -v '^[0-9][0-9]-[0-9][0-9] *0.00' is > is2
mv is2 is
same "facts"

"$lxfw" describe --format json --cluster hosts trace.swf 2> messages |
	head -n 12 > is
cat > should <<'JSON'
{
  "trace": "trace.swf",
  "begin_s": 0,
  "end_s": 172800,
  "procs": 4,
  "memory_mb": 1000,
  "time_zone": "UTC",
  "jobs": 3,
  "proc_demand": 12.51736111111111,
  "memory_demand": 8.753472222222221,
  "under_minute": 33.333333333333336,
  "over_1h_under_minute": 0,
JSON
same "json"

# Classes: a job belongs to the first size class, and within it to the first time class,
# that can contain it.
{
	echo "time short run=1h"
	echo "time long"
	echo "size small procs=1"
	echo "size large"
	echo "hosts n"
} > classes
"$lxfw" describe --classes classes --cluster hosts trace.swf 2> messages |
	sed -n '/^month/,/memory demand/p' > is
cat > should <<'TABLE'
month                   all short_small long_small short_large long_large
2000-01                   2           0          1           1          0
  proc demand %        12.5        0.00       12.5        0.03       0.00
  memory demand %      5.01        0.00       5.00        0.01       0.00
TABLE
same "classes"

# A generated month passes. With one job less, it fails.
"$lxfw" generate ncsa-o2k --month 2000-02 --out month.swf ||
	fail "generate: exit status $?"
"$lxfw" describe month.swf > out || fail "a month is not met: $(grep missed out)"
[ "$(grep -c ' met$' out)" -eq 26 ] || fail "a month has $(grep -c ' met$' out) verdicts"
grep -q '^vst_sj *3252 *3252 *1 ' out || fail "no class vst_sj: $(cat out)"
sed '$d' month.swf > less.swf
"$lxfw" describe less.swf > out
[ $? -eq 1 ] || fail "a job less: exit status is not 1"
grep -q '^all *8122 *8121 .* missed$' out || fail "a job less: $(grep missed out)"

# The same month on standard output. Another seed gives another month.
"$lxfw" generate ncsa-o2k --month 2000-02 > again.swf
cmp -s month.swf again.swf || fail "standard output has something else"
"$lxfw" generate ncsa-o2k --month 2000-02 --seed 2 > other.swf
cmp -s month.swf other.swf && fail "seed 2 makes the same"
"$lxfw" simulate --cluster ncsa-o2k --shape one-host --policy easy month.swf \
	> out 2> messages || fail "simulate a month: $(cat messages)"
[ -s messages ] && fail "simulate a month: $(cat messages)"

# The other model. Its parameters are in the header.
"$lxfw" generate lublin --jobs 3 --procs 64 --seed 9 --estimate-factor 2 |
	sed -n '/^;/p; $=' > is
version=$("$lxfw" --version | sed 's/lxfw //')
cat > should <<HEADER
; Version: 2.2
; Computer: none (synthetic)
; Generator: lxfw lublin
; GeneratorVersion: $version
; Seed: 9
; EstimateFactor: 2
; Note: synthetic: no log, the model of Lublin and Feitelson 2003
; MaxJobs: 3
; MaxRecords: 3
; MaxNodes: 64
; MaxProcs: 64
14
HEADER
same "lublin"

# --- partitions ------------------------------------------------------------------
# The demand is relative to the hosts of the partition: in 2000 s, 8000 of 16000 processor-seconds of
# p and 4000 of 8000 GPU-seconds of q, on whose host q has 16 processors. A job without a partition
# of the cluster counts in none.
cat > "$work/parts.sacct" <<'END'
JobID|Submit|Eligible|Start|End|NCPUS|NNodes|Timelimit|State|Partition|AllocTRES
1|86400|86400|86400|88400|4|1|01:00:00|COMPLETED|p|cpu=4,mem=1000M
2|88399|88399|88399|90399|2|1|01:00:00|COMPLETED|q|cpu=2,mem=1000M,gres/gpu=2
3|86400|86400|86400|88400|1|1|01:00:00|COMPLETED|other|cpu=1,mem=1000M
END
printf 'a[1-2] procs=4 memory=4000 gpu=0\nb procs=16 memory=4000 gpu=4\npartition=p nodes=a[1-2]\npartition=q nodes=b\n' > "$work/parts.cluster"
"$lxfw" describe --cluster "$work/parts.cluster" "$work/parts.sacct" 2> "$work/messages" |
	sed -n '/^partition /,/^$/p' | sed '/^$/d; s/  */ /g' > "$work/is"
printf '%s\n' 'partition jobs hosts proc memory GPU procs' ' demand % demand % demand %' \
	'p 1 2 50.0 12.5 - 8' 'q 1 1 12.5 25.0 50.0 16' | diff - "$work/is" > "$work/diff" ||
	fail "partitions: $(cat "$work/diff" "$work/messages")"
"$lxfw" describe --json --report "$work/parts.html" --cluster "$work/parts.cluster" "$work/parts.sacct" > "$work/json" 2> "$work/messages" &&
	grep -q '"gpu_demand": 50' "$work/json" && grep -q 'GPU demand' "$work/parts.html" ||
	fail "partitions, JSON: $(cat "$work/json" "$work/messages")"
finish
