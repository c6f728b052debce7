#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw snapshot` and `lxfw simulate --from`. A snapshot of a simulation that is continued
# with the true run times has the same starts as the simulation. Changes have the starts
# computed by hand. Bad input is named with its line.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

snapshot=$work/snapshot
seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"

# take AT [OPTIONS]: a snapshot of the journal at second AT
take()
{
	at=$1
	shift
	"$lxfw" snapshot --journal "$work/journal" --at "$at" -o "$snapshot" "$@" \
		> "$work/out" 2> "$work/messages" ||
		fail "snapshot --at $at $*: exit status $?: $(cat "$work/messages")"
}

# from OPTIONS: simulate from the snapshot
from()
{
	"$lxfw" simulate --from "$snapshot" --run-times limits "$@" > "$work/out" \
		2> "$work/messages" ||
		fail "simulate --from $*: exit status $?: $(cat "$work/messages")"
}

# starts KEY: print "JOB START" for each job of a result in CSV, sorted
starts()
{
	awk -F, -v key="$1" '
		$1 == "jobs" && $3 == "job" { job[$2] = $5 }
		$1 == "jobs" && $3 == key { print job[$2], $4 }' "$work/out" |
		tr -d '"' | sort -n
}

# --- the same starts ------------------------------------------------------------------

# random_log SEED: submissions of an hour, too many for 3 hosts of 4 and 8 processors
random_log()
{
	echo '; MaxProcs: 20'
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		for (i = 1; i <= 120; i++) {
			limit = 60 * (1 + int(40 * rand()))
			run = int(limit * rand() * 1.1)
			print i, int(30 * i + 25 * rand()), -1, run, 1 + int(8 * rand()), \
			      -1, -1, 1 + int(8 * rand()), limit, -1, 1, 1, 1, 1, 1, 1, -1, -1
		}
	}'
}

# continues NUMBER POLICY [OPTIONS]: the random log until a random second, and from there
continues()
{
	number=$1 policy=$2
	shift 2
	at=$(awk -v seed="$number" 'BEGIN { srand(seed); print 600 + int(3000 * rand()) }')
	# Later submissions are not in a snapshot.
	random_log "$number" | awk -v at="$at" '/^;/ || $2 <= at' > "$work/log.swf"
	"$lxfw" simulate --cluster "$work/cluster" --policy "$policy" "$@" \
		--journal "$work/journal" --jobs-out "$work/jobs.csv" "$work/log.swf" \
		> "$work/report" 2>&1 || fail "simulate $policy: $(cat "$work/report")"
	take "$at"
	awk -F, 'NR > 1 { print $1, $6 }' "$work/jobs.csv" > "$work/runs"
	from --run-times "$work/runs" --hours 1000 --format csv
	starts start > "$work/is"
	# The state is that of the last record; all that started later waited then.
	moment=$(sed -n 's/^state time=\([0-9]*\).*/\1/p' "$snapshot")
	awk -F, -v at="$moment" 'NR > 1 && $2 <= at && $3 > at { print $1, $3 }' \
		"$work/jobs.csv" | sort -n > "$work/should"
	jobs=$((jobs + $(wc -l < "$work/should")))
	cmp -s "$work/should" "$work/is" ||
		fail "seed $number, $policy $*: $(diff "$work/should" "$work/is")"
	# The preset is no change, unless there were options.
	[ $# -eq 0 ] || return
	from --run-times "$work/runs" --hours 1000 --format csv --policy "$policy"
	starts changed_start > "$work/is"
	cmp -s "$work/should" "$work/is" || fail "seed $number: $policy is no change"
}

printf 'a procs=4\nb procs=8\nc procs=8\n' > "$work/cluster"
jobs=0
for policy in fcfs easy conservative priority lxfw sjf list smart_ffia psrs; do
	for i in 1 2 3 4; do
		continues $((seed + i)) $policy
	done
	continues $((seed + 5)) $policy --shape anywhere
done
continues "$seed" lxfw --params lxfw_reservations=5,lxfw_wbypass=0.1
continues "$seed" easy --params lxfw_reservations=3
[ "$jobs" -gt 500 ] || fail "only $jobs jobs waited"

# --- by hand ---------------------------------------------------------------------------

# Two nodes of 4 processors. Job 1 runs on one until 1000, job 2 on the other until 500.
# Job 3 needs both nodes, job 4 one processor for longer than the first one waits.
printf 'a procs=4\nb procs=4\n' > "$work/cluster"
{
	job 1 0 1000 4 1000
	job 2 0 500 4 500
	job 3 10 100 8 100
	job 4 20 900 1 900
	job 5 30 400 4 400
} > "$work/log.swf"
"$lxfw" simulate --cluster "$work/cluster" --policy easy --shape anywhere \
	--journal "$work/journal" "$work/log.swf" > "$work/report" 2>&1 ||
	fail "simulate: $(cat "$work/report")"
take 100
grep -q '^lxfw: .*: state at 30 with 2 nodes, 3 jobs waiting and 2 running, 1 reserv' \
	"$work/messages" || fail "message: $(cat "$work/messages")"
grep -q '^state time=30 next=1000' "$snapshot" || fail "state: $(grep ^state "$snapshot")"
grep -q '^host name=a has=4:' "$snapshot" || fail "host: $(grep ^host "$snapshot")"
grep -q '^job name=3 .*state=waiting.*unit=1:0' "$snapshot" ||
	fail "job: $(grep name=3 "$snapshot")"
grep -q '^reservation .*start=1000 ' "$snapshot" ||
	fail "reservation: $(grep ^reservation "$snapshot")"

# shows OPTIONS: standard input has "JOB START CHANGED"
shows()
{
	from --format csv "$@"
	starts start > "$work/now"
	starts changed_start | join "$work/now" - > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "--from $*: $(cat "$work/diff")"
}

# Easy: job 5 runs at 500 and ends before 1000; job 4 would delay job 3, which is reserved
# at 1000. Under fcfs nothing passes job 3. Shortest job first: job 3 has the least limit.
shows --policy fcfs << 'END'
3 1000 1000
4 1100 1100
5 500 1100
END
# The parameters of the snapshot are no change.
shows --params lxfw_reservations=1 << 'END'
3 1000 1000
4 1100 1100
5 500 500
END
# Without node b from now on, running jobs continue and job 3 never starts: it fits
# nowhere, and does not block the others.
from --format csv --down b --hours 1
starts changed_start > "$work/is"
printf '4 1000\n5 1900\n' | diff - "$work/is" > "$work/diff" || fail "--down: $(cat "$work/diff")"
grep -q '^changed,,not_started,1,$' "$work/out" || fail "--down: $(grep changed "$work/out")"
grep -q '^as_is,,not_started,0,$' "$work/out" || fail "--down: $(grep as_is "$work/out")"
# A reservation of a from 1050 to 2050 leaves no hundred seconds for job 3 before 2050.
shows --reserve start=1050,duration=1000,nodes=a << 'END'
3 1000 2050
4 1100 500
5 500 1400
END
# One of both nodes from 1100 to 1200, in any order of their names.
shows --reserve start=1100,duration=100,nodes=b,a << 'END'
3 1000 1000
4 1100 1200
5 500 500
END
from --run-times limits --dates
grep -q '^no job is submitted; simulated for 48 h$' "$work/out" ||
	fail "text: $(cat "$work/out")"
# 2 jobs run: 970 s and 470 s of 4 processors; then 8 * 100, 900 and 4 * 400 processor-
# seconds, in an hour of 8 processors.
from --format csv --hours 1
grep -q '^as_is,,utilization,0.3145833333333333,$' "$work/out" ||
	fail "utilization: $(grep util "$work/out")"
# Waits 990, 1080 and 470 s.
grep -q '^as_is,,mean_wait,846.6666666666666,$' "$work/out" ||
	fail "mean wait: $(grep wait "$work/out")"
grep -q '^as_is,,started_1h,3,$' "$work/out" || fail "started: $(grep started "$work/out")"

# Until 750 all processors are allocated; waits of jobs 3 and 4 count until then.
from --format csv --until 750
grep -q '^as_is,,utilization,1,$' "$work/out" ||
	fail "utilization: $(grep util "$work/out")"
grep -q '^as_is,,mean_wait_at_least,646.6666666666666,$' "$work/out" ||
	fail "mean wait: $(grep wait "$work/out")"
grep -q '^as_is,,not_started,2,$' "$work/out" || fail "not started: $(cat "$work/out")"

# A page has the same figures; it is absent if the command fails.
from --policy fcfs --report "$work/page.html"
grep -q '<th>3</th><td>8</td>.*<td>1000</td><td>1000</td><td>0</td>' "$work/page.html" ||
	fail "page: $(grep '<th>3' "$work/page.html")"
grep -q '<th>5</th>.*<td>500</td><td>1100</td><td>+10.0m</td>' "$work/page.html" ||
	fail "page: $(grep '<th>5' "$work/page.html")"

# Drawn run times do not depend on the number of threads.
from --run-times predicted --threads 1 --policy sjf
cp "$work/out" "$work/one"
from --run-times predicted --threads 3 --policy sjf
cmp -s "$work/one" "$work/out" || fail "threads: $(diff "$work/one" "$work/out")"

# Each total has bounds of 90 % of the futures.
[ "$(grep -c '^  90 % of the futures' "$work/out")" = 6 ] || fail "bounds: $(cat "$work/out")"
from --run-times predicted --policy sjf --format json --report "$work/page.html"
python3 - "$work/out" > "$work/told" <<'END' || fail "bounds: $(cat "$work/told")"
import json, sys
out = json.load(open(sys.argv[1]))
for side in out["as_is"], out["changed"]:
    for key, low in side["low90"].items():
        print(key, low, side[key], side["high90"][key])
        assert low <= side[key] <= side["high90"][key]
assert out["as_is"]["low90"]["mean_wait"] < out["as_is"]["high90"]["mean_wait"]
END
[ "$(grep -c '90 % of the futures' "$work/page.html")" = 6 ] || fail "bounds: page"

# --- submissions -----------------------------------------------------------------------

# Each day has the same three jobs, which need all processors and run for their limits. Six
# hundred seconds after the begin of the sixth day the first job runs and the second one
# waits. The third one is submitted later: under lxfw it starts first.
echo 'a procs=4' > "$work/one-host"
for day in 0 1 2 3 4 5 6; do
	job $((day * 3 + 1)) $((day * 86400)) 3600 4 3600
	job $((day * 3 + 2)) $((day * 86400 + 600)) 7200 4 7200
	job $((day * 3 + 3)) $((day * 86400 + 1200)) 1800 4 1800
done > "$work/days.swf"
"$lxfw" simulate --cluster "$work/one-host" --policy easy --journal "$work/journal" \
	"$work/days.swf" > "$work/report" 2>&1 || fail "simulate: $(cat "$work/report")"
take 432700
grep -q ', 17 submissions$' "$work/messages" || fail "submissions: $(cat "$work/messages")"
[ "$(grep -c '^submitted ' "$snapshot")" = 17 ] || fail "submissions: $(grep ^sub "$snapshot")"

# says DIFFERENCE SUBMITTED: of the mean wait, and jobs submitted in a future
says()
{
	python3 - "$work/out" "$@" > "$work/told" 2>&1 <<'END' || fail "submissions: $(cat "$work/told")"
import json, sys
out = json.load(open(sys.argv[1]))
print(out["submissions"], out["difference"], out["changed"])
difference = int(sys.argv[2])
assert out["difference"]["mean_wait"] == difference
assert out["difference"]["low90"] == out["difference"]["high90"] == difference
assert out["difference"]["futures_longer"] == (50 if difference > 0 else 0)
assert out["submissions"] == (int(sys.argv[3]) > 0)
assert out["changed"].get("submitted", 0) == int(sys.argv[3])
END
}

ask()
{
	"$lxfw" simulate --from "$snapshot" --policy lxfw --hours 24 "$@" > "$work/out" \
		2> "$work/messages" || fail "simulate --from $*: $(cat "$work/messages")"
}

ask --format json
says 1800 3
cp "$work/out" "$work/one"
ask --format json --threads 3
cmp -s "$work/one" "$work/out" || fail "threads: $(diff "$work/one" "$work/out")"
ask --format json --submissions none
says 0 0
ask
grep -q '^jobs are submitted as on earlier days, drawn from 17 submissions; simulated for 24 h$' \
	"$work/out" || fail "text: $(cat "$work/out")"
grep -q '^The mean wait is shorter .* in 0 of 50 futures, and longer in 50: it becomes longer\.$' \
	"$work/out" || fail "direction: $(cat "$work/out")"
# The third job of the day waits 9600 s, or 2400 s with the change; the first two of the next day
# do not wait before the end of the simulation.
grep -q '^mean wait of 3 later jobs  *53\.3m  *13\.3m  *-40\.0m$' "$work/out" ||
	fail "later jobs: $(grep 'later jobs' "$work/out")"
ask --report "$work/page.html"
grep -q 'it becomes longer\. The difference is from +30\.0m to +30\.0m with' "$work/page.html" ||
	fail "page: $(grep becomes "$work/page.html")"

# The third job comes every other day. Of nine days any one is drawn, not only the day a week
# before: the difference is 0 or 1800 s, and the range is 1.7 times as far from the median.
for day in 0 1 2 3 4 5 6 7 8 9; do
	job $((day * 3 + 1)) $((day * 86400)) 3600 4 3600
	job $((day * 3 + 2)) $((day * 86400 + 600)) 7200 4 7200
	[ $((day % 2)) = 0 ] || job $((day * 3 + 3)) $((day * 86400 + 1200)) 1800 4 1800
done > "$work/days.swf"
"$lxfw" simulate --cluster "$work/one-host" --policy easy --journal "$work/nine-days" \
	"$work/days.swf" > "$work/report" 2>&1 || fail "simulate: $(cat "$work/report")"
"$lxfw" snapshot --journal "$work/nine-days" --at 778300 -o "$snapshot" 2> "$work/messages" ||
	fail "snapshot: $(cat "$work/messages")"
ask --format json
python3 - "$work/out" > "$work/told" 2>&1 <<'END' || fail "any day: $(cat "$work/told")"
import json, sys
out = json.load(open(sys.argv[1]))["difference"]
print(out)
assert 10 < out["futures_longer"] < 40 and out["futures_shorter"] == 0
assert (out["low90"], out["high90"]) in ((0, 3060), (-1260, 1800))
END
ask
grep -q ': whether it becomes shorter or longer is not known\.$' "$work/out" ||
	fail "direction: $(cat "$work/out")"

# Without a past of a day this is said, and nothing is submitted.
take 432700 --past 0
ask --format json
says 0 0
grep -q 'of less than a day are known .*: no job is submitted' "$work/messages" ||
	fail "no past: $(cat "$work/messages")"

# A snapshot of version 1 has no submissions.
take 432700
python3 - "$snapshot" <<'END'
import sys, zlib
lines = open(sys.argv[1]).read().replace("snapshot 2", "snapshot 1", 1).splitlines(True)[:-1]
text = "".join(line for line in lines if not line.startswith("submitted "))
end = "end lines=%d crc32=%08x\n" % (text.count("\n"), zlib.crc32(text.encode()))
open(sys.argv[1], "w").write(text + end)
END
ask --format json
says 0 0

# --- names -----------------------------------------------------------------------------

sed 's/^a/secret-node-7/; s/^b/secret-node-9/' "$work/cluster" \
	> "$work/named"
sed 's/^\([0-9]\) /99\1 /' "$work/log.swf" > "$work/named.swf"
"$lxfw" simulate --cluster "$work/named" --policy easy --shape anywhere \
	--journal "$work/journal" "$work/named.swf" > "$work/report" 2>&1 ||
	fail "simulate: $(cat "$work/report")"
take 100 --anonymous
grep -E 'secret|name=99|id=99' "$snapshot" && fail 'names in an anonymous snapshot'
shows --policy fcfs --down n1 << 'END'
4 1100 500
5 500 1400
END
take 100
grep -q 'name=secret-node-7' "$snapshot" || fail 'no name of a node'

# --- bad input -------------------------------------------------------------------------

# bad WHAT EXPECTED OPTIONS: exit status 2, EXPECTED in the message, no output
bad()
{
	what=$1 expected=$2
	shift 2
	"$lxfw" "$@" > "$work/out" 2> "$work/messages"
	[ $? -eq 2 ] || fail "$what: exit status is not 2"
	grep -q -e "$expected" "$work/messages" || fail "$what: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$what: output"
	[ ! -e "$work/none" ] || fail "$what: a file is left"
}

# edited EXPECTED SCRIPT: a snapshot that sed has changed
edited()
{
	sed "$2" "$snapshot" > "$work/edited"
	bad "$2" "$1" simulate --from "$work/edited" --report "$work/none"
}

lines=$(wc -l < "$snapshot")
edited "edited:$((lines - 1)): not the end of a snapshot, which is truncated" '$d'
edited "edited:$((lines - 1)): .* expected $((lines - 1)): lines were removed" 5d
edited "edited:$lines: the checksum is .*, expected .*: the file was changed" \
	's/limit=900/limit=901/'
edited 'edited:1: snapshot of version 3, expected version 1 to 2' '1s/2/3/'
edited 'edited:1: not a snapshot' '1s/lxfw/lxwf/'
edited 'edited:[0-9]*: .limit=long.: expected limit as an integer from' 's/limit=900/limit=long/'
edited "edited:[0-9]*: unknown key in 'colour=1'" 's/ limit=900/& colour=1/'
edited 'edited:[0-9]*: .unit=1.: expected PROCS:MEMORY' 's/unit=1:0/unit=1/'
edited 'edited:[0-9]*: impossible request' 's/limit=900/limit=0/'
edited 'edited:[0-9]*: .state=sleeping.: expected waiting, refused' 's/state=waiting/state=sleeping/'
edited 'edited:[0-9]*: share of host 5, expected one of the 2 hosts' 's/shares=0@4:0/shares=5@4:0/'
edited 'edited:[0-9]*: .*: expected shares as .* ascending' 's/shares=0@4:0/shares=0@2:0,0@2:0/'
edited 'edited:[0-9]*: reservation of job .*, which does not wait' 's/^reservation id=[0-9]*/reservation id=77/'
edited 'edited:[0-9]*: invalid parameters' 's/lxfw_policy=easy/lxfw_policy=hard/'
edited "edited:[0-9]*: line begins with 'jop'" 's/^job/jop/'
edited "edited:[0-9]*: .* the key is given twice" 's/^state time=30/& time=30/'
edited 'edited:[0-9]*: job .* is out of order or given twice' 's/\(name=995 id=\)[0-9]*/\11/'
edited 'edited:[0-9]*: the next decision is before' 's/next=[0-9]*/next=3/'
edited 'edited:[0-9]*: submission out of order, expected submit= of 10 to 30' \
	's/^submitted submit=20/submitted submit=31/'
edited 'edited:[0-9]*: submission out of order, expected submit= of 20 to 30' \
	's/^submitted submit=30/submitted submit=19/'
edited 'edited:[0-9]*: host set 7, expected one of' 's/^submitted submit=30/& sets=7/'
printf 'x' > "$work/edited"
bad 'one byte' 'edited:1: not a snapshot' simulate --from "$work/edited"
: > "$work/edited"
bad 'empty' 'edited:1: not a snapshot' simulate --from "$work/edited"
head -c 700 "$snapshot" > "$work/edited"
bad 'cut' 'edited:[0-9]*: not the end of a snapshot' simulate --from "$work/edited"
bad 'no file' 'No such file' simulate --from "$work/absent"
bad 'a journal' ':1: not a snapshot' simulate --from "$work/journal"
bad 'node' "node 'n77' of --down is not in the snapshot; expected of its 2 nodes: secret" \
	simulate --from "$snapshot" --down n77 --report "$work/none"
bad 'node of a reservation' "node 'x' of --reserve is not in" \
	simulate --from "$snapshot" --reserve start=now,duration=1h,nodes=x
bad 'reservation' "expected start=TIME,duration=TIME,nodes=NODE" \
	simulate --from "$snapshot" --reserve start=now,nodes=x
bad 'past reservation' 'ends before the snapshot, at 30' \
	simulate --from "$snapshot" --reserve start=1,duration=1,nodes=secret-node-7
bad 'key' "defer: a key of Slurm, expected keys of lxfw" simulate --from "$snapshot" --params defer
bad 'value' 'lxfw_reservations' simulate --from "$snapshot" --params lxfw_reservations=-1
bad 'policy' 'policy eqspatial cannot be simulated from a snapshot' \
	simulate --from "$snapshot" --policy eqspatial
bad 'run times' 'expected limits, predicted, or a file' \
	simulate --from "$snapshot" --run-times guessed
echo '3 fast' > "$work/runs"
bad 'run time' 'runs:1: no run time of 1 s or more, expected JOB SECONDS' \
	simulate --from "$snapshot" --run-times "$work/runs"
bad 'a trace' 'expected no TRACE with --from' simulate --from "$snapshot" "$work/log.swf"
bad 'two ends' 'hours with --until' simulate --from "$snapshot" --hours 1 --until 9999
bad 'until' 'until: not within a year' simulate --from "$snapshot" --until 7
bad 'futures' 'futures with given' simulate --from "$snapshot" --run-times limits --futures 20
bad 'submissions' 'expected past or none' simulate --from "$snapshot" --submissions all
bad 'submissions with limits' 'expected --run-times predicted' \
	simulate --from "$snapshot" --run-times limits --submissions past
bad 'report on input' 'the same file' simulate --from "$snapshot" --report "$snapshot"
bad 'no journal' 'expected --journal JOURNAL, or a Slurm' snapshot -o "$work/none"
bad 'not a journal' 'log.swf' snapshot --journal "$work/log.swf" -o "$work/none"
job 1 500 100 4 100 > "$work/late.swf"
"$lxfw" simulate --cluster "$work/named" --journal "$work/late" "$work/late.swf" \
	> "$work/report" 2>&1 || fail "simulate: $(cat "$work/report")"
bad 'before the journal' 'no events until --at' \
	snapshot --journal "$work/late" --at 3 -o "$work/none"
bad 'onto the journal' 'the same file' \
	snapshot --journal "$work/journal" -o "$work/journal"

# --- an empty queue ----------------------------------------------------------------------

"$lxfw" snapshot --journal "$work/journal" -o "$snapshot" 2> "$work/messages" ||
	fail "snapshot of the end: $(cat "$work/messages")"
from
grep -q '^No job waits\.$' "$work/out" || fail "empty: $(cat "$work/out")"

# --- what is not simulated ---------------------------------------------------------------

"$lxfw" simulate --cluster "$work/named" --policy lxfw --params lxfw_quantum=60 \
	--journal "$work/journal" "$work/named.swf" > "$work/report" 2>&1 ||
	fail "simulate: $(cat "$work/report")"
take 100
grep -q 'does not have: immediate service' "$work/messages" ||
	fail "quanta: $(cat "$work/messages")"
from
grep -q 'not simulated: immediate service' "$work/messages" ||
	fail "quanta: $(cat "$work/messages")"
"$lxfw" simulate --cluster "$work/named" --policy eqspatial --adaptive all \
	--journal "$work/journal" "$work/named.swf" > "$work/report" 2>&1 ||
	fail "simulate: $(cat "$work/report")"
take 100
bad 'adaptive' 'policy eqspatial cannot be simulated from a snapshot: it suspends' \
	simulate --from "$snapshot"

# --- partitions --------------------------------------------------------------------------

# Job 1 runs on a until 1000. Job 2 runs on b until 500. Job 3 waits in partition one, jobs
# 4 and 5 in partition two.
cat > "$work/slurm.conf" << 'END'
ClusterName=x
NodeName=a,b CPUs=4
PartitionName=one Nodes=a Default=YES
PartitionName=two Nodes=a,b
END
printf '%s\n' '; MaxProcs: 8' '; Queue: 1 one' '; Queue: 2 two' \
	'1 0 -1 1000 4 -1 -1 4 1000 -1 1 1 1 1 1 1 -1 -1' \
	'2 0 -1 500 4 -1 -1 4 500 -1 1 1 1 1 2 1 -1 -1' \
	'3 10 -1 300 4 -1 -1 4 300 -1 1 1 1 1 1 1 -1 -1' \
	'4 20 -1 400 4 -1 -1 4 400 -1 1 1 1 1 2 1 -1 -1' \
	'5 30 -1 200 2 -1 -1 2 200 -1 1 1 1 1 2 1 -1 -1' > "$work/parts.swf"
"$lxfw" simulate --cluster "$work/slurm.conf" --policy easy --journal "$work/journal" \
	"$work/parts.swf" > "$work/report" 2>&1 || fail "simulate: $(cat "$work/report")"
take 100
# Partition one gets b too: job 3 starts there before job 4.
shows --partition nodes=a:to=a,b << 'END'
3 1000 500
4 500 800
5 900 1000
END
# Partition two loses b: job 3 was submitted first ...
shows --partition nodes=a,b:to=a << 'END'
3 1000 1000
4 500 1300
5 900 1700
END
# ... but a higher tier comes before it.
shows --partition nodes=a,b:to=a:tier=5 << 'END'
3 1000 1600
4 500 1000
5 900 1400
END
bad 'no set' "no partition of the snapshot has exactly the nodes 'b'; .*(2) has a,b" \
	simulate --from "$snapshot" --partition nodes=b:to=a --report "$work/none"
bad 'no words' 'expected nodes=NODE,' simulate --from "$snapshot" --partition n2
bad 'no change' 'expected nodes=NODE,' simulate --from "$snapshot" --partition nodes=a
bad 'tier' "tier '-1', expected a whole number" \
	simulate --from "$snapshot" --partition nodes=a:tier=-1
bad 'twice' 'the same nodes are given twice' simulate --from "$snapshot" \
	--partition nodes=a:tier=1 --partition nodes=a:to=b
take 100 --anonymous
shows --partition nodes=n1:to=n2:tier=0 << 'END'
3 1000 1100
4 500 500
5 900 900
END

finish
