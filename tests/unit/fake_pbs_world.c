/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/fake_pbs_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Jobs that are submitted at random. */
#define SUBMITTED 60

struct fake_pbs fake_pbs;

int fake_pbs_roll(int most)
{
	uint64_t z = fake_pbs.random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (int)((z ^ z >> 31) % (uint64_t)most);
}

int64_t fake_pbs_clock(void)
{
	return fake_pbs.now;
}

void fake_pbs_wrong(const char *what, const char *job)
{
	if (!fake_pbs.wrong[0])
		snprintf(fake_pbs.wrong, sizeof(fake_pbs.wrong), "%s: %s", job, what);
}

void fake_pbs_job_wrong(const struct fake_pbs_job *job, const char *what)
{
	char name[64];

	fake_pbs_name(job, name, sizeof(name));
	fake_pbs_wrong(what, name);
}

void fake_pbs_die(void)
{
	fake_pbs.alive = false;
	fake_pbs.deaths++;
	fake_pbs.registered[0] = fake_pbs.registered[1] = 0;
	fake_pbs.back = fake_pbs.now + 1 + fake_pbs_roll(60);
}

void fake_pbs_name(const struct fake_pbs_job *job, char *name, size_t size)
{
	if (job->task >= 0)
		snprintf(name, size, "%d[%d].fake", job->number, job->task);
	else
		snprintf(name, size, "%d.fake", job->number);
}

struct fake_pbs_job *fake_pbs_find(const char *id)
{
	char name[64];

	for (int i = 0; i < fake_pbs.jobs; i++) {
		fake_pbs_name(&fake_pbs.job[i], name, sizeof(name));
		if (strcmp(name, id) == 0)
			return &fake_pbs.job[i];
	}
	return NULL;
}

/* --- what jobs use ------------------------------------------------------------------ */

void fake_pbs_add_use(struct fake_use *sum, const struct fake_use *amount)
{
	sum->ncpus += amount->ncpus;
	sum->mem_mb += amount->mem_mb;
	sum->ngpus += amount->ngpus;
}

void fake_pbs_add(struct fake_usage *usage, const struct fake_pbs_job *job)
{
	bool met[FAKE_VNODES] = { false };

	for (int i = 0; i < job->parts; i++) {
		struct fake_use part = job->part[i];
		int on = job->on[i];

		if (job->stopped && !fake_pbs.keeps)
			part.ncpus = 0;
		fake_pbs_add_use(&usage->used[on], &part);
		if (!met[on] && !job->stopped) {
			usage->users[on]++;
			usage->owners[on] += job->excl;
		}
		met[on] = true;
	}
}

/* Returns why the vnodes cannot have what jobs use of them, or NULL. */
static const char *overuse(void)
{
	struct fake_usage usage = { 0 };

	for (int i = 0; i < fake_pbs.jobs; i++) {
		if (strchr("RSE", fake_pbs.job[i].state))
			fake_pbs_add(&usage, &fake_pbs.job[i]);
	}
	for (int i = 0; i < FAKE_VNODES; i++) {
		const struct fake_use *has = &fake_pbs.vnode[i].has, *used = &usage.used[i];

		if (used->ncpus > has->ncpus || used->mem_mb > has->mem_mb ||
		    used->ngpus > has->ngpus)
			return "a vnode is over capacity";
		if (usage.owners[i] && usage.users[i] > 1)
			return "a job is on the vnode of an exclusive one";
	}
	return NULL;
}

int fake_pbs_ncpus(const struct fake_pbs_job *job)
{
	int sum = 0;

	for (int i = 0; i < job->chunks; i++)
		sum += job->chunk[i].ncpus;
	return sum;
}

/* The job that starts is counted already. Limits of running jobs do not apply to an operator's. */
static void check_limits(const struct fake_pbs_job *job)
{
	bool limited = job->number != fake_pbs.wanted;
	int of_user = 0, ncpus = 0, lic = 0, queue_lic = 0;

	for (int i = 0; i < fake_pbs.jobs; i++) {
		const struct fake_pbs_job *other = &fake_pbs.job[i];

		if (!strchr("RSE", other->state))
			continue;
		of_user += other->user == job->user;
		lic += other->lic;
		if (other->queue != FAKE_WORKQ)
			continue;
		ncpus += fake_pbs_ncpus(other);
		queue_lic += other->lic;
	}
	if (limited && fake_pbs.most_of_user && of_user > fake_pbs.most_of_user)
		fake_pbs_job_wrong(job, "its user has more running jobs than allowed");
	if (limited && fake_pbs.most_ncpus && job->queue == FAKE_WORKQ &&
	    ncpus > fake_pbs.most_ncpus)
		fake_pbs_job_wrong(job, "more processors are used than allowed");
	if (job->lic && fake_pbs.lic && lic > fake_pbs.lic)
		fake_pbs_job_wrong(job, "more licenses are used than the server has");
	if (job->lic && fake_pbs.queue_lic && job->queue == FAKE_WORKQ &&
	    queue_lic > fake_pbs.queue_lic)
		fake_pbs_job_wrong(job, "more licenses are used than the queue has");
	fake_pbs.lics += job->lic && (lic == fake_pbs.lic || queue_lic == fake_pbs.queue_lic);
}

static void check_vnodes(const struct fake_pbs_job *job)
{
	const char *why = overuse();

	if (why)
		fake_pbs_job_wrong(job, why);
}

/* Reads an exec_vnode. */
void fake_pbs_read_vnodes(struct fake_pbs_job *job)
{
	char text[512], *rest = text, *item;
	int chunk = -1;

	strcpy(text, job->vnodes);
	job->parts = 0;
	while ((item = strsep(&rest, "+")) != NULL) {
		char *field, *all = item;
		struct fake_use *part = &job->part[job->parts];
		int number = -1;

		for (; *all == '('; all++)
			chunk++;
		all[strcspn(all, ")")] = '\0';
		field = strsep(&all, ":");
		for (int i = 0; i < FAKE_VNODES; i++) {
			if (strcmp(fake_pbs.vnode[i].name, field) == 0)
				number = i;
		}
		if (number < 0) {
			fake_pbs_job_wrong(job, "runs on a vnode that does not exist");
			return;
		}
		*part = (struct fake_use){ 0 };
		job->of[job->parts] = chunk;
		job->on[job->parts++] = number;
		while ((field = strsep(&all, ":")) != NULL) {
			int kb;

			if (sscanf(field, "mem=%dkb", &kb) == 1)
				part->mem_mb = kb / 1024;
			else if (sscanf(field, "ncpus=%d", &part->ncpus) != 1 &&
				 sscanf(field, "ngpus=%d", &part->ngpus) != 1)
				fake_pbs_job_wrong(job, "its exec_vnode cannot be read");
		}
	}
}

/* A switch has two hosts, which have all that a job can request otherwise. */
static bool spans(const struct fake_pbs_job *job)
{
	return job->arrangement >= 2 && job->chunks > 2;
}

/* The chunks are in the order of the request. */
static void check_chunks(const struct fake_pbs_job *job)
{
	for (int i = 0; i < job->chunks; i++) {
		struct fake_use sum = { 0 };

		for (int j = 0; j < job->parts; j++) {
			const struct fake_vnode *vnode = &fake_pbs.vnode[job->on[j]];

			if (job->of[j] != i)
				continue;
			fake_pbs_add_use(&sum, &job->part[j]);
			if (job->want[i] && vnode->fast != (job->want[i] == FAKE_FAST))
				fake_pbs_job_wrong(job, "has a chunk on a vnode that does not suit it");
		}
		if (sum.ncpus != job->chunk[i].ncpus || sum.mem_mb != job->chunk[i].mem_mb ||
		    sum.ngpus != job->chunk[i].ngpus)
			fake_pbs_job_wrong(job, "has a chunk that differs from the request");
	}
}

/* The job got what it requested, and where. */
static void check_place(const struct fake_pbs_job *job)
{
	struct fake_use sum = { 0 }, requested = { 0 };
	int chunks = 1, hosts = 0, vnodes = 0;

	for (int i = 0; i < job->chunks; i++)
		fake_pbs_add_use(&requested, &job->chunk[i]);
	for (int i = 0; i < job->parts; i++) {
		bool first = true, other = true;

		fake_pbs_add_use(&sum, &job->part[i]);
		for (int j = 0; j < i; j++) {
			first &= strcmp(fake_pbs.vnode[job->on[i]].host,
					fake_pbs.vnode[job->on[j]].host) != 0;
			other &= job->on[i] != job->on[j];
		}
		hosts += first;
		vnodes += other;
		if (!fake_pbs.vnode[job->on[i]].up)
			fake_pbs_job_wrong(job, "started on a vnode that is down");
	}
	for (const char *at = job->vnodes; *at; at++)
		chunks += strncmp(at, ")+(", 3) == 0;
	if (sum.ncpus != requested.ncpus || sum.mem_mb != requested.mem_mb ||
	    sum.ngpus != requested.ngpus)
		fake_pbs_job_wrong(job, "does not get what it requested");
	if (chunks != job->chunks)
		fake_pbs_job_wrong(job, "has another number of chunks");
	check_chunks(job);
	if ((job->arrangement == 1 && hosts != 1) ||
	    (job->arrangement == 2 && hosts != job->chunks) ||
	    (job->arrangement == 3 && (vnodes != job->chunks || job->parts != job->chunks)))
		fake_pbs_job_wrong(job, "is placed otherwise than requested");
	for (int i = 1; job->group && !spans(job) && i < job->parts; i++) {
		if (fake_pbs.vnode[job->on[i]].on_switch != fake_pbs.vnode[job->on[0]].on_switch)
			fake_pbs_job_wrong(job, "is on vnodes of several switches");
	}
}

/* --- requests ----------------------------------------------------------------------- */

void fake_pbs_run(struct fake_pbs_job *job, const char *vnodes)
{
	if (job->bounced && fake_pbs.now < job->bounced + 10 &&
	    job->bounced_connections == fake_pbs.connections &&
	    job->number != fake_pbs.wanted)
		fake_pbs_job_wrong(job, "a node refused it, and it is started again at once");
	snprintf(job->vnodes, sizeof(job->vnodes), "%s", vnodes);
	job->state = 'R';
	job->started = fake_pbs.now;
	job->ran = 0;
	job->left = job->work;
	job->runs++;
	job->by_sched = job->stopped = job->interrupted = false;
	job->rerun = 0;
	fake_pbs.starts++;
	fake_pbs.mixed += job->mixed;
	fake_pbs_read_vnodes(job);
	check_place(job);
	check_limits(job);
	fake_pbs_check_resv(job);
	fake_pbs_check_times(job);
	check_vnodes(job);
	if (!fake_pbs.quiet && fake_pbs_roll(25) == 0) {
		fake_pbs.bounces++;	/* the node refuses it */
		job->bounced = fake_pbs.now;
		job->bounced_connections = fake_pbs.connections;
		job->state = 'Q';
		job->vnodes[0] = '\0';
	}
}

int fake_pbs_suspend(struct fake_pbs_job *job)
{
	fake_pbs.suspensions++;
	if (fake_pbs.keeps)
		fake_pbs_job_wrong(job, "is suspended although it keeps its processors");
	job->state = 'S';
	job->by_sched = job->stopped = job->interrupted = true;
	return 0;
}

int fake_pbs_resume(struct fake_pbs_job *job)
{
	fake_pbs.resumptions++;
	job->state = 'R';
	job->stopped = false;
	check_vnodes(job);
	return 0;
}

void fake_pbs_requeue(struct fake_pbs_job *job)
{
	job->state = 'E';
	job->again = true;
	job->ends = fake_pbs.now + fake_pbs_roll(4);
	if (job->ends == fake_pbs.now) {
		job->state = 'Q';
		job->vnodes[0] = '\0';
	}
}

/* --- events ------------------------------------------------------------------------- */

/* Six chunks of which one needs a whole host: four hosts do not have six such. */
static void mix_amounts(struct fake_pbs_job *job)
{
	int large = fake_pbs_roll(FAKE_CHUNKS);

	job->chunks = FAKE_CHUNKS;
	job->arrangement = 0;
	for (int i = 0; i < FAKE_CHUNKS; i++)
		job->chunk[i] = (struct fake_use){
			.ncpus = 1 + fake_pbs_roll(2), .mem_mb = 100 * (1 + fake_pbs_roll(2)),
		};
	if (fake_pbs_roll(2))
		job->chunk[large].ncpus = 8;
	else
		job->chunk[large].mem_mb = 3900;
}

/* Two chunks want what no host has both of. The others are any: two hosts are fast. */
static void mix_wants(struct fake_pbs_job *job)
{
	job->chunks = 2 + fake_pbs_roll(3);
	job->arrangement = fake_pbs_roll(3);
	job->arrangement += job->arrangement > 0;
	for (int i = 0; i < job->chunks; i++) {
		job->chunk[i] = (struct fake_use){
			.ncpus = 1 + fake_pbs_roll(4), .mem_mb = 100 * (1 + fake_pbs_roll(4)),
			.ngpus = fake_pbs_roll(4) == 0,
		};
		job->want[i] = i < 2 ? FAKE_FAST : (enum fake_want)fake_pbs_roll(3);
	}
	job->want[fake_pbs_roll(2)] = FAKE_SLOW;
	if (job->chunks == 4)
		job->want[3] = FAKE_ANY;
	if (job->arrangement == 2 && job->chunks > 2 && job->want[2] == FAKE_ANY)
		job->want[2] = FAKE_SLOW;
}

/* A switch has a fast host, and one that is not. */
static void mix_in_switch(struct fake_pbs_job *job)
{
	job->chunks = 2 + fake_pbs_roll(3);
	job->arrangement = 0;
	for (int i = 0; i < job->chunks; i++) {
		job->chunk[i] = (struct fake_use){ .ncpus = 1 + i % 2, .mem_mb = 100 };
		job->want[i] = i % 2 ? FAKE_FAST : FAKE_SLOW;
	}
}

/* Six chunks on six of eight vnodes, of which each host has two. */
static void mix_vnodes(struct fake_pbs_job *job)
{
	job->chunks = FAKE_CHUNKS;
	job->arrangement = 3;
	for (int i = 0; i < FAKE_CHUNKS; i++)
		job->chunk[i] = (struct fake_use){ .ncpus = 1, .mem_mb = 100 };
	if (fake_pbs_roll(2))
		job->chunk[fake_pbs_roll(FAKE_CHUNKS)].ncpus = 4;
}

static void mix(struct fake_pbs_job *job)
{
	job->mixed = true;
	job->impossible = false;
	job->group = fake_pbs_roll(4) == 0;
	if (job->group)
		mix_in_switch(job);
	else if (fake_pbs_roll(3) == 0)
		mix_vnodes(job);
	else if (fake_pbs_roll(2))
		mix_amounts(job);
	else
		mix_wants(job);
}

static void random_request(struct fake_pbs_job *job)
{
	bool equal = fake_pbs_roll(4) > 0;

	job->chunks = 1 + fake_pbs_roll(4);
	job->arrangement = fake_pbs_roll(4);
	for (int i = 0; i < job->chunks; i++) {
		job->chunk[i] = (struct fake_use){
			.ncpus = 1 + fake_pbs_roll(job->arrangement == 1 ? 2 : 4),
			.mem_mb = 100 * (1 + fake_pbs_roll(4)),
			/* A host has two. */
			.ngpus = fake_pbs_roll(4) == 0 &&
				 (job->arrangement != 1 || job->chunks <= 2),
		};
		if (equal)
			job->chunk[i] = job->chunk[0];
	}
	job->impossible = fake_pbs_roll(30) == 0;
	if (job->impossible)
		job->chunk[0].ncpus = 50;
	if (fake_pbs_roll(3) == 0 && !fake_pbs.no_lic)
		job->lic = 1 + fake_pbs_roll(2);
	job->group = fake_pbs_roll(4) == 0 && (!fake_pbs.do_not_span || !spans(job));
	if (fake_pbs_roll(5) == 0 && !fake_pbs.no_lic)
		mix(job);
	job->excl = fake_pbs_roll(8) == 0;
	job->rerunable = fake_pbs_roll(5) > 0;
	job->walltime = 10 + fake_pbs_roll(300);
	job->work = 1 + fake_pbs_roll((int)job->walltime);
}

static void submit(void)
{
	int tasks = fake_pbs_roll(6) == 0 ? 2 + fake_pbs_roll(4) : 0;
	struct fake_pbs_job job = { .number = ++fake_pbs.numbers, .task = -1, .state = 'Q' };

	fake_pbs.numbers += fake_pbs_roll(3);
	random_request(&job);
	job.user = fake_pbs_roll(3);
	if (fake_pbs.priv && fake_pbs_roll(3) == 0)
		job.queue = fake_pbs_roll(FAKE_QUEUES);
	job.submit = fake_pbs.now;
	job.left = job.work;
	fake_pbs.arrays += tasks > 0;
	for (int i = 0; i < (tasks ? tasks : 1) && fake_pbs.jobs < SUBMITTED; i++) {
		job.task = tasks ? i : -1;
		fake_pbs.job[fake_pbs.jobs++] = job;
	}
}

static void advance_job(struct fake_pbs_job *job, int64_t seconds)
{
	if (job->state == 'R') {
		job->ran += seconds;
		job->left -= seconds;
		if (job->left <= 0) {
			job->state = 'E';
			job->again = false;
			job->ends = fake_pbs.now + fake_pbs_roll(3);
		}
	}
	if (job->state == 'E' && job->ends <= fake_pbs.now) {
		job->state = job->again ? 'Q' : 'F';
		job->vnodes[0] = '\0';
	}
}

/* An operator suspends a job, or asks for its resumption. */
static void operate(struct fake_pbs_job *job)
{
	if (job->state == 'R') {
		job->state = 'S';
		job->stopped = job->interrupted = true;
		job->by_sched = false;
		fake_pbs.operated++;
	} else if (job->state == 'S') {
		job->by_sched = true;	/* the scheduler is to resume it */
	}
}

/* Users and operators. */
static void disturb(struct fake_pbs_job *job)
{
	switch (fake_pbs_roll(60)) {
	case 0:
		if (job->state == 'Q' && job->task < 0)
			job->state = 'H';
		break;
	case 1:
		if (job->state != 'H')
			break;
		job->state = 'Q';
		job->bounced = 0;	/* released, it may start at once */
		break;
	case 2:
		if (job->state == 'Q' || job->state == 'R' || job->state == 'S') {
			job->state = 'F';
			job->vnodes[0] = '\0';
			fake_pbs.lost++;
		}
		break;
	case 3:
		if (job->state == 'R' && job->rerunable)
			fake_pbs_requeue(job);
		break;
	case 4:
	case 5:
		operate(job);
		break;
	default:
		break;
	}
}

void fake_pbs_step(void)
{
	int64_t seconds = fake_pbs_roll(15);

	fake_pbs_save();
	fake_pbs.now += seconds;
	if (!fake_pbs.alive && fake_pbs.now >= fake_pbs.back)
		fake_pbs.alive = true;
	for (int i = 0; i < fake_pbs.jobs; i++)
		advance_job(&fake_pbs.job[i], seconds);
	fake_pbs_advance_resv();
	fake_pbs_check_dedicated();
	if (fake_pbs.quiet) {
		fake_pbs_end_times();
		fake_pbs.scheduling = true;
		for (int i = 0; i < FAKE_VNODES; i++)
			fake_pbs.vnode[i].up = true;
		for (int i = 0; i < fake_pbs.jobs; i++) {
			if (fake_pbs.job[i].state == 'H')
				fake_pbs.job[i].state = 'Q';
			if (fake_pbs.job[i].state == 'S' && !fake_pbs.job[i].by_sched)
				operate(&fake_pbs.job[i]);
		}
		return;
	}
	if (fake_pbs_roll(8) == 0)
		fake_pbs_reserve();
	if (fake_pbs_roll(3) && fake_pbs.jobs < SUBMITTED)
		submit();
	if (fake_pbs_roll(10) == 0)
		fake_pbs.vnode[fake_pbs_roll(FAKE_VNODES)].up = fake_pbs_roll(3) > 0;
	fake_pbs.scheduling = fake_pbs_roll(20) > 0;
	for (int i = 0; i < fake_pbs.jobs; i++)
		disturb(&fake_pbs.job[i]);
}

void fake_pbs_begin(uint64_t seed, const char *priv)
{
	memset(&fake_pbs, 0, sizeof(fake_pbs));
	fake_pbs.random = seed;
	fake_pbs.now = 1800000000;
	fake_pbs.alive = fake_pbs.scheduling = true;
	fake_pbs.priv = seed % 2 ? priv : NULL;
	fake_pbs.preempts = seed / 2 % 4 != 0;
	fake_pbs.priority[FAKE_HIGH] = 150;
	fake_pbs_begin_times();
	if (seed % 5 == 0)
		fake_pbs.most_of_user = 3;
	fake_pbs.keeps = seed % 11 == 0;
	if (seed % 7 == 0)
		fake_pbs.most_ncpus = 20;
	fake_pbs.do_not_span = seed / 2 % 2;
	fake_pbs.eligible_time = seed % 3 == 1;
	if (seed % 6 == 0)
		fake_pbs.formula = seed % 12 ? "ncpus +" : "ncpus * walltime / (lic + 1)";
	if (seed % 11 == 0)
		fake_pbs.soft_of_user = 1;
	if (seed % 3 == 0)
		fake_pbs.lic = 2 + (int)(seed / 3 % 2);
	if (seed % 4 == 0)
		fake_pbs.queue_lic = 2;
	for (int i = 0; i < FAKE_VNODES; i++) {
		struct fake_vnode *vnode = &fake_pbs.vnode[i];

		snprintf(vnode->name, sizeof(vnode->name), "v%d", i);
		snprintf(vnode->host, sizeof(vnode->host), "h%d", i / 2);
		vnode->has = (struct fake_use){ .ncpus = 4, .mem_mb = 2000, .ngpus = 1 };
		vnode->up = true;
		vnode->on_switch = i / 4;
		vnode->fast = i / 2 % 2 == 0;
	}
}

/* A job that cannot run has a comment with the reason. Tasks of arrays have none of their own. */
bool fake_pbs_all_over(void)
{
	for (int i = 0; i < fake_pbs.jobs; i++) {
		const struct fake_pbs_job *job = &fake_pbs.job[i];

		if (job->state == 'F' ||
		    (job->impossible && (job->task >= 0 ||
					 strstr(job->comment, "cannot hold its chunks") ||
					 strstr(job->comment, "a limit of running jobs"))))
			continue;
		return false;
	}
	return true;
}
