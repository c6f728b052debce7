#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw status`: a file of metrics, one of a scheduler that hangs, and broken files. The
# names of metrics in the manual page and in the dashboard are those that are written.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
top=${LXFW_TOP_SRCDIR:-.}

# metrics SECOND: a file whose last pass was then
metrics()
{
	cat << END
# TYPE lxfw_policy info
# HELP lxfw_policy The policy.
lxfw_policy_info{name="lxfw"} 1
lxfw_passes_total{end="complete"} 40
lxfw_passes_total{end="rebuild"} 2
lxfw_passes_total{end="stopped"} 0
lxfw_longest_lock_seconds 0.012500
lxfw_last_pass_seconds{part="look"} 0.001500
lxfw_last_pass_seconds{part="decide"} 0.000250
lxfw_last_pass_seconds{part="act"} 0.003000
lxfw_last_pass_end{end="complete"} 0
lxfw_last_pass_end{end="rebuild"} 1
lxfw_last_pass_timestamp_seconds $1
lxfw_starts_total{label="at_once"} 5
lxfw_starts_total{label="reserved"} 2
lxfw_starts_total{label="other"} 0
lxfw_refusals_total{reason="does_not_fit"} 0
lxfw_reservations_kept_total 2
lxfw_reservations_late_total 0
lxfw_reservations_postponed_total 3
lxfw_suspensions_total 4
lxfw_resumptions_total 3
lxfw_requeues_total 1
lxfw_lost_processor_seconds_total 5400
lxfw_forecast_error_seconds_bucket{le="60.0"} 1
lxfw_forecast_error_seconds_bucket{le="600.0"} 3
lxfw_forecast_error_seconds_bucket{le="+Inf"} 4
lxfw_forecast_error_seconds_count 4
lxfw_forecast_error_seconds_sum 8000
lxfw_running_jobs 6
lxfw_waiting_jobs{state="reserved"} 1
lxfw_waiting_jobs{state="expected"} 8
lxfw_waiting_jobs_by_age{seconds="0"} 9
lxfw_waiting_jobs_by_age{seconds="3600"} 4
lxfw_waiting_jobs_by_age{seconds="86400"} 1
lxfw_waiting_jobs_by_age{seconds="604800"} 0
lxfw_not_eligible_jobs{reason="held_by_user"} 2
lxfw_not_eligible_jobs{reason="limit_of_qos"} 1
lxfw_not_eligible_jobs{reason="other"} 0
lxfw_left_jobs{reason="contiguous"} 1
lxfw_journal_bytes 2500000
# EOF
END
}

metrics "$(date +%s)" > "$work/fresh"
"$lxfw" status "$work/fresh" > "$work/is" || fail "exit status $?"
sed 's/pass          [-0-9T:]*, [0-9]* s ago/pass          DATE/' "$work/is" > "$work/out"
diff -u - "$work/out" << 'END' || fail "as text"
policy             lxfw
last pass          DATE: rebuild
  its parts        look 1.5 ms and act 3.0 ms under locks, decide 0.2 ms
passes             42: 40 complete, 2 rebuild
longest lock       12.5 ms
running jobs       6
waiting jobs       9: 1 reserved, 8 expected
  for an hour      4, for a day 1, for a week 0
not eligible       3: 2 held by user, 1 limit of qos
left to start      1: 1 contiguous
started            7: 5 at once, 2 reserved
refused            0
reservations       2 kept, 0 late, 3 times moved to a later time
preemption         4 suspensions, 3 resumptions, 1 requeues (1.5 processor-hours lost)
first forecasts    25 % within 1 minute, 75 % within 10, of 4 jobs; mean error 2000 s
journal            2.5 MB
END

# The last pass was long ago.
metrics 1000000 > "$work/old"
status=0
TZ=UTC "$lxfw" status "$work/old" > "$work/is" || status=$?
[ $status = 1 ] || fail "old: exit status $status"
grep -q '^last pass          1970-01-12T13:46:40, ' "$work/is" || fail "old: no date"
grep -q 'WARNING          no pass for [0-9]* s' "$work/is" || fail "old: no warning"

# The clock was set back after the last pass; a second may be a difference of clocks.
metrics "$(($(date +%s) + 3600))" > "$work/future"
status=0
"$lxfw" status "$work/future" > "$work/is" || status=$?
[ $status = 1 ] || fail "future: exit status $status"
grep -q 'WARNING          the last pass is 3[56][0-9]* s in the future: ' "$work/is" ||
	fail "future: $(cat "$work/is")"
"$lxfw" status --json "$work/future" | grep -q '"late": true' || fail "future: JSON"
metrics "$(($(date +%s) + 60))" > "$work/future"
"$lxfw" status "$work/future" > "$work/is" || fail "in a minute: exit status $?"

"$lxfw" status --json "$work/fresh" > "$work/is" || fail "JSON: exit status $?"
python3 - "$work/is" << 'END' || fail "JSON"
import json, sys
result = json.load(open(sys.argv[1]))
assert 0 <= result["age_s"] < 100 and result["late"] is False, result
assert {"name": "lxfw_starts_total", "label": "reserved", "value": 2} in result["samples"]
END
"$lxfw" status --format csv "$work/fresh" | grep -q '^samples,.*,value,2500000.0,$' || fail "CSV"

# Slurm schedules by itself.
{
	echo 'lxfw_let_go{reason="stalled"} 1'
	echo 'lxfw_let_go{reason="ended"} 0'
	metrics "$(date +%s)"
} > "$work/stalled"
status=0
"$lxfw" status "$work/stalled" > "$work/is" || status=$?
[ $status = 1 ] || fail "stalled: exit status $status"
head -n 1 "$work/is" | grep -q "^LET GO             the plugin's thread stalls: Slurm's sched" ||
	fail "stalled: not in the first line"
status=0
"$lxfw" status --json "$work/stalled" > "$work/is" || status=$?
[ $status = 1 ] && grep -q '"let_go": true' "$work/is" || fail "stalled: JSON"
sed 's/"stalled"} 1/"stalled"} 0/; s/"ended"} 0/"ended"} 1/' "$work/stalled" > "$work/ended"
"$lxfw" status "$work/ended" > "$work/is" && fail "ended: exit status 0"
grep -q "^LET GO             the plugin's thread has ended: " "$work/is" || fail "ended"
sed 's/"stalled"} 1/"stalled"} 0/' "$work/stalled" > "$work/neither"
"$lxfw" status "$work/neither" > "$work/is" || fail "neither: exit status $?"
grep -q 'LET GO' "$work/is" && fail "neither"
# No pass was made before.
printf 'lxfw_let_go{reason="ended"} 1\nlxfw_last_pass_timestamp_seconds 0\n# EOF\n' > "$work/never"
"$lxfw" status "$work/never" > "$work/is" && fail "never: exit status 0"
grep -q '^last pass          none$' "$work/is" || fail "never: $(cat "$work/is")"

# bad MESSAGE FILE
bad()
{
	status=0
	"$lxfw" status "$2" > "$work/is" 2> "$work/messages" || status=$?
	[ $status = 2 ] && [ ! -s "$work/is" ] && grep -qF "$1" "$work/messages" ||
		fail "$1: exit status $status: $(cat "$work/messages")"
}
bad 'No such file' "$work/none"
head -c 500 "$work/fresh" > "$work/cut"
bad "$work/cut:14: not a sample of OpenMetrics" "$work/cut"
head -n 12 "$work/fresh" > "$work/cut"
bad "$work/cut:12: the file ends without # EOF" "$work/cut"
: > "$work/empty"
bad 'the file ends without # EOF' "$work/empty"
echo 'JobId=7' > "$work/other"
bad "$work/other:1: not a sample of OpenMetrics" "$work/other"
printf 'a{b="c} 1\n# EOF\n' > "$work/label"
bad "$work/label:1: not a sample" "$work/label"
printf 'a 1\n\0\n# EOF\n' > "$work/zero"
bad 'has bytes 0' "$work/zero"
# Values that are no numbers or out of range, and names that would control the terminal.
for value in nan -inf 1e400 1e300 -1 0x10 1e 9223372036854775808; do
	sed "s/^lxfw_last_pass_timestamp_seconds .*/lxfw_last_pass_timestamp_seconds $value/" \
		"$work/fresh" > "$work/value"
	bad "$work/value:13: not a sample" "$work/value"
done
printf 'a{b="\033[31m"} 1\n# EOF\n' > "$work/escape"
bad "$work/escape:1: not a sample" "$work/escape"
{ cat "$work/fresh"; echo 'lxfw_running_jobs 7'; } > "$work/after"
bad ': a line after # EOF' "$work/after"
# The file of another program has no metrics of the plugin.
printf 'node_boot_time_seconds 1\n# EOF\n' > "$work/foreign"
bad "$work/foreign: no lxfw_last_pass_timestamp_seconds; expected" "$work/foreign"
bad 'Invalid argument' "$work"
mkfifo "$work/fifo"
bad 'Invalid argument' "$work/fifo"
status=0
"$lxfw" status > /dev/null 2>&1 || status=$?
[ $status = 2 ] || fail "no file: exit status $status"

# Names: what the plugin writes, the manual page, the dashboard.
sed -n 's/.*\(counter\|gauge\|begin\)(out, "\([a-z_]*\)".*/lxfw_\2/p' \
	"$top/plugins/agent/meter_text.c" | sort -u > "$work/written"
[ "$(wc -l < "$work/written")" -gt 20 ] || fail "names are not found"
sed -n 's/^\.It Li \(lxfw_[a-z_]*\).*/\1/p' "$top/doc/sched_lxfw.8" | sort -u > "$work/paged"
diff "$work/written" "$work/paged" || fail "names in sched_lxfw(8), METRICS"
python3 - "$work/written" "$top/contrib/grafana/lxfw.json" "$top/plugins/agent/meter_text.c" \
	<< 'END' || fail "dashboard"
import json, re, sys
names = set(open(sys.argv[1]).read().split())
board = json.load(open(sys.argv[2]))
labels = set(re.findall(r'[{]([a-z]+)=', open(sys.argv[3]).read()))
assert len(labels) > 5, labels
# These are in Grafana's dashboard schema.
assert board["schemaVersion"] >= 36 and board["title"] and 8 <= len(board["uid"]) <= 40
for variable in board["templating"]["list"]:
    assert {"text", "value"} <= variable.get("current", {"text": "", "value": ""}).keys()
ids = [panel["id"] for panel in board["panels"]]
assert len(ids) == len(set(ids)) >= 8
used = set()
for panel in board["panels"]:
    assert panel["type"] in ("timeseries", "stat", "table") and panel["title"], panel
    grid = panel["gridPos"]
    assert 0 <= grid["x"] and grid["x"] + grid["w"] <= 24 and grid["h"] > 0, panel
    for target in panel["targets"]:
        legend = re.findall(r"[{][{](\w+)[}][}]", target["legendFormat"])
        chosen = re.findall(r"[{,](\w+)=", target["expr"])
        assert set(legend + chosen) <= labels, target
        for name in re.findall(r"lxfw_[a-z_]+", target["expr"]):
            base = re.sub(r"_(total|bucket|count|sum|info)$", "", name)
            assert base in names, name
            used.add(base)
assert len(used) > 12, used
END

finish
