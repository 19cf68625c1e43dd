/** Serves the scripts and the creatives, whose bytes are the same for every visitor. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { DELIVERY_PLACEHOLDER } from '#domain/delivery/wire.ts';
import type { Context } from '#server/platform/context.ts';
import { openRendition } from '#server/platform/media/serve.ts';
import { refuse, type Request, type Response } from '#server/platform/http/raw-answer.ts';
import { etagOf } from '#server/platform/net/secrets.ts';

/** The scripts of the build; see `answer`. */
const SCRIPTS = ['tag.js', 'landing.js', 'posts.js', 'facts.js', 'placement.js', 'sample.js'] as const;
export type ScriptName = (typeof SCRIPTS)[number];

type Encoded = { bytes: Buffer; headers: Record<string, string>; etag: string };
type ScriptFiles = { plain: Encoded; gzip: Encoded; brotli: Encoded };

export type Scripts = ReturnType<typeof createScripts>;

/** The scripts of `directory`, which `read` reads once. */
export function createScripts(directory: string, deliveryUrl: string) {
  const scripts = new Map<ScriptName, ScriptFiles | null>();
  return {
    read: async (): Promise<void> => {
      for (const name of SCRIPTS) scripts.set(name, await readScript(directory, name, deliveryUrl));
    },
    /**
     * `GET /api/serve/zone/{publicId}`: the tag. It is the same for every zone, so the id is not looked up. And `GET
     * /api/serve/facts.js`, `/api/serve/placement.js` and `/api/serve/sample.js`, its modules, `/api/serve/posts.js`, the script for posts without
     * scripts, and `/api/serve/landing.js`, the landing script.
     */
    answer: (name: ScriptName, request: Request, response: Response): void =>
      answerScript(scripts.get(name) ?? null, request, response),
  };
}

/**
 * Reads a built script, puts the delivery address into it, and compresses it once for all visitors. Null when it is not
 * built.
 */
async function readScript(directory: string, name: string, deliveryUrl: string): Promise<ScriptFiles | null> {
  let built: string;
  try {
    built = await readFile(path.join(directory, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const script = Buffer.from(built.replaceAll(DELIVERY_PLACEHOLDER, deliveryUrl));
  return {
    plain: encoded(script, null),
    gzip: encoded(gzipSync(script, { level: 9 }), 'gzip'),
    brotli: encoded(brotliCompressSync(script), 'br'),
  };
}

function encoded(bytes: Buffer, encoding: string | null): Encoded {
  // Each form has different bytes, so it needs its own strong validator.
  const etag = etagOf(bytes);
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    ETag: etag,
    'Cache-Control': 'public, max-age=3600, stale-while-revalidate=604800, stale-if-error=604800',
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
    ...(encoding && { 'Content-Encoding': encoding }),
  };
  return { bytes, headers, etag };
}

function answerScript(script: ScriptFiles | null, request: Request, response: Response): void {
  if (!script) return refuse(response, 503, 'The script is not built: run npm start.');
  const accepted = request.headers['accept-encoding'] ?? '';
  const form = /\bbr\b/.test(accepted)
    ? script.brotli
    : /\bgzip\b/.test(accepted)
      ? script.gzip
      : script.plain;
  if (request.headers['if-none-match']?.includes(form.etag)) {
    response.writeHead(304, form.headers);
    response.end();
    return;
  }
  response.writeHead(200, { ...form.headers, 'Content-Length': form.bytes.length });
  response.end(request.method === 'HEAD' ? undefined : form.bytes);
}

/** `GET /m/{sha256}.{ext}`: the rendition of a creative that publishers' pages show; `?still`: its first frame. */
export async function answerCreative(
  ctx: Context,
  request: Request,
  response: Response,
  { name, still }: { name: string; still: boolean },
): Promise<void> {
  const file = await openRendition(ctx, name, { range: request.headers.range, still });
  if (!file) return refuse(response, 404, 'Not found');
  response.writeHead(file.status, file.headers);
  if (!file.body || request.method === 'HEAD') {
    file.body?.destroy();
    response.end();
    return;
  }
  // A visitor who leaves during the transfer is not an error.
  await pipeline(file.body, response).catch(() => response.destroy());
}
