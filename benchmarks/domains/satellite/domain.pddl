; Satellites take images with calibrated instruments; one instrument of a satellite has power.
(define (domain satellite)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types satellite direction instrument mode)
  (:predicates
    (on_board ?i - instrument ?s - satellite)
    (supports ?i - instrument ?m - mode)
    (pointing ?s - satellite ?d - direction)
    (power_avail ?s - satellite)
    (power_on ?i - instrument)
    (calibrated ?i - instrument)
    (have_image ?d - direction ?m - mode)
    (calibration_target ?i - instrument ?d - direction))

  ; Satellite s turns from direction o to direction n.
  (:action turn_to
    :parameters (?s - satellite ?n ?o - direction)
    :precondition (and (pointing ?s ?o) (not (= ?n ?o)))
    :effect (and (pointing ?s ?n)
      (not (pointing ?s ?o))))

  (:action switch_on
    :parameters (?i - instrument ?s - satellite)
    :precondition (and (on_board ?i ?s) (power_avail ?s))
    :effect (and (power_on ?i)
      (not (calibrated ?i)) (not (power_avail ?s))))

  (:action switch_off
    :parameters (?i - instrument ?s - satellite)
    :precondition (and (on_board ?i ?s) (power_on ?i))
    :effect (and (power_avail ?s)
      (not (power_on ?i))))

  (:action calibrate
    :parameters (?s - satellite ?i - instrument ?d - direction)
    :precondition (and (on_board ?i ?s) (calibration_target ?i ?d) (pointing ?s ?d) (power_on ?i))
    :effect (and (calibrated ?i)))

  (:action take_image
    :parameters (?s - satellite ?d - direction ?i - instrument ?m - mode)
    :precondition (and (calibrated ?i) (on_board ?i ?s) (supports ?i ?m) (power_on ?i)
      (pointing ?s ?d))
    :effect (and (have_image ?d ?m))))
