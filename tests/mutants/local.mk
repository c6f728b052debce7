# SPDX-License-Identifier: GPL-2.0-or-later
#
# 'make check-mutants' breaks the sources in small ways and sees whether a test
# fails; HACKING.md tells how to use it. No part of 'make check'.

check-mutants:
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/mutants/check-mutants

.PHONY: check-mutants

EXTRA_DIST += \
	tests/mutants/Edits.pm \
	tests/mutants/check-mutants \
	tests/mutants/equivalent \
	tests/mutants/named
