/** `openslot doctor` checks the server's requirements, one line each. */
import { access, constants, statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import { countOldBankSeals } from '#server/money/payees/bank-seals.ts';
import { countOldSeals } from '#server/people/accounts/keys/second-factor.ts';
import { BlobsUnavailable } from '#server/platform/files/blobs.ts';
import { createBlobs, placeOfBlobs } from '#server/platform/files/blob-stores.ts';
import { checkRelay } from '#server/platform/outbound/mail.ts';
import { createPhishingHosts } from '#server/platform/outbound/phishing-hosts.ts';
import { requireOwn } from '#server/operations/archive/archive.ts';
import { reportArchive } from '#server/operations/archive/state.ts';
import { openPlace } from '#server/operations/backup/place.ts';
import { findFeedState, newReleaseText } from '#server/operations/updates/update-feed.ts';
import { RELEASE } from '#server/platform/settings/release.ts';
import { CommandRefused } from '#server/platform/jobs/alone.ts';
import { agesText, reportBackups } from '#server/operations/backup/state.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { ConfigError } from '#server/platform/settings/kinds.ts';
import { createClock, findClockProblem } from '#server/platform/database/clock.ts';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { readMigrations } from '#server/platform/database/migrate.ts';
import { startWithSettings } from '#server/platform/database/settings.ts';
import { findReadOnlyProblem, WRITABLE, type Writable } from '#server/platform/database/servers/writable.ts';
import { checkOtherLog, missingPartitions } from '#server/delivery/event-log/check.ts';
import { openCountryDatabase } from '#server/delivery/targeting/countries.ts';
import { findUntrustedForwarding } from '#server/delivery/traffic/untrusted-forwarding.ts';
import { turnedOffAddresses } from '#server/notify/outbox.ts';
import { readOutbound } from '#server/platform/outbound/wait.ts';
import { listAlarms } from '#server/money/books/alarms.ts';
import { findUncovered } from '#server/money/books/books.ts';
import { reportWholeCheck } from '#server/money/books/whole-check.ts';
import {
  installationId,
  markOf,
  findStranger,
  fingerprintsOf,
} from '#server/platform/database/servers/servers.ts';
import { checkActs } from '#server/money/transparency-log/acts.ts';
import { blockedHosts } from '#server/platform/net/blocked-host.ts';
import { isLoopback } from '#server/platform/net/networks.ts';
import { deriveKeys, readGeneratedSecret } from '#server/platform/settings/session-secret.ts';
import { checkAddresses } from './doctor-addresses.ts';
import {
  checkDatabaseServer,
  checkGuards,
  describeEmpty,
  explainDatabaseError,
  checkTimezones,
} from './doctor-database.ts';
import { checkCancels } from './doctor-cancels.ts';
import { checkFaults } from './doctor-faults.ts';
import { databaseUrlOf, readRunningConfig } from './running-config.ts';
import { launchSteps } from '../launch.ts';
import { waitingText } from '../outbound.ts';
import { at } from '../acts/command.ts';
import { listOperators, operatorsBesideActs } from '../store.ts';

/** `warn`: it works, and something is likely wrong. `fail`: it does not work. */
export type Finding = { check: string; state: 'ok' | 'warn' | 'fail'; text: string };

const GIGABYTE = 1_000_000_000;
const CLOCK_WARN_MS = 2000;

export async function diagnose(env: Record<string, string | undefined>, now: () => Date): Promise<Finding[]> {
  let config: Config;
  try {
    config = await readRunningConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ check: 'settings', state: 'fail', text: error.message.replaceAll('\n', ' ') }];
  }
  return [
    {
      check: 'settings',
      state: 'ok',
      text: `${config.production ? 'production' : 'development'}, ${config.publicUrl}`,
    },
    ...(await checkDatabase(config, now)),
    await checkMail(config),
    ...checkCards(config),
    ...checkMetrics(config),
    checkProxies(config),
    checkHosts(config),
    await checkPhishingHosts(config),
    await checkCountries(config),
    await checkServer(config),
    await checkDisk(config),
  ];
}

async function checkDatabase(config: Config, now: () => Date): Promise<Finding[]> {
  const url = databaseUrlOf(config);
  if (url === null) {
    return [
      {
        check: 'database',
        state: 'fail',
        text: `The embedded database in ${config.dataDir} is not running. Start the server with \`npm start\`, or set DATABASE_URL or DATA_DIR.`,
      },
    ];
  }
  const db = createDatabase(createPool(url, 1));
  try {
    const asked = now();
    const { rows } = await sql<Writable & { version: string; at: Date }>`
      select current_setting('server_version') as version, clock_timestamp() as at, ${sql.raw(WRITABLE)}`.execute(
      db,
    );
    const answered = now();
    const { version, at: databaseAt, ...writable } = rows[0]!;
    const applied = await appliedMigrations(db);
    if (applied.size === 0) return [describeEmpty(url)];
    const readOnly = findReadOnlyProblem(writable, 'DATABASE_URL');
    return [
      readOnly === null
        ? checkSchema(applied, version)
        : { check: 'database', state: 'fail', text: readOnly },
      await checkGuards(db),
      ...(await checkDatabaseServer(db)),
      ...(await checkSettings(config, db)),
      await checkEventLog(config, db, now()),
      await checkOutbox(db),
      await checkBounces(config, db),
      ...(await checkOutbound(db)),
      await checkForwarding(db, now()),
      await checkFaults(db),
      await checkOperators(db),
      ...(await checkLaunch(config, db, now())),
      await checkTimezones(db),
      await checkRole(db),
      ...(await checkOwnSecret(config, db)),
      ...(await checkSecrets(config, db)),
      await checkFiles(config, db),
      await checkBackups(config, db, now),
      ...(await checkArchive(config, db)),
      ...(await checkUpdate(config, db)),
      await checkBooks(db, now()),
      await checkCancels(db, now),
      ...(await checkAlarms(config, db, now)),
      checkClock(databaseAt, { asked, answered }),
      ...(await checkAddresses(config, markOf(await installationId(db)))),
    ];
  } catch (error) {
    return [{ check: 'database', state: 'fail', text: explainDatabaseError(error, url) }];
  } finally {
    await db.destroy();
  }
}

/** Clocks that agree when the database read its own, sometime between `asked` and `answered`, agree. */
function checkClock(databaseAt: Date, { asked, answered }: { asked: Date; answered: Date }): Finding {
  const check = 'clock';
  const now = new Date(Math.min(Math.max(databaseAt.getTime(), asked.getTime()), answered.getTime()));
  const problem = findClockProblem(databaseAt, now);
  if (problem !== null) return { check, state: 'fail', text: problem };
  const differenceMs = Math.abs(databaseAt.getTime() - now.getTime());
  return differenceMs > CLOCK_WARN_MS
    ? {
        check,
        state: 'warn',
        text: `This machine and the database differ by ${(differenceMs / 1000).toFixed(1)} s. Synchronize both with NTP.`,
      }
    : { check, state: 'ok', text: 'This machine and the database agree.' };
}

/** Puts the settings of the database in force for the other checks. */
async function checkSettings(config: Config, db: Database): Promise<Finding[]> {
  try {
    await startWithSettings(db, config);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ check: 'settings', state: 'fail', text: error.message.replaceAll('\n', ' ') }];
  }
}

/** The names of the migrations that have run. None: no server has started on this database. */
async function appliedMigrations(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from applied_files where name not like 'functions/%'`
    .execute(db)
    .catch((error: unknown) => {
      // 42P01: the table does not exist, so no server has started on this database yet.
      if ((error as { code?: string }).code === '42P01') return { rows: [] };
      throw error;
    });
  return new Set(rows.map(({ name }) => name));
}

function checkSchema(applied: ReadonlySet<string>, version: string): Finding {
  const missing = readMigrations().filter(({ name }) => !applied.has(name));
  return missing.length === 0
    ? { check: 'database', state: 'ok', text: `PostgreSQL ${version}, schema up to date.` }
    : {
        check: 'database',
        state: 'fail',
        text: `PostgreSQL ${version}, ${missing.length} migrations are missing. Start the server of this version once.`,
      };
}

async function checkEventLog(config: Config, db: Database, now: Date): Promise<Finding> {
  const check = 'event log';
  const other = await checkOtherLog(config, db);
  if (other) return { check, ...other };
  const missing = await missingPartitions(db, now);
  return missing.length === 0
    ? { check, state: 'ok', text: 'PostgreSQL has partitions for today and tomorrow.' }
    : {
        check,
        state: 'warn',
        text: `No partition for ${missing.join(' and ')}. The server makes it within a minute of its start. Check that it is running.`,
      };
}

async function checkFiles(config: Config, db: Database): Promise<Finding> {
  const check = 'files';
  const text = `Uploads are in ${placeOfBlobs(config)}`;
  if (!config.uploads) return { check, state: 'ok', text: `${text}.` };
  try {
    await createBlobs(config, async () => await installationId(db)).check();
    return { check, state: 'ok', text: `${text}, which answers.` };
  } catch (error) {
    if (error instanceof BlobsUnavailable || error instanceof ConfigError)
      return { check, state: 'fail', text: error.message };
    throw error;
  }
}

async function checkBackups(config: Config, db: Database, now: () => Date): Promise<Finding> {
  const check = 'backup';
  const { backup } = config;
  try {
    if (backup !== null) await openPlace(backup.to, config).check();
  } catch (error) {
    if (
      !(error instanceof CommandRefused || error instanceof BlobsUnavailable || error instanceof ConfigError)
    )
      throw error;
    return { check, state: 'fail', text: `BACKUP_TO cannot be written. ${error.message}` };
  }
  try {
    const clock = createClock(db, now);
    await clock.read();
    const report = await reportBackups(db, clock.now(), backup);
    return report.problems.length === 0
      ? { check, state: 'ok', text: agesText(report) }
      : { check, state: 'warn', text: report.problems.join(' ') };
  } catch (error) {
    if (!isOlderSchema(error)) throw error;
    return { check, state: 'warn', text: 'Checked after the next start of the server.' };
  }
}

/** Fails for each day of events that is kept because it is not in the archive as it was counted. */
async function checkArchive(config: Config, db: Database): Promise<Finding[]> {
  const { archiveTo } = config;
  if (archiveTo === undefined) return [];
  const check = 'archive';
  try {
    await requireOwn({ db }, openPlace(archiveTo, config));
    const { archived, problems } = await reportArchive(db);
    return problems.length === 0
      ? [{ check, state: 'ok', text: `${archived} days of events are archived in ${archiveTo}.` }]
      : problems.map((text) => ({ check, state: 'fail', text }));
  } catch (error) {
    if (error instanceof CommandRefused || error instanceof BlobsUnavailable)
      return [{ check, state: 'fail', text: error.message }];
    if (!isOlderSchema(error)) throw error;
    return [{ check, state: 'warn', text: 'Checked after the next start of the server.' }];
  }
}

/** Warns if the weekly check of everything does not end. What it finds is an alarm. */
async function checkBooks(db: Database, now: Date): Promise<Finding> {
  const check = 'books';
  try {
    const { text, problem } = await reportWholeCheck(db, now);
    return problem === null ? { check, state: 'ok', text } : { check, state: 'warn', text: problem };
  } catch (error) {
    if (!isOlderSchema(error)) throw error;
    return { check, state: 'warn', text: 'Checked after the next start of the server.' };
  }
}

/** Fails for each alarm, as in the mails and above the pages of the console. */
async function checkAlarms(config: Config, db: Database, now: () => Date): Promise<Finding[]> {
  const check = 'alarm';
  try {
    const clock = createClock(db, now);
    await clock.read();
    const alarms = await listAlarms(
      { db, config },
      clock.now(),
      await findUncovered({ db, config, now: clock.now }),
    );
    return alarms.map(({ title, text }) => ({ check, state: 'fail', text: `${title}. ${text}` }));
  } catch (error) {
    if (!isOlderSchema(error)) throw error;
    return [{ check, state: 'warn', text: 'Checked after the next start of the server.' }];
  }
}

async function checkOutbox(db: Database): Promise<Finding> {
  const check = 'outbox';
  const row = await db
    .selectFrom('messages')
    .select([
      sql<number>`count(*)`.as('waiting'),
      sql<number>`count(*) filter (where attempts > 0)`.as('failed'),
    ])
    .where('sentAt', 'is', null)
    .where('kept', '=', false)
    .where('suppressed', '=', false)
    .executeTakeFirst()
    .catch((error: unknown) => {
      if (isOlderSchema(error)) return undefined;
      throw error;
    });
  const failed = row?.failed ?? 0;
  return failed === 0
    ? { check, state: 'ok', text: `${row?.waiting ?? 0} mails wait.` }
    : {
        check,
        state: 'warn',
        text: `${failed} mails were refused by the relay. See \`openslot mail list\`.`,
      };
}

const MAX_TURNED_OFF = 1000;

async function checkBounces({ contactEmail }: Config, db: Database): Promise<Finding> {
  const check = 'bounces';
  const addresses = await turnedOffAddresses(db, { limit: MAX_TURNED_OFF }).catch((error: unknown) => {
    if (isOlderSchema(error)) return [];
    throw error;
  });
  if (addresses.some(({ recipient }) => recipient === contactEmail.toLowerCase())) {
    return {
      check,
      state: 'fail',
      text: `Mail to you at ${contactEmail} bounces. Set OPERATOR_MAIL to an address that receives it.`,
    };
  }
  const count = addresses.length === MAX_TURNED_OFF ? `${MAX_TURNED_OFF} or more` : addresses.length;
  return { check, state: 'ok', text: `${count} addresses get no mail, because it bounced.` };
}

/** Warns while everything outgoing waits after a restore. */
async function checkOutbound(db: Database): Promise<Finding[]> {
  const { since, waiting } = await readOutbound(db).catch((error: unknown) => {
    if (isOlderSchema(error)) return { since: null, waiting: null };
    throw error;
  });
  if (since === null) return [];
  const text = `Everything outgoing has waited since ${at(since)}, when a backup was restored. Waiting: ${waitingText(waiting)}. See docs/repair.md, "After a restore".`;
  return [{ check: 'outbound', state: 'warn', text }];
}

async function checkForwarding(db: Database, now: Date): Promise<Finding> {
  const check = 'forwarding';
  const seen = await findUntrustedForwarding(db, now).catch((error: unknown) => {
    if ((error as { code?: string }).code === '42P01') return [];
    throw error;
  });
  if (seen.length === 0) {
    return { check, state: 'ok', text: 'No untrusted proxy sent X-Forwarded-For in the last day.' };
  }
  const peers = seen.map(({ peer }) => peer ?? 'a public address').join(', ');
  return {
    check,
    state: 'warn',
    text: `X-Forwarded-For came from ${peers} and was ignored, because TRUSTED_PROXIES doesn’t name the sender. If it is your proxy, name it there: all visitors seem to have its address now, so most views are not counted.`,
  };
}

/** Compares the secret of these settings with those of the running servers, by fingerprints. */
async function checkOwnSecret({ sessionSecrets, dataDir }: Config, db: Database): Promise<Finding[]> {
  const generated = sessionSecrets === undefined ? readGeneratedSecret(dataDir) : null;
  const secrets = sessionSecrets ?? (generated === null ? null : ([generated] as const));
  // Without SESSION_SECRET, only the account of the server can read the generated one.
  if (secrets === null) return [];
  const note = { server: 'openslot doctor', secrets: await fingerprintsOf(db, deriveKeys(secrets).keysFor) };
  const server = await findStranger(db, note);
  if (server === null) return [];
  const text = `SESSION_SECRET is not the one with which the running server ${server} signs, so that a server with these settings refuses its sessions, views and second factors. Set the SESSION_SECRET of that server here, too.`;
  return [{ check: 'secret', state: 'fail', text }];
}

/** Says whether older secrets of SESSION_SECRET can be removed. Returns nothing if there is only one. */
async function checkSecrets({ sessionSecrets }: Config, db: Database): Promise<Finding[]> {
  if (sessionSecrets === undefined || sessionSecrets.length === 1) return [];
  const check = 'secret';
  try {
    const { keysFor } = deriveKeys(sessionSecrets);
    const sealed = (await countOldSeals(db, keysFor)) + (await countOldBankSeals(db, keysFor));
    if (sealed > 0) {
      const text = `Second factors and IBANs sealed with an older secret of SESSION_SECRET: ${sealed}. Restart the server with the present SESSION_SECRET before you remove it.`;
      return [{ check, state: 'warn', text }];
    }
    const text =
      'Nothing that is stored needs an older secret of SESSION_SECRET. Remove it seven days after all servers sign with the first one, so that no session ends.';
    return [{ check, state: 'ok', text }];
  } catch (error) {
    if (!isOlderSchema(error)) throw error;
    return [{ check, state: 'warn', text: 'Checked after the next start of the server.' }];
  }
}

/** Missing settings and accounts of a marketplace in production that does not sell yet, in the sentences of the console. */
async function checkLaunch(config: Config, db: Database, now: Date): Promise<Finding[]> {
  if (!config.production) return [];
  try {
    const missing = (await launchSteps(db, config, now)).filter(({ isDone }) => !isDone);
    return missing.map(({ name, text }) => ({ check: 'launch', state: 'warn', text: `${name}: ${text}` }));
  } catch (error) {
    if (!isOlderSchema(error)) throw error;
    return [{ check: 'launch', state: 'warn', text: 'Checked after the next start of the server.' }];
  }
}

/** Whether a newer release is out, as far as UPDATE_FEED says. A feed that can't be read is no fault of the server. */
async function checkUpdate({ updateFeed }: Config, db: Database): Promise<Finding[]> {
  if (updateFeed === undefined) return [];
  const check = 'update';
  const state = await findFeedState(db, updateFeed).catch((error: unknown) => {
    if (!isOlderSchema(error)) throw error;
    return null;
  });
  if (state === null)
    return [
      { check, state: 'ok', text: 'UPDATE_FEED is read within a minute after the start of the server.' },
    ];
  const { newer, problem } = state;
  if (newer) return [{ check, state: 'warn', text: `${newReleaseText(newer)} Read ${newer.url}` }];
  if (problem !== null) return [{ check, state: 'warn', text: `UPDATE_FEED can’t be read: ${problem}` }];
  return [{ check, state: 'ok', text: `${RELEASE} is the newest release.` }];
}

/** Finds operators whom no act made one, and acts that differ from the signed log. [OPER-20] */
async function checkOperators(db: Database): Promise<Finding> {
  const check = 'operators';
  try {
    const { withoutAct, removed } = await operatorsBesideActs(db);
    const acts = await checkActs(db);
    const isAlone = (await listOperators(db)).length === 0;
    const problems = [
      ...(withoutAct.length > 0
        ? [`No act made ${withoutAct.join(', ')} an operator. Remove the row from the table operators.`]
        : []),
      ...(removed.length > 0
        ? [`No act removed ${removed.join(', ')}, who were operators. Find out who did.`]
        : []),
      ...(acts.length > 0
        ? [
            `The audit trail differs from the signed log: ${acts
              .slice(0, 5)
              .map(({ kind, ref }) => `${ref} (${kind.replaceAll('_', ' ')})`)
              .join(', ')}${acts.length > 5 ? ` and ${acts.length - 5} more` : ''}.`,
          ]
        : []),
    ];
    if (isAlone && problems.length === 0)
      return {
        check,
        state: 'warn',
        text: 'There is no operator, so nobody can open the console or decide about disputes and reports. Print a link that makes one, and open it: `openslot operator link`.',
      };
    return problems.length === 0
      ? { check, state: 'ok', text: 'Each has an act, and the audit trail agrees with the signed log.' }
      : { check, state: 'fail', text: problems.join(' ') };
  } catch (error) {
    if (!isOlderSchema(error)) throw error;
    return { check, state: 'warn', text: 'Checked after the next start of the server.' };
  }
}

/**
 * A role that owns the tables can turn off their triggers, and so rewrite what they guard. One that can make temporary
 * tables can hide ours from the guards.
 */
async function checkRole(db: Database): Promise<Finding> {
  const { rows } = await sql<{ role: string; owners: string[]; isOwner: boolean; makesTables: boolean }>`
    select current_user as role, coalesce(array_agg(distinct tableowner::text), '{}') as owners,
        coalesce(bool_or(pg_has_role(current_user, tableowner, 'usage')), false) as "isOwner",
        has_database_privilege(current_database(), 'temporary') as "makesTables"
      from pg_tables where schemaname = current_schema`.execute(db);
  const { role, owners, isOwner, makesTables } = rows[0]!;
  const check = 'database role';
  if (isOwner)
    return {
      check,
      state: 'warn',
      text: `The server works as ${role}, which has the rights of the owner of the tables (${owners.join(', ')}), so a stolen connection could turn off the guards of ledger and audit trail. Set DATABASE_OWNER_URL, and name another role in DATABASE_URL. \`openslot money check\` finds what was changed.`,
    };
  if (makesTables)
    return {
      check,
      state: 'warn',
      text: `The role ${role} can make temporary tables, which hide ours from the guards. As the owner of the database, run \`revoke temporary on database … from public\`.`,
    };
  return { check, state: 'ok', text: `${role} is not the owner of the tables (${owners.join(', ')}).` };
}

function isOlderSchema(error: unknown): boolean {
  // 42P01 and 42703: a table or column is missing, because no server of this version has started on the database.
  return ['42P01', '42703'].includes((error as { code?: string }).code ?? '');
}

async function checkMail({ smtpUrl, publicUrl }: Config): Promise<Finding> {
  const check = 'mail';
  if (smtpUrl === undefined) {
    // Production without SMTP_URL does not pass the check of the settings.
    return {
      check,
      state: isLoopback(publicUrl) ? 'ok' : 'warn',
      text: 'SMTP_URL is not set, so mail is kept and not sent.',
    };
  }
  const problem = await checkRelay(smtpUrl);
  return problem === null
    ? { check, state: 'ok', text: 'The relay accepts our connection.' }
    : { check, state: 'fail', text: problem };
}

/** Sandbox cards are right for a rehearsal of production, and wrong for a marketplace with customers. */
function checkCards({ production, stripe }: Config): Finding[] {
  if (!production || stripe !== undefined) return [];
  const text =
    'Cards are those of the sandbox, so nobody pays, and publishers earn no real money. Set STRIPE_SECRET_KEY and the other settings of Stripe, and unset ALLOW_SANDBOX_PAYMENTS, before you let customers in.';
  return [{ check: 'cards', state: 'warn', text }];
}

const MIN_TOKEN_LENGTH = 16;

function checkMetrics({ metricsToken }: Config): Finding[] {
  if (metricsToken === undefined || metricsToken.length >= MIN_TOKEN_LENGTH) return [];
  const text = `METRICS_TOKEN has fewer than ${MIN_TOKEN_LENGTH} characters, so that others can guess it and read your figures. Set at least 32 random ones, such as the output of \`openssl rand -hex 32\`, here and in Prometheus.`;
  return [{ check: 'metrics', state: 'warn', text }];
}

function checkProxies({ publicUrl, trustedProxies }: Config): Finding {
  const check = 'proxy headers';
  if (trustedProxies.length > 0)
    return { check, state: 'ok', text: `X-Forwarded-For is trusted from ${trustedProxies.join(', ')}.` };
  if (publicUrl.startsWith('https:')) {
    return {
      check,
      state: 'warn',
      text: 'PUBLIC_URL is https, so a proxy ends TLS, but TRUSTED_PROXIES is empty. All visitors then seem to have the proxy’s address. Set it to the address of the proxy.',
    };
  }
  return { check, state: 'ok', text: 'No proxy is trusted.' };
}

function checkHosts(config: Config): Finding {
  const check = 'host names';
  const [problem, ...others] = blockedHosts(config);
  return problem === undefined
    ? { check, state: 'ok', text: 'Ad blockers have no rule for the host names of this installation.' }
    : { check, state: 'warn', text: [problem, ...others].join(' ') };
}

async function checkPhishingHosts(config: Config): Promise<Finding> {
  const check = 'phishing hosts';
  const hosts = createPhishingHosts(config, { info: () => {}, warn: () => {} });
  try {
    await hosts.start();
  } catch (error) {
    return { check, state: 'fail', text: reasonOf(error) };
  } finally {
    hosts.stop();
  }
  const count = hosts.size();
  return {
    check,
    state: 'ok',
    text: count === 0 ? 'No host is listed.' : `${count} hosts are listed. No ad may lead there.`,
  };
}

async function checkCountries(config: Config): Promise<Finding> {
  const check = 'countries';
  const file = config.countryDatabaseFile ?? 'that Openslot ships';
  try {
    await openCountryDatabase(config);
    return { check, state: 'ok', text: `The country database ${file} can be read.` };
  } catch (error) {
    return {
      check,
      state: 'warn',
      text: `The country database ${file} cannot be read (${reasonOf(error)}), so every visitor’s country is unknown. Set COUNTRY_DATABASE_FILE to an MMDB file, and restart the server.`,
    };
  }
}

async function checkServer({ host, port }: Config): Promise<Finding> {
  const check = 'server';
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const shown = address.includes(':') ? `[${address}]` : address;
  try {
    const answer = await fetch(`http://${shown}:${port}/api/health`, { signal: AbortSignal.timeout(5000) });
    await answer.body?.cancel();
    return answer.ok
      ? { check, state: 'ok', text: `It answers on port ${port}.` }
      : { check, state: 'fail', text: `It answers ${answer.status} on port ${port}, so it is not ready.` };
  } catch {
    return { check, state: 'warn', text: `Nothing answers on port ${port} of ${address}.` };
  }
}

async function checkDisk({ dataDir }: Config): Promise<Finding> {
  const check = 'disk';
  try {
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const text = `${(free / GIGABYTE).toFixed(1)} GB are free in ${dataDir}.`;
    return { check, state: free < 0.1 * GIGABYTE ? 'fail' : free < GIGABYTE ? 'warn' : 'ok', text };
  } catch (error) {
    return { check, state: 'fail', text: `DATA_DIR ${dataDir} cannot be written: ${reasonOf(error)}.` };
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? 'unknown';
}
