# SPDX-License-Identifier: GPL-2.0-or-later
#
# libfrontend (everything but main, so that tests can link it) and the command.
# The lines of the command are taken in with its first source.

noinst_LTLIBRARIES += libfrontend.la

libfrontend_la_CFLAGS = \
	$(AM_CFLAGS) \
	$(LXFW_LIB_CFLAGS) \
	$(JSON_CFLAGS) \
	$(ZLIB_CFLAGS)

libfrontend_la_SOURCES =

libfrontend_la_LIBADD = \
	liblxfw.la \
	$(JSON_LIBS) \
	$(ZLIB_LIBS) \
	$(MATH_LIBS)

#bin_PROGRAMS += lxfw
#lxfw_SOURCES = sim-frontend/main.c
#lxfw_CFLAGS = $(libfrontend_la_CFLAGS)
#lxfw_LDADD = libfrontend.la
