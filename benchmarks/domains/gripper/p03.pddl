; python -m benchmarks.generate gripper --balls 18 --rooms 2 --grippers 2 --seed 3
(define (problem gripper-18-2-2-seed3)
  (:domain gripper)
  (:objects
    room1 room2 gripper1 gripper2 ball1 ball2 ball3 ball4 ball5 ball6 ball7 ball8 ball9 ball10
    ball11 ball12 ball13 ball14 ball15 ball16 ball17 ball18
  )
  (:init
    (room room1) (room room2)
    (eq room1 room1) (eq room2 room2)
    (gripper gripper1) (gripper gripper2)
    (ball ball1) (ball ball2) (ball ball3) (ball ball4) (ball ball5) (ball ball6) (ball ball7)
    (ball ball8) (ball ball9) (ball ball10) (ball ball11) (ball ball12) (ball ball13) (ball ball14)
    (ball ball15) (ball ball16) (ball ball17) (ball ball18)
    (at-robby room2)
    (free gripper1) (free gripper2)
    (at ball1 room1) (at ball2 room2) (at ball3 room1) (at ball4 room2) (at ball5 room1)
    (at ball6 room2) (at ball7 room2) (at ball8 room1) (at ball9 room2) (at ball10 room1)
    (at ball11 room1) (at ball12 room1) (at ball13 room2) (at ball14 room2) (at ball15 room2)
    (at ball16 room2) (at ball17 room1) (at ball18 room2)
  )
  (:goal (and
    (at ball1 room2) (at ball2 room1) (at ball3 room2) (at ball4 room1) (at ball5 room2)
    (at ball6 room1) (at ball7 room1) (at ball8 room2) (at ball9 room1) (at ball10 room2)
    (at ball11 room2) (at ball12 room2) (at ball13 room1) (at ball14 room1) (at ball15 room1)
    (at ball16 room1) (at ball17 room2) (at ball18 room1)
  )))
