; Jobs wait in the queues of printers and are printed in order, each on paper of its format.
(define (domain print-queue)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types printer job tray format)
  (:predicates
    (tray-of ?t - tray ?q - printer)
    (needs ?j - job ?z - format)
    (loaded ?t - tray ?z - format)
    (head ?q - printer ?j - job)
    (tail ?q - printer ?j - job)
    (out ?q - printer ?j - job)
    (after ?k ?j - job)
    (queued ?j - job)
    (busy ?q - printer)
    (printed ?j - job))

  (:action reload
    :parameters (?t - tray ?z ?y - format)
    :precondition (and (loaded ?t ?z) (not (= ?z ?y)))
    :effect (and (loaded ?t ?y)
      (not (loaded ?t ?z))))

  (:action submit-first
    :parameters (?j - job ?q - printer)
    :precondition (and (not (queued ?j)) (not (busy ?q)))
    :effect (and (head ?q ?j) (tail ?q ?j) (queued ?j) (busy ?q)))

  ; Job k queues up after job j.
  (:action submit
    :parameters (?k ?j - job ?q - printer)
    :precondition (and (tail ?q ?j) (not (queued ?k)) (not (= ?k ?j)))
    :effect (and (tail ?q ?k) (after ?k ?j) (queued ?k)
      (not (tail ?q ?j))))

  (:action print
    :parameters (?j - job ?q - printer ?t - tray ?z - format)
    :precondition (and (head ?q ?j) (tray-of ?t ?q) (loaded ?t ?z) (needs ?j ?z))
    :effect (and (out ?q ?j)
      (not (head ?q ?j))))

  ; Job j is collected, perhaps not for the first time, and job k moves up.
  (:action collect
    :parameters (?j ?k - job ?q - printer)
    :precondition (and (out ?q ?j) (after ?k ?j) (not (= ?j ?k)))
    :effect (and (printed ?j) (head ?q ?k)
      (not (out ?q ?j)) (not (after ?k ?j)) (not (queued ?j))))

  (:action collect-last
    :parameters (?j - job ?q - printer)
    :precondition (and (out ?q ?j) (tail ?q ?j))
    :effect (and (printed ?j)
      (not (out ?q ?j)) (not (tail ?q ?j)) (not (queued ?j)) (not (busy ?q)))))
