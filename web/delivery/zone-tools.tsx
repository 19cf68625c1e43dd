import { useState } from 'react';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';
import { ZoneShowingDialog } from './zone-showing.tsx';

const ZoneTest = onDemand('the test', 'h-96', async () => (await import('./zone-test.tsx')).ZoneTest);

/** Opens the publisher's two diagnostics for one of their ad zones. */
export function ZoneTools({ zone, website }: { zone: AdZone; website: Website }) {
  const [open, setOpen] = useState<'showing' | 'test'>();
  const close = () => setOpen(undefined);
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      <Button variant="link" aria-label={`Test my zone ${zone.name}`} onClick={() => setOpen('test')}>
        Test my zone
      </Button>
      <Button variant="link" aria-label={`What’s showing? ${zone.name}`} onClick={() => setOpen('showing')}>
        What’s showing?
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
              A live view of what the ad server receives from <bdi>{zone.name}</bdi>.
            </>
          }
        >
          <ZoneTest zone={zone} siteUrl={website.url} />
        </Dialog>
      )}
    </span>
  );
}
