; python -m benchmarks.generate climbing-team --guides 2 --novices 3 --anchors 8 --ledges 7 --seed 3
(define (problem climbing-team-2-3-8-7-seed3)
  (:domain climbing-team)
  (:objects
    guide1 guide2 - guide
    novice1 novice2 novice3 - novice
    anchor1 anchor2 anchor3 anchor4 anchor5 anchor6 anchor7 anchor8 - anchor
    ledge1 ledge2 ledge3 ledge4 ledge5 ledge6 ledge7 - ledge
  )
  (:init
    (face ledge1 ledge2) (face ledge2 ledge3) (face ledge3 ledge4) (face ledge3 ledge6)
    (face ledge4 ledge5) (face ledge5 ledge6) (face ledge6 ledge7)
    (path ledge7 ledge1)
    (trusts guide1 guide2) (trusts guide2 guide1) (trusts novice1 guide1) (trusts novice1 guide2)
    (trusts novice2 guide1) (trusts novice2 guide2) (trusts novice3 guide2)
    (fixed anchor1 ledge2) (fixed anchor2 ledge3) (fixed anchor3 ledge4) (fixed anchor4 ledge5)
    (fixed anchor5 ledge6) (fixed anchor6 ledge7) (fixed anchor7 ledge3) (fixed anchor8 ledge5)
    (at guide1 ledge1) (at guide2 ledge1) (at novice1 ledge1) (at novice2 ledge1)
    (at novice3 ledge1)
  )
  (:goal (and
    (at novice1 ledge7) (at novice2 ledge7) (at novice3 ledge5)
  )))
