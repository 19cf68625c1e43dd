/** Malicious markup, right-to-left scripts and unbreakable words in every field that users can fill in. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { LAYERS, pathOf } from './support/layers.ts';
import { walkToScreen, screensOf } from './support/screens.ts';
import { STEP_MS } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';
import { furnish, type Market, type Words } from './support/world.ts';

/** Unicode marks that reverse the reading direction and are never closed. */
const TURN = '\u{202e}\u{2067}\u{200f}';
const MARKUP = `</p></script><img src=x onerror="window.harmed=1"><script>window.harmed=1</script>`;
const EMOJI = '👩‍👩‍👧‍👦🏳️‍🌈🇺🇳👍🏿';

const OTHER_SCRIPT: Words = {
  name: `مقهى "الصباح" (٢٠٢٦)! ${EMOJI}`,
  title: `קפה טרי, Fresh coffee: 100% (חדש)! ${TURN}`,
  text: `${MARKUP} ${TURN} قهوة طازجة كل صباح، إلى بابك.`,
  reason: `${TURN}${MARKUP} لا، شكرا!`,
};
const WITHOUT_A_SPACE: Words = {
  name: 'W'.repeat(180),
  title: `Fresh coffee${'M'.repeat(88)}`,
  text: 'x'.repeat(500),
  reason: '<b>'.repeat(166),
};

const suite = useFixture();
/** A seller, a buyer and their market, for each kind of texts, and two people whose markets show both kinds together. */
type Side = { seller: Client; buyer: Client; market: Market };
const sides: Side[] = [];
let mixed: { seller: Client; buyer: Client; markets: Market[] };

beforeAll(async () => {
  for (const words of [OTHER_SCRIPT, WITHOUT_A_SPACE]) {
    const [seller, buyer] = [await signIn('seller', words), await signIn('buyer', words)];
    sides.push({ seller, buyer, market: await furnish(seller, buyer, words) });
  }
  const [seller, buyer] = [await signIn('seller', OTHER_SCRIPT), await signIn('buyer', WITHOUT_A_SPACE)];
  mixed = {
    seller,
    buyer,
    markets: [await furnish(seller, buyer, OTHER_SCRIPT), await furnish(seller, buyer, WITHOUT_A_SPACE)],
  };
});

async function signIn(role: 'seller' | 'buyer', words: Words): Promise<Client> {
  const names = { firstName: `${TURN}<b>נועה</b>`, lastName: 'W'.repeat(90) };
  const client = await suite.fixture.server.signIn(role, names);
  const answer = await client.patch('/api/user/settings', {
    businessName: `${OTHER_SCRIPT.name}${TURN}${MARKUP}`,
    taxId: 'W'.repeat(50),
    description: words.text,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return client;
}

async function newPage({ cookie }: { cookie: string }): Promise<Page> {
  const { browser, server } = suite.fixture;
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' });
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  if (name) await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  return page;
}

/** The damage that the texts do to the page, at desktop and phone width. */
async function harm(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
  });
  // The page still has the width at which the screen before was checked last.
  const widths = page.viewportSize()?.width === 375 ? [375, 1280] : [1280, 375];
  for (const width of widths) {
    await resize(page, { width, height: 800 });
    for (const one of await harmNow(page)) found.push(`${width} px: ${one}`);
  }
  return found;
}

async function harmNow(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const harmed: string[] = 'harmed' in window ? ['markup was run'] : [];
    // The content security policy would block the handler, but the element must not exist in the first place.
    if (document.querySelector('[onerror]')) harmed.push('markup became a part of the page');
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode as Text;
      // A right-to-left text reverses its neighbors unless an element isolates it. Plain text, such as mail, uses
      // the isolate marks of Unicode instead.
      const open = data.replaceAll(/\u2068[^\u2069]*\u2069/g, '');
      if (!/[\u0590-\u06ff\u202e]/.test(open) || parentElement?.closest('bdi, [dir=auto], option, textarea'))
        continue;
      harmed.push(`not kept apart: ${parentElement?.outerHTML.slice(0, 120)}`);
    }
    for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea'))
      if (/[\u0590-\u06ff\u202e]/.test(field.value) && field.dir !== 'auto')
        harmed.push(`a field without dir: ${field.name}`);
    return harmed;
  });
  return [...found, ...(await sideways(page)), ...(await lostText(page))];
}

// Proves A11Y-07
it('hostile texts run no markup and break no layout on any screen', async () => {
  const found: string[] = [];
  const { markets, ...people } = mixed;
  for (const role of ['seller', 'buyer'] as const) {
    const page = await newPage(people[role]);
    // Only the paths of an ad or a place differ between the two markets.
    const screens = new Map(
      markets
        .flatMap((market) => screensOf(role, market))
        .map((screen) => [screen.name + screen.path, screen]),
    );
    for (const screen of screens.values()) {
      if (/demo|nothing|not found/.test(screen.name)) continue;
      // The settings tabs that are the same for both users are checked once.
      if (
        role === 'buyer' &&
        /^settings, (Business|Notifications|Security|Privacy|an address)/.test(screen.name)
      )
        continue;
      await walkToScreen(page, screen);
      for (const one of await harm(page)) found.push(`${screen.name}: ${one}`);
    }
    await page.context().close();
  }
  expect([...new Set(found)]).toEqual([]);
});

/** Layers that show texts of users. */
const SHOWING = LAYERS.filter(({ of, name }) => of !== 'newcomer' && !/toast|challenge|phone/.test(name));

// Proves A11Y-07
it('hostile texts run no markup and break no layout in any dialog', async () => {
  const found: string[] = [];
  for (const { market, ...people } of sides) {
    const pages = { seller: await newPage(people.seller), buyer: await newPage(people.buyer) };
    for (const layer of SHOWING) {
      const page = pages[layer.of === 'seller' ? 'seller' : 'buyer'];
      await page.unrouteAll();
      await walkToScreen(page, { name: layer.name, path: pathOf(layer, market) });
      await layer.open(page, market);
      for (const one of await harm(page)) found.push(`${layer.name}: ${one}`);
    }
    await pages.seller.context().close();
    await pages.buyer.context().close();
  }
  expect([...new Set(found)]).toEqual([]);
});

// Proves A11Y-07
it('hostile texts run no markup and break no layout in mails and server-made pages', async () => {
  const { body: mails } = await suite.fixture.server.anyone().get('/dev/mail.json');
  expect(mails.length).toBeGreaterThan(20);
  const page = await newPage({ cookie: '' });
  const kinds = new Map<string, { id: number; subject: string }>();
  for (const mail of mails as { id: number; kind: string; subject: string; text: string }[]) {
    // A line break in the subject would let a user add mail headers.
    expect(mail.subject).not.toMatch(/\p{Cc}/u);
    kinds.set(`${mail.kind} ${/[֐-ۿ]/.test(mail.text) ? 'other script' : 'long'}`, mail);
  }
  expect(kinds.size).toBeGreaterThan(4);
  const found: string[] = [];
  const paths = [
    '/dev/mail',
    ...[...kinds.values()].flatMap(({ id }) => [`/dev/mail/${id}`, `/dev/mail/${id}/html`]),
    ...sides.map(({ market: { ads } }) => `/api/serve/why/${ads.active.publicId}`),
  ];
  for (const path of paths) {
    await page.goto(path);
    for (const one of await harm(page)) found.push(`${path}: ${one}`);
  }
  await page.context().close();
  expect([...new Set(found)]).toEqual([]);
});

// Proves A11Y-07
it('the data export contains hostile texts exactly as the user entered them', async () => {
  for (const [index, words] of [OTHER_SCRIPT, WITHOUT_A_SPACE].entries()) {
    const answer = await sides[index]?.buyer.post('/api/user/export-data');
    expect(answer?.status).toBe(200);
    for (const word of [words.title, words.text])
      expect(answer?.text).toContain(JSON.stringify(word).slice(1, -1));
  }
});
