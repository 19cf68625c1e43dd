/** Opens pages of the operator's console in component tests. */
import { type OfferedAct, offeredAct } from '#domain/operator/console/act-contract.ts';
import {
  type ConsoleSession,
  getConsoleNotices,
  getConsoleSession,
} from '#domain/operator/console/session-contract.ts';
import { answer } from './answers.ts';
import { person } from './people.ts';
import { sample } from './sample.ts';
import { openPage } from './screen.tsx';

/** Opens a page of the console for an owner who has given a code. Answer the calls of the page before. */
export async function openConsole(path: string, members: Partial<ConsoleSession> = {}): Promise<void> {
  answer(
    getConsoleSession,
    sample(getConsoleSession.reply, { role: 'owner', isProven: true, hasApp: true, ...members }),
  );
  answer(getConsoleNotices, { alarms: [], more: 0, outbound: null, waiting: {} });
  await openPage(path, { as: person('both', { isOperator: true }) });
}

/** An act as the server offers it at this address of its form, such as '/operator/jobs/7/retry'. */
export const offered = (form: string, button: string, members: Partial<OfferedAct> = {}): OfferedAct =>
  sample(offeredAct, {
    path: `/api${form}`,
    title: button,
    button,
    confirm: button,
    reason: 'required',
    ...members,
  });
