import { useQuery } from '@tanstack/react-query';
import { paymentsConfig } from '#domain/payments/contract.ts';
import { read } from '#web/http/query.ts';

/** Says on every page that no real money moves, when the server says so (OP-096). */
export function SandboxNotice() {
  const { data } = useQuery(read(paymentsConfig));
  if (!data?.notice) return null;
  return (
    <p role="note" className="bg-lit px-4 py-1.5 text-center text-xs font-medium text-on-lit">
      {data.notice}
    </p>
  );
}
