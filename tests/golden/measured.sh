# SPDX-License-Identifier: GPL-2.0-or-later
# Logs with the waits of a simulation as measured ones; read with '.' after golden.sh.

# measured TRACE OPTIONS...: simulate TRACE, and write the same jobs with the resulting
# waits to $work/measured.swf
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
