/** The pages of the operator's console in the gallery. */
import { quoteTax } from '#domain/operator/console/tax-contract.ts';
import { getConsoleNotices, getConsoleSession } from '#domain/operator/console/session-contract.ts';
import { getIssuedDocument } from '#domain/operator/console/documents-contract.ts';
import { CONSOLE_PAGES } from '#web/operator/console-pages.ts';
import { answer } from '#web/testing/answers.ts';
import { person } from '#web/testing/people.ts';
import { filled, type Filling } from '#web/testing/sample.ts';
import type { Screen } from './states.ts';

const operator = person('both', { isOperator: true });

const ALARM = {
  title: 'The books do not balance',
  text: 'Ledger and payments differ by 1.00 USD since Nov 30.',
  label: 'Open the books',
  path: '/operator/books',
};

/** An owner whose session a code has opened. */
function openConsole(filling: Filling): void {
  answer(
    getConsoleSession,
    filled(getConsoleSession.reply, filling, { role: 'owner', isProven: true, hasApp: true }),
  );
  // Its title is made of its kind and number.
  answer(getIssuedDocument, filled(getIssuedDocument.reply, filling, { title: 'Receipt R-2026-000001' }));
  answer(quoteTax, filled(quoteTax.reply, filling));
  // Alarms are our own words.
  answer(getConsoleNotices, {
    alarms: [ALARM],
    more: 2,
    outbound: '3 mails',
    waiting: { '/operator/reports': 12 },
  });
}

/** One thing of each kind, such as '/operator/people/1'. */
const addressOf = (path: string) =>
  path.replace(':id', '1').replace(':key', 'terms').replace(':number', 'R-2026-000001');

/** Every page, in the states that differ most: loading and errors are the same on all of them. */
export const CONSOLE_SCREENS: readonly Screen[] = CONSOLE_PAGES.map(({ path, title }) => ({
  name: `console: ${title}`,
  path: addressOf(path),
  as: operator,
  states: ['many', 'a name from right to left, with markup and a long word'],
  own: openConsole,
}));
