import type { Context } from '../context.ts'

export const SAMPLE_PASSWORD = ''
export const SAMPLE_ACCOUNTS: { email: string; what: string }[] = []

export async function addSampleData(_ctx: Context): Promise<boolean> {
  return false
}
