#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Messages, help and pages do not use phrases that the glossary in HACKING.md replaces.
# The check covers string literals of the sources and the text of the pages. Comments,
# HACKING.md and doc/architecture.md are not checked.

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
hits=$(mktemp) || exit 99
trap 'rm -f "$hits"' EXIT

find sim-frontend common plugins \( -name '*.c' -o -name '*.h' \) -exec \
	grep -inE "\"([^\"]*[^a-z_\"-])?($pattern)[^a-z_\"-][^\"]*\"|\"[^\"]*[^a-z_\"-]($pattern)\"" {} + >>"$hits"
for page in README.md NEWS doc/*.[158] doc/guide.md doc/tuning.md doc/compare.md doc/malleable.md; do
	[ -e "$page" ] || { echo "no $page"; exit 1; }
	grep -inwHE "($pattern)" "$page" >>"$hits"
done

[ ! -s "$hits" ] || {
	cat "$hits"
	echo 'These lines use phrases that HACKING.md, "Terms", replaces.'
	exit 1
}
