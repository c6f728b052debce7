#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Workloads of Batsim in JSON: lxfw import reads and writes them, and every subcommand simulates
# their jobs.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# expect FILE OPTIONS...: standard input has the jobs of the trace, one per line: number,
# submission, wait, run, processors, limit, status; and the summary.
expect()
{
	"$lxfw" import --out out.swf "$@" 2> told || fail "$*: $(cat told)"
	{
		awk '!/^;/ { print $1, $2, $3, $4, $8, $9, $11 }' out.swf
		sed 's/^lxfw: //' told
	} > is
	diff -u - is > diff || fail "$*: $(cat diff)"
}

# refuses FILE MESSAGE: exit status 2, this message, and no trace
refuses()
{
	"$lxfw" import --out none.swf "$1" > out 2> told
	status=$?
	[ $status -eq 2 ] && [ ! -e none.swf ] || fail "$1: exit status $status"
	[ "$(cat told)" = "$1:$2" ] || fail "$1: '$(cat told)'"
}

# Times are cut, durations are rounded up. Ids are numbers or texts. Profiles have the names of
# several releases, and state a time if they are delays or sequences of delays.
cat > workload.json <<'END'
{
    "description": "jobs of \"all\" kinds: [{",
    "jobs": [
        {"id": "w0!3", "subtime": 10.9, "walltime": 30, "res": 1, "profile": "short"},
        {"id": 4, "subtime": 11, "res": 4, "profile": "twice"},
        {"id": "long", "subtime": 12.5, "walltime": -1, "res": 2, "profile": "new",
         "extra": {"queue": "q"}},
        {"id": "5", "subtime": 13, "walltime": 3.2, "res": 2, "profile": "delay é"},
        {"id": "6", "subtime": 14, "walltime": 100, "res": 2, "profile": "parallel"}
    ],
    "profiles": {
        "short": {"type": "delay", "delay": 20.20},
        "new": {"type": "DelayProfile", "ret": 1, "delay": 100},
        "delay é": {"delay": 1e1, "type": "delay"},
        "parallel": {"type": "parallel_homogeneous", "cpu": 10e6, "com": [1, {"a": "]\""}]},
        "twice": {"type": "composed", "repeat": 2, "seq": ["short", "inner", "short"]},
        "inner": {"type": "sequential_composition", "seq": ["new"]}
    },
    "nb_res": 6
}
END
expect workload.json <<'END'
3 0 -1 21 1 30 -1
4 1 -1 281 4 -1 -1
3 2 -1 100 2 -1 -1
5 3 -1 10 2 4 -1
5 records (batsim): 4 of jobs, 1 odd (left out), the first: workload.json:9: profile 'parallel' is of type parallel_homogeneous, which states no run time, expected a delay; of a workload that has not run: 4; without a time limit: 2
END
grep -q '^; MaxProcs: 6$' out.swf && grep -q '^; UnixStartTime: 946684810$' out.swf ||
	fail "header: $(grep '^;' out.swf)"
tr -d '\n' < workload.json > line.json
"$lxfw" import --out line.swf line.json 2> told || fail "line: $(cat told)"
cmp -s line.swf out.swf || fail "line: $(cat line.swf)"

# What is wrong with a job is said.
# odd JOB WHAT: the only job of a workload
odd()
{
	printf '{"nb_res":4,"jobs":[\n%s],\n"profiles":{"d":{"type":"delay","delay":5},' "$1" > odd.json
	printf '"s":{"type":"composed","seq":["d","s"]},"t":{"type":"composed","seq":["d","p"]},' >> odd.json
	printf '"u":{"type":"composed","seq":[7]},"p":{"type":"smpi","trace":"x"},"n":{"type":"delay"}}}' >> odd.json
	refuses odd.json "2: $2"
}
odd '{"id":1,"subtime":0,"res":1,"profile":"x"}' "profile 'x' is not defined, expected a delay"
odd '{"id":1,"subtime":0,"res":1,"profile":"t"}' "profile 'p' is of type smpi, which states no run time, expected a delay"
odd '{"id":1,"subtime":0,"res":1,"profile":"s"}' "profile 's' contains itself, or more than 16 levels of others, expected a time"
odd '{"id":1,"subtime":0,"res":1,"profile":"n"}' "profile 'n' has no valid time, expected a type and a delay in seconds"
odd '{"id":1,"subtime":0,"res":1,"profile":"u"}' "profile 'u' has no valid time, expected a type and a delay in seconds"
odd '{"id":1,"subtime":0,"res":1}' 'a job without a profile, expected its name'
odd '{"id":1,"subtime":0,"res":-1,"profile":"d"}' 'a job without res, expected a number of resources'
odd '{"id":1,"subtime":-3,"res":1,"profile":"d"}' 'a job without subtime, expected seconds of 0 or more'
odd '{"id":1,"subtime":1e300,"res":1,"profile":"d"}' 'a job without subtime, expected seconds of 0 or more'
odd '{"subtime":0,"res":1,"profile":"d"}' 'a job without an id, expected a text or a number'
odd '7' 'a job without an id, expected a text or a number'
cut='the text is not JSON or truncated, expected a workload of Batsim'
head -n 8 workload.json > cut.json
refuses cut.json "8: $cut"
head -n 16 workload.json > cut.json
refuses cut.json "16: $cut"
{ cat workload.json; echo '{}'; } > more.json
refuses more.json '21: text after the workload, expected the end'
echo '{"nb_res":4,"jobs":{}}' > wrong.json
refuses wrong.json "1: \"jobs\" is no array, expected '['"
echo '{"nb_res":4,"jobs":[],"profiles":{}}' > wrong.json
refuses wrong.json '1: no records in the file, expected records of batsim'

# Equal ids in two workloads are two jobs.
sed 's/"delay": 20.20/"delay": 9/' workload.json > other.json
"$lxfw" import --out out.swf workload.json other.json 2> told || fail "two: $(cat told)"
grep -q '^lxfw: 10 records (batsim): 8 of jobs, 2 odd ' told || fail "two: $(cat told)"

# --- simulation -------------------------------------------------------------
"$lxfw" simulate --policy easy --jobs-out jobs.csv workload.json > out 2> told ||
	fail "simulate: $(cat told)"
grep -q '^jobs  *4$' out || fail "simulate: $(cat out)"

# --- writing ----------------------------------------------------------------
# What is written is read as the same jobs, from accounting records and from a trace.
cat > log.sacct <<'END'
JobID|Submit|Start|End|NCPUS|Timelimit|State|User
7|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:10:00|2|01:00:00|COMPLETED|a
8|2025-01-01T00:01:00|2025-01-01T00:02:00|2025-01-01T00:12:00|3||COMPLETED|b
9|2025-01-01T00:01:00|Unknown|2025-01-01T00:12:00|3|UNLIMITED|CANCELLED|b
10|2025-01-01T00:01:00|2025-01-01T00:03:00|2025-01-01T00:03:00|5|UNLIMITED|COMPLETED|b
END
"$lxfw" import --out log.swf --workload-out batsim:log.json log.sacct 2> told ||
	fail "write: $(cat told)"
diff -u - log.json > diff <<'END' || fail "written: $(cat diff)"
{"nb_res": 5, "jobs": [
{"id": "7", "subtime": 0, "walltime": 3600, "res": 2, "profile": "600"},
{"id": "8", "subtime": 60, "res": 3, "profile": "600"},
{"id": "10", "subtime": 60, "walltime": 31536000, "res": 5, "profile": "1"}
], "profiles": {
"1": {"type": "delay", "delay": 1},
"600": {"type": "delay", "delay": 600}
}}
END
grep -qx 'lxfw: 1 jobs are not in the workload: without a run time (1) or without processors (0)' told ||
	fail "write: $(cat told)"
expect log.json <<'END'
7 0 -1 600 2 3600 -1
8 60 -1 600 3 -1 -1
10 60 -1 1 5 31536000 -1
3 records (batsim): 3 of jobs; of a workload that has not run: 3; without a time limit: 1
END
grep -q '^; MaxProcs: 5$' out.swf || fail "MaxProcs: $(grep '^;' out.swf)"
"$lxfw" import --workload-out batsim:swf.json log.swf > out 2> told || fail "swf: $(cat told)"
cmp -s swf.json log.json && [ ! -s out ] || fail "swf: $(cat swf.json)"
"$lxfw" import --workload-out batsim:again.json log.json > out 2> told || fail "again: $(cat told)"
cmp -s again.json log.json || fail "again: $(cat again.json)"
# the simulations are the same
for log in log.swf log.json; do
	"$lxfw" simulate --policy easy --schedule-out batsim:$log.csv $log > out 2> told ||
		fail "$log: $(cat told)"
done
cmp -s log.swf.csv log.json.csv || fail "schedules: $(diff log.swf.csv log.json.csv)"
# Batsim 5 has another name for the type
"$lxfw" import --workload-out batsim5:five.json log.json > out 2> told || fail "five: $(cat told)"
sed 's/"type": "delay"/"type": "DelayProfile"/' log.json | cmp -s - five.json ||
	fail "five: $(cat five.json)"
"$lxfw" import --workload-out batsim:again.json five.json > out 2> told || fail "five: $(cat told)"
cmp -s again.json log.json || fail "five, again: $(cat again.json)"
# Batsim ends a job at its limit
sed 's/|01:00:00|/|00:05:00|/' log.sacct > over.sacct
"$lxfw" import --workload-out batsim:over.json over.sacct > out 2> told
grep -qx "lxfw: 1 jobs ran longer than their limit, where Batsim ends them, as .*" told ||
	fail "overrun: $(cat told)"
# jobs without numbers of their own are counted; the machine has the processors of the largest
{ job 1 0 10 2 20; job 1 5 10 3 20; } > same.swf
"$lxfw" import --workload-out batsim:same.json same.swf 2> told || fail "same: $(cat told)"
grep -q '"nb_res": 3,' same.json && grep -q '"id": "2", "subtime": 5,' same.json ||
	fail "same: $(cat same.json)"

# bad MESSAGE ARGUMENTS...: neither file is written
bad()
{
	message=$1
	shift
	"$lxfw" import --out none.swf --workload-out batsim:none.json "$@" > out 2> told
	status=$?
	[ $status -eq 2 ] && [ ! -e none.swf ] && [ ! -e none.json ] ||
		fail "$*: exit status $status"
	grep -qxF "$message" told || fail "$*: $(cat told)"
}
bad 'lxfw: a trace on standard input, expected a file for --workload-out' - < log.swf
sed -n '1p; 4p' log.sacct > none.sacct
bad 'lxfw: no job has a run time and processors, expected one for --workload-out' none.sacct
bad "lxfw import: --workload-out 'swf:x', expected batsim:FILE or batsim5:FILE" --workload-out swf:x log.sacct
bad "lxfw import: --workload-out 'batsim:', expected batsim:FILE or batsim5:FILE" --workload-out batsim: log.sacct
finish
