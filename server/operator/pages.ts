import type { FastifyInstance } from 'fastify';
import { type Subject, SUBJECTS, SUBJECT_WORDS } from '#domain/operator/acts.ts';
import { decideForm, operatorForm, reasonForm, searchText } from '#domain/operator/forms.ts';
import type { Context } from '../context.ts';
import { forbidden, notFound } from '../http/errors.ts';
import { countOpenWithdrawals, listWithdrawals } from '../invalid-traffic/overrule.ts';
import { countDisputes, listDisputes } from '../inventory/decide-ownership.ts';
import { openDisputeCount } from '../payments/books/books.ts';
import { openCaseCount, reportedCase } from '../transparency/moderate.ts';
import { confirm } from './admit.ts';
import { decideAppeal, openAppeals } from './appeals.ts';
import { confirmPage, targetOf } from './confirm-page.ts';
import { confirmAddress, type Console, createConsole, type View, type Visit } from './console.ts';
import { find, show } from './find.ts';
import { idOf, read } from './form-fields.ts';
import { dropJob, jobs, retryJob } from './jobs.ts';
import { mails, resendMail } from './mail.ts';
import { registerBooks, registerHoldForm } from './books-pages.ts';
import { registerMoney } from './money-pages.ts';
import { disputesView, withdrawalsView } from './queue-views.ts';
import { decideDispute, overrule } from './queues.ts';
import { dismissReports, reportedAds, takeDownAd } from './reports.ts';
import { registerRequests, REQUESTS } from './request-pages.ts';
import { changeOperators } from './requests.ts';
import { operators } from './rights.ts';
import { countOpenRequests } from './store-requests.ts';
import { endSessionsOfPerson, resetSecondFactor } from './sessions.ts';
import { countOpenAppeals, findActById } from './store.ts';
import { countFailedJobs } from './store-jobs.ts';
import { restore, suspend } from './suspend.ts';
import { auditTrail } from './trail.ts';
import {
  appealsView,
  appealView,
  auditView,
  findView,
  homeView,
  jobsView,
  mailView,
  operatorsView,
  reportsView,
  subjectView,
} from './views.ts';

/** The addresses of the four kinds of things: /operator/people/7. */
export const PATHS: Record<Subject, string> = {
  person: 'people',
  website: 'websites',
  zone: 'zones',
  ad: 'ads',
};

/** Registers the operator console. [OPER-03] */
export function registerOperatorPages(app: FastifyInstance, ctx: Context): void {
  const pages = createConsole(app, ctx);
  registerOverview(pages, ctx);
  for (const subject of SUBJECTS) registerSubject(pages, ctx, subject);
  registerAdForms(pages, ctx);
  registerBooks(pages, ctx);
  registerAppeals(pages, ctx);
  registerDisputes(pages, ctx);
  registerWithdrawals(pages, ctx);
  registerMailAndJobs(pages, ctx);
  registerOperators(pages, ctx);
  registerRequests(pages, ctx);
  registerConfirm(pages, ctx);
}

function registerOverview(pages: Console, ctx: Context): void {
  pages.page('/operator', 'The operator console', async () =>
    homeView({
      reports: await openCaseCount(ctx),
      appeals: await countOpenAppeals(ctx.db),
      disputes: await countDisputes(ctx),
      withdrawals: await countOpenWithdrawals(ctx),
      payments: await openDisputeCount(ctx),
      jobs: await countFailedJobs(ctx.db),
      requests: await countOpenRequests(ctx.db, ctx.realNow()),
    }),
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
  pages.page('/operator/audit', 'The audit trail of all operators', async ({ query }) =>
    auditView(await auditTrail(ctx, { cursor: query['cursor'] })),
  );
}

function registerSubject(pages: Console, ctx: Context, subject: Subject): void {
  const word = SUBJECT_WORDS[subject];
  const path = `/operator/${PATHS[subject]}/:id`;
  const home = (visit: Visit) => `/operator/${PATHS[subject]}/${idOf(visit)}`;
  const view = async (visit: Visit): Promise<View> => {
    const shown = await show(ctx, visit.operator, subject, idOf(visit));
    const reported = subject === 'ad' ? await reportedCase(ctx, shown.id) : null;
    return subjectView(subject, shown, {
      reported,
      confirmAt: visit.confirmed ? null : confirmAddress(home(visit)),
    });
  };
  pages.page(path, `One ${word} with what operators did, for the operator`, view);
  pages.form(`${path}/suspend`, `Suspends the ${word}`, {
    view,
    dangerous: home,
    act: async (visit) => {
      await suspend(ctx, visit.operator, { subject, id: idOf(visit), ...read(reasonForm, visit.body) });
      return home(visit);
    },
  });
  pages.form(`${path}/restore`, `Ends the suspension of the ${word}`, {
    view,
    act: async (visit) => {
      await restore(ctx, visit.operator, { subject, id: idOf(visit), ...read(reasonForm, visit.body) });
      return home(visit);
    },
  });
  if (subject === 'person' || subject === 'ad') registerHoldForm(pages, ctx, subject, { path, view, home });
  if (subject !== 'person') return;
  pages.form(`${path}/reset-second-factor`, 'Turns off the second factor of a person who has lost it', {
    view,
    dangerous: home,
    act: async (visit) => {
      await resetSecondFactor(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return home(visit);
    },
  });
  pages.form(`${path}/end-sessions`, 'Signs the person out everywhere', {
    view,
    act: async (visit) => {
      await endSessionsOfPerson(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return home(visit);
    },
  });
}

function registerAdForms(pages: Console, ctx: Context): void {
  const home = (visit: Visit) => `/operator/ads/${idOf(visit)}`;
  const view = async (visit: Visit): Promise<View> => {
    const shown = await show(ctx, visit.operator, 'ad', idOf(visit));
    return subjectView('ad', shown, {
      reported: await reportedCase(ctx, shown.id),
      confirmAt: visit.confirmed ? null : confirmAddress(home(visit)),
    });
  };
  pages.form('/operator/ads/:id/take-down', 'Takes the ad down for good', {
    view,
    dangerous: home,
    act: async (visit) => {
      await takeDownAd(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return home(visit);
    },
  });
  registerMoney(pages, ctx, view);
  pages.form('/operator/ads/:id/dismiss-reports', 'Closes the open reports of the ad', {
    view,
    act: async (visit) => {
      await dismissReports(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return home(visit);
    },
  });
}

function registerAppeals(pages: Console, ctx: Context): void {
  pages.page('/operator/appeals', 'The answers to decisions that wait, for the operator', async ({ query }) =>
    appealsView(await openAppeals(ctx, { cursor: query['cursor'] })),
  );
  const view = async (visit: Visit): Promise<View> => {
    const act = await findActById(ctx.db, idOf(visit));
    if (!act || act.appealBody === null) throw notFound('There is no answer to a decision with this number.');
    return appealView(act);
  };
  pages.page('/operator/appeals/:id', 'One answer to a decision, for the operator', view);
  pages.form('/operator/appeals/:id', 'Decides about an answer, once', {
    view,
    act: async (visit) => {
      await decideAppeal(ctx, visit.operator, { actId: idOf(visit), ...read(decideForm, visit.body) });
      return '/operator/appeals';
    },
  });
}

function registerDisputes(pages: Console, ctx: Context): void {
  const home = '/operator/disputes';
  const view = async ({ query, confirmed }: Visit): Promise<View> =>
    disputesView(
      await listDisputes(ctx, { cursor: query['cursor'] }),
      confirmed ? null : confirmAddress(home),
    );
  pages.page(home, 'The queue of disputed websites, for the operator', view);
  pages.form('/operator/websites/:id/decide-ownership', 'Decides a dispute for the account of the website', {
    view,
    dangerous: () => home,
    act: async (visit) => {
      await decideDispute(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return home;
    },
  });
}

function registerWithdrawals(pages: Console, ctx: Context): void {
  const home = '/operator/withdrawals';
  const view = async ({ query, confirmed }: Visit): Promise<View> => {
    const all = query['all'] === '1';
    const page = await listWithdrawals(ctx, { open: !all, cursor: query['cursor'] });
    const confirmAt = confirmed ? null : confirmAddress(home);
    return withdrawalsView(page, { all, now: ctx.now(), confirmAt });
  };
  pages.page(home, 'The withdrawals of invalid traffic, for the operator', view);
  pages.form(`${home}/:id/overrule`, 'Counts withdrawn views and clicks again', {
    view,
    dangerous: () => home,
    act: async (visit) => {
      await overrule(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return home;
    },
  });
}

function registerMailAndJobs(pages: Console, ctx: Context): void {
  const mailPage = async ({ query }: Visit): Promise<View> => {
    const to = searchText.parse(query['to']).toLowerCase();
    return mailView(to, await mails(ctx, { ...(to !== '' && { to }), cursor: query['cursor'] }));
  };
  pages.page(
    '/operator/mail',
    'Mail that has not been sent, or all mail to an address, for the operator',
    mailPage,
  );
  pages.form('/operator/mail/:id/resend', 'Sends a mail again', {
    view: mailPage,
    act: async (visit) => {
      await resendMail(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return '/operator/mail';
    },
  });
  const jobsPage = async ({ query, confirmed }: Visit): Promise<View> => {
    const failed = query['failed'] === '1';
    const page = await jobs(ctx, { failed, cursor: query['cursor'] });
    return jobsView(failed, page, confirmed ? null : confirmAddress('/operator/jobs'));
  };
  pages.page('/operator/jobs', 'The queued jobs, for the operator', jobsPage);
  pages.form('/operator/jobs/:id/retry', 'Runs a job again', {
    view: jobsPage,
    act: async (visit) => {
      await retryJob(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return '/operator/jobs';
    },
  });
  pages.form('/operator/jobs/:id/drop', 'Removes a job for good', {
    view: jobsPage,
    dangerous: () => '/operator/jobs',
    act: async (visit) => {
      await dropJob(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return '/operator/jobs';
    },
  });
}

function registerOperators(pages: Console, ctx: Context): void {
  const home = '/operator/operators';
  const view = async ({ confirmed }: Visit): Promise<View> =>
    operatorsView(await operators(ctx), confirmed ? null : confirmAddress(home));
  pages.page(home, 'The operators', view);
  pages.form(`${home}/add`, 'Makes an account an operator', {
    view,
    dangerous: () => home,
    act: async ({ operator, body }) => {
      const change = { kind: 'add-operator' as const, ...read(operatorForm, body) };
      return (await changeOperators(ctx, operator, change)) === 'waits' ? REQUESTS : home;
    },
  });
  pages.form(`${home}/remove`, 'Removes the rights of an operator', {
    view,
    dangerous: () => home,
    act: async ({ operator, body }) => {
      const change = { kind: 'remove-operator' as const, ...read(operatorForm, body) };
      if ((await changeOperators(ctx, operator, change)) === 'waits') return REQUESTS;
      // Operators who removed themselves no longer see the console.
      return (await operators(ctx)).some(({ id }) => id === operator.id) ? home : '/';
    },
  });
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
    act: async (visit) => {
      await confirm(ctx, visit.request, visit.operator, (visit.body['code'] ?? '').slice(0, 60));
      return target(visit);
    },
  });
}
