import type { FastifyRequest } from 'fastify';
import type { changeRole, getBilling, getSettings, updateSettings } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { UNKNOWN_TIMEZONE } from '#domain/accounts/settings.ts';
import { utcDay } from '#domain/time.ts';
import { taxDetailsProblem } from '#domain/accounts/tax-status.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { knownTimezone } from '#server/platform/database/timezones.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { refusedTaxId, requireKnownTaxId, requireTaxIdForm } from '#server/money/tax-ids/check.ts';
import { logSecurity } from './record/security-log.ts';
import { showUser, ownUser } from './record/show-user.ts';
import { changeSettings, readSettings, updateRole } from './record/store.ts';
import { settingsReply } from './record/reply.ts';

/** Users choose their own role. The first choice ends the onboarding and changes nothing else. [OP-016] [OP-011] */
export async function chooseOwnRole(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof changeRole>,
  request: FastifyRequest,
): Promise<Reply<typeof changeRole>> {
  return await ctx.db.transaction().execute(async (tx) => {
    const user = await updateRole(tx, who.id, body.role, ctx.now());
    if (who.role !== body.role)
      await logSecurity(ctx, tx, { userId: who.id, kind: 'role-changed', client: request });
    return await showUser(tx, user, who.member);
  });
}

export async function ownSettings(ctx: Context, who: Caller): Promise<Reply<typeof getSettings>> {
  return settingsReply(await readSettings(ctx.db, who.id, ctx.now()), ctx.config);
}

export async function changeOwnSettings(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof updateSettings>,
): Promise<Reply<typeof updateSettings>> {
  if (body.timezone !== undefined && (await knownTimezone(ctx.db, body.timezone)) !== body.timezone)
    throw invalid(UNKNOWN_TIMEZONE, 'timezone');
  requireAsked(ctx, body);
  if (body.taxId !== undefined || body.country !== undefined) {
    const { taxId, country } = await readSettings(ctx.db, who.id, ctx.now());
    await requireKnownTaxId(ctx, who.id, { taxId, country, ...body });
  }
  return await ctx.db.transaction().execute(async (tx) => {
    await readSettings(tx, who.id, ctx.now());
    const changed = await changeSettings(tx, who.id, { ...body, updatedAt: ctx.now() });
    // Checked after the change, whose row lock makes two changes at once wait for each other.
    const problem = taxDetailsProblem(changed);
    if (problem?.path === 'taxId') throw refusedTaxId(problem.message);
    if (problem) throw invalid(problem.message, problem.path);
    // A form that changes something else is not refused because of a number of long ago.
    if (ctx.config.taxTable && (body.taxId !== undefined || body.country !== undefined))
      requireTaxIdForm(changed);
    return settingsReply(changed, ctx.config);
  });
}

/** Throws 400 for what only a report needs that the operator does not make, and for a day that nobody was born on. [BOOK-231] */
function requireAsked(
  { config, now }: Context,
  { birthDate, registrationNumber }: Parsed<typeof updateSettings>['body'],
): void {
  if (config.publisherReports !== 'dac7') {
    if (birthDate) throw invalid(NOT_ASKED, 'birthDate');
    if (registrationNumber) throw invalid(NOT_ASKED, 'registrationNumber');
  }
  if (birthDate && (birthDate < '1900-01-01' || birthDate >= utcDay(now())))
    throw invalid('Enter your date of birth.', 'birthDate');
}

const NOT_ASKED = 'This marketplace doesn’t ask for this.';

/** The answer holds no id of the payment provider. [OP-103] */
export async function ownBilling(ctx: Context, who: Caller): Promise<Reply<typeof getBilling>> {
  const { stripeCustomerId } = await ownUser(ctx, who);
  const { name: provider, mode } = ctx.payments;
  return { hasBillingAccount: stripeCustomerId !== null, provider, mode };
}
