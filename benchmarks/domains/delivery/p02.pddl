; python -m benchmarks.generate delivery --size 4 --packages 3 --trucks 2 --seed 2
(define (problem delivery-4-3-2-seed2)
  (:domain delivery)
  (:objects
    c-1-1 c-1-2 c-1-3 c-1-4 c-2-1 c-2-2 c-2-3 c-2-4 c-3-1 c-3-2 c-3-3 c-3-4 c-4-1 c-4-2 c-4-3 c-4-4
    - cell
    package1 package2 package3 - package
    truck1 truck2 - truck
  )
  (:init
    (adjacent c-1-1 c-2-1) (adjacent c-1-1 c-1-2) (adjacent c-1-2 c-2-2) (adjacent c-1-2 c-1-1)
    (adjacent c-1-2 c-1-3) (adjacent c-1-3 c-2-3) (adjacent c-1-3 c-1-2) (adjacent c-1-3 c-1-4)
    (adjacent c-1-4 c-2-4) (adjacent c-1-4 c-1-3) (adjacent c-2-1 c-1-1) (adjacent c-2-1 c-3-1)
    (adjacent c-2-1 c-2-2) (adjacent c-2-2 c-1-2) (adjacent c-2-2 c-3-2) (adjacent c-2-2 c-2-1)
    (adjacent c-2-2 c-2-3) (adjacent c-2-3 c-1-3) (adjacent c-2-3 c-3-3) (adjacent c-2-3 c-2-2)
    (adjacent c-2-3 c-2-4) (adjacent c-2-4 c-1-4) (adjacent c-2-4 c-3-4) (adjacent c-2-4 c-2-3)
    (adjacent c-3-1 c-2-1) (adjacent c-3-1 c-4-1) (adjacent c-3-1 c-3-2) (adjacent c-3-2 c-2-2)
    (adjacent c-3-2 c-4-2) (adjacent c-3-2 c-3-1) (adjacent c-3-2 c-3-3) (adjacent c-3-3 c-2-3)
    (adjacent c-3-3 c-4-3) (adjacent c-3-3 c-3-2) (adjacent c-3-3 c-3-4) (adjacent c-3-4 c-2-4)
    (adjacent c-3-4 c-4-4) (adjacent c-3-4 c-3-3) (adjacent c-4-1 c-3-1) (adjacent c-4-1 c-4-2)
    (adjacent c-4-2 c-3-2) (adjacent c-4-2 c-4-1) (adjacent c-4-2 c-4-3) (adjacent c-4-3 c-3-3)
    (adjacent c-4-3 c-4-2) (adjacent c-4-3 c-4-4) (adjacent c-4-4 c-3-4) (adjacent c-4-4 c-4-3)
    (empty truck1) (empty truck2)
    (at truck1 c-3-2) (at truck2 c-3-1) (at package1 c-1-2) (at package2 c-1-3) (at package3 c-2-2)
  )
  (:goal (and
    (at package1 c-4-4) (at package2 c-2-2) (at package3 c-3-4)
  )))
