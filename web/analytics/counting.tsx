import { useId, useState } from 'react';
import { ChevronRight } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { onDemand } from '#web/ui/on-demand.tsx';
import type { CountingQuery } from './api.ts';

const Counted = onDemand('the counting details', 'h-72', async () => (await import('./counted.tsx')).Counted);

/** The section 'How this was counted', collapsed until the reader opens it. [DEL-40] */
export function Counting({ query }: { query: CountingQuery }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section aria-label="How this was counted" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
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
          How this was counted
        </Button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Counted query={query} />}
      </div>
    </section>
  );
}
