import { useQuery } from '@tanstack/react-query';
import { paymentsConfig } from '#domain/payments/contract.ts';
import { read } from '#web/http/query.ts';

/** Says on every page that no real money moves, when the server says so (OP-096). */
export function SandboxNotice() {
  const { data, isPending } = useQuery(read(paymentsConfig));
  // Its line is kept free until the server has answered, so that the page does not move.
  if (isPending) return <div className="h-7" />;
  if (!data?.notice) return null;
  return (
    <aside
      aria-label="Payments"
      className="grid h-7 place-items-center bg-lit px-4 text-xs font-medium text-on-lit"
    >
      {data.notice}
    </aside>
  );
}
