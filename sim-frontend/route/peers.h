/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The peers of a server, and what each of them has used. A user has an account, and so has an
 * address of connections whose users are not known yet. Processor time is owed, and paid back at a
 * quarter of the time that passes: a peer that owes a second waits.
 */
#ifndef LXFW_ROUTE_PEERS_H
#define LXFW_ROUTE_PEERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* The peer of a connection. */
struct lxfw_route_peer {
	bool known;		/* by the system or by munge */
	uid_t user;
};

#define LXFW_ROUTE_KEY 20

struct lxfw_route_account {
	unsigned char key[LXFW_ROUTE_KEY];
	int clients;		/* connections; 0: may be replaced */
	int64_t owed, at;	/* microseconds of processor time, at this microsecond */
	bool used;
};

#define LXFW_ROUTE_ACCOUNTS 2048	/* more than a server has connections */

struct lxfw_route_peers {
	struct lxfw_route_account list[LXFW_ROUTE_ACCOUNTS];
};

/* The account of a user, or of an address: of IPv6, the first half. With all accounts in use, that
   of the one who owes least and has no connection is given to the new one. */
struct lxfw_route_account *lxfw_route_account_of_user(struct lxfw_route_peers *peers, uid_t user,
						      int64_t now);
struct lxfw_route_account *lxfw_route_account_of_address(struct lxfw_route_peers *peers,
							 const struct sockaddr *address,
							 int64_t now);

/* What is owed at NOW, microseconds of the same clock. */
int64_t lxfw_route_account_owes(const struct lxfw_route_account *account, int64_t now);
void lxfw_route_account_charge(struct lxfw_route_account *account, int64_t used, int64_t now);

/* Whether it may have more processor time. */
bool lxfw_route_account_may(const struct lxfw_route_account *account, int64_t now);

/* Sets PEER to the user of a process that is connected by the socket of a path. */
void lxfw_route_peer_of(int file, struct lxfw_route_peer *peer);

#endif
