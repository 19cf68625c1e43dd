/** Operators' decisions in the queues of other domains. Each is in one transaction with its entry in the audit trail. */
import type { Context } from '#server/platform/context.ts';
import { overruleWithdrawal, type Withdrawal } from '#server/delivery/invalid-traffic/overrule.ts';
import type { Tx } from '#server/platform/database/database.ts';
import {
  decideOwnership,
  type ClaimedWebsite,
  vouchForWebsite,
} from '#server/market/inventory/ownership/decide-ownership.ts';
import {
  writeQuestion,
  admitWebsite,
  refuseWaiting,
  type WebsiteInAdmission,
} from '#server/market/inventory/admission/admission.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { type Operator, perform, record } from '../act.ts';
import { mailHidden, mailQuestion, mailShown, recordDecision } from './statement.ts';

type About = { id: number; reason: string };

/**
 * Gives a site to the account of this website. Throws 404, or 409 if there is no claim or the website has no valid
 * proof. [OWN-05]
 */
export async function decideClaim(
  ctx: Context,
  operator: Operator,
  { id, reason }: About,
): Promise<ClaimedWebsite> {
  return await perform(ctx, operator, async (tx) => await giveSite(ctx, tx, operator, { id, reason }));
}

/**
 * Gives a site to the account of this website. Each account whose claim is refused gets a statement of reasons, which it
 * can answer once. [OWN-05]
 */
export async function giveSite(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { id, reason }: About,
): Promise<ClaimedWebsite> {
  const winner = await decideOwnership(ctx, tx, {
    websiteId: id,
    reason,
    recordRefusal: async (refused) =>
      await recordDecision(ctx, tx, operator, {
        act: 'refuse-claim',
        subject: 'website',
        id: refused.id,
        name: refused.name,
        ownerId: refused.userId,
        reason,
      }),
  });
  await record(ctx, tx, operator, {
    act: 'decide-ownership',
    subject: 'website',
    subjectId: id,
    subjectName: winner.name,
    affectedId: winner.userId,
    reason,
  });
  return winner;
}

/**
 * Verifies a website without a proof. Throws 404, or 409 if the operator has verified it already or another account
 * holds the site.
 */
export async function verifySite(
  ctx: Context,
  operator: Operator,
  { id, reason }: About,
): Promise<ClaimedWebsite> {
  return await perform(ctx, operator, async (tx) => {
    const website = await vouchForWebsite(ctx, tx, { websiteId: id, reason });
    await record(ctx, tx, operator, {
      act: 'decide-ownership',
      subject: 'website',
      subjectId: id,
      subjectName: website.name,
      affectedId: website.userId,
      reason,
    });
    return website;
  });
}

/**
 * Counts withdrawn views and clicks again. Throws 404, or 409 if the withdrawal was overruled or its month is finished.
 * [SIVT-04]
 */
export async function overrule(ctx: Context, operator: Operator, { id, reason }: About): Promise<Withdrawal> {
  return await perform(ctx, operator, async (tx) => {
    // Like the audit trail, a withdrawal outlives accounts, so it holds no address.
    const by = operator.id === null ? 'command line' : `operator ${operator.id}`;
    const withdrawal = await overruleWithdrawal(ctx, tx, { id, by, reason });
    const { zoneId, zoneName, publisherId } = withdrawal;
    await record(ctx, tx, operator, {
      act: 'overrule-withdrawal',
      subject: 'zone',
      subjectId: zoneId,
      subjectName: zoneName,
      affectedId: publisherId,
      reason,
    });
    return withdrawal;
  });
}

const NOT_REVIEWED =
  'This website isn’t waiting for you any more. To take a website out of the marketplace, suspend it.';

/** Offers a website that waits or was refused. Throws 409 if it does neither. */
export async function showWebsite(
  ctx: Context,
  operator: Operator,
  { id, reason }: About,
): Promise<WebsiteInAdmission> {
  return await perform(ctx, operator, async (tx) => {
    const website = await admitWebsite(tx, id);
    if (!website) throw conflict('This website is neither waiting for you nor refused.');
    await recordReview(ctx, tx, operator, { act: 'show-website', website, reason });
    await mailShown(ctx, tx, { ...website, reason });
    return website;
  });
}

/**
 * Refuses a website that waits. The publisher gets a statement of reasons, which they can answer once. Throws 409 if it
 * does not wait.
 */
export async function hideWebsite(
  ctx: Context,
  operator: Operator,
  { id, reason }: About,
): Promise<WebsiteInAdmission> {
  return await perform(ctx, operator, async (tx) => {
    const website = await refuseWaiting(tx, id, { reason, now: ctx.now() });
    if (!website) throw conflict(NOT_REVIEWED);
    const url = await recordDecision(ctx, tx, operator, {
      act: 'hide-website',
      subject: 'website',
      ...website,
      reason,
    });
    await mailHidden(ctx, tx, { ...website, reason, url });
    return website;
  });
}

/** Mails a question to the publisher of a website that waits. Throws 409 if it does not wait. */
export async function askAboutWebsite(
  ctx: Context,
  operator: Operator,
  { id, reason: question }: About,
): Promise<WebsiteInAdmission> {
  return await perform(ctx, operator, async (tx) => {
    const website = await writeQuestion(tx, id, question);
    if (!website) throw conflict(NOT_REVIEWED);
    await recordReview(ctx, tx, operator, { act: 'ask-website', website, reason: question });
    await mailQuestion(ctx, tx, { ...website, reason: question });
    return website;
  });
}

async function recordReview(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  {
    act,
    website,
    reason,
  }: { act: 'show-website' | 'ask-website'; website: WebsiteInAdmission; reason: string },
): Promise<void> {
  await record(ctx, tx, operator, {
    act,
    subject: 'website',
    subjectId: website.id,
    subjectName: website.name,
    affectedId: website.ownerId,
    reason,
  });
}
