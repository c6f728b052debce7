#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check-releases`: which versions of Slurm it compiles, and that it finds what does
# not compile, with a repository of a Slurm of two headers. The tables of releases agree:
# conditions in plugins/slurm/compat, sched_lxfw(8) and HACKING.

srcdir=$(cd "${LXFW_TOP_SRCDIR:-.}" && pwd) || exit 99
releases=$srcdir/tests/unit/releases
compat=$srcdir/plugins/slurm/compat
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
failed=0

complain()
{
	printf '%s\n' "$*"
	failed=1
}

# ---- conditions ------------------------------------------------------------------

# The comment of a condition, above it or in its line, names the release: with 23.11.5, the
# number is complete. Print FILE:LINE: RELEASE of those without one.
unnamed()
{
	awk '
		FNR == 1 { comment = "" }
		/^#.*SLURM_VERSION_NUM\([0-9]|^#(el)?if.*SINCE(_MICRO)?\([0-9]/ {
			text = $0
			sub(/.*(SLURM_VERSION_NUM|SINCE_MICRO|SINCE)\(/, "", text)
			split(text, number, /[,) ]+/)
			release = sprintf("%d.%02d", number[1], number[2])
			if (number[3] > 0)
				release = release "." number[3]
			above = comment
			if (index($0, "/*"))
				above = substr($0, index($0, "/*"))
			if (!match(above, release "([^.0-9]|[.]?$|[.][^0-9])"))
				print FILENAME ":" FNR ": " release
			count++
		}
		{
			# The comment that ends in the line above.
			if ($0 ~ /^[ \t]*\/\*/)
				comment = ""
			comment = $0 ~ /^[ \t]*(\/\*|\*)/ || open ? comment " " $0 : ""
			open = $0 ~ /\/\*/ ? $0 !~ /\*\// : open && $0 !~ /\*\//
		}
		END {
			if (count < 10)
				print "only " count " conditions found"
		}' "$@"
}
unnamed "$compat"/*.[ch] >"$scratch/unnamed"
[ ! -s "$scratch/unnamed" ] || complain "conditions whose comment does not name the release:
$(sed "s#$srcdir/##" "$scratch/unnamed")"

# ---- tables ----------------------------------------------------------------------

# RELEASE<tab>COMPILED<tab>RUN, as sched_lxfw(8) has them.
page=$srcdir/doc/sched_lxfw.8
sed -n '/^\.Sh RELEASES/,/^\.El/s/^\.It \([0-9m]\)/\1/p' "$page" | sed 's/ Ta /\t/g' >"$scratch/page"
# Versions that the script names itself, and both sides of corrected versions in compat.
sed -n "s/^first=//p; s/^packaged='\(.*\)'/\1/p" "$releases" | tr ' ' '\n' >"$scratch/named"
grep -rhoE '(SLURM_VERSION_NUM|SINCE_MICRO)\([0-9]+, [0-9]+, [1-9][0-9]*\)' "$compat" |
	tr -cd '0-9,\n' | sort -u |
	awk -F, '{ printf "%d.%02d.%d\n%d.%02d.%d\n", $1, $2, $3 - 1, $1, $2, $3 }' >>"$scratch/named"
[ "$(wc -l <"$scratch/named")" -ge 8 ] || complain "the named versions are not found"
while read -r version; do
	cut -f 2 "$scratch/page" | grep -qE "(^|[ ,])${version//./[.]}(,|\$)" ||
		complain "sched_lxfw(8): $version is not among the compiled versions"
done <"$scratch/named"
while IFS=$'\t' read -r release compiled run; do
	while read -r version; do
		[ "${version%.*}" = "$release" ] || complain "sched_lxfw(8): $version of $release"
	done < <(grep -oE '[0-9]+\.[0-9]+\.[0-9]+' <<<"$compiled $run")
	while read -r version; do
		grep -qE "(^|[ ,])${version//./[.]}(,|\$)" <<<"$compiled" ||
			complain "sched_lxfw(8): $version was run, and not compiled"
	done < <(grep -oE '[0-9]+\.[0-9]+\.[0-9]+' <<<"$run")
done <"$scratch/page"
# shellcheck disable=SC2016
grep -q '^| `make check-releases` |' "$srcdir/HACKING.md" ||
	complain "HACKING.md: make check-releases is not in the table of targets"
sed -n '/^## How to add/,/^## Commits/p' "$srcdir/HACKING.md" |
	sed -n '/^\*\*A release of lxfw/,/^$/p' | tr '\n' ' ' | grep -q 'make check-releases' ||
	complain "HACKING.md: make check-releases is not part of a release of lxfw"

# ---- without a repository --------------------------------------------------------

# exits STATUS TEXT COMMAND...: it has this exit status and prints the text.
exits()
{
	local status=0 expected=$1 text=$2
	shift 2
	"$@" >"$scratch/out" 2>&1 || status=$?
	[ $status = "$expected" ] || complain "${*##*/}: exit status $status, not $expected:
$(cat "$scratch/out")"
	grep -qF -e "$text" "$scratch/out" || complain "${*##*/}: does not say '$text':
$(cat "$scratch/out")"
}
exits 77 'SKIP: SLURM_GIT is not given' "$releases"
exits 77 'SKIP: SLURM_GIT is not given' "$releases" ''
exits 77 'SKIP: SLURM_GIT is not given' "$releases" '' 23.11
exits 2 'does not exist' "$releases" "$scratch/none"
exits 2 'not a git repository' "$releases" "$scratch"
exits 0 'usage: releases' "$releases" --help

# ---- a small Slurm ---------------------------------------------------------------

if ! command -v git >/dev/null; then
	[ $failed = 0 ] || exit 1
	echo 'git is missing: the rest is skipped'
	exit 77
fi
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
slurm=$scratch/slurm
git init -q "$slurm" && git -C "$slurm" config user.name lxfw &&
	git -C "$slurm" config user.email lxfw@example.org || exit 99
git -C "$slurm" symbolic-ref HEAD refs/heads/work || exit 99
mkdir -p "$slurm/slurm" "$slurm/src/common" "$slurm/src/interfaces" || exit 99
printf '"sched_p_reconfig",\n' >"$slurm/src/interfaces/sched_plugin.c"
cat >"$slurm/src/interfaces/select.c" <<'END'
#include "slurm/slurm_version.h"
typedef struct {
	int (*job_test) (int job);
} slurm_select_ops_t;
END
# The table that the script reads is of lines as in Slurm's source.
printf '#if 0\n\t"select_p_job_test",\n#endif\n' >>"$slurm/src/interfaces/select.c"
printf 'int job_name(void);\n' >"$slurm/src/common/job.h"
echo '/* nothing */' >"$slurm/slurm/slurm.h"

# version MAJOR MINOR MICRO TAG...: commit a version and name it.
version()
{
	printf 'Major: %s\n  Minor: %s\n  Micro: %s\n' "$1" "$2" "$3" >"$slurm/META"
	git -C "$slurm" add -A && git -C "$slurm" commit -q -m "$4" || exit 99
	shift 3
	for tag; do
		git -C "$slurm" tag "$tag" || exit 99
	done
}
version 21 08 8 slurm-21-08-8-2
version 22 05 3 slurm-22-05-3-1
version 22 05 4 slurm-22-05-4-1
version 22 05 8 slurm-22-05-8-1
version 22 05 11 slurm-22-05-11-1
version 23 02 0 slurm-23-02-0-0rc1
version 23 02 9 slurm-23-02-9-1
version 23 02 10 slurm-23-02-10-1 slurm-23-02-10-2
version 23 11 3 slurm-23-11-3-1
version 23 11 4 slurm-23-11-4-1
# Here a function is renamed in a corrected version.
printf 'int job_title(void);\n' >"$slurm/src/common/job.h"
version 23 11 5 slurm-23-11-5-1
version 24 11 5 slurm-24-11-5-1
git -C "$slurm" branch master || exit 99

# Plugins for it. BOUNDARY is the version of the condition.
top=$scratch/top
mkdir -p "$top/plugins/slurm/compat/include" "$top/plugins/slurm/sched-lxfw" \
	"$top/tests/unit" "$top/tests/cluster" || exit 99
write_plugins()
{
	cat >"$top/plugins/slurm/compat/select_symbols.h" <<-END
	#include "slurm/slurm_version.h"
	#include "src/common/job.h"
	int select_p_job_test($2 job);
	END
	cat >"$top/plugins/slurm/compat/select.c" <<-END
	#include "plugins/slurm/compat/select_symbols.h"
	int select_p_job_test($2 job)
	{
	#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM($1)
		return job_title() + (int)job;
	#else
		return job_name() + (int)job;
	#endif
	}
	END
	cat >"$top/plugins/slurm/sched-lxfw/sched_lxfw.c" <<-END
	int $3(void);
	int $3(void)
	{
		return 0;
	}
	END
	echo 'int die_at;' >"$top/tests/cluster/die_at.c"
	printf '#include "slurm/slurm.h"\nint fake;\n' >"$top/tests/unit/fake.c"
}
export LXFW_TOP_SRCDIR=$top
unset LXFW_ERRORS

write_plugins '23, 11, 5' int sched_p_reconfig
cat >"$scratch/expected" <<'END'
22.05.4 slurm-22-05-4-1
22.05.8 slurm-22-05-8-1
22.05.11 slurm-22-05-11-1
23.02.10 slurm-23-02-10-2
23.11.4 slurm-23-11-4-1
23.11.5 slurm-23-11-5-1
24.11.5 slurm-24-11-5-1
master master
END
"$releases" --list "$slurm" >"$scratch/list" || complain "releases --list fails"
diff "$scratch/expected" "$scratch/list" || complain "releases --list: other versions"
# A clone has only a remote branch.
git clone -q "$slurm" "$scratch/clone" || exit 99
"$releases" --list "$scratch/clone" >"$scratch/list" || complain "releases --list fails on a clone"
sed 's#^master .*#master origin/master#' "$scratch/expected" |
	diff - "$scratch/list" || complain "releases --list: other versions in a clone"
exits 0 '23.02.10 slurm-23-02-10-2' "$releases" --list "$slurm" 23.02
exits 0 '23.02.9 slurm-23-02-9-1' "$releases" --list "$slurm" 23.02.9
exits 0 '22.05.3 slurm-22-05-3-1' "$releases" --list "$slurm" slurm-22-05-3-1
exits 2 '23.02.1: ' "$releases" "$slurm" 22.05 23.02.1
[ "$(wc -l <"$scratch/out")" = 1 ] || complain "an unknown version is noticed too late"

# The compiler may be a cross compiler, or a command with arguments.
command -v "${CC:-gcc}" >/dev/null || unset CC
unset LXFW_CFLAGS
exits 0 '24.11.5    slurm-24-11-5-1        4  compiles' "$releases" "$slurm"
[ "$(grep -c ' compiles$' "$scratch/out")" = 8 ] || complain "not all versions are compiled:
$(cat "$scratch/out")"

# Wrong boundaries, before and behind the change.
write_plugins '23, 11, 4' int sched_p_reconfig
exits 1 'the first error is of 23.11.4: ' "$releases" "$slurm"
grep -q '^23.11.5 .* compiles$' "$scratch/out" || complain "23.11.5 should compile"
write_plugins '24, 5, 0' int sched_p_reconfig
exits 1 'the first error is of 23.11.5: ' "$releases" "$slurm" 23.11.4 23.11.5 24.11
grep -q 'releases: 1 of 3 do not compile' "$scratch/out" || complain "other versions fail:
$(cat "$scratch/out")"
# Warnings are errors.
write_plugins '23, 11, 5' int sched_p_reconfig
echo 'static int unused;' >>"$top/plugins/slurm/compat/select.c"
exits 1 'unused' "$releases" "$slurm" 23.02
# Another type of a symbol, a missing one and an unknown one.
write_plugins '23, 11, 5' long sched_p_reconfig
exits 1 'select_p_job_test' "$releases" "$slurm" 23.02
write_plugins '23, 11, 5' int sched_p_other
exits 1 'sched_lxfw.c: error: missing: sched_p_reconfig' "$releases" "$slurm" 23.02
grep -q 'unknown: sched_p_other' "$scratch/out" || complain "an unknown symbol is not found"

exit $failed
