import type { Database } from '../db/database.ts'
import type { PaymentProvider } from './payment-provider.ts'

export function createSandbox(_db: Database, _now: () => Date): PaymentProvider {
  return {} as PaymentProvider
}
