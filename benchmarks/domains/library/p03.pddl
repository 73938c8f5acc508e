; python -m benchmarks.generate library --readers 6 --copies 12 --references 3 --titles 6 --limit 3 --seed 3
(define (problem library-6-12-3-6-3-seed3)
  (:domain library)
  (:objects
    reader1 reader2 reader3 reader4 reader5 reader6 copy1 copy2 copy3 copy4 copy5 copy6 copy7 copy8
    copy9 copy10 copy11 copy12 title1 title2 title3 title4 title5 title6 n0 n1 n2 n3
  )
  (:init
    (reader reader1) (reader reader2) (reader reader3) (reader reader4) (reader reader5)
    (reader reader6)
    (copy-of copy1 title1) (copy-of copy2 title2) (copy-of copy3 title3) (copy-of copy4 title4)
    (copy-of copy5 title5) (copy-of copy6 title6) (copy-of copy7 title1) (copy-of copy8 title2)
    (copy-of copy9 title3) (copy-of copy10 title4) (copy-of copy11 title5) (copy-of copy12 title6)
    (reference copy4) (reference copy9) (reference copy10)
    (succ n0 n1) (succ n1 n2) (succ n2 n3)
    (loans reader1 n2) (loans reader2 n1) (loans reader3 n0) (loans reader4 n0) (loans reader5 n0)
    (loans reader6 n1)
    (shelved copy1) (shelved copy2) (shelved copy4) (shelved copy8) (shelved copy9) (shelved copy10)
    (shelved copy11) (shelved copy12)
    (has reader1 copy3) (has reader1 copy5) (has reader6 copy6) (has reader2 copy7)
  )
  (:goal (and
    (knows reader1 title4) (knows reader1 title5) (knows reader1 title6) (knows reader2 title2)
    (knows reader2 title4) (knows reader2 title5) (knows reader3 title2) (knows reader3 title4)
    (knows reader3 title6) (knows reader4 title1) (knows reader4 title5) (knows reader4 title6)
    (knows reader5 title1) (knows reader5 title2) (knows reader5 title5) (knows reader6 title1)
    (knows reader6 title3) (knows reader6 title6)
    (kept copy3) (kept copy5)
  )))
