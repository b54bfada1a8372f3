/** How the panel looks. The page's own style cannot reach it, nor it the page. */
export const STYLE = `
:host { all: initial; }
.panel {
  position: fixed; inset: auto 12px 12px auto; z-index: 2147483647; width: min(380px, calc(100vw - 24px));
  max-height: 50vh; overflow: auto; padding: 10px 12px; border-radius: 10px;
  font: 12px/1.45 system-ui, sans-serif; color: #e8eaed; background: #16181dee; box-shadow: 0 4px 24px #0006;
}
header { font-weight: 600; }
.turn { margin-top: 8px; }
summary { cursor: pointer; }
summary b { margin-right: 8px; }
summary span, .by { color: #9aa0a6; }
.bar { position: relative; height: 10px; margin-top: 4px; border-radius: 3px; overflow: hidden; background: #2a2d34; }
.bar i { position: absolute; top: 0; bottom: 0; }
.part-0 { background: #6b7280; }
.part-1 { background: #d29922; }
.part-2 { background: #4a8fd6; }
.part-3 { background: #3fa66b; }
.timings { display: grid; grid-template-columns: 1fr auto auto; gap: 0 12px; margin: 6px 0 0; }
.timings dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
`;
