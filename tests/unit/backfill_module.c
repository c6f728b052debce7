/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plugin of the scheduler for test_let_go. OWN: it has the name of ours; RELEASE: its
 * release. The file "started" is made by init() and removed by fini().
 */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#ifndef RELEASE
#define RELEASE 7
#endif

#ifdef OWN
const char plugin_name[] = "ours";
#else
const char plugin_name[] = "Slurm's";
#endif
const char plugin_type[] = "sched/backfill";
const uint32_t plugin_version = RELEASE;

int init(void);
void fini(void);

int init(void)
{
	FILE *file = fopen("started", "wx");

	return file && fclose(file) == 0 ? 0 : -1;
}

void fini(void)
{
	(void)unlink("started");
}
