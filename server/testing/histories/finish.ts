/** The end of a history: the work that is left, and what must agree then. */
import { sql } from 'kysely';
import { DAY_MS } from '#domain/time.ts';
import { checkDocuments } from '#server/money/documents/check.ts';
import { balancesOf } from '#server/money/ledger/balances.ts';
import { postedBalance } from '#server/money/payouts/balance.ts';
import { holdByOperator, releaseByOperator } from '#server/operator/money/books.ts';
import { payAtBank } from './bank.ts';
import { decideDisputes } from './ends.ts';
import type { History } from './history.ts';
import { checkTaxDocuments, checkTaxWaits } from './invariants.ts';
import { runJob, setZone } from './jobs.ts';
import { chargeTax } from './payouts.ts';
import { deliver, sellNow } from './sales.ts';

/**
 * A round is four days. In these, a month ends while the last sale is on hold, and after its release the tax of its document is
 * paid, returned, and paid again.
 */
const LEAST_ROUNDS = 18;
const ROUND_OF_RELEASE = 11;
const ROUND_OF_RETURN = 14;
const OPERATOR = { id: null, dryRun: false };
/** A sale that is delivered as a whole, and larger than most debts. */
const LAST_SALE = { act: 'sell', model: 'per_impression', cents: 1_000_000, amount: 5, quantity: 1 } as const;

/** Does all work that is left. */
export async function finishWork(history: History): Promise<void> {
  history.away = null;
  await chargeTax(history, true);
  await decideDisputes(history);
  // A card is not charged for an ad in a paused zone.
  await setZone(history, true);
  await sellNow(history, LAST_SALE);
  await deliver(history, 0, LAST_SALE.amount);
  const hold = await holdByOperator(history.ctx, OPERATOR, {
    of: 'ad',
    id: history.ads.at(-1)!.id,
    reason: 'Played',
  });
  await history.sandbox.play.reviewPayee(history.payeeId, true);
  for (let round = 0; round < 30; round++) {
    history.market.clock.advance(4 * DAY_MS);
    if (round === ROUND_OF_RELEASE)
      await releaseByOperator(history.ctx, OPERATOR, { id: hold.id, reason: 'Played' });
    for (const job of [
      'charges',
      'days',
      'endings',
      'accrue',
      'refunds',
      'payouts',
      'settle',
      'payments',
    ] as const)
      await runJob(history, job);
    if (history.config.payoutMethod === 'bank') await payAtBank(history, round === ROUND_OF_RETURN);
    await checkTaxWaits(history);
    if (round >= LEAST_ROUNDS && (await isDone(history))) break;
  }
}

/** Compares the books with the documents and the provider, when all work is done. */
export async function checkEnd(history: History): Promise<void> {
  const wrongDocuments = await checkDocuments(history.ctx.db);
  if (wrongDocuments.length > 0) throw new Error(JSON.stringify(wrongDocuments));
  await checkTaxDocuments(history.ctx.db);
  if (!(await isDone(history)))
    throw new Error(
      'A refund is still owed, an ended ad has deferred money, or a transfer or a charge is not known',
    );
  let net = 0;
  for await (const movement of history.sandbox.balanceTransactionsSince(new Date(0))) net += movement.net;
  const { rows } = await sql<{ kind: string; cents: string }>`
    select a.kind, sum(p.amount_cents) as cents
      from ledger_postings p join ledger_accounts a on a.id = p.account_id
      where a.kind in ('provider_balance', 'provider_clearing', 'dispute_receivable', 'suspense')
      group by a.kind`.execute(history.ctx.db);
  const held = Object.fromEntries(rows.map(({ kind, cents }) => [kind, Number(cents)]));
  if (
    (held['provider_balance'] ?? 0) !== net ||
    (held['provider_clearing'] ?? 0) !== 0 ||
    (held['dispute_receivable'] ?? 0) !== 0 ||
    (held['suspense'] ?? 0) !== 0
  )
    throw new Error(`The provider holds ${net}, the ledger ${JSON.stringify(held)}`);
}

/** The balance that the publisher reads is that of the ledger, tax included, less what is on its way. */
export async function checkBalance({ ctx, market }: History): Promise<void> {
  const { id } = market.seller;
  const money = { book: ctx.payments.book, currency: ctx.config.currency };
  const ledger = await balancesOf(ctx.db, ['publisher_payable', 'publisher_receivable'], id, money);
  const owed = [...ledger.values()].reduce((sum, cents) => sum + cents, 0);
  const { rows } = await sql<{ cents: string }>`
    select coalesce(sum(amount_cents), 0) as cents from payout_transfers where state = 'trying'`.execute(
    ctx.db,
  );
  const sent = Number(rows[0]?.cents);
  const balance = await postedBalance(ctx, ctx.db, id, ctx.now());
  const shown = balance.pendingCents + balance.availableCents + balance.heldCents - balance.owedCents;
  if (shown !== owed - sent)
    throw new Error(
      `The publisher reads ${shown}, and the ledger has ${owed}, of which ${sent} is on its way`,
    );
}

async function isDone(history: History): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n
      from ledger_balances b
      join ledger_accounts a on a.id = b.account_id
      left join ads d on d.id = a.owner_id
      where b.amount_cents <> 0
        -- After a lost dispute the provider refuses for good what the loss does not cover. The operator sees it.
        and ((a.kind = 'refund_payable' and not exists (
            select from disputes l join payments p on p.id = l.payment_id where p.ad_id = d.id and l.status = 'lost'))
          or (a.kind in ('deferred_publisher', 'deferred_commission', 'tax_deferred') and d.status = 'completed'))
        or exists (select from consent_ads where state = 'charging')
        or exists (select from payout_transfers where state = 'trying')
        or exists (select from transfer_reversals where state = 'trying')`.execute(history.ctx.db);
  return rows[0]?.n === 0;
}
