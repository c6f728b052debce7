#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The pages of compare, describe, simulate and tune: each is one well-formed file
# without scripts. Names from a log are escaped. Charts contain what they must show.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/page.sh"

# made SUBCOMMAND OPTIONS...: a page is written, with exit status 0 or 1
made()
{
	what=$1
	rm -f "$work/page.html"
	"$lxfw" "$@" --report "$work/page.html" > "$work/out" 2> "$work/messages"
	[ $? -le 1 ] || fail "$*: $(cat "$work/messages")"
	[ -s "$work/page.html" ] || { fail "$*: no page"; return; }
	check_page "$work/page.html"
}

has()
{
	has_page "$work/page.html" "$@"
}

# refuse TEXT SUBCOMMAND OPTIONS...: the message contains TEXT, the exit status is 2,
# and no page is left
refuse()
{
	text=$1
	shift
	"$lxfw" "$@" > "$work/out" 2> "$work/messages"
	[ $? -eq 2 ] || fail "$*: exit status is not 2"
	grep -qF -e "$text" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: a result was printed"
	[ -z "$(ls -A "$work/full")" ] || fail "$*: $(ls -A "$work/full") left"
}
mkdir "$work/full"

"$lxfw" generate lublin --seed 6 --jobs 3000 --procs 64 --load 0.95 --estimate-factor 3 \
	--out "$work/lublin.swf" || fail generate

# --- describe ---------------------------------------------------------------
made describe "$work/lublin.swf"
has '<h1>The jobs of a log</h1>' 'lublin.swf &middot; 3000 jobs &middot; 64 processors' \
	'Submissions by hour' 'By processors' 'Processors of jobs'
"$lxfw" generate ncsa-o2k --seed 6 --month 2000-02 --out "$work/o2k.swf" || fail generate
made describe "$work/o2k.swf"
has '<caption>By class</caption>'
refuse 'none/page.html: No such file or directory' describe --report \
	"$work/none/page.html" "$work/lublin.swf"

# --- simulate ---------------------------------------------------------------
made simulate --policy easy "$work/lublin.swf"
has '<h1>A simulated schedule</h1>' 'These are simulations, not measurements' 'Jobs in the queue' \
	'Schedule' 'Mean wait by hour<'
grep -q 'Who gains' "$work/page.html" && fail 'simulate: a comparison with a single contender'
made simulate --policy easy --policy sjf --contender 'aged=lxfw_policy=lxfw,lxfw_ww=1' \
	--window 10h,20h "$work/lublin.swf"
has '<h1>Simulated schedules</h1>' 'Confidence of the differences' 'Gains and losses by group' \
	'<h3>sjf, compared with easy</h3>' '<h3>aged, compared with easy</h3>' 'Schedules from day 1 1'
# each contender has a panel, and a legend entry in each chart
[ "$(grep -c 'class="title s[012]"' "$work/page.html")" -eq 3 ] || fail 'simulate: panels'
# the page does not depend on the number of threads
cp "$work/page.html" "$work/first.html"
made simulate --policy easy --policy sjf --contender 'aged=lxfw_policy=lxfw,lxfw_ww=1' \
	--window 10h,20h --threads 3 "$work/lublin.swf"
cmp -s "$work/first.html" "$work/page.html" || fail 'simulate: the page depends on the number of threads'
refuse "--window 'noon,night', expected FROM,TO" simulate --report "$work/full/page.html" \
	--window noon,night "$work/lublin.swf"
refuse '--window without --report' simulate --window 1h,2h "$work/lublin.swf"

# --- tune -------------------------------------------------------------------
made tune --despite-verdict --settings 12 --copies 2 --current lxfw_policy=fcfs --show 3 --quantum \
	--minimize p95_wait,mean_slowdown "$work/lublin.swf"
has '<h1>Recommended settings</h1>' 'Trade-offs' 'Gains and losses by group' \
	'Costs' 'most suspensions of a job' 'Lower and further left is better'
if grep -q ' is recommended</b>' "$work/page.html"; then
	line=$(sed -n 's/^SchedulerParameters=//p' "$work/out")
	has "<pre class=\"copy\" tabindex=\"0\"><code>SchedulerParameters=$line</code></pre>"
	has 'class="ring"'
else
	has 'Nothing is recommended'
	grep -q '<pre class="copy"' "$work/page.html" && fail 'tune: a line to copy'
fi
# the site's setting is the best one: there is nothing to copy
made tune --despite-verdict --settings 2 --minimize mean_wait "$work/lublin.swf"
has 'No setting is recommended: keep the current one'
refuse 'none/page.html: No such file or directory' tune --despite-verdict --settings 2 \
	--report "$work/none/page.html" "$work/lublin.swf"

# --- compare ----------------------------------------------------------------
# A large machine for four weeks. Names of users and queues contain markup. The machine
# is down for one day.
awk 'BEGIN {
	print "JobID|Submit|Start|End|NCPUS|Timelimit|Partition|User|Group|State"
	for (i = 0; i < 2400; i++) {
		t = i * 1000
		if (t > 864000 && t < 950400 && i % 7) continue
		start = t + (i % 11) * 700
		if (start > 864000 && start < 950400) start = 950400 + i
		n = i % 8 == 0 ? 93312 : 2 ^ (i % 14)
		if (i % 8 == 0) start = t + 90
		name = i % 3 ? "<script>alert(1)</script>" : "a\"b&c"
		printf "%d|%s|%s|%s|%d|1:00:00|<b>%s|%s|%s|COMPLETED\n", i + 1,
			at(t), at(start), at(start + 90 + i % 300), n, i % 2 ? "x" : "y", name, "g" i % 2
	} }
function at(s) { return sprintf("2025-02-%02dT%02d:%02d:%02d", 1 + int(s / 86400),
	int(s / 3600) % 24, int(s / 60) % 60, s % 60) }' > "$work/sacct"
made compare --infer none "$work/sacct"
has '&lt;script&gt;alert(1)&lt;/script&gt;' 'a&quot;b&amp;c' '&lt;b&gt;x' \
	'<b>Why</b>' '<b>What to do</b>' 'Shorter and longer waits by group' \
	'Submissions by hour' 'Jobs in the queue' 'class="away"'
has 'shaded: no job was started'
# large numbers are abbreviated where the full ones would overlap
for label in '1k-4k' '257-1k' '&gt;4k' '100k'; do
	grep -q ">$label</text>" "$work/page.html" || fail "compare: no label $label"
done
grep -qE '>[0-9.]+e\+[0-9]+<' "$work/page.html" && fail 'compare: a number with an exponent'
# waits have a logarithmic axis, with time labels that grow by factors of about ten or
# three
grep -q '>10 min</text>' "$work/page.html" || fail 'compare: no logarithmic axis'
# an outage of the given records is shaded
printf '%s\n' '2025-02-05T00:00 2025-02-06T12:00' > "$work/outages"
made compare --outages "$work/outages" "$work/sacct"
has 'class="away"' 'shaded: unavailable processors'
# if there are too few weeks for a curve, they are drawn as bars
head -n 200 "$work/sacct" > "$work/days"
made compare "$work/days"
grep -q 'class="bar s1"' "$work/page.html" || fail 'compare: one week, no bars'

finish
