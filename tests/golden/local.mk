# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files: schedules and messages that the command must reproduce.
