# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Part of the soak test: heterogeneous jobs. Components are named as in squeue, 12+1,
# but the first one by its job number, 12, which the script of the job sees.
#
# All components of a job start at the same time, each on nodes of its own. No two
# consecutive samples have a component that runs while another one is pending, or after
# the first one has ended. A job that fits on the empty cluster starts in the end. The
# others are pending until the end, with all components.

# job_states [STATES]: print 'COMPONENT STATE' for jobs in these states, or all.
job_states()
{
	squeue -h -r -t "${1:-all}" -o '%i %T' | sed 's/+0 / /'
}

# Print the job number of each component.
job_numbers()
{
	scontrol -o show job "$1" 2>/dev/null | sed -nE 's/^JobId=([0-9]+) .*/\1/p'
}

# Add a component to options. It fits on two nodes.
add_component()
{
	local partitions=(p)
	[ "$preempt" = no ] || partitions=(p p p spared urgent "p,spared")
	[ ${#options[@]} = 0 ] || options+=(:)
	one_of "${partitions[@]}"
	options+=("${by_user[@]}" -t 2 -p "$REPLY")
	between 0 9
	case $REPLY in
	0)	options+=(-N 1 --exclusive) ;;
	1)	options+=(-N 2 -n 2) ;;
	2)	options+=(-c 3) ;;
	*)	one_of 1 2 4 8
		between 1 $((cpus / REPLY))
		options+=(-N 1 -n "$REPLY") ;;
	esac
	between 100 3000
	options+=(--mem "$REPLY")
}

# Two to four components.
submit_het()
{
	local options=() most=$((nodes / 2 < 4 ? nodes / 2 : 4)) count half=$((nodes / 2))
	between 0 11
	if [ "$REPLY" = 0 ]; then
		# Each component fits, but they need one node more than there are.
		options=("${by_user[@]}" -t 2 -N "$half" --exclusive : "${by_user[@]}" -t 2 -n 1 :
			"${by_user[@]}" -t 2 -N $((nodes - half)) -n $((nodes - half)))
		submit_it "${options[@]}"
		tail -n 1 "$run/submitted" >>"$run/never"
		return
	fi
	between 2 "$most"
	count=$REPLY
	while ((count-- > 0)); do
		add_component
	done
	one_of 0.2 0.5 1 1 2 3 8
	submit_it "${options[@]}"
	tail -n 1 "$run/submitted" >>"$run/het"
}

# torn_apart STATES: print a line for each component that runs while another one of its
# job is pending, or after the first one has ended. STATES: of jobs that have not ended.
torn_apart()
{
	awk '
		{
			split($1, id, "+")
			if ($1 == id[1])
				first[$1]
		}
		$2 == "PENDING" { waits[id[1]] = $1 }
		$2 ~ /^(CONFIGURING|RUNNING|SUSPENDED)$/ { runs[$1] = id[1] }
		END {
			for (one in runs)
				if (runs[one] in waits)
					print one " runs, but " waits[runs[one]] " is pending"
				else if (!(runs[one] in first))
					print one " runs, but " runs[one] " has ended"
		}' <<<"$1" | sort
}

# Sample in the background as sample() does; findings are written to $run/torn-apart.
sample_het()
{
	local states torn before=
	while sleep 0.5 && [ -e "$run/by-hand" ]; do
		states=$(job_states PD,CF,R,S,CG) || continue
		torn=$(torn_apart "$states")
		[ -z "$torn" ] || [ -z "$before" ] ||
			comm -12 <(echo "$torn") <(echo "$before") >>"$run/torn-apart"
		before=$torn
	done 2>/dev/null
}

# Print the unfinished jobs except for those that never fit.
unfinished_that_fit()
{
	unfinished | sed 's/[+ ].*//' | sort -u | comm -23 - <(sort -u "$run/never")
}

# The jobs that never fit are pending, with all components, unless they were cancelled.
# Cancel them.
expect_never_started()
{
	local job wrong
	job_states >"$run/states"
	wrong=$(awk '
		FILENAME ~ /never$/ { never[$1]; next }
		FILENAME ~ /cancelled$/ { cancelled[$1]; next }
		{ split($1, id, "+") }
		id[1] in never && $2 != "PENDING" && !(id[1] in cancelled && $2 == "CANCELLED")' \
		"$run/never" "$run/cancelled" "$run/states" | xargs)
	[ -z "$wrong" ] || fail "not pending, though they do not fit: $wrong"
	while read -r job; do
		echo "$job" >>"$run/cancelled"
		scancel "$job" 2>/dev/null
	done <"$run/never"
	poll 60 none_unfinished || fail "left over: $(unfinished | xargs)"
}

# Print a line for each completed component that started more than a second before
# another one of its job, or that shared a node with one.
not_together()
{
	scontrol -o show job 2>/dev/null | awk '
		function each_node(list, into,    parts, ends, count, i, j, n) {
			gsub(/[][n]/, "", list)
			count = split(list, parts, ",")
			for (i = 1; i <= count; i++) {
				ends[2] = ""
				if (split(parts[i], ends, "-") == 1)
					ends[2] = ends[1]
				for (j = ends[1]; j <= ends[2] + 0; j++)
					into[++n] = j
			}
			return n
		}
		/ HetJobId=/ && / JobState=COMPLETED / {
			for (i = 1; i <= NF; i++) {
				at = index($i, "=")
				field[substr($i, 1, at - 1)] = substr($i, at + 1)
			}
			job = field["HetJobId"]
			start = field["StartTime"]
			if (!(job in since))
				since[job] = start
			else if (start - since[job] > 1 || since[job] - start > 1)
				print "job " job " started at " since[job] " and at " start
			count = each_node(field["NodeList"], names)
			for (i = 1; i <= count; i++)
				if (seen[job, names[i]]++)
					print "job " job " has node n" names[i] " twice"
		}'
}

expect_het_together()
{
	local wrong
	[ "$het" = yes ] || return 0
	[ ! -s "$run/torn-apart" ] || fail "started or left in parts: $(sort -u "$run/torn-apart" | head -n 5)"
	wrong=$(not_together | head -n 5)
	[ -z "$wrong" ] || fail "not together: $wrong"
	echo "  $(wc -l <"$run/het") heterogeneous jobs, $(wc -l <"$run/never") that never fit; $(count 'is undone: another component') components taken back"
}
