/** The operator's command line, on the database of a running server. */
import { expect, it, vi } from 'vitest';
import { type Options, UsageError } from '#server/operator/acts/command.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { RELEASE } from '#server/platform/settings/release.ts';
import { createBareDatabase } from '#server/testing/database/database.ts';
import { runOpenslot, spawnOpenslot } from '#server/testing/openslot.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

// Each command is a process of its own.
vi.setConfig({ testTimeout: 300_000 });

const server = useOwnServer();

/** Runs `openslot` with these words on the test's server. `env` replaces settings. */
async function openslot(words: string[], env: Record<string, string | undefined> = {}) {
  return await runOpenslot(words, {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
    ...env,
  });
}

/** Runs a command inside of this process, for tests of its answer and not of its output. */
async function run(words: string[], options: Partial<Options> = {}) {
  const { command, args } = commandOf(words);
  const input = { ctx: server.ctx, operator: { id: null }, args, options: { dryRun: false, ...options } };
  return await command.run(input);
}

const operatorIds = async () =>
  (await server.ctx.db.selectFrom('operators').select('userId').execute()).map(({ userId }) => userId);

// Proves OPER-02
it('adds, lists and removes operators, and says what it refuses', async () => {
  const person = await server.signIn('both');
  const { email, id } = person.user;
  const added = await openslot(['operator', 'add', email.toUpperCase()]);
  expect(added).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`${email} is an operator.`) });
  expect(await operatorIds()).toEqual([id]);
  const again = await openslot(['operator', 'add', email]);
  expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is an operator already') });
  const list = await openslot(['operator', 'list', '--json']);
  expect(JSON.parse(list.out)).toEqual([{ id, email, role: 'owner', addedAt: expect.any(String) }]);
  const last = await openslot(['operator', 'remove', email, '--reason', 'Left', '--json']);
  expect([last.code, JSON.parse(last.out)]).toEqual([
    1,
    { error: `${email} is the last owner. Make another operator an owner first.` },
  ]);
  const demoted = await openslot(['operator', 'role', email, 'read', '--reason', 'Moved']);
  expect([demoted.code, demoted.err]).toEqual([1, expect.stringContaining('is the last owner')]);
  expect((await openslot(['operator', 'role', email, 'king', '--reason', 'x'])).code).toBe(2);
  expect(await operatorIds()).toEqual([id]);
  await expect(run(['operator', 'add', 'nobody@example.test'])).rejects.toThrow('There is no account');
});

it('says how to back up a database that was not upgraded', async () => {
  const database = await createBareDatabase();
  const backup = await openslot(['backup', '--to', server.ctx.config.dataDir, '--json'], {
    DATABASE_URL: database.url,
  });
  await database.drop();
  expect([backup.code, JSON.parse(backup.out)]).toEqual([
    2,
    { error: expect.stringContaining('To back it up before that, use the release before.') },
  ]);
});

it('is a program that prints its release, and answers what it refuses with an exit code', async () => {
  expect(await spawnOpenslot(['--version'], {})).toEqual({ code: 0, out: `${RELEASE}\n`, err: '' });
  const unknown = { code: 2, out: '', err: expect.stringContaining('There is no command “sing”.') };
  expect(await spawnOpenslot(['sing'], {})).toEqual(unknown);
});

it('answers wrong usage with its own exit code and how to use the command, or the list if there is none', async () => {
  const wrong = await openslot(['suspend', 'ad', '1']);
  expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Please give a reason') });
  expect(wrong.err).toMatch(/\n\nUsage: openslot suspend .*\n$/);
  expect(wrong.err).not.toContain('ledger check');
  const refused = await openslot(['settings', 'set', 'COMMISSION', '51', '--reason', 'x']);
  expect(refused.code).toBe(2);
  expect(refused.err.trim().split('\n')).toEqual([
    expect.stringMatching(/^COMMISSION/),
    '',
    expect.stringMatching(/^Usage: openslot settings set /),
  ]);
  expect((await openslot(['sing'])).err).toMatch(
    /^There is no command “sing”\.\n\nUsage: [^]*ledger +Compare the ledger/,
  );
  for (const line of [
    '',
    'sing',
    'operator',
    'operator add no-address',
    'suspend planet 1 --reason x',
    'suspend ad',
    'jobs drop abc',
    'appeals decide 1 perhaps',
    'mail resend 99999999999',
    'claims decide',
    'withdrawals overrule abc',
  ]) {
    const ran = run(line.split(' ').filter(Boolean), { reason: 'x' });
    expect([line, await ran.catch((error: unknown) => error instanceof UsageError)]).toEqual([line, true]);
  }
  expect(await server.ctx.db.selectFrom('operatorActs').select('id').execute()).toHaveLength(1);
});

it('helps by topic, and names its commands as the reader runs them', async () => {
  const topics = await openslot(['help']);
  expect(topics).toMatchObject({ code: 0, err: '' });
  expect(topics.out).toContain('openslot help money');
  expect(topics.out.split('\n').length).toBeLessThan(50);
  const money = (await openslot(['help', 'money'])).out;
  expect(money).toContain('  openslot money books');
  expect(money).not.toContain('openslot suspend');
  expect((await openslot(['money', '--help'])).out).toBe(money);
  expect((await openslot(['money', 'sing'])).err).toContain(money.trimEnd());
  const inClone = { OPENSLOT_COMMAND: 'npm run -s openslot --' };
  expect((await openslot(['help', 'money'], inClone)).out).toContain('  npm run -s openslot -- money books');
  const refused = (await openslot(['suspend', 'ad', '1'], inClone)).err;
  expect(refused).toContain('Usage: npm run -s openslot -- suspend');
});

it('suspends while the server runs; a dry run answers the same and changes nothing', async () => {
  const { ad } = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'));
  const row = async () =>
    await server.ctx.db
      .selectFrom('ads')
      .select(['suspendedReason'])
      .where('id', '=', ad.id)
      .executeTakeFirstOrThrow();
  const counts = async () => ({
    acts: (await server.ctx.db.selectFrom('operatorActs').select('id').execute()).length,
    mails: (await server.ctx.db.selectFrom('messages').select('id').execute()).length,
  });
  const before = await counts();
  const words = ['suspend', 'ad', ad.publicId, '--reason', 'Too loud'];
  const dry = await openslot([...words, '--dry-run']);
  expect(dry).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Dry run, nothing was changed: Suspended/),
  });
  expect([await row(), await counts()]).toEqual([{ suspendedReason: null }, before]);

  const done = await openslot([...words, '--json']);
  expect([done.code, JSON.parse(done.out)]).toEqual([
    0,
    expect.objectContaining({ id: ad.id, suspendedReason: 'Too loud', dryRun: false }),
  ]);
  expect(await row()).toEqual({ suspendedReason: 'Too loud' });
  const refused = run(['suspend', 'ad', ad.publicId], { reason: 'Too loud', dryRun: true });
  await expect(refused).rejects.toThrow('suspended already');
  const trail = await run(['audit']);
  expect(trail.lines.join('\n')).toMatch(/command line {2}Suspended the ad “[^”]+”: Too loud/);
  const found = await run(['find', 'ad', String(ad.id)]);
  expect(found.lines.join('\n')).toContain('(suspended)');
  expect((await openslot(['ledger', 'check'])).out).toBe('The ledger and the payments agree.\n');
});

// Proves OPS-14
it('prints the settings in force without a database, and exits with 1 where they are refused', async () => {
  const env = {
    DATABASE_URL: 'postgres://person:hush@127.0.0.1:1/none',
    SELLER_ADDRESS: 'Main Street 1\\nBern',
  };
  const printed = await openslot(['config'], env);
  expect(printed).toMatchObject({
    code: 0,
    err: 'The settings of the database cannot be read, so they are left out. Check it: openslot doctor\n',
  });
  expect(printed.out).toMatch(
    /^DATABASE_URL +environment +postgres:\/\/person:\*\*\*@127\.0\.0\.1:1\/none$/m,
  );
  expect(printed.out).toMatch(/^SELLER_ADDRESS +environment +Main Street 1\\nBern$/m);
  expect(printed.out).toMatch(/^SESSION_SECRET +default +unset$/m);
  const json = await openslot(['config', '--json'], env);
  expect(JSON.parse(json.out).settings).toContainEqual({
    name: 'LOG_LEVEL',
    value: 'info',
    source: 'default',
  });
  const refused = await openslot(['config'], { SMTP_URL_FILE: '/nowhere/smtp' });
  expect(refused).toEqual({
    code: 1,
    out: '',
    err: 'SMTP_URL_FILE must be a file that can be read (ENOENT): /nowhere/smtp.\n',
  });
});

// Proves RES-21
it('the doctor prints a line for each check, and fails where something does not work', async () => {
  const well = await openslot(['doctor', '--json']);
  const findings = JSON.parse(well.out) as { check: string; state: string; text: string }[];
  expect(findings.map(({ check }) => check)).toEqual([
    'settings',
    'database',
    'guards',
    'event log',
    'outbox',
    'bounces',
    'forwarding',
    'reports',
    'operators',
    'timezones',
    'database role',
    'files',
    'backup',
    'books',
    'cancels',
    'clock',
    'PUBLIC_URL',
    'mail',
    'proxy headers',
    'host names',
    'phishing hosts',
    'countries',
    'server',
    'disk',
  ]);
  expect(findings.filter(({ state, check }) => state === 'fail' && check !== 'disk')).toEqual([]);
  for (const name of ['server', 'forwarding', 'host names'])
    expect(findings.find(({ check }) => check === name)).toMatchObject({ state: 'ok' });

  const host = 'postgres://nobody:secret-word@127.0.0.1:1/none';
  const broken = await openslot(['doctor'], {
    DATABASE_URL: host,
    SMTP_URL: 'smtp://127.0.0.1:1',
    COUNTRY_DATABASE_FILE: '/none.mmdb',
    PORT: '1',
  });
  expect(broken.code).toBe(1);
  expect(broken.out).toMatch(
    /^warn +countries +The country database \/none\.mmdb cannot be read \(ENOENT\)/m,
  );
  expect(broken.out).toMatch(/^fail +database +It does not answer: ECONNREFUSED/m);
  expect(broken.out).toMatch(/^fail +mail +The mail relay does not accept our connection: ESOCKET/m);
  expect(broken.out).toMatch(/^warn +server/m);
  expect(broken.out).not.toContain('secret-word');
  // A proxy that TRUSTED_PROXIES does not name, and a visitor whose address is not stored.
  for (const peer of ['10.0.0.7', '']) {
    const row = { peer, seenAt: new Date() };
    await server.ctx.db.insertInto('untrustedForwarding').values(row).execute();
  }
  const wrong = await openslot(['doctor'], { PORT: 'x' });
  expect([wrong.code, wrong.out]).toEqual([1, expect.stringMatching(/^fail +settings +PORT must be/)]);
  const misspelt = await openslot(['doctor'], { TRUSTED_PROXY: '10.0.0.1' });
  expect([misspelt.code, misspelt.out]).toEqual([
    1,
    expect.stringMatching(/^fail +settings +TRUSTED_PROXY is not a setting.*TRUSTED_PROXIES/),
  ]);
  const proxied = await openslot(['doctor'], {
    PUBLIC_URL: 'https://ads.example',
    SMTP_URL: 'smtp://127.0.0.1:1',
    SAMPLE_DATA: '0',
  });
  expect(proxied.out).toMatch(/^warn +forwarding +.*from 10\.0\.0\.7, a public address and/m);
  expect(proxied.out).toMatch(/^warn +proxy headers .*TRUSTED_PROXIES/m);
});

it('says in the doctor that ad blockers remove a host name, and which setting has it', async () => {
  const { out } = await openslot(['doctor'], {
    PUBLIC_URL: 'https://market.example',
    DELIVERY_URL: 'https://ads.market.example',
    SMTP_URL: 'smtp://127.0.0.1:1',
    SAMPLE_DATA: '0',
  });
  expect(out).toMatch(
    /^warn +host names +Ad blockers remove everything from ads\.market\.example, so ads do not appear .* for DELIVERY_URL\.$/m,
  );
});

it('finds the running server by its database when PORT is not set', async () => {
  const { port } = server.ctx.config;
  const unset = { PORT: undefined, PUBLIC_URL: undefined };
  const doctor = await openslot(['doctor'], unset);
  expect(doctor.out).toMatch(new RegExp(`^ok +settings +development, http://localhost:${port}$`, 'm'));
  expect(doctor.out).toMatch(new RegExp(`^ok +server +It answers on port ${port}\\.$`, 'm'));
  // A port that is set is the one that is checked.
  expect((await openslot(['doctor'], { PORT: '1' })).out).toMatch(
    /^warn +server +Nothing answers on port 1 /m,
  );
});

it('says so when there is no database, and when the doctor finds none that runs', async () => {
  const stopped = await openslot(['operator', 'list'], {
    DATABASE_URL: '',
    DATA_DIR: server.ctx.config.dataDir,
  });
  expect([stopped.code, stopped.err]).toEqual([2, expect.stringContaining('There is no database in')]);
  const doctor = await openslot(['doctor'], { DATABASE_URL: '' });
  expect(doctor.out).toMatch(/^fail +database +The embedded database .* is not running/m);
});
