/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "plugins/pbs/calls.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "plugins/pbs/ifl.h"
#include "plugins/pbs/text.h"

/* Errors of libpbs, 15000 and more. */
enum {
	ERROR_NO_PERMISSION = 15007,
	ERROR_BAD_HOST = 15008,
	ERROR_NO_SERVER = 15010,
	ERROR_EXPIRED = 15020,
	ERROR_PROTOCOL = 15031,
	ERROR_NO_CONNECTION = 15033,
	ERROR_UNAVAILABLE = 15044,
	ERROR_UNKNOWN_RESV = 15084,
	ERROR_UNKNOWN_SCHED = 15213,
	ERROR_SCHED_CONNECTED = 15230,
};

/* Sets *WHY to what the server says. */
static int failed(struct lxfw_pbs_link *link, struct lxfw_error *why)
{
	int code = pbs_errno;
	const char *text = link->primary >= 0 ? pbs_geterrmsg(link->primary) : NULL;

	/* Errors below 15000 are of the system: the connection is unusable. So is one that has
	   expired. */
	if (code < 15000 || code == ERROR_PROTOCOL || code == ERROR_NO_CONNECTION ||
	    code == ERROR_NO_SERVER || code == ERROR_EXPIRED)
		link->lost = true;
	lxfw_error_set(why, text && *text ? text : "no answer");
	lxfw_error_add(why, " (");
	lxfw_error_add_number(why, code);
	lxfw_error_add(why, ")");
	return -1;
}

/* --- the connections ------------------------------------------------------------------ */

static int refused(struct lxfw_pbs_link *link, const char *sched, struct lxfw_error *why)
{
	int code = pbs_errno;

	lxfw_error_set(why, "the server does not accept the scheduler ");
	lxfw_error_add(why, sched);
	switch (code) {
	case ERROR_NO_PERMISSION:
		lxfw_error_add(why, ": this user is not the daemon service user");
		break;
	case ERROR_UNKNOWN_SCHED:
		lxfw_error_add(why, ": it has none of this name");
		break;
	case ERROR_SCHED_CONNECTED:
		lxfw_error_add(why, ": one of this name is connected already");
		break;
	case ERROR_BAD_HOST:
		lxfw_error_add(why, ": it must run on the host of the active server");
		break;
	default:
		lxfw_error_add(why, ": error ");
		lxfw_error_add_number(why, code);
	}
	lxfw_pbs_disconnect(link);
	return -1;
}

static void set_unconnected(struct lxfw_error *why)
{
	int code = pbs_errno;

	lxfw_error_set(why, "cannot connect to the server: ");
	if (code == ERROR_NO_SERVER)
		lxfw_error_add(why, "none answers there: ");
	else if (code == ERROR_BAD_HOST)
		lxfw_error_add(why, "its host is unknown: ");
	lxfw_error_add(why, "error ");
	lxfw_error_add_number(why, code);
}

int lxfw_pbs_connect(struct lxfw_pbs_link *link, const char *server, const char *sched,
		     struct lxfw_error *why)
{
	link->primary = link->secondary = -1;
	pbs_errno = 0;
	link->primary = pbs_connect((char *)server);
	if (link->primary >= 0 && sched)
		link->secondary = pbs_connect((char *)server);
	if (link->primary < 0 || (sched && link->secondary < 0)) {
		set_unconnected(why);
		lxfw_pbs_disconnect(link);
		return -1;
	}
	if (sched && pbs_register_sched(sched, link->primary, link->secondary) != 0)
		return refused(link, sched, why);
	link->lost = false;
	link->number++;
	return 0;
}

/*
 * A connection is a socket. pbs_register_sched() closes it if the server refuses the scheduler,
 * and pbs_disconnect() of a closed connection leaves a mutex of libpbs locked, so that another
 * thread waits for ever once the number is used again.
 */
static void disconnect(int connection)
{
	struct stat status;

	if (connection >= 0 && fstat(connection, &status) == 0 && S_ISSOCK(status.st_mode))
		(void)pbs_disconnect(connection);
}

void lxfw_pbs_disconnect(struct lxfw_pbs_link *link)
{
	disconnect(link->primary);
	disconnect(link->secondary);
	link->primary = link->secondary = -1;
	link->lost = true;
}

int lxfw_pbs_command(struct lxfw_pbs_link *link, char **job)
{
	int error = 0, command = disrsi(link->secondary, &error);

	*job = NULL;
	if (!error && command == LXFW_PBS_COMMAND_RUN)
		*job = disrst(link->secondary, &error);
	return error ? LXFW_PBS_COMMAND_LOST : command;
}

int lxfw_pbs_command_done(struct lxfw_pbs_link *link)
{
	return diswsi(link->secondary, 0) || dis_flush(link->secondary) ? -1 : 0;
}

int lxfw_pbs_answer_run(struct lxfw_pbs_link *link, const char *job, const char *text)
{
	int error = text ? ERROR_UNAVAILABLE : 0;

	return pbs_defschreply(link->primary, LXFW_PBS_COMMAND_RUN, (char *)job, error,
			       (char *)text, NULL) ? -1 : 0;
}

/* --- looking -------------------------------------------------------------------------- */

/* Returns true if the peer has closed the connection, or it was shut down. */
static bool is_closed(int connection)
{
	char byte;

	return recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* A query without results returns NULL and no error. So must not one without an answer, which
   would mean that there are no jobs. */
static int ended(struct lxfw_pbs_link *link, struct batch_status *list,
		 struct lxfw_error *why)
{
	int code = pbs_errno;

	if (list) {
		pbs_statfree(list);
		return 0;
	}
	if (code)
		return failed(link, why);
	if (!is_closed(link->primary))
		return 0;
	link->lost = true;
	lxfw_error_set(why, "the connection is closed");
	return -1;
}

static const char *value_of(const struct batch_status *object, const char *name)
{
	for (const struct attrl *each = object->attribs; each; each = each->next) {
		if (strcmp(each->name, name) == 0 && each->value)
			return each->value;
	}
	return "";
}

int lxfw_pbs_read_kinds(struct lxfw_pbs_link *link, struct lxfw_pbs_kinds *kinds,
			struct lxfw_error *why)
{
	struct batch_status *list;
	bool good = true;

	pbs_errno = 0;
	list = pbs_statrsc(link->primary, NULL, NULL, (char *)"p");
	for (const struct batch_status *each = list; each && good; each = each->next)
		good = lxfw_pbs_kinds_add(kinds, each->name, value_of(each, "type"),
					  value_of(each, "flag"));
	if (ended(link, list, why) < 0)
		return -1;
	if (!good)
		lxfw_error_set(why, "out of memory");
	return good ? 0 : -1;
}

/* Makes a list of attributes of NAMES, which ends with NULL, in LIST of SIZE. */
static struct attrl *list_of(const char *const *names, struct attrl *list, size_t size)
{
	for (size_t i = 0; names[i] && i < size; i++) {
		list[i] = (struct attrl){
			.next = names[i + 1] && i + 1 < size ? &list[i + 1] : NULL,
			.name = (char *)names[i], .value = (char *)"",
		};
	}
	return list;
}

static int read_vnodes(struct lxfw_pbs_link *link, struct lxfw_pbs_site *site,
		       struct lxfw_error *why)
{
	struct attrl wanted[8];
	struct batch_status *list;

	pbs_errno = 0;
	list = pbs_statvnode(link->primary, (char *)"",
			     list_of(lxfw_pbs_vnode_attributes + !site->hides_jobs, wanted, 8),
			     NULL);
	for (const struct batch_status *each = list; each; each = each->next) {
		struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_vnode(site, each->name);

		for (const struct attrl *at = each->attribs; vnode && at; at = at->next) {
			if (at->value)
				lxfw_pbs_vnode_set(site, vnode, at->name, at->resource,
						   at->value);
		}
	}
	return ended(link, list, why);
}

static int read_queues(struct lxfw_pbs_link *link, struct lxfw_pbs_site *site,
		       struct lxfw_error *why)
{
	struct batch_status *list;

	pbs_errno = 0;
	list = pbs_statque(link->primary, NULL, NULL, NULL);
	for (const struct batch_status *each = list; each; each = each->next) {
		struct lxfw_pbs_queue *queue = lxfw_pbs_site_queue(site, each->name);

		for (const struct attrl *at = each->attribs; queue && at; at = at->next) {
			if (at->value)
				lxfw_pbs_queue_set(site, queue, at->name, at->resource,
						   at->value);
		}
	}
	return ended(link, list, why);
}

static int read_server(struct lxfw_pbs_link *link, struct lxfw_pbs_site *site,
		       struct lxfw_error *why)
{
	struct batch_status *list;

	pbs_errno = 0;
	list = pbs_statserver(link->primary, NULL, NULL);
	for (const struct attrl *at = list ? list->attribs : NULL; at; at = at->next) {
		if (at->value)
			lxfw_pbs_server_set(site, at->name, at->resource, at->value);
	}
	return ended(link, list, why);
}

static int read_resvs(struct lxfw_pbs_link *link, struct lxfw_pbs_site *site,
		      struct lxfw_error *why)
{
	struct batch_status *list;

	pbs_errno = 0;
	list = pbs_statresv(link->primary, NULL, NULL, NULL);
	for (const struct batch_status *each = list; each; each = each->next) {
		struct lxfw_pbs_resv *resv = lxfw_pbs_site_resv(site, each->name);

		for (const struct attrl *at = each->attribs; resv && at; at = at->next) {
			if (at->value)
				lxfw_pbs_resv_set(resv, at->name, at->resource, at->value);
		}
	}
	return ended(link, list, why);
}

/* Reads all attributes of jobs that satisfy CRITERIA into the book. Jobs that wait, run, are
   suspended or ending; of arrays, the tasks that are not waiting, and the array. */
static int put_jobs(struct lxfw_pbs_link *link, struct lxfw_pbs_book *book,
		    struct attropl *criteria, struct lxfw_error *why)
{
	struct attrl wanted[32];
	struct batch_status *list;
	bool good = true;

	pbs_errno = 0;
	list = pbs_selstat(link->primary, criteria,
			   list_of(lxfw_pbs_job_attributes, wanted, 32), (char *)"S");
	for (const struct batch_status *each = list; each && good; each = each->next) {
		struct lxfw_pbs_entry *entry = lxfw_pbs_book_put(book, each->name);

		good = entry != NULL;
		for (const struct attrl *at = each->attribs; at && good; at = at->next)
			good = !at->value || lxfw_pbs_book_set(book, entry, at->name,
							       at->resource, at->value);
	}
	if (ended(link, list, why) < 0)
		return -1;
	if (!good)
		lxfw_error_set(why, "out of memory");
	return good ? 0 : -1;
}

/* Also jobs that are held, or wait for a time: the journal states why they wait. */
#define STATES "QRSEBHW"

/* Looks for jobs that have changed. Sets *OLDEST to the least mtime of one, or INT64_MAX, and
   *ARRAYS if there are arrays. */
static int find_changes(struct lxfw_pbs_link *link, struct lxfw_pbs_book *book,
			int64_t *oldest, bool *arrays, struct lxfw_error *why)
{
	static const char *const names[] = { "job_state", "substate", "mtime", NULL };
	struct attropl states = {
		.name = (char *)"job_state", .value = (char *)STATES, .op = EQ,
	};
	struct attrl wanted[3];
	struct batch_status *list;

	*oldest = INT64_MAX;
	*arrays = false;
	pbs_errno = 0;
	list = pbs_selstat(link->primary, &states, list_of(names, wanted, 3), (char *)"S");
	for (const struct batch_status *each = list; each; each = each->next) {
		int64_t substate = 0, mtime = 0;

		(void)lxfw_pbs_number(value_of(each, "substate"), &substate);
		(void)lxfw_pbs_number(value_of(each, "mtime"), &mtime);
		if (lxfw_pbs_book_seen(book, each->name, *value_of(each, "job_state"),
				       (int)substate, mtime))
			continue;
		if (strstr(each->name, "[]"))
			*arrays = true;	/* all of them are read */
		else if (mtime < *oldest)
			*oldest = mtime;
	}
	if (ended(link, list, why) < 0)
		return -1;
	lxfw_pbs_book_sweep(book);
	return 0;
}

static int read_changes(struct lxfw_pbs_link *link, struct lxfw_pbs_book *book,
			struct lxfw_error *why)
{
	char text[32];
	struct attropl since = { .name = (char *)"mtime", .value = text, .op = GE };
	struct attropl states = {
		.next = &since, .name = (char *)"job_state", .value = (char *)STATES, .op = EQ,
	};
	struct attropl array = {
		.next = &states, .name = (char *)"array", .value = (char *)"True", .op = EQ,
	};
	int64_t oldest;
	bool arrays;

	if (find_changes(link, book, &oldest, &arrays, why) < 0)
		return -1;
	snprintf(text, sizeof(text), "%" PRId64, oldest);
	if (oldest != INT64_MAX && put_jobs(link, book, &states, why) < 0)
		return -1;
	states.next = NULL;
	return arrays ? put_jobs(link, book, &array, why) : 0;
}

static int read_jobs(struct lxfw_pbs_link *link, struct lxfw_pbs_site *site,
		     struct lxfw_error *why)
{
	struct attropl states = {
		.name = (char *)"job_state", .value = (char *)STATES, .op = EQ,
	};
	bool valid = lxfw_pbs_book_begin(&site->book);

	if (valid ? read_changes(link, &site->book, why) < 0 :
		    put_jobs(link, &site->book, &states, why) < 0)
		return -1;
	lxfw_pbs_book_end(&site->book);
	lxfw_pbs_book_show(&site->book, site);
	return 0;
}

int lxfw_pbs_read_site(struct lxfw_pbs_link *link, struct lxfw_pbs_site *site,
		       struct lxfw_error *why)
{
	lxfw_pbs_site_begin(site);
	if (read_server(link, site, why) < 0 || read_vnodes(link, site, why) < 0 ||
	    read_queues(link, site, why) < 0 ||
	    read_resvs(link, site, why) < 0 || read_jobs(link, site, why) < 0)
		return -1;
	if (lxfw_pbs_site_end(site))
		return 0;
	lxfw_error_set(why, "out of memory");
	return -1;
}

int lxfw_pbs_read_ended(struct lxfw_pbs_link *link, int64_t since, struct lxfw_pbs_site *site,
			struct lxfw_error *why)
{
	char text[32];
	struct attropl over = { .name = (char *)"obittime", .value = text, .op = GE };
	struct attropl states = {
		.next = &over, .name = (char *)"job_state", .value = (char *)"F", .op = EQ,
	};
	struct attrl wanted[32];
	struct batch_status *list;

	snprintf(text, sizeof(text), "%" PRId64, since);
	pbs_errno = 0;
	list = pbs_selstat(link->primary, &states,
			   list_of(lxfw_pbs_job_attributes, wanted, 32), (char *)"x");
	for (const struct batch_status *each = list; each; each = each->next) {
		struct lxfw_pbs_job *job = lxfw_pbs_site_job(site, each->name);

		for (const struct attrl *at = each->attribs; job && at; at = at->next) {
			if (at->value)
				lxfw_pbs_job_set(job, at->name, at->resource, at->value);
		}
	}
	return ended(link, list, why);
}

int lxfw_pbs_read_sched(struct lxfw_pbs_link *link, const char *name,
			struct lxfw_pbs_sched *sched, struct lxfw_error *why)
{
	struct batch_status *list;

	lxfw_pbs_sched_clear(sched);
	lxfw_pbs_sched_begin(sched);
	pbs_errno = 0;
	list = pbs_statsched(link->primary, NULL, NULL);
	for (const struct batch_status *each = list; each; each = each->next) {
		if (strcmp(each->name, name) != 0)
			continue;
		for (const struct attrl *at = each->attribs; at; at = at->next) {
			if (at->value)
				lxfw_pbs_sched_set(sched, at->name, at->value);
		}
	}
	if (ended(link, list, why) < 0)
		return -1;
	if (sched->failed)
		lxfw_error_set(why, "out of memory");
	return sched->failed ? -1 : 0;
}

/* Sets *VALUE to an attribute of scheduler NAME, which the caller frees; NULL: it has none. */
static int read_value(struct lxfw_pbs_link *link, const char *name, const char *attribute,
		      char **value, struct lxfw_error *why)
{
	struct batch_status *list;

	*value = NULL;
	pbs_errno = 0;
	list = pbs_statsched(link->primary, NULL, NULL);
	for (const struct batch_status *each = list; each; each = each->next) {
		const char *text = value_of(each, attribute);

		if (strcmp(each->name, name) == 0 && *text && !*value)
			*value = strdup(text);
	}
	return ended(link, list, why);
}

int lxfw_pbs_read_priv(struct lxfw_pbs_link *link, const char *name, char **folder,
		       struct lxfw_error *why)
{
	return read_value(link, name, "sched_priv", folder, why);
}

int lxfw_pbs_read_scheduling(struct lxfw_pbs_link *link, const char *name, bool *scheduling,
			     struct lxfw_error *why)
{
	char *value;
	int rc = read_value(link, name, "scheduling", &value, why);

	*scheduling = value && lxfw_pbs_truth(value, scheduling) && *scheduling;
	free(value);
	return rc;
}

/* --- acting --------------------------------------------------------------------------- */

int lxfw_pbs_run(struct lxfw_pbs_link *link, const char *job, const char *vnodes, bool answer,
		 struct lxfw_error *why)
{
	int rc = answer ? pbs_asyrunjob_ack(link->primary, job, vnodes, NULL) :
			  pbs_asyrunjob(link->primary, job, vnodes, NULL);

	return rc ? failed(link, why) : 0;
}

int lxfw_pbs_signal(struct lxfw_pbs_link *link, const char *job, const char *name,
		    struct lxfw_error *why)
{
	return pbs_sigjob(link->primary, job, name, NULL) ? failed(link, why) : 0;
}

/* "SCR 80 SC 50 S": methods. A number is a percentage of time left, below which the next ones
   apply. */
static bool order_suspends(const char *order)
{
	bool begins = true;

	for (; *order; order++) {
		if (strchr(" \t\"0123456789", *order)) {
			begins = true;
			continue;
		}
		if (*order == 'D' || (begins && *order != 'S'))
			return false;
		begins = false;
	}
	return true;
}

int lxfw_pbs_read_order(struct lxfw_pbs_link *link, const char *name, bool *suspends,
			struct lxfw_error *why)
{
	char *order;
	int rc = read_value(link, name, "preempt_order", &order, why);

	*suspends = order && order_suspends(order);
	free(order);
	return rc;
}

/* The server answers for each job; the order may differ. */
int lxfw_pbs_preempt(struct lxfw_pbs_link *link, const char *const *jobs, size_t count,
		     char *outcomes, struct lxfw_error *why)
{
	char **list = calloc(count + 1, sizeof(*list));
	preempt_job_info *answers;
	size_t answered = count;

	memset(outcomes, 0, count);
	if (!list) {
		lxfw_error_set(why, "out of memory");
		return -1;
	}
	for (size_t i = 0; i < count; i++)
		list[i] = (char *)jobs[i];
	pbs_errno = 0;
	answers = pbs_preempt_jobs(link->primary, list);
	free(list);
	if (!answers)
		return failed(link, why);
	/* Nothing else says how many there are. */
	if (answered > malloc_usable_size(answers) / sizeof(*answers))
		answered = malloc_usable_size(answers) / sizeof(*answers);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < answered; j++) {
			if (strcmp(answers[j].job_id, jobs[i]) == 0 && answers[j].order[0] != '0')
				outcomes[i] = answers[j].order[0];
		}
	}
	free(answers);
	return 0;
}

int lxfw_pbs_rerun(struct lxfw_pbs_link *link, const char *job, struct lxfw_error *why)
{
	return pbs_rerunjob(link->primary, job, NULL) ? failed(link, why) : 0;
}

int lxfw_pbs_confirm_resv(struct lxfw_pbs_link *link, const char *resv, const char *vnodes,
			  int64_t start, const char *partition, struct lxfw_error *why)
{
	char *answer = NULL;
	int rc = 0;

	if (vnodes && asprintf(&answer, "PBS_RESV_CONFIRM_SUCCESS:partition=%s",
			       partition ? partition : LXFW_PBS_DEFAULT_PARTITION) < 0) {
		lxfw_error_set(why, "out of memory");
		return -1;
	}
	if (pbs_confirmresv(link->primary, resv, vnodes ? vnodes : "null", (unsigned long)start,
			    vnodes ? answer : "PBS_RESV_CONFIRM_FAIL"))
		rc = pbs_errno == ERROR_UNKNOWN_RESV ? 1 : failed(link, why);
	free(answer);
	return rc;
}

int lxfw_pbs_set_walltime(struct lxfw_pbs_link *link, const char *job, int64_t seconds,
			  struct lxfw_error *why)
{
	char text[32];
	struct attrl walltime = {
		.name = (char *)"Resource_List", .resource = (char *)"walltime",
		.value = text, .op = SET,
	};

	snprintf(text, sizeof(text), "%" PRId64, seconds);
	return pbs_alterjob(link->primary, job, &walltime, NULL) ? failed(link, why) : 0;
}

int lxfw_pbs_set_comment(struct lxfw_pbs_link *link, const char *job, const char *text,
			 struct lxfw_error *why)
{
	struct attrl comment = {
		.name = (char *)"comment", .value = (char *)text, .op = SET,
	};

	return pbs_asyalterjob(link->primary, job, &comment, NULL) ? failed(link, why) : 0;
}

int lxfw_pbs_set_accrue(struct lxfw_pbs_link *link, const char *job, int type,
			struct lxfw_error *why)
{
	char text[2] = { (char)('0' + type) };
	struct attrl accrue = { .name = (char *)"accrue_type", .value = text, .op = SET };

	return pbs_asyalterjob(link->primary, job, &accrue, NULL) ? failed(link, why) : 0;
}

int lxfw_pbs_set_estimated(struct lxfw_pbs_link *link, const char *job, int64_t start,
			   const char *vnodes, struct lxfw_error *why)
{
	char text[32];
	struct attrl where = {
		.name = (char *)"estimated", .resource = (char *)"exec_vnode",
		.value = (char *)vnodes, .op = SET,
	};
	struct attrl estimated = {
		.next = vnodes ? &where : NULL, .name = (char *)"estimated", .resource = (char *)"start_time",
		.value = text, .op = SET,
	};

	snprintf(text, sizeof(text), "%" PRId64, start);
	return pbs_asyalterjob(link->primary, job, &estimated, NULL) ? failed(link, why) : 0;
}
