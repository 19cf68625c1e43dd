/**
 * `npm start` builds the parts that changed and runs the server in this process, so that one Ctrl-C stops everything.
 * `npm run dev` (--watch) serves the web application from its source with hot reload, and restarts the server and builds
 * the tag whenever one of their files changes.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { build, forgetBuild } from './build.mjs';
import { isNewEnough, root, runOnNode } from './node.mjs';

if (process.argv.includes('--watch')) {
  // The server needs the tag. Of the web application it needs the list of pages.
  await build();
  forgetBuild('tag');
  // The pages under /dev stay open when the server restarts, because it keeps its key.
  process.env['DEV_KEY'] ||= randomBytes(24).toString('base64url');
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await Promise.all([
    runOnNode(vite, ['build', '--watch', '--logLevel', 'warn', '--config', 'tag/vite.config.ts']),
    runOnNode('--watch', ['server/main.ts', '--web-source']),
  ]);
} else if (isNewEnough()) {
  // A process of its own, because what the build leaves in memory would stay there.
  const built = await runOnNode('scripts/build.mjs', []);
  if (built === 0) await import('../server/main.ts');
  else process.exitCode = built;
} else {
  process.exitCode = await runOnNode('scripts/start.mjs', process.argv.slice(2));
}
