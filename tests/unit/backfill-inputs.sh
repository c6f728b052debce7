#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The table of what Slurm's backfill.c reads (backfill_inputs): sched_lxfw(8) has its rows, and
# the plugin has what is said to handle them. With SLURM_GIT, a clone of Slurm's repository, the
# table has what backfill.c of the newest version of each release since 22.05 reads, and not more.

srcdir=$(cd "${LXFW_TOP_SRCDIR:-.}" && pwd) || exit 99
table=$srcdir/tests/unit/backfill_inputs
page=$srcdir/doc/sched_lxfw.8
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
failed=0

complain()
{
	printf '%s\n' "$*"
	failed=1
}

# Print the rows without comments.
rows()
{
	grep -v '^#' "$table"
}

# ---- the page --------------------------------------------------------------------

rows | awk -F '|' '$2 != "" {
	print ".It " $2 ($1 == "22.05" ? "" : " (" $1 ")") " Ta " $3
}' >"$scratch/rows"
awk '/^\.El$/ { inside = 0 } inside { print } /^\.It Em input Ta Em effect$/ { inside = 1 }' \
	"$page" >"$scratch/page"
[ -s "$scratch/rows" ] || complain "no rows in $table"
diff "$scratch/rows" "$scratch/page" ||
	complain "sched_lxfw(8) differs from tests/unit/backfill_inputs"

# ---- the plugin ------------------------------------------------------------------

while IFS='|' read -r since name effect identifiers where; do
	case $effect in
	read*)	[ -n "$where" ] || complain "$name: read, but where?" ;;
	esac
	[ -z "$where" ] || grep -q "${where#*:}" "$srcdir/plugins/slurm/${where%%:*}" ||
		complain "$name: ${where%%:*} does not have ${where#*:}"
	[ -n "$since" ] || complain "$name $identifiers: no release"
done < <(rows)

# ---- Slurm -----------------------------------------------------------------------

# inputs FILE: print the identifiers of records and functions in it.
inputs()
{
	local pattern
	for pattern in '(QOS_FLAG|PART_FLAG|PARTITION|RESERVE_FLAG|PREEMPT_MODE|WHOLE_NODE)_[A-Z_]+' \
		JOB_MAGNETIC mcs_select 'slurm_conf\.[a-z_]+' '(qos|part|resv|node|assoc)_ptr->[a-z_]+' \
		'job_ptr->[a-z_]+' 'details->[a-z_]+' \
		'(acct_policy|bb_g|fed_mgr|topology_g|slurm_bf|slurm_job|license_job)_[a-z_]+\('; do
		grep -oE "\<$pattern" "$1"
	done | tr -d '(' | sort -u
}

# newest RELEASE: print the tag of its newest version.
newest()
{
	git -C "$SLURM_GIT" tag -l "slurm-${1/./-}-*" | grep -vE 'rc[0-9]*$' | sort -V | tail -n 1
}

# listed RELEASE: print the identifiers of the table's rows up to this release.
listed()
{
	rows | awk -F '|' -v release="$1" '$1 <= release { print $4 }' | tr -s ' ' '\n' |
		grep . | sort -u
}

if [ -n "${SLURM_GIT-}" ]; then
	for release in 22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05; do
		tag=$(newest "$release")
		[ -n "$tag" ] || { complain "no tag of $release in $SLURM_GIT"; continue; }
		git -C "$SLURM_GIT" show "$tag:src/plugins/sched/backfill/backfill.c" \
			>"$scratch/backfill.c" || exit 99
		inputs "$scratch/backfill.c" >"$scratch/$release"
		missing=$(comm -23 "$scratch/$release" <(listed "$release") | xargs)
		[ -z "$missing" ] || complain "$tag reads what the table lacks: $missing"
	done
	# The first release of a row has one of its identifiers.
	while IFS='|' read -r since name effect identifiers where; do
		[ -z "$name" ] || [ -z "$identifiers" ] ||
			tr ' ' '\n' <<<"$identifiers" | grep -qxFf - "$scratch/$since" ||
			complain "$name: not in $since"
	done < <(rows)
	sort -u "$scratch"/2*.* >"$scratch/any"
	more=$(comm -13 "$scratch/any" <(listed 99.99) | xargs)
	[ -z "$more" ] || complain "no release reads $more"
fi
exit $failed
