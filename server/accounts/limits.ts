import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';

const MINUTE = 60;
const rule = (points: number, minutes: number) => ({ points, seconds: minutes * MINUTE });
type Rule = ReturnType<typeof rule>;

/**
 * Limits of the calls that can be guessed or sprayed, or that send mail (OP-031, design 6.1): per network, per
 * account and in all. High enough for people behind one address; RATE_LIMIT_FACTOR multiplies them.
 */
const LIMITS = {
  'check-email': { network: rule(30, 1), all: rule(3000, 1) },
  register: { network: rule(100, 10), all: rule(3000, 10) },
  // Failures only. With 20 tries in ten minutes a password of the thousand most common takes eight hours.
  login: { network: rule(100, 10), account: rule(20, 10), all: rule(6000, 10) },
  // Failures only. Beside the five tries of each code: 1,000 sprayed tries find one of 2^20 codes in a week.
  code: { network: rule(60, 10), account: rule(20, 10), all: rule(1000, 10) },
  // Mail to an address that somebody else may have typed.
  'code-mail': { network: rule(60, 10), account: rule(10, 10), all: rule(3000, 10) },
} satisfies Record<string, { network: Rule; account?: Rule; all: Rule }>;

/** Points taken by one call. */
export type Taken = { giveBack: () => Promise<void> };

/**
 * Takes a point of every limit of the call, narrowest first, so that a network that is refused takes nothing from the
 * account it attacks. Throws 429. `giveBack()` makes a successful call count as none.
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

// An IPv6 subscriber has a whole /64 of addresses.
function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === '' ? 0 : tail.split(':').length;
  while (groups.length + rest < 8) groups.push('0');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

// The table of counters is no place for people's addresses, and takes 255 characters.
function accountKey(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}
