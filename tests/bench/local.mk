# SPDX-License-Identifier: GPL-2.0-or-later
#
# 'make bench' measures speed and memory. It is not part of 'make check'.

EXTRA_DIST += \
	tests/bench/age-first.py \
	tests/bench/burst.py \
	tests/bench/easy.py \
	tests/bench/inference.sh \
	tests/bench/instead-worlds.py \
	tests/bench/instead.py \
	tests/bench/whatif.py \
	tests/bench/intervals.py \
	tests/bench/large-month.awk \
	tests/bench/live-placement \
	tests/bench/live-placement-waits \
	tests/bench/live-scale \
	tests/bench/live-shares \
	tests/bench/live-slurm-days \
	tests/bench/live-starts \
	tests/bench/nodes.py \
	tests/bench/quantum.py \
	tests/bench/sim.sh \
	tests/bench/elsewhere.py \
	tests/bench/ten-days.py \
	tests/bench/trial.py \
	tests/bench/tune.sh \
	tests/bench/weeks.sh

# Measure the simulator's speed and memory, and compare them with their targets.
bench: lxfw$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(BASH_SHELL) $(srcdir)/tests/bench/sim.sh || test $$? -eq 77

# Check recommendations of 'lxfw tune' on workloads with known results (some minutes).
bench-tune: lxfw$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(BASH_SHELL) $(srcdir)/tests/bench/tune.sh

# Check quanta that 'lxfw tune' recommends on workloads with known results (a quarter of an hour).
bench-quantum: lxfw$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/bench/quantum.py

# Check what 'lxfw tune' recommends and calls worth a trial on months of made users (hours).
bench-trial: lxfw$(EXEEXT)
	python3 $(srcdir)/tests/bench/trial.py $(abs_builddir)/lxfw$(EXEEXT)

# Check whether as many weeks of log as it asks for are enough (an hour).
bench-weeks: lxfw$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(BASH_SHELL) $(srcdir)/tests/bench/weeks.sh

# Check what is inferred from logs with known outages (some minutes).
bench-inference: lxfw$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(BASH_SHELL) $(srcdir)/tests/bench/inference.sh || test $$? -eq 77

# Check how often the intervals of 'lxfw simulate' contain the true value (some
# minutes).
bench-intervals: lxfw$(EXEEXT)
	python3 $(srcdir)/tests/bench/intervals.py $(abs_builddir)/lxfw$(EXEEXT)

# Check how often the intervals of 'lxfw compare --instead' contain the true change (a
# minute).
bench-instead: lxfw$(EXEEXT)
	python3 $(srcdir)/tests/bench/instead.py $(abs_builddir)/lxfw$(EXEEXT)

# The same on workloads of other kinds (five minutes).
bench-instead-worlds: lxfw$(EXEEXT)
	python3 $(srcdir)/tests/bench/instead-worlds.py $(abs_builddir)/lxfw$(EXEEXT)

# Check how often the intervals of 'lxfw predict' contain the start, on parts of real logs (an hour
# or more).
bench-ten-days: lxfw$(EXEEXT)
	for history in 0 30; do \
		python3 $(srcdir)/tests/bench/ten-days.py $(abs_builddir)/lxfw$(EXEEXT) \
			"$${LXFW_TRACES:-$(srcdir)/../shared/traces}" 4 $$history pbs,site,slurm || exit; \
	done

# Check what 'lxfw simulate --from' says of a change of the policy (some minutes).
bench-whatif: lxfw$(EXEEXT)
	python3 $(srcdir)/tests/bench/whatif.py $(abs_builddir)/lxfw$(EXEEXT) 8

EXTRA_PROGRAMS += tests/bench/plans
tests_bench_plans_SOURCES = tests/bench/plans.c
tests_bench_plans_LDADD = $(frontend_libs)

EXTRA_PROGRAMS += tests/bench/reservations
tests_bench_reservations_SOURCES = tests/bench/reservations.c
tests_bench_reservations_LDADD = liblxfw.la

# Measure how long decisions take, by the number of reservations.
bench-reservations: tests/bench/reservations$(EXEEXT)
	for number in 1 200 1000 3000; do \
		tests/bench/reservations$(EXEEXT) \
			lxfw_policy=site,lxfw_reservations=$$number \
			lxfw_policy=site,lxfw_reservation_mode=compress,lxfw_reservations=$$number \
			lxfw_policy=lxfw,lxfw_reservations=$$number || exit 1; \
	done

# Measure how long the plans of sjs and pjs take (lxfw-grid(1)).
bench-plans: tests/bench/plans$(EXEEXT)
	tests/bench/plans$(EXEEXT)

EXTRA_PROGRAMS += tests/bench/route
tests_bench_route_SOURCES = tests/bench/route.c
tests_bench_route_LDADD = $(frontend_libs)

# Measure the server of 'lxfw route', with the munged of MUNGE=SOCKET if that is given (a minute).
bench-route: tests/bench/route$(EXEEXT)
	tests/bench/route$(EXEEXT) $(MUNGE)

.PHONY: bench bench-inference bench-instead bench-instead-worlds bench-intervals bench-plans bench-quantum bench-reservations bench-route \
	bench-ten-days bench-trial bench-tune bench-weeks bench-whatif

if WITH_SLURM

# 'make check' does not build it, because it needs libslurm in addition to the headers.
EXTRA_PROGRAMS += tests/bench/submit
tests_bench_submit_SOURCES = tests/bench/submit.c
tests_bench_submit_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) -D_DEFAULT_SOURCE
tests_bench_submit_LDADD = $(SLURM_LIBS)

EXTRA_PROGRAMS += tests/bench/offer
tests_bench_offer_SOURCES = tests/bench/offer.c
tests_bench_offer_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_bench_offer_LDADD = $(SLURM_LIBS)

# Measure the controller's cost of a pass, at scale.
bench-live: all tests/bench/submit$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/live-scale

# Compare the selection of nodes with Slurm's own (some minutes).
bench-placement: all tests/bench/offer$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/live-placement

# Measure waits for three rules of node selection (four minutes per round).
bench-placement-waits: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/live-placement-waits

# Compare the model of Slurm's own scheduler with that scheduler (half an hour).
bench-slurm-days: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/live-slurm-days

# Measure the cost of changing the shares of running jobs.
bench-shares: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/live-shares

# Measure how soon jobs start on an idle cluster, and the throughput of short jobs,
# compared with Slurm's own scheduler (ten minutes).
bench-starts: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/live-starts

# Immediate service with 10,000 pending jobs, compared with Slurm's own scheduler on the
# same queue. Running jobs may be preempted after one second, so that every new job
# searches for jobs to preempt.
bench-live-quantum: all tests/bench/submit$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) \
	LXFW_BENCH_PARAMS=lxfw_policy=lxfw,lxfw_quantum=60,lxfw_quantum_min_run=1 \
	$(srcdir)/tests/bench/live-scale 10000x100

else

bench-live bench-live-quantum bench-placement bench-placement-waits bench-shares bench-slurm-days bench-starts:
	@echo '$@: SKIP: configured without Slurm'

endif

.PHONY: bench-live bench-live-quantum bench-placement bench-placement-waits bench-shares bench-slurm-days bench-starts
