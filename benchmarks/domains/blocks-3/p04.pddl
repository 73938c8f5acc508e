; python -m benchmarks.generate blocks-3 --blocks 40 --seed 8
(define (problem blocks-3-40-seed8)
  (:domain blocks-3)
  (:objects
    b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 b16 b17 b18 b19 b20 b21 b22 b23 b24 b25 b26
    b27 b28 b29 b30 b31 b32 b33 b34 b35 b36 b37 b38 b39 b40
  )
  (:init
    (eq b1 b1) (eq b2 b2) (eq b3 b3) (eq b4 b4) (eq b5 b5) (eq b6 b6) (eq b7 b7) (eq b8 b8)
    (eq b9 b9) (eq b10 b10) (eq b11 b11) (eq b12 b12) (eq b13 b13) (eq b14 b14) (eq b15 b15)
    (eq b16 b16) (eq b17 b17) (eq b18 b18) (eq b19 b19) (eq b20 b20) (eq b21 b21) (eq b22 b22)
    (eq b23 b23) (eq b24 b24) (eq b25 b25) (eq b26 b26) (eq b27 b27) (eq b28 b28) (eq b29 b29)
    (eq b30 b30) (eq b31 b31) (eq b32 b32) (eq b33 b33) (eq b34 b34) (eq b35 b35) (eq b36 b36)
    (eq b37 b37) (eq b38 b38) (eq b39 b39) (eq b40 b40)
    (clear b40) (clear b33) (clear b12) (clear b10) (clear b2) (clear b23) (clear b18) (clear b14)
    (clear b30) (clear b11) (clear b34)
    (on-table b15) (on-table b9) (on-table b3) (on-table b37) (on-table b16) (on-table b38)
    (on-table b19) (on-table b29) (on-table b27) (on-table b5) (on-table b34)
    (on b24 b15) (on b25 b24) (on b13 b25) (on b6 b13) (on b21 b6) (on b40 b21) (on b26 b9)
    (on b7 b26) (on b28 b7) (on b39 b28) (on b33 b39) (on b31 b3) (on b12 b31) (on b32 b37)
    (on b10 b32) (on b17 b16) (on b36 b17) (on b1 b36) (on b35 b1) (on b2 b35) (on b4 b38)
    (on b8 b4) (on b23 b8) (on b18 b19) (on b22 b29) (on b14 b22) (on b20 b27) (on b30 b20)
    (on b11 b5)
  )
  (:goal (and
    (on-table b10) (on-table b23) (on-table b34) (on-table b19) (on-table b15) (on-table b30)
    (on-table b2) (on-table b13)
    (on b36 b10) (on b39 b36) (on b1 b39) (on b40 b1) (on b11 b40) (on b9 b11) (on b21 b9)
    (on b17 b21) (on b37 b17) (on b22 b37) (on b32 b23) (on b29 b32) (on b8 b34) (on b25 b8)
    (on b28 b25) (on b4 b28) (on b20 b4) (on b18 b20) (on b33 b19) (on b5 b33) (on b6 b5)
    (on b12 b6) (on b16 b15) (on b31 b30) (on b14 b31) (on b3 b14) (on b38 b3) (on b35 b38)
    (on b24 b35) (on b26 b24) (on b27 b2) (on b7 b13)
  )))
