# SPDX-License-Identifier: GPL-2.0-or-later
#
# The lines that a test executes, for check-mutants: read from gcov and kept in a file for each test.
# A record is valid while the test and the sources that it executes are unchanged, so that a later
# run does not measure it again.
package Reached;

use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use File::Find;

sub found
{
	my ($dir, $pattern) = @_;
	my @found;

	find({ no_chdir => 1, wanted => sub { push @found, $_ if /$pattern/ } }, $dir);
	return @found;
}

# Forget what programs of a build directory have executed.
sub forget
{
	my ($build) = @_;

	unlink found($build, qr/\.gcda\z/);
}

# Return, for each file below SOURCE of which a line was executed since forget(), the lines that were
# executed and the lines with code that were not.
sub measured
{
	my ($build, $source) = @_;
	my @data = found($build, qr/\.gcda\z/);
	my (%files, $file);

	return {} unless @data;
	open(my $lines, '-|', 'gcov', '-t', @data) or die "gcov: $!\n";
	while (my $line = <$lines>) {
		$file = $1 =~ m{\A\Q$source\E/(.*)} ? $1 : ''
			if $line =~ /^\s+-:\s+0:Source:(.*)/;
		next unless $file && $line =~ /^\s*([\d#=]+)\*?:\s+(\d+):/;
		my ($count, $number) = ($1, $2);

		# A header's line may be executed in one object and not in another.
		$files{$file}{$number} ||= $count =~ /\d/ ? 1 : 0;
	}
	close($lines);
	for my $name (keys %files) {
		delete $files{$name} unless grep { $_ } values %{$files{$name}};
	}
	return \%files;
}

# Write a record: of what the test consists, its seconds, and for each file its digest and lines.
sub keep
{
	my ($path, $test_is, $seconds, $sums, $files) = @_;

	open(my $handle, '>', "$path.new") or die "$path.new: $!\n";
	printf $handle "%s\t%.2f\n", $test_is, $seconds;
	for my $file (sort keys %$files) {
		my $lines = $files->{$file};
		my @all = sort { $a <=> $b } keys %$lines;

		print $handle join("\t", $file, $sums->{$file} || '',
			join(',', grep { $lines->{$_} } @all),
			join(',', grep { !$lines->{$_} } @all)), "\n";
	}
	close($handle) or die "$path.new: $!\n";
	rename("$path.new", $path) or die "$path: $!\n";
}

# Return a record with the lines of the files WANTED, or nothing if there is none that is valid. Its
# member 'is' identifies the test and the sources that it executes.
sub kept
{
	my ($path, $test_is, $sums, $wanted) = @_;
	my (%files, @is);

	open(my $handle, '<', $path) or return;
	my ($was, $seconds) = split /\s/, <$handle> || '';
	return unless defined $seconds && $was eq $test_is;
	while (my $line = <$handle>) {
		chomp $line;
		my ($file, $sum, $reached, $missed) = split /\t/, $line, -1;

		return unless ($sums->{$file} || '') eq $sum;
		push @is, "$file $sum";
		next unless $wanted->{$file};
		$files{$file} = {
			(map { $_ => 1 } split /,/, $reached),
			(map { $_ => 0 } split /,/, $missed),
		};
	}
	return { seconds => $seconds, files => \%files,
		 is => md5_hex(join("\n", $test_is, @is)) };
}

# Whether a test with this record executes one of the lines FIRST to LAST of a file. A line of a
# longer statement may be attributed to one before it.
sub reaches
{
	my ($record, $file, $first, $last) = @_;
	my $lines = $record->{files}{$file} or return 0;

	$first-- while $first > 1 && !exists $lines->{$first};
	return scalar grep { $lines->{$_} } $first .. $last;
}

1;
