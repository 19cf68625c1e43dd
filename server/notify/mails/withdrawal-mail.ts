import { counted, countText } from '#domain/format.ts';
import { CLEARED_DAYS } from '#domain/invalid-traffic/signals.ts';
import type { Side } from '#domain/notifications/notices.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { isolated, type Mail } from '../layout.ts';

/** The withdrawn traffic of one person's ads or ad zone. */
export type WithdrawnLine = {
  side: Side;
  zoneName: string;
  websiteName: string;
  fromHour: Date;
  untilHour: Date;
  views: number;
  clicks: number;
  /** The signals in words, such as 'as concentrated as 1.0 networks (bound: 30)'. */
  why: readonly string[];
};

/** The most lines for each side in one mail. The figures in the dashboard list all of them. */
const MAX_LINES = 10;

/** The mail about the traffic that was withdrawn since the last one. */
export function withdrawnMail(lines: readonly WithdrawnLine[], publicUrl: string): Mail {
  const paragraphs = (side: Side, meaning: string) => {
    const own = lines.filter((line) => line.side === side);
    if (own.length === 0) return [];
    const rest = own.length - MAX_LINES;
    return [
      meaning,
      ...own.slice(0, MAX_LINES).map((line) => `${placeOf(line)}. Why: ${line.why.join('; ')}.`),
      ...(rest > 0 ? [`${rest} more ${rest === 1 ? 'ad zone' : 'ad zones'}: see the figures.`] : []),
    ];
  };
  return {
    subject: 'Invalid traffic was withdrawn',
    heading: 'Invalid traffic was withdrawn',
    paragraphs: [
      ...paragraphs(
        'publisher',
        'We counted views and clicks in your ad zones at first and then found that they were invalid, so they are not billed. The other views and clicks of these hours still count. If the visitors were real, for example because many of them share one network, write to the operator and name the hours.',
      ),
      ...paragraphs(
        'advertiser',
        'We counted views and clicks of your ads at first and then found that they were invalid. You don’t pay for them. The other views and clicks of these hours still count. Campaigns with a goal run until they reach it, and per-day campaigns are extended by the days that no longer have enough views.',
      ),
    ],
    ...links(publicUrl),
  };
}

/** The mail about withdrawals that the operator has overruled, to one side. */
export function givenBackMail(
  side: Side,
  lines: readonly WithdrawnLine[],
  reason: string,
  publicUrl: string,
): Mail {
  const rest = lines.length - MAX_LINES;
  return {
    subject: 'The operator has overruled a withdrawal',
    heading: 'The operator has overruled a withdrawal',
    paragraphs: [
      ...lines.slice(0, MAX_LINES).map((line) => `${placeOf(line)}.`),
      ...(rest > 0 ? [`${rest} more ${rest === 1 ? 'withdrawal' : 'withdrawals'}: see the figures.`] : []),
      'The operator has decided that this traffic was valid after all.',
      `The operator’s reason: ${isolated(reason)}`,
      side === 'publisher'
        ? `The views and clicks count again, up to the goal of each campaign. For ${CLEARED_DAYS} days, signals of these kinds withdraw nothing more from the website.`
        : 'The views and clicks count again, up to the goal of each of your campaigns. You don’t pay for more than you bought.',
    ],
    ...links(publicUrl),
  };
}

/** A website that lost most of its views of a day, because they came from few networks. */
type AudienceLine = {
  websiteName: string;
  websiteUrl: string;
  withdrawn: number;
  counted: number;
  networks: number;
  browsers: number;
};

/** The mail to an operator about audiences that only a person can tell from a script. */
export function audiencesMail(audiences: readonly AudienceLine[], publicUrl: string): Mail {
  const rest = audiences.length - MAX_LINES;
  return {
    subject: 'Please check where a website’s visitors come from',
    heading: 'Please check where these visitors come from',
    paragraphs: [
      'Most views of these websites were withdrawn, because they came from few networks. A university, a company or a mobile carrier looks like this, and so does a script.',
      ...audiences
        .slice(0, MAX_LINES)
        .map(
          (each) =>
            `${isolated(each.websiteName)} (${isolated(each.websiteUrl)}): ${countText(each.withdrawn)} of ${counted(each.counted, 'view')} in the last 24 hours. The visitors had ${counted(each.networks, 'network')} and ${counted(each.browsers, 'browser')}.`,
        ),
      ...(rest > 0 ? [`${counted(rest, 'more website')}: see the list.`] : []),
      `Ask the publisher whose networks these are, and look at the site. Many browsers alone prove nothing, because a script can imitate them. If the visitors are real, overrule one withdrawal of the website: the others for the same reason count again as well, and for ${CLEARED_DAYS} days this signal withdraws nothing more. If they are not, you don’t need to do anything.`,
    ],
    action: { label: 'Open the withdrawals', url: `${publicUrl}/operator/withdrawals` },
  };
}

function placeOf({ zoneName, websiteName, fromHour, untilHour, views, clicks }: WithdrawnLine): string {
  const what = [views > 0 && counted(views, 'view'), clicks > 0 && counted(clicks, 'click')]
    .filter((part) => part !== false)
    .join(' and ');
  return `${isolated(zoneName)} on ${isolated(websiteName)}, ${instantText(fromHour)} to ${instantText(untilHour)}: ${what}`;
}

function links(publicUrl: string): Pick<Mail, 'action' | 'note' | 'settingsUrl'> {
  return {
    action: { label: 'Open your figures', url: `${publicUrl}/dashboard` },
    note: 'The hours and the reasons are under “How this was counted”.',
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
  };
}
