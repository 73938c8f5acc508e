; python -m benchmarks.generate peaks-patience --peaks 1 --rows 4 --reserve 4 --ranks 6 --seed 1
(define (problem peaks-patience-1-4-4-6-seed1)
  (:domain peaks-patience)
  (:objects
    card1 card2 card3 card4 card5 card6 card7 card8 card9 card10 card11 card12 card13 card14 card15
  )
  (:init
    (covers card2 card1) (covers card3 card1) (covers card4 card2) (covers card5 card2)
    (covers card5 card3) (covers card6 card3) (covers card7 card4) (covers card8 card4)
    (covers card8 card5) (covers card9 card5) (covers card9 card6) (covers card10 card6)
    (near card1 card3) (near card1 card5) (near card1 card7) (near card1 card8) (near card1 card10)
    (near card2 card3) (near card2 card5) (near card2 card7) (near card2 card8) (near card2 card10)
    (near card3 card1) (near card3 card2) (near card3 card4) (near card3 card11) (near card3 card12)
    (near card3 card14) (near card4 card3) (near card4 card5) (near card4 card7) (near card4 card8)
    (near card4 card10) (near card5 card1) (near card5 card2) (near card5 card4) (near card5 card11)
    (near card5 card12) (near card5 card14) (near card6 card8) (near card6 card10)
    (near card6 card15) (near card7 card1) (near card7 card2) (near card7 card4) (near card7 card11)
    (near card7 card12) (near card7 card14) (near card8 card1) (near card8 card2) (near card8 card4)
    (near card8 card6) (near card8 card9) (near card8 card14) (near card9 card8) (near card9 card10)
    (near card9 card15) (near card10 card1) (near card10 card2) (near card10 card4)
    (near card10 card6) (near card10 card9) (near card10 card14)
    (joker card13)
    (reserve card12) (reserve card13) (reserve card14) (reserve card15)
    (top card11)
    (open card7) (open card8) (open card9) (open card10)
  )
  (:goal (and
    (gone card1)
  )))
