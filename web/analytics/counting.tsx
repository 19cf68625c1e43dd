import { Disclosure } from '#web/ui/disclosure.tsx';
import { onDemand } from '#web/ui/late.tsx';
import type { CountingQuery } from './api.ts';

const Counted = onDemand('the counting details', 'h-72', async () => (await import('./counted.tsx')).Counted);

/** The section 'How this was counted', collapsed until the reader opens it. [DEL-39] */
export function Counting({ query }: { query: CountingQuery }) {
  return <Disclosure label="How this was counted">{() => <Counted query={query} />}</Disclosure>;
}
