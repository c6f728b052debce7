#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw grid --graph`: without neighbours the schedule is that of the library's policies;
# schedules computed by hand; an independent program with the same jobs and messages on random
# worlds; an audit with delays and losses; bad input.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

seed=${LXFW_SEED:-1}
cases=$(random_cases 3 12)
echo "# LXFW_SEED=$seed"

# grid OPTIONS: standard input has "JOB START END WAIT SITE MOVES PREEMPTIONS" for each job of
# $work/log.swf
grid()
{
	"$lxfw" grid --jobs-out "$work/jobs.csv" --json "$@" "$work/log.swf" > "$work/json" \
		2> "$work/messages" || fail "grid $*: exit status $?: $(cat "$work/messages")"
	tail -n +2 "$work/jobs.csv" | awk -F, '{ print $1, $3, $4, $5, $10, $11, $12 }' \
		> "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "grid $*: $(cat "$work/diff")"
}

# messages TYPE=NUMBER ...: of the last run
messages()
{
	python3 - "$work/json" "$@" << 'END' || fail "messages $*: $(cat "$work/json")"
import json, sys
messages = json.load(open(sys.argv[1]))['results'][0]['messages']
for word in sys.argv[2:]:
    key, value = word.split('=')
    assert messages[key] == int(value), (messages, word)
END
}

# --- without neighbours ----------------------------------------------------------------------

i=0
while [ $i -lt 4 ]; do
	i=$((i + 1))
	python3 "$golden/remaining.py" make $((seed + i)) 4096 > "$work/log.swf"
	echo 'host procs=16 memory=4096' > "$work/one"
	echo 'host procs=20 memory=5000' > "$work/two"
	all=lxfw_rem_frees=all,lxfw_rem_min_run=0
	for policy in "remaining params=lxfw_rem_wait=0,lxfw_interval=5,$all" \
		      "remaining params=lxfw_rem_wait=0.5,lxfw_interval=30,$all" \
		      "remaining params=lxfw_rem_wait=1.5,lxfw_interval=50,$all" list; do
		echo "site=one cluster=one speed=0.7 policy=$policy" > "$work/sites"
		echo "site=two cluster=two speed=1.3 policy=$policy" >> "$work/sites"
		"$lxfw" grid --sites "$work/sites" --jobs-out "$work/jobs.csv" \
			"$work/log.swf" > "$work/out" 2>&1 || fail "$(cat "$work/out")"
		tail -n +2 "$work/jobs.csv" | cut -d, -f1-4 > "$work/expected"
		"$lxfw" grid --sites "$work/sites" --graph none --jobs-out "$work/jobs.csv" \
			"$work/log.swf" > "$work/out" 2>&1 || fail "$(cat "$work/out")"
		tail -n +2 "$work/jobs.csv" | cut -d, -f1-4 > "$work/is"
		diff "$work/expected" "$work/is" > "$work/diff" ||
			fail "seed $((seed + i)), $policy: $(head -5 "$work/diff")"
	done
done

# --- by hand -----------------------------------------------------------------------------------

# Job 3 is shorter than job 1 and starts first at s1. s2 is free at 10, and then takes job 1.
{
	job 1 0 100 1 100
	job 2 0 10 1 10
	job 3 0 50 1 50
} > "$work/log.swf"
grid --sites 1,1 --graph none << 'END'
1 50 150 50 s1 0 0
2 0 10 0 s2 0 0
3 0 50 0 s1 0 0
END
# Views: two at 0, one at 10 from s2, two at 15 after the move, one at each later end.
grid --sites 1,1 --graph 2nn --moves push << 'END'
1 10 110 10 s2 1 0
2 0 10 0 s2 0 0
3 0 50 0 s1 0 0
END
messages view=7 push=1 pull=0 accept=1 reject=0 job=1
grid --sites 1,1 --graph 2nn --moves pull << 'END'
1 10 110 10 s2 1 0
2 0 10 0 s2 0 0
3 0 50 0 s1 0 0
END
messages push=0 accept=0 job=1
# At 0, s1 does not know of job 2, offers job 1 to s2 and hears at 4 that it is rejected. It
# hears at 12 that s2 is free, offers at 15, and sends at 19 what arrives at 21.
grid --sites 1,1 --graph 2nn --moves push --delay 2 << 'END'
1 21 121 21 s2 1 0
2 0 10 0 s2 0 0
3 0 50 0 s1 0 0
END
messages push=2 accept=1 reject=1 job=1

# Job 3 preempts job 1 at 10, of which 90 s are left. s2 does them from 20 on at double speed.
{
	job 1 0 100 1 100
	job 2 0 40 1 40
	job 3 10 30 1 30
} > "$work/log.swf"
printf '%s\n' 'site=s1 procs=1' 'site=s2 procs=1 speed=2' > "$work/sites"
grid --sites "$work/sites" --graph can --moves push+pull << 'END'
1 0 65 10 s2 1 1
2 0 20 0 s2 0 0
3 10 40 0 s1 0 0
END
grid --sites "$work/sites" --graph can --moves push+pull --stay << 'END'
1 0 130 30 s1 0 1
2 0 20 0 s2 0 0
3 10 40 0 s1 0 0
END

# s1 is not a neighbour of s3, which is free.
{
	job 1 0 100 1 100
	job 2 0 80 1 80
	job 3 0 10 1 10
	job 4 1 200 1 200
} > "$work/log.swf"
echo 's2 s1 s3 # a chain' > "$work/graph"
grid --sites 1,1,1 --graph "$work/graph" --moves push << 'END'
1 0 100 0 s1 0 0
2 0 80 0 s2 0 0
3 0 10 0 s3 0 0
4 80 280 79 s2 1 0
END

# The objective: job 4 uses the last processor of s2 (FM 0), and 2 of 4 of s3 (FM 1/2).
{
	job 1 0 100 4 100
	job 2 0 100 3 100
	job 3 0 100 1 100
	job 4 1 100 1 100
} > "$work/log.swf"
grid --sites 4,4,4 --graph 2nn --moves push << 'END'
1 0 100 0 s1 0 0
2 0 100 0 s2 0 0
3 0 100 0 s3 0 0
4 5 105 4 s2 1 0
END

# Queue balancing: two jobs wait at s1, none at s2. The first one moves. Without balancing the
# second one moves when s2 is free.
{
	job 1 0 100 1 100
	job 2 0 100 1 100
	job 3 1 150 1 150
	job 4 1 160 1 160
} | awk '{ $12 = $1 == 2 ? 1 : 2; print }' > "$work/log.swf"
grid --sites 1,1 --home user --graph 2nn --moves push+balance << 'END'
1 0 100 0 s1 0 0
2 0 100 0 s2 0 0
3 100 250 99 s2 1 0
4 100 260 99 s1 0 0
END
grid --sites 1,1 --home user --graph 2nn --moves pull+balance << 'END'
1 0 100 0 s1 0 0
2 0 100 0 s2 0 0
3 100 250 99 s1 0 0
4 100 260 99 s2 1 0
END

# --- random worlds -----------------------------------------------------------------------------

i=0
while [ $i -lt "$cases" ]; do
	i=$((i + 1))
	options=$(python3 "$golden/neighbours.py" make $((seed + i)) "$work")
	# shellcheck disable=SC2086
	"$lxfw" grid --sites "$work/sites" $options --jobs-out "$work/jobs.csv" --json \
		"$work/log.swf" > "$work/json" 2> "$work/messages" ||
		fail "seed $((seed + i)): $(cat "$work/messages")"
	# shellcheck disable=SC2086
	python3 "$golden/neighbours.py" check "$work" "$work/jobs.csv" "$work/json" $options \
		> "$work/out" 2>&1 || fail "seed $((seed + i)), $options: $(tail -1 "$work/out")"
	[ $i -gt 3 ] || cat "$work/out"
	for late in '--delay 1' '--delay 7' '--loss 30' '--delay 3 --loss 90'; do
		# shellcheck disable=SC2086
		"$lxfw" grid --sites "$work/sites" $options $late --seed $i --jobs-out \
			"$work/jobs.csv" --json "$work/log.swf" > "$work/json" \
			2> "$work/messages" || fail "$late: $(cat "$work/messages")"
		python3 "$golden/neighbours.py" audit "$work" "$work/jobs.csv" "$work/json" \
			> "$work/out" 2>&1 ||
			fail "seed $((seed + i)), $options $late: $(cat "$work/out")"
	done
done

# The losses depend on the seed only.
python3 "$golden/grid.py" log 1 "$work/log.swf"
for run in 1 1 2; do
	"$lxfw" grid --sites 16,16,16,16 --graph can --moves push+pull --loss 40 --seed $run \
		--json "$work/log.swf" > "$work/json.$run" 2>&1 || fail "$(cat "$work/json.$run")"
	[ -e "$work/first" ] || cp "$work/json.$run" "$work/first"
done
cmp -s "$work/first" "$work/json.1" || fail 'two runs differ'
! cmp -s "$work/first" "$work/json.2" || fail 'other losses, the same result'

"$lxfw" grid --sites 16,16,16 --graph 2nn --moves none,push,push+pull+balance \
	"$work/log.swf" > "$work/out" 2>&1 || fail "$(cat "$work/out")"
[ "$(grep -c -E '^(none|push|push.pull.balance) ' "$work/out")" -eq 6 ] ||
	fail "$(cat "$work/out")"

# --- bad input ---------------------------------------------------------------------------------

# bad EXPECTED OPTIONS: exit status 2, EXPECTED in the message, no output
bad()
{
	expected=$1
	shift
	"$lxfw" grid --jobs-out "$work/none" "$@" "$work/log.swf" > "$work/out" \
		2> "$work/messages"
	[ $? -eq 2 ] || fail "$*: exit status is not 2"
	grep -q -e "$expected" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: output"
	[ ! -e "$work/none" ] || fail "$*: a file is left"
}

# bad_graph EXPECTED LINE: a second line
bad_graph()
{
	printf 's1 s2\n%s\n' "$2" > "$work/graph"
	bad "$1" --sites 16,16 --graph "$work/graph"
}

# bad_sites EXPECTED LINE: a second site
bad_sites()
{
	printf '%s\n%s\n' 'site=a procs=16 policy=list' "$2" > "$work/sites"
	bad "$1" --sites "$work/sites" --graph 2nn
}

bad 'gone: No such file' --sites 16,16 --graph "$work/gone"
bad_graph "graph:2: no site 's3', expected names of sites" 's1 s3'
bad_graph 'graph:2: a site is its own neighbour' 's1 s1'
bad_graph 'graph:2: one site, expected a site and its neighbours' 's2'
echo '# nothing' > "$work/graph"
bad 'graph: no neighbours, expected lines' --sites 16,16 --graph "$work/graph"
bad "'balance', expected a list of none, push" --sites 16,16 --graph 2nn --moves balance
bad "'push,', expected a list" --sites 16,16 --graph 2nn --moves push,
bad '[-]-moves without --graph' --sites 16,16 --moves push
bad '[-]-broker with --graph' --sites 16,16 --graph 2nn --broker local
bad 'journals with --graph, .* a journal has the decisions of a scheduler' --sites 16,16 \
	--graph 2nn --journals "$work"
bad '[-]-jobs-out with several --moves' --sites 16,16 --graph 2nn --moves push,pull
bad "'-1', expected" --sites 16,16 --graph 2nn --delay -1
bad "'100', expected" --sites 16,16 --graph 2nn --loss 100
bad 'job [0-9]*: it fits on no empty site' --sites 2,2 --graph 2nn
bad_sites 'site b: other policy or parameters than the first' 'site=b procs=16'
bad_sites 'site b: other policy' 'site=b procs=16 policy=list params=lxfw_interval=7'
echo 'host[1-2] procs=4' > "$work/cluster"
bad_sites 'site b: several hosts, expected one' 'site=b cluster=cluster policy=list'
for site in 'policy=fcfs:must be remaining or list' 'policy=remaining:lxfw_rem_frees=all' \
	    'policy=remaining params=lxfw_rem_wait=0.0001:three digits'; do
	echo "site=a procs=16 ${site%:*}" > "$work/sites"
	bad "site a: .*${site#*:}" --sites "$work/sites" --graph none
done

# --- the page ----------------------------------------------------------------------------------

# Job 1 of s1 moves to s2, as above.
{
	job 1 0 100 1 100
	job 2 0 10 1 10
	job 3 0 50 1 50
} > "$work/log.swf"
"$lxfw" grid --sites 1,1 --graph 2nn --moves push,none --report "$work/page.html" "$work/log.swf" \
	> "$work/out" 2> "$work/messages" || fail "page: $(cat "$work/messages")"
row()
{
	echo "$1" | sed 's,^\([^ ]*\),<tr><th>\1</th>,; s, \([^ ]*\),<td>\1</td>,g; s,$,</tr>,'
}
# Messages in the order view, push, pull, accept, reject, job, all, lost. Sites: processors, speed,
# neighbours, jobs, mean wait, ended there, of others. Homes and where their jobs ended.
while read -r line; do
	grep -qxF "$(row "$line")" "$work/page.html" || fail "page: no '$line'"
done << 'END'
push 7 1 0 1 0 1 10 0
s1 1 1 1 2 5.0 1 0
s2 1 1 1 1 0.0 2 1
s1 1 1
s2 0 1
s1 1 1 1 2 25.0 2 0
END
[ "$(grep -c '<line' "$work/page.html")" -eq 1 ] || fail 'page: one line for two neighbours'
grep -q '>s2</text>' "$work/page.html" || fail 'page: the name of a site'
if command -v python3 > "$work/out"; then
	python3 - "$work/page.html" << 'END' || fail 'page: the elements do not match'
import sys
from html.parser import HTMLParser
class Check(HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag not in ('meta', 'line', 'rect', 'br', 'path', 'circle'):
            self.open.append(tag)
    def handle_endtag(self, tag):
        if tag not in ('line', 'rect', 'path', 'circle'):
            assert self.open.pop() == tag, (tag, self.getpos())
check = Check()
check.feed(open(sys.argv[1]).read())
assert not [tag for tag in check.open if tag not in ('html', 'body', 'head')], check.open
END
fi
# All files, or none.
rm -f "$work/jobs.csv"
"$lxfw" grid --sites 1,1 --graph 2nn --jobs-out "$work/jobs.csv" --report "$work/no/page" \
	"$work/log.swf" > "$work/out" 2> "$work/messages" && fail 'page: no folder'
[ ! -e "$work/jobs.csv" ] && [ ! -s "$work/out" ] || fail 'page: files without a page'
# A large graph has no picture.
"$lxfw" grid --sites "$(seq -s, 1 100)" --graph can --report "$work/page.html" "$work/log.swf" \
	> "$work/out" 2> "$work/messages" || fail "page: $(cat "$work/messages")"
grep -q 'More than 64 sites are not drawn' "$work/page.html" || fail 'page: 100 sites'
grep -q '<svg' "$work/page.html" && fail 'page: 100 sites are drawn'

finish
