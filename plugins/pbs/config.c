/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/setup.h"
#include "plugins/agent/shadow.h"

/* The parameters of --watch, before those that the user gives: pbs_sched does not keep hosts with
   GPUs free for jobs that request some. */
static const char watch_params[] = "lxfw_policy=site,lxfw_placement=paper";

/* --- the file ------------------------------------------------------------------------- */

static void set_at(struct lxfw_error *why, const char *file, int line, const char *text)
{
	lxfw_error_set(why, file);
	lxfw_error_add(why, ":");
	lxfw_error_add_number(why, line);
	lxfw_error_add(why, ": ");
	lxfw_error_add(why, text);
}

/* Removes spaces at both ends. */
static char *strip(char *line)
{
	size_t length;

	while (isspace((unsigned char)*line))
		line++;
	length = strlen(line);
	while (length && isspace((unsigned char)line[length - 1]))
		line[--length] = '\0';
	return line;
}

static bool copy_lines(FILE *from, FILE *to, const char *file, struct lxfw_error *why)
{
	char *buffer = NULL;
	size_t size = 0;
	bool good = true;

	for (int line = 1; good && getline(&buffer, &size, from) > 0; line++) {
		char *item = strip(buffer);

		if (!*item || *item == '#')
			continue;
		good = *item != '=' && strchr(item, '=') && !strpbrk(item, ", \t");
		if (good)
			fprintf(to, "%s,", item);
		else
			set_at(why, file, line,
			       "expected KEY=VALUE without spaces and commas");
	}
	if (good && ferror(from)) {
		lxfw_error_set(why, file);
		lxfw_error_add(why, ": cannot be read");
		good = false;
	}
	free(buffer);
	return good;
}

char *lxfw_pbs_config_read(const char *file, const char *items, struct lxfw_error *why)
{
	char *text = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&text, &length), *from = NULL;
	bool good = to != NULL;

	if (!good)
		lxfw_error_set(why, "out of memory");
	if (good && file) {
		from = fopen(file, "r");
		good = from != NULL;
		if (!from) {
			lxfw_error_set(why, file);
			lxfw_error_add(why, ": ");
			lxfw_error_add(why, strerror(errno));
		}
	}
	good = good && (!from || copy_lines(from, to, file, why));
	if (from)
		fclose(from);
	if (good && items)
		fputs(items, to);
	if (to && fclose(to) != 0 && good) {
		lxfw_error_set(why, "out of memory");
		good = false;
	}
	if (!good) {
		free(text);
		return NULL;
	}
	length = strlen(text);
	if (length && text[length - 1] == ',')
		text[length - 1] = '\0';
	return text;
}

/* The key at the beginning of an error, "lxfw_wx: expected ..." or "lxfw_wx=...". */
void lxfw_pbs_config_locate(const char *file, struct lxfw_error *why)
{
	size_t length = strspn(why->text, "abcdefghijklmnopqrstuvwxyz_0123456789");
	FILE *from = file ? fopen(file, "r") : NULL;
	char *buffer = NULL, *text;
	size_t size = 0;

	for (int line = 1; from && length && getline(&buffer, &size, from) > 0; line++) {
		char *item = strip(buffer);

		if (strncmp(item, why->text, length) != 0 || item[length] != '=')
			continue;
		text = strdup(why->text);
		if (text)
			set_at(why, file, line, text);
		free(text);
		break;
	}
	free(buffer);
	if (from)
		fclose(from);
}

/* --- parameters ----------------------------------------------------------------------- */

/* Sets *WHY if the daemon cannot carry out the parameters. */
static bool is_possible(const struct lxfw_params *params, const char *text,
			struct lxfw_error *why)
{
	static const char *const slurms[] = { "lxfw_quantum_not_qos", "lxfw_let_go" };
	int length;

	if (lxfw_policy_has(params->policy, LXFW_TRAIT_OFFLINE) ||
	    lxfw_policy_has(params->policy, LXFW_TRAIT_ADAPTIVE) ||
	    lxfw_policy_has(params->policy, LXFW_TRAIT_MOLDABLE)) {
		lxfw_error_set(why, "lxfw_policy=");
		lxfw_error_add(why, lxfw_policy_name(params->policy));
		lxfw_error_add(why, " changes the processors of jobs, or is for simulations: PBS cannot carry it out");
		return false;
	}
	for (size_t i = 0; i < sizeof(slurms) / sizeof(slurms[0]); i++) {
		if (lxfw_params_value(text, slurms[i], &length)) {
			lxfw_error_set(why, slurms[i]);
			lxfw_error_add(why, " has no meaning with PBS");
			return false;
		}
	}
	for (int i = 0; i < lxfw_key_count; i++) {
		if (lxfw_key_not_live(&lxfw_keys[i], params)) {
			lxfw_error_set(why, lxfw_keys[i].name);
			lxfw_error_add(why, ": expected ");
			lxfw_key_live(&lxfw_keys[i], why);
			lxfw_error_add(why, " with PBS");
			return false;
		}
	}
	return true;
}

static void set_journal(struct lxfw_pbs *pbs, const char *text)
{
	int length;
	const char *path = lxfw_params_value(text, "lxfw_journal", &length);
	char *own = NULL;

	if (pbs->journal) {
		path = pbs->journal;
		length = (int)strlen(path);
	}
	if (!path && pbs->folder && asprintf(&own, "%s/journal", pbs->folder) >= 0) {
		path = own;
		length = (int)strlen(own);
	}
	lxfw_journal_file_set(&pbs->agent.journal, path, length);
	lxfw_journal_file_limit(&pbs->agent.journal,
				lxfw_params_number(text, "lxfw_journal_size"),
				lxfw_params_number(text, "lxfw_journal_keep"));
	lxfw_journal_file_share(&pbs->agent.journal,
				(gid_t)lxfw_params_number(text, "lxfw_journal_group"));
	free(own);
}

static bool set_unserved(struct lxfw_pbs *pbs, const char *text)
{
	int length;
	const char *names = lxfw_params_value(text, "lxfw_quantum_not_partition", &length);
	char *copy = names ? strndup(names, (size_t)length) : NULL;

	if (names && !copy)
		return false;
	free(pbs->unserved);
	pbs->unserved = copy;
	pbs->most_procs = lxfw_params_number(text, "lxfw_quantum_most_procs");
	return true;
}

/* The journal records that nothing is carried out, for `lxfw compare`. */
static bool set_shadow(const struct lxfw_pbs *pbs, struct lxfw_params *params,
		       struct lxfw_error *why)
{
	if (!pbs->shadow && params->shadow == LXFW_SHADOW_ON) {
		lxfw_error_set(why, "lxfw_shadow=on: expected the option --shadow");
		return false;
	}
	if (!pbs->shadow)
		return true;
	params->shadow = LXFW_SHADOW_ON;
	if (lxfw_shadow_permits(params))
		return true;
	lxfw_error_set(why, "--shadow: policy ");
	lxfw_error_add(why, lxfw_policy_name(params->policy));
	lxfw_error_add(why, " interrupts jobs; record under another one, and give this one to 'lxfw compare --instead'");
	return false;
}

bool lxfw_pbs_config_use(struct lxfw_pbs *pbs, const char *text, struct lxfw_error *why)
{
	struct lxfw_params params;
	const char *metrics;
	int length;

	lxfw_params_default(&params);
	if ((pbs->watches &&
	     lxfw_params_parse(&params, watch_params, NULL, NULL, why) < 0) ||
	    lxfw_params_check_keys(text, why) < 0 ||
	    lxfw_params_parse(&params, text, NULL, NULL, why) < 0 ||
	    !is_possible(&params, text, why) || !set_shadow(pbs, &params, why))
		return false;
	if (!set_unserved(pbs, text)) {
		lxfw_error_set(why, "out of memory");
		return false;
	}
	pbs->depth_given = lxfw_params_value(text, "lxfw_reservations", &length) ||
			   lxfw_params_value(text, "lxfw_reservation_age", &length);
	pbs->tiers_given = lxfw_params_value(text, "lxfw_preempt_tiers", &length) != NULL;
	lxfw_pbs_choose_tiers(pbs, &params);
	lxfw_agent_set_params(&pbs->agent, &params);
	set_journal(pbs, text);
	metrics = lxfw_params_value(text, "lxfw_metrics", &length);
	lxfw_meter_set(&pbs->agent.meter, metrics, length);
	lxfw_log_info("policy %s, journal %s", lxfw_policy_name(params.policy),
		      pbs->agent.journal.path ? pbs->agent.journal.path : "off");
	return true;
}
