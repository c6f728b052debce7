#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The manual pages say what the command does: the same subcommands, options,
# policies, keys and presets, and an example that prints what the page shows.

srcdir=${LXFW_TOP_SRCDIR:-.}
builddir=$(cd "${LXFW_TOP_BUILDDIR:-.}" && pwd) || exit 99
doc=$(cd "$srcdir/doc" && pwd) || exit 99
lxfw=$builddir/lxfw
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
failed=0

complain()
{
	echo "$*"
	failed=1
}

# same WHAT PAGE: the lines of the file `command` and those of the file `page`.
same()
{
	sort -u command >command.sorted
	sort -u page >page.sorted
	[ -s command.sorted ] || complain "$1: the command tells of none"
	comm -23 command.sorted page.sorted | while IFS= read -r line; do
		echo "$1 $line: not in $2"
	done >missing
	comm -13 command.sorted page.sorted | while IFS= read -r line; do
		echo "$1 $line: in $2, not in the command"
	done >>missing
	[ ! -s missing ] || complain "$(cat missing)"
}

# section PAGE HEADING: the lines of a section or subsection.
section()
{
	awk -v heading="$2" '
		/^\.S[hs] / { inside = substr($0, 5) == heading; next }
		inside' "$doc/$1"
}

# Lines that begin with an option, cut off before their explanation.
options_in_help()
{
	sed -n 's/^  \(-.*\)/\1/p' | sed 's/   *.*//' | grep -oE -- '--[a-z][a-z-]*'
}

options_in_page()
{
	sed -n '/^\.It .*Fl -/p' | grep -oE 'Fl -[a-z][a-z-]*' | sed 's/Fl /-/'
}

# --- lxfw(1) -------------------------------------------------------------------

"$lxfw" --help | awk '
	/^Subcommands:/ { inside = 1; next }
	/^$/ { inside = 0 }
	inside { print $1 }' >command
cp command subcommands
sed -n 's/^\.Ss lxfw \([a-z]*\)$/\1/p' "$doc/lxfw.1" >page
same subcommand 'lxfw(1)'

while read -r name; do
	"$lxfw" "$name" --help | options_in_help >command
	{
		section lxfw.1 DESCRIPTION
		section lxfw.1 "lxfw $name"
	} | options_in_page >page
	same "lxfw $name:" 'lxfw(1)'
	# What is said to be an option is one to the command too.
	while read -r option; do
		if "$lxfw" "$name" "$option" x 2>&1 | grep -q unrecognized; then
			complain "lxfw $name: does not know $option"
		fi
	done <page
done <subcommands

# The example: what stands between the marks, run, prints what stands there.
literal()
{
	awk -v mark=".\\\\\" example: $1" '
		index($0, mark) == 1 { found = 1; next }
		found && /^\.Bd/ { inside = 1; next }
		/^\.Ed/ && inside { exit }
		inside' "$doc/lxfw.1" | sed 's/\\e/\\/g'
}

literal run >example
literal output >expected
[ -s expected ] || complain 'lxfw(1): no example'
PATH=$builddir:$PATH sh -e ./example >printed 2>&1 ||
	complain 'lxfw(1): the example fails'
diff expected printed || complain 'lxfw(1): the example prints something else'

# --- lxfw-params(5) ------------------------------------------------------------

"$lxfw" simulate --params nothing,lxfw_no_such_key=1 tiny.swf 2>&1 |
	sed -n 's/.*expected one of //p' | tr -d ' ' | tr ',' '\n' >command
section lxfw-params.5 KEYS | sed -n 's/^\.It Cm \(lxfw_[a-z_]*\).*/\1/p' >page
same key 'lxfw-params(5)'

"$lxfw" simulate --policy nonsense tiny.swf 2>&1 |
	sed -n 's/.*expected one of //p' | tr -d ' ' | tr ',' '\n' >command
section lxfw-params.5 POLICIES | sed -n 's/^\.It Cm \([a-z]*\)$/\1/p' >page
same policy 'lxfw-params(5)'
section lxfw-params.5 PRESETS | sed -n 's/^\.It Cm \([a-z]*\) .*/\1/p' >page
same preset 'lxfw-params(5)'

# A preset, and its values as the page has them, give the same journal, in which
# the parameters stand. A dash stands for a key that may not be given.
section lxfw-params.5 PRESETS | grep '^\.It' | sed 's/^\.It //; s/ *Ta */ /g' |
	sed 's/Em //g; s/Cm //g' >presets
read -r first columns <presets
[ "$first" = policy ] || complain 'lxfw-params(5): no table of presets'
printf 'time any\nsize any\nhosts h0\n' >classes
sed 1d presets | while read -r policy values; do
	keys=lxfw_policy=$policy
	more=
	[ "$policy" != classes ] || more='--classes classes'
	# shellcheck disable=SC2086
	set -- $values
	for column in $columns; do
		if [ "$1" = - ]; then
			# shellcheck disable=SC2086
			if "$lxfw" simulate --policy "$policy" $more \
				--params "lxfw_$column=1" tiny.swf >/dev/null 2>&1; then
				echo "policy $policy takes lxfw_$column, lxfw-params(5) has a dash"
			fi
		else
			keys=$keys,lxfw_$column=$1
		fi
		shift
	done
	# shellcheck disable=SC2086
	"$lxfw" simulate --policy "$policy" $more --journal preset tiny.swf >/dev/null &&
		"$lxfw" simulate --params "$keys" $more --journal spelled tiny.swf >/dev/null &&
		cmp -s preset spelled ||
		echo "$keys: not the preset, lxfw-params(5) is wrong"
done >differences
[ ! -s differences ] || complain "$(cat differences)"

exit $failed
