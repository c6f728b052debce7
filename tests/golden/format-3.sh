#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Journals of format 3 can still be read, and replay to the same decisions. format-3/licenses.jnl
# was written on a private cluster whose controller was restarted: job 30 waited for licenses
# from its submission at 1795858507 until 1795858526, which this format does not state.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

journal=$golden/format-3/licenses.jnl

[ "$(head -c 8 "$journal" | od -An -c | tr -d ' ')" = 'LXFWjnl003' ] || fail 'not format 3'
"$lxfw" replay "$journal" > "$work/is" 2>&1 || fail "replay: $(tail -3 "$work/is")"
grep -q '^416 of 416 decisions agree' "$work/is" || fail "replay: $(cat "$work/is")"

# expect WHAT OPTIONS...: standard input has the expected output
expect()
{
	what=$1
	shift
	"$lxfw" why "$@" 30 "$journal" > "$work/is" 2> "$work/messages" ||
		fail "$what: exit status $?: $(cat "$work/messages")"
	diff -u - "$work/is" > "$work/diff" || fail "$what: $(cat "$work/diff")"
}

# It is not said that the job left the queue, nor that it started while it waited.
expect 'before its start' --at 1795858520 << 'END'
Job 30 left the scheduler without a start: it was cancelled, or it is not eligible.
The records do not state which: they are of a release that recorded no reasons.

It requests 1 processor, 1000 MB for 1:00.

No job of lower priority started while it waited.

History:
  1795858507  submitted
  1795858507  ended without a start
  1795858510  submitted
  1795858510  withdrawn: it was to start, and left the scheduler in the same second
END
expect 'after its end' << 'END'
Job 30 started as soon as it was eligible, 19s after its submission.

It requests 1 processor, 1000 MB for 1:00.

No job of lower priority started while it waited.

History:
  1795858507  submitted
  1795858507  ended without a start
  1795858510  submitted
  1795858510  withdrawn: it was to start, and left the scheduler in the same second
  1795858526  submitted
  1795858526  started as soon as it was eligible
  1795858541  ended
END
"$lxfw" why 999 "$journal" > "$work/is" 2>&1
[ $? = 1 ] && grep -q 'are not in journals of format 3$' "$work/is" || fail "999: $(cat "$work/is")"
finish
