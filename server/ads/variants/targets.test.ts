import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad, Submission } from '#domain/ads/contract.ts';
import type { Variant } from '#domain/ads/variants-contract.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { startDnsServer } from '#server/testing/mail/dns.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { checkDueVariants } from './targets.ts';

const dns = useStarted(startDnsServer);
let seller: Client;
let buyer: Client;
let port = 0;
/** Where the advertiser's website redirects. */
let leadsTo: string | null = null;
const site = http.createServer((_request, response) => {
  response.writeHead(leadsTo ? 302 : 200, leadsTo ? { Location: leadsTo } : {}).end('hello');
  leadsTo = null;
});

beforeAll(() => {
  for (const host of ['shop.example', 'other.example']) dns.records.set(`A ${host}`, ['127.0.0.1']);
});
const server = useOwnServer(() => ({ dnsServers: [dns.address] }));
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  ({ port } = site.address() as AddressInfo);
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

const at = (host: string) => `http://${host}:${port}/`;

async function submit(): Promise<{ ad: Ad; variant: Variant }> {
  const { ad } = await makeLiveAd(seller, buyer, {
    product: { duration: 30 },
    ad: { targetUrl: at('shop.example') },
  });
  const body = { title: 'Second', description: 'Another one.', targetUrl: at('shop.example') };
  return { ad, variant: (await buyer.post(`/api/ads/${ad.id}/variants`, body)).body };
}

const stateOf = async ({ ad, variant }: Awaited<ReturnType<typeof submit>>) =>
  ((await buyer.get(`/api/ads/${ad.id}/variants`)).body as Variant[]).find(({ id }) => id === variant.id);

// Proves DEST-05
it('is taken away when its target leads to another host than approved, and the campaign goes on', async () => {
  const made = await submit();
  leadsTo = at('other.example');
  expect(await checkDueVariants(server.ctx, false)).toBe(1);
  const { body } = await seller.get(`/api/ads/${made.variant.id}/details`);
  // The publisher sees where it leads, and approves that.
  expect((body as Submission).targetCheck).toMatchObject({
    state: 'reached',
    finalHost: `other.example:${port}`,
  });
  expect((await seller.put(`/api/ads/${made.variant.id}/approve`)).status).toBe(200);

  expect(await checkDueVariants(server.ctx, false)).toBe(0);
  server.clock.advance(DAY_MS);
  leadsTo = at('other.example');
  expect(await checkDueVariants(server.ctx, false)).toBe(1);
  expect(await stateOf(made)).toMatchObject({ status: 'approved' });

  server.clock.advance(DAY_MS);
  expect(await checkDueVariants(server.ctx, false)).toBe(1);
  // One strange look takes nothing away, and a second one follows ten minutes later.
  expect(await stateOf(made)).toMatchObject({ status: 'approved' });
  server.clock.advance(9 * MINUTE_MS);
  expect(await checkDueVariants(server.ctx, false)).toBe(0);
  server.clock.advance(MINUTE_MS);
  expect(await checkDueVariants(server.ctx, false)).toBe(1);
  expect(await stateOf(made)).toMatchObject({ status: 'removed', removedFor: 'changed' });
  for (const { user } of [seller, buyer])
    expect((await mailTo(server.ctx, user.email)).at(-1)?.subject).toMatch(/creative.*stopped/);
  expect((await buyer.get(`/api/ads/${made.ad.id}`)).body).toMatchObject({ status: 'active' });
  server.clock.advance(DAY_MS);
  expect(await checkDueVariants(server.ctx, false)).toBe(0);
});

it('is compared with what the first check finds if it was approved before', async () => {
  const made = await submit();
  expect((await seller.put(`/api/ads/${made.variant.id}/approve`)).status).toBe(200);
  await checkDueVariants(server.ctx, false);
  expect(await stateOf(made)).toMatchObject({ status: 'approved' });
  // A changed list of phishing hosts lets all be checked at once.
  for (const status of ['approved', 'approved', 'removed']) {
    leadsTo = at('other.example');
    await checkDueVariants(server.ctx, true);
    // A look before the ten minutes are over is no second one.
    expect(await stateOf(made)).toMatchObject({ status });
    server.clock.advance(5 * MINUTE_MS);
  }
});
