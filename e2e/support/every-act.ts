/** Does acts of the register in a browser, as an owner on the pages that offer them. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActField, OfferedAct } from '#domain/operator/console/act-contract.ts';
import {
  type ActSet,
  expectedLines,
  lastLine,
  linesAfter,
  makeWorld,
  offeredAt,
  startAround,
  WHY,
} from '../../server/testing/acts/every-act.ts';
import type { Occasion, Row, World } from '../../server/testing/acts/world.ts';
import { confirmOperator, makeOperator, type TestOperator } from '../../server/testing/operator.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { becomePerson, enterWalk } from './walk.ts';

/** The case files have one menu of acts. Every other page has a button for each. */
async function openSheet(page: Page, { button, title }: OfferedAct, { page: at, about }: Occasion) {
  if (/^\/operator\/(people|websites|zones|ads)\//.test(at)) {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: button, exact: true }).click();
  } else {
    const name = about === undefined ? button : `${button}: ${about}`;
    await page.getByRole('button', { name, exact: true }).click();
  }
  return page.getByRole('dialog', { name: title });
}

async function fill(sheet: ReturnType<Page['getByRole']>, { label, kind }: ActField, value: string) {
  const field = sheet.getByLabel(label);
  if (kind === 'choice') await field.selectOption(value);
  else await field.fill(value);
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The words of the button, with any amount in their places. */
const confirming = ({ confirm }: OfferedAct) =>
  new RegExp(
    `^${confirm
      .split(/\{\w+\}/)
      .map(escaped)
      .join('.+')}$`,
  );

/** Does the act on its page, and sees what it says afterwards. */
async function act(page: Page, row: Row, offered: OfferedAct, occasion: Occasion): Promise<void> {
  const { fields = {} } = occasion;
  await page.goto(occasion.page);
  const { pageField } = row;
  if (pageField) await page.getByLabel(pageField.label).fill(fields[pageField.name] ?? '');
  const sheet = await openSheet(page, offered, occasion);
  for (const field of offered.fields) {
    const value = fields[field.name];
    if (value !== undefined) await fill(sheet, field, value);
  }
  if (offered.reason !== 'none') await sheet.getByLabel('Reason').fill(WHY);
  const done = page.waitForResponse((response) => new URL(response.url()).pathname === offered.path);
  const saying =
    row.shows ?? done.then(async (response) => ((await response.json()) as { said: string }).said);
  await sheet.getByRole('button', { name: confirming(offered) }).click();
  await page
    .getByText(await saying)
    .first()
    .waitFor();
}

/** A test for each act of these sets. All of a set share a server and a page. */
export function describeActs(title: string, sets: Readonly<Record<string, ActSet>>): void {
  describe(`in a browser, ${title}`, () => {
    describe.each(Object.entries(sets))('%s:', (_, set) => {
      doEach(set);
    });
  });
}

function doEach(set: ActSet): void {
  let around: Awaited<ReturnType<typeof startAround>>;
  let fixture: Fixture;
  let owner: TestOperator;
  let world: World;
  let page: Page;
  beforeAll(async () => {
    around = await startAround(set);
    fixture = await openFixture(around.options);
    owner = await makeOperator(fixture.server);
    world = { ...(await makeWorld(fixture.server, around.dns)), actor: owner.client };
    await set.prepare?.(fixture.server);
    page = await enterWalk(fixture);
  });
  afterAll(async () => {
    await page.context().close();
    await fixture.close();
    await around.close();
  });

  const rows = Object.entries(set.rows);

  it.each(rows.filter(([, { ownForm }]) => !ownForm))(
    '%s is done on its page, which says so, and is in the trail',
    async (path, row) => {
      const { server } = fixture;
      const occasion = await row.on(world);
      await confirmOperator(server, owner);
      const offered = await offeredAt(owner.client, path, occasion);
      if (!offered) throw new Error(`${occasion.page} does not offer ${path}`);
      await becomePerson(page, fixture, owner.client);
      const before = await lastLine(server);
      await act(page, row, offered, occasion);
      await row.after?.(owner.client);
      expect(await linesAfter(server, before)).toEqual(expectedLines(row, owner.client));
    },
  );

  it.for(rows.flatMap(([path, { ownForm }]) => (ownForm ? [[path, ownForm.test] as const] : [])))(
    '%s is done in the form of its page by %s',
    ([path, file]) => {
      expect(readFileSync(file, 'utf8')).toContain(`'${path}`);
    },
  );
}
