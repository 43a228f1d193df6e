//! Why a property holds: what is true in every reachable state, and the variables that the proof adds.

use super::html::Html;
use crate::model::{Auxiliary, Need, Needs, Part, PlaceOf, Proof};

/// At most so many obligations are named beside a conjunct.
const MOST_USERS: usize = 6;

pub(super) fn section(html: &mut Html, number: usize, proof: &Proof, name: &str) {
    let mut body = Html::default();
    if proof.parts.is_empty() {
        body.own(
            "<p>Nothing has to be said about reachable states: the input has no loop that \
                  matters, or its predicates are empty.</p>\n",
        );
    } else {
        body.own(
            "<p>This holds in every state that can be reached, and a state in which it holds does \
                  not violate the property.</p>\n",
        );
    }
    if !proof.inner.is_empty() && proof.model.is_none() {
        body.own(
            "<p class=\"quiet\">The checked text says it with the variables that the proof adds (below): \
             for all values of the prophecy variables, and some of the history variables.</p>\n",
        );
    }
    let needs = proof.needs.as_ref().map(Needed);
    for (place, part) in proof.parts.iter().enumerate() {
        let words = |conjunct: usize| {
            needs.as_ref()?.words(PlaceOf {
                part: place,
                conjunct,
            })
        };
        invariant(&mut body, &format!("text-{number}-{place}"), part, &words);
    }
    if let Some(needs) = &needs {
        needs.note(&mut body);
    }
    auxiliaries(&mut body, number, proof);
    if !proof.certificate.is_empty() {
        body.own(
            "<details class=\"more\"><summary>The certificate: the whole text that was \
                  checked</summary>\n",
        );
        body.copied(
            &format!("certificate-{number}"),
            "the certificate",
            &proof.certificate,
        );
        body.close("details");
    }
    if let Some(model) = &proof.model {
        body.own(
            "<details class=\"more\"><summary>The model without auxiliary variables, checked \
                  as well</summary>\n",
        );
        body.copied(&format!("model-{number}"), "the model", model);
        body.close("details");
    }
    let title = match name {
        "" => "The invariant".to_owned(),
        name => format!("The invariant for {name}"),
    };
    html.section(&format!("proof-{number}"), &title, &body);
}

/// What needs the conjuncts.
struct Needed<'a>(&'a Needs);

impl Needed<'_> {
    /// Who needs a conjunct, or that nobody does; nothing when that is not known.
    fn words(&self, place: PlaceOf) -> Option<(&'static str, String)> {
        let users = self.0.list.iter().filter(|n| n.conjuncts.contains(&place));
        let users: Vec<&Need> = users.collect();
        let (lines, others): (Vec<&Need>, Vec<&Need>) = users
            .iter()
            .take(MOST_USERS)
            .partition(|need| need.line.is_some());
        let mut shown: Vec<String> = others.iter().map(|need| need.what.clone()).collect();
        let numbers: Vec<String> = lines
            .iter()
            .filter_map(|need| need.line)
            .map(|line| line.to_string())
            .collect();
        match numbers.as_slice() {
            [] => {}
            [one] => shown.push(format!("line {one}")),
            some => shown.push(format!("lines {}", some.join(", "))),
        }
        match (users.len(), self.0.list.iter().all(|n| n.known)) {
            (0, false) => None,
            (0, true) => Some(("needed nobody", "not needed".to_owned())),
            (n, _) if n > MOST_USERS => Some((
                "needed",
                format!("needed by {} and {} more", shown.join(", "), n - MOST_USERS),
            )),
            _ => Some(("needed", format!("needed by {}", shown.join(", ")))),
        }
    }

    /// What these words are worth.
    fn note(&self, body: &mut Html) {
        let unknown = self.0.list.iter().filter(|n| !n.known).count();
        let open = match unknown {
            0 => String::new(),
            n => format!(" Of {n} it could not be found out in time."),
        };
        body.leaf(
            "p",
            &[("class", "quiet")],
            &format!(
                "Who needs a conjunct was found after the answer, from unsat cores of {}: it explains \
                 the proof and is no part of it. There may be other ways to prove the same.{open}",
                self.0.by
            ),
        );
        body.own("\n");
    }
}

/// Who needs a conjunct, for those of which nothing is known.
pub(super) fn nobody(_: usize) -> Option<(&'static str, String)> {
    None
}

/// One predicate, or the state; `needed` are words beside a conjunct, and their class.
pub(super) fn invariant(
    body: &mut Html,
    id: &str,
    part: &Part,
    needed: &dyn Fn(usize) -> Option<(&'static str, String)>,
) {
    body.open("article", &[("class", "part")]);
    body.open("h3", &[]);
    if part.name.is_empty() {
        body.text("The state");
    } else {
        let params: Vec<&str> = part.params.iter().map(|p| p.name.as_str()).collect();
        match part.params.is_empty() {
            true => body.leaf("code", &[], &part.name),
            false => body.leaf(
                "code",
                &[],
                &format!("{}({})", part.name, params.join(", ")),
            ),
        };
    }
    body.close("h3");
    if part.conjuncts.is_empty() && !part.text.is_empty() {
        body.own("<p class=\"quiet\">There is no short form of this formula.</p>\n");
    }
    if !part.conjuncts.is_empty() {
        body.own("<ul class=\"conjuncts\">\n");
        for (place, conjunct) in part.conjuncts.iter().enumerate() {
            body.open("li", &[])
                .leaf("code", &[("class", "math")], conjunct);
            if let Some((class, words)) = needed(place) {
                body.text(" ").leaf("span", &[("class", class)], &words);
            }
            body.close("li");
        }
        body.close("ul");
    }
    if !part.text.is_empty() {
        body.own("<details><summary>Checked text</summary>\n");
        body.copied(id, "the checked text", &part.text);
        body.close("details");
    }
    body.close("article");
}

fn auxiliaries(body: &mut Html, number: usize, proof: &Proof) {
    if !proof.auxiliaries.is_empty() {
        body.own("<h3>Variables that the proof adds</h3>\n");
        body.own("<p>A <em>prophecy</em> variable holds from the beginning what will be asked for at \
                  the end; a <em>history</em> variable remembers what was there before. They change \
                  nothing about the system, but make the invariant simple.</p>\n");
        for (place, auxiliary) in proof.auxiliaries.iter().enumerate() {
            one(body, &format!("aux-{number}-{place}"), auxiliary);
        }
    }
    if !proof.inner.is_empty() && !proof.auxiliaries.is_empty() {
        body.own("<h3>The invariant with these variables</h3>\n");
        for (place, part) in proof.inner.iter().enumerate() {
            invariant(body, &format!("inner-{number}-{place}"), part, &nobody);
        }
    }
    if !proof.story.is_empty() {
        body.own("<details class=\"more\"><summary>What the engine did to the problem, and which spurious \
                  counterexamples that excluded</summary>\n");
        body.own("<ol class=\"story\">\n");
        for words in &proof.story {
            told(body, words);
        }
        body.close("ol").close("details");
    }
}

/// Words of an engine; lines behind the first are steps of the path that they are about.
fn told(body: &mut Html, words: &str) {
    let (first, path) = words.split_once('\n').unwrap_or((words, ""));
    body.open("li", &[]).prose(first);
    if !path.is_empty() {
        body.own(
            "<p class=\"quiet\">The path that this excludes, with arrays of which nothing is \
                  known but what was added before:</p>\n<ul class=\"path\">\n",
        );
        for line in path.lines() {
            body.open("li", &[]).prose(line.trim()).close("li");
        }
        body.close("ul");
    }
    body.close("li");
}

fn one(body: &mut Html, id: &str, auxiliary: &Auxiliary) {
    body.open("div", &[("class", "aux")]);
    body.open("p", &[]);
    body.leaf("span", &[("class", "kind")], &auxiliary.kind)
        .text(" ");
    body.leaf("code", &[], &auxiliary.name).text(" of sort ");
    body.leaf("code", &[], &auxiliary.sort).close("p");
    body.own("<ul>\n");
    for words in &auxiliary.words {
        body.leaf("li", &[], words);
    }
    body.close("ul");
    body.own("<details><summary>Checked text</summary>\n");
    body.copied(id, "the checked text", &auxiliary.text);
    body.close("details").close("div");
}
