/**
 * The table of tax rates: as it changes in the console, and in the register of acts. A file in the environment
 * (TAX_RATES_FILE) wins over the table of the database.
 */
import { STORED_TAX_TABLE } from '#domain/operator/acts.ts';
import type { TaxTable } from '#domain/payments/tax.ts';
import { parseTaxTable, taxTableChanges } from '#domain/payments/tax-table.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { readSettings, storedTaxTable } from '#server/platform/database/settings.ts';
import { serversWithSetting } from '#server/platform/database/servers/servers.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { requirePrintableText } from '#server/platform/http/printed-fields.ts';
import { type Operator, perform, record } from '../act.ts';
import {
  deleteSetting,
  findNotedTaxTable,
  insertTaxTable,
  lockSettings,
  lockTaxTables,
  upsertSetting,
} from './store.ts';

/** The server itself, which has no account. */
const SERVER = { id: null };

const FILE = 'TAX_RATES_FILE';

/** The reason of an act has at most 500 characters. */
const MAX_CHANGES_LENGTH = 380;
/** Beside the reason that the operator gives. */
const MAX_OWN_CHANGES_LENGTH = 250;

/** Editors on Windows put a byte order mark before a text, which JSON does not allow. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** The table of a text; null for an empty one, with which no tax is shown. Throws 400 with the parser's sentence. */
export function taxTableIn(text: string): TaxTable | null {
  if (text.trim() === '') return null;
  try {
    return parseTaxTable(withoutMark(text));
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`The table ${error.message}.`);
    throw error;
  }
}

export type NewTaxTable = {
  /** JSON; '' for no table. */
  table: string;
  reason: string;
  /** The version that the operator's page showed, '' for none; undefined for a command. */
  version?: string | undefined;
};

/**
 * Puts another table in force, or none. Every server follows within two seconds. Documents that are issued keep their tax.
 * Returns the changes. Throws 400 if the table has a gap, or 409 if a file has the table, if it changed since `version`, or
 * if it is the same. [BOOK-260]
 */
export async function setTaxTable(
  ctx: Context,
  operator: Operator,
  { table: given, reason, version }: NewTaxTable,
): Promise<{ changes: string[] }> {
  const table = taxTableIn(given);
  // Every server reads the stored text as it is.
  const text = withoutMark(given);
  for (const sentence of sentencesOf(table)) await requirePrintableText(ctx.decoders, sentence);
  const changed = await perform(ctx, operator, async (tx) => {
    await lockSettings(tx);
    await lockTaxTables(tx);
    await requireNoFile(ctx, tx);
    const stored = await storedTaxTable(tx);
    if (version !== undefined && version !== (stored?.version ?? ''))
      throw conflict(
        'The tax table was changed while this page was open. Reload the page, then change it again.',
      );
    const changes = taxTableChanges(stored && parseTaxTable(stored.text), table);
    if (changes.length === 0) throw conflict('This table is in force already. Nothing was changed.');
    const changedAt = ctx.now();
    if (table === null) await deleteSetting(tx, STORED_TAX_TABLE);
    else await upsertSetting(tx, { name: STORED_TAX_TABLE, value: text, changedAt, changedBy: operator.id });
    await insertTaxTable(tx, { content: table, notedAt: ctx.now() });
    await record(ctx, tx, operator, {
      act: 'change-tax-table',
      subject: 'setting',
      subjectId: 0,
      subjectName: STORED_TAX_TABLE,
      affectedId: null,
      reason: `${shortened(changes, MAX_OWN_CHANGES_LENGTH)}. ${reason}`.slice(0, 500),
    });
    return { changes };
  });
  await readSettings(ctx.db, ctx.config);
  return changed;
}

const sentencesOf = (table: TaxTable | null): string[] =>
  Object.values({ ...table?.countries, ...(table?.default && { default: table.default }) })
    .flat()
    .flatMap(({ sentence }) => sentence ?? []);

async function requireNoFile({ config }: Context, tx: Tx): Promise<void> {
  if (config.hasTaxFile)
    throw conflict(`The table is in the file of ${FILE}. Unset it and restart the server to change it here.`);
  const [server] = await serversWithSetting(tx, FILE);
  if (server !== undefined)
    throw conflict(
      `${FILE} is set in the environment of the running server ${server}. Unset it there first.`,
    );
}

/**
 * Records an act if this process has started with another table of tax rates than the one before, such as another file. `by`
 * names the process, such as 'openslot money run'. Of processes that start at once, one records it. [OWNS-133]
 */
export async function noteTaxTable(ctx: Context, by: string): Promise<void> {
  const changesSince = async (tx: Tx) => taxTableChanges(await findNotedTaxTable(tx), ctx.config.taxTable);
  if ((await changesSince(ctx.db)).length === 0) return;
  await perform(ctx, SERVER, async (tx) => {
    await lockTaxTables(tx);
    // An operator may have changed it since this process has read it.
    await readSettings(tx, ctx.config);
    const changes = await changesSince(tx);
    if (changes.length === 0) return;
    await insertTaxTable(tx, { content: ctx.config.taxTable, notedAt: ctx.now() });
    await record(ctx, tx, SERVER, {
      act: 'change-tax-table',
      subject: 'setting',
      subjectId: 0,
      subjectName: FILE,
      affectedId: null,
      reason: `${shortened(changes, MAX_CHANGES_LENGTH)}. Noted at the start of ${by}.`.slice(0, 500),
    });
  });
}

/** The table `tax_tables` has all of it. */
function shortened(changes: readonly string[], longest: number): string {
  let text = '';
  for (const [at, change] of changes.entries()) {
    const longer = at === 0 ? change : `${text}; ${change}`;
    if (longer.length > longest) {
      const more = `and ${changes.length - at} more`;
      return at === 0 ? `${change.slice(0, longest)}…` : `${text}; ${more}`;
    }
    text = longer;
  }
  return text;
}
