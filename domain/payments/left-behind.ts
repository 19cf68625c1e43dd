import { z } from 'zod';
import { money } from '../fields.ts';
import { CURRENCIES } from '../money.ts';

/**
 * Money that is still on its way to or from the owner of an account. The account can't be deleted until then. Earnings can
 * be given up, and a `debt` be kept, by its exact amount.
 */
export const LEFT_KINDS = ['campaign', 'earnings', 'dispute', 'refund', 'debt'] as const;
export type LeftKind = (typeof LEFT_KINDS)[number];

/** The `left` of the answer 409 to `DELETE /api/user/account`. */
export const leftBehind = z.array(
  z.object({ kind: z.enum(LEFT_KINDS), amount: money, currency: z.enum(CURRENCIES) }),
);
export type LeftBehind = z.output<typeof leftBehind>;
