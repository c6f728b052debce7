#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fields.sh --print prints the fields of Slurm's job records and of their details that
# the plugins use outside compat, with the files. Someone who ports the plugins to another
# release of Slurm compares the meaning of these fields. The compiler reports every use:
# the plugins are compiled with copies of Slurm's headers in which all fields are
# deprecated. Without --print, this is a test that the list is not empty.

set -u -o pipefail
srcdir=${LXFW_TOP_SRCDIR:-.}
builddir=${LXFW_TOP_BUILDDIR:-.}

skip()
{
	echo "SKIP: $*"
	exit 77
}

setting()
{
	sed -n "s/^$1 = *//p" "$builddir/Makefile" 2>/dev/null
}

compiler=$(setting CC)
slurm=$(setting SLURM_SRC)
[ -d "$slurm/src" ] || skip "built without Slurm's source"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-fields.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT

# Copy the headers. The fields of struct job_record and of job_details_t are deprecated
# in the copies, with the word "job" or "details".
for header in src/slurmctld/slurmctld.h src/common/job_record.h; do
	[ -e "$slurm/$header" ] || continue
	mkdir -p "$scratch/include/${header%/*}"
	awk '
		function flush(word,    i) {
			for (i = 1; i <= count; i++) {
				if (word && line[i] ~ /^\t[A-Za-z][^;(]*;/)
					sub(/;/, " __attribute__((deprecated(\"" word "\")));", line[i])
				print line[i]
			}
			count = 0
		}
		/^(typedef )?struct.*\{$/ { flush(""); inside = 1; word = "" }
		/^struct job_record \{/ { word = "job" }
		/^struct job_details \{/ { word = "details" }
		{ line[++count] = $0 }
		/^\} *job_details_t;/ { word = "details" }
		/^\}/ { flush(word); word = "" }
		END { flush("") }' "$slurm/$header" >"$scratch/include/$header"
done

find "$srcdir/plugins/slurm" -name '*.c' ! -path '*/compat/*' ! -path '*/spank-lxfw/*' \
	! -path '*/recover/*' ! -path '*/sched-lxfw/*' | sort |
while read -r file; do
	# The settings are lists of words.
	# shellcheck disable=SC2046
	LC_ALL=C $compiler -std=gnu11 -fsyntax-only -DLXFW_SCHED_TYPE='""' -I "$srcdir" -isystem "$scratch/include" \
		$(setting SLURM_CPPFLAGS | sed "s|\$(top_srcdir)|$srcdir|") "$file" 2>&1
done >"$scratch/messages"
if grep 'error:' "$scratch/messages"; then
	exit 1
fi
sed -nE "s|^.*plugins/slurm/([^:]*):.*warning: '([a-z_0-9]+)' is deprecated: (job\|details) .*|\3 \2 \1|p" \
	"$scratch/messages" | LC_ALL=C sort -u | awk '
	$1 " " $2 != field { printf "%s%s %s:", (NR > 1 ? "\n" : ""), $1, $2; field = $1 " " $2 }
	{ printf " %s", $3 }
	END { print "" }' >"$scratch/fields"
if [ "${1-}" = --print ]; then
	cat "$scratch/fields"
	exit
fi
for field in 'job job_id:' 'job node_bitmap:' 'details req_node_bitmap:'; do
	grep -q "^$field .*bridge/" "$scratch/fields" || {
		echo "fields.sh --print does not find the field $field"
		exit 1
	}
done
