import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';

const MINUTE = 60;
const rule = (points: number, minutes: number) => ({ points, seconds: minutes * MINUTE });
type Rule = ReturnType<typeof rule>;

/**
 * Limits of the calls that send mail or that attackers can use for guessing: per network, per account and overall.
 * They are high enough for many people behind one address. RATE_LIMIT_FACTOR multiplies them. [OP-031]
 */
const LIMITS = {
  'check-email': { network: rule(30, 1), all: rule(3000, 1) },
  register: { network: rule(100, 10), all: rule(3000, 10) },
  // Only failures count. At 20 tries in ten minutes, an attacker needs eight hours for the 1,000 most common passwords.
  login: { network: rule(100, 10), account: rule(20, 10), all: rule(6000, 10) },
  // Only failures count. 1,000 tries in ten minutes over many accounts find one of 2^20 codes in a week. Each code
  // also allows only five tries.
  code: { network: rule(60, 10), account: rule(20, 10), all: rule(1000, 10) },
  // These calls send mail to an address that its owner may not have entered.
  'code-mail': { network: rule(60, 10), account: rule(10, 10), all: rule(3000, 10) },
} satisfies Record<string, { network: Rule; account?: Rule; all: Rule }>;

/** The points that one call has taken. */
export type Taken = { giveBack: () => Promise<void> };

/**
 * Takes a point from every limit of the call. The network's limit comes first, so that a refused network takes no
 * points from the account that it attacks. Throws 429. After a success, `giveBack()` returns the points.
 */
export async function limitCall(
  ctx: Context,
  request: FastifyRequest,
  name: keyof typeof LIMITS,
  email?: string,
): Promise<Taken> {
  const limits: { network: Rule; account?: Rule; all: Rule } = LIMITS[name];
  const keys: [string, Rule, string][] = [[`${name}-network`, limits.network, networkOf(request.ip)]];
  if (limits.account && email !== undefined)
    keys.push([`${name}-account`, limits.account, accountKey(email)]);
  keys.push([`${name}-all`, limits.all, 'all']);

  for (const [limit, rule, key] of keys) await ctx.limits(limit, rule)(key);
  return {
    giveBack: async () => {
      for (const [limit, rule, key] of keys) await ctx.limits(limit, rule).giveBack(key);
    },
  };
}

// An IPv6 subscriber usually has a /64 of addresses.
function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === '' ? 0 : tail.split(':').length;
  while (groups.length + rest < 8) groups.push('0');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

// The hash keeps email addresses out of the table of counters, and fits its limit of 255 characters.
function accountKey(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}
