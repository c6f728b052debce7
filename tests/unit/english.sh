#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Messages, help and pages do not use phrases that the glossary in HACKING.md replaces.
# The check covers string literals of the sources, the text of the pages, and comments in
# plugins/, common/, sim-frontend/, tests/, m4/ and contrib/. Other comments and HACKING.md are not checked.

cd "${LXFW_TOP_SRCDIR:-.}" || exit 99

# Extended regular expressions, matched as whole words, without regard to case. A phrase
# must have no legitimate use in these texts.
phrases='(is|are|was|were|been) told
tells (of|how|what|which|whether|when|where|why)
told apart
so many
(no|some)body
in half
for good
no place for
not looked at
(mends|mended|to mend)
spoilt
(made|begun|begins?|started) anew
(what )?(became|becomes) of
whoever
its kin
(says?|said) so
goes on|go on|went on'
pattern=$(printf '%s' "$phrases" | tr '\n' '|')

# Further phrases that comments do not use.
comment_phrases='(any|every)body
so (often|long)
(is|are|was|were|been) asked
asks for
in vain
anew
to be had
(is|are) not to
no word of
(has|have|had) (come|become) of
comes? about
the books
whom
as ever
gives? back
(gives?|gave|given) out
(puts?|put) right
is promised
no longer true
up to then
so few
what (it|they) (asks?|asked)'
comment_pattern=$pattern'|'$(printf '%s' "$comment_phrases" | tr '\n' '|')
hits=$(mktemp) || exit 99
trap 'rm -f "$hits" "$hits.comments"' EXIT

find sim-frontend common plugins \( -name '*.c' -o -name '*.h' \) -exec \
	grep -inE "\"([^\"]*[^a-z_\"-])?($pattern)[^a-z_\"-][^\"]*\"|\"[^\"]*[^a-z_\"-]($pattern)\"" {} + >>"$hits"
for page in README.md NEWS doc/*.[158] doc/architecture.md doc/guide.md doc/tuning.md \
	doc/compare.md doc/malleable.md; do
	[ -e "$page" ] || { echo "no $page"; exit 1; }
	grep -inwHE "($pattern)" "$page" >>"$hits"
done

# Each comment on one line as FILE:LINE: TEXT. Strings must not contain "/*".
find plugins common sim-frontend -name '*.[ch]' -exec awk '
	FNR == 1 { inside = 0 }
	{
		rest = $0
		if (inside)
			sub(/^[ \t]*\*([ \t]|$)/, "", rest)
		for (;;) {
			if (!inside) {
				start = index(rest, "/*")
				if (!start)
					break
				rest = substr(rest, start + 2)
				inside = FNR
				text = ""
			}
			end = index(rest, "*/")
			if (!end) {
				text = text " " rest
				break
			}
			text = text " " substr(rest, 1, end - 1)
			rest = substr(rest, end + 2)
			gsub(/[ \t]+/, " ", text)
			print FILENAME ":" inside ":" text
			inside = 0
		}
	}' {} + >"$hits.comments"
for folder in plugins common sim-frontend; do
	[ "$(grep -c "^$folder/" "$hits.comments")" -gt 500 ] ||
		{ echo "no comments in $folder/"; exit 99; }
done
grep -iwE "($comment_pattern)" "$hits.comments" >>"$hits"

# Comments: lines that contain a comment mark before the phrase. Names and quoted text are
# not matched.
comments="$pattern|so often|anew|in vain|looked at|by now|put right|promised|victim's"
find tests m4 contrib bootstrap -type f ! -path '*/corpus/*' ! -path '*/format-2/*' \
	! -name english.sh ! -name '*.pyc' ! -name 'l*t*.m4' -exec grep -inE \
	"(^|[[:space:]])(#|/[*]|[*]|dnl)[[:space:]](.*[^a-z_\"'-])?($comments)([^a-z_\"'-]|\$)" \
	{} + >>"$hits"

[ ! -s "$hits" ] || {
	cat "$hits"
	echo 'These lines use phrases that HACKING.md, "Terms", replaces.'
	exit 1
}
