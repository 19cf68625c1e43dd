import { useState } from 'react';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';
import { ZoneShowingDialog } from './zone-showing.tsx';

const ZoneTest = onDemand('the test', 'h-96', async () => (await import('./zone-test.tsx')).ZoneTest);

/** What a publisher can look into about one of their zones. */
export function ZoneTools({ zone, website }: { zone: AdZone; website: Website }) {
  const [open, setOpen] = useState<'showing' | 'test'>();
  const close = () => setOpen(undefined);
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      <Button variant="link" aria-label={`Test my zone ${zone.name}`} onClick={() => setOpen('test')}>
        Test my zone
      </Button>
      <Button variant="link" aria-label={`What is shown? ${zone.name}`} onClick={() => setOpen('showing')}>
        What is shown?
      </Button>
      {open === 'showing' && <ZoneShowingDialog zone={zone} onClose={close} />}
      {open === 'test' && (
        <Dialog
          open
          onOpenChange={close}
          width="lg"
          title="Test my zone"
          description={
            <>
              <bdi>{zone.name}</bdi>: what the ad server sees of it, live.
            </>
          }
        >
          <ZoneTest zone={zone} siteUrl={website.url} />
        </Dialog>
      )}
    </span>
  );
}
