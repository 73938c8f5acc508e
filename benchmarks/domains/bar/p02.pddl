; python -m benchmarks.generate bar --glasses 10 --shakers 3 --taps 5 --hands 2 --seed 2
(define (problem bar-10-3-5-2-seed2)
  (:domain bar)
  (:objects
    hand1 hand2 glass1 glass2 glass3 glass4 glass5 glass6 glass7 glass8 glass9 glass10 shaker1
    shaker2 shaker3 tap1 tap2 tap3 tap4 tap5
  )
  (:init
    (glass glass1) (glass glass2) (glass glass3) (glass glass4) (glass glass5) (glass glass6)
    (glass glass7) (glass glass8) (glass glass9) (glass glass10)
    (shaker shaker1) (shaker shaker2) (shaker shaker3)
    (tap tap1) (tap tap2) (tap tap3) (tap tap4) (tap tap5)
    (free hand1) (free hand2)
    (on-bar glass1) (on-bar glass2) (on-bar glass3) (on-bar glass4) (on-bar glass5) (on-bar glass6)
    (on-bar glass7) (on-bar glass8) (on-bar glass9) (on-bar glass10) (on-bar shaker1)
    (on-bar shaker2) (on-bar shaker3)
  )
  (:goal (and
    (served glass1) (served glass2) (served glass3) (served glass8) (served glass9)
  )))
