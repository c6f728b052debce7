/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of libpbs that the daemon calls. Where no OpenPBS is installed, the tests
 * replace them; their declarations are then these.
 */
#ifndef LXFW_PBS_IFL_H
#define LXFW_PBS_IFL_H

#ifdef LXFW_WITH_PBS
#include <pbs_error.h>
#include <pbs_ifl.h>
#else
struct attrl;
struct attropl;
enum batch_op { SET, UNSET, INCR, DECR, EQ, NE, GE, GT, LE, LT, DFLT, INTERNAL };

struct attrl {
	struct attrl *next;
	char *name, *resource, *value;
	enum batch_op op;
};

struct attropl {
	struct attropl *next;
	char *name, *resource, *value;
	enum batch_op op;
};

struct batch_status {
	struct batch_status *next;
	char *name;
	struct attrl *attribs;
	char *text;
};

typedef struct preempt_job_info {
	char job_id[128];
	char order[8];
} preempt_job_info;

extern int *__pbs_errno_location(void);
#define pbs_errno (*__pbs_errno_location())

extern int pbs_connect(const char *server);
extern int pbs_disconnect(int connection);
extern char *pbs_geterrmsg(int connection);
extern struct batch_status *pbs_statrsc(int, const char *, struct attrl *, const char *);
extern struct batch_status *pbs_statque(int, const char *, struct attrl *, const char *);
extern struct batch_status *pbs_statvnode(int, const char *, struct attrl *, const char *);
extern struct batch_status *pbs_statresv(int, const char *, struct attrl *, const char *);
extern struct batch_status *pbs_statserver(int, struct attrl *, const char *);
extern struct batch_status *pbs_statsched(int, struct attrl *, const char *);
extern struct batch_status *pbs_selstat(int, struct attropl *, struct attrl *, const char *);
extern void pbs_statfree(struct batch_status *);
extern int pbs_asyrunjob(int, const char *, const char *, const char *);
extern int pbs_asyrunjob_ack(int, const char *, const char *, const char *);
extern int pbs_alterjob(int, const char *, struct attrl *, const char *);
extern int pbs_asyalterjob(int, const char *, struct attrl *, const char *);
extern int pbs_sigjob(int, const char *, const char *, const char *);
extern preempt_job_info *pbs_preempt_jobs(int, char **);
extern int pbs_rerunjob(int, const char *, const char *);
extern int pbs_confirmresv(int, const char *, const char *, unsigned long, const char *);
#endif

/* In no installed header. */
extern int pbs_register_sched(const char *name, int primary, int secondary);
extern int pbs_defschreply(int connection, int command, char *job, int error, char *text,
			   char *extend);
extern int disrsi(int connection, int *error);
extern char *disrst(int connection, int *error);
extern int diswsi(int connection, int value);
extern int dis_flush(int connection);

#endif
