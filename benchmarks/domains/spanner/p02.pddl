; python -m benchmarks.generate spanner --spanners 12 --nuts 6 --locations 14 --seed 2
(define (problem spanner-12-6-14-seed2)
  (:domain spanner)
  (:objects
    shed location1 location2 location3 location4 location5 location6 location7 location8 location9
    location10 location11 location12 location13 location14 gate - location
    bob - man
    nut1 nut2 nut3 nut4 nut5 nut6 - nut
    spanner1 spanner2 spanner3 spanner4 spanner5 spanner6 spanner7 spanner8 spanner9 spanner10
    spanner11 spanner12 - spanner
  )
  (:init
    (link shed location1) (link location1 location2) (link location2 location3)
    (link location3 location4) (link location4 location5) (link location5 location6)
    (link location6 location7) (link location7 location8) (link location8 location9)
    (link location9 location10) (link location10 location11) (link location11 location12)
    (link location12 location13) (link location13 location14) (link location14 gate)
    (at bob shed) (at nut1 gate) (at nut2 gate) (at nut3 gate) (at nut4 gate) (at nut5 gate)
    (at nut6 gate) (at spanner1 location14) (at spanner2 location14) (at spanner3 location1)
    (at spanner4 location2) (at spanner5 location2) (at spanner6 location6) (at spanner7 location14)
    (at spanner8 location3) (at spanner9 location12) (at spanner10 location13)
    (at spanner11 location11) (at spanner12 location14)
    (useable spanner1) (useable spanner2) (useable spanner3) (useable spanner4) (useable spanner5)
    (useable spanner6) (useable spanner7) (useable spanner8) (useable spanner9) (useable spanner10)
    (useable spanner11) (useable spanner12)
    (loose nut1) (loose nut2) (loose nut3) (loose nut4) (loose nut5) (loose nut6)
  )
  (:goal (and
    (tightened nut1) (tightened nut2) (tightened nut3) (tightened nut4) (tightened nut5)
    (tightened nut6)
  )))
