import { Link } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import { formatDateTime } from '#web/ui/format/format.ts';
import { PagedPage } from '../parts/paged-page.tsx';
import { QueueRow } from '../parts/queue-row.tsx';

/** The websites that wait until an operator has looked at them. */
export default function NewWebsitesPage() {
  return (
    <PagedPage
      title="New websites"
      what="the websites"
      call={calls.listNewWebsites}
      input={{}}
      description="These websites aren’t offered until you show them. We e-mail your decision or question to the publisher. After a question, the website stays here until you decide."
      empty="No website waits for you"
      emptyNote={
        <>
          <span>To review websites before they’re offered, change </span>
          <Link
            href="/operator/settings#REVIEW_WEBSITES"
            className="text-accent underline underline-offset-4"
          >
            the rule for new websites
          </Link>
          <span>.</span>
        </>
      }
      keyOf={({ id }) => id}
    >
      {({ id, name, url, category, description, owner, since, question, acts }) => (
        <QueueRow title={name} path={`/operator/websites/${id}`} acts={acts}>
          <p className="text-sm wrap-anywhere">
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="text-accent underline underline-offset-4"
            >
              <bdi>{url}</bdi>
            </a>
          </p>
          {description !== null && (
            <p className="line-clamp-3 text-sm wrap-anywhere">
              <bdi>{description}</bdi>
            </p>
          )}
          <p className="text-sm wrap-anywhere text-ink-soft">
            <span>{category}, by </span>
            <Link href={`/operator/people/${owner.id}`} className="text-accent underline underline-offset-4">
              <bdi>{owner.email}</bdi>
            </Link>
            <span>, since {formatDateTime(since)}</span>
          </p>
          {question !== null && (
            <p className="text-sm wrap-anywhere text-ink-soft">
              <span>You asked: </span>
              <bdi>{question}</bdi>
            </p>
          )}
        </QueueRow>
      )}
    </PagedPage>
  );
}
