/** The tag on pages whose libraries, optimizers, caches and banners change what it finds. */
import { describe, expect, it } from 'vitest';
import { isRenderProof } from '#domain/delivery/render-proof.ts';
import { postSnippet, postsScript } from '#domain/inventory/embed.ts';
import { snippet } from './support/publisher.ts';
import { afterPendingRequests, observed, rendered, setHidden, useTag } from './support/tag-page.ts';

const tag = useTag();

const VIEW_END = 'dE-x_9Zq';

describe('a page whose library replaces built-in functions', () => {
  it.each([
    ['Prototype 1.7', 'Array.from = (list) => (list == null ? [] : [...list]);'],
    ['MooTools 1.4', 'Array.from = (item) => (item == null ? [] : [item]);'],
    [
      'Prototype 1.6',
      `Array.prototype.entries = Array.prototype.toArray = function () { return this.slice(); };
       Array.prototype.reduce = function () { return this.length > 1 ? this : this[0]; };
       Array.prototype.toJSON = function () { return '[]'; };
       Array.prototype.map = function (f, context) {
         const all = [];
         this.forEach((value, index) => all.push(f.call(context, value, index)));
         return all;
       };
       Element.prototype.remove = function () { this.parentNode.removeChild(this); return this; };
       Function.prototype.bind = function (context) { return (...all) => this.apply(context, all); };`,
    ],
    [
      'scripts with variables that are named like built-in classes',
      'var URL = "/api", Request = 1, Image = 2;',
    ],
    [
      'a monitor that reads the address of each request',
      `const own = fetch;
       fetch = (address, options) => { if (address.indexOf('/health') < 0) return own(address, options); };`,
    ],
  ])('gets its ad and a view with the proof that the server expects: %s', async (_name, library) => {
    tag.host.serve('a', { view: `${tag.host.origin}/view/${VIEW_END}` });
    const page = await tag.open(`<script>${library}</script>${snippet(tag.host.origin, 'a')}`);
    await rendered(page, 'a');
    await expect.poll(() => tag.host.to('/view/')).toHaveLength(1);
    const [report] = tag.host.to('/view/');
    const { path, proof = '' } = report!;
    expect([proof, isRenderProof(path, proof)]).toEqual([proof, true]);
    expect(page.errors).toEqual([]);
  });
});

describe('a page with a service worker that stores every answer', () => {
  /** As of a widely used theme: what was fetched once comes from the cache from then on. */
  const WORKER = `addEventListener('install', () => skipWaiting());
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => {
      if (event.request.method !== 'GET') return;
      event.respondWith(caches.open('all').then(async (cache) => {
        const known = await cache.match(event.request);
        if (known) return known;
        const answer = await fetch(event.request);
        await cache.put(event.request, answer.clone());
        return answer;
      }));
    });`;

  // Proves DEL-08
  it.each([
    ['', undefined],
    ['by the module that states the page', 'facts.js'],
    ['by the module that measures the place', 'placement.js?t0ken-'],
  ])('requests an ad at every visit, and shows none that was taken down %s', async (_how, module) => {
    const worker = tag.publisher.putScript('/worker.js', WORKER);
    const page = await tag.open('', { context: {} });
    await page.evaluate(async (address) => {
      await navigator.serviceWorker.register(address);
      await navigator.serviceWorker.ready;
      if (!navigator.serviceWorker.controller)
        await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    }, worker);
    const address = tag.publisher.put('/visit', snippet(tag.host.origin, 'a'));
    for (const visit of ['First', 'Second', 'Third']) {
      tag.host.serve('a', {
        title: visit,
        view: `${tag.host.origin}/view/${visit}`,
        ...(module && {
          needs: `${tag.host.origin}/api/serve/${module}${module.includes('?') ? visit : ''}`,
        }),
      });
      await page.goto(address);
      await rendered(page, 'a');
      expect(await page.locator('ad-zone b').innerText()).toBe(visit);
      await expect.poll(() => tag.host.to(`/view/${visit}`)).toHaveLength(1);
      if (module?.includes('?')) {
        await setHidden(page, true);
        await expect.poll(() => tag.host.to(`/api/serve/placement/t0ken-${visit}`)).toHaveLength(1);
      }
    }
    // The worker has stored the script itself at the first visit.
    expect(tag.host.to('/api/serve/zone/')).toHaveLength(1);
    expect(page.errors).toEqual([]);
  });

  it('gets a new ad at every visit in the frame, whose requests the worker of the page does not see', async () => {
    const worker = tag.publisher.putScript('/worker.js', WORKER);
    const page = await tag.open('', { context: {} });
    await page.evaluate(async (address) => {
      await navigator.serviceWorker.register(address);
      await navigator.serviceWorker.ready;
    }, worker);
    const frame = `<ad-zone zone=a w=300 h=250></ad-zone><script async crossorigin src="${tag.host.origin}/api/serve/zone/a"></script>`;
    const address = tag.publisher.put(
      '/framed',
      `<iframe srcdoc='${frame}' sandbox="allow-scripts" width=300 height=250></iframe>`,
    );
    for (const visit of ['First', 'Second']) {
      tag.host.serve('a', { title: visit });
      await page.goto(address);
      await page.frameLocator('iframe').getByText(visit).waitFor();
    }
  });
});

describe('a page whose optimizer loads the script in its own way', () => {
  const zone = '<ad-zone zone="a" w="300" h="250"></ad-zone>';
  const evaluated = (how: string) =>
    `${zone}<script>fetch('${tag.host.origin}/api/serve/zone/a').then((reply) => reply.text()).then((text) => {${how}});</script>`;

  it.each([
    [
      'combined with other scripts in a file of the site',
      async () => {
        const script = await (await fetch(`${tag.host.origin}/api/serve/zone/a`)).text();
        const address = tag.publisher.putScript(
          '/cache/all.js',
          `var theme = {};${script};theme.ready = true;`,
        );
        return `${zone}<script defer src="${address}"></script>`;
      },
    ],
    [
      'evaluated from a blob',
      () =>
        evaluated(`const script = document.createElement('script');
          script.src = window.URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
          document.head.append(script);`),
    ],
    [
      'evaluated from a data address',
      () =>
        evaluated(`const script = document.createElement('script');
          script.src = 'data:text/javascript;base64,' + btoa(unescape(encodeURIComponent(text)));
          document.head.append(script);`),
    ],
    ['evaluated as a function', () => evaluated('new Function(text)();')],
    [
      'loaded as a module',
      () => `${zone}<script type="module" src="${tag.host.origin}/api/serve/zone/a"></script>`,
    ],
    [
      'inserted when the visitor first moves',
      () =>
        `${zone}<script>addEventListener('mousemove', () => {
           const script = document.createElement('script');
           script.src = '${tag.host.origin}/api/serve/zone/a';
           document.head.append(script);
         }, { once: true });</script>`,
    ],
  ])('shows the ad and reports its view: %s', async (_how, body) => {
    tag.host.serve('a', {});
    const page = await tag.open(await body());
    await page.mouse.move(50, 50);
    await rendered(page, 'a');
    await expect.poll(() => tag.host.to('/view/a')).toHaveLength(1);
    expect(page.errors).toEqual([]);
  });

  it.each(['facts.js', 'placement.js?t0ken'])('loads the module %s from our host, too', async (module) => {
    const script = await (await fetch(`${tag.host.origin}/api/serve/zone/a`)).text();
    const address = tag.publisher.putScript('/cache/all.js', script);
    tag.host.serve('a', { needs: `${tag.host.origin}/api/serve/${module}` });
    const page = await tag.open(`${zone}<script defer src="${address}"></script>`);
    await rendered(page, 'a');
    expect(page.errors).toEqual([]);
  });
});

describe('a page that shows a stored copy of itself first', () => {
  it.each(['data-turbo-preview', 'data-turbolinks-preview'])(
    'requests one ad for a visit, not one for the copy with %s as well',
    async (mark) => {
      tag.host.serve('a', {});
      const page = await tag.open(snippet(tag.host.origin, 'other'));
      await page.waitForFunction(() => customElements.get('ad-zone'));
      // As Turbo does: the mark, the copy, and then the page.
      await page.evaluate((name) => {
        document.documentElement.setAttribute(name, '');
        document.body.innerHTML = '<ad-zone zone="a" w="300" h="250"></ad-zone>';
      }, mark);
      await observed(page);
      await afterPendingRequests(page, tag.host);
      const asked = () => tag.host.to('/api/serve/ads?n&z=a').length;
      expect(asked()).toBe(0);
      await page.evaluate((name) => {
        document.documentElement.removeAttribute(name);
        document.body.innerHTML = '<ad-zone zone="a" w="300" h="250"></ad-zone>';
      }, mark);
      await rendered(page, 'a');
      expect(asked()).toBe(1);
    },
  );

  it('requests the ad of a zone that the page takes over from the copy', async () => {
    tag.host.serve('a', {});
    const page = await tag.open(snippet(tag.host.origin, 'other'));
    await page.waitForFunction(() => customElements.get('ad-zone'));
    await page.evaluate(() => {
      document.documentElement.setAttribute('data-turbo-preview', '');
      document.body.innerHTML = '<ad-zone zone="a" w="300" h="250"></ad-zone>';
    });
    await observed(page);
    await page.evaluate(() => {
      document.documentElement.removeAttribute('data-turbo-preview');
      const zone = document.querySelector('ad-zone')!;
      document.body.innerHTML = '<main></main>';
      document.querySelector('main')!.append(zone);
    });
    await rendered(page, 'a');
    expect(tag.host.to('/api/serve/ads?n&z=a')).toHaveLength(1);
  });
});

it('a banner that blocks unknown scripts until consent leaves the embed code alone, because it stores nothing', async () => {
  tag.host.serve('a', {});
  const banner = `<script>new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes)
        if (node.localName === 'script' && node.dataset.cookieconsent !== 'ignore') node.type = 'text/plain';
    }).observe(document, { childList: true, subtree: true });</script>`;
  const page = await tag.open(
    `${banner}${snippet(tag.host.origin, 'a')}<script>window.isTracked = true</script>`,
  );
  await rendered(page, 'a');
  expect(await page.evaluate(() => 'isTracked' in window)).toBe(false);
});

it('a website whose posts may hold no script shows ads in the marked elements, also in posts that load later', async () => {
  tag.host.serve('a', { title: 'In the post' });
  tag.host.serve('b', { title: 'In the next post' });
  const post = (publicId: string) => postSnippet({ publicId, width: 300, height: 250 });
  const page = await tag.open(
    `${postsScript(tag.host.origin)}<article><p>News</p>${post('a')}</article><main></main>`,
  );
  await rendered(page, 'a');
  await page.evaluate((html) => {
    document.querySelector('main')!.innerHTML = html;
  }, post('b'));
  await rendered(page, 'b');
  expect(await page.locator('ad-zone b').allInnerTexts()).toEqual(['In the post', 'In the next post']);
  expect(await page.locator('[zone=a]').boundingBox()).toMatchObject({ width: 300, height: 250 });
  for (const zone of ['a', 'b']) await expect.poll(() => tag.host.to(`/view/${zone}`)).toHaveLength(1);
  // The server notes the pages of each ad zone by the address of the tag.
  expect(tag.host.to('/api/serve/zone/').map(({ path }) => path)).toEqual([
    '/api/serve/zone/a',
    '/api/serve/zone/b',
  ]);
  expect(page.errors).toEqual([]);
});
