import { PROOF_GRACE_MS } from '#domain/inventory/ownership.ts';
import { APPEAL_DAYS } from '#domain/operator/acts.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { dayText } from '#server/platform/http/dates.ts';
import type { Mail } from '../layout.ts';
import { postMessage } from '../post-message.ts';

// No setting turns off mail about the ownership of a website, because ownership decides about earnings.

/** The website and its publisher's e-mail address. `address` is the website's address as people read it. */
export type MailedSite = { email: string; name: string; address: string };

export type OwnershipNotice =
  /** The checks have failed for days, and the website is still verified. */
  | { kind: 'proof-missing'; since: Date }
  | { kind: 'proof-lost'; since: Date }
  /** Another account has proven that it controls the site, too. */
  | { kind: 'site-claimed' }
  /** The recipient has proven a site that another account holds. */
  | { kind: 'site-taken' }
  | { kind: 'site-granted'; reason: string }
  /** `url` is the page of the decision, where the recipient can answer it. */
  | { kind: 'site-refused'; reason: string; url: string }
  /** The operator verified the website without a proof. */
  | { kind: 'site-vouched'; reason: string };

export async function mailOwnership(
  ctx: Context,
  tx: Tx,
  { email, ...site }: MailedSite,
  notice: OwnershipNotice,
): Promise<void> {
  const action = { label: 'Open Ad Zones', url: `${ctx.config.publicUrl}/ad-zones` };
  await postMessage(ctx, tx, {
    recipient: email,
    kind: notice.kind,
    mail: { action, ...contentOf(site, notice) },
  });
}

function contentOf(
  { name, address }: Omit<MailedSite, 'email'>,
  notice: OwnershipNotice,
): Omit<Mail, 'action'> & Partial<Pick<Mail, 'action'>> {
  const titled = (heading: string, ...paragraphs: string[]) => ({
    subject: `${heading}: ${address}`,
    heading,
    paragraphs,
  });
  const website = `“${name}” (${address})`;
  switch (notice.kind) {
    case 'proof-missing':
      return titled(
        'Your website’s proof of ownership is missing',
        `Since ${dayText(notice.since)}, we find no proof that ${website} is yours: not in its ads.txt, not on its home page and not in the DNS.`,
        `If it stays missing until ${dayText(new Date(notice.since.getTime() + PROOF_GRACE_MS))}, advertisers see ‘Unverified’ and your earnings from this website are on hold. Put one of the proofs back, then choose Verify now.`,
      );
    case 'proof-lost':
      return titled(
        'Your website is no longer verified',
        `We have found no proof that ${website} is yours since ${dayText(notice.since)}. Advertisers now see ‘Unverified’, and your earnings from this website are on hold.`,
        'Put one of the proofs back, then choose Verify now.',
      );
    case 'site-claimed':
      return titled(
        'Another account claims your website',
        `Another account has also proven that it controls ${website}. Your website stays verified. The operator of this marketplace decides whose website it is.`,
        'If you don’t know that account, check who can change your website and its DNS records.',
      );
    case 'site-taken':
      return titled(
        'Another account already holds this website',
        `We found your proof of ownership for ${website}, but another account has verified the same site before. The operator of this marketplace decides whose website it is. Until then, advertisers see ‘Unverified’.`,
      );
    case 'site-granted':
      return titled(
        'The operator decided that the website is yours',
        `Two accounts claimed ${website}. It is yours and is verified.`,
        `The operator’s reason: ${notice.reason}`,
      );
    case 'site-vouched':
      return titled(
        'The operator verified your website',
        `The operator of this marketplace confirmed that ${website} is yours. Advertisers see ‘Verified’, and you don’t need a proof.`,
        `The operator’s reason: ${notice.reason}`,
      );
    case 'site-refused':
      return {
        ...titled(
          'The operator decided that the website is not yours',
          `Two accounts claimed ${website}. It belongs to the other account, and advertisers see ‘Unverified’ at yours.`,
          `The operator’s reason: ${notice.reason}`,
          `If you disagree, answer once within ${APPEAL_DAYS} days. The operator then decides again.`,
        ),
        action: { label: 'Read the decision or answer it', url: notice.url },
        note: 'Everyone who has this link can answer for you, so don’t share it.',
      };
  }
}
