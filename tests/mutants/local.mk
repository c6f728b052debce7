# SPDX-License-Identifier: GPL-2.0-or-later
#
# 'make check-mutants' applies small edits to the sources and checks whether a test
# fails. HACKING.md describes its use. It is not part of 'make check'.

check-mutants:
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/mutants/check-mutants

.PHONY: check-mutants

EXTRA_DIST += \
	tests/mutants/Edits.pm \
	tests/mutants/Reached.pm \
	tests/mutants/check-mutants \
	tests/mutants/equivalent \
	tests/mutants/named
