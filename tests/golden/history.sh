#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw predict --history` and `--learn`: run times from logs and earlier journals. The data
# base gives the same as the logs themselves, however it came about; a crash leaves it as it
# was; damaged, foreign, locked and read-only ones are refused.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh"

base=1700000000	# seconds since 1970
seed=${LXFW_SEED:-$(date +%s)}
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

# update FILE LOG TEXT: add a log to a history
update()
{
	"$lxfw" predict --history "$work/$1" --learn "$work/$2" > "$work/out" 2> "$work/messages" ||
		fail "update: exit status $?: $(cat "$work/messages")"
	echo "$work/$1: $3" | diff - "$work/out" > "$work/diff" || fail "update: $(cat "$work/diff")"
}

predict nothing
predict log --learn "$work/log.swf"
cmp -s "$work/nothing" "$work/log" && fail 'the log makes no difference'
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
predict parts-out --history "$work/parts"
cmp -s "$work/log" "$work/parts-out" || fail "parts: $(diff "$work/log" "$work/parts-out")"
# Two logs at once, without a data base.
predict two --learn "$work/part1.swf" --learn "$work/log.swf"
cmp -s "$work/log" "$work/two" || fail "two logs: $(diff "$work/log" "$work/two")"
# Jobs that ended after the state are not known.
"$lxfw" predict --journal "$work/journal" --at $now --history "$work/later" \
	--learn "$work/live.swf" > "$work/out" 2>&1 || fail "later: $(cat "$work/out")"
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

# Jobs of an earlier journal run for half of their limits, always. The next journal has
# none that ended.
{
	echo '; MaxProcs: 16'
	i=1
	while [ $i -le 20 ]; do
		job $i $((base + i * 1000)) 300 16 600
		i=$((i + 1))
	done
} > "$work/first.swf"
{
	echo '; MaxProcs: 16'
	job 1 $((base + 30000)) 300 16 600
	job 2 $((base + 30010)) 300 16 600
} > "$work/second.swf"
{ cat "$work/first.swf"; sed 1d "$work/second.swf"; } > "$work/both.swf"
for name in first second both; do
	"$lxfw" simulate --policy fcfs --journal "$work/$name" "$work/$name.swf" > "$work/out" 2>&1 ||
		fail "simulate: $(cat "$work/out")"
done
# starts JOURNAL OPTIONS...: print the expected start after the first job of the second
starts()
{
	journal=$1
	shift
	"$lxfw" predict --journal "$work/$journal" --at $((base + 30020)) --format csv "$@" \
		2> "$work/messages" | awk -F, '$3 == "expected_start" || $3 == "low90" ||
			$3 == "high90" || $3 == "run_times" { print $2 $3, $4 }'
}
"$lxfw" predict --journal "$work/first" --history "$work/journals" > "$work/out" 2>&1 ||
	fail "first: $(cat "$work/out")"
starts both > "$work/is-both"
grep -q "expected_start $((base + 30300))" "$work/is-both" || fail "both: $(cat "$work/is-both")"
starts second > "$work/is-second"
cmp -s "$work/is-both" "$work/is-second" && fail 'the first journal makes no difference'
starts second --history "$work/journals" > "$work/is"
cmp -s "$work/is-both" "$work/is" || fail "journals: $(diff "$work/is-both" "$work/is")"
# Again: nothing is counted twice. With a log that has these jobs: nor then.
starts second --history "$work/journals" > "$work/is"
cmp -s "$work/is-both" "$work/is" || fail "again: $(diff "$work/is-both" "$work/is")"
update journals first.swf '20 jobs, 20 of them new'
starts second --history "$work/journals" > "$work/is"
cmp -s "$work/is-both" "$work/is" || fail "with log: $(diff "$work/is-both" "$work/is")"
# The log has the jobs of the journal, too.
starts both --learn "$work/first.swf" > "$work/is"
cmp -s "$work/is-both" "$work/is" || fail "log and journal: $(diff "$work/is-both" "$work/is")"
# The same order as without a history: the whole random journal at several times.
"$lxfw" simulate --policy lxfw --journal "$work/random" "$work/log.swf" > "$work/out" 2>&1
for part in 3 2 1; do
	at=$((last - (last - base) / 4 * part))
	"$lxfw" predict --journal "$work/random" --at $at > "$work/plain" 2> "$work/messages"
	"$lxfw" predict --journal "$work/random" --at $at --history "$work/random.db" \
		> "$work/is" 2> "$work/messages" || fail "random: $(cat "$work/messages")"
	cmp -s "$work/plain" "$work/is" || fail "random: $(diff "$work/plain" "$work/is")"
done

# --- a crash in the middle of an update ------------------------------------------------

awk -v base=$base 'BEGIN {
	print "; MaxProcs: 16"
	for (i = 1; i <= 300000; i++)
		print i, base + i, 0, 10, 1, -1, -1, 1, 20, -1, 1, i % 100, 1, 1, 1, 1, -1, -1
}' > "$work/large.swf"
cp "$work/parts" "$work/crash"
"$lxfw" predict --history "$work/crash" --learn "$work/large.swf" > "$work/out" 2>&1 &
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

# --- bad files -------------------------------------------------------------------------

# refuses TEXT OPTIONS...
refuses()
{
	text=$1 status=0
	shift
	"$lxfw" predict "$@" > "$work/out" 2> "$work/messages" || status=$?
	[ $status = 2 ] || fail "$*: exit status $status"
	grep -q -- "$text" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: output $(cat "$work/out")"
}
# bad TEXT: this file is refused, for reading and for an update, and not changed
bad()
{
	cp "$work/bad" "$work/bad.before"
	refuses "bad: $1" --journal "$work/journal" --history "$work/bad"
	refuses "bad: $1" --history "$work/bad" --learn "$work/log.swf"
	cmp -s "$work/bad" "$work/bad.before" || fail "$1: the file was changed"
}
cp "$work/log.swf" "$work/bad"
bad "not a history of 'lxfw predict', or damaged; remove it"
head -c $(($(wc -c < "$work/whole") - 4096)) "$work/whole" > "$work/bad"
bad 'damaged or truncated (.*); remove it, and learn the logs again with --learn'
head -c 5000 "$work/whole" > "$work/bad"
bad 'damaged or truncated'
{ head -c 4096 "$work/whole"; tail -c +4097 "$work/whole" | tr '\000-\020' '\377'; } > "$work/bad"
bad 'damaged'
cp "$work/whole" "$work/bad"
printf '\000\000\000\007' | dd of="$work/bad" bs=1 seek=60 conv=notrunc 2> "$work/messages"
bad 'history version 7, expected 1'
cp "$work/whole" "$work/bad"
printf 'abcd' | dd of="$work/bad" bs=1 seek=68 conv=notrunc 2> "$work/messages"
bad "an SQLite file of another program, expected a history of 'lxfw predict'"
mkdir "$work/folder"
refuses 'folder: cannot be written' --history "$work/folder" --learn "$work/log.swf"
refuses 'nowhere/file: cannot be written' --history "$work/nowhere/file" --learn "$work/log.swf"
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
	refuses 'whole: locked by another process for 5 s' --journal "$work/journal" \
		--history "$work/whole"
	kill $locker
	wait $locker 2> "$work/messages"
else
	echo '(without python3: no locked file)'
fi
# Root may write every file.
chmod 755 "$work"
chmod 444 "$work/whole"
if [ "$(id -u)" != 0 ]; then
	refuses 'whole: cannot be written' --journal "$work/journal" --history "$work/whole"
elif setpriv --reuid=65534 --clear-groups "$lxfw" --version > "$work/out" 2>&1; then
	setpriv --reuid=65534 --clear-groups "$lxfw" predict --journal "$work/journal" \
		--history "$work/whole" > "$work/out" 2> "$work/messages"
	[ $? = 2 ] || fail 'read-only: exit status'
	grep -q 'whole: cannot be written' "$work/messages" || fail "read-only: $(cat "$work/messages")"
else
	echo '(as root: no read-only file)'
fi
predict whole-out --history "$work/whole"
cmp -s "$work/log" "$work/whole-out" || fail "in the end: $(diff "$work/log" "$work/whole-out")"
refuses 'nothing to predict' --history "$work/whole"
refuses 'with --evaluate, which learns from its log only' --evaluate "$work/log.swf" \
	--history "$work/whole"
refuses 'No such file' --history "$work/new" --learn "$work/absent"
[ ! -e "$work/new" ] || fail 'a history of a log that does not exist'

finish
