/** How the accounts of the ledger are named in the files for an accountant. */
import type { AccountKind } from '#domain/payments/ledger.ts';

type Root = 'Assets' | 'Liabilities' | 'Income' | 'Expenses';

/** The name of an account for people, and its class in plain-text accounting. */
export const ACCOUNT_KINDS: Record<AccountKind, { name: string; root: Root }> = {
  provider_clearing: { name: 'At the card provider, fee not known yet', root: 'Assets' },
  provider_balance: { name: 'At the card provider', root: 'Assets' },
  bank: { name: 'Bank', root: 'Assets' },
  dispute_receivable: { name: 'Taken by a bank, not decided', root: 'Assets' },
  publisher_receivable: { name: 'A publisher owes us', root: 'Assets' },
  input_tax: { name: 'Tax of publishers that you may deduct', root: 'Assets' },
  deferred_publisher: { name: 'Earnings not delivered yet', root: 'Liabilities' },
  deferred_commission: { name: 'Commission not delivered yet', root: 'Liabilities' },
  tax_deferred: { name: 'Tax of what is not delivered yet', root: 'Liabilities' },
  publisher_payable: { name: 'Owed to a publisher', root: 'Liabilities' },
  refund_payable: { name: 'Owed to an advertiser', root: 'Liabilities' },
  suspense: { name: 'Money of unknown origin', root: 'Liabilities' },
  tax_payable: { name: 'Owed to a state', root: 'Liabilities' },
  cancel_fees: { name: 'Card fees kept after cancels', root: 'Income' },
  commission: { name: 'Commission', root: 'Income' },
  waived_earnings: { name: 'Earnings that publishers gave up', root: 'Income' },
  processing_fees: { name: 'Fees of the card provider', root: 'Expenses' },
  dispute_fees: { name: 'Fees of disputes', root: 'Expenses' },
  dispute_losses: { name: 'Losses by disputes', root: 'Expenses' },
  goodwill: { name: 'Refunds of what was delivered', root: 'Expenses' },
  bad_debt: { name: 'Debts that are written off', root: 'Expenses' },
  fx: { name: 'Exchange differences', root: 'Expenses' },
};

/** `deferred_publisher:12` is `Liabilities:DeferredPublisher:12`. */
export function beancountName(kind: AccountKind, ownerId: number | null): string {
  const words = kind.split('_').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return [ACCOUNT_KINDS[kind].root, words.join(''), ...(ownerId === null ? [] : [String(ownerId)])].join(':');
}
