(function () {
  'use strict';
  var search = document.querySelector('.search');
  var input = document.getElementById('query');
  var count = document.getElementById('count');
  var parts = Array.from(document.querySelectorAll('.part'));
  var texts = parts.map(function (part) { return part.textContent.toLowerCase(); });
  function show() {
    var words = input.value.toLowerCase().trim();
    var found = 0;
    var keys = {};
    parts.forEach(function (part, position) {
      var isFound = texts[position].includes(words);
      part.hidden = !isFound;
      if (isFound) { found += 1; keys[part.dataset.node] = true; }
      if (isFound ? words !== '' : false) { reveal(part); }
    });
    document.querySelectorAll('.contents a').forEach(function (link) {
      var part = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      link.parentNode.hidden = part ? part.hidden : false;
    });
    count.textContent = words === '' ? '' : found + ' of ' + parts.length + ' parts';
    document.querySelectorAll('.picture .node').forEach(function (node) {
      node.classList.toggle('other', words !== '' ? !keys[node.id] : false);
    });
    document.querySelectorAll('.picture .edge').forEach(function (edge) {
      edge.classList.toggle('other', words !== '');
    });
  }
  if (search) {
    search.hidden = false;
    search.addEventListener('submit', function (event) { event.preventDefault(); });
    input.addEventListener('input', show);
    input.addEventListener('keydown', function (event) {
      if (event.key === 'Escape') { input.value = ''; show(); }
    });
  }
  function enlarge(scroll) {
    var svg = scroll.querySelector('svg');
    var tools = scroll.parentNode.querySelector('.tools');
    var natural = svg.viewBox.baseVal.width * 4 / 3;
    function scale() { return svg.getBoundingClientRect().width / natural; }
    function fit() { svg.style.width = ''; svg.style.maxWidth = ''; }
    function zoom(factor, x, y) {
      var frame = scroll.getBoundingClientRect();
      var before = scale();
      var after = Math.min(4, Math.max(0.05, before * factor));
      var left = x === undefined ? frame.width / 2 : x - frame.left;
      var top = y === undefined ? frame.height / 2 : y - frame.top;
      var across = scroll.scrollLeft + left;
      var down = scroll.scrollTop + top;
      svg.style.maxWidth = 'none';
      svg.style.width = natural * after + 'px';
      scroll.scrollLeft = across * after / before - left;
      scroll.scrollTop = down * after / before - top;
    }
    tools.hidden = false;
    tools.addEventListener('click', function (event) {
      var kind = event.target.dataset.zoom;
      if (kind === 'in') { zoom(1.4); }
      if (kind === 'out') { zoom(1 / 1.4); }
      if (kind === 'fit') { fit(); }
    });
    scroll.addEventListener('keydown', function (event) {
      if (event.ctrlKey || event.metaKey) { return; }
      if (event.key === '+' || event.key === '=') { zoom(1.4); event.preventDefault(); }
      if (event.key === '-') { zoom(1 / 1.4); event.preventDefault(); }
      if (event.key === '0') { fit(); event.preventDefault(); }
    });
    scroll.addEventListener('wheel', function (event) {
      if (!event.ctrlKey) { return; }
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
    }, { passive: false });
    drag(scroll, zoom);
  }
  function drag(scroll, zoom) {
    var points = new Map();
    var moved = 0;
    function distance() {
      var ends = Array.from(points.values());
      return Math.hypot(ends[0].x - ends[1].x, ends[0].y - ends[1].y);
    }
    scroll.addEventListener('pointerdown', function (event) {
      points.set(event.pointerId, { x: event.clientX, y: event.clientY });
      moved = 0;
    });
    scroll.addEventListener('pointermove', function (event) {
      var point = points.get(event.pointerId);
      if (!point) { return; }
      var next = { x: event.clientX, y: event.clientY };
      if (points.size === 2) {
        var before = distance();
        points.set(event.pointerId, next);
        var ends = Array.from(points.values());
        zoom(distance() / Math.max(1, before), (ends[0].x + ends[1].x) / 2, (ends[0].y + ends[1].y) / 2);
      } else if (event.pointerType === 'mouse') {
        scroll.classList.add('dragged');
        scroll.scrollLeft -= next.x - point.x;
        scroll.scrollTop -= next.y - point.y;
      }
      moved += Math.abs(next.x - point.x) + Math.abs(next.y - point.y);
      points.set(event.pointerId, next);
    });
    ['pointerup', 'pointercancel', 'pointerleave'].forEach(function (kind) {
      scroll.addEventListener(kind, function (event) {
        points.delete(event.pointerId);
        scroll.classList.remove('dragged');
      });
    });
    // A drag that ends on a box is no click on it.
    scroll.addEventListener('click', function (event) {
      if (moved > 5) { event.stopPropagation(); }
    }, true);
  }
  function reveal(part) {
    var details = part.closest('details');
    if (details) { details.open = true; }
    part.hidden = false;
  }
  document.querySelectorAll('.picture .scroll').forEach(enlarge);
  document.querySelectorAll('.picture .node').forEach(function (node) {
    var part = document.querySelector('[data-node="' + node.id + '"]');
    if (!part) { return; }
    node.style.cursor = 'pointer';
    node.addEventListener('click', function () { reveal(part); location.hash = part.id; });
  });
  window.addEventListener('hashchange', function () {
    var part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (part) { reveal(part); }
    var node = part ? document.getElementById(part.dataset.node) : null;
    var scroll = node ? node.closest('.scroll') : null;
    if (!scroll) { return; }
    var box = node.getBoundingClientRect();
    var frame = scroll.getBoundingClientRect();
    scroll.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
    scroll.scrollTop += box.top + box.height / 2 - frame.top - frame.height / 2;
  });
})();
