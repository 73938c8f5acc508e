(define (problem alarm-small)
  (:domain alarm)
  (:objects anna bert - guard hall office vault attic cellar yard - room)
  (:init
    (in anna hall) (in bert vault)
    (door hall office) (door office hall) (door office vault) (door vault office)
    (door hall attic) (door attic hall) (door cellar yard) (door yard hall) (door vault cellar)
    (panel hall) (panel cellar))
  (:goal (and (in anna vault) (ringing))))
