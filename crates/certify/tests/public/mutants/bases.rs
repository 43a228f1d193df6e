//! Problems with certificates that are right.

/// A problem and a certificate.
pub(crate) struct Base {
    pub(crate) name: &'static str,
    pub(crate) problem: &'static str,
    pub(crate) certificate: &'static str,
}

const fn base(name: &'static str, problem: &'static str, certificate: &'static str) -> Base {
    Base {
        name,
        problem,
        certificate,
    }
}

pub(crate) const CHC: [Base; 12] = [
    base(
        "counter",
        "(declare-fun inv (Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (inv 0 n))))
(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (< x n)) (inv (+ x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (inv x n) (and (<= x n) (<= 0 x)))))",
        "(define-fun inv ((x Int) (n Int)) Bool (and (<= 0 x) (<= x n)))",
    ),
    base(
        "two phases",
        "(declare-fun a (Int Int) Bool) (declare-fun b (Int Int) Bool)
(assert (a 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (a x y) (< x 10)) (a (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (a x y) (>= x 10)) (b x y))))
(assert (forall ((x Int) (y Int)) (=> (and (b x y) (> x 0)) (b (- x 1) (- y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (b x y) (= x 0) (not (= y 0))) false)))",
        "(define-fun a ((x Int) (y Int)) Bool (and (= y (* 2 x)) (<= x 10) (>= x 0)))
(define-fun b ((x Int) (y Int)) Bool (and (= y (* 2 x)) (>= x 0)))",
    ),
    base(
        "non-linear clauses",
        "(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (and (<= 0 n) (< n 2)) (fib n 1))))
(assert (forall ((n Int) (x Int) (y Int)) (=> (and (fib n x) (fib (+ n 1) y)) (fib (+ n 2) (+ x y)))))
(assert (forall ((n Int) (x Int)) (=> (and (fib n x) (or (< x 1) (< n 0))) false)))",
        "(define-fun fib ((n Int) (x Int)) Bool (and (>= n 0) (>= x 1)))",
    ),
    base(
        "reals",
        "(declare-fun c (Real Real) Bool)
(assert (forall ((x Real)) (=> (and (<= 0.0 x) (<= x 1.0)) (c x 0.0))))
(assert (forall ((x Real) (t Real) (d Real)) (=> (and (c x t) (<= 0.0 d) (<= (+ t d) 5.0)) (c (+ x d) (+ t d)))))
(assert (forall ((x Real) (t Real)) (=> (c x t) (<= x 6.0))))",
        "(define-fun c ((x Real) (t Real)) Bool (and (<= x (+ t 1.0)) (<= t 5.0)))",
    ),
    base(
        "bit-vectors",
        "(declare-fun s ((_ BitVec 8)) Bool)
(assert (s (_ bv0 8)))
(assert (forall ((x (_ BitVec 8))) (=> (and (s x) (bvult x (_ bv10 8))) (s (bvadd x (_ bv1 8))))))
(assert (forall ((x (_ BitVec 8))) (=> (and (s x) (bvult (_ bv10 8) x)) false)))",
        "(define-fun s ((x (_ BitVec 8))) Bool (bvule x (_ bv10 8)))",
    ),
    base(
        "rules",
        "(declare-rel p (Int)) (declare-rel fail ()) (declare-var x Int) (declare-var y Int)
(rule (=> (= x 0) (p x)))
(rule (=> (and (p x) (= y (+ x 2))) (p y)))
(rule (=> (and (p x) (= (mod x 2) 1)) fail))
(query fail)",
        "(define-fun p ((x Int)) Bool (and (= (mod x 2) 0) (>= x 0))) (define-fun fail () Bool false)",
    ),
    base(
        "array, quantified",
        FILL,
        "(define-fun loop ((a (Array Int Int)) (i Int) (n Int)) Bool
(and (<= 0 i) (forall ((j Int)) (=> (and (<= 0 j) (< j i)) (= (select a j) 7)))))",
    ),
    base(
        "array, prophecy",
        FILL,
        "(certificate (format foretell-1) (kind chc) (prophecy p Int (target 2 z))
(define-fun loop ((a (Array Int Int)) (i Int) (n Int)) Bool
(and (<= 0 i) (=> (and (<= 0 p) (< p i)) (= (select a p) 7)))))",
    ),
    base(
        "writer, prophecy and history",
        WRITER,
        "(certificate (format foretell-1) (kind chc)
(prophecy p Int (target 2 z)) (history h Int (update 0 0) (update 1 (ite (= k p) (+ h 1) h)))
(define-fun w ((a (Array Int Int)) (s Int)) Bool
(and (<= 0 h) (<= h s) (= (select a p) (ite (= h 0) 0 5)))))",
    ),
    base(
        "copier, queries in the pre-state",
        COPIER,
        "(certificate (format foretell-1) (kind chc)
(prophecy q Int (target 2 z)) (history h Int (update 0 0) (update 1 x)) (prophecy p Int (target 2 h))
(define-fun w ((a (Array Int Int)) (b (Array Int Int))) Bool
(and (<= (select a p) 1) (=> (= h p) (<= (select b q) 1)))))",
    ),
    base(
        "copier, a rule that is a query",
        COPIER_RULES,
        "(certificate (format foretell-1) (kind chc)
(prophecy q Int (target 2 z)) (history h Int (update 0 0) (update 1 x)) (prophecy p Int (target 2 h))
(define-fun w ((v (Array Int Int)) (u (Array Int Int))) Bool
(and (<= (select v p) 1) (=> (= h p) (<= (select u q) 1)))) (define-fun fail () Bool false))",
    ),
    base(
        "let and disjunction",
        "(declare-fun q (Int Bool) Bool)
(assert (q 0 true))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) b) (q (+ x 3) false))))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) (not b)) (q (- x 3) true))))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) (> x 3)) false)))",
        "(define-fun q ((x Int) (b Bool)) Bool (let ((z (+ x 0))) (or (and b (= z 0)) (and (not b) (= x 3)))))",
    ),
];

const FILL: &str = "(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (loop a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a i n) (< i n)) (loop (store a i 7) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (loop a i n) (>= i n) (<= 0 z) (< z n) (not (= (select a z) 7))) false)))";

const WRITER: &str = "(declare-fun w ((Array Int Int) Int) Bool)
(assert (forall ((s Int)) (=> (= s 0) (w ((as const (Array Int Int)) 0) s))))
(assert (forall ((a (Array Int Int)) (s Int) (k Int)) (=> (w a s) (w (store a k 5) (+ s 1)))))
(assert (forall ((a (Array Int Int)) (s Int) (z Int))
  (=> (and (w a s) (distinct (select a z) 0) (distinct (select a z) 5)) false)))
(assert (forall ((a (Array Int Int)) (s Int)) (=> (and (w a s) (< s 0)) false)))";

const COPIER: &str = "(declare-fun w ((Array Int Int) (Array Int Int)) Bool)
(assert (w ((as const (Array Int Int)) 1) ((as const (Array Int Int)) 0)))
(assert (forall ((c (Array Int Int)) (b (Array Int Int)) (x Int) (y Int))
  (=> (w c b) (w c (store b y (select c x))))))
(assert (forall ((c (Array Int Int)) (b (Array Int Int)) (z Int))
  (=> (and (w c b) (> (select b z) 1)) false)))";

const COPIER_RULES: &str = "(declare-rel w ((Array Int Int) (Array Int Int))) (declare-rel fail ())
(declare-var c (Array Int Int)) (declare-var b (Array Int Int)) (declare-var d (Array Int Int))
(declare-var x Int) (declare-var y Int) (declare-var z Int)
(rule (w ((as const (Array Int Int)) 1) ((as const (Array Int Int)) 0)))
(rule (=> (and (w c b) (= d (store b y (select c x)))) (w c d)))
(rule (=> (and (w c b) (> (select b z) 1)) fail))
(query fail)";

pub(crate) const VMT: [Base; 4] = [
    base(
        "memory, quantified",
        MEMORY,
        "(certificate (format foretell-1) (kind vmt) (property 0) (k 1)
(invariant (and (forall ((j Int)) (< (select mem j) 10)) (< out 10))))",
    ),
    base(
        "memory, prophecy and history",
        READER,
        "(certificate (format foretell-1) (kind vmt) (property 0)
(prophecy p Int (target adr))
(history h Int (init 0) (update (ite (and (= adr p) (< val 10)) val h)))
(invariant (and (= (select mem p) h) (< h 10) (< out 10))))",
    ),
    base(
        "rotation, k-induction",
        "(declare-fun x () Int) (declare-fun y () Int) (declare-fun x1 () Int) (declare-fun y1 () Int)
(define-fun sv0 () Int (! x :next x1)) (define-fun sv1 () Int (! y :next y1))
(define-fun init () Bool (! (and (= x 0) (= y 1)) :init))
(define-fun trans () Bool (! (and (= x1 y) (= y1 (- 1 x))) :trans))
(define-fun prop () Bool (! (<= x 1) :invar-property 0))",
        "(certificate (format foretell-1) (kind vmt) (property 0) (k 4) (invariant (<= x 1)))",
    ),
    base(
        "counter",
        "(declare-fun c () Int) (declare-fun c1 () Int) (declare-fun en () Bool)
(define-fun s () Int (! c :next c1)) (define-fun i () Bool (! (= c 0) :init true))
(define-fun t () Bool (! (= c1 (ite en (ite (= c 7) 0 (+ c 1)) c)) :trans true))
(define-fun p () Bool (! (and (<= 0 c) (< c 8)) :invar-property 0))",
        "(certificate (format foretell-1) (kind vmt) (property 0) (k 1) (invariant (and (>= c 0) (<= c 7))))",
    ),
];

const MEMORY: &str = "(declare-fun mem () (Array Int Int)) (declare-fun mem1 () (Array Int Int))
(declare-fun out () Int) (declare-fun out1 () Int) (declare-fun adr () Int) (declare-fun val () Int)
(define-fun .m () (Array Int Int) (! mem :next mem1)) (define-fun .o () Int (! out :next out1))
(define-fun .i () Bool (! (and (= mem ((as const (Array Int Int)) 0)) (= out 0)) :init true))
(define-fun .t () Bool (! (and (= mem1 (ite (< val 10) (store mem adr val) mem)) (= out1 (select mem adr))) :trans))
(define-fun .p () Bool (! (< out 10) :invar-property 0))";

const READER: &str = "(declare-fun mem () (Array Int Int)) (declare-fun mem1 () (Array Int Int))
(declare-fun out () Int) (declare-fun out1 () Int) (declare-fun adr () Int) (declare-fun val () Int)
(define-fun .m () (Array Int Int) (! mem :next mem1)) (define-fun .o () Int (! out :next out1))
(define-fun .i () Bool (! (and (= mem ((as const (Array Int Int)) 0)) (= out 0)) :init true))
(define-fun .t () Bool (! (and (= mem1 (ite (< val 10) (store mem adr val) mem)) (= out1 (select mem adr))) :trans))
(define-fun .p () Bool (! (and (< out 10) (< (select mem adr) 10)) :invar-property 0))";
