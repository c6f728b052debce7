# SPDX-License-Identifier: GPL-2.0-or-later
#
# sched_lxfw.so, the plugin of slurmctld. The lines in comments are taken in
# with its first source.

EXTRA_DIST += \
	plugins/slurm/compat/include/config.h

if WITH_SLURM

#slurmplugindir = $(SLURM_PLUGINDIR)
#slurmplugin_LTLIBRARIES = sched_lxfw.la
#
#sched_lxfw_la_SOURCES =
#sched_lxfw_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
#sched_lxfw_la_LIBADD = liblxfw.la
#
## Nothing but what Slurm looks for leaves the plugin, so that no name of ours
## meets one of the controller's. Its own names stay open until it is loaded.
#sched_lxfw_la_LDFLAGS = \
#	$(AM_LDFLAGS) \
#	-module \
#	-avoid-version \
#	-shared \
#	-export-symbols-regex '^(plugin_(name|type|version)|init|fini|sched_p_.*)$$'
#
## Slurm opens the .so itself; a .la beside it would be clutter.
#install-data-hook:
#	rm -f $(DESTDIR)$(slurmplugindir)/sched_lxfw.la
#
#uninstall-hook:
#	rm -f $(DESTDIR)$(slurmplugindir)/sched_lxfw.so

endif
