; python -m benchmarks.generate library --readers 3 --copies 6 --references 2 --titles 3 --limit 2 --seed 1
(define (problem library-3-6-2-3-2-seed1)
  (:domain library)
  (:objects
    reader1 reader2 reader3 copy1 copy2 copy3 copy4 copy5 copy6 title1 title2 title3 n0 n1 n2
  )
  (:init
    (reader reader1) (reader reader2) (reader reader3)
    (copy-of copy1 title1) (copy-of copy2 title2) (copy-of copy3 title3) (copy-of copy4 title1)
    (copy-of copy5 title2) (copy-of copy6 title3)
    (reference copy2) (reference copy5)
    (succ n0 n1) (succ n1 n2)
    (loans reader1 n1) (loans reader2 n1) (loans reader3 n0)
    (shelved copy2) (shelved copy4) (shelved copy5) (shelved copy6)
    (has reader1 copy1) (has reader2 copy3)
  )
  (:goal (and
    (knows reader1 title2) (knows reader1 title3) (knows reader2 title1) (knows reader2 title3)
    (knows reader3 title1) (knows reader3 title2)
    (kept copy3)
  )))
