/** Pages whose libraries replace functions of the browser, load scripts in their own way, or swap the body. */
import { type EarningPage, html, type SilentPage, type Visitor } from './hostile-page.ts';

/** Prototype 1.7.3 adds its own `Array.from`, and methods on arrays, functions and elements. */
const PROTOTYPE = `<script>
  function $A(iterable) {
    if (!iterable) return [];
    if ('toArray' in Object(iterable)) return iterable.toArray();
    var length = iterable.length || 0, results = new Array(length);
    while (length--) results[length] = iterable[length];
    return results;
  }
  Array.from = $A;
  function collect(iterator, context) {
    var results = [];
    for (var at = 0; at < this.length; at++) results.push((iterator || function (x) { return x; }).call(context, this[at], at));
    return results;
  }
  Object.assign(Array.prototype, {
    toArray: function () { return $A(this); },
    collect: collect, map: collect,
    each: function (iterator) { collect.call(this, iterator); return this; },
    clear: function () { this.length = 0; return this; },
    first: function () { return this[0]; },
    last: function () { return this[this.length - 1]; },
    // Prototype 1.6.
    reduce: function () { return this.length > 1 ? this : this[0]; },
    toJSON: function () { return '[' + this.join(', ') + ']'; },
  });
  Function.prototype.bind = function (context) {
    var method = this, args = $A(arguments).slice(1);
    return function () { return method.apply(context, args.concat($A(arguments))); };
  };
  Object.assign(HTMLElement.prototype, {
    remove: function () { this.parentNode.removeChild(this); return this; },
    update: function (content) { this.innerHTML = content; return this; },
    insert: function (content) { this.insertAdjacentHTML('beforeend', content); return this; },
    show: function () { this.style.display = ''; return this; },
    hide: function () { this.style.display = 'none'; return this; },
    observe: function (name, handler) { this.addEventListener(name, handler); return this; },
  });
  document.getElementsByClassName = function (name) { return $A(document.querySelectorAll('.' + name)); };
</script>`;

/** MooTools 1.4.5 with compatibility for 1.2 adds `Array.from`, and its own Element, Event and JSON. */
const MOOTOOLS = `<script>
  Array.from = function (item) {
    if (item == null) return [];
    return typeof item == 'object' && 'length' in item ? Array.prototype.slice.call(item) : [item];
  };
  Function.from = function (item) { return typeof item == 'function' ? item : function () { return item; }; };
  Number.from = function (item) { var number = parseFloat(item); return isFinite(number) ? number : null; };
  (function (Native) {
    window.Element = function (tag, properties) { return Object.assign(document.createElement(tag), properties); };
    window.Element.prototype = Native.prototype;
    Object.assign(Native.prototype, {
      set: function (name, value) { this[name] = value; return this; },
      get: function (name) { return this[name]; },
      inject: function (element) { element.appendChild(this); return this; },
      dispose: function () { return this.parentNode ? this.parentNode.removeChild(this) : this; },
      hide: function () { this.style.display = 'none'; return this; },
    });
  })(window.Element);
  window.Event = function DOMEvent(event) { this.event = event; };
  window.JSON = { encode: JSON.stringify, decode: JSON.parse, stringify: JSON.stringify, parse: JSON.parse };
  Object.assign(Array.prototype, {
    append: function (other) { this.push.apply(this, other); return this; },
    include: function (item) { if (this.indexOf(item) < 0) this.push(item); return this; },
    flatten: function () { return [].concat.apply([], this); },
    pick: function () { for (var at = 0; at < this.length; at++) if (this[at] != null) return this[at]; return null; },
  });
  String.prototype.contains = function (text) { return this.indexOf(text) > -1; };
</script>`;

/** RequireJS 2.3.6: \`define\` with \`amd\`, and modules that it loads by script elements of its own. */
const REQUIREJS = `<script>
  window.define = function () { define.called = true; };
  define.amd = { jQuery: true };
  window.require = function (addresses) {
    addresses.forEach(function (address) {
      var node = document.createElement('script');
      node.type = 'text/javascript';
      node.charset = 'utf-8';
      node.async = true;
      node.setAttribute('data-requirecontext', '_');
      node.setAttribute('data-requiremodule', address);
      node.src = address;
      document.head.appendChild(node);
    });
  };
</script>`;

/**
 * jQuery 3's \`.html(markup)\`, by which Magento 2 shows a block of its editor: scripts of the markup are made anew, with
 * their address as their only attribute.
 */
function insertedByJquery(markup: string): string {
  return `<div id="block"></div><script>
    (function (block) {
      block.innerHTML = ${JSON.stringify(markup).replaceAll('</', '<\\/')};
      block.querySelectorAll('script').forEach(function (old) {
        var script = document.createElement('script');
        script.src = old.src;
        old.parentNode.removeChild(old);
        document.head.appendChild(script);
      });
    })(document.getElementById('block'));
  </script>`;
}

/**
 * Polyfills and monitoring do these together: a \`fetch\` that reads the address as text (New Relic), promises and timers of
 * their own (zone.js 0.15), \`attachShadow\` and \`define\` with a wrapper (rrweb 2), and old polyfills of core-js 2 that only
 * know what ES2015 knew. The last lines replace what nobody should.
 */
const REPLACED = `<script>
  (function (fetch, setTimeout, attachShadow, define, createElement, Observer) {
    window.fetch = function (input, init) {
      ('' + (input && input.url || input)).split('?')[0].toLowerCase();
      return new Promise(function (resolve, reject) { fetch.call(window, input, init).then(resolve, reject); });
    };
    window.setTimeout = function (callback, ms) {
      var args = [].slice.call(arguments, 2);
      return setTimeout(function () { callback.apply(window, args); }, ms);
    };
    Element.prototype.attachShadow = function () { return attachShadow.apply(this, arguments); };
    customElements.define = function () { return define.apply(customElements, arguments); };
    document.createElement = function () { return createElement.apply(document, arguments); };
    window.IntersectionObserver = function (callback, options) {
      return new Observer(function (entries, observer) { callback(entries.slice(), observer); }, options);
    };
  })(window.fetch, window.setTimeout, Element.prototype.attachShadow, customElements.define, document.createElement, IntersectionObserver);
  Object.assign = function (target) {
    for (var at = 1; at < arguments.length; at++) for (var key in arguments[at]) target[key] = arguments[at][key];
    return target;
  };
  Array.from = function (list) { return [].slice.call(list); };
  Array.prototype.slice = (function (slice) { return function (from, to) { return slice.call(this, from || 0, to === undefined ? this.length : to); }; })(Array.prototype.slice);
  String.prototype[Symbol.iterator] = function () { return this.split('')[Symbol.iterator](); };
  window.String = null; window.Number = null; window.Set = null; window.Reflect = null;
</script>`;

export const REPLACING: EarningPage[] = [
  {
    name: 'Prototype 1.7.3',
    host: 'prototype',
    files: ({ pasted }) => ({ '/': html(pasted, { head: PROTOTYPE }) }),
  },
  {
    name: 'MooTools 1.4.5 with compatibility',
    host: 'mootools',
    files: ({ pasted }) => ({ '/': html(pasted, { head: MOOTOOLS }) }),
  },
  {
    name: 'Magento 2.4: RequireJS, Prototype and a block that jQuery inserts',
    host: 'magento',
    files: ({ pasted }) => ({
      '/': html(insertedByJquery(pasted), { head: REQUIREJS + PROTOTYPE }),
    }),
  },
  {
    name: 'Joomla 3: jQuery in no-conflict mode, and MooTools after the tag has run',
    host: 'joomla',
    files: ({ pasted, zone, script }) => ({
      '/': html(
        `${zone}<script>window.jQuery = function () {}; jQuery.noConflict = function () { return jQuery; };</script>
         ${script.replace(' async', '')}${MOOTOOLS}<p hidden>${pasted.length}</p>`,
      ),
    }),
  },
  {
    name: 'polyfills and monitoring that replace the browser’s functions',
    host: 'replaced',
    files: ({ pasted }) => ({ '/': html(pasted, { head: REPLACED }) }),
  },
];

export const REPLACING_LAYOUT: SilentPage[] = [
  {
    name: 'a script that replaces the positions of all elements',
    host: 'positions',
    files: ({ pasted }) => ({
      '/': html(pasted, {
        head: `<script>Object.defineProperty(HTMLElement.prototype, 'offsetLeft', { get: function () { return 0; } });</script>`,
      }),
    }),
    sentence: 'A script on the page replaces functions of the browser that the tag needs.',
    counted: { decision: 1, 'view no_proof': 1 },
  },
];

/**
 * Turbo Drive 8: a link fetches the page and puts its body in place of the present one. It first shows the page's last
 * copy as a preview, if it has one. Scripts of the new body are made anew.
 */
const TURBO = `<script>
  (function () {
    var copies = {};
    function render(body) {
      body.querySelectorAll('script').forEach(function (old) {
        var script = document.createElement('script');
        script.textContent = old.textContent;
        script.async = false;
        [].forEach.call(old.attributes, function (attribute) { script.setAttribute(attribute.name, attribute.value); });
        old.replaceWith(script);
      });
      document.body.replaceWith(body);
    }
    document.addEventListener('click', function (event) {
      var link = event.target.closest && event.target.closest('a[href^="/"]');
      if (!link) return;
      event.preventDefault();
      copies[location.pathname] = document.body.cloneNode(true);
      history.pushState(null, '', link.href);
      if (copies[location.pathname]) {
        document.documentElement.setAttribute('data-turbo-preview', '');
        render(copies[location.pathname].cloneNode(true));
      }
      fetch(link.href).then(function (reply) { return reply.text(); }).then(function (text) {
        document.documentElement.removeAttribute('data-turbo-preview');
        render(new DOMParser().parseFromString(text, 'text/html').body);
        document.body.setAttribute('data-arrived', location.pathname);
      });
    });
  })();
</script>`;

/** htmx 2: \`hx-get\` fetches a fragment into an element and makes its scripts anew; Back puts the old markup in place. */
const HTMX = `<script>
  addEventListener('DOMContentLoaded', function () {
    var before;
    document.querySelector('[hx-get]').addEventListener('click', function () {
      var target = document.querySelector('main');
      before = target.innerHTML;
      history.pushState({ htmx: true }, '', '/article');
      fetch('/fragment', { headers: { 'HX-Request': 'true' } }).then(function (reply) { return reply.text(); }).then(function (text) {
        target.classList.add('htmx-swapping');
        target.innerHTML = text;
        target.querySelectorAll('script').forEach(function (old) {
          var script = document.createElement('script');
          [].forEach.call(old.attributes, function (attribute) { script.setAttribute(attribute.name, attribute.value); });
          script.textContent = old.textContent;
          script.async = false;
          old.parentNode.insertBefore(script, old);
          old.parentNode.removeChild(old);
        });
        target.classList.remove('htmx-swapping');
      });
    });
    addEventListener('popstate', function () { document.querySelector('main').innerHTML = before; });
  });
</script>`;

async function followAndReturn({ page, open, viewed }: Visitor): Promise<void> {
  await open('/');
  await viewed(1);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.locator('[data-arrived="/next"]').waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.locator('[data-arrived="/"]').waitFor();
  await viewed(2);
}

export const LOADING: EarningPage[] = [
  {
    name: 'RequireJS 2.3.6, which loads the script',
    host: 'requirejs',
    files: ({ zone, scriptUrl }) => ({
      '/': html(`${zone}<script>require([${JSON.stringify(scriptUrl)}]);</script>`, { head: REQUIREJS }),
    }),
  },
  {
    name: 'Turbo Drive 8, whose preview shows a page twice',
    host: 'turbo',
    files: ({ pasted }) => ({
      '/': { body: html(`${pasted}<a href="/next">Next</a>`, { head: TURBO }), delayMs: 500 },
      '/next': html('<a href="/">Home</a>'),
    }),
    visit: followAndReturn,
    // Two visits, and none of the preview's.
    counted: { decision: 2, view: 2, click: 1 },
  },
  {
    name: 'htmx 2, which swaps a fragment in',
    host: 'htmx',
    files: ({ pasted }) => ({
      '/': html('<main><button hx-get="/fragment">Read</button></main>', { head: HTMX }),
      '/fragment': pasted,
    }),
    visit: async ({ page, open }) => {
      await open('/');
      await page.getByRole('button', { name: 'Read' }).click();
    },
  },
];
