import { type Config, devAddress } from '../config.ts';

export type OutgoingMail = { id: number; recipient: string; subject: string; text: string; html: string };

/**
 * Sends mail. `relay` hands it to the SMTP server of SMTP_URL and throws MailRefused if that fails. `kept` is for
 * development: the message stays in the table `messages`, where /dev/mail shows it.
 */
export type Mailer = { kind: 'relay' | 'kept'; send: (mail: OutgoingMail) => Promise<void> };

/** The relay did not accept a message. The error names the failing step and holds nothing of the message. */
export class MailRefused extends Error {}

export function createMailer(config: Config, print: (line: string) => void = console.log): Mailer {
  return config.smtpUrl === undefined
    ? keptMail(config, print)
    : relay(config.smtpUrl, config.mailFrom, config.publicUrl);
}

function keptMail(config: Config, print: (line: string) => void): Mailer {
  return {
    kind: 'kept',
    // The line leaves out the text, because a code must not remain in a terminal's history.
    send: async ({ id, recipient, subject }) => {
      print(`Mail for ${recipient}: ${subject} (${devAddress(config, `/dev/mail/${id}`)})`);
    },
  };
}

/** Loads the client of SMTP here, because a server or command that keeps its mail does not need it. */
async function transportTo(smtpUrl: string) {
  const { default: nodemailer } = await import('nodemailer');
  return nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Connects and signs in to the relay without sending. Returns null if that works, or else what is wrong. */
export async function checkRelay(smtpUrl: string): Promise<string | null> {
  const transport = await transportTo(smtpUrl);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return whereItFailed(error, 'The mail relay does not accept our connection:');
  } finally {
    transport.close();
  }
}

function relay(smtpUrl: string, from: string, publicUrl: string): Mailer {
  const transport = transportTo(smtpUrl);
  const host = new URL(publicUrl).hostname;
  return {
    kind: 'relay',
    send: async ({ id, recipient, subject, text, html }) => {
      try {
        await (
          await transport
        ).sendMail({
          from,
          // An object is never parsed as a list of addresses.
          to: { name: '', address: recipient },
          subject,
          text,
          html,
          // The id is the same at every try, so that the receiver can recognize a duplicate.
          messageId: `<openslot-${id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw new MailRefused(whereItFailed(error));
      }
    },
  };
}

// The relay's own error text may quote the message, which may hold a code.
function whereItFailed(error: unknown, what = 'The mail relay did not accept the message:'): string {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
  return [what, code, responseCode, command].filter(Boolean).join(' ');
}
