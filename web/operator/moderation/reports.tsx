import { counted } from '#domain/format.ts';
import { calls } from '#domain/operator/console/calls.ts';
import { REPORT_REASONS } from '#domain/transparency/report-reasons.ts';
import { formatDateTime } from '#web/ui/format/format.ts';
import { PagedPage } from '../parts/paged-page.tsx';
import { QueueRow } from '../parts/queue-row.tsx';

/** The queue of reported ads. */
export default function ReportsPage() {
  return (
    <PagedPage
      title="Reports"
      what="the reports"
      call={calls.listReportedAds}
      input={{}}
      description="Ads that visitors have reported, the longest-waiting first. An ad’s own page has the words of each report."
      empty="No reports wait for you"
      emptyNote="Visitors report an ad by the link on it. You get an e-mail about the first report."
      keyOf={({ adId }) => adId}
    >
      {({ adId, title, description, targetUrl, picture, reports, since, reasons, acts }) => (
        <QueueRow title={title} path={`/operator/ads/${adId}`} picture={picture} acts={acts}>
          <p className="line-clamp-2 text-sm wrap-anywhere">
            <bdi>{description}</bdi>
          </p>
          <p className="text-xs wrap-anywhere text-ink-faint">
            <span>Leads to </span>
            <bdi>{targetUrl}</bdi>
          </p>
          <p className="text-sm text-ink-soft">
            {counted(reports, 'report')} since {formatDateTime(since)}:{' '}
            {reasons.map((reason) => REPORT_REASONS[reason]).join('; ')}
          </p>
        </QueueRow>
      )}
    </PagedPage>
  );
}
