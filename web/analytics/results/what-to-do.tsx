import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { adviceOn } from '#domain/analytics/advice.ts';
import type { ZoneYield } from '#domain/analytics/publisher-contract.ts';
import { counted, shortPercentText } from '#domain/format.ts';

type Zones = readonly ZoneYield[];
/** More names would make the sentence a list. */
const MAX_NAMED = 3;

/** The one thing to do next, with a link to the ad zone where it is done. */
export function WhatToDo({ zones }: { zones: Zones }) {
  return (
    <section aria-labelledby="what-to-do" className="rounded-card bg-accent-soft px-4 py-3 text-sm">
      <h2 id="what-to-do" className="inline font-semibold">
        What to do:
      </h2>{' '}
      <p className="inline wrap-anywhere">{adviceText(zones)}</p>
    </section>
  );
}

function adviceText(zones: Zones): ReactNode {
  const advice = adviceOn(zones);
  switch (advice.kind) {
    case 'tag-missing':
      return (
        <>
          The tag is missing on {counted(advice.zones.length, 'ad zone')} that requested ads before:{' '}
          <Names zones={advice.zones} tab="code" />
        </>
      );
    case 'tag-never-seen':
      return (
        <>
          Put the tag of {counted(advice.zones.length, 'ad zone')} on your pages:{' '}
          <Names zones={advice.zones} tab="code" />
        </>
      );
    case 'raise':
      return (
        <>
          Raise the price of <Name zone={advice.zone} />: it’s {shortPercentText(advice.fill)} sold.
        </>
      );
    case 'sell':
      return (
        <>
          Lower the price of <Name zone={advice.zone} />, or offer longer bookings: it’s{' '}
          {shortPercentText(advice.fill)} sold.
        </>
      );
    case 'nothing':
      return <span>Nothing right now.</span>;
  }
}

function Names({ zones, tab }: { zones: Zones; tab: string }) {
  const more = zones.length - MAX_NAMED;
  return (
    <>
      {zones.slice(0, MAX_NAMED).map((zone, at) => (
        <span key={zone.publicId}>
          {at > 0 && ', '}
          <Name zone={zone} tab={tab} />
        </span>
      ))}
      {more > 0 ? <span> and {more} more.</span> : '.'}
    </>
  );
}

function Name({ zone: { publicId, name, websiteName }, tab }: { zone: ZoneYield; tab?: string }) {
  return (
    <Link
      href={`/ad-zones/${publicId}${tab ? `?tab=${tab}` : ''}`}
      className="rounded-tight font-medium underline underline-offset-4 hover:opacity-75"
    >
      <bdi>{name}</bdi> (<bdi>{websiteName}</bdi>)
    </Link>
  );
}
