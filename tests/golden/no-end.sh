#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw compare: a job that started, but has no end in the journal, is counted alike in
# all outputs. no-end.jnl has 76 jobs; the controller was stopped when the last one had
# just ended, and its end is missing.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
journal=${LXFW_TOP_SRCDIR:-.}/tests/golden/no-end.jnl

compare()
{
	"$lxfw" compare "$@" "$journal" 2> "$work/messages" ||
		fail "compare $*: exit status $?: $(cat "$work/messages")"
}

compare --jobs-out "$work/jobs.csv" --report "$work/page.html" > "$work/text"
grep -q '^policy lxfw, 75 jobs$' "$work/text" || fail "text: $(grep ^policy "$work/text")"
grep -q '^not compared: 1 job has no end in the log$' "$work/text" ||
	fail 'text: does not tell of the job without an end'
grep -q '^per job: [0-9]* of 75 ' "$work/text" || fail 'text: per job'
# the rows of each table add up to all jobs
awk '/^(run time|processors|queue|user|group|weeks from) +jobs / { table = $1; tables++; next }
	table && NF == 0 { if (sum != 75) print table ": " sum; table = ""; sum = 0 }
	table { row = substr($0, 15, 8); sum += row }
	END { if (tables < 3) print tables + 0 " tables" }' "$work/text" > "$work/sums"
[ ! -s "$work/sums" ] || fail "text: sums of jobs: $(cat "$work/sums")"
[ "$(wc -l < "$work/jobs.csv")" = 76 ] || fail "CSV of jobs: $(wc -l < "$work/jobs.csv") lines"
grep -q '<li>75 jobs are compared; 1 started, but have no end in the log; 0 did not' \
	"$work/page.html" || fail 'page: does not tell of the job without an end'

compare --json > "$work/json"
for line in '"jobs": 75,' '"not_compared": 1,' '"jobs_without_end": 1,'; do
	grep -q "^  $line" "$work/json" || fail "JSON: not $line"
done
# one mean for all of them
cat > "$work/means.py" << 'E2'
import json, sys
report = json.load(open(sys.argv[1]))
jobs_compared = int(sys.argv[2])
def close(a, b):
    return abs(a - b) < 1e-6
bad = []
for key, rows in report.items():
    if not key.startswith("by_") or not rows:
        continue
    jobs = sum(row["jobs"] for row in rows)
    mean = sum(row["jobs"] * row["measured"]["mean_wait_s"] for row in rows) / jobs
    if jobs != jobs_compared or not close(mean, report["measured_mean_wait_s"]):
        bad.append(f"{key}: {jobs} jobs, mean {mean}")
for side in "measured", "simulated":
    mean = report[side + "_mean_wait_s"]
    parts = sum(part[side + "_mean_s"] for part in report["wait_parts"].values())
    if not close(mean, parts) or not close(mean, report[side]["mean_wait_s"]):
        bad.append(f"{side}: means {mean}, {report[side]['mean_wait_s']}, {parts}")
print(bad or "good")
sys.exit(bool(bad))
E2
python3 "$work/means.py" "$work/json" 75 > "$work/means" || fail "JSON: $(cat "$work/means")"
# A journal of a running cluster: jobs run and wait at its end.
head -c 12859 "$journal" > "$work/cut.jnl"
"$lxfw" compare --json "$work/cut.jnl" > "$work/json" 2> "$work/messages" || fail "cut: $(cat "$work/messages")"
jobs=$(sed -n 's/^  "jobs": \([0-9]*\),$/\1/p' "$work/json")
[ "$jobs" -lt 75 ] && python3 "$work/means.py" "$work/json" "$jobs" > "$work/means" ||
	fail "JSON of the cut journal, $jobs jobs: $(cat "$work/means")"

compare --format csv > "$work/csv"
for line in jobs,75 not_compared,1 jobs_without_end,1; do
	grep -qx "$line" "$work/csv" || fail "CSV: not $line"
done

finish
