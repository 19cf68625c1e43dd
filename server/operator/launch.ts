/** Settings and accounts that a marketplace needs before it sells. The console's first page and `openslot doctor` show the same list. */
import { sql } from 'kysely';
import { DEFAULT_NAME } from '#domain/marketplace.ts';
import { PAGE_TITLES, type PageKey } from '#domain/pages.ts';
import { reportBackups } from '#server/operations/backup/state.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Config } from '#server/platform/settings/config.ts';

export type LaunchStep = {
  name: string;
  isDone: boolean;
  /** Says how to add it if it is missing, or what is there. */
  text: string;
  /** The page of the console where it is changed. */
  href: string;
};

const LEGAL_PAGES: readonly PageKey[] = ['terms', 'privacy', 'imprint'];

export async function launchSteps(tx: Tx, config: Config, now: Date): Promise<LaunchStep[]> {
  const { hasMailedCode, hasEvent, hasWebsite, hasCurrency } = await readFacts(tx);
  return [
    brandStep(config),
    sellerStep(config),
    legalStep(config),
    taxStep(config, hasCurrency),
    {
      name: 'Mail',
      isDone: config.smtpUrl !== undefined && hasMailedCode,
      text:
        config.smtpUrl === undefined
          ? 'Nobody gets mail. Set SMTP_URL to your mail relay.'
          : hasMailedCode
            ? 'Mail goes out, and a mailed code came back.'
            : 'No mailed code has come back yet. Sign up with an address of yours, and type its code.',
      href: '/operator/mail',
    },
    cardStep(config, hasEvent),
    await backupStep(tx, config, now),
    {
      name: 'First website',
      isDone: hasWebsite,
      text: hasWebsite
        ? 'A website is verified.'
        : 'No website is verified yet. Invite a publisher, or add your own.',
      href: '/operator/new-websites',
    },
  ];
}

/** Whether the marketplace can sell. */
export const isReady = (steps: readonly LaunchStep[]): boolean => steps.every(({ isDone }) => isDone);

async function readFacts(tx: Tx) {
  const { rows } = await sql<Record<'hasMailedCode' | 'hasEvent' | 'hasWebsite' | 'hasCurrency', boolean>>`
    select exists (select from users where is_email_verified) as has_mailed_code,
      exists (select from provider_events where source = 'account') as has_event,
      exists (select from websites where verified_at is not null) as has_website,
      exists (select from settings where name = 'CURRENCY') as has_currency`.execute(tx);
  return rows[0] as (typeof rows)[number];
}

function brandStep({ brand: { name, logo } }: Config): LaunchStep {
  const isDone = name !== DEFAULT_NAME;
  return {
    name: 'Name and logo',
    isDone,
    text: isDone
      ? `The marketplace is called ${name}${logo === null ? ', and has no logo yet.' : '.'}`
      : `The marketplace is still called ${DEFAULT_NAME}. Give it a name, and perhaps a logo.`,
    href: '/operator/settings#MARKETPLACE_NAME',
  };
}

function sellerStep({ seller: { name, address, country } }: Config): LaunchStep {
  const missing = [address === null && 'address', country === null && 'country'].filter(Boolean);
  return {
    name: 'Who sells',
    isDone: missing.length === 0,
    text:
      missing.length === 0 ? `${name}, ${country}.` : `Receipts lack the seller’s ${missing.join(' and ')}.`,
    href: '/operator/settings#SELLER_ADDRESS',
  };
}

function legalStep({ pages }: Config): LaunchStep {
  const missing = LEGAL_PAGES.filter((key) => !(key in pages)).map((key) => PAGE_TITLES[key]);
  return {
    name: 'Terms, privacy, imprint',
    isDone: missing.length === 0,
    text:
      missing.length === 0
        ? 'All three are published.'
        : `Not published: ${missing.join(', ')}. Each has a text to start from.`,
    href: '/operator/pages',
  };
}

/** A marketplace may have no tax, but not by accident. */
function taxStep({ taxTable, currency, environment }: Config, hasCurrency: boolean): LaunchStep {
  const hasChosen = taxTable !== null || hasCurrency || environment['CURRENCY'] !== undefined;
  return {
    name: 'Currency and tax',
    isDone: hasChosen,
    text:
      taxTable === null
        ? `Prices are in ${currency}, and sales have no tax. ${hasChosen ? '' : 'Set CURRENCY, which no sale can change, and make a tax table if you charge tax.'}`.trim()
        : `Prices are in ${currency}, and tax follows your table.`,
    href: '/operator/settings',
  };
}

function cardStep({ paymentBook }: Config, hasEvent: boolean): LaunchStep {
  const isLive = paymentBook === 'stripe-live';
  return {
    name: 'Cards',
    isDone: isLive && hasEvent,
    text: isLive
      ? hasEvent
        ? 'Stripe is live, and its events arrive.'
        : 'Stripe is live, and no event of it has arrived yet. Send a test event from its dashboard.'
      : `${paymentBook === 'sandbox' ? 'Cards are those of the sandbox' : 'Stripe is in test mode'}, so nobody pays. Set the live keys of Stripe.`,
    href: '/operator/system',
  };
}

async function backupStep(tx: Tx, { backup }: Config, now: Date): Promise<LaunchStep> {
  const { problems } = await reportBackups(tx, now, backup);
  const isDone = backup !== null && problems.length === 0;
  return {
    name: 'Backup',
    isDone,
    text: isDone
      ? 'The server makes a backup each day, and restored one as a proof.'
      : (problems[0] ?? 'The server makes no backups. Set BACKUP_TO.'),
    href: '/operator/system',
  };
}
