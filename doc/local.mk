# SPDX-License-Identifier: GPL-2.0-or-later
#
# Man pages and guides.
