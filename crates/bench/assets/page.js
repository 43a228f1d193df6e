// The report page: reads the embedded results, draws tables and charts, filters and sorts.
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SAFE = 0, UNSAFE = 1, UNKNOWN = 2; // verdicts, as numbered in the data
  const FAILED = 2; // a certificate whose check failed
  const WORDS = ["safe", "unsafe", "unknown"];
  const COLOURS = ["#2f6fde", "#d9820f", "#1b9a6c", "#b03fa8", "#c43c3c", "#7a6a1f", "#3f8f9f", "#6b5bd2"];
  const PAGE = 200;
  const byId = (id) => document.getElementById(id);

  // Cells as objects; `files[i].cells[t]` is null when the tool did not run the file.
  const files = data.files.map(([name, set, expected, cells]) => ({
    name, set, expected,
    cells: cells.map((c) => c && {
      verdict: c[0], wall: c[1], cpu: c[2], peak: c[3], certificate: c[4], reason: c[5], log: c[6], page: c[7],
      wrong: c[0] !== UNKNOWN && expected !== UNKNOWN && c[0] !== expected,
    }),
  }));
  for (const file of files) {
    const answers = new Set(file.cells.filter((c) => c && c.verdict !== UNKNOWN).map((c) => c.verdict));
    if (file.expected !== UNKNOWN) answers.add(file.expected);
    file.contradiction = answers.size > 1;
    file.failed = file.cells.some((c) => c && c.certificate === FAILED);
    for (const c of file.cells) {
      if (c) c.solved = c.verdict !== UNKNOWN && !c.wrong && c.certificate !== FAILED;
    }
    file.solved = file.cells.filter((c) => c && c.solved).length;
  }

  function element(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value);
    }
    node.append(...children.filter((c) => c !== null && c !== undefined));
    return node;
  }
  function seconds(t) {
    return t < 10 ? t.toFixed(2) + " s" : t < 100 ? t.toFixed(1) + " s" : Math.round(t).toLocaleString("en") + " s";
  }
  function metric(cell) {
    return byId("metric").value === "2" ? cell.cpu : cell.wall;
  }
  function verdictText(cell) {
    return cell.verdict === UNKNOWN ? cell.reason || "unknown" : WORDS[cell.verdict];
  }
  function chip(cell) {
    const kind = cell.wrong || cell.certificate === FAILED ? "wrong" : WORDS[cell.verdict];
    const text = verdictText(cell) + (cell.certificate === 1 ? " ✓" : cell.certificate === FAILED ? " ✗" : "");
    const title = [verdictText(cell), seconds(cell.wall) + " wall", seconds(cell.cpu) + " processor",
      Math.round(cell.peak / 1048576) + " MB", ["", "certificate checked", "certificate failed"][cell.certificate]];
    const attributes = { class: "chip " + kind, title: title.filter(Boolean).join(", ") };
    const target = cell.page || cell.log;
    const shown = target ? element("a", { ...attributes, href: target }, text) : element("span", attributes, text);
    if (!cell.page || !cell.log) return shown;
    // The verdict leads to the page that explains it; the log is one step aside.
    return element("span", {}, shown, " ", element("a", { class: "log", href: cell.log }, "log"));
  }

  function drawAlerts() {
    const bad = files.filter((f) => f.contradiction || f.failed);
    const box = element("div", { class: "box " + (bad.length ? "bad" : "good") });
    if (!bad.length) {
      box.append("No contradiction between answers and expected verdicts or between tools, no failed certificate.");
    } else {
      const list = element("ul");
      for (const file of bad.slice(0, 100)) {
        const item = element("li", {}, file.name + " ");
        if (file.expected !== UNKNOWN) item.append("(expected " + WORDS[file.expected] + ") ");
        file.cells.forEach((cell, t) => {
          if (cell && (cell.verdict !== UNKNOWN || cell.certificate === FAILED)) {
            item.append(element("span", { class: "pair" }, data.tools[t].name + " ", chip(cell)), " ");
          }
        });
        list.append(item);
      }
      const title = bad.length + (bad.length === 1 ? " file" : " files") + " with contradictions or failed certificates";
      box.append(element("h2", {}, title), list);
      if (bad.length > 100) box.append("The rest is in the table below.");
    }
    byId("alerts").replaceChildren(box);
  }

  function table(target, header, rows) {
    const head = element("tr", {}, ...header.map((h) => element("th", {}, h)));
    byId(target).replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  }

  function drawTools() {
    const rows = data.tools.map((tool, t) => {
      const cells = files.map((f) => f.cells[t]).filter(Boolean);
      const count = (test) => cells.filter(test).length;
      const wrong = count((c) => c.wrong);
      const failed = count((c) => c.certificate === FAILED);
      const alone = files.filter((f) => f.solved === 1 && f.cells[t] && f.cells[t].solved).length;
      const solved = cells.filter((c) => c.solved);
      const values = [solved.length + " / " + cells.length, count((c) => c.solved && c.verdict === SAFE),
        count((c) => c.solved && c.verdict === UNSAFE), alone, count((c) => c.certificate === 1), failed, wrong,
        count((c) => c.reason === "timeout"), count((c) => /^(crash|exit code|error|conflicting|no verdict|no output)/.test(c.reason || "")),
        seconds(solved.reduce((sum, c) => sum + c.cpu, 0)),
        Math.round(Math.max(0, ...cells.map((c) => c.peak)) / 1048576) + " MB"];
      const name = element("td", { title: tool.command }, element("b", {}, tool.name));
      return element("tr", {}, name, ...values.map((v, i) =>
        element("td", { class: (i === 5 && failed) || (i === 6 && wrong) ? "bad" : i === 0 ? "best" : null }, String(v))));
    });
    table("tools", ["tool", "solved", "safe", "unsafe", "alone", "checked", "failed cert.", "wrong", "timeouts", "errors",
      "time on solved", "peak memory"], rows);
  }

  function drawSets() {
    const rows = data.sets.map((set, s) => {
      const mine = files.filter((f) => f.set === s);
      const solved = data.tools.map((_, t) => mine.filter((f) => f.cells[t] && f.cells[t].solved).length);
      const best = Math.max(...solved);
      return element("tr", {}, element("td", {}, set), element("td", {}, String(mine.length)),
        ...solved.map((n) => element("td", { class: n === best && n > 0 ? "best" : null }, String(n))));
    });
    table("sets", ["set", "files", ...data.tools.map((t) => t.name)], rows);
  }

  // Charts.
  const charts = {};
  function axes(xLabel, yLabel) {
    const style = getComputedStyle(document.documentElement);
    const base = { stroke: style.getPropertyValue("--muted"), labelSize: 20, font: "12px system-ui, sans-serif",
      labelFont: "12px system-ui, sans-serif", grid: { stroke: style.getPropertyValue("--line"), width: 1 },
      ticks: { stroke: style.getPropertyValue("--line"), width: 1 } };
    return [{ ...base, label: xLabel, size: 36 }, { ...base, label: yLabel, size: 52 }];
  }
  const logTicks = (u, splits) => splits.map((v) => (/^1(0*)$|^0\.0*1$/.test(String(v)) ? String(v) : ""));
  function show(id, options, values) {
    if (charts[id]) charts[id].destroy();
    const width = byId(id).clientWidth;
    charts[id] = new uPlot({ ...options, width, height: Math.round(Math.min(400, Math.max(280, width * 0.75))) }, values, byId(id));
  }

  function drawCactus() {
    const sorted = data.tools.map((_, t) => files.map((f) => f.cells[t]).filter((c) => c && c.solved)
      .map((c) => Math.max(metric(c), 0.01)).sort((a, b) => a - b));
    const most = Math.max(1, ...sorted.map((s) => s.length));
    const xs = Array.from({ length: most }, (_, i) => i + 1);
    const [x, y] = axes("files solved", "seconds for the slowest of them");
    const series = data.tools.map((tool, t) => ({ label: tool.name, stroke: COLOURS[t % COLOURS.length], width: 2,
      dash: t >= COLOURS.length ? [6, 4] : undefined, points: { show: sorted[t].length < 60, size: 5 },
      value: (_, v) => (v === null || v === undefined ? "–" : seconds(v)) }));
    show("cactus", { scales: { x: { time: false }, y: { distr: 3 } }, axes: [x, { ...y, values: logTicks }],
      series: [{ label: "solved" }, ...series], cursor: { drag: { x: true, y: false } } },
    [xs, ...sorted.map((s) => xs.map((_, i) => (i < s.length ? s[i] : null)))]);
  }

  function drawScatter() {
    const a = Number(byId("tool-x").value), b = Number(byId("tool-y").value);
    const limit = Math.max(1, data.limit);
    const place = (c) => (c.solved ? Math.min(Math.max(metric(c), 0.01), limit) : limit * 1.25);
    const points = files.filter((f) => f.cells[a] && f.cells[b] && (f.cells[a].solved || f.cells[b].solved || f.contradiction))
      .map((f) => ({ file: f, x: place(f.cells[a]), y: place(f.cells[b]),
        kind: f.contradiction ? 2 : [f.cells[a], f.cells[b]].find((c) => c.solved)?.verdict ?? 2 }))
      .sort((p, q) => p.x - q.x);
    const colours = [COLOURS[2], COLOURS[0], "#c43c3c"];
    const labels = ["safe", "unsafe", "contradiction"];
    const [x, y] = axes(data.tools[a].name + ", seconds", data.tools[b].name + ", seconds");
    const lines = (u) => {
      const style = getComputedStyle(document.documentElement);
      const at = (v, scale) => u.valToPos(v, scale, true);
      u.ctx.save();
      u.ctx.strokeStyle = style.getPropertyValue("--muted");
      u.ctx.lineWidth = devicePixelRatio;
      const line = (x0, y0, x1, y1) => {
        u.ctx.beginPath();
        u.ctx.moveTo(at(x0, "x"), at(y0, "y"));
        u.ctx.lineTo(at(x1, "x"), at(y1, "y"));
        u.ctx.stroke();
      };
      line(0.008, 0.008, limit * 1.25, limit * 1.25);
      u.ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
      line(limit * 1.25, 0.008, limit * 1.25, limit * 1.25);
      line(0.008, limit * 1.25, limit * 1.25, limit * 1.25);
      u.ctx.restore();
    };
    const range = () => [0.008, limit * 1.6];
    show("scatter", {
      scales: { x: { time: false, distr: 3, range }, y: { distr: 3, range } },
      axes: [{ ...x, values: logTicks }, { ...y, values: logTicks }],
      series: [{}, ...labels.map((label, k) => ({ label, stroke: colours[k], fill: colours[k] + "66", paths: () => null,
        points: { show: true, size: 7, fill: colours[k] + "66", stroke: colours[k], width: 1 } }))],
      cursor: { drag: { x: false, y: false }, x: false, y: false, points: { show: false } },
      legend: { live: false }, hooks: { drawClear: [lines] },
    }, [points.map((p) => p.x), ...labels.map((_, k) => points.map((p) => (p.kind === k ? p.y : null)))]);
    const chart = charts.scatter;
    const nearest = (event) => {
      const bounds = chart.over.getBoundingClientRect();
      let best = null, least = 400;
      for (const p of points) {
        const dx = chart.valToPos(p.x, "x") - (event.clientX - bounds.left);
        const dy = chart.valToPos(p.y, "y") - (event.clientY - bounds.top);
        if (dx * dx + dy * dy < least) { least = dx * dx + dy * dy; best = p; }
      }
      return best;
    };
    chart.over.addEventListener("pointermove", (event) => {
      const p = nearest(event);
      if (p) {
        byId("point").textContent = p.file.name + ": " + [a, b].map((t) => data.tools[t].name + " " +
          verdictText(p.file.cells[t]) + " " + seconds(metric(p.file.cells[t]))).join(", ");
      }
    });
    chart.over.addEventListener("click", (event) => {
      const p = nearest(event);
      if (p) {
        byId("find").value = p.file.name;
        drawFiles();
        byId("files-section").scrollIntoView();
      }
    });
  }

  // The table of files.
  let shown = PAGE, down = false;
  function selected() {
    const text = byId("find").value.trim().toLowerCase();
    const set = byId("set").value, state = byId("state").value;
    const states = {
      all: () => true,
      alert: (f) => f.contradiction || f.failed,
      every: (f) => f.solved > 0 && f.cells.every((c) => c && c.solved),
      some: (f) => f.solved > 0 && !f.cells.every((c) => c && c.solved),
      none: (f) => f.solved === 0,
    };
    const found = (f) => !text || f.name.toLowerCase().includes(text) ||
      f.cells.some((c) => c && verdictText(c).toLowerCase().includes(text));
    return files.filter((f) => (set === "" || f.set === Number(set)) && states[state](f) && found(f));
  }
  function compare(key) {
    const names = (f, g) => (f.name < g.name ? -1 : f.name > g.name ? 1 : 0);
    if (key === "name") return names;
    if (key === "set") return (f, g) => f.set - g.set || names(f, g);
    if (key === "expected") return (f, g) => f.expected - g.expected || names(f, g);
    const t = Number(key);
    const time = (f) => (!f.cells[t] ? 2e9 : f.cells[t].solved ? metric(f.cells[t]) : 1e9 + metric(f.cells[t]));
    return (f, g) => time(f) - time(g) || names(f, g);
  }
  function drawFiles() {
    const rows = selected().sort(compare(byId("sort").value));
    if (down) rows.reverse();
    byId("order").textContent = down ? "↓" : "↑";
    const cell = (f, t) => {
      const c = f.cells[t];
      return element("td", { "data-label": data.tools[t].name }, c ? element("span", {}, chip(c),
        element("span", { class: "time muted" }, seconds(metric(c)))) : "–");
    };
    const keys = ["name", "expected", ...data.tools.map((_, t) => String(t))];
    const titles = ["file", "expected", ...data.tools.map((t) => t.name)];
    const head = element("tr", {}, ...keys.map((key, i) => {
      const th = element("th", { class: byId("sort").value === key ? (down ? "down" : "up") : null }, titles[i]);
      th.addEventListener("click", () => {
        down = byId("sort").value === key ? !down : false;
        byId("sort").value = key;
        drawFiles();
      });
      return th;
    }));
    const body = rows.slice(0, shown).map((f) => element("tr", {},
      element("td", {}, f.name, element("br"), element("small", {}, data.sets[f.set])),
      element("td", { "data-label": "expected" }, f.expected === UNKNOWN ? "–" : WORDS[f.expected]),
      ...data.tools.map((_, t) => cell(f, t))));
    byId("files").replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
    byId("count").textContent = rows.length + " of " + files.length + " files";
    byId("more").hidden = rows.length <= shown;
  }

  function options(id, pairs) {
    byId(id).replaceChildren(...pairs.map(([value, text]) => element("option", { value }, text)));
  }
  const toolOptions = data.tools.map((t, i) => [String(i), t.name]);
  byId("meta").textContent = data.meta;
  options("tool-x", toolOptions);
  options("tool-y", toolOptions);
  byId("tool-y").value = String(Math.min(1, data.tools.length - 1));
  options("set", [["", "all"], ...data.sets.map((s, i) => [String(i), s])]);
  options("sort", [["name", "file"], ["set", "set"], ["expected", "expected"], ...toolOptions.map(([v, n]) => [v, "time of " + n])]);
  const redraw = () => { drawCactus(); drawScatter(); drawFiles(); };
  byId("metric").addEventListener("change", redraw);
  for (const id of ["tool-x", "tool-y"]) byId(id).addEventListener("change", drawScatter);
  for (const id of ["find", "set", "state", "sort"]) {
    byId(id).addEventListener("input", () => { shown = PAGE; drawFiles(); });
  }
  byId("order").addEventListener("click", () => { down = !down; drawFiles(); });
  byId("more").addEventListener("click", () => { shown += PAGE; drawFiles(); });
  let width = 0;
  new ResizeObserver(() => {
    if (byId("cactus").clientWidth !== width) {
      width = byId("cactus").clientWidth;
      drawCactus();
      drawScatter();
    }
  }).observe(document.body);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { drawCactus(); drawScatter(); });
  drawAlerts();
  drawTools();
  drawSets();
  drawFiles();
  document.documentElement.dataset.ready = "yes";
})();
