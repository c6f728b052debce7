#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The directory of a pbs_snapshot of OpenPBS as a log: its accounting logs are read in order as
# one, its vnodes and queues are the machine, and a missing part is reported with the cure. The
# files are like those of OpenPBS 23.06.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

mkdir -p snap/server snap/node snap/server_priv/accounting snap/system
echo 1795677232.7593195 > snap/ctime
cat > snap/server/qmgr_ps.out <<'END'
#
# Create and define queue workq
#
create queue workq
set queue workq queue_type = Execution
set queue workq started = True
create queue high
set queue high queue_type = Execution
set queue high Priority = 100
set queue high resources_max.walltime = 24:00:00
create queue big
set queue big queue_type = Execution
set queue big Priority = -5
create queue route
set queue route queue_type = Route
set server scheduling = True
set server resources_default.walltime = 01:00:00
END
cat > snap/node/qmgr_pn_default.out <<'END'
#
# Create and define node pbs-test
#
create node pbs-test
set node pbs-test state = free
set node pbs-test resources_available.mem = 24684084kb
set node pbs-test resources_available.ncpus = 0
create node v0 Mom=pbs-test
set node v0 state = free
set node v0 resources_available.host = h0
set node v0 resources_available.mem = 8gb
set node v0 resources_available.ncpus = 4
create node v1 Mom=pbs-test
set node v1 resources_available.mem = 8388608kb
set node v1 resources_available.ncpus = 4
set node v1 resources_available.ngpus = 2
create node v2 Mom=pbs-test
set node v2 resources_available.mem = 64gb
set node v2 resources_available.ncpus = 8
set node v2 queue = big
END

# record DATE ID QUEUE SUBMIT START END PROCS VNODE LIMIT
record()
{
	printf '%s;E;%s.pbs;user=ann group=g project=_pbs_project_default jobname=x queue=%s ctime=%s qtime=%s etime=%s start=%s exec_host=pbs-test/0 exec_vnode=(%s:ncpus=%s) Resource_List.ncpus=%s Resource_List.nodect=1 Resource_List.place=free Resource_List.select=1:ncpus=%s Resource_List.walltime=%s session=1 end=%s Exit_status=0 run_count=1\n' \
		"$1" "$2" "$3" "$4" "$4" "$4" "$5" "$8" "$7" "$7" "$7" "$9" "$6"
}
day1=1795651200 day2=1795737600
logs=snap/server_priv/accounting
{
	record '11/26/2026 00:05:00' 1 workq $day1 $((day1 + 60)) $((day1 + 300)) 4 v0 00:10:00
	# an array: its task, and the array itself, which has a start but no hosts
	record '11/26/2026 00:06:40' '2[1]' workq $((day1 + 10)) $((day1 + 300)) $((day1 + 400)) 4 v0 00:10:00
	printf '11/26/2026 00:06:41;E;2[].pbs;user=ann group=g queue=workq ctime=%s qtime=%s etime=%s start=%s Resource_List.ncpus=4 Resource_List.select=1:ncpus=4 session=0 end=%s Exit_status=0 run_count=0\n' \
		$((day1 + 10)) $((day1 + 10)) $((day1 + 10)) $((day1 + 300)) $((day1 + 401))
	printf '11/26/2026 23:59:00;Q;3.pbs;user=ann group=g queue=high ctime=%s qtime=%s etime=%s Resource_List.ncpus=2\n' \
		$((day2 - 60)) $((day2 - 60)) $((day2 - 60))
} > $logs/20261126
# without a newline at its end
record '11/27/2026 00:02:00' 3 high $((day2 - 60)) $((day2)) $((day2 + 120)) 2 v1 00:05:00 |
	tr -d '\n' | gzip > $logs/20261127.gz
: > $logs/20261128
record '11/29/2026 00:00:10' 4 big $((day2 + 100)) $((day2 + 200)) $((day2 + 500)) 8 v2 00:10:00 > $logs/20261129
echo 'not an accounting log' > $logs/README

# --- import -----------------------------------------------------------------
"$lxfw" import --out trace --cluster-out machine snap 2> told || fail "import: $(cat told)"
sed '/^;/d' trace > got
diff - got <<'END' || fail "import: the trace differs"
1 0 60 240 4 -1 -1 4 600 -1 1 1 1 1 1 -1 -1 -1
2 10 290 100 4 -1 -1 4 600 -1 1 1 1 1 1 -1 -1 -1
3 86340 60 120 2 -1 -1 2 300 -1 1 1 1 1 2 -1 -1 -1
4 86500 100 300 8 -1 -1 8 600 -1 1 1 1 1 3 -1 -1 -1
END
grep -q '^lxfw: 6 records (pbs): 4 of jobs, 1 not of ended jobs, 1 of whole job arrays;' told ||
	fail "import: $(cat told)"
sed '/^#/d' machine > got
diff - got <<'END' || fail "import: the machine differs"
SelectTypeParameters=CR_Core_Memory
NodeName=v0 CPUs=4 RealMemory=8192
NodeName=v1 CPUs=4 RealMemory=8192 Gres=gpu:2
NodeName=v2 CPUs=8 RealMemory=65536
PartitionName=workq Nodes=v[0-1] DefaultTime=0-01:00:00 PriorityTier=5
PartitionName=high Nodes=v[0-1] MaxTime=1-00:00:00 DefaultTime=0-01:00:00 PriorityTier=105
PartitionName=big Nodes=v2 DefaultTime=0-01:00:00 PriorityTier=0
END
"$lxfw" import --out of-logs $logs 2> told || fail "a directory of logs: $(cat told)"
cmp -s trace of-logs || fail "a directory of logs: $(diff trace of-logs)"

# --- the other subcommands --------------------------------------------------
"$lxfw" simulate --policy easy --jobs-out jobs.csv snap > table 2> told || fail "simulate: $(cat told)"
"$lxfw" simulate --policy easy --jobs-out of-files.csv --cluster machine trace > table 2> told ||
	fail "simulate the files: $(cat told)"
for table in jobs of-files; do
	cut -d, -f2-9 $table.csv > $table
done
# the times of the accounting are those since 1970, the trace begins at 0
[ "$(cut -d, -f4 jobs)" = "$(cut -d, -f4 of-files)" ] && [ "$(cut -d, -f8 jobs)" = "$(cut -d, -f8 of-files)" ] ||
	fail "simulate: $(diff jobs of-files)"
grep -q ',v2$' jobs || fail "simulate: no job on the host of its queue: $(cat jobs)"
"$lxfw" compare snap > table 2> told || [ $? -eq 1 ] || fail "compare: $(cat told)"
grep -q '^assumed: 16 processors on 3 hosts, from snap; .*4 jobs in their partitions' table ||
	fail "compare: $(cat table)"
# the policy of the site, if the snapshot has its sched_config
mkdir snap/sched_priv
# closest POLICY TO SED
closest()
{
	"$lxfw" compare snap > table 2> told || [ $? -eq 1 ] || fail "compare: $(cat told)"
	grep -q "^assumed: .*; policy $1, closest to the pbs_sched $2 strict_ordering of snap; " table ||
		fail "the policy $1: $(grep ^assumed table)"
}
printf '# c\nstrict_ordering: false\tALL\nby_queue: True\tprime\n' > snap/sched_priv/sched_config
closest list without
printf 'strict_ordering: false prime\nstrict_ordering: True\tnon_prime\n' > snap/sched_priv/sched_config
closest easy with
cp snap/server/qmgr_ps.out ps
echo 'set server backfill_depth = 0' >> snap/server/qmgr_ps.out
closest fcfs with
mv ps snap/server/qmgr_ps.out
"$lxfw" compare --policy lxfw snap > table 2> told || [ $? -eq 1 ] || fail "compare: $(cat told)"
grep -q '; policy lxfw and parameters as given; ' table || fail "compare: $(grep ^assumed table)"
rm -r snap/sched_priv
"$lxfw" describe snap > table 2> told || fail "describe: $(cat told)"
grep -q '^16 processors, 81920 MB' table || fail "describe: $(cat table)"
"$lxfw" check-conf --pbs snap > table
grep -q '^snap/server/qmgr_ps.out:[0-9]*: lxfw-pbsd respects' table || fail "check-conf: $(cat table)"
# a file of both commands of qmgr
cat snap/server/qmgr_ps.out snap/node/qmgr_pn_default.out > both
"$lxfw" import --out same --cluster both --cluster-out same-machine snap 2> told || fail "--cluster: $(cat told)"
sed '/^#/d' same-machine | cmp -s - got || fail "--cluster: $(diff same-machine machine)"

# --- what is missing or damaged ---------------------------------------------
# bad MESSAGE COMMAND...
bad()
{
	message=$1
	shift
	"$lxfw" "$@" > out 2> told
	status=$?
	[ $status -eq 2 ] || fail "$*: exit status $status"
	[ "$(sed -n 1p told)" = "$message" ] || fail "$*: message '$(cat told)'"
	[ ! -s out ] || fail "$*: $(cat out)"
}
tar -czf snap.tgz snap
bad "snap.tgz: a tar file, expected what it contains: tar -xf FILE" import snap.tgz
mkdir basic empty
cp -r snap/server snap/ctime basic
for command in import compare simulate describe; do
	bad "basic: no accounting logs in server_priv/accounting, expected some: pbs_snapshot --basic contains none; run 'pbs_snapshot --accounting-logs=60 -o DIR' as root on the host of the server" $command basic
	bad "empty: a directory without accounting logs, expected that of a pbs_snapshot, unpacked, or logs with names such as 20261126" $command empty
done
bad "basic: no node/qmgr_pn_default.out with the vnodes, expected the directory of a pbs_snapshot that was made on the host of the server, or --cluster with the output of qmgr -c 'print node @default'" \
	simulate --cluster basic trace
cp -r snap cut
printf '11/29/2026 00:00:10 E\n' >> cut/server_priv/accounting/20261129
"$lxfw" import --out out.swf cut 2> told || fail "an odd record: $(cat told)"
grep -qF ', 1 odd (left out), the first: cut/server_priv/accounting/20261129:2: no accounting record, expected MM/DD/YYYY HH:MM:SS;TYPE;JOB;KEY=VALUE ...;' told ||
	fail "an odd record: $(cat told)"
head -c 100 $logs/20261127.gz > cut/server_priv/accounting/20261127.gz
bad "cut/server_priv/accounting/20261127.gz:1: the gzip data is truncated, expected a complete file" import cut
rm cut/server_priv/accounting/*
cp $logs/20261126 cut/server_priv/accounting
echo 'set node v0 resources_available.ncpus = four' >> cut/node/qmgr_pn_default.out
bad "cut/node/qmgr_pn_default.out:21: resources_available.ncpus = 'four', expected a number" simulate cut
sed -i '21s/.*/set node v0 resources_available.mem = 8gib/' cut/node/qmgr_pn_default.out
bad "cut/node/qmgr_pn_default.out:21: resources_available.mem = '8gib', expected a size such as 64gb" simulate cut
sed -i '/ncpus/d; 21d' cut/node/qmgr_pn_default.out
bad "cut: no vnode with processors, expected the output of qmgr -c 'print node @default'" simulate cut
cp snap/node/qmgr_pn_default.out cut/node
rm cut/server/qmgr_ps.out
bad "cut/server/qmgr_ps.out: No such file or directory" simulate cut
finish
