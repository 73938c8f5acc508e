; python -m benchmarks.generate spanner --spanners 42 --nuts 22 --locations 21 --seed 4
(define (problem spanner-42-22-21-seed4)
  (:domain spanner)
  (:objects
    shed location1 location2 location3 location4 location5 location6 location7 location8 location9
    location10 location11 location12 location13 location14 location15 location16 location17
    location18 location19 location20 location21 gate - location
    bob - man
    nut1 nut2 nut3 nut4 nut5 nut6 nut7 nut8 nut9 nut10 nut11 nut12 nut13 nut14 nut15 nut16 nut17
    nut18 nut19 nut20 nut21 nut22 - nut
    spanner1 spanner2 spanner3 spanner4 spanner5 spanner6 spanner7 spanner8 spanner9 spanner10
    spanner11 spanner12 spanner13 spanner14 spanner15 spanner16 spanner17 spanner18 spanner19
    spanner20 spanner21 spanner22 spanner23 spanner24 spanner25 spanner26 spanner27 spanner28
    spanner29 spanner30 spanner31 spanner32 spanner33 spanner34 spanner35 spanner36 spanner37
    spanner38 spanner39 spanner40 spanner41 spanner42 - spanner
  )
  (:init
    (link shed location1) (link location1 location2) (link location2 location3)
    (link location3 location4) (link location4 location5) (link location5 location6)
    (link location6 location7) (link location7 location8) (link location8 location9)
    (link location9 location10) (link location10 location11) (link location11 location12)
    (link location12 location13) (link location13 location14) (link location14 location15)
    (link location15 location16) (link location16 location17) (link location17 location18)
    (link location18 location19) (link location19 location20) (link location20 location21)
    (link location21 gate)
    (at bob shed) (at nut1 gate) (at nut2 gate) (at nut3 gate) (at nut4 gate) (at nut5 gate)
    (at nut6 gate) (at nut7 gate) (at nut8 gate) (at nut9 gate) (at nut10 gate) (at nut11 gate)
    (at nut12 gate) (at nut13 gate) (at nut14 gate) (at nut15 gate) (at nut16 gate) (at nut17 gate)
    (at nut18 gate) (at nut19 gate) (at nut20 gate) (at nut21 gate) (at nut22 gate)
    (at spanner1 location8) (at spanner2 location10) (at spanner3 location4)
    (at spanner4 location13) (at spanner5 location16) (at spanner6 location5)
    (at spanner7 location3) (at spanner8 location3) (at spanner9 location1)
    (at spanner10 location13) (at spanner11 location18) (at spanner12 location10)
    (at spanner13 location2) (at spanner14 location8) (at spanner15 location17)
    (at spanner16 location18) (at spanner17 location12) (at spanner18 location9)
    (at spanner19 location6) (at spanner20 location4) (at spanner21 location9)
    (at spanner22 location7) (at spanner23 location1) (at spanner24 location21)
    (at spanner25 location9) (at spanner26 location9) (at spanner27 location7)
    (at spanner28 location6) (at spanner29 location10) (at spanner30 location10)
    (at spanner31 location21) (at spanner32 location12) (at spanner33 location3)
    (at spanner34 location20) (at spanner35 location11) (at spanner36 location13)
    (at spanner37 location17) (at spanner38 location8) (at spanner39 location6)
    (at spanner40 location8) (at spanner41 location16) (at spanner42 location9)
    (useable spanner1) (useable spanner2) (useable spanner3) (useable spanner4) (useable spanner5)
    (useable spanner6) (useable spanner7) (useable spanner8) (useable spanner9) (useable spanner10)
    (useable spanner11) (useable spanner12) (useable spanner13) (useable spanner14)
    (useable spanner15) (useable spanner16) (useable spanner17) (useable spanner18)
    (useable spanner19) (useable spanner20) (useable spanner21) (useable spanner22)
    (useable spanner23) (useable spanner24) (useable spanner25) (useable spanner26)
    (useable spanner27) (useable spanner28) (useable spanner29) (useable spanner30)
    (useable spanner31) (useable spanner32) (useable spanner33) (useable spanner34)
    (useable spanner35) (useable spanner36) (useable spanner37) (useable spanner38)
    (useable spanner39) (useable spanner40) (useable spanner41) (useable spanner42)
    (loose nut1) (loose nut2) (loose nut3) (loose nut4) (loose nut5) (loose nut6) (loose nut7)
    (loose nut8) (loose nut9) (loose nut10) (loose nut11) (loose nut12) (loose nut13) (loose nut14)
    (loose nut15) (loose nut16) (loose nut17) (loose nut18) (loose nut19) (loose nut20)
    (loose nut21) (loose nut22)
  )
  (:goal (and
    (tightened nut1) (tightened nut2) (tightened nut3) (tightened nut4) (tightened nut5)
    (tightened nut6) (tightened nut7) (tightened nut8) (tightened nut9) (tightened nut10)
    (tightened nut11) (tightened nut12) (tightened nut13) (tightened nut14) (tightened nut15)
    (tightened nut16) (tightened nut17) (tightened nut18) (tightened nut19) (tightened nut20)
    (tightened nut21) (tightened nut22)
  )))
