import { type ReactNode, useId, useState } from 'react';
import { ChevronRight } from 'lucide-react';
import { Button } from './button.tsx';
import { cn } from './cn.ts';

type DisclosureProps = {
  label: string;
  /** One line beside the label that says what is set inside. */
  line?: ReactNode;
  children: () => ReactNode;
};

/** A section that is collapsed until the reader opens it. `children` is rendered only while it is open. */
export function Disclosure({ label, line, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section aria-label={label} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-x-2">
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
        {line && <div className="min-w-0 text-sm wrap-anywhere text-ink-soft">{line}</div>}
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && children()}
      </div>
    </section>
  );
}
