import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'

export function registerAccountPages(_app: FastifyInstance, _ctx: Context): void {}
