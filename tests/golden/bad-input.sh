#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Misuse and bad input: a clear message on stderr, exit status 2, nothing on stdout and
# no incomplete files.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac

{
	echo "; MaxProcs: 4"
	job 1 0 10 2 10
	job 2 5 10 4 10
} > good.swf

# expect STATUS MESSAGE ARGUMENTS...: MESSAGE is the first line on stderr
expect()
{
	status=$1 message=$2
	shift 2
	"$lxfw" "$@" > out 2> err
	is=$?
	[ $is -eq "$status" ] || fail "lxfw $*: exit status $is, not $status"
	[ "$status" -ne 2 ] || [ ! -s out ] || fail "lxfw $*: $(cat out)"
	[ "$(head -n 1 err)" = "$message" ] ||
		fail "lxfw $*: message '$(head -n 1 err)', not '$message'"
}

# --- arguments ----------------------------------------------------------------
expect 2 "lxfw: no subcommand 'frobnicate', expected one of simulate, replay, journal, why, status, predict, queue, snapshot, watch, compare, tune, import, describe, generate, grid, route, reproduce, check-conf, params, help" frobnicate
expect 2 "lxfw: no option '--frobnicate', expected one of simulate, replay, journal, why, status, predict, queue, snapshot, watch, compare, tune, import, describe, generate, grid, route, reproduce, check-conf, params, help" --frobnicate
expect 2 "lxfw simulate: unrecognized option '--frobnicate'" simulate --frobnicate good.swf
expect 2 "lxfw simulate: option '--policy' requires an argument" simulate good.swf --policy
expect 2 "lxfw simulate: 0 files given, expected one TRACE" simulate
expect 2 "lxfw simulate: 2 files given, expected one TRACE" simulate good.swf good.swf
expect 2 "lxfw: no policy 'best', expected one of fcfs, easy, conservative, priority, lxfw, sjf, eqspatial, classes, list, site, smart_ffia, smart_ffia_strict, smart_nfiw, smart_nfiw_strict, psrs, psrs_strict, pfcfs1, pfcfs2, pfcfs3, fcfs_moldable, easy_moldable, priority_moldable, remaining, slurm" simulate --policy best good.swf
expect 2 "lxfw simulate: --format 'xml', expected table|json|csv" simulate --format xml good.swf
expect 2 "lxfw simulate: --pass 'never', expected timestamp|event" simulate --pass never good.swf
expect 2 "lxfw simulate: --placement 'best', expected paper|gpus|stock|worst" simulate --placement best good.swf
expect 2 "lxfw simulate: --placement with lxfw_placement, expected one of them" simulate --placement stock --params lxfw_placement=gpus good.swf
expect 2 "lxfw simulate: --placement with policy eqspatial, which has its own placement rule" simulate --placement worst --policy eqspatial good.swf
[ ! -e journal ] || fail "a journal was left"
expect 2 "lxfw simulate: --overrun 'wait', expected extend|kill" simulate --overrun wait good.swf
expect 2 "lxfw simulate: --estimates 'factor:0', expected a factor from 1 to 1000000" simulate --estimates factor:0 good.swf
expect 2 "lxfw simulate: --estimates 'factor:nan', expected a factor from 1 to 1000000" simulate --estimates factor:nan good.swf
expect 2 "lxfw simulate: --estimates 'best', expected requested|exact|factor:F" simulate --estimates best good.swf
expect 2 "lxfw simulate: --speedup 'amdahl:2', expected linear, amdahl:F with F from 0 to 1, or downey:A,SIGMA with A from 1 and SIGMA from 0 to 1000000" simulate --speedup amdahl:2 good.swf
expect 2 "lxfw simulate: --speedup 'downey:8', expected linear, amdahl:F with F from 0 to 1, or downey:A,SIGMA with A from 1 and SIGMA from 0 to 1000000" simulate --speedup downey:8 good.swf
expect 2 "lxfw simulate: --warmup '5w', expected a number of seconds, or a number with the suffix s, m, h or d" simulate --warmup 5w good.swf
expect 2 "lxfw simulate: --warmup '-1', expected a number of seconds, or a number with the suffix s, m, h or d" simulate --warmup -1 good.swf
expect 2 "invalid procs=none, expected procs=1 to procs=2147483647" simulate --cluster procs=none good.swf
expect 2 "good.swf: the log contains no measured waits (column 3) to compare with" compare good.swf
expect 2 "lxfw compare: --within '0', expected a percentage above 0" compare --within 0 good.swf
expect 2 "lxfw compare: --memory 'a lot', expected kb-per-proc|kb-per-job|bytes-per-job|none" compare --memory "a lot" good.swf
expect 2 "lxfw describe: 0 files given, expected one TRACE" describe
expect 2 "lxfw describe: --format 'xml', expected table|json|csv" describe --format xml good.swf
expect 2 "lxfw describe: --classes mine without the hosts that it names, expected --cluster" describe --classes mine good.swf
expect 2 "mine: No such file or directory" describe --classes mine --cluster ncsa-o2k good.swf
expect 2 "no-such.swf: No such file or directory" describe no-such.swf
expect 2 "lxfw generate: 0 models given, expected one of ncsa-o2k, lublin" generate
expect 2 "lxfw generate: no model 'feitelson', expected ncsa-o2k or lublin" generate feitelson
expect 2 "lxfw generate: ncsa-o2k without --month" generate ncsa-o2k
expect 2 "lxfw generate: --month '2000-04', expected one of 1999-10, 1999-11, 1999-12, 2000-01, 2000-02, 2000-03" generate ncsa-o2k --month 2000-04
expect 2 "lxfw generate: ncsa-o2k does not take --jobs" generate ncsa-o2k --month 2000-01 --jobs 5
expect 2 "lxfw generate: lublin does not take --month" generate lublin --month 2000-01
expect 2 "lxfw generate: --seed 'x', expected a whole number from 0 to 9223372036854775807" generate lublin --seed x
expect 2 "lxfw generate: --procs '0', expected a whole number from 1 to 2147483647" generate lublin --procs 0
expect 2 "lxfw generate: --load 'nan', expected a number from 0.001 to 1000" generate lublin --load nan
expect 2 "lxfw generate: --estimate-factor '0.5', expected a number from 1 to 1000000" generate lublin --estimate-factor 0.5
expect 2 "no-such/out.swf: No such file or directory" generate lublin --jobs 5 --out no-such/out.swf

"$lxfw" simulate --params lxfw_wx=many good.swf > out 2> err
[ $? -eq 2 ] && [ ! -s out ] && grep -q lxfw_wx err ||
	fail "a bad parameter: $(cat err)"
"$lxfw" > out 2> err
[ $? -eq 2 ] && [ ! -s out ] && grep -q '^Usage: lxfw' err ||
	fail "no arguments"

# --- help and version -------------------------------------------------------
for arguments in --help -h help "help simulate" "simulate --help" "replay -h" \
		 "compare --help" --version "simulate --version"; do
	# shellcheck disable=SC2086
	"$lxfw" $arguments > out 2> err
	[ $? -eq 0 ] && [ -s out ] && [ ! -s err ] || fail "lxfw $arguments"
done
for subcommand in simulate replay compare import; do
	"$lxfw" --help | grep -q "^  $subcommand " ||
		fail "lxfw --help does not list $subcommand"
	"$lxfw" $subcommand --help | grep -q "^Usage: lxfw $subcommand " ||
		fail "lxfw $subcommand --help"
done

# --- traces -----------------------------------------------------------------
expect 2 "none.swf: No such file or directory" simulate none.swf
expect 2 ".: a directory without accounting logs, expected that of a pbs_snapshot, unpacked, or logs with names such as 20261126" simulate .
: > empty.swf
expect 2 "empty.swf:1: no job in the file, expected lines of 18 fields (SWF)" simulate empty.swf
job 1 0 10 2 10 > bare.swf
expect 2 "lxfw simulate: bare.swf does not contain the number of processors (MaxProcs), expected --cluster" simulate bare.swf
expect 2 "bare.swf: it does not contain the number of processors (MaxProcs), expected --cluster" compare bare.swf
{ echo '; MaxProcs: 4'; echo; echo; job 3 7 10 1000000000000000000 10; } > huge.swf
expect 2 "huge.swf:4: field 5 (allocated processors) is 1000000000000000000, expected at most 2147483647" simulate huge.swf
{ echo '; MaxProcs: 4'; echo; echo; job 9223372036854775807 7 10 1 10; } > huge.swf
expect 2 "huge.swf:4: field 1 (job number) is 9223372036854775807, expected at most 999999999999999999" simulate huge.swf
{ echo '; MaxProcs: 4'; echo; echo; job 3 -7 10 1 10; } > negative.swf
expect 2 "negative.swf:4: field 2 (submit time) is negative, expected 0 or more" simulate negative.swf
{ echo '; MaxProcs: 4'; echo; echo; echo "3 7 -1 10 1"; } > short.swf
expect 2 "short.swf:4: 5 fields, expected 18" simulate short.swf
{ echo '; MaxProcs: 4'; echo; echo; job 3 7 ten 1 10; } > word.swf
expect 2 "word.swf:4: field 4 (run time) is 'ten', expected a number" simulate word.swf
i=0
while [ $i -lt 300 ]; do
	i=$((i + 1))
	job $i $((i * i)) $i 1 1000
done | gzip > whole.swf.gz
size=$(wc -c < whole.swf.gz)
head -c $((size - 20)) whole.swf.gz > cut.swf.gz
"$lxfw" simulate --cluster procs=4 --jobs-out jobs.csv cut.swf.gz > out 2> err
[ $? -eq 2 ] && [ ! -s out ] && grep -Eq '^cut.swf.gz:[0-9]+: the gzip data is truncated, expected a complete file$' err ||
	fail "truncated gzip: $(cat err)"
"$lxfw" simulate --cluster procs=4 whole.swf.gz > out 2> err ||
	fail "whole gzip: $(cat err)"

# --- clusters ---------------------------------------------------------------
printf 'n[1-3] procs=4\nn4 cpus\n' > wrong.txt
expect 2 "wrong.txt:2: 'cpus', expected count=N, procs=N, memory=SIZE, weight=N, gpu-sockets=N+N or EXTRA=N" simulate --cluster wrong.txt good.swf
printf 'ClusterName=x\nNodeName=n[1-3 CPUs=4\n' > wrong.conf
expect 2 "wrong.conf:2: '[' without ']' in a list of hosts" simulate --cluster wrong.conf good.swf
expect 2 "none.conf: No such file or directory" simulate --cluster none.conf good.swf

# --- job classes ------------------------------------------------------------
printf 'h0 procs=4\n' > one.txt
printf 'time any\nsize any\nhosts h0\n' > any.classes
expect 2 "lxfw simulate: policy classes without job classes, expected --classes FILE or --classes ncsa-o2k" simulate --policy classes good.swf
expect 2 "lxfw simulate: policy classes without job classes, expected --classes FILE or --classes ncsa-o2k" simulate --params lxfw_policy=classes good.swf
expect 2 "lxfw simulate: --classes with policy easy, expected --policy classes" simulate --classes any.classes good.swf
expect 2 "lxfw simulate: --classes with policy lxfw, expected --policy classes" simulate --policy classes --params lxfw_policy=lxfw --classes any.classes good.swf
expect 2 "none.classes: No such file or directory" simulate --policy classes --classes none.classes good.swf
expect 2 "ncsa-o2k.classes:18: host eir is not in the cluster" simulate --policy classes --classes ncsa-o2k good.swf
printf 'time a cpu=soon\n' > wrong.classes
expect 2 "wrong.classes:1: 'soon', expected a time of whole seconds such as 90m, 5h or 5.5h" simulate --policy classes --classes wrong.classes good.swf
printf 'time any\nsize small procs=1\nhosts h0\n' > small.classes
expect 2 "lxfw: good.swf: 2 jobs left out: no job class fits them, or no host of their class does" simulate --cluster one.txt --policy classes --classes small.classes good.swf
printf 'time any\nsize small procs=2\nhosts h0\n' > small.classes
expect 0 "lxfw: good.swf: 1 jobs left out: no job class fits them, or no host of their class does" simulate --cluster one.txt --policy classes --classes small.classes good.swf
expect 0 "" simulate --cluster one.txt --policy classes --classes any.classes good.swf
# the name of a built-in machine precedes a file of that name; ./ selects the file
printf 'frobnicate\n' > ncsa-o2k
expect 0 "" simulate --cluster ncsa-o2k --policy classes --classes ncsa-o2k good.swf
expect 2 "./ncsa-o2k:1: 'frobnicate', expected time, size or hosts" simulate --policy classes --classes ./ncsa-o2k good.swf

# --- journals and records ---------------------------------------------------
expect 2 "none: No such file or directory" replay none
for command in replay journal; do
	expect 2 "empty.swf: not a journal, expected it to begin with 'LXFWjnl'" $command empty.swf
done
expect 2 "lxfw journal: --job 'seven', expected a job number, a job and task number such as 7_3, or 7#2 for the second job 7" journal --job seven empty.swf
expect 2 "lxfw journal: 0 files given, expected a JOURNAL" journal
"$lxfw" simulate --journal journal good.swf > out 2> err || fail "journal: $(cat err)"
"$lxfw" replay journal > out 2> err || fail "replay: $(cat out err)"
grep -q '^4 of 4 decisions agree' out || fail "replay: $(cat out)"
# a truncated end is not an error, but a changed byte is
size=$(wc -c < journal)
head -c $((size - 3)) journal > tail
"$lxfw" replay tail > out 2> err || fail "a truncated journal: $(cat out err)"
grep -q 'truncated after' err || fail "a truncated journal: $(cat err)"
{ head -c 60 journal; printf '\377\377'; tail -c +63 journal; } > turned
"$lxfw" replay turned > out 2> err
[ $? -eq 2 ] && [ ! -s out ] && grep -q '^turned: byte' err ||
	fail "a damaged journal: $(cat out err)"
printf 'JobID|Submit|Start|End\n1|2|3|4\n' > sacct
expect 2 "sacct:1: no column NCPUS in the header, expected at least JobID|Submit|Start|End|NCPUS" compare --cluster procs=4 sacct
printf 'JobID|Submit|Start|End|NCPUS\n1|2|3\n' > sacct
expect 2 "sacct:2: 3 fields, expected 5 as in the header" compare --cluster procs=4 sacct
printf 'JobID|Submit|Start|End|NCPUS\n1|soon|3|4|2\n' > sacct
expect 2 "sacct:2: Submit is not a time, expected 2025-01-31T12:00:00 or seconds" compare --cluster procs=4 sacct
printf 'JobID|Submit|Start|End|NCPUS\n1|3|4|2025-02-30T12:00:00|2\n' > sacct
expect 2 "sacct:2: End is not a time, expected 2025-01-31T12:00:00 or seconds" compare --cluster procs=4 sacct

# --- a file that is written is no other file of the command -------------------
{
	echo "; MaxProcs: 4"
	echo "1 0 0 10 2 -1 -1 2 10 -1 1 -1 -1 -1 -1 -1 -1 -1"
	echo "2 5 5 10 4 -1 -1 4 10 -1 1 -1 -1 -1 -1 -1 -1 -1"
} > waits.swf
cp waits.swf kept.swf
ln waits.swf link.swf
mkdir dir
expect 2 "lxfw compare: --report 'waits.swf' is an input file, expected another file" compare --report waits.swf waits.swf
expect 2 "lxfw compare: --jobs-out 'link.swf' is an input file, expected another file" compare --jobs-out link.swf waits.swf
expect 2 "lxfw compare: --report and --jobs-out are the same file 'new', expected different files" compare --report new --jobs-out dir/../new waits.swf
expect 2 "lxfw compare: --report and --outages are the same file 'waits.swf', expected different files" compare --report waits.swf --outages waits.swf good.swf
expect 2 "lxfw simulate: --report 'waits.swf' is an input file, expected another file" simulate --report waits.swf waits.swf
expect 2 "lxfw simulate: --jobs-out and --series-out are the same file 'new', expected different files" simulate --series-out new --jobs-out new waits.swf
echo 'function priority() return 1 end' > mine.lua
expect 2 "lxfw simulate: --jobs-out 'mine.lua' is an input file, expected another file" simulate --policy-file mine.lua --jobs-out mine.lua waits.swf
expect 2 "lxfw simulate: --journal './mine.lua' is an input file, expected another file" simulate --policy easy --policy-file mine.lua --journal ./mine.lua waits.swf
expect 2 "lxfw simulate: --report and --adaptive are the same file 'waits.swf', expected different files" simulate --policy eqspatial --adaptive waits.swf --report waits.swf good.swf
for option in assocs qos; do
	expect 2 "lxfw simulate: --report and --$option are the same file 'waits.swf', expected different files" simulate --$option waits.swf --report waits.swf good.swf
	expect 2 "lxfw compare: --report and --$option are the same file 'waits.swf', expected different files" compare --$option waits.swf --report waits.swf good.swf
done
expect 2 "lxfw describe: --report 'waits.swf' is an input file, expected another file" describe --report waits.swf waits.swf
expect 2 "lxfw tune: --state '', expected the name of a file" tune --state '' waits.swf
expect 2 "lxfw tune: --state 'waits.swf' is an input file, expected another file" tune --state waits.swf waits.swf
expect 2 "lxfw tune: --report and --state are the same file 'new', expected different files" tune --state new --report new waits.swf
expect 2 "lxfw import: --out './waits.swf' is an input file, expected another file" import --out ./waits.swf waits.swf
expect 2 "lxfw import: --out and --cluster-out are the same file 'new', expected different files" import --out new --cluster-out new waits.swf
expect 0 "" compare --report /dev/null --jobs-out /dev/null waits.swf
cmp -s waits.swf kept.swf || fail "an input file was overwritten"
[ ! -e new ] || fail "a file was written in spite of an error"
expect 2 "lxfw: --reservations without --cluster, expected the cluster whose hosts are reserved" compare --reservations none waits.swf

# --- no incomplete files ----------------------------------------------------
rm -f jobs.csv*
echo old > jobs.csv
"$lxfw" simulate --jobs-out jobs.csv huge.swf > out 2> err
[ "$(cat jobs.csv)" = old ] || fail "the old file was removed after an error"
expect 2 "none/jobs.csv: No such file or directory" simulate --jobs-out none/jobs.csv good.swf
if [ -c /dev/full ]; then
	expect 2 "/dev/full: No space left on device" simulate --jobs-out /dev/full good.swf
	expect 2 "/dev/full: No space left on device" simulate --journal /dev/full good.swf
	# and with it no other file of the result
	mkdir others
	expect 2 "/dev/full: No space left on device" simulate --journal others/journal \
		--jobs-out others/jobs --report others/page.html --series-out /dev/full good.swf
	[ -z "$(ls -A others)" ] || fail "--series-out to a full disk: left $(ls -A others)"
	"$lxfw" simulate good.swf > /dev/full 2> err
	[ $? -eq 2 ] && grep -q '^lxfw: standard output: ' err ||
		fail "stdout to a full disk: $(cat err)"
	"$lxfw" --help > /dev/full 2> err
	[ $? -eq 2 ] || fail "help to a full disk"
fi
rm -f jobs.csv

# A signal while the files are written: the journal is a pipe without a reader, so the
# command blocks after it has created the other file.
mkfifo pipe
"$lxfw" simulate --jobs-out jobs.csv --journal pipe good.swf > out 2> err &
simulation=$!
while kill -0 $simulation 2> /dev/null && ! ls jobs.csv.* > /dev/null 2>&1; do
	:
done
kill -TERM $simulation
wait $simulation
[ $? -eq 143 ] || fail "ended by a signal: exit status $?"
for left in jobs.csv*; do
	[ ! -e "$left" ] || fail "an incomplete file: $left"
done

finish
