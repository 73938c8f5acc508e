; python -m benchmarks.generate print-queue --printers 2 --trays 4 --formats 3 --jobs 6 --seed 1
(define (problem print-queue-2-4-3-6-seed1)
  (:domain print-queue)
  (:objects
    printer1 printer2 - printer
    tray1 tray2 tray3 tray4 - tray
    format1 format2 format3 - format
    job1 job2 job3 job4 job5 job6 - job
  )
  (:init
    (tray-of tray1 printer1) (tray-of tray2 printer2) (tray-of tray3 printer1)
    (tray-of tray4 printer2)
    (needs job1 format1) (needs job2 format3) (needs job3 format1) (needs job4 format2)
    (needs job5 format1) (needs job6 format2)
    (loaded tray1 format2) (loaded tray2 format2) (loaded tray3 format3) (loaded tray4 format2)
  )
  (:goal (and
    (printed job1) (printed job2) (printed job3) (printed job4) (printed job5) (printed job6)
  )))
