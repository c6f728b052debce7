/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of slurm.conf in the releases 22.05 to 26.05. Slurm's daemons and commands do not
   start if a file has another one. */
#ifndef LXFW_CONF_KEYS_H
#define LXFW_CONF_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first and the last release of the table, as SLURM_VERSION_NUMBER. */
#define LXFW_CONF_OLDEST 0x160500
#define LXFW_CONF_NEWEST 0x1a05ff

struct lxfw_conf_key {
	const char *kind;	/* "NodeName": on a line of this kind; "": outside of lines
				   that describe an object */
	const char *name;
	uint16_t first, last;	/* releases, 0x170b is 23.11; 0: in all before or after */
	bool tried;		/* a trial has it, see trial.h: the private slurmctld
				   starts no program and asks no other service for it */
};

extern const struct lxfw_conf_key lxfw_conf_keys[];
extern const size_t lxfw_conf_key_count;

/* The row of a key in upper or lower case, or NULL. */
const struct lxfw_conf_key *lxfw_conf_key_find(const char *kind, const char *name);

/* Whether RELEASE has a key of this name: SLURM_VERSION_NUMBER, or 0 for each one of the
   table. */
bool lxfw_conf_key_in(const struct lxfw_conf_key *key, uint32_t release);

/* Reads "23.11" or "23.11.4". Returns 0, or -1 if TEXT is another or not in the table. */
int lxfw_conf_release(const char *text, uint32_t *release);

#endif
