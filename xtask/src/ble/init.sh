#!/bin/busybox sh
# Runs as the only process of a machine that has nothing but this: matches over Bluetooth.
export PATH=/bin LD_LIBRARY_PATH=/lib64 HOME=/tmp TERM=dumb LANG=C.UTF-8
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
mount -t tmpfs run /run
mkdir -p /run/dbus /var/lib/bluetooth
ip link set lo up

now() { cut -d ' ' -f 1 /proc/uptime; }
say() { echo "$(now) $*"; }
stop() { cat /tmp/bluetoothd; tail -n 5 /tmp/*.log; echo "BLE-FAILED $*"; sleep 1; poweroff -f; }
# Waits for something that the rest of the line says, at most so many seconds.
await() {
    left=$1; what=$2; shift 2
    until "$@"; do
        [ "$left" -gt 0 ] || stop "$what"
        left=$((left - 1))
        sleep 1
    done
}

while read -r module; do insmod "/modules/$module.ko" 2>/dev/null; done < /modules/order
[ -e /dev/vhci ] || mknod /dev/vhci c 10 137
say "booted"
dbus-daemon --config-file=/etc/bus.conf --fork
bluetoothd -n > /tmp/bluetoothd 2>&1 &
btvirt -L -l2 > /tmp/btvirt 2>&1 &
await 60 "no virtual controllers" [ -e /sys/class/bluetooth/hci1 ]
sleep 2
for hci in 0 1; do hciconfig hci$hci up; done
say "two controllers are up"

# Bytes that the host's controller has sent and received.
bytes() { hciconfig hci0 | awk '/[RT]X bytes/ { split($2, part, ":"); sum += part[2] } END { print sum }'; }

# Passes on what a program says, with the time, and with the host's bytes where something begins or ends.
told() {
    while read -r line; do
        case "$line" in
            begun | "deal "* | "cards "* | over*) echo "$(now) $1 $line $(bytes)" ;;
            "ticket "*) echo "${line#ticket }" > "/tmp/$2.ticket"; echo "$(now) $1 ticket" ;;
            # The words that both compare are there.
            "knock "*" "*" "*) set -- "$1" "$2" $line; echo "admit $4" >&3; echo "$(now) $1 $line" ;;
            *) echo "$(now) $1 $line" ;;
        esac | tee -a "/tmp/$2.$1.log"
    done
}

# How many hundredths of a second a program has computed; without a name, how many everything has.
computed() {
    if [ -z "$1" ]; then awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 }' /proc/stat; return; fi
    cat "/proc/$(pidof "$1" | cut -d ' ' -f 1)/stat" | awk '{ print $14 + $15 }'
}

all_ended() { [ "$(cat /tmp/$1.*.log | grep -c ' exit ')" = "$2" ]; }

# A name, a game, how many play, and the options of the game. The last guest looks for the table, the others have a ticket.
# A virtual controller has one connection at a time, so all guests share one.
match() {
    name=$1; game=$2; seats=$3; shift 3
    say "== $name: $seats players"
    begun=$(now)
    stack=$(($(computed bluetoothd) + $(computed dbus-daemon) + $(computed btvirt)))
    all=$(computed)
    mkfifo "/tmp/$name.in"
    exec 3<> "/tmp/$name.in"
    ( FAIRDEAL_BLUETOOTH=hci0 fairdeal host "$game" --bluetooth --seats "$seats" --auto easy --data "/tmp/$name.0" "$@" \
        < "/tmp/$name.in" 2>&1; echo "exit $?" ) | told host "$name" &
    await 60 "$name: the host does not advertise" [ -s "/tmp/$name.ticket" ]
    guest=1
    while [ $guest -lt "$seats" ]; do
        to=$(cat "/tmp/$name.ticket")
        [ $guest = $((seats - 1)) ] && to=nearby
        ( FAIRDEAL_BLUETOOTH=hci1 fairdeal join "$to" --auto easy --data "/tmp/$name.$guest" 2>&1 < /dev/null
            echo "exit $?" ) | told guest$guest "$name" &
        guest=$((guest + 1))
    done
    await 900 "$name: no end in sight" all_ended "$name" "$seats"
    exec 3>&-
    for log in /tmp/$name.*.log; do
        grep -q " exit 0" "$log" || { tail -5 "$log"; stop "$name: a program failed"; }
    done
    grep -q "signed $seats of $seats" "/tmp/$name.host.log" || stop "$name: not everybody has signed"
    log=$(echo /tmp/$name.0/private/*/log.jsonl)
    stack=$(($(computed bluetoothd) + $(computed dbus-daemon) + $(computed btvirt) - stack))
    awk -v game="$game" -v players="$seats" -v entries="$(grep -c entry "$log")" -v size="$(wc -c < "$log")" \
        -v computed="$(($(computed) - all))" -v stack="$stack" '
        / begun/ && !begun { begun = $1; at = $NF }
        / cards / && !first { first = $1; cards = $NF - at }
        / deal 2 / { deal = $1; whole = $NF - at }
        / deal / { if (deals++ > 1) { bytes += $NF - from; later++ } from = $NF; dealt = $1; waits = 1 }
        / cards / {
            if (waits && deals > 1) { wait = $1 - dealt; waited += wait; seen++; if (wait > longest) longest = wait }
            waits = 0
        }
        END {
            printf "FIGURE game=%s players=%d deals=%d turn=%.1f turn_bytes=%d", game, players, deals, first - begun, cards
            if (deal) printf " deal=%.1f deal_bytes=%d", deal - begun, whole
            if (seen) printf " later=%.1f longest=%.1f", waited / seen, longest
            if (later) printf " later_bytes=%d", bytes / later
            printf " entries=%d log_bytes=%d computed=%.1f stack=%.1f\n", entries, size / 2, computed / 100, stack / 100
        }' "/tmp/$name.host.log"
    say "$name is over after $(awk -v a="$begun" -v b="$(now)" 'BEGIN { printf "%.0f", b - a }') s"
}

for game in GAMES; do
    case $game in
        holdem) match holdem holdem 3 --option hand_limit=10 ;;
        holdem4) match holdem4 holdem 4 --option hand_limit=10 ;;
        blackjack) match blackjack blackjack 3 --option rounds=5 ;;
        romme) match romme romme 3 --option mode=rounds --option rounds=3 ;;
        bigc) match bigc bigc 3 --option deals=2 ;;
        ongdu) match ongdu ongdu 3 --option max_rounds=3 ;;
        blackout) match blackout blackout 3 --option max=3 ;;
        *) match "$game" "$game" 3 ;;
    esac
done
echo BLE-DONE
sleep 1
poweroff -f
