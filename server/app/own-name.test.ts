/** A marketplace in its operator's name: nothing that people see says the name of the software. */
import { beforeAll, expect, it } from 'vitest';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { runMoneyWork } from '#server/money/books/run.ts';
import type { Client } from '#server/testing/client.ts';
import { confirmOperator, makeOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const NAME = 'Brot & Rad Ads';
const HTML = { accept: 'text/html' };

const server = useOwnServer();
let desk: Client;
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  for (const [name, value] of [
    ['MARKETPLACE_NAME', NAME],
    ['COMMISSION', '10'],
    ['CURRENCY', 'EUR'],
  ] as const) {
    const { command, args } = commandOf(['settings', 'set', name, value]);
    await command.run({ ctx: server.ctx, operator: { id: null }, args, options: { dryRun: false } });
  }
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  const { ad } = await makeLiveAd(seller, buyer);
  const { refundAmount } = (await buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body;
  await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount });
  await runMoneyWork(server.ctx);
  const operator = await makeOperator(server);
  await confirmOperator(server, operator);
  desk = operator.client;
});

/** The name of the software where people read it. Attributes, classes and file names are not read. */
const named = (text: string) => text.match(/.{0,40}Openslot.{0,40}/g) ?? [];

it.each([
  '/',
  '/demo',
  '/auth',
  '/dashboard',
  '/sites',
  '/measurement',
  '/ad-archive',
  '/global-privacy-control',
  '/no-such-page',
  '/app.webmanifest',
  '/api/openapi.json',
  '/api/marketplace',
  '/robots.txt',
  '/sellers.json',
  '/.well-known/security.txt',
])('%s says the operator’s name', async (path) => {
  const { text } = await server.anyone().get(path, HTML);
  expect(named(text)).toEqual([]);
  if (['/', '/demo', '/auth', '/sites', '/measurement'].includes(path))
    expect(text).toContain('Brot &amp; Rad Ads');
  if (path.endsWith('.webmanifest')) expect(JSON.parse(text)).toMatchObject({ name: NAME, short_name: NAME });
});

it('the console says the operator’s name', async () => {
  for (const path of [
    '/operator',
    '/operator/find',
    '/operator/money',
    '/operator/books',
    '/operator/settings',
  ]) {
    const { status, text } = await desk.get(path, HTML);
    expect([path, status, named(text)]).toEqual([path, 200, []]);
    expect(text).toContain('Brot &amp; Rad Ads');
  }
});

it('mails and documents say the operator’s name', async () => {
  const mails = await server.ctx.db
    .selectFrom('messages')
    .select(['subject', 'bodyText', 'bodyHtml'])
    .execute();
  // The accounts were made after the name was set.
  expect(mails.length).toBeGreaterThan(5);
  for (const { subject, bodyText, bodyHtml } of mails) {
    expect(named(`${subject}\n${bodyText}\n${bodyHtml}`)).toEqual([]);
    expect(bodyText).toContain(`${NAME} · ${server.ctx.config.brand.tagline}`);
  }
  expect(server.ctx.config.mailFrom).toMatch(/^"Brot & Rad Ads" </);
  const documents = (await buyer.get('/api/documents')).body as { documents?: { number: string }[] };
  const list = documents.documents ?? (documents as unknown as { number: string }[]);
  expect(list.length).toBeGreaterThan(0);
  for (const { number } of list) {
    const page = await buyer.get(`/api/documents/${number}`, HTML);
    expect([number, named(page.text), page.text.includes('Brot &amp; Rad Ads')]).toEqual([number, [], true]);
    const pdf = await buyer.get(`/api/documents/${number}.pdf`);
    expect(named(pdf.text)).toEqual([]);
  }
});
