# SPDX-License-Identifier: GPL-2.0-or-later
# Checks of every page that lxfw writes; read with '.' after golden.sh.

# check_page FILE: the page is one well-formed file without scripts or references to
# other files, and contains no invalid number
check_page()
{
	for what in 'http' '<script' 'src=' '@import' 'url(' ' on[a-z]*=' \
		'[^a-z]nan[^a-z]' '[^a-z]inf[^a-z]' '"-[^0-9.]'; do
		# a negative number cannot be a position, a length or a share
		if sed '/^<style>/,/^<\/style>/d' "$1" | grep -qi -e "$what"; then
			fail "page: $what: $(sed '/^<style>/,/^<\/style>/d' "$1" |
				grep -i -e "$what" | head -n 2)"
		fi
	done
	grep -qiE 'http|url\(|@import' "$1" && fail "page: its style refers to another file"
	for what in '<!DOCTYPE html>' '<html lang="en">' '<title>' 'prefers-color-scheme:dark' \
		'@media print' '</html>'; do
		grep -qF -- "$what" "$1" || fail "page: not '$what'"
	done
	# elements with a negative length are not drawn
	grep -oE '(width|height|r)="-[^"]*"' "$1" > "$work/negative" &&
		fail "page: $(head -n 2 "$work/negative")"
	# every element that is opened is closed, in order
	tr '\n' ' ' < "$1" | sed 's/<style>.*<\/style>//; s/</\n</g' |
		sed -n 's/^<\([/a-z][a-z0-9]*\)[^>]*\(\/\{0,1\}\)>.*/\1 \2/p' > "$work/tags"
	awk '$1 ~ /^(meta|line|circle|polyline|path)$/ { next }
		$1 == "rect" { rect = 1; next }
		$1 == "/rect" { next }
		$1 ~ /^\// { if (stack[n] != substr($1, 2)) { print "closes " $1 ", open is " stack[n]; exit }
			n--; next }
		{ stack[++n] = $1 }
		END { if (n) print n " elements left open" }' "$work/tags" > "$work/wrong"
	[ ! -s "$work/wrong" ] || fail "page: $(cat "$work/wrong")"
	# an HTML validator, if one is installed
	if command -v xmllint > /dev/null 2>&1; then
		xmllint --html --noout "$1" 2>&1 | grep -E 'error' |
			grep -vE 'Tag (svg|figure|figcaption|path|rect|line|circle|polyline|text|g|title) invalid' \
			> "$work/wrong"
		[ ! -s "$work/wrong" ] || fail "page: xmllint: $(head -n 3 "$work/wrong")"
	fi
}

# has_page FILE TEXT...: the page contains each text
has_page()
{
	page=$1
	shift
	for what in "$@"; do
		grep -qF -- "$what" "$page" || fail "page: not '$what'"
	done
}
