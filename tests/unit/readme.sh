#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# README.md, doc/README.md and the guide are true: subcommands, options, links, the list of
# pages, numbers of policies, formats and papers, releases, the figures of the table and the
# picture, which come from a generated month.

srcdir=$(cd "${LXFW_TOP_SRCDIR:-.}" && pwd) || exit 99
builddir=$(cd "${LXFW_TOP_BUILDDIR:-.}" && pwd) || exit 99
lxfw=$builddir/lxfw
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$srcdir" || exit 99
: >"$scratch/complaints"

complain()
{
	printf '%s\n' "$*" >>"$scratch/complaints"
}

# ---- size ------------------------------------------------------------------------

size=$(wc -c <README.md)
[ "$size" -le 8192 ] || complain "README.md: $size bytes, expected at most 8192"
size=$(wc -c <NEWS)
[ "$size" -le 6144 ] || complain "NEWS: $size bytes, expected at most 6144"
size=$(wc -c <doc/waits.svg)
[ "$size" -le 61440 ] || complain "doc/waits.svg: $size bytes, expected at most 61440"

# ---- commands --------------------------------------------------------------------

# Print PAGE SUBCOMMAND OPTION..., one line for each command in a block or in backticks.
for page in README.md doc/README.md doc/guide.md; do
	sed -e ':join' -e '/\\$/ { N; s/\\\n//; b join' -e '}' "$page" | awk '
		# blocks of commands, and of output
		/^```/ { block = block == "" ? $0 : ""; next }
		block != "" || /^    / {
			if (block == "```sh" || block == "")
				print
			next
		}
		{
			# text in backticks
			count = split($0, part, "`")
			for (i = 2; i <= count; i += 2)
				print part[i]
		}' | sed "s/'[^']*'//g; s/[|>#].*//" |
		grep -oE '(^ *|&& |/)lxfw [a-z].*' | sed "s,^[^l]*lxfw ,$page ,"
done >"$scratch/commands"
[ "$(wc -l <"$scratch/commands")" -ge 20 ] || complain 'no commands in the pages'
"$lxfw" --help | awk '
	/^Subcommands:/ { inside = 1; next }
	/^$/ { inside = 0 }
	inside { print $1 }' >"$scratch/subcommands"
while read -r page name arguments; do
	grep -qx -e "$name" "$scratch/subcommands" || {
		complain "$page: lxfw $name: no such subcommand"
		continue
	}
	"$lxfw" "$name" --help >"$scratch/help"
	for argument in $(printf '%s\n' "$arguments" | grep -oE -- '(^| )--?[a-z][a-z-]*'); do
		grep -qE -e "(^|[ ,])$argument([ ,=]|\$)" "$scratch/help" ||
			complain "$page: lxfw $name has no $argument"
	done
done <"$scratch/commands"

# ---- links and pages -------------------------------------------------------------

# Print the targets of the links of a page.
links()
{
	grep -oE '\]\([^)]+\)' "$1" | sed 's/^](//; s/)$//' | grep -v '^https*:'
}
for page in README.md doc/README.md; do
	links "$page" | sort -u >"$scratch/links"
	[ -s "$scratch/links" ] || complain "$page: no links"
	while read -r link; do
		file=$(dirname "$page")/${link%%#*}
		[ -e "$file" ] || complain "$page: no $link to link to"
		case $link in
		*'#'*)
			# A heading, in lower case and with hyphens.
			grep '^#' "$file" | sed 's/^#* //' | tr 'A-Z ' 'a-z-' |
				grep -qxF -e "${link#*#}" || complain "$page: no heading for $link"
		esac
	done <"$scratch/links"
done
links doc/README.md >"$scratch/links"
for file in doc/*.md doc/*.[1-8]; do
	file=${file#doc/}
	[ "$file" = README.md ] || grep -qxF -e "$file" "$scratch/links" ||
		complain "doc/README.md: does not list $file"
done

# ---- numbers and releases --------------------------------------------------------

# number WHAT COUNT WORDS: README.md has the text WORDS with COUNT for N.
number()
{
	[ "$2" -gt 0 ] || complain "$1: the command lists none"
	word=$(echo "x one two three four five six seven eight nine ten" |
		cut -d ' ' -f "$(($2 + 1))")
	words=$(printf '%s' "$3" | sed "s/N/($2|${word:-$2})/")
	tr -s '\n ' '  ' <README.md | grep -qE -e "$words" || complain "README.md: expected '$words', from the $1"
}
number 'policies of lxfw params' \
	"$("$lxfw" params --json | sed -n 's/.*"values": "one of \(.*\)",/\1/p' | head -n 1 | tr ',' '\n' | wc -l)" \
	'has N policies'
number 'formats of lxfw import --format-in' \
	"$("$lxfw" import --format-in none 2>&1 | sed -n 's/.*expected \([a-z|-]*\)$/\1/p' | tr '|' '\n' | wc -l)" \
	'logs of N formats'
number 'papers of lxfw reproduce --help' \
	"$("$lxfw" reproduce --help | sed -n '/^PAPER is/,/^$/p' | grep -cE '^  [a-z]+[0-9]*( |$)')" \
	'results of N papers'

sed -n '/^\.Sh RELEASES/,/^\.El/s/^\.It .* Ta \([0-9.]*\): .*/\1/p' doc/sched_lxfw.8 | sort >"$scratch/page"
sed -n '/^## Status/,/^## Licence/p' README.md | grep -oE '[1-9][0-9]+\.[0-9]+\.[0-9]+' | sort >"$scratch/readme"
[ -s "$scratch/page" ] || complain 'sched_lxfw(8): no releases that were run'
cmp -s "$scratch/page" "$scratch/readme" ||
	complain "README.md: releases $(xargs <"$scratch/readme"), sched_lxfw(8) has $(xargs <"$scratch/page")"
# A limit in README.md is one of the page that it refers to.
grep -q '^\.Sh CAVEATS' doc/lxfw-pbsd.8 || complain 'lxfw-pbsd(8): no CAVEATS'
! grep -qiE '(no|without) fair ?share' README.md ||
	! grep -q 'lxfw_policy=site' doc/lxfw-pbsd.8 || complain 'README.md: lxfw-pbsd has fair share'

# ---- output of the guide ---------------------------------------------------------

sed -n '/^<!-- guide: these/,/^<!-- guide: end/p' README.md | sed '/^<!--/d; /^```/d' >"$scratch/quoted"
[ -s "$scratch/quoted" ] || complain 'README.md: no output of the guide'
while IFS= read -r line; do
	grep -qxF -e "$line" doc/guide.md || complain "README.md: not in doc/guide.md: $line"
done <"$scratch/quoted"

# ---- figures ---------------------------------------------------------------------

# The commands of the table, as they stand there.
grep -E '^    lxfw (generate ncsa-o2k|simulate --cluster ncsa-o2k) ' README.md |
	sed '/simulate/q' |
	sed 's/^    //' >"$scratch/figures"
sed -n '/^| policy/,/^$/s/^| `\([a-z]*\)` | \(.*\) |$/\1 | \2/p' README.md | tr -d '|' | tr -s ' ' >"$scratch/table"
[ "$(wc -l <"$scratch/table")" -ge 4 ] || complain 'README.md: no table of policies'
mkdir "$scratch/bin" && ln -s "$lxfw" "$scratch/bin/lxfw" || exit 99
(cd "$scratch" && sed 's/^lxfw simulate/& --format csv/' figures >run &&
	PATH=$scratch/bin:$PATH sh -e run >figures.csv 2>figures.log) ||
	complain "README.md: the commands of the table fail: $(cat "$scratch/figures.log")"
awk -F, '
	{ value[$1, $3] = $4 }
	$3 == "jobs" { order[++count] = $1 }
	END {
		for (i = 1; i <= count; i++)
			printf "%s %.1f %.1f %.1f %.0f\n", order[i],
				value[order[i], "mean_wait_s"] / 3600,
				value[order[i], "p95_wait_s"] / 3600,
				value[order[i], "max_wait_s"] / 3600,
				value[order[i], "mean_bounded_slowdown"]
	}' "$scratch/figures.csv" >"$scratch/figures.now"
diff "$scratch/table" "$scratch/figures.now" >"$scratch/diff" ||
	complain "README.md: the table and its commands differ: $(cat "$scratch/diff")"
jobs=$(awk -F, '$3 == "jobs" { print $4; exit }' "$scratch/figures.csv" | sed 's/\(...\)$/,\1/')
tr '\n' ' ' <README.md | grep -qF -e " $jobs jobs " || complain "README.md: expected $jobs jobs"

# The picture is the one that the make target writes.
mkdir -p "$scratch/doc" && ln -s "$lxfw" "$scratch/lxfw" || exit 99
(cd "$scratch" && make -s -f "$builddir/Makefile" -o lxfw doc-picture srcdir="$srcdir" EXEEXT= \
	PICTURE="$scratch/waits.svg") >"$scratch/picture.log" 2>&1 ||
	complain "make doc-picture fails: $(cat "$scratch/picture.log")"
cmp -s doc/waits.svg "$scratch/waits.svg" ||
	complain "doc/waits.svg: make doc-picture writes another picture"

cat "$scratch/complaints"
[ ! -s "$scratch/complaints" ]
