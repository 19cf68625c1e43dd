/** `owed`: the provider has not accepted it yet. `sent`: it is on its way. `done`: the provider reports success. */
export const REFUND_STATUSES = ['owed', 'sent', 'done'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];
