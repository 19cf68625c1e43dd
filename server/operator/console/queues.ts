/** The queues of moderation: answers to decisions, new websites, ownership claims and withdrawals. */
import { actWords, SUBJECT_WORDS, SUBJECTS } from '#domain/operator/acts.ts';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import {
  getAppeal,
  listAppeals,
  listNewWebsites,
  listOperatorWithdrawals,
  listOwnershipClaims,
} from '#domain/operator/console/queues-contract.ts';
import { isMonthFinished } from '#domain/invalid-traffic/months.ts';
import { textOf } from '#domain/invalid-traffic/signal-texts.ts';
import { listWithdrawals, type Withdrawal } from '#server/delivery/invalid-traffic/overrule.ts';
import { listWaitingWebsites } from '#server/market/inventory/admission/admission.ts';
import {
  type ClaimedWebsite,
  listClaims,
  type OwnershipClaim,
} from '#server/market/inventory/ownership/decide-ownership.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { type Page, type Route, route } from '#server/platform/http/route.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import { FOLDERS } from '../acts/act-targets.ts';
import {
  ASK_WEBSITE,
  DECIDE_APPEAL,
  DECIDE_CLAIM,
  HIDE_WEBSITE,
  OVERRULE,
  SHOW_WEBSITE,
} from '../acts/acts-of-moderation.ts';
import { formOf, offers } from '../acts/define-act.ts';
import { openAppeals } from '../decisions/appeals.ts';
import { type ActRow, findActById } from '../store.ts';

export const queueRoutes: Route[] = [
  route(listAppeals, { access: 'operator' }, async (ctx, operator, { query }) =>
    eachOf(await openAppeals(ctx, query), async (act) => ({
      id: act.id,
      decision: actWords(act),
      reason: act.reason,
      answer: act.appealBody ?? '',
      answeredAt: (act.appealedAt ?? act.actedAt).toISOString(),
      acts: await appealActs(ctx, operator, act),
    })),
  ),
  route(getAppeal, { access: 'operator' }, async (ctx, operator, { params: { id } }) => {
    const act = await findActById(ctx.db, id);
    if (!act || act.appealBody === null) throw notFound('There is no answer to a decision with this number.');
    return await appealReply(ctx, operator, act);
  }),
  route(listNewWebsites, { access: 'operator' }, async (ctx, operator, { query }) =>
    eachOf(
      await listWaitingWebsites(ctx, query),
      async ({ id, name, url, category, description, question, ownerId, ownerEmail, since }) => ({
        id,
        name,
        url,
        category,
        description,
        question,
        owner: { id: ownerId, email: ownerEmail },
        since: since.toISOString(),
        acts: await newWebsiteActs(ctx, operator, id),
      }),
    ),
  ),
  route(listOwnershipClaims, { access: 'operator' }, async (ctx, operator, { query }) =>
    eachOf(await listClaims(ctx, query), async (claim) => ({
      id: claim.id,
      url: claim.claimant.url,
      openedAt: claim.openedAt.toISOString(),
      holder: claim.holder && sideOf(claim.holder),
      claimant: sideOf(claim.claimant),
      acts: await claimActs(ctx, operator, claim),
    })),
  ),
  route(listOperatorWithdrawals, { access: 'operator' }, async (ctx, operator, { query }) => {
    const { all, ...paging } = query;
    return eachOf(await listWithdrawals(ctx, { ...paging, open: all === undefined }), async (withdrawal) =>
      withdrawalReply(ctx, operator, withdrawal),
    );
  }),
];

async function eachOf<Item, Reply>(
  { items, next }: Page<Item>,
  replyOf: (item: Item) => Promise<Reply>,
): Promise<Page<Reply>> {
  return { items: await Promise.all(items.map(replyOf)), next };
}

async function appealReply(ctx: Context, operator: OperatorCaller, act: ActRow) {
  const subject = SUBJECTS.find((each) => each === act.subject);
  return {
    id: act.id,
    decision: actWords(act),
    decidedAt: act.actedAt.toISOString(),
    reason: act.reason,
    answer: act.appealBody ?? '',
    answeredAt: (act.appealedAt ?? act.actedAt).toISOString(),
    outcome: act.outcome,
    outcomeReason: act.answer,
    about: subject
      ? {
          label: `Open the ${SUBJECT_WORDS[subject]}`,
          path: `/operator/${FOLDERS[subject]}/${act.subjectId}`,
        }
      : null,
    acts: await appealActs(ctx, operator, act),
  };
}

/** The decision about an answer, which is made once. */
export async function appealActs(
  ctx: Context,
  operator: OperatorCaller,
  { id, outcome }: ActRow,
): Promise<OfferedAct[]> {
  return await offers([
    outcome === null &&
      formOf(DECIDE_APPEAL).offer(ctx, operator, {
        ids: { id },
        fields: [
          {
            name: 'outcome',
            label: 'Does the decision stand?',
            kind: 'choice',
            isRequired: true,
            choices: [
              { value: 'upheld', label: 'It stands' },
              { value: 'reversed', label: 'It is reversed' },
            ],
          },
        ],
      }),
  ]);
}

/** What an operator can do about a website that waits. */
export async function newWebsiteActs(
  ctx: Context,
  operator: OperatorCaller,
  id: number,
): Promise<OfferedAct[]> {
  return await offers([
    formOf(SHOW_WEBSITE, '/operator/new-websites/:id/show').offer(ctx, operator, { ids: { id } }),
    formOf(ASK_WEBSITE).offer(ctx, operator, { ids: { id } }),
    formOf(HIDE_WEBSITE).offer(ctx, operator, { ids: { id } }),
  ]);
}

/** Both outcomes of a claim. A verification that has ended can't win. */
export async function claimActs(
  ctx: Context,
  operator: OperatorCaller,
  { holder, claimant }: OwnershipClaim,
): Promise<OfferedAct[]> {
  const decideFor = ({ id, email }: ClaimedWebsite, button: string) =>
    formOf(DECIDE_CLAIM).offer(ctx, operator, { ids: { id }, button, confirm: `Decide for ${email}` });
  return await offers([
    holder !== null && decideFor(holder, 'Decide for the verified account'),
    decideFor(claimant, 'Decide for the other account'),
  ]);
}

const sideOf = ({ id, name, userId, email, verifiedAt }: ClaimedWebsite) => ({
  id,
  name,
  owner: { id: userId, email },
  verifiedAt: verifiedAt?.toISOString() ?? null,
});

async function withdrawalReply(ctx: Context, operator: OperatorCaller, withdrawal: Withdrawal) {
  const { id, views, clicks, zoneId, zoneName, websiteId, websiteName, publisherId, fromHour } = withdrawal;
  const { untilHour, signals, overruledAt, overruledBy, overruledReason } = withdrawal;
  const isFinal = isMonthFinished(fromHour, ctx.now());
  return {
    id,
    views,
    clicks,
    fromHour: fromHour.toISOString(),
    untilHour: untilHour.toISOString(),
    zone: { id: zoneId, name: zoneName },
    website: { id: websiteId, name: websiteName },
    publisherId,
    signals: signals.map(textOf),
    overruled: overruledAt && {
      at: overruledAt.toISOString(),
      by: overruledBy ?? '',
      reason: overruledReason ?? '',
    },
    isFinal,
    acts: await offers([
      overruledAt === null && !isFinal && formOf(OVERRULE).offer(ctx, operator, { ids: { id } }),
    ]),
  };
}
