; python -m benchmarks.generate logistics --cities 6 --locations 4 --packages 10 --airplanes 2 --trucks 6 --seed 4
(define (problem logistics-6-4-10-2-6-seed4)
  (:domain logistics)
  (:objects
    city1 city2 city3 city4 city5 city6 l-1-1 l-1-2 l-1-3 l-1-4 l-2-1 l-2-2 l-2-3 l-2-4 l-3-1 l-3-2
    l-3-3 l-3-4 l-4-1 l-4-2 l-4-3 l-4-4 l-5-1 l-5-2 l-5-3 l-5-4 l-6-1 l-6-2 l-6-3 l-6-4 truck1
    truck2 truck3 truck4 truck5 truck6 plane1 plane2 package1 package2 package3 package4 package5
    package6 package7 package8 package9 package10
  )
  (:init
    (city city1) (city city2) (city city3) (city city4) (city city5) (city city6)
    (location l-1-1) (location l-1-2) (location l-1-3) (location l-1-4) (location l-2-1)
    (location l-2-2) (location l-2-3) (location l-2-4) (location l-3-1) (location l-3-2)
    (location l-3-3) (location l-3-4) (location l-4-1) (location l-4-2) (location l-4-3)
    (location l-4-4) (location l-5-1) (location l-5-2) (location l-5-3) (location l-5-4)
    (location l-6-1) (location l-6-2) (location l-6-3) (location l-6-4)
    (airport l-1-1) (airport l-2-1) (airport l-3-1) (airport l-4-1) (airport l-5-1) (airport l-6-1)
    (loc l-1-1 city1) (loc l-1-2 city1) (loc l-1-3 city1) (loc l-1-4 city1) (loc l-2-1 city2)
    (loc l-2-2 city2) (loc l-2-3 city2) (loc l-2-4 city2) (loc l-3-1 city3) (loc l-3-2 city3)
    (loc l-3-3 city3) (loc l-3-4 city3) (loc l-4-1 city4) (loc l-4-2 city4) (loc l-4-3 city4)
    (loc l-4-4 city4) (loc l-5-1 city5) (loc l-5-2 city5) (loc l-5-3 city5) (loc l-5-4 city5)
    (loc l-6-1 city6) (loc l-6-2 city6) (loc l-6-3 city6) (loc l-6-4 city6)
    (truck truck1) (truck truck2) (truck truck3) (truck truck4) (truck truck5) (truck truck6)
    (airplane plane1) (airplane plane2)
    (vehicle truck1) (vehicle truck2) (vehicle truck3) (vehicle truck4) (vehicle truck5)
    (vehicle truck6) (vehicle plane1) (vehicle plane2)
    (object package1) (object package2) (object package3) (object package4) (object package5)
    (object package6) (object package7) (object package8) (object package9) (object package10)
    (at truck1 l-1-1) (at truck2 l-2-3) (at truck3 l-3-2) (at truck4 l-4-1) (at truck5 l-5-3)
    (at truck6 l-6-3) (at plane1 l-2-1) (at plane2 l-2-1) (at package1 l-2-4) (at package2 l-1-4)
    (at package3 l-4-1) (at package4 l-2-1) (at package5 l-1-3) (at package6 l-4-1)
    (at package7 l-3-2) (at package8 l-2-4) (at package9 l-5-2) (at package10 l-3-1)
  )
  (:goal (and
    (at package1 l-3-2) (at package2 l-6-4) (at package3 l-4-4) (at package4 l-1-3)
    (at package5 l-1-1) (at package6 l-5-2) (at package7 l-1-2) (at package8 l-5-1)
    (at package9 l-3-4) (at package10 l-2-2)
  )))
