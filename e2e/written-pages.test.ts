/** An owner writes a page or an announcement in the console, and everybody reads it. */
import { expect, it } from 'vitest';
import { confirmOperator, makeOperator } from '../server/testing/operator.ts';
import { keyboardOf } from './support/keyboard.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';
import { becomePerson, enterWalk } from './support/walk.ts';

const suite = useFixture();

// Proves OWNS-46
it('an owner writes the terms by keyboard at 375 px and publishes them, and the footer leads there', async () => {
  const { server } = suite.fixture;
  const operator = await makeOperator(server);
  await confirmOperator(server, operator);
  const page = await enterWalk(suite.fixture, { width: 375, height: 800 });
  await becomePerson(page, suite.fixture, operator.client);
  await page.goto('/operator/pages');
  await page.getByRole('heading', { name: 'Pages' }).waitFor();
  await expectSound(page);
  const keyboard = keyboardOf(page);
  await keyboard.enter('link', 'Terms of Service');
  await page.getByLabel('Text, in Markdown').waitFor();
  await keyboard.tabTo('textbox', 'Text, in Markdown');
  await page.keyboard.insertText(
    `# Our terms\n\nBe kind.\n\n## Money\n\n- One\n- Two\n\n| Party | Share |\n|---|---|\n| Publisher | 85% |\n| ${'A very long name '.repeat(6)} | 15% |\n`,
  );
  await keyboard.enter('button', 'Preview');
  await page.getByText('This text is not saved yet.').waitFor();
  await page.getByRole('heading', { name: 'Our terms' }).waitFor();
  await expectSound(page);
  await page.getByText('Not published. No text yet.').waitFor();
  await keyboard.enter('link', 'Back to the text');
  await keyboard.enter('button', 'Save');
  await page.getByText('Not published. Version 1 was saved on').waitFor();
  await page.getByRole('heading', { name: 'Our terms' }).waitFor();
  await expectSound(page);
  await keyboard.enter('button', 'Publish this version');
  await page.getByText('Version 1 is published since').waitFor();

  const { page: visitor } = await suite.fixture.enter({ width: 375 });
  await visitor.goto('/');
  await visitor.getByRole('link', { name: 'Terms of Service' }).click();
  await visitor.getByRole('heading', { name: 'Our terms' }).waitFor();
  expect(new URL(visitor.url()).pathname).toBe('/pages/terms');
  await expectSound(visitor);
  expect(await visitor.context().cookies()).toEqual([]);
});

// Proves OWNS-49
it('an owner announces something by keyboard, and visitors and signed-in people read it above each page', async () => {
  const { server, enter } = suite.fixture;
  const operator = await makeOperator(server);
  await confirmOperator(server, operator);
  const page = await enterWalk(suite.fixture, { width: 375, height: 800 });
  await becomePerson(page, suite.fixture, operator.client);
  await page.goto('/operator/announcement');
  await page.getByText('There is no announcement.').waitFor();
  await expectSound(page);
  const keyboard = keyboardOf(page);
  await keyboard.tabTo('textbox', 'Text');
  await page.keyboard.type('Payouts are late this week. We are sorry.');
  await keyboard.enter('button', 'Announce');
  await page.getByText('Until you end it.').waitFor();
  await expectSound(page);

  const { page: visitor } = await enter({ width: 375 });
  const { page: person } = await suite.enter('both', { width: 375 });
  for (const [reader, path] of [
    [visitor, '/'],
    [visitor, '/sites'],
    [person, '/dashboard'],
  ] as const) {
    await reader.goto(path);
    await reader
      .getByRole('complementary', { name: 'Announcement' })
      .getByText('Payouts are late this week.')
      .waitFor();
    await reader.getByRole('heading', { level: 1 }).waitFor();
    await expectSound(reader);
  }
  await keyboard.enter('button', 'End it');
  await page.getByText('There is no announcement.').waitFor();
  await visitor.goto('/');
  expect(await visitor.getByRole('complementary', { name: 'Announcement' }).count()).toBe(0);
});
