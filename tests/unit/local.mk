# SPDX-License-Identifier: GPL-2.0-or-later
#
# Unit tests: cmocka programs, one per part, and checks of the sources. A program is
# declared by three lines:
#
#	unit_programs += tests/unit/test_params
#	tests_unit_test_params_SOURCES = tests/unit/test_params.c
#	tests_unit_test_params_LDADD = $(unit_libs)

unit_programs =
unit_libs = liblxfw.la $(CMOCKA_LIBS)
frontend_unit_libs = $(frontend_libs) $(CMOCKA_LIBS)
unit_cppflags = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)

TESTS += tests/unit/purity.sh
EXTRA_DIST += tests/unit/purity.sh

# Random tests with seeds from the clock, for RANDOM_SECONDS seconds.
check-random: all
	$(MAKE) check TESTS=
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/check-random

.PHONY: check-random
EXTRA_DIST += tests/check-random

# Compile the plugins with the headers of all releases of Slurm. SLURM_GIT is a clone of
# Slurm's repository; TAGS names some releases only.
EXTRA_DIST += tests/unit/releases
check-releases:
	@$(AM_TESTS_ENVIRONMENT) status=0; \
	CC='$(CC)' LXFW_CFLAGS='$(LXFW_CFLAGS)' \
		$(srcdir)/tests/unit/releases '$(SLURM_GIT)' $(TAGS) || status=$$?; \
	test $$status = 0 || test $$status = 77
	@$(AM_TESTS_ENVIRONMENT) \
		SLURM_GIT='$(SLURM_GIT)' $(srcdir)/tests/unit/backfill-inputs.sh

.PHONY: check-releases

# The lists and tables of releases, and what check-releases finds.
TESTS += tests/unit/releases.sh
EXTRA_DIST += tests/unit/releases.sh

# What Slurm's backfill.c reads, and its table in sched_lxfw(8).
TESTS += tests/unit/backfill-inputs.sh
EXTRA_DIST += tests/unit/backfill-inputs.sh tests/unit/backfill_inputs

# The fields of Slurm's records that the plugins use.
TESTS += tests/unit/fields.sh
EXTRA_DIST += tests/unit/fields.sh

TESTS += tests/unit/completion.sh
EXTRA_DIST += tests/unit/completion.sh

TESTS += tests/unit/dist.sh
EXTRA_DIST += tests/unit/dist.sh

# README.md and the index of the pages.
TESTS += tests/unit/readme.sh
EXTRA_DIST += tests/unit/readme.sh

TESTS += tests/unit/units.sh
EXTRA_DIST += tests/unit/units.sh

TESTS += tests/unit/recover.sh
EXTRA_DIST += tests/unit/recover.sh

# The soak test's comparison with slurmdbd's records.
TESTS += tests/unit/soak_records.sh
EXTRA_DIST += tests/unit/soak_records.sh

unit_programs += tests/unit/test_error
tests_unit_test_error_SOURCES = tests/unit/test_error.c tests/unit/unit.h
tests_unit_test_error_LDADD = $(unit_libs)

unit_programs += tests/unit/test_bridge
tests_unit_test_bridge_SOURCES = \
	plugins/agent/events.c \
	plugins/agent/events.h \
	plugins/agent/table.c \
	plugins/agent/table.h \
	tests/unit/test_bridge.c \
	tests/unit/unit.h
tests_unit_test_bridge_LDADD = $(unit_libs)

unit_programs += tests/unit/test_quanta_file
tests_unit_test_quanta_file_SOURCES = \
	plugins/agent/quanta_file.c \
	plugins/agent/quanta_file.h \
	plugins/agent/whole_file.c \
	plugins/agent/whole_file.h \
	tests/unit/failing_calls.c \
	tests/unit/failing_calls.h \
	tests/unit/test_quanta_file.c \
	tests/unit/unit.h
tests_unit_test_quanta_file_CPPFLAGS = \
	$(unit_cppflags) \
	-D_GNU_SOURCE= \
	-include $(srcdir)/tests/unit/failing_calls.h
tests_unit_test_quanta_file_LDADD = $(unit_libs)

unit_programs += tests/unit/test_kept_file
tests_unit_test_kept_file_SOURCES = \
	plugins/agent/whole_file.c \
	plugins/agent/whole_file.h \
	plugins/agent/kept_file.c \
	plugins/agent/kept_file.h \
	tests/unit/test_kept_file.c \
	tests/unit/tree.h \
	tests/unit/unit.h
tests_unit_test_kept_file_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_kept_file_LDADD = $(unit_libs)
tests_unit_test_kept_file_LDFLAGS = \
	$(AM_LDFLAGS) \
	-Wl,--wrap=fsync \
	-Wl,--wrap=rename

unit_programs += tests/unit/test_journal_file
tests_unit_test_journal_file_SOURCES = \
	plugins/agent/journal_file.c \
	plugins/agent/journal_file.h \
	plugins/agent/journal_old.c \
	plugins/agent/journal_old.h \
	tests/unit/file.h \
	tests/unit/journal_writer.h \
	tests/unit/file_faults.h \
	tests/unit/test_journal_file.c \
	tests/unit/unit.h
tests_unit_test_journal_file_CPPFLAGS = \
	$(unit_cppflags) \
	$(ZLIB_CFLAGS) \
	-include $(srcdir)/tests/unit/file_faults.h
tests_unit_test_journal_file_LDADD = $(unit_libs) $(ZLIB_LIBS)

unit_programs += tests/unit/test_journal_rotation
tests_unit_test_journal_rotation_SOURCES = \
	plugins/agent/journal_file.c \
	plugins/agent/journal_file.h \
	plugins/agent/journal_old.c \
	plugins/agent/journal_old.h \
	tests/unit/file.h \
	tests/unit/journal_writer.h \
	tests/unit/file_faults.h \
	tests/unit/test_journal_rotation.c \
	tests/unit/unit.h
tests_unit_test_journal_rotation_CPPFLAGS = \
	$(unit_cppflags) \
	$(ZLIB_CFLAGS) \
	-include $(srcdir)/tests/unit/file_faults.h
tests_unit_test_journal_rotation_LDADD = $(unit_libs) $(ZLIB_LIBS)

unit_programs += tests/unit/test_shares_cores
tests_unit_test_shares_cores_SOURCES = \
	plugins/agent/shares_cores.c \
	plugins/agent/shares_cores.h \
	tests/unit/test_shares_cores.c \
	tests/unit/unit.h
tests_unit_test_shares_cores_LDADD = $(unit_libs)

# The node side, with a simulated slurmd and controller.
spank_unit_cppflags = $(unit_cppflags) -D_GNU_SOURCE

unit_programs += tests/unit/test_cpu_list
tests_unit_test_cpu_list_SOURCES = \
	plugins/slurm/spank-lxfw/cpu_list.c \
	plugins/slurm/spank-lxfw/cpu_list.h \
	plugins/slurm/spank-lxfw/options.c \
	plugins/slurm/spank-lxfw/options.h \
	plugins/slurm/spank-lxfw/share.c \
	plugins/slurm/spank-lxfw/share.h \
	tests/unit/test_cpu_list.c \
	tests/unit/tree.h \
	tests/unit/unit.h
tests_unit_test_cpu_list_CPPFLAGS = $(spank_unit_cppflags)
tests_unit_test_cpu_list_LDADD = $(unit_libs)

unit_programs += tests/unit/test_cpu_map
tests_unit_test_cpu_map_SOURCES = \
	plugins/slurm/compat/step.h \
	plugins/slurm/spank-lxfw/cpu_list.c \
	plugins/slurm/spank-lxfw/cpu_list.h \
	plugins/slurm/spank-lxfw/cpu_map.c \
	plugins/slurm/spank-lxfw/cpu_map.h \
	tests/unit/test_cpu_map.c \
	tests/unit/tree.h \
	tests/unit/unit.h
tests_unit_test_cpu_map_CPPFLAGS = $(spank_unit_cppflags)
tests_unit_test_cpu_map_LDADD = $(unit_libs)

unit_programs += tests/unit/test_cpuset
tests_unit_test_cpuset_SOURCES = \
	plugins/slurm/spank-lxfw/affinity.c \
	plugins/slurm/spank-lxfw/affinity.h \
	plugins/slurm/spank-lxfw/cpu_list.c \
	plugins/slurm/spank-lxfw/cpu_list.h \
	plugins/slurm/spank-lxfw/cpuset.c \
	plugins/slurm/spank-lxfw/cpuset.h \
	plugins/slurm/spank-lxfw/processes.c \
	plugins/slurm/spank-lxfw/processes.h \
	tests/unit/spank_children.h \
	tests/unit/test_cpuset.c \
	tests/unit/tree.h \
	tests/unit/unit.h
tests_unit_test_cpuset_CPPFLAGS = $(spank_unit_cppflags)
tests_unit_test_cpuset_LDADD = $(unit_libs)

unit_programs += tests/unit/test_processes
tests_unit_test_processes_SOURCES = \
	plugins/slurm/spank-lxfw/processes.c \
	plugins/slurm/spank-lxfw/processes.h \
	tests/unit/fake_proc.h \
	tests/unit/test_processes.c \
	tests/unit/tree.h \
	tests/unit/unit.h
tests_unit_test_processes_CPPFLAGS = $(spank_unit_cppflags)
tests_unit_test_processes_LDADD = $(unit_libs)

unit_programs += tests/unit/test_affinity
tests_unit_test_affinity_SOURCES = \
	plugins/slurm/spank-lxfw/affinity.c \
	plugins/slurm/spank-lxfw/affinity.h \
	plugins/slurm/spank-lxfw/cpu_list.c \
	plugins/slurm/spank-lxfw/cpu_list.h \
	plugins/slurm/spank-lxfw/processes.c \
	plugins/slurm/spank-lxfw/processes.h \
	tests/unit/spank_children.h \
	tests/unit/test_affinity.c \
	tests/unit/tree.h \
	tests/unit/unit.h
tests_unit_test_affinity_CPPFLAGS = $(spank_unit_cppflags)
tests_unit_test_affinity_LDADD = $(unit_libs)

unit_programs += tests/unit/test_follower
tests_unit_test_follower_SOURCES = \
	plugins/slurm/compat/step.h \
	plugins/slurm/spank-lxfw/affinity.c \
	plugins/slurm/spank-lxfw/affinity.h \
	plugins/slurm/spank-lxfw/cpu_list.c \
	plugins/slurm/spank-lxfw/cpu_list.h \
	plugins/slurm/spank-lxfw/cpu_map.c \
	plugins/slurm/spank-lxfw/cpu_map.h \
	plugins/slurm/spank-lxfw/cpuset.c \
	plugins/slurm/spank-lxfw/cpuset.h \
	plugins/slurm/spank-lxfw/follower.c \
	plugins/slurm/spank-lxfw/follower.h \
	plugins/slurm/spank-lxfw/processes.c \
	plugins/slurm/spank-lxfw/processes.h \
	plugins/slurm/spank-lxfw/share.c \
	plugins/slurm/spank-lxfw/share.h \
	plugins/slurm/spank-lxfw/share_dir.c \
	plugins/slurm/spank-lxfw/share_dir.h \
	tests/unit/spank_children.h \
	tests/unit/test_follower.c \
	tests/unit/tree.h \
	tests/unit/unit.h
tests_unit_test_follower_CPPFLAGS = $(spank_unit_cppflags)
tests_unit_test_follower_LDADD = $(unit_libs)

unit_programs += tests/unit/test_node_errors
tests_unit_test_node_errors_SOURCES = \
	plugins/slurm/compat/step.h \
	plugins/slurm/spank-lxfw/affinity.c \
	plugins/slurm/spank-lxfw/affinity.h \
	plugins/slurm/spank-lxfw/cpu_list.c \
	plugins/slurm/spank-lxfw/cpu_list.h \
	plugins/slurm/spank-lxfw/cpu_map.c \
	plugins/slurm/spank-lxfw/cpu_map.h \
	plugins/slurm/spank-lxfw/cpuset.c \
	plugins/slurm/spank-lxfw/cpuset.h \
	plugins/slurm/spank-lxfw/processes.c \
	plugins/slurm/spank-lxfw/processes.h \
	plugins/slurm/spank-lxfw/share.c \
	plugins/slurm/spank-lxfw/share.h \
	plugins/slurm/spank-lxfw/share_dir.c \
	plugins/slurm/spank-lxfw/share_dir.h \
	tests/unit/failing_calls.c \
	tests/unit/failing_calls.h \
	tests/unit/fake_proc.h \
	tests/unit/spank_children.h \
	tests/unit/test_node_errors.c \
	tests/unit/tree.h \
	tests/unit/unit.h
tests_unit_test_node_errors_CPPFLAGS = \
	$(spank_unit_cppflags) \
	-include $(srcdir)/tests/unit/failing_calls.h
tests_unit_test_node_errors_LDADD = $(unit_libs)

# The whole plugin, with a simulated slurmstepd.
EXTRA_DIST += tests/unit/test_spank.c

if WITH_SLURM
unit_programs += tests/unit/test_snapshot
tests_unit_test_snapshot_SOURCES = \
	tests/unit/random_machine.h \
	tests/unit/scene.h \
	tests/unit/test_snapshot.c \
	tests/unit/unit.h
tests_unit_test_snapshot_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_spank
tests_unit_test_spank_SOURCES = \
	plugins/slurm/compat/step.h \
	plugins/slurm/spank-lxfw/affinity.c \
	plugins/slurm/spank-lxfw/affinity.h \
	plugins/slurm/spank-lxfw/cpu_list.c \
	plugins/slurm/spank-lxfw/cpu_list.h \
	plugins/slurm/spank-lxfw/cpu_map.c \
	plugins/slurm/spank-lxfw/cpu_map.h \
	plugins/slurm/spank-lxfw/cpuset.c \
	plugins/slurm/spank-lxfw/cpuset.h \
	plugins/slurm/spank-lxfw/follower.c \
	plugins/slurm/spank-lxfw/follower.h \
	plugins/slurm/spank-lxfw/options.c \
	plugins/slurm/spank-lxfw/options.h \
	plugins/slurm/spank-lxfw/processes.c \
	plugins/slurm/spank-lxfw/processes.h \
	plugins/slurm/spank-lxfw/share.c \
	plugins/slurm/spank-lxfw/share.h \
	plugins/slurm/spank-lxfw/share_dir.c \
	plugins/slurm/spank-lxfw/share_dir.h \
	plugins/slurm/spank-lxfw/spank_lxfw.c \
	tests/unit/spank_children.h \
	tests/unit/test_spank.c \
	tests/unit/tree.h \
	tests/unit/unit.h
tests_unit_test_spank_CPPFLAGS = \
	$(spank_unit_cppflags) \
	$(SLURM_CPPFLAGS) \
	-Ddladdr=unit_dladdr \
	-Ddlopen=unit_dlopen
tests_unit_test_spank_LDADD = $(unit_libs)
endif

unit_programs += tests/unit/test_check
tests_unit_test_check_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_check.c \
	tests/unit/unit.h
tests_unit_test_check_LDADD = $(unit_libs)

unit_programs += tests/unit/test_class_worlds
tests_unit_test_class_worlds_SOURCES = \
	tests/unit/class_world.h \
	tests/unit/test_class_worlds.c \
	tests/unit/unit.h
tests_unit_test_class_worlds_LDADD = $(unit_libs)

unit_programs += tests/unit/test_job_classes
tests_unit_test_job_classes_SOURCES = \
	tests/unit/class_site.h \
	tests/unit/scene.h \
	tests/unit/test_job_classes.c \
	tests/unit/unit.h
tests_unit_test_job_classes_LDADD = $(unit_libs)

unit_programs += tests/unit/test_class_reservations
tests_unit_test_class_reservations_SOURCES = \
	tests/unit/class_site.h \
	tests/unit/scene.h \
	tests/unit/test_class_reservations.c \
	tests/unit/unit.h
tests_unit_test_class_reservations_LDADD = $(unit_libs)

unit_programs += tests/unit/test_class_changes
tests_unit_test_class_changes_SOURCES = \
	tests/unit/class_site.h \
	tests/unit/scene.h \
	tests/unit/test_class_changes.c \
	tests/unit/unit.h
tests_unit_test_class_changes_LDADD = $(unit_libs)

unit_programs += tests/unit/test_journal
tests_unit_test_journal_SOURCES = \
	tests/unit/equal_event.h \
	tests/unit/journal_bytes.h \
	tests/unit/random_event.c \
	tests/unit/random_event.h \
	tests/unit/test_journal.c \
	tests/unit/unit.h
tests_unit_test_journal_LDADD = $(unit_libs)

unit_programs += tests/unit/test_journal_payloads
tests_unit_test_journal_payloads_SOURCES = \
	tests/unit/journal_bytes.h \
	tests/unit/test_journal_payloads.c \
	tests/unit/unit.h
tests_unit_test_journal_payloads_LDADD = $(unit_libs)

# The sources of the library, compiled with an allocator that fails.
unit_programs += tests/unit/test_memory
tests_unit_test_memory_SOURCES = \
	$(lxfw_strict_sources) \
	tests/unit/failing.c \
	tests/unit/failing.h \
	tests/unit/mini.c \
	tests/unit/mini.h \
	tests/unit/random_event.c \
	tests/unit/random_event.h \
	tests/unit/strict_grow.c \
	tests/unit/test_memory.c \
	tests/unit/unit.h
tests_unit_test_memory_CPPFLAGS = \
	$(AM_CPPFLAGS) \
	-include $(srcdir)/tests/unit/failing.h
tests_unit_test_memory_LDADD = $(CMOCKA_LIBS) $(MATH_LIBS)

unit_programs += tests/unit/test_params
tests_unit_test_params_SOURCES = \
	tests/unit/params.h \
	tests/unit/test_params.c \
	tests/unit/unit.h
tests_unit_test_params_LDADD = $(unit_libs)

unit_programs += tests/unit/test_params_text
tests_unit_test_params_text_SOURCES = \
	tests/unit/params.h \
	tests/unit/test_params_text.c \
	tests/unit/unit.h
tests_unit_test_params_text_LDADD = $(unit_libs)

unit_programs += tests/unit/test_partition
tests_unit_test_partition_SOURCES = \
	tests/unit/test_partition.c \
	tests/unit/unit.h
tests_unit_test_partition_LDADD = $(unit_libs)

unit_programs += tests/unit/test_equipartition
tests_unit_test_equipartition_SOURCES = \
	tests/unit/eq_scene.h \
	tests/unit/scene.h \
	tests/unit/test_equipartition.c \
	tests/unit/unit.h
tests_unit_test_equipartition_LDADD = $(unit_libs)

unit_programs += tests/unit/test_eq_changes
tests_unit_test_eq_changes_SOURCES = \
	tests/unit/eq_scene.h \
	tests/unit/scene.h \
	tests/unit/test_eq_changes.c \
	tests/unit/unit.h
tests_unit_test_eq_changes_LDADD = $(unit_libs)

unit_programs += tests/unit/test_eq_rigid
tests_unit_test_eq_rigid_SOURCES = \
	tests/unit/eq_scene.h \
	tests/unit/scene.h \
	tests/unit/test_eq_rigid.c \
	tests/unit/unit.h
tests_unit_test_eq_rigid_LDADD = $(unit_libs)

unit_programs += tests/unit/test_eq_properties
tests_unit_test_eq_properties_SOURCES = \
	tests/unit/eq_world.h \
	tests/unit/test_eq_properties.c \
	tests/unit/unit.h
tests_unit_test_eq_properties_LDADD = $(unit_libs)

unit_programs += tests/unit/test_request
tests_unit_test_request_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_request.c \
	tests/unit/unit.h
tests_unit_test_request_LDADD = $(unit_libs)

unit_programs += tests/unit/test_parameters
tests_unit_test_parameters_SOURCES = \
	$(parameter_sources) \
	tests/unit/test_parameters.c \
	tests/unit/unit.h
tests_unit_test_parameters_LDADD = $(unit_libs)

unit_programs += tests/unit/test_gpus
tests_unit_test_gpus_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_gpus.c \
	tests/unit/unit.h
tests_unit_test_gpus_LDADD = $(unit_libs)

unit_programs += tests/unit/test_sockets
tests_unit_test_sockets_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_sockets.c \
	tests/unit/unit.h
tests_unit_test_sockets_LDADD = $(unit_libs)

unit_programs += tests/unit/test_weights
tests_unit_test_weights_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_weights.c \
	tests/unit/unit.h
tests_unit_test_weights_LDADD = $(unit_libs)

unit_programs += tests/unit/test_boot
tests_unit_test_boot_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_boot.c \
	tests/unit/unit.h
tests_unit_test_boot_LDADD = $(unit_libs)

unit_programs += tests/unit/test_min_estimate
tests_unit_test_min_estimate_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_min_estimate.c \
	tests/unit/unit.h
tests_unit_test_min_estimate_LDADD = $(unit_libs)

unit_programs += tests/unit/test_mold
tests_unit_test_mold_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_mold.c \
	tests/unit/unit.h
tests_unit_test_mold_LDADD = $(unit_libs)

unit_programs += tests/unit/test_outlook
tests_unit_test_outlook_SOURCES = \
	tests/unit/random_machine.h \
	tests/unit/scene.h \
	tests/unit/test_outlook.c \
	tests/unit/unit.h
tests_unit_test_outlook_LDADD = $(unit_libs)

unit_programs += tests/unit/test_comments
tests_unit_test_comments_SOURCES = tests/unit/test_comments.c tests/unit/unit.h
tests_unit_test_comments_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_estimates
tests_unit_test_estimates_SOURCES = tests/unit/test_estimates.c tests/unit/unit.h
tests_unit_test_estimates_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_idle_hosts
tests_unit_test_idle_hosts_SOURCES = \
	tests/unit/test_idle_hosts.c \
	tests/unit/unit.h
tests_unit_test_idle_hosts_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_idle_hosts_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_scores
tests_unit_test_scores_SOURCES = \
	tests/unit/test_scores.c \
	tests/unit/unit.h
tests_unit_test_scores_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_scores_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_infer_apply
tests_unit_test_infer_apply_SOURCES = \
	tests/unit/test_infer_apply.c \
	tests/unit/unit.h
tests_unit_test_infer_apply_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_infer_apply_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_partitions_same
tests_unit_test_partitions_same_SOURCES = \
	tests/unit/test_partitions_same.c \
	tests/unit/unit.h
tests_unit_test_partitions_same_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_partitions_same_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_publication
tests_unit_test_publication_SOURCES = tests/unit/test_publication.c
tests_unit_test_publication_CPPFLAGS = $(unit_cppflags) $(JSON_CFLAGS) -D_GNU_SOURCE
tests_unit_test_publication_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_publish
tests_unit_test_publish_SOURCES = tests/unit/test_publish.c
tests_unit_test_publish_CPPFLAGS = $(unit_cppflags) -D_GNU_SOURCE
tests_unit_test_publish_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_records
tests_unit_test_records_SOURCES = tests/unit/test_records.c
tests_unit_test_records_CPPFLAGS = $(unit_cppflags) -D_GNU_SOURCE
tests_unit_test_records_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_request_slurm
tests_unit_test_request_slurm_SOURCES = \
	tests/unit/test_request_slurm.c \
	tests/unit/unit.h
tests_unit_test_request_slurm_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_request_slurm_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_watch
tests_unit_test_watch_SOURCES = \
	tests/unit/test_watch.c \
	tests/unit/unit.h
tests_unit_test_watch_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_watch_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_owners
tests_unit_test_owners_SOURCES = \
	tests/unit/test_owners.c \
	tests/unit/unit.h
tests_unit_test_owners_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_owners_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_room
tests_unit_test_room_SOURCES = \
	tests/unit/test_room.c \
	tests/unit/unit.h
tests_unit_test_room_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_room_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_array_rest
tests_unit_test_array_rest_SOURCES = tests/unit/test_array_rest.c tests/unit/scene.h \
	tests/unit/unit.h
tests_unit_test_array_rest_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_held
tests_unit_test_held_SOURCES = tests/unit/test_held.c tests/unit/scene.h tests/unit/unit.h
tests_unit_test_held_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_shown
tests_unit_test_shown_SOURCES = tests/unit/test_shown.c tests/unit/unit.h
tests_unit_test_shown_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_texts_file
tests_unit_test_texts_file_SOURCES = tests/unit/test_texts_file.c tests/unit/unit.h
tests_unit_test_texts_file_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_skipped
tests_unit_test_skipped_SOURCES = tests/unit/test_skipped.c tests/unit/unit.h
tests_unit_test_skipped_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_candidate
tests_unit_test_candidate_SOURCES = tests/unit/test_candidate.c tests/unit/scene.h \
	tests/unit/unit.h
tests_unit_test_candidate_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_probes
tests_unit_test_probes_SOURCES = tests/unit/test_probes.c tests/unit/scene.h \
	tests/unit/unit.h
tests_unit_test_probes_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_ages
tests_unit_test_ages_SOURCES = tests/unit/test_ages.c tests/unit/unit.h
tests_unit_test_ages_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_corrections
tests_unit_test_corrections_SOURCES = tests/unit/test_corrections.c tests/unit/unit.h
tests_unit_test_corrections_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_predict
tests_unit_test_predict_SOURCES = tests/unit/test_predict.c tests/unit/unit.h
tests_unit_test_predict_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_clocks
tests_unit_test_clocks_SOURCES = tests/unit/test_clocks.c tests/unit/unit.h
tests_unit_test_clocks_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_neighbours
tests_unit_test_neighbours_SOURCES = tests/unit/test_neighbours.c tests/unit/unit.h
tests_unit_test_neighbours_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_journal_tail
tests_unit_test_journal_tail_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_journal_tail.c \
	tests/unit/unit.h
tests_unit_test_journal_tail_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_route
tests_unit_test_route_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_route.c \
	tests/unit/unit.h
tests_unit_test_route_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_route_forecast
tests_unit_test_route_forecast_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_route_forecast.c \
	tests/unit/unit.h
tests_unit_test_route_forecast_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_route_move
tests_unit_test_route_move_SOURCES = tests/unit/test_route_move.c tests/unit/unit.h
tests_unit_test_route_move_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_route_munge
tests_unit_test_route_munge_SOURCES = \
	tests/unit/file.h \
	tests/unit/route_world.h \
	tests/unit/scene.h \
	tests/unit/test_route_munge.c \
	tests/unit/unit.h
tests_unit_test_route_munge_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_jwt
tests_unit_test_jwt_SOURCES = \
	tests/unit/test_jwt.c \
	tests/unit/unit.h
tests_unit_test_jwt_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_route_pull
tests_unit_test_route_pull_SOURCES = \
	sim-frontend/cmd/route_pull.c \
	tests/unit/test_route_pull.c \
	tests/unit/unit.h
tests_unit_test_route_pull_CPPFLAGS = $(unit_cppflags) -D_GNU_SOURCE
tests_unit_test_route_pull_LDADD = $(frontend_unit_libs)
tests_unit_test_route_pull_LDFLAGS = \
	$(AM_LDFLAGS) \
	-Wl,--wrap=fork,--wrap=waitpid,--wrap=kill,--wrap=sigtimedwait \
	-Wl,--wrap=clock_gettime,--wrap=getuid

unit_programs += tests/unit/test_route_serve
tests_unit_test_route_serve_SOURCES = \
	tests/unit/file.h \
	tests/unit/route_world.h \
	tests/unit/scene.h \
	tests/unit/test_route_serve.c \
	tests/unit/unit.h
tests_unit_test_route_serve_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_route_server
tests_unit_test_route_server_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_route_server.c \
	tests/unit/unit.h
tests_unit_test_route_server_LDADD = $(frontend_unit_libs)

# The script of Slurm's cli_filter/lua needs Lua.
cli_filter_sources = \
	tests/unit/file.h \
	tests/unit/test_cli_filter.c \
	tests/unit/unit.h
if HAVE_SCRIPTS
unit_programs += tests/unit/test_cli_filter
tests_unit_test_cli_filter_SOURCES = $(cli_filter_sources)
tests_unit_test_cli_filter_CPPFLAGS = $(unit_cppflags) $(SCRIPT_CFLAGS)
tests_unit_test_cli_filter_LDADD = $(frontend_unit_libs) $(SCRIPT_LIBS)
else
EXTRA_DIST += $(cli_filter_sources)
endif

unit_programs += tests/unit/test_why
tests_unit_test_why_SOURCES = tests/unit/test_why.c tests/unit/unit.h
tests_unit_test_why_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_pfcfs
tests_unit_test_pfcfs_SOURCES = \
	tests/unit/mini.c \
	tests/unit/mini.h \
	tests/unit/preempt_world.c \
	tests/unit/preempt_world.h \
	tests/unit/scene.h \
	tests/unit/test_pfcfs.c \
	tests/unit/unit.h
tests_unit_test_pfcfs_LDADD = $(unit_libs)

unit_programs += tests/unit/test_remaining
tests_unit_test_remaining_SOURCES = \
	tests/unit/mini.c \
	tests/unit/mini.h \
	tests/unit/preempt_world.c \
	tests/unit/preempt_world.h \
	tests/unit/scene.h \
	tests/unit/test_remaining.c \
	tests/unit/unit.h
tests_unit_test_remaining_LDADD = $(unit_libs)

unit_programs += tests/unit/test_tiers
tests_unit_test_tiers_SOURCES = \
	tests/unit/preempt_world.c \
	tests/unit/preempt_world.h \
	tests/unit/scene.h \
	tests/unit/test_tiers.c \
	tests/unit/unit.h
tests_unit_test_tiers_LDADD = $(unit_libs)

unit_programs += tests/unit/test_unchanged
tests_unit_test_unchanged_SOURCES = \
	tests/unit/test_unchanged.c \
	tests/unit/trouble.c \
	tests/unit/unit.h \
	tests/unit/world.c \
	tests/unit/world.h
tests_unit_test_unchanged_LDADD = $(unit_libs)

unit_programs += tests/unit/test_sifting
tests_unit_test_sifting_SOURCES = \
	tests/unit/preempt_world.c \
	tests/unit/preempt_world.h \
	tests/unit/test_sifting.c \
	tests/unit/unit.h
tests_unit_test_sifting_LDADD = $(unit_libs)

unit_programs += tests/unit/test_remaining_wait
tests_unit_test_remaining_wait_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_remaining_wait.c \
	tests/unit/unit.h
tests_unit_test_remaining_wait_LDADD = $(unit_libs)

unit_programs += tests/unit/test_placement
tests_unit_test_placement_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_placement.c \
	tests/unit/unit.h
tests_unit_test_placement_LDADD = $(unit_libs)

unit_programs += tests/unit/test_reach
tests_unit_test_reach_SOURCES = \
	tests/unit/test_reach.c \
	tests/unit/unit.h
tests_unit_test_reach_LDADD = libagent.la $(unit_libs)

unit_programs += tests/unit/test_pool_reservations
tests_unit_test_pool_reservations_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_pool_reservations.c \
	tests/unit/unit.h
tests_unit_test_pool_reservations_LDADD = $(unit_libs)

unit_programs += tests/unit/test_priority
tests_unit_test_priority_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_priority.c \
	tests/unit/unit.h
tests_unit_test_priority_LDADD = $(unit_libs)

unit_programs += tests/unit/test_kinds
tests_unit_test_kinds_SOURCES = tests/unit/test_kinds.c tests/unit/unit.h
tests_unit_test_kinds_LDADD = $(unit_libs)

unit_programs += tests/unit/test_profile
tests_unit_test_profile_SOURCES = tests/unit/test_profile.c tests/unit/unit.h
tests_unit_test_profile_LDADD = $(unit_libs)

unit_programs += tests/unit/test_all_orders
tests_unit_test_all_orders_SOURCES = tests/unit/test_all_orders.c tests/unit/unit.h
tests_unit_test_all_orders_LDADD = $(unit_libs)

# All orders of eight events under each policy (some minutes; 'make check' has five).
check-orders: tests/unit/test_all_orders$(EXEEXT)
	LXFW_DEPTH=8 tests/unit/test_all_orders

.PHONY: check-orders

unit_programs += tests/unit/test_combinations
tests_unit_test_combinations_SOURCES = \
	tests/unit/mini.c \
	tests/unit/mini.h \
	tests/unit/mini_digest.c \
	tests/unit/mini_digest.h \
	tests/unit/test_combinations.c \
	tests/unit/unit.h
tests_unit_test_combinations_LDADD = $(unit_libs)

unit_programs += tests/unit/test_ranks
tests_unit_test_ranks_SOURCES = tests/unit/test_ranks.c tests/unit/unit.h
tests_unit_test_ranks_LDADD = $(unit_libs)

unit_programs += tests/unit/test_deep_queue
tests_unit_test_deep_queue_SOURCES = \
	tests/unit/mini.c \
	tests/unit/mini.h \
	tests/unit/test_deep_queue.c \
	tests/unit/unit.h
tests_unit_test_deep_queue_LDADD = $(unit_libs)

unit_programs += tests/unit/test_decisions
tests_unit_test_decisions_SOURCES = \
	tests/unit/mini.c \
	tests/unit/mini.h \
	tests/unit/mini_digest.c \
	tests/unit/mini_digest.h \
	tests/unit/test_decisions.c \
	tests/unit/trouble.c \
	tests/unit/unit.h \
	tests/unit/world.c \
	tests/unit/world.h
tests_unit_test_decisions_LDADD = $(unit_libs)

unit_programs += tests/unit/test_properties
tests_unit_test_properties_SOURCES = \
	tests/unit/test_properties.c \
	tests/unit/trouble.c \
	tests/unit/unit.h \
	tests/unit/world.c \
	tests/unit/world.h
tests_unit_test_properties_LDADD = $(unit_libs)

unit_programs += tests/unit/test_formula
tests_unit_test_formula_SOURCES = \
	tests/unit/test_formula.c \
	tests/unit/unit.h
tests_unit_test_formula_LDADD = $(unit_libs) -lm

unit_programs += tests/unit/test_plan
tests_unit_test_plan_SOURCES = \
	tests/unit/test_plan.c \
	tests/unit/unit.h
tests_unit_test_plan_LDADD = $(unit_libs)

unit_programs += tests/unit/test_grid
tests_unit_test_grid_SOURCES = tests/unit/test_grid.c tests/unit/unit.h
tests_unit_test_grid_LDADD = $(unit_libs) -lm

unit_programs += tests/unit/test_market
tests_unit_test_market_SOURCES = \
	tests/unit/test_market.c \
	tests/unit/unit.h
tests_unit_test_market_LDADD = $(unit_libs)

unit_programs += tests/unit/test_nwire
tests_unit_test_nwire_SOURCES = tests/unit/test_nwire.c tests/unit/unit.h
tests_unit_test_nwire_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_list
tests_unit_test_list_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_list.c \
	tests/unit/unit.h
tests_unit_test_list_LDADD = $(unit_libs)

unit_programs += tests/unit/test_order
tests_unit_test_order_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_order.c \
	tests/unit/unit.h
tests_unit_test_order_LDADD = $(unit_libs)

unit_programs += tests/unit/test_sched
tests_unit_test_sched_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_sched.c \
	tests/unit/unit.h
tests_unit_test_sched_LDADD = $(unit_libs)

unit_programs += tests/unit/test_sched_order
tests_unit_test_sched_order_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_sched_order.c \
	tests/unit/unit.h
tests_unit_test_sched_order_LDADD = $(unit_libs)

unit_programs += tests/unit/test_slurm_plan
tests_unit_test_slurm_plan_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_slurm_plan.c \
	tests/unit/unit.h
tests_unit_test_slurm_plan_LDADD = $(unit_libs)

unit_programs += tests/unit/test_valid
tests_unit_test_valid_SOURCES = tests/unit/test_valid.c tests/unit/unit.h
tests_unit_test_valid_LDADD = $(unit_libs)

unit_programs += tests/unit/test_calendar
tests_unit_test_calendar_SOURCES = tests/unit/test_calendar.c tests/unit/unit.h
tests_unit_test_calendar_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_calendar_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_cluster
tests_unit_test_cluster_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_cluster.c \
	tests/unit/unit.h
tests_unit_test_cluster_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_cluster_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_site
tests_unit_test_site_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_site.c \
	tests/unit/unit.h
tests_unit_test_site_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_site_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_multifactor
tests_unit_test_multifactor_SOURCES = \
	tests/unit/file.h \
	tests/unit/multifactor_site.h \
	tests/unit/test_multifactor.c \
	tests/unit/unit.h
tests_unit_test_multifactor_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_multifactor_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_multifactor_trees
tests_unit_test_multifactor_trees_SOURCES = \
	tests/unit/file.h \
	tests/unit/multifactor_site.h \
	tests/unit/test_multifactor_trees.c \
	tests/unit/unit.h
tests_unit_test_multifactor_trees_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_multifactor_trees_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_multifactor_read
tests_unit_test_multifactor_read_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_multifactor_read.c \
	tests/unit/unit.h
tests_unit_test_multifactor_read_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_multifactor_read_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_simulated_priority
tests_unit_test_simulated_priority_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_simulated_priority.c \
	tests/unit/unit.h
tests_unit_test_simulated_priority_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_simulated_priority_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_metrics
tests_unit_test_metrics_SOURCES = \
	tests/unit/test_metrics.c \
	tests/unit/unit.h
tests_unit_test_metrics_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_metrics_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_verdict
tests_unit_test_verdict_SOURCES = \
	tests/unit/test_verdict.c \
	tests/unit/unit.h
tests_unit_test_verdict_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_verdict_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_accounts
tests_unit_test_accounts_SOURCES = \
	tests/unit/test_accounts.c \
	tests/unit/unit.h
tests_unit_test_accounts_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_accounts_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_infer
tests_unit_test_infer_SOURCES = \
	tests/unit/test_infer.c \
	tests/unit/unit.h
tests_unit_test_infer_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_infer_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_sweep
tests_unit_test_sweep_SOURCES = \
	tests/unit/test_sweep.c \
	tests/unit/unit.h
tests_unit_test_sweep_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_sweep_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_unexplained
tests_unit_test_unexplained_SOURCES = \
	tests/unit/test_unexplained.c \
	tests/unit/unit.h
tests_unit_test_unexplained_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_unexplained_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_job_classes_text
tests_unit_test_job_classes_text_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_job_classes_text.c \
	tests/unit/unit.h
tests_unit_test_job_classes_text_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_job_classes_text_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_output
tests_unit_test_output_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_output.c \
	tests/unit/unit.h
tests_unit_test_output_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_output_LDADD = $(frontend_unit_libs)
# so that a test can raise a signal while a file is removed
tests_unit_test_output_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=unlink

unit_programs += tests/unit/test_letters
tests_unit_test_letters_SOURCES = \
	tests/unit/test_letters.c \
	tests/unit/unit.h
tests_unit_test_letters_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_letters_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_sorted_runs
tests_unit_test_sorted_runs_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_sorted_runs.c \
	tests/unit/unit.h
tests_unit_test_sorted_runs_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_sorted_runs_LDADD = $(frontend_unit_libs)
# so that allocations and files fail
tests_unit_test_sorted_runs_LDFLAGS = \
	$(AM_LDFLAGS) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=mkostemp,--wrap=write,--wrap=pread

unit_programs += tests/unit/test_json_out
tests_unit_test_json_out_SOURCES = \
	tests/unit/test_json_out.c \
	tests/unit/unit.h
tests_unit_test_json_out_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_json_out_LDADD = $(frontend_unit_libs)
tests_unit_test_json_out_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=json_object_to_json_string

unit_programs += tests/unit/test_rest
tests_unit_test_rest_SOURCES = \
	tests/unit/test_rest.c \
	tests/unit/unit.h
tests_unit_test_rest_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_rest_LDADD = $(frontend_unit_libs) $(THREAD_LIBS)

unit_programs += tests/unit/test_json_stream
tests_unit_test_json_stream_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_json_stream.c \
	tests/unit/unit.h
tests_unit_test_json_stream_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_json_stream_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_swf
tests_unit_test_swf_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_swf.c \
	tests/unit/unit.h
tests_unit_test_swf_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_swf_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_adaptive
tests_unit_test_adaptive_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_adaptive.c \
	tests/unit/unit.h
tests_unit_test_adaptive_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_adaptive_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_charts
tests_unit_test_charts_SOURCES = \
	tests/unit/test_charts.c \
	tests/unit/unit.h
tests_unit_test_charts_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_charts_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_character
tests_unit_test_character_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_character.c \
	tests/unit/unit.h
tests_unit_test_character_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_character_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_workload
tests_unit_test_workload_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_workload.c \
	tests/unit/unit.h
tests_unit_test_workload_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_workload_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_study
tests_unit_test_study_SOURCES = \
	tests/unit/test_study.c \
	tests/unit/unit.h
tests_unit_test_study_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_study_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_engine
tests_unit_test_engine_SOURCES = tests/unit/test_engine.c tests/unit/unit.h
tests_unit_test_engine_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_engine_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_engine_steps
tests_unit_test_engine_steps_SOURCES = tests/unit/test_engine_steps.c tests/unit/unit.h
tests_unit_test_engine_steps_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_engine_steps_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_quantum
tests_unit_test_quantum_SOURCES = \
	tests/unit/quantum_scene.h \
	tests/unit/scene.h \
	tests/unit/test_quantum.c \
	tests/unit/unit.h
tests_unit_test_quantum_LDADD = $(unit_libs)

unit_programs += tests/unit/test_quantum_worlds
tests_unit_test_quantum_worlds_SOURCES = \
	tests/unit/mini.c \
	tests/unit/mini.h \
	tests/unit/test_quantum_worlds.c \
	tests/unit/unit.h
tests_unit_test_quantum_worlds_LDADD = $(unit_libs)

unit_programs += tests/unit/test_suspended
tests_unit_test_suspended_SOURCES = \
	tests/unit/quantum_scene.h \
	tests/unit/scene.h \
	tests/unit/test_suspended.c \
	tests/unit/unit.h
tests_unit_test_suspended_LDADD = $(unit_libs)

unit_programs += tests/unit/test_contract
tests_unit_test_contract_SOURCES = \
	tests/unit/quantum_scene.h \
	tests/unit/scene.h \
	tests/unit/test_contract.c \
	tests/unit/unit.h
tests_unit_test_contract_LDADD = $(unit_libs)

unit_programs += tests/unit/test_group
tests_unit_test_group_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_group.c \
	tests/unit/unit.h
tests_unit_test_group_LDADD = $(unit_libs)

unit_programs += tests/unit/test_group_effort
tests_unit_test_group_effort_SOURCES = \
	tests/unit/quantum_scene.h \
	tests/unit/scene.h \
	tests/unit/test_group_effort.c \
	tests/unit/unit.h
tests_unit_test_group_effort_LDADD = $(unit_libs)

unit_programs += tests/unit/test_reservations
tests_unit_test_reservations_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_reservations.c \
	tests/unit/unit.h
tests_unit_test_reservations_LDADD = $(unit_libs)

unit_programs += tests/unit/test_site_order
tests_unit_test_site_order_SOURCES = \
	tests/unit/scene.h \
	tests/unit/test_site_order.c \
	tests/unit/unit.h
tests_unit_test_site_order_LDADD = $(unit_libs)

unit_programs += tests/unit/test_told
tests_unit_test_told_SOURCES = \
	tests/unit/quantum_scene.h \
	tests/unit/scene.h \
	tests/unit/test_told.c \
	tests/unit/unit.h
tests_unit_test_told_LDADD = $(unit_libs)

unit_programs += tests/unit/test_progress
tests_unit_test_progress_SOURCES = \
	tests/unit/test_progress.c \
	tests/unit/unit.h
tests_unit_test_progress_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_progress_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_interrupted
tests_unit_test_interrupted_SOURCES = \
	tests/unit/audit.c \
	tests/unit/audit.h \
	tests/unit/command.h \
	tests/unit/file.h \
	tests/unit/test_interrupted.c \
	tests/unit/unit.h
tests_unit_test_interrupted_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_interrupted_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_replay
tests_unit_test_replay_SOURCES = \
	tests/unit/command.h \
	tests/unit/file.h \
	tests/unit/tape.h \
	tests/unit/test_replay.c \
	tests/unit/unit.h
tests_unit_test_replay_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_replay_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_segments
tests_unit_test_segments_SOURCES = \
	tests/unit/command.h \
	tests/unit/file.h \
	tests/unit/tape.h \
	tests/unit/test_segments.c \
	tests/unit/unit.h
tests_unit_test_segments_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_segments_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_experiment
tests_unit_test_experiment_SOURCES = \
	tests/unit/file.h \
	tests/unit/test_experiment.c \
	tests/unit/unit.h
tests_unit_test_experiment_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_experiment_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_claims
tests_unit_test_claims_SOURCES = \
	tests/unit/test_claims.c \
	tests/unit/unit.h
tests_unit_test_claims_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_claims_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_instead
tests_unit_test_instead_SOURCES = \
	tests/unit/test_instead.c \
	tests/unit/unit.h
tests_unit_test_instead_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_instead_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_judge
tests_unit_test_judge_SOURCES = \
	tests/unit/test_judge.c \
	tests/unit/unit.h
tests_unit_test_judge_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_judge_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_choose
tests_unit_test_choose_SOURCES = \
	tests/unit/test_choose.c \
	tests/unit/unit.h
tests_unit_test_choose_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_choose_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_confirm
tests_unit_test_confirm_SOURCES = \
	tests/unit/test_confirm.c \
	tests/unit/tune_world.h \
	tests/unit/unit.h
tests_unit_test_confirm_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_confirm_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_finals
tests_unit_test_finals_SOURCES = \
	tests/unit/test_finals.c \
	tests/unit/tune_world.h \
	tests/unit/unit.h
tests_unit_test_finals_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_finals_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_rearrange
tests_unit_test_rearrange_SOURCES = \
	tests/unit/test_rearrange.c \
	tests/unit/unit.h
tests_unit_test_rearrange_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_rearrange_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_prospects
tests_unit_test_prospects_SOURCES = \
	tests/unit/test_prospects.c \
	tests/unit/tune_world.h \
	tests/unit/unit.h
tests_unit_test_prospects_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_prospects_LDADD = $(frontend_unit_libs)

unit_programs += tests/unit/test_tune
tests_unit_test_tune_SOURCES = \
	tests/unit/test_tune.c \
	tests/unit/unit.h
tests_unit_test_tune_CPPFLAGS = $(libfrontend_a_CPPFLAGS)
tests_unit_test_tune_LDADD = $(frontend_unit_libs)

# The agent with a simulated workload manager.
unit_programs += tests/unit/test_agent
tests_unit_test_agent_SOURCES = \
	tests/unit/fake_truth.c \
	tests/unit/fake_truth.h \
	tests/unit/fake_wlm.c \
	tests/unit/fake_wlm.h \
	tests/unit/fake_world.c \
	tests/unit/test_agent.c \
	tests/unit/unit.h
tests_unit_test_agent_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_agent_LDADD = libagent.la $(unit_libs)
tests_unit_test_agent_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=lxfw_grow

unit_programs += tests/unit/test_agent_faults
tests_unit_test_agent_faults_SOURCES = \
	tests/unit/fake_truth.c \
	tests/unit/fake_truth.h \
	tests/unit/fake_wlm.c \
	tests/unit/fake_wlm.h \
	tests/unit/fake_world.c \
	tests/unit/test_agent_faults.c \
	tests/unit/unit.h
tests_unit_test_agent_faults_CPPFLAGS = $(unit_cppflags) -D_GNU_SOURCE
tests_unit_test_agent_faults_LDADD = libagent.la $(unit_libs)
tests_unit_test_agent_faults_LDFLAGS = \
	$(AM_LDFLAGS) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=strdup,--wrap=strndup,--wrap=asprintf,--wrap=open_memstream,--wrap=getdelim \
	-Wl,--wrap=write,--wrap=fsync,--wrap=rename,--wrap=renameat

unit_programs += tests/unit/test_meter
tests_unit_test_meter_SOURCES = \
	tests/unit/fake_truth.c \
	tests/unit/fake_truth.h \
	tests/unit/fake_wlm.c \
	tests/unit/fake_wlm.h \
	tests/unit/fake_world.c \
	tests/unit/test_meter.c \
	tests/unit/unit.h
tests_unit_test_meter_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_meter_LDADD = libagent.la $(unit_libs)

unit_programs += tests/unit/test_agent_shadow
tests_unit_test_agent_shadow_SOURCES = \
	tests/unit/test_agent_shadow.c \
	tests/unit/unit.h
tests_unit_test_agent_shadow_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_agent_shadow_LDADD = libagent.la $(unit_libs)

unit_programs += tests/unit/test_let_go
tests_unit_test_let_go_SOURCES = \
	plugins/slurm/compat/backfill.c \
	plugins/slurm/compat/backfill.h \
	tests/unit/test_let_go.c \
	tests/unit/unit.h
tests_unit_test_let_go_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_let_go_LDADD = libagent.la $(unit_libs)

# Plugins that it loads.
backfill_flags = $(AM_LDFLAGS) -module -avoid-version -shared -rpath $(abs_builddir)
EXTRA_DIST += tests/unit/backfill_module.c
check_LTLIBRARIES += backfill_own.la backfill_old.la backfill_stock.la
backfill_own_la_SOURCES = tests/unit/backfill_module.c
backfill_own_la_CPPFLAGS = $(AM_CPPFLAGS) -DOWN
backfill_own_la_LDFLAGS = $(backfill_flags)
backfill_old_la_SOURCES = tests/unit/backfill_module.c
backfill_old_la_CPPFLAGS = $(AM_CPPFLAGS) -DRELEASE=6
backfill_old_la_LDFLAGS = $(backfill_flags)
backfill_stock_la_SOURCES = tests/unit/backfill_module.c
backfill_stock_la_CPPFLAGS = $(AM_CPPFLAGS)
backfill_stock_la_LDFLAGS = $(backfill_flags)

unit_programs += tests/unit/test_agent_loop
tests_unit_test_agent_loop_SOURCES = \
	tests/unit/test_agent_loop.c \
	tests/unit/unit.h
tests_unit_test_agent_loop_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_agent_loop_LDADD = libagent.la $(unit_libs)
tests_unit_test_agent_loop_LDFLAGS = $(AM_LDFLAGS) -pthread -Wl,--wrap=lxfw_estimates_work

unit_programs += tests/unit/test_agent_aside
tests_unit_test_agent_aside_SOURCES = \
	tests/unit/test_agent_aside.c \
	tests/unit/unit.h
tests_unit_test_agent_aside_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_agent_aside_LDADD = libagent.la $(unit_libs)

unit_programs += tests/unit/test_agent_group
tests_unit_test_agent_group_SOURCES = \
	tests/unit/test_agent_group.c \
	tests/unit/unit.h
tests_unit_test_agent_group_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_agent_group_LDADD = libagent.la $(unit_libs)

# A simulated server of OpenPBS and scenes with it, and lxfw-pbsd's adapter.
check_LTLIBRARIES += libfakepbs.la
libfakepbs_la_SOURCES = \
	plugins/pbs/calls.c \
	tests/unit/fake_pbs.c \
	tests/unit/fake_pbs.h \
	tests/unit/fake_pbs_lists.c \
	tests/unit/fake_pbs_resv.c \
	tests/unit/fake_pbs_starts.c \
	tests/unit/fake_pbs_times.c \
	tests/unit/fake_pbs_world.c \
	tests/unit/fake_pbs_world.h \
	tests/unit/mixed_scene.c \
	tests/unit/mixed_scene.h \
	tests/unit/pbs_scene.c \
	tests/unit/pbs_scene.h
libfakepbs_la_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
libfakepbs_la_LIBADD = libpbsd.la

# What lxfw-pbsd reads, and its adapter with a simulated server of OpenPBS.
unit_programs += tests/unit/test_pbs
tests_unit_test_pbs_SOURCES = \
	tests/unit/pbs_site.c \
	tests/unit/pbs_site.h \
	tests/unit/test_pbs.c \
	tests/unit/unit.h
tests_unit_test_pbs_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_calendar
tests_unit_test_pbs_calendar_SOURCES = \
	tests/unit/test_pbs_calendar.c \
	tests/unit/unit.h
tests_unit_test_pbs_calendar_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_calendar_LDADD = libpbsd.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_charges
tests_unit_test_pbs_charges_SOURCES = \
	tests/unit/test_pbs_charges.c \
	tests/unit/unit.h
tests_unit_test_pbs_charges_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_charges_LDADD = libpbsd.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_aside
tests_unit_test_pbs_aside_SOURCES = \
	tests/unit/test_pbs_aside.c \
	tests/unit/unit.h
tests_unit_test_pbs_aside_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_aside_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_harm
tests_unit_test_pbs_harm_SOURCES = \
	tests/unit/test_pbs_harm.c \
	tests/unit/unit.h
tests_unit_test_pbs_harm_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_harm_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_resv
tests_unit_test_pbs_resv_SOURCES = \
	tests/unit/test_pbs_resv.c \
	tests/unit/unit.h
tests_unit_test_pbs_resv_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_resv_LDADD = libpbsd.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_unanswered
tests_unit_test_pbs_unanswered_SOURCES = \
	tests/unit/test_pbs_unanswered.c \
	tests/unit/unit.h
tests_unit_test_pbs_unanswered_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_unanswered_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_mixed
tests_unit_test_pbs_mixed_SOURCES = \
	tests/unit/test_pbs_mixed.c \
	tests/unit/unit.h
tests_unit_test_pbs_mixed_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_mixed_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_mixed_changes
tests_unit_test_pbs_mixed_changes_SOURCES = \
	tests/unit/test_pbs_mixed_changes.c \
	tests/unit/unit.h
tests_unit_test_pbs_mixed_changes_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_mixed_changes_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_mixed_random
tests_unit_test_pbs_mixed_random_SOURCES = \
	tests/unit/test_pbs_mixed_random.c \
	tests/unit/unit.h
tests_unit_test_pbs_mixed_random_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_mixed_random_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_parts
tests_unit_test_pbs_parts_SOURCES = \
	tests/unit/test_pbs_parts.c \
	tests/unit/unit.h
tests_unit_test_pbs_parts_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_parts_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_site
tests_unit_test_pbs_site_SOURCES = \
	tests/unit/test_pbs_site.c \
	tests/unit/unit.h
tests_unit_test_pbs_site_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_site_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_scripts
tests_unit_test_pbs_scripts_SOURCES = \
	tests/unit/test_pbs_scripts.c \
	tests/unit/unit.h
tests_unit_test_pbs_scripts_CPPFLAGS = $(unit_cppflags) -D_GNU_SOURCE
tests_unit_test_pbs_scripts_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_survey
tests_unit_test_pbs_survey_SOURCES = \
	tests/unit/test_pbs_survey.c \
	tests/unit/unit.h
tests_unit_test_pbs_survey_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_survey_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_tiers
tests_unit_test_pbs_tiers_SOURCES = \
	tests/unit/test_pbs_tiers.c \
	tests/unit/unit.h
tests_unit_test_pbs_tiers_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_tiers_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_vnodes
tests_unit_test_pbs_vnodes_SOURCES = \
	tests/unit/test_pbs_vnodes.c \
	tests/unit/unit.h
tests_unit_test_pbs_vnodes_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_vnodes_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_watch
tests_unit_test_pbs_watch_SOURCES = \
	tests/unit/test_pbs_watch.c \
	tests/unit/unit.h
tests_unit_test_pbs_watch_CPPFLAGS = $(unit_cppflags) -D_GNU_SOURCE
tests_unit_test_pbs_watch_LDADD = libpbsd.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_book
tests_unit_test_pbs_book_SOURCES = \
	tests/unit/pbs_site.c \
	tests/unit/pbs_site.h \
	tests/unit/test_pbs_book.c
tests_unit_test_pbs_book_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_book_LDADD = libpbsd.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_bounds
tests_unit_test_pbs_bounds_SOURCES = \
	tests/unit/pbs_site.c \
	tests/unit/pbs_site.h \
	tests/unit/test_pbs_bounds.c
tests_unit_test_pbs_bounds_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_bounds_LDADD = libpbsd.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_model
tests_unit_test_pbs_model_SOURCES = \
	tests/unit/pbs_site.c \
	tests/unit/pbs_site.h \
	tests/unit/test_pbs_model.c
tests_unit_test_pbs_model_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_model_LDADD = libpbsd.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_usage
tests_unit_test_pbs_usage_SOURCES = \
	tests/unit/pbs_site.c \
	tests/unit/pbs_site.h \
	tests/unit/test_pbs_usage.c \
	tests/unit/unit.h
tests_unit_test_pbs_usage_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_usage_LDADD = libpbsd.la libagent.la $(unit_libs) -lm

unit_programs += tests/unit/test_pbs_world
tests_unit_test_pbs_world_SOURCES = \
	tests/unit/test_pbs_world.c \
	tests/unit/unit.h
tests_unit_test_pbs_world_CPPFLAGS = $(unit_cppflags) -D_DEFAULT_SOURCE
tests_unit_test_pbs_world_LDADD = libfakepbs.la libagent.la $(unit_libs) -lm

# The bridge with a simulated controller.
EXTRA_DIST += \
	plugins/slurm/compat/fake_entry.c \
	tests/unit/bridge_loop.h \
	tests/unit/bridge_pass.h \
	tests/unit/fake_ctld.c \
	tests/unit/fake_ctld.h \
	tests/unit/fake_jobs.c \
	tests/unit/fake_licenses.c \
	tests/unit/fake_limits.c \
	tests/unit/fake_place.c \
	tests/unit/fake_preempt.c \
	tests/unit/fake_start.c \
	tests/unit/hostile_job.c \
	tests/unit/hostile_job.h \
	tests/unit/test_bridge_changes.c \
	tests/unit/test_bridge_components.c \
	tests/unit/test_bridge_contract.c \
	tests/unit/test_bridge_depth.c \
	tests/unit/test_bridge_hostile.c \
	tests/unit/test_bridge_interrupted.c \
	tests/unit/test_bridge_licenses.c \
	tests/unit/test_bridge_aside.c \
	tests/unit/test_bridge_restart.c \
	tests/unit/test_bridge_look.c \
	tests/unit/test_bridge_loop.c \
	tests/unit/test_bridge_moldable.c \
	tests/unit/test_bridge_options.c \
	tests/unit/test_bridge_kinds.c \
	tests/unit/test_bridge_places.c \
	tests/unit/test_bridge_preempt.c \
	tests/unit/test_bridge_rank.c \
	tests/unit/test_bridge_reasons.c \
	tests/unit/test_bridge_shadow.c \
	tests/unit/test_bridge_statistics.c \
	tests/unit/test_bridge_stop.c \
	tests/unit/test_bridge_suspends.c \
	tests/unit/test_bridge_waiting.c \
	tests/unit/test_bridge_watch.c \
	tests/unit/test_estimate.c \
	tests/unit/fall_back_scene.h \
	tests/unit/test_fall_back.c \
	tests/unit/test_fall_back_left.c

if WITH_CONTROLLER
check_LTLIBRARIES += libfakectld.la
libfakectld_la_SOURCES = \
	$(bridge_sources) \
	plugins/slurm/compat/fake_entry.c \
	tests/unit/bridge_loop.h \
	tests/unit/bridge_pass.h \
	tests/unit/fake_ctld.c \
	tests/unit/fake_ctld.h \
	tests/unit/fake_jobs.c \
	tests/unit/fake_licenses.c \
	tests/unit/fake_limits.c \
	tests/unit/fake_place.c \
	tests/unit/fake_preempt.c \
	tests/unit/fake_start.c
libfakectld_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)

fake_cppflags = $(unit_cppflags) $(SLURM_CPPFLAGS)
fake_ldflags = \
	$(AM_LDFLAGS) \
	-Wl,--wrap=clock_gettime \
	-Wl,--wrap=time
fake_libs = libfakectld.la libagent.la liblxfw.la $(SLURM_FULL_LIBS)

unit_programs += tests/unit/test_bridge_changes
tests_unit_test_bridge_changes_SOURCES = \
	tests/unit/test_bridge_changes.c \
	tests/unit/unit.h
tests_unit_test_bridge_changes_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_changes_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_changes_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_statistics
tests_unit_test_bridge_statistics_SOURCES = \
	tests/unit/test_bridge_statistics.c \
	tests/unit/unit.h
tests_unit_test_bridge_statistics_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_statistics_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_statistics_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_hostile
tests_unit_test_bridge_hostile_SOURCES = \
	tests/unit/hostile_job.c \
	tests/unit/hostile_job.h \
	tests/unit/test_bridge_hostile.c \
	tests/unit/unit.h
tests_unit_test_bridge_hostile_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_hostile_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_hostile_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_loop
tests_unit_test_bridge_loop_SOURCES = \
	tests/unit/bridge_loop.h \
	tests/unit/test_bridge_loop.c \
	tests/unit/unit.h
tests_unit_test_bridge_loop_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_loop_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_loop_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_look
tests_unit_test_bridge_look_SOURCES = \
	tests/unit/bridge_loop.h \
	tests/unit/test_bridge_look.c \
	tests/unit/unit.h
tests_unit_test_bridge_look_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_look_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_look_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_watch
tests_unit_test_bridge_watch_SOURCES = \
	tests/unit/bridge_loop.h \
	tests/unit/test_bridge_watch.c \
	tests/unit/unit.h
tests_unit_test_bridge_watch_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_watch_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_watch_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_components
tests_unit_test_bridge_components_SOURCES = \
	tests/unit/test_bridge_components.c \
	tests/unit/unit.h
tests_unit_test_bridge_components_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_components_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_components_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_moldable
tests_unit_test_bridge_moldable_SOURCES = \
	tests/unit/test_bridge_moldable.c \
	tests/unit/unit.h
tests_unit_test_bridge_moldable_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_moldable_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_moldable_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_licenses
tests_unit_test_bridge_licenses_SOURCES = \
	tests/unit/test_bridge_licenses.c \
	tests/unit/unit.h
tests_unit_test_bridge_licenses_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_licenses_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_licenses_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_aside
tests_unit_test_bridge_aside_SOURCES = \
	tests/unit/test_bridge_aside.c \
	tests/unit/unit.h
tests_unit_test_bridge_aside_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_aside_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_aside_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_restart
tests_unit_test_bridge_restart_SOURCES = \
	tests/unit/test_bridge_restart.c \
	tests/unit/unit.h
tests_unit_test_bridge_restart_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_restart_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_restart_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_options
tests_unit_test_bridge_options_SOURCES = \
	tests/unit/test_bridge_options.c \
	tests/unit/unit.h
tests_unit_test_bridge_options_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_options_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_options_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_reasons
tests_unit_test_bridge_reasons_SOURCES = \
	tests/unit/test_bridge_reasons.c \
	tests/unit/unit.h
tests_unit_test_bridge_reasons_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_reasons_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_reasons_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_interrupted
tests_unit_test_bridge_interrupted_SOURCES = \
	tests/unit/bridge_loop.h \
	tests/unit/test_bridge_interrupted.c \
	tests/unit/unit.h
tests_unit_test_bridge_interrupted_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_interrupted_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_interrupted_LDADD = $(fake_libs) $(CMOCKA_LIBS)

fall_back_scene = \
	plugins/slurm/compat/backfill.h \
	plugins/slurm/compat/reservation.h \
	plugins/slurm/sched-lxfw/fall_back.c \
	plugins/slurm/sched-lxfw/fall_back.h \
	plugins/slurm/sched-lxfw/keep.c \
	plugins/slurm/sched-lxfw/keep.h \
	tests/unit/bridge_loop.h \
	tests/unit/fall_back_scene.h

unit_programs += tests/unit/test_fall_back
tests_unit_test_fall_back_SOURCES = \
	$(fall_back_scene) \
	tests/unit/test_fall_back.c \
	tests/unit/unit.h
tests_unit_test_fall_back_CPPFLAGS = $(fake_cppflags)
tests_unit_test_fall_back_LDFLAGS = $(fake_ldflags)
tests_unit_test_fall_back_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_fall_back_left
tests_unit_test_fall_back_left_SOURCES = \
	$(fall_back_scene) \
	tests/unit/test_fall_back_left.c \
	tests/unit/unit.h
tests_unit_test_fall_back_left_CPPFLAGS = $(fake_cppflags)
tests_unit_test_fall_back_left_LDFLAGS = $(fake_ldflags) -Wl,--wrap=lock_slurmctld
tests_unit_test_fall_back_left_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_stop
tests_unit_test_bridge_stop_SOURCES = \
	tests/unit/bridge_loop.h \
	tests/unit/test_bridge_stop.c \
	tests/unit/unit.h
tests_unit_test_bridge_stop_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_stop_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_stop_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_estimate
tests_unit_test_estimate_SOURCES = \
	tests/unit/bridge_loop.h \
	tests/unit/test_estimate.c \
	tests/unit/unit.h
tests_unit_test_estimate_CPPFLAGS = $(fake_cppflags)
tests_unit_test_estimate_LDFLAGS = $(fake_ldflags) -Wl,--wrap=lxfw_now_us
tests_unit_test_estimate_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_shadow
tests_unit_test_bridge_shadow_SOURCES = \
	tests/unit/bridge_loop.h \
	tests/unit/test_bridge_shadow.c \
	tests/unit/unit.h
tests_unit_test_bridge_shadow_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_shadow_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_shadow_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_suspends
tests_unit_test_bridge_suspends_SOURCES = \
	tests/unit/bridge_loop.h \
	tests/unit/test_bridge_suspends.c \
	tests/unit/unit.h
tests_unit_test_bridge_suspends_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_suspends_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_suspends_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_preempt
tests_unit_test_bridge_preempt_SOURCES = \
	tests/unit/test_bridge_preempt.c \
	tests/unit/unit.h
tests_unit_test_bridge_preempt_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_preempt_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_preempt_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_rank
tests_unit_test_bridge_rank_SOURCES = \
	tests/unit/test_bridge_rank.c \
	tests/unit/unit.h
tests_unit_test_bridge_rank_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_rank_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_rank_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_kinds
tests_unit_test_bridge_kinds_SOURCES = \
	tests/unit/test_bridge_kinds.c \
	tests/unit/unit.h
tests_unit_test_bridge_kinds_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_kinds_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_kinds_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_places
tests_unit_test_bridge_places_SOURCES = \
	tests/unit/test_bridge_places.c \
	tests/unit/unit.h
tests_unit_test_bridge_places_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_places_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_places_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_depth
tests_unit_test_bridge_depth_SOURCES = \
	plugins/slurm/sched-lxfw/rpcs.c \
	plugins/slurm/sched-lxfw/rpcs.h \
	tests/unit/test_bridge_depth.c \
	tests/unit/unit.h
tests_unit_test_bridge_depth_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_depth_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_depth_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_contract
tests_unit_test_bridge_contract_SOURCES = \
	tests/unit/test_bridge_contract.c \
	tests/unit/unit.h
tests_unit_test_bridge_contract_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_contract_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_contract_LDADD = $(fake_libs) $(CMOCKA_LIBS)

unit_programs += tests/unit/test_bridge_waiting
tests_unit_test_bridge_waiting_SOURCES = \
	tests/unit/test_bridge_waiting.c \
	tests/unit/unit.h
tests_unit_test_bridge_waiting_CPPFLAGS = $(fake_cppflags)
tests_unit_test_bridge_waiting_LDFLAGS = $(fake_ldflags)
tests_unit_test_bridge_waiting_LDADD = $(fake_libs) $(CMOCKA_LIBS)
endif

if HAVE_CMOCKA
check_PROGRAMS += $(unit_programs)
TESTS += $(unit_programs)
endif
