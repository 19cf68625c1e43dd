import { ownPasskeys } from '#server/people/accounts/keys/passkeys.ts';
import { secondFactorOf } from '#server/people/accounts/keys/second-factor.ts';
import type { Context } from '#server/platform/context.ts';
import type { SignedInOperator } from '../admit.ts';
import type { ConsolePage } from './console.ts';
import { factorPage } from './subject-pages.ts';

/** The page on which the operator gives a code or a passkey. Null if the account has neither. */
export async function confirmPage(
  ctx: Context,
  operator: SignedInOperator,
  { to, isFirst = false }: { to: string; isFirst?: boolean },
): Promise<ConsolePage | null> {
  const hasPasskey = (await ownPasskeys(ctx, operator)).length > 0;
  const hasApp = (await secondFactorOf(ctx.db, operator.id)).isOn;
  return hasPasskey || hasApp ? factorPage(to, { hasPasskey, hasApp, isFirst }) : null;
}

/** The page of the console to which a confirmation leads back. Other addresses lead to its overview. */
export function targetOf(address: string): string {
  const [path = ''] = address.split('?');
  return /^\/operator(?:\/[\w/-]*)?$/.test(path) && path !== '/operator/confirm' ? path : '/operator';
}
