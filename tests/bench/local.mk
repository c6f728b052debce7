# SPDX-License-Identifier: GPL-2.0-or-later
#
# 'make bench': speed and memory, not part of 'make check'.

EXTRA_DIST += \
	tests/bench/easy.py \
	tests/bench/inference.sh \
	tests/bench/intervals.py \
	tests/bench/large-month.awk \
	tests/bench/live-placement \
	tests/bench/live-placement-waits \
	tests/bench/live-scale \
	tests/bench/live-shares \
	tests/bench/sim.sh \
	tests/bench/tune.sh

# The simulator's speed and memory beside their targets.
bench: lxfw$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(BASH_SHELL) $(srcdir)/tests/bench/sim.sh || test $$? -eq 77

# Whether what is recommended is right, where the truth is known: some minutes.
bench-tune: lxfw$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(BASH_SHELL) $(srcdir)/tests/bench/tune.sh

# What is inferred from logs of which the truth is known (some minutes).
bench-inference: lxfw$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(BASH_SHELL) $(srcdir)/tests/bench/inference.sh || test $$? -eq 77

# How often the intervals of 'lxfw simulate' hold the truth (some minutes).
bench-intervals: lxfw$(EXEEXT)
	python3 $(srcdir)/tests/bench/intervals.py $(abs_builddir)/lxfw$(EXEEXT)

.PHONY: bench bench-inference bench-intervals bench-tune

if WITH_SLURM

# Not built by 'make check': it needs libslurm besides the headers.
EXTRA_PROGRAMS += tests/bench/submit
tests_bench_submit_SOURCES = tests/bench/submit.c
tests_bench_submit_CPPFLAGS = $(AM_CPPFLAGS) -D_DEFAULT_SOURCE
tests_bench_submit_LDADD = -lslurm

EXTRA_PROGRAMS += tests/bench/offer
tests_bench_offer_SOURCES = tests/bench/offer.c
tests_bench_offer_LDADD = -lslurm

# What a pass costs the controller, at scale.
bench-live: all tests/bench/submit$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/live-scale

# The choice of nodes beside Slurm's own (some minutes).
bench-placement: all tests/bench/offer$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/live-placement

# And what jobs wait for, by three choices of nodes (four minutes a round).
bench-placement-waits: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/live-placement-waits

# Costs to change the shares of running jobs.
bench-shares: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/live-shares

# Immediate service with 10,000 waiting jobs, compared with Slurm's own on the same queue.
# Running jobs may be victims after a second, so that all who arrive look for some.
bench-live-quantum: all tests/bench/submit$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) \
	LXFW_BENCH_PARAMS=lxfw_policy=lxfw,lxfw_quantum=60,lxfw_quantum_min_run=1 \
	$(srcdir)/tests/bench/live-scale 10000x100

else

bench-live bench-live-quantum bench-placement bench-placement-waits bench-shares:
	@echo '$@: SKIP: configured without Slurm'

endif

.PHONY: bench-live bench-live-quantum bench-placement bench-placement-waits bench-shares
