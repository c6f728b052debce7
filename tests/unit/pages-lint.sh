#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The manual pages format without a warning.

srcdir=${LXFW_TOP_SRCDIR:-.}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
failed=0

# True if the formatter prints warnings about a page with an error. An incomplete
# installation may print none and cannot be used.
lint_groff()
{
	groff -mdoc -Tascii -ww -z "$1" 2>&1
}

lint_mandoc()
{
	mandoc -Tlint -Wwarning "$1" 2>&1
}

printf '.Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd x\n.Zz y\n' \
	>"$scratch/wrong.1"
for name in groff mandoc; do
	if command -v "$name" >/dev/null && [ -n "$(lint_$name "$scratch/wrong.1")" ]; then
		lint=lint_$name
		break
	fi
done
if [ -z "${lint-}" ]; then
	echo 'SKIP: neither groff with mdoc nor mandoc is installed, pages not checked'
	exit 77
fi

for page in "$srcdir"/doc/*.[1-9]; do
	$lint "$page" >"$scratch/warnings"
	if [ -s "$scratch/warnings" ]; then
		cat "$scratch/warnings"
		failed=1
	fi
	echo "$page: checked by ${lint#lint_}"
done
exit $failed
