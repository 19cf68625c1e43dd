/** A bank for tests of refunds: it decides when the sandbox's refunds succeed or fail. */
import { randomBytes } from 'node:crypto';
import type {
  BalanceTransaction,
  PaymentProvider,
  Refund,
} from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import { ledgerImbalances } from '#server/money/ledger/check.ts';

/** The provider's state of all refunds that a test made, and the keys of the requests, in their order. */
export type TestBank = {
  /** The state that new refunds begin with. */
  next: Refund['status'];
  refunds: Map<string, Refund>;
  keys: string[];
  set: (id: string, status: Refund['status'], failureReason?: string) => void;
  /** Puts the real sandbox back. */
  close: () => void;
};

const movement = (
  type: string,
  { id, amount, currency }: Refund,
  sign: number,
  at: Date,
): BalanceTransaction => ({
  id: `sbx_txn_${randomBytes(12).toString('hex')}`,
  type,
  sourceId: id,
  amount: sign * amount,
  fee: 0,
  net: sign * amount,
  currency,
  exchangeRate: null,
  createdAt: at,
  availableAt: at,
});

/** Replaces the provider's calls about refunds until `close`. Charges and all other calls stay those of the sandbox. */
export function openTestBank(ctx: Context): TestBank {
  const real = ctx.payments;
  const refunds = new Map<string, Refund>();
  const byKey = new Map<string, string>();
  const bank: TestBank = {
    next: 'succeeded',
    refunds,
    keys: [],
    set: (id, status, failureReason) => {
      const refund = refunds.get(id) as Refund;
      const isFailed = status === 'failed' || status === 'canceled';
      refunds.set(id, {
        ...refund,
        status,
        failureReason: failureReason ?? null,
        failureBalanceTransaction:
          isFailed && refund.balanceTransaction
            ? movement('refund_failure', refund, 1, ctx.now())
            : refund.failureBalanceTransaction,
      });
    },
    close: () => {
      ctx.payments = real;
    },
  };
  const calls: Partial<PaymentProvider> = {
    refund: async (request, key) => {
      bank.keys.push(key);
      const made = await real.refund(request, key);
      const known = byKey.get(key);
      if (known !== undefined) return refunds.get(known) as Refund;
      byKey.set(key, made.id);
      const taken = {
        ...made,
        status: bank.next,
        balanceTransaction: movement('refund', made, -1, ctx.now()),
      };
      refunds.set(made.id, taken);
      return taken;
    },
    getRefund: async (id) => refunds.get(id) ?? (await real.getRefund(id)),
    refundsOf: async function* (intentId) {
      for (const refund of [...refunds.values()].toReversed()) if (refund.intentId === intentId) yield refund;
    },
  };
  ctx.payments = { ...real, ...calls };
  return bank;
}

/** Fails a test that leaves the books out of balance. Call it in a hook. */
export async function requireBalance(ctx: Context): Promise<void> {
  const found = await ledgerImbalances(ctx.db);
  if (found.length > 0) throw new Error(found.join('\n'));
}
