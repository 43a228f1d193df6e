//! The operators of the theories, each compared with the term it stands for.

use foretell_terms::TermStore;

use super::good;

const DECLARATIONS: &str = "(declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
  (declare-const i Int) (declare-const j Int) (declare-const k Int)
  (declare-const x Real) (declare-const y Real)
  (declare-const u (_ BitVec 8)) (declare-const v (_ BitVec 8)) (declare-const w (_ BitVec 8))
  (declare-const a (Array Int Int)) (declare-const m (Array Int Bool Real))
  (declare-fun f (Real Int) Real)
  ";

/// Both texts are the same term.
fn same(pairs: &[(&str, &str)]) {
    for (left, right) in pairs {
        let terms = TermStore::new();
        let found = good(&format!("{DECLARATIONS} (t {left}) (t {right})"), &terms);
        assert_eq!(
            terms.print(found[0]),
            terms.print(found[1]),
            "{left} = {right}"
        );
        assert_eq!(found[0], found[1], "{left} = {right}");
    }
}

#[test]
fn core() {
    same(&[
        ("(=> p q r)", "(or (not p) (not q) r)"),
        ("(implies p q)", "(=> p q)"),
        ("(xor p q r)", "(xor (xor p q) r)"),
        ("(= p q r)", "(and (= p q) (= q r))"),
        ("(iff p q)", "(= p q)"),
        (
            "(distinct i j k)",
            "(and (not (= i j)) (not (= i k)) (not (= j k)))",
        ),
        ("(ite p q false)", "(and p q)"),
        ("(and p)", "p"),
        ("(let ((p q)) (and p (let ((q p)) q)))", "q"),
    ]);
}

#[test]
fn arithmetic() {
    same(&[
        ("(- i j k)", "(+ i (* (- 1) j) (* (- 1) k))"),
        ("(- i)", "(* -1 i)"),
        ("(< i j k)", "(and (< i j) (< j k))"),
        ("(>= i j k)", "(and (<= j i) (<= k j))"),
        ("(* 2 i 3)", "(* 6 i)"),
        ("(div i j k)", "(div (div i j) k)"),
        ("(div (- 7) 2)", "(- 4)"),
        ("(mod (- 7) (- 2))", "1"),
        ("(abs i)", "(ite (<= 0 i) i (- i))"),
        ("((_ divisible 3) i)", "(= (mod i 3) 0)"),
        ("(= x 1)", "(= x 1.0)"),
        ("(+ x i 1)", "(+ x (to_real i) 1.0)"),
        ("(/ 1 3)", "(/ 1.0 3.0)"),
        ("(/ i 2)", "(* (/ 1 2) (to_real i))"),
        ("(/ x y 2)", "(/ (/ x y) 2.0)"),
        ("(ite p x 1)", "(ite p x 1.0)"),
        ("(f 1 2)", "(f 1.0 2)"),
        ("(to_int 2.5)", "2"),
        ("(to_int -2.5)", "(- 3)"),
        ("(to_int (/ i 2))", "(div i 2)"),
        (
            "(to_int (+ (/ i 2) (* 0.75 j) (- 1)))",
            "(div (+ (* 2 i) (* 3 j) (- 4)) 4)",
        ),
        ("(to_int (+ (to_real i) 0.5))", "(div (+ (* 2 i) 1) 2)"),
        (
            "(to_int (+ (/ i 2) x))",
            "(to_int (+ (* (/ 1 2) (to_real i)) x))",
        ),
        ("(is_int x)", "(= (to_real (to_int x)) x)"),
        ("(to_real x)", "x"),
        ("-3.50", "(- (/ 7 2))"),
        ("00012", "12"),
        ("(let ((.1 1)) (+ .1 .1))", "2"),
    ]);
}

#[test]
fn arrays() {
    same(&[
        ("(select (store a i 3) i)", "3"),
        ("(select (store m 1 p 2) 1 p)", "2.0"),
        ("(select ((as const (Array Int Bool Real)) 1) 2 q)", "1.0"),
        ("(select (store a 1 i) 2)", "(select a 2)"),
        ("(store a i (select a i))", "a"),
    ]);
}

#[test]
fn bit_vectors() {
    same(&[
        ("#x0F", "(_ bv15 8)"),
        ("#b1010", "(_ bv10 4)"),
        ("(bvadd u v w)", "(bvadd (bvadd u v) w)"),
        ("(bvsub u v)", "(bvadd u (bvneg v))"),
        ("(bvnand u v)", "(bvnot (bvand u v))"),
        ("(bvnor u v)", "(bvnot (bvor u v))"),
        ("(bvxnor u v)", "(bvnot (bvxor u v))"),
        ("(bvcomp u v)", "(ite (= u v) #b1 #b0)"),
        ("(bvugt u v)", "(not (bvule u v))"),
        ("(bvsge u v)", "(bvsle v u)"),
        ("(bvult #x80 #x7f)", "false"),
        ("(bvslt #x80 #x7f)", "true"),
        ("(concat #b1 #b0 #b1)", "#b101"),
        ("((_ extract 3 0) #xA5)", "#x5"),
        ("((_ zero_extend 4) #xA)", "#x0A"),
        ("((_ sign_extend 4) #xA)", "#xFA"),
        ("((_ rotate_left 1) #x81)", "#x03"),
        ("((_ rotate_right 9) #x81)", "#xC0"),
        ("((_ rotate_right 8) u)", "u"),
        ("((_ repeat 3) #b10)", "#b101010"),
        ("(bvsdiv #xF9 #x02)", "#xFD"),
        ("(bvsrem #xF9 #x02)", "#xFF"),
        ("(bvsmod #xF9 #x02)", "#x01"),
        ("(bvudiv #x05 #x00)", "#xFF"),
        ("(bvshl #x81 #x01)", "#x02"),
        ("(bvashr #x81 #x01)", "#xC0"),
        ("(bv2nat #xFF)", "255"),
        ("(ubv_to_int #xFF)", "255"),
        ("(sbv_to_int #xFF)", "(- 1)"),
        ("((_ int2bv 8) (- 1))", "#xFF"),
        ("((_ int_to_bv 8) 257)", "#x01"),
        ("(bvredor #x00)", "#b0"),
        ("(bvredand #xFF)", "#b1"),
    ]);
}

#[test]
fn overflow_predicates() {
    same(&[
        ("(bvnego #x80)", "true"),
        ("(bvnego #x81)", "false"),
        ("(bvuaddo #xFF #x01)", "true"),
        ("(bvuaddo #xFE #x01)", "false"),
        ("(bvsaddo #x7F #x01)", "true"),
        ("(bvsaddo #xFF #x01)", "false"),
        ("(bvusubo #x00 #x01)", "true"),
        ("(bvssubo #x80 #x01)", "true"),
        ("(bvssubo #x00 #x01)", "false"),
        ("(bvumulo #x10 #x10)", "true"),
        ("(bvumulo #x0F #x11)", "false"),
        ("(bvsmulo #x40 #x02)", "true"),
        ("(bvsmulo #xC0 #x02)", "false"),
        ("(bvsdivo #x80 #xFF)", "true"),
        ("(bvsdivo #x80 #x01)", "false"),
    ]);
}
