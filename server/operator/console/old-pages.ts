import type { FastifyInstance } from 'fastify';
import { SUBJECTS } from '#domain/operator/acts.ts';
import { searchText } from '#domain/operator/forms.ts';
import { holds } from '#domain/operator/rights.ts';
import { DEFAULT_DAYS } from '#domain/operator/overview.ts';
import type { Context } from '#server/platform/context.ts';
import { countFaults } from '#server/delivery/faults/open-faults.ts';
import { forbidden, invalid } from '#server/platform/http/errors.ts';
import { countOpenWithdrawals } from '#server/delivery/invalid-traffic/overrule.ts';
import { countClaims } from '#server/market/inventory/ownership/decide-ownership.ts';
import { countWaitingWebsites } from '#server/market/inventory/admission/admission.ts';
import { readBankFile } from '#server/money/payouts/bank-file.ts';
import { openDisputeCount } from '#server/money/books/books.ts';
import { waitingCancels } from '#server/money/refunds/cancelling/overdue.ts';
import { openCaseCount } from '#server/market/transparency/moderate.ts';
import { PAGE, PAGE_TEXT } from '../acts/act-targets.ts';
import { PAGE_BODY_LIMIT, SAVE_PAGE } from '../acts/acts-of-pages.ts';
import { OPERATOR_ACTS } from '../acts/acts.ts';
import { businessDay } from '#server/money/documents/business-day.ts';
import { xmlOf } from '#server/money/documents/pages.ts';
import { confirm, type Visit } from '../admit.ts';
import { openAppeals } from '../decisions/appeals.ts';
import { confirmPage, targetOf } from './confirm-page.ts';
import { MAX_UPLOAD_BYTES, STATEMENT_PATH } from './bank-pages.ts';
import { confirmAddress, type Console, createConsole, type ConsolePage } from './console.ts';
import { formOf, idOf } from '../acts/define-act.ts';
import { type ReadLine, readStatement } from '../money/bank.ts';
import { findDocuments, pdfOf, readDocument } from '../documents/documents.ts';
import { documentPage, findDocumentsPage } from './document-pages.ts';
import { find } from '../people/find.ts';
import type { Viewer } from './markup.ts';
import { launchSteps } from '../launch.ts';
import { homePage, overviewCsv } from './overview-pages.ts';
import { daysOf, readOverview } from '../overview/overview.ts';
import { reportedAds } from '../decisions/reports.ts';
import { countOpenAppeals } from '../store.ts';
import { countFailedJobs } from '../store-jobs.ts';
import { countOpenRequests } from '../requests/requests.ts';
import { readSystem } from '../system.ts';
import { showPage } from '../pages/pages.ts';
import { textPage } from './text-pages.ts';
import { bankSheet, sheetsOf, typedIn } from './sheets.ts';
import { systemPage } from './system-pages.ts';
import { taxPage } from './settings-pages.ts';
import { auditTrail } from '../people/trail.ts';
import { appealsPage, auditPage, findPage, reportsPage } from './subject-pages.ts';
import { registerDecisionPages } from './decision-pages.ts';
import { registerInvitationPages } from './invitation-pages.ts';

/** Registers the operator console. [OPER-03] */
export function registerOperatorPages(app: FastifyInstance, ctx: Context): void {
  const pages = createConsole(app, ctx);
  registerOverview(pages, ctx);
  registerConfirm(pages, ctx);

  registerPreview(pages, ctx);
  registerDocuments(pages, ctx);
  registerBankFiles(pages, ctx);
  registerStatement(pages, ctx);

  const sheets = sheetsOf(ctx);
  for (const { path, summary, show } of Object.values(sheets))
    pages.page(path, summary, async (visit) => await show(visit, viewerOf(visit, path)));
  for (const form of OPERATOR_ACTS.flatMap(({ forms }) => forms)) {
    const { path: home, show } = sheets[form.page];
    pages.form(form.path, form.summary, {
      at: home,
      right: form.right,
      show: async (visit) => await show(visit, viewerOf(visit, home)),
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

/** Shows a text as its page will show it, and changes nothing. */
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
    show: async (visit) => {
      const page = await showPage(ctx, PAGE.inPath(visit, 'page').key);
      return textPage(page, { typed: typedIn(visit), isPreview: true, viewer: viewerOf(visit, home) });
    },
  });
}

/** A document of record as a page, as a PDF and as an e-invoice. [BOOK-204] */
function registerDocuments(pages: Console, ctx: Context): void {
  const path = '/operator/documents/:number';
  const read = async ({ operator, params }: Visit) =>
    await readDocument(ctx, operator, params['number'] ?? '');
  pages.file(
    `${path}.pdf`,
    'A document of record as a PDF, for the operator',
    'application/pdf',
    async (visit) => {
      const document = await read(visit);
      return { name: `${document.number}.pdf`, body: await pdfOf(ctx, document) };
    },
  );
  pages.file(
    `${path}.xml`,
    'A document of record as an e-invoice, for the operator',
    'application/xml',
    async (visit) => {
      const document = await read(visit);
      return { name: `${document.number}.xml`, body: xmlOf(document) };
    },
  );
  pages.page(path, 'A document of record, for the operator', async (visit) =>
    documentPage(await read(visit), visit.request.headers['accept-language']),
  );
}

/** A file for the operator's bank, as often as it is needed. It has the IBANs of publishers. [PAYO-202] */
function registerBankFiles(pages: Console, ctx: Context): void {
  pages.file(
    '/operator/bank/files/:id',
    'A file of payouts for the bank, for the operator',
    'application/xml',
    async (visit) => {
      if (!holds(visit.operator.role, 'money')) throw forbidden('Your role doesn’t allow this.');
      const { name, content } = await readBankFile(ctx, idOf(visit));
      return { name, body: content };
    },
  );
}

/** Reads a statement of the bank, as the command does. The page shows what each line did. [PAYO-210] */
function registerStatement(pages: Console, ctx: Context): void {
  const home = '/operator/bank';
  const read = new WeakMap<Visit, readonly ReadLine[]>();
  pages.form(STATEMENT_PATH, 'Book what a statement of the bank says about payouts', {
    at: home,
    right: 'money',
    bodyLimit: MAX_UPLOAD_BYTES,
    isLarge: true,
    dangerous: () => home,
    act: async (visit) => {
      if (!visit.file?.length) throw invalid('Choose the file of the statement.');
      const { lines } = await readStatement(ctx, visit.operator, { bytes: visit.file });
      read.set(visit, lines);
      return null;
    },
    show: async (visit) => await bankSheet(ctx, viewerOf(visit, home), read.get(visit)),
  });
}

/** Pages that only list. */
function registerOverview(pages: Console, ctx: Context): void {
  const overviewOf = async ({ query }: Visit) =>
    await readOverview(ctx, daysOf(query['days']) ?? DEFAULT_DAYS);
  pages.page('/operator', 'What waits for an operator, and the figures of the business', async (visit) =>
    homePage(
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
      ctx.config.production ? await launchSteps(ctx.db, ctx.config, ctx.now()) : null,
    ),
  );
  pages.file(
    '/operator/overview.csv',
    'The figures of the business as a CSV file, for the operator',
    'text/csv; charset=utf-8',
    async (visit) => ({ name: 'overview.csv', body: overviewCsv(await overviewOf(visit)) }),
  );
  pages.page(
    '/operator/find',
    'Finds people, websites, ad zones, ads and documents, for the operator',
    async ({ query }) => {
      if (query['subject'] === 'document') {
        const words = searchText.parse(query['q']);
        return findDocumentsPage(words, await findDocuments(ctx, { search: words, cursor: query['cursor'] }));
      }
      const subject = SUBJECTS.find((each) => each === query['subject']) ?? 'person';
      const search = searchText.parse(query['q']);
      return findPage(subject, search, await find(ctx, subject, { search, cursor: query['cursor'] }));
    },
  );
  pages.page('/operator/reports', 'The queue of reported ads, for the operator', async ({ query }) =>
    reportsPage(await reportedAds(ctx, { cursor: query['cursor'] })),
  );
  pages.page('/operator/appeals', 'The answers to decisions that wait, for the operator', async ({ query }) =>
    appealsPage(await openAppeals(ctx, { cursor: query['cursor'] })),
  );
  pages.page('/operator/audit', 'The audit trail of all operators', async ({ query }) =>
    auditPage(await auditTrail(ctx, { cursor: query['cursor'] })),
  );
  pages.page('/operator/tax', 'The tax rates of today, and those that come, for the operator', async () =>
    taxPage(ctx.config.taxTable, {
      today: businessDay(ctx, ctx.now()),
      timeZone: ctx.config.businessTimeZone,
    }),
  );
  pages.page('/operator/system', 'Release, backups, work and storage, for the operator', async () =>
    systemPage(await readSystem(ctx), ctx.config.currency),
  );
}

function registerConfirm(pages: Console, ctx: Context): void {
  const target = ({ query }: Visit) => targetOf(query['to'] ?? '');
  const show = async (visit: Visit): Promise<ConsolePage> => {
    const page = await confirmPage(ctx, visit.operator, { to: target(visit) });
    if (!page) throw forbidden('Turn on two-step verification in Settings › Security first.');
    return page;
  };
  pages.page('/operator/confirm', 'Asks an operator for the second factor again', show);
  pages.form('/operator/confirm', 'Confirms the session with a code of the second factor', {
    show,
    confirms: true,
    right: null,
    act: async (visit) => {
      await confirm(ctx, visit.request, visit.operator, (visit.body['code'] ?? '').slice(0, 60));
      return target(visit);
    },
  });
}

/** Registers the console, and the two pages that people open from its mails: a decision about them, and an invitation. */
export function registerConsole(app: FastifyInstance, ctx: Context): void {
  registerOperatorPages(app, ctx);
  registerDecisionPages(app, ctx);
  registerInvitationPages(app, ctx);
}
