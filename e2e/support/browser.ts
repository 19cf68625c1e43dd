import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../scripts/browser.ts';
import { keepPages } from './person.ts';

/**
 * A page of a test lives for seconds, so compiling its functions a third time and collecting young objects often takes
 * longer than it saves: 7% of the processor time of a page load.
 */
const SHORT_LIVED = '--js-flags=--no-maglev --min-semi-space-size=16';

let launched: Promise<Browser> | undefined;

/**
 * The Chromium of this worker. All of the worker's files use it, one after the other, because a start takes longer than
 * many tests. It ends with the worker. A file calls `leaveBrowser` at its end instead of closing it.
 */
export async function enterBrowser(): Promise<Browser> {
  // The file before may have failed to start it.
  const browser = await launched?.catch(() => undefined);
  if (!browser?.isConnected()) launched = start();
  return await launched!;
}

/**
 * Starts Chromium, and once more if it crashes. Chromium 153 ended with SIGSEGV at its start in two of about forty full runs,
 * each time in one of four workers. 1,720 starts without tests, on a busy machine, did not show it.
 */
async function start(): Promise<Browser> {
  const options = { args: [SHORT_LIVED] };
  return await launchBrowser(options).catch(async (error: Error) => {
    if (!error.message.includes('signal=SIGSEGV')) throw error;
    process.stderr.write('Chromium crashed at its start and is started once more.\n');
    return await launchBrowser(options);
  });
}

/**
 * Closes every context except those of a few clean pages, so that nothing of this file is left to the next. Does nothing
 * if the browser did not start, so that the report shows that error alone.
 */
export async function leaveBrowser(browser: Browser | undefined): Promise<void> {
  if (!browser) return;
  const kept = await keepPages(browser);
  const others = browser.contexts().filter((context) => !kept.includes(context));
  await Promise.all(others.map(async (context) => await context.close()));
}
