/** The beginning of a history: its settings, and empty books. */
import { sql } from 'kysely';
import { parseTaxTable } from '#domain/payments/tax-table.ts';
import { onboard } from '../money/payouts.ts';
import { saveIban } from './bank.ts';
import type { History } from './history.ts';
import { setZone } from './jobs.ts';
import { chargeTax } from './payouts.ts';

const START = new Date('2026-03-02T09:00:00Z');

/** The tables of a history, which begins with empty ones. */
const TABLES = [
  'documents',
  'document_series',
  'closed_months',
  'ads',
  'tag_looks',
  'unsettled_ads',
  'ad_days',
  'payments',
  'payment_consents',
  'consent_ads',
  'refunds',
  'refund_tries',
  'refund_quotes',
  'payee_accounts',
  'payouts',
  'bank_accounts',
  'bank_files',
  'bank_lines',
  'payout_transfers',
  'transfer_reversals',
  'payout_weeks',
  'ad_earnings',
  'earned_hours',
  'ledger_tx',
  'ledger_postings',
  'ledger_accounts',
  'ledger_balances',
  'ledger_months',
  'ledger_unlogged',
  'ledger_leaves',
  'ledger_nodes',
  'ledger_roots',
  'withdrawals',
  'withdrawn_hours',
  'delivery_hourly',
  'ad_performance',
  'provider_events',
  'sandbox_objects',
] as const;

/** Two countries, one with rates that change after a week and after two months, and reverse charge. */
const TAXES = parseTaxTable(`{"version": 2, "seller": "DE", "countries": {
  "DE": [{"rate": "19.00"}, {"from": "2026-03-09", "rate": "16.00"}, {"from": "2026-05-01", "rate": "19.00"}],
  "CH": {"rate": "8.10"},
  "IT": {"rate": "22.00", "business": "reverse_charge", "sentence": "Reverse charge."}}}`);

export async function empty(history: History): Promise<void> {
  await history.market.pool.query(`truncate ${TABLES.join(', ')} restart identity cascade`);
  await setZone(history, true);
  // Each history begins at the same time. Otherwise the clock would run past the card's expiry.
  history.market.clock.set(START);
  history.ads = [];
  history.waiting = [];
  history.away = null;
  history.bank.clear();
  // A charge on approval takes the country of the settings.
  await sql`insert into user_settings (user_id, country) values (${history.market.buyer.id}, 'DE')
    on conflict (user_id) do update set country = 'DE'`.execute(history.ctx.db);
  history.payeeId = await onboard(history.ctx, history.market.seller.id);
  if (history.config.payoutMethod === 'bank') await saveIban(history, 'DE');
  await chargeTax(history, true);
}

/** The settings of the nth history. Each has others than the one before, and every second one pays by bank transfer. */
export function chooseSettings(history: History, nth: number): void {
  history.config.trafficRules = Math.floor(nth / 2) % 2 === 0 ? 'production' : 'development';
  history.config.taxTable = nth % 6 === 0 ? null : TAXES;
  history.config.taxSplit = nth % 3 === 1 ? 'net' : 'gross';
  history.config.selfBilling = {
    ...history.market.ctx.config.selfBilling,
    isOffered: nth % 5 !== 4,
    publisherTax: nth % 4 === 1 ? 'included' : 'on_top',
  };
  history.config.payoutMethod = nth % 2 === 0 ? 'connect' : 'bank';
  const fee = nth % 4 < 2 ? 'operator' : 'buyer';
  history.config.cancels = { ...history.market.ctx.config.cancels, fee, perDay: 1000 };
}
