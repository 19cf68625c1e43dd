/** The console's pages as markup. They decide nothing. */
import { TAX_STATUS_LABELS } from '#domain/accounts/tax-status.ts';
import { actWords, type Subject, SUBJECT_WORDS, SUBJECTS } from '#domain/operator/acts.ts';
import { MAX_SEARCH } from '#domain/operator/forms.ts';
import { REPORT_REASONS } from '#domain/transparency/report.ts';
import { OPERATOR_ROLES, ROLE_WORDS } from '#domain/operator/rights.ts';
import { EMAIL_FIELD } from '#server/platform/http/forms.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { choices, hidden, input, searchForm, select } from '#server/platform/http/page/form.ts';
import { fact, facts, rows, tabs, time } from '#server/platform/http/page/parts.ts';
import type { Page } from '#server/platform/http/route.ts';
import { readableAddress, readableEmail } from '#server/platform/net/web-address.ts';
import { creative, secondCreative } from '#server/market/transparency/archive-pages.ts';
import type { OpenCase, ReportedCase } from '#server/market/transparency/moderate.ts';
import { HOLD } from '../acts/acts-about-money.ts';
import {
  ADD_OPERATOR,
  INVITE_OPERATOR,
  REVOKE_INVITATION,
  DROP_JOB,
  END_SESSIONS,
  REMOVE_OPERATOR,
  SET_OPERATOR_ROLE,
  RESEND_MAIL,
  RESET_SECOND_FACTOR,
  RETRY_JOB,
} from '../acts/acts-of-accounts.ts';
import {
  DECIDE_APPEAL,
  costText,
  DISMISS_REPORTS,
  FOLDERS,
  RESTORE,
  SHOW_WEBSITE,
  SUSPEND,
  TAKE_DOWN,
} from '../acts/acts-of-moderation.ts';
import { SET_COMMISSION } from '../acts/acts-of-settings.ts';
import type { ConsolePage } from './console.ts';
import { type ActForm, formOf } from '../acts/define-act.ts';
import { cancelsText, proofsText, trafficText } from '../files/words.ts';
import type { ThingFile } from '../files/thing-file.ts';
import type { PersonFile, Shown } from '../people/find.ts';
import type { Cost } from '../decisions/suspend.ts';
import { actForm, actLine, confirmFirst, foldedForm, nextPage, type Viewer } from './markup.ts';
import { type Mails, mailState } from '../mail.ts';
import { PASSKEY_SCRIPT } from './passkey-script.ts';
import { refundForm } from './money-pages.ts';
import type { Invitation } from '../invitations/invitations.ts';
import type { OperatorRow } from '../rights.ts';
import type { ActRow } from '../store.ts';
import type { FoundRow } from '../store-find.ts';
import type { JobRow } from '../store-jobs.ts';
import type { TrailRow } from '../people/trail.ts';

const PLURALS: Record<Subject, string> = {
  person: 'People',
  website: 'Websites',
  zone: 'Ad zones',
  ad: 'Ads',
};

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The kinds of results on the page Find. */
type Findable = Subject | 'document';

export const findAddress = (of: Findable, search: string): string =>
  `/operator/find?${new URLSearchParams({ subject: of, q: search }).toString()}`;

export const findTabs = (here: Findable, search: string): Markup =>
  tabs(
    'What to find',
    ([...SUBJECTS, 'document'] as const).map((each) => ({
      href: findAddress(each, search),
      text: each === 'document' ? 'Documents' : PLURALS[each],
      isHere: each === here,
    })),
  );

export function findPage(subject: Subject, search: string, page: Page<FoundRow>): ConsolePage {
  return {
    title: `Find: ${PLURALS[subject]}`,
    main: html`<h1>Find</h1>
${findTabs(subject, search)}
${searchForm(
  '/operator/find',
  { name: 'q', label: `${PLURALS[subject]}: words, number or id`, value: search, max: MAX_SEARCH },
  hidden('subject', subject),
)}
${rows(
  page.items.map(
    ({ id, name, about, suspendedAt }) =>
      html`<a href="/operator/${FOLDERS[subject]}/${id}"><bdi>${subject === 'person' ? readableEmail(name) : name}</bdi></a><span class="quiet">Number ${id}${
        about && html`, <bdi>${subject === 'website' ? readableAddress(about) : about}</bdi>`
      }${suspendedAt && html`, <strong>suspended</strong>`}</span>`,
  ),
  search === '' ? 'There is nothing yet.' : 'Nothing matches. Try fewer words, or another kind.',
)}
${nextPage(findAddress(subject, search), page.next)}`,
  };
}

export function reportsPage(page: Page<OpenCase>): ConsolePage {
  return {
    title: 'Reported ads',
    main: html`<h1>Reported ads</h1>
${rows(
  page.items.map(
    ({ adId, title, reports, since, reasons }) =>
      html`<a href="/operator/ads/${adId}"><bdi>${title}</bdi></a><span class="quiet">${reports === 1 ? '1 report' : `${reports} reports`} since ${time(since)}: ${reasons.map((reason) => REPORT_REASONS[reason]).join('; ')}</span>`,
  ),
  'No reports wait for you.',
)}
${nextPage('/operator/reports', page.next)}`,
  };
}

/** The label of `about` on the page of each kind. */
const ABOUT: Record<Subject, string> = {
  person: 'Name',
  website: 'Address',
  zone: 'Shown on',
  ad: 'Links to',
};

type SubjectOptions = {
  reported: ReportedCase | null;
  /** Of a suspension. */
  cost: Cost;
  viewer: Viewer;
};

export function subjectPage(subject: Subject, shown: Shown, options: SubjectOptions): ConsolePage {
  const { reported } = options;
  const { name } = shown;
  const heading = subject === 'person' ? readableEmail(name) : name;
  return {
    title: `${capital(SUBJECT_WORDS[subject])}: ${heading}`,
    video: true,
    main: html`<h1 dir="auto">${heading}</h1>
${
  reported &&
  !reported.ad.takenDownReason &&
  html`<div class="shown"><span class="mark">Ad</span>
${creative(reported.ad)}</div>
${reported.seconds.map(secondCreative)}`
}
${identityOf(subject, shown, reported)}
${shown.file && fileOf(shown.file)}
${shown.thing && thingOf(shown.thing)}
${reported && reportList(reported)}
<div class="acts">${actsOn(subject, shown, options)}</div>
${subject === 'person' && html`<p><a class="plain" href="/operator/mail?${new URLSearchParams({ to: name }).toString()}">Mail to this person</a></p>`}
<h2>What operators did</h2>
${shown.acts.length === 0 ? html`<p class="quiet">Nothing yet.</p>` : facts(shown.acts.map(actLine))}`,
  };
}

function identityOf(subject: Subject, shown: Shown, reported: ReportedCase | null): Markup {
  const { id, publicId, about, ownerId, ownerEmail, zoneId, websiteId, suspendedAt } = shown;
  const owner = ownerEmail === null ? 'Deleted account' : readableEmail(ownerEmail);
  const link = (path: string, text: string | null) =>
    html`<a href="/operator/${path}"><bdi>${text ?? ''}</bdi></a>`;
  return facts(
    about !== '' &&
      fact(ABOUT[subject], html`<bdi>${subject === 'website' ? readableAddress(about) : about}</bdi>`),
    subject !== 'person' &&
      fact(
        subject === 'ad' ? 'Advertiser' : 'Publisher',
        html`<a href="/operator/people/${ownerId}">${owner}</a>`,
      ),
    zoneId !== null && subject === 'ad' && fact('Ad zone', link(`zones/${zoneId}`, shown.zoneName)),
    websiteId !== null &&
      subject !== 'website' &&
      fact('Website', link(`websites/${websiteId}`, shown.websiteName)),
    fact('Status', statusOf(shown, reported)),
    fact('Created', time(shown.createdAt)),
    suspendedAt !== null &&
      fact('Suspended', html`${time(suspendedAt)}: <bdi>${shown.suspendedReason ?? ''}</bdi>`),
    fact('Number', `${id}${publicId === null ? '' : `, ${publicId}`}`),
  );
}

/** The forms of the acts that are possible now. */
function actsOn(
  subject: Subject,
  { id, status, isOperator, suspendedAt }: Shown,
  { reported, cost, viewer }: SubjectOptions,
): (Markup | false | undefined)[] {
  const form = (of: ActForm, note = of.note) =>
    actForm({ form: of, ids: { id }, viewer, ...(note !== undefined && { note }) });
  const suspend = formOf(SUSPEND, subject);
  const isWaiting = status === 'waiting for review' || status === 'refused';
  const isLive = subject === 'ad' && status === 'active';
  const isPerson = subject === 'person';
  return [
    reported?.reports.some(({ closedAt }) => closedAt === null) && form(formOf(DISMISS_REPORTS)),
    suspendedAt !== null && form(formOf(RESTORE, subject)),
    suspendedAt === null && !isOperator && form(suspend, `${costText(subject, cost)} ${suspend.note ?? ''}`),
    subject === 'website' && isWaiting && form(formOf(SHOW_WEBSITE, 'website')),
    isLive && form(formOf(TAKE_DOWN)),
    isLive && refundForm(id, viewer),
    (subject === 'ad' || isPerson) && form(formOf(HOLD, subject)),
    isPerson && form(formOf(END_SESSIONS)),
    isPerson && form(formOf(RESET_SECOND_FACTOR)),
    isPerson && commissionForm(id, viewer),
  ];
}

/** The part of a person's page that agrees their commission. */
function commissionForm(id: number, viewer: Viewer): Markup | false {
  return actForm({
    form: formOf(SET_COMMISSION),
    ids: { id },
    before: input({
      name: 'percent',
      label: 'Percent',
      isRequired: true,
      max: 7,
      hint: 'From 0 to 50, such as 12.5, or the word default.',
    }),
    viewer,
  });
}

const listOf = (folder: string, items: readonly { id: number; name: string; status: string }[]) =>
  rows(
    items.map(
      ({ id, name, status }) =>
        html`<a href="/operator/${folder}/${id}"><bdi>${name}</bdi></a><span class="quiet">Number ${id}, ${status}</span>`,
    ),
    'None.',
  );

const holdsFact = (holds: PersonFile['holds']): Markup | false =>
  holds.length > 0 &&
  fact(
    'On hold',
    html`${holds.map(({ amount, reason }) => html`${amount} (${reason.replaceAll('_', ' ')}) `)} <a href="/operator/books">Books</a>`,
  );

/** The content of a website, an ad zone or an ad, with its money and its last 30 days. */
function thingOf({ zones, ads, spend, earnings, holds, traffic, proofs, faults }: ThingFile): Markup {
  return html`${facts(
    proofs !== null && fact('Ownership', proofsText(proofs)),
    fact('Paid by advertisers', spend),
    fact('Earnings of the publisher', earnings),
    holdsFact(holds),
    fact(`Last ${traffic.days} days`, trafficText(traffic)),
    faults.length > 0 &&
      fact(
        'Faults',
        html`${faults.map(({ title }) => html`${title}. `)}<a href="/operator/faults">Open the faults</a>`,
      ),
  )}
${
  proofs &&
  html`<h2>Ad zones</h2>
${listOf('zones', zones)}`
}
${
  traffic.requests !== null &&
  html`<h2>Ads</h2>
${listOf('ads', ads)}`
}`;
}

/** The belongings of a person: figures, websites, ads, and earnings on hold. */
function fileOf({
  role,
  commission,
  tax,
  acceptedTerms,
  spend,
  earnings,
  websites,
  ads,
  holds,
  cancels,
  signIns,
  mails,
}: PersonFile): Markup {
  return html`${facts(
    fact('Role', role ?? 'not chosen'),
    fact('Commission', `${commission.percent}%${commission.isOwn ? ', agreed with this publisher' : ''}`),
    tax.taxStatus !== null && fact('Tax status', taxText(tax)),
    tax.checks.length > 0 && fact('Tax numbers', html`${tax.checks.map(checkLine)}`),
    acceptedTerms !== null &&
      fact('Terms', html`Version ${acceptedTerms.version}, accepted ${time(acceptedTerms.acceptedAt)}`),
    fact('Spend', spend),
    fact('Earnings', earnings),
    holdsFact(holds),
    cancels.counted > 0 && fact('Cancels in 24 hours', cancelsText(cancels)),
  )}
<h2>Websites</h2>
${listOf('websites', websites)}
<h2>Ads</h2>
${listOf('ads', ads)}
<h2>Signed in</h2>
${rows(
  signIns.map(
    ({ device, startedAt, lastUsedAt }) =>
      html`<strong>${device ?? 'Unknown device'}</strong><span class="quiet">${startedAt && html`since ${time(startedAt)}`}${lastUsedAt && html`, used ${time(lastUsedAt)}`}</span>`,
  ),
  'Nowhere.',
)}
<h2>Mail</h2>
${rows(
  mails.map(
    ({ subject, createdAt, state }) =>
      html`<strong><bdi>${subject}</bdi></strong><span class="quiet">${time(createdAt)}, ${state}</span>`,
  ),
  'No mail.',
)}`;
}

function taxText({ taxStatus, chargesTax, agreesToSelfBilling }: PersonFile['tax']): string {
  return [
    taxStatus === null ? 'Not stated' : TAX_STATUS_LABELS[taxStatus],
    ...(chargesTax ? ['charges tax'] : []),
    ...(agreesToSelfBilling ? ['agrees to self-billing'] : []),
  ].join(', ');
}

const checkLine = ({
  taxId,
  result,
  register,
  requestId,
  answeredAt,
}: PersonFile['tax']['checks'][number]): Markup =>
  html`<div><bdi>${taxId}</bdi>: ${result}${answeredAt !== null && html`, ${time(new Date(answeredAt))}`}${
    requestId !== null && html`, request <bdi>${requestId}</bdi>`
  }${register === 'stand-in' && ', by the local stand-in'}</div>`;

function statusOf(shown: Shown, reported: ReportedCase | null): Markup {
  const down = reported?.ad.takenDownReason;
  if (down) return html`Taken down: <bdi>${down}</bdi>`;
  return html`${capital(shown.status)}${shown.isOperator && html`, operator`}`;
}

function reportList({ reports }: ReportedCase): Markup {
  if (reports.length === 0) return html`<h2>Reports</h2><p class="quiet">This ad has no reports.</p>`;
  return html`<h2>Reports</h2>
${facts(
  reports.map(({ reason, details, email, createdAt, closedAt, creative: second }) =>
    fact(
      html`${time(createdAt)}${email !== null && html`, ${email}`}${closedAt && html`, closed`}`,
      html`${REPORT_REASONS[reason]}${second !== null && html` (about “<bdi>${second}</bdi>”)`}${details !== '' && html`: <bdi>${details}</bdi>`}`,
    ),
  ),
)}`;
}

export function appealsPage(page: Page<ActRow>): ConsolePage {
  return {
    title: 'Answers to decisions',
    main: html`<h1>Answers to decisions</h1>
${rows(
  page.items.map(
    (act) =>
      html`<a href="/operator/appeals/${act.id}"><bdi>${actWords(act)}</bdi></a><span class="quiet">${act.appealedAt && time(act.appealedAt)}</span>`,
  ),
  'No answers wait for you.',
)}
${nextPage('/operator/appeals', page.next)}`,
  };
}

export function appealPage(act: ActRow, viewer: Viewer): ConsolePage {
  const subject = SUBJECTS.find((each) => each === act.subject);
  return {
    title: 'Answer to a decision',
    main: html`<h1>Answer to a decision</h1>
${facts(
  fact('Decision', html`<bdi>${actWords(act)}</bdi>, ${time(act.actedAt)}`),
  fact('Reason', html`<bdi>${act.reason}</bdi>`),
  fact('Answer', html`<bdi>${act.appealBody ?? ''}</bdi>`),
  act.outcome !== null &&
    fact(act.outcome === 'upheld' ? 'Upheld' : 'Reversed', html`<bdi>${act.answer ?? ''}</bdi>`),
)}
${subject && html`<p><a class="plain" href="/operator/${FOLDERS[subject]}/${act.subjectId}">Open the ${SUBJECT_WORDS[subject]}</a></p>`}
${
  act.outcome === null &&
  actForm({
    form: formOf(DECIDE_APPEAL),
    ids: { id: act.id },
    viewer,
    note:
      act.act === 'suspend'
        ? 'A reversed suspension ends now. The reason below is your answer, which we e-mail.'
        : 'An ad that was taken down can’t run again. The reason below is your answer, which we e-mail.',
    before: choices({
      name: 'outcome',
      label: 'Does the decision stand?',
      options: [
        ['upheld', 'It stands'],
        ['reversed', 'It is reversed'],
      ],
    }),
  })
}`,
  };
}

export function mailPage(to: string, page: Mails, viewer: Viewer): ConsolePage {
  const address = to === '' ? '/operator/mail' : `/operator/mail?${new URLSearchParams({ to }).toString()}`;
  return {
    title: 'Mail',
    main: html`<h1>Mail</h1>
${searchForm('/operator/mail', { name: 'to', label: 'All mail to this address', value: to, max: 254 })}
${page.turnedOff.length > 0 && turnedOffList(page.turnedOff)}
<p class="quiet">${to === '' ? 'Mail that has not been sent yet. ' : ''}The text isn’t shown, because it may hold a code.</p>
${rows(
  page.items.map(
    (mail) =>
      html`<strong><bdi>${mail.subject}</bdi></strong><span class="quiet">${mail.recipient}, ${time(mail.createdAt)}, ${mailState(mail)}</span>
${mail.sentAt === null && foldedForm({ viewer, form: formOf(RESEND_MAIL), ids: { id: mail.id } })}`,
  ),
  to === '' ? 'All mail was sent.' : 'There is no mail to this address.',
)}
${nextPage(address, page.next)}`,
  };
}

function turnedOffList(addresses: Mails['turnedOff']): Markup {
  return html`<h2>No mail goes to</h2>
<p class="quiet">Mail to these addresses bounced too often. Each gets mail again when its owner proves it with a mailed code, for example by setting a new password.</p>
${rows(
  addresses.map(
    ({ recipient, hardBounces, lastBounceAt }) =>
      html`<strong>${recipient}</strong><span class="quiet">${hardBounces} hard bounces, the last one ${time(lastBounceAt)}</span>`,
  ),
)}
<h2>Mail</h2>`;
}

export function jobsPage(failed: boolean, page: Page<JobRow>, viewer: Viewer): ConsolePage {
  return {
    title: 'Jobs',
    main: html`<h1>Jobs</h1>
${tabs('Which jobs', [
  { href: '/operator/jobs', text: 'All', isHere: !failed },
  { href: '/operator/jobs?failed=1', text: 'Failed', isHere: failed },
])}
${confirmFirst(viewer, formOf(DROP_JOB), 'drop jobs')}
${rows(
  page.items.map(
    (
      job,
    ) => html`<strong>${job.name}</strong><span class="quiet">Job ${job.id}, ${job.attempts} of ${job.maxAttempts} tries, ${
      job.isRunning ? 'running' : html`next at ${time(job.runAt)}`
    }${job.lastError !== null && html`. ${job.lastError.slice(0, 300)}`}</span>
${foldedForm({ viewer, form: formOf(RETRY_JOB), ids: { id: job.id } })}
${foldedForm({ viewer, form: formOf(DROP_JOB), ids: { id: job.id } })}`,
  ),
  failed ? 'No job has failed.' : 'No job is queued.',
)}
${nextPage(failed ? '/operator/jobs?failed=1' : '/operator/jobs', page.next)}`,
  };
}

export function operatorsPage(
  operators: readonly OperatorRow[],
  invitations: readonly Invitation[],
  viewer: Viewer,
): ConsolePage {
  return {
    title: 'Operators',
    main: html`<h1>Operators</h1>
${rows(
  operators.map(
    ({ id, email, role, addedAt }) =>
      html`<a href="/operator/people/${id}">${email}</a><span class="quiet">${ROLE_WORDS[role]}. Since ${time(addedAt)}</span>`,
  ),
)}
${
  invitations.length > 0 &&
  html`<h2>Invited</h2>
${rows(
  invitations.map(
    ({ id, email, role, expiresAt }) => html`<strong><bdi>${email}</bdi></strong>
<span class="quiet">${ROLE_WORDS[role]}. The link works until ${time(expiresAt)}</span>
${foldedForm({ viewer, form: formOf(REVOKE_INVITATION), ids: { id } })}`,
  ),
)}`
}
<div class="acts">${[INVITE_OPERATOR, ADD_OPERATOR, SET_OPERATOR_ROLE, REMOVE_OPERATOR].map((act, index) =>
      actForm({
        form: formOf(act),
        before: html`${input({
          id: `email-${index}`,
          name: 'email',
          label: 'Email address',
          isRequired: true,
          max: 254,
          more: html`${EMAIL_FIELD} autocomplete="off"`,
        })}${act !== REMOVE_OPERATOR && roleField(`role-${index}`)}`,
        viewer,
      }),
    )}</div>`,
  };
}

const roleField = (id: string) =>
  select({
    id,
    name: 'role',
    label: 'Role',
    options: OPERATOR_ROLES.map((role) => [role, ROLE_WORDS[role]]),
  });

export function auditPage(page: Page<TrailRow>): ConsolePage {
  return {
    title: 'Audit trail',
    main: html`<h1>Audit trail</h1>
<p class="quiet">Every act of every operator. Entries can’t be changed or deleted.</p>
${page.items.length === 0 ? html`<p class="quiet">Nothing yet.</p>` : facts(page.items.map(actLine))}
${nextPage('/operator/audit', page.next)}`,
  };
}

/** `isFirst`: the session has not been in the console yet. */
type ConfirmOptions = { hasPasskey: boolean; hasApp: boolean; isFirst: boolean };

export function factorPage(to: string, { hasPasskey, hasApp, isFirst }: ConfirmOptions): ConsolePage {
  return {
    title: 'Confirm that it’s you',
    ...(hasPasskey && { script: PASSKEY_SCRIPT }),
    main: html`<h1>Confirm that it’s you</h1>
<p>${
      isFirst
        ? 'You signed in with your password alone. The console opens after a second proof.'
        : 'Suspending, taking down, dropping, changing operators, and deciding about ownership claims and withdrawals need a fresh confirmation. It’s good for 15 minutes.'
    }</p>
${
  hasPasskey &&
  html`<p><button class="button" id="passkey" type="button" data-to="${to}" hidden>Use a passkey</button></p>
<p class="error" id="passkey-problem" role="alert" hidden></p>
<noscript><p>Turn on JavaScript to use your passkey.</p></noscript>
`
}${
      hasApp &&
      html`<form class="card" method="post" action="/operator/confirm?${new URLSearchParams({ to }).toString()}">
${input({
  name: 'code',
  label: 'Code from your authenticator app, or a recovery code',
  isRequired: true,
  max: 60,
  more: html`autofocus autocomplete="one-time-code" autocapitalize="none" spellcheck="false"`,
})}<button class="button">Confirm</button>
</form>`
    }`,
  };
}
