import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { priceText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { read } from '#web/http/query.ts';
import { CURRENCY } from '#web/ui/format/format.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { SlotDrawing } from './slot-drawing.tsx';

/**
 * The ad zone to which an ad-space link leads, for a visitor who has to sign up first. Shows nothing if its website is not
 * in the catalogue or the server doesn't answer: the sign-up works without it.
 */
export function AdSpaceCard({ website, zone }: { website: string; zone: string }) {
  const { data, isPending } = useQuery({
    ...read(calls.getAdSpace, { query: { website, zone } }),
    retry: false,
  });
  if (isPending) return <Skeleton className="h-24" />;
  if (!data) return null;
  const { lowestOffer } = data;
  return (
    <section
      aria-label="Your ad space"
      className="flex items-center gap-4 rounded-card border border-line bg-surface p-4 shadow-rest"
    >
      <SlotDrawing sizes={[data.zone]} width={72} height={60} />
      <div className="grid min-w-0 gap-0.5">
        <h2 dir="auto" className="text-base font-semibold wrap-anywhere">
          {data.website.name}
        </h2>
        <p className="wrap-anywhere text-ink-soft">
          <bdi>{data.zone.name}</bdi>, {data.zone.width} × {data.zone.height}
        </p>
        <p>
          {lowestOffer ? (
            <>
              from{' '}
              <strong className="figures font-semibold">
                {priceText(lowestOffer.price, planOf(lowestOffer), CURRENCY)}
              </strong>
            </>
          ) : (
            'Not for sale right now'
          )}
        </p>
        {/* A page that the server renders, so this is no link of the application's router. */}
        <a
          href={data.website.pageUrl}
          className="justify-self-start rounded-tight text-accent underline underline-offset-4"
        >
          All prices and figures of this site
        </a>
      </div>
    </section>
  );
}
