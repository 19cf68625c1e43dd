import nodemailer from 'nodemailer';
import type { Config } from '../config.ts';

export type OutgoingMail = { id: number; recipient: string; subject: string; text: string; html: string };

/**
 * Takes mail out of the house. `relay` hands it to the SMTP server of SMTP_URL and rejects with MailRefused when that
 * does not take it; `kept` is the stand-in of development: the message stays in our own table.
 */
export type Mailer = { kind: 'relay' | 'kept'; send: (mail: OutgoingMail) => Promise<void> };

/** The relay did not take a message. Says where it failed, never what was in the message. */
export class MailRefused extends Error {}

export function createMailer(config: Config, print: (line: string) => void = console.log): Mailer {
  return config.smtpUrl === undefined
    ? keptMail(config, print)
    : relay(config.smtpUrl, config.mailFrom, config.publicUrl);
}

function keptMail(config: Config, print: (line: string) => void): Mailer {
  return {
    kind: 'kept',
    // One line, without the text: a terminal's history is no place for a code.
    send: async ({ id, recipient, subject }) => {
      print(`Mail for ${recipient}: ${subject} (${config.publicUrl}/dev/mail/${id})`);
    },
  };
}

function relay(smtpUrl: string, from: string, publicUrl: string): Mailer {
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = new URL(publicUrl).hostname;
  return {
    kind: 'relay',
    send: async ({ id, recipient, subject, text, html }) => {
      try {
        await transport.sendMail({
          from,
          // As an object, so that no character of the address is read as a list of addresses.
          to: { name: '', address: recipient },
          subject,
          text,
          html,
          // The same at every try, so that a receiver knows a message it has already.
          messageId: `<openslot-${id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw new MailRefused(whereItFailed(error));
      }
    },
  };
}

// The relay's own words may quote the message, and with it a code.
function whereItFailed(error: unknown): string {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
  return ['The relay did not take it:', code, responseCode, command].filter(Boolean).join(' ');
}
