/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What helps a job that Slurm keeps waiting, by the name that Slurm gives the reason. */
#ifndef LXFW_REPORT_SLURM_REASONS_H
#define LXFW_REPORT_SLURM_REASONS_H

/* Returns a sentence about what would let the job start, for SAID, "MaxMemPerLimit" or
   "ReqNodeNotAvail, UnavailableNodes:n3"; NULL if there is none. */
const char *lxfw_slurm_reason_help(const char *said);

#endif
