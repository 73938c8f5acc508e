; python -m benchmarks.generate delivery --size 6 --packages 7 --trucks 2 --seed 3
(define (problem delivery-6-7-2-seed3)
  (:domain delivery)
  (:objects
    c-1-1 c-1-2 c-1-3 c-1-4 c-1-5 c-1-6 c-2-1 c-2-2 c-2-3 c-2-4 c-2-5 c-2-6 c-3-1 c-3-2 c-3-3 c-3-4
    c-3-5 c-3-6 c-4-1 c-4-2 c-4-3 c-4-4 c-4-5 c-4-6 c-5-1 c-5-2 c-5-3 c-5-4 c-5-5 c-5-6 c-6-1 c-6-2
    c-6-3 c-6-4 c-6-5 c-6-6 - cell
    package1 package2 package3 package4 package5 package6 package7 - package
    truck1 truck2 - truck
  )
  (:init
    (adjacent c-1-1 c-2-1) (adjacent c-1-1 c-1-2) (adjacent c-1-2 c-2-2) (adjacent c-1-2 c-1-1)
    (adjacent c-1-2 c-1-3) (adjacent c-1-3 c-2-3) (adjacent c-1-3 c-1-2) (adjacent c-1-3 c-1-4)
    (adjacent c-1-4 c-2-4) (adjacent c-1-4 c-1-3) (adjacent c-1-4 c-1-5) (adjacent c-1-5 c-2-5)
    (adjacent c-1-5 c-1-4) (adjacent c-1-5 c-1-6) (adjacent c-1-6 c-2-6) (adjacent c-1-6 c-1-5)
    (adjacent c-2-1 c-1-1) (adjacent c-2-1 c-3-1) (adjacent c-2-1 c-2-2) (adjacent c-2-2 c-1-2)
    (adjacent c-2-2 c-3-2) (adjacent c-2-2 c-2-1) (adjacent c-2-2 c-2-3) (adjacent c-2-3 c-1-3)
    (adjacent c-2-3 c-3-3) (adjacent c-2-3 c-2-2) (adjacent c-2-3 c-2-4) (adjacent c-2-4 c-1-4)
    (adjacent c-2-4 c-3-4) (adjacent c-2-4 c-2-3) (adjacent c-2-4 c-2-5) (adjacent c-2-5 c-1-5)
    (adjacent c-2-5 c-3-5) (adjacent c-2-5 c-2-4) (adjacent c-2-5 c-2-6) (adjacent c-2-6 c-1-6)
    (adjacent c-2-6 c-3-6) (adjacent c-2-6 c-2-5) (adjacent c-3-1 c-2-1) (adjacent c-3-1 c-4-1)
    (adjacent c-3-1 c-3-2) (adjacent c-3-2 c-2-2) (adjacent c-3-2 c-4-2) (adjacent c-3-2 c-3-1)
    (adjacent c-3-2 c-3-3) (adjacent c-3-3 c-2-3) (adjacent c-3-3 c-4-3) (adjacent c-3-3 c-3-2)
    (adjacent c-3-3 c-3-4) (adjacent c-3-4 c-2-4) (adjacent c-3-4 c-4-4) (adjacent c-3-4 c-3-3)
    (adjacent c-3-4 c-3-5) (adjacent c-3-5 c-2-5) (adjacent c-3-5 c-4-5) (adjacent c-3-5 c-3-4)
    (adjacent c-3-5 c-3-6) (adjacent c-3-6 c-2-6) (adjacent c-3-6 c-4-6) (adjacent c-3-6 c-3-5)
    (adjacent c-4-1 c-3-1) (adjacent c-4-1 c-5-1) (adjacent c-4-1 c-4-2) (adjacent c-4-2 c-3-2)
    (adjacent c-4-2 c-5-2) (adjacent c-4-2 c-4-1) (adjacent c-4-2 c-4-3) (adjacent c-4-3 c-3-3)
    (adjacent c-4-3 c-5-3) (adjacent c-4-3 c-4-2) (adjacent c-4-3 c-4-4) (adjacent c-4-4 c-3-4)
    (adjacent c-4-4 c-5-4) (adjacent c-4-4 c-4-3) (adjacent c-4-4 c-4-5) (adjacent c-4-5 c-3-5)
    (adjacent c-4-5 c-5-5) (adjacent c-4-5 c-4-4) (adjacent c-4-5 c-4-6) (adjacent c-4-6 c-3-6)
    (adjacent c-4-6 c-5-6) (adjacent c-4-6 c-4-5) (adjacent c-5-1 c-4-1) (adjacent c-5-1 c-6-1)
    (adjacent c-5-1 c-5-2) (adjacent c-5-2 c-4-2) (adjacent c-5-2 c-6-2) (adjacent c-5-2 c-5-1)
    (adjacent c-5-2 c-5-3) (adjacent c-5-3 c-4-3) (adjacent c-5-3 c-6-3) (adjacent c-5-3 c-5-2)
    (adjacent c-5-3 c-5-4) (adjacent c-5-4 c-4-4) (adjacent c-5-4 c-6-4) (adjacent c-5-4 c-5-3)
    (adjacent c-5-4 c-5-5) (adjacent c-5-5 c-4-5) (adjacent c-5-5 c-6-5) (adjacent c-5-5 c-5-4)
    (adjacent c-5-5 c-5-6) (adjacent c-5-6 c-4-6) (adjacent c-5-6 c-6-6) (adjacent c-5-6 c-5-5)
    (adjacent c-6-1 c-5-1) (adjacent c-6-1 c-6-2) (adjacent c-6-2 c-5-2) (adjacent c-6-2 c-6-1)
    (adjacent c-6-2 c-6-3) (adjacent c-6-3 c-5-3) (adjacent c-6-3 c-6-2) (adjacent c-6-3 c-6-4)
    (adjacent c-6-4 c-5-4) (adjacent c-6-4 c-6-3) (adjacent c-6-4 c-6-5) (adjacent c-6-5 c-5-5)
    (adjacent c-6-5 c-6-4) (adjacent c-6-5 c-6-6) (adjacent c-6-6 c-5-6) (adjacent c-6-6 c-6-5)
    (empty truck1) (empty truck2)
    (at truck1 c-6-6) (at truck2 c-6-1) (at package1 c-3-4) (at package2 c-2-3) (at package3 c-6-1)
    (at package4 c-1-1) (at package5 c-3-5) (at package6 c-3-3) (at package7 c-6-1)
  )
  (:goal (and
    (at package1 c-6-5) (at package2 c-4-6) (at package3 c-1-5) (at package4 c-6-1)
    (at package5 c-6-6) (at package6 c-3-1) (at package7 c-6-5)
  )))
