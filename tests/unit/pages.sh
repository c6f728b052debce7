#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The manual pages agree with the command: the same subcommands, options, policies, keys
# and presets, and examples with the output that the pages show. A subcommand is
# described in lxfw(1), or summarized there and described in doc/lxfw-NAME.1.

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

# same WHAT PAGE: compare the lines of the files `command` and `page`.
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

# section PAGE HEADING: print the lines of a section or subsection.
section()
{
	awk -v heading="$2" '
		/^\.S[hs] / { inside = substr($0, 5) == heading; next }
		inside' "$doc/$1"
}

# Print lines that begin with an option, without their explanation.
options_in_help()
{
	sed -n 's/^  \(-.*\)/\1/p' | sed 's/   *.*//' | grep -oE -- '--[a-z][a-z-]*'
}

options_in_page()
{
	sed -n '/^\.It .*Fl -/p' | grep -oE 'Fl -[a-z][a-z-]*' | sed 's/Fl /-/'
}

# --- lxfw(1), lxfw-NAME(1) -----------------------------------------------------

"$lxfw" --help | awk '
	/^Subcommands:/ { inside = 1; next }
	/^$/ { inside = 0 }
	inside { print $1 }' >command
cp command subcommands
sed -n 's/^\.Ss lxfw \([a-z-]*\)$/\1/p' "$doc/lxfw.1" >page
same subcommand 'lxfw(1)'

# own_page NAME: doc/lxfw-NAME.1 describes the options, and lxfw(1) refers to it.
own_page()
{
	section lxfw.1 "lxfw $1" | grep -q "^\.Xr lxfw-$1 1" ||
		complain "lxfw $1: lxfw(1) does not refer to lxfw-$1(1)"
	section lxfw.1 "lxfw $1" | options_in_page >twice
	[ ! -s twice ] || complain "lxfw $1: options in lxfw(1) and in lxfw-$1(1)"
}

while read -r name; do
	"$lxfw" "$name" --help | options_in_help >command
	section lxfw.1 DESCRIPTION | options_in_page >page
	if [ -e "$doc/lxfw-$name.1" ]; then
		own_page "$name"
		options_in_page <"$doc/lxfw-$name.1" >>page
		same "lxfw $name:" "lxfw-$name(1)"
	else
		section lxfw.1 "lxfw $name" | options_in_page >>page
		same "lxfw $name:" 'lxfw(1)'
	fi
	# What the page calls an option is an option of the command.
	while read -r option; do
		if "$lxfw" "$name" "$option" x no/operand 2>&1 | grep -q unrecognized; then
			complain "lxfw $name: does not know $option"
		fi
	done <page
done <subcommands

# Every page of the command is listed at the end of the help.
"$lxfw" --help | tr '\n' ' ' | sed 's/.*Manual pages://' | grep -oE ' lxfw[a-z-]*\([0-9]\)' | tr -d ' ' >command
ls "$doc" | sed -n 's/^\(lxfw[a-z-]*\)\.\([1-9]\)$/\1(\2)/p' >page
same 'lxfw --help:' doc
{ echo 'lxfw(1)'; section lxfw.1 'SEE ALSO' |
	sed -n 's/^\.Xr \(lxfw[a-z-]*\) \([1-9]\).*/\1(\2)/p'; } >command
same 'SEE ALSO of lxfw(1):' doc

# An example: the text between the marks, when run, prints the output shown there.
# literal PAGE MARK
literal()
{
	awk -v mark=".\\\\\" example: $2" '
		index($0, mark) == 1 { found = 1; next }
		found && /^\.Bd/ { inside = 1; next }
		/^\.Ed/ && inside { exit }
		inside' "$1" | sed 's/\\e/\\/g'
}

PATH=$builddir:$PATH
for page in "$doc"/lxfw*.1; do
	grep -q '^\.\\" example: run' "$page" || continue
	literal "$page" run >example
	literal "$page" output >expected
	[ -s expected ] || complain "$page: no example"
	sh -e ./example >printed 2>&1 || complain "$page: the example fails"
	diff expected printed || complain "$page: the example prints something else"
	examples=yes
done
[ -n "${examples-}" ] || complain 'no example in any page'

# --- lxfw-params(5) ------------------------------------------------------------

"$lxfw" simulate --params nothing,lxfw_no_such_key=1 tiny.swf 2>&1 |
	sed -n 's/.*expected one of //p' | tr -d ' ' | tr ',' '\n' >command
section lxfw-params.5 KEYS | sed -n 's/^\.It Cm \(lxfw_[a-z_]*\).*/\1/p' >page
same key 'lxfw-params(5)'

# Ranges and choices: the entry of a key contains what the command expects, numbers as
# "0 to 86400", and each word of a choice.
section lxfw-params.5 KEYS | sed -n 's/^\.It Cm \(lxfw_[a-z_]*\).*/\1/p' | while read -r key; do
	section lxfw-params.5 KEYS | awk -v key="$key" '
		/^\.It Cm / { inside = $3 == key }
		inside' | tr '\n' ' ' >entry
	expected=$("$lxfw" simulate --policy eqspatial --params "$key=?" tiny.swf 2>&1 |
		sed -n 's/.*expected //p')
	case $expected in
	'one of '* | names* | 'the path'* | '') ;;
	'a number from '*) ;;	# all weights have the same text
	*[0-9]\ to\ [0-9]*)
		range=$(echo "$expected" | grep -oE '[0-9]+ to [0-9]+')
		grep -q "$range" entry || echo "$key: $range is not in lxfw-params(5)" ;;
	*)
		for word in $(echo "$expected" | sed 's/ or / /; s/,//g'); do
			grep -qw "$word" entry || echo "$key: $word is not in lxfw-params(5)"
		done ;;
	esac
done >differences
[ ! -s differences ] || complain "$(cat differences)"

"$lxfw" simulate --policy nonsense tiny.swf 2>&1 |
	sed -n 's/.*expected one of //p' | tr -d ' ' | tr ',' '\n' >command
section lxfw-params.5 POLICIES | sed -n 's/^\.It Cm \([a-z0-9_]*\)$/\1/p' >page
same policy 'lxfw-params(5)'
section lxfw-params.5 PRESETS | sed -n 's/^\.It Cm \([a-z0-9_]*\) .*/\1/p' >page
same preset 'lxfw-params(5)'

# A preset, and its values as shown on the page, give the same journal, which contains
# the parameters. A dash means that the key cannot be set.
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
