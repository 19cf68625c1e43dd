import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AdType } from '#domain/ads/types.ts';
import { qualityText, siteForecastText } from '#domain/delivery/forecast-text.ts';
import { shortPercentText } from '#domain/format.ts';
import type { MarketplaceWebsite } from '#domain/inventory/contract.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import { comparablePrice } from '#domain/inventory/price-text.ts';
import { visitorsText } from '#domain/inventory/traffic.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { WebsitePicture } from '../website-picture.tsx';
import { advertiseAt, AdTypes, lowestOfferText, NameLink, TrafficLabel, Verified } from './website-facts.tsx';

/**
 * A website in the marketplace. On a phone the whole card is a link, 132 px high. It leaves out the warning's second
 * half, the forecast and the sizes, which the wizard shows. `adType` goes into the link to the wizard.
 */
export function WebsiteCard({
  website,
  adType,
}: {
  website: MarketplaceWebsite;
  adType?: AdType | undefined;
}) {
  const titleId = `website-${website.publicId}`;
  const sizes = website.sizes.map(({ width, height }) => `${width}x${height}`).join(', ');
  return (
    <article
      aria-labelledby={titleId}
      className="relative grid min-h-33 min-w-0 grid-cols-[4.5rem_minmax(0,1fr)] content-start gap-x-3 rounded-card border border-line bg-surface px-2.5 py-2 shadow-rest transition-shadow duration-150 hover:shadow-lift sm:row-span-5 sm:grid-rows-subgrid sm:gap-y-3 sm:p-4"
    >
      <WebsitePicture website={website} className="size-18 max-sm:row-span-2" />
      <header className="grid min-w-0 content-start gap-x-2 max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:items-baseline sm:gap-0.5">
        <h2
          id={titleId}
          dir="auto"
          className="line-clamp-1 text-base leading-5 font-semibold wrap-anywhere sm:line-clamp-2 sm:leading-6"
        >
          <NameLink website={website} />
        </h2>
        <CategoryAndTraffic website={website} />
        <p className="text-xs max-sm:col-start-2 max-sm:row-start-1">
          {website.isVerified ? <Verified /> : <Unverified />}
        </p>
      </header>
      <div className="grid min-w-0 content-start gap-1 sm:contents">
        <p
          dir="auto"
          className="line-clamp-1 text-xs leading-4 wrap-anywhere text-ink-soft sm:col-span-2 sm:line-clamp-2 sm:text-sm sm:leading-5.5"
        >
          {website.description || 'No description available'}
        </p>
        <Figures website={website} />
        <div className="content-start gap-0.5 text-xs text-ink-faint max-sm:contents sm:col-span-2 sm:grid">
          {website.forecast && <p className="max-sm:hidden">{siteForecastText(website.forecast)}</p>}
          {website.measured && <p className="max-sm:hidden">{qualityText(website.measured)}</p>}
          <div className="flex items-start justify-between gap-4 max-sm:contents">
            <p className="max-sm:hidden">{sizes ? `Ad zones: ${sizes}` : 'No ad zones'}</p>
            <AdTypes
              website={website}
              className="flex-wrap leading-4 max-sm:absolute max-sm:top-21 max-sm:left-2.5 max-sm:w-18"
            />
          </div>
        </div>
        <footer className="flex min-w-0 items-center justify-between gap-x-3 text-xs leading-4 sm:col-span-2 sm:text-sm">
          <p className="min-w-0 text-ink-soft max-sm:truncate">
            <Price website={website} />
          </p>
          <ButtonLink
            href={advertiseAt(website, adType)}
            variant="secondary"
            size="sm"
            aria-describedby={titleId}
            className="max-sm:absolute max-sm:inset-0 max-sm:h-auto max-sm:rounded-card max-sm:border-0 max-sm:bg-transparent max-sm:shadow-none max-sm:hover:bg-transparent"
          >
            <span className="max-sm:sr-only">Advertise Here</span>
          </ButtonLink>
          <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-faint sm:hidden" />
        </footer>
      </div>
    </article>
  );
}

function CategoryAndTraffic({ website }: { website: MarketplaceWebsite }) {
  return (
    <div className="flex min-w-0 gap-x-1 text-xs leading-4 whitespace-nowrap text-ink-faint max-sm:col-span-2 sm:flex-col sm:leading-5">
      <p className="truncate max-sm:max-w-3/5 max-sm:shrink-0">
        {website.category}
        <span className="max-sm:hidden"> · {website.displayAddress}</span>
      </p>
      <p className="min-w-0 max-sm:truncate sm:whitespace-normal">
        <span className="sm:hidden">· </span>
        <TrafficLabel website={website} />
        <span className="max-sm:hidden"> traffic</span>
        {website.monthlyVisitors > 0 && ` · ${visitorsText(website.monthlyVisitors)}`}
      </p>
    </div>
  );
}

/** On a phone one word, because the wizard shows the whole sentence. */
function Unverified() {
  const [word, rest] = UNVERIFIED_WARNING.split(/(?=:)/) as [string, string];
  return (
    <span className="text-warn">
      {word}
      <span className="max-sm:sr-only">{rest}</span>
    </span>
  );
}

function Price({ website }: { website: MarketplaceWebsite }) {
  const text = lowestOfferText(website);
  if (text === null) return <>No ad space available right now</>;
  const [, amount = text, unit = ''] = /^(\S+)( .*)$/.exec(text) ?? [];
  return (
    <>
      from <span className="figures font-semibold text-ink sm:text-base">{amount}</span>
      {unit}
    </>
  );
}

/** Each of the three figures has the same position on every card. The position of an unknown figure stays empty. */
function Figures({ website }: { website: MarketplaceWebsite }) {
  const { measured } = website;
  const price = comparablePrice(website);
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)_minmax(0,0.75fr)_minmax(0,1.25fr)] content-end gap-x-2 border-line sm:col-span-2 sm:border-t sm:pt-3">
      {measured ? (
        <>
          <Figure label={measured.viewsPerDay === 1 ? 'view a day' : 'views a day'} place="col-start-1">
            {formatCount(measured.viewsPerDay)}
          </Figure>
          {measured.clickRate !== null && (
            <Figure label="CTR" place="col-start-2">
              {shortPercentText(measured.clickRate)}
            </Figure>
          )}
        </>
      ) : (
        <div className="col-span-2 self-end text-xs text-ink-faint">
          <dt className="sr-only">Measured</dt>
          <dd>Not measured yet</dd>
        </div>
      )}
      {price !== null && (
        <Figure label={price.unit} place="col-start-3">
          {formatMoney(price.amount)}
        </Figure>
      )}
    </dl>
  );
}

function Figure({ label, place, children }: { label: ReactNode; place: string; children: ReactNode }) {
  return (
    <div className={cn('flex min-w-0 flex-col-reverse justify-end', place)}>
      <dt className="text-xs leading-4 text-ink-faint">{label}</dt>
      <dd className="figures text-sm leading-5 font-semibold wrap-anywhere sm:text-xl sm:leading-7">
        {children}
      </dd>
    </div>
  );
}
