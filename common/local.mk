# SPDX-License-Identifier: GPL-2.0-or-later
#
# liblxfw, the policy library: a convenience library of position-independent
# objects that the command, the plugin and the tests link.

noinst_LTLIBRARIES += liblxfw.la

liblxfw_la_CFLAGS = $(AM_CFLAGS) $(LXFW_LIB_CFLAGS)

liblxfw_la_SOURCES = \
	common/journal/journal.h \
	common/model/action.h \
	common/model/event.h \
	common/model/params.c \
	common/model/params.h \
	common/model/request.h \
	common/model/resources.h \
	common/sched.h \
	common/util/error.c \
	common/util/error.h
