#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `lxfw params` lists: keys as text, JSON and CSV, and that parsing takes what is
# listed.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# expect WHAT OPTIONS...: standard input has what is printed
expect()
{
	what=$1
	shift
	"$lxfw" params "$@" > "$work/is" 2> "$work/messages" ||
		fail "$what: $(cat "$work/messages")"
	diff -u - "$work/is" > "$work/diff" || fail "$what: $(cat "$work/diff")"
}

expect 'some keys' lxfw_eq_min_interval lxfw_ww lxfw_journal << 'END'
lxfw_ww
    Weight of the wait, per hour.
    Values: a number from 0 to 1000000 with at most 15 digits
    Default: 1 under priority, 0.0167 under lxfw, 0.0167 under eqspatial, 1 under priority_moldable
    Policies: priority, lxfw, eqspatial, priority_moldable
lxfw_eq_min_interval
    Least time between two repartitions of a host.
    Values: whole seconds from 0 to 31536000; 2 or more on a cluster
    Default: 300
    Policies: eqspatial
lxfw_journal
    File to which the plugin appends events and decisions.
    Values: the path of a file
    Default: none
    Policies: all
END
expect 'a policy' --policy conservative lxfw_quantum_mode << 'END'
lxfw_quantum_mode
    How a job gets its quantum: not at all, on processors that are free, or by suspending running jobs.
    Values: off, soon or preempt
    Default: preempt
END
expect 'CSV' --policy easy --format csv lxfw_reservation_mode lxfw_reservations << 'END'
table,row,key,number,text
keys,1,key,,lxfw_reservations
keys,1,help,,how many waiting jobs have a reservation
keys,1,kind,,count
keys,1,values,,"1 to 1000000, or all"
keys,1,minimum,1,
keys,1,maximum,1000000,
keys,1,default,1,
keys.1.policies,1,policies,,easy
keys.defaults,1,easy,1,
keys,2,key,,lxfw_reservation_mode
keys,2,help,,whether a reservation may move to a later time for one of higher priority
keys,2,kind,,choice
keys,2,values,,dynamic or compress
keys,2,default,,dynamic
keys.2.policies,1,policies,,easy
keys.defaults,2,easy,,dynamic
END
expect 'JSON' --policy easy --json lxfw_journal_keep << 'END'
{
  "keys": [
    {
      "key": "lxfw_journal_keep",
      "help": "number of rotated journals that are kept",
      "kind": "number",
      "values": "a whole number from 0 to 1000",
      "minimum": 0,
      "maximum": 1000,
      "default": 8,
      "policies": [
        "easy"
      ],
      "defaults": {
        "easy": 8
      }
    }
  ]
}
END

# What is given wrongly.
bad()
{
	message=$1
	shift
	status=0
	"$lxfw" params "$@" > "$work/is" 2> "$work/messages" || status=$?
	[ "$status" = 2 ] || fail "params $*: exit status $status"
	[ "$(sed -n 1p "$work/messages")" = "$message" ] ||
		fail "params $*: $(cat "$work/messages")"
	[ ! -s "$work/is" ] || fail "params $*: prints $(cat "$work/is")"
}
bad "lxfw params: no key 'lxfw_frobnicate', expected one of those that 'lxfw params' lists" \
	lxfw_frobnicate
bad 'lxfw params: lxfw_ww: not applicable, policy easy has no weights' --policy easy lxfw_ww
bad "lxfw: no policy 'none', expected one of $("$lxfw" params lxfw_policy |
	sed -n 's/.*Values: one of //p')" --policy none

# All keys stand in each form, and only the policies that have one are listed with it.
"$lxfw" params > "$work/text" || fail 'params: exit status'
"$lxfw" params --format csv > "$work/csv" || fail 'params --format csv: exit status'
grep '^lxfw_' "$work/text" > "$work/keys"
sed -n 's/^keys,[0-9]*,key,,//p' "$work/csv" | diff "$work/keys" - > "$work/diff" ||
	fail "keys as text and as CSV: $(cat "$work/diff")"
sed -n 's/^presets,[0-9]*,policy,,//p' "$work/csv" > "$work/policies"
[ "$(wc -l < "$work/policies")" -ge 9 ] || fail "presets of $(xargs < "$work/policies")"

# The defaults of a policy are what it takes, and are its preset: its journal is the same
# with them and without.
job 1 0 50 4 100 > "$work/one.swf"
while read -r policy; do
	"$lxfw" params --policy "$policy" --format csv | awk -F, '
		$3 == "key" { name[$2] = $5 }
		$3 == "default" && name[$2] != "lxfw_policy" {
			printf "%s%s=%s", n++ ? "," : "", name[$2], $4 $5
		}' > "$work/defaults"
	grep -q lxfw_interval= "$work/defaults" || fail "$policy: no defaults"
	for params in '' "$(cat "$work/defaults")"; do
		[ "$policy" != classes ] || continue
		"$lxfw" simulate --cluster procs=8 --policy "$policy" --params "$params" \
			--journal "$work/journal" "$work/one.swf" > "$work/is" 2>&1 ||
			fail "$policy with its defaults: $(cat "$work/is")"
		"$lxfw" journal "$work/journal" > "$work/decided${params:+.given}"
	done
	[ "$policy" = classes ] || cmp -s "$work/decided" "$work/decided.given" ||
		fail "$policy: the defaults are not its preset"
done < "$work/policies"
finish
