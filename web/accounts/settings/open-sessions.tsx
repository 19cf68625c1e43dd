import { useId, useRef, useState, type ReactNode } from 'react';
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

const SHOWN_AT_FIRST = 3;

/**
 * The user's sessions by device, the newest three at first. Each can be signed out, or all others at once. [ACCT-01]
 */
export function OpenSessions() {
  const { data: sessions, dataUpdatedAt, isError, refetch } = useSessions();
  const [asking, setAsking] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  // The pressed button disappears with its row, so the focus moves to the list.
  const end = useEndSession(() => list.current?.focus());
  const hasOthers = sessions?.some(({ isCurrent }) => !isCurrent);
  // The server sorts by last use. Put the current session first, because its last use may be minutes old.
  const newest = sessions?.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent)) ?? [];

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
        <div
          ref={list}
          role="group"
          tabIndex={-1}
          aria-label="Active sessions"
          className="mt-4 grid gap-4 outline-none"
        >
          {[...byDevice(showsAll ? newest : newest.slice(0, SHOWN_AT_FIRST))].map(([device, ofDevice]) => (
            <Device key={device} name={device}>
              {ofDevice.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  now={new Date(dataUpdatedAt)}
                  ending={end.isPending && end.variables === session.id}
                  onEnd={() => end.mutate(session.id)}
                />
              ))}
            </Device>
          ))}
          {!showsAll && sessions.length > SHOWN_AT_FIRST && (
            <Button
              variant="secondary"
              size="sm"
              className="justify-self-start"
              onClick={() => {
                setShowsAll(true);
                list.current?.focus();
              }}
            >
              Show all {sessions.length} sessions
            </Button>
          )}
        </div>
      ) : (
        <Skeleton className="mt-5 h-16" />
      )}
      <EndOtherSessions open={asking} onOpenChange={setAsking} />
    </Card>
  );
}

type EndOtherSessionsProps = { open: boolean; onOpenChange: (open: boolean) => void };

function EndOtherSessions({ open, onOpenChange }: EndOtherSessionsProps) {
  const endOthers = useEndOtherSessions();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Sign out everywhere else?"
      confirmLabel="Sign out"
      destructive
      busy={endOthers.isPending}
      onConfirm={() => endOthers.mutate(undefined, { onSettled: () => onOpenChange(false) })}
    >
      Every other device and browser is signed out right away. You stay signed in here.
    </ConfirmDialog>
  );
}

const UNKNOWN_DEVICE = 'Unknown device';

/** Groups the sessions by device; the device of the newest session comes first. */
function byDevice(sessions: readonly OpenSession[]): Map<string, OpenSession[]> {
  return Map.groupBy(sessions, ({ device }) => device ?? UNKNOWN_DEVICE);
}

function Device({ name, children }: { name: string; children: ReactNode }) {
  const id = useId();
  const Icon = /iPhone|iPad|Android/.test(name) ? Smartphone : Laptop;
  return (
    <div className="flex gap-4">
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <h3 id={id} className="font-medium wrap-anywhere">
          {name}
        </h3>
        <ul aria-labelledby={id} className="divide-y divide-line">
          {children}
        </ul>
      </div>
    </div>
  );
}

type SessionRowProps = { session: OpenSession; now: Date; ending: boolean; onEnd: () => void };

function SessionRow({ session, now, ending, onEnd }: SessionRowProps) {
  const { device, isCurrent } = session;
  const logout = useLogout();
  const startedAt = formatDateTime(session.startedAt);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <p className="grid min-w-0 flex-1 basis-40 justify-items-start gap-0.5 text-xs text-ink-faint">
        {isCurrent ? (
          <Badge tone="good">This session</Badge>
        ) : (
          <span>Last used {formatAgo(session.lastUsedAt, now)}</span>
        )}
        <span>Signed in {startedAt}</span>
      </p>
      {isCurrent ? (
        <Button variant="secondary" size="sm" busy={logout.isPending} onClick={() => logout.mutate()}>
          Sign out
        </Button>
      ) : (
        <Button variant="secondary" size="sm" busy={ending} onClick={onEnd}>
          Sign out
          <span className="sr-only">
            {device ?? UNKNOWN_DEVICE}, signed in {startedAt}
          </span>
        </Button>
      )}
    </li>
  );
}
