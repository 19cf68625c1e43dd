/** The table of TAX_RATES_FILE in the register of acts. It is a file, so that no operator changes it in the console. */
import { taxTableChanges } from '#domain/payments/tax-table.ts';
import type { Context } from '#server/platform/context.ts';
import { perform, record } from '../act.ts';
import { findNotedTaxTable, insertTaxTable, lockTaxTables } from './store.ts';

/** The server itself, which has no account. */
const SERVER = { id: null };

/** The reason of an act has at most 500 characters. */
const MAX_CHANGES_LENGTH = 380;

/**
 * Records an act if this process has started with another table of tax rates than the one before. `by` names the process,
 * such as 'openslot money run'. Of processes that start at once, one records it. [OWNS-133]
 */
export async function noteTaxTable(ctx: Context, by: string): Promise<void> {
  const { taxTable } = ctx.config;
  const changesSince = async (tx: Parameters<typeof findNotedTaxTable>[0]) =>
    taxTableChanges(await findNotedTaxTable(tx), taxTable);
  if ((await changesSince(ctx.db)).length === 0) return;
  await perform(ctx, SERVER, async (tx) => {
    await lockTaxTables(tx);
    const changes = await changesSince(tx);
    if (changes.length === 0) return;
    await insertTaxTable(tx, { content: taxTable, notedAt: ctx.now() });
    await record(ctx, tx, SERVER, {
      act: 'change-tax-table',
      subject: 'setting',
      subjectId: 0,
      subjectName: 'TAX_RATES_FILE',
      affectedId: null,
      reason: `${shortened(changes)}. Noted at the start of ${by}.`.slice(0, 500),
    });
  });
}

/** The table `tax_tables` has all of it. */
function shortened(changes: readonly string[]): string {
  let text = '';
  for (const [at, change] of changes.entries()) {
    const longer = at === 0 ? change : `${text}; ${change}`;
    if (longer.length > MAX_CHANGES_LENGTH) {
      const more = `and ${changes.length - at} more`;
      return at === 0 ? `${change.slice(0, MAX_CHANGES_LENGTH)}…` : `${text}; ${more}`;
    }
    text = longer;
  }
  return text;
}
