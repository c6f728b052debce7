dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_LIBRARIES
dnl Find the libraries of the command: ZLIB_* and ARCHIVE_* (compressed traces), JSON_*
dnl (reports), CURL_* (accounting from slurmrestd), NETTLE_*
dnl (tokens for it, digests), MATH_LIBS, THREAD_LIBS.

AC_DEFUN([LXFW_LIBRARIES], [
	PKG_CHECK_MODULES([JSON], [json-c >= 0.13], [],
		[AC_MSG_ERROR([json-c 0.13 or later is needed (Debian: libjson-c-dev)])])
	PKG_CHECK_MODULES([ZLIB], [zlib], [], [
		dnl macOS ships zlib without zlib.pc
		lxfw_saved_libs=$LIBS
		LIBS="$LIBS -lz"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <zlib.h>]],
			[[return zlibVersion() == 0;]])],
			[ZLIB_LIBS=-lz],
			[AC_MSG_ERROR([zlib is needed (Debian: zlib1g-dev)])])
		LIBS=$lxfw_saved_libs
	])
	PKG_CHECK_MODULES([ARCHIVE], [libarchive >= 3.3], [],
		[AC_MSG_ERROR([libarchive 3.3 or later is needed (Debian: libarchive-dev)])])
	PKG_CHECK_MODULES([CURL], [libcurl >= 7.62], [],
		[AC_MSG_ERROR([libcurl 7.62 or later is needed (Debian: libcurl4-gnutls-dev)])])
	PKG_CHECK_MODULES([NETTLE], [nettle >= 3.4], [],
		[AC_MSG_ERROR([nettle 3.4 or later is needed (Debian: nettle-dev)])])
	MATH_LIBS=
	lxfw_saved_libs=$LIBS
	AC_SEARCH_LIBS([floor], [m],
		[AS_CASE([$ac_cv_search_floor], [-l*], [MATH_LIBS=$ac_cv_search_floor])])
	LIBS=$lxfw_saved_libs
	AC_SUBST([MATH_LIBS])
	THREAD_LIBS=
	AC_SEARCH_LIBS([pthread_create], [pthread],
		[AS_CASE([$ac_cv_search_pthread_create], [-l*],
			[THREAD_LIBS=$ac_cv_search_pthread_create])],
		[AC_MSG_ERROR([POSIX threads are needed])])
	LIBS=$lxfw_saved_libs
	AC_SUBST([THREAD_LIBS])
])
