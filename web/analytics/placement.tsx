import { useQuery } from '@tanstack/react-query';
import { BEFORE_DAYS, MIN_RENDERED, RECENT_DAYS } from '#domain/analytics/placement.ts';
import { calls } from '#domain/analytics/placement-calls.ts';
import type { PlacementChange } from '#domain/analytics/placement-contract.ts';
import { read } from '#web/http/query.ts';
import { Banner } from '#web/ui/banner.tsx';
import { LoadError } from '#web/ui/load-error.tsx';

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)}%`);

/** 'fell from 80.0% to 25.0%' */
const changeText = ({ change, before, recent }: Pick<PlacementChange, 'change' | 'before' | 'recent'>) =>
  `${change} from ${percent(before)} to ${percent(recent)}`;

const DAYS = `the last ${RECENT_DAYS} days with the ${BEFORE_DAYS} before`;

/** What the advertiser reads about the ad zone of a campaign. [RES-98] */
export function Placement({ campaign }: { campaign: string }) {
  const { data, isError, refetch } = useQuery(read(calls.getPlacement, { params: { ref: campaign } }));
  if (isError) return <LoadError what="the placement" onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.change !== null) {
    return (
      <Banner tone="warn" title={`The viewability of this ad zone ${changeText(data)}`}>
        We compare {DAYS} them. Viewability is the share of rendered ads that became viewable, of all ads of
        the zone. The publisher sees this, too.
      </Banner>
    );
  }
  return (
    <p className="text-sm text-ink-soft">
      {data.recent === null
        ? `The ad zone rendered too few ads in the last ${RECENT_DAYS} days to say how many of them were viewable.`
        : `Of the ads that this ad zone rendered in the last ${RECENT_DAYS} days, ${percent(data.recent)} were viewable${data.before === null ? '' : `, and ${percent(data.before)} in the ${BEFORE_DAYS} days before`}.`}
    </p>
  );
}

/** The publisher's own zones whose viewability has changed by more than half; nothing if there is none. [RES-98] */
export function PlacementChanges() {
  const { data, isError, refetch } = useQuery(read(calls.listPlacementChanges));
  if (isError) return <LoadError what="the changes of viewability" onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <div className="px-inset pb-4">
      <Banner tone="warn" title="The viewability has changed by more than half">
        <ul className="grid list-disc gap-1 pl-5">
          {data.map((each) => (
            <li key={each.zone} className="wrap-anywhere">
              <bdi>{each.websiteName}</bdi>, <bdi>{each.zoneName}</bdi>: {changeText(each)}
            </li>
          ))}
        </ul>
        <p className="mt-2">
          We compare {DAYS} them, if at least {MIN_RENDERED} ads were rendered in both. Check where the ad
          zone stands on your pages. The advertisers of its campaigns see this, too.
        </p>
      </Banner>
    </div>
  );
}
