import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'

export function registerFiles(_app: FastifyInstance, _ctx: Context): void {}
