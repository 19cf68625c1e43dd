import type { PositionChangeText } from '#domain/analytics/position.ts';
import type { Side } from '#domain/notifications/notices.ts';
import { isolated, type Mail } from '../layout.ts';

/** A zone of which at least one figure has changed by more than half. */
export type ChangedPosition = {
  zoneName: string;
  websiteName: string;
  changes: [PositionChangeText, ...PositionChangeText[]];
};

const NEXT: Record<Side, Record<PositionChangeText['change'], string>> = {
  publisher: {
    fell: 'Check where the ad zone stands on your pages. Advertisers compare this figure before they buy.',
    rose: 'You don’t need to do anything.',
  },
  advertiser: {
    fell: 'Ads by the view are delivered only when they are viewable, so your campaign may take longer. If you don’t want to go on, you can cancel it on its page.',
    rose: 'You don’t need to do anything.',
  },
};

/** The mail to one side. `url` is the page where this person sees the figures. */
export function positionMail(
  side: Side,
  { zoneName, websiteName, changes }: ChangedPosition,
  { url, publicUrl }: { url: string; publicUrl: string },
): Mail {
  const [{ figure, change, recent }] = changes;
  const subject = `The ${figure} of ${isolated(zoneName)} ${change} to ${recent}`;
  const hasFallen = changes.some((each) => each.change === 'fell');
  return {
    subject,
    heading: subject,
    paragraphs: [
      ...changes.map((each) => sentence(each, `${isolated(zoneName)} on ${isolated(websiteName)}`)),
      side === 'publisher' ? 'This is one of your ad zones.' : 'One of your campaigns runs in this ad zone.',
      NEXT[side][hasFallen ? 'fell' : 'rose'],
    ],
    action: { label: side === 'publisher' ? 'Open your results' : 'Open the campaign', url },
    note: 'We say this once for a change. The publisher and the advertisers in the ad zone get the same figures.',
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
  };
}

function sentence({ figure, before, recent, beforeDays }: PositionChangeText, zone: string): string {
  const compared = `In the ${beforeDays} days before, it was ${before}.`;
  switch (figure) {
    case 'viewability':
      return `Of the ads that ${zone} rendered in the last seven days, ${recent} were viewable. ${compared}`;
    case 'time in view':
      return `In the last seven days, ${zone} was in view for ${recent}, as the middle value of the measured page views. ${compared}`;
    case 'share on the first screen':
      return `In the last seven days, ${zone} was on the first screen of ${recent} of the measured page views. ${compared}`;
  }
}
