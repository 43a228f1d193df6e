// Looks at report pages in headless Chromium: tools/report-test calls it.
//   node report-test.mjs SCREENSHOT-FOLDER PAGE.html …
// Each page at 1280, 390 and 320 px, light and dark, with and without JavaScript: no request, no error on
// the console, nothing wider than the screen, all steps readable without script; with it the stepper reaches
// the first and the last step by keys, the slider of time says something, and axe-core finds no violation.
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import assert from "node:assert/strict";

const require = createRequire(resolve(process.env.PACKAGES, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [shots, ...pages] = process.argv.slice(2);
mkdirSync(shots, { recursive: true });
const profile = mkdtempSync(resolve(tmpdir(), "report-test-"));
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A browser that does not even start says nothing about a page: it is tried three times. */
async function launched(options, attempt = 1) {
  try {
    return await chromium.launchPersistentContext(mkdtempSync(resolve(profile, "user-")), options);
  } catch (error) {
    if (attempt === 3) throw error;
    return launched(options, attempt + 1);
  }
}

async function look(path, width, scheme, script) {
  const name = `${basename(path, ".html")}-${width}-${scheme}${script ? "" : "-plain"}`;
  const context = await launched({
    executablePath: process.env.CHROMIUM, headless: true, args: flags, viewport: { width, height: 800 },
    // axe-core comes from outside, which the policy of the page rightly forbids; every other check runs
    // with the policy in force.
    colorScheme: scheme, javaScriptEnabled: script,
  });
  try {
    await seen(context, path, name, script);
  } finally {
    await context.close();
  }
}

async function seen(context, path, name, script) {
  const page = await context.newPage();
  const requests = [], errors = [];
  page.on("request", (r) => { if (r.url() !== "file://" + path) requests.push(r.url()); });
  page.on("console", (m) => { if (m.type() === "error") errors.push(m.text()); });
  page.on("pageerror", (e) => errors.push(String(e)));
  await page.goto("file://" + path);
  if (script) {
    await page.waitForSelector("html[data-ready=yes]");
    await inside(page, name);
  } else {
    const hidden = await page.locator(".step").evaluateAll((all) => all.filter((s) => !s.checkVisibility()).length);
    assert.equal(hidden, 0, `${name}: ${hidden} steps cannot be seen without script`);
    assert.ok(await page.locator("h1").isVisible());
  }
  await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  assert.deepEqual(requests, [], `${name}: no request`);
  assert.deepEqual(errors, [], `${name}: no error`);
}

/** What needs the script: overflow (closed and open), stepper, slider, axe-core. */
async function inside(page, name) {
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok((await wide()) <= 0, `${name}: ${await wide()} px wider than the screen`);
  for (const bar of await page.locator(".steps").all()) {
    const shown = () => bar.locator("output").innerText();
    const range = bar.locator("input[type=range]");
    const last = Number(await range.getAttribute("max"));
    await bar.locator("button").first().focus();
    await page.keyboard.press("End");
    assert.match(await shown(), new RegExp(`\\(${last + 1} of ${last + 1}\\)`), name);
    await page.keyboard.press("Home");
    assert.match(await shown(), new RegExp(`\\(1 of ${last + 1}\\)`), name);
    for (let step = 0; step < Math.min(last, 5); step++) await page.keyboard.press("ArrowRight");
    assert.match(await shown(), new RegExp(`\\(${Math.min(last, 5) + 1} of`), name);
    const visible = await bar.locator("xpath=following-sibling::*[contains(@class,'stepper')]").first()
      .locator(".step").evaluateAll((all) => all.filter((s) => s.checkVisibility()).length);
    assert.equal(visible, 1, `${name}: one step at a time`);
  }
  const slider = page.locator("#moment");
  if (await slider.count()) {
    const told = await page.locator("tr[data-at]").count();
    const kinds = { "formulas told": ":not([data-kind])", "lemmas": "[data-kind=lemma]", "obligations": "[data-kind=obligation]" };
    const says = page.locator("#time-slider output");
    await slider.focus();
    await page.keyboard.press("End");
    for (const [words, which] of Object.entries(kinds)) {
      const n = await page.locator(`tr[data-at]${which}`).count();
      if (n) assert.ok((await says.innerText()).includes(`${n} of ${n} ${words}`), `${name}: ${words}`);
    }
    await page.keyboard.press("Home");
    assert.match(await says.innerText(), /^At 0\.00 s/, name);
    if (told) assert.equal(await page.locator("tr.later").count(), told, name);
    await page.keyboard.press("End");
  }
  const violations = await checked(page);
  assert.deepEqual(violations, [], `${name}: axe-core`);
  await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
  assert.ok((await wide()) <= 0, `${name}: ${await wide()} px wider than the screen when all is open`);
  assert.deepEqual(await checked(page), [], `${name}: axe-core when all is open`);
  await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = d.closest(".tree") !== null; }));
}

/** What axe-core finds: evaluated by the debugger, so that the page's policy need not be loosened. */
async function checked(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }));
  return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")}`);
}

try {
  for (const path of pages.map((p) => resolve(p))) {
    for (const [width, scheme, script] of [
      [1280, "light", true], [1280, "dark", true], [390, "light", true], [320, "dark", true],
      [1280, "light", false], [320, "light", false],
    ]) {
      await look(path, width, scheme, script);
    }
    console.log(`report-test: ${basename(path)} passed`);
  }
} finally {
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
