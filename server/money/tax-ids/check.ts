/** Tax numbers of the EU, which VIES confirms or refuses. See docs/decisions/091-tax-is-a-liability.md. */
import { isInVies, readEuTaxId, readTaxId, type TaxId, taxIdText } from '#domain/payments/tax-ids.ts';
import { DAY_MS, later, MINUTE_MS } from '#domain/time.ts';
import { ViesAway } from '#server/platform/outbound/vies/vies.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { type Check, findLatestCheck, insertCheck } from './store.ts';

/** A confirmation counts this long, so that an advertiser who reloads the checkout does not ask VIES again. */
const CONFIRMED_FOR_MS = DAY_MS;
/** When the job asks for the first time about a number whose register was away. */
export const FIRST_RETRY_MS = 5 * MINUTE_MS;

/** A country and a tax number as a person wrote them. */
export type WrittenTaxId = { country?: string | null | undefined; taxId?: string | null | undefined };

/** Why a number is refused. The form shows the message beside the field `taxId`. */
export function refusedTaxId(message: string): HttpError {
  return new HttpError(400, message, {
    issues: [{ path: 'taxId', message }],
    details: { reason: 'tax_id' },
  });
}

/** Throws 400 `{reason: "tax_id"}` for a number that has not the form of its country, where we know it. [OWNS-122] */
export function requireTaxIdForm({ country, taxId }: WrittenTaxId): void {
  if (country && taxId && readTaxId(country, taxId) === null)
    throw refusedTaxId(
      `“${taxId}” doesn’t have the form of a tax number of this country. Check the number and the country.`,
    );
}

/**
 * Asks VIES about a number of the EU. Throws 400 if the number has not the form of its country or VIES does not know it.
 * If VIES is away, the number is accepted, and a job asks again. Does nothing with VIES off, without a number, and for
 * other countries. Call it outside of a transaction, because it calls another server. [OWNS-122]
 */
export async function requireKnownTaxId(ctx: Context, userId: number, written: WrittenTaxId): Promise<void> {
  if (!ctx.config.vies) return;
  if (isInVies(written.country ?? '')) requireTaxIdForm(written);
  const taxId = numberInVies(written);
  if (taxId === null) return;
  const known = await findLatestCheck(ctx.db, userId, taxId);
  if (known && isFresh(ctx, known)) return;
  await ctx.limits('vies', { points: 30, seconds: 3600 })(String(userId));
  const check = { userId, taxId, register: ctx.vies.name, askedAt: ctx.now() };
  try {
    const { isRegistered, requestId } = await ctx.vies.ask(taxId, ownTaxId(ctx));
    const result = isRegistered ? 'confirmed' : 'refused';
    await insertCheck(ctx.db, { ...check, result, requestId, nextTryAt: null });
    if (!isRegistered) throw refusedTaxId(notRegistered(taxId));
  } catch (error) {
    if (!(error instanceof ViesAway)) throw error;
    ctx.log.warn(
      { err: error, country: taxId.country },
      'VIES was away; a tax number is accepted unconfirmed',
    );
    const nextTryAt = later(check.askedAt, FIRST_RETRY_MS);
    await insertCheck(ctx.db, { ...check, result: 'unconfirmed', requestId: null, nextTryAt });
  }
}

/** Whether VIES refused this number of the user when it was asked last. */
export async function isRefusedTaxId(
  ctx: Context,
  tx: Tx,
  userId: number,
  written: WrittenTaxId,
): Promise<boolean> {
  const taxId = ctx.config.vies ? numberInVies(written) : null;
  return taxId !== null && (await findLatestCheck(tx, userId, taxId))?.result === 'refused';
}

/** Null for a number that VIES is not asked about. */
function numberInVies({ country, taxId }: WrittenTaxId): TaxId | null {
  return country && taxId && isInVies(country) ? (readTaxId(country, taxId) ?? null) : null;
}

/**
 * The check of the number by which a payment is taxed; null for a number that VIES is not asked about, or that has not the
 * form of its country. A payment that begins without its advertiser, on a saved card, gets a question that the job asks.
 */
export async function taxIdCheckOf(
  ctx: Context,
  tx: Tx,
  userId: number,
  written: WrittenTaxId,
): Promise<{ id: number; isRefused: boolean } | null> {
  const taxId = numberInVies(written);
  if (taxId === null) return null;
  const known = await findLatestCheck(tx, userId, taxId);
  const isRefused = known?.result === 'refused';
  // A refused number is asked about again only when somebody is there to correct it.
  if (known && (isRefused || isFresh(ctx, known))) return { id: known.id, isRefused };
  const now = ctx.now();
  const id = await insertCheck(tx, {
    userId,
    taxId,
    register: ctx.vies.name,
    result: 'unconfirmed',
    requestId: null,
    askedAt: now,
    nextTryAt: now,
  });
  return { id, isRefused: false };
}

/** Whether VIES need not be asked now: it has confirmed the number in the last day, or the job asks it. */
const isFresh = (ctx: Context, { result, answeredAt }: Check): boolean =>
  result === 'unconfirmed' ||
  (result === 'confirmed' && answeredAt !== null && answeredAt > later(ctx.now(), -CONFIRMED_FOR_MS));

/** The marketplace's own number, with which VIES gives each question an identifier. */
export const ownTaxId = ({ config }: Context): TaxId | null => readEuTaxId(config.seller.taxId ?? '');

const notRegistered = (taxId: TaxId): string =>
  `The EU’s VIES service doesn’t know the tax number ${taxIdText(taxId)}. Check the number and the country, or leave the number out.`;
