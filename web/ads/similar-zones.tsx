import { Link } from 'wouter';
import { formatMoney } from '#web/ui/format/format.ts';
import { useSimilarZones } from './api.ts';

/** Where a rejected ad could run instead. Without such ad zones, it shows nothing: the ad can still be changed. */
export function SimilarZones({ publicId, adType }: { publicId: string; adType: string }) {
  const { data: zones } = useSimilarZones(publicId);
  if (!zones || zones.length === 0) return null;
  return (
    <section aria-labelledby="similar-zones" className="grid gap-2 border-t border-line pt-5">
      <h2 id="similar-zones" className="text-base font-semibold">
        Similar ad zones
      </h2>
      <ul className="divide-y divide-line">
        {zones.map((zone) => (
          <li key={zone.zonePublicId} className="flex items-baseline justify-between gap-4 py-2">
            <span className="grid min-w-0">
              <Link
                href={`/create-ad?website=${zone.websitePublicId}&zone=${zone.zonePublicId}&type=${adType}`}
                className="justify-self-start rounded-tight font-medium wrap-anywhere text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
              >
                <bdi>{zone.websiteName}</bdi>
              </Link>
              <span className="text-sm text-ink-faint">
                <bdi>{zone.zoneName}</bdi>, {zone.width} × {zone.height}
              </span>
            </span>
            <span className="figures text-sm whitespace-nowrap">from {formatMoney(zone.price)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
