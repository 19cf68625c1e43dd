import { z } from 'zod';
import { money } from '../fields.ts';
import { CURRENCIES } from '../money.ts';

/** What keeps an account from being deleted: money that is still on its way to its owner or from them. */
export const LEFT_KINDS = ['campaign', 'earnings', 'dispute', 'refund'] as const;
export type LeftKind = (typeof LEFT_KINDS)[number];

/** The `left` of the answer 409 to `DELETE /api/user/account`. */
export const leftBehind = z.array(
  z.object({ kind: z.enum(LEFT_KINDS), amount: money, currency: z.enum(CURRENCIES) }),
);
export type LeftBehind = z.output<typeof leftBehind>;
