import type { Config } from '../config.ts'

export type Mailer = { kind: 'relay' | 'kept' }

export function createMailer(_config: Config): Mailer {
  return { kind: 'kept' }
}
