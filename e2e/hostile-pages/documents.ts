/** Pages whose layout, language or life differs from that of a plain document. */
import { type EarningPage, html } from './hostile-page.ts';

/** Google Translate: the text nodes of the document become \`<font><font>\`, also those that come later. */
const TRANSLATED = `<script>
  addEventListener('DOMContentLoaded', function () {
    document.documentElement.lang = 'de';
    document.documentElement.classList.add('translated-ltr');
    function translate(root) {
      var walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      texts.forEach(function (text) {
        if (!text.data.trim() || text.parentElement.closest('font, script, style')) return;
        var outer = document.createElement('font'), inner = document.createElement('font');
        outer.style.verticalAlign = inner.style.verticalAlign = 'inherit';
        text.replaceWith(outer);
        outer.append(inner);
        inner.append('ü' + text.data);
      });
    }
    translate(document.body);
    new MutationObserver(function (changes) {
      changes.forEach(function (change) { translate(change.target); });
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
</script>`;

export const LAYOUTS: EarningPage[] = [
  {
    name: '<base> with the address and target of another site',
    host: 'base',
    files: ({ pasted }) => ({
      '/': html(pasted, { head: '<base href="https://elsewhere.example/deep/er/" target="_top">' }),
    }),
  },
  {
    name: 'right-to-left text',
    host: 'rtl',
    files: ({ pasted }) => ({
      '/': html(`<p>مرحبا بالعالم</p>${pasted}`, {
        attributes: 'lang="ar" dir="rtl"',
        head: '<style>body{direction:rtl;unicode-bidi:bidi-override;text-align:justify}</style>',
      }),
    }),
  },
  {
    name: 'vertical writing',
    host: 'vertical',
    files: ({ pasted }) => ({
      '/': html(`<p>縦書きの文章</p>${pasted}`, {
        attributes: 'lang="ja"',
        head: '<style>html{writing-mode:vertical-rl;text-orientation:upright}</style>',
      }),
    }),
  },
  {
    name: 'zoom and scale',
    host: 'zoom',
    files: ({ pasted }) => ({
      '/': html(pasted, {
        head: '<style>html{zoom:1.1}body{zoom:.9;transform:scale(1.25);transform-origin:0 0}</style>',
      }),
    }),
  },
  {
    name: 'a translation that wraps all texts',
    host: 'translated',
    files: ({ pasted }) => ({ '/': html(`<p>Good morning</p>${pasted}`, { head: TRANSLATED }) }),
  },
  {
    name: 'a print before and after the view',
    host: 'print',
    files: ({ pasted }) => ({
      '/': html(pasted, { head: '<style>@media print { ad-zone { display: none !important } }</style>' }),
    }),
    visit: async ({ page, open, viewed }) => {
      await open('/');
      await page.pdf();
      await viewed(1);
      await page.pdf();
    },
  },
  {
    name: '20 ad zones',
    host: 'twenty',
    zones: 20,
    files: (_, codes) => ({ '/': html(codes.map(({ pasted }) => pasted).join(' ')) }),
    visit: async ({ page, open }) => {
      await page.setViewportSize({ width: 1600, height: 1200 });
      await open('/');
    },
  },
];

/**
 * Clicks the ad once its view is reported. Nobody moves the mouse in a browser without remote control, so the page keeps
 * the shadow root of its ad zone.
 */
const CLICKING = `<script>
  const attach = Element.prototype.attachShadow;
  let root;
  Element.prototype.attachShadow = function (init) { return (root = attach.call(this, init)); };
  const clicking = setInterval(() => {
    const isViewed = performance.getEntriesByType('resource').some(({ name, responseEnd }) =>
      /\\/view\\/[^?]*\\?\\d/.test(name) && responseEnd);
    if (!isViewed || document.prerendering) return;
    clearInterval(clicking);
    setTimeout(() => root.querySelector('a:last-of-type').click(), 200);
  }, 50);
</script>`;

export const LIVES: EarningPage[] = [
  {
    name: 'a return from the back-forward cache',
    host: 'back',
    isUnattended: true,
    files: ({ pasted }) => ({
      '/': html(
        `${pasted}<script>
          // Leave half a second after the decision, which is too soon for a view.
          const isBack = performance.getEntriesByType('navigation')[0].type === 'back_forward';
          const leaving = isBack || setInterval(() => {
            if (!performance.getEntriesByType('resource').some(({ name }) => name.includes('/ads?'))) return;
            clearInterval(leaving);
            setTimeout(() => { location.href = '/away'; }, 500);
          }, 20);
        </script>`,
        { head: CLICKING },
      ),
      '/away': html('<script>setTimeout(() => history.back(), 500)</script>'),
    }),
    // Chromium's headless shell has no such cache. There, the page and its ad load again.
    counted: { decision: 2, rendered: 1, view: 1, click: 1 },
  },
  {
    name: 'a prerender before the visit',
    host: 'prerendered',
    isUnattended: true,
    files: ({ pasted }) => ({
      '/': html(
        `<script type="speculationrules">${JSON.stringify({ prerender: [{ urls: ['/next'], eagerness: 'immediate' }] })}</script>
         <script>setTimeout(() => { location.href = '/next'; }, 2000)</script>`,
      ),
      '/next': html(pasted, { head: CLICKING }),
    }),
  },
];
