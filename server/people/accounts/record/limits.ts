import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { mailboxOf } from '#domain/notifications/mailbox.ts';
import type { Context } from '#server/platform/context.ts';
import { networksAround, widestNetworkOf } from '#server/platform/net/networks.ts';
import { isKnownFor } from './known-devices.ts';
import { noteLockOut } from './security-log.ts';

const MINUTE = 60;
const rule = (points: number, minutes: number) => ({ points, seconds: minutes * MINUTE });
type Rule = ReturnType<typeof rule>;

/**
 * Limits of the calls that send mail or that attackers can use for guessing: per subscriber, and per account and
 * network. No limit is shared by all callers or by all callers of one account, because one attacker could then lock out
 * all users or that person (decision 021). [OP-031]
 */
const LIMITS = {
  'check-email': { network: rule(30, 1) },
  // This call mails a code as well.
  register: { network: rule(100, 10), account: rule(10, 10) },
  // All sign-ins count, also with the right password: each costs a hash and leaves a session. Nobody needs as many.
  'sign-in': { network: rule(1000, 10), account: rule(60, 10) },
  // Only failures count.
  login: { network: rule(100, 10), account: rule(20, 10) },
  // The sign-in page asks once for each visit, in browsers that offer passkeys while an address is typed.
  'passkey-options': { network: rule(300, 10) },
  // Only failures count.
  passkey: { network: rule(100, 10), account: rule(20, 10) },
  // Only failures count. Each code also allows only five tries, and an account ten a day.
  code: { network: rule(60, 10), account: rule(20, 10) },
  // These calls send mail to an address that its owner may not have entered.
  'code-mail': { network: rule(60, 10), account: rule(10, 10) },
} satisfies Record<string, { network: Rule; account?: Rule }>;

/** The points that one call has taken. */
export type Taken = { returnPoint: () => Promise<void> };

/**
 * Takes a point from every limit of the call. The networks' limits come first, so that a refused network takes no
 * points from the account that it attacks. A refused call returns what it took. A browser that is known for the account has limits of its own, which other
 * callers cannot exhaust. Throws 429. After a success, `returnPoint()` returns the points. [SEC-15]
 */
export async function limitCall(
  ctx: Context,
  request: FastifyRequest,
  name: keyof typeof LIMITS,
  email?: string,
): Promise<Taken> {
  const limits: { network: Rule; account?: Rule } = LIMITS[name];
  const keys =
    limits.account && email !== undefined && (await isKnownFor(ctx, request, email))
      ? ([[`${name}-device`, limits.account, hashed(`${mailboxOf(email)} ${request.deviceToken}`)]] as const)
      : foreignKeys(name, limits, request.ip, email);
  const taken: Key[] = [];
  const returnPoint = async () => {
    for (const [limit, rule, key] of taken) await ctx.limits(limit, rule).returnPoint(key);
  };
  try {
    for (const key of keys) {
      taken.push(key);
      await ctx.limits(key[0], key[1])(key[2]);
    }
  } catch (error) {
    // A refused call was no try. If it kept its points, many parallel calls with the right password would lock out.
    await returnPoint();
    if (email !== undefined) await noteLockOut(ctx, request, email);
    throw error;
  }
  return { returnPoint };
}

type Key = readonly [limit: string, rule: Rule, key: string];

function foreignKeys(
  name: string,
  { network, account }: { network: Rule; account?: Rule },
  ip: string,
  email: string | undefined,
): Key[] {
  const keys = networksAround(ip).map(({ key, share }, level): Key => [
    `${name}-network-${level}`,
    { ...network, points: network.points * share },
    key,
  ]);
  if (account && email !== undefined)
    keys.push([`${name}-account`, account, hashed(`${mailboxOf(email)} ${widestNetworkOf(ip)}`)]);
  return keys;
}

// The hash keeps e-mail addresses out of the table of counters, and fits its limit of 255 characters.
function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
