import type { MouseEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { useCurrentUser } from '#web/accounts/current-user.ts';
import { Receipt } from '#web/delivery/receipt.tsx';
import { cn } from '#web/ui/cn.ts';
import { Page, PageHeader } from '#web/ui/page.tsx';

/** Shows how ad zones look on a publisher's page. */
export default function DemoPage() {
  return (
    <Page>
      <PageHeader
        title="What an open ad zone looks like"
        description="Three open ad zones on a sample website. Click a box to place your ad in that ad zone."
      />
      <article className="grid grid-cols-[minmax(0,1fr)] gap-6 rounded-card border border-line bg-surface p-4 shadow-rest sm:p-6">
        <header className="flex items-center gap-4 border-b border-line pb-4">
          <span className="text-lg font-semibold">The Daily Sample</span>
          <Ghost className="h-2.5 w-14 max-sm:hidden" />
          <Ghost className="h-2.5 w-20 max-sm:hidden" />
          <Ghost className="h-2.5 w-12 max-sm:hidden" />
        </header>
        <Zone number={1} name="Banner" width={728} height={90} className="justify-self-center" />
        <div className="flex flex-wrap justify-between gap-6">
          <div className="grid min-w-0 flex-1 basis-72 grid-cols-[minmax(0,1fr)] content-start gap-6">
            <Paragraph lines={5} />
            <div className="flex flex-wrap gap-6">
              <Zone number={2} name="Square" width={300} height={300} />
              <div className="grid flex-1 basis-40 content-start gap-6">
                <Paragraph lines={6} />
                <Paragraph lines={5} />
                <Paragraph lines={3} />
              </div>
            </div>
            <Paragraph lines={6} />
          </div>
          <Zone number={3} name="Sidebar" width={160} height={600} />
        </div>
      </article>
      <Receipt />
    </Page>
  );
}

type ZoneProps = { number: number; name: string; width: number; height: number; className?: string };

/**
 * The specification fixes the address of the link, and it names no zone (OP-013). A signed-in user who follows it comes
 * to an open zone of this size, if the marketplace has one.
 */
function Zone({ number, name, width, height, className }: ZoneProps) {
  const { user } = useCurrentUser();
  const [, navigate] = useLocation();
  const address = `/create-ad?website=1&zone=${number}`;

  function follow(event: MouseEvent) {
    const isNewTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!user || isNewTab) return;
    event.preventDefault();
    void openZone();
  }
  async function openZone() {
    const { openZoneAddress } = await import('#web/inventory/open-zone.ts');
    navigate((await openZoneAddress({ width, height })) ?? address);
  }

  return (
    <section
      aria-label={`${name} ${width}x${height}`}
      style={{ width, height }}
      className={cn(
        'slot-open grid max-w-full place-content-center justify-items-center gap-1 text-center',
        className,
      )}
    >
      <p className="text-sm text-ink-soft">
        {name} <span className="font-mono text-xs">{`${width}x${height}`}</span>
      </p>
      <Link
        href={address}
        onClick={follow}
        className="rounded-control bg-lit px-4 py-2 text-sm font-medium text-on-lit hover:brightness-105"
      >
        Advertise here
      </Link>
    </section>
  );
}

const WIDTHS = ['w-full', 'w-11/12', 'w-[97%]', 'w-4/5', 'w-[94%]', 'w-2/3'];

function Paragraph({ lines }: { lines: number }) {
  return (
    <div aria-hidden="true" className="grid gap-2.5">
      {WIDTHS.slice(0, lines).map((width) => (
        <Ghost key={width} className={cn('h-2.5', width)} />
      ))}
    </div>
  );
}

function Ghost({ className }: { className: string }) {
  return <span aria-hidden="true" className={cn('block rounded-full bg-sunken', className)} />;
}
