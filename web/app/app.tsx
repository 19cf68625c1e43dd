import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { Redirect, Route, useLocation, useSearch } from 'wouter';
import { useCurrentUser } from '#web/accounts/current-user.ts';
import { leaveUnauthorized, useLeaving } from '#web/accounts/leaving.ts';
import { captureReferral } from '#web/accounts/referral.ts';
import { queryClient } from '#web/http/query-client.ts';
import { onSessionLost } from '#web/http/session-lost.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page } from '#web/ui/page.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { Toaster } from '#web/ui/toaster.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { useLostFocus } from './lost-focus.ts';
import { SkipLink } from './main-area.tsx';
import { usePageFocus } from './page-focus.ts';
import { HOME, LANDING, useRouteEntry, type RouteEntry } from './routes.ts';
import { useTitle } from './title.ts';
import { VisitorFrame } from './visitor-frame.tsx';

// The frame of signed-in pages brings menus and dialogs, which a visitor is not sent.
const SignedInFrame = lazy(() => import('./signed-in-frame.tsx'));
const NotFoundPage = lazy(() => import('#web/pages/not-found.tsx'));

onSessionLost(leaveUnauthorized);

export function App() {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <Suspense fallback={<PageSpinner />}>
          <RouteGuard />
        </Suspense>
        <Toaster />
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

/** Decides by who is there (specification section 2, 'Access rules'). */
function RouteGuard() {
  const { user, isError, retry } = useCurrentUser();
  const leaving = useLeaving();
  const wasSignedIn = useRef(false);
  usePageFocus();
  useLostFocus();

  // Before the browser paints, so that a session that ends at '/' never flashes the landing page (OP-003).
  useLayoutEffect(() => {
    // On the sign-in page there is nothing to leave: a link of a mail may have ended every session.
    if (user === null && wasSignedIn.current && window.location.pathname !== '/auth') leaveUnauthorized();
    wasSignedIn.current = Boolean(user);
  }, [user]);

  if (leaving) return <PageSpinner />;
  if (user) return <ForSignedIn />;
  if (user === undefined && !isError) return <PageSpinner label="Finding out who you are" />;
  return <ForVisitors onRetry={isError ? retry : undefined} />;
}

function ForSignedIn() {
  const [path] = useLocation();
  const entry = useRouteEntry() ?? (path === '/' ? HOME : undefined);
  // The sign-in page itself moves signed-in people on.
  if (entry?.path === '/auth') return <Bare entry={entry} />;
  return <SignedInFrame>{entry ? <Show entry={entry} /> : <NotFoundPage />}</SignedInFrame>;
}

/** `onRetry` is given when it could not be found out whether there is a user (OP-006). */
function ForVisitors({ onRetry }: { onRetry: (() => unknown) | undefined }) {
  const [path] = useLocation();
  const search = useSearch();
  const entry = useRouteEntry() ?? (path === '/' ? LANDING : undefined);
  // While rendering, because pages and redirects below already look at it (OP-009). Doing it twice changes nothing.
  const cameByAdLink = useMemo(() => captureReferral(search), [search]);

  if (entry?.path === '/auth') return <Bare entry={entry} />;
  if (entry?.access === 'everybody') {
    return (
      <VisitorFrame>
        <Show entry={entry} />
      </VisitorFrame>
    );
  }
  if (onRetry) {
    return (
      <VisitorFrame>
        <Page narrow>
          <LoadError what="your account" onRetry={onRetry} />
        </Page>
      </VisitorFrame>
    );
  }
  // Who follows an advertising-space link is greeted by the sign-up form and not told off.
  if (!entry || cameByAdLink) return <Redirect to="/auth" replace />;
  return <ToSignIn />;
}

/** The sign-in page has no frame around it. */
function Bare({ entry }: { entry: RouteEntry }) {
  return (
    <>
      <SkipLink />
      <Show entry={entry} />
    </>
  );
}

function ToSignIn() {
  useEffect(leaveUnauthorized, []);
  return <PageSpinner label="Leading you to the sign-in page" />;
}

function Show({ entry: { path, title, Page } }: { entry: RouteEntry }) {
  useTitle(title);
  return (
    // Of its own for each page: while the next one loads, React would keep the last one behind the spinner.
    <Suspense key={path} fallback={<PageSpinner />}>
      <Route path={path}>
        <Page />
      </Route>
    </Suspense>
  );
}
