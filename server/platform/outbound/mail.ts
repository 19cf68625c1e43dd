import { type Config, devAddress } from '../settings/config.ts';
import type { DkimSettings } from '../settings/joint.ts';

export type OutgoingMail = {
  id: number;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** The address to which a receiver reports that it can't deliver the mail. If absent, the sender's address. */
  returnPath?: string;
  /** The address that turns this kind of mail off with one POST (RFC 8058). */
  unsubscribeUrl?: string;
};

/**
 * Sends mail. `relay` hands it to the SMTP server of SMTP_URL and throws MailRefused if that fails. `kept` is for
 * development: the message stays in the table `messages`, where /dev/mail shows it.
 */
export type Mailer = { kind: 'relay' | 'kept'; send: (mail: OutgoingMail) => Promise<void> };

/** The relay did not accept a message. The error names the failing step and holds nothing of the message. */
export class MailRefused extends Error {}

export function createMailer(
  config: Config,
  // A log must have neither the address nor the key.
  print: (line: string) => void = config.logFormat === 'text' ? console.log : () => {},
): Mailer {
  return config.smtpUrl === undefined ? keptMail(config, print) : relay(config.smtpUrl, config);
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

/**
 * The signed header fields. Nodemailer's own list lacks List-Unsubscribe-Post, and receivers ignore a one-click
 * unsubscription that is not signed (RFC 8058, 4).
 */
const SIGNED_HEADERS = [
  'From',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'MIME-Version',
  'Content-Type',
  'Auto-Submitted',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':');

/** Loads the client of SMTP here, because a server or command that keeps its mail does not need it. */
async function transportTo(smtpUrl: string, dkim?: DkimSettings) {
  const { default: nodemailer } = await import('nodemailer');
  return nodemailer.createTransport({
    url: smtpUrl,
    ...(dkim && { dkim: { ...dkim, headerFieldNames: SIGNED_HEADERS } }),
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
    const what = whereItFailed(error, 'The mail relay does not accept our connection:');
    return `${what}. ${adviceFor((error as { code?: string }).code, new URL(smtpUrl))}`;
  } finally {
    transport.close();
  }
}

function relay(smtpUrl: string, config: Config): Mailer {
  // The first mail loads the client, which takes 5 MB.
  let transport: ReturnType<typeof transportTo> | undefined;
  const host = new URL(config.publicUrl).hostname;
  return {
    kind: 'relay',
    send: async ({ id, recipient, subject, text, html, returnPath, unsubscribeUrl }) => {
      // An object is never parsed as a list of addresses.
      const to = { name: '', address: recipient };
      try {
        const client = await (transport ??= transportTo(smtpUrl, config.dkim));
        await client.sendMail({
          from: config.mailFrom,
          ...(config.supportAddress !== null && { replyTo: config.supportAddress }),
          to,
          ...(returnPath !== undefined && { envelope: { from: returnPath, to } }),
          subject,
          text,
          html,
          // The id is the same at every try, so that the receiver can recognize a duplicate.
          messageId: `<openslot-${id}@${host}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl !== undefined && {
              // The address stays in the line of its name, because some programs do not read folded fields.
              'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        });
      } catch (error) {
        throw new MailRefused(whereItFailed(error));
      }
    },
  };
}

function adviceFor(code: string | undefined, { hostname, port, protocol }: URL): string {
  const relay = `${hostname} at port ${port || (protocol === 'smtps:' ? 465 : 587)}`;
  if (code === 'EAUTH') return `${relay} refuses the user or the password of SMTP_URL. Correct them there.`;
  if (code === 'ETLS')
    return `${relay} offers no TLS that we accept. Write smtps:// in SMTP_URL if this port begins with TLS, and smtp:// otherwise.`;
  if (code === 'EDNS')
    return `The host ${hostname} is not known. Correct SMTP_URL, or the DNS of this machine.`;
  if (code === 'ESOCKET' || code === 'ECONNECTION' || code === 'ETIMEDOUT')
    return `Nothing that speaks SMTP answers as ${relay}. Check that the relay runs and that no firewall is in between, or correct SMTP_URL.`;
  return 'Look at the log of the relay, and correct SMTP_URL.';
}

// The relay's own error text may quote the message, which may hold a code.
function whereItFailed(error: unknown, what = 'The mail relay did not accept the message:'): string {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
  return [what, code, responseCode, command].filter(Boolean).join(' ');
}
