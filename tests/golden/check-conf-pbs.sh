#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw check-conf --pbs: the settings of a site of OpenPBS without findings, and for each
# finding a change that causes it. The check must print the command or the line that corrects
# it, and must find nothing after the correction. The files are like those that OpenPBS 23.06
# prints.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac

cat > server <<'END'
#
# Create resources and set their properties.
#
create resource scratch
set resource scratch type = size
set resource scratch flag = hn
create resource bigmem
set resource bigmem type = boolean
set resource bigmem flag = h
#
# Create and define queue workq
#
create queue workq
set queue workq queue_type = Execution
set queue workq enabled = True
set queue workq started = True
create queue high
set queue high queue_type = Execution
set queue high Priority = 100
set queue high resources_max.walltime = 24:00:00
set queue high max_run_res.ncpus = [g:PBS_GENERIC=64]
set queue high started = True
create queue in
set queue in queue_type = Route
set queue in route_destinations = high
set queue in route_destinations += workq
set server scheduling = True
set server max_run = [o:PBS_ALL=100]
set server max_run = [u:PBS_GENERIC=10]
set server resources_default.walltime = 01:00:00
set server acl_roots = root
set server mailer = /usr/sbin/sendmail
END
cat > sched <<'END'
create sched default
set sched sched_host = pbs-test
set sched throughput_mode = True
set sched scheduling = True
set sched preempt_prio = "express_queue, normal_jobs"
create sched multi
set sched multi scheduling = False
END
cat > nodes <<'END'
create node v0 Mom=pbs-test
set node v0 state = free
set node v0 resources_available.ncpus = 4
set node v0 resources_available.scratch = 10gb
set node v0 resources_available.hbmem = 0kb
create node v1 Mom=pbs-test
set node v1 resources_available.ncpus = 4
END
cat > sched_config <<'END'
# comment
round_robin: False	all
by_queue: True		prime
by_queue: True		non_prime
strict_ordering: false	ALL
primetime_prefix: p_
dedicated_prefix: ded
node_sort_key: "sort_priority HIGH"	ALL
resources: "ncpus, mem, arch, host, vnode, scratch"
smp_cluster_dist: pack
fair_share: false	ALL
fairshare_usage_res: cput
preemptive_sched: true	ALL
END
echo 'PBS_START_SCHED=0' > pbs.conf
all="server sched nodes sched_config pbs.conf"
for each in $all; do
	cp $each $each.good
done

# Print the findings in `out`, without the notes and the corrections.
findings()
{
	grep '^[^ ]' out | grep -v -e ', note\]$' -e '^nothing to correct$'
}

"$lxfw" check-conf --pbs $all > out 2> told
status=$?
[ $status -eq 0 ] && [ ! -s told ] && [ "$(wc -l < out)" -eq 2 ] &&
	grep -q '^server:16: lxfw-pbsd respects started of queue, Priority of queue, max_run_res.ncpus of queue, max_run of server, preempt_prio of sched, see JOBS in lxfw-pbsd(8) \[respected, note\]$' out ||
	fail "no findings: exit status $status: $(cat out told)"

# What lxfw-pbsd models: resources that are counted for all hosts or on the first one, soft
# limits, placement sets, prime time, the formula.
sed '1s/.*/create resource lic\
set resource lic type = long\
set resource lic flag = q\
set server resources_available.lic = 3\
create resource one\
set resource one type=long, flag=fh\
set queue high max_run_res_soft.ncpus = [u:PBS_GENERIC=5]\
set server node_group_key = rack\
set queue workq resources_default.place = "free:group=rack"/
s/high/p_high/' server.good > server
"$lxfw" check-conf --pbs $all > out || fail "what is modelled: $(cat out)"
cp server.good server

# find WHAT FINDING FILE:LINE SED CORRECTION TEXT: change FILE by SED. The check must report
# FINDING for LINE with TEXT and nothing else, and print CORRECTION. A command of qmgr is then
# appended to the file, another line replaces LINE. Then nothing may be found.
find()
{
	file=${3%:*} line=${3#*:}
	sed "$4" $file.good > $file
	"$lxfw" check-conf --pbs $all > out 2> told
	status=$?
	[ $status -eq 1 ] || fail "$1: exit status $status: $(cat told)"
	[ "$(findings | wc -l)" -eq 1 ] || fail "$1: $(cat out)"
	grep "^$file:$line: .* \[$2[],]" out | grep -q -e "$6" || fail "$1: $(cat out told)"
	[ "$(sed -n '/^    /{s/^    //p;q}' out)" = "$5" ] ||
		fail "$1: the correction is $(sed -n 2p out)"
	case $5 in
	'# '*) ;;
	'set '* | 'unset '*)
		echo "$5" >> $file
		"$lxfw" check-conf --pbs $all > out || fail "$1, corrected: $(cat out)"
		;;
	*)
		awk -v line=$line -v new="$5" 'NR == line { $0 = new } { print }' $file > new
		mv new $file
		"$lxfw" check-conf --pbs $all > out || fail "$1, corrected: $(cat out)"
		;;
	esac
	cp $file.good $file
}

# --- what makes jobs wait ---------------------------------------------------
find "pbs_sched runs" scheduler pbs.conf:1 's/0/1/' 'PBS_START_SCHED=0' 'does not work'
find "scheduling is off" scheduling sched:4 '4s/True/False/' 'set sched default scheduling = True' qrun
find "scheduling of the server is off" scheduling server:27 '27s/True/False/' \
	'set server scheduling = True' qrun
find "a float that is not counted" resources server:4 '5s/size/float/; 6s/hn/h/' \
	'set resource scratch flag = nh' 'is a float'
find "five counted resources" resources server:10 '4s/^/create resource a\
set resource a type=long, flag=nh\
create resource b\
set resource b type=long, flag=nh\
create resource c type=long,flag=nh\
create resource d type=long,flag=nh\
/; 4s/$/ /' 'set resource scratch flag = h' 'more than four'
find "an operating environment" resources nodes:5 '5s/hbmem = 0kb/aoe = "linux,windows"/' \
	'unset node @default resources_available.aoe' 'request aoe wait forever'
mixed='7s/.*/&\nset node v1 resources_available.host = h\nset node v0 resources_available.host = h/'
find "a property of one vnode" mixed-hosts nodes:1 "$mixed; 1s/.*/set node v0 resources_available.bigmem = True/" \
	'set node v1 resources_available.bigmem = True' 'v0 and v1 of host h differ in resources_available.bigmem: a job that requires it'
find "a vnode of a queue" mixed-hosts nodes:6 "$mixed; 6s/.*/set node v1 queue = high/" \
	'set node v0 queue = high' 'v1 and v0 of host h differ in queue: no job starts there'

# A vnode without processors has no jobs, and may lack anything.
sed '7s/.*/&\nset node v1 resources_available.host = h\nset node v0 resources_available.host = h\nset node v0 resources_available.bigmem = True\nset node v1 resources_available.bigmem = True\ncreate node mom\nset node mom resources_available.ncpus = 0\nset node mom resources_available.host = h/' \
	nodes.good > nodes
"$lxfw" check-conf --pbs $all > out || fail "a vnode without processors: $(cat out)"
cp nodes.good nodes

# --- what has no effect -----------------------------------------------------
find "no limit" default-walltime server:14 '30d' 'set server resources_default.walltime = 01:00:00' \
	'queue workq without walltime count as five years'
find "the depth of backfill" backfill-depth server:1 '1s/.*/set server backfill_depth = 7/' \
	'unset server backfill_depth' 'lxfw_reservations=7'
find "an attribute of the scheduler" idle-attributes sched:3 '3s/True/False/' \
	'unset sched default throughput_mode' 'awaits each start'
find "limits of vnodes" node-limits nodes:2 '2s/.*/set node v0 no_multinode_jobs = True/' \
	'unset node @default no_multinode_jobs' 'of node v0 has no effect'
find "limits of several vnodes" node-limits nodes:2 \
	'2s/.*/set node v0 max_running = 3/; 7s/.*/set node v1 max_running = 3/' \
	'unset node @default max_running' 'of node v0 and 1 other has no effect'
find "fair share" fair-share sched_config:11 '11s/false/true/' '#fair_share: true ALL' usage
find "strict order" order sched_config:5 '5s/false/True/' '#strict_ordering: True ALL' lxfw_policy=fcfs
find "sort keys" order sched_config:1 '1s/.*/job_sort_key: "ncpus HIGH" prime/' \
	'#job_sort_key: "ncpus HIGH" prime' 'ordered by lxfw_policy'
find "order of nodes" node-order sched_config:8 '8s/sort_priority HIGH/mem LOW/' \
	'#node_sort_key: "mem LOW" ALL' 'placement rule'
find "an unknown option" unknown-options sched_config:2 '2s/round_robin/round_robbing/' \
	'#round_robbing: False all' 'no option of pbs_sched'

# --- both files -------------------------------------------------------------
sed '3,4s/True/False/' sched_config.good > sched_config
"$lxfw" check-conf --pbs $all > out && fail "by_queue: found nothing"
[ "$(findings | wc -l)" -eq 1 ] && grep -q '^server:19: by_queue is false .*\[by-queue\]$' out ||
	fail "by_queue: $(cat out)"
echo 'unset queue high Priority' >> server
"$lxfw" check-conf --pbs $all > out || fail "by_queue, corrected: $(cat out)"
cp sched_config.good sched_config

# --- notes ------------------------------------------------------------------
# note NAME FILE:LINE SED TEXT
note()
{
	file=${2%:*} line=${2#*:}
	sed "$3" $file.good > $file
	"$lxfw" check-conf --pbs $all > out 2> told || fail "note $1: $(cat out told)"
	grep "^$file:$line: .* \[$1, note\]\$" out | grep -q -e "$4" || fail "note $1: $(cat out)"
	cp $file.good $file
}
cp server.good server
note preemption server:19 '19s/100/150/' 'queue high preempt others under lxfw_policy=site'
note formula server:1 '1s/.*/set server job_sort_formula = "ncpus, 1"/' 'under lxfw_policy=site'
note unlisted-resources sched_config:9 '9s/, scratch//' 'ignores scratch, which'
"$lxfw" check-conf --pbs sched_config > out || fail "sched_config alone: $(cat out)"
grep -q "^sched_config: not given, and not checked: qmgr -c 'print server', qmgr -c 'print sched', qmgr -c 'print node @default', see INSTALLATION in lxfw-pbsd(8) \[unchecked, note\]$" out ||
	fail "sched_config alone: $(cat out)"

# --- the directory of a snapshot --------------------------------------------
mkdir -p snapshot/server snapshot/scheduler snapshot/node
cp server snapshot/server/qmgr_ps.out
cp sched snapshot/scheduler/qmgr_psched.out
: > snapshot/node/qmgr_pn_default.out
"$lxfw" check-conf --pbs snapshot > out || fail "a snapshot: $(cat out)"
grep -q "^snapshot: not given, and not checked: qmgr -c 'print node @default', sched_config, see" out ||
	fail "a snapshot: $(cat out)"

# --- JSON -------------------------------------------------------------------
echo 'set server backfill_depth = 2' >> server
"$lxfw" check-conf --pbs --json $all > json
[ $? -eq 1 ] && grep -q '"mend": *"unset server backfill_depth"' json &&
	grep -q '"line": *33' json || fail "JSON: $(cat json)"
cp server.good server

# --- Torque -----------------------------------------------------------------
# torque FILE TEXT: Torque is recognized by what only it has, and nothing else is checked.
torque()
{
	"$lxfw" check-conf --pbs "$1" > out 2> told
	status=$?
	[ $status -eq 1 ] && [ ! -s told ] || fail "Torque, $1: exit status $status: $(cat out told)"
	[ "$(grep -c '\[' out)" -eq 1 ] &&
		grep -q "^$1:$2 only Torque has: lxfw-pbsd does not run on Torque.*\[torque, does not work\]\$" out ||
		fail "Torque, $1: $(cat out)"
}
cat > torque <<'END'
create queue batch
set queue batch queue_type = Execution
set queue batch started = True
set server scheduling = True
set server default_queue = batch
set server scheduler_iteration = 600
set server node_check_rate = 150
set server keep_completed = 300
END
torque torque '7: node_check_rate and keep_completed'
sed '/^set server n/d; /^set server k/d; s/^set queue batch started.*/&\nset queue batch req_information_max.lprocs = 8/' torque > queues
torque queues '4: req_information_max.lprocs'
sed '/^set server n/d; /^set server k/d' torque > both
"$lxfw" check-conf --pbs both > out
! grep -q '\[torque' out || fail "attributes that OpenPBS has, too: $(cat out)"

# --- misuse and bad input ---------------------------------------------------
bad()
{
	message=$1
	shift
	"$lxfw" check-conf "$@" > out 2> told
	status=$?
	[ $status -eq 2 ] || fail "check-conf $*: exit status $status"
	[ "$(sed -n 1p told)" = "$message" ] || fail "check-conf $*: message '$(cat told)'"
	[ ! -s out ] || fail "check-conf $*: $(cat out)"
}
wrong()
{
	printf "$1" > wrong
	bad "wrong:$2" --pbs wrong
}
bad "lxfw check-conf: no files given, expected the output of qmgr -c 'print server', or sched_config" --pbs
bad "lxfw check-conf: --no-files has no effect with --pbs" --pbs --no-files server
bad "lxfw check-conf: --plugin-dir has no effect with --pbs" --pbs --plugin-dir / server
bad "none: No such file or directory" --pbs none
bad "snapshot/none: No such file or directory" --pbs server snapshot/none
"$lxfw" check-conf --pbs - < server > out || fail "standard input: $(cat out)"
grep -q '^<stdin>:16: lxfw-pbsd respects' out || fail "standard input: $(cat out)"
mkdir empty
bad "empty: no server/qmgr_ps.out, expected the directory of a pbs_snapshot that could contact the server" --pbs empty
wrong '# comment\n' " no settings in the file, expected the output of qmgr -c 'print server', or sched_config"
wrong 'Server: pbs\n    scheduling = True\n' "1: output of qstat or of qmgr's list, expected that of qmgr -c 'print server'"
wrong 'create queue q\nwhat queue q\n' "2: 'what', expected create, set or another command of qmgr -c 'print server'"
wrong 'create queue q\nset kueue q a = 1\n' "2: 'kueue', expected server, queue, node, sched, resource or hook"
wrong 'create queue\n' "1: the name of a queue is missing"
wrong 'set queue q\n' "1: the command ends, expected ATTRIBUTE = VALUE"
wrong 'unset queue q\n' "1: the command ends, expected ATTRIBUTE"
wrong 'set server job_sort_formula\n' "1: the command ends, expected ATTRIBUTE = VALUE"
wrong 'set queue q Priority 3\n' "1: 'Priority 3', expected ATTRIBUTE = VALUE"
wrong 'set server job_sort_formula = "ncpus\n' "1: 'job_sort_formula', expected a value with both quotes"
wrong 'set server mailer = \\\n' "1: a command continues on the next line, expected one line for each"
wrong 'set server a = \000\n' "1: a NUL byte, expected text"
wrong 'by_queue True\n' "1: 'by_queue True', expected OPTION: VALUE"
wrong 'by_queue:\n' "1: by_queue: no value, expected OPTION: VALUE"
wrong 'by_queue: True primed\n' "1: by_queue: 'primed' after the value, expected all, prime or non_prime"
wrong 'resources: "ncpus\n' "1: resources: a '\"' without another one, expected \"VALUE\""
wrong 'PBS_HOME=/x\nPBS\n' "2: 'PBS', expected KEY=VALUE"
finish
