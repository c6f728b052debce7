#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Workloads of Batsim in JSON: every subcommand reads them.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh"

case $lxfw in
/*) ;;
*) lxfw=$PWD/$lxfw ;;
esac
cd "$work" || exit 99

# expect FILE OPTIONS...: standard input has the jobs of the trace, one per line: number,
# submission, wait, run, processors, limit, status; and the summary.
expect()
{
	"$lxfw" import --out out.swf "$@" 2> told || fail "$*: $(cat told)"
	{
		awk '!/^;/ { print $1, $2, $3, $4, $5, $9, $11 }' out.swf
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
3 0 -1 21 1 30 1
4 1 -1 281 4 -1 1
3 2 -1 100 2 -1 1
5 3 -1 10 2 4 1
5 records (batsim): 4 of jobs, 1 odd (left out), the first: workload.json:9: profile 'parallel' is of type parallel_homogeneous, which states no run time, expected a delay; without a time limit: 2
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

finish
