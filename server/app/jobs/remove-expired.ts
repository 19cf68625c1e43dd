import { removePastChanges } from '#server/people/accounts/email/change-email.ts';
import { removeOldDevices } from '#server/people/accounts/record/known-devices.ts';
import { removeOldSecurityEvents } from '#server/people/accounts/record/security-log.ts';
import { removeOldChallenges } from '#server/people/accounts/keys/webauthn.ts';
import { removeOldCodes } from '#server/people/accounts/email/codes.ts';
import type { Context } from '#server/platform/context.ts';
import { forgetConvertedClicks } from '#server/delivery/clicks/conversions.ts';
import { removeExpiredInvitations } from '#server/people/members/members.ts';
import { removeOldInvitations } from '#server/operator/invitations/invitations.ts';
import { removeEndedLinks } from '#server/results/report-links/links.ts';
import { removeOldMeasuredClicks, removeOldUnreportedClicks } from '#server/delivery/event-log/landings.ts';
import { removeOldAgents } from '#server/delivery/agents/agents.ts';
import { removeOldAudiences } from '#server/delivery/audience/audience.ts';
import { removeOldReports } from '#server/delivery/position/report.ts';
import { removeOldChanges } from '#server/delivery/snapshot/changes/change-reader.ts';
import { removeOldFaults } from '#server/delivery/faults/open-faults.ts';
import { removeOldRefusedFacts } from '#server/delivery/traffic/refused-facts.ts';
import { removeOldForwarding } from '#server/delivery/traffic/untrusted-forwarding.ts';
import { removeExpiredCounters } from '#server/platform/http/limits/limits.ts';
import { removeExpiredSessions } from '#server/platform/http/sessions.ts';
import { removeStaleUploads, removeUnusedUploads } from '#server/platform/media/uploads.ts';
import { removeOldMessages } from '#server/notify/outbox.ts';
import { removeOldAttempts } from '#server/money/checkout/attempts.ts';
import { withdrawAbandoned } from '#server/money/consents/withdraw.ts';
import { forgetNetworksOfCancels } from '#server/money/refunds/cancelling/cancel-terms.ts';
import { forgetOldTransparency } from '#server/market/transparency/archive.ts';

/**
 * The job 'remove-expired'. It removes expired counters of rate limits, sessions, codes, challenges, old email addresses, forgotten
 * devices, old security events, sent mail, old card attempts, networks of cancels, consents without a card, unused upload addresses and
 * files, archived ads a year after their last day, change notices that every instance has read, notes of the traffic rules, ended faults,
 * measured clicks whose token has expired, and links to reports and invitations that ended a while ago.
 */
export async function removeExpired(ctx: Context): Promise<void> {
  await removeExpiredCounters(ctx.db, ctx.realNow());
  await removeExpiredSessions(ctx);
  await removeOldCodes(ctx);
  await removeOldChallenges(ctx);
  await removePastChanges(ctx);
  await removeOldDevices(ctx);
  await removeOldSecurityEvents(ctx);
  await removeOldMessages(ctx);
  await removeOldAttempts(ctx);
  await forgetNetworksOfCancels(ctx);
  await withdrawAbandoned(ctx);
  await removeStaleUploads(ctx);
  await removeUnusedUploads(ctx);
  await forgetOldTransparency(ctx);
  await removeOldChanges(ctx);
  await removeOldForwarding(ctx);
  await removeOldRefusedFacts(ctx);
  await removeOldFaults(ctx);
  await removeOldUnreportedClicks(ctx);
  await removeOldReports(ctx);
  await removeOldAudiences(ctx);
  await removeOldAgents(ctx);
  await removeOldMeasuredClicks(ctx);
  await forgetConvertedClicks(ctx);
  await removeEndedLinks(ctx);
  await removeOldInvitations(ctx);
  await removeExpiredInvitations(ctx);
}
