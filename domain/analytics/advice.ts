/** The one thing that a publisher should do next, by the figures of the ad zones. */
import type { ZoneYield } from './publisher-contract.ts';

/** From this share of sold requests on, a higher price loses little. */
const NEARLY_SOLD = 0.9;
/** Below this share, most of the ad zone is free. */
const HARDLY_SOLD = 0.5;
/** With fewer ad requests, the share says little. */
const MIN_REQUESTS = 100;

type Zone = Pick<ZoneYield, 'publicId' | 'name' | 'websiteName' | 'requests' | 'fill' | 'before'>;
type Advice<Of = Zone> =
  /** The tag of these zones requested ads before, and none in the period; or it never did. */
  | { kind: 'tag-missing' | 'tag-never-seen'; zones: Of[] }
  | { kind: 'raise' | 'sell'; zone: Of; fill: number }
  | { kind: 'nothing' };

/** The most expensive fault comes first: a tag that is gone, a price that is too low, a tag that was never there, unsold requests. */
export function adviceOn<Of extends Zone>(zones: readonly Of[]): Advice<Of> {
  const silent = zones.filter(({ requests }) => requests === 0);
  const gone = silent.filter(({ before }) => before.requests > 0);
  if (gone.length > 0) return { kind: 'tag-missing', zones: gone };
  const known = zones
    .flatMap((zone) => (zone.fill !== null && zone.requests >= MIN_REQUESTS ? { zone, fill: zone.fill } : []))
    .toSorted((one, other) => other.fill - one.fill || other.zone.requests - one.zone.requests);
  const [best, worst] = [known[0], known.at(-1)];
  if (best && best.fill >= NEARLY_SOLD) return { kind: 'raise', ...best };
  if (silent.length > 0) return { kind: 'tag-never-seen', zones: silent };
  if (worst && worst.fill < HARDLY_SOLD) return { kind: 'sell', ...worst };
  return { kind: 'nothing' };
}
