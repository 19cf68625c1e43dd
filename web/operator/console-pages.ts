import { latePage, type Late } from '#web/ui/late.tsx';

/** The three jobs of an operator, and what stands before and after them. */
export const GROUPS = ['Today', 'Moderation', 'Money', 'System'] as const;
export type Group = (typeof GROUPS)[number];

export type ConsolePage = {
  /** As wouter matches it. The first that fits is shown. */
  path: string;
  /** The document's title, for which a page of one thing sets its own. */
  title: string;
  /** In the menu, if that is not its title. */
  label?: string;
  /** Where the menu lists it. A page of one thing is in no menu. */
  group?: Group;
  Page: Late<object>;
};

/** The pages of the console. A new one is one row here. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  {
    path: '/operator',
    title: 'Today',
    group: 'Today',
    Page: latePage(() => import('./today/today.tsx')),
  },
  {
    path: '/operator/requests',
    title: 'Requests',
    group: 'Today',
    Page: latePage(() => import('./today/requests.tsx')),
  },
  {
    path: '/operator/find',
    title: 'Find',
    Page: latePage(() => import('./cases/find.tsx')),
  },
  {
    path: '/operator/reports',
    title: 'Reports',
    group: 'Moderation',
    Page: latePage(() => import('./moderation/reports.tsx')),
  },
  {
    path: '/operator/appeals',
    title: 'Answers to decisions',
    label: 'Answers',
    group: 'Moderation',
    Page: latePage(() => import('./moderation/appeals.tsx')),
  },
  {
    path: '/operator/appeals/:id',
    title: 'Answer to a decision',
    Page: latePage(() => import('./moderation/appeal.tsx')),
  },
  {
    path: '/operator/new-websites',
    title: 'New websites',
    group: 'Moderation',
    Page: latePage(() => import('./moderation/new-websites.tsx')),
  },
  {
    path: '/operator/claims',
    title: 'Ownership claims',
    group: 'Moderation',
    Page: latePage(() => import('./moderation/claims.tsx')),
  },
  {
    path: '/operator/withdrawals',
    title: 'Withdrawals',
    group: 'Moderation',
    Page: latePage(() => import('./moderation/withdrawals.tsx')),
  },
  {
    path: '/operator/money',
    title: 'Money work',
    group: 'Money',
    Page: latePage(() => import('./money/money.tsx')),
  },
  {
    path: '/operator/books',
    title: 'Books',
    group: 'Money',
    Page: latePage(() => import('./money/books.tsx')),
  },
  {
    path: '/operator/evidence/:id',
    title: 'Evidence',
    Page: latePage(() => import('./money/evidence.tsx')),
  },
  {
    path: '/operator/bank',
    title: 'Bank payouts',
    group: 'Money',
    Page: latePage(() => import('./money/bank.tsx')),
  },
  {
    path: '/operator/tax',
    title: 'Tax rates',
    group: 'Money',
    Page: latePage(() => import('./money/tax.tsx')),
  },
  {
    path: '/operator/system',
    title: 'System',
    group: 'System',
    Page: latePage(() => import('./system/system.tsx')),
  },
  {
    path: '/operator/outbound',
    title: 'Outgoing',
    Page: latePage(() => import('./system/outbound.tsx')),
  },
  {
    path: '/operator/faults',
    title: 'Faults',
    group: 'System',
    Page: latePage(() => import('./system/faults.tsx')),
  },
  {
    path: '/operator/jobs',
    title: 'Jobs',
    group: 'System',
    Page: latePage(() => import('./system/jobs.tsx')),
  },
  {
    path: '/operator/mail',
    title: 'Mail',
    group: 'System',
    Page: latePage(() => import('./system/mail.tsx')),
  },
  {
    path: '/operator/settings',
    title: 'Settings',
    group: 'System',
    Page: latePage(() => import('./settings/settings.tsx')),
  },
  {
    path: '/operator/pages',
    title: 'Pages',
    group: 'System',
    Page: latePage(() => import('./system/pages.tsx')),
  },
  {
    path: '/operator/pages/:key',
    title: 'Page',
    Page: latePage(() => import('./system/written-page.tsx')),
  },
  {
    path: '/operator/announcement',
    title: 'Announcement',
    group: 'System',
    Page: latePage(() => import('./system/announcement.tsx')),
  },
  {
    path: '/operator/operators',
    title: 'Operators',
    group: 'System',
    Page: latePage(() => import('./system/operators.tsx')),
  },
  {
    path: '/operator/audit',
    title: 'Audit trail',
    group: 'System',
    Page: latePage(() => import('./cases/audit.tsx')),
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
