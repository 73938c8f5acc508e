; python -m benchmarks.generate hanoi --discs 6 --pegs 3 --seed 1
(define (problem hanoi-6-3-seed1)
  (:domain hanoi)
  (:objects
    peg1 peg2 peg3 d1 d2 d3 d4 d5 d6
  )
  (:init
    (smaller d1 d2) (smaller d1 d3) (smaller d1 d4) (smaller d1 d5) (smaller d1 d6)
    (smaller d1 peg1) (smaller d1 peg2) (smaller d1 peg3) (smaller d2 d3) (smaller d2 d4)
    (smaller d2 d5) (smaller d2 d6) (smaller d2 peg1) (smaller d2 peg2) (smaller d2 peg3)
    (smaller d3 d4) (smaller d3 d5) (smaller d3 d6) (smaller d3 peg1) (smaller d3 peg2)
    (smaller d3 peg3) (smaller d4 d5) (smaller d4 d6) (smaller d4 peg1) (smaller d4 peg2)
    (smaller d4 peg3) (smaller d5 d6) (smaller d5 peg1) (smaller d5 peg2) (smaller d5 peg3)
    (smaller d6 peg1) (smaller d6 peg2) (smaller d6 peg3)
    (clear d1) (clear d5) (clear d2)
    (on d4 peg1) (on d1 d4) (on d6 peg2) (on d5 d6) (on d3 peg3) (on d2 d3)
  )
  (:goal (and
    (on d6 peg3) (on d5 d6) (on d4 d5) (on d3 d4) (on d2 d3) (on d1 d2)
  )))
