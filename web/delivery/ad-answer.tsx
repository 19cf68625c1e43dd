import type { ReactNode } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { hintOf, type AdShowing, type Hint } from '#domain/delivery/showing.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { formatCount } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useAdShowing } from './api.ts';
import { LastDay, NotCounted, TagLastSeen } from './last-day.tsx';
import { BUYER_WORDS } from './rule-words.ts';
import { ShareBar } from './share-bar.tsx';
import { shareText } from './share-text.ts';

export type ShownAd = Pick<Ad, 'publicId' | 'title' | 'websiteName' | 'adZoneName'>;

/** What the ad server would do with one's own ad now, and why. */
export function AdAnswer({ ad }: { ad: ShownAd }) {
  const { data, isError, refetch } = useAdShowing(ad.publicId);
  if (!data) {
    if (isError) return <LoadError what="the answer of the ad server" onRetry={() => void refetch()} />;
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
            ['Requests of the zone', requests.total],
            ['Your ad was chosen', lately.chosen],
            ['Views counted', lately.views],
            ['Clicks counted', lately.clicks],
          ]}
        />
      )}
      <NotCounted title="Views and clicks that did not count, and cost nothing" filtered={lately.filtered} />
      <TagLastSeen at={tagSeenAt} checkedAt={checkedAt} />
      <p className="text-xs text-ink-faint">
        {isError
          ? 'The server did not answer just now: this is what it said last.'
          : 'The ad server itself answers, and is asked again every five seconds.'}
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
      <Banner tone="good" title="It can be shown">
        {others.ads === 0
          ? 'It is the only ad of this zone, so every request gets it.'
          : share === 0
            ? 'Other ads of this zone need nearly every request just now: it gets fewer than one in a thousand.'
            : `It gets about ${shareText(share)} of this zone’s requests.`}
      </Banner>
    );
  }
  const { title, todo } = BUYER_WORDS[rule];
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
        'The website does not show this zone yet',
        'No page of it has ever asked for an ad here. The publisher has to put the zone’s code into the page.',
      ];
    case 'tag_silent':
      return [
        'The website has gone silent',
        'No page of it has asked for an ad here for more than a day. The publisher may have removed the zone’s code. If you bought days, the silent ones are given to you again.',
      ];
    case 'not_chosen':
      return [
        'It has not been its turn yet',
        'The zone is asked for, but in the last day the choice fell on others. Its share is what it gets over time.',
      ];
    case 'not_viewed':
      return [
        'It is delivered, but not seen',
        'It is on pages, yet nobody scrolls to it or looks for a whole second. You pay for views that were seen only; the publisher can move the zone.',
      ];
    case 'filtered':
      return [
        'Much of what is reported does not count',
        `Most often the reason is ‘${REASON_TEXTS[hint.reason].name}’. ${REASON_TEXTS[hint.reason].meaning} What does not count costs you nothing.`,
      ];
  }
}
