/** The pages that the operator writes: their list and their editor. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { actAt } from '#domain/operator/console/act-contract.ts';
import { getWrittenPage, listWrittenPages, previewPage } from '#domain/operator/console/texts-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { saying, see, seeToast } from '#web/testing/look.ts';
import { offered, openConsole } from '#web/testing/operator-console.ts';

const AT = '2026-11-30T10:00:00.000Z';
const save = offered('/operator/pages/terms', 'Save', { reason: 'optional' });
const set = offered('/operator/pages/terms/set', 'Save and publish', { reason: 'optional' });
const publish = offered('/operator/pages/terms/publish', 'Publish this version', {
  reason: 'optional',
  hidden: { version: '2' },
});

/** The terms, of which version 1 is published. */
function terms(text: string, version = 2): Reply<typeof getWrittenPage> {
  return {
    key: 'terms',
    title: 'Terms of Service',
    version,
    savedAt: AT,
    publishedVersion: 1,
    publishedAt: AT,
    shown: version,
    text,
    rendered: { title: null, html: `<p>${text}</p>` },
    versions: Array.from({ length: version }, (_, at) => ({
      version: version - at,
      savedAt: AT,
      savedBy: at === 0 ? 'pat@site.example' : null,
      publishedAt: version - at === 1 ? AT : null,
    })),
    save,
    saveAndPublish: set,
    acts: [publish],
  };
}
const editor = () => page.getByLabelText('Text, in Markdown');
const act = async (button: string) => {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
};

it('lists each page with its state, and writes starter texts', async () => {
  const starters = offered('/operator/pages/starters', 'Write starter texts', {
    reasons: ['The first texts'],
  });
  const state = { savedAt: AT, publishedAt: AT };
  answer(listWrittenPages, {
    pages: [
      { key: 'terms', title: 'Terms of Service', version: 3, publishedVersion: 2, ...state },
      {
        key: 'help',
        title: 'Help Center',
        version: 0,
        publishedVersion: null,
        savedAt: null,
        publishedAt: null,
      },
    ],
    acts: [starters],
  });
  await openConsole('/operator/pages');
  await see(saying('Version 2 is published since Nov 30, 2026. Version 3 was saved on Nov 30, 2026.'));
  await see(page.getByText('No text yet.'));
  await expect
    .element(page.getByRole('link', { name: /^Terms of Service/ }))
    .toHaveAttribute('href', '/operator/pages/terms');
  const calls = answer(actAt(starters.path), { said: 'Wrote 1 starter text.', next: null });
  await page.getByRole('button', { name: 'Write starter texts' }).click();
  await page.getByRole('button', { name: 'The first texts' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Write starter texts' }).click();
  await seeToast('Wrote 1 starter text.');
  expect(calls[0]?.body).toEqual({ reason: 'The first texts' });
});

it('previews and saves a text, and publishes what is saved', async () => {
  answer(getWrittenPage, terms('Old'));
  await openConsole('/operator/pages/terms');
  await see(page.getByRole('button', { name: 'Publish this version' }));
  await editor().fill('# New');
  // What was typed is not what would be published.
  await expect.element(page.getByRole('button', { name: 'Publish this version' })).not.toBeInTheDocument();
  const previews = answer(previewPage, { title: 'New', html: '<p><a href="/x">Link</a></p>' });
  await page.getByRole('button', { name: 'Preview' }).click();
  await see(page.getByRole('heading', { level: 2, name: 'New' }));
  await expect.element(page.getByRole('link', { name: 'Link' })).toHaveAttribute('target', '_blank');
  expect(previews[0]?.body).toEqual({ text: '# New' });

  const saves = answer(actAt(save.path), { said: 'Version 3 is saved.', next: '/operator/pages/terms' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  answer(getWrittenPage, terms('# New', 3));
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await seeToast('Version 3 is saved.');
  expect(saves[0]?.body).toEqual({ text: '# New', version: '2', reason: '' });
  await see(page.getByRole('button', { name: 'Publish this version' }));
  // Nothing of what is saved is kept as a draft.
  expect(Object.keys(sessionStorage).filter((key) => key.includes('written-page'))).toEqual([]);
  // The next one begins with the version that was just saved.
  await editor().fill('# Newer');
  await act('Save');
  await expect.poll(() => saves.at(-1)?.body).toEqual({ text: '# Newer', version: '3', reason: '' });
});

it('keeps what was typed after a refusal and on other pages, also where another operator has saved meanwhile', async () => {
  answer(getWrittenPage, terms('Old'));
  answer(listWrittenPages, { pages: [], acts: [] });
  await openConsole('/operator/pages/terms');
  await editor().fill('Mine, [TO FILL IN: an address]');
  await see(saying('One place is marked with [TO FILL IN].'));
  answer(
    actAt(set.path),
    refused(409, 'The text still marks what must be filled in: [TO FILL IN: an address].'),
  );
  await act('Save and publish');
  await see(
    page
      .getByRole('dialog')
      .getByText('The text still marks what must be filled in: [TO FILL IN: an address].'),
  );
  answer(getWrittenPage, terms('Theirs', 3));
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await see(page.getByText('Version 3 was saved while you were writing.'));
  await expect.element(editor()).toHaveValue('Mine, [TO FILL IN: an address]');

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Pages' }).click();
  await see(page.getByRole('heading', { level: 1, name: 'Pages' }));
  window.history.back();
  await expect.element(editor()).toHaveValue('Mine, [TO FILL IN: an address]');
  await page.getByRole('button', { name: 'Keep my text' }).click();
  const saves = answer(actAt(save.path), refused(400, 'Please use at most 40000 characters'));
  await act('Save');
  await see(page.getByText('Please use at most 40000 characters'));
  expect(saves[0]?.body).toMatchObject({ version: '3' });
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await editor().fill('Mine, later');
  answer(getWrittenPage, terms('Theirs again', 4));
  await act('Save');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard my text, use version 4' }).click();
  await expect.element(editor()).toHaveValue('Theirs again');
});

it('shows an older version, from which a new one can be written', async () => {
  answer(getWrittenPage, ({ query }) =>
    query.version === '1'
      ? { ...terms('Newest'), shown: 1, text: 'Oldest', rendered: { title: null, html: '<p>Oldest</p>' } }
      : terms('Newest'),
  );
  await openConsole('/operator/pages/terms?version=1');
  await see(page.getByText('This is version 1.'));
  await see(page.getByText('Oldest'));
  await expect.element(editor()).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Write a new version from this text' }).click();
  await expect.element(editor()).toHaveValue('Oldest');
  expect(window.location.search).toBe('');
  await editor().fill('Oldest, and more');
  // Another look at the old version does not undo what was typed.
  const first = page.getByRole('link', { name: 'Version 1' });
  await expect.element(first).toHaveAttribute('href', '/operator/pages/terms?version=1');
  await first.click();
  await page.getByRole('link', { name: 'Show the newest one' }).click();
  await expect.element(editor()).toHaveValue('Oldest, and more');
});

it('only shows the text to an operator who may not change it', async () => {
  answer(getWrittenPage, { ...terms('Read me'), save: null, saveAndPublish: null, acts: [] });
  await openConsole('/operator/pages/terms', { role: 'read' });
  await see(page.getByText('Read me'));
  await expect.element(editor()).not.toBeInTheDocument();
});
