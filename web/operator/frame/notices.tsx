import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/operator/console/calls.ts';
import { read } from '#web/http/query.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink, ButtonOutLink } from '#web/ui/button.tsx';

/** The wait of everything outgoing after a restore, the alarms, and a newer release, above every page. [OWNS-30] */
export function Notices() {
  const { data: notices } = useQuery(read(calls.getConsoleNotices));
  if (!notices) return null;
  const { update } = notices;
  if (notices.outbound === null && notices.alarms.length === 0 && !update) return null;
  return (
    <section aria-label="Alarms" className="mx-auto grid w-full max-w-6xl gap-2 px-4 pt-4 sm:px-6">
      {notices.outbound !== null && (
        <Banner
          tone="warn"
          title="Everything outgoing waits, because a backup was restored"
          action={
            <ButtonLink href="/operator/outbound" size="sm">
              Release…
            </ButtonLink>
          }
        >
          Waiting: {notices.outbound}.
        </Banner>
      )}
      {notices.alarms.map(({ title, text, label, path }) => (
        <Banner
          key={title}
          tone="warn"
          title={title}
          action={
            <ButtonLink href={path} size="sm" variant="secondary">
              {label}
            </ButtonLink>
          }
        >
          {text}
        </Banner>
      ))}
      {update && (
        <Banner
          tone="info"
          title={update.text}
          action={
            <ButtonOutLink href={update.url} size="sm" variant="secondary">
              What’s new
            </ButtonOutLink>
          }
        >
          Make a backup before you upgrade.
        </Banner>
      )}
      {notices.more > 0 && (
        <p className="text-sm text-ink-soft">
          And {notices.more} more: run <code translate="no">openslot doctor</code>.
        </p>
      )}
    </section>
  );
}
