"use strict";
// Adds stepping, the slider of time, copying, and opening everything for print. The page says the same
// without it. No value of the page becomes markup here: only text, classes and attributes.

function make(tag, properties, ...children) {
  const node = document.createElement(tag);
  Object.assign(node, properties);
  node.append(...children);
  return node;
}

// Copy buttons.
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  const words = button.textContent;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = make("textarea", { value: text });
      document.body.append(field);
      field.select();
      done = document.execCommand("copy");
      field.remove();
    }
    button.textContent = done ? "Copied" : "Not copied";
    setTimeout(() => { button.textContent = words; }, 1500);
  });
}

// One step at a time: buttons, slider, keys.
for (const stepper of document.querySelectorAll(".stepper")) {
  const steps = [...stepper.querySelectorAll(".step")];
  if (steps.length < 2) continue;
  let now = steps.length - 1;
  let all = false;
  const says = make("output", {});
  says.setAttribute("aria-live", "polite");
  const slider = make("input", { type: "range", min: 0, max: steps.length - 1, step: 1 });
  slider.setAttribute("aria-label", "Step");
  const button = (words, label, to) => {
    const made = make("button", { type: "button", textContent: words });
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => go(to()));
    return made;
  };
  const first = button("First", "First step", () => 0);
  const back = button("◀ Back", "Back one step", () => now - 1);
  const next = button("Next ▶", "Next step", () => now + 1);
  const last = button("Last", "Last step", () => steps.length - 1);
  const whole = make("button", { type: "button", textContent: "Show all" });
  whole.setAttribute("aria-pressed", "false");
  whole.addEventListener("click", () => {
    all = !all;
    whole.setAttribute("aria-pressed", String(all));
    go(now);
  });
  const bar = make("div", { className: "steps" }, first, back, next, last, slider, says, whole);
  stepper.before(bar);
  const table = stepper.parentElement.querySelector(".overview");

  function go(to) {
    now = Math.max(0, Math.min(steps.length - 1, to));
    steps.forEach((step, place) => { step.hidden = !all && place !== now; });
    slider.value = now;
    const name = steps[now].querySelector(".count").textContent;
    says.textContent = `${name} (${now + 1} of ${steps.length})`;
    slider.setAttribute("aria-valuetext", name);
    if (table) {
      for (const row of table.rows) {
        [...row.cells].forEach((cell, place) => cell.classList.toggle("here", place === now + 1));
      }
    }
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  const keys = { ArrowLeft: () => now - 1, ArrowRight: () => now + 1, Home: () => 0, End: () => steps.length - 1 };
  const listen = (event) => {
    const to = keys[event.key];
    if (!to || event.ctrlKey || event.altKey || event.metaKey || event.target.closest(".strip, pre")) return;
    event.preventDefault();
    go(to());
  };
  bar.addEventListener("keydown", listen);
  stepper.addEventListener("keydown", listen);
  for (const link of stepper.parentElement.querySelectorAll(".overview a")) {
    link.addEventListener("click", () => go(steps.findIndex((step) => "#" + step.id === link.getAttribute("href"))));
  }
  go(0);
}

// The slider of time: how far each engine was, and what had been told by then.
const data = document.getElementById("data");
const place = document.getElementById("time-slider");
if (data && place) {
  const { seconds, runs } = JSON.parse(data.textContent);
  const slider = make("input", { type: "range", id: "moment", min: 0, max: 1000, step: 1, value: 1000 });
  const says = make("output", {});
  says.setAttribute("aria-live", "polite");
  const rows = [...document.querySelectorAll("tr[data-at]")];
  const kinds = [["formulas told", undefined], ["lemmas", "lemma"], ["obligations", "obligation"]];
  const many = (n, what, one) => `${n} ${n === 1 ? one : what}`;
  const words = ([, bound, frame, lemmas, auxiliaries, phase]) => {
    const parts = [];
    if (bound !== null) parts.push(`bound ${bound}`);
    if (frame !== null) parts.push(`frame ${frame}`);
    if (lemmas > 0) parts.push(many(lemmas, "lemmas", "lemma"));
    if (auxiliaries > 0) parts.push(many(auxiliaries, "auxiliaries", "auxiliary"));
    return parts.length ? parts.join(", ") : phase;
  };
  function show() {
    const at = seconds * slider.value / 1000;
    for (const cursor of document.querySelectorAll("line.cursor")) {
      cursor.setAttribute("x1", slider.value);
      cursor.setAttribute("x2", slider.value);
    }
    const running = runs.filter((run) => run.start <= at && at <= run.end).map((run) => {
      const sample = run.samples.findLast((s) => s[0] <= at);
      return `${run.name}: ${sample ? words(sample) : "starting"}`;
    });
    for (const row of rows) row.classList.toggle("later", Number(row.dataset.at) > at);
    const said = kinds.map(([words, kind]) => {
      const own = rows.filter((row) => row.dataset.kind === kind);
      const past = own.filter((row) => !row.classList.contains("later"));
      return own.length ? ` · ${past.length} of ${own.length} ${words}` : "";
    }).join("");
    says.textContent = `At ${at.toFixed(2)} s – ${running.join(" | ") || "nobody runs"}${said}`;
    slider.setAttribute("aria-valuetext", `${at.toFixed(2)} seconds`);
  }
  slider.addEventListener("input", show);
  place.append(make("label", { htmlFor: "moment", textContent: "Time" }), slider, says);
  place.hidden = false;
  show();
}

// Print shows everything.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => { for (const details of opened) details.open = false; });
document.documentElement.dataset.ready = "yes";
