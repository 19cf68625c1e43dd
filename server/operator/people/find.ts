import { decimalOf } from '#domain/money.ts';
import { SUBJECT_WORDS, type Subject } from '#domain/operator/acts.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import type { Settings } from '#domain/accounts/contract.ts';
import { openSessionsOf } from '#server/people/accounts/sessions.ts';
import { earnings, spending } from '#server/results/analytics/figures.ts';
import { taxStatusOf } from '#server/money/documents/list.ts';
import { type OwnTaxIdCheck, ownTaxIdChecks } from '#server/money/tax-ids/list.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { openHoldsOf } from '#server/money/books/holds.ts';
import { type CancelsOfPerson, cancelsOfPerson } from '#server/money/refunds/cancelling/cancel-terms.ts';
import { acceptedTermsOf } from '#server/people/accounts/record/show-user.ts';
import { readCommission } from '#server/money/payees/commission.ts';
import { type Operator, perform, record } from '../act.ts';
import { type HeldRow, readThingFile, type ThingFile } from '../files/thing-file.ts';
import { mails, mailState } from '../mail.ts';
import type { TrailRow } from './trail.ts';
import { hasRead, operatorRole, listActsOn } from '../store.ts';
import {
  findNumber,
  findRole,
  findSubject,
  type FoundRow,
  listOwn,
  type OwnRow,
  selectFound,
  type SubjectRow,
} from '../store-find.ts';

const PAGE_SIZE = 50;
const MAX_ACTS = 50;
const MAX_OWN = 50;
const MAX_MAILS = 20;

/** Finds by words, by number or by uuid, newest first. */
export async function find(
  ctx: Context,
  subject: Subject,
  query: { search: string; cursor?: string | undefined; limit?: number | undefined },
): Promise<Page<FoundRow>> {
  const { search, cursor, limit = PAGE_SIZE } = query;
  const before = decodeCursor(cursor);
  return pageOf(await selectFound(ctx.db, subject, { search, before, limit: limit + 1 }), limit);
}

/** The number of a subject that an operator named by its number, its uuid, a person's address or a website's host. Throws 404. */
export async function numberOf(ctx: Context, subject: Subject, named: string): Promise<number> {
  const number = await findNumber(ctx.db, subject, named);
  if (number === null) throw notFound(`There is no ${SUBJECT_WORDS[subject]} “${named}”.`);
  return number;
}

/**
 * What a person has. `spend` is paid, less refunds; `earnings` are delivered or still to deliver. Both are amounts of the
 * present book. The newest 50 websites, ads and holds.
 */
export type PersonFile = {
  role: Caller['role'];
  /** Of the ads that are submitted from now on. */
  commission: { percent: number; isOwn: boolean };
  /** `checks` are those of their tax numbers, the newest last. */
  tax: Pick<Settings, 'taxStatus' | 'chargesTax' | 'agreesToSelfBilling'> & { checks: OwnTaxIdCheck[] };
  /** The terms that they accepted at the sign-up; null if there were none. */
  acceptedTerms: { version: number; acceptedAt: Date } | null;
  websites: OwnRow[];
  ads: OwnRow[];
  spend: string;
  earnings: string;
  holds: HeldRow[];
  /** Their cancels in 24 hours. */
  cancels: CancelsOfPerson;
  /** The devices that are signed in. */
  signIns: { device: string | null; startedAt: Date | null; lastUsedAt: Date | null }[];
  /** The newest mails to the present address, without their text. */
  mails: { subject: string; createdAt: Date; sentAt: Date | null; state: string }[];
};

/** The acts come with the addresses of the operators. */
export type Shown = SubjectRow & {
  acts: TrailRow[];
  isOperator: boolean;
  /** Of a person. */
  file: PersonFile | null;
  /** Of everything else. */
  thing: ThingFile | null;
};

/**
 * One person, website, ad zone or ad with the latest acts about it. Reading a person's file is an act itself. Throws 404.
 * [OPER-21]
 */
export async function show(ctx: Context, operator: Operator, subject: Subject, id: number): Promise<Shown> {
  const row = await findSubject(ctx.db, subject, id);
  if (!row) throw notFound(`There is no ${SUBJECT_WORDS[subject]} with this number.`);
  if (subject === 'person') await recordReading(ctx, operator, id);
  return {
    ...row,
    acts: await listActsOn(ctx.db, subject, id, MAX_ACTS),
    isOperator: subject === 'person' && (await operatorRole(ctx.db, id)) !== null,
    file: subject === 'person' ? await readFile(ctx, row) : null,
    thing: subject === 'person' ? null : await readThingFile(ctx, { of: subject, id }),
  };
}

async function readFile(ctx: Context, { id, name: email }: SubjectRow): Promise<PersonFile> {
  const role = await findRole(ctx.db, id);
  const holds = await openHoldsOf(ctx, id, MAX_OWN);
  const { taxStatus, chargesTax, agreesToSelfBilling } = await taxStatusOf(ctx, id);
  const checks = await ownTaxIdChecks(ctx.db, id);
  return {
    role,
    commission: await readCommission(ctx, ctx.db, id),
    tax: { taxStatus, chargesTax, agreesToSelfBilling, checks: checks.slice(-MAX_OWN) },
    acceptedTerms: await acceptedTermsOf(ctx, id),
    websites: await listOwn(ctx.db, 'website', id, MAX_OWN),
    ads: await listOwn(ctx.db, 'ad', id, MAX_OWN),
    spend: (await spending(ctx, { id, role })).totalSpending,
    earnings: (await earnings(ctx, { id, role })).totalEarnings,
    holds: holds.map(({ id: hold, ad, reason, amountCents, since, until }) => ({
      id: hold,
      ad,
      reason,
      amount: decimalOf(amountCents),
      since,
      until,
    })),
    cancels: await cancelsOfPerson(ctx, id),
    signIns: (await openSessionsOf(ctx.db, id)).map(({ device, startedAt, lastUsedAt }) => ({
      device,
      startedAt,
      lastUsedAt,
    })),
    mails: (await mails(ctx, { to: email, limit: MAX_MAILS })).items.map((mail) => ({
      subject: mail.subject,
      createdAt: mail.createdAt,
      sentAt: mail.sentAt,
      state: mailState(mail),
    })),
  };
}

/** An operator who works on a case opens the file many times, so each hour has one entry for each person. */
async function recordReading(ctx: Context, operator: Operator, id: number): Promise<void> {
  const since = later(ctx.now(), -HOUR_MS);
  if (await hasRead(ctx.db, operator.id, id, since)) return;
  await perform(ctx, operator, async (tx) => {
    await record(ctx, tx, operator, {
      act: 'read-person',
      subject: 'person',
      subjectId: id,
      // The person does not see it, so that an investigation is not announced to the person it is about.
      affectedId: null,
      reason: operator.id === null ? 'Shown by the command line' : 'Opened in the console',
    });
  });
}
