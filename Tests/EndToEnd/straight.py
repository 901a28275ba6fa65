# SPDX-License-Identifier: Apache-2.0
"""What is typed without the mistake that it answers: the program prints it where a disk, a clock or
a network fails, or where several people have done much before.
"""

STRAIGHT = """
seatagent --version
seatagent __manual 1
seatagent activity --csv
seatagent board --parse -
seatagent board --date 2026-03-05 pass.png
seatagent board --yes pass.png
seatagent cabin show ryanair-737-800
seatagent calendar --out flights.ics
seatagent config get confirm.command
seatagent config get location.command
seatagent config set location.command "cat /run/position"
seatagent config unset location.command
seatagent config set rendezvous.ca /etc/ssl/certs/meet.pem
seatagent config set rendezvous.password-file ""
seatagent config set rendezvous.user ada
seatagent help doctor
seatagent help friend
seatagent help receipt
seatagent help ring
seatagent help
seatagent help up
seatagent flight add FR202 {day} DUB STN --departs 06:30 --seat 17A
seatagent flight change FR202 --departs 06:30
seatagent flight change FR202/{day}/DUB --departs 06:30
seatagent flight change FR202/{day}/DUB --seat 14C
seatagent help web
seatagent host poster poster.png
seatagent host poster poster.png --wifi NAME
seatagent key import --profile taken
seatagent park add B7K2Q --plate AB12CDE --suite 12B --hours 4h
seatagent park show 1
seatagent park route 1 --from 45.5088,-73.5542
seatagent park permit 1
seatagent park remove 1
seatagent places import montreal.csv
seatagent places forget montreal
seatagent profile
seatagent venue new rec.json --like courts
seatagent venue sign rec.json
seatagent venue add rec.venue --yes
seatagent venue find
seatagent venue announce uva
seatagent up --seat 14C --name ada --code k7q2m5
seatagent down
seatagent up --seat 14C --name ada --port 0
seatagent down
seatagent up --seat 14C --name ada --flight XY123/{day}/DUB
seatagent needs 14C exit
seatagent needs 14C --remove
seatagent needs
seatagent needs 14C standby
seatagent needs 14C standby --remove
seatagent wish --offer all
seatagent wish
seatagent withdraw
seatagent together --watch
seatagent swap 12A --note "aisle for window" --wait
seatagent cabin decline
seatagent party join aaaa-aaaa-aaaa-aaaa-a
seatagent peers --add 127.0.0.1:7711
seatagent play 12A d
seatagent web
seatagent host off
seatagent host on --port 0
seatagent wish window --auto
seatagent wish window --stay-unless-better
seatagent say "which seats would you like? seatagent wish tells me"
seatagent party
seatagent peers --wait --timeout 1
seatagent receipt --verify receipt.txt
seatagent seated 1 off
seatagent force 1 --yes
seatagent friend kiki@example.org
seatagent restart --new-key
seatagent web --port 0
seatagent web --profile another
seatagent host on --open --port 0
seatagent host on --port 7790
seatagent host on --joins 3
seatagent chat
seatagent checkout --venue uva
seatagent down
seatagent up FR202/{day}/DUB --party
seatagent down
seatagent agent --seat 14C --name ada
seatagent forget XY123/{day}/DUB --yes --force
seatagent profile delete --yes
"""
