; Readers borrow copies of titles, up to a limit, and reserve copies that others have.
; (succ ?n ?m): count m comes after count n. Copies for reference are not lent.
(define (domain library)
  (:requirements :strips :negative-preconditions :equality)
  (:predicates
    (reader ?r)
    (copy-of ?b ?t)
    (reference ?b)
    (succ ?n ?m)
    (loans ?r ?n)
    (shelved ?b)
    (has ?r ?b)
    (waits ?r ?b)
    (wanted ?b)
    (kept ?b)
    (knows ?r ?t))

  (:action borrow
    :parameters (?r ?b ?n ?m)
    :precondition (and (shelved ?b) (loans ?r ?n) (succ ?n ?m) (not (reference ?b)))
    :effect (and (has ?r ?b) (loans ?r ?m)
      (not (shelved ?b)) (not (loans ?r ?n))))

  (:action give-back
    :parameters (?r ?b ?n ?m)
    :precondition (and (has ?r ?b) (loans ?r ?m) (succ ?n ?m) (not (wanted ?b)))
    :effect (and (shelved ?b) (loans ?r ?n)
      (not (has ?r ?b)) (not (loans ?r ?m))))

  ; Reader r asks for copy b, which another reader s has.
  (:action reserve
    :parameters (?r ?b ?s)
    :precondition (and (reader ?r) (has ?s ?b) (not (wanted ?b)) (not (= ?r ?s)))
    :effect (and (waits ?r ?b) (wanted ?b)))

  ; As long as the copy is out.
  (:action cancel
    :parameters (?r ?b)
    :precondition (and (waits ?r ?b) (not (kept ?b)))
    :effect (and (not (waits ?r ?b)) (not (wanted ?b))))

  ; Copy b is kept for the reader who waits for it.
  (:action hand-in
    :parameters (?r ?b ?n ?m)
    :precondition (and (has ?r ?b) (wanted ?b) (loans ?r ?m) (succ ?n ?m))
    :effect (and (kept ?b) (loans ?r ?n)
      (not (has ?r ?b)) (not (loans ?r ?m))))

  (:action collect
    :parameters (?r ?b ?n ?m)
    :precondition (and (waits ?r ?b) (kept ?b) (loans ?r ?n) (succ ?n ?m))
    :effect (and (has ?r ?b) (loans ?r ?m)
      (not (waits ?r ?b)) (not (wanted ?b)) (not (kept ?b)) (not (loans ?r ?n))))

  ; What was read already is known as before, here and below.
  (:action read
    :parameters (?r ?b ?t)
    :precondition (and (has ?r ?b) (copy-of ?b ?t))
    :effect (and (knows ?r ?t)))

  (:action consult
    :parameters (?r ?b ?t)
    :precondition (and (reader ?r) (reference ?b) (copy-of ?b ?t))
    :effect (and (knows ?r ?t)))

  (:action forget
    :parameters (?r ?t)
    :precondition (and (knows ?r ?t))
    :effect (and (not (knows ?r ?t)))))
