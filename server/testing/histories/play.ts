/**
 * Random histories of money: sales, delivery, pauses, ends, refunds that fail, disputes, withdrawn traffic, payouts and
 * their reversals, duplicates, races. The books must hold after each step. At the end of a history, when all work is
 * done, they must also agree with the provider's balance.
 */
import type { Context } from '#server/platform/context.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import type { SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import type { Act, Step } from './acts.ts';
import { makeFile, readLines, saveIban, tick } from './bank.ts';
import { chooseSettings, empty } from './begin.ts';
import { cancel, overrule, playOn, refund, refundOutside, takeDown, withdraw } from './ends.ts';
import { checkBalance, checkEnd, finishWork } from './finish.ts';
import { type History, isArranged, isRefusal, MAX_RUNNING } from './history.ts';
import {
  type Changes,
  checkBank,
  checkBooks,
  checkConsents,
  checkInputTax,
  checkTaxWaits,
  UnitsNeverFall,
} from './invariants.ts';
import { pauseAd, resumeAd, runJob, setZone } from './jobs.ts';
import type { Market } from './market.ts';
import { bankFails, chargeTax, endDebt, payOut } from './payouts.ts';
import { approve, consent, deliver, removeCard, reportAgain, request, sell } from './sales.ts';

/** The acts that move, stop or extend the clock of an ad by the day, or say whether its day was silent. */
const CLOCK_ACTS = new Set<Act['act']>([
  'wait',
  'deliver',
  'request',
  'pause',
  'resume',
  'pauseAd',
  'resumeAd',
  'job',
  'cancel',
  'takeDown',
  'withdraw',
  'overrule',
]);

export class Histories implements History {
  readonly market: Market;
  readonly ctx: Context;
  readonly config: Context['config'];
  readonly sandbox: SandboxProvider;
  ads: History['ads'] = [];
  waiting: History['waiting'] = [];
  away: History['away'] = null;
  payeeId = '';
  bank: History['bank'] = new Map();
  private readonly changes: Changes;
  private readonly units = new UnitsNeverFall();
  private readonly faults: Error[] = [];
  private histories: number;

  /** `first` chooses the settings of the first history. Each history has others than the one before. */
  constructor(market: Market, changes: Changes, first: number) {
    const { ctx, sandbox } = market;
    this.histories = first;
    this.market = market;
    this.changes = changes;
    this.sandbox = sandbox;
    this.config = { ...ctx.config };
    this.ctx = {
      ...ctx,
      config: this.config,
      log: this.listen(ctx.log),
      payments: {
        ...sandbox,
        chargeSaved: async (...given) => await this.orFail(() => sandbox.chargeSaved(...given)),
        refund: async (...given) => await this.orFail(() => sandbox.refund(...given)),
        transfer: async (...given) => await this.orFail(() => sandbox.transfer(...given)),
        reverse: async (...given) => await this.orFail(() => sandbox.reverse(...given)),
      },
    };
  }

  /** A job logs an error and goes on with the next row. Here, such an error is a fault unless it was arranged. */
  private listen(log: Context['log']): Context['log'] {
    const error = (about: { err?: unknown }) => {
      if (about.err instanceof Error && !isArranged(about.err)) this.faults.push(about.err);
    };
    return new Proxy(log, { get: (target, key) => (key === 'error' ? error : Reflect.get(target, key)) });
  }

  /** Plays a history from empty books. Throws if the books do not hold after one of its steps. */
  async play(steps: readonly Step[]): Promise<void> {
    chooseSettings(this, this.histories);
    this.histories++;
    await empty(this);
    this.units.clear();
    for (const [place, acts] of steps.entries()) {
      try {
        await this.take(acts);
      } catch (error) {
        throw new Error(`Step ${place + 1}, ${JSON.stringify(acts)}: ${String(error)}`, { cause: error });
      }
    }
    await finishWork(this);
    await this.hold();
    await checkEnd(this);
  }

  private async take(acts: readonly Act[]): Promise<void> {
    const outcomes = await Promise.allSettled(acts.map(async (each) => await this.run(each)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected' && !isRefusal(outcome.reason)) throw outcome.reason;
    await this.hold(acts);
  }

  /** Checks all invariants that these acts could have broken, and throws for a broken one. Without acts, checks all. */
  private async hold(acts?: readonly Act[]): Promise<void> {
    const [fault] = this.faults.splice(0);
    if (fault) throw fault;
    const changes = await this.changes.take();
    if (changes.books || !acts) {
      await checkBooks(this.ctx.db);
      await checkConsents(this.ctx.db);
      await checkBank(this.ctx.db, this.bank);
      await checkInputTax(this.ctx.db);
      await checkBalance(this);
      await checkTaxWaits(this);
    }
    // Only an honored quote and withdrawn traffic take units back.
    const mayFall = acts?.some(({ act }) => act === 'withdraw' || act === 'cancel') ?? true;
    const recent = this.ads.slice(-MAX_RUNNING).map(({ id }) => id);
    const mayRun = acts?.some(({ act }) => CLOCK_ACTS.has(act)) ?? true;
    const areChanged = changes.units || !acts;
    await this.units.check(this.ctx.db, recent, this.ctx.now(), { mayFall, mayRun, areChanged });
  }

  private async run(given: Act): Promise<void> {
    switch (given.act) {
      case 'sell':
        return await sell(this, given);
      case 'consent':
        return await consent(this, given);
      case 'approve':
        return await approve(this);
      case 'removeCard':
        return await removeCard(this);
      case 'wait':
        return this.market.clock.advance(given.ms);
      case 'deliver':
        return await deliver(this, given.ad, given.events);
      case 'request':
        return await request(this);
      case 'pause':
        return await setZone(this, false);
      case 'resume':
        return await setZone(this, true);
      case 'pauseAd':
        return await pauseAd(this, given.ad, given.hours);
      case 'resumeAd':
        return await resumeAd(this, given.ad);
      case 'job':
        return await runJob(this, given.job);
      case 'cancel':
        return await cancel(this, given.ad, given.waitMs);
      case 'takeDown':
        return await takeDown(this, given.ad);
      case 'reportAgain':
        return await reportAgain(this, given.ad);
      case 'refund':
        return await refund(this, given.ad, given.percent);
      case 'refundOutside':
        return await refundOutside(this, given.ad, given.percent);
      case 'play':
        return await playOn(this, given.ad, given.play);
      case 'withdraw':
        return await withdraw(this, given.hours);
      case 'overrule':
        return await overrule(this);
      case 'payOut':
        return await payOut(this);
      case 'chargeTax':
        return await chargeTax(this, given.charges);
      case 'endDebt':
        return await endDebt(this, given.outcome);
      case 'bankFails':
        return await bankFails(this);
      case 'saveIban':
        return await saveIban(this, given.country);
      case 'bankFile':
        return await makeFile(this);
      case 'statement':
        return await readLines(this, given);
      case 'tick':
        return await tick(this, given);
      case 'documents':
        return await this.sandbox.play.reviewPayee(this.payeeId, given.areComplete);
      case 'away':
        this.away = { how: given.how, calls: given.calls };
    }
  }

  private async orFail<T>(call: () => Promise<T>): Promise<T> {
    const away = this.away;
    if (!away || away.calls === 0) return await call();
    away.calls--;
    if (away.how === 'refused') throw new ProviderError('invalid', 'Refused');
    if (away.how === 'after') await call();
    throw new ProviderError('unavailable', 'socket hang up');
  }
}
