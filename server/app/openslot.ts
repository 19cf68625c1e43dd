/** The command line of the operator: `npm run openslot -- COMMAND`. It works on the database of the running server. */
import { runCommandLine } from './command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  output: process.stdout,
  errors: process.stderr,
});
