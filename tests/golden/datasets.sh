#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The commands of doc/datasets.md work as they stand in the page, on made data. The one with
# pandas is run if it is installed.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

page=$(cd "${LXFW_TOP_SRCDIR:-.}" && pwd)/doc/datasets.md
cd "$work" || exit 99
mkdir bin || exit 99
ln -s "$lxfw" bin/lxfw
PATH=$work/bin:$PATH

# block N: the Nth block of commands
block()
{
	awk -v wanted="$1" '/^```$/ { inside = !inside; count += inside; next }
		inside && count == wanted' "$page"
}

awk 'BEGIN {
	draw = 3
	print "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time," \
	      "end_time,duration,queue"
	for (i = 1; i <= 300; i++) {
		draw = (draw * 69069 + 1) % 1048576
		gpus = draw % 3 ? 2 ^ (int(draw / 8) % 5) : 0
		nodes = gpus > 8 ? gpus / 8 : 1
		run = 60 + int(draw / 4) % 5000
		submit += int(draw / 16) % 60
		wait = int(draw / 32) % 100
		printf "%d,u%d,vc%d,%d,%d,%d,%s,%s,%s,%s,%d,%d\n", i, draw % 9, draw % 3, gpus,
			(gpus ? 4 * gpus : 1 + draw % 40), nodes,
			draw % 7 ? "COMPLETED" : "FAILED", date(submit), date(submit + wait),
			date(submit + wait + run), run, wait
	}
}
function date(s)
{
	return sprintf("2020-04-%02d %02d:%02d:%02d", 1 + int(s / 86400), int(s / 3600) % 24,
		       int(s / 60) % 60, s % 60)
}' > cluster_log.csv
python3 -c 'import pandas' 2> err || echo "without python3-pandas: its command is not run"
block 1 > commands
python3 -c 'import pandas' 2> err || sed -i '/import pandas/d' commands
sh -e commands > out 2> told || fail "commands: $(cat told)"
[ "$(grep -c . commands)" -ge 4 ] || fail "the page has other commands"
grep -q '^; Request: [0-9]* nodes=2,gres/gpu=16$' helios.swf && [ -s page.html ] &&
	[ "$(wc -l < lxfw.csv)" = 301 ] || fail "no result: $(cat told)"
if python3 -c 'import pandas' 2> err; then
	grep -q '75%' out || fail "pandas: $(cat out)"
fi

# The tables of PAI, joined.
echo '4f05,8cb3,u1,Terminated,1739100.0,1739300.0' > pai_job_table.csv
cat > pai_task_table.csv <<'END'
4f05,ps,1.0,Terminated,1739162.0,1739200.0,600.0,2.0,,MISC
4f05,worker,2.0,Terminated,1739170.0,1739270.0,400.0,1.0,50.0,T4
4f06,worker,2.0,Terminated,1739170.0,1739270.0,400.0,1.0,50.0,T4
END
awk '/^```$/ { inside = !inside; if (inside) text = ""; else if (text ~ /pai_job_table/) printf "%s", text }
	inside && !/^```$/ { text = text $0 "\n" }' "$page" > commands
grep -q pai.swf commands && sh -e commands > out 2>&1 || fail "pai: $(cat commands out)"
[ "$(awk '!/^;/ { printf "%s %s %s %s;", $2, $3, $4, $5 }' pai.swf)" = "0 62 38 6;0 70 100 8;" ] ||
	fail "pai: $(cat pai.swf)"
grep -q 'gres/gpu=2$' pai.swf && grep -q '^; User: 1 u1$' pai.swf || fail "pai: $(cat pai.swf)"

# philly's command is in the table of other data sets
cat > cluster_job_log <<'END'
[{"status":"Pass","vc":"v","jobid":"application_15_1","attempts":[
{"start_time":"2017-10-07 01:11:45","end_time":"2017-10-07 01:12:00","detail":
[{"ip":"m1","gpus":["gpu0","gpu1"]},{"ip":"m2","gpus":["gpu0"]}]},
{"start_time":"2017-10-07 01:12:30","end_time":"2017-10-07 01:12:45","detail":[]}],
"submitted_time":"2017-10-07 01:11:40","user":"u"},
{"status":"Killed","vc":"v","jobid":"application_15_2","attempts":[],
"submitted_time":"2017-10-07 01:11:41","user":"u"}]
END
sed -n 's/^| Philly | `\([^`]*\)`.*/\1/p' "$page" > commands
sh -e commands > out 2>&1 && [ -s commands ] || fail "philly: $(cat out)"
[ "$(awk '!/^;/ { print $3, $4, $5, $11 }' philly.swf)" = "5 60 3 1
-1 -1 -1 5" ] || fail "philly: $(cat philly.swf)"
finish
