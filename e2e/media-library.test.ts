import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_AD_IMAGE_BYTES, MAX_IMAGE_BYTES } from '#domain/media/limits.ts';
import type { MediaItem } from '#domain/media/contract.ts';
import type { Client } from '../server/testing/client.ts';
import { png, pngOfSize } from '../server/testing/pictures.ts';
import { upload } from '../server/testing/uploads.ts';
import { answer, hold, recordCalls, toastTitled } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';
import { contentPath, fillContent, makePricedZone, type PricedZone, submitAd } from './support/wizard.ts';

const suite = useFixture();
const buyer = useResident(suite, 'buyer');
/** Sells image ads. */
let pricedZone: PricedZone;

const fixtureFile = (name: string) => path.join(import.meta.dirname, 'fixtures', name);
const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'openslot-pictures-'));
  pricedZone = await makePricedZone(await suite.client('seller'), { product: { adType: 'image' } });
});
afterAll(async () => await rm(folder, { recursive: true }));

/** Writes a PNG of this size to the disk. The browser takes its path, because megabytes in a message take seconds. */
async function bigFile(name: string, bytes: number): Promise<string> {
  const written = path.join(folder, name);
  await writeFile(written, await pngOfSize(bytes));
  return written;
}

const library = (page: Page) => page.getByRole('dialog', { name: 'Media Library' });
const listed = async (client: Client) => (await client.get('/api/media-library')).body as MediaItem[];

/** Opens the content step of an image ad, where the advertiser selects the image. */
async function openForm() {
  await buyer.open(contentPath(pricedZone));
  await buyer.page.getByRole('heading', { name: 'Create Content' }).waitFor();
  return buyer;
}

async function openLibrary(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose from Media Library' }).click();
  await library(page).waitFor();
}

describe('the media library', () => {
  // Proves MED-03, MED-12, MED-15
  it('stores and selects an image of at most 10 MB that is uploaded in it, so that the ad can use it at once', async () => {
    const { page, client } = await openForm();
    await openLibrary(page);
    await library(page).getByText('No images yet').waitFor();
    await library(page).getByRole('tab', { name: 'Upload New' }).click();
    const input = library(page).getByLabel('Upload an image');
    const calls = recordCalls(page);
    await input.setInputFiles(await bigFile('huge.png', MAX_IMAGE_BYTES + 1));
    await library(page).getByRole('alert').getByText('Choose a file of 10 MB or less.').waitFor();
    expect(calls).toEqual([]);
    await input.setInputFiles(await bigFile('large.png', MAX_IMAGE_BYTES));
    await library(page).getByText('Uploaded: large.png').waitFor();
    await library(page).getByRole('img', { name: 'Selected image' }).waitFor();
    const [item] = await listed(client);
    expect(item).toMatchObject({ filename: 'large.png', fileSize: MAX_IMAGE_BYTES });
    await library(page).getByRole('button', { name: 'Use This Image' }).click();
    expect(await page.getByRole('img', { name: 'Chosen image' }).getAttribute('src')).toBe(item?.path);
  });
});

describe('the upload field of the ad form', () => {
  // Proves MED-14, MED-15, ERR-53
  it('requests an upload URL, sends the file there once and adds it to the library', async () => {
    const { page, client } = await openForm();
    const calls = recordCalls(page);
    await page.getByLabel('Upload an image').setInputFiles(fixtureFile('ad.png'));
    await toastTitled(page, 'Upload successful')
      .getByText('Image uploaded successfully (saved to library)', { exact: true })
      .waitFor();
    const src = await page.getByRole('img', { name: 'Chosen image' }).getAttribute('src');
    expect(src).toMatch(/^\/ad-images\/[\w-]+$/);
    const name = src?.slice('/ad-images/'.length);
    const changes = calls
      .filter((call) => !call.startsWith('GET'))
      .map((call) => call.split(' ', 2).join(' '));
    expect(changes).toEqual([
      'POST /api/ad-images/upload',
      `PUT /api/uploads/${name}`,
      'POST /api/media-library',
    ]);
    const stored = await (await page.request.get(src ?? '')).body();
    expect(stored.equals(await readFile(fixtureFile('ad.png')))).toBe(true);
    expect((await listed(client))[0]).toMatchObject({ filename: 'ad.png', imagePath: src, path: src });
    expect(await page.locator('[data-preview=image] img').getAttribute('src')).toBe(src);
  });

  // Proves MED-08, MED-09, MED-10
  it('accepts one JPG, PNG or GIF of at most 5 MB at a time, and says why it refuses other files, also with a false extension', async () => {
    const { page, client } = await openForm();
    const before = (await listed(client)).length;
    expect(await page.getByLabel('Upload an image').getAttribute('multiple')).toBeNull();
    const calls = recordCalls(page);
    const bytes = (await png()).toString('base64');
    const dataTransfer = await page.evaluateHandle((base64) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (char) => char.codePointAt(0) ?? 0);
      for (const name of ['one.png', 'two.png']) {
        transfer.items.add(new File([content], name, { type: 'image/png' }));
      }
      return transfer;
    }, bytes);
    await page
      .locator('label')
      .filter({ hasText: 'Upload an image' })
      .dispatchEvent('drop', { dataTransfer });
    await page.getByText('Uploaded: one.png').waitFor();
    expect(calls.filter((call) => call.startsWith('PUT'))).toHaveLength(1);
    expect(await listed(client)).toHaveLength(before + 1);

    const input = page.getByLabel(/Upload (an|another) image/);
    calls.length = 0;
    for (const [name, type] of [
      ['notes.txt', 'text/plain'],
      ['modern.webp', 'image/webp'],
      ['drawn.svg', 'image/svg+xml'],
    ] as const) {
      await input.setInputFiles(file(name, type, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')));
      await page.getByRole('alert').getByText(`"${name}" isn't a supported file.`).waitFor();
    }
    expect(calls).toEqual([]);
    // The server checks the content of the file.
    await input.setInputFiles(file('disguised.png', 'image/png', Buffer.from('not a picture at all')));
    await page.getByRole('alert').getByText('Choose a JPEG, PNG or GIF image or an MP4 video.').waitFor();
    expect(await listed(client)).toHaveLength(before + 1);
    for (const name of ['ad.jpg', 'ad.png', 'ad.gif']) {
      await input.setInputFiles(fixtureFile(name));
      await page.getByText(`Uploaded: ${name}`).waitFor();
    }
    expect(await listed(client)).toHaveLength(before + 4);

    calls.length = 0;
    await input.setInputFiles(await bigFile('huge.png', MAX_AD_IMAGE_BYTES + 1));
    await page.getByRole('alert').getByText('Choose a file of 5 MB or less.').waitFor();
    expect(calls).toEqual([]);
    await input.setInputFiles(await bigFile('large.png', MAX_AD_IMAGE_BYTES));
    await page.getByText('Uploaded: large.png').waitFor();
    expect(await listed(client)).toHaveLength(before + 5);
  });

  // Proves ERR-55
  it('uses an uploaded image for the ad even when the library could not save it', async () => {
    const { page, client } = await openForm();
    const before = await listed(client);
    await answer(page, '/api/media-library', { status: 500, json: { message: 'M1' } });
    await page.getByLabel('Upload an image').setInputFiles(fixtureFile('ad.png'));
    await toastTitled(page, "Image uploaded but couldn't be saved to library").waitFor();
    await page.getByRole('img', { name: 'Chosen image' }).waitFor();
    await page.unrouteAll();
    await fillContent(page, { Title: 'Not in the library' });
    await submitAd(page);
    const row = page.getByRole('row').filter({ hasText: 'Not in the library' });
    await row.getByText('Awaiting Approval').waitFor();
    expect((await client.get('/api/ads/my')).body).toMatchObject([{ adType: 'image', status: 'pending' }]);
    expect(await listed(client)).toEqual(before);
  });
});

// The last test, because it ends on the page for signing in.
describe('the upload field of the ad form', () => {
  // Proves MED-13, ERR-19
  it('shows an upload as pending, in progress, then as success or error, and 401 redirects to /auth, like every other call', async () => {
    const { page } = await openForm();
    const input = page.getByLabel(/Upload (an|another) image/);
    const phase = (name: string) => page.locator(`[data-upload=${name}]`).waitFor();
    const openAddress = await hold(page, '/api/ad-images/upload');
    const letThrough = await hold(page, '/api/uploads/*');
    await input.setInputFiles(fixtureFile('ad.png'));
    await phase('pending');
    await page.getByText('Pending: ad.png').waitFor();
    openAddress();
    await phase('uploading');
    await page.getByRole('progressbar', { name: 'Upload' }).waitFor();
    expect(await input.isDisabled()).toBe(true);
    letThrough();
    await phase('success');

    for (const [reply, text] of [
      [{ status: 500, body: '' }, 'The upload failed. Please try again.'],
      [null, 'We couldn’t reach the server. Check your connection and try again.'],
      [{ status: 413, json: { message: 'M1' } }, 'M1'],
    ] as const) {
      await answer(page, '/api/uploads/*', reply);
      await input.setInputFiles(fixtureFile('ad.jpg'));
      await page.getByRole('alert').getByText(text, { exact: true }).waitFor();
      expect(await page.locator('[data-upload]').count()).toBe(0);
      await page.unroute('**/api/uploads/*');
      await input.setInputFiles(fixtureFile('ad.gif'));
      await phase('success');
    }
    await answer(page, '/api/uploads/*', { status: 401, json: { message: 'Unauthorized' } });
    await input.setInputFiles(fixtureFile('ad.png'));
    await toastTitled(page, 'Unauthorized').waitFor();
    await page.waitForURL('/auth');
  });
});

it('the form names the sizes of an image, and refuses another shape before the submission', async () => {
  const { page, client } = await suite.enter('buyer');
  const place = await makePricedZone(await suite.client('seller'), { product: { adType: 'image' } });
  const imagePath = await upload(client, 'image/png', [728, 90]);
  await client.post('/api/media-library', { imagePath, filename: 'wide.png', fileSize: 100 });
  await page.goto(contentPath(place));
  await page.getByText('300 × 250 or 600 × 500 pixels, or another size of this shape').waitFor();
  await page.getByRole('button', { name: 'Choose from Media Library' }).click();
  await library(page)
    .getByRole('button', { name: /wide\.png/ })
    .click();
  await library(page).getByRole('button', { name: 'Use This Image' }).click();
  await page.getByText(/This image has 728 × 90 pixels/).waitFor();
  await fillContent(page);
  await submitAd(page);
  await page.getByText(/This image has 728 × 90 pixels/).waitFor();
  expect((await client.get('/api/ads/my')).body).toEqual([]);
});
