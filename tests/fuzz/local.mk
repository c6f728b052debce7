# SPDX-License-Identifier: GPL-2.0-or-later
#
# libFuzzer targets, built with --enable-fuzzers, and 'make check-fuzz'.
