import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { read } from '#web/http/query.ts';

/** Links to the page on which a developer rehearses payments, refunds, disputes and payouts. */
export function RehearsalLink() {
  const { data } = useQuery(read(calls.paymentsConfig));
  if (data?.rehearsal === undefined) return null;
  return (
    // A page that the server renders, so this is no link of the application's router.
    <a
      href={data.rehearsal}
      className="mt-2 inline-block rounded-tight text-accent underline underline-offset-4"
    >
      Rehearse
    </a>
  );
}
