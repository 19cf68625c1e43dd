/** The ids of bank accounts among those of accounts at the provider. */
export const BANK_PREFIX = 'bank_';

export const accountIdOf = (bankAccountId: number) => `${BANK_PREFIX}${bankAccountId}`;

/** The row of the bank account that the id of an account stands for; null for an account at the provider. */
export function bankAccountIdOf(accountId: string): number | null {
  return accountId.startsWith(BANK_PREFIX) ? Number(accountId.slice(BANK_PREFIX.length)) : null;
}
