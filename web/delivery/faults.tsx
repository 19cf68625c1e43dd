import type { Fault } from '#domain/delivery/faults-contract.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { useExpectFault, useFaults } from './faults-api.ts';

/**
 * The faults that refuse nearly all reports of the publisher's websites, or of one of them. Shows nothing while there is none, and
 * nothing if it cannot be loaded, because it stands above what the reader came for. `mayAnswer`: whether the person may say
 * that one is expected.
 */
export function SiteFaults({ websitePublicId, mayAnswer }: { websitePublicId?: string; mayAnswer: boolean }) {
  const { data = [] } = useFaults();
  const shown = data.filter((fault) => (websitePublicId ?? fault.websitePublicId) === fault.websitePublicId);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Faults" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {shown.map((fault) => (
        <FaultBanner
          key={fault.id}
          fault={fault}
          isNamed={websitePublicId === undefined}
          mayAnswer={mayAnswer}
        />
      ))}
    </section>
  );
}

/** `isNamed` adds the name of the website. */
function FaultBanner({ fault, isNamed, mayAnswer }: { fault: Fault; isNamed: boolean; mayAnswer: boolean }) {
  const { title, evidence, text, next, beganAt, expectedAt, websiteName } = fault;
  const expect = useExpectFault(fault.id);
  const answer = (isExpected: boolean, label: string) => (
    <Button
      size="sm"
      variant="secondary"
      // A disabled button would lose the focus of the keyboard.
      aria-disabled={expect.isPending || undefined}
      aria-busy={expect.isPending || undefined}
      onClick={() => {
        if (!expect.isPending) expect.mutate(isExpected);
      }}
    >
      {label}
    </Button>
  );
  const name = isNamed && (
    <>
      <bdi>{websiteName}</bdi>:{' '}
    </>
  );
  if (expectedAt !== null) {
    return (
      <Banner action={mayAnswer && answer(false, 'Undo')}>
        <p className="wrap-anywhere">
          {name}You expect this, so we don’t show it for 30 days: “<bdi>{title}</bdi>”.
        </p>
      </Banner>
    );
  }
  return (
    <Banner tone="warn" title={title} action={mayAnswer && answer(true, 'This is expected')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <p className="wrap-anywhere">
          {name}
          {text}
        </p>
        <p>{next}</p>
        <p className="text-ink-soft">
          {evidence} Since {formatDateTime(beganAt)}.
        </p>
      </div>
    </Banner>
  );
}
