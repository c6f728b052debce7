#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The release tarball contains all files that git tracks: none is missing in a local.mk. A
# shell script can be executed, or the runner of the tests fails.
# Runs in a clone only, because a tarball has no list of files.

srcdir=${LXFW_TOP_SRCDIR:-.}
builddir=${LXFW_TOP_BUILDDIR:-.}

if ! command -v git >/dev/null; then
	echo 'git is missing: skipped'
	exit 77
fi
if ! git -C "$srcdir" rev-parse --show-toplevel >/dev/null 2>&1 ||
	[ ! -e "$srcdir/.git" ]; then
	echo 'not in a clone of the repository: skipped'
	exit 77
fi

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# The make that runs this test may be parallel; this one must not use its job server.
if ! MAKEFLAGS='' MFLAGS='' make -C "$builddir" distdir \
	distdir="$scratch/release" >"$scratch/log" 2>&1; then
	cat "$scratch/log"
	echo 'make distdir failed'
	exit 1
fi

git -C "$srcdir" ls-files | while IFS= read -r file; do
	[ -e "$srcdir/$file" ] || continue
	case $file in
	.gitignore | */.gitignore)
		;;
	*)
		[ -e "$scratch/release/$file" ] ||
			echo "$file: not in the tarball; name it in a local.mk"
		;;
	esac
done >"$scratch/missing"
git -C "$srcdir" ls-files "tests/*.sh" | while IFS= read -r file; do
	if [ -f "$srcdir/$file" ] && [ ! -x "$srcdir/$file" ] &&
		[ "$(head -c 2 "$srcdir/$file" | tr -d '\000')" = '#!' ]; then
		echo "$file: a script that cannot be executed"
	fi
done >>"$scratch/missing"

cat "$scratch/missing"
[ ! -s "$scratch/missing" ]
