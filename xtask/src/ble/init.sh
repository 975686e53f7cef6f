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

# Measuring must cost little here: where the shell can do it alone, it does.
now() { read -r now _ < /proc/uptime; }
say() { now; echo "$now $*"; }
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
count_bytes() {
    bytes=0
    for word in $(hciconfig hci0); do
        case $word in bytes:*) bytes=$((bytes + ${word#bytes:})) ;; esac
    done
}

# How many hundredths of a second everything has computed.
count_computed() {
    read -r _ user nice system _ _ irq soft _ < /proc/stat
    computed=$((user + nice + system + irq + soft))
}

# How many lines the log of a match has.
count_lines() {
    lines=0
    for log in /tmp/$1.0/private/*/log.jsonl; do
        [ -e "$log" ] && lines=$(wc -l < "$log")
    done
}

# Passes on what a program says, with the time. Where something begins or ends, the host adds bytes, computing and lines.
told() {
    while read -r line; do
        now
        text="$now $1 $line"
        case "$1 $line" in
            "host begun" | "host deal "* | "host cards "* | "host over"*)
                count_bytes; count_computed; count_lines "$2"
                text="$text $bytes $computed $lines" ;;
            "host ticket "*) echo "${line#ticket }" > "/tmp/$2.ticket"; text="$now $1 ticket" ;;
            # The words that both compare are there.
            "host knock "*" "*" "*) number=${line#knock }; echo "admit ${number%% *}" >&3 ;;
        esac
        echo "$text"
        echo "$text" >> "/tmp/$2.$1.log"
    done
}

# How many hundredths of a second BlueZ, D-Bus and btvirt have computed.
count_stack() {
    stack=0
    for program in bluetoothd dbus-daemon btvirt; do
        pid=$(pidof "$program" | cut -d ' ' -f 1)
        stack=$((stack + $(awk '{ print $14 + $15 }' "/proc/$pid/stat")))
    done
}

all_ended() { [ "$(cat /tmp/$1.*.log | grep -c ' exit ')" = "$2" ]; }

# A name, a game, how many play, how long they think, and the options of the game. The last guest looks for the table, the
# others have a ticket. A virtual controller has one connection at a time, so all guests share one.
match() {
    name=$1; game=$2; seats=$3; think=$4; shift 4
    say "== $name: $seats players"
    begun=$now
    count_stack; stack_before=$stack
    count_computed; computed_before=$computed
    mkfifo "/tmp/$name.in"
    exec 3<> "/tmp/$name.in"
    ( FAIRDEAL_BLUETOOTH=hci0 fairdeal host "$game" --bluetooth --seats "$seats" --auto easy --think "$think" \
        --data "/tmp/$name.0" "$@" < "/tmp/$name.in" 2>&1; echo "exit $?" ) | told host "$name" &
    await 60 "$name: the host does not advertise" [ -s "/tmp/$name.ticket" ]
    guest=1
    while [ $guest -lt "$seats" ]; do
        to=$(cat "/tmp/$name.ticket")
        [ $guest = $((seats - 1)) ] && to=nearby
        ( FAIRDEAL_BLUETOOTH=hci1 fairdeal join "$to" --auto easy --think "$think" --data "/tmp/$name.$guest" 2>&1 \
            < /dev/null; echo "exit $?" ) | told guest$guest "$name" &
        guest=$((guest + 1))
    done
    await 1800 "$name: no end in sight" all_ended "$name" "$seats"
    exec 3>&-
    for log in /tmp/$name.*.log; do
        grep -q " exit 0" "$log" || { tail -n 5 "$log"; stop "$name: a program failed"; }
    done
    grep -q "signed $seats of $seats" "/tmp/$name.host.log" || stop "$name: not everybody has signed"
    log=$(echo /tmp/$name.0/private/*/log.jsonl)
    count_stack; count_computed
    # First the log: in how many of Geogram's parcels each entry would travel, in base64 and an envelope of 85 bytes.
    awk -v name="$name" -v players="$seats" -v entries="$(grep -c entry "$log")" -v size="$(wc -c < "$log")" \
        -v computed="$((computed - computed_before))" -v stack="$((stack - stack_before))" '
        NR == FNR {
            if (/entry/) {
                bytes = (length($0) - 12) / 2 + 8
                rest = 85 + 4 * int((bytes + 2) / 3) - 271
                sum += 1 + (rest > 0 ? int((rest + 275) / 276) : 0)
            }
            parcels[FNR] = sum
            next
        }
        / begun / && !begun { begun = $1; at = $(NF - 2); from_line = $NF }
        / cards / && !first { first = $1; cards = $(NF - 2) - at; slow = parcels[$NF] - parcels[from_line] }
        / deal 2 / { deal = $1; whole = $(NF - 2) - at }
        / deal / {
            if (deals++ > 1) { later_bytes += $(NF - 2) - from; later_slow += parcels[$NF] - parcels[line]; later++ }
            from = $(NF - 2); line = $NF; dealt = $1; busy_at = $(NF - 1); waits = 1
        }
        / cards / {
            if (waits && deals > 1) {
                wait = $1 - dealt; waited += wait; seen++; busy += $(NF - 1) - busy_at
                if (wait > longest) longest = wait
                if (wait > 2) over++
            }
            waits = 0
        }
        END {
            printf "FIGURE game=%s players=%d deals=%d turn=%.1f turn_bytes=%d", name, players, deals, first - begun, cards
            printf " turn_parcels=%d", slow
            if (deal) printf " deal=%.1f deal_bytes=%d", deal - begun, whole
            if (seen) printf " later=%.1f longest=%.1f over=%d busy=%.1f", waited / seen, longest, over, busy / 100 / seen
            if (later) printf " later_bytes=%d later_parcels=%d", later_bytes / later, later_slow / later
            printf " entries=%d log_bytes=%d computed=%.1f stack=%.1f\n", entries, size / 2, computed / 100, stack / 100
        }' "$log" "/tmp/$name.host.log"
    now
    say "$name is over after $((${now%.*} - ${begun%.*})) s"
}

# With many chips fewer are out soon, after which the others would make new keys.
FOUR="--option hand_limit=10 --option starting_chips=100000"
for game in GAMES; do
    case $game in
        holdem) match holdem holdem 3 0 --option hand_limit=10 ;;
        holdem4) match holdem4 holdem 4 0 $FOUR ;;
        holdem4slow) match holdem4slow holdem 4 2 $FOUR ;;
        blackjack) match blackjack blackjack 3 0 --option rounds=5 ;;
        romme) match romme romme 3 0 --option mode=rounds --option rounds=3 ;;
        bigc) match bigc bigc 3 0 --option deals=2 ;;
        ongdu) match ongdu ongdu 3 0 --option max_rounds=3 ;;
        blackout) match blackout blackout 3 0 --option max=3 ;;
    esac
done
echo BLE-DONE
sleep 1
poweroff -f
