; python -m benchmarks.generate library --readers 4 --copies 8 --references 2 --titles 4 --limit 2 --seed 2
(define (problem library-4-8-2-4-2-seed2)
  (:domain library)
  (:objects
    reader1 reader2 reader3 reader4 copy1 copy2 copy3 copy4 copy5 copy6 copy7 copy8 title1 title2
    title3 title4 n0 n1 n2
  )
  (:init
    (reader reader1) (reader reader2) (reader reader3) (reader reader4)
    (copy-of copy1 title1) (copy-of copy2 title2) (copy-of copy3 title3) (copy-of copy4 title4)
    (copy-of copy5 title1) (copy-of copy6 title2) (copy-of copy7 title3) (copy-of copy8 title4)
    (reference copy1) (reference copy8)
    (succ n0 n1) (succ n1 n2)
    (loans reader1 n0) (loans reader2 n1) (loans reader3 n1) (loans reader4 n1)
    (shelved copy1) (shelved copy5) (shelved copy6) (shelved copy7) (shelved copy8)
    (has reader3 copy2) (has reader2 copy3) (has reader4 copy4)
  )
  (:goal (and
    (knows reader1 title2) (knows reader1 title4) (knows reader2 title3) (knows reader2 title4)
    (knows reader3 title3) (knows reader3 title4) (knows reader4 title3) (knows reader4 title4)
    (kept copy2) (kept copy4)
  )))
