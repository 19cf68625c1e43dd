import type http from 'node:http';
import type { Device } from '#domain/targeting/limits.ts';
import type { UserAgent } from '../traffic/user-agent.ts';

/**
 * The class of a device; null for televisions and the like. Client hints go first, because a browser that asks for the
 * page of a desktop changes its User-Agent only. Safari on an iPad names a Mac, so it is a desktop.
 */
export function deviceOf({ device }: UserAgent, headers: http.IncomingHttpHeaders): Device | null {
  if (headers['sec-ch-ua-mobile'] === '?1') return 'phone';
  if (device !== null && headers['sec-ch-ua-platform'] === '"Android"') return 'tablet';
  return device;
}
