; python -m benchmarks.generate climbing-team --guides 2 --novices 2 --anchors 6 --ledges 5 --seed 2
(define (problem climbing-team-2-2-6-5-seed2)
  (:domain climbing-team)
  (:objects
    guide1 guide2 - guide
    novice1 novice2 - novice
    anchor1 anchor2 anchor3 anchor4 anchor5 anchor6 - anchor
    ledge1 ledge2 ledge3 ledge4 ledge5 - ledge
  )
  (:init
    (face ledge1 ledge2) (face ledge1 ledge3) (face ledge1 ledge4) (face ledge2 ledge3)
    (face ledge3 ledge5) (face ledge4 ledge5)
    (path ledge5 ledge1) (path ledge3 ledge4) (path ledge4 ledge3)
    (trusts guide1 guide2) (trusts guide2 guide1) (trusts novice1 guide1) (trusts novice2 guide1)
    (fixed anchor1 ledge2) (fixed anchor2 ledge3) (fixed anchor3 ledge4) (fixed anchor4 ledge5)
    (fixed anchor5 ledge5) (fixed anchor6 ledge5)
    (at guide1 ledge1) (at guide2 ledge1) (at novice1 ledge1) (at novice2 ledge1)
  )
  (:goal (and
    (at novice1 ledge5) (at novice2 ledge4)
  )))
