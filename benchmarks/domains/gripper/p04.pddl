; python -m benchmarks.generate gripper --balls 38 --rooms 2 --grippers 2 --seed 4
(define (problem gripper-38-2-2-seed4)
  (:domain gripper)
  (:objects
    room1 room2 gripper1 gripper2 ball1 ball2 ball3 ball4 ball5 ball6 ball7 ball8 ball9 ball10
    ball11 ball12 ball13 ball14 ball15 ball16 ball17 ball18 ball19 ball20 ball21 ball22 ball23
    ball24 ball25 ball26 ball27 ball28 ball29 ball30 ball31 ball32 ball33 ball34 ball35 ball36
    ball37 ball38
  )
  (:init
    (room room1) (room room2)
    (eq room1 room1) (eq room2 room2)
    (gripper gripper1) (gripper gripper2)
    (ball ball1) (ball ball2) (ball ball3) (ball ball4) (ball ball5) (ball ball6) (ball ball7)
    (ball ball8) (ball ball9) (ball ball10) (ball ball11) (ball ball12) (ball ball13) (ball ball14)
    (ball ball15) (ball ball16) (ball ball17) (ball ball18) (ball ball19) (ball ball20)
    (ball ball21) (ball ball22) (ball ball23) (ball ball24) (ball ball25) (ball ball26)
    (ball ball27) (ball ball28) (ball ball29) (ball ball30) (ball ball31) (ball ball32)
    (ball ball33) (ball ball34) (ball ball35) (ball ball36) (ball ball37) (ball ball38)
    (at-robby room2)
    (free gripper1) (free gripper2)
    (at ball1 room1) (at ball2 room1) (at ball3 room2) (at ball4 room1) (at ball5 room1)
    (at ball6 room2) (at ball7 room1) (at ball8 room2) (at ball9 room1) (at ball10 room1)
    (at ball11 room2) (at ball12 room1) (at ball13 room2) (at ball14 room2) (at ball15 room2)
    (at ball16 room1) (at ball17 room1) (at ball18 room2) (at ball19 room2) (at ball20 room2)
    (at ball21 room1) (at ball22 room2) (at ball23 room2) (at ball24 room1) (at ball25 room2)
    (at ball26 room1) (at ball27 room1) (at ball28 room2) (at ball29 room2) (at ball30 room1)
    (at ball31 room2) (at ball32 room2) (at ball33 room1) (at ball34 room2) (at ball35 room1)
    (at ball36 room1) (at ball37 room1) (at ball38 room1)
  )
  (:goal (and
    (at ball1 room2) (at ball2 room2) (at ball3 room1) (at ball4 room2) (at ball5 room2)
    (at ball6 room1) (at ball7 room2) (at ball8 room1) (at ball9 room2) (at ball10 room2)
    (at ball11 room1) (at ball12 room2) (at ball13 room1) (at ball14 room1) (at ball15 room1)
    (at ball16 room2) (at ball17 room2) (at ball18 room1) (at ball19 room1) (at ball20 room1)
    (at ball21 room2) (at ball22 room1) (at ball23 room1) (at ball24 room2) (at ball25 room1)
    (at ball26 room2) (at ball27 room2) (at ball28 room1) (at ball29 room1) (at ball30 room2)
    (at ball31 room1) (at ball32 room1) (at ball33 room2) (at ball34 room1) (at ball35 room2)
    (at ball36 room2) (at ball37 room2) (at ball38 room2)
  )))
