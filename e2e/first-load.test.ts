/** How pages load: without layout shifts, and the landing page with little JavaScript. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openFixture, type Fixture } from './support/fixture.ts';
import type { Person } from './support/person.ts';
import { OWN } from './support/raw-page.ts';
import { become, loaded, makeLists, recordShifts, shiftsAt } from './support/slow-load.ts';

let fixture: Fixture;
/** One page for all people, because a new one starts a process. */
let person: Person;

beforeAll(async () => {
  fixture = await openFixture({ motion: true });
  person = await fixture.enter({ width: 375 });
  await recordShifts(person.page);
});
afterAll(async () => {
  await fixture.close();
});

// They load each page of the application anew.
vi.setConfig({ testTimeout: 300_000 });

describe('layout while a page loads', () => {
  it('does not shift on any page of a visitor, at 375 and 1280 px', async () => {
    const paths = ['/', '/demo', '/auth', '/auth?tab=signup'];
    expect([...(await shiftsAt(person, 375, paths)), ...(await shiftsAt(person, 1280, paths))]).toEqual([]);
  });

  it('does not shift on any page for role both, at 375 px', async () => {
    const client = await fixture.server.signIn('both');
    const { website, zone, ad } = await makeLists(client, client);
    await become(person, client, fixture);
    const wizard = `/create-ad?website=${website.publicId}&zone=${zone.publicId}`;
    const paths = ['/', '/demo', ...OWN, `/checkout/${ad.publicId}`, wizard];
    expect(await shiftsAt(person, 375, paths)).toEqual([]);
  });
});

describe('page weight', () => {
  it('the first visit of / takes at most 120 kB of JavaScript', async () => {
    const { page, context } = await fixture.enter();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    const scripts = new Set<string>();
    let bytes = 0;
    session.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId);
    });
    // Encoded sizes of the bodies, without headers.
    session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    // The limit is for gzip. Chromium would accept brotli, which is smaller.
    await session.send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Encoding': 'gzip' } });
    await loaded(page, '/');
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(120_000);
    await context.close();
  });
});
