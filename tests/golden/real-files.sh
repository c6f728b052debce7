#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Files of the kinds that sites and researchers have, each with a command and what it must print:
# real-files.table. What the commands do in detail is tested by the other scripts here.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

table=$(cd "$golden" && pwd)/real-files.table || exit 99
cp -R "$golden/odd" "$golden/described" "$golden/corrected" "$work"
cd "$work" || exit 99

# check FILE COMMAND STATUS PATTERN: the command, with the file for %, ends with the status, and
# its output and messages contain the extended regular expression, or not if it begins with '!'
check()
{
	command=$(printf '%s\n' "$2" | sed "s|%|$1|g")
	eval "\"\$lxfw\" $command" > out 2>&1
	status=$?
	[ $status -eq "$3" ] || fail "$1: $2: exit status $status, not $3: $(head -n 5 out)"
	case $4 in
	!*)
		grep -qE -- "${4#!}" out && fail "$1: $2: has '${4#!}': $(head -n 20 out)"
		;;
	*)
		grep -qE -- "$4" out || fail "$1: $2: no '$4': $(head -n 20 out)"
		;;
	esac
}

rows=0
tab=$(printf '\t')
while IFS=$tab read -r file command status pattern; do
	case $file in
	'' | '#'*)
		continue
		;;
	esac
	[ -r "$file" ] || fail "no file $file"
	check "$file" "$command" "$status" "$pattern"
	rows=$((rows + 1))
done < "$table"
echo "$rows rows"
[ $rows -gt 40 ] || fail "only $rows rows"
finish
