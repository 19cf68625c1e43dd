import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { useWhyNot } from '#web/ui/why-not.ts';
import type { ReportSubject } from './report-subject.ts';

const ShareDialog = onDemand(
  'the links',
  'h-0',
  async () => (await import('./share-report-dialog.tsx')).ShareReportDialog,
);

/** Opens the links to read-only reports of an ad or a plan. */
export function ShareReport({ subject }: { subject: ReportSubject }) {
  const [isOpen, setOpen] = useState(false);
  const whyNot = useWhyNot();
  return (
    <>
      <Button variant="secondary" size="sm" why={whyNot} onClick={() => setOpen(true)}>
        Share report
      </Button>
      {isOpen && <ShareDialog subject={subject} onClose={() => setOpen(false)} />}
    </>
  );
}
