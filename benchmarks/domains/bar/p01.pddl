; python -m benchmarks.generate bar --glasses 5 --shakers 2 --taps 3 --hands 2 --seed 1
(define (problem bar-5-2-3-2-seed1)
  (:domain bar)
  (:objects
    hand1 hand2 glass1 glass2 glass3 glass4 glass5 shaker1 shaker2 tap1 tap2 tap3
  )
  (:init
    (glass glass1) (glass glass2) (glass glass3) (glass glass4) (glass glass5)
    (shaker shaker1) (shaker shaker2)
    (tap tap1) (tap tap2) (tap tap3)
    (free hand1) (free hand2)
    (on-bar glass1) (on-bar glass2) (on-bar glass3) (on-bar glass4) (on-bar glass5) (on-bar shaker1)
    (on-bar shaker2)
  )
  (:goal (and
    (served glass1) (served glass2) (served glass5)
  )))
