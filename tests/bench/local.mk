# SPDX-License-Identifier: GPL-2.0-or-later
#
# 'make bench': speed and memory, not part of 'make check'.
