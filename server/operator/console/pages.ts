import type { FastifyInstance } from 'fastify';
import { type Subject, SUBJECT_WORDS, SUBJECTS } from '#domain/operator/acts.ts';
import { rowNumber, searchText } from '#domain/operator/forms.ts';
import { DEFAULT_DAYS } from '#domain/operator/overview.ts';
import { utcDay } from '#domain/time.ts';
import type { Context } from '../../context.ts';
import { countFaults } from '../../delivery/faults/open-faults.ts';
import { forbidden, notFound } from '../../http/errors.ts';
import { countOpenWithdrawals, listWithdrawals } from '../../invalid-traffic/overrule.ts';
import { countClaims, listClaims } from '../../inventory/decide-ownership.ts';
import { countWaitingWebsites, listWaitingWebsites } from '../../inventory/review/review-website.ts';
import { readOutbound } from '../../outbound/hold.ts';
import { openDisputeCount, readBooks } from '../../payments/books/books.ts';
import { checkMoney } from '../../payments/books/check.ts';
import { waitingCancels } from '../../payments/refunds/cancel-terms.ts';
import { listMoney } from '../../payments/books/list.ts';
import { openTaxIds } from '../../tax-ids/list.ts';
import { lastComparison } from '../../payments/books/reconcile.ts';
import { reportWholeCheck } from '../../payments/books/whole-check.ts';
import { showEvidence } from '../../payments/disputes/evidence.ts';
import { openCaseCount, reportedCase } from '../../transparency/moderate.ts';
import { DISPUTE, PAGE, PAGE_TEXT } from '../acts/act-targets.ts';
import { FOLDERS } from '../acts/acts-of-moderation.ts';
import { PAGE_BODY_LIMIT, SAVE_PAGE } from '../acts/acts-of-pages.ts';
import { OPERATOR_ACTS } from '../acts/acts.ts';
import { confirm, type Visit } from '../admit.ts';
import { openAppeals } from '../appeals.ts';
import { booksView, evidenceView } from './books-views.ts';
import { confirmPage, targetOf } from './confirm-page.ts';
import { confirmAddress, type Console, createConsole, type View } from './console.ts';
import { formOf, type PageName } from '../acts/define-act.ts';
import { find, show } from '../find.ts';
import { idOf } from '../acts/form-fields.ts';
import { jobs } from '../jobs.ts';
import { mails } from '../mail.ts';
import type { Viewer } from './markup.ts';
import { moneyView } from './money-views.ts';
import { outboundView } from './outbound-views.ts';
import { listOperatorFaults } from '../faults/faults.ts';
import { faultsView } from './fault-views.ts';
import { homeView, overviewCsv } from './overview-views.ts';
import { daysOf, readOverview } from '../overview/overview.ts';
import { claimsView, newWebsitesView, withdrawalsView } from './queue-views.ts';
import { reportedAds } from '../reports.ts';
import { openRequests } from '../requests.ts';
import { requestsView } from './request-views.ts';
import { operators } from '../rights.ts';
import { countOpenAppeals, findActById } from '../store.ts';
import { countFailedJobs } from '../store-jobs.ts';
import { countOpenRequests } from '../store-requests.ts';
import { costOfSuspension } from '../suspend.ts';
import { readSystem } from '../system.ts';
import { listSettings } from '../settings/settings.ts';
import { listPages, showPage } from '../pages/pages.ts';
import { showAnnouncement } from '../announcements/announce.ts';
import { announcementView } from './announcement-view.ts';
import { openInvitations } from '../invitations/invitations.ts';
import { pagesView, pageView, type TypedPage } from './page-views.ts';
import { settingsView } from './settings-views.ts';
import { systemView } from './system-views.ts';
import { auditTrail } from '../trail.ts';
import {
  appealsView,
  appealView,
  auditView,
  findView,
  jobsView,
  mailView,
  operatorsView,
  reportsView,
  subjectView,
} from './views.ts';

/** A page with forms. */
type Sheet = {
  path: string;
  summary: string;
  view: (visit: Visit, viewer: Viewer) => Promise<View>;
};

/** Registers the operator console. [OPER-03] */
export function registerOperatorPages(app: FastifyInstance, ctx: Context): void {
  const pages = createConsole(app, ctx);
  registerOverview(pages, ctx);
  registerConfirm(pages, ctx);

  registerPreview(pages, ctx);

  const sheets = sheetsOf(ctx);
  for (const { path, summary, view } of Object.values(sheets))
    pages.page(path, summary, async (visit) => await view(visit, viewerOf(visit, path)));
  for (const form of OPERATOR_ACTS.flatMap(({ forms }) => forms)) {
    const { path: home, view } = sheets[form.page];
    pages.form(form.path, form.summary, {
      at: home,
      right: form.right,
      view: async (visit) => await view(visit, viewerOf(visit, home)),
      ...(form.bodyLimit && { bodyLimit: form.bodyLimit }),
      ...(form.dangerous && { dangerous: (visit) => withIds(home, visit) }),
      act: async (visit) => (await form.act(ctx, visit)) ?? withIds(home, visit),
    });
  }
}

/** The address of a page about the same thing as the visited one. */
function withIds(path: string, { params }: Visit): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function viewerOf(visit: Visit, path: string): Viewer {
  const { operator, confirmed } = visit;
  return { role: operator.role, confirmAt: confirmed ? null : confirmAddress(withIds(path, visit)) };
}

/** The pages with forms. An act names the page of its form (define-act.ts). */
function sheetsOf(ctx: Context): Record<PageName, Sheet> {
  return {
    person: subjectSheet(ctx, 'person'),
    website: subjectSheet(ctx, 'website'),
    zone: subjectSheet(ctx, 'zone'),
    ad: subjectSheet(ctx, 'ad'),
    appeal: {
      path: '/operator/appeals/:id',
      summary: 'One answer to a decision, for the operator',
      view: async (visit, viewer) => {
        const act = await findActById(ctx.db, idOf(visit));
        if (!act || act.appealBody === null)
          throw notFound('There is no answer to a decision with this number.');
        return appealView(act, viewer);
      },
    },
    newWebsites: {
      path: '/operator/new-websites',
      summary: 'The websites that wait until an operator has looked at them, for the operator',
      view: async ({ query }, viewer) =>
        newWebsitesView(await listWaitingWebsites(ctx, { cursor: query['cursor'] }), viewer),
    },
    claims: {
      path: '/operator/claims',
      summary: 'The queue of ownership claims, for the operator',
      view: async ({ query }, viewer) =>
        claimsView(await listClaims(ctx, { cursor: query['cursor'] }), viewer),
    },
    withdrawals: {
      path: '/operator/withdrawals',
      summary: 'The withdrawals of invalid traffic, for the operator',
      view: async ({ query }, viewer) => {
        const all = query['all'] === '1';
        const page = await listWithdrawals(ctx, { open: !all, cursor: query['cursor'] });
        return withdrawalsView(page, { all, now: ctx.now(), viewer });
      },
    },
    mail: {
      path: '/operator/mail',
      summary: 'Mail that has not been sent, or all mail to an address, for the operator',
      view: async ({ query }, viewer) => {
        const to = searchText.parse(query['to']).toLowerCase();
        return mailView(to, await mails(ctx, { ...(to !== '' && { to }), cursor: query['cursor'] }), viewer);
      },
    },
    jobs: {
      path: '/operator/jobs',
      summary: 'The queued jobs, for the operator',
      view: async ({ query }, viewer) => {
        const failed = query['failed'] === '1';
        return jobsView(failed, await jobs(ctx, { failed, cursor: query['cursor'] }), viewer);
      },
    },
    operators: {
      path: '/operator/operators',
      summary: 'The operators',
      view: async (_, viewer) => operatorsView(await operators(ctx), await openInvitations(ctx), viewer),
    },
    requests: {
      path: '/operator/requests',
      summary: 'The requests that wait for a second operator',
      view: async ({ operator }, viewer) =>
        requestsView(ctx, await openRequests(ctx), { operatorId: operator.id, viewer }),
    },
    money: {
      path: '/operator/money',
      summary: 'Checks the books, and lists the money work that waits, for the operator',
      view: async (_, viewer) =>
        moneyView(
          await checkMoney(ctx),
          { ...(await listMoney(ctx)), taxIds: await openTaxIds(ctx), cancels: await waitingCancels(ctx) },
          await lastComparison(ctx),
          await reportWholeCheck(ctx.db, ctx.realNow()),
          viewer,
        ),
    },
    books: {
      path: '/operator/books',
      summary: 'Owed amounts, what covers them, holds and disputes, for the operator',
      view: async ({ body }, viewer) =>
        booksView(await readBooks(ctx), { typed: body, today: utcDay(ctx.now()), viewer }),
    },
    evidence: {
      path: '/operator/evidence/:id',
      summary: 'The evidence of a dispute, for the operator',
      view: async (visit, viewer) => {
        const { disputeId } = DISPUTE.inPath(visit, 'evidence');
        return evidenceView(disputeId, await showEvidence(ctx, disputeId), viewer);
      },
    },
    outbound: {
      path: '/operator/outbound',
      summary: 'Whether everything outgoing is on hold after a restore, and what waits, for the operator',
      view: async (_, viewer) => outboundView(await readOutbound(ctx.db), viewer),
    },
    pages: {
      path: '/operator/pages',
      summary: 'The pages that the operator writes, for the operator',
      view: async (_, viewer) => pagesView(await listPages(ctx), viewer),
    },
    page: {
      path: '/operator/pages/:key',
      summary: 'One page that the operator writes, with its versions, for the operator',
      view: async (visit, viewer) => {
        const { key } = PAGE.inPath(visit, 'page');
        const version = rowNumber(visit.query['version'] ?? '') ?? undefined;
        return pageView(await showPage(ctx, key, version), { typed: typedIn(visit), viewer });
      },
    },
    announcement: {
      path: '/operator/announcement',
      summary: 'What every page says above its content, for the operator',
      view: async ({ body }, viewer) => announcementView(await showAnnouncement(ctx), body, viewer),
    },
    faults: {
      path: '/operator/faults',
      summary:
        'What refuses nearly all views and clicks of websites or of the installation, for the operator',
      view: async (_, viewer) => faultsView(await listOperatorFaults(ctx), viewer),
    },
    settings: {
      path: '/operator/settings',
      summary: 'The settings of the marketplace, for the operator',
      view: async ({ params: { name = '' }, body: { value } }, viewer) =>
        settingsView(await listSettings(ctx), value === undefined ? {} : { [name]: value }, viewer),
    },
  };
}

function subjectSheet(ctx: Context, subject: Subject): Sheet {
  return {
    path: `/operator/${FOLDERS[subject]}/:id`,
    summary: `One ${SUBJECT_WORDS[subject]} with what operators did, for the operator`,
    view: async (visit, viewer) => {
      const shown = await show(ctx, visit.operator, subject, idOf(visit));
      const reported = subject === 'ad' ? await reportedCase(ctx, shown.id) : null;
      const cost = await costOfSuspension(ctx, ctx.db, subject, shown.id);
      return subjectView(subject, shown, { reported, cost, viewer });
    },
  };
}

/** What was typed into the form of a page that the operator writes; undefined if it was not sent. */
function typedIn({ body }: Visit): TypedPage | undefined {
  const { text, version, reason = '' } = body;
  return text === undefined ? undefined : { text, version, reason };
}

/** Shows a text as its page will show it, and changes nothing. [OWNS-45] */
function registerPreview(pages: Console, ctx: Context): void {
  const home = '/operator/pages/:key';
  pages.form(`${home}/preview`, 'Show a text of a page as readers will see it, without saving it', {
    at: home,
    right: formOf(SAVE_PAGE).right,
    bodyLimit: PAGE_BODY_LIMIT,
    act: async (visit) => {
      PAGE_TEXT.inPath(visit, 'page');
      return null;
    },
    view: async (visit) => {
      const page = await showPage(ctx, PAGE.inPath(visit, 'page').key);
      return pageView(page, { typed: typedIn(visit), isPreview: true, viewer: viewerOf(visit, home) });
    },
  });
}

/** Pages that only list. */
function registerOverview(pages: Console, ctx: Context): void {
  const overviewOf = async ({ query }: Visit) =>
    await readOverview(ctx, daysOf(query['days']) ?? DEFAULT_DAYS);
  pages.page('/operator', 'What waits for an operator, and the figures of the business', async (visit) =>
    homeView(
      {
        reports: await openCaseCount(ctx),
        appeals: await countOpenAppeals(ctx.db),
        websites: await countWaitingWebsites(ctx),
        claims: await countClaims(ctx),
        withdrawals: await countOpenWithdrawals(ctx),
        payments: await openDisputeCount(ctx),
        cancels: (await waitingCancels(ctx)).length,
        jobs: await countFailedJobs(ctx.db),
        faults: (await countFaults(ctx.db)).reduce((sum, { n }) => sum + n, 0),
        requests: await countOpenRequests(ctx.db, ctx.realNow()),
      },
      await overviewOf(visit),
    ),
  );
  pages.file(
    '/operator/overview.csv',
    'The figures of the business as a CSV file, for the operator',
    'overview.csv',
    async (visit) => overviewCsv(await overviewOf(visit)),
  );
  pages.page(
    '/operator/find',
    'Finds people, websites, ad zones and ads, for the operator',
    async ({ query }) => {
      const subject = SUBJECTS.find((each) => each === query['subject']) ?? 'person';
      const search = searchText.parse(query['q']);
      return findView(subject, search, await find(ctx, subject, { search, cursor: query['cursor'] }));
    },
  );
  pages.page('/operator/reports', 'The queue of reported ads, for the operator', async ({ query }) =>
    reportsView(await reportedAds(ctx, { cursor: query['cursor'] })),
  );
  pages.page('/operator/appeals', 'The answers to decisions that wait, for the operator', async ({ query }) =>
    appealsView(await openAppeals(ctx, { cursor: query['cursor'] })),
  );
  pages.page('/operator/audit', 'The audit trail of all operators', async ({ query }) =>
    auditView(await auditTrail(ctx, { cursor: query['cursor'] })),
  );
  pages.page('/operator/system', 'Release, backups, work and storage, for the operator', async () =>
    systemView(await readSystem(ctx), ctx.config.currency),
  );
}

function registerConfirm(pages: Console, ctx: Context): void {
  const target = ({ query }: Visit) => targetOf(query['to'] ?? '');
  const view = async (visit: Visit): Promise<View> => {
    const page = await confirmPage(ctx, visit.operator, { to: target(visit) });
    if (!page) throw forbidden('Turn on two-step verification in Settings › Security first.');
    return page;
  };
  pages.page('/operator/confirm', 'Asks an operator for the second factor again', view);
  pages.form('/operator/confirm', 'Confirms the session with a code of the second factor', {
    view,
    confirms: true,
    right: null,
    act: async (visit) => {
      await confirm(ctx, visit.request, visit.operator, (visit.body['code'] ?? '').slice(0, 60));
      return target(visit);
    },
  });
}
