import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'

export function paymentRoutes(_ctx: Context): Route[] {
  return []
}
