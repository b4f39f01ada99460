#!/bin/sh
# An authority of one's own and a certificate of the server: sh certificates.sh server.hospital.example
# Keep authority.key off the server. Each reader needs authority.crt as ~/.postgresql/root.crt.
set -eu
host=$1
mkdir -p certificates
cd certificates
umask 077
openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj "/CN=Library of $host" -keyout authority.key -out authority.crt
openssl req -newkey rsa:3072 -nodes -subj "/CN=$host" -keyout server.key -out server.csr
printf 'subjectAltName=DNS:%s\n' "$host" > server.ext
openssl x509 -req -days 825 -in server.csr -CA authority.crt -CAkey authority.key -CAcreateserial -extfile server.ext -out server.crt
rm server.csr server.ext
chmod 0644 authority.crt server.crt
