/** What waits for an operator, of all queues, in one list. */
import { counted } from '#domain/format.ts';
import { decimalOf, moneyText } from '#domain/money.ts';
import { actWords } from '#domain/operator/acts.ts';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import type { WaitingThing } from '#domain/operator/console/today-contract.ts';
import { waitsForAnswer } from '#domain/payments/disputes.ts';
import { taxIdText } from '#domain/payments/tax-ids.ts';
import { DAY_MS } from '#domain/time.ts';
import { REPORT_REASONS } from '#domain/transparency/report-reasons.ts';
import { installationFaults } from '#server/delivery/faults/open-faults.ts';
import { listWaitingWebsites } from '#server/market/inventory/admission/admission.ts';
import { listClaims } from '#server/market/inventory/ownership/decide-ownership.ts';
import type { OpenDispute } from '#server/money/books/books.ts';
import { listMoney, type WaitingMoney } from '#server/money/books/list.ts';
import { waitingCancels, waitingText } from '#server/money/refunds/cancelling/overdue.ts';
import { openTaxIds } from '#server/money/tax-ids/list.ts';
import type { Context } from '#server/platform/context.ts';
import { dayText } from '#server/platform/http/dates.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import { REFUSE_CANCEL, RELEASE_CANCEL } from '../acts/acts-about-money.ts';
import { DROP_JOB, RETRY_JOB } from '../acts/acts-of-accounts.ts';
import { EXPECT_FAULT } from '../acts/acts-of-announcements.ts';
import { formOf, offers } from '../acts/define-act.ts';
import { openAppeals } from '../decisions/appeals.ts';
import { reportedAds } from '../decisions/reports.ts';
import { jobs } from '../jobs.ts';
import { openRequests, requestWords } from '../requests/requests.ts';
import { findCreatives } from '../store-find.ts';
import { appealActs, claimActs, newWebsiteActs } from './queues.ts';
import { reportActs } from './reports.ts';
import { requestActs } from './requests.ts';

const MAX_THINGS = 20;
/** When mail or the provider is away, many jobs fail for one reason, and would hide all else. */
const MAX_JOBS = 5;
/** No act ends a refused tax number, so a row for it goes away by itself. The page Money lists it for as long as it is true. */
const TAX_ID_DAYS = 30;

/** A thing whose acts are read only if it is shown. */
type Waiting = Omit<WaitingThing, 'since' | 'picture' | 'acts'> & {
  since: Date;
  /** The ad whose creative is shown. */
  adId?: number;
  acts?: () => Promise<OfferedAct[]>;
};

/** The oldest things of all queues, which are most of what waits. Each queue's own page has the rest. */
export async function waitingThings(
  ctx: Context,
  operator: OperatorCaller,
  disputes: readonly OpenDispute[],
): Promise<WaitingThing[]> {
  const found = [
    await reports(ctx, operator),
    await decisions(ctx, operator),
    await websites(ctx, operator),
    await money(ctx, operator, disputes),
    await system(ctx, operator),
  ].flat();
  const oldest = found
    .toSorted((one, other) => one.since.getTime() - other.since.getTime())
    .slice(0, MAX_THINGS);
  const creatives = await findCreatives(
    ctx.db,
    oldest.flatMap(({ adId }) => adId ?? []),
  );
  return await Promise.all(
    oldest.map(async ({ since, adId, acts, ...thing }) => {
      const ad = adId === undefined ? undefined : creatives.get(adId);
      return {
        ...thing,
        title: thing.title === '' && ad ? ad.title : thing.title,
        since: since.toISOString(),
        picture: ad ? { kind: ad.adType, src: ad.imageUrl } : null,
        acts: (await acts?.()) ?? [],
      };
    }),
  );
}

async function reports(ctx: Context, operator: OperatorCaller): Promise<Waiting[]> {
  const { items } = await reportedAds(ctx, { limit: MAX_THINGS });
  return items.map(({ adId, title, reports: n, since, reasons }) => ({
    key: `report ${adId}`,
    kind: 'Reported ad',
    title,
    text: `${counted(n, 'report')}: ${reasons.map((reason) => REPORT_REASONS[reason]).join('; ')}`,
    since,
    path: `/operator/ads/${adId}`,
    adId,
    acts: async () => await reportActs(ctx, operator, adId),
  }));
}

/** Answers to decisions, and the requests of other operators. */
async function decisions(ctx: Context, operator: OperatorCaller): Promise<Waiting[]> {
  const { items } = await openAppeals(ctx, { limit: MAX_THINGS });
  const requests = (await openRequests(ctx)).filter(({ requestedBy }) => requestedBy !== operator.id);
  return [
    ...items.map((act) => ({
      key: `appeal ${act.id}`,
      kind: 'Answer to a decision',
      title: actWords(act),
      text: act.appealBody ?? '',
      since: act.appealedAt ?? act.actedAt,
      path: `/operator/appeals/${act.id}`,
      acts: async () => await appealActs(ctx, operator, act),
    })),
    ...requests.map((request) => ({
      key: `request ${request.id}`,
      kind: 'Request of another operator',
      title: requestWords(request, ctx.config.currency),
      text: request.reason,
      since: request.requestedAt,
      path: '/operator/requests',
      acts: async () => await requestActs(ctx, operator, request),
    })),
  ];
}

async function websites(ctx: Context, operator: OperatorCaller): Promise<Waiting[]> {
  const { items: waiting } = await listWaitingWebsites(ctx, { limit: MAX_THINGS });
  const { items: claims } = await listClaims(ctx, { limit: MAX_THINGS });
  return [
    ...waiting.map(({ id, name, url, ownerEmail, category, since, question }) => ({
      key: `website ${id}`,
      kind: question === null ? 'New website' : 'New website, you asked',
      title: name,
      text: `${url}, ${category}, by ${ownerEmail}${question === null ? '' : `. You asked: ${question}`}`,
      since,
      path: `/operator/websites/${id}`,
      acts: async () => await newWebsiteActs(ctx, operator, id),
    })),
    ...claims.map((claim) => ({
      key: `claim ${claim.id}`,
      kind: 'Ownership claim',
      title: claim.claimant.url,
      text: claim.holder
        ? `${claim.claimant.email} has proven it. Verified for ${claim.holder.email}.`
        : `${claim.claimant.email} has proven it. The other account’s proof has ended.`,
      since: claim.openedAt,
      path: '/operator/claims',
      acts: async () => await claimActs(ctx, operator, claim),
    })),
  ];
}

async function money(
  ctx: Context,
  operator: OperatorCaller,
  disputes: readonly OpenDispute[],
): Promise<Waiting[]> {
  const now = ctx.now();
  const { stuck, suspense } = await listMoney(ctx);
  const taxIds = await openTaxIds(ctx);
  const inMoney = (kind: string) => (each: WaitingMoney) => ({
    key: `${kind} ${each.id}`,
    kind,
    title: `${decimalOf(each.amountCents)} ${each.currency}`,
    text: `${each.problem.replaceAll('_', ' ')}, ${each.id}`,
    since: each.since,
    path: '/operator/money',
  });
  return [
    ...(await waitingCancels(ctx)).map((cancel) => ({
      key: `cancel ${cancel.adId}`,
      kind: 'Cancel that waits',
      title: cancel.title,
      text: waitingText(cancel, now),
      since: cancel.since,
      path: '/operator/money',
      adId: cancel.adId,
      acts: async () =>
        await offers([
          formOf(RELEASE_CANCEL).offer(ctx, operator, { ids: { id: cancel.adId } }),
          formOf(REFUSE_CANCEL).offer(ctx, operator, { ids: { id: cancel.adId } }),
        ]),
    })),
    ...disputes
      .filter(({ status, evidence }) => waitsForAnswer(status, evidence === 'sent'))
      .map(({ id, adId, reason, amountCents, currency, dueAt, openedAt }) => ({
        key: `dispute ${id}`,
        kind: 'Disputed payment',
        // The title of the ad.
        title: '',
        text: `${moneyText(decimalOf(amountCents), currency)}, ${reason.replaceAll('_', ' ')}.${dueAt ? ` The bank wants an answer by ${dayText(dueAt)}.` : ''}`,
        since: openedAt,
        path: `/operator/evidence/${id}`,
        adId,
      })),
    ...stuck.map(inMoney('Stuck money')),
    ...suspense.map(inMoney('Money in suspense')),
    ...taxIds
      .filter(
        ({ result, since }) => result === 'refused' && now.getTime() - since.getTime() < TAX_ID_DAYS * DAY_MS,
      )
      .map(({ id, userId, email, since, ...taxId }) => ({
        key: `tax number ${id}`,
        kind: 'Refused tax number',
        title: taxIdText(taxId),
        text: `VIES refused the number of ${email} after a sale. Ask your adviser whether the sale owes tax.`,
        since,
        path: `/operator/people/${userId}`,
      })),
  ];
}

async function system(ctx: Context, operator: OperatorCaller): Promise<Waiting[]> {
  const { items: failed } = await jobs(ctx, { failed: true, limit: MAX_JOBS });
  const faults = await installationFaults(ctx.db);
  return [
    ...failed.map(({ id, name, attempts, maxAttempts, lastError, createdAt }) => ({
      key: `job ${id}`,
      kind: 'Job that failed',
      title: name,
      text: `Tried ${attempts} of ${maxAttempts} times. ${lastError ?? ''}`,
      since: createdAt,
      path: '/operator/jobs?failed=1',
      acts: async () =>
        await offers([
          formOf(RETRY_JOB).offer(ctx, operator, { ids: { id } }),
          formOf(DROP_JOB).offer(ctx, operator, { ids: { id } }),
        ]),
    })),
    ...faults.map(({ id, title, cause, next, beganAt }) => ({
      key: `fault ${id}`,
      kind: 'Fault of the installation',
      title,
      text: `${cause} ${next}`,
      since: beganAt,
      path: '/operator/faults',
      acts: async () => await offers([formOf(EXPECT_FAULT).offer(ctx, operator, { ids: { id } })]),
    })),
  ];
}
