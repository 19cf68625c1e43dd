import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { getZoneAvailability } from '#domain/ads/contract.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import {
  choice,
  createPlan,
  getPlan,
  listChoices,
  listPlans,
  plan,
  type Choice,
  type Plan,
  type PlanAd,
} from '#domain/plans/contract.ts';
import { addDays, utcDay } from '#domain/time.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { fillContent, saying, see, seeToast, wordsOf } from '#web/testing/look.ts';
import { makeAd, makeProduct, makeWebsite, makeZone, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { noAvailability } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';
import { formatDay } from '#web/ui/format/format.ts';

const open = (path: string) => openPage(path, { as: person('buyer') });
const rows = () => page.getByRole('region', { name: 'Ad zones', exact: true }).getByRole('listitem');
const summary = () => page.getByRole('region', { name: 'Summary' });
const submit = () => page.getByRole('button', { name: 'Submit for Approval' }).click();

/** The ad zone with this number, on a website of its own, with a text ad for 7 days for $25 and perhaps an image ad. */
function makeChoice(
  number: number,
  site: string,
  zone: Partial<AdZone> = {},
  types: ('text' | 'image')[] = ['text'],
  closed: Choice['closed'] = [],
): Choice {
  return sample(choice, {
    website: { ...makeWebsite({ publicId: uuid(number), name: site }) },
    zone: { ...makeZone({ publicId: uuid(100 + number), ...zone }) },
    closed,
    holdsDays: closed.length > 0,
    products: types.map((adType, at) => {
      const {
        finishes: _finishes,
        expectedDays: _days,
        ...product
      } = makeProduct({
        id: 10 * number + at,
        adZoneId: 100 + number,
        adType,
        price: adType === 'text' ? '25.00' : '40.00',
        duration: 7,
      });
      return product;
    }),
  });
}
const newPlan = (...numbers: number[]) =>
  `/plans/new?zones=${numbers.map((number) => uuid(100 + number)).join(',')}`;

/** Answers the builder with these ad zones. */
function answerChoices(choices: Choice[]) {
  answer(getZoneAvailability, noAvailability);
  return answer(listChoices, ({ query: { refs } }) =>
    choices.filter(({ zone }) => refs.includes(zone.publicId)),
  );
}

describe('the builder of a plan', () => {
  it('names ad zones that can’t show the ad, removes them with one click, and asks for each image size once', async () => {
    answerChoices([
      makeChoice(1, 'Cedar site', {}, ['text', 'image']),
      makeChoice(2, 'Dates site', {}, ['text', 'image']),
      makeChoice(3, 'Elder site'),
      makeChoice(4, 'Dates site', { name: 'Top', zoneType: 'banner', width: 728, height: 90 }, ['image']),
    ]);
    // The last one is not offered.
    await open(newPlan(1, 2, 3, 4, 5));
    await see(saying('1 ad zone can’t be booked now.'));
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await see(saying('1 ad zone can’t show image ads.'));
    await see(saying('Needs an image of 728 × 90', rows().nth(3)));
    expect(saying('need an image of their shape').elements()).toEqual([]);
    await expect.poll(() => page.getByRole('group', { name: /^Image, / }).elements().length).toBe(2);
    for (const size of ['300 × 250', '728 × 90'])
      await see(page.getByRole('group', { name: `Image, ${size}` }));
    const calls = answer(createPlan, broken);
    await fillContent();
    await submit();
    await see(saying('Upload an image of 728 × 90, or remove its ad zones'));
    await see(saying('5 ad zones can’t take this ad. See the list.'));
    await see(saying('3 ad zones need an image of their shape.'));
    expect(calls).toEqual([]);
    for (let left = 2; left > 0; left--)
      await page.getByRole('button', { name: 'Remove it' }).first().click();
    await expect.poll(() => rows().elements().length).toBe(3);
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await see(saying('1 ad zone can’t show text ads.'));
  });

  it('shows when each ad starts before anything is booked, and submits these days', async () => {
    const today = utcDay(new Date());
    const full = [{ from: addDays(today, 3), to: addDays(today, 7) }];
    answerChoices([makeChoice(1, 'Cedar site'), makeChoice(2, 'Pedal & Path', {}, ['text'], full)]);
    await open(newPlan(1, 2));
    const start = page.getByRole('region', { name: 'Start' });
    await see(saying('1 of 2 ad zones are free now.', start));
    await see(saying(`Pedal & Path starts on ${formatDay(addDays(today, 8))}.`, start));
    await see(saying('Starts when you pay', rows().first()));
    await see(saying('(the first free days)', rows().last()));

    const wanted = addDays(today, 20);
    await start.getByLabelText('First day', { exact: false }).fill(wanted);
    await see(saying('2 of 2 ad zones are free then.', start));
    for (const row of [rows().first(), rows().last()])
      await see(saying(`${formatDay(wanted)} to ${formatDay(addDays(wanted, 6))}`, row));
    const calls = answer(createPlan, broken);
    await fillContent();
    await submit();
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.body.placements.map(({ startDate }) => startDate)).toEqual([wanted, wanted]);
  });

  it('refuses an ad zone without a free start, and sends the limits of all ads', async () => {
    const today = utcDay(new Date());
    const all = [{ from: today, to: addDays(today, 400) }];
    answerChoices([makeChoice(1, 'Cedar site'), makeChoice(2, 'Pedal & Path', {}, ['text'], all)]);
    await open(newPlan(1, 2));
    await see(saying('No start is free in the next 180 days.', rows().last()));
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('button', { name: 'Targeting' }).click();
    await page.getByLabelText('Countries', { exact: false }).selectOptions('DE');
    await see(saying('Germany'));
    const calls = answer(createPlan, broken);
    await fillContent();
    await submit();
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.body.placements).toMatchObject([{ targeting: { countries: ['DE'] } }]);
  });

  it('shows the server’s refusals at the ad zone, and can submit without what was refused', async () => {
    answerChoices([makeChoice(1, 'Dates site'), makeChoice(2, 'Elder site')]);
    await open(newPlan(1, 2));
    await see(summary().getByText('$50.00'));
    const refusal = '1 of 2 ad zones can’t take this ad, so nothing was submitted.';
    const fault = { index: 1, message: 'The price is now $30.00.', reason: null };
    answer(createPlan, refused(409, refusal, { placements: [fault] }));
    await fillContent({ Title: 'Refused once' });
    await submit();
    await see(saying('The price is now $30.00.', rows().last()));
    await see(saying(refusal));
    await page.getByRole('button', { name: 'Remove 1 ad zone' }).click();
    await see(summary().getByText('$25.00'));
    const made = planOf([ad({ title: 'Refused once' })], { name: 'Refused once' });
    const calls = answer(createPlan, ({ body: { name } }) => ({
      publicId: made.publicId,
      name,
      total: '25.00',
      ads: [makeAd()],
      isNew: true,
    }));
    answer(getPlan, made);
    await submit();
    expect(await seeToast('Plan submitted')).toContain('The publisher reviews your ad now.');
    await see(saying('1 pending'));
    expect(calls).toMatchObject([
      {
        body: {
          name: 'Refused once',
          creative: { adType: 'text', title: 'Refused once' },
          placements: [
            { adZoneId: { publicId: uuid(101) }, productId: 10, quantity: 1, expectedPrice: '25.00' },
          ],
        },
      },
    ]);
  });

  it('shows the server’s refusal at the field, and moves the focus there', async () => {
    answerChoices([makeChoice(1, 'Apple site')]);
    await open(newPlan(1));
    await see(saying('$25.00', summary()));
    const issues = [{ path: 'creative.title', message: 'Title is required' }];
    answer(createPlan, refused(400, 'Title is required', { issues }));
    await submit();
    await see(page.getByText('Title is required').first());
    await expect.element(page.getByLabelText('Title', { exact: true })).toHaveFocus();
  });

  it('limits all ads of the plan, and says what is left of each ad zone', async () => {
    const forecast = { basis: 'zone', viewsPerDay: { low: 100, likely: 130, high: 200 } } as const;
    const places = ['Apple site', 'Birch site'].map((name, at) => makeChoice(at + 1, name, { forecast }));
    answerChoices(places);
    const asked = answer(listChoices, ({ query: { targeting } }) =>
      places.map((place, at) => ({ ...place, within: targeting && at === 0 ? 0.17 : null })),
    );
    answer(getZoneAvailability, ({ params: { ref }, query: { targeting } }) => ({
      ...noAvailability,
      isLimited: Boolean(targeting),
      limited: targeting && 'publicId' in ref && ref.publicId === uuid(101) ? { likely: 22, of: 130 } : null,
      minDayViews: targeting ? 3 : 10,
    }));
    await open(newPlan(1, 2));
    await see(saying('About 1,800 views, 7 days', summary()));
    await see(saying('Each day needs 10 counted views', rows().first()));
    await page.getByRole('button', { name: 'Targeting' }).click();
    await page.getByRole('checkbox', { name: 'phones' }).click();
    await see(saying('Within the limits: about 22 of 130 views a day', rows().first()));
    await see(saying('Each day needs 3 counted views', rows().first()));
    await see(saying('We can’t say yet how many views are within the limits', rows().last()));
    await see(saying('About 160 views, 7 days', summary()));
    expect(asked.at(-1)?.query.targeting).toEqual({ devices: ['phone'] });
    const calls = answer(createPlan, broken);
    await fillContent();
    await submit();
    await expect.poll(() => calls.length).toBe(1);
    for (const placement of calls[0]!.body.placements)
      expect(placement.targeting).toEqual({ devices: ['phone'] });
  });

  it('refuses a shortlist of too many ad zones with a message, and keeps the first 100', async () => {
    const many = Array.from({ length: 300 }, (_, at) => uuid(1000 + at));
    const calls = answer(listChoices, []);
    await open(`/plans/new?zones=${many.join(',')}`);
    await see(page.getByText('300 ad zones are too many'));
    await see(saying('A plan can have at most 100 ad zones.'));
    expect(calls).toEqual([]);
    await page.getByRole('button', { name: 'Keep the first 100' }).click();
    await expect.poll(() => rows().elements().length).toBe(100);
    expect(calls.map(({ query }) => query.refs)).toEqual([many.slice(0, 100)]);
  });

  it('says what to do without ad zones', async () => {
    await open('/plans/new');
    await see(page.getByText('Choose where your ad runs'));
  });

  it('says that the ad zones could not be loaded', async () => {
    answer(listChoices, broken);
    await open(newPlan(1));
    await see(saying('Could not load the ad zones'));
  });
});

const nothing = { paid: '0.00', delivered: '0.00', notDelivered: '0.00', refunded: '0.00' };
const ad = (members: Partial<PlanAd> = {}): PlanAd => ({ ...makeAd(members), ...nothing, ...members });
const planOf = (ads: PlanAd[], members: Partial<Plan> = {}): Plan =>
  sample(plan, { publicId: uuid(71), name: 'Reported plan', total: '75.00', ...nothing, ads, ...members });

describe('a plan', () => {
  it('is reported as one: sums of its rows, and what each ad needs next', async () => {
    const price = { totalAmount: '25.00', duration: 7 };
    answer(
      getPlan,
      planOf(
        [
          ad({ id: 31, status: 'active', ...price, paid: '25.00', notDelivered: '25.00' }),
          ad({ id: 32, publicId: uuid(32), status: 'approved', websiteName: 'Birch site', ...price }),
          ad({
            id: 33,
            publicId: uuid(33),
            status: 'rejected',
            websiteName: 'Cedar site',
            rejectionReason: 'Too loud for our readers',
            ...price,
          }),
        ],
        { paid: '25.00', notDelivered: '25.00' },
      ),
    );
    answer(listPlans, [planOf([ad()])]);
    await open('/plans');
    await page.getByRole('link', { name: 'Reported plan' }).click();
    await see(saying('1 active, 1 approved, 1 rejected'));
    expect(wordsOf(page.getByRole('region', { name: 'Sums of the plan' }))).toMatch(
      /^Paid \$25\.00 of \$75\.00 .*Refunded \$0\.00/,
    );
    await expect
      .element(page.getByRole('link', { name: 'Pay Now: Birch site' }))
      .toHaveAttribute('href', `/checkout/${uuid(32)}`);
    await see(saying('Too loud for our readers'));
    await see(page.getByRole('link', { name: 'Edit & Resubmit: Cedar site' }));
  });

  it('is absent at first, and one that is unknown is not found', async () => {
    answer(listPlans, []);
    answer(getPlan, refused(404, 'Plan not found'));
    await open('/plans');
    await see(page.getByText('No plans yet'));
    await expect
      .element(page.getByRole('link', { name: 'Choose websites' }))
      .toHaveAttribute('href', '/marketplace?view=table');
    window.history.pushState(null, '', `/plans/${uuid(72)}`);
    await see(page.getByText('Plan not found'));
  });
});
