import { useState } from 'react';
import type { AdZone } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { ZoneShowingDialog } from './zone-showing.tsx';

/** What a publisher can look into about one of their zones. */
export function ZoneTools({ zone }: { zone: AdZone }) {
  const [open, setOpen] = useState<'showing'>();
  const close = () => setOpen(undefined);
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      <Button variant="link" aria-label={`What is shown? ${zone.name}`} onClick={() => setOpen('showing')}>
        What is shown?
      </Button>
      {open === 'showing' && <ZoneShowingDialog zone={zone} onClose={close} />}
    </span>
  );
}
