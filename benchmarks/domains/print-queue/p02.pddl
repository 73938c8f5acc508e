; python -m benchmarks.generate print-queue --printers 3 --trays 6 --formats 3 --jobs 10 --seed 2
(define (problem print-queue-3-6-3-10-seed2)
  (:domain print-queue)
  (:objects
    printer1 printer2 printer3 - printer
    tray1 tray2 tray3 tray4 tray5 tray6 - tray
    format1 format2 format3 - format
    job1 job2 job3 job4 job5 job6 job7 job8 job9 job10 - job
  )
  (:init
    (tray-of tray1 printer1) (tray-of tray2 printer2) (tray-of tray3 printer3)
    (tray-of tray4 printer1) (tray-of tray5 printer2) (tray-of tray6 printer3)
    (needs job1 format1) (needs job2 format1) (needs job3 format1) (needs job4 format2)
    (needs job5 format1) (needs job6 format3) (needs job7 format3) (needs job8 format2)
    (needs job9 format2) (needs job10 format3)
    (loaded tray1 format1) (loaded tray2 format3) (loaded tray3 format1) (loaded tray4 format3)
    (loaded tray5 format3) (loaded tray6 format1)
  )
  (:goal (and
    (printed job1) (printed job2) (printed job3) (printed job4) (printed job5) (printed job6)
    (printed job7) (printed job8) (printed job9) (printed job10)
  )))
