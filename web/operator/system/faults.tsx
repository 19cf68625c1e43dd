import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import type { listFaults } from '#domain/operator/console/system-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { read } from '#web/http/query.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { ActButtons } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';

type Faults = Reply<typeof listFaults>;

/** What refuses nearly all reports of the installation, or of a website. */
export default function FaultsPage() {
  const query = useQuery(read(calls.listFaults));
  return (
    <ConsolePage
      title="Faults"
      what="the faults"
      query={query}
      description="A fault begins when the server suddenly refuses nearly all views and clicks for the same reason."
    >
      {({ installation, websites }) => (
        <>
          <Part title="This installation" empty="The installation has no faults">
            {installation.map((fault) => (
              <FaultCard key={fault.id} fault={fault}>
                <ActButtons acts={fault.acts} about={fault.title} />
              </FaultCard>
            ))}
          </Part>
          <Part
            title="Websites"
            empty="No website has faults"
            note="We e-mail the publisher, and show the fault beside the embed code and in the results. If only you can fix it, the text here says how."
          >
            {websites.map((fault) => (
              <FaultCard key={fault.id} fault={fault}>
                <Link
                  href={`/operator/websites/${fault.websiteId}`}
                  className="text-sm wrap-anywhere text-accent"
                >
                  <bdi>{fault.websiteName}</bdi>
                </Link>
              </FaultCard>
            ))}
          </Part>
        </>
      )}
    </ConsolePage>
  );
}

type PartProps = { title: string; note?: string; empty: string; children: ReactNode[] };

function Part({ title, note, empty, children }: PartProps) {
  return (
    <section aria-label={title} className="grid gap-3">
      <div className="grid gap-1">
        <h2 className="text-base font-semibold">{title}</h2>
        {note !== undefined && <p className="text-sm text-ink-soft">{note}</p>}
      </div>
      {children.length === 0 ? (
        <EmptyState title={empty} className="py-8" />
      ) : (
        <ul aria-label={title} className="grid gap-3">
          {children}
        </ul>
      )}
    </section>
  );
}

type Fault = Omit<Faults['installation'][number], 'acts'>;

function FaultCard({ fault, children }: { fault: Fault; children: ReactNode }) {
  const { id, title, evidence, cause, next, beganAt } = fault;
  return (
    <li>
      <Card className="grid gap-3">
        <div className="grid gap-1">
          <h3 className="text-sm font-medium wrap-anywhere">
            <bdi>{title}</bdi>
          </h3>
          <p className="text-sm wrap-anywhere text-ink-soft">{evidence}</p>
        </div>
        <p className="text-sm wrap-anywhere">
          {cause} {next}
        </p>
        <p className="text-xs text-ink-faint">
          Fault {id}, since {formatDateTime(beganAt)}
        </p>
        {children}
      </Card>
    </li>
  );
}
