import { counted } from '#domain/format.ts';
import { useState } from 'react';
import { readPageViews } from '#domain/analytics/page-views.ts';
import { messageOf } from '#web/http/request-error.ts';
import { FileDrop } from '#web/ui/forms/file-drop.tsx';
import { formatDay } from '#web/ui/format/format.ts';
import { useStorePageViews } from './two-counts-api.ts';

/** A file of page views by day is much smaller. */
const MAX_BYTES = 5_000_000;

/** Takes the file of the website's own analytics, and stores its days. */
export function PageViewsUpload({ website }: { website: string }) {
  const store = useStorePageViews(website);
  const [problem, setProblem] = useState<string>();

  async function take(file: File) {
    store.reset();
    setProblem(undefined);
    if (file.size > MAX_BYTES) {
      setProblem('The file is larger than 5 MB. Export the page views per day only.');
      return;
    }
    const found = readPageViews(await file.text());
    if ('problem' in found) setProblem(found.problem);
    else store.mutate(found.days);
  }

  const failure = store.error
    ? messageOf(store.error, 'Failed to store the page views. Try again.')
    : undefined;
  return (
    <div className="grid gap-2">
      <FileDrop
        label="Choose a file with page views"
        hint="CSV with the columns date and pageviews, or the JSON of a stats call of Plausible or Umami"
        accept=".csv,.json,.tsv,text/csv,application/json"
        onFile={(file) => void take(file)}
        busy={store.isPending}
        error={problem ?? failure}
      />
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {store.data &&
          `Stored. There are ${counted(store.data.days, 'day')} now, from ${formatDay(store.data.from)} to ${formatDay(store.data.to)}.`}
      </p>
    </div>
  );
}
