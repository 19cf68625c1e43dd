import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import type { ConsoleSession } from '#domain/operator/console/session-contract.ts';
import { isInView } from '#web/accounts/view-api.ts';
import { read } from '#web/http/query.ts';
import { RequestError } from '#web/http/request-error.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { DraftOwner } from '#web/ui/forms/drafts.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import NotFoundPage from '#web/pages/not-found.tsx';
import { CONSOLE_PAGES } from './console-pages.ts';
import { ConfirmForm } from './frame/confirm-form.tsx';
import { ConfirmDialog } from './frame/confirm-dialog.tsx';
import { ConsoleFrame } from './frame/console-frame.tsx';
import { MenuPages } from './parts/menu-pages.ts';
import { Operator } from './parts/operator.ts';

const IN_MENU = CONSOLE_PAGES.filter(({ group }) => group !== undefined);

/** The pages of the console for an operator, after a code or a passkey. [OPER-03] */
export default function Console() {
  const { data: session, error, refetch } = useQuery(read(calls.getConsoleSession));
  if (error instanceof RequestError && error.status === 404) return <NotFoundPage />;
  if (isInView(error)) return <Viewing />;
  if (error && !session)
    return (
      <Page narrow>
        <LoadError what="the console" onRetry={() => void refetch()} />
      </Page>
    );
  if (!session) return <PageSpinner />;
  if (!session.isProven) return <Prove session={session} onProven={() => void refetch()} />;
  return (
    <Operator value={session}>
      <DraftOwner value={String(session.id)}>
        <MenuPages value={IN_MENU}>
          <ConsoleFrame>
            <Switch>
              {CONSOLE_PAGES.map(({ path, Page: Shown }) => (
                <Route key={path} path={path}>
                  <Shown />
                </Route>
              ))}
              <Route>
                <NotFoundPage />
              </Route>
            </Switch>
          </ConsoleFrame>
        </MenuPages>
      </DraftOwner>
      <ConfirmDialog session={session} />
    </Operator>
  );
}

/** The bar above this page has the button that leads back. [OPER-200] */
function Viewing() {
  return (
    <Alone title="You look at an account">
      <p className="text-sm text-ink-soft">
        While you look at the product as somebody else, the console is closed. Stop looking to use it. If you
        see no bar above this page, reload it.
      </p>
    </Alone>
  );
}

/** A session that was opened with a password alone gives a code or a passkey first. */
function Prove({ session, onProven }: { session: ConsoleSession; onProven: () => void }) {
  return session.hasApp || session.hasPasskey ? (
    <Alone title="Confirm that it’s you">
      <p className="text-sm text-ink-soft">
        The console opens after a second factor. It closes after half an hour without a click, or eight hours.
      </p>
      <ConfirmForm session={session} onConfirmed={onProven} />
    </Alone>
  ) : (
    <Alone title="Set up two-step verification">
      <p className="text-sm text-ink-soft">
        You’re an operator. The console opens as soon as you turn on two-step verification with an
        authenticator app. You can also add a passkey there, and then sign in with it.
      </p>
      <ButtonLink href="/settings?tab=security" className="justify-self-start">
        Open Settings › Security
      </ButtonLink>
    </Alone>
  );
}

function Alone({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="content" tabIndex={-1} className="outline-none">
      <Page narrow className="max-w-lg">
        <PageHeader title="Operator console" />
        <Card className="grid gap-4">
          <CardHeader title={title} />
          {children}
        </Card>
      </Page>
    </main>
  );
}
