import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { createAd, getZoneAvailability, listMyAds } from '#domain/ads/contract.ts';
import { listWebsites } from '#domain/inventory/contract.ts';
import { listMedia, mediaItem } from '#domain/media/contract.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { fillContent, press, saying, see } from '#web/testing/look.ts';
import { makeAd, makeOffered, makeProduct, makeZone, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerBuyerDashboard, answerWizard, contentPath, noAvailability } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const IMAGES = makeProduct({ adType: 'image' });
const open = (path = contentPath()) => openPage(path, { as: person('buyer') });
const field = (label: string) => page.getByLabelText(label, { exact: true });
const submit = () => page.getByRole('button', { name: 'Submit for Approval' }).click();
const summary = () => page.getByRole('region', { name: 'Order Summary' });

/** Takes submitted ads. Returns the calls. */
function takeAds() {
  answerBuyerDashboard();
  return answer(createAd, () => {
    const ad = makeAd();
    answer(listMyAds, [ad]);
    return ad;
  });
}

describe('the form of an ad', () => {
  it('says first which ads the website refuses, and shows a refusal', async () => {
    answerWizard({
      websites: [
        makeOffered({ rules: { subjects: ['Gambling'], words: ['roasted', 'free money'], domains: [] } }),
      ],
    });
    await open();
    const rules = page.getByRole('list').filter({ hasText: 'Gambling' });
    await see(page.getByText('This website doesn’t take ads with', { exact: true }));
    await see(rules.getByText('Subjects: Gambling'));
    await see(rules.getByText('Words: roasted, free money'));
    await fillContent();
    const refusal = 'This website doesn’t take ads with the word “roasted”.';
    answer(createAd, refused(409, refusal));
    await submit();
    await see(saying(refusal).first());
  });

  it('adds https:// to a target that has a dot', async () => {
    answerWizard();
    await open();
    await fillContent({ 'Target URL': 'coffee.example/start' });
    await field('Title').click();
    await expect.element(field('Target URL')).toHaveValue('https://coffee.example/start');
  });

  it('is preceded by the marketplace, with the sites that sell images for an image ad', async () => {
    answerWizard();
    await open('/create-ad?type=image&step=2');
    const calls = answer(listWebsites, [makeOffered({ name: 'Images too', adTypes: ['text', 'image'] })]);
    await page.getByRole('link', { name: 'Browse Marketplace' }).click();
    await see(page.getByRole('button', { name: 'Image ads only: show all sites' }));
    await expect.poll(() => calls).toMatchObject([{ query: { adType: 'image' } }]);
    const link = page
      .getByRole('article', { name: 'Images too' })
      .getByRole('link', { name: 'Advertise Here' });
    await expect.element(link).toHaveAttribute('href', `/create-ad?website=${uuid(1)}&type=image`);
    await page.getByRole('button', { name: 'Image ads only: show all sites' }).click();
    await expect.poll(() => calls.at(-1)?.query).not.toHaveProperty('adType');
  });

  it('names the sizes of an image', async () => {
    answerWizard({ websites: [makeOffered({ adTypes: ['image'] })], products: [IMAGES] });
    await open(contentPath('image'));
    await see(saying('300 × 250 or 600 × 500 pixels, or another size of this shape'));
  });

  // Proves MED-16
  it('shows a placeholder for a broken image, in the library, in the form and in the preview', async () => {
    answerWizard({ websites: [makeOffered({ adTypes: ['image'] })], products: [IMAGES] });
    const path = `/ad-images/${'b'.repeat(22)}`;
    answer(listMedia, [sample(mediaItem, { imagePath: path, path, filename: 'broken.png' })]);
    await open(contentPath('image'));
    await page.getByRole('button', { name: 'Choose from Media Library' }).click();
    const library = page.getByRole('dialog', { name: 'Media Library' });
    const broken = library.getByRole('button', { name: /^broken\.png/ });
    await see(broken);
    const sourceIn = (of: ParentNode | null | undefined) => of?.querySelector('img')?.getAttribute('src');
    await expect.poll(() => sourceIn(broken.element())).toBe('/image-missing.svg');
    await broken.click();
    await library.getByRole('button', { name: 'Use This Image' }).click();
    await expect
      .poll(() => page.getByRole('img', { name: 'Chosen image' }).element().getAttribute('src'))
      .toBe('/image-missing.svg');
    await expect
      .poll(() => sourceIn(document.querySelector('[data-preview=image]')?.shadowRoot))
      .toMatch(/\/image-missing\.svg$/);
  });

  it('adds UTM parameters to the target, and says what visitors get before the submission', async () => {
    answerWizard({ websites: [makeOffered({ url: 'https://daily.example' })] });
    await open();
    await page.getByRole('button', { name: 'Tracking' }).click();
    const fold = page.getByRole('region', { name: 'Tracking' });
    await see(fold.getByText('Enter the target URL first.'));
    await fillContent({ 'Target URL': 'https://coffee.example/start?a=1#top' });
    await fold.getByLabelText('utm_campaign').fill('autumn sale');
    const query = (site: string) => `a=1&utm_source=${site}&utm_medium=display&utm_campaign=autumn%20sale`;
    await see(saying(`https://coffee.example/start?${query('daily.example')}#top`, fold));
    await fold.getByRole('button', { name: 'Add to the target URL' }).click();
    await see(fold.getByRole('button', { name: 'Added to the target URL' }));
    const calls = takeAds();
    await submit();
    await expect
      .poll(() => calls.map(({ body }) => body.targetUrl))
      .toEqual([`https://coffee.example/start?${query('{site}')}#top`]);
  });

  it('limits an ad to visitors, pages and hours, beside the exclusions of the ad zone', async () => {
    answerWizard({ zones: [makeZone({ excludes: { countries: ['FR'] } })] });
    const calls = takeAds();
    await open();
    await see(saying('Countries: France', summary()));
    await fillContent();
    const countries = page.getByRole('combobox', { name: 'Countries' });
    expect(countries.elements()).toEqual([]);
    await press(page.getByRole('button', { name: 'Targeting' }));
    await countries.selectOptions('DE');
    await countries.selectOptions('Austria');
    await press(page.getByRole('button', { name: 'Remove Austria' }));
    const tick = (label: string) => page.getByLabelText(label, { exact: false }).click();
    await tick('Also show it where the country is unknown');
    await page.getByRole('combobox', { name: 'Languages' }).selectOptions('de');
    await tick('Phones');
    await tick('Monday');
    await page.getByRole('button', { name: 'Add hours' }).click();
    await field('To').selectOptions('20');
    await page.getByLabelText('Clock', { exact: false }).selectOptions('UTC');
    const paths = page.getByLabelText('Pages', { exact: false });
    await paths.fill('sport');
    await page.getByLabelText('Topics', { exact: false }).fill('Cycling, tennis');
    await submit();
    await see(saying('A path begins with /'));
    expect(calls).toEqual([]);
    await paths.fill('/sport/*\n/news');
    await submit();
    await expect
      .poll(() => calls.map(({ body }) => body.targeting))
      .toEqual([
        {
          countries: ['DE'],
          unknownCountry: 'show',
          languages: ['de'],
          devices: ['phone'],
          days: ['mon'],
          hours: [{ from: 8, to: 20 }],
          timezone: 'UTC',
          paths: ['/sport/*', '/news'],
          topics: ['cycling', 'tennis'],
        },
      ]);
  });

  it('says how many views a day needs, and sends what it has said', async () => {
    answerWizard();
    answer(getZoneAvailability, { ...noAvailability, minDayViews: 10 });
    const calls = takeAds();
    await open();
    await see(saying('Each day needs 10 counted views. You don’t pay for a day with fewer', summary()));
    await fillContent();
    await submit();
    await expect.poll(() => calls.map(({ body }) => body.expectedDayViews)).toEqual([10]);
  });

  it('says how much of the texts the ad zone shows, in the look of the zone', async () => {
    answerWizard();
    await open();
    const long = 'Beans roasted on Monday and at your door on Wednesday. '.repeat(6).trim();
    await fillContent({ Title: 'Short', Description: long });
    const hint = saying(`of ${long.length} characters here`);
    await see(hint);
    const shown = Number(/^Shows (\d+) of/.exec(hint.element().textContent ?? '')?.[1]);
    expect(shown).toBeGreaterThan(40);
    expect(shown).toBeLessThan(long.length);
    await see(page.getByText('All of it fits here'));
    await field('Description').fill('Roasted on Monday.');
    await expect.element(hint).not.toBeInTheDocument();
  });

  it('shows the ad in its real size, and narrower on a phone', async () => {
    await page.viewport(1280, 800);
    answerWizard({ zones: [makeZone({ width: 728, height: 90 })] });
    await open();
    const box = () => document.querySelector('[data-preview]')?.getBoundingClientRect();
    await expect.poll(() => box()?.width).toBe(728);
    await page.getByRole('button', { name: 'Phone' }).click();
    await expect.poll(() => Math.round(box()?.width ?? 0)).toBe(353);
    expect(box()?.height).toBe(90);
  });

  it('says what is set in its folds', async () => {
    answerWizard();
    await open();
    await see(page.getByText('Everybody who visits the page'));
    await see(page.getByText('No UTM parameters'));
    await fillContent({ 'Target URL': 'https://coffee.example/?utm_source=x' });
    await see(page.getByText('utm_source', { exact: true }));
  });
});
