import type { ReactNode } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { hintOf, type Hint } from '#domain/delivery/showing.ts';
import type { AdShowing } from '#domain/delivery/showing-contract.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { formatCount } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useAdShowing } from './api.ts';
import { LastDay, NotCounted, TagLastSeen } from './last-day.tsx';
import { ADVERTISER_TEXTS } from './rule-texts.ts';
import { ShareBar } from './share-bar.tsx';
import { shareText } from './share-text.ts';

export type ShownAd = Pick<Ad, 'publicId' | 'title' | 'websiteName' | 'adZoneName'>;

/** Tells the advertiser what the ad server would do with their ad right now, and why. */
export function AdAnswer({ ad }: { ad: ShownAd }) {
  const { data, isError, refetch } = useAdShowing(ad.publicId);
  if (!data) {
    if (isError) return <LoadError what="the delivery status" onRetry={() => void refetch()} />;
    return <Skeleton className="h-72" />;
  }
  const { rule, share, others, lately, requests, tagSeenAt, checkedAt } = data;
  const hint = hintOf(data, new Date(checkedAt));
  const isLive = rule === null || rule === 'reserved';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Verdict ad={ad} {...data} />
      {hint && <HintBanner hint={hint} />}
      {rule === null && others.ads > 0 && (
        <ShareBar
          shares={[
            { name: 'Your ad', share, look: 'own' },
            {
              name: others.ads === 1 ? 'One other ad' : `${formatCount(others.ads)} other ads`,
              share: others.share,
              look: 'others',
            },
          ]}
        />
      )}
      {(isLive || lately.chosen > 0) && (
        <LastDay
          figures={[
            ['Ad requests', requests.total],
            ['Times served', lately.chosen],
            ['Views counted', lately.views],
            ['Clicks counted', lately.clicks],
          ]}
        />
      )}
      <NotCounted title="Views and clicks that weren’t counted or billed" filtered={lately.filtered} />
      <TagLastSeen at={tagSeenAt} checkedAt={checkedAt} />
      <p className="text-xs text-ink-faint">
        {isError
          ? 'Connection lost. Showing the last result.'
          : 'Live from the ad server, refreshed every 5 seconds.'}
      </p>
    </div>
  );
}

function Verdict({
  ad,
  rule,
  share,
  others,
}: { ad: ShownAd } & Pick<AdShowing, 'rule' | 'share' | 'others'>) {
  if (rule === null) {
    return (
      <Banner tone="good" title="Your ad can be shown">
        {others.ads === 0
          ? 'It’s the only paid ad in this ad zone, so it’s served for every ad request.'
          : share === 0
            ? 'Other ads in this ad zone need almost every ad request right now. Yours gets fewer than 1 in 1,000.'
            : `It gets about ${shareText(share)} of this zone’s ad requests.`}
      </Banner>
    );
  }
  const { title, todo } = ADVERTISER_TEXTS[rule];
  return (
    <Banner
      tone={rule === 'not_read' || rule === 'reserved' || rule === 'pending' ? 'info' : 'warn'}
      title={title}
      action={
        rule === 'unpaid' && (
          <ButtonLink href={`/checkout/${ad.publicId}`} size="sm">
            Pay Now
          </ButtonLink>
        )
      }
    >
      {todo}
    </Banner>
  );
}

function HintBanner({ hint }: { hint: Hint }) {
  const [title, text] = hintWords(hint);
  return (
    <Banner tone="warn" title={title}>
      {text}
    </Banner>
  );
}

function hintWords(hint: Hint): [title: string, text: ReactNode] {
  switch (hint.kind) {
    case 'tag_never_seen':
      return [
        'This website doesn’t show the ad zone yet',
        'None of its pages has requested an ad for this zone. Your ad can appear once the publisher adds the zone’s embed code to a page.',
      ];
    case 'tag_silent':
      return [
        'This website has stopped requesting ads',
        'None of its pages has requested an ad for this zone in more than a day. The publisher may have removed the embed code. If you pay per day, your campaign is extended by every full day without ad requests.',
      ];
    case 'not_chosen':
      return [
        'Your ad hasn’t had its turn yet',
        'Other ads were selected in the last 24 hours. Yours will get its share over time.',
      ];
    case 'not_viewed':
      return [
        'Your ad is served, but not viewed',
        'It loads on pages, but visitors don’t scroll to it or don’t keep it in view for a full second. Only viewable impressions are counted. The publisher can move the ad zone to a more visible position.',
      ];
    case 'filtered':
      return [
        'At least half of the views and clicks aren’t counted',
        `The most common reason is ‘${REASON_TEXTS[hint.reason].name}’. ${REASON_TEXTS[hint.reason].meaning} You don’t pay for views and clicks that aren’t counted.`,
      ];
  }
}
