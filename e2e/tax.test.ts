/** The checkout of a marketplace with a tax table. */
import { expect, it } from 'vitest';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import { confirmOperator, makeOperator } from '../server/testing/operator.ts';
import { fillCard } from './support/forms.ts';
import { enterAs } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture({
  taxTable: `{"version": 2, "seller": "DE", "countries": {"DE": {"rate": "19.00"},
    "IT": {"rate": "22.00", "business": "reverse_charge", "sentence": "Reverse charge: you owe the tax."}}}`,
});

// Proves OWNS-64, OWNS-122, OWNS-68
it('asks for the country, shows the parts of the price for it, and takes the payment', async () => {
  const { page, client } = await enterAs(suite.fixture, 'buyer');
  const ad = await makeApprovedAd(await suite.client('seller'), client, { product: { price: '119.00' } });
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(`/checkout/${ad.publicId}`);
  await page.getByText('The tax in the price depends on it.').waitFor();
  expect(await page.getByText('Payment Setup Error').count()).toBe(0);

  const lines = async () =>
    (await page.getByRole('region', { name: 'Payment' }).locator('dl').first().innerText())
      .split('\n')
      .filter((line) => line.trim() !== '');
  const receipt = page.getByRole('region', { name: 'Receipt for' });
  const give = async (country: string, taxId: string) => {
    await receipt.getByRole('button', { name: 'Change' }).click();
    await receipt.getByLabel('Country').selectOption(country);
    await receipt.getByLabel('Tax ID').fill(taxId);
    await receipt.getByRole('button', { name: 'Save' }).click();
  };
  await give('DE', '12');
  await receipt.getByRole('alert').getByText('Check the number and the country.').waitFor();
  await receipt.getByLabel('Tax ID').fill('');
  await receipt.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Tax (19%), included').waitFor();
  expect(await lines()).toEqual([
    'Publisher’s earnings',
    '$85.00',
    'Platform fee (15%), included',
    '$15.00',
    'Tax (19%), included',
    '$19.00',
    'Total amount',
    '$119.00',
  ]);
  const refunds = page.getByRole('region', { name: 'Your refund if the campaign ends early' });
  expect(await refunds.getByRole('definition').allInnerTexts()).toEqual(['$119.00', '$59.50', '$0.00']);
  await give('IT', 'IT12345678901');
  await page.getByText('Reverse charge: you owe the tax.').waitFor();
  expect((await lines()).slice(0, 6)).toEqual([
    'Publisher’s earnings',
    '$101.15',
    'Platform fee (15%), included',
    '$17.85',
    'Tax (0%), included',
    '$0.00',
  ]);
  await fillCard(page);
  await page.getByRole('button', { name: 'Pay $119.00' }).click();
  await page.getByText('Payment successful. Your ad is live.').waitFor();
  await page.goto(`/ledger/${ad.publicId}`);
  await page
    .getByText('The price of $119.00 is $101.15 for the publisher, $17.85 platform fee and $0.00 tax (0%).')
    .waitFor();
  expect((await client.get(`/api/ads/${ad.publicId}/ledger`)).body).toMatchObject({
    tax: '0.00',
    fee: '17.85',
    earnings: '101.15',
  });
});

// Proves OWNS-69
it('the operator books a payment of tax on the page Books, at 375 px and by keyboard', async () => {
  const { page: buyerPage, client: buyer } = await enterAs(suite.fixture, 'buyer');
  const ad = await makeApprovedAd(await suite.client('seller'), buyer, { product: { price: '119.00' } });
  await buyer.patch('/api/user/settings', { country: 'DE' });
  await buyerPage.goto(`/checkout/${ad.publicId}`);
  await fillCard(buyerPage);
  await buyerPage.getByRole('button', { name: 'Pay $119.00' }).click();
  await buyerPage.getByText('Payment successful. Your ad is live.').waitFor();

  const operator = await makeOperator(suite.fixture.server);
  await confirmOperator(suite.fixture.server, operator);
  const { page, context } = await suite.fixture.enter({ width: 375 });
  const [name = '', value = ''] = operator.client.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: suite.fixture.server.url }]);
  await page.goto('/operator/books');
  await page.getByRole('button', { name: 'Book a payment: Germany, 19.00%' }).focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Book a payment of tax' });
  await sheet.getByLabel(/^Amount/).fill('19.01');
  await sheet.getByLabel('Reason').fill('March, 4711');
  await sheet.getByRole('button', { name: 'Book $19.01 as paid' }).click();
  await sheet.getByRole('alert').getByText('Only 19.00 USD of tax is owed to DE at this rate.').waitFor();
  expect(await sheet.getByLabel('Reason').inputValue()).toBe('March, 4711');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await sheet.getByLabel(/^Amount/).fill('10,00');
  await sheet.getByLabel(/^Amount/).press('Enter');
  await page.getByRole('list', { name: 'Tax owed' }).getByText('$9.00').waitFor();
  const { body: books } = await operator.client.get('/api/operator/books');
  expect(books.taxOwed).toMatchObject([{ country: 'DE', amount: '9.00' }]);
  await page.goto('/operator/audit');
  await page.getByText('March, 4711').waitFor();
});
