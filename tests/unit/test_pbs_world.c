/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lxfw-pbsd's adapter with a simulated server that refuses, dies and comes back: many seeds,
 * each a small site under one of several policies. The daemon dies too. In the end, when
 * nothing fails any more, every job ends. LXFW_SEED=N repeats the seed that was printed;
 * LXFW_CASES=N sets the number of seeds.
 */
#include "tests/unit/unit.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/pass.h"
#include "plugins/pbs/config.h"
#include "plugins/pbs/recur.h"
#include "plugins/pbs/wlm.h"
#include "tests/unit/fake_pbs.h"
#include "tests/unit/fake_pbs_world.h"

#define FEW_CASES 40
#define CASES 120
#define STEPS 60
#define FINISH_STEPS 3000

static char folder[] = "/dev/shm/lxfw-pbs-XXXXXX";	/* fsync() is fast in /dev/shm */

static struct lxfw_pbs pbs;
static int restarts, restarts_before;
static bool fresh;	/* the daemon has made no pass yet */
static int together;	/* batches for quanta */
static int conserved, settlements;	/* checks of conservation; those after passes without requests */

static const char *const parameters[] = {
	"lxfw_policy=lxfw",
	"lxfw_policy=lxfw,lxfw_quantum=20,lxfw_quantum_min_run=10",
	"lxfw_policy=lxfw,lxfw_quantum=20,lxfw_quantum_min_run=10,lxfw_quantum_end=suspend",
	"lxfw_policy=easy",
	"lxfw_policy=conservative",
	"lxfw_policy=sjf",
	"lxfw_policy=fcfs",
	"lxfw_policy=site",
	"lxfw_policy=priority,lxfw_quantum=30,lxfw_quantum_min_run=5",
	"lxfw_policy=remaining",
	"lxfw_policy=pfcfs2",
	"lxfw_policy=psrs",
	"lxfw_policy=smart_ffia",
	"lxfw_policy=site,lxfw_reservations=3",
	"lxfw_policy=site,lxfw_reservation_age=100",
};

static int make_folder(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	if (access("/dev/shm", W_OK) < 0)
		strcpy(folder, "/tmp/lxfw-pbs-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static void remove_file(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	(void)unlink(path);
}

static void remove_files(void)
{
	remove_file("journal");
	remove_file("lxfw_quanta");
	remove_file("lxfw_pbs_records");
	remove_file("sched_config");
	remove_file("dedicated_time");
	remove_file("holidays");
}

static int remove_folder(void **state)
{
	(void)state;
	remove_files();
	return rmdir(folder);
}

static void say(enum lxfw_log_level level, const char *text)
{
	printf("# %lld %d %s\n", (long long)(fake_pbs.now - 1800000000), level, text);
}

/* --- the daemon --------------------------------------------------------------------- */

static void begin(const char *text)
{
	struct lxfw_params params;
	struct lxfw_error why;

	memset(&pbs, 0, sizeof(pbs));
	lxfw_params_default(&params);
	lxfw_pbs_init(&pbs, &params, "default", folder);
	pbs.clock = fake_pbs_clock;
	pbs.recheck_us = 0;
	fresh = true;
	lxfw_error_set(&why, "");
	if (!lxfw_pbs_config_use(&pbs, text, &why))
		fail_msg("%s: %s", text, why.text);
}

/* The process dies: its connections are closed. */
static void restart(const char *text)
{
	lxfw_pbs_disconnect(&pbs.link);
	lxfw_pbs_destroy(&pbs);
	restarts++;
	begin(text);
}

/* The parameters are changed while jobs have quanta and others are suspended for them: immediate
   service is switched off or on, or the policy is another one. Jobs with licenses can have all of
   these. */
static const char *reload(const char *text)
{
	static const char *const others[] = {
		"lxfw_policy=lxfw",
		"lxfw_policy=lxfw,lxfw_quantum=20,lxfw_quantum_min_run=10",
		"lxfw_policy=easy",
	};
	const char *other = fake_pbs_roll(2) ? text : others[fake_pbs_roll(3)];
	struct lxfw_error why;

	if (!lxfw_pbs_config_use(&pbs, other, &why))
		fail_msg("%s: %s", other, why.text);
	return other;
}

/* What hosts have whose vnodes are up or not used: the processors of those that are up. */
static void check_hosts(void)
{
	assert_int_equal(pbs.agent.hosts.gpus, LXFW_PBS_GPUS);
	for (int32_t i = 0; i < pbs.agent.hosts.count; i++) {
		int32_t procs = 0, up = 0;
		bool in_use = false;

		for (int j = 0; j < FAKE_VNODES; j++) {
			const struct fake_vnode *vnode = &fake_pbs.vnode[j];

			if (strcmp(vnode->host, pbs.agent.hosts.host[i].name) != 0)
				continue;
			up += vnode->up;
			procs += vnode->up ? vnode->has.ncpus : 0;
			for (int k = 0; !vnode->up && k < fake_pbs.jobs; k++)
				in_use |= strstr(fake_pbs.job[k].vnodes, vnode->name) != NULL;
		}
		if (!in_use && up && pbs.agent.hosts.host[i].total.procs != procs)
			fail_msg("host %d has %d processors in the model, not %d", i,
				 pbs.agent.hosts.host[i].total.procs, procs);
	}
}

/* The library has a block for each occurrence that is not over. */
static void check_blocks(void)
{
	const struct fake_pbs_resv *resv = &fake_pbs.resv;
	int64_t left = resv->state == 2 && resv->end > fake_pbs.now ?
			       resv->count - resv->index + 1 : 0;

	if (!fake_pbs.priv && (int64_t)pbs.agent.block_count != left)
		fail_msg("%zu blocks for %lld occurrences", pbs.agent.block_count,
			 (long long)left);
}

/* --- conservation --------------------------------------------------------------------- */

/* Requests that changed the state of jobs, or may have. */
static int requests(void)
{
	return fake_pbs.starts + fake_pbs.refusals + fake_pbs.unanswered + fake_pbs.suspensions +
	       fake_pbs.resumptions + fake_pbs.requeues + fake_pbs.checkpoints + fake_pbs.batches;
}

/* The state of a job in the model; of one of several parts, that of the first. */
static enum lxfw_known_state known_state(uint64_t id, bool *requeued)
{
	const struct lxfw_known_job *known = lxfw_table_find(&pbs.agent.jobs, id);

	*requeued = known && known->requeued;
	return known ? known->state : LXFW_KNOWN_NOT;
}

/* A job that is not over is known to wait or to run, or waits without the library: one of these.
   One that is over is none of these. */
static void check_place_of(const struct fake_pbs_job *job, bool settled)
{
	uint64_t id = lxfw_pbs_id((uint64_t)job->number, job->task);
	bool aside = lxfw_id_map_get(&pbs.agent.asides.by_id, id) >= 0, requeued;
	enum lxfw_known_state state = known_state(id, &requeued);
	bool holds = strchr("RSE", job->state) != NULL;

	if (job->state == 'F' ? aside || state != LXFW_KNOWN_NOT :
				aside == (state != LXFW_KNOWN_NOT))
		fail_msg("job %d[%d] of state %c is known as %d%s", job->number, job->task,
			 job->state, state, aside ? ", and waits without the library" : "");
	if (settled && job->state != 'F' && !requeued &&
	    (holds != (state == LXFW_KNOWN_RUNNING) || (job->state == 'H' && !aside)))
		fail_msg("job %d[%d] of state %c is known as %d after a pass without requests",
			 job->number, job->task, job->state, state);
	/* One that was requeued keeps its place while its nodes are cleaned up. */
	if (settled && job->state == 'E' && job->again && job->rerun == fake_pbs.connections &&
	    (!requeued || state != LXFW_KNOWN_WAITING))
		fail_msg("job %d[%d], which was requeued, is known as %d", job->number, job->task,
			 state);
}

/* Jobs submitted = jobs that are over + run + wait. The model has no others. */
static void check_conservation(bool settled)
{
	const struct lxfw_agent *agent = &pbs.agent;

	conserved++;
	settlements += settled;
	for (int i = 0; i < fake_pbs.jobs; i++)
		check_place_of(&fake_pbs.job[i], settled);
	for (size_t i = 0; i < agent->jobs.count; i++) {
		const struct lxfw_known_job *known = agent->jobs.jobs[i];
		const struct lxfw_pbs_job *job =
			lxfw_pbs_site_find_job(&pbs.site, known->record);
		const struct fake_pbs_job *real = job ? fake_pbs_find(job->id) : NULL;

		if (known->state != LXFW_KNOWN_NOT && (!real || real->state == 'F'))
			fail_msg("the model has job %llu, which is over",
				 (unsigned long long)known->id);
	}
}

/* What the daemon does between two events. */
static void advance(void)
{
	struct lxfw_error why;
	int before = 0;

	if (pbs.link.lost) {
		lxfw_pbs_disconnect(&pbs.link);
		if (lxfw_pbs_connect(&pbs.link, NULL, "default", &why) < 0)
			return;
		pbs.kinds_known = false;
	}
	for (int i = 0; i < 3 && !pbs.link.lost; i++) {
		before = requests();
		(void)lxfw_agent_pass(&pbs.agent);
		/* Quanta of the daemon before end without a model. */
		for (int j = 0; j < fake_pbs.jobs && fresh; j++)
			fake_pbs.job[j].rerun = 0;
		fresh = false;
	}
	if (!pbs.link.lost && fake_pbs.alive && fake_pbs.scheduling && !pbs.agent.rebuild) {
		check_hosts();
		check_blocks();
		check_conservation(requests() == before);
	}
}

/* An operator runs a job, at times. */
static void operate(void)
{
	const struct fake_pbs_job *job = &fake_pbs.job[fake_pbs_roll(FAKE_PBS_JOBS)];
	char name[64];

	if (fake_pbs.quiet || fake_pbs_roll(3) || job->state != 'Q' || job->reserved ||
	    fake_pbs.stopped[job->queue])
		return;
	fake_pbs_name(job, name, sizeof(name));
	fake_pbs.wanted = job->number;
	fake_pbs.answer[0] = '\0';
	pbs.wanted = strdup(name);
}

static void work(void)
{
	operate();
	advance();
	fake_pbs.run_now += strcmp(fake_pbs.answer, "runs") == 0;
	fake_pbs.answer[0] = '\0';
	fake_pbs.wanted = 0;
	free(pbs.wanted);
	pbs.wanted = NULL;
}

/* --- differences ------------------------------------------------------------------------ */

static bool same_text(const char *one, const char *other)
{
	return strcmp(one ? one : "", other ? other : "") == 0;
}

static void compare_jobs(const struct lxfw_pbs_job *job, const struct lxfw_pbs_job *other)
{
	if (!other)
		fail_msg("%s is missing where only changes are read", job->id);
	if (job->state != other->state || job->substate != other->substate ||
	    job->started != other->started || job->runs != other->runs ||
	    job->estimated != other->estimated || job->eligible != other->eligible ||
	    !same_text(job->vnodes, other->vnodes) || !same_text(job->select, other->select) ||
	    !same_text(job->comment, other->comment) ||
	    !same_text(job->remaining, other->remaining))
		fail_msg("%s differs where only changes are read: state %c, not %c", job->id,
			 other->state, job->state);
}

/* A site that is read by differences is the same as one that is read completely. The daemon may not
   know yet that the server has died and come back after a start without an answer. */
static void check_differences(struct lxfw_pbs_site *by_changes)
{
	struct lxfw_pbs_site whole = { 0 };
	bool quiet = fake_pbs.quiet;
	struct lxfw_error why;

	if (pbs.link.lost || !fake_pbs.alive || !fake_pbs.registered[0])
		return;
	fake_pbs.quiet = true;
	if (!lxfw_pbs_kinds_init(&whole.kinds) ||
	    (!by_changes->kinds.count && !lxfw_pbs_kinds_init(&by_changes->kinds)) ||
	    lxfw_pbs_read_site(&pbs.link, &whole, &why) < 0 ||
	    lxfw_pbs_read_site(&pbs.link, by_changes, &why) < 0)
		fail_msg("cannot read: %s", why.text);
	fake_pbs.quiet = quiet;
	assert_int_equal(whole.job_count, by_changes->job_count);
	for (size_t i = 0; i < whole.job_count; i++)
		compare_jobs(&whole.job[i],
			     lxfw_pbs_site_find_id(by_changes, whole.job[i].id));
	lxfw_pbs_site_clear(&whole);
}

/* --- what the daemon knows ------------------------------------------------------------ */

/* A job ends when it has run for its walltime, not counting suspensions, which are noticed a
   step late. Those by operators
   may be missed, and so are earlier ones by a daemon that was restarted. */
static void check_end(const struct fake_pbs_job *job, const struct lxfw_known_job *known)
{
	int64_t end = fake_pbs.now + job->walltime - job->ran;

	if (restarts == restarts_before && !fake_pbs.operated && llabs(known->expected_end - end) > 60)
		fail_msg("job %d is expected to end %lld s off", job->number,
			 (long long)(known->expected_end - end));
}

/* All jobs that may run are in the model. */
static void check_model(void)
{
	char id[64];

	if (pbs.link.lost || !fake_pbs.alive || pbs.agent.rebuild)
		return;
	for (int i = 0; i < fake_pbs.jobs; i++) {
		const struct fake_pbs_job *job = &fake_pbs.job[i];
		const struct lxfw_known_job *known = lxfw_table_find(
			&pbs.agent.jobs, lxfw_pbs_id((uint64_t)job->number, job->task));

		if (job->state != 'R')
			continue;
		if (known && known->state == LXFW_KNOWN_RUNNING) {
			check_end(job, known);
			continue;
		}
		snprintf(id, sizeof(id), "%d", job->number);
		fail_msg("job %s runs, and the model does not have that", id);
	}
}

/* For the reader of a failure. */
static void print_jobs(void)
{
	for (int i = 0; i < fake_pbs.jobs; i++) {
		const struct fake_pbs_job *job = &fake_pbs.job[i];

		if (job->state != 'F')
			printf("# %d[%d] %c %s: %d chunks, first %d ncpus, place %d, excl %d, %lld s left, %s\n",
			       job->number, job->task, job->state, job->vnodes, job->chunks,
			       job->chunk[0].ncpus, job->arrangement, job->excl,
			       (long long)job->left, job->comment);
	}
}

static void run_one(uint64_t seed, struct fake_pbs *sum)
{
	bool reloads = seed % 4 == 0;
	const char *text = parameters[seed % (sizeof(parameters) / sizeof(parameters[0]))];
	const char *now = text;
	struct lxfw_pbs_site by_changes = { 0 };
	int steps = 0;

	remove_files();
	restarts_before = restarts;
	fake_pbs_begin(seed, folder);
	/* Hosts of one vnode, beside those of two. */
	if (seed % 3 == 0)
		strcpy(fake_pbs.vnode[FAKE_VNODES - 1].host, "h4");
	fake_pbs.quanta = reloads || strstr(text, "quantum") != NULL;
	begin(text);
	fake_pbs.no_lic = !lxfw_policy_groups(pbs.agent.params.policy);
	for (int i = 0; i < STEPS && !fake_pbs.wrong[0]; i++) {
		fake_pbs_step();
		if (fake_pbs_roll(30) == 0)
			restart(now);
		if (reloads && fake_pbs_roll(6) == 0)
			now = reload(text);
		check_differences(&by_changes);
		work();
		check_differences(&by_changes);
	}
	fake_pbs.quiet = true;
	fake_pbs.alive = true;
	while (!fake_pbs.wrong[0] && !fake_pbs_all_over() && ++steps < FINISH_STEPS) {
		fake_pbs_step();
		work();
		if (fake_pbs.scheduling && steps > 5)
			check_model();
		check_differences(&by_changes);
	}
	if (!fake_pbs.wrong[0] && !fake_pbs_all_over())
		snprintf(fake_pbs.wrong, sizeof(fake_pbs.wrong), "jobs do not end");
	sum->starts += fake_pbs.starts;
	sum->refusals += fake_pbs.refusals;
	sum->bounces += fake_pbs.bounces;
	sum->suspensions += fake_pbs.suspensions;
	sum->resumptions += fake_pbs.resumptions;
	sum->requeues += fake_pbs.requeues;
	sum->deaths += fake_pbs.deaths;
	sum->lost += fake_pbs.lost;
	sum->lics += fake_pbs.lics;
	sum->mixed += fake_pbs.mixed;
	sum->run_now += fake_pbs.run_now;
	sum->arrays += fake_pbs.arrays;
	sum->operated += fake_pbs.operated;
	sum->estimates += fake_pbs.estimates;
	sum->comments += fake_pbs.comments;
	sum->confirmed += fake_pbs.confirmed;
	sum->denied += fake_pbs.denied;
	sum->recurring += fake_pbs.recurring;
	sum->replaced += fake_pbs.replaced;
	sum->dedicated += fake_pbs.dedicated;
	sum->prime += fake_pbs.prime;
	sum->batches += fake_pbs.batches;
	together += fake_pbs.priv ? 0 : fake_pbs.batches;
	sum->silences += fake_pbs.silences;
	sum->offs += fake_pbs.offs;
	sum->withdrawn += fake_pbs.withdrawn;
	sum->unanswered += fake_pbs.unanswered;
	sum->checkpoints += fake_pbs.checkpoints;
	sum->nonprime += fake_pbs.nonprime;
	if (fake_pbs.wrong[0])
		print_jobs();
	lxfw_pbs_site_clear(&by_changes);
	lxfw_pbs_disconnect(&pbs.link);
	lxfw_pbs_destroy(&pbs);
	if (fake_pbs.wrong[0])
		fail_msg("LXFW_SEED=%llu LXFW_CASES=1: %s: %s", (unsigned long long)seed, text,
			 fake_pbs.wrong);
}

static void nothing_is_lost(void **state)
{
	uint64_t seed = unit_seed("pbs");
	uint64_t cases = unit_cases(FEW_CASES, CASES);
	struct fake_pbs sum = { 0 };
	int64_t time;

	(void)state;
	for (uint64_t i = 0; i < cases; i++)
		run_one(seed + i, &sum);
	printf("# %d starts, %d refusals, %d jobs refused by nodes, %d suspensions, %d resumptions, %d requeues, %d deaths of the server, %d of the daemon, %d jobs deleted, %d starts with the last license, %d of mixed jobs, %d arrays, %d suspended and %d run by operators, %d expected starts, %d comments, %d reservations confirmed, %d of them standing, %d refused, %d given other vnodes, %d jobs in dedicated time, %d in prime and %d in nonprime queues, %d times several were suspended together, %d of these requeued instead, %d requests carried out without an answer, scheduling switched off %d times during a pass, %d reservations deleted, %d starts without an answer\n",
	       sum.starts, sum.refusals, sum.bounces, sum.suspensions, sum.resumptions,
	       sum.requeues, sum.deaths, restarts, sum.lost, sum.lics, sum.mixed, sum.arrays, sum.operated, sum.run_now,
	       sum.estimates, sum.comments, sum.confirmed, sum.recurring,
	       sum.denied, sum.replaced, sum.dedicated, sum.prime, sum.nonprime,
	       sum.batches, sum.checkpoints, sum.silences, sum.offs,
	       sum.withdrawn, sum.unanswered);
	if (cases < FEW_CASES)
		return;
	assert_true(sum.starts > 0 && sum.refusals > 0 && sum.bounces > 0);
	assert_true(sum.suspensions > 0 && sum.resumptions > 0 && sum.requeues > 0);
	assert_true(sum.deaths > 0 && restarts > 0 && sum.lost > 0 && sum.lics > 0);
	assert_true(sum.arrays > 0 && sum.mixed > 0 &&
		    sum.operated > 0 && sum.estimates > 0 && sum.comments > 0 &&
		    sum.confirmed > 0 && sum.denied > 0 && sum.replaced > 0);
	assert_true(settlements > 1000 && conserved > settlements);
	assert_true(sum.dedicated > 0 && sum.prime > 0 && sum.nonprime > 0);
	assert_true(sum.batches > together && together > 0 && sum.checkpoints > 0 && sum.silences > 0 &&
		    sum.offs > 0 && sum.withdrawn > 0 && sum.unanswered > 0 &&
		    sum.unanswered < sum.starts);
	if (lxfw_pbs_recur("FREQ=DAILY;COUNT=2", "Europe/Berlin", 1, &time, 1) == 1)
		assert_true(sum.recurring > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost),
	};

	if (getenv("LXFW_FAKE_LOG"))
		lxfw_log_to(say);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
