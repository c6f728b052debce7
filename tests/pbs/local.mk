# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw-pbsd with a private OpenPBS, wherever configure was given one. No check depends on it.

EXTRA_DIST += \
	tests/pbs/beside \
	tests/pbs/check-pbs \
	tests/pbs/demo \
	tests/pbs/edges.sh \
	tests/pbs/failover \
	tests/pbs/jobs.sh \
	tests/pbs/records.py \
	tests/pbs/scale \
	tests/pbs/site \
	tests/pbs/soak \
	tests/pbs/submit.c \
	tests/pbs/watch \
	tests/pbs/watch-days

check-pbs: all
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/check-pbs || test $$? -eq 77
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/failover || test $$? -eq 77
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/watch || test $$? -eq 77

# Users without privileges beside pbs_sched (two minutes). Part of check-pbs.
check-pbs-watch: all
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/watch || test $$? -eq 77

# A day beside pbs_sched: expected starts and reasons, and what happened (half an hour).
check-pbs-watch-days: all
	@$(AM_TESTS_ENVIRONMENT) status=0; \
	LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/watch-days || status=$$?; \
	test $$status = 0 || test $$status = 77

# The decisions of policy site beside those of pbs_sched (five minutes).
check-pbs-beside: all
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/beside || test $$? -eq 77

demo-pbs: all
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/demo

# 1000 submissions and 20 kills of each daemon (a quarter of an hour).
soak-pbs: all
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/soak || test $$? -eq 77

if WITH_PBS

EXTRA_PROGRAMS += tests/pbs/submit
tests_pbs_submit_SOURCES = tests/pbs/submit.c
tests_pbs_submit_CPPFLAGS = $(AM_CPPFLAGS) $(PBS_CPPFLAGS) -D_DEFAULT_SOURCE
tests_pbs_submit_LDADD = $(PBS_LIBS)

# Jobs started in a second and time of a cycle, beside pbs_sched (half an hour).
bench-pbs: all tests/pbs/submit$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) LXFW_PBS_PREFIX='$(PBS_PREFIX)' $(srcdir)/tests/pbs/scale

else

bench-pbs:
	@echo '$@: SKIP: configured without OpenPBS'

endif

.PHONY: bench-pbs check-pbs check-pbs-beside check-pbs-watch check-pbs-watch-days demo-pbs soak-pbs
