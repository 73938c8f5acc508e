; python -m benchmarks.generate print-queue --printers 4 --trays 8 --formats 4 --jobs 20 --seed 3
(define (problem print-queue-4-8-4-20-seed3)
  (:domain print-queue)
  (:objects
    printer1 printer2 printer3 printer4 - printer
    tray1 tray2 tray3 tray4 tray5 tray6 tray7 tray8 - tray
    format1 format2 format3 format4 - format
    job1 job2 job3 job4 job5 job6 job7 job8 job9 job10 job11 job12 job13 job14 job15 job16 job17
    job18 job19 job20 - job
  )
  (:init
    (tray-of tray1 printer1) (tray-of tray2 printer2) (tray-of tray3 printer3)
    (tray-of tray4 printer4) (tray-of tray5 printer1) (tray-of tray6 printer2)
    (tray-of tray7 printer3) (tray-of tray8 printer4)
    (needs job1 format2) (needs job2 format2) (needs job3 format3) (needs job4 format4)
    (needs job5 format1) (needs job6 format1) (needs job7 format4) (needs job8 format3)
    (needs job9 format2) (needs job10 format2) (needs job11 format4) (needs job12 format4)
    (needs job13 format4) (needs job14 format2) (needs job15 format2) (needs job16 format2)
    (needs job17 format4) (needs job18 format1) (needs job19 format1) (needs job20 format2)
    (loaded tray1 format1) (loaded tray2 format3) (loaded tray3 format1) (loaded tray4 format3)
    (loaded tray5 format4) (loaded tray6 format4) (loaded tray7 format4) (loaded tray8 format4)
  )
  (:goal (and
    (printed job1) (printed job2) (printed job3) (printed job4) (printed job5) (printed job6)
    (printed job7) (printed job8) (printed job9) (printed job10) (printed job11) (printed job12)
    (printed job13) (printed job14) (printed job15) (printed job16) (printed job17) (printed job18)
    (printed job19) (printed job20)
  )))
