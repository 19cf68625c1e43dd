/** Requests of a real browser, against rules of the server that the unit tests know from tables only. */
import type { IncomingHttpHeaders } from 'node:http';
import { expect, it } from 'vitest';
import { isRenderProof } from '#domain/delivery/render-proof.ts';
import { createHeaderRules, type RequestUse } from '../server/delivery/traffic/request-headers.ts';
import { browserOf } from '../server/delivery/traffic/traffic.ts';
import { snippet } from './support/publisher.ts';
import { afterPendingRequests, rendered, setHidden, useTag } from './support/tag-page.ts';

const tag = useTag();

/** The headers of the last request to a path, as the same browser with a window would send them. */
function headersTo(path: string): IncomingHttpHeaders {
  const sent = tag.host.to(path).at(-1)?.headers ?? {};
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, String(value).replaceAll('Headless', '')]),
  );
}

const isImpossible = (headers: IncomingHttpHeaders, use: RequestUse) =>
  createHeaderRules({ deliveryUrl: tag.host.origin }).isImpossible(
    headers,
    browserOf(headers['user-agent'] ?? ''),
    use,
  );

// Proves IVT-01
it('accepts the tag’s requests, a player’s pixel and a click of a browser, and not those of a headless one', async () => {
  tag.host.serve('a', {});
  const page = await tag.open(snippet(tag.host.origin, 'a'), { context: { locale: 'en-US' } });
  await rendered(page, 'a');
  expect(isImpossible(headersTo('/api/serve/ads'), 'tag')).toBe(false);

  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.locator('[zone=a] a[rel*=sponsored]').last().click(),
  ]);
  await tab.waitForLoadState();
  expect(isImpossible(headersTo('/click/'), 'click')).toBe(false);

  await setHidden(page, true);
  await expect.poll(() => tag.host.to('/view/').length).toBeGreaterThan(0);
  expect(isImpossible(headersTo('/view/'), 'tag')).toBe(false);
  expect(isImpossible(headersTo('/view/'), 'pixel')).toBe(false);

  await page.evaluate((url) => void (new Image().src = url), `${tag.host.origin}/view/pixel`);
  await expect.poll(() => tag.host.to('/view/pixel').length).toBe(1);
  expect(isImpossible(headersTo('/view/pixel'), 'pixel')).toBe(false);
  expect(isImpossible(headersTo('/view/pixel'), 'tag')).toBe(true);

  const headless = tag.host.to('/api/serve/ads').at(-1)?.headers ?? {};
  const userAgent = String(headless['user-agent']).replace('Headless', '');
  expect(isImpossible({ ...headless, 'user-agent': userAgent }, 'tag')).toBe(true);
  await afterPendingRequests(page, tag.host);
});

/** Sixteen ends of tokens, in which each character of base64url comes at least once. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ENDS = Array.from({ length: 16 }, (_, zone) =>
  Array.from({ length: 8 }, (__, at) => ALPHABET[(zone * 8 + at * (zone + 3)) % 64]).join(''),
);

// Proves IVT-09
it.each([
  ['as it is', 1, ''],
  ['at a zoom of 110%', 1.1, ''],
  ['at a zoom of 75%', 0.75, ''],
  ['on a page with vertical text that runs from right to left', 1, 'writing-mode:vertical-rl;direction:rtl'],
])('reports the layout that the server expects, %s', async (_, zoom, style) => {
  for (const end of ENDS) tag.host.serve(end, { view: `${tag.host.origin}/view/${end}` });
  const body = ENDS.map((end) => snippet(tag.host.origin, end)).join('');
  const page = await tag.open(`<div style="zoom:${zoom};${style}">${body}</div>`, {
    stopped: true,
    context: { viewport: { width: 1600, height: 2400 } },
  });
  await rendered(page, ENDS, true);
  await page.clock.runFor(1500);
  await expect.poll(() => tag.host.to('/view/').length).toBe(ENDS.length);
  for (const { path, proof = '' } of tag.host.to('/view/'))
    expect([path, proof, isRenderProof(path, proof)]).toEqual([path, proof, true]);
});
