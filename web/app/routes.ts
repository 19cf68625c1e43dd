import { matchRoute, useLocation, useRouter } from 'wouter';
import type { MemberRight } from '#domain/accounts/members.ts';
import { latePage, type LatePage } from './late-page.tsx';

export type RouteEntry = {
  path: string;
  /** The document's title, to which the product's name is appended. */
  title: string;
  Page: LatePage<object>;
} & (
  | { access: 'everybody' }
  /** `right`: what the page needs while its reader acts for an account of others. Null for a page about the person. [RES-84] */
  | { access: 'signed-in'; right: MemberRight | null }
);

/**
 * The routes of the specification, and our own: `/campaigns`, `/earnings`, `/results`, `/billing` and `/ledger`. `/` is two pages, see `HOME` and `LANDING`. The build makes one chunk
 * per page.
 */
export const ROUTES: readonly RouteEntry[] = [
  {
    path: '/auth',
    title: 'Sign in',
    access: 'everybody',
    Page: latePage(() => import('#web/pages/auth.tsx')),
  },
  { path: '/demo', title: 'Demo', access: 'everybody', Page: latePage(() => import('#web/pages/demo.tsx')) },
  {
    path: '/dashboard',
    title: 'Dashboard',
    access: 'signed-in',
    right: 'ads',
    Page: latePage(() => import('#web/pages/dashboard.tsx')),
  },
  {
    path: '/marketplace',
    title: 'Marketplace',
    access: 'signed-in',
    right: 'ads',
    Page: latePage(() => import('#web/pages/marketplace.tsx')),
  },
  {
    path: '/create-ad',
    title: 'Create Ad',
    access: 'signed-in',
    right: 'change',
    Page: latePage(() => import('#web/pages/create-ad.tsx')),
  },
  {
    path: '/ad-zones',
    title: 'My Ad Zones',
    access: 'signed-in',
    right: 'ads',
    Page: latePage(() => import('#web/pages/ad-zones.tsx')),
  },
  {
    path: '/campaigns/:publicId',
    title: 'Campaign',
    access: 'signed-in',
    right: 'ads',
    Page: latePage(() => import('#web/pages/campaigns.tsx')),
  },
  {
    path: '/earnings',
    title: 'Earnings',
    access: 'signed-in',
    right: 'money',
    Page: latePage(() => import('#web/pages/earnings.tsx')),
  },
  {
    path: '/results',
    title: 'Results',
    access: 'signed-in',
    right: 'figures',
    Page: latePage(() => import('#web/pages/results.tsx')),
  },
  {
    path: '/billing',
    title: 'Billing',
    access: 'signed-in',
    right: 'money',
    Page: latePage(() => import('#web/pages/billing.tsx')),
  },
  {
    path: '/transactions',
    title: 'Transactions',
    access: 'signed-in',
    right: 'figures',
    Page: latePage(() => import('#web/pages/transactions.tsx')),
  },
  {
    path: '/settings',
    title: 'Settings',
    access: 'signed-in',
    right: 'money',
    Page: latePage(() => import('#web/pages/settings.tsx')),
  },
  {
    path: '/accounts',
    title: 'Your accounts',
    access: 'signed-in',
    right: null,
    Page: latePage(() => import('#web/pages/accounts.tsx')),
  },
  {
    path: '/join',
    title: 'Join an account',
    access: 'everybody',
    Page: latePage(() => import('#web/pages/join.tsx')),
  },
  {
    path: '/checkout/:publicId',
    title: 'Checkout',
    access: 'signed-in',
    right: 'money',
    Page: latePage(() => import('#web/pages/checkout.tsx')),
  },
  {
    path: '/plans',
    title: 'Plans',
    access: 'signed-in',
    right: 'ads',
    Page: latePage(() => import('#web/pages/plans.tsx')),
  },
  // Before the page of one plan, whose path fits this address, too.
  {
    path: '/plans/new',
    title: 'New Plan',
    access: 'signed-in',
    right: 'change',
    Page: latePage(() => import('#web/pages/plans-new.tsx')),
  },
  {
    path: '/plans/:publicId',
    title: 'Plan',
    access: 'signed-in',
    right: 'ads',
    Page: latePage(() => import('#web/pages/plans.tsx')),
  },
  {
    // Below /checkout/, because only there the card provider's script may run (server/http/content-policy.ts).
    path: '/checkout/:publicId/on-approval',
    title: 'Pay when approved',
    access: 'signed-in',
    right: 'money',
    Page: latePage(() => import('#web/pages/checkout-on-approval.tsx')),
  },
  {
    path: '/checkout/plans/:publicId/on-approval',
    title: 'Pay for a plan when approved',
    access: 'signed-in',
    right: 'money',
    Page: latePage(() => import('#web/pages/checkout-plans-on-approval.tsx')),
  },
  {
    path: '/ledger/:ref',
    title: 'Every cent',
    access: 'signed-in',
    right: 'figures',
    Page: latePage(() => import('#web/pages/ledger.tsx')),
  },
];

export const HOME: RouteEntry = {
  path: '/',
  title: 'Home',
  access: 'signed-in',
  right: 'figures',
  Page: latePage(() => import('#web/pages/home.tsx')),
};

export const LANDING: RouteEntry = {
  path: '/',
  title: 'Buy & Sell Ad Space In Minutes',
  access: 'everybody',
  Page: latePage(() => import('#web/pages/landing.tsx')),
};

/** The entry of the current path; undefined for '/' and for unknown paths. */
export function useRouteEntry(): RouteEntry | undefined {
  const [path] = useLocation();
  const { parser } = useRouter();
  return ROUTES.find((entry) => matchRoute(parser, entry.path, path)[0]);
}
