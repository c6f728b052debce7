# SPDX-License-Identifier: GPL-2.0-or-later
#
# Print an SVG of two figures of a page of 'lxfw simulate --report', with the page's own
# styles: those with the captions LEFT and RIGHT.
#
#	awk -v left=CAPTION -v right=CAPTION -f picture.awk PAGE.html

function text(x, y, class, words)
{
	return sprintf("<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, class, words)
}

# Of the styles, those of figures on a light background. Some viewers of SVG do not know
# variables.
/^:root/, /}/ {
	line = $0
	while (!colors_end && match(line, /--[a-z0-9]+:#[0-9a-f]+/)) {
		split(substr(line, RSTART + 2, RLENGTH - 2), pair, ":")
		color[pair[1]] = pair[2]
		line = substr(line, RSTART + RLENGTH)
	}
	if (/}/)
		colors_end = 1
}
/^svg\{/			{ in_style = 1 }
in_style && /^@media|^<\/style>/	{ in_style = 0 }
in_style			{ style = style $0 "\n" }

/^<figcaption>/ {
	caption = $0
	gsub(/<\/?figcaption>/, "", caption)
	wanted = caption == left ? 1 : caption == right ? 2 : 0
	captions[wanted] = caption
	keys = 0
}

# The mark and the name of each schedule.
wanted && /viewBox="0 0 30 10"/ {
	key = $0
	sub(/.*<svg viewBox="0 0 30 10">/, "", key)
	in_key = 1
	next
}
in_key && /^<\/svg>/ {
	name = $0
	gsub(/<[^>]*>/, "", name)
	marks[wanted] = marks[wanted] sprintf("<g transform=\"translate(%d 34)\">\n%s</g>\n",
		8 + 80 * keys, key) text(44 + 80 * keys, 43, "", name)
	keys++
	in_key = 0
	next
}
in_key { key = key "\n" $0 "\n"; next }

wanted && /^<svg viewBox="0 0 420 / {
	in_figure = 1
	next
}
in_figure && /^<\/svg>/	{ in_figure = 0 }
in_figure		{ figures[wanted] = figures[wanted] $0 "\n" }

END {
	if (figures[1] == "" || figures[2] == "") {
		print "picture.awk: " FILENAME ": no figures with these captions" >"/dev/stderr"
		exit 1
	}
	sub(/^svg\{[^}]*\}/, "svg{font-size:12.5px}", style)
	for (name in color)
		gsub("var\\(--" name "\\)", color[name], style)
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"320\" " \
		"viewBox=\"0 0 860 320\" " \
		"font-family=\"system-ui,'DejaVu Sans',sans-serif\">\n"
	printf "<style>\n%s</style>\n", style
	print "<rect width=\"860\" height=\"320\" fill=\"" color["paper"] "\"/>"
	for (i = 1; i <= 2; i++) {
		printf "<g transform=\"translate(%d 0)\">\n", (i - 1) * 440
		printf "%s%s", text(8, 18, "title", captions[i]), marks[i]
		printf "<g transform=\"translate(0 52)\">\n%s</g>\n</g>\n", figures[i]
	}
	print "</svg>"
}
