import { Link } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import { REPORT_REASONS } from '#domain/transparency/report.ts';
import { counted } from '#domain/format.ts';
import { formatDateTime } from '#web/ui/format/format.ts';
import { PagedPage } from '../parts/paged-page.tsx';

/** The queue of reported ads. */
export default function ReportsPage() {
  return (
    <PagedPage
      title="Reports"
      what="the reports"
      call={calls.listReportedAds}
      input={{}}
      empty="No reports wait for you"
      keyOf={({ adId }) => adId}
    >
      {({ adId, title, reports, since, reasons }) => (
        <>
          <Link href={`/operator/ads/${adId}`} className="font-medium wrap-anywhere text-accent">
            <bdi>{title}</bdi>
          </Link>
          <p className="text-sm text-ink-soft">
            {counted(reports, 'report')} since {formatDateTime(since)}:{' '}
            {reasons.map((reason) => REPORT_REASONS[reason]).join('; ')}
          </p>
        </>
      )}
    </PagedPage>
  );
}
