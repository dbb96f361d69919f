#!/bin/sh
# Makes a table of this Raspberry Pi: installs the companion as a service that starts by itself.
#
#   sudo hardware/pi/install.sh [OPTIONS]
#
#   --kit KIT      phones-camera (if not said), trays or tiki-readers: what the first table file names
#   --hotspot      also open a Wi-Fi of its own, with the house as its first page
#   --wheels DIR   take Python packages from this folder only, where there is no network
#   --no-start     do not start anything now
#   --dry-run      only print what would be done
#   --uninstall    remove program and services; games and settings stay
#   --purge        with --uninstall: games, settings and the service's user go too
#   --help         this text
#
# May be run again at any time, after a `git pull` for instance: what is there is kept or brought up to date.
# For Raspberry Pi OS or Debian 12 and newer.
set -eu
umask 022

here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
prefix=/opt/makabana data=/var/lib/makabana settings=/etc/makabana units=/etc/systemd/system
service_units="makabana.service makabana-rescue.service makabana-hotspot.service"
kit=phones-camera hotspot='' wheels='' start=yes dry='' task=install purge=''

fail() { echo "install.sh: $1" >&2; exit 2; }
say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
run() { # COMMAND...: does it, or says that it would
    if [ -n "$dry" ]; then printf '  %s\n' "$*"; else "$@"; fi
}
write() { # FILE MODE: the standard input becomes the file, in one step
    if [ -n "$dry" ]; then printf '  write %s\n' "$1"; cat >/dev/null; return; fi
    cat >"$1.new"
    chmod "$2" "$1.new"
    mv "$1.new" "$1"
}
has_systemd() { [ -d /run/systemd/system ]; }
is_a_pi() { grep -q "Raspberry Pi" /proc/device-tree/model 2>/dev/null; }

options() {
    while [ $# -gt 0 ]; do
        case $1 in
            --kit) [ $# -ge 2 ] || fail "--kit needs a name."; kit=$2; shift ;;
            --wheels) [ $# -ge 2 ] || fail "--wheels needs a folder."; wheels=$2; shift ;;
            --hotspot) hotspot=yes ;;
            --no-start) start= ;;
            --dry-run) dry=yes ;;
            --uninstall) task=uninstall ;;
            --purge) purge=yes ;;
            -h | --help) sed -n '2,17s/^# \{0,1\}//p' "$0"; exit 0 ;;
            *) fail "'$1' is no option of ours. See: $0 --help" ;;
        esac
        shift
    done
    case $kit in phones-camera | trays | tiki-readers) ;; *) fail "'$kit' is no kit; there are phones-camera, trays and tiki-readers." ;; esac
    [ -z "$wheels" ] || [ -d "$wheels" ] || fail "there is no folder $wheels."
    [ -z "$purge" ] || [ $task = uninstall ] || fail "--purge goes with --uninstall."
}

check_machine() {
    [ -n "$dry" ] || [ "$(id -u)" = 0 ] || fail "this needs root's rights. Run: sudo $0"
    command -v apt-get >/dev/null || fail "this is no Debian: there is no apt-get. Elsewhere, 'make play' runs the companion."
    [ -f "$checkout/companion/__init__.py" ] || fail "$checkout has no companion in it. Run this script from a checkout of the project."
    free=$(df -Pm / | awk 'NR == 2 { print $4 }')
    [ "$free" -ge 1500 ] || fail "only $free MB are free on the card; the companion needs 1500 while it is being installed."
}

packages() {
    say "Packages"
    wanted="python3 python3-venv ca-certificates git"
    if is_a_pi; then wanted="$wanted python3-picamera2 python3-lgpio"; fi
    if [ -n "$hotspot" ]; then wanted="$wanted network-manager dnsmasq-base nftables iw"; fi
    missing=''
    for package in $wanted; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing="$missing $package"
    done
    [ -n "$missing" ] || { echo "All there."; return; }
    run apt-get -qq update
    # shellcheck disable=SC2086 # a list of words
    run env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "the companion needs Python 3.11 or newer; update the system first."
}

user() {
    say "The service's user"
    id makabana >/dev/null 2>&1 || run useradd --system --user-group --home-dir $data --shell /usr/sbin/nologin makabana
    for group in video gpio dialout spi i2c; do # those that this system has
        if getent group $group >/dev/null; then run usermod --append --groups $group makabana; fi
    done
    run install -d -m 0755 $prefix $prefix/releases
    run install -d -m 0700 -o makabana -g makabana $data
    run install -d -m 0750 -o root -g makabana $settings
}

release() {
    say "The companion"
    set -- --from "$checkout" --prefix $prefix --data $data
    [ -z "$wheels" ] || set -- "$@" --wheels "$wheels"
    run env PYTHONPATH="$checkout" PYTHONDONTWRITEBYTECODE=1 python3 -m companion.cli update "$@"
    run ln -sfn $prefix/current/venv/bin/makabana /usr/local/bin/makabana
}

configure() {
    say "Settings in $settings"
    if [ ! -f $settings/table.toml ]; then
        run $prefix/current/venv/bin/makabana table init --kit "$kit" $settings/table.toml
    fi
    listen=''
    if [ -n "$hotspot" ]; then
        [ -f $settings/hotspot.conf ] || new_hotspot | write $settings/hotspot.conf 0640
        listen=" --host 10.42.0.1 --access-point"
    fi
    if [ ! -f $settings/play.env ] || [ -n "$hotspot" ]; then
        write $settings/play.env 0640 <<CONTENT
# Options of the house, see: makabana play --help. After a change: sudo systemctl restart makabana
MAKABANA_OPTIONS=--table $settings/table.toml$listen
CONTENT
    fi
    run chown -R root:makabana $settings
    run chmod -R g+rX,o-rwx $settings
}

new_hotspot() { # a password of words nobody has to spell: three groups of four digits
    digits=$(od -An -N6 -tu8 /dev/urandom | tr -d ' ')
    printf '# The Wi-Fi of this table. After a change: sudo systemctl restart makabana-hotspot makabana\n'
    printf 'SSID=Maka Bana\n# Empty: an open network.\nPASSWORD=%012d\n# Two letters: the country whose radio rules hold here.\nCOUNTRY=\n' \
        $((digits % 1000000000000))
}

services() {
    say "Services"
    for script in rescue.sh hotspot.sh; do run install -m 0755 "$here/$script" $prefix/$script; done
    run install -m 0644 "$here/README.md" $prefix/README.md
    for unit in $service_units; do run install -m 0644 "$here/systemd/$unit" "$units/$unit"; done
    run install -d -m 0755 /etc/systemd/journald.conf.d
    run install -m 0644 "$here/systemd/journald.conf" /etc/systemd/journald.conf.d/makabana.conf
    has_systemd || { echo "systemd does not run here: the service starts with the next boot."; }
    run systemctl enable makabana.service
    if [ -n "$hotspot" ]; then run systemctl enable makabana-hotspot.service; fi
    has_systemd || return 0
    run systemctl daemon-reload
    run systemctl try-restart systemd-journald.service
    [ -n "$start" ] || return 0
    if [ -n "$hotspot" ]; then run systemctl restart makabana-hotspot.service; fi
    run systemctl restart makabana.service
}

goodbye() {
    address=$(hostname -I 2>/dev/null | awk '{ print $1 }')
    if [ -n "$hotspot" ]; then address=10.42.0.1; fi
    say "Done"
    echo "The house:      http://${address:-$(hostname)}:8080"
    echo "Its staff page: http://${address:-$(hostname)}:8080/staff, with the PIN in $data/staff.pin (sudo cat it)"
    echo "The table file: $settings/table.toml; then: sudo makabana doctor $settings/table.toml"
    if [ -n "$hotspot" ]; then echo "The Wi-Fi:      name and password are in $settings/hotspot.conf"; fi
    echo "What happens:   journalctl -u makabana -f"
}

uninstall() {
    [ -n "$dry" ] || [ "$(id -u)" = 0 ] || fail "this needs root's rights. Run: sudo $0 --uninstall"
    say "Removing the companion"
    for unit in $service_units; do
        [ -f "$units/$unit" ] || continue
        if has_systemd; then run systemctl disable --now "$unit"; else run systemctl disable "$unit"; fi
        run rm -f "$units/$unit"
    done
    if has_systemd; then run systemctl daemon-reload; fi
    run rm -f /etc/systemd/journald.conf.d/makabana.conf /usr/local/bin/makabana
    run rm -rf $prefix
    if [ -n "$purge" ]; then
        run rm -rf $data $settings
        if id makabana >/dev/null 2>&1; then run userdel makabana; fi
        echo "Program, games and settings are gone."
    else
        echo "The program is gone. Games are still in $data, settings in $settings; --purge removes them as well."
    fi
}

options "$@"
if [ $task = uninstall ]; then uninstall; exit 0; fi
check_machine
packages
user
release
configure
services
if [ -n "$dry" ]; then echo "Nothing was changed."; else goodbye; fi
