/** The case files of people, websites, ad zones and ads, with the acts that are possible now. [OPER-21] */
import { randomUUID } from 'node:crypto';
import { sitePagePath } from '#domain/inventory/site-page.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { SUBJECT_WORDS, type Subject } from '#domain/operator/acts.ts';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import {
  type CaseCreative,
  getAdFile,
  getPersonFile,
  getWebsiteFile,
  getZoneFile,
} from '#domain/operator/console/cases-contract.ts';
import { TAX_STATUS_LABELS } from '#domain/accounts/tax-status.ts';
import { type ReportedCase, reportedCase } from '#server/market/transparency/moderate.ts';
import { refundableNow } from '#server/money/refunds/by-operator.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import { readableAddress, readableEmail } from '#server/platform/net/web-address.ts';
import { HOLD, REFUND } from '../acts/acts-about-money.ts';
import { END_SESSIONS, RESET_SECOND_FACTOR, VIEW_AS } from '../acts/acts-of-accounts.ts';
import { DISMISS_REPORTS, RESTORE, SHOW_WEBSITE, SUSPEND, TAKE_DOWN } from '../acts/acts-of-moderation.ts';
import { SET_COMMISSION } from '../acts/acts-of-settings.ts';
import { FOLDERS } from '../acts/act-targets.ts';
import { formOf, offers } from '../acts/define-act.ts';
import type { HeldRow, ThingFile } from '../files/thing-file.ts';
import { proofsText } from '../files/words.ts';
import { type PersonFile, show } from '../people/find.ts';
import { findSubject } from '../store-find.ts';
import { findPicture, findSiteHead } from '../store-case.ts';
import { type Case, timelineOf } from '../people/timeline.ts';

/** The address of the file of a subject. */
export const pathOf = (subject: Subject, id: number): string => `/operator/${FOLDERS[subject]}/${id}`;

/** The form of an act at the file of a subject. */
const at = (act: Parameters<typeof formOf>[0], subject: Subject, verb: string) =>
  formOf(act, `/operator/${FOLDERS[subject]}/:id/${verb}`);

type Offer = Promise<OfferedAct | null> | false;

/** What can be done with a subject of any kind. `more` are the acts of its kind, which stand between. */
async function actsOn(
  ctx: Context,
  operator: OperatorCaller,
  { subject, id, isOperator, suspendedAt }: Case,
  more: readonly Offer[],
): Promise<OfferedAct[]> {
  const ids = { id };
  return await offers([
    suspendedAt !== null && at(RESTORE, subject, 'restore').offer(ctx, operator, { ids }),
    ...more,
    // The account of an operator can't be suspended.
    suspendedAt === null && !isOperator && at(SUSPEND, subject, 'suspend').offer(ctx, operator, { ids }),
  ]);
}

const isoOf = (instant: Date | null) => instant?.toISOString() ?? null;

const heldReply = ({ id, ad, reason, amount, since, until }: HeldRow) => ({
  id,
  adPublicId: ad,
  reason,
  amount,
  since: since.toISOString(),
  until: isoOf(until),
});

/** What several holds cover together: one on all earnings covers those of single ads, and several can be on one ad. */
export function sumHeld(holds: readonly HeldRow[]): string {
  const ofAds = new Map<string | null, number>();
  for (const { ad, amount } of holds) ofAds.set(ad, Math.max(ofAds.get(ad) ?? 0, centsOf(amount)));
  const all = ofAds.get(null) ?? 0;
  ofAds.delete(null);
  return decimalOf(
    Math.max(
      all,
      [...ofAds.values()].reduce((sum, cents) => sum + cents, 0),
    ),
  );
}

/** The members that all files have, apart from the acts. */
async function commonOf(ctx: Context, shown: Case, reported: ReportedCase | null = null) {
  const { subject, id, publicId, name, status, createdAt, suspendedAt, suspendedReason } = shown;
  const holds = shown.file?.holds ?? shown.thing?.holds ?? [];
  return {
    id,
    publicId,
    name: subject === 'person' ? readableEmail(name) : name,
    status,
    createdAt: createdAt.toISOString(),
    suspension:
      suspendedAt === null ? null : { since: suspendedAt.toISOString(), reason: suspendedReason ?? '' },
    holds: holds.map(heldReply),
    onHold: sumHeld(holds),
    timeline: await timelineOf(ctx.db, shown, reported, pathOf),
  };
}

type Line = { id: number; name: string; status: string; suspendedAt: Date | null };

const lineOf = ({ id, name, status, suspendedAt }: Line) => ({
  id,
  name,
  status,
  isSuspended: suspendedAt !== null,
});

async function caseOf(ctx: Context, operator: OperatorCaller, subject: Subject, id: number): Promise<Case> {
  return { ...(await show(ctx, operator, subject, id)), subject };
}

/** The part of a thing's file that all things have. */
function thingOf(shown: Case): {
  thing: ThingFile;
  reply: Pick<ThingFile, 'spend' | 'earnings' | 'traffic'> & { owner: { id: number; email: string | null } };
} {
  const { thing, ownerId, ownerEmail } = shown;
  if (thing === null) throw notFound(`There is no ${SUBJECT_WORDS[shown.subject]} with this number.`);
  const { spend, earnings, traffic } = thing;
  const email = ownerEmail === null ? null : readableEmail(ownerEmail);
  return { thing, reply: { spend, earnings, traffic, owner: { id: ownerId, email } } };
}

function taxText({ taxStatus, chargesTax, agreesToSelfBilling }: PersonFile['tax']): string | null {
  if (taxStatus === null) return null;
  return [
    TAX_STATUS_LABELS[taxStatus],
    ...(chargesTax ? ['charges tax'] : []),
    ...(agreesToSelfBilling ? ['agrees to self-billing'] : []),
  ].join(', ');
}

const person = route(getPersonFile, { access: 'operator' }, async (ctx, operator, { params: { id } }) => {
  const shown = await caseOf(ctx, operator, 'person', id);
  const { file, about } = shown;
  if (file === null) throw notFound();
  const { tax, acceptedTerms, cancels, websites, ads, signIns, mails } = file;
  const ids = { id };
  return {
    ...(await commonOf(ctx, shown)),
    fullName: about,
    picture: await findPicture(ctx.db, id),
    isOperator: shown.isOperator,
    role: file.role,
    commission: file.commission,
    tax: taxText(tax),
    taxIds: tax.checks.map(({ taxId, result, requestId, answeredAt, register }) => ({
      taxId,
      result,
      requestId,
      answeredAt,
      isByStandIn: register === 'stand-in',
    })),
    acceptedTerms: acceptedTerms && {
      version: acceptedTerms.version,
      acceptedAt: acceptedTerms.acceptedAt.toISOString(),
    },
    spend: file.spend,
    earnings: file.earnings,
    cancels: { ...cancels, nextAt: isoOf(cancels.nextAt) },
    websites: websites.map(lineOf),
    ads: ads.map(lineOf),
    signIns: signIns.map(({ device, startedAt, lastUsedAt }) => ({
      device,
      startedAt: isoOf(startedAt),
      lastUsedAt: isoOf(lastUsedAt),
    })),
    mails: mails.map(({ subject, createdAt, state }) => ({
      subject,
      createdAt: createdAt.toISOString(),
      state,
    })),
    acts: await actsOn(ctx, operator, shown, [
      at(HOLD, 'person', 'hold').offer(ctx, operator, { ids }),
      formOf(SET_COMMISSION).offer(ctx, operator, {
        ids,
        fields: [
          {
            name: 'percent',
            label: 'Percent',
            isRequired: true,
            max: 7,
            hint: 'From 0 to 50, such as 12.5, or the word default.',
          },
        ],
      }),
      // The account of an operator is nobody else's to look at.
      !shown.isOperator && formOf(VIEW_AS).offer(ctx, operator, { ids }),
      formOf(END_SESSIONS).offer(ctx, operator, { ids }),
      formOf(RESET_SECOND_FACTOR).offer(ctx, operator, { ids }),
    ]),
  };
});

const website = route(getWebsiteFile, { access: 'operator' }, async (ctx, operator, { params: { id } }) => {
  const shown = await caseOf(ctx, operator, 'website', id);
  const { thing, reply } = thingOf(shown);
  const head = await findSiteHead(ctx.db, id);
  const page = head?.page ?? null;
  const isKeptOut = shown.status === 'waiting for review' || shown.status === 'refused';
  return {
    ...(await commonOf(ctx, shown)),
    ...reply,
    url: shown.about,
    shownUrl: readableAddress(shown.about),
    category: head?.category ?? '',
    picture: head?.picture ?? null,
    publicPage: page !== null && ctx.config.hasCatalogue ? sitePagePath(page) : null,
    ownership: thing.proofs === null ? 'not checked yet' : proofsText(thing.proofs),
    faults: thing.faults.map(({ title }) => title),
    zones: thing.zones.map(lineOf),
    ads: thing.ads.map(lineOf),
    acts: await actsOn(ctx, operator, shown, [
      isKeptOut && at(SHOW_WEBSITE, 'website', 'show').offer(ctx, operator, { ids: { id } }),
    ]),
  };
});

const zone = route(getZoneFile, { access: 'operator' }, async (ctx, operator, { params: { id } }) => {
  const shown = await caseOf(ctx, operator, 'zone', id);
  const { thing, reply } = thingOf(shown);
  return {
    ...(await commonOf(ctx, shown)),
    ...reply,
    website: { id: shown.websiteId ?? 0, name: shown.websiteName ?? '' },
    ads: thing.ads.map(lineOf),
    acts: await actsOn(ctx, operator, shown, []),
  };
});

const creativeOf = (creative: ReportedCase['seconds'][number]): CaseCreative => {
  const { adType, title, description, targetUrl, image, video } = creative;
  const fileOf = (name: string | null) => (name === null ? null : `/m/${name}`);
  return { adType, title, description, targetUrl, image: fileOf(image), video: fileOf(video) };
};

const ad = route(getAdFile, { access: 'operator' }, async (ctx, operator, { params: { id } }) => {
  const shown = await caseOf(ctx, operator, 'ad', id);
  const reported = await reportedCase(ctx, id);
  const { reply } = thingOf(shown);
  const takenDown = reported?.ad.takenDownReason ?? null;
  const openReports = (reported?.reports ?? []).filter(({ closedAt }) => closedAt === null).length;
  const left = await refundableNow(ctx, id);
  const ids = { id };
  return {
    ...(await commonOf(ctx, shown, reported)),
    ...reply,
    website: { id: shown.websiteId ?? 0, name: shown.websiteName ?? '' },
    zone: { id: shown.zoneId ?? 0, name: shown.zoneName ?? '' },
    creatives:
      reported === null || takenDown !== null ? [] : [reported.ad, ...reported.seconds].map(creativeOf),
    takenDown,
    openReports,
    left: decimalOf(left),
    acts: await actsOn(ctx, operator, shown, [
      openReports > 0 && formOf(DISMISS_REPORTS).offer(ctx, operator, { ids }),
      left > 0 && refundOffer(ctx, operator, shown, left),
      at(HOLD, 'ad', 'hold').offer(ctx, operator, { ids }),
      shown.status === 'active' && formOf(TAKE_DOWN).offer(ctx, operator, { ids }),
    ]),
  };
});

async function refundOffer(
  ctx: Context,
  operator: OperatorCaller,
  { id, ownerId, ownerEmail }: Case,
  left: number,
): Promise<OfferedAct | null> {
  const name = (await findSubject(ctx.db, 'person', ownerId))?.about ?? '';
  const to = name || (ownerEmail === null ? 'the advertiser' : readableEmail(ownerEmail));
  return await formOf(REFUND).offer(ctx, operator, {
    ids: { id },
    confirm: `Refund {amount} to ${to}`,
    fields: [
      {
        name: 'amount',
        label: 'Amount',
        kind: 'amount',
        value: decimalOf(left),
        max: 12,
        hint: 'What is left to refund. Leave it empty for all that is left when you confirm.',
      },
    ],
    // A sheet that is sent twice is one refund.
    hidden: { ref: randomUUID() },
  });
}

export const caseRoutes: Route[] = [person, website, zone, ad];
