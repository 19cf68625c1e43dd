import type { User } from '#domain/accounts/contract.ts';
import { once } from '#domain/once.ts';

type Named = Partial<Pick<User, 'firstName' | 'lastName' | 'email'>>;

/** 'Ann Bell', or the one name that the user has, or the e-mail. */
export function fullName({ firstName, lastName, email }: Named): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email || '';
}

/** First letters of both names, else the first two letters of the e-mail, else 'U'. [NAV-16] */
export function initials({ firstName, lastName, email }: Named): string {
  const letters =
    firstName && lastName ? beginning(firstName, 1) + beginning(lastName, 1) : beginning(email ?? '', 2);
  return letters.toUpperCase() || 'U';
}

const characters = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Counts graphemes, so that an emoji or a letter outside the basic plane isn't cut in half. */
function beginning(text: string, count: number): string {
  const each = Array.from(characters().segment(text), ({ segment }) => segment);
  return each.slice(0, count).join('');
}
