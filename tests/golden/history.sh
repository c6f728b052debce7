#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The data base of run times: `lxfw import --history` writes it, `lxfw predict --history` reads
# it and gives the same as with `--learn` of the logs themselves, however it came about; a crash
# leaves it as it was; damaged, foreign, locked and unwritable ones are refused.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

base=1700000000	# seconds since 1970
seed=${LXFW_SEED:-1}
echo "history.sh: LXFW_SEED=$seed" >&2

# A random log of three users: jobs of user 1 run for a tenth of their limits, those of
# user 2 for 80 to 95 %, those of user 3 for anything.
awk -v seed="$seed" -v base=$base 'BEGIN {
	srand(seed)
	print "; MaxProcs: 16"
	for (i = 1; i <= 600; i++) {
		at += int(-log(1 - rand()) * 600)
		user = 1 + int(rand() * 3)
		limit = 600 * (1 + int(rand() * 6))
		run = user == 1 ? limit / 10 : user == 2 ? limit * (0.8 + 0.15 * rand()) : 1 + limit * rand()
		wait = int(rand() * 100)
		run = int(run)
		if (user == 3)	# several end in the same second
			run += 3600 - (at + wait + run) % 3600
		printf "%d %d %d %d %d -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1\n", i, base + at, wait,
			run, p = 1 + int(rand() * 9), p, limit, user
	}
}' > "$work/log.swf"
last=$(awk '!/^;/ { if ($2 + $3 + $4 > last) last = $2 + $3 + $4 } END { print last }' "$work/log.swf")

# The journal begins after the log. A job of all processors runs, and two of 4 wait.
now=$((last + 1000))
{
	echo '; MaxProcs: 16'
	job 1 $now 5000 16 6000
	job 2 $((now + 10)) 100 4 600
	job 3 $((now + 20)) 100 16 600
} > "$work/live.swf"
"$lxfw" simulate --policy fcfs --journal "$work/journal" "$work/live.swf" > "$work/out" 2>&1 ||
	fail "simulate: $(cat "$work/out")"

# predict OUT OPTIONS...
predict()
{
	out=$1
	shift
	"$lxfw" predict --journal "$work/journal" --at $((now + 30)) "$@" > "$work/$out" \
		2> "$work/messages" || fail "predict $*: exit status $?: $(cat "$work/messages")"
}

# update FILE LOG TEXT: add a log of the machine m to a data base
update()
{
	"$lxfw" import --history "$work/$1" --machine m "$work/$2" > "$work/out" \
		2> "$work/messages" || fail "update: exit status $?: $(cat "$work/messages")"
	echo "$work/$1: machine m: $3" | diff - "$work/out" > "$work/diff" || fail "update: $(cat "$work/diff")"
}

predict nothing
predict log --learn "$work/log.swf"
cmp -s "$work/nothing" "$work/log" && fail 'the log makes no difference'
"$lxfw" import --history "$work/new" --machine m "$work/log.swf" > "$work/out" 2> "$work/messages"
if grep -q 'built without SQLite' "$work/messages"; then
	echo 'without SQLite: histories not looked at'
	finish
fi
grep -q 'from the run times of 600 jobs' "$work/log" || fail "log: $(sed -n 2p "$work/log")"

# --- the same as the whole log ---------------------------------------------------------

update whole log.swf '600 jobs, 600 of them new'
predict whole-out --history "$work/whole"
cmp -s "$work/log" "$work/whole-out" || fail "whole: $(diff "$work/log" "$work/whole-out")"
update whole log.swf '600 jobs, 0 of them new'
# In parts that overlap.
head -250 "$work/log.swf" > "$work/part1.swf"
{ head -1 "$work/log.swf"; sed -n 200,420p "$work/log.swf"; } > "$work/part2.swf"
update parts part1.swf '249 jobs, 249 of them new'
update parts part2.swf '419 jobs, 170 of them new'
predict part-out --history "$work/parts"
cmp -s "$work/log" "$work/part-out" && fail 'a part of the log makes no difference'
predict parts-out --history "$work/parts" --learn "$work/log.swf"
cmp -s "$work/log" "$work/parts-out" || fail "parts: $(diff "$work/log" "$work/parts-out")"
update parts log.swf '600 jobs, 181 of them new'
predict parts-out --history "$work/parts"
cmp -s "$work/log" "$work/parts-out" || fail "parts: $(diff "$work/log" "$work/parts-out")"
# Nothing is written by a prediction.
cp "$work/parts" "$work/before"
predict parts-out --history "$work/parts" --learn "$work/log.swf"
cmp -s "$work/before" "$work/parts" || fail 'the data base was changed by a prediction'
# Jobs of other machines do not count.
"$lxfw" import --history "$work/before" --machine other "$work/part1.swf" > "$work/out" 2>&1 ||
	fail "other: $(cat "$work/out")"
predict other-out --history "$work/before" --machine m
cmp -s "$work/log" "$work/other-out" || fail "other: $(diff "$work/log" "$work/other-out")"
# Two logs at once, without a data base.
predict two --learn "$work/part1.swf" --learn "$work/log.swf"
cmp -s "$work/log" "$work/two" || fail "two logs: $(diff "$work/log" "$work/two")"
# Jobs that ended after the state are not known.
update later live.swf '3 jobs, 3 of them new'
"$lxfw" predict --journal "$work/journal" --at $now --history "$work/later" \
	> "$work/out" 2>&1 || fail "later: $(cat "$work/out")"
grep -q 'from the run times of 0 jobs' "$work/out" || fail "later: $(cat "$work/out")"

# --- users -----------------------------------------------------------------------------

mkdir "$work/bin"
cat > "$work/bin/squeue" << 'END'
#!/bin/sh
cat "$work/jobs"
[ ! -e "$work/no-squeue" ]
END
chmod +x "$work/bin/squeue"
PATH=$work/bin:$PATH
export PATH work
# The running job of 6000 s is one of user 1, or of user 2.
for user in 1 2; do
	printf '1|1|%s|1|1|\n2|2|3|1|1,other|\n' $user > "$work/jobs"
	predict user$user --history "$work/whole" --owners --format csv
	eval "start$user=\$(awk -F, '\$1 == \"jobs\" && \$3 == \"expected_start\" { print \$4 - $now; exit }' \
		\"\$work/user$user\")"
done
[ "$start1" -ge 500 ] && [ "$start1" -le 1200 ] || fail "user 1: expected start $start1"
[ "$start2" -ge 4700 ] && [ "$start2" -le 5800 ] || fail "user 2: expected start $start2"
: > "$work/no-squeue"
"$lxfw" predict --journal "$work/journal" --owners > "$work/out" 2> "$work/messages"
[ $? = 2 ] || fail 'no squeue: exit status'
grep -q 'squeue: failed' "$work/messages" || fail "no squeue: $(cat "$work/messages")"

# --- journals --------------------------------------------------------------------------

# The journal has jobs that ended. A log that has them, too, counts them once.
{
	echo '; MaxProcs: 16'
	i=1
	while [ $i -le 20 ]; do
		job $i $((base + i * 1000)) 300 16 600
		i=$((i + 1))
	done
} > "$work/first.swf"
{
	cat "$work/first.swf"
	job 21 $((base + 30000)) 300 16 600
	job 22 $((base + 30010)) 300 16 600
} > "$work/both.swf"
"$lxfw" simulate --policy fcfs --journal "$work/both" "$work/both.swf" > "$work/out" 2>&1 ||
	fail "simulate: $(cat "$work/out")"
# starts OPTIONS...: print the expected start after the first job of the second part
starts()
{
	"$lxfw" predict --journal "$work/both" --at $((base + 30020)) --format csv "$@" \
		2> "$work/messages" | awk -F, '$3 == "expected_start" || $3 == "low90" ||
			$3 == "high90" || $3 == "run_times" { print $2 $3, $4 }'
}
starts > "$work/is-both"
grep -q "expected_start $((base + 30300))" "$work/is-both" || fail "both: $(cat "$work/is-both")"
update both.db first.swf '20 jobs, 20 of them new'
for options in "--learn $work/first.swf" "--history $work/both.db"; do
	# shellcheck disable=SC2086
	starts $options > "$work/is"
	cmp -s "$work/is-both" "$work/is" || fail "$options: $(diff "$work/is-both" "$work/is")"
done

# --- a crash in the middle of an update ------------------------------------------------

awk -v base=$base 'BEGIN {
	print "; MaxProcs: 16"
	for (i = 1; i <= 300000; i++)
		print i, base + i, 0, 10, 1, -1, -1, 1, 20, -1, 1, i % 100, 1, 1, 1, 1, -1, -1
}' > "$work/large.swf"
cp "$work/parts" "$work/crash"
"$lxfw" import --history "$work/crash" --machine m "$work/large.swf" > "$work/out" 2>&1 &
updater=$!
while [ ! -s "$work/crash-journal" ] && kill -0 $updater 2> "$work/messages"; do
	sleep 0.05
done
kill -9 $updater 2> "$work/messages"
wait $updater 2> "$work/messages"
grep -q 'of them new' "$work/out" && echo '(the update was faster than the crash)'
[ -s "$work/crash-journal" ] || echo '(nothing to roll back)'
update crash log.swf '600 jobs, 0 of them new'
predict crash-out --history "$work/crash"
cmp -s "$work/log" "$work/crash-out" || fail "crash: $(diff "$work/log" "$work/crash-out")"

# --- a write that fails ----------------------------------------------------------------

# A file may have 2 MB: what is beyond cannot be written, as on a full file system.
# limited FILE: import the large log
limited()
{
	status=0
	(
		trap '' XFSZ
		ulimit -f 4096
		exec "$lxfw" import --history "$work/$1" --machine m "$work/large.swf"
	) > "$work/out" 2> "$work/messages" || status=$?
	[ $status = 2 ] || fail "limited $1: exit status $status"
	grep -q "$1: not changed: " "$work/messages" || fail "limited $1: $(cat "$work/messages")"
	[ ! -e "$work/$1-journal" ] || fail "limited $1: a journal is left"
}
cp "$work/parts" "$work/full"
limited full
cmp -s "$work/parts" "$work/full" || fail 'limited: the file was changed'
limited full-new
[ ! -e "$work/full-new" ] || fail 'limited: a new file is left'
# An empty file that was there before stays.
: > "$work/full-empty"
limited full-empty
[ -e "$work/full-empty" ] || fail 'limited: an empty file was removed'

# A signal: as before, without a journal. SIGINT is ignored in the background.
for signal in TERM HUP; do
	cp "$work/parts" "$work/signal"
	"$lxfw" import --history "$work/signal" --machine m "$work/large.swf" > "$work/out" 2>&1 &
	updater=$!
	while [ ! -s "$work/signal-journal" ] && kill -0 $updater 2> "$work/messages"; do
		sleep 0.05
	done
	kill -$signal $updater 2> "$work/messages"
	status=0
	wait $updater 2> "$work/messages" || status=$?
	[ ! -e "$work/signal-journal" ] || fail "$signal: a journal is left"
	if grep -q 'of them new' "$work/out"; then
		echo "(the update was faster than $signal)"
		continue
	fi
	[ $status -gt 128 ] || fail "$signal: exit status $status"
	cmp -s "$work/parts" "$work/signal" || fail "$signal: the file was changed"
done

# A large trace is not written either, but to --out; the whole of a log that was a trace.
for log in large.swf log.swf; do
	"$lxfw" import --history "$work/large.db" --machine m --out "$work/copy.swf" "$work/$log" \
		> "$work/out" 2> "$work/messages" || fail "$log: $(cat "$work/messages")"
	cmp -s "$work/copy.swf" "$work/$log" || fail "$log: another copy"
	[ "$(wc -l < "$work/out")" -eq 1 ] || fail "$log: $(head "$work/out")"
	"$lxfw" import --history "$work/large.db" --machine m "$work/$log" > "$work/out" \
		2> "$work/messages" || fail "$log: $(cat "$work/messages")"
	[ "$(wc -l < "$work/out")" -eq 1 ] || fail "$log: $(head -2 "$work/out")"
	grep -q ' 0 of them new' "$work/out" || fail "$log: $(cat "$work/out")"
done
"$lxfw" import --json --history "$work/large.db" --machine n "$work/log.swf" 2> "$work/messages" |
	grep -q '"new_machine_jobs": *600' || fail "JSON: $(cat "$work/messages")"

# Accounting with names: sacct names users, and requirements.
{
	echo 'JobID|User|Group|Account|Partition|Submit|Start|End|Elapsed|Timelimit|NCPUS|NNodes|State'
	i=1
	while [ $i -le 3 ]; do
		echo "$i|ann|staff|physics|short|2026-01-0${i}T10:00:00|2026-01-0${i}T10:00:00|2026-01-0${i}T10:05:00|00:05:00|01:00:00|4|1|COMPLETED"
		i=$((i + 1))
	done
	echo '4|ann|staff|physics|short|2026-01-05T10:00:00|Unknown|Unknown|00:00:00|01:00:00|4|1|PENDING'
} > "$work/sacct.txt"
"$lxfw" import --history "$work/sacct.db" --machine alps "$work/sacct.txt" > "$work/out" \
	2> "$work/messages" || fail "sacct: $(cat "$work/messages")"
grep -q 'machine alps: 3 jobs, 3 of them new' "$work/out" || fail "sacct: $(cat "$work/out")"
if command -v python3 > "$work/out"; then
	python3 - "$work/sacct.db" << 'END' || fail 'sacct: rows'
import sqlite3, sys
data = sqlite3.connect(sys.argv[1])
rows = data.execute('SELECT machine, number, end - submit, ran, time_limit, procs, user, '
                    'account, partition FROM jobs ORDER BY number').fetchall()
assert rows == [(1, i, 300, 300, 3600, 4, 'ann', 'staff', 'short') for i in (1, 2, 3)], rows
assert 'physics' in data.execute('SELECT name FROM jobs').fetchone()[0]
assert data.execute('SELECT id, name, speed FROM machines').fetchall() == [(1, 'alps', 1000)]
END
fi

# --- bad files -------------------------------------------------------------------------

# refuses TEXT SUBCOMMAND OPTIONS...
refuses()
{
	text=$1 status=0
	shift
	"$lxfw" "$@" > "$work/out" 2> "$work/messages" || status=$?
	[ $status = 2 ] || fail "$*: exit status $status"
	grep -q -- "$text" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: output $(cat "$work/out")"
}
# bad TEXT: this file is refused, for reading and for an update, and not changed
bad()
{
	cp "$work/bad" "$work/bad.before"
	refuses "bad: $1" predict --journal "$work/journal" --history "$work/bad"
	refuses "bad: $1" import --history "$work/bad" --machine m "$work/log.swf"
	refuses "bad: $1" simulate --estimates "history:$work/bad" "$work/log.swf"
	refuses "bad: $1" grid --sites 16 --estimates "history:$work/bad" "$work/log.swf"
	refuses "bad: $1" grid --sites 16 --kind user --history "$work/bad" "$work/log.swf"
	cmp -s "$work/bad" "$work/bad.before" || fail "$1: the file was changed"
}
cp "$work/log.swf" "$work/bad"
bad "no data base of 'lxfw import --history', or damaged; remove it, and import the logs again"
head -c $(($(wc -c < "$work/whole") - 4096)) "$work/whole" > "$work/bad"
bad 'damaged or truncated (.*); remove it, and import the logs again'
head -c 5000 "$work/whole" > "$work/bad"
bad 'damaged or truncated'
{ head -c 4096 "$work/whole"; tail -c +4097 "$work/whole" | tr '\000-\020' '\377'; } > "$work/bad"
bad 'damaged'
cp "$work/whole" "$work/bad"
printf '\000\000\000\007' | dd of="$work/bad" bs=1 seek=60 conv=notrunc 2> "$work/messages"
bad 'history version 7, expected 3; remove it'
cp "$work/whole" "$work/bad"
printf 'abcd' | dd of="$work/bad" bs=1 seek=68 conv=notrunc 2> "$work/messages"
bad "an SQLite file of another program, expected a data base of 'lxfw import --history'"
if command -v python3 > "$work/out"; then
	cp "$work/whole" "$work/bad"
	python3 - "$work/bad" << 'END' || fail 'other tables'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.executescript('ALTER TABLE machines RENAME TO hosts')
END
	bad 'damaged or of another program (.*machines); remove it, and import the logs again'
	# Values that no import writes, and values that it did not write.
	while read -r what number change; do
		cp "$work/whole" "$work/bad"
		python3 - "$work/bad" "$change" << 'END' || fail "$change"
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute(sys.argv[2])
database.commit()
END
		refuses "bad: damaged ($what $number); remove it" simulate --estimates "history:$work/bad" \
			"$work/log.swf"
	done << 'CHANGES'
job 3 UPDATE jobs SET ran = 0 WHERE rowid = 3
job 3 UPDATE jobs SET time_limit = 0 WHERE rowid = 3
job 3 UPDATE jobs SET procs = 0 WHERE rowid = 3
job 3 UPDATE jobs SET machine = 2 WHERE rowid = 3
machine 1 UPDATE machines SET id = 2
machine 1 UPDATE machines SET speed = 0
job 3 UPDATE jobs SET ran = ran + 1 WHERE rowid = 3
job 3 UPDATE jobs SET time_limit = time_limit + 256 WHERE rowid = 3
job 4 UPDATE jobs SET submit = submit + (1 << 40) WHERE rowid = 4
job 3 UPDATE jobs SET user = user || '1' WHERE rowid = 3
job 3 UPDATE jobs SET user = NULL WHERE rowid = 3
job 3 UPDATE jobs SET account = 7 WHERE rowid = 3
job 3 UPDATE jobs SET user = account, account = user || 'x' WHERE rowid = 3
job 5 UPDATE jobs SET checksum = checksum + 1 WHERE rowid = 5
machine 1 UPDATE machines SET speed = 1001
machine 1 UPDATE machines SET name = 'n'
CHANGES
fi
# Random bytes: whatever is read is refused or accepted, but no crash.
if command -v python3 > "$work/out"; then
	python3 - "$work/parts" "$work/damaged" "$seed" "$lxfw" "$work/log.swf" << 'END' ||
import random, subprocess, sys
source, path, seed, lxfw, log = sys.argv[1:]
draw = random.Random(int(seed))
whole = open(source, 'rb').read()
refused = 0
for _ in range(40):
    data = bytearray(whole)
    for _ in range(draw.choice([1, 8, 64])):
        data[draw.randrange(draw.choice([200, 4096, len(data)]))] = draw.randrange(256)
    open(path, 'wb').write(data)
    for command in (['simulate', '--estimates', 'history:' + path, log],
                    ['import', '--history', path, '--machine', 'm', log]):
        result = subprocess.run([lxfw] + command, capture_output=True, timeout=60)
        assert result.returncode in (0, 2), (result.returncode, result.stderr)
        assert result.returncode == 0 or result.stderr and not result.stdout, result
        refused += result.returncode == 2
assert refused > 10, refused
END
		fail 'random bytes'
fi
mkdir "$work/folder"
refuses 'folder: no regular file' import --history "$work/folder" --machine m "$work/log.swf"
refuses 'null: no regular file' import --history /dev/null --machine m "$work/log.swf"
refuses 'nowhere/file: cannot be opened or written' import --history "$work/nowhere/file" \
	--machine m "$work/log.swf"
refuses 'absent: no such file' simulate --estimates "history:$work/absent" "$work/log.swf"
if command -v python3 > "$work/out"; then
	python3 - "$work/whole" > "$work/locked" << 'END' &
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
time.sleep(60)
END
	locker=$!
	until [ -s "$work/locked" ]; do
		sleep 0.05
	done
	refuses 'whole: locked by another process for 5 s' predict --journal "$work/journal" \
		--history "$work/whole"
	refuses 'whole: locked by another process for 5 s' import --machine m \
		--history "$work/whole" "$work/log.swf"
	kill $locker
	wait $locker 2> "$work/messages"
else
	echo '(without python3: no locked file)'
fi
# Root may write every file. Reading is possible.
chmod 755 "$work"
chmod 444 "$work/whole"
as=
if [ "$(id -u)" = 0 ]; then
	as='setpriv --reuid=65534 --clear-groups'
	$as "$lxfw" --version > "$work/out" 2>&1 || as=none
fi
if [ "$as" != none ]; then
	status=0
	$as "$lxfw" import --history "$work/whole" --machine m "$work/log.swf" > "$work/out" \
		2> "$work/messages" || status=$?
	[ $status = 2 ] || fail "read-only: exit status $status"
	grep -q 'whole: cannot be opened or written' "$work/messages" ||
		fail "read-only: $(cat "$work/messages")"
	$as "$lxfw" simulate --estimates "history:$work/whole" "$work/log.swf" > "$work/out" \
		2> "$work/messages" || fail "read-only: $(cat "$work/messages")"
	# Another user cannot undo a write that was killed. The owner can.
	cp "$work/parts" "$work/killed"
	"$lxfw" import --history "$work/killed" --machine m "$work/large.swf" > "$work/out" 2>&1 &
	updater=$!
	# Until some of it is in the file.
	while cmp -s "$work/parts" "$work/killed" && kill -0 $updater 2> "$work/messages"; do
		sleep 0.01
	done
	kill -9 $updater 2> "$work/messages"
	wait $updater 2> "$work/messages"
	chmod 444 "$work/killed"
	status=0
	[ ! -s "$work/killed-journal" ] || $as "$lxfw" simulate --estimates "history:$work/killed" \
		"$work/log.swf" > "$work/out" 2> "$work/messages" || status=$?
	if [ -s "$work/killed-journal" ]; then
		[ $status = 2 ] || fail "killed: exit status $status"
		grep -q "killed: a write was interrupted, .*'lxfw import --history' is run again" \
			"$work/messages" || fail "killed: $(cat "$work/messages")"
	else
		echo '(no write was interrupted)'
	fi
	chmod 644 "$work/killed"
	update killed log.swf '600 jobs, 0 of them new'
else
	echo '(as root: no read-only file)'
fi
predict whole-out --history "$work/whole"
cmp -s "$work/log" "$work/whole-out" || fail "in the end: $(diff "$work/log" "$work/whole-out")"
refuses 'nothing to predict' predict --history "$work/whole"
refuses "expected --journal, too; 'lxfw import --history'" predict --history "$work/whole" \
	--learn "$work/log.swf"
refuses 'with --evaluate, which learns from its log only' predict --evaluate "$work/log.swf" \
	--history "$work/whole"
refuses 'No such file' import --history "$work/never" --machine m "$work/absent"
[ ! -e "$work/never" ] || fail 'a data base of a log that does not exist'
refuses 'history without --machine' import --history "$work/whole" "$work/log.swf"
refuses "'a b', expected a name of 1 to 64 bytes" import --history "$work/whole" --machine 'a b' \
	"$work/log.swf"
refuses 'speed without --history' import --speed 2 "$work/log.swf"
refuses "speed=\|'0'" import --history "$work/whole" --machine m --speed 0 "$work/log.swf"
refuses 'no machine .n., expected one of: m' predict --journal "$work/journal" --machine n \
	--history "$work/whole"
refuses 'machines m, other, expected one of them with --machine' predict \
	--journal "$work/journal" --history "$work/before"
refuses 'machine without --history' predict --journal "$work/journal" --machine m
refuses 'machine without --estimates' simulate --machine m "$work/log.swf"
refuses 'expected history, or history:' simulate --estimates history: "$work/log.swf"

# A trace on standard input cannot be read twice.
printf '1 0 -1 100 4 -1 -1 4 200 -1 1 1 1 1 1 -1 -1 -1\n' |
	"$lxfw" import --history "$work/none.db" --machine alps - 2> "$work/told" > "$work/out" &&
	fail "standard input: accepted"
grep -qx 'lxfw: a trace on standard input, expected a file for --history' "$work/told" &&
	[ ! -e "$work/none.db" ] || fail "standard input: $(cat "$work/told")"

finish
