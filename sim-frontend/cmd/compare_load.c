/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw compare: reads the measured run. */
#include "sim-frontend/cmd/compare_load.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/compare.h"
#include "sim-frontend/cmd/journals.h"
#include "sim-frontend/cmd/present.h"
#include "sim-frontend/util/text.h"

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

static void assume(struct lxfw_assumptions *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void assume(struct lxfw_assumptions *to, const char *format, ...)
{
	size_t used = strlen(to->text);
	va_list arguments;

	if (used > 0)
		used += (size_t)snprintf(to->text + used,
					 sizeof(to->text) - used, "; ");
	if (used >= sizeof(to->text))
		return;
	va_start(arguments, format);
	vsnprintf(to->text + used, sizeof(to->text) - used, format, arguments);
	va_end(arguments);
}

/* The parameters of a slurm.conf are those of this scheduler only where they name it. */
static const char *site_of(const struct lxfw_cluster *cluster)
{
	if (!lxfw_present_is_lxfw(cluster))
		return NULL;
	return cluster->parameters ? cluster->parameters : "";
}

static bool is_given(const struct lxfw_compare_input *input)
{
	return input->policy || input->params;
}

bool lxfw_compare_by_default(const struct lxfw_compare_input *input,
			     const struct lxfw_cluster *cluster)
{
	return !is_given(input) && lxfw_present_is_backfill(cluster, input->files[0]);
}

static int backfill_params(const struct lxfw_cluster *cluster, struct lxfw_params *params)
{
	char *line = lxfw_present_line(cluster->parameters);
	int failed = line ? lxfw_cmd_conf_params(params, "slurm", line) : -1;

	if (!line)
		lxfw_cmd_note("out of memory");
	free(line);
	return failed;
}

int lxfw_compare_params(const struct lxfw_compare_input *input,
			const struct lxfw_cluster *cluster,
			struct lxfw_params *params)
{
	const char *policy = input->policy;

	if (lxfw_compare_by_default(input, cluster))
		return backfill_params(cluster, params);
	if (!is_given(input) && !site_of(cluster) && lxfw_priorities_known(cluster))
		policy = "site";
	else if (!is_given(input) && !site_of(cluster))
		policy = cluster->closest;
	return lxfw_cmd_site_params(params, policy, input->params, site_of(cluster));
}

/* How the policy models sched/backfill. */
static void assume_backfill(const struct lxfw_compare_input *input,
			    const struct lxfw_cluster *cluster,
			    const struct lxfw_params *params, bool priorities,
			    struct lxfw_assumptions *assumed)
{
	const char *from = cluster->scheduler || cluster->controller ? input->cluster : NULL;

	assume(assumed, "policy %s, a model of the sched/backfill of %s: the first %d jobs "
	       "every %lld s, start within %.3g h", lxfw_policy_name(params->policy),
	       from ? from : "Slurm", (int)params->reservations,
	       (long long)params->backfill_interval,
	       (double)params->reservation_window / 3600);
	if (priorities)
		assume(assumed, "%s of %s", cluster->priority_type, input->cluster);
	else
		assume(assumed, "jobs in the order of submission");
}

void lxfw_compare_assume_policy(const struct lxfw_compare_input *input,
				const struct lxfw_cluster *cluster,
				const struct lxfw_recorded *recorded,
				const struct lxfw_params *params,
				const struct lxfw_cmd_priorities *priorities,
				struct lxfw_assumptions *assumed)
{
	const char *name = lxfw_policy_name(params->policy);
	char text[120];

	if (is_given(input))
		assume(assumed, "policy %s and parameters as given", name);
	else if (input->trial)
		assume(assumed, "another scheduler started the jobs (lxfw_shadow): policy %s with "
				"the recorded priorities and a reservation for each job",
		       name);
	else if (recorded->has_params)
		assume(assumed, "parameters recorded in the journal");
	else if (site_of(cluster))
		assume(assumed, "policy %s, from %s", name, input->cluster);
	else if (lxfw_compare_by_default(input, cluster))
		assume_backfill(input, cluster, params, priorities->loaded, assumed);
	else if (priorities->loaded)
		assume(assumed, "policy %s, with the %s of %s", name,
		       cluster->priority_type, input->cluster);
	else if (cluster->scheduler)
		assume(assumed, "policy %s, closest to the %s of %s", name,
		       cluster->scheduler, input->cluster);
	else if (cluster->closest)
		assume(assumed, "policy %s, closest to the %s of %s", name,
		       cluster->closest_to, input->cluster);
	else
		assume(assumed, "policy %s (the policy of the site is unknown)", name);
	if (priorities->loaded)
		assume(assumed, "%s", lxfw_priorities_text(priorities, text,
							   sizeof(text)));
	if (recorded->told.partitioned > 0)
		assume(assumed, "%zu jobs in their partitions",
		       recorded->told.partitioned);
	if (recorded->scheduler)
		assume(assumed, "the log says '%s'", recorded->scheduler);
}

/* Makes a machine from accounting records, which do not state its size: the maximum
   number of processors in use at a time. */
static int most_held(const char *path, struct lxfw_cluster *cluster,
		     struct lxfw_assumptions *assumed)
{
	struct lxfw_trace trace;
	struct lxfw_error error;
	int32_t procs;

	if (lxfw_cmd_trace(&trace, path, LXFW_MEMORY_NONE))
		return -1;
	procs = lxfw_trace_procs(&trace);
	lxfw_trace_clear(&trace);
	if (procs == 0) {
		lxfw_cmd_note("%s: no job held processors, expected --cluster",
			      path);
		return -1;
	}
	if (lxfw_cluster_procs(cluster, procs, &error))
		return lxfw_cmd_bad(&error), -1;
	assume(assumed, "%d processor%s in one machine, the most that jobs held "
	       "at once", (int)procs, procs == 1 ? "" : "s");
	return 0;
}

/* Reads the machine, unless the log describes it. */
static int load_cluster(const struct lxfw_compare_input *input, int kind,
			struct lxfw_cluster *cluster,
			struct lxfw_assumptions *assumed)
{
	const char *path = input->files[0];

	if (kind == 'j' && input->cluster)
		lxfw_cmd_note("%s contains its own hosts: --cluster is ignored",
			      path);
	if (kind == 'j')
		return 0;
	if (!input->cluster)
		return kind == 'a' ? most_held(path, cluster, assumed) : 0;
	if (lxfw_cmd_machine(cluster, input->cluster))
		return -1;
	assume(assumed, "%lld processor%s on %d host%s, from %s",
	       (long long)cluster->procs, cluster->procs == 1 ? "" : "s",
	       (int)cluster->count, cluster->count == 1 ? "" : "s",
	       input->cluster);
	return 0;
}

static int read_journals(const struct lxfw_compare_input *input,
			 struct lxfw_recorded *recorded,
			 struct lxfw_error *error)
{
	struct lxfw_journals journals;
	int result = lxfw_journals_find(&journals, input->files,
					input->file_count, input->alone);

	error->text[0] = '\0';
	if (result == 0)
		result = lxfw_recorded_from_journal(recorded, journals.paths,
						    journals.count, error);
	lxfw_journals_clear(&journals);
	return result;
}

/* Chooses the GRES that the jobs of accounting records request. */
static int choose_gres(const char *path, struct lxfw_cluster *cluster,
		       struct lxfw_error *error)
{
	struct lxfw_trace trace;
	int failed;

	if (lxfw_trace_read(&trace, path, LXFW_MEMORY_NONE, error))
		return -1;
	failed = lxfw_trace_choose_gres(&trace, cluster);
	lxfw_trace_clear(&trace);
	return failed ? lxfw_error_system(error, path) : 0;
}

static int read_log(const struct lxfw_compare_input *input, int kind,
		    struct lxfw_cluster *cluster, struct lxfw_recorded *recorded,
		    struct lxfw_error *error)
{
	const char *path = input->files[0];
	bool one_host = input->shape.one_host;
	struct lxfw_params params;

	if (kind == 'j')
		return read_journals(input, recorded, error);
	if (lxfw_compare_params(input, cluster, &params)) {
		error->text[0] = '\0';
		return -1;
	}
	/* it divides the processors of a host */
	one_host |= lxfw_policy_has(params.policy, LXFW_TRAIT_ADAPTIVE);
	if (kind == 'a' && cluster->extras_left_out > 0 && choose_gres(path, cluster, error))
		return -1;
	if (kind == 'a')
		return lxfw_recorded_from_accounts(recorded, path, cluster,
						   one_host, error);
	return lxfw_recorded_from_swf(recorded, path, cluster, one_host,
				      input->memory, error);
}

int lxfw_compare_load(const struct lxfw_compare_input *input,
		      struct lxfw_cluster *cluster,
		      struct lxfw_recorded *recorded,
		      struct lxfw_assumptions *assumed)
{
	const char *path = input->files[0];
	struct lxfw_error error;
	int kind = lxfw_recorded_kind(path, &error);

	if (kind < 0)
		return lxfw_cmd_bad(&error), -1;
	if (kind != 'j' && input->file_count > 1) {
		lxfw_cmd_note("%d files given, expected one, or journals",
			      input->file_count);
		return -1;
	}
	if (load_cluster(input, kind, cluster, assumed))
		return -1;
	cluster->any_hosts = input->shape.anywhere;
	if (input->reservations && kind == 'j') {
		lxfw_cmd_note("%s contains its own reservations: --reservations is "
			      "ignored", path);
	} else if (input->reservations && !input->cluster) {
		lxfw_cmd_note("--reservations without --cluster, expected the "
			      "cluster whose hosts are reserved");
		return -1;
	}
	if (input->reservations && kind != 'j' &&
	    lxfw_site_reservations_of(cluster, input->reservations, path,
				      kind == 'a'))
		return -1;
	if (read_log(input, kind, cluster, recorded, &error)) {
		if (error.text[0])
			lxfw_cmd_bad(&error);
		return -1;
	}
	if (kind == 't' && !input->cluster)
		assume(assumed, "%lld processor%s in one machine, from its "
				"header",
		       (long long)recorded->procs,
		       recorded->procs == 1 ? "" : "s");
	recorded->progress = show_progress;
	recorded->cancelled = input->cancelled;
	lxfw_compare_note_cancelled(path, recorded);
	if (recorded->passed_over > 0)
		lxfw_cmd_note("%s: %zu jobs left out: no run time or "
			      "processors, or larger than the machine%s", path,
			      recorded->passed_over, cluster->set_count > 0 ?
			      " or the hosts of their partition" : "");
	lxfw_site_note(path, &recorded->told);
	lxfw_cmd_note_zero_run(path, recorded->zero_run);
	lxfw_cmd_note_odd(path, &recorded->odd);
	if (recorded->doubles > 0)
		lxfw_cmd_note("%s: %zu duplicate records of jobs left out",
			      path, recorded->doubles);
	if (recorded->cut_off > 0)
		lxfw_cmd_note("%s: %zu byte%s of truncated records are left "
			      "out", path, recorded->cut_off,
			      recorded->cut_off == 1 ? "" : "s");
	if (input->run_times &&
	    lxfw_recorded_run_times(recorded, input->run_times, &error))
		return lxfw_cmd_bad(&error), -1;
	return 0;
}
