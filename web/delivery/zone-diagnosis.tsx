import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { ZoneShowingDialog } from './zone-showing.tsx';

const ZoneTest = onDemand('the test', 'h-96', async () => (await import('./zone-test.tsx')).ZoneTest);

type ZoneDiagnosisProps = {
  diagnosis: 'test' | 'showing';
  zone: AdZone;
  website: Website;
  onClose: () => void;
};

/** The publisher's two diagnostics for one of their ad zones. */
export function ZoneDiagnosis({ diagnosis, zone, website, onClose }: ZoneDiagnosisProps) {
  if (diagnosis === 'showing') return <ZoneShowingDialog zone={zone} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="lg"
      title="Test my zone"
      description={
        <>
          A live view of what the ad server receives from <bdi>{zone.name}</bdi>.
        </>
      }
    >
      <ZoneTest zone={zone} site={website} />
    </Dialog>
  );
}
