import { latePage, type Late } from '#web/ui/late.tsx';

/** The three jobs of an operator, and what stands before and after them. */
export const GROUPS = ['Today', 'Moderation', 'Money', 'System'] as const;
export type Group = (typeof GROUPS)[number];

export type ConsolePage = {
  /** As wouter matches it. The first that fits is shown. */
  path: string;
  /** The document's title, for which a page of one thing sets its own. */
  title: string;
  /** Where the menu lists it. A page of one thing is in no menu. */
  group?: Group;
  Page: Late<object>;
};

/** The pages of the console. A new one is one row here. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  {
    path: '/operator/requests',
    title: 'Requests',
    group: 'Today',
    Page: latePage(() => import('./today/requests.tsx')),
  },
  {
    path: '/operator/reports',
    title: 'Reports',
    group: 'Moderation',
    Page: latePage(() => import('./moderation/reports.tsx')),
  },
  {
    path: '/operator/audit',
    title: 'Audit trail',
    group: 'System',
    Page: latePage(() => import('./cases/audit.tsx')),
  },
  {
    path: '/operator/find',
    title: 'Find',
    Page: latePage(() => import('./cases/find.tsx')),
  },
  {
    path: '/operator/people/:id',
    title: 'Account',
    Page: latePage(() => import('./cases/person.tsx')),
  },
  {
    path: '/operator/websites/:id',
    title: 'Website',
    Page: latePage(() => import('./cases/website.tsx')),
  },
  {
    path: '/operator/zones/:id',
    title: 'Ad zone',
    Page: latePage(() => import('./cases/zone.tsx')),
  },
  {
    path: '/operator/ads/:id',
    title: 'Ad',
    Page: latePage(() => import('./cases/ad.tsx')),
  },
  {
    path: '/operator/documents/:number',
    title: 'Document',
    Page: latePage(() => import('./cases/document.tsx')),
  },
];
