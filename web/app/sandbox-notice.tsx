import { useQuery } from '@tanstack/react-query';
import { paymentsConfig } from '#domain/payments/contract.ts';
import { read } from '#web/http/query.ts';

/** Tells the user on every page that no real money moves, if the server runs in the payment sandbox. [OP-096] */
export function SandboxNotice() {
  const { data, isPending } = useQuery(read(paymentsConfig));
  // Reserve the line until the server answers, so that the page doesn't move.
  if (isPending) return <div className="h-7" />;
  if (!data?.notice) return null;
  return (
    <aside
      aria-label="Payments"
      className="flex h-7 items-center justify-center gap-3 bg-lit px-4 text-xs font-medium text-on-lit"
    >
      {data.notice}
      {data.rehearsal !== undefined && (
        // A page that the server renders, so this is no link of the application's router.
        <a href={data.rehearsal} className="rounded-tight py-1 underline underline-offset-2">
          Rehearse
        </a>
      )}
    </aside>
  );
}
