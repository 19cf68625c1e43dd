/** The work of a cell for its marketplace: it gets the ads of its publishers from there, and sends what it has counted. */
import type { CellSettings } from '../../settings/joint.ts';
import { ConfigError } from '../../config-error.ts';
import type { Context } from '../../context.ts';
import { within } from '../../net/within.ts';
import { createMarketplace, KeyRefused, MarketplaceAway } from './ask.ts';
import { pull, requireOwn, StrangeMarketplace } from './pull.ts';
import { push } from './push.ts';
import { compactDue, findProgress } from './store.ts';
import { createTurn } from './turn.ts';

/** With the time of a read, a takedown reaches visitors within two seconds. */
const PULL_MS = 500;
const PUSH_MS = 1000;
/** The pause after a failure. */
const RETRY_MS = 2000;
/** Every server of a cell looks whether its own key is right, also those whose turn it is not. */
const CHECK_MS = 30_000;
const START_MS = 5000;
/** Figures wait in single rows while the marketplace is away, until they are this old. */
const COMPACT_MS = 60_000;
/** After the last ad zone: the answer is about the cell only. */
const NOTHING_AFTER = 2_147_483_647;

export type Cell = {
  /** Throws ConfigError if the key is wrong. If the marketplace is away, the cell serves what it has. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
  /** Why this server must not join a balancer, one sentence each. */
  problems: () => string[];
};

export function createCell(
  ctx: Context,
  options: { settings: CellSettings; databaseUrl: string; backlogMs: () => number },
): Cell {
  const { settings } = options;
  const marketplace = createMarketplace(settings);
  const turn = createTurn(options.databaseUrl);
  const loops: { stop: () => Promise<void> }[] = [];
  let keyProblem: string | null = null;
  let currencyProblem: string | null = null;
  let isComplete = false;
  const compactSometimes = createCompaction(ctx);

  function noteKey(error: unknown): void {
    if (error instanceof KeyRefused) keyProblem = wrongKey(settings);
    else if (error instanceof StrangeMarketplace) keyProblem = strangeKey(error, settings);
  }

  /** Logs only the first failure. The cell goes on with what it has. */
  function noteFailure(error: unknown, isFirst: boolean): void {
    noteKey(error);
    if (isFirst) logFailure(ctx, error);
  }

  async function pullOnce(): Promise<number> {
    if (!turn.isMine()) return PULL_MS;
    const { currency, next } = await pull(ctx, marketplace);
    keyProblem = null;
    noteCurrency(currency);
    isComplete ||= (await findProgress(ctx.db))?.isComplete ?? false;
    return next === null ? PULL_MS : 0;
  }

  async function pushOnce(): Promise<number> {
    if (!turn.isMine()) return PUSH_MS;
    try {
      return (await push(ctx, marketplace, options.backlogMs())) ? 0 : PUSH_MS;
    } catch (error) {
      await compactSometimes();
      throw error;
    }
  }

  async function check(): Promise<number> {
    const answer = await marketplace.zones(NOTHING_AFTER);
    const progress = await findProgress(ctx.db);
    requireOwn(progress, answer);
    isComplete ||= progress?.isComplete ?? false;
    keyProblem = null;
    noteCurrency(answer.currency);
    return CHECK_MS;
  }

  function noteCurrency(currency: string): void {
    currencyProblem = currency === ctx.config.currency ? null : otherCurrency(ctx.config.currency, currency);
  }

  return {
    start: async () => {
      isComplete = (await findProgress(ctx.db))?.isComplete ?? false;
      await within(START_MS, check().catch(noteKey), undefined);
      if (keyProblem !== null) throw new ConfigError(keyProblem);
      await turn.start();
      loops.push(repeat(pullOnce, noteFailure), repeat(pushOnce, noteFailure), repeat(check, noteFailure));
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await turn.stop();
    },
    problems: () => {
      if (keyProblem !== null) return [keyProblem];
      return [
        ...(isComplete ? [] : [unread(settings)]),
        ...(currencyProblem === null ? [] : [currencyProblem]),
      ];
    },
  };
}

/** Calls `step` again and again, after the pause that it returns. */
function repeat(
  step: () => Promise<number>,
  onFailure: (error: unknown, isFirst: boolean) => void,
): { stop: () => Promise<void> } {
  let stopped = false;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const later = (ms: number) => {
    timer = setTimeout(() => {
      running = run();
    }, ms);
  };
  async function run(): Promise<void> {
    const pause = await step().then(
      (ms) => {
        isFailing = false;
        return ms;
      },
      (error: unknown) => {
        if (!stopped) onFailure(error, !isFailing);
        isFailing = true;
        return RETRY_MS;
      },
    );
    if (!stopped) later(pause);
  }
  later(0);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Returns a function that compacts the figures that wait, unless it has done so lately. */
function createCompaction(ctx: Context): () => Promise<void> {
  let compactedAt = performance.now();
  return async () => {
    if (performance.now() - compactedAt <= COMPACT_MS) return;
    compactedAt = performance.now();
    await compactDue(ctx.db);
  };
}

function logFailure(ctx: Context, error: unknown): void {
  const away = 'the marketplace is away; this cell goes on serving and counting, and sends its figures later';
  ctx.log.error(
    { err: error },
    error instanceof MarketplaceAway ? away : 'the cell could not work for its marketplace; trying again',
  );
}

const unread = ({ marketplaceUrl }: CellSettings): string =>
  `The ads of the marketplace have not been read yet. Check that MARKETPLACE_URL (${marketplaceUrl}) can be reached from here.`;

const otherCurrency = (own: string, currency: string): string =>
  `CURRENCY is ${own} here, and ${currency} in the marketplace. Set CURRENCY=${currency} on this cell.`;

const wrongKey = ({ marketplaceUrl }: CellSettings): string =>
  `CELL_KEY is not the key of a cell of the marketplace at ${marketplaceUrl}. Set it to the key that \`openslot cell add\` printed there, or correct MARKETPLACE_URL.`;

const strangeKey = ({ cell }: StrangeMarketplace, { marketplaceUrl }: CellSettings): string =>
  `CELL_KEY is the key of another cell or marketplace (${marketplaceUrl}) than the one whose ads this database holds, the cell ${cell}. Set the key and the MARKETPLACE_URL of that cell, or set DATABASE_URL to the address of an empty database.`;
