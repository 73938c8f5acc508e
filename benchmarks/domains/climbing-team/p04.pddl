; python -m benchmarks.generate climbing-team --guides 4 --novices 8 --anchors 18 --ledges 15 --seed 5
(define (problem climbing-team-4-8-18-15-seed5)
  (:domain climbing-team)
  (:objects
    guide1 guide2 guide3 guide4 - guide
    novice1 novice2 novice3 novice4 novice5 novice6 novice7 novice8 - novice
    anchor1 anchor2 anchor3 anchor4 anchor5 anchor6 anchor7 anchor8 anchor9 anchor10 anchor11
    anchor12 anchor13 anchor14 anchor15 anchor16 anchor17 anchor18 - anchor
    ledge1 ledge2 ledge3 ledge4 ledge5 ledge6 ledge7 ledge8 ledge9 ledge10 ledge11 ledge12 ledge13
    ledge14 ledge15 - ledge
  )
  (:init
    (face ledge1 ledge2) (face ledge1 ledge4) (face ledge2 ledge3) (face ledge3 ledge6)
    (face ledge4 ledge5) (face ledge4 ledge7) (face ledge5 ledge8) (face ledge6 ledge7)
    (face ledge7 ledge9) (face ledge8 ledge10) (face ledge8 ledge11) (face ledge9 ledge10)
    (face ledge10 ledge12) (face ledge11 ledge14) (face ledge12 ledge13) (face ledge13 ledge14)
    (face ledge14 ledge15)
    (path ledge15 ledge1) (path ledge3 ledge4) (path ledge4 ledge3) (path ledge5 ledge6)
    (path ledge6 ledge5) (path ledge8 ledge9) (path ledge9 ledge8) (path ledge11 ledge12)
    (path ledge12 ledge11)
    (trusts guide1 guide2) (trusts guide1 guide3) (trusts guide1 guide4) (trusts guide2 guide1)
    (trusts guide2 guide3) (trusts guide2 guide4) (trusts guide3 guide1) (trusts guide3 guide2)
    (trusts guide3 guide4) (trusts guide4 guide1) (trusts guide4 guide2) (trusts guide4 guide3)
    (trusts novice1 guide1) (trusts novice1 guide2) (trusts novice1 guide4) (trusts novice2 guide2)
    (trusts novice2 guide4) (trusts novice3 guide1) (trusts novice3 guide2) (trusts novice4 guide1)
    (trusts novice4 guide2) (trusts novice4 guide4) (trusts novice5 guide1) (trusts novice5 guide2)
    (trusts novice5 guide3) (trusts novice5 guide4) (trusts novice6 guide1) (trusts novice6 guide2)
    (trusts novice6 guide3) (trusts novice7 guide1) (trusts novice7 guide4) (trusts novice8 guide2)
    (trusts novice8 guide3) (trusts novice8 guide4)
    (fixed anchor1 ledge2) (fixed anchor2 ledge3) (fixed anchor3 ledge4) (fixed anchor4 ledge5)
    (fixed anchor5 ledge6) (fixed anchor6 ledge7) (fixed anchor7 ledge8) (fixed anchor8 ledge9)
    (fixed anchor9 ledge10) (fixed anchor10 ledge11) (fixed anchor11 ledge12)
    (fixed anchor12 ledge13) (fixed anchor13 ledge14) (fixed anchor14 ledge15)
    (fixed anchor15 ledge10) (fixed anchor16 ledge12) (fixed anchor17 ledge13)
    (fixed anchor18 ledge15)
    (at guide1 ledge1) (at guide2 ledge1) (at guide3 ledge1) (at guide4 ledge1) (at novice1 ledge1)
    (at novice2 ledge1) (at novice3 ledge1) (at novice4 ledge1) (at novice5 ledge1)
    (at novice6 ledge1) (at novice7 ledge1) (at novice8 ledge1)
  )
  (:goal (and
    (at novice1 ledge15) (at novice2 ledge15) (at novice3 ledge10) (at novice4 ledge8)
    (at novice5 ledge12) (at novice6 ledge8) (at novice7 ledge13) (at novice8 ledge14)
  )))
