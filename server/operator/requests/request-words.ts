import { type Currency, decimalOf, moneyText } from '#domain/money.ts';
import type { RequestRow } from './store-requests.ts';

/** 'Add the operator pat@example.com', 'Refund USD 612.00 for “Autumn sale” (ad 7)'. */
export function requestWords(
  { kind, subjectId, email, title, amountCents, role }: RequestRow,
  currency: Currency,
): string {
  if (kind === 'refund')
    return `Refund ${moneyText(decimalOf(amountCents ?? 0), currency)} for “${title ?? ''}” (ad ${subjectId})`;
  const name = email ?? `of the deleted account ${subjectId}`;
  const to = role === null || role === 'owner' ? '' : `, role ${role}`;
  if (kind === 'set-operator-role') return `Give the operator ${name} the role ${role}`;
  return `${kind === 'add-operator' ? 'Add' : 'Remove'} the operator ${name}${to}`;
}
