# SPDX-License-Identifier: GPL-2.0-or-later
#
# The edits of check-mutants: finds all edits that apply to one C source by matching its
# text. Only function bodies are edited, without comments and strings.
package Edits;

use strict;
use warnings;

# Return the text with comments, strings, character constants and preprocessor lines
# replaced by blanks. Offsets stay the same.
sub blanked
{
	my ($text) = @_;
	my $blank = sub { my $s = shift; $s =~ s/[^\n]/ /g; return $s; };

	$text =~ s{(/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')}
		  {$blank->($1)}gse;
	$text =~ s{^(#(?:.*\\\n)*.*)$}{$blank->($1)}gme;
	return $text;
}

# Return the offset of the parenthesis that closes the one at AT.
sub closing
{
	my ($text, $at) = @_;
	my $depth = 0;

	for (my $i = $at; $i < length($text); $i++) {
		my $c = substr($text, $i, 1);

		$depth++ if $c eq '(';
		$depth-- if $c eq ')';
		return $i if $depth == 0;
	}
	return undef;
}

# Return functions as [name, returns bool, first, end]. It relies on the style of this
# tree: the braces of a function body are alone in the first column, and the name or the
# type begins there too.
sub functions
{
	my ($text) = @_;
	my (@found, $head, $first);
	my $at = 0;

	for my $line (split /(?<=\n)/, $text) {
		if ($line =~ /^[a-z_]/) {
			$head = ($head || '') . $line;
		} elsif ($line eq "{\n" && $head && $head =~ /(\w+)\(/) {
			$first = $at + length($line);
		} elsif ($line =~ /^\}/ && $first) {
			my ($name) = $head =~ /(\w+)\(/;

			push @found, [$name, scalar($head =~ /\bbool\s+\w+\(/),
				      $first, $at];
			($head, $first) = ();
		} elsif ($line =~ /(?:^\s*|;\s*)\z/ && !$first) {
			$head = undef;
		}
		$at += length($line);
	}
	return @found;
}

# Replacement for each pattern; 'at' is the group that is replaced.
my @operators = (
	[qr/ (<) /, sub { '<=' }, 'border'],
	[qr/ (<=) /, sub { '<' }, 'border'],
	[qr/ (>) /, sub { '>=' }, 'border'],
	[qr/ (>=) /, sub { '>' }, 'border'],
	[qr/ (==) /, sub { '!=' }, 'equality'],
	[qr/ (!=) /, sub { '==' }, 'equality'],
	[qr/ (&&)\s/, sub { '||' }, 'logic'],
	[qr/ (\|\|)\s/, sub { '&&' }, 'logic'],
	[qr/[\w)\]] (\+)\s/, sub { '-' }, 'arithmetic'],
	[qr/[\w)\]] (-)\s/, sub { '+' }, 'arithmetic'],
	[qr/[\w)\]] (\*)\s/, sub { '/' }, 'arithmetic'],
	[qr/[\w)\]] (\/)\s/, sub { '*' }, 'arithmetic'],
	[qr/[\w)\]] (&)\s/, sub { '|' }, 'arithmetic'],
	[qr/[\w)\]] (\|)\s/, sub { '&' }, 'arithmetic'],
	[qr/[\w)\]] (<<)\s/, sub { '>>' }, 'arithmetic'],
	[qr/[\w)\]] (>>)\s/, sub { '<<' }, 'arithmetic'],
	[qr/ (\+=) /, sub { '-=' }, 'arithmetic'],
	[qr/ (-=) /, sub { '+=' }, 'arithmetic'],
	[qr/(\+\+)/, sub { '--' }, 'arithmetic'],
	[qr/(--)/, sub { '++' }, 'arithmetic'],
	[qr/[\w)\]]( [-+] 1)\b(?![.\w])/, sub { '' }, 'one dropped'],
	[qr/(?<![\w.\-x])(\d+)(?![\w.])/, sub { $_[0] + 1 }, 'constant'],
	[qr/(?<![\w.\-x])(1)(?![\w.])/, sub { 0 }, 'constant'],
	[qr/(?<=[ (,])(-1)(?![\w.])/, sub { 0 }, 'constant'],
	[qr/(?<![\w.])(\d+\.\d+)/, sub { $_[0] + 1 }, 'constant'],
	[qr/\b(true)\b/, sub { 'false' }, 'constant'],
	[qr/\b(false)\b/, sub { 'true' }, 'constant'],
	[qr/(!)(?=[\w(])/, sub { '' }, 'negation'],
);

# In an expression that chooses the minimum or maximum, < and <= are equivalent.
sub chooses_lesser
{
	my ($text, $at) = @_;
	my $start = rindex($text, "\n", $at) + 1;
	my $here = substr($text, $start, 300);
	my $term = qr/[\w.>\-\[\]]+/;

	return $here =~ /\A[^\n]*?($term) [<>]=? ($term)\s*\?\s*(?:\1\s*:\s*\2|\2\s*:\s*\1)/ ||
	       $here =~ /\A\s*(?:else )?if \(($term) [<>]=? ($term)\)\n\s*(?:\1 = \2|\2 = \1);/;
}

# In a comparison for qsort() only the sign counts, and equal values were excluded before:
#	if (a != b)
#		return a < b ? -1 : 1;
sub changes_no_sign
{
	my ($text, $at, $kind, $new) = @_;
	my $start = rindex($text, "\n", $at) + 1;
	my $before = substr($text, 0, $start);
	my ($line) = substr($text, $start, 300) =~ /\A([^\n]*)/;

	return 0 unless $line =~ /\A\s*return .* [<>] .* \? -1 : 1;/ &&
			$before =~ / != [^\n]*\)\n\z/;
	return $kind eq 'border' || ($kind eq 'constant' && $new eq '2');
}

# Return [offset, length, replacement, kind] of each edit in one function body.
sub in_body
{
	my ($text, $first, $end, $bool) = @_;
	my $body = substr($text, $first, $end - $first);
	my @edits;

	for my $operator (@operators) {
		my ($pattern, $make, $kind) = @$operator;

		while ($body =~ /$pattern/g) {
			my ($at, $length, $old) = ($first + $-[1], $+[1] - $-[1], $1);

			next if $kind eq 'border' && chooses_lesser($text, $at);
			next if changes_no_sign($text, $at, $kind, $make->($old));
			# All elements of an array have the same size.
			next if substr($text, 0, $at) =~ /\bsizeof\([\w.>-]+\[\z/;
			push @edits, [$at, $length, $make->($old), $kind];
			pos($body) = $-[1] + 1;
		}
	}
	# Negated conditions.
	while ($body =~ /\bif (\()/g) {
		my $open = $first + $-[1];
		my $close = closing($text, $open);

		push @edits, [$open + 1, $close - $open - 1, undef, 'condition']
			if defined $close;
	}
	if ($bool) {
		while ($body =~ /\breturn ((?!true;|false;)[^;]+);/g) {
			push @edits, [$first + $-[1], $+[1] - $-[1], undef,
				      'condition'];
		}
	}
	# Omitted statements: calls, assignments, increments, jumps.
	while ($body =~ /(?<=[;{})]|lse)\s*\n\t+(\S[^;{}]*;)/g) {
		my ($at, $length, $statement) = ($first + $-[1], $+[1] - $-[1], $1);

		pos($body) = $+[1] - 1;
		next if $statement !~ /\A[a-z_]\w*\(.*\);\z/s &&
			$statement !~ /\A\*?[\w.>\-()]+(?:\[[^\]]*\][\w.>\-]*)*\s
				       (?:[-+*\/|&^%]|<<|>>)?=\s/x &&
			$statement !~ /\A[\w.>\-\[\]]+(?:\+\+|--);\z/ &&
			$statement !~ /\A(?:break|continue|return);\z/;
		push @edits, [$at, $length, ';', 'statement'];
	}
	return @edits;
}

sub squeezed
{
	my ($text) = @_;

	$text =~ s/\s+/ /g;
	$text =~ s/^ | $//g;
	return $text;
}

# Return all edits of one source, in the order of their position. Each is a hash: file,
# line, function, at, length, new (text), kind; 'was' and 'is' are the affected lines
# with normalized white space.
sub of_source
{
	my ($file, $text) = @_;
	my $blanked = blanked($text);
	my @mutants;

	for my $function (functions($blanked)) {
		my ($name, $bool, $first, $end) = @$function;

		for my $edit (in_body($blanked, $first, $end, $bool)) {
			my ($at, $length, $new, $kind) = @$edit;

			$new = '!(' . substr($text, $at, $length) . ')'
				unless defined $new;
			push @mutants, described($file, $text, $name, $at,
						 $length, $new, $kind);
		}
	}
	return sort { $a->{at} <=> $b->{at} || $a->{is} cmp $b->{is} } @mutants;
}

sub described
{
	my ($file, $text, $function, $at, $length, $new, $kind) = @_;
	my $start = rindex($text, "\n", $at) + 1;
	my $stop = index($text, "\n", $at + $length);
	my $was = substr($text, $start, $stop - $start);
	my $is = $was;

	substr($is, $at - $start, $length) = $new;
	return {
		file => $file, function => $function, kind => $kind,
		line => 1 + (substr($text, 0, $at) =~ tr/\n//),
		last => 1 + (substr($text, 0, $at + $length) =~ tr/\n//),
		at => $at, length => $length, new => $new,
		was => squeezed($was), is => squeezed($is),
	};
}

1;
