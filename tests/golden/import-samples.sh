#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Logs of real sites, compared with independent counts by awk. They are not part of the
# sources. They are read from ../shared/accounting-samples beside the tree; absent ones
# are skipped.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

samples=${LXFW_ACCOUNTING_SAMPLES:-$top_srcdir/../shared/accounting-samples}
[ -d "$samples" ] || { echo "SKIP: no $samples"; exit 77; }

# sums NAME [OPTION...]: print the number of records, of those with a run time, their
# processor-seconds and the sum of used memory of the imported trace, and "records,
# jobs, steps" of the message
sums()
{
	sample=$1
	shift
	"$lxfw" import --out "$work/out.swf" "$@" "$samples/$sample" 2> "$work/told" ||
		fail "$sample: $(cat "$work/told")"
	grep -v '^;' "$work/out.swf" | awk '{ n++; if ($4 > 0) { ran++; s += $4 * $5 } }
		END { print n + 0, ran + 0, s + 0 }' > "$work/is"
	sed 's/^lxfw: //' "$work/told" >&2
}

# check NAME: compare with the counts of awk on standard input
check()
{
	[ -e "$samples/$1" ] || { cat > /dev/null; return; }
	sums "$1"
	cat > "$work/should"
	diff "$work/should" "$work/is" > "$work/diff" ||
		fail "$1: $(cat "$work/diff")"
}

# Column order of Open XDMoD: Elapsed is the 15th, NCPUS the 19th, ReqCPUS the 20th
# column.
for name in slurm-sacct-xdmod-phillips.log.gz slurm-sacct-xdmod-pozidriv.log.gz \
	    slurm-xdmod-sample.log slurm-xdmod-job-arrays-sample.log; do
	[ -e "$samples/$name" ] || continue
	gzip -cdf "$samples/$name" | awk -F '|' '
		{
			days = 0; clock = $15
			if (split($15, d, "-") == 2) { days = d[1]; clock = d[2] }
			split(clock, t, ":")
			run = days * 86400 + t[1] * 3600 + t[2] * 60 + t[3]
			n++; ran += run > 0; sum += run * $19
		}
		END { print n, ran, sum }' | check "$name"
done

# HPC cost simulator: the id is the 2nd, Elapsed the 10th, NCPUS the 16th column.
name=slurm-sacct-hpc-cost-simulator-v2.txt.gz
[ ! -e "$samples/$name" ] || gzip -cd "$samples/$name" | awk -F '|' '
	$2 !~ /[.]/ {
		days = 0; clock = $10
		if (split($10, d, "-") == 2) { days = d[1]; clock = d[2] }
		split(clock, t, ":")
		run = days * 86400 + t[1] * 3600 + t[2] * 60 + t[3]
		n++; ran += run > 0; sum += run * $16
	}
	END { print n, ran, sum }' | check "$name"

# The log of the micro cluster has a header and no '|' in names.
name=slurm-simtools-micro-cluster-slurm_acct.out.gz
[ ! -e "$samples/$name" ] || gzip -cd "$samples/$name" | awk -F '|' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		split($at["Elapsed"], t, ":")
		run = t[1] * 3600 + t[2] * 60 + t[3]
		n++; ran += run > 0; sum += run * $at["NCPUS"]
	}
	END { print n, ran, sum }' | check "$name"

# PBS: run times and processors by separate regular expressions; suspensions by the
# pairs of z and r records, for a restarted job only of its last run.
for name in pbs-xdmod-sample.log openpbs_E_records.txt openpbs_full_accounting.txt \
	    openpbs_mixed_records.txt; do
	[ -e "$samples/$name" ] || continue
	awk -F ';' '
		function value(key,	list, i, n) {
			n = split($4, list, " ")
			for (i = 1; i <= n; i++)
				if (index(list[i], key "=") == 1)
					return substr(list[i], length(key) + 2)
			return ""
		}
		function seconds(	t) {
			split(substr($1, 12), t, ":")
			return t[1] * 3600 + t[2] * 60 + t[3]
		}
		$2 == "S" || $2 == "R" { away[$3] = 0; begun[$3] = 1; delete since[$3] }
		$2 == "Q" { queued[$3] = 1 }
		$2 == "D" { gone[$3] = 1 }
		$2 == "z" { since[$3] = seconds() }
		$2 == "r" { away[$3] += seconds() - since[$3]; delete since[$3] }
		$2 == "E" {
			if ($3 in since)
				away[$3] += seconds() - since[$3]
			run = value("end") - value("start") - away[$3]
			if (!($3 in begun) && split(value("resources_used.walltime"), t, ":") == 3) {
				used = t[1] * 3600 + t[2] * 60 + t[3]
				if (used > 0 && run - used > 60 + run / 100)
					run = used
			}
			procs = 0
			hosts = value("exec_host")
			count = split(hosts, host, "+")
			for (i = 1; i <= count; i++) {
				sub(/.*\//, "", host[i])
				if (split(host[i], h, "*") == 2)
					procs += h[2]
				else if (split(host[i], h, "-") == 2)
					procs += h[2] - h[1] + 1
				else
					procs++
			}
			if (procs == 0 && split(value("Resource_List.nodes"), h, "[:=]") > 2)
				procs = h[1] * h[3]
			if (procs == 0)
				procs = value("Resource_List.ncpus")
			n++; ran += run > 0; sum += run * procs
			away[$3] = 0
			ended[$3] = 1
		}
		END {
			for (id in gone)
				n += (id in queued) && !(id in ended)
			print n, ran, sum
		}' "$samples/$name" | check "$name"
done

# LSF: words, and quoted texts in which a quote is doubled.
for name in lsf-hpc-cost-simulator-lsb.acct.gz lsf-xdmod-sample.log; do
	[ -e "$samples/$name" ] || continue
	gzip -cdf "$samples/$name" | awk '
	NF {
		line = $0; words = 0
		while (match(line, /^ *("([^"]|"")*"|[^ "]+)/)) {
			word[++words] = substr(line, RSTART, RLENGTH)
			gsub(/^ *"?|"$/, "", word[words])
			line = substr(line, RSTART + RLENGTH)
		}
		# a job recorded twice counts once
		if (told[word[4], word[8], word[11], word[3]]++)
			next
		at = 24 + word[23]; procs = 0
		for (i = 1; i <= word[at] + 0; i++)
			procs += split(word[at + i], h, "*") == 2 ? h[1] : 1
		run = word[11] + 0 > 0 ? word[3] - word[11] : 0
		n++; ran += run > 0; sum += run * procs
	}
	END { print n, ran, sum }' | check "$name"
done

# All columns, with '|' and line breaks in texts. The number of jobs was counted by
# hand. The last two files have job 7957382 once, in five records with different texts; the last
# one has jobs of two clusters.
while read -r name records jobs options; do
	[ -e "$samples/$name" ] || continue
	# shellcheck disable=SC2086 # options are separate words
	sums "$name" $options
	grep -q "^lxfw: $records records (sacct): $jobs of jobs" "$work/told" ||
		fail "$name: $(cat "$work/told")"
	cut -d ' ' -f 1 "$work/is" | grep -qx "$jobs" || fail "$name: $(cat "$work/is")"
done <<'END'
slurm-simtools-sacct_simple.log 4 4
slurm-simtools-sacct_dump2101.log 15 12
slurm-simtools-sacct_dump2110.log 7 1
slurm-simtools-sacct_submitline_multiline.log 13 1 --slurm-cluster ub-hpc
END
finish
