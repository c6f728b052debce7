#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw import over https: a request is sent only if the server's certificate is valid
# and matches the server's name.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

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

# serve PORT: start the server; false if the port is in use
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

# ask URL OPTIONS...: print the message; no file may be written
ask()
{
	url=$1
	shift
	"$lxfw" import --slurm-rest "$url:$port" --since 2026-01-01 --out none.swf "$@" > out 2> told
	status=$?
	[ $status -eq 2 ] || fail "$url $*: exit status $status"
	[ ! -s out ] && [ ! -e none.swf ] || fail "$url $*: an incomplete file"
}

ask https://localhost
grep -qi 'certificate' told || fail "a self-signed certificate: $(cat told)"
ask https://127.0.0.1 --ca-file certificate
grep -qi "certificate\|host name" told || fail "a certificate for another host: $(cat told)"
if grep -q 'FILE:' served; then
	fail "the server received a request: $(cat served)"
fi
# The command asks the server for its versions and uses one of them. This server has no
# more.
ask https://localhost --ca-file certificate
grep -q 'FILE:openapi/v3' served || fail "the server received no request: $(cat told served)"
! grep -qi 'certificate' told || fail "a valid certificate: $(cat told)"
finish
