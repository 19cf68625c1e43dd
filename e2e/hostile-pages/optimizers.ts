/** Pages whose script optimizer, service worker or cookie banner decides when and how the script runs. */
import { type EarningPage, html, type SilentPage } from './hostile-page.ts';

/**
 * Cloudflare's Rocket Loader: it gives each script another type, except those with `data-cfasync="false"`. Its own script
 * then runs their texts one after the other, when `document.currentScript` is null.
 */
const rocketLoader = (page: string) =>
  page.replaceAll(/<script(?![^>]*data-cfasync="false")/g, '<script type="5f3b-text/javascript"').replace(
    '</body>',
    `<script>
        (async function () {
          for (const script of document.querySelectorAll('[type="5f3b-text/javascript"]'))
            (0, eval)(script.src ? await (await fetch(script.src)).text() : script.textContent);
        })();
      </script></body>`,
  );

/**
 * LiteSpeed Cache 6 with 'Combine External and Inline' and 'Deferred': the text becomes a part of a file of the site, and
 * its loader runs it from a blob after the page has loaded.
 */
const LITESPEED_FILE = '/wp-content/litespeed/js/76774ea2b5d3d03c3f7369a18b0d2357.js';
const LITESPEED = `<script type="litespeed/javascript" data-src="${LITESPEED_FILE}"></script><script>
  addEventListener('load', function () {
    document.querySelectorAll('[type="litespeed/javascript"]').forEach(function (old) {
      fetch(old.dataset.src).then(function (reply) { return reply.text(); }).then(function (text) {
        var script = document.createElement('script');
        script.src = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
        document.head.appendChild(script);
      });
    });
  });
</script>`;

/** Autoptimize 3: one file of the site with all scripts, each in a try, and markup without quotes. */
const AUTOPTIMIZE_FILE = '/wp-content/cache/autoptimize/js/autoptimize_9f1d.js';
const autoptimized = (markup: string) =>
  markup.replaceAll(/="([^" ;:]*)"/g, '=$1') + `<script defer src=${AUTOPTIMIZE_FILE}></script>`;

/** WP Rocket 3.15, 'Delay JavaScript execution': scripts are made anew at the first move, key or touch. */
const wpRocket = (script: string) =>
  `${script.replace('<script', '<script type="rocketlazyloadscript"').replace(' src=', ' data-rocket-src=')}<script>
    var events = ['keydown', 'mousemove', 'touchstart', 'wheel'];
    function run() {
      events.forEach(function (name) { removeEventListener(name, run); });
      document.querySelectorAll('[type=rocketlazyloadscript]').forEach(function (old) {
        var script = document.createElement('script');
        [].forEach.call(old.attributes, function (attribute) {
          if (attribute.name !== 'type') script.setAttribute(attribute.name.replace('data-rocket-src', 'src'), attribute.value);
        });
        old.parentNode.replaceChild(script, old);
      });
    }
    events.forEach(function (name) { addEventListener(name, run); });
  </script>`;

export const OPTIMIZERS: EarningPage[] = [
  {
    name: 'Cloudflare Rocket Loader, which runs the text without its element',
    host: 'rocket-loader',
    files: ({ pasted }) => ({ '/': rocketLoader(html(pasted)) }),
  },
  {
    name: 'LiteSpeed Cache 6, which combines scripts and runs them from a blob',
    host: 'litespeed',
    files: ({ zone, scriptText }) => ({
      '/': html(zone + LITESPEED),
      [LITESPEED_FILE]: `window.jQuery=function(){};\n${scriptText};window.theme={};`,
    }),
  },
  {
    name: 'Autoptimize 3, which combines scripts and strips quotes',
    host: 'autoptimize',
    files: ({ zone, scriptText }) => ({
      '/': html(autoptimized(zone)),
      [AUTOPTIMIZE_FILE]: `try{window.jQuery=function(){}}catch(e){}try{${scriptText}}catch(e){}`,
    }),
  },
  {
    name: 'WP Rocket 3.15, which waits for the first move of the mouse',
    host: 'wp-rocket',
    files: ({ zone, script }) => ({ '/': html(zone + wpRocket(script)) }),
    visit: async ({ page, open }) => {
      await open('/');
      await page.mouse.move(400, 400);
    },
  },
  {
    name: 'a build that makes the script a module',
    host: 'module',
    files: ({ zone, scriptUrl }) => ({
      '/': html(`${zone}<script type="module" crossorigin src="${scriptUrl}"></script>`),
    }),
  },
];

/** The service worker of jekyll-theme-chirpy stored every GET for ever, also with CORS and `no-store`. */
const WORKER = `
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (event.request.method !== 'GET') return;
    event.respondWith((async () => {
      const found = await caches.match(event.request);
      if (found) return found;
      const reply = await fetch(event.request);
      await (await caches.open('everything')).put(event.request, reply.clone());
      return reply;
    })());
  });`;

export const WORKERS: EarningPage[] = [
  {
    name: 'a service worker that stores every answer',
    host: 'service-worker',
    files: ({ pasted }) => ({
      '/': html('<script>navigator.serviceWorker.register("/worker.js")</script>'),
      '/worker.js': WORKER,
      '/article': html(pasted),
    }),
    visit: async ({ page, open, viewed }) => {
      await open('/');
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        if (!navigator.serviceWorker.controller)
          await new Promise((resolve) =>
            navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
          );
      });
      await open('/article');
      await viewed(1);
      await open('/article');
    },
    counted: { decision: 2, view: 2, click: 1 },
  },
];

/**
 * A cookie banner that holds scripts back by itself, such as Cookiebot's and Complianz's plug-ins for WordPress: the
 * server gives each script of another host the type `text/plain`, and the banner makes them anew when the visitor agrees.
 */
const held = (pasted: string) => pasted.replace('<script', '<script type="text/plain"');
const BANNER = `<button onclick="agree()">Agree</button><script>
  function agree() {
    document.querySelectorAll('[type="text/plain"]').forEach(function (old) {
      var script = document.createElement('script');
      [].forEach.call(old.attributes, function (attribute) { script.setAttribute(attribute.name, attribute.value); });
      script.type = 'text/javascript';
      old.parentNode.replaceChild(script, old);
    });
  }
</script>`;

export const AGREED: EarningPage[] = [
  {
    name: 'a cookie banner that honors `data-cookieconsent` of the embed code',
    host: 'honored',
    files: ({ embed }) => ({
      '/': html(embed.includes('data-cookieconsent="ignore"') ? embed : held(embed)),
    }),
  },
  {
    name: 'a cookie banner that holds scripts until the visitor agrees',
    host: 'banner',
    files: ({ pasted }) => ({ '/': html(held(pasted) + BANNER) }),
    visit: async ({ page, open }) => {
      await open('/');
      await page.getByRole('button', { name: 'Agree' }).click();
    },
  },
];

export const NOT_AGREED: SilentPage[] = [
  {
    name: 'a cookie banner that holds scripts, before the visitor agrees',
    host: 'not-agreed',
    files: ({ pasted }) => ({ '/': html(held(pasted) + BANNER) }),
    sentence: 'If a cookie banner holds scripts back, agree to it',
  },
];
