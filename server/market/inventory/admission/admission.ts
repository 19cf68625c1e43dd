/** New websites wait until the operator has looked at them, if REVIEW_WEBSITES is on. */
import type { Selectable } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Websites } from '#server/platform/database/tables.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { displayAddress } from '#server/platform/net/web-address.ts';
import { mailOperator } from '#server/notify/mails/operator-mail.ts';
import { countWaiting, selectWaiting, type WaitingWebsite } from './store-admission.ts';

export {
  admitWebsite,
  refuseWaiting,
  type WebsiteInAdmission,
  type WaitingWebsite,
  writeQuestion,
} from './store-admission.ts';

/** The columns with which a website, or a website with a new address, begins. Tells the operator if it waits. */
export async function admissionOfNew(
  ctx: Context,
  tx: Tx,
  url: string,
): Promise<Partial<Pick<Selectable<Websites>, 'review' | 'reviewSince'>>> {
  if (!ctx.config.reviewsWebsites) return {};
  await mailOperator(ctx, tx, {
    kind: 'website-waiting',
    title: 'A new website waits for you',
    paragraphs: [`A publisher has added ${displayAddress(url)}. It is not offered until you show it.`],
    action: { label: 'Open the new websites', path: '/operator/new-websites' },
  });
  return { review: 'waiting', reviewSince: ctx.now() };
}

/** The websites that wait, oldest first. Only for the operator. */
export async function listWaitingWebsites(
  ctx: Context,
  { cursor, limit = 20 }: { cursor?: string | undefined; limit?: number },
): Promise<Page<WaitingWebsite>> {
  return pageOf(await selectWaiting(ctx.db, decodeCursor(cursor), limit + 1), limit);
}

export async function countWaitingWebsites({ db }: Pick<Context, 'db'>): Promise<number> {
  return await countWaiting(db);
}
