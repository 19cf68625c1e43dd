import type { Context } from '../context.ts'

export async function startJobs(_ctx: Context, _databaseUrl: string): Promise<{ stop: () => Promise<void> }> {
  return { stop: async () => {} }
}
