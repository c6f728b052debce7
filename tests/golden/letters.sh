#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Names of users, groups and partitions in UTF-8: they keep their letters in every output of every
# subcommand that reads a log, and nothing that could control a terminal or reorder a line is
# written. Tables align, pages escape what is markup.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac
cd "$work" || exit 99
# of the locale, for GNU wc -L and iconv
LC_ALL=C.UTF-8
export LC_ALL

# 240 jobs of six users in four partitions. The last user and partition are hostile: an escape
# sequence, a C1 control character, an override of direction, a separator of lines, bytes that
# are not valid.
hostile=$(printf 'x\033[31m\302\233\342\200\256y\342\200\250\377\303')
{
	echo 'JobID|Submit|Start|End|Elapsed|NCPUS|NNodes|Timelimit|State|Partition|User|Group|Account|QOS|NodeList'
	for i in $(seq 240); do
		case $((i % 6)) in
		0) user='jürgen<b>' queue=größe group='gruppe&x' ;;
		1) user=李明 queue=größe group=grüppe2 ;;
		2) user='ann"x' queue=gpu group=grüppe2 ;;
		3) user=Ελένη queue=очень-длинная-очередь group='gruppe&x' ;;
		4) user=é queue=長い名前のパーティション group=grüppe2 ;;
		5) user=$hostile queue=$hostile group=$hostile ;;
		esac
		at=$((1735689600 + 100 * i))
		echo "$i|$at|$((at + 50 * (i % 5)))|$((at + 50 * (i % 5) + 300))|300|$((1 + i % 4))|1|600|COMPLETED|$queue|$user|$group|$user|$queue|n$((i % 3))"
	done
} > log

# clean FILE...: valid UTF-8 without control characters and marks of direction
clean()
{
	for file; do
		[ -s "$file" ] || fail "$file: empty"
		iconv -f UTF-8 -t UTF-8 "$file" > /dev/null 2>&1 || fail "$file: not UTF-8"
		tr -d '\n\t' < "$file" | od -An -v -t x1 | tr -d ' \n' | sed 's/../ &/g' > hex
		grep -q ' [01][0-9a-f] \| 7f\| c2 [89][0-9a-f]\| e2 80 [a][89a-e]\| e2 81 a[6-9]' hex &&
			fail "$file: a control character"
	done
}

# has FILE TEXT...: each is in it
has()
{
	file=$1
	shift
	for text; do
		grep -qF -e "$text" "$file" || fail "$file: no $text"
	done
}

# --- import -----------------------------------------------------------------------
"$lxfw" import --out log.swf --cluster-out hosts log 2> import.told || fail "$(cat import.told)"
clean log.swf hosts import.told
has log.swf '; Queue: 1 größe' '; User: 1 李明' '; User: 2 ann"x' '; User: 3 Ελένη' '; User: 4 é' \
	'; User: 6 jürgen<b>' '; Queue: 3 очень-длинная-очередь' \
	'; Queue: 4 長い名前のパーティション' '; Group: 1 grüppe2' '; User: 5 x?[31m?????y?????'
has hosts 'partition=größe nodes=' 'partition=長い名前のパーティション nodes='

# --- outputs ----------------------------------------------------------------------
# run NAME ARGUMENT...: the command succeeds, and its outputs are clean
run()
{
	name=$1
	shift
	"$lxfw" "$@" > "$name.out" 2> "$name.told" || fail "$name: $(cat "$name.told")"
	clean "$name.out"
	[ ! -s "$name.told" ] || clean "$name.told"
}

for log in log log.swf; do
	run compare compare --report compare.html "$log"
	has compare.out größe очень-длинная- 長い名前のパー grüppe2
	# rows of a table are as wide as its first line: a name that is too long is cut
	for title in queue group; do
		sed -n "/^$title  /,/^\$/p" compare.out | sed '/^$/d; /^  range /d' > table
		[ "$(wc -l < table)" -gt 2 ] || fail "compare: no table of $title"
		while read -r line; do
			echo "$line" | wc -L
		done < table | sort -u > widths
		[ "$(wc -l < widths)" -eq 1 ] || fail "compare $log: $(cat widths table)"
	done
	clean compare.html
	has compare.html 李明 Ελένη 'jürgen&lt;b&gt;' 'ann&quot;x'
	! grep -q 'jürgen<b>' compare.html || fail 'compare: markup of a name on the page'
	run compare.json compare --json "$log"
	has compare.json.out '"größe"' '"grüppe2"' '"長い名前のパーティション"'
	run compare.csv compare --format csv "$log"
	run several simulate --policy easy --policy fcfs --fairness --report several.html "$log"
	run describe describe --report describe.html "$log"
	run simulate simulate --policy fcfs --fairness --jobs-out jobs.csv --users-out users.csv --report simulate.html "$log"
	run schedule simulate --schedule-out swf:out.swf "$log"
	clean several.html describe.html jobs.csv users.csv simulate.html out.swf
done

run history import --history times --machine größe log

# A message quotes a name.
printf 'partition=größe nodes=n[1-2]\n' > bad
"$lxfw" simulate --cluster bad log > out 2> bad.told && fail 'a bad cluster description'
clean bad.told
"$lxfw" compare --policy 'größe' log > out 2> bad.told && fail 'a policy'
clean bad.told
has bad.told größe
"$lxfw" compare --policy "$hostile" log > out 2> bad.told && fail 'a hostile policy'
clean bad.told
"$lxfw" compare --params "lxfw_policy=$hostile" log > out 2> bad.told && fail 'a hostile parameter'
clean bad.told
cp log "$hostile"
"$lxfw" import "$hostile" > out 2> bad.told || fail 'a hostile path'
"$lxfw" import "absent$hostile" > out 2>> bad.told && fail 'an absent file'
"$lxfw" simulate "$hostile" > out 2>> bad.told || fail 'a hostile path'
clean bad.told

finish
