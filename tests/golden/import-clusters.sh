#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Logs that name the cluster of each job: those with jobs of several are refused, by all
# subcommands that read logs, and --slurm-cluster selects the jobs of one.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac
cd "$work" || exit 99

# import WHAT OPTION... LOG...: standard input has the expected records and messages
import()
{
	what=$1
	shift
	"$lxfw" import --out out.swf "$@" 2> told || fail "$what: exit status $?: $(cat told)"
	{ grep -v '^;' out.swf; sed 's/^lxfw: //' told; } > is
	diff -u - is > diff || fail "$what: $(cat diff)"
}

# bad MESSAGE SUBCOMMAND ARGUMENT...: the command fails with a message that ends with MESSAGE
bad()
{
	message=$1
	shift
	"$lxfw" "$@" > out 2> told
	status=$?
	[ $status -eq 2 ] || fail "$*: exit status $status"
	[ ! -s out ] && [ ! -e none ] || fail "$*: an incomplete file"
	case $(sed -n 1p told) in
	*"$message") ;;
	*) fail "$*: $(cat told)" ;;
	esac
}

# Job 7 of alps and job 7 of jura are two jobs. A step of one of them is none of the other, also
# where it names no cluster.
{
	echo 'JobID|Cluster|Submit|Start|End|Elapsed|Timelimit|NCPUS|State|User|MaxRSS|NTasks'
	echo '7|alps|1735689600|1735689610|1735689710|00:01:40|00:10:00|4|COMPLETED|ann||'
	echo '7|jura|1735689600|1735689610|1735689710|00:01:40|00:10:00|8|COMPLETED|bob||'
	echo '7.0||1735689600|1735689610|1735689710|00:01:40||8|COMPLETED||8M|1'
	echo '7.1|jura|1735689600|1735689610|1735689710|00:01:40||8|COMPLETED||16M|1'
	echo '8|alps|1735689620|1735689630|1735689730|00:01:40|00:10:00|2|COMPLETED|ann||'
	echo '8.0|alps|1735689620|1735689630|1735689730|00:01:40||2|COMPLETED||2M|1'
	echo '9|harz|1735689620|1735689630|Unknown|00:01:40|00:10:00|2|RUNNING|ann||'
} > two
said='jobs of 2 clusters, alps (2 jobs), jura (1 job); expected those of one machine: select them with lxfw import --slurm-cluster NAME'
bad "two: $said" import --out none two
bad "two: $said" import --memory 1K --out none two
bad "two: $said" import --out none --cluster-out hosts two
bad "two: $said" import --history none --machine alps two
bad "two: $said" simulate two
bad "two: $said" describe two
bad "two: $said" compare two
bad "two: $said" compare --cluster procs=16 two
bad "two: $said" tune two

import alps --slurm-cluster alps two <<'END'
7 0 10 100 4 -1 -1 4 600 -1 1 1 -1 -1 -1 -1 -1 -1
8 20 10 100 2 -1 1024 2 600 -1 1 1 -1 -1 -1 -1 -1 -1
7 records (sacct): 2 of jobs, 1 of job steps, 4 of other clusters (left out); most processors held at once: 6
END
"$lxfw" import --memory 1K --slurm-cluster alps two 2> told | cmp -s - out.swf ||
	fail "--memory: $(cat told)"
"$lxfw" import --cluster-out hosts --slurm-cluster alps --out kept.swf two 2> told
[ $? -eq 2 ] && grep -q 'no host names' told || fail "no hosts: $(cat told)"
import jura --slurm-cluster jura two <<'END'
7 0 10 100 8 -1 2048 8 600 -1 1 1 -1 -1 -1 -1 -1 -1
7 records (sacct): 1 of jobs, 2 of job steps, 4 of other clusters (left out); most processors held at once: 8
END
"$lxfw" import --history times --machine alps --slurm-cluster alps two > out 2> told &&
	grep -q 'machine alps: 2 jobs, 2 of them new' out || fail "--history: $(cat out told)"
"$lxfw" import --json --out out.swf --slurm-cluster alps two > out &&
	grep -q '"records": 7,$' out && grep -q '"job_records": 2,$' out &&
	grep -q '"step_records": 1,$' out && grep -q '"not_ended_records": 0,$' out &&
	grep -q '"other_cluster_records": 4,$' out || fail "--json: $(cat out)"
bad 'no record is of cluster Alps, expected alps (2 jobs), jura (1 job)' \
	import --slurm-cluster Alps --out none two

# The jobs of one cluster, and jobs without one, are a trace as ever.
grep -v 'jura\|^7\.' two > one
{
	cat one
	echo '3||1735689600|1735689610|1735689710|00:01:40|00:10:00|1|COMPLETED|ann||'
} > some
import one some <<'END'
3 0 10 100 1 -1 -1 1 600 -1 1 1 -1 -1 -1 -1 -1 -1
7 0 10 100 4 -1 -1 4 600 -1 1 1 -1 -1 -1 -1 -1 -1
8 20 10 100 2 -1 1024 2 600 -1 1 1 -1 -1 -1 -1 -1 -1
5 records (sacct): 3 of jobs, 1 of job steps, 1 of running or pending jobs; most processors held at once: 7
END
"$lxfw" simulate some > /dev/null 2> told || fail "one cluster: $(cat told)"

# A log for each of two clusters.
{ sed -n 1p two; grep jura two; } > jura
bad "$said" import --out none one jura
cut -d '|' -f 1,3- one > none-named
bad 'no record is of cluster alps, expected records that name it, as those of sacct with the column Cluster' \
	import --slurm-cluster alps --out none none-named
bad 'a trace names no clusters, expected accounting records for --slurm-cluster' \
	import --slurm-cluster alps --out none out.swf

# The jobs of slurmrestd, and a table.
cat > json <<'END'
{ "jobs": [
  { "job_id": 7, "cluster": "alps", "time": { "submission": 1735689600, "start": 1735689610,
    "end": 1735689710 }, "state": { "current": [ "COMPLETED" ] }, "required": { "CPUs": 4 } },
  { "job_id": 7, "cluster": "jura", "time": { "submission": 1735689600, "start": 1735689610,
    "end": 1735689710 }, "state": { "current": [ "COMPLETED" ] }, "required": { "CPUs": 8 } } ] }
END
bad 'json: jobs of 2 clusters, alps (1 job), jura (1 job); expected those of one machine: select them with lxfw import --slurm-cluster NAME' \
	simulate json
{
	echo 'job_id,machine,submit_time,start_time,end_time,cpus'
	echo '7,alps,1735689600,1735689610,1735689710,4'
	echo '7,jura,1735689600,1735689610,1735689710,4'
} > table
"$lxfw" import --out out.swf table 2> told || fail "a table without clusters: $(cat told)"
bad 'alps (1 job), jura (1 job); expected those of one machine: select them with lxfw import --slurm-cluster NAME' \
	import --columns cluster=machine --out none table
sed 's/machine/cluster/' table > named
bad 'alps (1 job), jura (1 job); expected those of one machine: select them with lxfw import --slurm-cluster NAME' \
	import --out none named

# Many clusters, with names that are not plain.
{
	sed -n 1p two
	for i in $(seq 60); do
		printf "$i|clus\033ter$i|1735689600|1735689610|1735689710|00:01:40|1|4|COMPLETED|ann||\n"
	done
} > many
"$lxfw" simulate many > out 2> told
[ $? -eq 2 ] && grep -q 'many: jobs of 60 clusters, clus?ter1 (1 job), .*, \.\.\.; expected' told ||
	fail "60 clusters: $(cat told)"

finish
