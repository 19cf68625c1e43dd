/** `npm run openslot` runs the operator's command line on a Node that is new enough. */
import { isNewEnough, runOnNode } from './node.mjs';

// How texts of the program name its commands (asRun in server/operator/command-line/commands.ts).
process.env['OPENSLOT_COMMAND'] = 'npm run -s openslot --';
if (isNewEnough()) await import('../server/app/openslot.ts');
else process.exitCode = await runOnNode('server/app/openslot.ts', process.argv.slice(2));
