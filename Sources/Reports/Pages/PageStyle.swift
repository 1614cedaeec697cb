/// The style of every page: light and dark, narrow and wide, and for paper.
///
/// The colours of text on its ground have a contrast of 4.5 or more, lines and signs of 3 or more (WCAG 2.2, AA); a test
/// computes both from the variables.
enum PageStyle {
  static let text = """
    :root {
      color-scheme: light dark;
      --ground: #ffffff; --text: #1b1f24; --muted: #4a525c; --card: #f5f7f9; --line: #767f8c; --link: #0b57a4;
      --added: #135c26; --added-ground: #e3f6e5;
      --removed: #8f1717; --removed-ground: #fbe6e6;
      --changed: #6b4700; --changed-ground: #fdf3d7;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #14171b; --text: #e8eaed; --muted: #b3bac4; --card: #1e2329; --line: #7b8594; --link: #8ec3ff;
        --added: #9be3ac; --added-ground: #16301d;
        --removed: #ffb0ab; --removed-ground: #3a1a1a;
        --changed: #f2cf85; --changed-ground: #33280f;
      }
    }
    * { box-sizing: border-box; }
    html { scroll-padding-top: 1rem; }
    body { margin: 0 auto; padding: 0 1rem 3rem; max-width: 110rem; background: var(--ground); color: var(--text);
      font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; overflow-wrap: anywhere; }
    h1 { margin: 1.5rem 0 0.25rem; font-size: 1.7rem; line-height: 1.25; }
    h2 { margin: 1.5rem 0 0.5rem; font-size: 1.3rem; line-height: 1.3; }
    h3 { margin: 0 0 0.25rem; font-size: 1.05rem; line-height: 1.4; }
    p { margin: 0.25rem 0; }
    a { color: var(--link); }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    header p, .muted { color: var(--muted); }
    .skip { position: absolute; left: -100rem; padding: 0.5rem 1rem; background: var(--ground); }
    .skip:focus { left: 1rem; top: 0.5rem; z-index: 1; }
    .search { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin: 1rem 0; }
    .search[hidden] { display: none; }
    .search input { min-width: 16rem; padding: 0.4rem 0.6rem; font: inherit; color: var(--text);
      background: var(--ground); border: 1px solid var(--line); border-radius: 4px; }
    .search p { margin: 0; color: var(--muted); }
    button { padding: 0.4rem 0.8rem; font: inherit; color: var(--text); background: var(--card);
      border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
    .picture { margin: 1rem 0; }
    .picture .scroll { overflow: auto; max-height: 85vh; border: 1px solid var(--line); border-radius: 4px;
      background: var(--ground); cursor: grab; touch-action: pan-x pan-y; }
    .picture .scroll.dragged { cursor: grabbing; user-select: none; }
    .picture svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
    .picture figcaption { margin-top: 0.5rem; color: var(--muted); font-size: 0.9rem; }
    .tools { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0.5rem 0; }
    .tools[hidden] { display: none; }
    .tools button { min-width: 2.5rem; }
    .grid { columns: 24rem; column-gap: 0.75rem; }
    .part li ul { color: var(--muted); font-size: 0.9rem; list-style: none; padding-left: 0; margin: 0; }
    .whole { margin: 1.5rem 0; }
    .whole summary { padding: 0.5rem 0.9rem; font-weight: 600; background: var(--card); border: 1px solid var(--line);
      border-radius: 4px; cursor: pointer; }
    .graph > polygon { fill: var(--ground); stroke: none; }
    .graph text { fill: var(--text); }
    .node > path, .node > polygon { fill: var(--card); stroke: var(--line); }
    .node g > polygon, .node polyline { stroke: var(--line); }
    .edge path { stroke: var(--muted); }
    .edge polygon { stroke: var(--muted); fill: var(--ground); }
    .edge ellipse, .edge polyline { stroke: var(--muted); fill: var(--ground); }
    .node.added > polygon { fill: var(--added-ground); stroke: var(--added); }
    .node.removed > polygon { fill: var(--removed-ground); stroke: var(--removed); }
    .node.changed > polygon { fill: var(--changed-ground); stroke: var(--changed); }
    .edge.added path, .edge.added polyline, .edge.added ellipse, .edge.added polygon { stroke: var(--added); }
    .edge.removed path, .edge.removed polyline, .edge.removed ellipse, .edge.removed polygon {
      stroke: var(--removed); }
    .edge.changed path, .edge.changed polyline, .edge.changed ellipse, .edge.changed polygon {
      stroke: var(--changed); }
    .node.other, .edge.other { opacity: 0.25; }
    .contents { columns: 16rem; column-gap: 2.5rem; margin: 0.5rem 0 1rem; padding-left: 1.2rem; }
    .part { margin: 0 0 0.75rem; padding: 0.6rem 0.9rem; background: var(--card); border: 1px solid var(--line);
      border-radius: 4px; break-inside: avoid; }
    .part[hidden] { display: none; }
    .part ul { margin: 0.25rem 0 0; padding-left: 1.2rem; }
    .part.added, .legend .added { background: var(--added-ground); border: 3px solid var(--added); }
    .part.removed, .legend .removed { background: var(--removed-ground); border: 2px dashed var(--removed); }
    .part.changed, .legend .changed { background: var(--changed-ground); border: 2px dotted var(--changed); }
    .part:target { outline: 3px solid var(--link); }
    .legend { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.5rem 0; padding: 0; list-style: none; }
    .legend li { padding: 0.1rem 0.6rem; border-radius: 4px; color: var(--text); }
    table { border-collapse: collapse; margin: 0.75rem 0; }
    caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
    th, td { padding: 0.3rem 0.75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
    thead th { background: var(--card); }
    td.number { text-align: right; font-variant-numeric: tabular-nums; }
    .wide { overflow-x: auto; }
    @media (min-width: 64rem) {
      .columns { display: grid; grid-template-columns: minmax(0, 3fr) minmax(24rem, 2fr); gap: 0 2rem;
        align-items: start; }
      .columns .picture { position: sticky; top: 0; }
    }
    @media print {
      :root { --ground: #ffffff; --text: #000000; --muted: #333333; --card: #ffffff; --line: #555555; --link: #000000; }
      body { max-width: none; font-size: 10pt; }
      .skip, .search, .contents-nav, .tools { display: none; }
      .columns { display: block; }
      .columns .picture { position: static; }
      .picture .scroll, .columns .picture .scroll { overflow: visible; max-height: none; border: none; }
      .picture svg { width: auto; max-width: 100%; height: auto; max-height: 24cm; }
      .part[hidden] { display: block; }
    }
    @media (forced-colors: active) {
      .graph text { fill: CanvasText; }
    }

    """
}
