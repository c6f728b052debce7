dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_SCRIPTS
dnl Set SCRIPT_* and the conditional HAVE_SCRIPTS. Without Lua, --policy-file reports
dnl that it is not available.

AC_DEFUN([LXFW_SCRIPTS], [
	AC_ARG_WITH([scripts],
		[AS_HELP_STRING([--without-scripts],
			[leave out policies from files, 'lxfw simulate --policy-file' @<:@default: as found@:>@])],
		[], [with_scripts=check])
	have_scripts=no
	AS_IF([test "x$with_scripts" != xno],
		[PKG_CHECK_MODULES([SCRIPT], [lua5.4],
			[have_scripts=yes], [have_scripts=no])])
	AS_IF([test "x$with_scripts" = xyes && test "x$have_scripts" = xno],
		[AC_MSG_ERROR([Lua 5.4 is needed for --with-scripts (Debian: liblua5.4-dev)])])
	AS_IF([test "x$have_scripts" = xyes], [
		AC_DEFINE([LXFW_HAVE_SCRIPTS], [1], [policies from files])
		lxfw_saved_libs=$LIBS
		AC_SEARCH_LIBS([dlopen], [dl],
			[AS_CASE([$ac_cv_search_dlopen], [-l*],
				[SCRIPT_LIBS="$SCRIPT_LIBS $ac_cv_search_dlopen"])])
		LIBS=$lxfw_saved_libs
	])
	AM_CONDITIONAL([HAVE_SCRIPTS], [test "x$have_scripts" = xyes])
])
