; python -m benchmarks.generate bar --glasses 20 --shakers 4 --taps 8 --hands 2 --seed 3
(define (problem bar-20-4-8-2-seed3)
  (:domain bar)
  (:objects
    hand1 hand2 glass1 glass2 glass3 glass4 glass5 glass6 glass7 glass8 glass9 glass10 glass11
    glass12 glass13 glass14 glass15 glass16 glass17 glass18 glass19 glass20 shaker1 shaker2 shaker3
    shaker4 tap1 tap2 tap3 tap4 tap5 tap6 tap7 tap8
  )
  (:init
    (glass glass1) (glass glass2) (glass glass3) (glass glass4) (glass glass5) (glass glass6)
    (glass glass7) (glass glass8) (glass glass9) (glass glass10) (glass glass11) (glass glass12)
    (glass glass13) (glass glass14) (glass glass15) (glass glass16) (glass glass17) (glass glass18)
    (glass glass19) (glass glass20)
    (shaker shaker1) (shaker shaker2) (shaker shaker3) (shaker shaker4)
    (tap tap1) (tap tap2) (tap tap3) (tap tap4) (tap tap5) (tap tap6) (tap tap7) (tap tap8)
    (free hand1) (free hand2)
    (on-bar glass1) (on-bar glass2) (on-bar glass3) (on-bar glass4) (on-bar glass5) (on-bar glass6)
    (on-bar glass7) (on-bar glass8) (on-bar glass9) (on-bar glass10) (on-bar glass11)
    (on-bar glass12) (on-bar glass13) (on-bar glass14) (on-bar glass15) (on-bar glass16)
    (on-bar glass17) (on-bar glass18) (on-bar glass19) (on-bar glass20) (on-bar shaker1)
    (on-bar shaker2) (on-bar shaker3) (on-bar shaker4)
  )
  (:goal (and
    (served glass5) (served glass8) (served glass10) (served glass11) (served glass12)
    (served glass14) (served glass15) (served glass18) (served glass19) (served glass20)
  )))
