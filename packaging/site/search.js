// The search of the site. It reads one file of the site, search-index.js, when the field is used first.
"use strict";
(function () {
  const form = document.querySelector("form[role=search]");
  const field = form.querySelector("input");
  const results = document.getElementById("results");
  const status = document.getElementById("search-status");
  const root = document.documentElement.dataset.root;
  const limit = 20;
  form.hidden = false;

  function load() {
    if (window.searchIndex || document.getElementById("index")) return;
    const script = document.createElement("script");
    script.id = "index";
    script.src = root + "search-index.js";
    script.addEventListener("load", show);
    document.head.append(script);
  }

  // Every word has to be in the section. Words in the title count most, then words in the heading.
  function rank(entry, words) {
    let sum = 0;
    for (const word of words) {
      const inTitle = entry.t.toLowerCase().includes(word);
      const inHeading = entry.h.toLowerCase().includes(word);
      const inText = entry.x.toLowerCase().includes(word);
      if (!inTitle && !inHeading && !inText) return 0;
      sum += (inTitle ? 6 : 0) + (inHeading ? 4 : 0) + (inText ? 1 : 0);
    }
    return sum;
  }

  // A piece of the text around the first word, with the words marked.
  function excerpt(text, words) {
    const paragraph = document.createElement("p");
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
    let rest = (at > 0 ? "… " : "") + text.slice(at, at + 180) + (text.length > at + 180 ? " …" : "");
    while (rest) {
      const places = words.map((word) => [rest.toLowerCase().indexOf(word), word]).filter(([place]) => place >= 0);
      if (!places.length) break;
      places.sort((a, b) => a[0] - b[0] || b[1].length - a[1].length);
      const [place, word] = places[0];
      const mark = document.createElement("mark");
      mark.textContent = rest.slice(place, place + word.length);
      paragraph.append(rest.slice(0, place), mark);
      rest = rest.slice(place + word.length);
    }
    paragraph.append(rest);
    return paragraph;
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.replaceChildren();
    results.hidden = words.length === 0 || !window.searchIndex;
    status.textContent = "";
    if (results.hidden) return;
    const found = window.searchIndex
      .map((entry) => [rank(entry, words), entry])
      .filter(([sum]) => sum > 0)
      .sort((a, b) => b[0] - a[0]);
    status.textContent = found.length === 0 ? "No section has all these words." : found.length === 1
      ? "1 section" : found.length + " sections" + (found.length > limit ? ", the first " + limit + " of them below" : "");
    const list = document.createElement("ol");
    for (const [, entry] of found.slice(0, limit)) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = root + entry.u;
      link.textContent = entry.h && entry.h !== entry.t ? entry.t + ": " + entry.h : entry.t;
      item.append(link, excerpt(entry.x, words));
      list.append(item);
    }
    if (found.length) results.append(list);
  }

  field.addEventListener("focus", load);
  field.addEventListener("input", function () {
    load();
    show();
  });
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    load();
    show();
  });
})();
