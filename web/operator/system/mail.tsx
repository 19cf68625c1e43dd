import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { counted } from '#domain/format.ts';
import { calls } from '#domain/operator/console/calls.ts';
import { read } from '#web/http/query.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { PagedPage } from '../parts/paged-page.tsx';
import { RowWithActs } from './row-with-acts.tsx';

/** The longest address of mail. */
const MAX_ADDRESS = 254;

/** Mail that has not been sent, or all mail to an address. Its text may hold a code, so nobody reads it here. */
export default function MailPage() {
  const [params, setParams] = useSearchParams();
  const to = params.get('to') ?? '';
  return (
    <PagedPage
      title="Mail"
      what="the mail"
      call={calls.listMail}
      input={{ query: to === '' ? {} : { to } }}
      description={`${to === '' ? 'Mail that has not been sent yet. ' : ''}The text isn’t shown, because it may hold a code.`}
      above={
        <>
          <SearchField
            label="All mail to this address"
            placeholder="name@example.com"
            maxLength={MAX_ADDRESS}
            value={to}
            onChange={(address) => setParams(address === '' ? {} : { to: address }, { replace: true })}
            className="max-w-md"
          />
          <TurnedOff to={to} />
        </>
      }
      empty={to === '' ? 'All mail was sent' : 'There is no mail to this address'}
      keyOf={({ id }) => id}
    >
      {({ subject, recipient, createdAt, state, acts }) => (
        <RowWithActs acts={acts} about={subject}>
          <span className="font-medium wrap-anywhere">
            <bdi>{subject}</bdi>
          </span>
          <p className="text-sm wrap-anywhere text-ink-soft">
            <bdi>{recipient}</bdi>, {formatDateTime(createdAt)}, <bdi>{state}</bdi>
          </p>
        </RowWithActs>
      )}
    </PagedPage>
  );
}

/** The addresses that get no mail. Nothing is shown while there is none. */
function TurnedOff({ to }: { to: string }) {
  const { data: addresses } = useQuery(read(calls.listTurnedOff, { query: to === '' ? {} : { to } }));
  if (!addresses || addresses.length === 0) return null;
  return (
    <Card padded={false}>
      <CardHeader
        title="No mail goes to"
        description="Mail to these addresses bounced too often. Each gets mail again when its owner proves it with a mailed code, for example by setting a new password."
        className="p-inset"
      />
      <ul aria-label="No mail goes to" className="divide-y divide-line border-t border-line">
        {addresses.map(({ address, hardBounces, lastBounceAt }) => (
          <li
            key={address}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 px-inset py-2.5 text-sm"
          >
            <span className="font-medium wrap-anywhere">
              <bdi>{address}</bdi>
            </span>
            <span className="text-ink-soft">
              {counted(hardBounces, 'hard bounce')}, the last one {formatDateTime(lastBounceAt)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
