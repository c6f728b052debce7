# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw-pbsd with a private OpenPBS, wherever configure was given one. No check depends on it.

EXTRA_DIST += \
	tests/pbs/check-pbs \
	tests/pbs/demo \
	tests/pbs/failover \
	tests/pbs/site

check-pbs: all
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/check-pbs || test $$? -eq 77
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/failover || test $$? -eq 77

demo-pbs: all
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/demo

.PHONY: check-pbs demo-pbs
