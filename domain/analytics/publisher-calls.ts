/** The calls of a publisher's results, which only that page loads (see domain/calls.ts). */
import { callsOf } from '../endpoint.ts';
import * as publisher from './publisher-contract.ts';
import * as twoCounts from './two-counts-contract.ts';

export const calls = callsOf({ ...publisher, ...twoCounts });
