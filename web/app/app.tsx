import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { Redirect, Route, useLocation, useSearch } from 'wouter';
import { useCurrentUser } from '#web/accounts/current-user.ts';
import { leaveUnauthorized, useLeaving } from '#web/accounts/leaving.ts';
import { captureReferral } from '#web/accounts/referral.ts';
import { queryClient } from '#web/http/query-client.ts';
import { onSessionLost } from '#web/http/session-lost.ts';
import { latePage } from '#web/ui/late.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page } from '#web/ui/page.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { LateToaster } from './late-toaster.tsx';
import { useLostFocus } from './lost-focus.ts';
import { SkipLink } from '#web/ui/main-area.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { usePageFocus } from './page-focus.ts';
import { CONSOLE, HOME, LANDING, ROUTES, SignedInFrame, useRouteEntry, type RouteEntry } from './routes.ts';
import { useTitle } from '#web/ui/title.ts';
import type { ViewFrameProps } from './view-frame.tsx';
import { VisitorFrame } from './visitor-frame.tsx';
import { WaitingFrame } from './waiting-frame.tsx';

const SuspendedAccount = latePage(() => import('./suspended-account.tsx'));
const ViewFrame = latePage<ViewFrameProps>(() => import('./view-frame.tsx'));
const NotFoundPage = latePage(() => import('#web/pages/not-found.tsx'));

onSessionLost(leaveUnauthorized);

/**
 * Loads the code of the page that `App` shows at this path, so that it doesn't wait for it after the current-user call.
 * Rejects if the network is down.
 */
export async function loadPageAt(path: string, isSignedIn: boolean): Promise<void> {
  const root = isSignedIn ? HOME : LANDING;
  const entry = [root, ...ROUTES].find((route) => isAt(route.path, path));
  const isFramed = isSignedIn && entry?.path !== '/auth';
  await Promise.all([entry?.Page.load?.(), isFramed && SignedInFrame.load()]);
}

/** The route `/checkout/:publicId` matches `/checkout/abc`. */
function isAt(route: string, path: string): boolean {
  const [parts, given] = [route.split('/'), path.split('/')];
  return (
    parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at])
  );
}

export function App() {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <RouteGuard />
        <OfflineNotice />
        <LateToaster />
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

/** Shows the pages of a visitor or of a signed-in user. [ACC-01, ACC-05, ACC-13] */
function RouteGuard() {
  const { user, isError, retry } = useCurrentUser();
  const leaving = useLeaving();
  const wasSignedIn = useRef(false);
  usePageFocus();
  useLostFocus();

  // Runs before the browser paints, so that a session that ends at '/' doesn't flash the landing page. [OP-003]
  useLayoutEffect(() => {
    // A mail's link that opens '/auth' may end every session. The user is on the right page then and needs no redirect.
    if (user === null && wasSignedIn.current && window.location.pathname !== '/auth') leaveUnauthorized();
    wasSignedIn.current = Boolean(user);
  }, [user]);

  if (leaving) return <PageSpinner />;
  if (user) {
    const shown = user.suspendedReason ? <SuspendedAccount /> : <ForSignedIn />;
    return user.view ? <ViewFrame {...{ user, view: user.view }}>{shown}</ViewFrame> : shown;
  }
  if (user === undefined && !isError) return <WaitingFrame />;
  return <ForVisitors onRetry={isError ? retry : undefined} />;
}

function ForSignedIn() {
  const [path] = useLocation();
  const entry = useRouteEntry() ?? (path === '/' ? HOME : undefined);
  // The sign-in page itself redirects signed-in users. The console has a frame of its own.
  if (entry?.path === '/auth' || entry?.path === CONSOLE) return <Bare entry={entry} />;
  return <SignedInFrame>{entry ? <Show entry={entry} /> : <NotFoundPage />}</SignedInFrame>;
}

/** `onRetry` is given when the current-user call failed. [OP-006] */
function ForVisitors({ onRetry }: { onRetry: (() => unknown) | undefined }) {
  const [path] = useLocation();
  const search = useSearch();
  const entry = useRouteEntry() ?? (path === '/' ? LANDING : undefined);
  // Capture the referral while rendering, because the pages and redirects below read it. Storing it twice is harmless.
  // [OP-009]
  const cameByAdLink = useMemo(() => captureReferral(search), [search]);

  if (entry?.path === '/auth') return <Bare entry={entry} />;
  if (entry?.needs === 'nothing') {
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
  // A visitor who followed an advertising-space link sees the sign-up form without the Unauthorized toast.
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
  return <PageSpinner label="Redirecting to sign-in" />;
}

function Show({ entry: { path, title, Page } }: { entry: RouteEntry }) {
  useTitle(title);
  return (
    <Route path={path}>
      <Page />
    </Route>
  );
}
