import { MapPin } from 'lucide-react';
import { conversionCommand, conversionLine } from '#domain/delivery/conversions.ts';
import { LANDING_PARAMETER, landingCommand, landingRate, landingScript } from '#domain/delivery/landings.ts';
import type { Landings } from '#domain/delivery/landings-contract.ts';
import { counted, percentText } from '#domain/format.ts';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CURRENCY, formatCount } from '#web/ui/format/format.ts';
import { SwitchRow } from '#web/ui/forms/switch.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ConversionKey } from './conversion-key.tsx';
import { useLandings, useMeasureLandings } from './landings-api.ts';

/** The clicks of the campaign that reached the advertiser's page, and how the page reports them. */
export function LandingsPanel({ adRef }: { adRef: string }) {
  const { data, isError, refetch } = useLandings(adRef);
  const measure = useMeasureLandings(adRef);
  if (!data) {
    return isError ? (
      <LoadError what="the landings" onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-40" />
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <SwitchRow
        label="Measure landings"
        hint={`Each click then adds ?${LANDING_PARAMETER}=… to your target address, and your page reports it. When this is off, visitors get your address unchanged.`}
        checked={data.enabled}
        disabled={measure.isPending}
        onChange={(enabled) => measure.mutate(enabled)}
      />
      {(data.enabled || data.clicks > 0) && <Figures {...data} />}
      {data.enabled && <Instructions host={data.host} adRef={adRef} />}
    </div>
  );
}

function Figures({ clicks, landings }: Landings) {
  const rate = landingRate({ clicks, landings });
  if (rate === null || landings === 0) {
    return (
      <EmptyState title="No landings yet" icon={<MapPin aria-hidden="true" />} className="py-8">
        {clicks === 0
          ? 'Install one of the lines below. The first landing appears here within seconds of the next click.'
          : `We measured ${counted(clicks, 'click')}, and your page reported none of them. Check that the line is on the page behind your target address.`}
      </EmptyState>
    );
  }
  return (
    <p className="text-sm text-ink-soft">
      <strong className="figures block text-base font-semibold text-ink">{percentText(rate)}</strong>
      Landing rate: {formatCount(landings)} of {counted(clicks, 'measured click')} reached your page.
    </p>
  );
}

function Instructions({ host, adRef }: { host: string; adRef: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="font-medium">On your landing page</h2>
        <CodeBlock code={landingScript(host)} label="Landing script" copyLabel="Copy the landing script" />
        <p className="text-ink-soft">
          The script sets no cookie and stores nothing. If your page has a content security policy, allow{' '}
          <code translate="no" className="font-mono text-xs wrap-anywhere">
            {host}
          </code>{' '}
          in{' '}
          <code translate="no" className="font-mono text-xs">
            script-src
          </code>{' '}
          and{' '}
          <code translate="no" className="font-mono text-xs">
            connect-src
          </code>
          .
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="font-medium">Or from your server</h2>
        <CodeBlock
          code={landingCommand(host, adRef)}
          label="Landing report from your server"
          copyLabel="Copy the landing report from your server"
        />
        <p className="text-ink-soft">
          Put the value of{' '}
          <code translate="no" className="font-mono text-xs">
            {LANDING_PARAMETER}
          </code>{' '}
          from the visited address into{' '}
          <code translate="no" className="font-mono text-xs">
            {LANDING_PARAMETER.toUpperCase()}
          </code>
          . Report each landing within 24 hours of the click; it counts once.
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="font-medium">When a visitor orders</h2>
        <CodeBlock
          code={conversionLine(CURRENCY)}
          label="Conversion script"
          copyLabel="Copy the conversion script"
        />
        <CodeBlock
          code={conversionCommand(host, CURRENCY)}
          label="Conversion report from your server"
          copyLabel="Copy the conversion report from your server"
        />
        <p className="text-ink-soft">
          The first works on each page that has the landing script and the token in its address. Links to
          pages of your website take the token along; forms and payment pages don’t, so keep it with the order
          there and report from your server. Each order number counts once for a click. Code for WooCommerce
          and JavaScript is in docs/measurement.md of this software.
        </p>
      </div>
      <ConversionKey />
    </div>
  );
}
