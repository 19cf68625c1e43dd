/** Acts about refunds, holds, disputes, debts, bank payouts and the requests that a second operator confirms. */
import { listMoney } from '#server/money/books/list.ts';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import { openRequests, refundOrAsk, requestWords } from '#server/operator/requests/requests.ts';
import { makeApprovedAd, payByCard, withProvider } from '../money/checkout.ts';
import { BANK_ENV, makeBankPayable, openslot, payWeek } from '../money/bank.ts';
import { intentOf } from '../money/payout-market.ts';
import { sandboxOf } from '../money/sandbox.ts';
import { newTemporaryFolder } from '../temporary.ts';
import { fileOf, type Occasion, person, type Rows, running, type World } from './world.ts';

const CLI = { id: null };
const reason = 'For a test';
const [MONEY, BOOKS, BANK] = ['/operator/money', '/operator/books', '/operator/bank'];

/** Payouts go by bank transfer, and a refund of more than 50.00 needs two operators. */
export const MONEY_ENV = { ...BANK_ENV, OPERATOR_REFUND_LIMIT: '50.00', CANCEL_FEE: 'buyer' };

/** A refund that the provider was not asked for yet. */
async function owedRefund(world: World): Promise<Occasion> {
  const { ctx } = world.server;
  const { ad } = await running(world);
  await refundOrAsk(ctx, CLI, { id: ad.id, amount: 500, reason });
  const refund = (await listMoney(ctx)).refundsOwed.find((each) => each.ad === ad.publicId);
  return { page: MONEY, ids: { ref: refund!.id }, about: ad.title };
}

/** A payment of another amount than was asked for. */
async function suspense(world: World): Promise<Occasion> {
  const { ctx } = world.server;
  const buyer = await person(world);
  const title = `Ad ${world.next()}`;
  const ad = await makeApprovedAd(await person(world), buyer, { ad: { title } });
  const { paymentIntentId } = await payByCard(buyer, ad);
  await withProvider(
    ctx,
    (real) => ({ getIntent: async (id) => ({ ...(await real.getIntent(id)), amountReceived: 9999 }) }),
    async () => await buyer.post('/api/payment-success', { paymentIntentId }),
  );
  const money = (await listMoney(ctx)).suspense.find((each) => each.ad === ad.publicId);
  const [of = '', id = ''] = money!.id.split(':');
  return { page: MONEY, ids: { of, id }, fields: { outcome: 'refunded' }, about: title };
}

/** New earnings are on hold until the website is verified. */
async function held(world: World): Promise<Occasion> {
  const { ad } = await running(world);
  const { id } = await world.server.ctx.db
    .selectFrom('holds')
    .select('id')
    .where('adId', '=', ad.id)
    .executeTakeFirstOrThrow();
  return { page: BOOKS, ids: { id }, about: ad.title };
}

async function disputed(world: World): Promise<Occasion> {
  const { ad } = await running(world);
  const id = await sandboxOf(world.server).play.dispute(await intentOf(world.server, ad), 'dispute');
  await checkPayments(world.server.ctx);
  return { page: `/operator/evidence/${id}`, ids: { id } };
}

/** A large cancel between new people waits for an operator. The sandbox keeps 58.30 of 2,000.00. */
async function waitingCancel(world: World): Promise<Occasion> {
  const { ad, buyer } = await running(world, '2000.00');
  const answer = await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount: '1941.70' });
  if (answer.status !== 202) throw new Error(`The cancel answered ${answer.status}: ${answer.text}`);
  return { page: MONEY, ids: { id: ad.id }, about: ad.title };
}

/** A payout of 170.00, which no file has. */
async function payout(world: World) {
  const { seller, ad } = await makeBankPayable(world.server, await person(world));
  return { id: await payWeek(world.server, seller), seller, ad };
}

/** The same, in a file for the bank. */
async function filed(world: World) {
  const begun = await payout(world);
  await openslot(world.server, 'money bank-file', { dir: newTemporaryFolder('bank') });
  return begun;
}

async function payoutAtBank(world: World): Promise<Occasion> {
  const { id } = await filed(world);
  return { page: BANK, ids: { id }, about: `payout ${id}` };
}

/** A publisher who was paid, and whose sale a bank took back afterwards. */
async function debtor(world: World): Promise<Occasion> {
  const { server } = world;
  const { id, seller, ad } = await filed(world);
  const name = { firstName: 'Pat', lastName: `Debtor ${world.next()}` };
  await seller.patch('/api/user/profile', name);
  await openslot(server, `money bank-paid ${id}`, { reason });
  const intent = await intentOf(server, ad);
  const { play } = sandboxOf(server);
  await play.dispute(intent, 'dispute');
  await checkPayments(server.ctx);
  await play.closeDispute(intent, 'lost');
  await checkPayments(server.ctx);
  await runPayouts(server.ctx);
  return { page: BOOKS, ids: { id: seller.user.id }, about: `${name.firstName} ${name.lastName}` };
}

/** A refund above the limit, which the colleague has requested. */
async function requested(world: World): Promise<Occasion> {
  const { server, colleague } = world;
  const { ad } = await running(world, '100.00');
  await refundOrAsk(server.ctx, { id: colleague.user.id }, { id: ad.id, amount: null, reason });
  const request = (await openRequests(server.ctx)).find(({ subjectId }) => subjectId === ad.id)!;
  return {
    page: '/operator/requests',
    ids: { id: request.id },
    about: requestWords(request, server.ctx.config.currency),
  };
}

export const ABOUT_MONEY: Rows = {
  '/operator/money/run': {
    acts: ['retry-job'],
    on: async () => await Promise.resolve({ page: MONEY }),
  },
  '/operator/refunds/:ref/retry': { acts: ['retry-refund'], on: owedRefund },
  '/operator/refunds/:ref/pay': { acts: ['pay-refund'], on: owedRefund },
  '/operator/suspense/:of/:id': { acts: ['settle-suspense'], on: suspense },
  '/operator/ads/:id/refund': {
    acts: ['refund'],
    on: async (world) => fileOf('ad', (await running(world)).ad.id),
  },
  '/operator/people/:id/hold': {
    acts: ['hold'],
    on: async (world) => fileOf('person', (await person(world)).user.id),
  },
  '/operator/ads/:id/hold': {
    acts: ['hold'],
    on: async (world) => fileOf('ad', (await running(world)).ad.id),
  },
  '/operator/holds/:id/release': { acts: ['release'], on: held },
  '/operator/evidence/:id/send': { acts: ['send-evidence'], on: disputed },
  '/operator/cancels/:id/release': { acts: ['release-cancel'], on: waitingCancel },
  '/operator/cancels/:id/refuse': { acts: ['refuse-cancel'], on: waitingCancel },
  '/operator/requests/:id/confirm': {
    acts: ['refund'],
    on: requested,
    // The operator who asked has given it.
    reason,
  },
  '/operator/requests/:id/decline': { acts: ['decline-request'], on: requested },
  '/operator/bank/files': {
    acts: ['make-bank-file'],
    on: async (world) => {
      await payout(world);
      return { page: BANK };
    },
  },
  '/operator/bank/payouts/:id/paid': { acts: ['note-bank-paid'], on: payoutAtBank },
  '/operator/bank/payouts/:id/returned': { acts: ['note-bank-returned'], on: payoutAtBank },
  '/operator/debts/:id/paid': { acts: ['debt-paid'], on: debtor },
  '/operator/debts/:id/write-off': { acts: ['write-off'], right: 'owner', on: debtor },
};
