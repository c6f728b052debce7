# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden tests: schedules and messages that the command must reproduce.

golden_tests = \
	tests/golden/answers.sh \
	tests/golden/bad-input.sh \
	tests/golden/blocked.sh \
	tests/golden/check-conf.sh \
	tests/golden/check-conf-pbs.sh \
	tests/golden/check-conf-lines.sh \
	tests/golden/check-conf-release.sh \
	tests/golden/check-conf-whole.sh \
	tests/golden/compare.sh \
	tests/golden/datasets.sh \
	tests/golden/decisions.sh \
	tests/golden/demo.sh \
	tests/golden/describe.sh \
	tests/golden/feedback.sh \
	tests/golden/figures.sh \
	tests/golden/format-2.sh \
	tests/golden/format-3.sh \
	tests/golden/formats.sh \
	tests/golden/batch.sh \
	tests/golden/gpus.sh \
	tests/golden/grid-adaptive.sh \
	tests/golden/grid-audit.sh \
	tests/golden/grid.sh \
	tests/golden/grid-request.sh \
	tests/golden/guide.sh \
	tests/golden/market.sh \
	tests/golden/neighbours.sh \
	tests/golden/no-reserve.sh \
	tests/golden/odd.sh \
	tests/golden/real-files.sh \
	tests/golden/causes.sh \
	tests/golden/occupancy.sh \
	tests/golden/described.sh \
	tests/golden/no-end.sh \
	tests/golden/het.sh \
	tests/golden/import-clusters.sh \
	tests/golden/htcondor.sh \
	tests/golden/import-https.sh \
	tests/golden/import-large.sh \
	tests/golden/import-needs.sh \
	tests/golden/import-odd.sh \
	tests/golden/import.sh \
	tests/golden/import-samples.sh \
	tests/golden/import-zones.sh \
	tests/golden/inference.sh \
	tests/golden/instead.sh \
	tests/golden/interrupted.sh \
	tests/golden/journal.sh \
	tests/golden/letters.sh \
	tests/golden/licenses.sh \
	tests/golden/list.sh \
	tests/golden/made.sh \
	tests/golden/maui.sh \
	tests/golden/mixed.sh \
	tests/golden/pages.sh \
	tests/golden/pbs-amounts.sh \
	tests/golden/pbs-formula.sh \
	tests/golden/pbs-snapshot.sh \
	tests/golden/params.sh \
	tests/golden/memory.sh \
	tests/golden/moldable.sh \
	tests/golden/pfcfs.sh \
	tests/golden/remaining.sh \
	tests/golden/policy-file.sh \
	tests/golden/predict.sh \
	tests/golden/predict-live.sh \
	tests/golden/predict-moments.sh \
	tests/golden/inputs.sh \
	tests/golden/predict-site.sh \
	tests/golden/estimates.sh \
	tests/golden/faults.sh \
	tests/golden/history.sh \
	tests/golden/route.sh \
	tests/golden/starts.sh \
	tests/golden/publish.sh \
	tests/golden/tell.sh \
	tests/golden/reference.sh \
	tests/golden/report.sh \
	tests/golden/requests.sh \
	tests/golden/reproduce.sh \
	tests/golden/reproduce-collins.sh \
	tests/golden/reproduce-huang-grid.sh \
	tests/golden/reproduce-huang.sh \
	tests/golden/yahyapour.sh \
	tests/golden/schedule-out.sh \
	tests/golden/schedules.sh \
	tests/golden/site-priorities.sh \
	tests/golden/site.sh \
	tests/golden/study.sh \
	tests/golden/tune.sh \
	tests/golden/tune-advice.sh \
	tests/golden/tune-array.sh \
	tests/golden/tune-text.sh \
	tests/golden/tune-trial.sh \
	tests/golden/tables.sh \
	tests/golden/squeue.sh \
	tests/golden/batsim.sh \
	tests/golden/philly.sh \
	tests/golden/jobcomp.sh \
	tests/golden/tiers.sh \
	tests/golden/tune-priorities.sh \
	tests/golden/tune-truth.sh \
	tests/golden/unknown-keys.sh \
	tests/golden/verdict.sh \
	tests/golden/slurm-rule.sh \
	tests/golden/slurm-sim.sh \
	tests/golden/snapshot.sh \
	tests/golden/status.sh \
	tests/golden/watch-gpus.sh \
	tests/golden/watch-private.sh \
	tests/golden/watch-site.sh \
	tests/golden/watch-why.sh \
	tests/golden/watch-het.sh \
	tests/golden/watch-long.sh \
	tests/golden/watch-pbs.sh \
	tests/golden/watch.sh \
	tests/golden/why-kept.sh \
	tests/golden/why.sh

TESTS += $(golden_tests)

EXTRA_DIST += \
	$(golden_tests) \
	tests/golden/decisions.sha256 \
	tests/golden/inputs.table \
	tests/golden/unlike.py \
	tests/golden/bad-decision.jnl \
	tests/golden/no-end.jnl \
	tests/golden/corrected/double-equals.conf \
	tests/golden/corrected/down-nodes.conf \
	tests/golden/corrected/gpu-types.conf \
	tests/golden/corrected/include-name.conf \
	tests/golden/corrected/linear-memory.conf \
	tests/golden/corrected/lower-case.conf \
	tests/golden/corrected/made.awk \
	tests/golden/corrected/memory-per-gpu.conf \
	tests/golden/corrected/memory-without-nodes.conf \
	tests/golden/corrected/moved-parameters.conf \
	tests/golden/corrected/no-select-parameters.conf \
	tests/golden/corrected/no-select-type.conf \
	tests/golden/corrected/no-time-limit.conf \
	tests/golden/corrected/nodes-without-memory.conf \
	tests/golden/corrected/select-flags.conf \
	tests/golden/corrected/unknown-nodes.conf \
	tests/golden/corrected/whole-nodes.conf \
	tests/golden/corrected/xx_nodes \
	tests/golden/described/allocated-memory.conf \
	tests/golden/described/allocated-memory.sacct \
	tests/golden/described/cpus-and-procs.conf \
	tests/golden/described/down-nodes.conf \
	tests/golden/described/down-states.conf \
	tests/golden/described/gpu-types.conf \
	tests/golden/described/gpu-types.sacct \
	tests/golden/described/gres-kinds.conf \
	tests/golden/described/gres-kinds.sacct \
	tests/golden/described/gpu-vnodes.pbs \
	tests/golden/described/gpu-vnodes.qmgr \
	tests/golden/described/lower-case.conf \
	tests/golden/described/max-cpus-per-node.conf \
	tests/golden/described/max-cpus-per-node.sacct \
	tests/golden/described/max-cpus-per-socket.conf \
	tests/golden/described/max-cpus-per-socket.sacct \
	tests/golden/described/no-gpus-in-log.conf \
	tests/golden/described/no-select-type.conf \
	tests/golden/described/node-set-feature.conf \
	tests/golden/described/node-sets.conf \
	tests/golden/described/node-sets.sacct \
	tests/golden/described/processors.conf \
	tests/golden/described/uneven-vnodes.hosts \
	tests/golden/described/uneven-vnodes.pbs \
	tests/golden/described/unlike-nodes.conf \
	tests/golden/described/unlike-nodes.sacct \
	tests/golden/described/whole-nodes.conf \
	tests/golden/odd/array.json \
	tests/golden/odd/batsim.json \
	tests/golden/odd/colon-in-name.sge \
	tests/golden/odd/commas.sacct \
	tests/golden/odd/cut-record.pbs \
	tests/golden/odd/error-first.sacct \
	tests/golden/odd/fractions.pbs \
	tests/golden/odd/grid.gwf \
	tests/golden/odd/headerless-short.sacct \
	tests/golden/odd/headerless.sacct \
	tests/golden/odd/ids.csv \
	tests/golden/odd/jobcomp.txt \
	tests/golden/odd/lists.sacct \
	tests/golden/odd/names.csv \
	tests/golden/odd/negative-elapsed.sacct \
	tests/golden/odd/offsets.sacct \
	tests/golden/odd/quoted.sacct \
	tests/golden/odd/raw.sacct \
	tests/golden/odd/show-job.txt \
	tests/golden/odd/squeue.json \
	tests/golden/odd/start-1970.sacct \
	tests/golden/odd/torque-slots.pbs \
	tests/golden/odd/torque.qmgr \
	tests/golden/real-files.table \
	tests/golden/odd/tabs.sacct \
	tests/golden/slurm-rule-1.swf.gz \
	tests/golden/slurm-rule-2.swf.gz \
	tests/golden/slurm-rule-3.swf.gz \
	tests/golden/format-2/classes.jnl \
	tests/golden/format-2/conservative.jnl \
	tests/golden/format-2/easy-all.jnl \
	tests/golden/format-2/easy.jnl \
	tests/golden/format-2/eqspatial-full.jnl \
	tests/golden/format-2/eqspatial.jnl \
	tests/golden/format-2/fcfs.jnl \
	tests/golden/format-2/lxfw-quantum.jnl \
	tests/golden/format-2/lxfw-reservations.jnl \
	tests/golden/format-2/lxfw.jnl \
	tests/golden/format-2/priority-soon.jnl \
	tests/golden/format-2/priority.jnl \
	tests/golden/format-2/sjf-reservations.jnl \
	tests/golden/format-2/sjf.jnl \
	tests/golden/format-3/licenses.jnl \
	tests/golden/golden.sh \
	tests/golden/played.sh \
	tests/golden/imported.sh \
	tests/golden/measured.sh \
	tests/golden/page.sh \
	tests/golden/moldable.py \
	tests/golden/blocked.py \
	tests/golden/batch.py \
	tests/golden/causes.py \
	tests/golden/occupancy.py \
	tests/golden/rack.py \
	tests/golden/feedback.py \
	tests/golden/grid.py \
	tests/golden/market.py \
	tests/golden/grid_adaptive.py \
	tests/golden/grid_audit.py \
	tests/golden/neighbours.py \
	tests/golden/pfcfs.py \
	tests/golden/remaining.py \
	tests/golden/site.py \
	tests/golden/yahyapour.py

# Policies in shared objects, for policy-file.sh.
EXTRA_DIST += tests/golden/policy_module.c
if HAVE_SCRIPTS
check_LTLIBRARIES += policy_module.la policy_module_other.la policy_module_preset.la
policy_module_la_SOURCES = tests/golden/policy_module.c
policy_module_la_LDFLAGS = $(policy_module_flags)
policy_module_other_la_SOURCES = tests/golden/policy_module.c
policy_module_other_la_CPPFLAGS = $(AM_CPPFLAGS) -DOTHER_ABI=99
policy_module_other_la_LDFLAGS = $(policy_module_flags)
policy_module_preset_la_SOURCES = tests/golden/policy_module.c
policy_module_preset_la_CPPFLAGS = $(AM_CPPFLAGS) -DPRESET='"lxfw_policy=easy"'
policy_module_preset_la_LDFLAGS = $(policy_module_flags)
endif
# Preloaded into the command, for faults.sh.
check_LTLIBRARIES += failing_files.la
failing_files_la_SOURCES = tests/golden/failing_files.c
failing_files_la_LDFLAGS = $(policy_module_flags)

# An allocator that fails, for memory.sh. It is built without sanitizers, which have their own.
EXTRA_DIST += tests/golden/fail_memory.c
check_LTLIBRARIES += fail_memory.la
fail_memory_la_SOURCES = tests/golden/fail_memory.c
fail_memory_la_CFLAGS = $(LXFW_CFLAGS)
fail_memory_la_LIBADD = -ldl
fail_memory_la_LDFLAGS = -module -avoid-version -shared -rpath $(abs_builddir)
# A library that is not installed is built as a shared one only if it has an rpath.
policy_module_flags = $(AM_LDFLAGS) -module -avoid-version -shared -rpath $(abs_builddir)
