/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/peers.h"

#include <netinet/in.h>
#include <string.h>

#define MOST_OWED 1000000
#define PAID 4			/* one of that many microseconds is paid back */

enum kind { USER = 1, IPV4, IPV6, OTHER };

int64_t lxfw_route_account_owes(const struct lxfw_route_account *account, int64_t now)
{
	int64_t left = account->owed - (now - account->at) / PAID;

	return left > 0 ? left : 0;
}

void lxfw_route_account_charge(struct lxfw_route_account *account, int64_t used, int64_t now)
{
	account->owed = lxfw_route_account_owes(account, now) + used;
	account->at = now;
}

bool lxfw_route_account_may(const struct lxfw_route_account *account, int64_t now)
{
	return lxfw_route_account_owes(account, now) < MOST_OWED;
}

static struct lxfw_route_account *find(struct lxfw_route_peers *peers,
				       const unsigned char key[LXFW_ROUTE_KEY], int64_t now)
{
	struct lxfw_route_account *best = NULL;

	for (int i = 0; i < LXFW_ROUTE_ACCOUNTS; i++) {
		struct lxfw_route_account *one = &peers->list[i];

		if (one->used && memcmp(one->key, key, LXFW_ROUTE_KEY) == 0)
			return one;
		if (!one->used) {
			best = one;	/* none behind it is in use */
			break;
		}
		if (one->clients == 0 &&
		    (!best || lxfw_route_account_owes(one, now) <
				      lxfw_route_account_owes(best, now)))
			best = one;
	}
	*best = (struct lxfw_route_account) { .used = true, .at = now };
	memcpy(best->key, key, LXFW_ROUTE_KEY);
	return best;
}

struct lxfw_route_account *lxfw_route_account_of_user(struct lxfw_route_peers *peers, uid_t user,
						      int64_t now)
{
	unsigned char key[LXFW_ROUTE_KEY] = { USER };

	memcpy(key + 1, &user, sizeof(user));
	return find(peers, key, now);
}

struct lxfw_route_account *lxfw_route_account_of_address(struct lxfw_route_peers *peers,
							 const struct sockaddr *address,
							 int64_t now)
{
	unsigned char key[LXFW_ROUTE_KEY] = { OTHER };
	struct sockaddr_in6 six;
	struct sockaddr_in four;

	if (address->sa_family == AF_INET) {
		memcpy(&four, address, sizeof(four));
		key[0] = IPV4;
		memcpy(key + 1, &four.sin_addr, sizeof(four.sin_addr));
	} else if (address->sa_family == AF_INET6) {
		memcpy(&six, address, sizeof(six));
		key[0] = IPV6;
		memcpy(key + 1, &six.sin6_addr, sizeof(six.sin6_addr) / 2);
		if (IN6_IS_ADDR_V4MAPPED(&six.sin6_addr)) {
			key[0] = IPV4;
			memcpy(key + 1, six.sin6_addr.s6_addr + 12, 4);
			memset(key + 5, 0, 4);
		}
	}
	return find(peers, key, now);
}

void lxfw_route_peer_of(int file, struct lxfw_route_peer *peer)
{
	struct ucred ucred;
	socklen_t length = sizeof(ucred);

	*peer = (struct lxfw_route_peer) { 0 };
	if (getsockopt(file, SOL_SOCKET, SO_PEERCRED, &ucred, &length) == 0 &&
	    length == sizeof(ucred))
		*peer = (struct lxfw_route_peer) { true, ucred.uid };
}
