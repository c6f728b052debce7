# SPDX-License-Identifier: GPL-2.0-or-later
#
# Live tests on a private Slurm cluster, and the demo.

# The longest come first, so that none is left to run alone at the end.
live_tests = \
	tests/cluster/live-corrected.sh \
	tests/cluster/live-requests.sh \
	tests/cluster/live-preempt.sh \
	tests/cluster/live-route.sh \
	tests/cluster/live-policy.sh \
	tests/cluster/live-quantum.sh \
	tests/cluster/live-quantum-death.sh \
	tests/cluster/live-hostile-policies.sh \
	tests/cluster/live-preempting.sh \
	tests/cluster/live-gang.sh \
	tests/cluster/live-shares-accounts.sh \
	tests/cluster/live-nodes.sh \
	tests/cluster/live-multifactor.sh \
	tests/cluster/live-site.sh \
	tests/cluster/live-select.sh \
	tests/cluster/live-quantum-soak.sh \
	tests/cluster/live-shares.sh \
	tests/cluster/live-shares-variants.sh \
	tests/cluster/live-shadow.sh \
	tests/cluster/live-quantum-trouble.sh \
	tests/cluster/live-tell.sh \
	tests/cluster/live-journal.sh \
	tests/cluster/live-shapes-forms.sh \
	tests/cluster/live-het.sh \
	tests/cluster/live-shapes-random.sh \
	tests/cluster/live-shares-soak.sh \
	tests/cluster/live-let-go.sh \
	tests/cluster/live-spank.sh \
	tests/cluster/live-licenses.sh \
	tests/cluster/live-limits.sh \
	tests/cluster/live-try.sh \
	tests/cluster/live-tune.sh \
	tests/cluster/live-answers.sh \
	tests/cluster/live-passed-over.sh \
	tests/cluster/live-published.sh \
	tests/cluster/live-asked.sh \
	tests/cluster/live-watch.sh \
	tests/cluster/live-weights.sh \
	tests/cluster/live-why.sh \
	tests/cluster/live-accounts.sh \
	tests/cluster/live-blocks.sh \
	tests/cluster/live-import.sh \
	tests/cluster/live-holds.sh \
	tests/cluster/live-shares-death.sh \
	tests/cluster/live-hostile-sets.sh \
	tests/cluster/live-gpus.sh \
	tests/cluster/live-shapes.sh \
	tests/cluster/live-select-verdicts.sh \
	tests/cluster/live-options.sh \
	tests/cluster/live-overtaking.sh \
	tests/cluster/live-parameters.sh \
	tests/cluster/live-described.sh \
	tests/cluster/live-start-times.sh \
	tests/cluster/live-topology.sh \
	tests/cluster/live-moldable.sh \
	tests/cluster/live-hostile.sh \
	tests/cluster/live-metrics.sh \
	tests/cluster/live-sdiag.sh \
	tests/cluster/live-starts.sh \
	tests/cluster/live-cgroup.sh

TESTS += $(live_tests)

EXTRA_DIST += \
	tests/cluster/described.py \
	$(live_tests) \
	contrib/cli_filter.lua \
	contrib/demo-workload.txt \
	contrib/lxfw-predict.service \
	contrib/lxfw-publish.service \
	contrib/lxfw-watch.service \
	contrib/lxfw-route-pull.service \
	contrib/lxfw-route.pam \
	contrib/lxfw-route.service \
	contrib/plugstack.conf.lxfw \
	contrib/slurm.conf.lxfw \
	tests/cluster/accounts.sh \
	tests/cluster/check-live \
	tests/cluster/cluster \
	tests/cluster/day \
	tests/cluster/day-route \
	tests/cluster/user.sh \
	tests/cluster/operations \
	tests/cluster/operations.py \
	tests/cluster/operations.sh \
	tests/cluster/demo \
	tests/cluster/demo-accounting.awk \
	tests/cluster/demo-adaptive \
	tests/cluster/demo-quantum \
	tests/cluster/demo-waits.awk \
	tests/cluster/demo.sh \
	tests/cluster/folder.sh \
	tests/cluster/hostile.sh \
	tests/cluster/hostile-requests.sh \
	tests/cluster/live-het.outcomes \
	tests/cluster/live-preempt.outcomes \
	tests/cluster/live-site.outcomes \
	tests/cluster/live.sh \
	tests/cluster/machine-picture.awk \
	tests/cluster/memory \
	tests/cluster/multifactor.awk \
	tests/cluster/memory.supp \
	tests/cluster/preempting.sh \
	tests/cluster/quantum.sh \
	tests/cluster/route.sh \
	tests/cluster/select.sh \
	tests/cluster/shapes.sh \
	tests/cluster/stream.sh \
	tests/cluster/shares-chart.awk \
	tests/cluster/shares.sh \
	tests/cluster/slurm-conf.sh \
	tests/cluster/soak \
	tests/cluster/soak-accounts.sh \
	tests/cluster/soak-het.sh \
	tests/cluster/soak-hostile \
	tests/cluster/soak-keep.sh \
	tests/cluster/soak-records.sh \
	tests/cluster/soak-share.sh \
	tests/cluster/slurm-testsuite \
	tests/cluster/slurm-testsuite.awk \
	tests/cluster/spank.sh \
	tests/cluster/trixie \
	tests/cluster/vm \
	tests/cluster/watch-days \
	tests/cluster/watch-days.py \
	tests/cluster/watch-days.sh

# Computes what jobs hold from a journal alone.
check_PROGRAMS += tests/cluster/audit_journal
tests_cluster_audit_journal_SOURCES = tests/cluster/audit_journal.c
tests_cluster_audit_journal_LDADD = liblxfw.la

# The program that jobs of the tests run.
check_PROGRAMS += tests/cluster/malleable
tests_cluster_malleable_SOURCES = tests/cluster/malleable.c
tests_cluster_malleable_LDFLAGS = $(AM_LDFLAGS) -pthread

check_PROGRAMS += tests/cluster/journal_shares
tests_cluster_journal_shares_SOURCES = tests/cluster/journal_shares.c
tests_cluster_journal_shares_LDADD = liblxfw.la

# Applies the model of priority/multifactor to what a controller did, for
# live-multifactor.sh.
check_PROGRAMS += tests/cluster/multifactor
tests_cluster_multifactor_SOURCES = tests/cluster/multifactor.c
tests_cluster_multifactor_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_cluster_multifactor_LDADD = $(frontend_libs)

# Kills the controller into which it is loaded, for live-quantum-death.sh.
if WITH_SLURM
check_LTLIBRARIES += tests/cluster/die_at.la
tests_cluster_die_at_la_SOURCES = tests/cluster/die_at.c
tests_cluster_die_at_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
# A library that is not installed is built as a shared one only if it has an rpath.
tests_cluster_die_at_la_LDFLAGS = -module -avoid-version -shared -rpath $(abs_builddir)

# Submits thousands of jobs in seconds, for live-hostile-sets.sh.
check_PROGRAMS += tests/cluster/flood
tests_cluster_flood_SOURCES = tests/cluster/flood.c
tests_cluster_flood_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) -D_DEFAULT_SOURCE
tests_cluster_flood_LDADD = $(SLURM_LIBS)
endif

# Run the live tests only, on the Slurm that this build is configured for. The script
# check-live runs them on another one.
check-live:
	$(MAKE) check TESTS='$(live_tests)' TEST_SUITE_LOG=test-suite-live.log

# The live tests with those functions that are too slow for `make check`, for instance all
# functions with both select plugins, and with more made logs for tune (before a release).
check-long:
	LXFW_SLOW=1 $(MAKE) check-live
	LXFW_SLOW=1 $(MAKE) check TEST_SUITE_LOG=test-suite-long.log \
		TESTS='tests/golden/tune-truth.sh tests/golden/tune-priorities.sh'

# Run all tests but the live ones. Both targets can run at the same time: the live tests
# mostly wait, and these compute.
check-offline:
	@tests=; \
	for test in $(TESTS); do \
		case ' $(live_tests) ' in \
		*" $$test "*) ;; \
		*) tests="$$tests $$test" ;; \
		esac; \
	done; \
	$(MAKE) check TESTS="$$tests" TEST_SUITE_LOG=test-suite-offline.log

# Run a live controller under valgrind (six minutes).
check-live-memory: all tests/cluster/malleable
	$(AM_TESTS_ENVIRONMENT) status=0; \
	$(srcdir)/tests/cluster/memory || status=$$?; \
	test $$status = 0 || test $$status = 77

# Run the live tests on Slurm 24.11, in a Debian 13 in a folder (root; some minutes).
check-trixie:
	$(AM_TESTS_ENVIRONMENT) status=0; \
	$(srcdir)/tests/cluster/trixie $${LXFW_TRIXIE:-trixie} || status=$$?; \
	test $$status = 0 || test $$status = 77

# Slurm's own tests of what a scheduler does, with sched/backfill and with our plugins
# (hours). Results are kept in slurm-testsuite of the build directory.
SLURM_TESTSUITE = stock lxfw lxfw-select
check-slurm-testsuite: all
	$(srcdir)/bootstrap --install-testsuite-deps
	$(AM_TESTS_ENVIRONMENT) LXFW_SLURM_SRC='$(SLURM_SRC)'; export LXFW_SLURM_SRC; \
	for one in $(SLURM_TESTSUITE); do \
		$(srcdir)/tests/cluster/slurm-testsuite run slurm-testsuite $$one || exit $$?; \
	done; \
	$(srcdir)/tests/cluster/slurm-testsuite table slurm-testsuite

# After check-trixie: cgroup v2 and cores of two threads, on a virtual machine (some
# minutes).
check-vm:
	$(AM_TESTS_ENVIRONMENT) status=0; \
	$(srcdir)/tests/cluster/vm $${LXFW_TRIXIE:-trixie} || status=$$?; \
	test $$status = 0 || test $$status = 77

# Replay some hours of a real machine, sixty times as fast (a quarter of an hour).
check-day: all
	$(AM_TESTS_ENVIRONMENT) status=0; \
	$(srcdir)/tests/cluster/day || status=$$?; \
	test $$status = 0 || test $$status = 77

# The same with jobs that count their work, without and with a quantum of ten minutes.
check-day-quantum: all
	$(AM_TESTS_ENVIRONMENT) status=0; \
	for quantum in 0 600; do \
		LXFW_DAY_QUANTUM=$$quantum $(srcdir)/tests/cluster/day || status=$$?; \
	done; \
	test $$status = 0 || test $$status = 77

# The same under the policies that suspend jobs. A node needs some seconds of real time to
# suspend a job.
check-day-preempting: all
	$(AM_TESTS_ENVIRONMENT) status=0; \
	for policy in remaining,lxfw_rem_min_run=600,lxfw_interval=600 \
		      pfcfs3,lxfw_pf_wide=25,lxfw_pf_free=25; do \
		LXFW_DAY_POLICY=lxfw_policy=$$policy $(srcdir)/tests/cluster/day || status=$$?; \
	done; \
	test $$status = 0 || test $$status = 77

# A trial in shadow mode, and the same jobs with the plugin (half an hour).
check-day-shadow: all
	$(AM_TESTS_ENVIRONMENT) status=0; \
	LXFW_DAY_SHADOW=yes $(srcdir)/tests/cluster/day || status=$$?; \
	test $$status = 0 || test $$status = 77

# The same with jobs that are moldable at their start.
check-day-moldable: all
	$(AM_TESTS_ENVIRONMENT) status=0; \
	LXFW_DAY_MOLDABLE=lxfw_policy=easy_moldable $(srcdir)/tests/cluster/day || status=$$?; \
	test $$status = 0 || test $$status = 77

# Two days of users' and an admin's operations, beside Slurm's own scheduler (48 minutes).
check-operations: all
	$(AM_TESTS_ENVIRONMENT) status=0; \
	$(srcdir)/tests/cluster/operations || status=$$?; \
	test $$status = 0 || test $$status = 77

# A day beside Slurm's own scheduler: expected starts and reasons, and what happened (half an hour).
check-watch-days: all
	$(AM_TESTS_ENVIRONMENT) status=0; \
	$(srcdir)/tests/cluster/watch-days || status=$$?; \
	test $$status = 0 || test $$status = 77

# Immediate service with random operations and kills (a quarter of an hour).
soak: all tests/cluster/audit_journal
	$(AM_TESTS_ENVIRONMENT) status=0; \
	$(srcdir)/tests/cluster/soak || status=$$?; \
	test $$status = 0 || test $$status = 77

# The same with EQspatial: adaptive and rigid jobs, with our select plugin by default,
# so that no core may ever have two jobs.
soak-shares: all
	$(AM_TESTS_ENVIRONMENT) status=0; \
	LXFW_SELECT=$${LXFW_SELECT:-cons_tres_lxfw} LXFW_SOAK_KIND=shares $(srcdir)/tests/cluster/soak || status=$$?; \
	test $$status = 0 || test $$status = 77

# A user with arbitrary requests and another user, under sched/lxfw and under Slurm's
# own scheduler (half an hour).
soak-hostile: all
	$(AM_TESTS_ENVIRONMENT) status=0; \
	$(srcdir)/tests/cluster/soak-hostile || status=$$?; \
	test $$status = 0 || test $$status = 77

# What bootstrap --demo runs.
demo-programs: lxfw sched_lxfw.la spank_lxfw.la tests/cluster/malleable tests/cluster/journal_shares

# Adaptive jobs: the same jobs under EQspatial and rigid (a minute and a half). Part 2 of
# bootstrap --demo.
demo-adaptive: demo-programs
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/cluster/demo-adaptive

# Immediate service: the same jobs without and with it (three minutes).
demo-quantum: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/cluster/demo-quantum

# Three clusters with one slurmdbd, and jobs that lxfw route shares among them, beside
# sbatch -M all and the simulation (twenty minutes).
demo-route: all
	$(AM_TESTS_ENVIRONMENT) status=0; \
	$(srcdir)/tests/cluster/day-route || status=$$?; \
	test $$status = 0 || test $$status = 77

.PHONY: check-live check-offline check-operations check-watch-days check-long check-live-memory check-slurm-testsuite check-trixie check-vm check-day check-day-quantum check-day-preempting check-day-moldable check-day-shadow soak soak-shares soak-hostile demo-adaptive demo-programs demo-quantum demo-route
