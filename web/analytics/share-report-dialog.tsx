import { type FormEvent, useState } from 'react';
import { LINK_DAYS, MAX_LINK_NAME } from '#domain/report-links/limits.ts';
import type { ReportLink } from '#domain/report-links/contract.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { messageOf } from '#web/http/request-error.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { formatDate } from '#web/ui/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useMakeReportLink, useReportLinks, useRevokeReportLink } from './report-links-api.ts';
import type { ReportSubject } from './report-subject.ts';

const PERIODS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: String(LINK_DAYS), label: `${LINK_DAYS} days` },
  { value: '365', label: 'One year' },
];

/** Makes, copies and revokes the links to read-only reports of an ad or a plan. */
export function ShareReportDialog({ subject, onClose }: { subject: ReportSubject; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Share report"
      description="Everybody who has the link sees views, clicks and cost, without an account. They can’t change anything."
      footer={
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <NewLink subject={subject} />
        <Links subject={subject} />
      </div>
    </Dialog>
  );
}

function NewLink({ subject }: { subject: ReportSubject }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState(String(LINK_DAYS));
  const make = useMakeReportLink(subject);
  function submit(event: FormEvent) {
    event.preventDefault();
    const expiresAt = later(new Date(), Number(days) * DAY_MS).toISOString();
    make.mutate({ name, expiresAt }, { onSuccess: () => setName('') });
  }
  return (
    <form className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_9rem_auto] sm:items-end" onSubmit={submit}>
      <Field label="Who is it for?" optional>
        <Input
          value={name}
          maxLength={MAX_LINK_NAME}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <Field label="Works for">
        <Select options={PERIODS} value={days} onChange={({ target }) => setDays(target.value)} />
      </Field>
      <Button type="submit" busy={make.isPending}>
        Create link
      </Button>
      {make.isError && (
        <p role="alert" className="text-sm text-bad sm:col-span-3">
          {messageOf(make.error, 'We couldn’t create the link. Please try again.')}
        </p>
      )}
    </form>
  );
}

function Links({ subject }: { subject: ReportSubject }) {
  const links = useReportLinks(subject);
  if (links.isError) return <LoadError what="the links" onRetry={links.retry} />;
  if (!links.items) return <Skeleton className="h-20" />;
  if (links.items.length === 0) return <p className="text-sm text-ink-soft">There is no link yet.</p>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ul aria-label="Links" className="divide-y divide-line">
        {links.items.map((link) => (
          <Row key={link.id} link={link} subject={subject} />
        ))}
      </ul>
      {links.hasMore && (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          busy={links.isLoadingMore}
          onClick={links.loadMore}
        >
          Show more
        </Button>
      )}
    </div>
  );
}

function Row({ link, subject }: { link: ReportLink; subject: ReportSubject }) {
  const revoke = useRevokeReportLink(subject);
  const [isAsked, setAsked] = useState(false);
  const now = useNow();
  const { id, name, url, createdAt, expiresAt, revokedAt } = link;
  const isOver = revokedAt !== null || new Date(expiresAt) <= now;
  const label = name ?? `Link of ${formatDate(createdAt)}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm">
      <span className="min-w-0 wrap-anywhere">
        <bdi className="font-medium">{label}</bdi>
        <span className="block text-xs text-ink-faint">{stateText(link, isOver)}</span>
      </span>
      {!isOver && (
        <span className="flex flex-wrap gap-2">
          <CopyButton text={url} label="Copy link" aria-label={`Copy link: ${label}`} />
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Revoke: ${label}`}
            onClick={() => setAsked(true)}
          >
            Revoke
          </Button>
        </span>
      )}
      {isAsked && (
        <ConfirmDialog
          open
          onOpenChange={setAsked}
          title="Revoke this link?"
          confirmLabel="Revoke link"
          destructive
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate(id, { onSettled: () => setAsked(false) })}
        >
          Whoever opens <bdi>{label}</bdi> sees nothing from then on.
        </ConfirmDialog>
      )}
    </li>
  );
}

function stateText({ expiresAt, revokedAt }: ReportLink, isOver: boolean): string {
  if (revokedAt !== null) return `Revoked on ${formatDate(revokedAt)}`;
  return isOver ? `Ended on ${formatDate(expiresAt)}` : `Works until ${formatDate(expiresAt)}`;
}
