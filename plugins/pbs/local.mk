# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw-pbsd, a scheduler of OpenPBS. libpbsd, a convenience library, is all of it except for
# the calls of libpbs: tests link it with a simulated server, where no OpenPBS is installed.

noinst_LTLIBRARIES += libpbsd.la

libpbsd_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
libpbsd_la_CFLAGS = $(AM_CFLAGS) $(ICAL_CFLAGS)
libpbsd_la_LIBADD = $(ICAL_LIBS)

libpbsd_la_SOURCES = \
	plugins/pbs/above.c \
	plugins/pbs/above.h \
	plugins/pbs/accrue.c \
	plugins/pbs/aside.c \
	plugins/pbs/act.c \
	plugins/pbs/barred.c \
	plugins/pbs/barred.h \
	plugins/pbs/blocks.c \
	plugins/pbs/bundles.c \
	plugins/pbs/bundles.h \
	plugins/pbs/calendar.c \
	plugins/pbs/calendar.h \
	plugins/pbs/calendar_read.c \
	plugins/pbs/book.c \
	plugins/pbs/book.h \
	plugins/pbs/calls.h \
	plugins/pbs/config.c \
	plugins/pbs/charges.c \
	plugins/pbs/charges.h \
	plugins/pbs/confirm.c \
	plugins/pbs/config.h \
	plugins/pbs/expect.c \
	plugins/pbs/decided.c \
	plugins/pbs/decided.h \
	plugins/pbs/fairshare.c \
	plugins/pbs/fairshare.h \
	plugins/pbs/formula.c \
	plugins/pbs/formula.h \
	plugins/pbs/hash.h \
	plugins/pbs/ifl.h \
	plugins/pbs/job.c \
	plugins/pbs/job.h \
	plugins/pbs/kinds.c \
	plugins/pbs/kinds.h \
	plugins/pbs/layout.c \
	plugins/pbs/limits.c \
	plugins/pbs/limits.h \
	plugins/pbs/mixed.c \
	plugins/pbs/mixed.h \
	plugins/pbs/mixed_join.c \
	plugins/pbs/mixed_part.c \
	plugins/pbs/mixed_part.h \
	plugins/pbs/mixed_start.c \
	plugins/pbs/offer.c \
	plugins/pbs/measure.c \
	plugins/pbs/plain.c \
	plugins/pbs/plain.h \
	plugins/pbs/pools.c \
	plugins/pbs/pools.h \
	plugins/pbs/preempt.c \
	plugins/pbs/psets.c \
	plugins/pbs/psets.h \
	plugins/pbs/rank.c \
	plugins/pbs/records.c \
	plugins/pbs/records.h \
	plugins/pbs/recur.c \
	plugins/pbs/recur.h \
	plugins/pbs/request.c \
	plugins/pbs/request.h \
	plugins/pbs/reserve.c \
	plugins/pbs/resv.c \
	plugins/pbs/resv.h \
	plugins/pbs/resv_place.c \
	plugins/pbs/sched.c \
	plugins/pbs/sched.h \
	plugins/pbs/scripts.c \
	plugins/pbs/scripts.h \
	plugins/pbs/select.c \
	plugins/pbs/select.h \
	plugins/pbs/sets.c \
	plugins/pbs/sets.h \
	plugins/pbs/site.c \
	plugins/pbs/site.h \
	plugins/pbs/survey.c \
	plugins/pbs/survey.h \
	plugins/pbs/text.c \
	plugins/pbs/text.h \
	plugins/pbs/tiers.c \
	plugins/pbs/together.c \
	plugins/pbs/unfit.c \
	plugins/pbs/usage.c \
	plugins/pbs/usage.h \
	plugins/pbs/use.c \
	plugins/pbs/waiting.c \
	plugins/pbs/watch.c \
	plugins/pbs/watch.h \
	plugins/pbs/wlm.c \
	plugins/pbs/wlm.h

EXTRA_DIST += \
	contrib/lxfw-pbsd.service \
	plugins/pbs/calls.c \
	plugins/pbs/lxfw_pbsd.c

if WITH_PBS

pbssbindir = $(sbindir)
pbssbin_PROGRAMS = lxfw-pbsd

lxfw_pbsd_SOURCES = \
	plugins/pbs/calls.c \
	plugins/pbs/lxfw_pbsd.c
lxfw_pbsd_CPPFLAGS = $(AM_CPPFLAGS) $(PBS_CPPFLAGS)
lxfw_pbsd_LDADD = libpbsd.la libagent.la liblxfw.la $(PBS_LIBS) -lpthread -lm

endif
