import { useQuery } from '@tanstack/react-query';
import {
  BEFORE_DAYS,
  BEFORE_DAYS_OF_REPORTS,
  changeTexts,
  MIN_COMPARED_REPORTS,
  MIN_NETWORKS,
  type PositionChangeText,
  RECENT_DAYS,
} from '#domain/analytics/position.ts';
import { percentText } from '#domain/format.ts';
import { calls } from '#domain/analytics/position-calls.ts';
import type { AdPosition } from '#domain/analytics/position-contract.ts';
import { read } from '#web/http/query.ts';
import { Banner } from '#web/ui/banner.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { PlaceFigures } from './place-figures.tsx';

/** 'fell from 80.0% to 25.0%' */
const changeText = ({ change, before, recent }: PositionChangeText) =>
  `${change} from ${before} to ${recent}`;

const COMPARED = `We compare the last ${RECENT_DAYS} days with the ${BEFORE_DAYS} before them, and for the time in view and the first screen with the ${BEFORE_DAYS_OF_REPORTS} before.`;

/** What the advertiser reads about the ad zone of a campaign. */
export function Position({ campaign }: { campaign: string }) {
  const { data, isError, refetch } = useQuery(read(calls.getPosition, { params: { ref: campaign } }));
  if (isError) return <LoadError what="the position" onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <div className="grid gap-4">
      <Viewability position={data} />
      {data.places.length > 0 && <PlaceFigures places={data.places} />}
    </div>
  );
}

function Viewability({ position }: { position: AdPosition }) {
  const [first, ...more] = changeTexts(position);
  if (first) {
    return (
      <Banner tone="warn" title={`The ${first.figure} of this ad zone ${changeText(first)}`}>
        {more.map((each) => `The ${each.figure} ${changeText(each)}. `)}
        {COMPARED} Viewability is the share of rendered ads that became viewable, of all ads of the zone. The
        publisher sees this, too.
      </Banner>
    );
  }
  const { recent, before } = position;
  return (
    <p className="text-sm text-ink-soft">
      {recent === null
        ? `The ad zone rendered too few ads in the last ${RECENT_DAYS} days to say how many of them were viewable.`
        : `Of the ads that this ad zone rendered in the last ${RECENT_DAYS} days, ${percentText(recent)} were viewable${before === null ? '' : `, and ${percentText(before)} in the ${BEFORE_DAYS} days before`}.`}
    </p>
  );
}

/** The publisher's own zones of which a figure has changed by more than half; nothing if there is none. */
export function PositionChanges() {
  const { data, isError, refetch } = useQuery(read(calls.listPositionChanges));
  if (isError) return <LoadError what="the changes of your ad zones" onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <div className="px-inset pb-4">
      <Banner tone="warn" title="Changed by more than half">
        <ul className="grid list-disc gap-1 pl-5">
          {data.flatMap((zone) =>
            changeTexts(zone).map((each) => (
              <li key={`${zone.zone} ${each.figure}`} className="wrap-anywhere">
                <bdi>{zone.websiteName}</bdi>, <bdi>{zone.zoneName}</bdi>: the {each.figure}{' '}
                {changeText(each)}
              </li>
            )),
          )}
        </ul>
        <p className="mt-2">
          {COMPARED} Both must have rendered ads of at least {MIN_NETWORKS} networks, or{' '}
          {MIN_COMPARED_REPORTS} measured page views. Check where the ad zone stands on your pages. The
          advertisers of its campaigns see this, too.
        </p>
      </Banner>
    </div>
  );
}
