# SPDX-License-Identifier: GPL-2.0-or-later
#
# Slurm plugins: sched_lxfw.so, the scheduler, also as sched_backfill.so in a directory of
# its own; select_cons_tres_lxfw.so, the node selection; and spank_lxfw.so, which commands
# and slurmstepd load.

EXTRA_DIST += \
	plugins/slurm/lxfw-recover \
	plugins/slurm/compat/include/config.h

# The items of SchedulerParameters. The command uses them, too.
parameter_sources = \
	plugins/slurm/parameters/parameters.c \
	plugins/slurm/parameters/parameters.h \
	plugins/slurm/parameters/table.c

# The code between Slurm's records and the library. Tests use it, too.
bridge_sources = \
	plugins/slurm/bridge/adaptive.c \
	plugins/slurm/bridge/adaptive.h \
	plugins/slurm/bridge/alloc.c \
	plugins/slurm/bridge/alloc.h \
	plugins/slurm/bridge/aside.c \
	plugins/slurm/bridge/aside.h \
	plugins/slurm/bridge/bridge.c \
	plugins/slurm/bridge/bridge.h \
	plugins/slurm/bridge/changes.c \
	plugins/slurm/bridge/changes.h \
	plugins/slurm/bridge/components.c \
	plugins/slurm/bridge/components.h \
	plugins/slurm/bridge/cores.c \
	plugins/slurm/bridge/cores.h \
	plugins/slurm/bridge/eligible.c \
	plugins/slurm/bridge/eligible.h \
	plugins/slurm/bridge/depth.c \
	plugins/slurm/bridge/depth.h \
	plugins/slurm/bridge/extras.c \
	plugins/slurm/bridge/extras.h \
	plugins/slurm/bridge/gpu_sockets.c \
	plugins/slurm/bridge/gpu_sockets.h \
	plugins/slurm/bridge/features.c \
	plugins/slurm/bridge/features.h \
	plugins/slurm/bridge/free_nodes.c \
	plugins/slurm/bridge/free_nodes.h \
	plugins/slurm/bridge/held.c \
	plugins/slurm/bridge/held.h \
	plugins/slurm/bridge/hold.c \
	plugins/slurm/bridge/hold.h \
	plugins/slurm/bridge/hold_plan.c \
	plugins/slurm/bridge/hold_plan.h \
	plugins/slurm/bridge/hosts.c \
	plugins/slurm/bridge/hosts.h \
	plugins/slurm/bridge/interrupt.c \
	plugins/slurm/bridge/interrupt.h \
	plugins/slurm/bridge/known.c \
	plugins/slurm/bridge/known.h \
	plugins/slurm/bridge/left.c \
	plugins/slurm/bridge/left.h \
	plugins/slurm/bridge/leftover.c \
	plugins/slurm/bridge/leftover.h \
	plugins/slurm/bridge/licenses.c \
	plugins/slurm/bridge/licenses.h \
	plugins/slurm/bridge/limit.c \
	plugins/slurm/bridge/limit.h \
	plugins/slurm/bridge/names.c \
	plugins/slurm/bridge/names.h \
	plugins/slurm/bridge/numbers.c \
	plugins/slurm/bridge/numbers.h \
	plugins/slurm/bridge/offer.c \
	plugins/slurm/bridge/offer.h \
	plugins/slurm/bridge/offer_components.c \
	plugins/slurm/bridge/offer_components.h \
	plugins/slurm/bridge/overlap.c \
	plugins/slurm/bridge/overlap.h \
	plugins/slurm/bridge/permit.c \
	plugins/slurm/bridge/permit.h \
	plugins/slurm/bridge/places.c \
	plugins/slurm/bridge/places.h \
	plugins/slurm/bridge/preempt.c \
	plugins/slurm/bridge/preempt.h \
	plugins/slurm/bridge/preemptor.c \
	plugins/slurm/bridge/preemptor.h \
	plugins/slurm/bridge/rank.c \
	plugins/slurm/bridge/rank.h \
	plugins/slurm/bridge/reason.c \
	plugins/slurm/bridge/reason.h \
	plugins/slurm/bridge/request.c \
	plugins/slurm/bridge/request.h \
	plugins/slurm/bridge/reserved.c \
	plugins/slurm/bridge/reserved.h \
	plugins/slurm/bridge/resv.c \
	plugins/slurm/bridge/resv.h \
	plugins/slurm/bridge/sanity.c \
	plugins/slurm/bridge/sanity.h \
	plugins/slurm/bridge/serve.c \
	plugins/slurm/bridge/serve.h \
	plugins/slurm/bridge/set_runs.c \
	plugins/slurm/bridge/set_runs.h \
	plugins/slurm/bridge/sets.c \
	plugins/slurm/bridge/sets.h \
	plugins/slurm/bridge/shape.c \
	plugins/slurm/bridge/shape.h \
	plugins/slurm/bridge/shares.c \
	plugins/slurm/bridge/shares.h \
	plugins/slurm/bridge/shares_limit.c \
	plugins/slurm/bridge/shares_limit.h \
	plugins/slurm/bridge/shares_taken.c \
	plugins/slurm/bridge/shares_taken.h \
	plugins/slurm/bridge/start.c \
	plugins/slurm/bridge/start.h \
	plugins/slurm/bridge/statistics.c \
	plugins/slurm/bridge/statistics.h \
	plugins/slurm/bridge/sync.c \
	plugins/slurm/bridge/sync.h \
	plugins/slurm/bridge/sync_running.c \
	plugins/slurm/bridge/sync_running.h \
	plugins/slurm/bridge/tasks.c \
	plugins/slurm/bridge/tasks.h \
	plugins/slurm/bridge/watch.c \
	plugins/slurm/bridge/watch.h \
	plugins/slurm/bridge/watch_look.c \
	plugins/slurm/bridge/watch_look.h \
	plugins/slurm/bridge/watch_mark.c \
	plugins/slurm/bridge/watch_mark.h \
	plugins/slurm/bridge/weight.h \
	plugins/slurm/compat/accounting.c \
	plugins/slurm/compat/compat.c \
	plugins/slurm/compat/compat.h \
	plugins/slurm/compat/job.c \
	plugins/slurm/compat/license.c \
	plugins/slurm/compat/license.h \
	plugins/slurm/compat/listen.c \
	plugins/slurm/compat/listen.h \
	plugins/slurm/compat/preempt.c \
	plugins/slurm/compat/queue.c \
	$(parameter_sources)

if WITH_SLURM

dist_sbin_SCRIPTS = plugins/slurm/lxfw-recover

# The program that lxfw-recover calls.
sbin_PROGRAMS = lxfw-job-cores
lxfw_job_cores_SOURCES = plugins/slurm/recover/lxfw_job_cores.c
lxfw_job_cores_CPPFLAGS = \
	$(AM_CPPFLAGS) \
	$(SLURM_CPPFLAGS) \
	-DLXFW_SLURM_PLUGINDIR='"$(SLURM_PLUGINDIR)"'

slurmplugindir = $(SLURM_PLUGINDIR)
slurmplugin_LTLIBRARIES = \
	sched_lxfw.la \
	select_cons_tres_lxfw.la \
	spank_lxfw.la

# A plugin that calls a function which this release lacks would be loaded, and end the
# controller when it calls it.
release_flags = -Werror=implicit-function-declaration

# The scheduler without the name under which Slurm loads it.
noinst_LTLIBRARIES += libsched.la
libsched_la_SOURCES = \
	$(bridge_sources) \
	plugins/slurm/compat/backfill.c \
	plugins/slurm/compat/backfill.h \
	plugins/slurm/compat/reservation.c \
	plugins/slurm/compat/reservation.h \
	plugins/slurm/sched-lxfw/config.c \
	plugins/slurm/sched-lxfw/config.h \
	plugins/slurm/sched-lxfw/fall_back.c \
	plugins/slurm/sched-lxfw/fall_back.h \
	plugins/slurm/sched-lxfw/keep.c \
	plugins/slurm/sched-lxfw/keep.h \
	plugins/slurm/sched-lxfw/rpcs.c \
	plugins/slurm/sched-lxfw/rpcs.h
libsched_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(release_flags)
libsched_la_LIBADD = libagent.la liblxfw.la

# Only the symbols that Slurm requires are exported, so that no other name conflicts
# with one of the controller. References to the controller stay undefined until the
# plugin is loaded.
sched_ldflags = \
	$(AM_LDFLAGS) \
	-module \
	-avoid-version \
	-shared \
	-export-symbols-regex '^(plugin_(name|type|version)|init|fini|sched_p_.*)$$'

sched_lxfw_la_SOURCES = plugins/slurm/sched-lxfw/sched_lxfw.c
sched_lxfw_la_CPPFLAGS = \
	$(AM_CPPFLAGS) \
	$(SLURM_CPPFLAGS) \
	-DLXFW_SCHED_TYPE='"sched/lxfw"'
sched_lxfw_la_LIBADD = libsched.la
sched_lxfw_la_LDFLAGS = $(sched_ldflags)

# The same plugin under the name of Slurm's own scheduler. It is in a directory of its
# own, which PluginDir names before Slurm's.
slurmstockdir = $(SLURM_PLUGINDIR)/lxfw
slurmstock_LTLIBRARIES = plugins/slurm/sched-lxfw/sched_backfill.la
plugins_slurm_sched_lxfw_sched_backfill_la_SOURCES = \
	plugins/slurm/sched-lxfw/sched_lxfw.c
plugins_slurm_sched_lxfw_sched_backfill_la_CPPFLAGS = \
	$(AM_CPPFLAGS) \
	$(SLURM_CPPFLAGS) \
	-DLXFW_SCHED_TYPE='"sched/backfill"'
plugins_slurm_sched_lxfw_sched_backfill_la_LIBADD = libsched.la
plugins_slurm_sched_lxfw_sched_backfill_la_LDFLAGS = $(sched_ldflags)

# Nodes and clients load the select plugin as well. They never call the functions that
# use the controller, which are therefore resolved when they are called.
select_cons_tres_lxfw_la_SOURCES = \
	plugins/slurm/bridge/extras.c \
	plugins/slurm/bridge/extras.h \
	plugins/slurm/bridge/gpu_sockets.c \
	plugins/slurm/bridge/gpu_sockets.h \
	plugins/slurm/bridge/numbers.c \
	plugins/slurm/bridge/numbers.h \
	plugins/slurm/bridge/overlap.c \
	plugins/slurm/bridge/overlap.h \
	plugins/slurm/bridge/sanity.c \
	plugins/slurm/bridge/sanity.h \
	plugins/slurm/bridge/shape.c \
	plugins/slurm/bridge/shape.h \
	plugins/slurm/bridge/weight.h \
	plugins/slurm/compat/job.c \
	plugins/slurm/compat/compat.h \
	plugins/slurm/compat/select.c \
	plugins/slurm/compat/select_symbols.h \
	plugins/slurm/compat/stock.c \
	plugins/slurm/compat/stock.h \
	plugins/slurm/select-lxfw/guard.c \
	plugins/slurm/select-lxfw/layer.c \
	plugins/slurm/select-lxfw/layer.h \
	plugins/slurm/select-lxfw/overbooked.c \
	plugins/slurm/select-lxfw/place.c \
	plugins/slurm/select-lxfw/select_cons_tres_lxfw.c
select_cons_tres_lxfw_la_CPPFLAGS = \
	$(AM_CPPFLAGS) \
	$(SLURM_CPPFLAGS) \
	$(release_flags) \
	-DLXFW_LOADED_BY_CLIENTS
select_cons_tres_lxfw_la_LIBADD = liblxfw.la
select_cons_tres_lxfw_la_LDFLAGS = \
	$(AM_LDFLAGS) \
	-module \
	-avoid-version \
	-shared \
	-Wl,-z,lazy \
	-export-symbols-regex '^(plugin_(name|type|version|id)|init|fini|select_p_.*)$$'

spank_lxfw_la_SOURCES = \
	plugins/slurm/compat/step.c \
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
	plugins/slurm/spank-lxfw/spank_lxfw.c
spank_lxfw_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) -D_GNU_SOURCE
spank_lxfw_la_LIBADD = liblxfw.la
spank_lxfw_la_LDFLAGS = \
	$(AM_LDFLAGS) \
	-module \
	-avoid-version \
	-shared \
	-export-symbols-regex '^(plugin_(name|type|version)|spank_plugin_version|slurm_spank_.*)$$'

# Slurm loads the .so files directly and does not use .la files.
install-data-hook:
	rm -f $(DESTDIR)$(slurmplugindir)/sched_lxfw.la
	rm -f $(DESTDIR)$(slurmstockdir)/sched_backfill.la
	rm -f $(DESTDIR)$(slurmplugindir)/select_cons_tres_lxfw.la
	rm -f $(DESTDIR)$(slurmplugindir)/spank_lxfw.la

uninstall-hook:
	rm -f $(DESTDIR)$(slurmplugindir)/sched_lxfw.so
	rm -f $(DESTDIR)$(slurmstockdir)/sched_backfill.so
	rmdir $(DESTDIR)$(slurmstockdir) 2>/dev/null || true
	rm -f $(DESTDIR)$(slurmplugindir)/select_cons_tres_lxfw.so
	rm -f $(DESTDIR)$(slurmplugindir)/spank_lxfw.so

endif

# Print the fields of Slurm's job records that the plugins use, for a port to another
# release.
slurm-fields:
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/unit/fields.sh --print

.PHONY: slurm-fields
