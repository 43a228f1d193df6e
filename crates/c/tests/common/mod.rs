//! Random C programs whose meaning does not depend on the order of evaluation.

use std::fmt::Write;

/// A xorshift generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.next(list.len() as u64) as usize]
    }
}

const SCALARS: [&str; 8] = ["a", "b", "c", "u", "v", "k", "s", "l"];

/// Writes one program.
pub(crate) struct Writer<'r> {
    pub(crate) random: &'r mut Random,
    pub(crate) out: String,
    loops: usize,
}

impl<'r> Writer<'r> {
    pub(crate) fn new(random: &'r mut Random) -> Writer<'r> {
        Writer {
            random,
            out: String::new(),
            loops: 0,
        }
    }

    /// A function `run_N` that leaves a checksum of all it did in `h_N`.
    pub(crate) fn program(&mut self, number: usize) {
        let _ = write!(
            self.out,
            "unsigned h_{number};\nstatic int f_{number}(int x, unsigned y) {{ if (x > 3) return x - (int)(y % 7u); return x * 2 + 1; }}\n\
             static int r_{number}(int n, int m) {{ if (n <= 0) return m; return r_{number}(n - 1, m + n % 3); }}\n\
             static void g_{number}(V int p[], int n) {{ for (int i = 0; i < n; i++) p[i] = p[i] / 2 + i; }}\n\
             int run_{number}(void) {{\n  V int a = nondet_int(), b = nondet_int(); V char c = nondet_int();\n\
             V unsigned u = nondet_int(); V unsigned char v = nondet_int(); V short s = nondet_int(); V long l = nondet_int();\n\
             V _Bool k = nondet_int(); V int A[6]; V unsigned B[3] = {{1, 2}};\n\
             for (int i = 0; i < 6; i++) A[i] = i * 3 - 4;\n"
        );
        for _ in 0..3 + self.random.next(5) {
            self.statement(number, 0);
        }
        for name in SCALARS {
            let _ = writeln!(
                self.out,
                "  h_{number} = h_{number} * 31u + (unsigned){name};"
            );
        }
        let _ = writeln!(
            self.out,
            "  for (int i = 0; i < 6; i++) h_{number} = h_{number} * 31u + (unsigned)A[i];\n\
             \x20 for (int i = 0; i < 3; i++) h_{number} = h_{number} * 31u + B[i];\n  return 0;\n}}"
        );
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each form of statement")]
    fn statement(&mut self, number: usize, depth: usize) {
        let choice = if depth > 2 {
            self.random.next(6)
        } else {
            self.random.next(14)
        };
        match choice {
            0..=2 => {
                let (place, e) = (self.random.pick(&SCALARS).to_owned(), self.expr(0));
                let _ = writeln!(self.out, "  {place} = {e};");
            }
            3 => {
                let (index, e) = (self.index(), self.expr(0));
                let _ = writeln!(self.out, "  A[{index}] = {e};");
            }
            4 => {
                let place = self
                    .random
                    .pick(&["a", "b", "u", "v", "s", "l", "c"])
                    .to_owned();
                let op = self.random.pick(&["+=", "-=", "*=", "/=", "%="]).to_owned();
                let e = if matches!(&*op, "/=" | "%=") {
                    self.divisor()
                } else {
                    self.expr(1)
                };
                let _ = writeln!(self.out, "  {place} {op} {e};");
            }
            5 => {
                let place = self
                    .random
                    .pick(&["a", "b", "u", "v", "s", "l", "c", "A[2]"])
                    .to_owned();
                let op = self.random.pick(&["++", "--"]).to_owned();
                let _ = writeln!(self.out, "  {place}{op};");
            }
            6 | 7 => self.if_statement(number, depth),
            8 => {
                let bound = 1 + self.random.next(6);
                let i = self.fresh();
                let _ = writeln!(self.out, "  for (int {i} = 0; {i} < {bound}; {i}++) {{");
                self.statement(number, depth + 1);
                let e = self.condition();
                let word = self.random.pick(&["break", "continue"]).to_owned();
                let _ = writeln!(self.out, "  if ({e}) {word};");
                self.statement(number, depth + 1);
                self.out.push_str("  }\n");
            }
            9 => {
                let i = self.fresh();
                let _ = writeln!(self.out, "  {{ int {i} = 4; do {{");
                self.statement(number, depth + 1);
                let e = self.condition();
                let _ = writeln!(self.out, "  }} while (--{i} > 0 && {e}); }}");
            }
            10 => {
                let e = self.expr(1);
                let _ = writeln!(self.out, "  switch ({e}) {{ case 0: a = 1;");
                self.statement(number, depth + 1);
                let _ = writeln!(self.out, "  case 1: case -3: b = 2; break; default:");
                self.statement(number, depth + 1);
                self.out.push_str("  }\n");
            }
            11 => {
                let (x, y) = (self.expr(1), self.expr(1));
                let _ = writeln!(self.out, "  a = f_{number}({x}, {y});");
            }
            12 => {
                let label = self.fresh();
                let e = self.condition();
                let _ = writeln!(self.out, "  if ({e}) goto {label};");
                self.statement(number, depth + 1);
                let _ = writeln!(self.out, "  {label}: ;");
            }
            _ => {
                let n = self.random.next(9);
                let _ = writeln!(
                    self.out,
                    "  b = r_{number}({n}, 1); g_{number}(A, 6); {{ V int *p = A + 1; p[1] = *p - 1; p++; *p += 2; }}"
                );
            }
        }
    }

    fn if_statement(&mut self, number: usize, depth: usize) {
        let e = self.condition();
        let _ = writeln!(self.out, "  if ({e}) {{");
        self.statement(number, depth + 1);
        self.out.push_str("  } else {\n");
        self.statement(number, depth + 1);
        self.out.push_str("  }\n");
    }

    fn fresh(&mut self) -> String {
        self.loops += 1;
        format!("i{}", self.loops)
    }

    fn index(&mut self) -> String {
        let e = self.expr(1);
        // Now and then an index that may be outside.
        if self.random.next(12) == 0 {
            format!("({e}) % 6")
        } else {
            format!("(unsigned)({e}) % 6u")
        }
    }

    fn divisor(&mut self) -> String {
        if self.random.next(4) == 0 {
            self.expr(2)
        } else {
            self.random.pick(&["3", "-7", "10u", "2L", "-1"]).to_owned()
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expr(1), self.expr(1));
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        format!("{a} {op} {b}")
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each form of expression")]
    fn expr(&mut self, depth: usize) -> String {
        let choice = if depth > 2 {
            self.random.next(4)
        } else {
            self.random.next(16)
        };
        match choice {
            0..=2 => self.random.pick(&SCALARS).to_owned(),
            3 => self
                .random
                .pick(&[
                    "0",
                    "1",
                    "-1",
                    "7",
                    "255u",
                    "100",
                    "-32768",
                    "2147483647",
                    "3000000000u",
                    "5L",
                    "'a'",
                ])
                .to_owned(),
            4..=7 => {
                let (a, b) = (self.expr(depth + 1), self.expr(depth + 1));
                let op = self.random.pick(&["+", "-", "*"]);
                // The compiler folds `x - x` and `0 * x` before its sanitizer sees what is in them.
                if a == b || a == "0" || b == "0" {
                    return a;
                }
                format!("({a} {op} {b})")
            }
            8 => {
                let (a, b) = (self.expr(depth + 1), self.divisor());
                let op = self.random.pick(&["/", "%"]);
                format!("({a} {op} {b})")
            }
            9 => {
                let e = self.expr(depth + 1);
                let ty = self.random.pick(&[
                    "char",
                    "unsigned char",
                    "short",
                    "unsigned",
                    "int",
                    "_Bool",
                    "long",
                    "unsigned short",
                ]);
                format!("(({ty}){e})")
            }
            10 => {
                let (a, b) = (self.condition(), self.condition());
                let op = self.random.pick(&["&&", "||"]);
                format!("({a} {op} {b})")
            }
            11 => {
                let (c, a, b) = (self.condition(), self.expr(depth + 1), self.expr(depth + 1));
                format!("({c} ? {a} : {b})")
            }
            12 => {
                let e = self.expr(depth + 1);
                let op = self.random.pick(&["-", "~", "!", "+"]);
                format!("({op} {e})")
            }
            13 => {
                let e = self.expr(depth + 1);
                let rest = self.random.pick(&[">> 3", "<< 2", "& 15", "& ~7", ">> 1"]);
                format!("({e} {rest})")
            }
            14 => format!("A[{}]", self.index()),
            _ => format!("B[(unsigned){} % 3u]", self.expr(depth + 1)),
        }
    }
}
