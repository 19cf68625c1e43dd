/** The calls of a cell on its marketplace. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';
import type { CellSettings } from '../../settings/joint.ts';
import {
  CELLS_PATH,
  type FiguresAnswer,
  figuresAnswer,
  type FiguresBody,
  type ZonesAnswer,
  zonesAnswer,
} from '../wire.ts';

const ANSWER_MS = 10_000;

/** The marketplace does not know the key. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

/** The marketplace cannot be reached, or did not answer as one. */
export class MarketplaceAway extends Error {
  override readonly name = 'MarketplaceAway';
}

export function createMarketplace({ key, marketplaceUrl }: CellSettings) {
  async function call<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    body?: unknown,
  ): Promise<z.output<Schema>> {
    const answer = await send(`${marketplaceUrl}${CELLS_PATH}${path}`, {
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (answer.status === 401) throw new KeyRefused();
    if (answer.status !== 200)
      throw new MarketplaceAway(`${path} answered ${answer.status}: ${(await textOf(answer)).slice(0, 300)}`);
    const parsed = schema.safeParse(JSON.parse(await textOf(answer)));
    if (parsed.success) return parsed.data;
    throw new MarketplaceAway(`${path} answered what this release does not know: ${parsed.error.message}`);
  }

  return {
    zones: async (after: number): Promise<ZonesAnswer> => await call(zonesAnswer, `/zones?after=${after}`),
    changes: async ({ horizon, database }: ZonesAnswer['position'], after: number): Promise<ZonesAnswer> =>
      await call(
        zonesAnswer,
        `/changes?${String(new URLSearchParams({ horizon, database, after: String(after) }))}`,
      ),
    sendFigures: async (body: FiguresBody): Promise<FiguresAnswer> =>
      await call(figuresAnswer, '/figures', body),
    /** The bytes of a file of a creative; null if the marketplace does not have it. */
    file: async (rendition: string): Promise<Buffer | null> => {
      const answer = await send(`${marketplaceUrl}/m/${rendition}`, {});
      if (answer.status === 404) return null;
      if (answer.status !== 200 || !answer.body)
        throw new MarketplaceAway(`/m/${rendition} answered ${answer.status}`);
      return await buffer(Readable.fromWeb(answer.body));
    },
  };
}
export type Marketplace = ReturnType<typeof createMarketplace>;

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
  } catch (error) {
    throw new MarketplaceAway(`The marketplace at ${new URL(url).origin} cannot be reached.`, {
      cause: error,
    });
  }
}

async function textOf(answer: Response): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    throw new MarketplaceAway('The answer of the marketplace ended early.', { cause: error });
  }
}
