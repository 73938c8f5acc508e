"""What the tests expect of our own domains, in the notation of the tables for the paper's."""

ACTIONS = {
    "bar": """
        grasp(h,v): free h, on-bar v → holds h v / free h, on-bar v
        put-down(h,v): holds h v → free h, on-bar v / holds h v
        fill(h,k,g,t): holds h g, free k, glass g, tap t, !full g, h ≠ k → contains g t, full g /
        pour(h,g,s,t): holds h g, glass g, contains g t, shaker s, on-bar s, !shaken s
            → contains s t / contains g t, full g
        shake(h,s,t,u): holds h s, contains s t, contains s u, !shaken s, t ≠ u → shaken s /
        serve(h,s,g): holds h s, shaken s, glass g, on-bar g, !full g, s ≠ g → served g, full g /
        tip-out(h,v,t): holds h v, contains v t → / contains v t, full v, shaken v
        finish(g): served g → / served g, full g""",
    "double-parking": """
        shift(c,b,e): in c b, !blocked c, !taken e, b ≠ e → in c e, taken e / in c b, taken b
        double-park(c,b,d,e): in c b, in d e, !blocked c, !blocked d, c ≠ d, b ≠ e
            → behind c d, blocked d / in c b, taken b
        pull-out(c,d,e): behind c d, !taken e, c ≠ d → in c e, taken e / behind c d, blocked d
        move-along(c,d,f,e): behind c d, in f e, !blocked f, c ≠ d, c ≠ f, d ≠ f
            → behind c f, blocked f / behind c d, blocked d""",
    "floor-painting": """
        step(r,x,y): at r x, beside x y, !occupied y, !wet y
            → at r y, occupied y / at r x, occupied x
        change-colour(r,c,d): uses r c, colour d, c ≠ d → uses r d / uses r c
        paint(r,x,y,c): at r x, beside x y, uses r c, !occupied y, !wet y → coat y c, wet y /
        dry(x): wet x → / wet x""",
    "lift-doors": """
        rise(l,f,g): at l f, next f g, !open l → at l g / at l f
        sink(l,f,g): at l f, next g f, !open l → at l g / at l f
        call(p,f): waits p f → lit f /
        open-doors(l,f): at l f, stops l f, !open l → open l / lit f
        close-doors(l): open l → / open l
        enter(p,l,f): waits p f, at l f, open l → inside p l / waits p f
        leave(p,l,f): inside p l, at l f, open l → waits p f / inside p l""",
    "print-queue": """
        reload(t,z,y): loaded t z, z ≠ y → loaded t y / loaded t z
        submit-first(j,q): !queued j, !busy q → head q j, tail q j, queued j, busy q /
        submit(k,j,q): tail q j, !queued k, k ≠ j → tail q k, after k j, queued k / tail q j
        print(j,q,t,z): head q j, tray-of t q, loaded t z, needs j z → out q j / head q j
        collect(j,k,q): out q j, after k j, j ≠ k
            → printed j, head q k / out q j, after k j, queued j
        collect-last(j,q): out q j, tail q j → printed j / out q j, tail q j, queued j, busy q""",
}
PREDICATES = {
    "bar": "glass/1 shaker/1 tap/1 free/1 holds/2 on-bar/1 contains/2 full/1 shaken/1 served/1",
    "double-parking": "in/2 behind/2 blocked/1 taken/1",
    "floor-painting": "colour/1 beside/2 at/2 occupied/1 uses/2 wet/1 coat/2",
    "lift-doors": "next/2 stops/2 at/2 open/1 lit/1 waits/2 inside/2",
    "print-queue": "tray-of/2 needs/2 loaded/2 head/2 tail/2 out/2 after/2 queued/1 busy/1"
    " printed/1",
}
STATIC = {
    "bar": "glass shaker tap",
    "double-parking": "",
    "floor-painting": "colour beside",
    "lift-doors": "next stops",
    "print-queue": "tray-of needs",
}
SAMPLES = dict.fromkeys(ACTIONS, (200, 1000, 100, 500, 1.0))
TYPES = {
    "double-parking": "car - object, bay - object",
    "lift-doors": "lift - object, floor - object, person - object",
    "print-queue": "printer - object, job - object, tray - object, format - object",
}
PREDICATE_TYPES = {
    "double-parking": "in car bay, behind car car, blocked car, taken bay",
    "lift-doors": "next floor floor, stops lift floor, at lift floor, open lift, lit floor,"
    " waits person floor, inside person lift",
    "print-queue": "tray-of tray printer, needs job format, loaded tray format, head printer job,"
    " tail printer job, out printer job, after job job, queued job, busy printer, printed job",
}
PARAMETER_TYPES = {
    "double-parking": "c - car, d - car, f - car, b - bay, e - bay",
    "lift-doors": "p - person, l - lift, f - floor, g - floor",
    "print-queue": "j - job, k - job, q - printer, t - tray, z - format, y - format",
}
OBJECTS = {
    "bar": (12, 20, 34, 60),
    "double-parking": (13, 21, 36, 60),
    "floor-painting": (14, 22, 32, 58),
    "lift-doors": (12, 19, 35, 58),
    "print-queue": (15, 22, 36, 60),
}
# Walks in which every action is seen; cocktails are a long way from clean glasses.
WALKS = {"bar": 60}
# Small enough for an exhaustive search.
TINY = {
    "bar": {"glasses": 2, "shakers": 1, "taps": 2},
    "double-parking": {"cars": 4, "bays": 3},
    "floor-painting": {"size": 2, "robots": 3, "colours": 2},
    "lift-doors": {"lifts": 2, "floors": 3, "persons": 2},
    "print-queue": {"printers": 2, "trays": 2, "formats": 2, "jobs": 3},
}
