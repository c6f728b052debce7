#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw reproduce --figures: all figures are drawn, and no incomplete figure is left
# after an error.

. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# draw STATUS ARGUMENTS...
draw()
{
	expected=$1
	shift
	"$lxfw" reproduce chiang2001 --months 2000-03 --seeds 1 "$@" \
		> "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq "$expected" ] ||
		fail "$*: exit status $status: $(cat "$work/err")"
}

PATH=$work/nowhere draw 2 --figures "$work/dir"
grep -q 'gnuplot is not installed' "$work/err" || fail "$(cat "$work/err")"
[ ! -e "$work/dir" ] || fail 'files were written without gnuplot'

if ! gnuplot --version > "$work/version" 2>&1; then
	[ $failures -gt 0 ] || echo 'gnuplot is not installed: skipped'
	[ $failures -gt 0 ] || exit 77
	finish
fi

draw 0 --figures "$work/dir"
[ ! -s "$work/err" ] || fail "messages: $(cat "$work/err")"
for number in 01 02 03 04 05 06 07 08 09 10; do
	file=$work/dir/figure-$number
	grep -q '</svg>' "$file.svg" || fail "figure $number is no complete SVG"
	head -c 5 "$file.pdf" | grep -q '%PDF-' || fail "figure $number is no PDF"
	# there are more paths than those of the axes
	[ "$(grep -c "<path\|<use" "$file.svg")" -gt 20 ] ||
		fail "figure $number is empty"
done
ls "$work/dir" | grep -q part && fail 'incomplete figures were left'

# The script that was kept draws the figures again.
rm "$work/dir"/*.svg
(cd "$work/dir" && gnuplot -e "kind='svg'" figures.gp) 2> "$work/err" ||
	fail "the script: $(cat "$work/err")"
[ "$(ls "$work/dir"/*.svg | wc -l)" -eq 10 ] || fail 'the script does not draw 10 figures'

# The name of the log contains quotes. Figures of NCSA-LSF* are not drawn for a log.
i=0
while [ $i -lt 480 ]; do
	job $i $((i * 3600)) $((60 + i * 97 % 7000)) $((1 + i % 4)) 8000
	i=$((i + 1))
done > "$work/it's a log.swf"
"$lxfw" reproduce chiang2001 --trace "$work/it's a log.swf" --cluster procs=4 \
	--figures "$work/log" > "$work/out" 2> "$work/err" ||
	fail "a log: $(cat "$work/err")"
[ "$(ls "$work/log"/*.pdf | wc -l)" -eq 6 ] || fail 'a log does not have 6 figures'

# gnuplot fails: no result and no figure.
mkdir "$work/bin"
printf '#!/bin/sh\n[ "$1" = --version ] || { : > figure-01.svg.part; exit 3; }\n' \
	> "$work/bin/gnuplot"
chmod +x "$work/bin/gnuplot"
PATH=$work/bin:$PATH draw 2 --figures "$work/broken"
grep -q 'gnuplot failed with exit status 3' "$work/err" || fail "$(cat "$work/err")"
[ ! -s "$work/out" ] || fail 'a result was printed after gnuplot failed'
ls "$work/broken" | grep -qE 'svg|pdf' && fail 'a figure was left after gnuplot failed'

# An interrupt while gnuplot draws. gnuplot receives it too.
printf '#!/bin/sh\n[ "$1" = --version ] || { : > figure-01.svg.part; kill -INT $PPID; kill -INT $$; }\n' \
	> "$work/bin/gnuplot"
PATH=$work/bin:$PATH draw 2 --figures "$work/broken"
grep -q 'gnuplot was terminated by signal 2' "$work/err" || fail "$(cat "$work/err")"
ls "$work/broken" | grep -qE 'svg|pdf' && fail 'a figure was left after an interrupt'

: > "$work/file"
draw 2 --figures "$work/file"
grep -q 'Not a directory' "$work/err" || fail "$(cat "$work/err")"

finish
