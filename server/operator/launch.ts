/** Settings and accounts that a marketplace needs before it sells. The console's first page and `openslot doctor` show the same list. */
import { sql } from 'kysely';
import { DEFAULT_NAME } from '#domain/marketplace.ts';
import { PAGE_TITLES, type PageKey } from '#domain/pages.ts';
import { reportBackups } from '#server/operations/backup/state.ts';
import { TEST_MAIL } from '#domain/notifications/bounces.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { keysName } from './check-keys.ts';

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
  const { hasWebsite, hasCurrency, ...facts } = await readFacts(tx, config);
  return [
    brandStep(config),
    sellerStep(config),
    legalStep(config),
    taxStep(config, hasCurrency),
    mailStep(config, facts),
    cardStep(config, facts),
    await backupStep(tx, config, now),
    {
      name: 'First website',
      isDone: hasWebsite,
      text: hasWebsite
        ? 'A website is verified.'
        : 'No website is verified yet. Invite a publisher, or add your own under Ad Zones of the marketplace. Then verify it by its tag or DNS.',
      href: '/operator/find?subject=website',
    },
  ];
}

/** Whether the marketplace can sell. */
export const isReady = (steps: readonly LaunchStep[]): boolean => steps.every(({ isDone }) => isDone);

type Facts = {
  /** A mailed code of a sign-up, or of a test mail, came back. */
  hasMailedCode: boolean;
  hasEvent: boolean;
  hasWebsite: boolean;
  hasCurrency: boolean;
  /** The provider accepted the keys in force: it was asked, or it charged a card. */
  hasCheckedKeys: boolean;
  /** An address of an operator that has bounced, since its owner last proved it. */
  bounced: string | null;
  /** Of the newest test mail. */
  mailError: string | null;
  isTestSent: boolean;
};

async function readFacts(tx: Tx, config: Config): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select exists (select from users where is_email_verified)
        or exists (select from operator_acts
          where subject = 'mail' and subject_id = 0 and act = 'confirm-test-mail') as has_mailed_code,
      exists (select from provider_events where source = 'account') as has_event,
      exists (select from websites where verified_at is not null) as has_website,
      exists (select from settings where name = 'CURRENCY') as has_currency,
      exists (select from operator_acts where subject = 'setting' and subject_id = 0 and act = 'check-keys'
          and subject_name = ${keysName(config)})
        or exists (select from payments where book = ${config.paymentBook} and status = 'succeeded')
        as has_checked_keys,
      (select b.recipient from mail_bounces b
        where b.kind = 'hard' and (b.recipient = ${config.contactEmail}
          or b.recipient in (select u.email from operators o join users u on u.id = o.user_id))
        order by b.at desc limit 1) as bounced,
      test.last_error as mail_error, coalesce(test.sent_at is not null, false) as is_test_sent
    from (select) as one
      left join lateral (
        select last_error, sent_at from messages
          where recipient in (select u.email from operators o join users u on u.id = o.user_id)
            and kind = ${TEST_MAIL}
          order by id desc limit 1) as test on true`.execute(tx);
  return rows[0] as Facts;
}

function mailStep(
  { smtpUrl }: Config,
  {
    hasMailedCode,
    bounced,
    mailError,
    isTestSent,
  }: Pick<Facts, 'hasMailedCode' | 'bounced' | 'mailError' | 'isTestSent'>,
): LaunchStep {
  const hasRelay = smtpUrl !== undefined;
  return {
    name: 'Mail',
    isDone: hasRelay && hasMailedCode && bounced === null,
    text: !hasRelay
      ? 'Nobody gets mail. Set SMTP_URL to your mail relay.'
      : bounced !== null
        ? `Mail to ${bounced} bounced. Correct the address or the relay, then send a test mail and type its code.`
        : hasMailedCode
          ? 'Mail goes out, and a mailed code came back.'
          : mailError !== null && !isTestSent
            ? `The test mail could not be sent: ${mailError}`
            : isTestSent
              ? 'The relay took the test mail. Type its code when it arrives.'
              : 'No mailed code has come back yet. Send a test mail to yourself, and type its code.',
    href: '/operator/mail',
  };
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
        ? `Prices are in ${currency}, and sales have no tax. ${hasChosen ? 'If you charge tax, make a tax table.' : 'Choose the currency, which stays after the first sale, and make a tax table if you charge tax.'}`
        : `Prices are in ${currency}, and tax follows your table.`,
    href: hasChosen ? '/operator/tax' : '/operator/settings#CURRENCY',
  };
}

function cardStep(
  { paymentBook }: Config,
  { hasEvent, hasCheckedKeys }: Pick<Facts, 'hasEvent' | 'hasCheckedKeys'>,
): LaunchStep {
  const isLive = paymentBook === 'stripe-live';
  return {
    name: 'Cards',
    isDone: isLive && hasCheckedKeys && hasEvent,
    text: !isLive
      ? `${paymentBook === 'sandbox' ? 'Cards are those of the sandbox' : 'The keys of Stripe are those of its test mode'}, so nobody pays. Set the live keys of Stripe in the environment of the server, and restart it.`
      : !hasCheckedKeys
        ? 'Stripe has not accepted these live keys yet. Check the keys.'
        : hasEvent
          ? 'Stripe is live, it accepts the keys, and its events arrive.'
          : 'Stripe accepts the live keys, and no event of it has arrived yet. Send a test event from its dashboard.',
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
      : (problems[0] ??
        'The server makes no backups by itself. Set `BACKUP_TO` in its environment, and restart it.'),
    href: '/operator/system',
  };
}
