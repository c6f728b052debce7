#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Files that cannot be written, synchronized, closed or renamed: one call after the other fails
# (failing_files.c), as on a full disk, a broken one or NFS. The command says which file it is and
# fails; the file is then as before, and nothing is left beside it.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

library=$(cd "$top_builddir" && pwd)/.libs/failing_files.so
if [ ! -e "$library" ]; then
	echo 'failing_files.so was not built' >&2
	exit 77
fi
# Sanitizers must come first among the libraries.
if LD_PRELOAD=$library "$lxfw" --version 2>&1 | grep -q 'ASan runtime'; then
	echo 'the command was built with sanitizers' >&2
	exit 77
fi

golden_files=$(cd "$golden/corrected" && pwd)
cd "$work" || exit 99
mkdir out
out=$work/out
LXFW_FAULT_FOLDER=$out
LXFW_FAULT_COUNT=$work/count
export LXFW_FAULT_FOLDER LXFW_FAULT_COUNT
tried=0

# fault N ERRNO COMMAND...: run lxfw with the Nth call failing
fault()
{
	at=$1 number=$2
	shift 2
	env LXFW_FAULT_AT="$at" LXFW_FAULT_ERRNO="$number" LD_PRELOAD="$library" \
		"$lxfw" "$@" > stdout 2> messages < /dev/null
}

# errno N: EIO, ENOSPC, ESTALE, EXDEV, EDQUOT and EROFS in turn
errno()
{
	case $(($1 % 6)) in
	0) echo 5 ;; 1) echo 28 ;; 2) echo 116 ;; 3) echo 18 ;; 4) echo 122 ;; *) echo 30 ;;
	esac
}

# prepare FILES: the files are there already
prepare()
{
	rm -rf out
	mkdir out
	for file in $1; do
		echo "old $file" > "out/$file"
	done
}

# is_old FILES: whether all are as before
is_old()
{
	for file in $1; do
		[ "$(cat "out/$file" 2> /dev/null)" = "old $file" ] || return 1
	done
}

# faulty "FILES" COMMAND...: the command writes the files in out. If its last one is renamed too
# late, those before are removed (output.h).
faulty()
{
	files=$1
	shift
	prepare "$files"
	fault 0 0 "$@"
	usual=$?
	# Findings are an exit status of 1.
	[ "$usual" -le 1 ] || fail "$*: $(cat messages)"
	calls=$(cat count)
	[ "$calls" -ge 4 ] || fail "$*: $calls calls for files"
	call=0
	while [ "$call" -lt "$calls" ]; do
		call=$((call + 1))
		tried=$((tried + 1))
		prepare "$files"
		fault "$call" "$(errno "$tried")" "$@"
		status=$?
		[ "$status" -eq 2 ] || fail "$*: call $call: exit status $status"
		grep -q "out/" messages || fail "$*: call $call: no file: $(cat messages)"
		is_old "$files" || [ -z "$(ls out)" ] || renamed_before "$files" ||
			fail "$*: call $call: out has $(ls out)"
		[ "$(ls out | wc -l)" -le "$(echo $files | wc -w)" ] ||
			fail "$*: call $call: left: $(ls out)"
	done
}

# Of several files, the ones that were renamed are removed, and the others are old.
renamed_before()
{
	[ "$(echo $1 | wc -w)" -gt 1 ] || return 1
	for file in $(ls out); do
		[ "$(cat "out/$file")" = "old $file" ] || return 1
	done
}

{
	echo '; MaxProcs: 16'
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		job $i $((1700000000 + 60 * i)) $((100 * i)) $((1 + i % 8)) $((150 * i))
	done
} > log.swf
awk '/^;/ { print; next } { $3 = $1 * 10; print }' log.swf > waits.swf
"$lxfw" simulate --policy easy --fairness --journal journal log.swf > /dev/null || fail 'no journal'

for option in jobs-out series-out users-out report journal; do
	faulty file simulate --policy easy --fairness --"$option" "$out/file" log.swf
done
for kind in swf batsim sacct; do
	faulty file simulate --policy easy --fairness --schedule-out $kind:"$out/file" log.swf
done
faulty 'jobs users series' simulate --policy easy --fairness --jobs-out "$out/jobs" --users-out "$out/users" \
	--series-out "$out/series" log.swf
faulty file import --out "$out/file" log.swf
faulty file generate lublin --jobs 20 --procs 16 --out "$out/file"
faulty file describe --report "$out/file" log.swf
faulty file snapshot --journal journal --out "$out/file"
faulty 'jobs page' grid --sites 8,8 --jobs-out "$out/jobs" --report "$out/page" log.swf
faulty 'page jobs' compare --policy easy --report "$out/page" --jobs-out "$out/jobs" waits.swf
cp "$golden_files/double-equals.conf" slurm.conf
faulty file check-conf --no-files --write "$out/file" slurm.conf

# history_has NEW: a further import finds that NEW of the jobs are not in the data base
history_has()
{
	"$lxfw" import --history "$out/base" --machine m log.swf > stdout 2> messages ||
		fail "history, call $call: $(cat messages)"
	grep -q ": machine m: 12 jobs, $1 of them new" stdout || fail "history, call $call: $(cat stdout)"
}

# The data base of run times is as before, and can be written again.
head -7 log.swf > first.swf
rm -rf out
mkdir out
if "$lxfw" import --history "$out/base" --machine m first.swf > /dev/null 2>&1; then
	cp out/base first.base
	call=0
	while :; do
		call=$((call + 1))
		tried=$((tried + 1))
		rm -rf out
		mkdir out
		cp first.base out/base
		fault "$call" "$(errno "$tried")" import --history "$out/base" --machine m log.swf
		status=$?
		if [ "$status" -eq 0 ]; then
			history_has 0
		else
			[ "$status" -eq 2 ] || fail "history, call $call: exit status $status"
			grep -q "out/base" messages || fail "history, call $call: $(cat messages)"
			history_has 6
		fi
		[ "$(cat count)" -ge "$call" ] || break
	done
	[ "$call" -gt 5 ] || fail "history: $call calls"
fi

echo "# $tried calls failed"
finish
