/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sites of a grid. A file has one site per line, as words in any order:
 *
 *   site=NAME procs=N | cluster=FILE [policy=NAME] [params=KEY=VALUE,...] [speed=FACTOR]
 *   [member=NAME,...] [machine=NAME|FORMULA]
 *
 * '#' begins a comment. A cluster is a description of trace/cluster.h; a relative path is
 * relative to the folder of the file. The policy is easy by default. Run times and estimates
 * are divided by the speed, 0.001 to 1000, which is 1 by default. `member` names clusters that
 * the site belongs to; a job may run on all processors of a cluster. `machine` is the price that
 * the site demands in a market, see grid/market_formula.h.
 */
#ifndef LXFW_GRID_SITES_H
#define LXFW_GRID_SITES_H

#include "common/params/params.h"
#include "sim-frontend/trace/cluster.h"

#define LXFW_SITES_MAX 100000

struct lxfw_site {
	char *name;
	struct lxfw_cluster cluster;
	struct lxfw_params params;
	bool usual;			/* neither policy nor params are given */
	int32_t speed;		/* per mille */
	char *machine;		/* formula of the price, checked; NULL: not given */
};

/* Sites that belong together, in their order. */
struct lxfw_site_cluster {
	char *name;
	int32_t *sites;
	int32_t count;
	size_t size;
};

/* {0} is empty. A place is a site or, counted from `count`, a cluster. */
struct lxfw_sites {
	struct lxfw_site *list;
	struct lxfw_names names;	/* in the same order */
	int32_t count;
	size_t size;
	struct lxfw_site_cluster *clusters;
	int32_t cluster_count;
	size_t cluster_size;
};

/* Reads a file. Returns 0, or -1 with errno and ERROR set and *SITES empty. */
int lxfw_sites_read(struct lxfw_sites *sites, const char *path, struct lxfw_error *error);

/* Adds a site of one host with PROCS processors, with the policy easy. Returns 0, or -1 with
   errno and ERROR set. */
int lxfw_sites_add(struct lxfw_sites *sites, const char *name, int32_t procs,
		   struct lxfw_error *error);

/* Makes the last site a member of the cluster NAME, which is new or not. Returns as above:
   EINVAL if it is a member already. */
int lxfw_sites_join(struct lxfw_sites *sites, const char *name, struct lxfw_error *error);

/* Returns the place with this name, or -1. */
int32_t lxfw_sites_place(const struct lxfw_sites *sites, const char *name);

/* Returns the index of the site, or -1. */
int32_t lxfw_sites_find(const struct lxfw_sites *sites, const char *name);

/* Returns the processors of the largest site. */
int32_t lxfw_sites_largest(const struct lxfw_sites *sites);

/* Returns the processors of all sites. */
int64_t lxfw_sites_procs(const struct lxfw_sites *sites);

void lxfw_sites_clear(struct lxfw_sites *sites);

#endif
