; python -m benchmarks.generate delivery --size 3 --packages 4 --trucks 2 --seed 1
(define (problem delivery-3-4-2-seed1)
  (:domain delivery)
  (:objects
    c-1-1 c-1-2 c-1-3 c-2-1 c-2-2 c-2-3 c-3-1 c-3-2 c-3-3 - cell
    package1 package2 package3 package4 - package
    truck1 truck2 - truck
  )
  (:init
    (adjacent c-1-1 c-2-1) (adjacent c-1-1 c-1-2) (adjacent c-1-2 c-2-2) (adjacent c-1-2 c-1-1)
    (adjacent c-1-2 c-1-3) (adjacent c-1-3 c-2-3) (adjacent c-1-3 c-1-2) (adjacent c-2-1 c-1-1)
    (adjacent c-2-1 c-3-1) (adjacent c-2-1 c-2-2) (adjacent c-2-2 c-1-2) (adjacent c-2-2 c-3-2)
    (adjacent c-2-2 c-2-1) (adjacent c-2-2 c-2-3) (adjacent c-2-3 c-1-3) (adjacent c-2-3 c-3-3)
    (adjacent c-2-3 c-2-2) (adjacent c-3-1 c-2-1) (adjacent c-3-1 c-3-2) (adjacent c-3-2 c-2-2)
    (adjacent c-3-2 c-3-1) (adjacent c-3-2 c-3-3) (adjacent c-3-3 c-2-3) (adjacent c-3-3 c-3-2)
    (empty truck1) (empty truck2)
    (at truck1 c-2-1) (at truck2 c-1-2) (at package1 c-1-3) (at package2 c-2-2) (at package3 c-3-2)
    (at package4 c-3-2)
  )
  (:goal (and
    (at package1 c-1-2) (at package2 c-1-2) (at package3 c-3-3) (at package4 c-3-1)
  )))
