import { useId, useState } from 'react';
import { ChevronRight } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { onDemand } from '#web/ui/on-demand.tsx';

const Panel = onDemand(
  'the landings',
  'h-40',
  async () => (await import('./landings-panel.tsx')).LandingsPanel,
);

/** The section 'Landings' of a campaign, collapsed until the advertiser opens it. [EVID-04] */
export function Landings({ adRef }: { adRef: string }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section aria-label="Landings" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <Button
          variant="quiet"
          size="sm"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="-ml-3"
        >
          <ChevronRight
            aria-hidden="true"
            className={cn('transition-transform duration-150', isOpen && 'rotate-90')}
          />
          Landings
        </Button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Panel adRef={adRef} />}
      </div>
    </section>
  );
}
