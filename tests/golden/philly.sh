#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw import of the jobs of Philly, cluster_job_log.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "$golden/imported.sh"

cd "$work" || exit 99

# Job 1 was tried twice, on other hosts. Job 2 never ran. Job 3 still runs. Job 4 has an attempt
# without times, and jobs 5 to 7 cannot be read.
cat > jobs.json <<'END'
[
    {
        "status": "Pass",
        "vc": "ee9e8c",
        "jobid": "application_1506638472019_1",
        "attempts": [
            {
                "start_time": "2017-10-07 01:12:09",
                "end_time": "2017-10-07 01:13:23",
                "detail": [
                    {"ip": "m1", "gpus": ["gpu0", "gpu1", "gpu2"]},
                    {"ip": "m2", "gpus": ["gpu7"]},
                    {"ip": "m9", "gpus": []}
                ]
            },
            {
                "start_time": "2017-10-07 01:13:30",
                "end_time": "2017-10-07 02:12:09",
                "detail": [{"ip": "m3", "gpus": ["gpu0", "gpu1", "gpu2", "gpu3"]}]
            }
        ],
        "submitted_time": "2017-10-07 01:11:39",
        "user": "ce2f4c"
    },
    {"status": "Killed", "vc": "11cb48", "jobid": "application_1506638472019_2", "attempts": [],
     "submitted_time": "2017-10-07 01:11:40", "user": "ce2f4c"},
    {"status": "Failed", "vc": "11cb48", "jobid": "application_1506638472019_3", "attempts": [
        {"start_time": "2017-10-07 01:11:45", "end_time": null,
         "detail": [{"ip": "m1", "gpus": ["gpu0"]}]}],
     "submitted_time": "2017-10-07 01:11:41", "user": "bé"},
    {"status": "Failed", "vc": "11cb48", "jobid": "application_1506638472019_4", "attempts": [
        {"start_time": "None", "end_time": "None", "detail": []},
        {"start_time": "2017-10-07 01:11:52", "end_time": "2017-10-07 01:12:52",
         "detail": [{"ip": "m4", "gpus": ["gpu0", "gpu1"]}]}],
     "submitted_time": "2017-10-07 01:11:42", "user": "bé"},
    {"status": "Failed", "vc": "11cb48", "jobid": "application_1506638472019_5", "attempts": [
        {"start_time": "", "end_time": "2017-10-07 01:12:52", "detail": []}],
     "submitted_time": "2017-10-07 01:11:42", "user": "bé"},
    {"status": "Pass", "vc": "11cb48", "jobid": "application_1506638472019_6", "attempts": [],
     "submitted_time": "None", "user": "b"},
    {"status": "Pass", "vc": "11cb48", "jobid": "application_1506638472019_7", "attempts": [],
     "submitted_time": "yesterday", "user": "b"}
]
END
cat > expected <<'END'
1 0 30 3600 4 -1 -1 1 nodes=2,gres/gpu=4
2 1 -1 -1 -1 -1 -1 5 -
4 3 10 60 2 -1 -1 0 nodes=1,gres/gpu=2
7 records (philly): 3 of jobs, 1 of running or pending jobs, 3 odd (left out), the first: jobs.json:36: an end, but no start_time of an attempt, expected both; never started: 1; without a time limit: 3; most processors held at once: 6; local times interpreted as UTC: in 4 records (set the zone with lxfw import --tz)
END
expect jobs.json < expected
grep -q '^; Queue: 1 ee9e8c$' out.swf && grep -q '^; User: 2 bé$' out.swf &&
	grep -q '^; UnixStartTime: 1507338699$' out.swf || fail "header: $(grep '^;' out.swf)"
tr -d '\n' < jobs.json > line.json
sed 's/jobs.json:36/line.json:1/' expected > expected.line
expect line.json < expected.line
sed 's/; local times.*//' expected > expected.zone
expect jobs.json --tz America/Los_Angeles < expected.zone
grep -q '^; UnixStartTime: 1507363899$' out.swf || fail "zone: $(grep '^;' out.swf)"

# The hosts are those of the first attempt, for its time.
"$lxfw" import --out out.swf --cluster-out hosts jobs.json 2> told || fail "hosts: $(cat told)"
[ "$(grep -v '^#' hosts)" = 'm1 procs=3 gpu=3
m2 procs=1 gpu=1
m4 procs=2 gpu=2' ] || fail "hosts: $(cat hosts)"
# A host is free for others when the attempt on it has ended.
cat > moved.json <<'END'
[{"status": "Pass", "jobid": "a_1", "submitted_time": "2017-10-07 01:00:00", "attempts": [
{"start_time": "2017-10-07 01:10:00", "end_time": "2017-10-07 01:20:00", "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]},
{"start_time": "2017-10-07 01:20:30", "end_time": "2017-10-07 02:00:00", "detail": [{"ip": "m2", "gpus": ["gpu0", "gpu1"]}]}]},
{"status": "Pass", "jobid": "a_2", "submitted_time": "2017-10-07 01:00:00", "attempts": [
{"start_time": "2017-10-07 01:30:00", "end_time": "2017-10-07 01:40:00", "detail": [{"ip": "m1", "gpus": ["gpu0"]}]}]},
{"status": "Pass", "jobid": "a_3", "submitted_time": "2017-10-07 01:00:00", "attempts": [
{"start_time": null, "end_time": null, "detail": [{"ip": "m3", "gpus": ["gpu0"]}]},
{"start_time": "2017-10-07 01:30:00", "end_time": "2017-10-07 01:40:00", "detail": []}]}]
END
"$lxfw" import --out out.swf --cluster-out hosts moved.json 2> told || fail "moved: $(cat told)"
[ "$(grep '^m' hosts)" = 'm1 procs=2 gpu=2' ] || fail "moved: $(cat hosts)"

# Clocks were set back on 2017-11-05 at 02:00: the start is after the submission, the end after
# the start.
cat > back.json <<'END'
[{"status": "Pass", "vc": "v", "jobid": "a_1", "user": "u", "submitted_time": "2017-11-05 01:50:00",
"attempts": [{"start_time": "2017-11-05 01:10:00", "end_time": "2017-11-05 01:40:00", "detail": [{"ip": "m1", "gpus": ["gpu0"]}]}]}]
END
expect back.json --tz America/Los_Angeles <<'END'
1 0 1200 1800 1 -1 -1 1 nodes=1,gres/gpu=1
1 records (philly): 1 of jobs; without a time limit: 1; most processors held at once: 1; in the repeated hour at the end of daylight saving time (first one assumed): 1 records
END

# refuses MESSAGE
refuses()
{
	"$lxfw" import --out none.swf cut.json 2> told && fail "$1: accepted"
	[ "$(cat told)" = "cut.json:$1" ] && [ ! -e none.swf ] || fail "$1: $(cat told)"
}
head -n 20 jobs.json > cut.json
refuses '20: the text is not JSON or truncated, expected the jobs of Philly'
{ cat jobs.json; echo ']'; } > cut.json
refuses '44: text after the jobs, expected the end'
finish
