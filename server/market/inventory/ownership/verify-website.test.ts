import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdZone, Verification, Website } from '#domain/inventory/contract.ts';
import type { ProofWay } from '#domain/inventory/ownership.ts';
import type { Client } from '#server/testing/client.ts';
import { makeSiteWithZone } from '#server/testing/delivery/delivery.ts';
import { startDnsServer } from '#server/testing/mail/dns.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { makeZone } from '#server/testing/story.ts';
import { checkDueWebsites } from './check-website.ts';
import { verifyByAdsTxt, verifyNow } from './verify-website.ts';

const dns = useStarted(startDnsServer);
let seller: Client;
let port = 0;

type Page = { status?: number; type?: string; text?: string; location?: string };
/** The answers of the publisher's website, by host and path. Any other path is 404. */
const pages = new Map<string, Page>();
let requested: string[] = [];
const site = http.createServer((request, response) => {
  const address = `${request.headers.host ?? ''}${request.url ?? ''}`;
  requested.push(address);
  const { status = 200, type = 'text/html', text = '', location } = pages.get(address) ?? { status: 404 };
  if (text === 'silence') return;
  response.writeHead(status, { 'Content-Type': type, ...(location && { Location: location }) }).end(text);
});

const server = useOwnServer(() => ({ dnsServers: [dns.address] }));
beforeAll(async () => {
  seller = await server.signIn('seller');
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  ({ port } = site.address() as AddressInfo);
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});
beforeEach(() => {
  pages.clear();
  requested = [];
  dns.records.clear();
  dns.answers = true;
});

let sites = 0;
/** A host of its own that leads to the publisher's website, without a proof. */
function newHost(): string {
  const name = `site-${++sites}.example`;
  for (const host of [name, `www.${name}`]) dns.records.set(`A ${host}`, ['127.0.0.1']);
  return name;
}

async function addWebsite(owner: Client, url: string): Promise<string> {
  const body = { name: 'Daily', url, category: 'Technology', monthlyVisitors: 1 };
  const answer = await owner.post('/api/websites', body);
  expect(answer.status).toBe(201);
  return `/api/websites/${(answer.body as { publicId: string }).publicId}`;
}

async function addSite(owner: Client): Promise<{ website: string; name: string; host: string }> {
  const name = newHost();
  return { website: await addWebsite(owner, `http://${name}:${port}/blog`), name, host: `${name}:${port}` };
}

const read = async (owner: Client, website: string) =>
  (await owner.get(`${website}/verification`)).body as Verification;
const verify = async (owner: Client, website: string) =>
  (await owner.post(`${website}/verification`)).body as Verification;
const proof = ({ proofs }: Verification, way: ProofWay) => proofs.find((each) => each.way === way)!;
const isVerified = async (website: string) =>
  ((await seller.get(website)).body as { isVerified: boolean }).isVerified;

describe('ads.txt', () => {
  // Proves OWN-01
  it('verifies a website whose ads.txt has the line, and otherwise names the problem', async () => {
    const { website, host, name } = await addSite(seller);
    const expected = await seller.get(`${website}/ads-txt`);
    expect(expected.body).toEqual({
      line: `127.0.0.1, ${seller.user.id}, DIRECT`,
      address: `http://${name}/ads.txt`,
    });
    // The standard's address has no port, so the test's website is on a host that is its own root.
    const local = await addWebsite(seller, `http://127.0.0.1:${port}/blog`);
    const address = `127.0.0.1:${port}/ads.txt`;
    expect((await seller.get(`${local}/ads-txt`)).body.address).toBe(`http://${address}`);
    expect(host).not.toBe(address);

    for (const [page, problem] of [
      [{ text: 'google.com, pub-1, DIRECT' }, 'The line is not in your ads.txt. Add it and check again.'],
      [{ status: 404 }, 'Your ads.txt answered with status 404. Publish it at this address and check again.'],
      [
        { type: 'text/html', text: expected.body.line as string },
        'Your ads.txt is not served as text/plain. Change its content type and check again.',
      ],
    ] as const) {
      pages.set(address, { type: 'text/plain', ...page });
      expect((await seller.post(`${local}/ads-txt`)).body).toEqual({ found: false, problem });
    }
    expect(await isVerified(local)).toBe(false);

    pages.set(address, { type: 'text/plain; charset=utf-8', text: `# sellers\n${expected.body.line}\n` });
    expect((await seller.post(`${local}/ads-txt`)).body).toEqual({ found: true, problem: null });
    expect(await isVerified(local)).toBe(true);
  });

  // Proves OWN-01
  it('refuses another publisher’s line, and answers 404 for another publisher’s website', async () => {
    const other = await server.signIn('seller');
    const website = await addWebsite(seller, `http://127.0.0.1:${port}/`);
    const mine = await addWebsite(other, `http://127.0.0.1:${port}/`);
    const text = (await seller.get(`${website}/ads-txt`)).body.line as string;
    pages.set(`127.0.0.1:${port}/ads.txt`, { type: 'text/plain', text });
    expect((await other.post(`${mine}/ads-txt`)).body).toMatchObject({ found: false });
    for (const call of ['ads-txt', 'verification']) {
      expect((await other.get(`${website}/${call}`)).status).toBe(404);
      expect((await other.post(`${website}/${call}`)).status).toBe(404);
      expect((await server.anyone().post(`${website}/${call}`)).status).toBe(401);
    }
  });

  // Proves DEL-26, OWN-01
  it('does not fetch anything from a private address when the marketplace is public', async () => {
    const strict = await untilTestEnds(
      startTestServer({
        env: { PUBLIC_URL: 'http://ads.example' },
        dnsServers: [dns.address],
      }),
    );
    const { websitePublicId } = await makeSiteWithZone(strict.ctx, { url: `http://127.0.0.1:${port}` });
    const { userId } = await strict.ctx.db
      .selectFrom('websites')
      .select('userId')
      .where('publicId', '=', websitePublicId)
      .executeTakeFirstOrThrow();
    const who = { id: userId, role: 'seller' } as const;
    const params = { ref: { publicId: websitePublicId } };
    expect(await verifyByAdsTxt(strict.ctx, who, { params })).toEqual({
      found: false,
      problem: 'Use an address without a port: only ports 80 and 443 are allowed.',
    });
    const { proofs } = await verifyNow(strict.ctx, who, { params });
    expect(proofs.map(({ found }) => found)).toEqual([false, false, false, false]);
    expect(requested).toEqual([]);
  });
});

describe('the meta tag', () => {
  // Proves OWN-01
  it('verifies a website whose home page has it, and every website has another one', async () => {
    const { website, host } = await addSite(seller);
    const other = await addSite(seller);
    const before = await read(seller, website);
    expect(before).toMatchObject({ state: 'unverified', checkedAt: null, failingSince: null });
    const { place, value, found, problem } = proof(before, 'meta-tag');
    expect({ place, found, problem }).toEqual({ place: `http://${host}/`, found: false, problem: null });
    expect(value).toMatch(/^<meta name="openslot-site-verification" content="[0-9a-f]{40}">$/);
    expect(proof(await read(seller, other.website), 'meta-tag').value).not.toBe(value);

    pages.set(`${other.host}/`, { text: `<head>${value}</head>` });
    expect((await verify(seller, other.website)).state).toBe('unverified');
    pages.set(`${host}/`, { text: `<!doctype html><html><head><title>D</title>${value}</head></html>` });
    const after = await verify(seller, website);
    expect(after.state).toBe('verified');
    expect(proof(after, 'meta-tag')).toMatchObject({ found: true, problem: null });
    expect(after.checkedAt).not.toBeNull();
    expect(await isVerified(website)).toBe(true);
  });

  // Proves OWN-01
  it.each<[string, Page, string]>([
    [
      'that is missing',
      { status: 404 },
      'Your home page answered with status 404. Make it answer with status 200 and check again.',
    ],
    ['without the tag', { text: '<head></head>' }, 'The meta tag is not in the head of your home page.'],
    ['in its body', { text: '<head></head><body>TAG</body>' }, 'The meta tag is not in the head'],
    ['in another form', { type: 'text/plain', text: 'TAG' }, 'Your home page is not served as text/html.'],
    [
      'that is too large',
      { text: `<head>TAG</head>${'x'.repeat(2 * 1024 * 1024)}` },
      'The answer is too large',
    ],
    ['that redirects elsewhere', { status: 302, location: 'ELSEWHERE' }, 'redirects to another website'],
    ['that never answers', { text: 'silence' }, 'The website took too long to answer.'],
  ])('proves nothing on a page %s, and the reason is named', async (_what, page, problem) => {
    const { website, host } = await addSite(seller);
    const elsewhere = newHost();
    const { value } = proof(await read(seller, website), 'meta-tag');
    pages.set(`${elsewhere}:${port}/`, { text: `<head>${value}</head>` });
    pages.set(`${host}/`, {
      ...page,
      ...(page.text && { text: page.text.replace('TAG', value) }),
      ...(page.location && { location: `http://${elsewhere}:${port}/` }),
    });
    const found = await verify(seller, website);
    expect(found.state).toBe('unverified');
    expect(proof(found, 'meta-tag').problem).toContain(problem);
    expect(requested).not.toContain(`${elsewhere}:${port}/`);
  });

  // Proves OWN-01
  it('is found on the www host of the same site', async () => {
    const { website, host } = await addSite(seller);
    const { value } = proof(await read(seller, website), 'meta-tag');
    pages.set(`${host}/`, { status: 301, location: `http://www.${host}/` });
    pages.set(`www.${host}/`, { text: `<head>${value}</head>` });
    expect((await verify(seller, website)).state).toBe('verified');
  });
});

describe('the embed code', () => {
  async function addZone(website: string): Promise<AdZone> {
    const { body } = await seller.get(website);
    return await makeZone(seller, body as Website);
  }

  // Proves OWN-01
  it('verifies a website whose home page has the code of one of its ad zones, within a minute of the first ad request', async () => {
    const { website, host } = await addSite(seller);
    await addZone(website);
    const zone = await addZone(website);
    pages.set(`${host}/`, { text: `<!doctype html><title>D</title><p>Text</p>${zone.embedCode}` });
    await server.app.refreshDelivery();
    const seen = await fetch(`${server.url}/api/serve/ads?z=${zone.publicId}`, {
      headers: { origin: `http://${host}` },
    });
    expect(seen.status).toBe(200);
    await server.app.flushDelivery();
    expect(await checkDueWebsites(server.ctx)).toBe(1);
    expect(proof(await read(seller, website), 'embed-code')).toMatchObject({ found: true, problem: null });
    expect(await isVerified(website)).toBe(true);

    // Later requests ask for no further check.
    server.clock.advance(2 * 60 * 1000);
    await fetch(`${server.url}/api/serve/ads?z=${zone.publicId}`, { headers: { origin: `http://${host}` } });
    await server.app.flushDelivery();
    expect(await checkDueWebsites(server.ctx)).toBe(0);
  });

  // Proves OWN-01
  it.each<[string, (code: string) => string]>([
    ['in a comment', (code) => `<!-- ${code} -->`],
    ['as text', (code) => `<pre>${code.replaceAll('<', '&lt;')}</pre>`],
    ['in a field', (code) => `<textarea>${code}</textarea>`],
    ['in a title', (code) => `<title>${code}</title>`],
    ['in a script', (code) => `<script>document.write('${code.replaceAll('</', String.raw`<\/`)}')</script>`],
    ['in an attribute', (code) => `<p title='${code}'>Text</p>`],
    ['as a link', (code) => code.replace(/<script .*src/, '<a href')],
    ['as a frame', (code) => code.replace(/<script .*src/, '<iframe src')],
  ])('proves nothing %s', async (_how, written) => {
    const { website, host } = await addSite(seller);
    const zone = await addZone(website);
    pages.set(`${host}/`, { text: `<head></head><body>${written(zone.embedCode)}</body>` });
    expect(proof(await verify(seller, website), 'embed-code').problem).toContain('No embed code');
    expect(await isVerified(website)).toBe(false);
  });

  // Proves OWN-01
  it('proves nothing for another website, on another page, or without an ad zone', async () => {
    const { website, host } = await addSite(seller);
    expect((await verify(seller, website)).proofs.map(({ way }) => way)).not.toContain('embed-code');
    const other = await addSite(seller);
    const zone = await addZone(other.website);
    await addZone(website);
    pages.set(`${host}/`, { text: zone.embedCode });
    pages.set(`${other.host}/blog`, { text: zone.embedCode });
    for (const each of [website, other.website]) {
      expect((await verify(seller, each)).state).toBe('unverified');
      expect(proof(await read(seller, each), 'embed-code').problem).not.toBeNull();
    }
  });
});

describe('the DNS record', () => {
  // Proves OWN-01
  it.each(['_openslot.', ''])('verifies a website at %sHOST', async (prefix) => {
    const { website, name } = await addSite(seller);
    const { place, value } = proof(await read(seller, website), 'dns');
    expect(place).toBe(`_openslot.${name}`);
    expect(value).toMatch(/^openslot-site-verification=[0-9a-f]{40}$/);
    dns.records.set(`TXT ${prefix}${name}`, ['v=spf1 -all', value]);
    const found = await verify(seller, website);
    expect(found.state).toBe('verified');
    expect(proof(found, 'dns')).toMatchObject({ found: true, problem: null });
  });

  // Proves OWN-01
  it('proves nothing with another value, without an answer, and for an IP address', async () => {
    const { website, name } = await addSite(seller);
    const other = await addSite(seller);
    dns.records.set(`TXT _openslot.${name}`, [proof(await read(seller, other.website), 'dns').value]);
    const wrong = await verify(seller, website);
    expect(wrong.state).toBe('unverified');
    expect(proof(wrong, 'dns').problem).toContain('There is no TXT record with this value.');

    dns.answers = false;
    const silent = await verify(seller, website);
    expect(proof(silent, 'dns').problem).toContain('did not answer');
    dns.answers = true;

    const bare = await addWebsite(seller, `http://127.0.0.1:${port}`);
    expect(proof(await verify(seller, bare), 'dns').problem).toContain('An IP address has no DNS records.');
  });

  it('names a host that does not exist', async () => {
    const website = await addWebsite(seller, 'https://nowhere.example');
    const { proofs } = await verify(seller, website);
    expect(proofs[0]?.problem).toContain('We couldn’t find this host name in the DNS.');
    expect(proofs[1]?.problem).toContain('We couldn’t find this host name in the DNS.');
    expect(proofs[2]?.problem).toContain('There is no TXT record with this value.');
  });
});

// Proves OWN-01
it('limits the checks of one publisher', async () => {
  const strict = await untilTestEnds(
    startTestServer({ env: { RATE_LIMIT_FACTOR: '0.1' }, dnsServers: [dns.address] }),
  );
  const owner = await strict.signIn('seller');
  const website = await addWebsite(owner, `http://127.0.0.1:${port}`);
  const statuses: number[] = [];
  for (let tries = 0; tries < 3; tries += 1)
    statuses.push((await owner.post(`${website}/verification`)).status);
  expect(statuses).toEqual([200, 200, 429]);
});
