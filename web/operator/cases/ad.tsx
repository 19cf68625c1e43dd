import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { Reply } from '#domain/endpoint.ts';
import { calls } from '#domain/operator/console/calls.ts';
import { AD_KINDS } from '#domain/ads/types.ts';
import { counted } from '#domain/format.ts';
import type { CaseCreative, getAdFile } from '#domain/operator/console/cases-contract.ts';
import { read } from '#web/http/query.ts';
import { Banner } from '#web/ui/banner.tsx';
import { formatCount, formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import {
  Facts,
  HeadLink,
  Holds,
  Money,
  OutsideLink,
  Sales,
  shareText,
  stateOf,
  Traffic,
} from './case-parts.tsx';
import { CasePage, type CaseTab } from './case-page.tsx';

type Ad = Reply<typeof getAdFile>;

/** The file of an ad. [OPER-21] */
export default function AdPage() {
  const { id } = useParams<{ id: string }>();
  const query = useQuery(read(calls.getAdFile, { params: { id } }));
  return (
    <CasePage what="the ad" query={query}>
      {(ad) => {
        const { owner, website, zone, spend, left, onHold, traffic, takenDown, openReports, creatives } = ad;
        const [first] = creatives;
        return {
          kind: 'Ad',
          picture: (
            <Thumbnail kind={first?.adType ?? 'text'} src={first?.image ?? null} className="h-18 w-26" />
          ),
          state: takenDown === null ? stateOf(ad.status) : { words: 'Taken down', tone: 'bad' },
          badges:
            openReports > 0 ? [{ words: counted(openReports, 'open report'), tone: 'warn' as const }] : [],
          links: (
            <>
              {first && <OutsideLink href={first.targetUrl}>Target</OutsideLink>}
              {ad.publicId !== null && traffic.views > 0 && (
                <OutsideLink href={`/ad-archive/${ad.publicId}`}>Public page</OutsideLink>
              )}
              <HeadLink href={`/operator/people/${owner.id}`}>{owner.email ?? 'Deleted account'}</HeadLink>
              <HeadLink href={`/operator/zones/${zone.id}`}>{zone.name}</HeadLink>
              <HeadLink href={`/operator/websites/${website.id}`}>{website.name}</HeadLink>
            </>
          ),
          notice: takenDown !== null && (
            <Banner tone="bad" title="Taken down for good">
              <bdi>{takenDown}</bdi>
            </Banner>
          ),
          figures: [
            ['Paid', formatMoney(spend)],
            ['Left to refund', formatMoney(left)],
            ['On hold', formatMoney(onHold)],
            ['Views', formatCount(traffic.views), `${traffic.days} days`],
            ['Clicks', formatCount(traffic.clicks), `${traffic.days} days`],
            ['Invalid', shareText(traffic.invalidShare), `${traffic.days} days`],
          ],
          tabs: tabsOf(ad),
        };
      }}
    </CasePage>
  );
}

function tabsOf(ad: Ad): CaseTab[] {
  const { creatives, holds, left, traffic, createdAt } = ad;
  return [
    {
      value: 'overview',
      label: 'Overview',
      content: (
        <div className="grid gap-6">
          {creatives.map((creative, at) => (
            <CreativeBox key={creative.title + String(at)} creative={creative} isSecond={at > 0} />
          ))}
          {creatives.length === 0 && (
            <p className="text-sm text-ink-soft">Its content was removed when it was taken down.</p>
          )}
          <Facts facts={[['Submitted', formatDateTime(createdAt)]]} />
        </div>
      ),
    },
    {
      value: 'money',
      label: 'Money',
      content: (
        <div className="grid gap-6">
          <Sales {...ad} />
          <Facts facts={[['Left to refund', <Money key={0} amount={left} />]]} />
          <Holds holds={holds} />
        </div>
      ),
    },
    { value: 'traffic', label: 'Traffic', content: <Traffic traffic={traffic} /> },
  ];
}

/** A creative as visitors saw it. A file on another server isn't loaded, because that would tell it who reads this page. */
function CreativeBox({ creative, isSecond }: { creative: CaseCreative; isSecond: boolean }) {
  const { adType, title, description, targetUrl, image, video } = creative;
  const { image: role, plays } = AD_KINDS[adType];
  const isPicture = role === 'creative';
  return (
    <section aria-label={isSecond ? `Shown in turn: ${title}` : 'What visitors see'} className="grid gap-2">
      {isSecond && <p className="text-xs text-ink-faint">Shown in turn with it</p>}
      <div className="grid gap-2 rounded-control border border-line bg-sunken p-4">
        {isPicture && image !== null && (
          <img src={image} alt="" className="max-h-80 max-w-full justify-self-start object-contain" />
        )}
        {plays && video !== null && (
          <video
            src={video}
            {...(image !== null && { poster: image })}
            controls
            muted
            playsInline
            preload="metadata"
            aria-label={title}
            className="max-h-80 max-w-full justify-self-start"
          />
        )}
        {((isPicture && image === null) || (plays && video === null)) && (
          <p className="text-xs text-ink-faint">Its file is on another server, so it isn’t shown here.</p>
        )}
        <p className="font-medium wrap-anywhere" dir="auto">
          {title}
        </p>
        <p className="text-sm wrap-anywhere text-ink-soft" dir="auto">
          {description}
        </p>
        <p className="text-xs wrap-anywhere text-ink-faint">
          <bdi>{targetUrl}</bdi>
        </p>
      </div>
    </section>
  );
}
