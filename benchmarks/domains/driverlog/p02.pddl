; python -m benchmarks.generate driverlog --drivers 3 --trucks 3 --packages 6 --places 6 --links 8 --paths 6 --seed 2
(define (problem driverlog-3-3-6-6-8-6-seed2)
  (:domain driverlog)
  (:objects
    s1 s2 s3 s4 s5 s6 p-1-3 p-2-4 p-2-6 p-3-6 p-4-5 p-5-6 - location
    driver1 driver2 driver3 - driver
    truck1 truck2 truck3 - truck
    package1 package2 package3 package4 package5 package6 - obj
  )
  (:init
    (link s1 s4) (link s4 s1) (link s1 s5) (link s5 s1) (link s1 s6) (link s6 s1) (link s2 s3)
    (link s3 s2) (link s2 s5) (link s5 s2) (link s3 s4) (link s4 s3) (link s3 s6) (link s6 s3)
    (link s4 s6) (link s6 s4)
    (path s1 p-1-3) (path p-1-3 s1) (path s3 p-1-3) (path p-1-3 s3) (path s2 p-2-4) (path p-2-4 s2)
    (path s4 p-2-4) (path p-2-4 s4) (path s2 p-2-6) (path p-2-6 s2) (path s6 p-2-6) (path p-2-6 s6)
    (path s3 p-3-6) (path p-3-6 s3) (path s6 p-3-6) (path p-3-6 s6) (path s4 p-4-5) (path p-4-5 s4)
    (path s5 p-4-5) (path p-4-5 s5) (path s5 p-5-6) (path p-5-6 s5) (path s6 p-5-6) (path p-5-6 s6)
    (empty truck1) (empty truck2) (empty truck3)
    (at truck1 s2) (at truck2 s4) (at truck3 s4) (at driver1 s4) (at driver2 s2) (at driver3 s2)
    (at package1 s2) (at package2 s2) (at package3 s2) (at package4 s5) (at package5 s3)
    (at package6 s6)
  )
  (:goal (and
    (at driver1 s5) (at driver2 s5) (at driver3 s6) (at package1 s1) (at package2 s3)
    (at package3 s6) (at package4 s6) (at package5 s5) (at package6 s5)
  )))
