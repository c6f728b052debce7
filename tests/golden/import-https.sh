#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw import over https: a server is asked only if its certificate is good and for it.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh"

cd "$work" || exit 99
case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac
if ! command -v openssl > /dev/null; then
	echo "SKIP: openssl is not installed"
	exit 77
fi

openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out certificate -days 2 \
	-subj /CN=localhost -addext subjectAltName=DNS:localhost 2> made ||
	fail "no certificate: $(cat made)"
mkdir -p openapi
echo '{"paths": {"/slurmdb/v0.0.38/jobs": {}}}' > openapi/v3
SLURM_JWT=a.b.c
export SLURM_JWT

# serve PORT: false if that is taken
serve()
{
	openssl s_server -accept "$1" -cert certificate -key key -WWW > served 2>&1 &
	server=$!
	trap 'kill $server 2> /dev/null; rm -rf "$work"' EXIT
	tries=0
	until grep -q ACCEPT served; do
		kill -0 $server 2> /dev/null || return 1
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		sleep 0.1
	done
}

port=
for try in 1 2 3 4 5 6 7 8; do
	port=$((20000 + ($$ * 7 + try * 1009) % 10000))
	serve $port && break
	kill $server 2> /dev/null
	port=
done
if [ -z "$port" ]; then
	echo "SKIP: no port for a server: $(cat served)"
	exit 77
fi

# ask URL OPTIONS...: what is said; nothing is written
ask()
{
	url=$1
	shift
	"$lxfw" import --slurm-rest "$url:$port" --since 2026-01-01 --out none.swf "$@" > out 2> told
	status=$?
	[ $status -eq 2 ] || fail "$url $*: exit status $status"
	[ ! -s out ] && [ ! -e none.swf ] || fail "$url $*: half-written"
}

ask https://localhost
grep -qi 'certificate' told || fail "a certificate of nobody's: $(cat told)"
ask https://127.0.0.1 --ca-file certificate
grep -qi "certificate\|host name" told || fail "a certificate of another: $(cat told)"
if grep -q 'FILE:' served; then
	fail "the server was asked: $(cat served)"
fi
# It is asked what it offers, and that is taken; more it does not have.
ask https://localhost --ca-file certificate
grep -q 'FILE:openapi/v3' served || fail "the server was not asked: $(cat told served)"
! grep -qi 'certificate' told || fail "a good certificate: $(cat told)"
finish
