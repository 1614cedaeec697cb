/// What searches a page and scales its picture.
///
/// Without it the page says the same. It has neither `<` nor `&`, so that readers of XML take the page.
enum PageScript {
  static let text = """
    (function () {
      'use strict';
      var search = document.querySelector('.search');
      var input = document.getElementById('query');
      var count = document.getElementById('count');
      var parts = Array.from(document.querySelectorAll('.part'));
      var texts = parts.map(function (part) { return part.textContent.toLowerCase(); });
      var scroll = document.querySelector('.picture .scroll');
      function show() {
        var words = input.value.toLowerCase().trim();
        var found = 0;
        var keys = {};
        parts.forEach(function (part, position) {
          var isFound = texts[position].includes(words);
          part.hidden = !isFound;
          if (isFound) { found += 1; keys[part.dataset.node] = true; }
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
      if (scroll) {
        var button = document.getElementById('scale');
        var fit = function (isFit) {
          scroll.classList.toggle('fit', isFit);
          button.textContent = isFit ? 'Show the picture in full size' : 'Fit the picture to the page';
        };
        button.hidden = false;
        button.addEventListener('click', function () { fit(!scroll.classList.contains('fit')); });
        if (scroll.clientWidth > scroll.scrollWidth * 0.5) { fit(true); }
        scroll.scrollLeft = (scroll.scrollWidth - scroll.clientWidth) / 2;
        scroll.scrollTop = (scroll.scrollHeight - scroll.clientHeight) / 2;
        window.addEventListener('hashchange', function () {
          var part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
          var node = part ? document.getElementById(part.dataset.node) : null;
          if (!node) { return; }
          var box = node.getBoundingClientRect();
          var frame = scroll.getBoundingClientRect();
          scroll.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
          scroll.scrollTop += box.top + box.height / 2 - frame.top - frame.height / 2;
        });
        scroll.querySelectorAll('.node').forEach(function (node) {
          var part = document.querySelector('[data-node="' + node.id + '"]');
          if (!part) { return; }
          node.style.cursor = 'pointer';
          node.addEventListener('click', function () { part.hidden = false; location.hash = part.id; });
        });
      }
    })();

    """
}
