; python -m benchmarks.generate gripper --balls 6 --rooms 2 --grippers 2 --seed 1
(define (problem gripper-6-2-2-seed1)
  (:domain gripper)
  (:objects
    room1 room2 gripper1 gripper2 ball1 ball2 ball3 ball4 ball5 ball6
  )
  (:init
    (room room1) (room room2)
    (eq room1 room1) (eq room2 room2)
    (gripper gripper1) (gripper gripper2)
    (ball ball1) (ball ball2) (ball ball3) (ball ball4) (ball ball5) (ball ball6)
    (at-robby room2)
    (free gripper1) (free gripper2)
    (at ball1 room1) (at ball2 room2) (at ball3 room2) (at ball4 room2) (at ball5 room1)
    (at ball6 room2)
  )
  (:goal (and
    (at ball1 room2) (at ball2 room1) (at ball3 room1) (at ball4 room1) (at ball5 room2)
    (at ball6 room1)
  )))
