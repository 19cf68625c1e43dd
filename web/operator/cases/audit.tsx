import { Link, useSearchParams } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import { formatDateTime } from '#web/ui/format/format.ts';
import { PagedPage } from '../parts/paged-page.tsx';

/** The audit trail. With `?from=`, it begins with the act of this number. [OPER-04] */
export default function AuditPage() {
  const [params] = useSearchParams();
  const asked = params.get('from') ?? '';
  const from = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : null;
  return (
    <PagedPage
      title="Audit trail"
      what="the audit trail"
      call={calls.listAudit}
      input={{ query: from === null ? {} : { from } }}
      description={
        <>
          <span>Every act of every operator. Entries can’t be changed or deleted. </span>
          {from !== null && (
            <Link href="/operator/audit" className="text-accent underline">
              {`Begins with act ${from}. Show the newest`}
            </Link>
          )}
        </>
      }
      empty="Nothing yet"
      keyOf={({ id }) => id}
    >
      {({ id, at, text, by, byId, reason, path, answer }) => (
        <div className="grid gap-x-6 gap-y-1 text-sm md:grid-cols-[minmax(0,1fr)_13rem]">
          <div className="grid gap-0.5">
            {path === null ? (
              <bdi className="font-medium wrap-anywhere">{text}</bdi>
            ) : (
              <Link
                href={path}
                className="justify-self-start font-medium wrap-anywhere text-accent hover:underline"
              >
                <bdi>{text}</bdi>
              </Link>
            )}
            <bdi className="wrap-anywhere text-ink-soft">{reason}</bdi>
            {answer && (
              <Link href={answer.path} className="justify-self-start text-accent hover:underline">
                {answer.outcome === null
                  ? 'Answered, waits for your decision'
                  : `Answered, ${answer.outcome}`}
              </Link>
            )}
          </div>
          <div className="text-xs text-ink-faint md:text-right">
            <p>
              <time dateTime={at}>{formatDateTime(at)}</time>
            </p>
            <p className="wrap-anywhere">
              {byId === null ? (
                <span>{by}</span>
              ) : (
                <Link href={`/operator/people/${byId}`} className="hover:underline">
                  <bdi>{by}</bdi>
                </Link>
              )}
            </p>
            <p>{`Act ${id}`}</p>
          </div>
        </div>
      )}
    </PagedPage>
  );
}
