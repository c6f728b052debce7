# SPDX-License-Identifier: GPL-2.0-or-later
#
# libagent: the part of a plugin or daemon that is independent of the workload manager.
# A convenience library that uses no workload manager's headers.

noinst_LTLIBRARIES += libagent.la

libagent_la_CFLAGS = $(AM_CFLAGS)

libagent_la_SOURCES = \
	plugins/agent/act.c \
	plugins/agent/act.h \
	plugins/agent/agent.c \
	plugins/agent/agent.h \
	plugins/agent/aside.c \
	plugins/agent/aside.h \
	plugins/agent/clock.c \
	plugins/agent/clock.h \
	plugins/agent/estimate.c \
	plugins/agent/estimate.h \
	plugins/agent/events.c \
	plugins/agent/events.h \
	plugins/agent/journal_file.c \
	plugins/agent/journal_file.h \
	plugins/agent/journal_old.c \
	plugins/agent/journal_old.h \
	plugins/agent/kept.c \
	plugins/agent/kept.h \
	plugins/agent/kept_file.c \
	plugins/agent/kept_file.h \
	plugins/agent/let_go.c \
	plugins/agent/let_go.h \
	plugins/agent/log.c \
	plugins/agent/log.h \
	plugins/agent/loop.c \
	plugins/agent/loop.h \
	plugins/agent/meter.c \
	plugins/agent/meter.h \
	plugins/agent/meter_text.c \
	plugins/agent/meter_text.h \
	plugins/agent/mirror.c \
	plugins/agent/mirror.h \
	plugins/agent/mirror_jobs.c \
	plugins/agent/pass.c \
	plugins/agent/pass.h \
	plugins/agent/quanta.c \
	plugins/agent/quanta.h \
	plugins/agent/quanta_act.c \
	plugins/agent/quanta_file.c \
	plugins/agent/quanta_file.h \
	plugins/agent/quanta_look.c \
	plugins/agent/reach.c \
	plugins/agent/reach.h \
	plugins/agent/refuse.c \
	plugins/agent/refuse.h \
	plugins/agent/setup.c \
	plugins/agent/setup.h \
	plugins/agent/shadow.c \
	plugins/agent/shadow.h \
	plugins/agent/shares_cores.c \
	plugins/agent/shares_cores.h \
	plugins/agent/table.c \
	plugins/agent/table.h \
	plugins/agent/whole_file.c \
	plugins/agent/whole_file.h \
	plugins/agent/wlm.h
