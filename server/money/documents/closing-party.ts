/** The person whom documents and the list of debts name after an account is deleted. */
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isRefusedTaxId } from '../tax-ids/check.ts';
import { findParty, findTaxStatus, type Party } from './store.ts';

/**
 * Keeps how documents name and tax this person until those of the present month are made, which is when it is over; for as
 * long as the person owes money, with the e-mail address; and with PUBLISHER_REPORTS, until the report of the year was due.
 * Returns the party. Call it before a deletion forgets the person. [WARD-128, GONE-07, BOOK-230]
 */
export async function keepClosingParty(
  ctx: Context,
  tx: Tx,
  { id: userId, email }: { id: number; email: string },
): Promise<Party> {
  const party = await findParty(tx, userId);
  const status = await findTaxStatus(tx, userId);
  const isRefused = await isRefusedTaxId(ctx, tx, userId, status);
  await tx
    .insertInto('closingParties')
    .values({
      userId,
      party: JSON.stringify(party),
      // The answer of VIES about the number is forgotten with the person.
      taxStatus: JSON.stringify({ ...status, ...(isRefused && { taxId: null }) }),
      report:
        ctx.config.publisherReports === 'off'
          ? null
          : sql`(select jsonb_build_object('birthDate', birth_date, 'registrationNumber', registration_number)
              from user_settings s where user_id = ${userId} and exists (
                select from ledger_accounts l where l.kind = 'publisher_payable' and l.owner_id = s.user_id))`,
      email: sql`case when exists ${debtOf(sql.val(userId))} then ${email} end`,
    })
    .execute();
  return party;
}

/** Forgets those whose accounts were deleted before this moment, whose last documents are made, and who owe nothing. [WARD-128] */
export async function forgetClosingParties(tx: Tx, before: Date): Promise<void> {
  await sql`delete from closing_parties using users
    where users.id = user_id and deleted_at < ${before} and not exists ${debtOf(sql.ref('users.id'))}
      -- The report of a year is made in the next one.
      and (report is null or date_trunc('year', deleted_at) + interval '2 years' <= ${before})`.execute(tx);
}

const debtOf = (userId: RawBuilder<unknown>) => sql`(
  select from ledger_accounts l join ledger_balances b on b.account_id = l.id
    where l.kind = 'publisher_receivable' and l.owner_id = ${userId} and b.amount_cents > 0)`;
