; python -m benchmarks.generate satellite --satellites 5 --instruments 11 --modes 5 --directions 15 --seed 4
(define (problem satellite-5-11-5-15-seed4)
  (:domain satellite)
  (:objects
    satellite1 satellite2 satellite3 satellite4 satellite5 - satellite
    instrument1 instrument2 instrument3 instrument4 instrument5 instrument6 instrument7 instrument8
    instrument9 instrument10 instrument11 - instrument
    mode1 mode2 mode3 mode4 mode5 - mode
    direction1 direction2 direction3 direction4 direction5 direction6 direction7 direction8
    direction9 direction10 direction11 direction12 direction13 direction14 direction15 - direction
  )
  (:init
    (on_board instrument1 satellite1) (on_board instrument2 satellite2)
    (on_board instrument3 satellite3) (on_board instrument4 satellite4)
    (on_board instrument5 satellite5) (on_board instrument6 satellite2)
    (on_board instrument7 satellite1) (on_board instrument8 satellite2)
    (on_board instrument9 satellite1) (on_board instrument10 satellite1)
    (on_board instrument11 satellite3)
    (supports instrument1 mode1) (supports instrument1 mode2) (supports instrument2 mode2)
    (supports instrument2 mode3) (supports instrument2 mode5) (supports instrument3 mode1)
    (supports instrument4 mode1) (supports instrument4 mode2) (supports instrument5 mode1)
    (supports instrument5 mode3) (supports instrument5 mode5) (supports instrument6 mode3)
    (supports instrument7 mode1) (supports instrument7 mode3) (supports instrument8 mode3)
    (supports instrument8 mode4) (supports instrument8 mode5) (supports instrument9 mode2)
    (supports instrument10 mode4) (supports instrument11 mode1) (supports instrument11 mode3)
    (calibration_target instrument1 direction7) (calibration_target instrument1 direction10)
    (calibration_target instrument2 direction7) (calibration_target instrument2 direction8)
    (calibration_target instrument3 direction4) (calibration_target instrument4 direction5)
    (calibration_target instrument4 direction14) (calibration_target instrument5 direction2)
    (calibration_target instrument6 direction8) (calibration_target instrument7 direction9)
    (calibration_target instrument7 direction15) (calibration_target instrument8 direction12)
    (calibration_target instrument8 direction6) (calibration_target instrument9 direction11)
    (calibration_target instrument10 direction2) (calibration_target instrument11 direction15)
    (calibration_target instrument11 direction4)
    (power_avail satellite1) (power_avail satellite2) (power_avail satellite3)
    (power_avail satellite4) (power_avail satellite5)
    (pointing satellite1 direction11) (pointing satellite2 direction11)
    (pointing satellite3 direction8) (pointing satellite4 direction5)
    (pointing satellite5 direction3)
  )
  (:goal (and
    (have_image direction1 mode3) (have_image direction4 mode4) (have_image direction5 mode5)
    (have_image direction9 mode3) (have_image direction10 mode5) (have_image direction12 mode2)
    (have_image direction14 mode3)
  )))
