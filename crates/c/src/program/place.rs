//! Numbers of objects as C writes them: `a[i].x[j]`.

use super::Var;

impl Var {
    /// Where an index stands in a path.
    pub const INDEX: &str = "[]";

    /// The object that was declared.
    pub fn root(&self) -> &str {
        let members = self.path.replace(Var::INDEX, "");
        self.name.strip_suffix(&members[..]).unwrap_or(&self.name)
    }

    /// A number of it as C writes it, or, with fewer indices than it takes, as much as is known: the
    /// indices that are missing at the end are left out, those in front of members are `[]`.
    pub fn place(&self, indices: &[String]) -> String {
        let mut text = self.root().to_owned();
        let mut rest = &self.path[..];
        for index in indices {
            let at = rest.find(Var::INDEX).unwrap_or(rest.len());
            text.push_str(&rest[..at]);
            text.push_str(&format!("[{index}]"));
            rest = rest.get(at + Var::INDEX.len()..).unwrap_or("");
        }
        text.push_str(rest);
        while text.ends_with(Var::INDEX) {
            text.truncate(text.len() - Var::INDEX.len());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::program::{Group, Var};
    use crate::text::NoFiles;
    use crate::{Settings, read};

    #[test]
    fn indices_stand_where_c_has_them() {
        let text = "struct s { int x; int y[2]; };\nint main() { struct s a[3]; int i = 0; \
                    for (; i < 3; i++) assert(a[i].y[i % 2] == a[i].x); }";
        let program = read("x.c", text.as_bytes(), &NoFiles, &Settings::default()).expect("C");
        assert!(program.has_group(Group::Memory));
        let found = |name: &str| program.vars.iter().find(|v| v.name == name);
        let var: &Var = found("a.y").expect("a member");
        let words = |list: &[&str]| {
            let list: Vec<String> = list.iter().map(|w| (*w).to_owned()).collect();
            var.place(&list)
        };
        assert_eq!(var.root(), "a");
        assert_eq!(words(&["i", "1"]), "a[i].y[1]");
        assert_eq!(words(&["i"]), "a[i].y");
        assert_eq!(words(&[]), "a[].y");
    }
}
