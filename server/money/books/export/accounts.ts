/** How the accounts of the ledger are named in the files for an accountant. */
import type { AccountKind } from '#domain/payments/ledger.ts';

type Root = 'Assets' | 'Liabilities' | 'Income' | 'Expenses';

/**
 * The name of an account for people, its class in plain-text accounting, and its number in DATEV's chart SKR03. Accounts
 * of the same kind share a number.
 */
export const ACCOUNT_KINDS: Record<AccountKind, { name: string; root: Root; datev: number }> = {
  provider_clearing: { name: 'At the card provider, fee not known yet', root: 'Assets', datev: 1361 },
  provider_balance: { name: 'At the card provider', root: 'Assets', datev: 1362 },
  bank: { name: 'Bank', root: 'Assets', datev: 1200 },
  dispute_receivable: { name: 'Taken by a bank, not decided', root: 'Assets', datev: 1501 },
  publisher_receivable: { name: 'A publisher owes us', root: 'Assets', datev: 1502 },
  deferred_publisher: { name: 'Earnings not delivered yet', root: 'Liabilities', datev: 1711 },
  deferred_commission: { name: 'Commission not delivered yet', root: 'Liabilities', datev: 1712 },
  tax_deferred: { name: 'Tax of what is not delivered yet', root: 'Liabilities', datev: 1713 },
  publisher_payable: { name: 'Owed to a publisher', root: 'Liabilities', datev: 1701 },
  refund_payable: { name: 'Owed to an advertiser', root: 'Liabilities', datev: 1702 },
  suspense: { name: 'Money of unknown origin', root: 'Liabilities', datev: 1703 },
  tax_payable: { name: 'Owed to a state', root: 'Liabilities', datev: 1789 },
  cancel_fees: { name: 'Card fees kept after cancels', root: 'Income', datev: 4837 },
  commission: { name: 'Commission', root: 'Income', datev: 8510 },
  waived_earnings: { name: 'Earnings that publishers gave up', root: 'Income', datev: 2709 },
  processing_fees: { name: 'Fees of the card provider', root: 'Expenses', datev: 4970 },
  dispute_fees: { name: 'Fees of disputes', root: 'Expenses', datev: 4971 },
  dispute_losses: { name: 'Losses by disputes', root: 'Expenses', datev: 2401 },
  goodwill: { name: 'Refunds of what was delivered', root: 'Expenses', datev: 2402 },
  bad_debt: { name: 'Debts that are written off', root: 'Expenses', datev: 2400 },
  fx: { name: 'Exchange differences', root: 'Expenses', datev: 2150 },
};

/** `deferred_publisher:12` is `Liabilities:DeferredPublisher:12`. */
export function beancountName(kind: AccountKind, ownerId: number | null): string {
  const words = kind.split('_').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return [ACCOUNT_KINDS[kind].root, words.join(''), ...(ownerId === null ? [] : [String(ownerId)])].join(':');
}
