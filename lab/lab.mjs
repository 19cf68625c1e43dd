/**
 * `npm run lab NAME` runs a program of the lab; without a name it lists them. Arguments follow `--`:
 * `npm run -s lab fraud -- --list`. README.md says what each is for.
 */
import { isStarted } from '../scripts/node.mjs';
import { runTool } from '../scripts/tool.mjs';

/** @type {Readonly<Record<string, import('../scripts/tool.mjs').Tool>>} */
export const LAB = {
  attack: { about: 'buy and cancel campaigns, and print the loss', script: 'lab/attack.mjs', dev: true },
  backups: {
    about: 'back up a server under load, restore it, and prove what came back',
    script: 'lab/backups.ts',
  },
  bench: { about: 'measure the ad server on this machine (Linux)', script: 'lab/bench/main.ts' },
  bookings: { about: 'play random histories of bookings', script: 'lab/bookings.mjs', dev: true },
  capacity: { about: 'say what a number of views a second needs', script: 'lab/capacity.ts' },
  contention: {
    about: 'run the statements that lock rows against each other, and count lost connections',
    script: 'lab/contention.ts',
  },
  'data-centres': { about: 'make the list of data centers’ networks', script: 'lab/data-centres.ts' },
  defects: {
    about: 'put forty small defects into the code, and see which ones the tests find',
    script: 'lab/defects.ts',
    dev: true,
  },
  fleet: {
    about: 'break each part of a fleet under load, and compare the books',
    script: 'lab/fleet.ts',
    dev: true,
  },
  fraud: { about: 'simulate a day of dishonest and honest publishers', script: 'lab/fraud.ts' },
  fuzz: { about: 'send generated requests or mutated files', script: 'lab/fuzz.mjs', dev: true },
  histories: { about: 'play random histories of money', script: 'lab/histories.mjs', dev: true },
  icons: { about: 'draw the social card and the icons', script: 'lab/icons.ts', dev: true },
  lighthouse: { about: 'measure how fast pages load', script: 'lab/lighthouse.ts', dev: true },
  rights: { about: 'print who may make each call', script: 'lab/rights.ts' },
  rolling: { about: 'restart two servers under load behind HAProxy', script: 'lab/rolling.ts' },
  schema: { about: 'print the schema of the database', script: 'lab/schema.mjs' },
  simulate: { about: 'simulate the delivery of a zone’s ads over weeks', script: 'lab/simulate.ts' },
  upgrade: {
    about: 'roll two servers from the release before to this one and back',
    script: 'lab/upgrade.ts',
  },
  year: {
    about: 'play a year of trade, and compare its books, papers and returns',
    script: 'lab/year.mjs',
    dev: true,
  },
};

if (isStarted(import.meta.url)) process.exitCode = await runTool(LAB, 'npm run lab', process.argv.slice(2));
