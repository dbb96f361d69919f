#!/bin/sh
# The Pi as its own Wi-Fi, by NetworkManager: every name leads to the house, and phones open it by themselves.
#
#   hotspot.sh up | down | status
#
# Settings are in /etc/makabana/hotspot.conf: SSID, PASSWORD (8 or more letters; empty: an open network), COUNTRY (two
# letters, the law of your radio waves), and if need be INTERFACE, ADDRESS and PORT.
set -eu

conf=${MAKABANA_HOTSPOT_CONF:-/etc/makabana/hotspot.conf}
names=${MAKABANA_HOTSPOT_NAMES:-/etc/NetworkManager/dnsmasq-shared.d/makabana.conf}
connection=makabana-hotspot
SSID="Maka Bana" PASSWORD="" COUNTRY="" INTERFACE=wlan0 ADDRESS=10.42.0.1 PORT=8080

fail() { echo "hotspot: $1" >&2; exit 2; }
usage() { sed -n '2,7s/^# \{0,1\}//p' "$0"; }

settings() { # the file is read as KEY=value lines, never run
    [ -r "$conf" ] || fail "there is no $conf. Run: sudo hardware/pi/install.sh --hotspot"
    while IFS='=' read -r key value || [ -n "$key" ]; do
        case $key in
            SSID) SSID=$value ;; PASSWORD) PASSWORD=$value ;; COUNTRY) COUNTRY=$value ;;
            INTERFACE) INTERFACE=$value ;; ADDRESS) ADDRESS=$value ;; PORT) PORT=$value ;;
            '' | '#'*) ;;
            *) fail "$conf: $key is no setting of ours" ;;
        esac
    done <"$conf"
    length=$(printf %s "$SSID" | wc -c) # in bytes, as the radio counts
    if [ "$length" -lt 1 ] || [ "$length" -gt 32 ]; then fail "SSID must have 1 to 32 letters, and is '$SSID'"; fi
    [ -z "$PASSWORD" ] || [ ${#PASSWORD} -ge 8 ] || fail "PASSWORD needs 8 letters or more; leave it empty for an open network"
    case $INTERFACE in '' | *[!A-Za-z0-9_.-]*) fail "INTERFACE can't be '$INTERFACE'" ;; esac
    case $ADDRESS in *[!0-9.]* | '') fail "ADDRESS must be four numbers such as 10.42.0.1, and is '$ADDRESS'" ;; esac
    case $PORT in *[!0-9]* | '') fail "PORT must be a number, and is '$PORT'" ;; esac
    case $COUNTRY in '' | [A-Z][A-Z]) ;; *) fail "COUNTRY must be two capitals such as FR, and is '$COUNTRY'" ;; esac
}

up() {
    settings
    [ -z "$COUNTRY" ] || iw reg set "$COUNTRY" || echo "hotspot: the country could not be set; some channels may be off" >&2
    # NetworkManager's own DNS for those who join: every name is us. That is what makes a phone open the house.
    mkdir -p "$(dirname "$names")"
    printf '# Written by hotspot.sh.\naddress=/#/%s\n' "$ADDRESS" >"$names"
    nmcli -t connection delete "$connection" >/dev/null 2>&1 || true
    set -- 802-11-wireless.mode ap 802-11-wireless.band bg ipv4.method shared ipv4.addresses "$ADDRESS/24" ipv6.method disabled
    [ -z "$PASSWORD" ] || set -- "$@" wifi-sec.key-mgmt wpa-psk wifi-sec.proto rsn wifi-sec.pairwise ccmp wifi-sec.psk "$PASSWORD"
    nmcli connection add type wifi ifname "$INTERFACE" con-name "$connection" autoconnect no ssid "$SSID" "$@" >/dev/null
    nmcli connection up "$connection" >/dev/null || { down; fail "NetworkManager could not open $SSID on $INTERFACE. Does: nmcli device show it?"; }
    doors
    echo "Wi-Fi $SSID is open at $ADDRESS."
}

doors() { # the web's usual port leads to ours; secure pages of others are refused at once instead of hanging
    nft -f - <<RULES
table ip makabana
delete table ip makabana
table ip makabana {
    chain prerouting {
        type nat hook prerouting priority dstnat;
        iifname "$INTERFACE" tcp dport 80 redirect to :$PORT
    }
    chain input {
        type filter hook input priority filter;
        iifname "$INTERFACE" tcp dport 443 reject with tcp reset
    }
    chain forward {
        type filter hook forward priority filter;
        iifname "$INTERFACE" drop
    }
}
RULES
}

down() {
    nft delete table ip makabana 2>/dev/null || true
    nmcli -t connection delete "$connection" >/dev/null 2>&1 || true
    rm -f "$names"
}

case ${1:-} in
    up) up ;;
    down) down ;;
    status) settings; nmcli -f GENERAL.STATE,IP4.ADDRESS connection show "$connection" ;;
    -h | --help) usage ;;
    *) usage >&2; exit 2 ;;
esac
