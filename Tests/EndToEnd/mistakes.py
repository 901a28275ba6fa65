# SPDX-License-Identifier: Apache-2.0
"""What people type who do not know the program yet, and what is typed after it.

{day} is a day of the next week. Each line is typed, then what it says to `try:`, until something
works. `straight.py` has what is typed without a mistake.
"""

#: Nobody has started an agent, and nothing is in the list.
NOBODY = """
seatagent nosuch
seatagent hepl
seatagent --hepl
seatagent help nosuch
seatagent help hepl
seatagent status --json=2
seatagent status --profile ../x
seatagent join FR202
seatagent start
seatagent stop
seatagent quit
seatagent list
seatagent add FR202
seatagent send bo hi
seatagent yes
seatagent down
seatagent up 14c
seatagent up 14C --name bo
seatagent up FR202
seatagent up FR 202 --seat 14C
seatagent down
seatagent up --seat 14
seatagent down
seatagent up --seat 114C --name ada
seatagent down
seatagent up --seat C14 --name ada
seatagent down
seatagent up --seat 14C --name 12A
seatagent down
seatagent up --seat 14C --name ada --code x
seatagent up --seat 14C --name ada --flight FR202
seatagent up --seat 14C --name ada --flight XY
seatagent down
seatagent up --seat 14C --name ada --port x
seatagent down
seatagent up --seat 14C --name ada --peer x
seatagent up FR202/{day}/DUB --seat 14C --alias x
seatagent up FR202 {day} DUB tomorrow
seatagent flight
seatagent flight list
seatagent flight FR202
seatagent flight ad
seatagent flight add FR202
seatagent flight add FR202 5 dec DUB STN
seatagent flight add FR202 31.12.2026 DUB STN
seatagent flight add {day} FR202 DUB STN
seatagent flight add FR202 2019-12-05 DUB STN
seatagent flight add FR202 {day} Dublin Stansted
seatagent flight add FR202 {day} DUB --departs 6.30
seatagent flight change FR202
seatagent flight change
seatagent flight change FR202 --departs 25:00
seatagent flight move FR202
seatagent flight move FR202 FR204
seatagent flight mov
seatagent flight show
seatagent flight remove FR999
seatagent flight remove FR202
seatagent flights add
seatagent up FR202 --alias x
seatagent history --limit x
seatagent history --limit 0
seatagent forget
seatagent forget FR999
seatagent meet
seatagent meet check foo
seatagent up --flight FR205/{day}/DUB
seatagent calendar FR999
seatagent calendar --out
seatagent lookup FR999 a b c
seatagent lookup FR202 --nosuch
seatagent cabin nosuch
seatagent cabin show
seatagent cabin show nosuch
seatagent cabin use
seatagent cabin edit
seatagent cabin edit 'a b'
seatagent cabin suggestions x
seatagent config nosuch
seatagent config get
seatagent config gte
seatagent config set
seatagent config set name
seatagent config unset
seatagent config edit x
seatagent config path x
seatagent config set notify.bell maybe
seatagent config set rendezvous.url http://meet.example.org
seatagent config set rendezvous.hours many
seatagent seats --color sometimes
seatagent doctor 1.2.3
seatagent doctor --port x
seatagent completion tcsh
seatagent board nosuch.png
seatagent board garbage --date x
seatagent board --parse garbage --on x
seatagent profile nosuch
seatagent profile set
seatagent profile set mail nomail
seatagent profile set plat x
seatagent profile clear
seatagent profile clear nosuch
seatagent profile delete
seatagent lock
seatagent unlock x
seatagent key x
seatagent key import nosuch.txt
seatagent key import
seatagent park nosuch
seatagent park add
seatagent park add B7K2Q
seatagent park add B7K2Q --plate AB12CDE --suite 12B --hours 5h
seatagent park show
seatagent park show 9
seatagent park route
seatagent park route 1
seatagent park change
seatagent park change 1
seatagent park change 1 --at nowhere
seatagent park change 1 --hours 5h
seatagent park remind x
seatagent park permit
seatagent park permit 1
seatagent park remove
seatagent park remove 1
seatagent places nosuch
seatagent places import
seatagent places import nosuch.csv
seatagent places forget
seatagent places forget nosuch
seatagent venue nosuch
seatagent venue show nosuch
seatagent venue check
seatagent venue new
seatagent venue new rec.json --like pool
seatagent venue check rec.json extra
seatagent venue map
seatagent venue show
seatagent venue sign
seatagent venue sign nosuch.json
seatagent venue add
seatagent venue add nosuch
seatagent venue qr
seatagent venue open
seatagent venue open nosuch
seatagent venue join
seatagent venue leave
seatagent venue forget
seatagent venue show rec --follw
seatagent venue find --interface nosuch
seatagent activity --wek
seatagent web --port 99999
seatagent party join
seatagent export
seatagent say
seatagent log --since yesterday
seatagent audit nosuch.log
seatagent receipt --verify nosuch.txt
seatagent receipt --code x
seatagent needs 14C nosuch
seatagent down
seatagent up --seat 14C --name ada --keylog /dev/null
seatagent up --seat 14C --name ada --keylog ''
"""

#: Ada is in 14C, bo in 12A and 12B; both agents run.
ABOARD = """
seatagent up
seatagent peers --wait --timeout 60
seatagent swap
seatagent swap bo
seatagent swap 12a 14c
seatagent swap 12B for 14C
seatagent swap 20F
seatagent swap 99Z
seatagent swap A12
seatagent swap 14C
seatagent swap 12A --give 15D --yes
seatagent swap 12A,12B --yes
seatagent swap 12A --expires never
seatagent swap 12A --yes
seatagent accept bo
seatagent accept 7
seatagent accept
seatagent decline 7
seatagent counter
seatagent cancel 7
seatagent force 7
seatagent cancel one
seatagent undo
seatagent receipt
seatagent receipt 7
seatagent seated
seatagent seated on
seatagent seated 7
seatagent ring 14C 12A
seatagent ring 12A 14C 20B
seatagent ring 14C 12A 12A
seatagent msg
seatagent msg cy hi
seatagent msg hi bo
seatagent msg 20F hi
seatagent msg ada hi
seatagent say ''
seatagent who cy
seatagent who '#zzzz'
seatagent play cy
seatagent claim 99Z
seatagent claim
seatagent release 20F
seatagent rename bo
seatagent rename 12A
seatagent rename ''
seatagent offer --for nosuch
seatagent wish nosuch
seatagent wish then
seatagent wish next to cy
seatagent wish --asks som
seatagent wish --auto
seatagent wish --none --offer 12A
seatagent wish window --offer 20F
seatagent together
seatagent match
seatagent needs 20F child
seatagent verify
seatagent verify cy
seatagent verify --match
seatagent verify --cancel
seatagent verify '#c2d9'
seatagent verify bo --key x
seatagent block cy
seatagent unblock bo
seatagent silence maybe
seatagent party nosuch
seatagent party yes bo
seatagent party yes
seatagent party no
seatagent party say
seatagent party join wrong-code
seatagent party new
seatagent party remove cy
seatagent party remove
seatagent party trust maybe
seatagent party leave now
seatagent party invite bo
seatagent peers --wait x
seatagent peers --add nowhere
seatagent cabin use nosuch
seatagent cabin accept
seatagent search ''
seatagent host
seatagent host nosuch
seatagent host remove
seatagent host remove nobody
seatagent host poster
seatagent host on --open --joins many
seatagent host on --open --port many
seatagent watch nosuch
seatagent profile delete
seatagent checkin singel
seatagent book tennis
seatagent bookings
seatagent restart 14C
seatagent down now
"""

#: Whoever runs a recreation centre, at its desk.
DESK = """
seatagent desk nosuch
seatagent desk up
seatagent desk up nosuch
seatagent desk open now
seatagent desk away now
seatagent desk requests now
seatagent desk grant
seatagent desk grant K7Q2M5XA
seatagent desk refuse
seatagent desk admit
seatagent desk admit nosuch
seatagent desk book
seatagent desk book tennis
seatagent desk book tennis tomorrow 18:00 1h
seatagent desk book pool tomorrow 18:00 --for Els
seatagent desk block
seatagent desk close
seatagent desk close K7Q2M5XA
seatagent desk close x
seatagent desk paid
seatagent desk paid K7Q2M5XA
seatagent desk arrived
seatagent desk handed
seatagent desk returned
seatagent desk late
seatagent desk late K7Q2M5XA soon
seatagent desk members nosuch
seatagent desk members import
seatagent desk members import nosuch.csv
seatagent desk members move
seatagent desk members change
seatagent desk members change 217 mail nomail
seatagent desk members forget
seatagent desk members forget 217
seatagent desk members find
seatagent desk members find AB12CDE
seatagent desk report a b
seatagent desk report 1999-12
seatagent desk slip
seatagent desk slip K7Q2M5XA
seatagent desk say
seatagent desk backup
seatagent desk restore
seatagent desk restore rec
seatagent desk restore rec --from nowhere
seatagent desk restore rec --from rec-backup
seatagent venue join rec
seatagent desk
seatagent desk up rec
seatagent desk up rec --instead
seatagent desk up rec --instead --yes
seatagent desk paid K7Q2M5XA
seatagent desk backup --to rec-backup-2
seatagent venue forget rec
seatagent venue leave rec x
"""

#: Somebody who wants to play there.
GUEST = """
seatagent book
seatagent book tennis
seatagent book tennis tomorrow
seatagent book tennis tomorrow 18:00 1h
seatagent book pool tomorrow 18:00
seatagent book tennis yesterday 18:00
seatagent book tennis tomorrow 03:00 1h
seatagent book tennis tomorrow 18:00 9h
seatagent book tennis tomorrow 18:00 1h --weekly many
seatagent bookings nosuch
seatagent bookings cancel
seatagent bookings cancel 9
seatagent bookings cancel 1
seatagent bookings give
seatagent bookings give 1
seatagent bookings give 1 nobody
seatagent bookings pay
seatagent bookings pay 3
seatagent bookings swap 1 K7Q2M5XA
seatagent book tennis sat 18:00 --weekly 4
seatagent bookings swap
seatagent bookings swap 1
seatagent bookings propose
seatagent bookings propose 1:bo
seatagent bookings requests now
seatagent bookings accept
seatagent bookings accept 7
seatagent bookings decline
seatagent bookings withdraw
seatagent bookings wish
seatagent bookings match now
seatagent bookings --mail nomail
seatagent checkin tennis
seatagent checkout
seatagent venue join rec
seatagent venue show rec pool
seatagent venue leave nosuch
seatagent --profile default_rec swap 12A
seatagent --profile default_rec up
"""
