/** The scripts and the layout shifts of all signed-in pages. scripts/budget.test.ts reads the scripts from the build. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFixture, type Fixture } from './support/fixture.ts';
import { resize } from './support/layout.ts';
import type { Person } from './support/person.ts';
import { OWN } from './support/raw-page.ts';
import { become, loaded, makeLists, openSlowly, recordShifts, shiftsAt } from './support/slow-load.ts';

const { gzipBytes: budget } = JSON.parse(
  readFileSync(new URL('../web/budget.json', import.meta.url), 'utf8'),
) as { gzipBytes: { '*': number } };

let fixture: Fixture;
let person: Person;

beforeAll(async () => {
  fixture = await openFixture({ motion: true });
  person = await fixture.enter({ width: 1280 });
  await recordShifts(person.page);
});
afterAll(async () => {
  await fixture.close();
});

/** The screens that a buyer or a seller does not see as a person with both roles does. */
const DIFFERENT_BY_ROLE = ['/', '/dashboard', '/ad-zones', '/transactions', '/earnings', '/billing'];

/** The tabs whose addresses select other content of the same page. */
const TABS = [
  ...['profile', 'business', 'notifications', 'billing', 'members', 'security', 'privacy'].map(
    (tab) => `/settings?tab=${tab}`,
  ),
  '/dashboard?range=custom&from=2026-01-01&to=2026-02-01',
  '/marketplace?search=a',
];

it('a signed-in page loads at most 14 scripts within its budget of bytes, and none twice, and does not shift at 1280 px', async () => {
  const client = await fixture.server.signIn('both');
  const { website, zone, ad } = await makeLists(client, client);
  await become(person, client, fixture);
  const { page, context } = person;
  await resize(page, { width: 1280, height: 900 });
  const session = await context.newCDPSession(page);
  const loads: Promise<[string, number]>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return;
    loads.push(response.body().then((body) => [pathname, gzipSync(body, { level: 9 }).length]));
  });
  const wizard = `/create-ad?website=${website.publicId}&zone=${zone.publicId}`;
  const ledger = `/ledger/${ad.id}`;
  const shifts: string[] = [];
  const plans = ['/plans', `/plans/new?zones=${website.publicId}`];
  for (const path of ['/', '/demo', ...OWN, ...TABS, ...plans, `/checkout/${ad.publicId}`, wizard, ledger]) {
    await page.goto('about:blank');
    await session.send('Network.clearBrowserCache');
    loads.length = 0;
    shifts.push(...(await openSlowly(page, path, async (to) => await loaded(page, to))));
    const scripts = await Promise.all(loads);
    const bytes = scripts.reduce((sum, [, size]) => sum + size, 0);
    expect([path, scripts.length > 0]).toEqual([path, true]);
    expect([path, scripts.length > 14 ? scripts : []]).toEqual([path, []]);
    expect([path, bytes > budget['*'] ? bytes : 0]).toEqual([path, 0]);
    expect([path, new Set(scripts.map(([file]) => file)).size]).toEqual([path, scripts.length]);
  }
  expect(shifts).toEqual([]);
});

it('does not shift on the pages that look different to a buyer or a seller, at 375 px', async () => {
  const [buyer, seller] = [await fixture.server.signIn('buyer'), await fixture.server.signIn('seller')];
  await makeLists(seller, buyer);
  for (const [role, client] of Object.entries({ buyer, seller })) {
    await become(person, client, fixture);
    expect([role, ...(await shiftsAt(person, 375, DIFFERENT_BY_ROLE))]).toEqual([role]);
  }
});
