import { Disclosure } from '#web/ui/disclosure.tsx';
import { onDemand } from '#web/ui/late.tsx';

const Panel = onDemand('the days', 'h-40', async () => (await import('./days-panel.tsx')).DaysPanel);

/** The section 'Days' of a per-day campaign, collapsed until the reader opens it. */
export function Days({ adRef, side }: { adRef: string; side: 'advertiser' | 'publisher' }) {
  return <Disclosure label="Days">{() => <Panel adRef={adRef} side={side} />}</Disclosure>;
}
