/** The page of the tax rates, with its editor. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { actAt, offeredAct } from '#domain/operator/console/act-contract.ts';
import { getConsoleNotices, getConsoleSession } from '#domain/operator/console/session-contract.ts';
import { getTaxRates, quoteTax, type ShownTaxTable } from '#domain/operator/console/tax-contract.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { saying, see } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const charge = { from: null, business: 'charge' as const, reason: null, sentence: null };
const TABLE: ShownTaxTable = {
  seller: 'DE',
  countries: [
    {
      country: 'IT',
      rules: [{ ...charge, rate: '22.00', business: 'reverse_charge', sentence: 'Reverse charge.' }],
    },
    {
      country: 'DE',
      rules: [
        { ...charge, rate: '19.00' },
        { ...charge, rate: '16.00', from: '2027-07-01' },
      ],
    },
  ],
  others: [{ ...charge, rate: '0.00', reason: 'not_taxed' }],
};
const SAVE = sample(offeredAct, {
  path: '/api/operator/tax',
  title: 'Change the tax rates',
  button: 'Save the table',
  confirm: 'Save the table',
  consequence: 'Every running server follows.',
  reason: 'required',
  hidden: { table: '', version: 'v1' },
});

async function open(table: ShownTaxTable | null, source: 'file' | 'database' | 'none') {
  answer(getConsoleSession, sample(getConsoleSession.reply, { role: 'owner', isProven: true, hasApp: true }));
  answer(getConsoleNotices, { alarms: [], more: 0, outbound: null, waiting: {} });
  answer(getTaxRates, {
    table,
    source,
    version: 'v1',
    today: '2026-12-01',
    timeZone: 'Europe/Berlin',
    sellerCountry: null,
    acts: source === 'file' ? [] : [SAVE],
  });
  const quotes = answer(quoteTax, ({ body }) => ({ sentence: `Quoted for ${body.country}, ${body.buyer}` }));
  await openPage('/operator/tax', { as: person('both', { isOperator: true }) });
  return quotes;
}

it('shows the rates of today and those that come, and says what an advertiser pays', async () => {
  const quotes = await open(TABLE, 'file');
  await see(saying('The table is in a file'));
  const rows = page.getByRole('table', { name: 'Tax rates' });
  await see(saying('Jul 1, 2027: 16.00%', rows));
  await see(saying('No tax: reverse charge', rows));
  await expect.element(page.getByRole('button', { name: 'Edit the table' })).not.toBeInTheDocument();
  await see(saying('Quoted for DE, private'));
  await page.getByLabelText('Advertiser').selectOptions('A company with a tax number');
  await page.getByLabelText('Country', { exact: true }).selectOptions('Italy');
  await see(saying('Quoted for IT, company_with_number'));
  expect(quotes.at(-1)?.body).toEqual({
    country: 'IT',
    buyer: 'company_with_number',
    price: '100.00',
    day: '2026-12-01',
  });
});

it('edits the table as a whole, tries it before it is saved, and saves it by one act', async () => {
  const quotes = await open(TABLE, 'database');
  await page.getByRole('button', { name: 'Edit the table' }).click();
  const germany = page.getByRole('region', { name: 'Germany' });
  await germany.getByLabelText('Rate, %').first().fill('20,5');
  await see(saying('DE 19.00, 16.00 from 2027-07-01 → 20.50, 16.00 from 2027-07-01'));
  await expect.poll(() => quotes.at(-1)?.body.table).toContain('"20.5"');
  const calls = answer(actAt('/api/operator/tax'), refused(409, 'The tax table was changed.'));
  await page.getByRole('button', { name: 'Save the table' }).click();
  const sheet = page.getByRole('dialog', { name: 'Change the tax rates' });
  await see(saying('→ 20.50', sheet));
  await sheet.getByLabelText('Reason').fill('By law');
  await sheet.getByRole('button', { name: 'Save the table' }).click();
  await see(saying('The tax table was changed.', sheet));
  answer(actAt('/api/operator/tax'), { said: 'Saved 1 change of the tax rates.', next: null });
  await sheet.getByRole('button', { name: 'Save the table' }).click();
  await see(saying('Saved 1 change of the tax rates.').first());
  await see(page.getByRole('table', { name: 'Tax rates' }));
  const body = calls[0]?.body ?? {};
  expect(body).toMatchObject({ version: 'v1', reason: 'By law' });
  expect(JSON.parse(body['table'] ?? '')).toMatchObject({
    version: 2,
    seller: 'DE',
    countries: {
      DE: [{ rate: '20.5' }, { from: '2027-07-01', rate: '16.00' }],
      IT: [{ rate: '22.00', business: 'reverse_charge', sentence: 'Reverse charge.' }],
    },
    default: [{ rate: '0.00', reason: 'not_taxed' }],
  });
});

it('refuses a table with a gap with a sentence at the field, and makes a first table', async () => {
  await open(null, 'none');
  await see(saying('No tax is shown'));
  await page.getByRole('button', { name: 'Make a tax table' }).click();
  await page.getByLabelText('Another country').selectOptions('France');
  await page.getByRole('button', { name: 'Add the country' }).click();
  const france = page.getByRole('region', { name: 'France' });
  await france.getByLabelText('Rate, %').fill('twenty');
  await france.getByLabelText('Who pays it').selectOptions('Not companies with a tax number');
  await page.getByRole('button', { name: 'Add a later rate: France' }).click();
  await page.getByRole('button', { name: 'Save the table' }).click();
  await see(saying('Enter a rate from 0 to 99.99.', france).first());
  await see(saying('Receipts need a sentence about the reverse charge.', france).first());
  await see(saying('Choose the first day of this rate.', france));
  await see(saying('Choose your own country.'));
  await see(saying('Complete the table to try it.'));
});
