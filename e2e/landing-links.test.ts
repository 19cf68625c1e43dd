/** The landing script on an advertiser's page: which links take the token along, and that it breaks none. */
import { expect, it } from 'vitest';
import { landingScript } from '#domain/delivery/landings.ts';
import { afterPendingRequests, type Opened, useTag } from './support/tag-page.ts';

const tag = useTag();

/** Opens a page of a shop with this body, as after a measured click, and waits for the report of the landing. */
async function land(body: string): Promise<Opened> {
  const page = await tag.open('');
  await page.goto(`${tag.publisher.put('/shop', body + landingScript(tag.host.origin))}?from=ad&osid=t0ken`);
  await expect.poll(() => tag.host.to('/api/serve/landings/t0ken')).toHaveLength(1);
  return page;
}

/** Clicks the link without following it, and returns its address, or the name of its class for one that is no HTML link. */
async function clicked(page: Opened, selector: string): Promise<string> {
  return await page.locator(selector).evaluate((link) => {
    addEventListener('click', (event) => event.preventDefault(), { once: true });
    link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    return link.getAttribute('href') ?? '';
  });
}

it('keeps a page as it is when a link leads into it, although the page has cleaned its address', async () => {
  const page = await land(
    `<script>addEventListener('load', () => history.replaceState(null, '', location.pathname));</script>
     <input aria-label="Name"><a href="#reviews">Reviews</a><h2 id="reviews">Reviews</h2>`,
  );
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('link', { name: 'Reviews' }).click();
  await page.waitForURL(/#reviews$/);
  await afterPendingRequests(page, tag.host);
  expect([loads, await page.getByLabel('Name').inputValue()]).toEqual([0, 'Ada']);
  expect(new URL(page.url()).search).toBe('');
});

it('keeps a page as it is when a link leads into it and the address still has the token', async () => {
  const page = await land('<a href="#reviews">Reviews</a>');
  expect(await clicked(page, 'a')).toBe('#reviews');
});

it.each([
  ['a download', '<a href="/price-list" download>'],
  ['a signature', '<a href="/invoice.pdf?sig=abc">'],
  ['a signature of Amazon S3', '<a href="/f?X-Amz-Expires=60&X-Amz-Signature=abc">'],
  ['a token', '<a href="/f?access_token=abc">'],
  ['an expiry with a hash', '<a href="/f?hash=abc&expires=1790000000">'],
  ['a mail address', '<a href="mailto:shop@example.com">'],
  ['a telephone number', '<a href="tel:+15551234">'],
  ['a blob', '<a id="blob" href="/replaced">'],
  ['another website', '<a href="https://elsewhere.example/page">'],
  ['another website of the same scheme', '<a href="http://elsewhere.example/page">'],
  ['a script', '<a href="javascript:void 0">'],
  ['a drawing', '<svg><a href="/next"><text y="20">Next</text></a></svg>'],
])('leaves the address of %s alone', async (_what, link) => {
  const page = await land(`${link}${link.startsWith('<svg') ? '' : 'Link</a>'}
    <script>document.querySelector('#blob')?.setAttribute('href', URL.createObjectURL(new Blob(['x'])));</script>`);
  const before = await page.locator('a').getAttribute('href');
  expect(await clicked(page, 'a')).toBe(before);
  expect(page.errors).toEqual([]);
});

// Proves EVID-03
it.each(['/cart', '/cart?design=red', '/shop?color=red', '/shop?from=ad#reviews'])(
  'takes the token along to the page %s of the same website',
  async (href) => {
    const page = await land(`<a href="${href}"><b>Cart</b></a>`);
    await page.locator('b').click();
    const { origin } = tag.publisher;
    const next = new URL(href, origin);
    next.searchParams.append('osid', 't0ken');
    await page.waitForURL(next.href);
  },
);

it('throws no error for a click that a script dispatches on the document, the window or a text', async () => {
  const page = await land('<p>Text</p>');
  await page.evaluate(() => {
    for (const target of [document, window, document.querySelector('p')!.firstChild!])
      target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  });
  await page.locator('p').click();
  expect(page.errors).toEqual([]);
});

it.each([
  ['combined with other scripts in a file of the site', 'defer'],
  ['as a module', 'type="module"'],
])('reports the landing when it is loaded %s', async (_how, attributes) => {
  const script = await (await fetch(`${tag.host.origin}/api/serve/landing.js`)).text();
  const address = tag.publisher.putScript('/cache/all.js', script);
  const page = await tag.open('');
  await page.goto(
    `${tag.publisher.put('/shop', `<script ${attributes} src="${address}"></script>`)}?osid=t0ken`,
  );
  await expect.poll(() => tag.host.to('/api/serve/landings/t0ken')).toHaveLength(1);
  expect(page.errors).toEqual([]);
});
