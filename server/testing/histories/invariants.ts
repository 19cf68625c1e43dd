/** The invariants after each step of a history. The ledger's own rules are those of `openslot money check`. */
import type { EndedReason } from '#domain/ads/ended.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { Database } from '../../db/database.ts';
import { deliveredUnits } from '../../payments/ledger/accrue.ts';
import { checkLedger } from '../../payments/ledger/check.ts';

/** Throws if the ledger disagrees with itself, the payments, the earnings or the refunds. */
export async function checkBooks(db: Database): Promise<void> {
  const differences = await checkLedger(db);
  if (differences.length > 0) throw new Error(JSON.stringify(differences));
}

/** Remembers what each ad had delivered. `mayRun`: whether the clocks of ads by the day may have moved. */
export class UnitsNeverFall {
  private readonly known = new Map<number, number>();

  clear(): void {
    this.known.clear();
  }

  async check(
    db: Database,
    adIds: readonly number[],
    now: Date,
    { mayFall, mayRun }: { mayFall: boolean; mayRun: boolean },
  ): Promise<void> {
    if (adIds.length === 0) return;
    const ads = await db
      .selectFrom('ads as a')
      .innerJoin('adEarnings as e', 'e.adId', 'a.id')
      .select(['a.id', 'a.status', 'a.endedReason', 'a.pricingModel', 'a.totalImpressions', 'a.totalClicks'])
      .select(['e.units', 'e.bought'])
      .where('a.id', '=', (eb) => eb.fn.any(eb.val(adIds)))
      .execute();
    for (const ad of ads) {
      const isRunning = ad.pricingModel === 'per_day' && ad.status === 'active';
      if (isRunning && !mayRun) continue;
      const units = isRunning
        ? await deliveredUnits(db, ad.id, now)
        : settledUnits({ ...ad, units: Number(ad.units), bought: Number(ad.bought) });
      const before = this.known.get(ad.id) ?? 0;
      if (units < before && !mayFall)
        throw new Error(`Ad ${ad.id} had delivered ${before} units, and now ${units}`);
      this.known.set(ad.id, units);
    }
  }
}

/** The delivered units that are on record: all but those of a running clock. */
function settledUnits(ad: {
  pricingModel: PricingModel;
  endedReason: EndedReason | null;
  totalImpressions: number;
  totalClicks: number;
  units: number;
  bought: number;
}): number {
  if (ad.pricingModel === 'per_day') return ad.endedReason === 'delivered' ? ad.bought : ad.units;
  return Math.min(ad.pricingModel === 'per_click' ? ad.totalClicks : ad.totalImpressions, ad.bought);
}
