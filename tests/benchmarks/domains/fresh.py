"""What the tests expect of the fresh domains, in the notation of the tables for the paper's."""

ACTIONS = {
    "climbing-team": """
        walk(c,x,y): at c x, path x y, !busy c → at c y / at c x
        solo(g,x,y): at g x, face x y, !busy g → at g y / at g x
        ascend(c,x,y,r,g): at c x, face x y, fixed r y, belays g r, trusts c g, !busy c, c ≠ g
            → at c y / at c x
        abseil(c,y,x,r): at c y, face x y, fixed r y, !busy c, !held r → at c x / at c y
        belay(g,r,x): at g x, fixed r x, !busy g, !held r → belays g r, busy g, held r /
        let-go(g,r): belays g r → / belays g r, busy g, held r""",
    "library": """
        borrow(r,b,n,m): shelved b, loans r n, succ n m, !reference b
            → has r b, loans r m / shelved b, loans r n
        give-back(r,b,n,m): has r b, loans r m, succ n m, !wanted b
            → shelved b, loans r n / has r b, loans r m
        reserve(r,b,s): reader r, has s b, !wanted b, r ≠ s → waits r b, wanted b /
        cancel(r,b): waits r b, !kept b → / waits r b, wanted b
        hand-in(r,b,n,m): has r b, wanted b, loans r m, succ n m
            → kept b, loans r n / has r b, loans r m
        collect(r,b,n,m): waits r b, kept b, loans r n, succ n m
            → has r b, loans r m / waits r b, wanted b, kept b, loans r n
        read(r,b,t): has r b, copy-of b t → knows r t /
        consult(r,b,t): reader r, reference b, copy-of b t → knows r t /
        forget(r,t): knows r t → / knows r t""",
    "peaks-patience": """
        deal(c,w): reserve c, top w, c ≠ w → top c / reserve c, top w
        play(c,w): open c, top w, near c w → top c, gone c / open c, top w
        play-on-joker(c,w): open c, top w, joker w, c ≠ w → top c, gone c / open c, top w
        turn-up(c,a,b): covers a c, covers b c, gone a, gone b, !open c, !gone c, a ≠ b
            → open c /""",
    "rail-yard": """
        throw(s,b,c): set s b, leg s c, !bolted s, b ≠ c → set s c / set s b
        bolt(s): !bolted s → bolted s /
        unbolt(s): bolted s → / bolted s
        run(t,a,b): at t a, joined a b, !occupied b → at t b, occupied b / at t a, occupied a
        diverge(t,a,b,s): at t a, stem s a, set s b, bolted s, !occupied b, a ≠ b
            → at t b, occupied b / at t a, occupied a
        merge(t,a,b,s): at t a, set s a, stem s b, !occupied b, a ≠ b
            → at t b, occupied b / at t a, occupied a""",
    "water-mains": """
        start-pump(): !pumping → pumping /
        stop-pump(): pumping → / pumping
        open-valve(v): !open v → open v / greased v
        shut-valve(v): open v → / open v, greased v
        flow(v,a,b): pumping, open v, joins v a, joins v b, full a, a ≠ b → full b /
        run-down(v,a,b): above a b, open v, joins v a, joins v b, full a → full b /
        drain(a): full a, !spring a, !pumping → / full a
        grease(v,a,b): joins v a, joins v b, !full a, !full b, a ≠ b → greased v /""",
}
PREDICATES = {
    "climbing-team": "face/2 path/2 trusts/2 fixed/2 at/2 belays/2 busy/1 held/1",
    "library": "reader/1 copy-of/2 reference/1 succ/2 loans/2 shelved/1 has/2 waits/2 wanted/1"
    " kept/1 knows/2",
    "peaks-patience": "covers/2 near/2 joker/1 reserve/1 top/1 open/1 gone/1",
    "rail-yard": "joined/2 stem/2 leg/2 set/2 bolted/1 at/2 occupied/1",
    "water-mains": "joins/2 above/2 spring/1 pumping/0 full/1 open/1 greased/1",
}
STATIC = {
    "climbing-team": "face path trusts fixed",
    "library": "reader copy-of reference succ",
    "peaks-patience": "covers near joker",
    "rail-yard": "joined stem leg",
    "water-mains": "joins above spring",
}
SAMPLES = dict.fromkeys(ACTIONS, (100, 300, 50, 150, 1.0))
TYPES = {
    "climbing-team": "ledge - object, anchor - object, climber - object, guide - climber,"
    " novice - climber",
    "rail-yard": "train - object, section - object, switch - object",
    "water-mains": "valve - object, tank - object",
}
PREDICATE_TYPES = {
    "climbing-team": "face ledge ledge, path ledge ledge, trusts climber guide,"
    " fixed anchor ledge, at climber ledge, belays guide anchor, busy climber, held anchor",
    "rail-yard": "joined section section, stem switch section, leg switch section,"
    " set switch section, bolted switch, at train section, occupied section",
    "water-mains": "joins valve tank, above tank tank, spring tank, pumping, full tank,"
    " open valve, greased valve",
}
PARAMETER_TYPES = {
    "climbing-team": "c - climber, g - guide, r - anchor, x - ledge, y - ledge",
    "rail-yard": "t - train, s - switch, a - section, b - section, c - section",
    "water-mains": "v - valve, a - tank, b - tank",
}
OBJECTS = {
    "climbing-team": (15, 20, 30, 45),
    "library": (15, 19, 28, 41),
    "peaks-patience": (15, 19, 27, 43),
    "rail-yard": (14, 20, 29, 43),
    "water-mains": (13, 18, 28, 43),
}
# Walks in which every action is seen; a game of patience is short.
WALKS = {"peaks-patience": 60}
# Small enough for an exhaustive search.
TINY = {
    "climbing-team": {"guides": 1, "novices": 2, "anchors": 4, "ledges": 4},
    "library": {"readers": 2, "copies": 3, "references": 1, "titles": 2, "limit": 1},
    "peaks-patience": {"peaks": 1, "rows": 3, "reserve": 3},
    "rail-yard": {"trains": 2, "switches": 2, "sections": 6},
    "water-mains": {"tanks": 4, "valves": 4, "springs": 1},
}
