; python -m benchmarks.generate print-queue --printers 5 --trays 12 --formats 5 --jobs 38 --seed 4
(define (problem print-queue-5-12-5-38-seed4)
  (:domain print-queue)
  (:objects
    printer1 printer2 printer3 printer4 printer5 - printer
    tray1 tray2 tray3 tray4 tray5 tray6 tray7 tray8 tray9 tray10 tray11 tray12 - tray
    format1 format2 format3 format4 format5 - format
    job1 job2 job3 job4 job5 job6 job7 job8 job9 job10 job11 job12 job13 job14 job15 job16 job17
    job18 job19 job20 job21 job22 job23 job24 job25 job26 job27 job28 job29 job30 job31 job32 job33
    job34 job35 job36 job37 job38 - job
  )
  (:init
    (tray-of tray1 printer1) (tray-of tray2 printer2) (tray-of tray3 printer3)
    (tray-of tray4 printer4) (tray-of tray5 printer5) (tray-of tray6 printer1)
    (tray-of tray7 printer2) (tray-of tray8 printer3) (tray-of tray9 printer4)
    (tray-of tray10 printer5) (tray-of tray11 printer1) (tray-of tray12 printer2)
    (needs job1 format2) (needs job2 format3) (needs job3 format1) (needs job4 format4)
    (needs job5 format4) (needs job6 format2) (needs job7 format1) (needs job8 format1)
    (needs job9 format1) (needs job10 format4) (needs job11 format5) (needs job12 format3)
    (needs job13 format1) (needs job14 format2) (needs job15 format5) (needs job16 format5)
    (needs job17 format3) (needs job18 format3) (needs job19 format2) (needs job20 format1)
    (needs job21 format3) (needs job22 format2) (needs job23 format1) (needs job24 format3)
    (needs job25 format3) (needs job26 format2) (needs job27 format2) (needs job28 format3)
    (needs job29 format3) (needs job30 format3) (needs job31 format1) (needs job32 format5)
    (needs job33 format3) (needs job34 format4) (needs job35 format5) (needs job36 format2)
    (needs job37 format2) (needs job38 format2)
    (loaded tray1 format4) (loaded tray2 format3) (loaded tray3 format1) (loaded tray4 format5)
    (loaded tray5 format3) (loaded tray6 format1) (loaded tray7 format3) (loaded tray8 format5)
    (loaded tray9 format3) (loaded tray10 format5) (loaded tray11 format2) (loaded tray12 format4)
  )
  (:goal (and
    (printed job1) (printed job2) (printed job3) (printed job4) (printed job5) (printed job6)
    (printed job7) (printed job8) (printed job9) (printed job10) (printed job11) (printed job12)
    (printed job13) (printed job14) (printed job15) (printed job16) (printed job17) (printed job18)
    (printed job19) (printed job20) (printed job21) (printed job22) (printed job23) (printed job24)
    (printed job25) (printed job26) (printed job27) (printed job28) (printed job29) (printed job30)
    (printed job31) (printed job32) (printed job33) (printed job34) (printed job35) (printed job36)
    (printed job37) (printed job38)
  )))
