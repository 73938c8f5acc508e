; python -m benchmarks.generate driverlog --drivers 3 --trucks 3 --packages 5 --places 3 --links 3 --paths 2 --seed 1
(define (problem driverlog-3-3-5-3-3-2-seed1)
  (:domain driverlog)
  (:objects
    s1 s2 s3 p-1-3 p-2-3 - location
    driver1 driver2 driver3 - driver
    truck1 truck2 truck3 - truck
    package1 package2 package3 package4 package5 - obj
  )
  (:init
    (link s1 s2) (link s2 s1) (link s1 s3) (link s3 s1) (link s2 s3) (link s3 s2)
    (path s1 p-1-3) (path p-1-3 s1) (path s3 p-1-3) (path p-1-3 s3) (path s2 p-2-3) (path p-2-3 s2)
    (path s3 p-2-3) (path p-2-3 s3)
    (empty truck1) (empty truck2) (empty truck3)
    (at truck1 s2) (at truck2 s3) (at truck3 s1) (at driver1 s1) (at driver2 s2) (at driver3 s3)
    (at package1 s2) (at package2 s3) (at package3 s2) (at package4 s1) (at package5 s3)
  )
  (:goal (and
    (at driver1 s2) (at driver2 s1) (at driver3 s2) (at package1 s1) (at package2 s1)
    (at package3 s1) (at package4 s3) (at package5 s1)
  )))
