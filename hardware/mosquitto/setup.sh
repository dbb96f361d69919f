#!/bin/sh
# Makes everything the broker of a table needs: an authority, the broker's certificate, logins and the access list.
#
#   sudo ./setup.sh FOLDER HOST TABLE BOARD...
#   sudo ./setup.sh /etc/mosquitto/makabana makabana.local table tray-blue tray-green
#
# HOST is the name by which the boards reach the broker (they can't check a bare address). May be run again: what is
# there stays as it is, and new boards are added. Passwords land in FOLDER/logins/, one file each: companion's goes beside the table file as
# mqtt.password, a board's into its config.json.
set -eu
umask 077

[ $# -ge 3 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$1 host=$2 table=$3
shift 3
here=$(dirname "$0")
for tool in openssl mosquitto_passwd; do
    command -v $tool >/dev/null || { echo "$tool is missing. Run: sudo apt install openssl mosquitto" >&2; exit 1; }
done
for name in "$table" "$@"; do
    case $name in '' | *[!a-z0-9_-]*) echo "'$name' is no name: use a-z, 0-9, - and _." >&2; exit 2 ;; esac
done
mkdir -p "$folder/logins"

if [ ! -f "$folder/ca.crt" ]; then
    openssl ecparam -name prime256v1 -genkey -noout -out "$folder/ca.key"
    openssl req -x509 -new -key "$folder/ca.key" -days 3650 -subj "/CN=Maka Bana table" -out "$folder/ca.crt"
fi
if [ ! -f "$folder/server.crt" ]; then
    case $host in *[!0-9.]*) kind=DNS ;; *) kind=IP ;; esac
    openssl ecparam -name prime256v1 -genkey -noout -out "$folder/server.key"
    openssl req -new -key "$folder/server.key" -subj "/CN=$host" -out "$folder/server.csr"
    # The companion may live beside the broker and call it localhost.
    printf 'subjectAltName=%s:%s,DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n' "$kind" "$host" >"$folder/server.ext"
    openssl x509 -req -in "$folder/server.csr" -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -CAcreateserial \
        -days 3650 -extfile "$folder/server.ext" -out "$folder/server.crt" 2>/dev/null
    rm "$folder/server.csr" "$folder/server.ext"
fi

login() { # NAME: a password of its own, made once
    [ -f "$folder/logins/$1" ] && return
    openssl rand -hex 16 >"$folder/logins/$1"
    touch "$folder/passwords"
    mosquitto_passwd -b "$folder/passwords" "$1" "$(cat "$folder/logins/$1")"
}

[ -f "$folder/acl" ] || cp "$here/acl" "$folder/acl"
login companion
for board in "$@"; do
    user=$table.$board # two tables may both have a board called north
    login "$user"
    grep -qx "user $user" "$folder/acl" || {
        printf '\nuser %s\n' "$user"
        for part in status state event; do printf 'topic write makabana/%s/%s/%s\n' "$table" "$board" $part; done
        printf 'topic read makabana/%s/%s/command\n' "$table" "$board"
    } >>"$folder/acl"
done

sed "s|/etc/mosquitto/makabana|$folder|" "$here/mosquitto.conf" >"$folder/mosquitto.conf"
chmod 644 "$folder/ca.crt" "$folder/server.crt" "$folder/mosquitto.conf"
# mosquitto gives up root's rights and must still be able to read these.
if [ "$(id -u)" = 0 ] && id mosquitto >/dev/null 2>&1; then
    chown mosquitto "$folder" "$folder/passwords" "$folder/acl" "$folder/server.key"
    chmod 711 "$folder"
fi
echo "Made $folder for table $table on $host. Next: see hardware/mosquitto/README.md."
