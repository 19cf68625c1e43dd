import { useState } from 'react';
import { Download } from 'lucide-react';
import type { Figures } from '#domain/analytics/contract.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { csvOf, type CsvCell } from '#domain/csv.ts';
import { downloadCsv } from '#web/ui/download.ts';
import { CURRENCY } from '#web/ui/format/format.ts';
import { DropdownMenu, MenuButton } from '#web/ui/dropdown-menu.tsx';
import { GROUPING_NAMES } from './breakdown.tsx';
import { dayHead } from './day-names.ts';
import { metricName, METRICS, valueOf, type Metric } from './metrics.ts';
import type { Report } from './use-report.ts';

const UNITS: Record<Metric, string> = {
  impressions: '',
  clicks: '',
  rate: ' (%)',
  cpm: ` (${CURRENCY})`,
  cpc: ` (${CURRENCY})`,
  amount: ` (${CURRENCY})`,
};

/** Downloads the report as CSV: figures over time, or the current breakdown. Amounts are in the marketplace's currency. [STAT-08] */
export function ReportDownload({ report }: { report: Report }) {
  const [busy, setBusy] = useState(false);
  const { side, range, by, series, breakdown } = report;
  const heads = [
    ...METRICS.map((metric) => `${metricName(metric, side)}${UNITS[metric]}`),
    `Paid (${CURRENCY})`,
  ];
  const fileOf = (what: string) =>
    `openslot-${what.toLowerCase().replaceAll(' ', '-')}-${range.from}-to-${range.to}.csv`;

  function downloadSeries() {
    const rows = (series.data?.buckets ?? []).map((bucket) => [bucket.start, ...cellsOf(bucket)]);
    downloadCsv(
      fileOf(`per-${range.step}`),
      csvOf([dayHead(range.step, series.data?.dayStart), ...heads], rows),
    );
  }

  async function downloadBreakdown() {
    setBusy(true);
    try {
      const rows = await breakdown.loadAll();
      const names = [GROUPING_NAMES[by].slice(0, -1), 'Where', 'Type'];
      downloadCsv(
        fileOf(GROUPING_NAMES[by]),
        csvOf(
          [...names, ...heads],
          rows.map((row) => [row.name, row.place, row.creative?.adType ?? null, ...cellsOf(row)]),
        ),
      );
    } catch (error) {
      failureToast(error, 'Download Failed', 'We couldn’t load the figures. Please try again.');
    } finally {
      setBusy(false);
    }
  }

  return (
    <DropdownMenu
      trigger={
        <Button variant="secondary" busy={busy} disabled={!series.data || !breakdown.items}>
          <Download aria-hidden="true" />
          Download CSV
        </Button>
      }
    >
      <MenuButton onSelect={downloadSeries}>Figures per {range.step}</MenuButton>
      <MenuButton onSelect={() => void downloadBreakdown()}>{GROUPING_NAMES[by]}</MenuButton>
    </DropdownMenu>
  );
}

/** Numbers without separators or signs, so that every spreadsheet reads them as numbers. */
function cellsOf(figures: Figures): CsvCell[] {
  const { impressions, clicks, cpm, cpc, amount, paid } = figures;
  const rate = valueOf('rate', figures);
  return [impressions, clicks, rate === null ? null : rate.toFixed(2), cpm, cpc, amount, paid];
}
