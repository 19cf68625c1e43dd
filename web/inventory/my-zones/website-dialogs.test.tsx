import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  createWebsite,
  createZone,
  deleteWebsite,
  previewWebsite,
  removeSitePicture,
  takeSitePicture,
  updateWebsite,
  type Website,
} from '#domain/inventory/contract.ts';
import { toastTitled } from '#web/testing/account.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { press, saying, see, seeErrorToast } from '#web/testing/look.ts';
import { makeWebsite } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { answerAdZones } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const dialog = () => page.getByRole('dialog');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });
const field = (label: string) => dialog().getByLabelText(label, { exact: false });
const section = (name: string) => page.getByRole('region', { name, exact: true });

/** One pixel, as the server reads it from the page of a website. */
const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** Opens the page with these websites, and keeps their changes. */
async function open(websites: Website[] = []) {
  answerAdZones({ websites });
  answer(previewWebsite, ({ body: { url } }) =>
    url.includes('nowhere')
      ? refused(400, 'We couldn’t read this page.')
      : {
          name: 'The Daily Spade',
          description: 'For gardeners',
          imageUrl: `${url}touch.png`,
          picture: PICTURE,
          generator: null,
        },
  );
  await openPage('/ad-zones', { as: person('seller') });
  return answer(updateWebsite, ({ body: { rules: _rules, ...changes } }) => {
    websites[0] = { ...websites[0]!, ...changes };
    return websites[0];
  });
}

async function choose(item: string): Promise<void> {
  await page.getByRole('button', { name: /^Manage / }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('the form of a new website', () => {
  const openForm = async () => {
    await page.getByRole('button', { name: 'Add Your First Website' }).click();
    await see(field('URL'));
  };
  const leaveWith = async (address: string) => {
    await field('URL').fill(address);
    await userEvent.keyboard('{Tab}');
  };
  const filled = (words: string) => see(saying(`Filled in the ${words} from your page.`, dialog()));

  it('completes the address, and fills only empty fields from the page, which Undo or another address empties', async () => {
    await open();
    await openForm();
    // If the page can't be read, the dialog only says so.
    await leaveWith('nowhere.example');
    await expect.element(field('URL')).toHaveValue('https://nowhere.example');
    await see(saying('You can fill in the fields yourself.', dialog()));
    await field('Website name').fill('My own name');
    await leaveWith('https://spade.example');
    await filled('description');
    await expect.element(field('Website name')).toHaveValue('My own name');
    await expect.element(field('Description')).toHaveValue('For gardeners');

    // A restored draft knows which texts were the page's.
    const kept = Object.entries(sessionStorage);
    closeScreen();
    for (const [key, value] of kept) sessionStorage.setItem(key, String(value));
    await open();
    await openForm();
    await expect.element(field('Description')).toHaveValue('For gardeners');
    await leaveWith('nowhere.example');
    await expect.element(field('Description')).toHaveValue('');
    await expect.element(field('Website name')).toHaveValue('My own name');
    await leaveWith('https://spade.example');
    await filled('description');
    await button('Undo').click();
    await expect.element(field('Description')).toHaveValue('');
    await expect.element(field('Website name')).toHaveValue('My own name');
  });

  // Proves DEC-07
  it('shows the picture that the server has read, and sends it only if the publisher agrees', async () => {
    await open();
    const calls = answer(createWebsite, makeWebsite({ name: 'The Daily Spade' }));
    const pictures = answer(takeSitePicture, makeWebsite({ name: 'The Daily Spade' }));
    await openForm();
    await field('URL').fill('https://spade.example/');
    await userEvent.keyboard('{Enter}');
    await filled('name and the description');
    await expect.element(field('Website name')).toHaveValue('The Daily Spade');
    await expect.poll(() => dialog().element().querySelector(`img[src="${PICTURE}"]`)).not.toBeNull();
    await field('Category').selectOptions('Sports');
    const agree = dialog().getByLabelText('Use this picture from your website');
    await expect.element(agree).not.toBeChecked();
    await agree.click();
    await button('Add Website').click();
    await see(page.getByRole('dialog', { name: 'Create Ad Zone' }));
    expect(calls).toMatchObject([
      {
        body: {
          name: 'The Daily Spade',
          description: 'For gardeners',
          url: 'https://spade.example/',
        },
      },
    ]);
    await expect
      .poll(() => pictures.map(({ body }) => body))
      .toEqual([{ imageUrl: 'https://spade.example/touch.png' }]);
  });
});

describe('the menu of a website', () => {
  it('corrects the website, removes its picture, and hides and shows it', async () => {
    const websites = [
      makeWebsite({
        name: 'The Daily Spade',
        monthlyVisitors: 0,
        picture: `/site-pictures/${'p'.repeat(22)}`,
      }),
    ];
    const changes = await open(websites);
    await see(saying('Monthly visitors not stated', section('The Daily Spade')));
    await choose('Edit website');
    await field('Website name').fill('The Daily Rake');
    await field('Monthly visitors').fill('12500');
    await button('Save Website').click();
    await expect.element(dialog()).not.toBeInTheDocument();
    await see(saying('12.5K monthly visitors', section('The Daily Rake')));
    expect(changes.at(-1)?.body).toEqual({ name: 'The Daily Rake', monthlyVisitors: 12_500 });

    await choose('Edit website');
    const removed = answer(removeSitePicture, () => (websites[0] = { ...websites[0]!, picture: null }));
    await button('Remove').click();
    await expect.poll(() => dialog().element().querySelector('[data-picture=drawn]')).not.toBeNull();
    expect(removed).toHaveLength(1);
    await button('Close').click();

    await choose('Hide website');
    await button('Hide Website').click();
    await see(section('The Daily Rake').getByText('Hidden', { exact: true }));
    expect(changes.at(-1)?.body).toEqual({ isActive: false });
    await choose('Show website');
    await expect.poll(() => changes.at(-1)?.body).toEqual({ isActive: true });
    await expect
      .element(section('The Daily Rake').getByText('Hidden', { exact: true }))
      .not.toBeInTheDocument();
  });

  it('names the open ad that prevents a deletion, and then deletes the website', async () => {
    const websites = [makeWebsite()];
    await open(websites);
    const message = 'This website has an open ad: “Seeds” (pending). Approve or reject pending ads.';
    answer(deleteWebsite, refused(409, message));
    await choose('Delete website');
    await button('Delete Website').click();
    await see(toastTitled('Cannot Delete Website').getByText(message));
    answer(deleteWebsite, () => {
      websites.pop();
      return { success: true as const };
    });
    if (dialog().elements().length === 0) await choose('Delete website');
    await press(button('Delete Website'));
    await see(page.getByText('No websites found'));
  });
});

it('an ad zone for a website that was deleted elsewhere is refused with a clear message', async () => {
  await open([makeWebsite()]);
  await page.getByRole('button', { name: 'Create Ad Zone' }).click();
  await dialog().getByLabelText('Website', { exact: true }).selectOptions('Gazette');
  await field('Ad zone name').fill('Too late');
  const calls = answer(createZone, refused(404, 'Website not found. Please reload the page.'));
  await button('Create Ad Zone').click();
  await seeErrorToast('Website not found. Please reload the page.');
  await expect.element(field('Ad zone name')).toHaveValue('Too late');
  expect(calls).toHaveLength(1);
});
