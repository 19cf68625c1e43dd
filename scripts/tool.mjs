/**
 * `npm run tool NAME` runs a program for maintainers; without a name it lists them. Arguments follow `--`:
 * `npm run -s tool fraud -- --list`. It first installs the packages that the tool needs. It runs on Node 20 or newer.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isStarted, programOf, root, run, runOnNode } from './node.mjs';

/**
 * `script` runs on our Node and `program` is one of node_modules/.bin. `dev` marks the tools that need the packages of
 * `npm test`. All others run with those of `npm start`. `asInstalled` leaves packages that are there as they are. `args` come
 * before the arguments of the caller.
 * @typedef {{ about: string; dev?: true; asInstalled?: true } & ({ script: string; args?: string[] } | { program: string; args: string[] })} Tool
 * @type {Readonly<Record<string, Tool>>}
 */
export const TOOLS = {
  archive: { about: 'archive old events that are due', script: 'server/openslot.ts', args: ['archive'] },
  attack: { about: 'buy and cancel campaigns, and print the loss', script: 'scripts/attack.mjs', dev: true },
  backups: {
    about: 'back up a server under load, restore it, and prove what came back',
    script: 'scripts/backups.ts',
  },
  bench: { about: 'measure the ad server on this machine (Linux)', script: 'scripts/bench/main.ts' },
  bookings: { about: 'play random histories of bookings', script: 'scripts/bookings.mjs', dev: true },
  capacity: { about: 'say what a number of views a second needs', script: 'scripts/capacity.ts' },
  contention: {
    about: 'run the statements that lock rows against each other, and count lost connections',
    script: 'scripts/contention.ts',
  },
  coverage: { about: 'print which tests prove which requirement', script: 'scripts/coverage.mjs' },
  'data-centres': { about: 'make the list of data centers’ networks', script: 'scripts/data-centres.ts' },
  defects: {
    about: 'put forty small defects into the code, and see which ones the tests find',
    script: 'scripts/defects.ts',
    dev: true,
  },
  format: { about: 'format the code', program: 'oxfmt', args: [], dev: true },
  fraud: { about: 'simulate a day of dishonest and honest publishers', script: 'scripts/fraud.ts' },
  fuzz: { about: 'send generated requests or mutated files', script: 'scripts/fuzz.mjs', dev: true },
  histories: { about: 'play random histories of money', script: 'scripts/histories.mjs', dev: true },
  lighthouse: { about: 'measure the public pages', script: 'scripts/lighthouse.ts', dev: true },
  lint: { about: 'lint the code', program: 'oxlint', args: ['--type-aware'], dev: true },
  migrations: { about: 'say what a migration must not do', script: 'scripts/migrations.ts' },
  package: { about: 'make a tree that runs without npm', script: 'scripts/package.mjs', asInstalled: true },
  pictures: { about: 'draw the social card and the icons', script: 'scripts/pictures.ts', dev: true },
  fleet: {
    about: 'break each part of a fleet under load, and compare the books',
    script: 'scripts/fleet.ts',
    dev: true,
  },
  rights: { about: 'print who may make each call', script: 'scripts/rights.ts' },
  rolling: { about: 'restart two servers under load behind HAProxy', script: 'scripts/rolling.ts' },
  schema: { about: 'print the schema of the database', script: 'scripts/schema.mjs' },
  settings: { about: 'write the settings into the operator’s guide', script: 'scripts/settings.ts' },
  simulate: { about: 'simulate the delivery of a zone’s ads over weeks', script: 'scripts/simulate.ts' },
  tables: { about: 'generate the types of the tables', script: 'scripts/tables.mjs', dev: true },
  types: { about: 'check the types', program: 'tsc', args: ['-b'], dev: true },
  upgrade: {
    about: 'roll two servers from the release before to this one and back',
    script: 'scripts/upgrade.ts',
  },
  unused: { about: 'find unused code', program: 'knip', args: [], dev: true },
};

/**
 * @param {string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function main([name, ...args]) {
  const tool = name !== undefined && Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (!tool) {
    const width = Math.max(...Object.keys(TOOLS).map((each) => each.length));
    const lines = Object.entries(TOOLS).map(([each, { about }]) => `  ${each.padEnd(width)}  ${about}`);
    const list = ['Usage: npm run tool NAME -- ARGUMENTS', ...lines].join('\n');
    if (name === undefined) console.log(list);
    else console.error(`There is no tool ${name}.\n\n${list}`);
    return name === undefined ? 0 : 1;
  }
  const isInstalled = tool.asInstalled && existsSync(path.join(root, 'node_modules', '.package-lock.json'));
  const installed = isInstalled
    ? 0
    : await run(process.execPath, ['scripts/install.mjs', ...(tool.dev ? ['--tests'] : [])]);
  if (installed !== 0) return installed;
  return 'script' in tool
    ? await runOnNode(tool.script, [...(tool.args ?? []), ...args])
    : await run(programOf(tool.program), [...tool.args, ...args]);
}

if (isStarted(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
