import { html, type Markup } from '#server/platform/http/html.ts';

type Entry = readonly [path: string, label: string];

/** The console's menu: its groups with their pages. A new page needs one line here, and a queue one in `homePage`. */
const MENU: readonly (readonly [group: string, pages: readonly [Entry, ...Entry[]]])[] = [
  [
    'Today',
    [
      ['/operator', 'Overview'],
      ['/operator/requests', 'Requests'],
    ],
  ],
  ['Find', [['/operator/find', 'Find']]],
  [
    'Moderation',
    [
      ['/operator/reports', 'Reports'],
      ['/operator/appeals', 'Answers'],
      ['/operator/new-websites', 'New websites'],
      ['/operator/claims', 'Ownership claims'],
      ['/operator/withdrawals', 'Withdrawals'],
    ],
  ],
  [
    'Money',
    [
      ['/operator/money', 'Money'],
      ['/operator/books', 'Books'],
      ['/operator/bank', 'Bank payouts'],
      ['/operator/tax', 'Tax rates'],
    ],
  ],
  [
    'System',
    [
      ['/operator/system', 'System'],
      ['/operator/faults', 'Faults'],
      ['/operator/jobs', 'Jobs'],
      ['/operator/mail', 'Mail'],
      ['/operator/settings', 'Settings'],
      ['/operator/pages', 'Pages'],
      ['/operator/announcement', 'Announcement'],
      ['/operator/operators', 'Operators'],
      ['/operator/audit', 'Audit trail'],
    ],
  ],
];

/** The entry under which the other pages are found. A page that is not named here is in no group. */
const UNDER: Readonly<Record<string, string>> = {
  '/operator/people/:id': '/operator/find',
  '/operator/websites/:id': '/operator/find',
  '/operator/zones/:id': '/operator/find',
  '/operator/ads/:id': '/operator/find',
  '/operator/documents/:number': '/operator/find',
  '/operator/appeals/:id': '/operator/appeals',
  '/operator/evidence/:id': '/operator/books',
  '/operator/outbound': '/operator/system',
  '/operator/pages/:key': '/operator/pages',
};

/** The groups, for the header of the page with the path pattern `at`. */
export function groupsOf(at: string): Markup {
  const open = openGroup(at);
  return html`<nav class="bar" aria-label="Console">${MENU.map(
    (each) =>
      // A screen reader says 'page' only for the page itself. The pages of a group say it below.
      html`<a href="${each[1][0][0]}"${each === open && html` aria-current="${each[1].length === 1 && at === each[1][0][0] ? 'page' : 'true'}"`}>${each[0]}</a>`,
  )}</nav>`;
}

/** The pages of the group of `at`. */
export function pagesOf(at: string): Markup | false {
  const [group, pages = []] = openGroup(at) ?? [];
  return (
    pages.length > 1 &&
    html`<nav class="tabs" aria-label="${group}">${pages.map(
      ([path, label]) =>
        html`<a href="${path}"${path === entryOf(at) && html` aria-current="${at === path ? 'page' : 'true'}"`}>${label}</a>`,
    )}</nav>
`
  );
}

const entryOf = (at: string) => UNDER[at] ?? at;

function openGroup(at: string): (typeof MENU)[number] | undefined {
  return MENU.find(([, pages]) => pages.some(([path]) => path === entryOf(at)));
}
