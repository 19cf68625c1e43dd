/** The accounts through which publishers are paid. See docs/decisions/041-payouts.md. */
import type { BankAccount, PayoutAccount } from '#domain/payments/payout-contract.ts';
import { later, MINUTE_MS } from '#domain/time.ts';
import type { Payee } from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { mailHeld } from '#server/notify/mails/operator-mail.ts';
import { isAway, isUnknown } from '../provider-requests/answer-time.ts';
import { hashesOf } from '../provider-requests/hashes.ts';
import { holdIfPaidTogether } from './same-person.ts';
import {
  dropAccount,
  findBankAccount,
  findPayee,
  findPayeeOfAccount,
  keepState,
  type PayeeRow,
} from './store.ts';
import { tellNotReady } from './tell.ts';

/** An account is read again from the provider when our copy is older than this. */
const FRESH_FOR_MS = MINUTE_MS;

/** The provider's capability decides whether an account is ready, never the page that a publisher returns to. */
const STATES = { active: 'ready', pending: 'pending', inactive: 'restricted' } as const;

/** Null before the onboarding, and after the provider has withdrawn the account. */
export type KnownPayee = PayoutAccount & { accountId: string | null };

/**
 * A publisher's account at the present provider, which is asked if our copy is older than a minute. While the provider
 * is away, returns our copy. With PAYOUTS=bank, the bank account that the publisher has saved. [PYEE-03, PAYO-200]
 */
export async function readPayee(ctx: Context, userId: number): Promise<KnownPayee> {
  if (ctx.config.payoutMethod === 'bank') return await readBankPayee(ctx, ctx.db, userId);
  const known = await findPayee(ctx.db, userId, ctx.payments.book);
  if (known === null || known.accountId === null || isFresh(ctx, known)) return knownPayeeOf(known);
  try {
    const answer = await askForPayee(ctx, known.accountId);
    await ctx.db.transaction().execute((tx) => recordPayee(ctx, tx, answer));
  } catch (error) {
    if (!isAway(error)) throw error;
    ctx.log.warn({ err: error, userId }, 'the payment provider could not be asked about a payout account');
  }
  return knownPayeeOf(await findPayee(ctx.db, userId, ctx.payments.book));
}

/** The publisher's bank account as an account for payouts. */
export async function readBankPayee(ctx: Context, tx: Tx, userId: number): Promise<KnownPayee> {
  const known = await findPayee(tx, userId, ctx.payments.book, 'bank');
  return { ...knownPayeeOf(known), requirements: known?.requirements ?? [] };
}

/** The saved bank account with PAYOUTS=bank, without its IBAN; null otherwise. */
export async function readBankAccount(
  { config, payments }: Context,
  tx: Tx,
  userId: number,
): Promise<BankAccount | null> {
  if (config.payoutMethod !== 'bank') return null;
  const known = await findPayee(tx, userId, payments.book, 'bank');
  return known && (await findBankAccount(tx, known.accountId));
}

const isFresh = (ctx: Context, { syncedAt }: PayeeRow): boolean =>
  syncedAt !== null && syncedAt > later(ctx.now(), -FRESH_FOR_MS);

function knownPayeeOf(known: PayeeRow | null): KnownPayee {
  if (known === null) return { accountId: null, state: 'none', country: null, requirements: [] };
  const { accountId, state, country, requirements } = known;
  return { accountId, state, country, requirements: stepsOf(requirements) };
}

/** The provider's answer about an account; `payee` is null if it does not know the account, or withdrew it from us. */
export type PayeeAnswer = { accountId: string; payee: Payee | null; at: Date };

/** Asks the provider about an account. */
export async function askForPayee(ctx: Context, accountId: string): Promise<PayeeAnswer> {
  const at = ctx.now();
  try {
    return { accountId, payee: await ctx.payments.getPayee(accountId), at };
  } catch (error) {
    if (!isUnknown(error)) throw error;
    ctx.log.warn({ accountId }, 'the payment provider does not know a payout account any more; removing it');
    return { accountId, payee: null, at };
  }
}

const SET_UP = 'The account is not connected any more. Set up your payouts again.';

/**
 * Stores the provider's answer about an account, with what follows from it. An account that the provider does not know is
 * removed: the publisher can set up another. If the account has stopped being ready, we e-mail the publisher.
 */
export async function recordPayee(
  ctx: Context,
  tx: Tx,
  { accountId, payee, at }: PayeeAnswer,
): Promise<void> {
  if (payee !== null) return await keepAnswer(ctx, tx, payee, at);
  const before = await dropAccount(tx, accountId);
  if (before?.state === 'ready') await tellNotReady(ctx, tx, before.userId, [SET_UP]);
}

async function keepAnswer(ctx: Context, tx: Tx, payee: Payee, syncedAt: Date): Promise<void> {
  const { id, transfersStatus, requirements } = payee;
  const state = STATES[transfersStatus];
  const destinations =
    payee.destinations?.flatMap((fingerprint) => hashesOf(ctx, 'card', fingerprint)) ?? null;
  if (destinations === null)
    ctx.log.warn(
      { accountId: id },
      'the payment provider does not report the destinations of a payout account',
    );
  const before = await keepState(tx, id, { state, requirements, destinations, syncedAt });
  if (before === null) return;
  if (destinations?.some((destination) => !before.destinations.includes(destination)))
    await mailHeld(ctx, tx, await holdIfPaidTogether(tx, before.userId, syncedAt), 'same_person');
  if (before.state === 'ready' && state !== 'ready')
    await tellNotReady(ctx, tx, before.userId, stepsOf(requirements));
}

/** Whether an account is one of the present provider. [PYEE-03] */
export async function isOurPayee(ctx: Context, accountId: string): Promise<boolean> {
  const known = await findPayeeOfAccount(ctx.db, accountId);
  return known?.book === ctx.payments.book;
}

/**
 * A sentence for each requirement of the provider, by a part of its name, the more specific parts first. The provider
 * can add requirements, so an unknown one becomes a general sentence.
 */
const STEPS: readonly [words: RegExp, step: string][] = [
  [/payout_method|external_account|outbound_destination|bank/, 'Add the bank account for your payouts.'],
  [/document/, 'Upload a document that proves who you are.'],
  [/date_of_birth|dob/, 'Enter your date of birth.'],
  [/address/, 'Enter your address.'],
  [/id_number|tax|ssn/, 'Enter your tax or identity number.'],
  [/terms|tos_|attestation/, 'Accept the card provider’s terms.'],
  [/owner|director|executive|representative|relationship/, 'Name the people who own or run the business.'],
  [/name/, 'Enter your name.'],
  [/email|phone/, 'Enter your contact details.'],
  [/entity_type|business|mcc|url|product_description/, 'Describe what you do.'],
];
const OTHER = 'Answer the card provider’s remaining questions.';

/** The steps that these requirements ask for, as sentences, each once. */
export function stepsOf(requirements: readonly string[]): string[] {
  const steps = requirements.map((words) => STEPS.find(([pattern]) => pattern.test(words))?.[1] ?? OTHER);
  return [...new Set(steps)];
}
