#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every subcommand that prints figures prints them as a table, JSON and CSV, selected by
# the same options. Python can read JSON and CSV without options.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# Six weeks with one job per hour, on 4 processors.
{
	echo '; MaxProcs: 4'
	i=0
	while [ $i -lt 1008 ]; do
		job $((i + 1)) $((i * 3600)) $((600 + i * 977 % 9000)) \
			$((1 + i % 4)) 12000
		i=$((i + 1))
	done
} > "$work/log.swf"
printf 'ClusterName=c\nNodeName=n1 CPUs=4\nSchedulerType=sched/lxfw\n' > "$work/slurm.conf"
"$lxfw" simulate --journal "$work/journal" "$work/log.swf" > "$work/out" ||
	fail "simulate --journal: exit status $?"

cat > "$work/read.py" <<'END'
import csv, json, sys
kind, name = sys.argv[1:]
with open(name, newline="") as file:
    if kind == "json":
        json.load(file)
    else:
        rows = list(csv.reader(file, strict=True))
        assert len(rows) > 1, "no rows"
        assert all(len(row) == len(rows[0]) for row in rows), "uneven"
        for i, column in enumerate(rows[0]):
            if column in ("number", "value", "row") and rows[0][:2] != ["key", "value"]:
                [float(row[i]) for row in rows[1:] if row[i]]
END
python=yes
python3 -c 'import csv, json' 2> "$work/err" || python=
[ "$python" ] || echo 'python3 is not installed: not read by it'

# reads KIND WHAT: Python can read the file `out`
reads()
{
	[ "$python" ] || return
	python3 "$work/read.py" "$1" "$work/out" 2> "$work/err" ||
		fail "$2: $(tail -n 1 "$work/err")"
}

# figures NAME ARGUMENTS...
figures()
{
	name=$1
	shift
	"$lxfw" "$name" --format table "$@" > "$work/table" 2> "$work/err"
	table=$?
	[ $table -lt 2 ] || fail "$name: exit status $table: $(cat "$work/err")"
	for format in json csv; do
		"$lxfw" "$name" --format $format "$@" > "$work/out" 2> "$work/err"
		status=$?
		[ $status -eq $table ] ||
			fail "$name --format $format: exit status $status, not $table"
		reads $format "$name --format $format"
	done
	# The age of the last pass counts seconds up to now.
	"$lxfw" "$name" --format json "$@" 2> "$work/err" | sed '/"age_s":/d' > "$work/json"
	"$lxfw" "$name" --json "$@" 2> "$work/err" | sed '/"age_s":/d' > "$work/out"
	cmp -s "$work/json" "$work/out" || fail "$name: --json and --format json differ"
	"$lxfw" "$name" --format xml "$@" > "$work/out" 2> "$work/err"
	[ $? -eq 2 ] || fail "$name --format xml: exit status is not 2"
	grep -qxF "lxfw $name: --format 'xml', expected table|json|csv" "$work/err" ||
		fail "$name --format xml: $(cat "$work/err")"
	[ ! -s "$work/out" ] || fail "$name --format xml: a result was printed"
	echo "$name" >> "$work/names"
}

figures simulate "$work/log.swf"
figures replay "$work/journal"
figures journal --job 7 "$work/journal"
figures why 7 "$work/journal"
sed -n "/^# TYPE lxfw_policy/,/^# EOF/p" "$golden/status.sh" |
	sed "s/lxfw_last_pass_timestamp_seconds .*/lxfw_last_pass_timestamp_seconds 1/" \
	> "$work/metrics"
figures status "$work/metrics"
i=0
while [ $i -lt 200 ]; do
	job $i $((100 * i)) 150 3 300
	i=$((i + 1))
done > "$work/waits.swf"
figures grid --sites 4,4 --split-wide home --broker local,central "$work/log.swf"
figures queue --journal "$work/journal"
figures predict --cluster procs=4 --futures 10 --evaluate "$work/waits.swf"
figures compare --shake 2 "$work/journal"
figures describe "$work/log.swf"
figures reproduce chiang2001 --trace "$work/log.swf" --cluster procs=4
figures check-conf --no-files "$work/slurm.conf"
figures import --out "$work/imported.swf" "$work/log.swf"
figures params
figures tune --settings 10 --round 10 --copies 2 "$work/log.swf"

# The subcommands that list the option in their help are those above.
for name in $("$lxfw" --help | awk '
	/^Subcommands:/ { inside = 1; next }
	/^$/ { inside = 0 }
	inside { print $1 }'); do
	if "$lxfw" "$name" --help | grep -q '^  --format '; then
		"$lxfw" "$name" --help | grep -q '^  --format table|json|csv' ||
			fail "$name: the list of formats differs"
		echo "$name"
	fi
done | sort > "$work/should"
sort "$work/names" > "$work/is"
diff "$work/should" "$work/is" > "$work/diff" || fail "subcommands: $(cat "$work/diff")"

# CSV of describe in long form: what a table shows to a reader.
"$lxfw" describe --format csv "$work/log.swf" > "$work/out"
grep -qx ',,jobs,1008,' "$work/out" || fail 'describe: no jobs'
grep -q '^requested_times,1,jobs,1008,$' "$work/out" ||
	fail "describe: $(grep '^requested_times' "$work/out")"
"$lxfw" journal --job 7 --format csv "$work/journal" | sed -n 1,2p > "$work/is"
cat > "$work/should" <<END
time,kind,what,job,details
21600,event,submit,7,"1 hosts:3:0 limit 12000 submitted 21600"
END
diff "$work/should" "$work/is" > "$work/diff" || fail "journal: $(cat "$work/diff")"
"$lxfw" journal --job 99999 --json "$work/journal" > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && reads json 'journal, no such job' || fail 'journal: no such job'

finish
