// Opens a report page in headless Chromium at desktop and phone width, uses it, and takes screenshots.
//   npm install playwright-core        (anywhere on NODE_PATH, or in the current folder)
//   node tools/check-report.mjs DIR/report.html SCREENSHOT-FOLDER
// Fails when the page asks the network for anything, logs an error, is wider than the screen, or its
// filter and sort do not work. Needs a report of at least two files. CHROMIUM overrides /usr/bin/chromium.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { mkdirSync } from "node:fs";
import assert from "node:assert/strict";

const require = createRequire(resolve(process.cwd(), "package.json"));
const { chromium } = require("playwright-core");
const [page_path, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

async function check(name, width, height, scheme, isMobile) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, isMobile, hasTouch: isMobile,
    deviceScaleFactor: isMobile ? 2 : 1 });
  const page = await context.newPage();
  const requests = [], errors = [];
  page.on("request", (r) => { if (!r.url().startsWith("file:")) requests.push(r.url()); });
  page.on("console", (m) => { if (m.type() === "error") errors.push(m.text()); });
  page.on("pageerror", (e) => errors.push(String(e)));
  await page.goto("file://" + resolve(page_path));
  await page.waitForSelector("html[data-ready=yes]");
  await page.waitForSelector("#scatter canvas");
  const rows = () => page.locator("#files tbody tr").count();
  const all = await rows();
  assert.ok(all >= 2, "files are listed");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${name}: the page is ${wide} px wider than the screen`);
  await page.screenshot({ path: `${out}/${name}.png`, fullPage: true });

  const first = () => page.locator("#files tbody tr td").first().innerText();
  const top = await first();
  await page.locator("#order").click();
  assert.notEqual(await first(), top, "the order turns round");
  await page.locator("#find").fill(top.split("\n")[0]);
  assert.ok((await rows()) < all || all === 1, "the filter filters");
  await page.locator("#find").fill("no file has this name");
  assert.equal(await rows(), 0);
  await page.locator("#find").fill("");
  await page.locator("#state").selectOption("none");
  const none = await rows();
  await page.locator("#state").selectOption("every");
  assert.ok(none + (await rows()) <= all);
  await page.locator("#metric").selectOption("2");
  await page.locator("#tool-x").selectOption({ index: 0 });
  assert.deepEqual(requests, [], "no network");
  assert.deepEqual(errors, [], "no errors");
  await context.close();
}

await check("desktop", 1280, 900, "light", false);
await check("desktop-dark", 1280, 900, "dark", false);
await check("phone", 390, 844, "light", true);
await check("phone-small", 320, 640, "dark", true);
await browser.close();
console.log("report page: all checks passed");
