export const SUMMARY_STYLE = `
:root { color-scheme: light dark; --paper: #f4f6f9; --card: #fff; --ink: #16202c; --soft: #5b6878; --line: #dfe4ea;
  --read: #15795b; --delivered: #3aa981; --sent: #7fb8e6; --accepted: #b9c7d6; --waiting: #d6dde5; --check: #e0a63a;
  --failed: #c8453b; --lost: #e08a6d; --out: #9a86c4; }
@media (prefers-color-scheme: dark) { :root { --paper: #10161d; --card: #19222c; --ink: #e8edf3; --soft: #9aa8b8; --line: #2c3947;
  --read: #35b98d; --delivered: #1f7f60; --sent: #3d7fb5; --accepted: #5d6e80; --waiting: #3a4856; --check: #c98f2a;
  --failed: #e5655b; --lost: #b9684e; --out: #8b76bb; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 3rem; }
h1 { font-size: clamp(1.5rem, 4vw, 2.25rem); line-height: 1.2; margin: .1rem 0 .6rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 .75rem; }
.eyebrow { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; }
.facts { display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; align-items: center; margin: 0; color: var(--soft); overflow-wrap: anywhere; }
.chip { padding: .1rem .7rem; border-radius: 1rem; font-weight: 600; color: var(--ink); background: var(--waiting); }
.chip.open { background: var(--check); color: #16202c; }
.note { margin: .9rem 0 0; padding: .6rem .9rem; border-inline-start: 4px solid var(--check); background: var(--card); border-radius: .3rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin-top: 1rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; padding: 0; border: 0; background: none; margin-top: 1.5rem; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .8rem .9rem; }
.tile b { display: block; font-size: .85rem; font-weight: 500; color: var(--soft); }
.tile strong { display: block; font-size: 1.35rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
small { color: var(--soft); font-size: .85rem; }
.hint { margin: -.4rem 0 .9rem; color: var(--soft); font-size: .9rem; }
table { width: 100%; border-collapse: collapse; }
th { text-align: start; font-size: .8rem; font-weight: 500; color: var(--soft); padding: 0 .5rem .4rem 0; }
td { padding: .5rem .5rem .5rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td b { display: block; font-weight: 600; }
td small { display: block; }
tfoot th, tfoot td { border-top: 2px solid var(--line); padding-top: .5rem; font-weight: 600; font-size: 1rem; color: var(--ink); }
.n { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; padding-inline-end: 0; padding-inline-start: .75rem; }
.wide { width: 34%; }
svg { display: block; }
.bar { width: 100%; height: .8rem; margin-top: .35rem; background: color-mix(in srgb, var(--waiting) 45%, transparent); border-radius: 2px; }
.stack { width: 100%; height: 1.4rem; border-radius: .35rem; margin-bottom: 1rem; }
.strip { margin: 0 0 .9rem; }
.strip figcaption { display: flex; align-items: baseline; gap: .6rem; font-size: .9rem; }
.strip figcaption b { font-weight: 600; }
.strip figcaption span { font-variant-numeric: tabular-nums; }
.strip figcaption small { margin-inline-start: auto; }
.strip svg { width: 100%; height: 3.5rem; border-bottom: 1px solid var(--line); }
.axis { display: flex; justify-content: space-between; gap: .5rem; color: var(--soft); font-size: .8rem; direction: ltr; }
blockquote { margin: 0; padding: .75rem 1rem; background: var(--paper); border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
footer { margin-top: 1.5rem; color: var(--soft); font-size: .85rem; }
.s-read, .e-read rect { fill: var(--read); } .s-delivered, .e-delivered rect { fill: var(--delivered); } .s-sent, .e-sent rect { fill: var(--sent); }
.s-accepted, .s-sending, .e-accepted rect { fill: var(--accepted); } .s-pending { fill: var(--waiting); }
.s-unknown, .s-unresolved { fill: var(--check); } .s-failed, .s-no_account, .e-failed rect { fill: var(--failed); }
.s-rejected, .s-expired { fill: var(--lost); } .s-suppressed, .s-held_out, .s-cancelled { fill: var(--out); }
@media (max-width: 36rem) { main { padding: 1.25rem .75rem 2rem; } section { padding: 1rem; } .tiles { padding: 0; grid-template-columns: repeat(2, 1fr); }
  table .wide { display: none; } }
@media print { :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; }
  body { font-size: 11pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; } main { max-width: none; padding: 0; }
  section, .tile, tr, figure { break-inside: avoid; } section { padding: .75rem; } }
`;
