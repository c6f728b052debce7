# SPDX-License-Identifier: GPL-2.0-or-later
#
# libfrontend (everything but main, so that tests can link it) and the command.

noinst_LTLIBRARIES += libfrontend.la

libfrontend_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE

# Where the controller of this machine looks for plugins.
if WITH_SLURM
libfrontend_la_CPPFLAGS += -DLXFW_SLURM_PLUGINDIR='"$(SLURM_PLUGINDIR)"'
endif

libfrontend_la_CFLAGS = \
	$(AM_CFLAGS) \
	$(LXFW_LIB_CFLAGS) \
	$(CURL_CFLAGS) \
	$(JSON_CFLAGS) \
	$(JWT_CFLAGS) \
	$(SCRIPT_CFLAGS) \
	$(SQLITE_CFLAGS) \
	$(ZLIB_CFLAGS) \
	$(ARCHIVE_CFLAGS)

libfrontend_la_SOURCES = \
	$(parameter_sources) \
	sim-frontend/cmd/change.c \
	sim-frontend/cmd/check_conf.c \
	sim-frontend/cmd/cmd.c \
	sim-frontend/cmd/cmd.h \
	sim-frontend/cmd/compare.c \
	sim-frontend/cmd/compare.h \
	sim-frontend/cmd/compare_infer.c \
	sim-frontend/cmd/compare_infer.h \
	sim-frontend/cmd/compare_load.c \
	sim-frontend/cmd/compare_load.h \
	sim-frontend/cmd/compare_run.c \
	sim-frontend/cmd/describe.c \
	sim-frontend/cmd/files_apart.c \
	sim-frontend/cmd/files_apart.h \
	sim-frontend/cmd/generate.c \
	sim-frontend/cmd/grid.c \
	sim-frontend/cmd/import.c \
	sim-frontend/cmd/import_live.c \
	sim-frontend/cmd/import_live.h \
	sim-frontend/cmd/journal.c \
	sim-frontend/cmd/journals.c \
	sim-frontend/cmd/journals.h \
	sim-frontend/cmd/lxfw.c \
	sim-frontend/cmd/params.c \
	sim-frontend/cmd/replay.c \
	sim-frontend/cmd/replay_jobs.c \
	sim-frontend/cmd/replay_jobs.h \
	sim-frontend/cmd/replayer.c \
	sim-frontend/cmd/replayer.h \
	sim-frontend/cmd/reproduce.c \
	sim-frontend/cmd/reproduce_huang.c \
	sim-frontend/cmd/reproduce_huang.h \
	sim-frontend/cmd/reproduce_yahyapour.c \
	sim-frontend/cmd/reproduce_yahyapour.h \
	sim-frontend/cmd/scenario.c \
	sim-frontend/cmd/scenario.h \
	sim-frontend/cmd/scenario_outages.c \
	sim-frontend/cmd/scenario_outages.h \
	sim-frontend/cmd/simulate.c \
	sim-frontend/cmd/simulate_files.c \
	sim-frontend/cmd/simulate_files.h \
	sim-frontend/cmd/simulate_from.c \
	sim-frontend/cmd/simulate_from.h \
	sim-frontend/cmd/simulate_help.c \
	sim-frontend/cmd/simulate_help.h \
	sim-frontend/cmd/predict.c \
	sim-frontend/cmd/predict.h \
	sim-frontend/cmd/predict_evaluate.c \
	sim-frontend/cmd/predict_history.c \
	sim-frontend/cmd/predict_live.c \
	sim-frontend/cmd/predict_starts.c \
	sim-frontend/cmd/predict_tell.c \
	sim-frontend/cmd/priorities.c \
	sim-frontend/cmd/priorities.h \
	sim-frontend/cmd/site.c \
	sim-frontend/cmd/site.h \
	sim-frontend/cmd/study.c \
	sim-frontend/cmd/study.h \
	sim-frontend/cmd/tune.c \
	sim-frontend/cmd/tune_run.c \
	sim-frontend/cmd/tune_run.h \
	sim-frontend/cmd/verdict.c \
	sim-frontend/cmd/verdict.h \
	sim-frontend/cmd/snapshot.c \
	sim-frontend/cmd/status.c \
	sim-frontend/cmd/why.c \
	sim-frontend/cmd/why_collect.c \
	sim-frontend/cmd/why_collect.h \
	sim-frontend/cmd/why_finish.c \
	sim-frontend/cmd/why_folder.c \
	sim-frontend/cmd/why_folder.h \
	sim-frontend/conf/check.c \
	sim-frontend/conf/check.h \
	sim-frontend/conf/check_files.c \
	sim-frontend/conf/check_notes.c \
	sim-frontend/conf/check_parameters.c \
	sim-frontend/conf/check_resources.c \
	sim-frontend/conf/conf.c \
	sim-frontend/conf/conf.h \
	sim-frontend/conf/findings.c \
	sim-frontend/conf/findings.h \
	sim-frontend/conf/plugin_dirs.c \
	sim-frontend/conf/plugin_dirs.h \
	sim-frontend/conf/plugin_file.c \
	sim-frontend/conf/plugin_file.h \
	sim-frontend/engine/ends.c \
	sim-frontend/engine/ends.h \
	sim-frontend/engine/engine.c \
	sim-frontend/engine/engine.h \
	sim-frontend/engine/interruptions.c \
	sim-frontend/engine/interruptions.h \
	sim-frontend/engine/journal_writer.c \
	sim-frontend/engine/journal_writer.h \
	sim-frontend/engine/priorities.h \
	sim-frontend/engine/progress.c \
	sim-frontend/engine/progress.h \
	sim-frontend/engine/recorded.c \
	sim-frontend/engine/recorded.h \
	sim-frontend/engine/recorded_accounts.c \
	sim-frontend/engine/recorded_journal.c \
	sim-frontend/engine/recorded_run.c \
	sim-frontend/engine/recorded_stays.c \
	sim-frontend/engine/recorded_swf.c \
	sim-frontend/engine/request.c \
	sim-frontend/engine/request.h \
	sim-frontend/engine/series.c \
	sim-frontend/engine/series.h \
	sim-frontend/engine/simulation.c \
	sim-frontend/engine/simulation.h \
	sim-frontend/engine/speedup.c \
	sim-frontend/engine/speedup.h \
	sim-frontend/engine/submissions.c \
	sim-frontend/engine/submissions.h \
	sim-frontend/experiment/balasubramanian.c \
	sim-frontend/experiment/balasubramanian.h \
	sim-frontend/experiment/cell_claims.c \
	sim-frontend/experiment/cell_claims.h \
	sim-frontend/experiment/claims.c \
	sim-frontend/experiment/claims.h \
	sim-frontend/experiment/claims_table.c \
	sim-frontend/experiment/contender.c \
	sim-frontend/experiment/contender.h \
	sim-frontend/experiment/contest.c \
	sim-frontend/experiment/contest.h \
	sim-frontend/experiment/experiment.c \
	sim-frontend/experiment/experiment.h \
	sim-frontend/experiment/experiment_json.c \
	sim-frontend/experiment/experiment_print.c \
	sim-frontend/experiment/experiment_print.h \
	sim-frontend/experiment/gnuplot.c \
	sim-frontend/experiment/gnuplot.h \
	sim-frontend/experiment/huang.c \
	sim-frontend/experiment/huang.h \
	sim-frontend/experiment/huang_print.c \
	sim-frontend/experiment/huang_table.c \
	sim-frontend/experiment/observer.c \
	sim-frontend/experiment/observer.h \
	sim-frontend/experiment/plots.c \
	sim-frontend/experiment/plots.h \
	sim-frontend/experiment/plots_data.c \
	sim-frontend/experiment/plots_io.c \
	sim-frontend/experiment/plots_script.c \
	sim-frontend/experiment/runner.c \
	sim-frontend/experiment/runner.h \
	sim-frontend/experiment/spread.c \
	sim-frontend/experiment/spread.h \
	sim-frontend/experiment/tally.c \
	sim-frontend/experiment/tally.h \
	sim-frontend/experiment/yahyapour.c \
	sim-frontend/experiment/yahyapour.h \
	sim-frontend/experiment/yahyapour_claims.c \
	sim-frontend/experiment/yahyapour_grid.c \
	sim-frontend/experiment/yahyapour_grid.h \
	sim-frontend/experiment/yahyapour_grid_claims.c \
	sim-frontend/experiment/yahyapour_grid_print.c \
	sim-frontend/experiment/yahyapour_print.c \
	sim-frontend/experiment/yahyapour_table.c \
	sim-frontend/infer/ahead.c \
	sim-frontend/infer/ahead.h \
	sim-frontend/infer/apply.c \
	sim-frontend/infer/capacity.c \
	sim-frontend/infer/capacity.h \
	sim-frontend/infer/denials.c \
	sim-frontend/infer/denials.h \
	sim-frontend/infer/extent.c \
	sim-frontend/infer/holds.c \
	sim-frontend/infer/holds.h \
	sim-frontend/infer/infer.c \
	sim-frontend/infer/infer.h \
	sim-frontend/infer/limits.c \
	sim-frontend/infer/outages_file.c \
	sim-frontend/infer/outages_file.h \
	sim-frontend/infer/sweep.c \
	sim-frontend/infer/sweep.h \
	sim-frontend/metrics/fairness.c \
	sim-frontend/metrics/fairness.h \
	sim-frontend/metrics/goal.c \
	sim-frontend/metrics/goal.h \
	sim-frontend/metrics/groups.c \
	sim-frontend/metrics/groups.h \
	sim-frontend/metrics/metrics.c \
	sim-frontend/metrics/metrics.h \
	sim-frontend/metrics/passed.c \
	sim-frontend/metrics/passed.h \
	sim-frontend/metrics/resample.c \
	sim-frontend/metrics/resample.h \
	sim-frontend/metrics/start_delay.c \
	sim-frontend/metrics/start_delay.h \
	sim-frontend/metrics/table.c \
	sim-frontend/metrics/table.h \
	sim-frontend/metrics/timeline.c \
	sim-frontend/metrics/timeline.h \
	sim-frontend/metrics/unexplained.c \
	sim-frontend/metrics/unexplained.h \
	sim-frontend/metrics/verdict.c \
	sim-frontend/metrics/verdict.h \
	sim-frontend/grid/homes.c \
	sim-frontend/grid/homes.h \
	sim-frontend/grid/measure.c \
	sim-frontend/grid/measure.h \
	sim-frontend/grid/run.c \
	sim-frontend/grid/run.h \
	sim-frontend/grid/sites.c \
	sim-frontend/grid/sites.h \
	sim-frontend/predict/baselines.c \
	sim-frontend/predict/baselines.h \
	sim-frontend/predict/calibrate.c \
	sim-frontend/predict/calibrate.h \
	sim-frontend/predict/comments.c \
	sim-frontend/predict/comments.h \
	sim-frontend/predict/corrections_file.c \
	sim-frontend/predict/corrections_file.h \
	sim-frontend/predict/experience.c \
	sim-frontend/predict/experience.h \
	sim-frontend/predict/future.c \
	sim-frontend/predict/future.h \
	sim-frontend/predict/live.c \
	sim-frontend/predict/live.h \
	sim-frontend/predict/measured.c \
	sim-frontend/predict/measured.h \
	sim-frontend/predict/owners.c \
	sim-frontend/predict/owners.h \
	sim-frontend/predict/past.c \
	sim-frontend/predict/past.h \
	sim-frontend/predict/ran.c \
	sim-frontend/predict/ran.h \
	sim-frontend/predict/ran_file.c \
	sim-frontend/predict/ran_file.h \
	sim-frontend/predict/request_text.c \
	sim-frontend/predict/request_text.h \
	sim-frontend/predict/score.c \
	sim-frontend/predict/score.h \
	sim-frontend/predict/snapshot_check.c \
	sim-frontend/predict/snapshot_check.h \
	sim-frontend/predict/snapshot_fields.c \
	sim-frontend/predict/snapshot_fields.h \
	sim-frontend/predict/snapshot_file.c \
	sim-frontend/predict/snapshot_file.h \
	sim-frontend/predict/snapshot_read.c \
	sim-frontend/predict/snapshot_value.c \
	sim-frontend/predict/snapshot_value.h \
	sim-frontend/predict/snapshot_write.c \
	sim-frontend/predict/whatif.c \
	sim-frontend/predict/whatif.h \
	sim-frontend/predict/slurm_partitions.c \
	sim-frontend/predict/slurm_partitions.h \
	sim-frontend/predict/squeue.c \
	sim-frontend/predict/squeue.h \
	sim-frontend/predict/starts.c \
	sim-frontend/predict/starts.h \
	sim-frontend/predict/starts_file.c \
	sim-frontend/predict/starts_grid.c \
	sim-frontend/predict/starts_grid.h \
	sim-frontend/predict/told.c \
	sim-frontend/predict/told.h \
	sim-frontend/predict/walk.c \
	sim-frontend/predict/walk.h \
	sim-frontend/priority/assocs.c \
	sim-frontend/priority/assocs.h \
	sim-frontend/priority/assocs_read.c \
	sim-frontend/priority/dump.c \
	sim-frontend/priority/dump.h \
	sim-frontend/priority/factors.c \
	sim-frontend/priority/factors.h \
	sim-frontend/priority/fair.h \
	sim-frontend/priority/fair_classic.c \
	sim-frontend/priority/fair_tree.c \
	sim-frontend/priority/multifactor.c \
	sim-frontend/priority/multifactor.h \
	sim-frontend/priority/params.c \
	sim-frontend/priority/params.h \
	sim-frontend/priority/qos.c \
	sim-frontend/priority/qos.h \
	sim-frontend/priority/reset.c \
	sim-frontend/priority/reset.h \
	sim-frontend/priority/simulated.c \
	sim-frontend/priority/simulated.h \
	sim-frontend/priority/site.c \
	sim-frontend/priority/site.h \
	sim-frontend/priority/site_read.c \
	sim-frontend/priority/tres.c \
	sim-frontend/priority/tres.h \
	sim-frontend/priority/usage.c \
	sim-frontend/report/chart.c \
	sim-frontend/report/chart.h \
	sim-frontend/report/comparison.c \
	sim-frontend/report/comparison.h \
	sim-frontend/report/comparison_figures.c \
	sim-frontend/report/comparison_json.c \
	sim-frontend/report/comparison_measure.c \
	sim-frontend/report/comparison_page.c \
	sim-frontend/report/comparison_page.h \
	sim-frontend/report/comparison_schedules.c \
	sim-frontend/report/comparison_times.c \
	sim-frontend/report/comparison_verdict.c \
	sim-frontend/report/comparison_who.c \
	sim-frontend/report/description.c \
	sim-frontend/report/description.h \
	sim-frontend/report/description_json.c \
	sim-frontend/report/description_page.c \
	sim-frontend/report/description_page.h \
	sim-frontend/report/differences.c \
	sim-frontend/report/differences.h \
	sim-frontend/report/expected.c \
	sim-frontend/report/expected.h \
	sim-frontend/report/gantt.c \
	sim-frontend/report/gantt.h \
	sim-frontend/report/grid.h \
	sim-frontend/report/grid_page.c \
	sim-frontend/report/grid_print.c \
	sim-frontend/report/heat_map.c \
	sim-frontend/report/heat_map.h \
	sim-frontend/report/import_summary.c \
	sim-frontend/report/import_summary.h \
	sim-frontend/report/inference.c \
	sim-frontend/report/inference.h \
	sim-frontend/report/instead.c \
	sim-frontend/report/instead.h \
	sim-frontend/report/instead_page.c \
	sim-frontend/report/instead_text.c \
	sim-frontend/report/jobs_csv.c \
	sim-frontend/report/jobs_csv.h \
	sim-frontend/report/journal_text.c \
	sim-frontend/report/journal_text.h \
	sim-frontend/report/overhead_text.c \
	sim-frontend/report/overhead_text.h \
	sim-frontend/report/page.c \
	sim-frontend/report/page.h \
	sim-frontend/report/page_style.c \
	sim-frontend/report/predictions.c \
	sim-frontend/report/predictions.h \
	sim-frontend/report/report.c \
	sim-frontend/report/report.h \
	sim-frontend/report/series_csv.c \
	sim-frontend/report/series_csv.h \
	sim-frontend/report/several.c \
	sim-frontend/report/several.h \
	sim-frontend/report/several_json.c \
	sim-frontend/report/several_print.c \
	sim-frontend/report/simulation_figures.c \
	sim-frontend/report/simulation_page.c \
	sim-frontend/report/simulation_page.h \
	sim-frontend/report/simulation_schedules.c \
	sim-frontend/report/simulation_schedules.h \
	sim-frontend/report/svg.c \
	sim-frontend/report/svg.h \
	sim-frontend/report/tuning.c \
	sim-frontend/report/tuning.h \
	sim-frontend/report/tuning_cost.c \
	sim-frontend/report/tuning_figures.c \
	sim-frontend/report/tuning_json.c \
	sim-frontend/report/tuning_page.c \
	sim-frontend/report/tuning_page.h \
	sim-frontend/report/tuning_text.c \
	sim-frontend/report/tuning_text.h \
	sim-frontend/report/user_gains.c \
	sim-frontend/report/user_gains.h \
	sim-frontend/report/value_figures.c \
	sim-frontend/report/value_figures.h \
	sim-frontend/report/verdict_text.c \
	sim-frontend/report/verdict_text.h \
	sim-frontend/report/status.c \
	sim-frontend/report/status.h \
	sim-frontend/report/whatif.h \
	sim-frontend/report/whatif_figures.c \
	sim-frontend/report/whatif_page.c \
	sim-frontend/report/whatif_text.c \
	sim-frontend/report/why.c \
	sim-frontend/report/why.h \
	sim-frontend/report/why_json.c \
	sim-frontend/report/why_text.c \
	sim-frontend/report/window.c \
	sim-frontend/report/window.h \
	sim-frontend/rest/http.c \
	sim-frontend/rest/http.h \
	sim-frontend/rest/slurmrestd.c \
	sim-frontend/rest/slurmrestd.h \
	sim-frontend/rest/token.c \
	sim-frontend/rest/token.h \
	sim-frontend/script/script.c \
	sim-frontend/script/script.h \
	sim-frontend/trace/account.c \
	sim-frontend/trace/account.h \
	sim-frontend/trace/account_text.c \
	sim-frontend/trace/account_text.h \
	sim-frontend/trace/adaptive.c \
	sim-frontend/trace/adaptive.h \
	sim-frontend/trace/bytes.c \
	sim-frontend/trace/bytes.h \
	sim-frontend/trace/cluster.c \
	sim-frontend/trace/cluster.h \
	sim-frontend/trace/cluster_read.c \
	sim-frontend/trace/cluster_text.c \
	sim-frontend/trace/cluster_write.c \
	sim-frontend/trace/doubles.c \
	sim-frontend/trace/doubles.h \
	sim-frontend/trace/hostlist.c \
	sim-frontend/trace/hostlist.h \
	sim-frontend/trace/input.c \
	sim-frontend/trace/input.h \
	sim-frontend/trace/job_classes_text.c \
	sim-frontend/trace/job_classes_text.h \
	sim-frontend/trace/job_names.c \
	sim-frontend/trace/job_names.h \
	sim-frontend/trace/journal_read.c \
	sim-frontend/trace/journal_read.h \
	sim-frontend/trace/json_file.c \
	sim-frontend/trace/json_file.h \
	sim-frontend/trace/json_members.c \
	sim-frontend/trace/json_members.h \
	sim-frontend/trace/log.c \
	sim-frontend/trace/log.h \
	sim-frontend/trace/log_formats.c \
	sim-frontend/trace/log_formats.h \
	sim-frontend/trace/log_hosts.c \
	sim-frontend/trace/lsf.c \
	sim-frontend/trace/names.c \
	sim-frontend/trace/names.h \
	sim-frontend/trace/needs.c \
	sim-frontend/trace/needs.h \
	sim-frontend/trace/partitions.c \
	sim-frontend/trace/partitions.h \
	sim-frontend/trace/pbs.c \
	sim-frontend/trace/reservations.c \
	sim-frontend/trace/reservations.h \
	sim-frontend/trace/sacct.c \
	sim-frontend/trace/sacct.h \
	sim-frontend/trace/sacct_columns.c \
	sim-frontend/trace/sacct_fixed.c \
	sim-frontend/trace/sacct_record.c \
	sim-frontend/trace/sge.c \
	sim-frontend/trace/shake.c \
	sim-frontend/trace/shake.h \
	sim-frontend/trace/shipped.c \
	sim-frontend/trace/shipped.h \
	sim-frontend/trace/slurm_conf.c \
	sim-frontend/trace/slurm_json.c \
	sim-frontend/trace/slurm_lines.c \
	sim-frontend/trace/slurm_lines.h \
	sim-frontend/trace/slurm_node.c \
	sim-frontend/trace/slurm_node.h \
	sim-frontend/trace/slurm_nodes.c \
	sim-frontend/trace/stream.c \
	sim-frontend/trace/stream.h \
	sim-frontend/trace/swf.c \
	sim-frontend/trace/swf.h \
	sim-frontend/trace/swf_write.c \
	sim-frontend/trace/swf_write.h \
	sim-frontend/trace/trace.c \
	sim-frontend/trace/trace.h \
	sim-frontend/trace/trace_calendar.c \
	sim-frontend/trace/trace_calendar.h \
	sim-frontend/trace/trace_needs.c \
	sim-frontend/trace/tres.c \
	sim-frontend/trace/tres.h \
	sim-frontend/tune/about.c \
	sim-frontend/tune/array.c \
	sim-frontend/tune/array.h \
	sim-frontend/tune/choose.c \
	sim-frontend/tune/choose.h \
	sim-frontend/tune/confirm.c \
	sim-frontend/tune/confirm.h \
	sim-frontend/tune/finals.c \
	sim-frontend/tune/finals.h \
	sim-frontend/tune/judge.c \
	sim-frontend/tune/judge.h \
	sim-frontend/tune/part.c \
	sim-frontend/tune/part.h \
	sim-frontend/tune/priorities.c \
	sim-frontend/tune/priorities.h \
	sim-frontend/tune/rank.c \
	sim-frontend/tune/rank.h \
	sim-frontend/tune/search.c \
	sim-frontend/tune/search.h \
	sim-frontend/tune/space.c \
	sim-frontend/tune/space.h \
	sim-frontend/tune/state.c \
	sim-frontend/tune/state.h \
	sim-frontend/tune/trial.c \
	sim-frontend/tune/trial.h \
	sim-frontend/tune/tuning.c \
	sim-frontend/tune/tuning.h \
	sim-frontend/tune/values.c \
	sim-frontend/tune/weeks.c \
	sim-frontend/tune/weeks.h \
	sim-frontend/util/calendar.c \
	sim-frontend/util/calendar.h \
	sim-frontend/util/format.c \
	sim-frontend/util/format.h \
	sim-frontend/util/json_out.c \
	sim-frontend/util/json_out.h \
	sim-frontend/util/metrics_text.c \
	sim-frontend/util/metrics_text.h \
	sim-frontend/util/output.c \
	sim-frontend/util/output.h \
	sim-frontend/util/pool.c \
	sim-frontend/util/pool.h \
	sim-frontend/util/program.c \
	sim-frontend/util/program.h \
	sim-frontend/util/random.c \
	sim-frontend/util/random.h \
	sim-frontend/util/statistics.c \
	sim-frontend/util/statistics.h \
	sim-frontend/util/text.c \
	sim-frontend/util/text.h \
	sim-frontend/util/zone.c \
	sim-frontend/util/zone.h \
	sim-frontend/workload/character.c \
	sim-frontend/workload/character.h \
	sim-frontend/workload/estimates.c \
	sim-frontend/workload/estimates.h \
	sim-frontend/workload/estimates_modal.c \
	sim-frontend/workload/load.c \
	sim-frontend/workload/load.h \
	sim-frontend/workload/lublin.c \
	sim-frontend/workload/lublin.h \
	sim-frontend/workload/ncsa_o2k.c \
	sim-frontend/workload/ncsa_o2k.h \
	sim-frontend/workload/ncsa_o2k_check.c \
	sim-frontend/workload/ncsa_o2k_check.h \
	sim-frontend/workload/ncsa_o2k_table.c \
	sim-frontend/workload/remade.c \
	sim-frontend/workload/remade.h \
	sim-frontend/workload/week_map.c \
	sim-frontend/workload/week_map.h

# Policies from files need Lua and a digest.
script_sources = \
	sim-frontend/script/script_lua.c \
	sim-frontend/script/script_module.c
if HAVE_SCRIPTS
libfrontend_la_SOURCES += $(script_sources)
else
EXTRA_DIST += $(script_sources)
endif

# Machines that the command knows by name: the very files that are installed.
shipped_files = \
	contrib/ncsa-o2k.classes \
	contrib/ncsa-o2k.cluster

dist_pkgdata_DATA += $(shipped_files)
EXTRA_DIST += sim-frontend/trace/shipped.sh
nodist_libfrontend_la_SOURCES = sim-frontend/trace/shipped_files.c
CLEANFILES += sim-frontend/trace/shipped_files.c

sim-frontend/trace/shipped_files.c: sim-frontend/trace/shipped.sh $(shipped_files)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	(cd $(srcdir) && sh sim-frontend/trace/shipped.sh $(shipped_files)) >$@.tmp && \
	mv $@.tmp $@

libfrontend_la_LIBADD = \
	liblxfw.la \
	$(CURL_LIBS) \
	$(JSON_LIBS) \
	$(JWT_LIBS) \
	$(SCRIPT_LIBS) \
	$(SQLITE_LIBS) \
	$(ZLIB_LIBS) \
	$(ARCHIVE_LIBS) \
	$(MATH_LIBS) \
	$(THREAD_LIBS)

bin_PROGRAMS += lxfw
lxfw_SOURCES = sim-frontend/main.c
lxfw_CFLAGS = $(libfrontend_la_CFLAGS)
lxfw_LDADD = libfrontend.la

# Policies in Lua to begin with.
policiesdir = $(pkgdatadir)/policies
dist_policies_DATA = \
	contrib/policies/list.lua \
	contrib/policies/lxfw.lua

# A dashboard of the plugin's metrics.
grafanadir = $(pkgdatadir)/grafana
dist_grafana_DATA = contrib/grafana/lxfw.json

# Where bash-completion looks for it.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = contrib/completions/lxfw
