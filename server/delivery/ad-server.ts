import type http from 'node:http'
import type { Context } from '../context.ts'

export function createAdServer(_ctx: Context, _options: { databaseUrl: string; tagDirectory: string }) {
  return {
    handle: (_request: http.IncomingMessage, _response: http.ServerResponse): boolean => false,
    start: async () => {},
    stop: async () => {},
    refresh: async () => {},
    ready: () => true,
  }
}
