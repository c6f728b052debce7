# SPDX-License-Identifier: GPL-2.0-or-later
# The jobs of an imported log. Scripts read this file after golden.sh, in the directory $work.

# expect FILE OPTIONS...: standard input has the jobs of the trace, one per line: number,
# submission, wait, run, processors, limit, KB per processor, status, requirements; and the
# summary.
expect()
{
	"$lxfw" import --out out.swf "$@" 2> told || fail "$*: $(cat told)"
	{
		awk '/^; Request:/ { text[$3] = $4 }
			!/^;/ { print $1, $2, $3, $4, $5, $9, $10, $11, ($14 > 0 ? text[$14] : "-") }' out.swf
		sed 's/^lxfw: //' told
	} > is
	diff -u - is > diff || fail "$*: $(cat diff)"
}
