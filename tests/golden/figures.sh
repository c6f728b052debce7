#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw reproduce --figures: all pictures are drawn, and none is left in half where
# that goes wrong.

. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh"

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
[ ! -e "$work/dir" ] || fail 'something was written without gnuplot'

if ! gnuplot --version > "$work/version" 2>&1; then
	[ $failures -gt 0 ] || echo 'no gnuplot here: skipped'
	[ $failures -gt 0 ] || exit 77
	finish
fi

draw 0 --figures "$work/dir"
[ ! -s "$work/err" ] || fail "messages: $(cat "$work/err")"
for number in 01 02 03 04 05 06 07 08 09 10; do
	file=$work/dir/figure-$number
	grep -q '</svg>' "$file.svg" || fail "figure $number is no whole SVG"
	head -c 5 "$file.pdf" | grep -q '%PDF-' || fail "figure $number is no PDF"
	# more than axes
	[ "$(grep -c "<path\|<use" "$file.svg")" -gt 20 ] ||
		fail "figure $number is empty"
done
ls "$work/dir" | grep -q part && fail 'left over: parts'

# The script that is left draws them again.
rm "$work/dir"/*.svg
(cd "$work/dir" && gnuplot -e "kind='svg'" figures.gp) 2> "$work/err" ||
	fail "the script: $(cat "$work/err")"
[ "$(ls "$work/dir"/*.svg | wc -l)" -eq 10 ] || fail 'the script draws other figures'

# A log's name has quotes; figures of NCSA-LSF* are not drawn.
i=0
while [ $i -lt 480 ]; do
	job $i $((i * 3600)) $((60 + i * 97 % 7000)) $((1 + i % 4)) 8000
	i=$((i + 1))
done > "$work/it's a log.swf"
"$lxfw" reproduce chiang2001 --trace "$work/it's a log.swf" --cluster procs=4 \
	--figures "$work/log" > "$work/out" 2> "$work/err" ||
	fail "a log: $(cat "$work/err")"
[ "$(ls "$work/log"/*.pdf | wc -l)" -eq 6 ] || fail 'a log has 6 figures'

# gnuplot fails: no result, no picture.
mkdir "$work/bin"
printf '#!/bin/sh\n[ "$1" = --version ] || { : > figure-01.svg.part; exit 3; }\n' \
	> "$work/bin/gnuplot"
chmod +x "$work/bin/gnuplot"
PATH=$work/bin:$PATH draw 2 --figures "$work/broken"
grep -q 'gnuplot failed with exit status 3' "$work/err" || fail "$(cat "$work/err")"
[ ! -s "$work/out" ] || fail 'a result after gnuplot failed'
ls "$work/broken" | grep -qE 'svg|pdf' && fail 'a picture after gnuplot failed'

# An interrupt while gnuplot draws, as it gets it too.
printf '#!/bin/sh\n[ "$1" = --version ] || { : > figure-01.svg.part; kill -INT $PPID; kill -INT $$; }\n' \
	> "$work/bin/gnuplot"
PATH=$work/bin:$PATH draw 2 --figures "$work/broken"
grep -q 'gnuplot was terminated by signal 2' "$work/err" || fail "$(cat "$work/err")"
ls "$work/broken" | grep -qE 'svg|pdf' && fail 'a picture after an interrupt'

: > "$work/file"
draw 2 --figures "$work/file"
grep -q 'Not a directory' "$work/err" || fail "$(cat "$work/err")"

finish
