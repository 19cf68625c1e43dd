import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Client } from '../testing/client.ts';
import { makePlace } from '../testing/delivery.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { verifyByAdsTxt } from './ads-txt.ts';

let server: TestServer;
let seller: Client;
/** The publisher's ads.txt as their website serves it. */
let file: { status: number; type: string; text: string };
const site = http.createServer((request, response) => {
  const known = request.url === '/ads.txt';
  response.writeHead(known ? file.status : 404, { 'Content-Type': file.type }).end(known ? file.text : '');
});
let siteUrl = '';

beforeAll(async () => {
  server = await startTestServer();
  seller = await server.signIn('seller');
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.close();
  await server.close();
});
beforeEach(() => {
  file = { status: 200, type: 'text/plain; charset=utf-8', text: '' };
});

async function addWebsite(owner: Client, url = `${siteUrl}/blog`): Promise<string> {
  const { body } = await owner.post('/api/websites', {
    name: 'Daily',
    url,
    category: 'Technology',
    monthlyVisitors: 1,
  });
  return `/api/websites/${(body as { publicId: string }).publicId}`;
}

// Proves DEL-28
it('verifies a website whose ads.txt has the line, and otherwise names the problem', async () => {
  const website = await addWebsite(seller);
  const expected = await seller.get(`${website}/ads-txt`);
  expect(expected.body).toEqual({
    line: `127.0.0.1, ${seller.user.id}, DIRECT`,
    address: `${siteUrl}/ads.txt`,
  });

  for (const [answer, problem] of [
    [{ text: 'google.com, pub-1, DIRECT' }, 'The line is not in your ads.txt. Add it and check again.'],
    [{ status: 404 }, 'Your ads.txt answered with status 404. Publish it at this address and check again.'],
    [
      { type: 'text/html', text: expected.body.line },
      'Your ads.txt is not served as text/plain. Change its content type and check again.',
    ],
  ] as const) {
    file = { ...file, ...answer };
    expect((await seller.post(`${website}/ads-txt`)).body).toEqual({ found: false, problem });
    file = { status: 200, type: 'text/plain', text: '' };
  }
  expect((await seller.get(website)).body).toMatchObject({ isVerified: false });

  file.text = `# sellers\n${expected.body.line}\n`;
  expect((await seller.post(`${website}/ads-txt`)).body).toEqual({ found: true, problem: null });
  expect((await seller.get(website)).body).toMatchObject({ isVerified: true });
});

// Proves DEL-28
it('refuses another publisher’s line, and answers 404 for another publisher’s website', async () => {
  const other = await server.signIn('seller');
  const website = await addWebsite(seller);
  const mine = await addWebsite(other);
  file.text = (await seller.get(`${website}/ads-txt`)).body.line;
  expect((await other.post(`${mine}/ads-txt`)).body).toMatchObject({ found: false });
  expect((await other.get(`${website}/ads-txt`)).status).toBe(404);
  expect((await other.post(`${website}/ads-txt`)).status).toBe(404);
  expect((await server.anyone().post(`${website}/ads-txt`)).status).toBe(401);
});

// Proves DEL-26, DEL-28
it('does not fetch ads.txt from a private address when the marketplace is public', async () => {
  const strict = await startTestServer({ env: { PUBLIC_URL: 'http://ads.example' } });
  try {
    const { websitePublicId } = await makePlace(strict.ctx, { url: siteUrl });
    const { userId } = await strict.ctx.db
      .selectFrom('websites')
      .select('userId')
      .where('publicId', '=', websitePublicId)
      .executeTakeFirstOrThrow();
    file.text = `ads.example, ${userId}, DIRECT`;
    const who = { id: userId, role: 'seller' } as const;
    const params = { ref: { publicId: websitePublicId } };
    expect(await verifyByAdsTxt(strict.ctx, who, { params })).toEqual({
      found: false,
      problem: 'Use an address without a port: only ports 80 and 443 are allowed.',
    });
  } finally {
    await strict.close();
  }
});
