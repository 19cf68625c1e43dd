/** The calls of the console's frame: who the operator is, what stands above every page, and the confirmation. */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { okReply } from '../../fields.ts';
import { OPERATOR_ROLES } from '../rights.ts';

/** Something that an operator has to look at, above every page. */
export const consoleAlarm = z.object({
  title: z.string(),
  text: z.string(),
  /** Where to mend it. */
  label: z.string(),
  path: z.string(),
});

export const consoleSession = z.object({
  id: z.number().int(),
  role: z.enum(OPERATOR_ROLES),
  /** Whether a code or a passkey has opened the session. Without it the other calls of the console are refused. */
  isProven: z.boolean(),
  /** The ways in which the operator can confirm that it is them. With neither, they set up one in their settings. */
  hasApp: z.boolean(),
  hasPasskey: z.boolean(),
});
export type ConsoleSession = z.output<typeof consoleSession>;

export const getConsoleSession = endpoint({
  method: 'GET',
  path: '/api/operator/session',
  summary: 'The operator who is signed in to the console',
  reply: consoleSession,
});

export const getConsoleNotices = endpoint({
  method: 'GET',
  path: '/api/operator/notices',
  summary: 'What stands above every page of the console: alarms, and whether everything outgoing waits',
  reply: z.object({
    alarms: z.array(consoleAlarm),
    /** The alarms beyond those. */
    more: z.number().int(),
    /** What waits after a restore, as a sentence; null if nothing has to wait. */
    outbound: z.string().nullable(),
    /** A newer release, if UPDATE_FEED is set and names one. */
    update: z.object({ text: z.string(), url: z.string() }).optional(),
    /** How much waits for an operator, by the page that shows it, such as '/operator/reports'. */
    waiting: z.record(z.string(), z.number().int()),
  }),
});

export const confirmConsole = endpoint({
  method: 'POST',
  path: '/api/operator/confirm',
  summary: 'Confirms the session with a code of the second factor, for dangerous acts of the next 15 minutes',
  body: z.object({ code: z.string('Enter the code').trim().min(1, 'Enter the code').max(60) }),
  reply: okReply,
});
