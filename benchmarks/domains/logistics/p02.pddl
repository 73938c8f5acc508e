; python -m benchmarks.generate logistics --cities 3 --locations 3 --packages 6 --airplanes 2 --trucks 4 --seed 2
(define (problem logistics-3-3-6-2-4-seed2)
  (:domain logistics)
  (:objects
    city1 city2 city3 l-1-1 l-1-2 l-1-3 l-2-1 l-2-2 l-2-3 l-3-1 l-3-2 l-3-3 truck1 truck2 truck3
    truck4 plane1 plane2 package1 package2 package3 package4 package5 package6
  )
  (:init
    (city city1) (city city2) (city city3)
    (location l-1-1) (location l-1-2) (location l-1-3) (location l-2-1) (location l-2-2)
    (location l-2-3) (location l-3-1) (location l-3-2) (location l-3-3)
    (airport l-1-1) (airport l-2-1) (airport l-3-1)
    (loc l-1-1 city1) (loc l-1-2 city1) (loc l-1-3 city1) (loc l-2-1 city2) (loc l-2-2 city2)
    (loc l-2-3 city2) (loc l-3-1 city3) (loc l-3-2 city3) (loc l-3-3 city3)
    (truck truck1) (truck truck2) (truck truck3) (truck truck4)
    (airplane plane1) (airplane plane2)
    (vehicle truck1) (vehicle truck2) (vehicle truck3) (vehicle truck4) (vehicle plane1)
    (vehicle plane2)
    (object package1) (object package2) (object package3) (object package4) (object package5)
    (object package6)
    (at truck1 l-1-3) (at truck2 l-2-3) (at truck3 l-3-2) (at truck4 l-3-3) (at plane1 l-2-1)
    (at plane2 l-3-1) (at package1 l-1-1) (at package2 l-1-2) (at package3 l-1-3)
    (at package4 l-2-2) (at package5 l-1-1) (at package6 l-3-1)
  )
  (:goal (and
    (at package1 l-1-2) (at package2 l-2-3) (at package3 l-2-2) (at package4 l-2-1)
    (at package5 l-1-3) (at package6 l-3-3)
  )))
