export const LEDGER_SIDES = ['buyer', 'publisher'] as const;
export type LedgerSide = (typeof LEDGER_SIDES)[number];
