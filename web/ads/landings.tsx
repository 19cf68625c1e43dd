import { Disclosure } from '#web/ui/disclosure.tsx';
import { onDemand } from '#web/ui/late.tsx';

const Panel = onDemand(
  'the landings',
  'h-40',
  async () => (await import('./landings-panel.tsx')).LandingsPanel,
);

/** The section 'Landings' of a campaign, collapsed until the advertiser opens it. */
export function Landings({ adRef }: { adRef: string }) {
  return <Disclosure label="Landings">{() => <Panel adRef={adRef} />}</Disclosure>;
}
