/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands in for Slurm's own config.h, which only its configure makes. The
 * internal headers need none of it for the sizes and offsets of their structs.
 */
