dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_FUZZERS
dnl --enable-fuzzers: build the libFuzzer targets in tests/fuzz. CC must be clang.
dnl LXFW_FUZZ_CFLAGS instruments all code; LXFW_FUZZ_LDFLAGS links libFuzzer's main().

AC_DEFUN([LXFW_FUZZERS], [
	AC_ARG_ENABLE([fuzzers],
		[AS_HELP_STRING([--enable-fuzzers],
			[build the libFuzzer targets (needs CC=clang; goes well
			with --enable-sanitizers)])],
		[], [enable_fuzzers=no])
	LXFW_FUZZ_CFLAGS=
	LXFW_FUZZ_LDFLAGS=
	AS_IF([test "x$enable_fuzzers" != xno], [
		LXFW_FUZZ_CFLAGS="-fsanitize=fuzzer-no-link"
		LXFW_FUZZ_LDFLAGS="-fsanitize=fuzzer"
		AC_MSG_CHECKING([whether $CC builds libFuzzer targets])
		lxfw_saved_cflags=$CFLAGS
		CFLAGS="$CFLAGS $LXFW_SANITIZE_CFLAGS $LXFW_FUZZ_LDFLAGS"
		AC_LINK_IFELSE([AC_LANG_SOURCE([[
			#include <stddef.h>
			#include <stdint.h>
			int LLVMFuzzerTestOneInput(const uint8_t *data,
						   size_t size);
			int LLVMFuzzerTestOneInput(const uint8_t *data,
						   size_t size)
			{
				return data && size ? 0 : 0;
			}]])],
			[AC_MSG_RESULT([yes])],
			[AC_MSG_RESULT([no])
			 AC_MSG_ERROR([--enable-fuzzers: $CC has no libFuzzer; configure with CC=clang])])
		CFLAGS=$lxfw_saved_cflags
	])
	AM_CONDITIONAL([ENABLE_FUZZERS], [test "x$enable_fuzzers" != xno])
	AC_SUBST([LXFW_FUZZ_CFLAGS])
	AC_SUBST([LXFW_FUZZ_LDFLAGS])
])
