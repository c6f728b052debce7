#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# README, HACKING and the guides name files, functions and targets that exist.

srcdir=$(cd "${LXFW_TOP_SRCDIR:-.}" && pwd) || exit 99
builddir=$(cd "${LXFW_TOP_BUILDDIR:-.}" && pwd) || exit 99
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$srcdir" || exit 99

# Names of the sources, without generated files.
find bootstrap .ci common contrib doc m4 plugins sim-frontend tests \
	README.md HACKING.md NEWS COPYING configure.ac Makefile.am \
	-type f ! -name '*.o' ! -name '*.lo' >"$scratch/files"
grep '\.[ch]$' "$scratch/files" | xargs cat | grep -aoE '[a-z_][a-z0-9_]*\(' | sort -u >"$scratch/functions"

# Print the text in backticks, one item per line, preceded by the name of its file.
for page in README.md HACKING.md doc/*.md; do
	grep -oE '`[^`]+`' "$page" | tr -d '`' | sort -u | sed "s,^,$page ,"
	grep -oE '\]\([^)#:]+\)' "$page" | sed "s,^\](\(.*\))$,$page LINK \1,"
done >"$scratch/words"

while read -r page word rest; do
	case $word in
	LINK)
		[ -e "$(dirname "$page")/$rest" ] || echo "$page: no $rest to link to"
		continue
		;;
	make)
		grep -qE "^([^:=]* )?${rest%% *}( [^:=]*)?:" "$builddir/Makefile" || echo "$page: no target '$rest'"
		continue
		;;
	*'()')
		grep -qxF "${word%)}" "$scratch/functions" || echo "$page: no function $word"
		continue
		;;
	esac
	# Paths may be relative to the top or to a directory that was named before.
	[ -z "$rest" ] || continue
	case $word in
	/* | ../* | *[!a-zA-Z0-9_./-]* | *NAME* | sched/*)
		;;
	*/ | */* | *.[ch] | *.sh | *.md | *.ac | *.am)
		path=${word#./}
		path=${path%/}
		grep -qE "(^|/)$(printf '%s' "$path" | sed 's/[.]/\\./g')(/|\$)" "$scratch/files" ||
			echo "$page: no file $word"
		;;
	esac
done <"$scratch/words" >"$scratch/missing"

cat "$scratch/missing"
[ -s "$scratch/words" ] || { echo 'nothing found in the pages'; exit 1; }
[ ! -s "$scratch/missing" ]
