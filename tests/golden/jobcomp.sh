#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw import of the JSON of Slurm's jobcomp/elasticsearch and jobcomp/kafka: lines, arrays, and
# what Elasticsearch returns.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "$golden/imported.sh"

cd "$work" || exit 99

# Job 12 as Slurm 23.02 and later write it, job 14 as 20.11, which was cancelled while it waited,
# job 17 as 17.02. Job 13 has started, job 15 was resized, and 16 is in a document of elasticdump.
cat > lines <<'END'
{"jobid":12,"container":null,"username":"jürgen","user_id":1000,"groupname":"g","group_id":1000,"@start":"2025-01-31T12:00:05","@end":"2025-01-31T12:10:00","elapsed":595,"partition":"p","alloc_node":"login","nodes":"n[1-2]","total_cpus":4,"total_nodes":2,"derived_ec":"0:0","exit_code":"0:0","state":"COMPLETED","failed_node":null,"cpu_hours":0.66,"het_job_id":0,"priority":1,"@submit":"2025-01-31T12:00:00","@eligible":"2025-01-31T12:00:01","@queue_wait":4,"qos":"normal","time_limit":3600,"tres_req":"cpu=4,mem=8G,node=2,billing=4","tres_alloc":"cpu=4,mem=8G,node=2,billing=4,gres/gpu=2","account":"lab","cluster":"c","script":"#!/bin/sh\necho {[\" @end\n"}
{"jobid":13,"username":"a","@start":"2025-01-31T12:00:09","partition":"p","nodes":"n1","total_cpus":4,"total_nodes":1,"state":null,"@submit":"2025-01-31T12:00:00"}

{"jobid":14,"username":"a","user_id":1,"groupname":"g","group_id":1,"@start":"Unknown","@end":"2025-01-31T12:05:00","elapsed":0,"partition":"p","alloc_node":"l","nodes":"(null)","total_cpus":0,"total_nodes":0,"derived_ec":"0:0","exit_code":"0:0","state":"CANCELLED","cpu_hours":0.000000,"@submit":"2025-01-31T12:00:00","tres_req":"cpu=8,node=1","time_limit":257698037640}
{"jobid":15,"username":"a","@start":"2025-01-31T12:00:09","@end":"2025-01-31T12:00:39","elapsed":30,"partition":"p","nodes":"n1","total_cpus":4,"total_nodes":1,"state":"RESIZING","@submit":"2025-01-31T12:00:00"}
{"jobid":15,"username":"a","@start":"2025-01-31T12:00:39","@end":"2025-01-31T12:00:49","elapsed":10,"partition":"p","nodes":"n1","total_cpus":2,"total_nodes":1,"state":"FAILED","@submit":"2025-01-31T12:00:00","time_limit":60}
{"_index":"slurm","_id":"x","_source":{"jobid":16,"username":"b","@start":"2025-01-31T12:01:00","@end":"2025-01-31T12:02:00","elapsed":60,"partition":"q","nodes":"n3","total_cpus":2,"total_nodes":1,"state":"TIMEOUT","@submit":"2025-01-31T12:00:30Z","array_job_id":16,"array_task_id":1,"pack_job_id":16}}
{"jobid":17,"username":"b","user_id":2,"groupname":"g","group_id":1,"@start":"2025-01-31T12:01:00","@end":"2025-01-31T12:02:00","elapsed":60,"partition":"q","alloc_node":"l","nodes":"n4","total_cpus":2,"total_nodes":1,"derived_exitcode":0,"exitcode":0,"state":"COMPLETED","cpu_hours":0.03,"@submit":"2025-01-31T12:00:40","@eligible":"2025-01-31T12:00:50","queue_wait":10,"time_limit":600,"gres_alloc":"gpu:1"}
END
cat > expected <<'END'
14 0 300 -1 8 -1 -1 5 nodes=1
15 0 39 10 2 60 -1 0 nodes=1
12 1 4 595 4 3600 2097152 1 nodes=2,least-nodes=2,gres/gpu=2,qos=normal,account=lab
16 30 30 60 2 31536000 -1 0 nodes=1,het=16
17 50 10 60 2 600 -1 1 nodes=1,gres/gpu=1
7 records (jobcomp): 5 of jobs, 2 of running or pending jobs; never started: 1; held back after submission: 2; without a time limit: 1; parts of heterogeneous jobs: 1; most processors held at once: 8
END
expect lines < expected
grep -q '^; User: 2 jürgen$' out.swf && grep -q '^; UnixStartTime: 1738324800$' out.swf ||
	fail "header: $(grep '^;' out.swf)"
# times are UTC, whatever the zone
expect lines --tz Europe/Berlin < expected
grep -q '^; UnixStartTime: 1738324800$' out.swf || fail "zone: $(grep '^;' out.swf)"
"$lxfw" import --out out.swf --cluster-out hosts lines 2> told || fail "hosts: $(cat told)"
[ "$(grep '^n' hosts | cut -d ' ' -f 1-2)" = 'n1 procs=4
n2 procs=2
n3 procs=2
n4 procs=2' ] || fail "hosts: $(cat hosts)"

# A task is the same job as in sacct.
cat > tasks <<'END'
{"jobid":31,"array_job_id":30,"array_task_id":2,"total_cpus":1,"@submit":"2025-01-31T12:00:00","@start":"2025-01-31T12:00:00","@end":"2025-01-31T12:01:40","state":"COMPLETED"}
{"jobid":32,"total_cpus":1,"@submit":"2025-01-31T12:00:00","@eligible":"2025-01-31T12:01:45","@start":"2025-01-31T12:01:50","@end":"2025-01-31T12:02:00","state":"COMPLETED","orig_dependency":"afterok:30_2"}
END
cat > tasks.sacct <<'END'
JobID|JobIDRaw|Submit|Start|End|NCPUS|State
30_2|31|2025-01-31T12:00:00|2025-01-31T12:00:00|2025-01-31T12:01:40|1|COMPLETED
END
"$lxfw" import --out out.swf tasks tasks.sacct 2> told || fail "tasks: $(cat told)"
[ "$(awk '!/^;/ { print $1, $2, $17, $18 }' out.swf)" = '31 0 -1 -1
32 105 31 5' ] || fail "tasks: $(cat out.swf)"
grep -q ' 1 duplicates' told || fail "tasks: $(cat told)"

# the same records in other forms
items()
{
	sed '/^$/d; $!s/$/,/' lines
}
{ echo '{"took": 3, "hits": {"total": {"value": 7}, "hits": ['
	sed '/^$/d; s/^{"jobid.*/{"_id":"a","_source":&}/; $!s/$/,/' lines
	echo ']}, "aggregations": {"x": [1, {}]}}'; } > hits.json
expect hits.json < expected
tr -d '\n' < hits.json > line.json
expect line.json < expected
{ echo '['; items; echo ']'; } > array.json
expect array.json < expected
# printed on several lines
sed 's/,"/,\n "/g; s/^{/{\n/; /^$/d' lines > pretty.json
expect pretty.json < expected
cat hits.json line.json > twice.json
sed 's/^7 rec/14 rec/; s/pending jobs;/pending jobs, 7 duplicates (left out);/' expected > expected.twice
expect twice.json < expected.twice

# A line that is cut, or something else, is odd.
{
	sed -n '1p' lines | cut -c 1-200
	echo 'curl: (6) Could not resolve host'
	echo '{"took":1,"timed_out":false}'
	cat lines
	sed -n '1p' lines | sed 's/"@submit":"[^"]*",//'
	sed -n '1p' lines | sed 's/"@submit":"[^"]*"/"@submit":"soon"/'
	sed -n '$p' lines | cut -c 1-80
} > odd
{ sed '$d' expected; sed -n '$s/^7/13/; $s/pending jobs/&, 6 odd (left out), the first: odd:1: not JSON or cut, expected a record of jobcomp\/elasticsearch/p' expected; } > expected.odd
expect odd < expected.odd

# refuses FILE MESSAGE
refuses()
{
	"$lxfw" import --out none.swf "$1" 2> told && fail "$1: accepted"
	[ "$(cat told)" = "$1:$2" ] && [ ! -e none.swf ] || fail "$1: $(cat told)"
}
head -n 3 hits.json > cut.json
refuses cut.json '3: the text is not JSON or truncated, expected records of jobcomp/elasticsearch'
echo '{"hits": {"hits": []}}' > none.json
refuses none.json '1: no records in the file, expected records of jobcomp'
echo '{"hits": 7}' > none.json
refuses none.json "1: \"hits\" is no array, expected '['"
{
	echo '{'
	seq 1500 | sed 's/.*/"&": 1,/'
	echo '"@submit": "x"}'
} > none.json
refuses none.json '1002: an object with more than 1000 members, expected a record of a job'
echo '{"_source": {"jobid": 5}}' > none.json
refuses none.json '1: a record without @submit, expected a time such as 2025-01-31T12:00:00'
echo '{"_source": {"name": "x"}}' > none.json
refuses none.json '1: no record of a job, expected an object with jobid'
finish
