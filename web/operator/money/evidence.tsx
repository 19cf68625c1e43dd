import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import { read } from '#web/http/query.ts';
import { Card } from '#web/ui/card.tsx';
import { ActButtons } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';

/** The evidence of a dispute as the bank would read it. [DISP-02] */
export default function EvidencePage() {
  const { id } = useParams<{ id: string }>();
  const query = useQuery(read(calls.getDisputeEvidence, { params: { id } }));
  return (
    <ConsolePage
      title="Evidence"
      what="the evidence"
      query={query}
      description={
        <>
          For dispute <span className="font-mono text-sm">{id}</span>, as the bank reads it.
        </>
      }
      actions={query.data && <ActButtons acts={query.data.acts} />}
    >
      {({ evidence, acts }) => (
        <Card className="grid gap-5">
          {acts.length === 0 && (
            <p className="text-sm text-ink-soft">
              The bank takes no evidence for this dispute now, or it has this evidence already.
            </p>
          )}
          <dl className="grid gap-5">
            {evidence.map(({ name, text }) => (
              <div key={name} className="grid gap-1 md:grid-cols-[14rem_minmax(0,1fr)] md:gap-6">
                <dt className="min-w-0 text-sm font-medium wrap-anywhere">
                  <bdi>{name}</bdi>
                </dt>
                <dd className="text-sm wrap-anywhere whitespace-pre-line text-ink-soft">
                  <bdi>{text}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
    </ConsolePage>
  );
}
