import { expect, it } from 'vitest';
import { fillMinute, type Sizes } from '#server/testing/minute/fill.ts';
import { growing, measureMinute, type Statement } from '#server/testing/minute/measure.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';

const FEW: Sizes = { zones: 1000, sales: 200 };
const MANY: Sizes = { zones: 10_000, sales: 2000 };

async function measure(sizes: Sizes): Promise<Statement[]> {
  const server = await untilTestEnds(startTestServer());
  await fillMinute(server.ownerUrl, sizes);
  return await measureMinute({ ...server, small: true });
}

it('reads what is due, not ten times as much in a market of ten times the size, in the jobs of a minute and the daily comparison with the provider', async () => {
  const few = await measure(FEW);
  const many = await measure(MANY);
  expect(many.length).toBeGreaterThan(60);
  // The rule about faults compares all reports of the current hour (docs/decisions/128-a-fault-says-its-name.md).
  const ofHour = /find-faults: with sums /;
  expect(growing(few, many).filter((line) => !ofHour.test(line))).toEqual([]);
  // It fills two databases.
}, 300_000);
