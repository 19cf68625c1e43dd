import type { ComponentType, ReactNode } from 'react';
import { matchRoute, useLocation, useRouter } from 'wouter';
import type { MemberRight } from '#domain/accounts/members.ts';
import DemoPage from '#web/pages/demo.tsx';
import LandingPage from '#web/pages/landing.tsx';
import { latePage } from '#web/ui/late.tsx';
import { WaitingFrame } from './waiting-frame.tsx';

export type RouteEntry = {
  path: string;
  /** The document's title, to which the product's name is appended. */
  title: string;
  /**
   * 'nothing': everybody sees it. 'sign-in': a page about the person. A right: the page needs it while its reader acts for an account
   * of others.
   */
  needs: 'nothing' | 'sign-in' | MemberRight;
  /** Without `load`, its code is in the entry: the two pages that visitors see first, which are small. */
  Page: ComponentType & { load?: () => Promise<void> };
};

/** The path of the operator's console, which has a frame and pages of its own (web/operator). */
export const CONSOLE = '/operator/*?';

/**
 * The routes of the specification, and our own: `/ad-zones/…`, `/campaigns`, `/earnings`, `/results`, `/billing` and `/ledger`. `/` is two pages, see `HOME` and `LANDING`. The build makes one chunk
 * per page.
 */
export const ROUTES: readonly RouteEntry[] = [
  {
    path: '/auth',
    title: 'Sign in',
    needs: 'nothing',
    Page: latePage(() => import('#web/pages/auth.tsx')),
  },
  { path: '/demo', title: 'Demo', needs: 'nothing', Page: DemoPage },
  {
    path: '/dashboard',
    title: 'Dashboard',
    needs: 'ads',
    Page: latePage(() => import('#web/pages/dashboard.tsx')),
  },
  {
    path: '/marketplace',
    title: 'Marketplace',
    needs: 'ads',
    Page: latePage(() => import('#web/pages/marketplace.tsx')),
  },
  {
    path: '/create-ad',
    title: 'Create Ad',
    needs: 'change',
    Page: latePage(() => import('#web/pages/create-ad.tsx')),
  },
  {
    path: '/ad-zones',
    title: 'My Ad Zones',
    needs: 'ads',
    Page: latePage(() => import('#web/pages/ad-zones.tsx')),
  },
  {
    path: '/ad-zones/:publicId',
    title: 'Ad Zone',
    needs: 'ads',
    Page: latePage(() => import('#web/pages/ad-zone.tsx')),
  },
  {
    path: '/campaigns/:publicId',
    title: 'Campaign',
    needs: 'ads',
    Page: latePage(() => import('#web/pages/campaigns.tsx')),
  },
  {
    path: '/earnings',
    title: 'Earnings',
    needs: 'money',
    Page: latePage(() => import('#web/pages/earnings.tsx')),
  },
  {
    path: '/results',
    title: 'Results',
    needs: 'figures',
    Page: latePage(() => import('#web/pages/results.tsx')),
  },
  {
    path: '/billing',
    title: 'Billing',
    needs: 'money',
    Page: latePage(() => import('#web/pages/billing.tsx')),
  },
  {
    path: '/transactions',
    title: 'Transactions',
    needs: 'figures',
    Page: latePage(() => import('#web/pages/transactions.tsx')),
  },
  {
    path: '/settings',
    title: 'Settings',
    needs: 'money',
    Page: latePage(() => import('#web/pages/settings.tsx')),
  },
  {
    path: '/accounts',
    title: 'Your accounts',
    needs: 'sign-in',
    Page: latePage(() => import('#web/pages/accounts.tsx')),
  },
  {
    path: '/join',
    title: 'Join an account',
    needs: 'nothing',
    Page: latePage(() => import('#web/pages/join.tsx')),
  },
  {
    path: '/checkout/:publicId',
    title: 'Checkout',
    needs: 'money',
    Page: latePage(() => import('#web/pages/checkout.tsx')),
  },
  {
    path: '/plans',
    title: 'Plans',
    needs: 'ads',
    Page: latePage(() => import('#web/pages/plans.tsx')),
  },
  // Before the page of one plan, whose path fits this address, too.
  {
    path: '/plans/new',
    title: 'New Plan',
    needs: 'change',
    Page: latePage(() => import('#web/pages/plans-new.tsx')),
  },
  {
    path: '/plans/:publicId',
    title: 'Plan',
    needs: 'ads',
    Page: latePage(() => import('#web/pages/plans.tsx')),
  },
  {
    // Below /checkout/, because only there the card provider's script may run (server/platform/http/fastify/content-policy.ts).
    path: '/checkout/:publicId/on-approval',
    title: 'Pay when approved',
    needs: 'money',
    Page: latePage(() => import('#web/pages/checkout-on-approval.tsx')),
  },
  {
    path: '/checkout/plans/:publicId/on-approval',
    title: 'Pay for a plan when approved',
    needs: 'money',
    Page: latePage(() => import('#web/pages/checkout-plans-on-approval.tsx')),
  },
  {
    path: CONSOLE,
    title: 'Operator console',
    needs: 'sign-in',
    Page: latePage(() => import('#web/operator/console.tsx')),
  },
  {
    path: '/ledger/:ref',
    title: 'Every cent',
    needs: 'figures',
    Page: latePage(() => import('#web/pages/ledger.tsx')),
  },
];

export const HOME: RouteEntry = {
  path: '/',
  title: 'Home',
  needs: 'figures',
  Page: latePage(() => import('#web/pages/home.tsx')),
};

export const LANDING: RouteEntry = {
  path: '/',
  title: 'Buy & Sell Ad Space In Minutes',
  needs: 'nothing',
  Page: LandingPage,
};

/** The frame of signed-in pages contains menus and dialogs, whose code a visitor doesn't need. */
export const SignedInFrame = latePage<{ children: ReactNode }>(
  () => import('./signed-in-frame.tsx'),
  WaitingFrame,
);

/** The entry of the current path; undefined for '/' and for unknown paths. */
export function useRouteEntry(): RouteEntry | undefined {
  const [path] = useLocation();
  const { parser } = useRouter();
  return ROUTES.find((entry) => matchRoute(parser, entry.path, path)[0]);
}
