; python -m benchmarks.generate bar --glasses 40 --shakers 6 --taps 12 --hands 2 --seed 4
(define (problem bar-40-6-12-2-seed4)
  (:domain bar)
  (:objects
    hand1 hand2 glass1 glass2 glass3 glass4 glass5 glass6 glass7 glass8 glass9 glass10 glass11
    glass12 glass13 glass14 glass15 glass16 glass17 glass18 glass19 glass20 glass21 glass22 glass23
    glass24 glass25 glass26 glass27 glass28 glass29 glass30 glass31 glass32 glass33 glass34 glass35
    glass36 glass37 glass38 glass39 glass40 shaker1 shaker2 shaker3 shaker4 shaker5 shaker6 tap1
    tap2 tap3 tap4 tap5 tap6 tap7 tap8 tap9 tap10 tap11 tap12
  )
  (:init
    (glass glass1) (glass glass2) (glass glass3) (glass glass4) (glass glass5) (glass glass6)
    (glass glass7) (glass glass8) (glass glass9) (glass glass10) (glass glass11) (glass glass12)
    (glass glass13) (glass glass14) (glass glass15) (glass glass16) (glass glass17) (glass glass18)
    (glass glass19) (glass glass20) (glass glass21) (glass glass22) (glass glass23) (glass glass24)
    (glass glass25) (glass glass26) (glass glass27) (glass glass28) (glass glass29) (glass glass30)
    (glass glass31) (glass glass32) (glass glass33) (glass glass34) (glass glass35) (glass glass36)
    (glass glass37) (glass glass38) (glass glass39) (glass glass40)
    (shaker shaker1) (shaker shaker2) (shaker shaker3) (shaker shaker4) (shaker shaker5)
    (shaker shaker6)
    (tap tap1) (tap tap2) (tap tap3) (tap tap4) (tap tap5) (tap tap6) (tap tap7) (tap tap8)
    (tap tap9) (tap tap10) (tap tap11) (tap tap12)
    (free hand1) (free hand2)
    (on-bar glass1) (on-bar glass2) (on-bar glass3) (on-bar glass4) (on-bar glass5) (on-bar glass6)
    (on-bar glass7) (on-bar glass8) (on-bar glass9) (on-bar glass10) (on-bar glass11)
    (on-bar glass12) (on-bar glass13) (on-bar glass14) (on-bar glass15) (on-bar glass16)
    (on-bar glass17) (on-bar glass18) (on-bar glass19) (on-bar glass20) (on-bar glass21)
    (on-bar glass22) (on-bar glass23) (on-bar glass24) (on-bar glass25) (on-bar glass26)
    (on-bar glass27) (on-bar glass28) (on-bar glass29) (on-bar glass30) (on-bar glass31)
    (on-bar glass32) (on-bar glass33) (on-bar glass34) (on-bar glass35) (on-bar glass36)
    (on-bar glass37) (on-bar glass38) (on-bar glass39) (on-bar glass40) (on-bar shaker1)
    (on-bar shaker2) (on-bar shaker3) (on-bar shaker4) (on-bar shaker5) (on-bar shaker6)
  )
  (:goal (and
    (served glass2) (served glass5) (served glass6) (served glass7) (served glass8) (served glass9)
    (served glass10) (served glass12) (served glass13) (served glass16) (served glass17)
    (served glass18) (served glass20) (served glass25) (served glass26) (served glass30)
    (served glass31) (served glass32) (served glass35) (served glass37)
  )))
