import type { Side } from '#domain/notifications/notices.ts';
import { isolated } from '../isolated.ts';
import type { Mail } from '../layout.ts';

/** A zone whose viewability has changed by more than half. The shares are texts such as '25.0%'. */
export type ChangedPlacement = {
  zoneName: string;
  websiteName: string;
  change: 'fell' | 'rose';
  before: string;
  recent: string;
};

const NEXT: Record<Side, Record<ChangedPlacement['change'], string>> = {
  publisher: {
    fell: 'Check where the ad zone stands on your pages. Advertisers compare this figure before they buy.',
    rose: 'You don’t need to do anything.',
  },
  advertiser: {
    fell: 'Ads by the view are delivered only when they are viewable, so your campaign may take longer. If you don’t want to go on, you can cancel it on its page.',
    rose: 'You don’t need to do anything.',
  },
};

/** The mail to one side. `url` is the page where this person sees the figure. */
export function placementMail(
  side: Side,
  { zoneName, websiteName, change, before, recent }: ChangedPlacement,
  { url, publicUrl }: { url: string; publicUrl: string },
): Mail {
  const subject = `The viewability of ${isolated(zoneName)} ${change} to ${recent}`;
  return {
    subject,
    heading: subject,
    paragraphs: [
      `Of the ads that ${isolated(zoneName)} on ${isolated(websiteName)} rendered in the last seven days, ${recent} were viewable. In the 28 days before, it was ${before}.`,
      side === 'publisher' ? 'This is one of your ad zones.' : 'One of your campaigns runs in this ad zone.',
      NEXT[side][change],
    ],
    action: { label: side === 'publisher' ? 'Open your results' : 'Open the campaign', url },
    note: 'We say this once for a change. The publisher and the advertisers in the ad zone get the same figures.',
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
  };
}
