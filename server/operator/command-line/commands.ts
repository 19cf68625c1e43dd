/** The commands of `openslot`. Those that change something follow from the acts of operators; the lists stand here. */
import { counted } from '#domain/format.ts';
import { once } from '#domain/once.ts';
import { textOf } from '#domain/invalid-traffic/signal-texts.ts';
import { actWords } from '#domain/operator/acts.ts';
import { searchText } from '#domain/operator/forms.ts';
import { listWithdrawals } from '#server/delivery/invalid-traffic/overrule.ts';
import { type ClaimedWebsite, listClaims } from '#server/market/inventory/ownership/decide-ownership.ts';
import { ledgerImbalances } from '#server/money/ledger/check.ts';
import type { TurnedOff } from '#server/notify/outbox.ts';
import { OPERATOR_ACTS } from '../acts/acts.ts';
import { openAppeals } from '../decisions/appeals.ts';
import { AUDIT_COMMANDS } from './audit-commands.ts';
import { BANK_COMMANDS } from './bank-commands.ts';
import { BOOK_COMMANDS } from './books-commands.ts';
import { DOCUMENT_COMMANDS } from './document-commands.ts';
import { FILES_COMMANDS } from './files-commands.ts';
import { at, type Command, listed, subjectOf, UsageError } from '../acts/command.ts';
import { cancelsText, proofsText, trafficText } from '../files/words.ts';
import type { HeldRow, ThingFile } from '../files/thing-file.ts';
import { find, numberOf, type PersonFile, show } from '../people/find.ts';
import { jobs } from '../jobs.ts';
import { mails, mailState } from '../mail.ts';
import { MONEY_COMMANDS } from './money-commands.ts';
import { OVERVIEW_COMMANDS } from './overview-command.ts';
import { OWN_COMMANDS } from './own-commands.ts';
import { linkForFirstOperator } from '../invitations/invitations.ts';
import { PAGE_COMMANDS } from './page-commands.ts';
import { SETTINGS_COMMANDS } from './settings-commands.ts';
import { reportedAds } from '../decisions/reports.ts';
import { operators } from '../rights.ts';
import { openRequests, requestWords } from '../requests/requests.ts';
import { readOutbound } from '#server/platform/outbound/wait.ts';
import { waitingText } from '../outbound.ts';

/** The command `openslot outbound status`. Its counterpart `outbound release` is an act. */
export const OUTBOUND_COMMANDS: Readonly<Record<string, Command>> = {
  'outbound status': {
    usage: '',
    summary: 'Show whether everything outgoing waits after a restore, and how much it is',
    run: async ({ ctx }) => {
      const outbound = await readOutbound(ctx.db);
      const { since, waiting } = outbound;
      return {
        json: outbound,
        lines: [
          since === null
            ? 'Nothing has to wait.'
            : `Everything outgoing has waited since ${at(since)}, when a backup was restored. Release it: openslot outbound release --reason TEXT`,
          `Waiting: ${waitingText(waiting)}.`,
        ],
      };
    },
  },
};

/** The command `openslot requests list`. */
export const REQUEST_COMMANDS: Readonly<Record<string, Command>> = {
  'requests list': {
    usage: '',
    summary: 'List what operators ask a second operator to confirm',
    run: async ({ ctx }) => {
      const list = await openRequests(ctx);
      const lines = list.map(
        (request) =>
          `${request.id}  ${requestWords(request, ctx.config.currency)}  by ${request.askedBy}, expires ${at(request.expiresAt)}: ${request.reason}`,
      );
      return { json: list, lines: lines.length === 0 ? ['No request waits.'] : lines };
    },
  },
};

const turnedOffLine = ({ recipient, hardBounces, lastBounceAt }: TurnedOff) =>
  `${recipient} gets no mail: ${hardBounces} hard bounces, the last one at ${at(lastBounceAt)}. It gets mail again when its owner proves the address.`;

const claimLine = ({ id, email }: ClaimedWebsite, state: string) => `website ${id} of ${email} (${state})`;

const withdrawnText = ({ views, clicks }: { views: number; clicks: number }) =>
  `${counted(views, 'view')}, ${counted(clicks, 'click')}`;

const holdLine = ({ id, amount, reason, since }: HeldRow) =>
  `hold ${id}: ${amount}, ${reason}, since ${at(since)}`;

function thingLines({ zones, ads, spend, earnings, holds, traffic, proofs, faults }: ThingFile): string[] {
  return [
    `spend: ${spend}`,
    `earnings: ${earnings}`,
    `${traffic.days} days: ${trafficText(traffic)}`,
    ...(proofs ? [`proofs: ${proofsText(proofs)}`] : []),
    ...faults.map(({ id, title }) => `fault ${id}: ${title}`),
    ...zones.map(({ id, name, status }) => `zone ${id}: ${name}, ${status}`),
    ...ads.map(({ id, name, status }) => `ad ${id}: ${name}, ${status}`),
    ...holds.map(holdLine),
  ];
}

function fileLines(file: PersonFile): string[] {
  const { role, commission, acceptedTerms, spend, earnings, websites, ads, holds, cancels, signIns } = file;
  return [
    `role: ${role ?? ''}`,
    `commission: ${commission.percent}%${commission.isOwn ? ', agreed with this publisher' : ''}`,
    ...(acceptedTerms
      ? [`terms: version ${acceptedTerms.version}, accepted ${at(acceptedTerms.acceptedAt)}`]
      : []),
    `spend: ${spend}`,
    `earnings: ${earnings}`,
    ...websites.map(({ id, name, status }) => `website ${id}: ${name}, ${status}`),
    ...ads.map(({ id, name, status }) => `ad ${id}: ${name}, ${status}`),
    ...holds.map(holdLine),
    ...(cancels.counted > 0 ? [`cancels in 24 hours: ${cancelsText(cancels)}`] : []),
    ...signIns.map(
      ({ device, lastUsedAt }) =>
        `signed in: ${device ?? 'unknown device'}${lastUsedAt ? `, used ${at(lastUsedAt)}` : ''}`,
    ),
    ...file.mails.map(({ subject, createdAt, state }) => `mail: ${at(createdAt)}  ${subject}  ${state}`),
  ];
}

/** By the words that name the command. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...MONEY_COMMANDS,
  ...BOOK_COMMANDS,
  ...BANK_COMMANDS,
  ...DOCUMENT_COMMANDS,
  ...AUDIT_COMMANDS,
  ...REQUEST_COMMANDS,
  ...FILES_COMMANDS,
  ...OUTBOUND_COMMANDS,
  ...OVERVIEW_COMMANDS,
  ...SETTINGS_COMMANDS,
  ...PAGE_COMMANDS,
  ...Object.fromEntries(OPERATOR_ACTS.flatMap(({ commands }) => Object.entries(commands))),
  'operator link': {
    usage: '',
    summary: 'Print a link that makes whoever opens it the first operator. It works once, for an hour',
    run: async ({ ctx }) => {
      const { url, expiresAt } = await linkForFirstOperator(ctx);
      return {
        json: { url, expiresAt: expiresAt.toISOString() },
        lines: [`Open it, and sign up or sign in. It works once, until ${at(expiresAt)}:`, url],
      };
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
            ? ['There is no operator. Print a link that makes one: openslot operator link']
            : list.map(({ id, email, role, addedAt }) => `${id}  ${email}  ${role}  since ${at(addedAt)}`),
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
      const { acts, file, thing, ...row } = await show(
        ctx,
        operator,
        subject,
        await numberOf(ctx, subject, named),
      );
      return {
        json: { ...row, ...file, ...thing, acts: acts.map(({ keyHash: _secret, ...act }) => act) },
        lines: [
          ...Object.entries(row).map(
            ([name, value]) => `${name}: ${value instanceof Date ? at(value) : String(value ?? '')}`,
          ),
          ...(file ? fileLines(file) : []),
          ...(thing ? thingLines(thing) : []),
          ...acts.map((act) => `${at(act.actedAt)}  ${actWords(act)}: ${act.reason}`),
        ],
      };
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
  'claims list': {
    usage: '[--cursor CURSOR]',
    summary: 'List the websites that two accounts have proven',
    run: async ({ ctx, options }) =>
      listed(
        await listClaims(ctx, { cursor: options.cursor }),
        ({ openedAt, claimant, holder }) =>
          `${claimant.url} since ${at(openedAt)}: ${holder ? claimLine(holder, 'verified') : 'no account is verified any more'}; ${claimLine(claimant, 'claims it')}`,
        'No ownership claim is open.',
      ),
  },
  'withdrawals list': {
    usage: '[--cursor CURSOR]',
    summary: 'List the withdrawals of traffic that can be overruled',
    run: async ({ ctx, options }) =>
      listed(
        await listWithdrawals(ctx, { open: true, cursor: options.cursor }),
        (row) =>
          `${row.id}  ${at(row.fromHour)} to ${at(row.untilHour)}  ${withdrawnText(row)}  zone ${row.zoneId} ${row.zoneName}, website ${row.websiteId} ${row.websiteName}: ${row.signals.map(textOf).join('; ')}`,
        'There is no withdrawal that can be overruled.',
      ),
  },
  'mail list': {
    usage: '[--to EMAIL] [--cursor CURSOR]',
    summary: 'List mail that has not been sent, or all mail to an address',
    run: async ({ ctx, options }) => {
      const page = await mails(ctx, { to: options.to?.trim().toLowerCase(), cursor: options.cursor });
      const list = listed(
        page,
        ({ id, recipient, subject, createdAt, ...mail }) =>
          `${id}  ${at(createdAt)}  ${recipient}  ${subject}  ${mailState(mail)}`,
        options.to === undefined ? 'Nothing waits.' : 'There is no mail to this address.',
      );
      return { ...list, lines: [...page.turnedOff.map(turnedOffLine), ...list.lines] };
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

/** The commands that server/app/command-line.ts runs itself. */
const BUILT_IN: Readonly<Record<string, { usage: string; summary: string }>> = {
  'jobs run': {
    usage: '',
    summary: 'Do all work that is due, now, with what follows from it and `money run`',
  },
  config: {
    usage: '',
    summary: 'Print the settings in force and where each comes from, without secrets',
  },
  doctor: {
    usage: '',
    summary: 'Check settings, database, event log, mail, clock, proxies and disk',
  },
};

/** How to use the command that the first words name. Without one: the list of all topics. */
export function usageOf(words: readonly string[]): string {
  const commands: Record<string, { usage: string }> = { ...COMMANDS, ...OWN_COMMANDS, ...BUILT_IN };
  const name = [2, 1]
    .map((length) => words.slice(0, length).join(' '))
    .find((each) => Object.hasOwn(commands, each));
  return name === undefined
    ? helpText(words[0])
    : `Usage: openslot ${name} ${commands[name]!.usage}`.trimEnd();
}

/** All commands by their words. `restore` is two: one for what was suspended, and one for a backup. */
export function listCommands(): { words: string; usage: string; summary: string }[] {
  return [...Object.entries(COMMANDS), ...Object.entries(OWN_COMMANDS), ...Object.entries(BUILT_IN)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([words, { usage, summary }]) => ({ words, usage: `${words} ${usage}`.trim(), summary }));
}

/** The first words of the commands, by which `openslot help` groups them. */
const topics = once(() => Map.groupBy(listCommands(), ({ words }) => words.split(' ')[0] as string));

/** The commands of a topic, or the list of all topics. */
export function helpText(topic?: string): string {
  const commands = topic === undefined ? undefined : topics().get(topic);
  if (commands) {
    const lines = commands.map(({ usage, summary }) => `  openslot ${usage}\n      ${summary}`);
    return [...lines, '', ABOUT_ALL].join('\n');
  }
  return [
    'Usage: openslot COMMAND [--json] [--dry-run]',
    '',
    ...[...topics()].map(([name, of]) => `  ${name.padEnd(14)} ${topicText(of)}`),
    '',
    'openslot help TOPIC says how to use the commands of a topic, such as openslot help money.',
    ABOUT_ALL,
  ].join('\n');
}

const ABOUT_ALL =
  'Exit codes: 0 done, 1 refused or a problem was found, 2 wrong usage or the command cannot run.';

/** The summary of the command that the topic itself names, or the second words of its commands. */
function topicText(commands: ReturnType<typeof listCommands>): string {
  const own = commands.find(({ words }) => !words.includes(' ')) ?? (commands.length === 1 && commands[0]);
  return own ? own.summary : commands.map(({ words }) => words.split(' ')[1]).join(', ');
}

/**
 * Texts name a command as `openslot COMMAND`, as a package has it. In a clone, the reader runs it through npm, which
 * scripts/openslot.mjs says in OPENSLOT_COMMAND.
 */
export function asRun(text: string, env: NodeJS.ProcessEnv): string {
  const program = env['OPENSLOT_COMMAND'];
  if (program === undefined) return text;
  const command = new RegExp(
    String.raw`\bopenslot(?= (?:COMMAND|help|${[...topics().keys()].join('|')})\b)`,
    'g',
  );
  return text.replaceAll(command, program);
}
