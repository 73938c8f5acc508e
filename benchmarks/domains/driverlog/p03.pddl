; python -m benchmarks.generate driverlog --drivers 4 --trucks 5 --packages 13 --places 12 --links 20 --paths 14 --seed 3
(define (problem driverlog-4-5-13-12-20-14-seed3)
  (:domain driverlog)
  (:objects
    s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12 p-1-5 p-1-11 p-1-12 p-2-8 p-3-6 p-3-12 p-4-12 p-5-6 p-5-8
    p-5-12 p-6-7 p-7-10 p-9-11 p-10-12 - location
    driver1 driver2 driver3 driver4 - driver
    truck1 truck2 truck3 truck4 truck5 - truck
    package1 package2 package3 package4 package5 package6 package7 package8 package9 package10
    package11 package12 package13 - obj
  )
  (:init
    (link s1 s2) (link s2 s1) (link s1 s6) (link s6 s1) (link s1 s11) (link s11 s1) (link s1 s12)
    (link s12 s1) (link s2 s3) (link s3 s2) (link s2 s8) (link s8 s2) (link s3 s4) (link s4 s3)
    (link s3 s6) (link s6 s3) (link s3 s7) (link s7 s3) (link s3 s8) (link s8 s3) (link s4 s5)
    (link s5 s4) (link s4 s9) (link s9 s4) (link s4 s10) (link s10 s4) (link s5 s6) (link s6 s5)
    (link s5 s10) (link s10 s5) (link s6 s8) (link s8 s6) (link s6 s12) (link s12 s6) (link s7 s9)
    (link s9 s7) (link s8 s10) (link s10 s8) (link s9 s11) (link s11 s9)
    (path s1 p-1-5) (path p-1-5 s1) (path s5 p-1-5) (path p-1-5 s5) (path s1 p-1-11)
    (path p-1-11 s1) (path s11 p-1-11) (path p-1-11 s11) (path s1 p-1-12) (path p-1-12 s1)
    (path s12 p-1-12) (path p-1-12 s12) (path s2 p-2-8) (path p-2-8 s2) (path s8 p-2-8)
    (path p-2-8 s8) (path s3 p-3-6) (path p-3-6 s3) (path s6 p-3-6) (path p-3-6 s6) (path s3 p-3-12)
    (path p-3-12 s3) (path s12 p-3-12) (path p-3-12 s12) (path s4 p-4-12) (path p-4-12 s4)
    (path s12 p-4-12) (path p-4-12 s12) (path s5 p-5-6) (path p-5-6 s5) (path s6 p-5-6)
    (path p-5-6 s6) (path s5 p-5-8) (path p-5-8 s5) (path s8 p-5-8) (path p-5-8 s8) (path s5 p-5-12)
    (path p-5-12 s5) (path s12 p-5-12) (path p-5-12 s12) (path s6 p-6-7) (path p-6-7 s6)
    (path s7 p-6-7) (path p-6-7 s7) (path s7 p-7-10) (path p-7-10 s7) (path s10 p-7-10)
    (path p-7-10 s10) (path s9 p-9-11) (path p-9-11 s9) (path s11 p-9-11) (path p-9-11 s11)
    (path s10 p-10-12) (path p-10-12 s10) (path s12 p-10-12) (path p-10-12 s12)
    (empty truck1) (empty truck2) (empty truck3) (empty truck4) (empty truck5)
    (at truck1 s2) (at truck2 s7) (at truck3 s3) (at truck4 s1) (at truck5 s5) (at driver1 s6)
    (at driver2 s10) (at driver3 s10) (at driver4 s6) (at package1 s1) (at package2 s10)
    (at package3 s12) (at package4 s12) (at package5 s9) (at package6 s10) (at package7 s12)
    (at package8 s4) (at package9 s10) (at package10 s5) (at package11 s2) (at package12 s11)
    (at package13 s2)
  )
  (:goal (and
    (at driver1 s9) (at driver2 s7) (at driver3 s4) (at driver4 s11) (at package1 s5)
    (at package2 s11) (at package3 s3) (at package4 s6) (at package5 s10) (at package6 s2)
    (at package7 s11) (at package8 s11) (at package9 s5) (at package10 s2) (at package11 s8)
    (at package12 s8) (at package13 s6)
  )))
