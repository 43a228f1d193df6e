//! Why a property holds: what is true in every reachable state, and the variables that the proof adds.

use super::html::Html;
use crate::model::{Auxiliary, Part, Proof};

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
    for (place, part) in proof.parts.iter().enumerate() {
        invariant(&mut body, &format!("text-{number}-{place}"), part);
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

pub(super) fn invariant(body: &mut Html, id: &str, part: &Part) {
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
        for conjunct in &part.conjuncts {
            body.open("li", &[])
                .leaf("code", &[("class", "math")], conjunct)
                .close("li");
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
            invariant(body, &format!("inner-{number}-{place}"), part);
        }
    }
    if !proof.story.is_empty() {
        body.own("<details class=\"more\"><summary>What the engine did to the problem</summary>\n");
        body.own("<ol class=\"story\">\n");
        for words in &proof.story {
            body.open("li", &[]).prose(words).close("li");
        }
        body.close("ol").close("details");
    }
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
