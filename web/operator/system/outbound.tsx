import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/operator/console/calls.ts';
import { read } from '#web/http/query.ts';
import { Card } from '#web/ui/card.tsx';
import { formatCount, formatDateTime } from '#web/ui/format/format.ts';
import { ActButtons } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';

/** The wait of everything outgoing after a restore, with its release. [OPS-54] */
export default function OutboundPage() {
  const query = useQuery(read(calls.getOutbound));
  return (
    <ConsolePage
      title="Outgoing"
      what="what waits"
      query={query}
      description={
        query.data &&
        (query.data.since === null
          ? 'Nothing has to wait. What is due leaves by itself.'
          : 'Pages, ads and counting work. Mail, refunds, payouts and every call to the card provider wait, so that this server doesn’t repeat what the original one has done since the backup.')
      }
    >
      {({ since, mails, refunds, payouts, provider, acts }) => (
        <Card className="grid gap-5">
          <dl className="grid gap-4 text-sm sm:grid-cols-2 lg:grid-cols-4">
            {since !== null && (
              <div className="grid gap-0.5 sm:col-span-full">
                <dt className="text-xs text-ink-faint">Waiting since</dt>
                <dd>{formatDateTime(since)}</dd>
              </div>
            )}
            {(
              [
                ['Mails that wait', mails],
                ['Refunds that wait', refunds],
                ['Payouts that wait', payouts],
                ['Other calls to the card provider that wait', provider],
              ] as const
            ).map(([name, count]) => (
              <div key={name} className="grid content-start gap-0.5">
                <dt className="text-xs text-ink-faint">{name}</dt>
                <dd className="figures text-xl font-semibold">{formatCount(count)}</dd>
              </div>
            ))}
          </dl>
          <ActButtons acts={acts} />
        </Card>
      )}
    </ConsolePage>
  );
}
