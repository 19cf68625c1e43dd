/** Measures what the jobs of a minute without due work read, in a marketplace and in one of ten times its size. */
import { fillMinute, type Sizes } from '../../server/testing/minute/fill.ts';
import { growing, measureMinute, type Statement } from '../../server/testing/minute/measure.ts';
import { openBenchApp } from './app.ts';
import type { Row } from './delivery.ts';

const FEW: Sizes = { zones: 130_000, sales: 11_000 };
const MANY: Sizes = { zones: 1_300_000, sales: 110_000 };

/** Prints every statement. Statements that read more in the larger marketplace are printed again. */
export async function measureMinutes(folderOf: (sizes: Sizes) => string): Promise<Row[]> {
  const few = await measure(folderOf(FEW), FEW);
  const many = await measure(folderOf(MANY), MANY);
  for (const { job, sql, rows, pages, ms } of many.toSorted((a, b) => b.rows - a.rows || b.ms - a.ms))
    console.log(`  ${rows} rows, ${pages} pages, ${ms.toFixed(1)} ms  ${job}: ${sql.slice(0, 120)}`);
  const grown = growing(few, many);
  for (const each of grown) console.log(`  grows: ${each}`);
  const sum = (all: readonly Statement[]) => all.reduce((rows, each) => rows + each.rows, 0);
  const what = 'minute, 1,300,000 zones, 100,000 live ads and 1,100,000 postings';
  return [
    { what: `${what}: statements`, value: many.length, goal: '', unit: '' },
    { what: `${what}: rows that they read`, value: sum(many), goal: '', unit: '' },
    { what: 'minute, a tenth of that: rows that they read', value: sum(few), goal: '', unit: '' },
    { what: `${what}: statements that read more than in a tenth`, value: grown.length, goal: '0', unit: '' },
    { what: `${what}: slowest`, value: Math.max(...many.map(({ ms }) => ms)), goal: '≤ 50', unit: 'ms' },
  ];
}

async function measure(dataDir: string, sizes: Sizes): Promise<Statement[]> {
  const { app, databaseUrl, ownerUrl, close } = await openBenchApp(dataDir);
  try {
    await fillMinute(ownerUrl, sizes);
    return await measureMinute({ ctx: app.ctx, databaseUrl, ownerUrl });
  } finally {
    await close();
  }
}
