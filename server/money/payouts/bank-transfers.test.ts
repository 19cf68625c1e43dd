/** Payouts by bank transfer, from the IBAN of a publisher to the statement of the operator's bank. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import { DAY_MS, MINUTE_MS, utcDay } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import {
  BANK_ENV,
  camt,
  endToEndIdOf,
  IBANS,
  makeBankPayable,
  openslot,
  OUR_IBAN,
  payWeek,
  readCamt,
  saveIban,
} from '#server/testing/money/bank.ts';
import { balanceOf, confirm, expectSound, payOut, transfersOf } from '#server/testing/money/payout-market.ts';
import { makeEarned, onboard, waitDays } from '#server/testing/money/payouts.ts';
import {
  confirmOperator,
  makeOperator,
  sendAct,
  signInAgain,
  type TestOperator,
} from '#server/testing/operator.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { startTestServer } from '#server/testing/server.ts';

import { forgetPayees } from '../payees/close.ts';
import { BANK_KEY, countOldBankSeals, resealBank } from '../payees/bank-seals.ts';
import { presentAlarms } from '../books/alarms.ts';
import { runPayouts } from './run.ts';
import { sendPayout } from './send.ts';

const server = useOwnServer({ env: BANK_ENV });
let buyer: Client;
beforeAll(async () => {
  buyer = await server.signIn('buyer');
});

const today = () => utcDay(server.ctx.now());
const mailsOf = async (person: Client) => await mailTo(server.ctx, person.user.email);
const reason = 'By the bank’s letter';

/** Makes a file of what waits, and returns its text. */
async function makeFile(): Promise<{ id: number; xml: string; path: string }> {
  const dir = newTemporaryFolder('bank');
  const { json } = await openslot(server, 'money bank-file', { dir });
  const { id, file } = json as { id: number; file: string };
  return { id, xml: await readFile(file, 'utf8'), path: file };
}

/** A publisher whose payout of 170.00 is in a file. */
async function makeFiled() {
  const { seller, ad } = await makeBankPayable(server, buyer);
  const payout = await payWeek(server, seller);
  const file = await makeFile();
  return { seller, ad, payout, file, id: await endToEndIdOf(server, payout) };
}

async function makePaid() {
  const filed = await makeFiled();
  expect((await readCamt(server, camt([{ id: filed.id, day: today() }]))).did).toEqual(['paid']);
  return filed;
}

describe('the IBAN of a publisher', () => {
  // Proves PAYO-200
  it('is stored sealed, shown by its last four characters only, and mailed; another one is held', async () => {
    const seller = await server.signIn('seller');
    expect(await balanceOf(seller)).toMatchObject({
      method: 'bank',
      account: { state: 'none', country: null },
      bankAccount: null,
    });
    const answer = await saveIban(seller, 'de89 3704 0044 0532 0130 00');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        account: { state: 'ready', country: 'DE', requirements: [] },
        bankAccount: { holder: 'Pat Müller', last4: '3000' },
      },
    });
    expect(JSON.stringify(answer.body)).not.toContain(IBANS.DE);
    const balance = await balanceOf(seller);
    expect(balance).toMatchObject({ bankAccount: { last4: '3000' } });
    expect(balance.holds).toEqual([]);
    const stored = await server.ctx.db.selectFrom('bankAccounts').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(IBANS.DE);
    expect(stored.map(({ iban }) => iban.toString('latin1')).join(' ')).not.toContain(IBANS.DE);
    const [mail, ...more] = (await mailsOf(seller)).filter(({ kind }) => kind === 'payout-account-changed');
    expect(more).toEqual([]);
    expect(mail?.text).toContain('ends in 3000');
    expect(mail?.text).not.toContain(IBANS.DE);
    expect((await saveIban(seller, IBANS.DE)).status).toBe(200);
    expect((await balanceOf(seller)).holds).toMatchObject([{ reason: 'payout_change' }]);
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'held' } });
  });

  // Proves PAYO-200
  it.each([
    ['of a country outside SEPA', 'SA0380000000608010167519', /Saudi Arabia aren’t possible/],
    ['with wrong check digits', 'DE88370400440532013000', /isn’t right/],
    ['that is too short', 'DE8937040044053201300', /isn’t right/],
    ['of no country', 'ZZ89370400440532013000', /isn’t right/],
    ['that is empty', '', /Enter your IBAN/],
  ])('is refused if it is one %s', async (_, iban, message) => {
    const seller = await server.signIn('seller');
    expect(await saveIban(seller, iban)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'iban', message: expect.stringMatching(message) }] },
    });
    expect((await balanceOf(seller)).bankAccount).toBeNull();
  });

  // Proves PAYO-200
  it('is saved only in a session that was confirmed lately, and only where the bank pays', async () => {
    const seller = await server.signIn('seller');
    server.clock.advance(16 * MINUTE_MS);
    const body = { holder: 'Pat', iban: IBANS.DE };
    expect(await seller.put('/api/payouts/bank-account', body)).toMatchObject({
      status: 403,
      body: { code: 'reauthenticate' },
    });
    await confirm(seller);
    expect(await seller.post('/api/payouts/account', { country: 'DE' })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('bank transfer') },
    });
    const other = await untilTestEnds(startTestServer());
    const member = await other.signIn('seller');
    expect(await saveIban(member)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('card provider') },
    });
  });

  // Proves PAYO-200
  it('tells publishers and advertisers with one bank account apart from others', async () => {
    const { seller, ad } = await makeBankPayable(server, buyer, IBANS.FR);
    const same = await server.signIn('seller');
    await saveIban(same, IBANS.FR);
    await saveIban(buyer, IBANS.AT);
    expect((await balanceOf(seller)).holds).toEqual([]);
    await saveIban(buyer, IBANS.FR);
    expect((await balanceOf(seller)).holds).toMatchObject([
      { reason: 'same_person', adPublicId: ad.publicId },
    ]);
    await saveIban(buyer, IBANS.AT);
  });

  // Proves PAYO-200
  it('goes with the account, and with a later IBAN, unless a payout was sent to it', async () => {
    const { db } = server.ctx;
    const ibansOf = async ({ user }: Client) =>
      (await db.selectFrom('bankAccounts').select('last4').where('userId', '=', user.id).execute()).map(
        ({ last4 }) => last4,
      );
    const forget = async ({ user }: Client) =>
      await db.transaction().execute((tx) => forgetPayees(server.ctx, tx, user.id, null));
    const seller = await server.signIn('seller');
    await saveIban(seller, IBANS.DE);
    await saveIban(seller, IBANS.NL);
    expect(await ibansOf(seller)).toEqual(['4300']);
    await forget(seller);
    expect(await ibansOf(seller)).toEqual([]);
    expect(await balanceOf(seller)).toMatchObject({ account: { state: 'none' }, bankAccount: null });
    const { seller: paid } = await makePaid();
    await saveIban(paid, IBANS.NL);
    await forget(paid);
    expect(await ibansOf(paid)).toEqual(['3000']);
  });
});

describe('a bank file', () => {
  // Proves PAYO-202
  it('has each payout once, is the same when it is read again, and leaves the books as they are', async () => {
    const { seller, payout, file, id } = await makeFiled();
    expect(file.xml).toContain(`<EndToEndId>${id}</EndToEndId>`);
    expect(file.xml).toContain('<InstdAmt Ccy="EUR">170.00</InstdAmt>');
    expect(file.xml).toContain('<Cdtr><Nm>Pat Muller</Nm></Cdtr>');
    expect(file.xml).toContain(`<CdtrAcct><Id><IBAN>${IBANS.DE}</IBAN></Id></CdtrAcct>`);
    expect(file.xml).toContain(`<DbtrAcct><Id><IBAN>${OUR_IBAN}</IBAN></Id></DbtrAcct>`);
    expect(file.xml).toContain('<Nm>Zeitung + Sohne</Nm>');
    await expect(makeFile()).rejects.toMatchObject({ status: 409 });
    const dir = newTemporaryFolder('bank');
    const again = (await openslot(server, `money bank-file ${file.id}`, { dir })).json as { file: string };
    expect(await readFile(again.file, 'utf8')).toBe(file.xml);
    const stored = await server.ctx.db
      .selectFrom('bankFiles')
      .select('content')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow();
    expect(stored.content.toString('latin1')).not.toContain(IBANS.DE);
    expect(await balanceOf(seller)).toMatchObject({
      available: '0.00',
      paidOut: '170.00',
      history: [{ id: payout, amount: '170.00', status: 'sent', message: null }],
    });
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'running' } });
    await expectSound(server);
  });

  // Proves PAYO-205
  it('that is not made or not booked for five days is an alarm', async () => {
    const { seller } = await makeBankPayable(server, buyer);
    await payWeek(server, seller);
    const texts = async () =>
      (await presentAlarms(server.ctx))
        .filter(({ kind }) => kind === 'bank-payouts-late')
        .map(({ text }) => text);
    const before = await texts();
    expect(before.filter((text) => text.includes('waited for a bank file'))).toEqual([]);
    server.clock.advance(6 * DAY_MS);
    expect(await texts()).toEqual([expect.stringMatching(/^1 payout has waited for a bank file/)]);
    await makeFile();
    expect(await texts()).toEqual([expect.stringMatching(/in a bank file (has|have) not been booked/)]);
  });

  // Proves PAYO-202
  it('is made once by two operators at once, and dry runs make none', async () => {
    const { seller } = await makeBankPayable(server, buyer);
    const payout = await payWeek(server, seller);
    const dir = newTemporaryFolder('bank');
    await openslot(server, 'money bank-file', { dir, dryRun: true });
    const made = await Promise.allSettled([1, 2, 3].map(() => openslot(server, 'money bank-file', { dir })));
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const rows = await server.ctx.db
      .selectFrom('bankPayouts')
      .selectAll()
      .where('payoutId', '=', payout)
      .execute();
    expect(rows).toMatchObject([{ fileId: expect.any(Number) }]);
    const trail = await server.ctx.db
      .selectFrom('operatorActs')
      .select('subjectId')
      .where('act', '=', 'make-bank-file')
      .where('subjectId', '=', rows[0]!.fileId as number)
      .execute();
    expect(trail).toHaveLength(1);
  });

  // Proves PAYO-202
  it('goes to the IBAN with which the payout began, and not to one that was saved since', async () => {
    const { seller } = await makeBankPayable(server, buyer);
    await payWeek(server, seller);
    await saveIban(seller, IBANS.NL, 'Somebody Else');
    // The hold after the change also keeps this payout.
    await expect(makeFile()).rejects.toMatchObject({ status: 409 });
    server.clock.advance(3 * DAY_MS);
    const { xml } = await makeFile();
    expect(xml).toContain(IBANS.DE);
    expect(xml).not.toContain(IBANS.NL);
  });

  // Proves PAYO-202
  it('leaves out a payout with a hold that was made since, and that of a suspended publisher, until that ends', async () => {
    const { seller, ad } = await makeBankPayable(server, buyer);
    const payout = await payWeek(server, seller);
    const hold = (await openslot(server, `money hold ${ad.publicId}`, { reason })).json as { id: number };
    await expect(makeFile()).rejects.toMatchObject({ status: 409 });
    expect((await openslot(server, 'money bank-payouts')).lines.join('\n')).toMatch(
      new RegExp(`  ${payout}  170.00 EUR .* on hold`),
    );
    await openslot(server, `money release ${hold.id}`, { reason });
    await openslot(server, `user suspend ${seller.user.email}`, { reason });
    await expect(makeFile()).rejects.toMatchObject({ status: 409 });
    await openslot(server, `restore person ${seller.user.email}`, { reason });
    expect((await makeFile()).xml).toContain(await endToEndIdOf(server, payout));
  });

  // Proves PAYO-202
  it('keeps what nothing may change in the database', async () => {
    const { payout, file } = await makeFiled();
    const { db } = server.ctx;
    await expect(
      db.updateTable('bankPayouts').set({ fileId: null }).where('payoutId', '=', payout).execute(),
    ).rejects.toThrow('a payout is in one file');
    await expect(db.deleteFrom('bankPayouts').where('payoutId', '=', payout).execute()).rejects.toThrow(
      'never deleted',
    );
    await expect(db.deleteFrom('bankFiles').where('id', '=', file.id).execute()).rejects.toThrow(
      'never deleted',
    );
  });
});

describe('a statement of the bank', () => {
  // Proves PAYO-203, PAYO-204
  it.each(['08', '02'])('of version %s books a payout as paid, once', async (version) => {
    const { seller, payout, id } = await makeFiled();
    const xml = camt([{ id, day: today() }], { version });
    expect((await readCamt(server, xml, { dryRun: true })).did).toEqual(['paid']);
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'sent' }]);
    expect(await readCamt(server, xml)).toMatchObject({ did: ['paid'], refused: false });
    // A file that is read twice, also at once.
    const again = await Promise.all([readCamt(server, xml), readCamt(server, xml)]);
    expect(again.map(({ did }) => did)).toEqual([['known'], ['known']]);
    expect(await balanceOf(seller)).toMatchObject({
      paidOut: '170.00',
      history: [{ id: payout, amount: '170.00', status: 'paid', message: null }],
    });
    expect((await mailsOf(seller)).filter(({ kind }) => kind === 'payout-sent')).toHaveLength(1);
    const entries = await server.ctx.db
      .selectFrom('ledgerTx as t')
      .innerJoin('ledgerPostings as p', 'p.txId', 't.id')
      .innerJoin('ledgerAccounts as a', 'a.id', 'p.accountId')
      .innerJoin('payoutTransfers as s', 's.adId', 't.adId')
      .select(['a.kind', 'p.amountCents'])
      .where('t.kind', '=', 'transfer')
      .where('s.payoutId', '=', payout)
      .orderBy('a.kind')
      .execute();
    expect(entries.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
      ['bank', -17_000],
      ['publisher_payable', 17_000],
    ]);
    await expectSound(server);
  });

  // Proves PAYO-204
  it('lists lines that are foreign or do not fit, and books nothing for them', async () => {
    const { seller, id } = await makeFiled();
    const day = today();
    const wrong = await readCamt(
      server,
      camt([
        { id: 'RENT-12', day },
        { id, day, amount: '169.99' },
        { id, day, amount: '170.001' },
        { id, day, currency: 'CHF' },
        { id, day, back: 'AC04' },
        { id, day, status: 'PDNG' },
        { id, day: '1999-01-01' },
      ]),
    );
    expect(wrong.did).toEqual(['foreign', 'problem', 'problem', 'problem', 'problem', 'problem']);
    const undirected = camt([{ id, day }]).replaceAll(/<ns:CdtDbtInd>\w+<\/ns:CdtDbtInd>/g, '');
    expect((await readCamt(server, undirected)).did).toEqual(['problem']);
    expect(wrong.refused).toBe(true);
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'sent' }]);
    await expectSound(server);
  });

  // Proves PAYO-204
  it('books a doubled line once, and reports a second payment of the same payout', async () => {
    const { id } = await makeFiled();
    const line = { id, day: today(), ref: 'SAME' };
    expect((await readCamt(server, camt([line, line]))).did).toEqual(['paid', 'known']);
    const second = await readCamt(server, camt([{ ...line, ref: 'OTHER' }]));
    expect(second).toMatchObject({ did: ['problem'], refused: true });
    expect(second.lines[0]?.problem).toContain('before');
    // Without a reference of the bank, equal lines are counted, and a statement that is read again has the same ones.
    const { id: other } = await makeFiled();
    const bare = { id: other, day: today(), ref: null };
    expect((await readCamt(server, camt([bare, bare]))).did).toEqual(['paid', 'problem']);
    expect((await readCamt(server, camt([bare]))).did).toEqual(['known']);
    await expectSound(server);
  });

  // Proves PAYO-203
  it('books a return, so that the money is available again after the publisher has saved an IBAN', async () => {
    const { seller, payout, id } = await makePaid();
    expect((await readCamt(server, camt([{ id, day: today(), back: 'AC04' }]))).did).toEqual(['returned']);
    expect(await balanceOf(seller)).toMatchObject({
      available: '170.00',
      paidOut: '0.00',
      account: { state: 'restricted', requirements: [expect.stringContaining('save it again')] },
      history: [{ id: payout, status: 'failed', message: expect.stringContaining('AC04') }],
    });
    expect((await mailsOf(seller)).filter(({ kind }) => kind === 'payout-failed')).toHaveLength(1);
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'not_onboarded' } });
    await expectSound(server);
    await saveIban(seller, IBANS.NL);
    server.clock.advance(3 * DAY_MS);
    const next = await payWeek(server, seller);
    const { xml } = await makeFile();
    expect(xml).toContain(IBANS.NL);
    const line = { id: await endToEndIdOf(server, next), day: today() };
    expect((await readCamt(server, camt([line]))).did).toEqual(['paid']);
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'paid' }, { status: 'failed' }]);
    await expectSound(server);
  });

  // Proves PAYO-203
  it('books a payment and its return in one statement, in either order', async () => {
    const { seller, id } = await makeFiled();
    const day = today();
    const xml = camt([
      { id, day, back: 'AC01' },
      { id, day },
    ]);
    expect((await readCamt(server, xml)).did).toEqual(['paid', 'returned']);
    expect(await balanceOf(seller)).toMatchObject({ available: '170.00', history: [{ status: 'failed' }] });
    await expectSound(server);
  });

  const XML = '<?xml version="1.0"?>';
  // Proves PAYO-204
  it.each([
    ['no XML', 'Datum;Betrag\n', /no whole XML/],
    ['cut off', camt([{ id: 'x', day: '2026-01-01' }]).slice(0, -30), /no whole XML/],
    ['another message', `${XML}<Document><BkToCstmrAcctRpt/></Document>`, /no camt\.053/],
    [
      'one with an entity bomb',
      `${XML}<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><Document><BkToCstmrStmt>&b;</BkToCstmrStmt></Document>`,
      /document type/,
    ],
    [
      'one that reads a file',
      `${XML}<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd">]><Document>&f;</Document>`,
      /document type/,
    ],
    ['of another account', camt([], { iban: IBANS.FR }), /ends in 2606/],
    [
      'without an account',
      `${XML}<Document><BkToCstmrStmt><Stmt><Id>1</Id></Stmt></BkToCstmrStmt></Document>`,
      /IBAN/,
    ],
  ])('is refused if it is %s', async (_, xml, message) => {
    await expect(readCamt(server, xml)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  // Proves PAYO-204
  it('is refused above 20 MB', async () => {
    await expect(readCamt(server, Buffer.alloc(20 * 1024 ** 2 + 1, ' '))).rejects.toThrow('20 MB');
  });
});

describe('an operator', () => {
  // Proves PAYO-203
  it('notes a payment by hand, which a later statement confirms', async () => {
    const { seller, payout, id } = await makeFiled();
    await openslot(server, `money bank-paid ${payout}`, { reason });
    await expect(openslot(server, `money bank-paid ${payout}`, { reason })).rejects.toMatchObject({
      status: 409,
    });
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'paid' }]);
    expect((await readCamt(server, camt([{ id, day: today() }]))).did).toEqual(['known']);
    expect((await readCamt(server, camt([{ id, day: today() }]))).did).toEqual(['problem']);
    await openslot(server, `money bank-returned ${payout}`, { reason });
    expect((await balanceOf(seller)).history).toMatchObject([
      { status: 'failed', message: expect.stringContaining('By the bank’s letter') },
    ]);
    expect((await readCamt(server, camt([{ id, day: today(), back: 'AC04' }]))).did).toEqual(['known']);
    await expectSound(server);
  });

  // Proves PAYO-203
  it('notes that the bank made no payment, before and after the file, and nothing was booked', async () => {
    const { seller, payout, id } = await makeFiled();
    await openslot(server, `money bank-returned ${payout}`, { reason });
    expect(await balanceOf(seller)).toMatchObject({
      available: '170.00',
      account: { state: 'ready' },
      history: [{ status: 'failed', message: expect.stringContaining('wasn’t made') }],
    });
    expect(await readCamt(server, camt([{ id, day: today() }]))).toMatchObject({ did: ['problem'] });
    const next = await payWeek(server, seller);
    await expect(openslot(server, `money bank-paid ${next}`, { reason })).rejects.toMatchObject({
      status: 409,
    });
    await openslot(server, `money bank-returned ${next}`, { reason });
    await expect(makeFile()).rejects.toMatchObject({ status: 409 });
    await expectSound(server);
    await expect(openslot(server, 'money bank-paid 2000000000', { reason })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('the console', () => {
  // Proves PAYO-202, PAYO-203
  it('makes a file, gives it to operators with the right to money, and notes a payment', async () => {
    const operator = await makeOperator(server);
    const desk = operator.client;
    const { seller } = await makeBankPayable(server, buyer);
    const payout = await payWeek(server, seller);
    await confirmOperator(server, operator);
    const page = async () => (await desk.get('/api/operator/bank')).body;
    const { waiting, acts } = await page();
    expect(waiting).toContainEqual(
      expect.objectContaining({ id: payout, amount: '170.00', currency: 'EUR', isHeld: false }),
    );
    expect(acts).toMatchObject([{ path: '/api/operator/bank/files', hidden: { end: 'yes' } }]);
    expect((await sendAct(desk, '/operator/bank/files', { end: 'yes' })).body.said).toMatch(
      /^File \d+ has \d+ payouts?\. Download it/,
    );
    expect((await sendAct(desk, '/operator/bank/files', { end: 'yes' })).status).toBe(409);
    const { fileId } = await server.ctx.db
      .selectFrom('bankPayouts')
      .select('fileId')
      .where('payoutId', '=', payout)
      .executeTakeFirstOrThrow();
    const address = `/operator/bank/files/${fileId}`;
    expect((await page()).files).toContainEqual(expect.objectContaining({ id: fileId }));
    expect((await page()).atBank).toContainEqual(expect.objectContaining({ id: payout, fileId }));
    const file = await desk.get(address);
    expect(file.headers.get('content-disposition')).toContain('.xml"');
    expect(file.text).toContain(await endToEndIdOf(server, payout));
    expect((await desk.get('/operator/bank/files/2000000000')).status).toBe(404);
    await server.ctx.db
      .updateTable('operators')
      .set({ role: 'moderation' })
      .where('userId', '=', desk.user.id)
      .execute();
    expect((await desk.get(address)).status).toBe(403);
    await server.ctx.db
      .updateTable('operators')
      .set({ role: 'owner' })
      .where('userId', '=', desk.user.id)
      .execute();
    const paid = `/operator/bank/payouts/${payout}/paid`;
    expect((await sendAct(desk, paid, { reason })).body.said).toBe(`Payout ${payout} is booked as paid.`);
    expect((await sendAct(desk, paid, { reason })).status).toBe(409);
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'paid' }]);
    expect((await page()).atBank).not.toContainEqual(expect.objectContaining({ id: payout }));
  });
});

describe('a statement that is uploaded to the console', () => {
  let operator: TestOperator;
  beforeAll(async () => {
    operator = await makeOperator(server);
  });
  const upload = async (xml: string, desk: Client = operator.client) =>
    await desk.post('/api/operator/bank/statement', { file: Buffer.from(xml).toString('base64') });
  const roleTo = async (role: 'owner' | 'moderation') =>
    await server.ctx.db
      .updateTable('operators')
      .set({ role })
      .where('userId', '=', operator.client.user.id)
      .execute();

  // Proves PAYO-210
  it('books what the command books, and shows what each line did', async () => {
    const { seller, payout, id } = await makeFiled();
    await confirmOperator(server, operator);
    const line = { id, day: today() };
    const xml = camt([line, { ...line, amount: '1.00' }, { id: 'RENT', day: today() }]);
    const read = await upload(xml);
    expect(read.status).toBe(200);
    const booked = { payout, amount: '170.00', currency: 'EUR' };
    expect(read.body).toMatchObject({
      lines: [
        { ...booked, did: 'paid', problem: null },
        { did: 'problem', payout, amount: '1.00', problem: expect.any(String) },
      ],
      others: 1,
    });
    expect((await balanceOf(seller)).history).toMatchObject([{ status: 'paid' }]);
    expect((await upload(xml)).body.lines).toContainEqual(
      expect.objectContaining({ ...booked, did: 'known' }),
    );
    const acts = server.ctx.db
      .selectFrom('operatorActs')
      .select('operatorId')
      .where('act', '=', 'note-bank-paid');
    expect(await acts.where('reason', 'like', `Payout ${payout},%`).execute()).toEqual([
      { operatorId: operator.client.user.id },
    ]);
    for (const [wrong, sentence] of [
      ['', 'Choose the file of the statement.'],
      ['Datum;Betrag', 'no whole XML'],
      [camt([line], { iban: IBANS.FR }), 'ends in 2606'],
    ] as const) {
      const refused = await upload(wrong);
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(sentence)]);
    }
    await expectSound(server);
  });

  // Proves PAYO-210
  it('is refused without the right or a fresh confirmation, and above 1 MB', async () => {
    await confirmOperator(server, operator);
    const large = ' '.repeat(1024 ** 2 + 1);
    const refused = await upload(large);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('larger than 1 MB'),
    ]);
    expect((await upload(large.repeat(2))).status).toBe(413);
    const { mayRead } = (await operator.client.get('/api/operator/bank')).body;
    await roleTo('moderation');
    const denied = await upload('');
    expect([denied.status, denied.body.message]).toEqual([
      403,
      expect.stringContaining('Your role doesn’t allow this.'),
    ]);
    expect([mayRead, (await operator.client.get('/api/operator/bank')).body.mayRead]).toEqual([true, false]);
    await roleTo('owner');
    server.clock.advance(16 * MINUTE_MS);
    expect((await upload('')).body).toMatchObject({ code: REAUTHENTICATE });
    expect((await upload('', buyer)).status).toBe(404);
    expect((await upload('', server.anyone())).status).toBe(401);
  });
});

describe('the method of payouts', () => {
  // Proves PAYO-201
  it('needs euros', async () => {
    const started = startTestServer({ env: { ...BANK_ENV, CURRENCY: 'USD' } });
    await expect(started).rejects.toMatchObject({
      cause: { message: expect.stringContaining('PAYOUTS can be bank only with CURRENCY=EUR') },
    });
  });

  // Proves PAYO-201
  it('changes while payouts are on their way, which keep theirs', async () => {
    const { seller, payout, id } = await makeFiled();
    const other = await server.signIn('seller');
    server.ctx.config.payoutMethod = 'connect';
    await onboard(server.ctx, other.user.id);
    await makeEarned(server, other, buyer, { price: '200.00' });
    await waitDays(server, 31);
    expect((await payOut(other)).status).toBe(201);
    await sendPayout(server.ctx, payout);
    expect(await balanceOf(seller)).toMatchObject({
      method: 'connect',
      account: { state: 'none' },
      bankAccount: null,
      history: [{ id: payout, status: 'sent' }],
    });
    server.ctx.config.payoutMethod = 'bank';
    await runPayouts(server.ctx);
    expect((await transfersOf(server, other)).map(({ state }) => state)).toEqual(['sent']);
    expect(await balanceOf(other)).toMatchObject({
      account: { state: 'none' },
      history: [{ amount: '170.00' }],
    });
    expect((await transfersOf(server, seller)).map(({ state }) => state)).toEqual(['trying']);
    expect((await readCamt(server, camt([{ id, day: today() }]))).did).toEqual(['paid']);
    expect((await balanceOf(seller)).history).toMatchObject([{ id: payout, status: 'paid' }]);
    await expectSound(server);
  });
});

// Proves OPS-11
it('IBANs and files follow a new secret, so that the old one can be removed', async () => {
  const { file } = await makeFiled();
  const { db } = server.ctx;
  const old = server.ctx.keyFor(BANK_KEY);
  const next = randomBytes(32);
  const read = async () =>
    await openslot(server, `money bank-file ${file.id}`, { dir: newTemporaryFolder('bank') });
  expect(await countOldBankSeals(db, () => [next, old])).toBeGreaterThan(1);
  await resealBank({ db, keysFor: () => [next, old] });
  expect(await countOldBankSeals(db, () => [next, old])).toBe(0);
  await expect(read()).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('SESSION_SECRET'),
  });
  await resealBank({ db, keysFor: () => [old, next] });
  await read();
});

// The last test: the sessions of all others end in these months.
// Proves PAYO-203
it('books a return after 13 months to its payout, and tells the publisher', async () => {
  const { seller, payout, id } = await makePaid();
  server.clock.advance(400 * DAY_MS);
  await signInAgain(seller);
  expect((await readCamt(server, camt([{ id, day: today(), back: 'MS03' }]))).did).toEqual(['returned']);
  expect((await balanceOf(seller)).history).toMatchObject([{ id: payout, status: 'failed' }]);
  expect((await mailsOf(seller)).filter(({ kind }) => kind === 'payout-failed')).toHaveLength(1);
  await expectSound(server);
});
