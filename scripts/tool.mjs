/**
 * `npm run tool NAME` runs a program that a contributor needs every week; without a name it lists them. Those of lab/ are for
 * rarer questions. Arguments follow `--`: `npm run -s tool migrations -- check FILE`. It first installs the packages that the
 * tool needs. It runs on Node 20 or newer.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isStarted, programOf, root, run, runOnNode } from './node.mjs';

/**
 * `script` runs on our Node and `program` is one of node_modules/.bin. `dev` marks the tools that need the packages of
 * `npm test`. All others run with those of `npm start`. `asInstalled` leaves packages that are there as they are.
 * @typedef {{ about: string; dev?: true; asInstalled?: true } & ({ script: string } | { program: string; args: string[] })} Tool
 * @type {Readonly<Record<string, Tool>>}
 */
export const TOOLS = {
  coverage: { about: 'print which tests prove which requirement', script: 'scripts/coverage.mjs' },
  format: { about: 'format the code', program: 'oxfmt', args: [], dev: true },
  guide: { about: 'write the tables of the operator’s guide', script: 'scripts/guide.ts' },
  lint: { about: 'lint the code', program: 'oxlint', args: ['--type-aware'], dev: true },
  migrations: { about: 'say what a migration must not do', script: 'scripts/migrations.ts' },
  package: { about: 'make a tree that runs without npm', script: 'scripts/package.mjs', asInstalled: true },
  pictures: { about: 'draw the pictures of the documents', script: 'scripts/pictures.ts', dev: true },
  tables: { about: 'generate the types of the tables', script: 'scripts/tables.mjs', dev: true },
  types: { about: 'check the types', program: 'tsc', args: ['-b'], dev: true },
  unused: { about: 'find unused code', program: 'knip', args: [], dev: true },
};

/**
 * Runs the tool that `argv` names, or lists all. `command` is what people write before its name.
 * @param {Readonly<Record<string, Tool>>} tools
 * @param {string} command
 * @param {string[]} argv
 * @returns {Promise<number>} the exit code
 */
export async function runTool(tools, command, [name, ...args]) {
  const tool = name !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!tool) {
    const width = Math.max(...Object.keys(tools).map((each) => each.length));
    const lines = Object.entries(tools).map(([each, { about }]) => `  ${each.padEnd(width)}  ${about}`);
    const list = [`Usage: ${command} NAME -- ARGUMENTS`, ...lines].join('\n');
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
    ? await runOnNode(tool.script, args)
    : await run(programOf(tool.program), [...tool.args, ...args]);
}

if (isStarted(import.meta.url))
  process.exitCode = await runTool(TOOLS, 'npm run tool', process.argv.slice(2));
