// What `web/static/chart.js` draws with: Vega and Vega-Lite, and the interpreter that needs no `eval`.
import { View, parse } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";

globalThis.codriveVega = Object.freeze({ View, parse, compile, expressionInterpreter });
