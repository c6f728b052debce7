# SPDX-License-Identifier: GPL-2.0-or-later
#
# A fuzz target consists of tests/fuzz/fuzz_NAME.c, NAME.dict and corpus/NAME. In an
# ordinary build, each target is a test that runs its corpus. With --enable-fuzzers,
# which needs CC=clang, each target is a libFuzzer program.
#
# 'make check-fuzz' runs each of the targets for FUZZ_SECONDS. In an ordinary build, it
# configures and builds them in fuzz-build first.

FUZZ_SECONDS = 60
FUZZ_CC = clang

fuzz_names = \
	adaptive \
	agent \
	ask \
	batsim \
	classes \
	cluster \
	estimates \
	formula \
	jobcomp \
	journal \
	lists \
	lsf \
	multifactor \
	node \
	outages \
	params \
	pbs \
	pbs_conf \
	pbs_files \
	pbs_site \
	philly \
	quanta \
	replay \
	route \
	sacct \
	scontrol \
	script \
	slurm_sim \
	maui \
	htcondor \
	table \
	sge \
	site \
	graph \
	nwire \
	sites \
	gres \
	slurm_conf \
	slurm_json \
	snapshot \
	told \
	feedback \
	swf \
	tune \
	watch

fuzz_common = \
	tests/fuzz/fuzz.h

fuzz_accounts_sources = \
	$(fuzz_common) \
	tests/fuzz/accounts.c \
	tests/fuzz/accounts.h

fuzz_adaptive_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_adaptive.c

fuzz_agent_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_agent.c \
	tests/unit/fake_truth.c \
	tests/unit/fake_truth.h \
	tests/unit/fake_wlm.c \
	tests/unit/fake_wlm.h \
	tests/unit/fake_world.c

fuzz_ask_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_ask.c \
	tests/fuzz/repair.c \
	tests/fuzz/repair.h

fuzz_classes_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_classes.c

fuzz_cluster_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_cluster.c

fuzz_route_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_route.c

fuzz_graph_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_graph.c

fuzz_nwire_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_nwire.c

fuzz_sites_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_sites.c

fuzz_estimates_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_estimates.c

fuzz_formula_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_formula.c

fuzz_journal_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_journal.c \
	tests/fuzz/repair.c \
	tests/fuzz/repair.h

fuzz_multifactor_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_multifactor.c

fuzz_node_cppflags = $(AM_CPPFLAGS) -D_GNU_SOURCE
fuzz_node_sources = \
	$(fuzz_common) \
	plugins/slurm/spank-lxfw/cpu_list.c \
	plugins/slurm/spank-lxfw/cpu_list.h \
	plugins/slurm/spank-lxfw/options.c \
	plugins/slurm/spank-lxfw/options.h \
	plugins/slurm/spank-lxfw/processes.c \
	plugins/slurm/spank-lxfw/processes.h \
	plugins/slurm/spank-lxfw/share.c \
	plugins/slurm/spank-lxfw/share.h \
	tests/fuzz/fuzz_node.c

fuzz_params_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_params.c

fuzz_outages_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_outages.c

fuzz_script_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_script.c

fuzz_watch_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_watch.c

fuzz_lists_sources = \
	$(fuzz_common) \
	plugins/agent/kept_file.c \
	plugins/agent/kept_file.h \
	plugins/agent/whole_file.c \
	plugins/agent/whole_file.h \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_lists.c

fuzz_pbs_files_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_pbs_files.c

fuzz_pbs_conf_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_pbs_conf.c

fuzz_pbs_site_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_pbs_site.c

fuzz_quanta_sources = \
	$(fuzz_common) \
	plugins/agent/quanta_file.c \
	plugins/agent/quanta_file.h \
	plugins/agent/whole_file.c \
	plugins/agent/whole_file.h \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_quanta.c

fuzz_replay_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_replay.c \
	tests/fuzz/repair.c \
	tests/fuzz/repair.h

fuzz_feedback_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_feedback.c

fuzz_swf_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_swf.c

fuzz_lsf_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_lsf.c

fuzz_pbs_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_pbs.c

fuzz_sacct_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_sacct.c

fuzz_scontrol_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_scontrol.c

fuzz_slurm_sim_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_slurm_sim.c

fuzz_maui_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_maui.c

fuzz_htcondor_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_htcondor.c

fuzz_batsim_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_batsim.c

fuzz_jobcomp_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_jobcomp.c

fuzz_philly_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_philly.c

fuzz_table_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_table.c

fuzz_sge_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_sge.c

fuzz_site_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_site.c

fuzz_gres_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_gres.c

fuzz_slurm_conf_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_slurm_conf.c

fuzz_slurm_json_sources = \
	$(fuzz_accounts_sources) \
	tests/fuzz/fuzz_slurm_json.c

fuzz_snapshot_sources = \
	$(fuzz_common) \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	tests/fuzz/fuzz_snapshot.c

fuzz_told_sources = \
	tests/fuzz/file.c \
	tests/fuzz/file.h \
	$(fuzz_common) \
	tests/fuzz/fuzz_told.c

fuzz_tune_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_tune.c

fuzz_job_record_sources = \
	$(fuzz_common) \
	tests/fuzz/fuzz_job_record.c \
	tests/unit/bridge_pass.h \
	tests/unit/hostile_job.c \
	tests/unit/hostile_job.h
EXTRA_DIST += $(fuzz_job_record_sources)

# It uses the simulated controller of the unit tests.
if WITH_CONTROLLER
fuzz_names += job_record
endif

if ENABLE_FUZZERS

fuzz_programs = \
	tests/fuzz/fuzz_adaptive \
	tests/fuzz/fuzz_agent \
	tests/fuzz/fuzz_ask \
	tests/fuzz/fuzz_batsim \
	tests/fuzz/fuzz_classes \
	tests/fuzz/fuzz_cluster \
	tests/fuzz/fuzz_graph \
	tests/fuzz/fuzz_nwire \
	tests/fuzz/fuzz_route \
	tests/fuzz/fuzz_sites \
	tests/fuzz/fuzz_estimates \
	tests/fuzz/fuzz_jobcomp \
	tests/fuzz/fuzz_formula \
	tests/fuzz/fuzz_journal \
	tests/fuzz/fuzz_multifactor \
	tests/fuzz/fuzz_node \
	tests/fuzz/fuzz_params \
	tests/fuzz/fuzz_quanta \
	tests/fuzz/fuzz_replay \
	tests/fuzz/fuzz_lsf \
	tests/fuzz/fuzz_pbs \
	tests/fuzz/fuzz_philly \
	tests/fuzz/fuzz_script \
	tests/fuzz/fuzz_outages \
	tests/fuzz/fuzz_lists \
	tests/fuzz/fuzz_watch \
	tests/fuzz/fuzz_pbs_files \
	tests/fuzz/fuzz_pbs_conf \
	tests/fuzz/fuzz_pbs_site \
	tests/fuzz/fuzz_sacct \
	tests/fuzz/fuzz_scontrol \
	tests/fuzz/fuzz_slurm_sim \
	tests/fuzz/fuzz_maui \
	tests/fuzz/fuzz_htcondor \
	tests/fuzz/fuzz_table \
	tests/fuzz/fuzz_sge \
	tests/fuzz/fuzz_site \
	tests/fuzz/fuzz_gres \
	tests/fuzz/fuzz_slurm_conf \
	tests/fuzz/fuzz_slurm_json \
	tests/fuzz/fuzz_snapshot \
	tests/fuzz/fuzz_told \
	tests/fuzz/fuzz_feedback \
	tests/fuzz/fuzz_swf \
	tests/fuzz/fuzz_tune

EXTRA_PROGRAMS += $(fuzz_programs)
fuzz_ldflags = $(AM_LDFLAGS) $(LXFW_FUZZ_LDFLAGS)

tests_fuzz_fuzz_adaptive_SOURCES = $(fuzz_adaptive_sources)
tests_fuzz_fuzz_adaptive_LDADD = $(frontend_libs)
tests_fuzz_fuzz_adaptive_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_agent_SOURCES = $(fuzz_agent_sources)
tests_fuzz_fuzz_agent_CPPFLAGS = $(AM_CPPFLAGS) -D_DEFAULT_SOURCE
tests_fuzz_fuzz_agent_LDADD = libagent.la liblxfw.la
tests_fuzz_fuzz_agent_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_ask_SOURCES = $(fuzz_ask_sources)
tests_fuzz_fuzz_ask_LDADD = $(frontend_libs)
tests_fuzz_fuzz_ask_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_classes_SOURCES = $(fuzz_classes_sources)
tests_fuzz_fuzz_classes_LDADD = $(frontend_libs)
tests_fuzz_fuzz_classes_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_cluster_SOURCES = $(fuzz_cluster_sources)
tests_fuzz_fuzz_cluster_LDADD = $(frontend_libs)
tests_fuzz_fuzz_cluster_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_route_SOURCES = $(fuzz_route_sources)
tests_fuzz_fuzz_route_LDADD = $(frontend_libs)
tests_fuzz_fuzz_route_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_graph_SOURCES = $(fuzz_graph_sources)
tests_fuzz_fuzz_graph_LDADD = $(frontend_libs)
tests_fuzz_fuzz_graph_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_nwire_SOURCES = $(fuzz_nwire_sources)
tests_fuzz_fuzz_nwire_LDADD = $(frontend_libs)
tests_fuzz_fuzz_nwire_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_sites_SOURCES = $(fuzz_sites_sources)
tests_fuzz_fuzz_sites_LDADD = $(frontend_libs)
tests_fuzz_fuzz_sites_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_estimates_SOURCES = $(fuzz_estimates_sources)
tests_fuzz_fuzz_estimates_LDADD = $(frontend_libs)
tests_fuzz_fuzz_estimates_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_formula_SOURCES = $(fuzz_formula_sources)
tests_fuzz_fuzz_formula_LDADD = $(frontend_libs)
tests_fuzz_fuzz_formula_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_journal_SOURCES = $(fuzz_journal_sources)
tests_fuzz_fuzz_journal_LDADD = $(frontend_libs)
tests_fuzz_fuzz_journal_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_multifactor_SOURCES = $(fuzz_multifactor_sources)
tests_fuzz_fuzz_multifactor_LDADD = $(frontend_libs)
tests_fuzz_fuzz_multifactor_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_node_SOURCES = $(fuzz_node_sources)
tests_fuzz_fuzz_node_CPPFLAGS = $(fuzz_node_cppflags)
tests_fuzz_fuzz_node_LDADD = liblxfw.la
tests_fuzz_fuzz_node_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_params_SOURCES = $(fuzz_params_sources)
tests_fuzz_fuzz_params_LDADD = liblxfw.la
tests_fuzz_fuzz_params_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_script_SOURCES = $(fuzz_script_sources)
tests_fuzz_fuzz_script_LDADD = $(frontend_libs)
tests_fuzz_fuzz_script_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_outages_SOURCES = $(fuzz_outages_sources)
tests_fuzz_fuzz_outages_LDADD = $(frontend_libs)
tests_fuzz_fuzz_outages_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_watch_SOURCES = $(fuzz_watch_sources)
tests_fuzz_fuzz_watch_LDADD = $(frontend_libs)
tests_fuzz_fuzz_watch_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_lists_SOURCES = $(fuzz_lists_sources)
tests_fuzz_fuzz_lists_LDADD = $(frontend_libs)
tests_fuzz_fuzz_lists_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_pbs_files_SOURCES = $(fuzz_pbs_files_sources)
tests_fuzz_fuzz_pbs_files_CPPFLAGS = $(AM_CPPFLAGS) -D_DEFAULT_SOURCE
tests_fuzz_fuzz_pbs_files_LDADD = libpbsd.la libagent.la liblxfw.la -lm
tests_fuzz_fuzz_pbs_files_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_pbs_conf_SOURCES = $(fuzz_pbs_conf_sources)
tests_fuzz_fuzz_pbs_conf_LDADD = $(frontend_libs)
tests_fuzz_fuzz_pbs_conf_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_pbs_site_SOURCES = $(fuzz_pbs_site_sources)
tests_fuzz_fuzz_pbs_site_CPPFLAGS = $(AM_CPPFLAGS) -D_DEFAULT_SOURCE
tests_fuzz_fuzz_pbs_site_LDADD = libpbsd.la libagent.la liblxfw.la -lm
tests_fuzz_fuzz_pbs_site_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_quanta_SOURCES = $(fuzz_quanta_sources)
tests_fuzz_fuzz_quanta_LDADD = liblxfw.la
tests_fuzz_fuzz_quanta_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_replay_SOURCES = $(fuzz_replay_sources)
tests_fuzz_fuzz_replay_LDADD = liblxfw.la
tests_fuzz_fuzz_replay_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_lsf_SOURCES = $(fuzz_lsf_sources)
tests_fuzz_fuzz_lsf_LDADD = $(frontend_libs)
tests_fuzz_fuzz_lsf_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_pbs_SOURCES = $(fuzz_pbs_sources)
tests_fuzz_fuzz_pbs_LDADD = $(frontend_libs)
tests_fuzz_fuzz_pbs_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_sacct_SOURCES = $(fuzz_sacct_sources)
tests_fuzz_fuzz_sacct_LDADD = $(frontend_libs)
tests_fuzz_fuzz_sacct_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_scontrol_SOURCES = $(fuzz_scontrol_sources)
tests_fuzz_fuzz_scontrol_LDADD = $(frontend_libs)
tests_fuzz_fuzz_scontrol_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_slurm_sim_SOURCES = $(fuzz_slurm_sim_sources)
tests_fuzz_fuzz_slurm_sim_LDADD = $(frontend_libs)
tests_fuzz_fuzz_slurm_sim_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_maui_SOURCES = $(fuzz_maui_sources)
tests_fuzz_fuzz_maui_LDADD = $(frontend_libs)
tests_fuzz_fuzz_maui_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_htcondor_SOURCES = $(fuzz_htcondor_sources)
tests_fuzz_fuzz_htcondor_LDADD = $(frontend_libs)
tests_fuzz_fuzz_htcondor_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_batsim_SOURCES = $(fuzz_batsim_sources)
tests_fuzz_fuzz_batsim_LDADD = $(frontend_libs)
tests_fuzz_fuzz_batsim_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_jobcomp_SOURCES = $(fuzz_jobcomp_sources)
tests_fuzz_fuzz_jobcomp_LDADD = $(frontend_libs)
tests_fuzz_fuzz_jobcomp_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_philly_SOURCES = $(fuzz_philly_sources)
tests_fuzz_fuzz_philly_LDADD = $(frontend_libs)
tests_fuzz_fuzz_philly_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_table_SOURCES = $(fuzz_table_sources)
tests_fuzz_fuzz_table_LDADD = $(frontend_libs)
tests_fuzz_fuzz_table_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_sge_SOURCES = $(fuzz_sge_sources)
tests_fuzz_fuzz_sge_LDADD = $(frontend_libs)
tests_fuzz_fuzz_sge_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_site_SOURCES = $(fuzz_site_sources)
tests_fuzz_fuzz_site_LDADD = $(frontend_libs)
tests_fuzz_fuzz_site_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_gres_SOURCES = $(fuzz_gres_sources)
tests_fuzz_fuzz_gres_LDADD = $(frontend_libs)
tests_fuzz_fuzz_gres_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_slurm_conf_SOURCES = $(fuzz_slurm_conf_sources)
tests_fuzz_fuzz_slurm_conf_LDADD = $(frontend_libs)
tests_fuzz_fuzz_slurm_conf_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_slurm_json_SOURCES = $(fuzz_slurm_json_sources)
tests_fuzz_fuzz_slurm_json_LDADD = $(frontend_libs)
tests_fuzz_fuzz_slurm_json_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_told_SOURCES = $(fuzz_told_sources)
tests_fuzz_fuzz_told_LDADD = $(frontend_libs)
tests_fuzz_fuzz_told_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_snapshot_SOURCES = $(fuzz_snapshot_sources)
tests_fuzz_fuzz_snapshot_LDADD = $(frontend_libs)
tests_fuzz_fuzz_snapshot_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_feedback_SOURCES = $(fuzz_feedback_sources)
tests_fuzz_fuzz_feedback_LDADD = $(frontend_libs)
tests_fuzz_fuzz_feedback_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_swf_SOURCES = $(fuzz_swf_sources)
tests_fuzz_fuzz_swf_LDADD = $(frontend_libs)
tests_fuzz_fuzz_swf_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_tune_SOURCES = $(fuzz_tune_sources)
tests_fuzz_fuzz_tune_LDADD = $(frontend_libs)
tests_fuzz_fuzz_tune_LDFLAGS = $(fuzz_ldflags)

if WITH_CONTROLLER
fuzz_programs += tests/fuzz/fuzz_job_record
tests_fuzz_fuzz_job_record_SOURCES = $(fuzz_job_record_sources)
tests_fuzz_fuzz_job_record_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_fuzz_fuzz_job_record_LDADD = $(fake_libs)
tests_fuzz_fuzz_job_record_LDFLAGS = $(fuzz_ldflags) $(fake_ldflags)
endif

check-fuzz: $(fuzz_programs)
	@$(AM_TESTS_ENVIRONMENT) FUZZ_SECONDS='$(FUZZ_SECONDS)' \
		$(srcdir)/tests/fuzz/check-fuzz.sh $(fuzz_names)

else

regress_programs = \
	tests/fuzz/regress_adaptive \
	tests/fuzz/regress_agent \
	tests/fuzz/regress_ask \
	tests/fuzz/regress_batsim \
	tests/fuzz/regress_classes \
	tests/fuzz/regress_cluster \
	tests/fuzz/regress_graph \
	tests/fuzz/regress_nwire \
	tests/fuzz/regress_route \
	tests/fuzz/regress_sites \
	tests/fuzz/regress_estimates \
	tests/fuzz/regress_jobcomp \
	tests/fuzz/regress_formula \
	tests/fuzz/regress_journal \
	tests/fuzz/regress_multifactor \
	tests/fuzz/regress_node \
	tests/fuzz/regress_params \
	tests/fuzz/regress_quanta \
	tests/fuzz/regress_replay \
	tests/fuzz/regress_lsf \
	tests/fuzz/regress_pbs \
	tests/fuzz/regress_philly \
	tests/fuzz/regress_script \
	tests/fuzz/regress_outages \
	tests/fuzz/regress_lists \
	tests/fuzz/regress_watch \
	tests/fuzz/regress_pbs_files \
	tests/fuzz/regress_pbs_conf \
	tests/fuzz/regress_pbs_site \
	tests/fuzz/regress_sacct \
	tests/fuzz/regress_scontrol \
	tests/fuzz/regress_slurm_sim \
	tests/fuzz/regress_maui \
	tests/fuzz/regress_htcondor \
	tests/fuzz/regress_table \
	tests/fuzz/regress_sge \
	tests/fuzz/regress_site \
	tests/fuzz/regress_gres \
	tests/fuzz/regress_slurm_conf \
	tests/fuzz/regress_slurm_json \
	tests/fuzz/regress_snapshot \
	tests/fuzz/regress_told \
	tests/fuzz/regress_feedback \
	tests/fuzz/regress_swf \
	tests/fuzz/regress_tune

check_PROGRAMS += $(regress_programs)
TESTS += $(regress_programs)

tests_fuzz_regress_adaptive_SOURCES = $(fuzz_adaptive_sources) tests/fuzz/driver.c
tests_fuzz_regress_adaptive_LDADD = $(frontend_libs)

tests_fuzz_regress_agent_SOURCES = $(fuzz_agent_sources) tests/fuzz/driver.c
tests_fuzz_regress_agent_CPPFLAGS = $(AM_CPPFLAGS) -D_DEFAULT_SOURCE
tests_fuzz_regress_agent_LDADD = libagent.la liblxfw.la

tests_fuzz_regress_ask_SOURCES = $(fuzz_ask_sources) tests/fuzz/driver.c
tests_fuzz_regress_ask_LDADD = $(frontend_libs)

tests_fuzz_regress_classes_SOURCES = $(fuzz_classes_sources) tests/fuzz/driver.c
tests_fuzz_regress_classes_LDADD = $(frontend_libs)

tests_fuzz_regress_cluster_SOURCES = $(fuzz_cluster_sources) tests/fuzz/driver.c
tests_fuzz_regress_cluster_LDADD = $(frontend_libs)
tests_fuzz_regress_route_SOURCES = $(fuzz_route_sources) tests/fuzz/driver.c
tests_fuzz_regress_route_LDADD = $(frontend_libs)

tests_fuzz_regress_graph_SOURCES = $(fuzz_graph_sources) tests/fuzz/driver.c
tests_fuzz_regress_graph_LDADD = $(frontend_libs)
tests_fuzz_regress_nwire_SOURCES = $(fuzz_nwire_sources) tests/fuzz/driver.c
tests_fuzz_regress_nwire_LDADD = $(frontend_libs)

tests_fuzz_regress_sites_SOURCES = $(fuzz_sites_sources) tests/fuzz/driver.c
tests_fuzz_regress_sites_LDADD = $(frontend_libs)

tests_fuzz_regress_estimates_SOURCES = $(fuzz_estimates_sources) tests/fuzz/driver.c
tests_fuzz_regress_estimates_LDADD = $(frontend_libs)
tests_fuzz_regress_formula_SOURCES = $(fuzz_formula_sources) tests/fuzz/driver.c
tests_fuzz_regress_formula_LDADD = $(frontend_libs)
tests_fuzz_regress_journal_SOURCES = $(fuzz_journal_sources) tests/fuzz/driver.c
tests_fuzz_regress_journal_LDADD = $(frontend_libs)

tests_fuzz_regress_multifactor_SOURCES = $(fuzz_multifactor_sources) tests/fuzz/driver.c
tests_fuzz_regress_multifactor_LDADD = $(frontend_libs)

tests_fuzz_regress_node_SOURCES = $(fuzz_node_sources) tests/fuzz/driver.c
tests_fuzz_regress_node_CPPFLAGS = $(fuzz_node_cppflags)
tests_fuzz_regress_node_LDADD = liblxfw.la

tests_fuzz_regress_params_SOURCES = $(fuzz_params_sources) tests/fuzz/driver.c
tests_fuzz_regress_params_LDADD = liblxfw.la

tests_fuzz_regress_script_SOURCES = $(fuzz_script_sources) tests/fuzz/driver.c
tests_fuzz_regress_script_LDADD = $(frontend_libs)

tests_fuzz_regress_outages_SOURCES = $(fuzz_outages_sources) tests/fuzz/driver.c
tests_fuzz_regress_outages_LDADD = $(frontend_libs)

tests_fuzz_regress_watch_SOURCES = $(fuzz_watch_sources) tests/fuzz/driver.c
tests_fuzz_regress_watch_LDADD = $(frontend_libs)

tests_fuzz_regress_lists_SOURCES = $(fuzz_lists_sources) tests/fuzz/driver.c
tests_fuzz_regress_lists_LDADD = $(frontend_libs)

tests_fuzz_regress_pbs_files_SOURCES = $(fuzz_pbs_files_sources) tests/fuzz/driver.c
tests_fuzz_regress_pbs_files_CPPFLAGS = $(AM_CPPFLAGS) -D_DEFAULT_SOURCE
tests_fuzz_regress_pbs_files_LDADD = libpbsd.la libagent.la liblxfw.la -lm

tests_fuzz_regress_pbs_conf_SOURCES = $(fuzz_pbs_conf_sources) tests/fuzz/driver.c
tests_fuzz_regress_pbs_conf_LDADD = $(frontend_libs)
tests_fuzz_regress_pbs_site_SOURCES = $(fuzz_pbs_site_sources) tests/fuzz/driver.c
tests_fuzz_regress_pbs_site_CPPFLAGS = $(AM_CPPFLAGS) -D_DEFAULT_SOURCE
tests_fuzz_regress_pbs_site_LDADD = libpbsd.la libagent.la liblxfw.la -lm

tests_fuzz_regress_quanta_SOURCES = $(fuzz_quanta_sources) tests/fuzz/driver.c
tests_fuzz_regress_quanta_LDADD = liblxfw.la

tests_fuzz_regress_replay_SOURCES = $(fuzz_replay_sources) tests/fuzz/driver.c
tests_fuzz_regress_replay_LDADD = liblxfw.la

tests_fuzz_regress_lsf_SOURCES = $(fuzz_lsf_sources) tests/fuzz/driver.c
tests_fuzz_regress_lsf_LDADD = $(frontend_libs)

tests_fuzz_regress_pbs_SOURCES = $(fuzz_pbs_sources) tests/fuzz/driver.c
tests_fuzz_regress_pbs_LDADD = $(frontend_libs)

tests_fuzz_regress_sacct_SOURCES = $(fuzz_sacct_sources) tests/fuzz/driver.c
tests_fuzz_regress_sacct_LDADD = $(frontend_libs)

tests_fuzz_regress_scontrol_SOURCES = $(fuzz_scontrol_sources) tests/fuzz/driver.c
tests_fuzz_regress_scontrol_LDADD = $(frontend_libs)

tests_fuzz_regress_slurm_sim_SOURCES = $(fuzz_slurm_sim_sources) tests/fuzz/driver.c
tests_fuzz_regress_slurm_sim_LDADD = $(frontend_libs)

tests_fuzz_regress_maui_SOURCES = $(fuzz_maui_sources) tests/fuzz/driver.c
tests_fuzz_regress_maui_LDADD = $(frontend_libs)

tests_fuzz_regress_htcondor_SOURCES = $(fuzz_htcondor_sources) tests/fuzz/driver.c
tests_fuzz_regress_htcondor_LDADD = $(frontend_libs)

tests_fuzz_regress_batsim_SOURCES = $(fuzz_batsim_sources) tests/fuzz/driver.c
tests_fuzz_regress_batsim_LDADD = $(frontend_libs)

tests_fuzz_regress_jobcomp_SOURCES = $(fuzz_jobcomp_sources) tests/fuzz/driver.c
tests_fuzz_regress_jobcomp_LDADD = $(frontend_libs)

tests_fuzz_regress_philly_SOURCES = $(fuzz_philly_sources) tests/fuzz/driver.c
tests_fuzz_regress_philly_LDADD = $(frontend_libs)

tests_fuzz_regress_table_SOURCES = $(fuzz_table_sources) tests/fuzz/driver.c
tests_fuzz_regress_table_LDADD = $(frontend_libs)

tests_fuzz_regress_sge_SOURCES = $(fuzz_sge_sources) tests/fuzz/driver.c
tests_fuzz_regress_sge_LDADD = $(frontend_libs)

tests_fuzz_regress_site_SOURCES = $(fuzz_site_sources) tests/fuzz/driver.c
tests_fuzz_regress_site_LDADD = $(frontend_libs)

tests_fuzz_regress_gres_SOURCES = $(fuzz_gres_sources) tests/fuzz/driver.c
tests_fuzz_regress_gres_LDADD = $(frontend_libs)

tests_fuzz_regress_slurm_conf_SOURCES = $(fuzz_slurm_conf_sources) tests/fuzz/driver.c
tests_fuzz_regress_slurm_conf_LDADD = $(frontend_libs)

tests_fuzz_regress_slurm_json_SOURCES = $(fuzz_slurm_json_sources) tests/fuzz/driver.c
tests_fuzz_regress_slurm_json_LDADD = $(frontend_libs)

tests_fuzz_regress_told_SOURCES = $(fuzz_told_sources) tests/fuzz/driver.c
tests_fuzz_regress_told_LDADD = $(frontend_libs)

tests_fuzz_regress_snapshot_SOURCES = $(fuzz_snapshot_sources) tests/fuzz/driver.c
tests_fuzz_regress_snapshot_LDADD = $(frontend_libs)

tests_fuzz_regress_feedback_SOURCES = $(fuzz_feedback_sources) tests/fuzz/driver.c
tests_fuzz_regress_feedback_LDADD = $(frontend_libs)
tests_fuzz_regress_swf_SOURCES = $(fuzz_swf_sources) tests/fuzz/driver.c
tests_fuzz_regress_swf_LDADD = $(frontend_libs)

tests_fuzz_regress_tune_SOURCES = $(fuzz_tune_sources) tests/fuzz/driver.c
tests_fuzz_regress_tune_LDADD = $(frontend_libs)

if WITH_CONTROLLER
regress_programs += tests/fuzz/regress_job_record
tests_fuzz_regress_job_record_SOURCES = \
	$(fuzz_job_record_sources) \
	tests/fuzz/driver.c
tests_fuzz_regress_job_record_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_fuzz_regress_job_record_LDADD = $(fake_libs)
tests_fuzz_regress_job_record_LDFLAGS = $(fake_ldflags)
endif

if WITH_SLURM
fuzz_slurm = --with-slurm-src=$(SLURM_SRC)
else
fuzz_slurm = --without-slurm
endif

check-fuzz:
	@command -v $(FUZZ_CC) >/dev/null || { \
		echo "check-fuzz needs $(FUZZ_CC) with libFuzzer" >&2; exit 1; }
	@$(MKDIR_P) fuzz-build
	@test -f fuzz-build/Makefile || ( cd fuzz-build && \
		$(abs_top_srcdir)/configure --quiet CC=$(FUZZ_CC) \
		--enable-fuzzers --enable-sanitizers $(fuzz_slurm) )
	$(MAKE) -C fuzz-build check-fuzz FUZZ_SECONDS='$(FUZZ_SECONDS)'

endif

.PHONY: check-fuzz

# Generates the journals of the corpora.
EXTRA_PROGRAMS += tests/fuzz/make_seeds
tests_fuzz_make_seeds_SOURCES = \
	tests/fuzz/make_seeds.c \
	tests/unit/mini.c \
	tests/unit/mini.h
tests_fuzz_make_seeds_LDADD = liblxfw.la

EXTRA_PROGRAMS += tests/fuzz/make_kept
tests_fuzz_make_kept_SOURCES = tests/fuzz/make_kept.c
tests_fuzz_make_kept_LDADD = liblxfw.la

EXTRA_DIST += \
	tests/fuzz/adaptive.dict \
	tests/fuzz/ask.dict \
	tests/fuzz/batsim.dict \
	tests/fuzz/check-fuzz.sh \
	tests/fuzz/classes.dict \
	tests/fuzz/cluster.dict \
	tests/fuzz/graph.dict \
	tests/fuzz/nwire.dict \
	tests/fuzz/route.dict \
	tests/fuzz/sites.dict \
	tests/fuzz/corpus \
	tests/fuzz/estimates.dict \
	tests/fuzz/formula.dict \
	tests/fuzz/jobcomp.dict \
	tests/fuzz/journal.dict \
	tests/fuzz/lsf.dict \
	tests/fuzz/multifactor.dict \
	tests/fuzz/node.dict \
	tests/fuzz/params.dict \
	tests/fuzz/pbs.dict \
	tests/fuzz/lists.dict \
	tests/fuzz/watch.dict \
	tests/fuzz/outages.dict \
	tests/fuzz/pbs_conf.dict \
	tests/fuzz/pbs_files.dict \
	tests/fuzz/script.dict \
	tests/fuzz/pbs_site.dict \
	tests/fuzz/philly.dict \
	tests/fuzz/quanta.dict \
	tests/fuzz/sacct.dict \
	tests/fuzz/scontrol.dict \
	tests/fuzz/sge.dict \
	tests/fuzz/site.dict \
	tests/fuzz/gres.dict \
	tests/fuzz/slurm_conf.dict \
	tests/fuzz/slurm_json.dict \
	tests/fuzz/snapshot.dict \
	tests/fuzz/told.dict \
	tests/fuzz/feedback.dict \
	tests/fuzz/swf.dict \
	tests/fuzz/slurm_sim.dict \
	tests/fuzz/maui.dict \
	tests/fuzz/htcondor.dict \
	tests/fuzz/table.dict \
	tests/fuzz/tune.dict
