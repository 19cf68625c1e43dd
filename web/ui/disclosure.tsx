import { type ReactNode, useId, useState } from 'react';
import { ChevronRight } from 'lucide-react';
import { Button } from './button.tsx';
import { cn } from './cn.ts';

/** A section that is collapsed until the reader opens it. `children` is rendered only while it is open. */
export function Disclosure({ label, children }: { label: string; children: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section aria-label={label} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
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
          {label}
        </Button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && children()}
      </div>
    </section>
  );
}
