/** The fee that is kept after a cancel, on each paper that shows it, over HTTP. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { DocumentItem } from '#domain/payments/document-contract.ts';
import type { BuyerPayment } from '#domain/payments/refund-contract.ts';
import type { Statement } from '#domain/payments/statement-contract.ts';
import { DAY_MS } from '#domain/time.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { refundAd } from '#server/operator/money/money.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { CARD, makeApprovedAd } from '#server/testing/money/checkout.ts';
import { textOfPdf } from '#server/testing/pdf.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { expectSums } from '#server/testing/sums.ts';
import { runMoneyWork } from '../books/run.ts';
import { checkLedger } from '../ledger/check.ts';
import { checkDocuments } from './check.ts';
import { makeMonthlyDocuments } from './months.ts';

const OPERATOR = { id: null, dryRun: false };

const TABLE = `{"version": 2, "seller": "DE", "countries": {"DE": {"rate": "19.00"}, "CH": {"rate": "8.10"}},
  "default": {"rate": "0.00", "reason": "not_taxed", "sentence": "Not taxable in Germany."}}`;

let seller: Client;
let buyer: Client;
const server = useOwnServer({
  start: new Date('2026-03-02T00:00:00Z'),
  taxTable: TABLE,
});

beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  await command('settings', 'set', 'CANCEL_FEE', 'buyer');
  await command('settings', 'set', 'CANCEL_REVIEW_ABOVE', '10000.00');
});

async function command(...words: string[]): Promise<void> {
  const { command: found, args } = commandOf(words);
  await found.run({
    ctx: server.ctx,
    operator: { id: null },
    args,
    options: { dryRun: false, reason: 'Asked' },
  });
}

async function paid(price: string, country: string): Promise<Ad> {
  const ad = await makeApprovedAd(seller, buyer, {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1000, price },
  });
  const begun = await buyer.post('/api/create-payment-intent', {
    amount: price,
    adPublicId: ad.publicId,
    receiptFor: { country },
  });
  const { clientSecret } = begun.body;
  const { paymentIntentId } = (await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD })).body;
  expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
  return ad;
}

/** Delivers some views, refunds a part if `byOperator` is given, and cancels. Returns the quote. */
async function cancelAfter(
  ad: Ad,
  { views, byOperator }: { views: number; byOperator: string | null },
): Promise<{ refundAmount: string; cancelFee: string }> {
  server.clock.advance(1000);
  if (views > 0) await countAt(server.ctx, ad, server.ctx.now().toISOString(), views);
  if (byOperator !== null)
    await refundAd(server.ctx, OPERATOR, { id: ad.id, amount: centsOf(byOperator), reason: 'Goodwill' });
  const { body: quote } = await buyer.get(`/api/ads/${ad.publicId}/refund-quote`);
  const { refundAmount } = quote;
  expect((await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount })).status).toBe(200);
  await runMoneyWork(server.ctx);
  return quote;
}

const paymentOf = async (ad: Ad): Promise<BuyerPayment> => {
  const { body } = await buyer.get('/api/billing/payments?limit=100');
  return (body as BuyerPayment[]).find(({ adPublicId }) => adPublicId === ad.publicId) as BuyerPayment;
};
const sum = (amounts: readonly string[]): string =>
  decimalOf(amounts.reduce((total, amount) => total + centsOf(amount), 0));
/** The amounts in the rows and below them, as the page of a document shows them. */
async function pageOf(number: string): Promise<{ rows: string[]; text: string }> {
  const { text } = await buyer.get(`/api/documents/${number}`);
  const rows = [...text.matchAll(/<td data-name="Amount">([^<]*)</g)].map(([, shown = '']) =>
    shown.replace(/[−-]/, '-').replace(/[$,]/g, ''),
  );
  return { rows, text: text.replaceAll(/<[^>]+>/g, ' ') };
}

/** A repeatable table: prices from one cent above the least to 9,999.99, any delivery, three countries. */
function randomCases(seed: number, count: number) {
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return Array.from({ length: count }, (_none, at) => {
    const cents = [51 + next(400), 500 + next(10_000), 10_000 + next(989_999)][at % 3] as number;
    return {
      price: decimalOf(cents),
      country: ['DE', 'CH', 'US'][next(3)] as string,
      views: [0, next(1000), next(1000)][next(3)] as number,
      byOperator: next(4) === 0 ? '0.01' : null,
    };
  });
}

describe('a fee that is kept after a cancel', () => {
  // Proves OWNS-84, OWNS-80
  it.each([
    { price: '119.00', country: 'DE', views: 0, byOperator: null },
    { price: '0.60', country: 'DE', views: 700, byOperator: null },
    ...randomCases(20_261_127, 12),
  ])(
    'of $price in $country after $views views stands on each paper, and the sums are the price',
    async ({ price, country, views, byOperator }) => {
      const ad = await paid(price, country);
      const quote = await cancelAfter(ad, { views, byOperator });
      const { refunds, status } = await paymentOf(ad);
      const { body: ledger } = await buyer.get(`/api/ads/${ad.publicId}/ledger?side=buyer`);
      const amounts = refunds.map(({ amount }) => amount);
      const fees = refunds.map(({ cancelFee }) => cancelFee);
      expect(sum([...amounts, ...fees, ledger.earned])).toBe(price);
      expect(fees.filter((fee) => fee !== '0.00')).toEqual([quote.cancelFee]);
      expect([ledger.kept, ledger.refunded, ledger.open]).toEqual([quote.cancelFee, sum(amounts), '0.00']);
      const canceled = refunds.find(({ reason }) => reason === 'canceled');
      expect(canceled).toMatchObject({ amount: quote.refundAmount, cancelFee: quote.cancelFee });
      expect(status).toBe(sum(amounts) === '0.00' ? 'paid' : 'partly_refunded');

      const month = server.ctx.now().toISOString().slice(0, 7);
      const { body: statement } = await buyer.get(`/api/statements/${month}?side=buyer`);
      const lines = (statement as Statement).lines.filter(({ adPublicId }) => adPublicId === ad.publicId);
      expect(sum(lines.map(({ amount }) => amount))).toBe('0.00');
      const kept = lines.filter(({ kind }) => kind === 'cancel_fee');
      expect(sum(kept.map(({ amount }) => amount))).toBe(`-${quote.cancelFee}`);
      for (const { document } of kept) expect(document).toBe(canceled?.creditNote);

      if (quote.refundAmount === '0.00') expect(canceled?.creditNote).toBe(null);
      else {
        const number = canceled?.creditNote as string;
        const { rows, text } = await pageOf(number);
        expect(rows).toEqual([`-${sum([quote.refundAmount, quote.cancelFee])}`, quote.cancelFee]);
        expect(text).toContain('Fee of the card provider, not refunded');
        expect(text.includes('contains tax, which is not taken back')).toBe(country !== 'US');
        const { body: documents } = await buyer.get('/api/documents?side=buyer&limit=100');
        const note = (documents as DocumentItem[]).find((each) => each.number === number);
        expect(note?.amount).toBe(`-${quote.refundAmount}`);
        expect(sum([note?.net ?? note?.amount ?? '', note?.tax ?? '0.00'])).toBe(note?.amount);
      }
      expect(await checkLedger(server.ctx.db)).toEqual([]);
      expect(await checkDocuments(server.ctx.db)).toEqual([]);
    },
  );

  // Proves OWNS-80
  it('leaves every sum that the advertiser can read equal to what stands below it', async () => {
    expect(Number(await expectSums(server, buyer, 'buyer'))).toBeGreaterThan(0);
  });

  it('is a part of the calculation on the page of the ledger', async () => {
    const ad = await paid('100.00', 'US');
    await cancelAfter(ad, { views: 333, byOperator: null });
    const { body } = await buyer.get(`/api/ads/${ad.publicId}/ledger?side=buyer`);
    const formulas = (body.entries as { kind: string; amount: string; formula: string }[])
      .filter(({ kind }) => kind === 'cancel_fee' || kind === 'undelivered')
      .map(({ kind, amount, formula }) => [kind, amount, formula]);
    expect(formulas).toEqual([
      ['cancel_fee', '3.20', '3.20'],
      ['undelivered', '63.51', '100.00 − ⌊85.00 × 333 / 1,000⌋ − ⌊15.00 × 333 / 1,000⌋ − 3.20'],
    ]);
    const { body: other } = await seller.get(`/api/ads/${ad.publicId}/ledger?side=publisher`);
    expect(sum([other.earned, other.refunded, other.kept, other.open])).toBe(other.total);
  });

  it('is in the mail to the advertiser with the refund and the reason, and not in that to the publisher', async () => {
    const ad = await paid('100.00', 'US');
    await cancelAfter(ad, { views: 0, byOperator: null });
    const last = async (side: Client) =>
      (await mailTo(server.ctx, side.user.email)).findLast(({ kind }) => kind === 'ad-ended')?.text ?? '';
    const text = await last(buyer);
    expect(text).toContain('You have canceled');
    expect(text).toContain('$96.80 for the undelivered part goes back to your card.');
    expect(text).toContain(
      'The card provider’s fee of $3.20 for your payment isn’t refunded, because you canceled the campaign.',
    );
    expect(await last(seller)).not.toContain('card provider');
    const small = await paid('0.60', 'US');
    await cancelAfter(small, { views: 700, byOperator: null });
    expect(await last(buyer)).toContain('takes up what is left of your payment, so there is no refund.');
    await command('settings', 'set', 'CANCEL_FEE', 'operator');
    const free = await paid('100.00', 'US');
    await cancelAfter(free, { views: 0, byOperator: null });
    expect(await last(buyer)).not.toContain('card provider');
    await command('settings', 'set', 'CANCEL_FEE', 'buyer');
  });

  // Proves OWNS-80
  it('has a line of its own in the statement of the month, as a page and as PDF', async () => {
    server.clock.advance(45 * DAY_MS);
    await makeMonthlyDocuments(server.ctx);
    const { body } = await buyer.get('/api/documents?side=buyer&limit=100');
    const statement = (body as DocumentItem[]).find(({ kind }) => kind === 'statement') as DocumentItem;
    expect((await pageOf(statement.number)).text).toContain('Card fee kept after the cancel');
    const pdf = await fetch(`${server.url}/api/documents/${statement.number}.pdf`, {
      headers: { cookie: buyer.cookie },
    });
    expect((await textOfPdf(await pdf.arrayBuffer())).replaceAll(/\s+/g, ' ')).toContain(
      'Card fee kept after the cancel',
    );
    expect(await checkDocuments(server.ctx.db)).toEqual([]);
  });
});
