#!/bin/sh
# An authority of one's own and a certificate of the server: sh certificates.sh server.hospital.example
# Keep authority.key off the server; where it lies in this folder, only a new certificate of the server is made.
# Each reader needs certificates/authority.crt as ~/.postgresql/root.crt.
set -eu
host=${1:?name the server, such as server.hospital.example}
mkdir -p certificates
umask 077
cd certificates
[ -f ../authority.key ] || openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj "/CN=Library of $host" -keyout ../authority.key -out authority.crt
openssl req -newkey rsa:3072 -nodes -subj "/CN=$host" -keyout server.key -out server.csr
printf 'subjectAltName=DNS:%s\n' "$host" > server.ext
openssl x509 -req -days 825 -in server.csr -CA authority.crt -CAkey ../authority.key -CAcreateserial -extfile server.ext -out server.crt
rm server.csr server.ext
chmod 0644 authority.crt server.crt
