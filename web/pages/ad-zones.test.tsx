import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { breakdownRow, getBreakdown } from '#domain/analytics/contract.ts';
import {
  deleteZone,
  updateWebsite,
  updateZone,
  type AdZone,
  type Product,
  type Website,
} from '#domain/inventory/contract.ts';
import { listZoneSales } from '#domain/inventory/my-zones-contract.ts';
import { answer, refused, type Trouble } from '#web/testing/answers.ts';
import { press, saying, see, seeErrorToast, seeToast } from '#web/testing/look.ts';
import { makeWebsite, makeZone, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerAdZones } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const dialog = () => page.getByRole('dialog');
const site = (name: string) => page.getByRole('region', { name, exact: true });
const zoneCard = (name: string) => page.getByRole('article', { name, exact: true });
const focused = () => document.activeElement;

/** Opens a menu by keyboard and chooses an item. */
async function choose(menu: string, item: string): Promise<void> {
  await press(page.getByRole('button', { name: menu, exact: true }));
  await press(page.getByRole('menuitem', { name: item, exact: true }));
}

/** Opens the page with one website, and keeps the changes of its ad zones and prices. */
async function openAdZones(zones: AdZone[], products: Product[] = [], websites: Website[] = [makeWebsite()]) {
  answerAdZones({ websites, zones, products });
  const change = <Item extends { id: number }>(items: Item[], ref: object, members: Partial<Item>): Item => {
    const at = items.findIndex(({ id }) => 'id' in ref && ref.id === id);
    items[at] = { ...items[at]!, ...members };
    return items[at];
  };
  const zoneChanges = answer(updateZone, ({ params: { ref }, body }) =>
    change(zones, ref, body as Partial<AdZone>),
  );
  await openPage('/ad-zones', { as: person('seller') });
  await see(page.getByRole('heading', { level: 1, name: 'My Ad Zones' }));
  return { zoneChanges };
}

describe('the Ad Zones page', () => {
  // Proves ZONE-01, ZONE-02, ZONE-03, ZONE-06, ZONE-07, ERR-61
  it('lists the publisher’s websites with their ad zones, each with a menu for the keyboard', async () => {
    const { zoneChanges } = await openAdZones(
      [
        makeZone({ id: 11, name: 'Top', zoneType: 'banner', width: 728, height: 90 }),
        makeZone({
          id: 12,
          publicId: uuid(12),
          websiteId: 2,
          name: 'Side',
          zoneType: 'custom',
          width: 333,
          height: 111,
          isActive: false,
        }),
      ],
      [],
      [makeWebsite({ name: 'News site' }), makeWebsite({ id: 2, publicId: uuid(2), name: 'Blog site' })],
    );
    const top = site('News site').getByRole('article', { name: 'Top', exact: true });
    const side = site('Blog site').getByRole('article', { name: 'Side', exact: true });
    for (const text of ['728x90', 'banner', 'Active']) await see(top.getByText(text, { exact: true }));
    for (const text of ['333x111', 'custom', 'Inactive']) await see(side.getByText(text, { exact: true }));
    for (const zone of [top, side]) {
      await see(zone.getByRole('button', { name: /Settings$/ }));
      await see(zone.getByRole('link', { name: /^(Top|Side)$/ }));
    }
    await press(side.getByRole('button', { name: 'More for Side' }));
    await expect
      .poll(() =>
        page
          .getByRole('menuitem')
          .elements()
          .map(({ textContent }) => textContent),
      )
      .toEqual(['Settings', 'Calendar & Slots', 'Test my zone', 'What’s showing?', 'Resume', 'Delete']);
    // The keyboard reaches each item, and Escape returns to the menu's button.
    await userEvent.keyboard('{End}');
    await expect.poll(() => focused()?.textContent).toBe('Delete');
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => focused()?.getAttribute('aria-label')).toBe('More for Side');
    await choose('More for Side', 'Resume');
    await seeToast('Ad zone resumed');
    await see(side.getByText('Active', { exact: true }));
    expect(zoneChanges).toMatchObject([{ params: { ref: { id: 12 } }, body: { isActive: true } }]);
    await expect
      .poll(() => page.getByRole('complementary', { name: 'Tips' }).getByRole('listitem').elements().length)
      .toBe(4);
  });

  it('says per zone who booked it, and its views and earnings of 30 days; a website folds', async () => {
    const zones = [makeZone(), makeZone({ id: 12, publicId: uuid(12), name: 'Footer' })];
    answerAdZones({ websites: [makeWebsite()], zones });
    const sales = { websitePublicId: uuid(1), running: 0, ads: [] };
    answer(listZoneSales, [
      {
        ...sales,
        id: 11,
        publicId: uuid(11),
        running: 1,
        ads: [{ publicId: uuid(31), title: 'Coffee', advertiser: 'Kestrel Coffee', endDate: null }],
      },
      { ...sales, id: 12, publicId: uuid(12) },
    ]);
    answer(getBreakdown, [sample(breakdownRow, { publicId: uuid(11), impressions: 12, amount: '1.02' })]);
    await openPage('/ad-zones', { as: person('seller') });
    await see(zoneCard('Sidebar').getByText('Sold to Kestrel Coffee'));
    await see(zoneCard('Sidebar').getByText('12 views · $1.02 in 30 days'));
    await see(zoneCard('Footer').getByText('Free', { exact: true }));
    await see(zoneCard('Footer').getByText('0 views · $0.00 in 30 days'));
    const sum = page.getByText('2 ad zones, 1 sold · 12 views · $1.02 in 30 days');
    await see(sum);

    const fold = page.getByRole('button', { name: 'Gazette', exact: true });
    await press(fold);
    await expect.element(fold).toHaveAttribute('aria-expanded', 'false');
    await expect.element(zoneCard('Sidebar')).not.toBeInTheDocument();
    await see(sum);
    await fold.click();
    await see(zoneCard('Sidebar'));
  });

  it('says what was measured of a website and of each ad zone, or that nothing was yet', async () => {
    const measured = { days: 8, viewsPerDay: 180, viewability: 1, clickRate: 0.011, invalidShare: 0 };
    await openAdZones(
      [
        makeZone({ name: 'Measured zone', measured }),
        makeZone({ id: 12, publicId: uuid(12), name: 'Fresh zone' }),
      ],
      [],
      [makeWebsite({ measured })],
    );
    const all = 'Measured over 8 days: 180 views a day, 100% viewable, 1.1% CTR, 0% invalid traffic';
    await see(saying(all, site('Gazette')).first());
    for (const [zone, text] of [
      ['Measured zone', 'Measured over 8 days: 180 views a day'],
      ['Fresh zone', 'Not measured yet'],
    ] as const) {
      await zoneCard(zone)
        .getByRole('button', { name: /Settings$/ })
        .click();
      await see(saying(text, dialog()));
      await userEvent.keyboard('{Escape}');
      await expect.element(dialog()).not.toBeInTheDocument();
    }
  });

  it.each<[review: NonNullable<Website['review']>, badge: string, words: string]>([
    [{ state: 'waiting', text: null }, 'In review', 'looks at new websites before they are offered'],
    [{ state: 'waiting', text: 'Who writes it?' }, 'In review', 'The operator asks: Who writes it?'],
    [{ state: 'hidden', text: 'Copied pages' }, 'Not accepted', 'Reason: Copied pages'],
  ])(
    'says on the card of a new website that it waits, what the operator asks, and how it ends: %#',
    async (review, badge, words) => {
      const website = makeWebsite({ review, isVerified: false });
      await openAdZones([], [], [website]);
      await see(site('Gazette').getByText(badge));
      await see(saying(words, site('Gazette')));
      closeScreen();
      await openAdZones([], [], [{ ...website, review: null }]);
      await see(site('Gazette').getByText('Unverified').first());
      expect(site('Gazette').getByText(badge).elements()).toEqual([]);
    },
  );

  it('offers a retired category only in the form of a website that has it', async () => {
    await openAdZones([], [], [makeWebsite({ category: 'Oldies' })]);
    const calls = answer(updateWebsite, makeWebsite({ category: 'Oldies', name: 'Golden Records' }));
    await choose('Manage Gazette', 'Edit website');
    const category = dialog().getByLabelText('Category', { exact: false });
    await expect.element(category).toHaveValue('Oldies');
    expect([...(category.element() as HTMLSelectElement).options].map(({ value }) => value)).toEqual([
      '',
      'Technology',
      'Sports',
      'News',
      'Oldies',
    ]);
    await dialog().getByLabelText('Website name', { exact: false }).fill('Golden Records');
    await dialog().getByRole('button', { name: 'Save Website' }).click();
    await expect.element(dialog()).not.toBeInTheDocument();
    // The form sends what was changed, so the website keeps its category.
    expect(calls.map(({ body }) => body)).toEqual([{ name: 'Golden Records' }]);
  });

  // Proves ROLE-12
  it('shows the websites of a user who no longer sells, without the buttons to add more', async () => {
    answerAdZones({ websites: [makeWebsite({ name: 'Kept site' })], zones: [makeZone()] });
    await openPage('/ad-zones', { as: person('buyer') });
    await see(site('Kept site'));
    await see(saying('your role is buyer'));
    for (const name of ['Add Website', 'Create Ad Zone'])
      expect(page.getByRole('button', { name }).elements()).toEqual([]);
  });

  // Proves ZONE-02
  it('loads a long list of zones in parts, and a link to one zone scrolls to it and opens its code', async () => {
    const zones = Array.from({ length: 32 }, (_, at) =>
      makeZone({ id: 100 + at, publicId: uuid(100 + at), name: `Place ${at + 1}.` }),
    );
    await openAdZones(zones);
    await see(saying('Showing 30 of 32 ad zones'));
    expect(site('Gazette').getByRole('article').elements()).toHaveLength(30);
    const more = page.getByRole('button', { name: /^Show more/ });
    await more.click();
    await see(zoneCard('Place 32.'));
    expect(more.elements()).toEqual([]);
    closeScreen();

    answerAdZones({ websites: [makeWebsite()], zones });
    await openPage('/ad-zones#ad-zone-131', { as: person('seller') });
    await see(saying('Tip: paste it where', dialog()));
    await userEvent.keyboard('{Escape}');
    await expect
      .poll(() => document.getElementById('ad-zone-131')?.getBoundingClientRect().top)
      .toBeGreaterThan(0);
    expect(window.scrollY).toBeGreaterThan(0);
    await expect.poll(() => window.location.hash).toBe('');
  });
});

describe('the zone settings', () => {
  const open = async (name: string) =>
    await zoneCard(name)
      .getByRole('button', { name: /Settings$/ })
      .click();
  const button = (name: string | RegExp) => dialog().getByRole('button', { name });

  // Proves ZONE-06
  it('rename, pause and resume the zone, and lead to its page', async () => {
    const { zoneChanges } = await openAdZones([makeZone({ name: 'Before' })]);
    await open('Before');
    await dialog().getByLabelText('Ad zone name').fill('After');
    await button('Rename').click();
    await seeToast('Ad zone renamed');
    await dialog().getByRole('switch', { name: 'Active' }).click();
    await seeToast('Ad zone paused');
    await button('Close').click();
    await see(zoneCard('After').getByText('Inactive', { exact: true }));
    await open('After');
    await dialog().getByRole('switch', { name: 'Active' }).click();
    await seeToast('Ad zone resumed');
    expect(zoneChanges.map(({ body }) => body)).toEqual([
      { name: 'After' },
      { isActive: false },
      { isActive: true },
    ]);
    const link = dialog().getByRole('link', { name: 'Prices, look, visitors, your own ad and code' });
    await expect.element(link).toHaveAttribute('href', `/ad-zones/${uuid(11)}`);
    await button('Close').click();
    await see(zoneCard('After').getByText('Active', { exact: true }));
  });

  it('say since when the zone is paused, and what a pause does', async () => {
    await openAdZones([makeZone({ isActive: false, pausedAt: '2026-11-20T12:00:00.000Z' })]);
    await open('Sidebar');
    await see(dialog().getByText(/^Paused since Nov 20, 2026.* extended by the length of the pause\.$/));
    closeScreen();
    await openAdZones([makeZone()]);
    await open('Sidebar');
    await see(saying('An inactive ad zone shows no ads', dialog()));
  });

  // Proves ZONE-06
  it('ask for another name while it is unchanged, and send nothing', async () => {
    const { zoneChanges } = await openAdZones([makeZone()]);
    await open('Sidebar');
    const rename = button('Rename');
    await expect.element(rename).toHaveAttribute('aria-description', 'Enter a different name first');
    await press(rename);
    await seeToast('Enter a different name first');
    expect(zoneChanges).toEqual([]);
  });
});

describe('deleting an ad zone', () => {
  // Proves ZONE-07, ERR-62, ERR-56
  it('needs a confirmation and no active campaign, and any failed deletion says why', async () => {
    const zones = [makeZone({ name: 'Live' }), makeZone({ id: 12, publicId: uuid(12), name: 'Doomed' })];
    await openAdZones(zones);
    const calls = answer(deleteZone, () => {
      zones.pop();
      return { success: true as const };
    });
    await choose('More for Doomed', 'Delete');
    await see(saying('This can’t be undone.', dialog()));
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(calls).toEqual([]);
    // The focus returns to the menu that opened the dialog.
    await expect.poll(() => focused()?.getAttribute('aria-label')).toBe('More for Doomed');

    const remove = async (name: string) => {
      await choose(`More for ${name}`, 'Delete');
      await dialog().getByRole('button', { name: 'Delete Ad Zone' }).click();
      await expect.element(dialog()).not.toBeInTheDocument();
    };
    await remove('Doomed');
    await expect.element(zoneCard('Doomed')).not.toBeInTheDocument();
    await expect.poll(() => focused()?.tagName).toBe('MAIN');
    expect(calls).toMatchObject([{ params: { ref: { id: 12 } } }]);

    answer(deleteZone, refused(409, 'In use'));
    await remove('Live');
    expect(await seeToast('Cannot Delete Ad Zone')).toContain(
      'This ad zone has active campaigns. Please wait for them to complete before deleting.',
    );
    for (const [trouble, text] of [
      [refused(500, ''), 'Failed to delete ad zone'],
      [refused(422, 'M1'), 'M1'],
    ] satisfies [Trouble, string][]) {
      answer(deleteZone, trouble);
      await remove('Live');
      await seeErrorToast(text);
    }
    await see(zoneCard('Live'));
  });
});

it('a publisher states rules for ads', async () => {
  const websites = [makeWebsite()];
  await openAdZones([], [], websites);
  const calls = answer(updateWebsite, ({ body: { rules } }) =>
    makeWebsite({ rules: { subjects: [], domains: [], words: [], ...rules } }),
  );
  await choose('Manage Gazette', 'Edit website');
  const form = page.getByRole('dialog', { name: 'Edit Website' });
  const field = (label: string) => form.getByLabelText(label, { exact: false });
  await form.getByRole('button', { name: 'Rules for ads' }).click();
  await field('Refused subjects').fill('Gambling');
  await field('Refused words').fill('roasted\nfree money');
  await field('Refused domains').fill('not a domain');
  await form.getByRole('button', { name: 'Save Website' }).click();
  await see(saying('Please enter a domain such as example.com', form));
  expect(calls).toEqual([]);
  await field('Refused domains').fill('casino.example');
  await form.getByRole('button', { name: 'Save Website' }).click();
  await seeToast('Website saved');
  expect(calls).toMatchObject([
    {
      params: { ref: { publicId: uuid(1) } },
      body: {
        rules: { subjects: ['Gambling'], words: ['roasted', 'free money'], domains: ['casino.example'] },
      },
    },
  ]);
});
