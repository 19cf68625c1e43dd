import { type Subject, SUBJECT_WORDS } from '#domain/operator/acts.ts';
import { rowNumber, searchText } from '#domain/operator/forms.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { listWithdrawals } from '#server/delivery/invalid-traffic/overrule.ts';
import { listClaims } from '#server/market/inventory/ownership/decide-ownership.ts';
import { listWaitingWebsites } from '#server/market/inventory/admission/admission.ts';
import { readOutbound } from '#server/platform/outbound/wait.ts';
import { listBankPayouts } from '#server/money/payouts/bank-file.ts';
import { readBooks } from '#server/money/books/books.ts';
import { businessDay } from '#server/money/documents/business-day.ts';
import { checkMoney } from '#server/money/books/check.ts';
import { waitingCancels } from '#server/money/refunds/cancelling/overdue.ts';
import { listMoney } from '#server/money/books/list.ts';
import { openTaxIds } from '#server/money/tax-ids/list.ts';
import { lastComparison } from '#server/money/books/reconcile.ts';
import { reportWholeCheck } from '#server/money/books/whole-check.ts';
import { showEvidence } from '#server/money/disputes/evidence.ts';
import { reportedCase } from '#server/market/transparency/moderate.ts';
import { DISPUTE, PAGE } from '../acts/act-targets.ts';
import { FOLDERS } from '../acts/acts-of-moderation.ts';
import type { Visit } from '../admit.ts';
import { bankPage } from './bank-pages.ts';
import { booksPage, evidencePage } from './books-pages.ts';
import type { ConsolePage } from './console.ts';
import { type PageName, idOf } from '../acts/define-act.ts';
import { show } from '../people/find.ts';
import { jobs } from '../jobs.ts';
import type { ReadLine } from '../money/bank.ts';
import { mails } from '../mail.ts';
import type { Viewer } from './markup.ts';
import { moneyPage } from './money-pages.ts';
import { outboundPage } from './outbound-pages.ts';
import { listOperatorFaults } from '../faults/faults.ts';
import { faultsPage } from './fault-pages.ts';
import { claimsPage, newWebsitesPage, withdrawalsPage } from './queue-pages.ts';
import { openRequests } from '../requests/requests.ts';
import { requestsPage } from './request-pages.ts';
import { operators } from '../rights.ts';
import { findActById } from '../store.ts';
import { costOfSuspension } from '../decisions/suspend.ts';
import { listSettings } from '../settings/settings.ts';
import { listPages, showPage } from '../pages/pages.ts';
import { showAnnouncement } from '../announcements/announce.ts';
import { announcementPage } from './announcement-page.ts';
import { openInvitations } from '../invitations/invitations.ts';
import { textsPage, textPage, type TypedPage } from './text-pages.ts';
import { settingsPage } from './settings-pages.ts';
import { appealPage, jobsPage, mailPage, operatorsPage, subjectPage } from './subject-pages.ts';

/** A page with forms. */
export type Sheet = {
  path: string;
  summary: string;
  show: (visit: Visit, viewer: Viewer) => Promise<ConsolePage>;
};

type Sheets<Names extends PageName> = Pick<Record<PageName, Sheet>, Names>;

/** The pages with forms. An act names the page of its form (define-act.ts). */
export function sheetsOf(ctx: Context): Record<PageName, Sheet> {
  return {
    person: subjectSheet(ctx, 'person'),
    website: subjectSheet(ctx, 'website'),
    zone: subjectSheet(ctx, 'zone'),
    ad: subjectSheet(ctx, 'ad'),
    ...queueSheets(ctx),
    ...moneySheets(ctx),
    ...marketplaceSheets(ctx),
  };
}

function subjectSheet(ctx: Context, subject: Subject): Sheet {
  return {
    path: `/operator/${FOLDERS[subject]}/:id`,
    summary: `One ${SUBJECT_WORDS[subject]} with what operators did, for the operator`,
    show: async (visit, viewer) => {
      const shown = await show(ctx, visit.operator, subject, idOf(visit));
      const reported = subject === 'ad' ? await reportedCase(ctx, shown.id) : null;
      const cost = await costOfSuspension(ctx, ctx.db, subject, shown.id);
      return subjectPage(subject, shown, { reported, cost, viewer });
    },
  };
}

/** The pages about work that waits for an operator or for the server. */
function queueSheets(
  ctx: Context,
): Sheets<'appeal' | 'newWebsites' | 'claims' | 'withdrawals' | 'mail' | 'jobs' | 'operators' | 'requests'> {
  return {
    appeal: {
      path: '/operator/appeals/:id',
      summary: 'One answer to a decision, for the operator',
      show: async (visit, viewer) => {
        const act = await findActById(ctx.db, idOf(visit));
        if (!act || act.appealBody === null)
          throw notFound('There is no answer to a decision with this number.');
        return appealPage(act, viewer);
      },
    },
    newWebsites: {
      path: '/operator/new-websites',
      summary: 'The websites that wait until an operator has looked at them, for the operator',
      show: async ({ query }, viewer) =>
        newWebsitesPage(await listWaitingWebsites(ctx, { cursor: query['cursor'] }), viewer),
    },
    claims: {
      path: '/operator/claims',
      summary: 'The queue of ownership claims, for the operator',
      show: async ({ query }, viewer) =>
        claimsPage(await listClaims(ctx, { cursor: query['cursor'] }), viewer),
    },
    withdrawals: {
      path: '/operator/withdrawals',
      summary: 'The withdrawals of invalid traffic, for the operator',
      show: async ({ query }, viewer) => {
        const all = query['all'] === '1';
        const page = await listWithdrawals(ctx, { open: !all, cursor: query['cursor'] });
        return withdrawalsPage(page, { all, now: ctx.now(), viewer });
      },
    },
    mail: {
      path: '/operator/mail',
      summary: 'Mail that has not been sent, or all mail to an address, for the operator',
      show: async ({ query }, viewer) => {
        const to = searchText.parse(query['to']).toLowerCase();
        return mailPage(to, await mails(ctx, { ...(to !== '' && { to }), cursor: query['cursor'] }), viewer);
      },
    },
    jobs: {
      path: '/operator/jobs',
      summary: 'The queued jobs, for the operator',
      show: async ({ query }, viewer) => {
        const failed = query['failed'] === '1';
        return jobsPage(failed, await jobs(ctx, { failed, cursor: query['cursor'] }), viewer);
      },
    },
    operators: {
      path: '/operator/operators',
      summary: 'The operators',
      show: async (_, viewer) => operatorsPage(await operators(ctx), await openInvitations(ctx), viewer),
    },
    requests: {
      path: '/operator/requests',
      summary: 'The requests that wait for a second operator',
      show: async ({ operator }, viewer) =>
        requestsPage(ctx, await openRequests(ctx), { operatorId: operator.id, viewer }),
    },
  };
}

function moneySheets(ctx: Context): Sheets<'money' | 'books' | 'bank' | 'evidence'> {
  return {
    bank: {
      path: '/operator/bank',
      summary: 'The payouts by bank transfer, and the files for the bank, for the operator',
      show: async (_, viewer) => await bankSheet(ctx, viewer),
    },
    money: {
      path: '/operator/money',
      summary: 'Checks the books, and lists the money work that waits, for the operator',
      show: async (_, viewer) =>
        moneyPage(
          await checkMoney(ctx),
          { ...(await listMoney(ctx)), taxIds: await openTaxIds(ctx), cancels: await waitingCancels(ctx) },
          await lastComparison(ctx),
          await reportWholeCheck(ctx.db, ctx.realNow()),
          viewer,
          ctx.now(),
        ),
    },
    books: {
      path: '/operator/books',
      summary: 'Owed amounts, what covers them, holds and disputes, for the operator',
      show: async ({ body }, viewer) =>
        booksPage(await readBooks(ctx), { typed: body, today: businessDay(ctx, ctx.now()), viewer }),
    },
    evidence: {
      path: '/operator/evidence/:id',
      summary: 'The evidence of a dispute, for the operator',
      show: async (visit, viewer) => {
        const { disputeId } = DISPUTE.inPath(visit, 'evidence');
        return evidencePage(disputeId, await showEvidence(ctx, disputeId), viewer);
      },
    },
  };
}

/** The page of payouts by bank transfer, with what a statement did. */
export async function bankSheet(
  ctx: Context,
  viewer: Viewer,
  statement: readonly ReadLine[] | null = null,
): Promise<ConsolePage> {
  const { method, mode } = { method: ctx.config.payoutMethod, mode: ctx.payments.mode };
  return bankPage({ method, mode, ...(await listBankPayouts(ctx)), statement }, viewer);
}

/** The pages about the marketplace as a whole. */
function marketplaceSheets(
  ctx: Context,
): Sheets<'outbound' | 'pages' | 'page' | 'announcement' | 'faults' | 'settings'> {
  return {
    outbound: {
      path: '/operator/outbound',
      summary: 'Whether everything outgoing waits after a restore, and what waits, for the operator',
      show: async (_, viewer) => outboundPage(await readOutbound(ctx.db), viewer),
    },
    pages: {
      path: '/operator/pages',
      summary: 'The pages that the operator writes, for the operator',
      show: async (_, viewer) => textsPage(await listPages(ctx), viewer),
    },
    page: {
      path: '/operator/pages/:key',
      summary: 'One page that the operator writes, with its versions, for the operator',
      show: async (visit, viewer) => {
        const { key } = PAGE.inPath(visit, 'page');
        const version = rowNumber(visit.query['version'] ?? '') ?? undefined;
        return textPage(await showPage(ctx, key, version), { typed: typedIn(visit), viewer });
      },
    },
    announcement: {
      path: '/operator/announcement',
      summary: 'What every page says above its content, for the operator',
      show: async ({ body }, viewer) => announcementPage(await showAnnouncement(ctx), body, viewer),
    },
    faults: {
      path: '/operator/faults',
      summary:
        'What refuses nearly all views and clicks of websites or of the installation, for the operator',
      show: async (_, viewer) => faultsPage(await listOperatorFaults(ctx), viewer),
    },
    settings: {
      path: '/operator/settings',
      summary: 'The settings of the marketplace, for the operator',
      show: async ({ params: { name = '' }, body: { value } }, viewer) =>
        settingsPage(await listSettings(ctx), value === undefined ? {} : { [name]: value }, viewer),
    },
  };
}

/** The text that the operator typed into the form of a page; undefined if it was not sent. */
export function typedIn({ body }: Visit): TypedPage | undefined {
  const { text, version, reason = '' } = body;
  return text === undefined ? undefined : { text, version, reason };
}
