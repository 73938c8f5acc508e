; python -m benchmarks.generate rail-yard --trains 7 --switches 8 --sections 28 --seed 4
(define (problem rail-yard-7-8-28-seed4)
  (:domain rail-yard)
  (:objects
    train1 train2 train3 train4 train5 train6 train7 - train
    section1 section2 section3 section4 section5 section6 section7 section8 section9 section10
    section11 section12 section13 section14 section15 section16 section17 section18 section19
    section20 section21 section22 section23 section24 section25 section26 section27 section28
    - section
    switch1 switch2 switch3 switch4 switch5 switch6 switch7 switch8 - switch
  )
  (:init
    (joined section1 section18) (joined section18 section1) (joined section18 section20)
    (joined section20 section18) (joined section2 section22) (joined section22 section2)
    (joined section17 section24) (joined section24 section17) (joined section9 section26)
    (joined section26 section9) (joined section27 section28) (joined section28 section27)
    (stem switch1 section1) (stem switch2 section3) (stem switch3 section2) (stem switch4 section7)
    (stem switch5 section8) (stem switch6 section5) (stem switch7 section4) (stem switch8 section9)
    (leg switch1 section2) (leg switch1 section3) (leg switch2 section4) (leg switch2 section5)
    (leg switch3 section6) (leg switch3 section7) (leg switch3 section27) (leg switch4 section8)
    (leg switch4 section9) (leg switch4 section23) (leg switch5 section10) (leg switch5 section11)
    (leg switch5 section21) (leg switch6 section12) (leg switch6 section13) (leg switch6 section25)
    (leg switch7 section14) (leg switch7 section15) (leg switch7 section19) (leg switch8 section16)
    (leg switch8 section17)
    (set switch1 section3) (set switch2 section4) (set switch3 section6) (set switch4 section9)
    (set switch5 section11) (set switch6 section12) (set switch7 section19) (set switch8 section17)
    (at train1 section4) (at train2 section9) (at train3 section7) (at train4 section1)
    (at train5 section21) (at train6 section27) (at train7 section23)
    (occupied section4) (occupied section9) (occupied section7) (occupied section1)
    (occupied section21) (occupied section27) (occupied section23)
  )
  (:goal (and
    (at train1 section12) (at train2 section16) (at train3 section27) (at train4 section22)
    (at train5 section11) (at train6 section5) (at train7 section14)
  )))
