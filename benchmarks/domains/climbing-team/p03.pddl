; python -m benchmarks.generate climbing-team --guides 3 --novices 5 --anchors 12 --ledges 10 --seed 4
(define (problem climbing-team-3-5-12-10-seed4)
  (:domain climbing-team)
  (:objects
    guide1 guide2 guide3 - guide
    novice1 novice2 novice3 novice4 novice5 - novice
    anchor1 anchor2 anchor3 anchor4 anchor5 anchor6 anchor7 anchor8 anchor9 anchor10 anchor11
    anchor12 - anchor
    ledge1 ledge2 ledge3 ledge4 ledge5 ledge6 ledge7 ledge8 ledge9 ledge10 - ledge
  )
  (:init
    (face ledge1 ledge2) (face ledge1 ledge3) (face ledge1 ledge4) (face ledge2 ledge5)
    (face ledge3 ledge6) (face ledge4 ledge6) (face ledge5 ledge8) (face ledge6 ledge7)
    (face ledge6 ledge8) (face ledge6 ledge9) (face ledge7 ledge10) (face ledge8 ledge10)
    (face ledge9 ledge10)
    (path ledge10 ledge1) (path ledge4 ledge5) (path ledge5 ledge4) (path ledge7 ledge8)
    (path ledge8 ledge7)
    (trusts guide1 guide2) (trusts guide1 guide3) (trusts guide2 guide1) (trusts guide2 guide3)
    (trusts guide3 guide1) (trusts guide3 guide2) (trusts novice1 guide2) (trusts novice1 guide3)
    (trusts novice2 guide1) (trusts novice2 guide2) (trusts novice3 guide1) (trusts novice3 guide2)
    (trusts novice4 guide1) (trusts novice4 guide2) (trusts novice4 guide3) (trusts novice5 guide1)
    (trusts novice5 guide2) (trusts novice5 guide3)
    (fixed anchor1 ledge2) (fixed anchor2 ledge3) (fixed anchor3 ledge4) (fixed anchor4 ledge5)
    (fixed anchor5 ledge6) (fixed anchor6 ledge7) (fixed anchor7 ledge8) (fixed anchor8 ledge9)
    (fixed anchor9 ledge10) (fixed anchor10 ledge4) (fixed anchor11 ledge2) (fixed anchor12 ledge5)
    (at guide1 ledge1) (at guide2 ledge1) (at guide3 ledge1) (at novice1 ledge1) (at novice2 ledge1)
    (at novice3 ledge1) (at novice4 ledge1) (at novice5 ledge1)
  )
  (:goal (and
    (at novice1 ledge10) (at novice2 ledge8) (at novice3 ledge6) (at novice4 ledge8)
    (at novice5 ledge10)
  )))
