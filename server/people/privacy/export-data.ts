import type { FastifyRequest } from 'fastify';
import type { exportData } from '#domain/accounts/contract.ts';
import type { Reply, Parsed } from '#domain/endpoint.ts';
import { ownPageViews } from '#server/market/inventory/page-views/page-views.ts';
import { ownEntries } from '#server/ads/booking/waiting-list.ts';
import { myAds } from '#server/ads/read.ts';
import { ownVariants } from '#server/ads/variants/change.ts';
import { transactions } from '#server/results/analytics/transactions.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { ownConversions } from '#server/delivery/clicks/conversions.ts';
import type { Page } from '#server/platform/http/route.ts';
import { membershipsOf } from '../members/accounts.ts';
import { ownMembers } from '../members/members.ts';
import { myDocuments } from '#server/money/documents/list.ts';
import { postingsOf } from '#server/money/transparency-log/statement.ts';
import { readPayouts } from '#server/money/payouts/read.ts';
import { myPayments } from '#server/money/refunds/my-payments.ts';
import { browseProducts, browseZones, showOwnWebsites } from '#server/market/inventory/browse.ts';
import { listLibrary } from '#server/platform/media/library.ts';
import { myConsents } from '#server/money/consents/list.ts';
import { ownPlans } from '#server/market/plans/read.ts';
import { ownLinks } from '#server/results/report-links/links.ts';
import { acceptedTermsOf } from '../accounts/record/show-user.ts';
import { pictureAsData } from '#server/platform/media/square-picture.ts';
import { avatarNameOf } from '../accounts/avatar.ts';
import { requireRecentSignIn } from '#server/platform/http/recent-sign-in.ts';
import { logSecurity, ownSecurityEvents } from '../accounts/record/security-log.ts';
import { ownPasskeys } from '../accounts/keys/passkeys.ts';
import { ownSessions } from '../accounts/sessions.ts';
import { ownTaxIdChecks } from '#server/money/tax-ids/list.ts';
import { ownSettings } from '../accounts/settings.ts';
import { currentUser } from '../accounts/sign-in.ts';
import type { listOwnActs, OwnAct } from '#domain/operator/contract.ts';
import type { Tx } from '#server/platform/database/database.ts';

/**
 * Returns everything the server keeps about the caller's account, through the same views as its screens. The export
 * therefore holds no secret, and only what the caller may see of other people. [OP-107]
 */
export async function exportOwnData(
  ctx: Context,
  who: Caller,
  request: FastifyRequest,
  operators: OperatorData,
): Promise<Reply<typeof exportData>> {
  await requireRecentSignIn(ctx, request);
  await ctx.limits('export', { points: 20, seconds: 3600 })(String(personOf(who)));
  await logSecurity(ctx, ctx.db, { userId: who.id, kind: 'data-exported', client: request });
  const profile = await currentUser(ctx, who);
  const accepted = await acceptedTermsOf(ctx, who.id);
  const avatarName = avatarNameOf(profile);
  return {
    exportedAt: ctx.now().toISOString(),
    profile,
    acceptedTerms: accepted && { ...accepted, acceptedAt: accepted.acceptedAt.toISOString() },
    picture: avatarName === null ? null : await pictureAsData(ctx, 'person', avatarName),
    sessions: await ownSessions(ctx, who, undefined, request),
    passkeys: await ownPasskeys(ctx, who),
    securityEvents: await allPages((cursor) => ownSecurityEvents(ctx, who, page(cursor))),
    settings: await ownSettings(ctx, who),
    taxIdChecks: await ownTaxIdChecks(ctx.db, who.id),
    websites: await websitesWithZones(ctx, who),
    ads: await allPages((cursor) => myAds(ctx, who, page(cursor))),
    secondCreatives: await allPages((cursor) => ownVariants(ctx, who, cursor)),
    plans: (await allPages((cursor) => ownPlans(ctx, who, page(cursor)))).map(({ ads, ...plan }) => ({
      ...plan,
      ads: ads.map(({ publicId }) => publicId),
    })),
    reportLinks: await allPages((cursor) => ownLinks(ctx, who, cursor)),
    paymentConsents: await allPages((cursor) => myConsents(ctx, who, page(cursor))),
    waitingList: await allPages((cursor) => ownEntries(ctx, who, page(cursor))),
    conversions: await ownConversions(ctx, who),
    images: await allPages((cursor) => listLibrary(ctx, who, page(cursor))),
    transactions: await allPages((cursor) => transactions(ctx, who, page(cursor))),
    payments: await allPages((cursor) => myPayments(ctx, who, page(cursor))),
    postings: {
      publisher: await allPages((cursor) => postingsOf(ctx, who, 'publisher', cursor)),
      buyer: await allPages((cursor) => postingsOf(ctx, who, 'buyer', cursor)),
    },
    documents: await allPages((cursor) => myDocuments(ctx, who, page(cursor))),
    payouts: await readPayouts(ctx, who),
    members: await ownMembers(ctx, who),
    memberships: await membershipsOf(ctx, profile),
    operatorInvitations: await operators.invitationsTo(ctx, profile.email),
    operatorActs: await allPages((cursor) => operators.ownActs(ctx, who, page(cursor))),
  };
}

async function websitesWithZones(ctx: Context, who: Caller): Promise<unknown[]> {
  const websites: unknown[] = [];
  for (const website of await allPages((cursor) => showOwnWebsites(ctx, who, page(cursor)))) {
    const adZones: unknown[] = [];
    const zones = await allPages((cursor) => browseZones(ctx, who, { ...page(cursor), ...byId(website.id) }));
    for (const zone of zones) {
      const products = await allPages((cursor) =>
        browseProducts(ctx, who, { ...page(cursor), ...byId(zone.id) }),
      );
      adZones.push({ ...zone, products });
    }
    websites.push({ ...website, adZones, pageViews: await ownPageViews(ctx, website) });
  }
  return websites;
}

const byId = (id: number) => ({ params: { ref: { id } } });
const page = (cursor: string | undefined) => ({
  query: { cursor, limit: 100 },
  params: undefined,
  body: undefined,
});

async function allPages<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const { items: more, next } = await read(cursor);
    items.push(...more);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/**
 * What the operator's console keeps about an account. The operator's rooms stand above this one, so the list of all rooms hands
 * it in.
 */
export type OperatorData = {
  /** The acts of operators that concern the caller. */
  ownActs: (ctx: Context, who: Caller, input: Parsed<typeof listOwnActs>) => Promise<Page<OwnAct>>;
  /** The invitations of an address to become an operator. */
  invitationsTo: (ctx: Context, email: string) => Promise<unknown[]>;
  forgetInvitations: (tx: Tx, email: string) => Promise<void>;
};
