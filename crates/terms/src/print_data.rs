//! Declarations of datatypes as SMT-LIB text.

use crate::print::quote;
use crate::sort::Sort;
use crate::store::TermStore;

impl TermStore {
    /// The commands that declare the datatypes these sorts mention, each before its first use.
    /// Types that mention each other are declared by one command.
    pub fn print_data_declarations(&self, sorts: &[Sort]) -> Vec<String> {
        let mut commands: Vec<String> = Vec::new();
        let mut done: Vec<Sort> = Vec::new();
        let mut work: Vec<Sort> = sorts
            .iter()
            .rev()
            .flat_map(|&s| self.data_parts(s))
            .collect();
        while let Some(&sort) = work.last() {
            if done.contains(&sort) {
                work.pop();
                continue;
            }
            let group = self.data_group(sort);
            let open: Vec<Sort> = group
                .iter()
                .flat_map(|&member| self.parts_below(member))
                .filter(|part| !done.contains(part) && !group.contains(part))
                .collect();
            if !open.is_empty() {
                work.extend(open);
                continue;
            }
            work.pop();
            let command = self.declaration(&group);
            if !commands.contains(&command) {
                commands.push(command);
            }
            done.extend(group);
        }
        commands
    }

    /// The datatypes in the fields of a datatype and in what it is applied to.
    fn parts_below(&self, sort: Sort) -> Vec<Sort> {
        let Some(decl) = self.data(sort) else {
            return Vec::new();
        };
        let fields = decl.constructors().iter().flat_map(|c| c.fields.iter());
        let arguments = decl.instance.iter().flat_map(|i| i.arguments.iter());
        fields
            .map(|f| f.sort)
            .chain(arguments.copied())
            .flat_map(|s| self.data_parts(s))
            .collect()
    }

    /// The types that mention this one and are mentioned by it, itself included.
    fn data_group(&self, sort: Sort) -> Vec<Sort> {
        let mut group = vec![sort];
        let below = self.reachable_data(sort);
        if below.contains_key(&sort) {
            let back = |other: &Sort| self.reachable_data(*other).contains_key(&sort);
            group.extend(below.into_keys().filter(|o| *o != sort && back(o)));
        }
        group
    }

    fn declaration(&self, group: &[Sort]) -> String {
        let decls: Vec<_> = group.iter().filter_map(|&s| self.data(s)).collect();
        // A type with parameters is declared by the command it came with, for all its instances.
        if let Some(instance) = decls.iter().find_map(|d| d.instance.as_ref()) {
            return instance.command.to_string();
        }
        let names: Vec<String> = decls
            .iter()
            .map(|d| format!("({} 0)", quote(&d.name)))
            .collect();
        let bodies = decls.iter().map(|decl| {
            let constructors = decl.constructors().iter().map(|c| {
                let fields: String = c
                    .fields
                    .iter()
                    .map(|f| format!(" ({} {})", quote(&f.selector), self.print_sort(f.sort)))
                    .collect();
                format!("({}{fields})", quote(&c.name))
            });
            format!("({})", constructors.collect::<Vec<_>>().join(" "))
        });
        let bodies: Vec<String> = bodies.collect();
        format!(
            "(declare-datatypes ({}) ({}))",
            names.join(" "),
            bodies.join(" ")
        )
    }
}
