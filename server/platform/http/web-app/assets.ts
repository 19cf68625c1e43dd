/** The hashed files of the build. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { acceptedEncoding, type Encoding } from '../answers.ts';

type Asset = { type: string; plain: Buffer } & Partial<Record<Encoding, Buffer>>;

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * Serves the hashed files of the build, which browsers may cache forever. They stay in memory after their first request,
 * because a page loads dozens of them. `app` must be without sessions: each file would read the session from the
 * database.
 */
export function serveAssets(app: FastifyInstance, root: string): void {
  const folder = path.join(root, 'static', 'assets');
  const known = new Map<string, Asset>();
  app.get<{ Params: { name: string } }>('/assets/:name', async ({ params: { name }, headers }, reply) => {
    const asset = known.get(name) ?? readAsset(folder, name);
    if (!asset) return reply.code(404).send({ message: 'Not found' });
    known.set(name, asset);
    const encoding = acceptedEncoding(headers['accept-encoding']);
    const encoded = encoding && asset[encoding];
    if (encoded) void reply.header('content-encoding', encoding);
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'Accept-Encoding')
      .type(asset.type)
      .send(encoded ?? asset.plain);
  });
}

/** Returns null for a name that the build has not written. `npm run dev` writes files while the server runs. */
function readAsset(folder: string, name: string): Asset | null {
  const type = TYPES[path.extname(name)];
  // Compare the exact name, because some file systems also find a file by another spelling of it.
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (type === undefined || !names.includes(name)) return null;
  const read = (suffix: string) => readFileSync(path.join(folder, name + suffix));
  return {
    type,
    plain: read(''),
    // The build writes them beside each file that they make smaller.
    ...(names.includes(`${name}.br`) && { br: read('.br') }),
    ...(names.includes(`${name}.gz`) && { gzip: read('.gz') }),
  };
}
