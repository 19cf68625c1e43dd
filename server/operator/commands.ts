/** The commands of `openslot`. Each calls the same use case as the console, in the name of the command line. */
import { textOf } from '#domain/invalid-traffic/signal-texts.ts';
import { actWords } from '#domain/operator/acts.ts';
import { decideForm, operatorForm, searchText } from '#domain/operator/forms.ts';
import { listWithdrawals } from '../invalid-traffic/overrule.ts';
import { type DisputedWebsite, listDisputes } from '../inventory/decide-ownership.ts';
import { ledgerImbalances } from '../payments/ledger/check.ts';
import { decideAppeal, openAppeals } from './appeals.ts';
import { AUDIT_COMMANDS } from './audit-commands.ts';
import { BOOK_COMMANDS } from './books-commands.ts';
import {
  at,
  type Command,
  done,
  listed,
  numberIn,
  read,
  reasonOf,
  subjectOf,
  targetOf,
  UsageError,
} from './command.ts';
import { find, numberOf, show } from './find.ts';
import { dropJob, jobs, retryJob } from './jobs.ts';
import { mails, resendMail } from './mail.ts';
import { MONEY_COMMANDS } from './money-commands.ts';
import { amount } from './queue-views.ts';
import { decideDispute, overrule, verifySite } from './queues.ts';
import { REQUEST_COMMANDS } from './request-commands.ts';
import { dismissReports, reportedAds, takeDownAd } from './reports.ts';
import { addOperator, operators, removeOperator } from './rights.ts';
import { endSessionsOfPerson, resetSecondFactor } from './sessions.ts';
import { restore, suspend } from './suspend.ts';

const claimLine = ({ id, email }: DisputedWebsite, state: string) => `website ${id} of ${email} (${state})`;

/** By the words that name the command. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...MONEY_COMMANDS,
  ...BOOK_COMMANDS,
  ...AUDIT_COMMANDS,
  ...REQUEST_COMMANDS,
  'operator add': {
    usage: 'EMAIL [--reason TEXT]',
    summary: 'Make an existing account an operator',
    run: async (input) => {
      // The first operator of a server needs no more words than this.
      const reason = input.options.reason ?? 'Added by the command line';
      const added = await addOperator(
        input.ctx,
        input.operator,
        read(operatorForm, { email: input.args[0], reason }),
      );
      return done(
        input,
        added,
        `${added.email} is an operator. The console at ${input.ctx.config.publicUrl}/operator opens after two-step verification is on.`,
      );
    },
  },
  'operator remove': {
    usage: 'EMAIL --reason TEXT',
    summary: 'Remove the rights of an operator. The last one stays',
    run: async (input) => {
      const form = read(operatorForm, { email: input.args[0], reason: input.options.reason });
      const removed = await removeOperator(input.ctx, input.operator, form);
      return done(input, removed, `${removed.email} is no operator any more.`);
    },
  },
  'operator list': {
    usage: '',
    summary: 'List the operators',
    run: async ({ ctx }) => {
      const list = await operators(ctx);
      return {
        json: list,
        lines:
          list.length === 0
            ? ['There is no operator. Add one: openslot operator add EMAIL']
            : list.map(({ id, email, addedAt }) => `${id}  ${email}  since ${at(addedAt)}`),
      };
    },
  },
  find: {
    usage: 'person|website|zone|ad [WORDS]',
    summary: 'Find by words, number or id',
    run: async ({ ctx, args, options }) => {
      const [kind, ...words] = args;
      const search = searchText.parse(words.join(' '));
      const page = await find(ctx, subjectOf(kind), { search, cursor: options.cursor });
      return listed(
        page,
        ({ id, name, about, suspendedAt }) => `${id}  ${name}  ${about}${suspendedAt ? '  (suspended)' : ''}`,
        'Nothing matches.',
      );
    },
  },
  show: {
    usage: 'person|website|zone|ad NAME',
    summary: 'Show one, named by number, id or e-mail address, and what operators did',
    run: async ({ ctx, operator, args: [kind, named = ''] }) => {
      const subject = subjectOf(kind);
      const { acts, ...row } = await show(ctx, operator, subject, await numberOf(ctx, subject, named));
      return {
        json: { ...row, acts: acts.map(({ keyHash: _secret, ...act }) => act) },
        lines: [
          ...Object.entries(row).map(
            ([name, value]) => `${name}: ${value instanceof Date ? at(value) : String(value ?? '')}`,
          ),
          ...acts.map((act) => `${at(act.actedAt)}  ${actWords(act)}: ${act.reason}`),
        ],
      };
    },
  },
  suspend: {
    usage: 'person|website|zone|ad NAME --reason TEXT',
    summary: 'Suspend it. Nothing of it is sold or served',
    run: async (input) => {
      const target = await targetOf(input, subjectOf(input.args[0]), input.args[1]);
      const row = await suspend(input.ctx, input.operator, target);
      return done(input, row, `Suspended ${target.subject} ${target.id}, ${row.name}.`);
    },
  },
  restore: {
    usage: 'person|website|zone|ad NAME --reason TEXT',
    summary: 'End a suspension',
    run: async (input) => {
      const target = await targetOf(input, subjectOf(input.args[0]), input.args[1]);
      const row = await restore(input.ctx, input.operator, target);
      return done(input, row, `Restored ${target.subject} ${target.id}, ${row.name}.`);
    },
  },
  'user suspend': {
    usage: 'EMAIL --reason TEXT',
    summary: 'The same as `suspend person`',
    run: async (input) => {
      const target = await targetOf(input, 'person', input.args[0]);
      const row = await suspend(input.ctx, input.operator, target);
      return done(input, row, `Suspended person ${target.id}, ${row.name}.`);
    },
  },
  'ad take-down': {
    usage: 'AD --reason TEXT',
    summary: 'Take an ad down for good',
    run: async (input) => {
      const target = await targetOf(input, 'ad', input.args[0]);
      await takeDownAd(input.ctx, input.operator, target);
      return done(input, target, `Took down ad ${target.id}.`);
    },
  },
  'reports list': {
    usage: '[--cursor CURSOR]',
    summary: 'List the reported ads that wait',
    run: async ({ ctx, options }) =>
      listed(
        await reportedAds(ctx, { cursor: options.cursor }),
        ({ adId, title, reports, since, reasons }) =>
          `${adId}  ${title}  ${reports} since ${at(since)}: ${reasons.join(', ')}`,
        'No reports wait.',
      ),
  },
  'reports dismiss': {
    usage: 'AD --reason TEXT',
    summary: 'Close the open reports of an ad',
    run: async (input) => {
      const target = await targetOf(input, 'ad', input.args[0]);
      await dismissReports(input.ctx, input.operator, target);
      return done(input, target, `Dismissed the reports of ad ${target.id}.`);
    },
  },
  'appeals list': {
    usage: '[--cursor CURSOR]',
    summary: 'List the answers to decisions that wait',
    run: async ({ ctx, options }) => {
      const page = await openAppeals(ctx, { cursor: options.cursor });
      const items = page.items.map(({ keyHash: _secret, ...act }) => act);
      return listed(
        { ...page, items },
        (act) => `${act.id}  ${actWords(act)}: ${act.reason}  Answer: ${act.appealBody}`,
        'No answers wait.',
      );
    },
  },
  'appeals decide': {
    usage: 'NUMBER upheld|reversed --reason TEXT',
    summary: 'Decide about an answer, once. The reason is mailed',
    run: async (input) => {
      const actId = numberIn(input.args[0]);
      const form = read(decideForm, { outcome: input.args[1], reason: input.options.reason });
      await decideAppeal(input.ctx, input.operator, { actId, ...form });
      return done(input, { actId, ...form }, `The decision ${actId} is ${form.outcome}.`);
    },
  },
  'disputes list': {
    usage: '[--cursor CURSOR]',
    summary: 'List the websites that two accounts have proven',
    run: async ({ ctx, options }) =>
      listed(
        await listDisputes(ctx, { cursor: options.cursor }),
        ({ openedAt, claimant, holder }) =>
          `${claimant.url} since ${at(openedAt)}: ${holder ? claimLine(holder, 'verified') : 'no account is verified any more'}; ${claimLine(claimant, 'claims it')}`,
        'No website is disputed.',
      ),
  },
  'disputes decide': {
    usage: 'WEBSITE --reason TEXT',
    summary: 'Decide a dispute for the account of this website',
    run: async (input) => {
      const target = await targetOf(input, 'website', input.args[0]);
      const winner = await decideDispute(input.ctx, input.operator, target);
      return done(input, winner, `Website ${winner.id} of ${winner.email} is verified, ${winner.url}.`);
    },
  },
  'site verify': {
    usage: 'WEBSITE --reason TEXT',
    summary: 'Verify a website that cannot prove its owner',
    run: async (input) => {
      const target = await targetOf(input, 'website', input.args[0]);
      const site = await verifySite(input.ctx, input.operator, target);
      return done(input, site, `Website ${site.id} of ${site.email} is verified, ${site.url}.`);
    },
  },
  'withdrawals list': {
    usage: '[--cursor CURSOR]',
    summary: 'List the withdrawals of traffic that can be overruled',
    run: async ({ ctx, options }) =>
      listed(
        await listWithdrawals(ctx, { open: true, cursor: options.cursor }),
        (row) =>
          `${row.id}  ${at(row.fromHour)} to ${at(row.untilHour)}  ${amount(row)}  zone ${row.zoneId} ${row.zoneName}, website ${row.websiteId} ${row.websiteName}: ${row.signals.map(textOf).join('; ')}`,
        'There is no withdrawal that can be overruled.',
      ),
  },
  'withdrawals overrule': {
    usage: 'NUMBER --reason TEXT',
    summary: 'Count withdrawn views and clicks again. Both sides can read the reason',
    run: async (input) => {
      const id = numberIn(input.args[0]);
      const row = await overrule(input.ctx, input.operator, { id, ...reasonOf(input) });
      return done(input, row, `Overruled withdrawal ${id} of ad zone ${row.zoneId}, ${row.zoneName}.`);
    },
  },
  'mail list': {
    usage: '[--to EMAIL] [--cursor CURSOR]',
    summary: 'List mail that has not been sent, or all mail to an address',
    run: async ({ ctx, options }) =>
      listed(
        await mails(ctx, { to: options.to?.trim().toLowerCase(), cursor: options.cursor }),
        ({ id, recipient, subject, createdAt, sentAt, kept, attempts, lastError }) =>
          `${id}  ${at(createdAt)}  ${recipient}  ${subject}  ${
            sentAt ? 'sent' : kept ? 'kept' : `${attempts} tries ${lastError ?? ''}`
          }`.trim(),
        'Nothing waits.',
      ),
  },
  'mail resend': {
    usage: 'NUMBER --reason TEXT',
    summary: 'Send an unsent mail again',
    run: async (input) => {
      const id = numberIn(input.args[0]);
      await resendMail(input.ctx, input.operator, { id, ...reasonOf(input) });
      return done(input, { id }, `Mail ${id} is queued again.`);
    },
  },
  'sessions end': {
    usage: 'PERSON --reason TEXT',
    summary: 'Sign a person out everywhere',
    run: async (input) => {
      const { id, reason } = await targetOf(input, 'person', input.args[0]);
      const ended = await endSessionsOfPerson(input.ctx, input.operator, { id, reason });
      return done(input, { id, ended }, `Ended ${ended} sessions of person ${id}.`);
    },
  },
  'second-factor off': {
    usage: 'PERSON --reason TEXT',
    summary: 'Turn off the second factor of a person who has lost it',
    run: async (input) => {
      const { id, reason } = await targetOf(input, 'person', input.args[0]);
      await resetSecondFactor(input.ctx, input.operator, { id, reason });
      return done(input, { id }, `Two-step verification of person ${id} is off.`);
    },
  },
  'jobs list': {
    usage: '[--failed] [--cursor CURSOR]',
    summary: 'List the queued jobs',
    run: async ({ ctx, options }) =>
      listed(
        await jobs(ctx, { failed: options.failed ?? false, cursor: options.cursor }),
        ({ id, name, attempts, maxAttempts, runAt, isRunning, lastError }) =>
          `${id}  ${name}  ${attempts}/${maxAttempts}  ${isRunning ? 'running' : at(runAt)}  ${lastError ?? ''}`.trim(),
        'No job is queued.',
      ),
  },
  'jobs retry': {
    usage: 'NUMBER --reason TEXT',
    summary: 'Run a job now',
    run: async (input) => {
      const id = numberIn(input.args[0]);
      await retryJob(input.ctx, input.operator, { id, ...reasonOf(input) });
      return done(input, { id }, `Job ${id} runs again now.`);
    },
  },
  'jobs drop': {
    usage: 'NUMBER --reason TEXT',
    summary: 'Remove a job for good',
    run: async (input) => {
      const id = numberIn(input.args[0]);
      await dropJob(input.ctx, input.operator, { id, ...reasonOf(input) });
      return done(input, { id }, `Job ${id} is dropped.`);
    },
  },
  'ledger check': {
    usage: '',
    summary: 'Compare the ledger with the payments',
    run: async ({ ctx }) => {
      const problems = await ledgerImbalances(ctx.db);
      return {
        json: { problems },
        lines: problems.length === 0 ? ['The ledger and the payments agree.'] : problems,
        refused: problems.length > 0,
      };
    },
  },
};

/** Finds the command that the first words name. Throws UsageError if there is none. */
export function commandOf(words: string[]): { command: Command; args: string[] } {
  for (const length of [2, 1]) {
    const command = COMMANDS[words.slice(0, length).join(' ')];
    if (command && words.length >= length) return { command, args: words.slice(length) };
  }
  throw new UsageError(
    words.length === 0 ? 'Name a command.' : `There is no command “${words.slice(0, 2).join(' ')}”.`,
  );
}

export function usageText(): string {
  const lines = Object.entries(COMMANDS).map(
    ([words, { usage, summary }]) => `  ${`${words} ${usage}`.trim().padEnd(54)} ${summary}`,
  );
  return [
    'Usage: npm run -s openslot -- COMMAND [--json] [--dry-run]',
    '',
    ...lines,
    `  ${'doctor'.padEnd(54)} Check settings, database, event log, mail, clock, proxies and disk`,
    '',
    'Exit codes: 0 done, 1 refused or a problem was found, 2 wrong usage or the command cannot run.',
  ].join('\n');
}
