// Draws the charts of a published page from the specifications that stand in it, and the chart of a page in the editor's
// frame from those that the editor sends.
//
// A specification is what somebody wrote and is treated so: expressions are interpreted, never compiled, so the page
// needs no `eval`; the loader refuses every address, so a chart can hold its data and nothing else can be asked for;
// it gets no inputs of its own and hears no events but those of its own picture.
(() => {
  "use strict";
  const { View, parse, compile, expressionInterpreter } = globalThis.codriveVega;

  const LARGEST = 2 ** 20; // characters
  const NARROW = 480; // pixels, below which a legend beside the chart would leave it too little
  const EVENTS = { bind: "none", selector: false, window: ["resize"], timer: false };
  const SIDE_BY_SIDE = ["facet", "repeat", "concat", "hconcat", "vconcat"];
  const refuse = () => Promise.reject(new Error("a chart loads nothing: put the data into it"));
  const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const joined = (value) => (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string").join(" ");

  function described(spec) {
    const title = isObject(spec.title) ? spec.title.text : spec.title;
    return joined(spec.description) || joined(title) || "Chart";
  }

  function styled(element) {
    const colour = (name) => getComputedStyle(element).getPropertyValue(name).trim();
    const ink = colour("--ink");
    const faint = colour("--faint");
    const line = colour("--line");
    const font = getComputedStyle(document.body).fontFamily;
    return {
      background: "transparent",
      font,
      title: { color: ink, fontSize: 15, fontWeight: 600, anchor: "start", subtitleColor: faint, offset: 12 },
      axis: { labelColor: faint, titleColor: faint, gridColor: line, domainColor: line, tickColor: line, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500 },
      legend: { labelColor: faint, titleColor: faint, labelFontSize: 12, titleFontSize: 12, ...(element.clientWidth < NARROW ? { orient: "top", direction: "horizontal" } : {}) },
      header: { labelColor: faint, titleColor: ink },
      view: { stroke: "transparent", continuousHeight: 260 },
      mark: { color: colour("--accent") },
      text: { color: ink },
      rule: { color: faint },
      range: { category: ["--chart-1", "--chart-2", "--chart-3", "--chart-4", "--chart-5", "--chart-6"].map(colour) },
    };
  }

  function fitted(spec) {
    const plain = !SIDE_BY_SIDE.some((name) => name in spec);
    const parted = isObject(spec.encoding) && ["row", "column", "facet"].some((name) => name in spec.encoding);
    return plain && !parted && !("width" in spec) ? { ...spec, width: "container", autosize: { type: "fit-x", contains: "padding" } } : spec;
  }

  async function drawn(figure, source, before) {
    if (source.length > LARGEST) throw new Error("the specification is too large");
    const spec = JSON.parse(source);
    if (!isObject(spec)) throw new Error("the specification is no object");
    const canvas = document.createElement("div");
    canvas.className = "drawing";
    figure.prepend(canvas);
    try {
      const made = compile(fitted(spec), { config: styled(figure) }).spec;
      made.config = { ...made.config, events: EVENTS };
      made.description = described(spec);
      const view = new View(parse(made, undefined, { ast: true }), {
        expr: expressionInterpreter,
        loader,
        logLevel: 0,
        renderer: "svg",
        hover: true,
      });
      await view.initialize(canvas).runAsync();
      before?.finalize();
      before?.container()?.remove();
      return view;
    } catch (fault) {
      canvas.remove();
      throw fault;
    }
  }

  /** Put the specification, which stood for the chart, behind a line that opens. */
  function folded(code) {
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = "Specification";
    details.append(summary);
    code.replaceWith(details);
    details.append(code);
  }

  const words = (fault) => `This chart cannot be drawn: ${fault instanceof Error ? fault.message : "it is damaged"}`;

  function told(figure, fault) {
    const caption = document.createElement("figcaption");
    caption.textContent = words(fault);
    figure.append(caption);
  }

  async function show(figure) {
    const code = figure.querySelector("pre");
    try {
      let view = await drawn(figure, code.textContent);
      folded(code);
      figure.dataset.drawn = "yes";
      dark.addEventListener("change", async () => {
        view = await drawn(figure, code.textContent, view);
      });
    } catch (fault) {
      told(figure, fault);
      figure.dataset.drawn = "no";
    }
  }

  /** Draw what the page around this one sends; what was drawn last stays while the next cannot be. */
  function follow(figure, status) {
    let specification = null;
    let view = null;
    let drawing = Promise.resolve();
    const draw = async () => {
      try {
        view = await drawn(figure, specification, view);
        status.textContent = "";
        figure.dataset.drawn = "yes";
      } catch (fault) {
        status.textContent = words(fault);
        figure.dataset.drawn = "no";
      }
    };
    const again = () => {
      if (specification !== null) drawing = drawing.then(draw);
    };
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== parent || origin !== location.origin || typeof data !== "string") return;
      specification = data;
      again();
    });
    dark.addEventListener("change", again);
  }

  const followed = document.querySelector("[data-followed]");
  if (followed) follow(followed, document.querySelector(".fault"));
  for (const figure of document.querySelectorAll('figure[data-chart="vega-lite"]')) show(figure);
})();
