import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  correctAd,
  countMyAds,
  getAdDetails,
  getAudience,
  listMyAds,
  resubmitAd,
  withdrawAd,
  type Ad,
  type Submission,
} from '#domain/ads/contract.ts';
import { breakdownRow, getBreakdown, getSeries, getSpending } from '#domain/analytics/contract.ts';
import { dayIn } from '#domain/analytics/days.ts';
import { listMedia, mediaItem } from '#domain/media/contract.ts';
import { answer, refused, slow, type Trouble } from '#web/testing/answers.ts';
import { choose, itemsOf, press, saying, see, seeErrorToast, seeToast, wordsOf } from '#web/testing/look.ts';
import { makeAd, makeSubmission, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerBuyerDashboard, answerMyAds, noSeries } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';
import { addDays } from '#domain/time.ts';

const table = () => page.getByRole('table', { name: 'My Campaigns' });
const row = (title: string) => table().getByRole('row').filter({ hasText: title });
const openDashboard = (query = '') => openPage(`/dashboard${query}`, { as: person('buyer') });

/** One pixel, as a picture that loads without a server. */
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

describe('the buyer dashboard', () => {
  // Proves DASH-B-06, DASH-B-07, DASH-B-08, DASH-B-10, TXN-07
  it('the cards, the campaign rows and the report show the server’s figures', async () => {
    answerBuyerDashboard([
      makeAd({ id: 31, title: 'Running', status: 'active', totalImpressions: 1200, totalClicks: 34 }),
      makeAd({ id: 32, title: 'Waiting' }),
    ]);
    answer(getSpending, {
      totalSpending: '1234.50',
      delivered: '40.00',
      notDelivered: '1194.50',
      thisMonth: '1000.50',
      totalImpressions: 1200,
      totalClicks: 34,
      impressionsThisMonth: 1200,
      clicksThisMonth: 30,
    });
    answer(getSeries, noSeries);
    answer(getBreakdown, [
      sample(breakdownRow, {
        publicId: uuid(31),
        name: 'Running',
        impressions: 1200,
        clicks: 34,
        amount: '40.00',
      }),
    ]);
    await openDashboard();
    const cards = page.getByRole('region', { name: 'Spending and results' });
    await see(cards.getByText('$1,234.50', { exact: true }));
    const texts = () =>
      [...cards.element().children].map((card) => (card as HTMLElement).innerText.split('\n').slice(0, 3));
    await expect.poll(texts).toEqual([
      ['Campaign Spend', '$1,234.50', '$1,000.50 this month'],
      ['Active Campaigns', '1', 'Live right now'],
      ['Total Clicks', '34', '30 this month'],
    ]);
    await see(row('Running').getByRole('cell', { name: /1,200 impressions\s*34 clicks/ }));
    await see(row('Waiting').getByRole('cell', { name: /^0 impressions\s*0 clicks/ }));
    const report = page.getByRole('region', { name: 'Campaign Performance' });
    await see(report.getByRole('row').filter({ hasText: 'Running' }));
    expect(wordsOf(report)).toContain('1,200');
    expect(wordsOf(report)).not.toContain('Waiting');
  });

  // Proves DASH-B-09, DASH-B-11, DASH-B-12, DASH-B-14
  it('each campaign row shows the status of the ad and the actions that it allows', async () => {
    const terms = { totalAmount: '9.90', duration: 2 };
    answerBuyerDashboard([
      makeAd({
        id: 31,
        title: 'Still pending',
        ...terms,
        answerDueAt: '2026-12-30T12:00:00.000Z',
        usualAnswerHours: 5,
      }),
      makeAd({ id: 32, title: 'To be paid', status: 'approved', publicId: uuid(32) }),
      makeAd({ id: 33, title: 'Turned down', status: 'rejected', rejectionReason: 'Too many colours.' }),
      makeAd({ id: 34, title: 'On air', status: 'active' }),
      makeAd({
        id: 35,
        title: 'Over now',
        status: 'completed',
        publicId: uuid(35),
        endedReason: 'delivered',
      }),
    ]);
    await openDashboard();
    await see(row('Over now'));
    const heads = table()
      .getByRole('columnheader')
      .elements()
      .map((head) => (head as HTMLElement).innerText);
    expect(heads).toEqual([
      'Campaign',
      'Website & Zone',
      'Type',
      'Pricing',
      'Status',
      'Performance',
      'Actions',
    ]);
    const cells = (title: string) => row(title).getByRole('cell').all().map(wordsOf);
    await expect
      .poll(() => cells('Still pending').slice(1))
      .toEqual([
        'Gazette Sidebar',
        'Text',
        '$9.90 2 days',
        'pending',
        '0 impressions 0 clicks',
        expect.stringMatching(/^Awaiting Approval .*Without an answer it ends on Dec 30, 2026\.$/),
      ]);
    for (const [title, status, state, items] of [
      ['Turned down', 'rejected', 'Edit & Resubmit Too many colours.', ['Similar ad zones']],
      ['On air', 'active', 'Live', ['Open campaign', 'Not showing?', 'Pause', 'Cancel campaign']],
      ['Over now', 'completed', 'Completed', ['Open campaign', 'Run again']],
      ['To be paid', 'approved', 'Pay Now', ['Open campaign', 'Withdraw ad']],
      [
        'Still pending',
        'pending',
        expect.stringContaining('Awaiting Approval'),
        ['Open campaign', 'Edit ad', 'Pay when approved', 'Withdraw ad'],
      ],
    ] as const) {
      const texts = cells(title);
      expect([texts[4], texts[6]]).toEqual([status, state]);
      expect(await itemsOf(row(title))).toEqual(items);
    }
    const pay = row('To be paid').getByRole('link', { name: 'Pay Now' });
    await expect.element(pay).toHaveAttribute('href', `/checkout/${uuid(32)}`);
    await press(row('Over now').getByRole('button', { name: 'More for Over now' }));
    const again = page.getByRole('menuitem', { name: 'Run again' }).element() as HTMLAnchorElement;
    expect(Object.fromEntries(new URL(again.href).searchParams)).toEqual({
      again: uuid(35),
      website: uuid(1),
      zone: uuid(11),
      type: 'text',
      option: '21',
    });
  });

  // Proves ENT-28, MED-16
  it('a thumbnail shows the creative of each text, image and video ad, or a placeholder', async () => {
    answerBuyerDashboard([
      makeAd({ id: 31, title: 'Some text' }),
      makeAd({ id: 32, title: 'An image', adType: 'image', imageUrl: PIXEL }),
      makeAd({ id: 33, title: 'A video', adType: 'video', videoUrl: '/v.mp4', imageUrl: PIXEL }),
      makeAd({ id: 34, title: 'A lost image', adType: 'image', imageUrl: '/nowhere.png' }),
    ]);
    await openDashboard();
    await see(row('Some text'));
    const sources = (title: string, kind: string) =>
      [...row(title).element().querySelectorAll(`[data-thumbnail=${kind}]`)].map((thumbnail) =>
        thumbnail.querySelector('img')?.getAttribute('src'),
      );
    expect(sources('Some text', 'text')).toEqual([undefined]);
    expect(sources('An image', 'image')).toEqual([PIXEL]);
    expect(sources('A video', 'video')).toEqual([PIXEL]);
    await expect.poll(() => sources('A lost image', 'image')).toEqual(['/image-missing.svg']);
  });
});

describe('My Campaigns', () => {
  const tab = (name: string) =>
    page.getByRole('tablist', { name: 'Campaigns' }).getByRole('tab', { name: new RegExp(`^${name}`) });
  const titles = () =>
    table()
      .getByRole('row')
      .getByRole('link', { name: /Ad \d+/ })
      .all()
      .map(wordsOf);
  const later = `${addDays(dayIn('UTC', new Date()), 3)}T00:00:00.000Z`;
  const started = { status: 'active', startDate: '2026-11-20T00:00:00.000Z' } as const;

  // Proves DASH-B-07
  it('shows the true counts, also of more ads than fit on a page, and a later start is not live', async () => {
    answerBuyerDashboard([makeAd({ ...started, title: 'Ad 1' })]);
    answer(countMyAds, { all: 1200, active: 61, live: 59, waiting: 84, ended: 1057 });
    await openDashboard();
    await see(saying('59 live, 2 start later'));
    await see(page.getByText('61', { exact: true }));
    for (const [name, count] of [
      ['All', '1,200'],
      ['Live', '59'],
      ['Waiting', '84'],
      ['Ended', '1,057'],
    ] as const)
      expect(wordsOf(tab(name))).toBe(`${name} ${count}`);
  });

  it('divides the ads into tabs, searches them, and says what an empty list is for', async () => {
    answerBuyerDashboard([
      makeAd({ ...started, id: 31, title: 'Ad 31' }),
      makeAd({ id: 32, title: 'Ad 32', status: 'active', startDate: later }),
      makeAd({ id: 33, title: 'Ad 33' }),
    ]);
    await openDashboard();
    await expect.poll(titles).toEqual(['Ad 31', 'Ad 32', 'Ad 33']);
    await tab('Live').click();
    await expect.poll(titles).toEqual(['Ad 31']);
    await tab('Waiting').click();
    await expect.poll(titles).toEqual(['Ad 32', 'Ad 33']);
    await page.getByLabelText('Search campaigns').fill('33');
    await expect.poll(titles).toEqual(['Ad 33']);
    await tab('Ended').click();
    await see(page.getByText('No campaign matches'));
    await page.getByRole('button', { name: 'Clear search' }).click();
    await see(page.getByText('No ended campaigns'));
    await expect.element(page.getByLabelText('Search campaigns')).toHaveValue('');
  });

  it('asks for 25 ads at a time', async () => {
    const ad = makeAd({ title: 'Ad 1' });
    answerBuyerDashboard([ad]);
    const calls = answer(listMyAds, [ad]);
    await openDashboard();
    await see(row('Ad 1'));
    expect(calls[0]?.query).toEqual({ limit: 25 });
  });

  it('shows the ads of a plan below its name, which leads to the plan', async () => {
    const plan = { plan: uuid(7), planName: 'Winter' };
    answerBuyerDashboard([
      makeAd({ id: 31, title: 'Ad 31' }),
      makeAd({ id: 32, title: 'Ad 32', ...plan }),
      makeAd({ id: 33, title: 'Ad 33', ...plan }),
      makeAd({ id: 34, title: 'Ad 34' }),
    ]);
    await openDashboard();
    await see(row('Ad 31'));
    const rows = table().getByRole('row').all().slice(1).map(wordsOf);
    expect(rows.map((text) => /Ad \d+|Plan Winter/.exec(text)?.[0])).toEqual([
      'Ad 31',
      'Plan Winter',
      'Ad 32',
      'Ad 33',
      'Ad 34',
    ]);
    await expect
      .element(table().getByRole('link', { name: 'Winter' }))
      .toHaveAttribute('href', `/plans/${uuid(7)}`);
  });
});

describe('the Edit & Resubmit dialog', () => {
  const rejected = (members: Partial<Submission> = {}) =>
    makeSubmission({ status: 'rejected', rejectionReason: 'Please name the price.', ...members });
  const edit = () => page.getByRole('dialog', { name: 'Edit & Resubmit' });
  const update = () => edit().getByRole('button', { name: 'Update & Resubmit' });

  /** Opens the dialog of a rejected ad from its row. Returns the calls that resubmit it. */
  async function openEdit(ad: Submission) {
    answerBuyerDashboard([makeAd({ ...mineOf(ad) })]);
    answer(getAdDetails, ad);
    await openDashboard();
    await row(ad.title).getByRole('button', { name: 'Edit & Resubmit' }).click();
    await see(edit().getByLabelText('Title'));
    return answer(resubmitAd, ({ body }) => {
      const sent = {
        ...mineOf(ad),
        ...body,
        startDate: null,
        status: 'pending',
        rejectionReason: null,
      } as Ad;
      answerMyAds([sent]);
      return sent;
    });
  }
  function mineOf(ad: Submission): Ad {
    const { advertiser: _advertiser, variantOf: _variantOf, ...mine } = ad;
    return mine;
  }

  // Proves ROLE-07, DASH-B-20
  it('is refused to an advertiser who no longer buys, and keeps the changes', async () => {
    await openEdit(rejected());
    const calls = answer(resubmitAd, refused(403, 'You need the Ad Buyer role to do this.'));
    await edit().getByLabelText('Title').fill('A quieter ad');
    await update().click();
    await seeErrorToast('You need the Ad Buyer role to do this.');
    await expect.element(edit().getByLabelText('Title')).toHaveValue('A quieter ad');
    expect(calls).toHaveLength(1);
  });

  // Proves STATE-23
  it('sends a resubmission only once after a double click', async () => {
    await openEdit(rejected());
    const { answer: held, release } = slow(makeAd({ title: 'Sent once' }));
    const calls = answer(resubmitAd, held);
    await edit().getByLabelText('Title').fill('Sent once');
    await update().dblClick();
    await expect.element(update()).toBeDisabled();
    release();
    await expect.element(edit()).not.toBeInTheDocument();
    expect(calls).toHaveLength(1);
  });

  // Proves DASH-B-03
  it.each(['31', uuid(31)])(
    'opens from ?editAd with the ad’s id or public id, and removes the parameter: %s',
    async (ref) => {
      answerBuyerDashboard();
      const calls = answer(getAdDetails, rejected({ title: 'Opened by a link' }));
      await openDashboard(`?editAd=${ref}`);
      await expect.element(edit().getByLabelText('Title')).toHaveValue('Opened by a link');
      await expect.element(edit().getByLabelText('Description')).toHaveValue('Beans roasted on Monday');
      await expect.element(edit().getByLabelText('Target URL')).toHaveValue('https://coffee.example/start');
      expect(window.location.pathname + window.location.search).toBe('/dashboard');
      expect(calls[0]?.params.ref).toEqual(ref === '31' ? { id: 31 } : { publicId: uuid(31) });
      await edit().getByRole('button', { name: 'Cancel' }).click();
      await expect.element(edit()).not.toBeInTheDocument();
    },
  );

  // Proves DASH-B-03, DASH-B-20
  it('does not open for an ad that is not rejected or not the advertiser’s own, and says so', async () => {
    answerBuyerDashboard();
    answer(getAdDetails, makeSubmission());
    await openDashboard('?editAd=31');
    expect(await seeToast('This ad can’t be edited')).toContain('This one is pending');
    await expect.element(edit()).not.toBeInTheDocument();
    expect(window.location.pathname + window.location.search).toBe('/dashboard');
  });

  // Proves DASH-B-03
  it('does not open for an ad of somebody else, and says so', async () => {
    answerBuyerDashboard();
    answer(getAdDetails, refused(404, 'Ad not found'));
    await openDashboard('?editAd=31');
    await seeErrorToast('Ad not found');
    await expect.element(edit()).not.toBeInTheDocument();
  });

  // Proves DASH-B-17, DASH-B-20, ERR-47
  it('replaces the image of an image ad from the media library, or by an upload', async () => {
    const [before, kept] = ['b', 'k'].map((letter) => `/ad-images/${letter.repeat(22)}`) as [string, string];
    const calls = await openEdit(rejected({ adType: 'image', imageUrl: before }));
    answer(listMedia, [sample(mediaItem, { imagePath: kept, path: kept, filename: 'kept.png' })]);
    await expect.element(edit().getByLabelText('Upload another image', { exact: false })).toBeInTheDocument();
    await edit().getByRole('button', { name: 'Choose from Media Library' }).click();
    const library = page.getByRole('dialog', { name: 'Media Library' });
    await library.getByRole('button', { name: /kept\.png/ }).click();
    await library.getByRole('button', { name: 'Use This Image' }).click();
    await expect.element(library).not.toBeInTheDocument();
    await update().click();
    await seeToast('Ad updated and resubmitted for approval');
    expect(calls).toMatchObject([
      { params: { ref: { id: 31 } }, body: { imageUrl: kept, title: 'Fresh coffee' } },
    ]);
  });

  // Proves DASH-B-14, DASH-B-16, DASH-B-17, VAL-29, VAL-30, VAL-23, VAL-26
  it('shows the rejection reason and the ad; Cancel, missing, invalid and unchanged fields send nothing', async () => {
    const ad = rejected();
    const calls = await openEdit(ad);
    await see(edit().getByText('Please name the price.'));
    const field = (label: string) => edit().getByLabelText(label);
    await expect.element(field('Title')).toHaveValue(ad.title);
    await expect.element(field('Description')).toHaveValue(ad.description);
    await expect.element(field('Target URL')).toHaveValue(ad.targetUrl);
    // A text ad has no image to change.
    expect(
      edit()
        .getByLabelText(/Upload/)
        .elements(),
    ).toEqual([]);
    expect(edit().getByRole('button', { name: 'Choose from Media Library' }).elements()).toEqual([]);
    await field('Title').fill('Never to be seen');
    await expect.element(update()).toBeEnabled();
    await edit().getByRole('button', { name: 'Cancel' }).click();
    await expect.element(edit()).not.toBeInTheDocument();

    await see(row(ad.title).getByText('Please name the price.'));
    await row(ad.title).getByRole('button', { name: 'Edit & Resubmit' }).click();
    await expect.element(field('Title')).toHaveValue(ad.title);
    await update().click();
    const unchanged = edit().getByText('At least one field must be modified before resubmission', {
      exact: true,
    });
    await see(unchanged);
    for (const [title, description, address, messages] of [
      ['', ' ', '', ['Title is required', 'Description is required']],
      [
        't'.repeat(101),
        'd'.repeat(501),
        'javascript:alert(1)',
        ['Title must be less than 100 characters', 'Description must be less than 500 characters'],
      ],
    ] as const) {
      await field('Title').fill(title);
      await field('Description').fill(description);
      await field('Target URL').fill(address);
      await update().click();
      for (const text of [...messages, 'Please enter a valid URL'])
        await see(edit().getByText(text, { exact: true }));
    }
    await field('Description').fill(ad.description);
    await field('Target URL').fill(ad.targetUrl);
    // Spaces around the title do not count as a change.
    await field('Title').fill(` ${ad.title} `);
    await update().click();
    await see(unchanged);
    expect(calls).toEqual([]);
  });

  // Proves ERR-43, ERR-47, ERR-56, DASH-B-20
  it('shows why an update failed, and the next try sends the ad to the publisher', async () => {
    const ad = rejected();
    await openEdit(ad);
    await edit().getByLabelText('Title').fill('Now with its price');
    for (const [trouble, text] of [
      [refused(500, ''), 'Failed to update ad'],
      [refused(400, 'M1'), 'M1'],
    ] satisfies [Trouble, string][]) {
      answer(resubmitAd, trouble);
      await update().click();
      await seeErrorToast(text);
    }
    const calls = answer(resubmitAd, ({ body }) => {
      const sent = { ...mineOf(ad), ...body, status: 'pending', rejectionReason: null } as Ad;
      answerMyAds([sent]);
      return sent;
    });
    await update().click();
    await seeToast('Ad updated and resubmitted for approval');
    await expect.element(edit()).not.toBeInTheDocument();
    await see(row('Now with its price').getByText('Awaiting Approval'));
    expect(calls).toMatchObject([
      {
        params: { ref: { id: 31 } },
        body: { title: 'Now with its price', description: ad.description, targetUrl: ad.targetUrl },
      },
    ]);
  });

  // Proves DEST-01
  it('says what is wrong with a target before it is sent', async () => {
    const calls = await openEdit(rejected());
    const target = edit().getByLabelText('Target URL');
    await target.fill('http://192.168.1.1/reboot');
    await update().click();
    await see(
      edit().getByText('Please enter an address on the public internet, such as https://example.com'),
    );
    await target.fill('https://example.com/\u202Egnp.exe');
    await see(saying('This address has invisible characters that reverse text', edit()));
    expect(calls).toEqual([]);
  });

  it('sends another start of the ad', async () => {
    const calls = await openEdit(rejected());
    const startDate = addDays(dayIn('UTC', new Date()), 9);
    await edit().getByLabelText('Another start', { exact: false }).fill(startDate);
    await update().click();
    await seeToast('Ad updated and resubmitted for approval');
    expect(calls).toMatchObject([{ body: { startDate } }]);
  });
});

it('an advertiser corrects a waiting ad, and withdraws it', async () => {
  const ad = makeAd({ title: 'Frsh coffee', answerDueAt: '2026-12-30T12:00:00.000Z' });
  answerBuyerDashboard([ad]);
  answer(getAdDetails, makeSubmission({ title: ad.title }));
  await openDashboard();
  await see(saying('Without an answer it ends on', row('coffee')));
  await choose('Edit ad', row('coffee'));
  const dialog = page.getByRole('dialog', { name: 'Edit Ad' });
  const save = dialog.getByRole('button', { name: 'Save Changes' });
  const corrections = answer(correctAd, ({ body }) => {
    const corrected = { ...ad, title: body.title!, version: 2 };
    answerMyAds([corrected]);
    return corrected;
  });
  await save.click();
  await see(saying('Please change at least one field', dialog));
  expect(corrections).toEqual([]);
  await dialog.getByLabelText('Title').fill('Fresh coffee');
  await save.click();
  await seeToast('Ad corrected. The publisher reviews the new version.');
  expect(corrections).toMatchObject([{ params: { ref: { id: 31 } }, body: { title: 'Fresh coffee' } }]);

  const withdrawals = answer(withdrawAd, () => {
    const withdrawn = {
      ...ad,
      status: 'rejected' as const,
      withdrawnAt: '2026-11-29T12:00:00.000Z',
    };
    answerMyAds([withdrawn]);
    return withdrawn;
  });
  await choose('Withdraw ad', row('Fresh coffee'));
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await seeToast('Ad withdrawn');
  await see(row('coffee').getByText('You withdrew this ad.'));
  expect(withdrawals).toMatchObject([{ params: { ref: { id: 31 } } }]);
});

it('an advertiser takes back a limit of a waiting ad', async () => {
  const ad = makeAd({ targeting: { countries: ['DE'], languages: ['de'] } });
  answerBuyerDashboard([ad]);
  answer(getAdDetails, makeSubmission({ targeting: ad.targeting }));
  await openDashboard();
  await choose('Edit ad', row(ad.title));
  const dialog = page.getByRole('dialog', { name: 'Edit Ad' });
  await see(saying('Languages: German', dialog));
  answer(getAudience, { topics: [], paths: [] });
  await dialog.getByRole('button', { name: 'Targeting' }).click();
  await dialog.getByRole('button', { name: 'Remove German', exact: true }).click();
  const calls = answer(correctAd, { ...ad, version: 2 });
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await seeToast('Ad corrected. The publisher reviews the new version.');
  expect(calls[0]?.body.targeting).toEqual({ countries: ['DE'] });
});
