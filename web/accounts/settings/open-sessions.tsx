import { useRef, useState } from 'react';
import { Laptop, Smartphone } from 'lucide-react';
import type { OpenSession } from '#domain/accounts/contract.ts';
import { formatAgo } from '#web/ui/format/ago.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useEndOtherSessions, useEndSession, useLogout, useSessions } from '../api.ts';

/** The user's sessions. Each can be signed out, or all others at once. [ACCT-01, ACCT-02] */
export function OpenSessions() {
  const { data: sessions, dataUpdatedAt, isError, refetch } = useSessions();
  const [asking, setAsking] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // The pressed button disappears with its row, so the focus moves to the list.
  const end = useEndSession(() => list.current?.focus());
  const endOthers = useEndOtherSessions();
  const hasOthers = sessions?.some(({ isCurrent }) => !isCurrent);

  return (
    <Card>
      <CardHeader
        title="Active sessions"
        description={
          sessions && !hasOthers
            ? "You're only signed in here."
            : "Sign out any session you don't recognize, then change your password."
        }
        actions={
          hasOthers && (
            <Button variant="secondary" onClick={() => setAsking(true)}>
              Sign out everywhere else
            </Button>
          )
        }
      />
      {isError ? (
        <LoadError what="your sessions" onRetry={refetch} />
      ) : sessions ? (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label="Active sessions"
          className="mt-4 divide-y divide-line outline-none"
        >
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              now={new Date(dataUpdatedAt)}
              ending={end.isPending && end.variables === session.id}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
      ) : (
        <Skeleton className="mt-5 h-16" />
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere else?"
        confirmLabel="Sign out"
        destructive
        busy={endOthers.isPending}
        onConfirm={() => endOthers.mutate(undefined, { onSettled: () => setAsking(false) })}
      >
        Every other device and browser is signed out right away. You stay signed in here.
      </ConfirmDialog>
    </Card>
  );
}

type SessionRowProps = { session: OpenSession; now: Date; ending: boolean; onEnd: () => void };

function SessionRow({ session, now, ending, onEnd }: SessionRowProps) {
  const { device, isCurrent } = session;
  const name = device ?? 'Unknown device';
  const logout = useLogout();
  const Icon = /iPhone|iPad|Android/.test(name) ? Smartphone : Laptop;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4 last:pb-0">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {isCurrent && <Badge tone="good">This session</Badge>}
        </p>
        <p className="text-xs text-ink-faint">
          {isCurrent ? 'In use now' : `Last used ${formatAgo(session.lastUsedAt, now)}`}
          <span className="block">Signed in {formatDateTime(session.startedAt)}</span>
        </p>
      </div>
      {isCurrent ? (
        <Button variant="secondary" size="sm" busy={logout.isPending} onClick={() => logout.mutate()}>
          Sign out
        </Button>
      ) : (
        <Button variant="secondary" size="sm" busy={ending} onClick={onEnd}>
          Sign out
          <span className="sr-only">
            {name}, signed in {formatDateTime(session.startedAt)}
          </span>
        </Button>
      )}
    </li>
  );
}
