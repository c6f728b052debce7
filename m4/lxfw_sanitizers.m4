dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_SANITIZERS
dnl --enable-sanitizers: LXFW_SANITIZE_CFLAGS holds the flags for compiling and linking.
dnl The Slurm plugins are not built, because a controller built without sanitizers
dnl cannot load them.

AC_DEFUN([LXFW_SANITIZERS], [
	AC_ARG_ENABLE([sanitizers],
		[AS_HELP_STRING([--enable-sanitizers],
			[build with the address and undefined behaviour
			sanitizers, without the Slurm plugin])],
		[], [enable_sanitizers=no])
	LXFW_SANITIZE_CFLAGS=
	AS_IF([test "x$enable_sanitizers" != xno], [
		LXFW_SANITIZE_CFLAGS="-fsanitize=address,undefined dnl
-fno-sanitize-recover=undefined -fno-omit-frame-pointer"
		AC_MSG_CHECKING([whether $CC links with the sanitizers])
		lxfw_saved_cflags=$CFLAGS
		CFLAGS="$CFLAGS $LXFW_SANITIZE_CFLAGS"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
			[AC_MSG_RESULT([yes])],
			[AC_MSG_RESULT([no])
			 AC_MSG_ERROR([--enable-sanitizers: $CC cannot link with -fsanitize=address,undefined])])
		CFLAGS=$lxfw_saved_cflags
	])
	AM_CONDITIONAL([ENABLE_SANITIZERS], [test "x$enable_sanitizers" != xno])
	AC_SUBST([LXFW_SANITIZE_CFLAGS])
])
