#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw compare: a log that the simulator made agrees with itself to the second,
# whatever the policy and the machine; and what a log does not explain is told
# apart as it was planted.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh"

# measured TRACE OPTIONS...: simulate TRACE, and write $work/measured.swf: the same
# jobs with the waits that they had
measured()
{
	trace=$1
	shift
	"$lxfw" simulate --jobs-out "$work/jobs.csv" "$@" "$trace" \
		> "$work/out" 2> "$work/messages" || return 1
	awk -F, 'NR == FNR { if (FNR > 1) wait[FNR - 1] = $5; next }
		/^;/ { print; next }
		{ n++; split($0, f, " "); f[3] = wait[n]
		  for (i = 1; i <= 18; i++) printf "%s%s", f[i], i < 18 ? " " : "\n" }' \
		"$work/jobs.csv" "$trace" > "$work/measured.swf"
}

# agrees WHAT TRACE OPTIONS...: all starts the same, the machine as full, and nothing
# left that the log does not explain
agrees()
{
	what=$1
	shift
	if ! measured "$@"; then
		fail "$what: simulate: $(cat "$work/messages")"
		return
	fi
	shift
	"$lxfw" compare --json --start-overhead 0 "$@" "$work/measured.swf" \
		> "$work/is" 2> "$work/messages" ||
		fail "$what: compare: exit status $?: $(cat "$work/messages")"
	jobs=$(sed -n 's/^  "jobs": \([0-9]*\),/\1/p' "$work/is")
	[ "${jobs:-0}" -gt 1000 ] || fail "$what: $jobs jobs compared"
	for line in '"not_compared": 0,' "\"equal_starts\": $jobs," \
		    '"mean_difference_percent": 0,' \
		    '"mean_absolute_difference_s": 0,' \
		    '"largest_differences": \[ *\]'; do
		tr -d '\n' < "$work/is" | grep -q "$line" ||
			fail "$what: not $line"
	done
	# a group, a week, a span of time: one side as the other
	awk -v what="$what" '
		/"measured": \{/ { side = 1; m = ""; next }
		/"simulated": \{/ { side = 2; s = ""; next }
		side && /\}/ { if (side == 2 && m != s) { print what ": " m " is not " s; exit }
			side = 0; next }
		side == 1 { m = m $0 }
		side == 2 { s = s $0 }' "$work/is" > "$work/differs"
	[ ! -s "$work/differs" ] || fail "$(cat "$work/differs")"
	grep -o '"measured_utilization": [0-9.]*' "$work/is" | sed 's/.*: //' > "$work/a"
	grep -o '"simulated_utilization": [0-9.]*' "$work/is" | sed 's/.*: //' > "$work/b"
	cmp -s "$work/a" "$work/b" || fail "$what: utilization differs"
}

unexplained()
{
	grep -q '"unexplained_share": 0[,]*$' "$work/is" ||
		fail "$1: $(grep unexplained_share "$work/is")"
}

"$lxfw" generate lublin --seed 6 --jobs 3000 --procs 64 --load 0.9 --estimate-factor 3 \
	--out "$work/lublin.swf" || fail generate
for policy in fcfs easy conservative priority lxfw sjf; do
	agrees "$policy" "$work/lublin.swf" --policy $policy
	# jobs that ask for more are not let past under these
	case $policy in
	fcfs | easy | conservative | lxfw)
		unexplained "$policy" ;;
	esac
done
agrees "4 reservations" "$work/lublin.swf" --policy lxfw --params lxfw_reservations=4
printf 'a[0-7] procs=8\n' > "$work/hosts"
agrees "8 hosts" "$work/lublin.swf" --policy easy --cluster "$work/hosts"
unexplained "8 hosts"
agrees "a quantum" "$work/lublin.swf" --policy lxfw --params lxfw_quantum=60
"$lxfw" generate ncsa-o2k --seed 6 --month 2000-02 --out "$work/o2k.swf" || fail generate
agrees "the O2K" "$work/o2k.swf" --policy lxfw --cluster ncsa-o2k --shape one-host
agrees "the O2K, EQspatial" "$work/o2k.swf" --policy eqspatial --cluster ncsa-o2k

finish
