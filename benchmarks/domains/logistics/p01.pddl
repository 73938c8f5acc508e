; python -m benchmarks.generate logistics --cities 2 --locations 3 --packages 2 --airplanes 2 --trucks 3 --seed 1
(define (problem logistics-2-3-2-2-3-seed1)
  (:domain logistics)
  (:objects
    city1 city2 l-1-1 l-1-2 l-1-3 l-2-1 l-2-2 l-2-3 truck1 truck2 truck3 plane1 plane2 package1
    package2
  )
  (:init
    (city city1) (city city2)
    (location l-1-1) (location l-1-2) (location l-1-3) (location l-2-1) (location l-2-2)
    (location l-2-3)
    (airport l-1-1) (airport l-2-1)
    (loc l-1-1 city1) (loc l-1-2 city1) (loc l-1-3 city1) (loc l-2-1 city2) (loc l-2-2 city2)
    (loc l-2-3 city2)
    (truck truck1) (truck truck2) (truck truck3)
    (airplane plane1) (airplane plane2)
    (vehicle truck1) (vehicle truck2) (vehicle truck3) (vehicle plane1) (vehicle plane2)
    (object package1) (object package2)
    (at truck1 l-1-2) (at truck2 l-2-2) (at truck3 l-1-3) (at plane1 l-2-1) (at plane2 l-1-1)
    (at package1 l-1-1) (at package2 l-1-1)
  )
  (:goal (and
    (at package1 l-1-3) (at package2 l-2-1)
  )))
